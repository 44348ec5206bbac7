#include "record_internal.h"

#include <string.h>

#include "support/file.h"
#include "support/hash.h"

#include "site.h"
#include "splice.h"

/* A unit while it is instrumented: the rows of its table of regions so far, how many, and where copies of headers go. */
struct table {
	struct arena *arena;
	const struct unit *unit;
	const char *folder;
	struct text rows;
	int n;
};

/* The edits that turn a file into its instrumented copy; their texts live in "arena". */
struct plan {
	struct arena *arena;
	const struct unit_file *file;
	int n;
	struct edit *edit;
};

/* Replace [begin, end) by "text", which is freed. */
static void plan_add(struct plan *plan, size_t begin, size_t end, struct text *text)
{
	plan->edit[plan->n++] = (struct edit){
		.begin = begin, .end = end, .text = arena_strndup(plan->arena, text_string(text), text->size)};
	text_free(text);
}

/* Append "string" as a C string literal that stays one within JSON: what would need an escape there becomes '_'. */
static void plain_literal_print(const char *string, struct text *out)
{
	text_append_char(out, '"');
	for (const char *p = string; *p; p++)
		text_append_char(out, *p == '"' || *p == '\\' || (unsigned char)*p < 32 ? '_' : *p);
	text_append_char(out, '"');
}

/* Append "string" as a C string literal. */
static void literal_print(const char *string, struct text *out)
{
	text_append_char(out, '"');
	for (const char *p = string; *p; p++) {
		if (*p == '"' || *p == '\\')
			text_append_char(out, '\\');
		text_append_char(out, *p);
	}
	text_append_char(out, '"');
}

static bool is_size(const struct var *var)
{
	return var->kind == VAR_PARAM && var->source && type_is_integer(var->type);
}

/* Is the value of "var" at entry part of a sample? What is written before it is read has none worth keeping; rows that a table points to
 * are left out. */
static bool is_input(const struct var *var)
{
	if (!var->source)
		return false;
	return var->kind == VAR_PARAM || (var->kind == VAR_ARRAY && !var->is_rows) || (var->kind == VAR_SCALAR && var->is_read);
}

static int size_count(const struct nest *nest)
{
	int n = 0;

	for (int i = 0; i < nest->n_var; i++)
		n += is_size(nest->var[i]);
	return n < RECORD_PARAMS ? n : RECORD_PARAMS;
}

/* Print the values of the integer params, separated by commas; by name (quoted) or by source. */
static void sizes_print(const struct nest *nest, bool by_name, struct text *out)
{
	int n = 0;

	for (int i = 0; i < nest->n_var && n < RECORD_PARAMS; i++) {
		const struct var *const var = nest->var[i];

		if (!is_size(var))
			continue;
		text_append(out, n++ ? ", " : "");
		if (by_name)
			text_printf(out, "\"%s\"", var->name);
		else
			text_printf(out, "(long long)(%s)", var->source);
	}
}

/* Print "KIND v = value;" for each scalar input, and then the table of all inputs; return how many. */
static int values_print(const struct nest *nest, struct text *out)
{
	struct text table = {0}, bytes = {0};
	int n = 0;

	for (int i = 0; i < nest->n_var; i++) {
		const struct var *const var = nest->var[i];

		if (!is_input(var))
			continue;
		text_clear(&bytes);
		if (var->kind != VAR_ARRAY) {
			text_printf(out, "%s strop__v%d = (%s)(%s); ", type_c_name(var->type), n, type_c_name(var->type),
				    var->source);
			text_printf(&table, "{\"%s\", &strop__v%d, %d}, ", var->name, n, type_size(var->type));
		} else if (record_bytes_print(nest, var, &bytes)) {
			text_printf(&table, "{\"%s\", (const void *)(%s), %s}, ", var->name, var->source,
				    text_string(&bytes));
		} else {
			continue;
		}
		n++;
	}
	if (n)
		text_printf(out, "struct strop__value strop__value[] = {%s}; ", text_string(&table));
	text_free(&table);
	text_free(&bytes);
	return n;
}

/* Print what runs before region "k". */
static void enter_print(const struct region *region, int k, struct text *out)
{
	struct text values = {0};
	const int n = values_print(region->nest, &values);

	text_append(out, "{ const long long strop__size[] = {");
	sizes_print(region->nest, false, out);
	text_printf(out, "%s}; ", size_count(region->nest) ? "" : "0");
	if (n)
		text_printf(out, "if (strop__enter(%d, strop__size)) { %sstrop__sample(%d, strop__size, strop__value, %d); } ",
			    k, text_string(&values), k, n);
	else
		text_printf(out, "strop__enter(%d, strop__size); ", k);
	text_printf(out, "strop__start(%d); } ", k);
	text_free(&values);
}

static void region_add(struct plan *plan, const struct region *region, int k)
{
	const struct site site = site_find(plan->file->text, region->function_begin, region->begin);
	struct text before = {0}, after = {0};

	text_append(&before, site.is_substatement ? "{ " : "");
	enter_print(region, k, &before);
	if (site.has_pragma)
		text_printf(&before, "\n#line %d\n", line_of(plan->file->text, site.begin));
	text_printf(&after, " strop__leave(%d);%s", k, site.is_substatement ? " }" : "");
	plan_add(plan, site.begin, site.begin, &before);
	plan_add(plan, region->end, region->end, &after);
}

/* Print the row of "region" in the table of regions; values that change follow as zeros. */
static void row_print(const struct region *region, struct text *out)
{
	struct text names = {0};
	char key[33];

	record_key(region, key);
	text_printf(out, "{\"%s\", ", key);
	plain_literal_print(region->id, out);
	sizes_print(region->nest, true, &names);
	text_append(out, ", ");
	literal_print(text_string(&names), out);
	text_printf(out, ", %d}, ", size_count(region->nest));
	text_free(&names);
}

/* Plan the recorders of the file's regions, and add these to "table". */
static void regions_add(struct plan *plan, struct table *table)
{
	for (int i = 0; i < table->unit->n_region; i++) {
		const struct region *const region = &table->unit->region[i];

		if (!region->nest || strcmp(region->file, plan->file->path))
			continue;
		row_print(region, &table->rows);
		region_add(plan, region, table->n++);
	}
}

static struct plan plan_new(const struct table *table, const struct unit_file *file)
{
	const int n = 2 * table->unit->n_region + table->unit->n_file + 1;

	return (struct plan){.arena = table->arena, .file = file, .edit = ARENA_ARRAY(table->arena, struct edit, n)};
}

static void line_print(const char *name, struct text *out)
{
	text_append(out, "#line 1 ");
	literal_print(name, out);
	text_append_char(out, '\n');
}

static size_t bom_size(const struct unit_file *file)
{
	return file->size >= 3 && !memcmp(file->text, "\xef\xbb\xbf", 3) ? 3 : 0;
}

/* Put "text", which is freed, first in the file. */
static void plan_add_first(struct plan *plan, struct text *text)
{
	plan_add(plan, bom_size(plan->file), bom_size(plan->file), text);
}

/* Is the one directive of the unit's files that includes "header" in "file"? Set [*begin, *end) to the name in it. */
static bool is_included_by(const struct unit *unit, const struct unit_file *header, const struct unit_file *file,
			   size_t *begin, size_t *end)
{
	const char *const base = path_base(header->path);
	size_t other_begin, other_end;
	int n = 0;

	for (int i = 0; i < unit->n_file; i++)
		if (&unit->file[i] != file)
			n += include_find(unit->file[i].text, unit->file[i].size, base, &other_begin, &other_end);
	return n == 0 && include_find(file->text, file->size, base, begin, end) == 1;
}

static void file_add(struct plan *plan, struct table *table);

/* Instrument "header" and the headers below it into copies; set "*copy" to the path of its own. False when none of them
 * has a region. */
static bool header_copy(const struct unit_file *header, struct table *table, const char **copy)
{
	struct plan plan = plan_new(table, header);
	const int before = table->n;
	struct text text = {0}, line = {0};
	bool is_done;

	*copy = arena_printf(table->arena, "%s/" RECORD_ROOT "%s", table->folder, header->path);
	line_print(header->path, &line);
	plan_add_first(&plan, &line);
	file_add(&plan, table);
	is_done = table->n > before &&
		  splice(header->text, header->size, plan.n, plan.edit, &text, NULL) == STATUS_OK &&
		  folder_make(path_folder(table->arena, *copy), NULL) == STATUS_OK &&
		  file_write(*copy, text_string(&text), text.size, NULL) == STATUS_OK;
	text_free(&text);
	return is_done;
}

/* Plan recorders in the file's regions, and let its directives name the copies of headers that have some. Headers that more
 * than one directive includes stay as they are. */
static void file_add(struct plan *plan, struct table *table)
{
	const struct unit *const unit = table->unit;
	struct text name = {0};
	const char *copy;
	size_t begin, end;

	regions_add(plan, table);
	for (int i = 1; i < unit->n_file; i++) {
		const struct unit_file *const header = &unit->file[i];

		if (header == plan->file || !is_included_by(unit, header, plan->file, &begin, &end) ||
		    !header_copy(header, table, &copy))
			continue;
		literal_print(copy, &name);
		plan_add(plan, begin, end, &name);
	}
}

/* Print all that stands before the first line of the main file, which calls itself "name". */
static void preamble_print(const struct table *table, const char *name, struct text *out)
{
	const char *const file = table->unit->command->file;
	char hash[33];

	hash_bytes(file, strlen(file), hash);
	hash[8] = '\0';
	text_printf(out, "#define STROP__UNIT \"%s\"\n", hash);
	text_append(out, record_head);
	text_printf(out, "static struct strop__region strop__regions[] = {%s}; ", text_string(&table->rows));
	text_printf(out, "static __thread struct strop__mark strop__marks[%d]; ", table->n);
	text_append(out, record_body);
	line_print(name, out);
}

int record_instrument(const struct unit *unit, const char *name, const char *folder, struct text *out)
{
	struct table table = {.arena = arena_new(), .unit = unit, .folder = folder};
	const struct unit_file *const main = unit_find_file(unit, unit->command->file);
	struct plan plan = plan_new(&table, main);
	struct text preamble = {0};

	if (main)
		file_add(&plan, &table);
	if (table.n) {
		preamble_print(&table, name, &preamble);
		plan_add_first(&plan, &preamble);
		if (splice(main->text, main->size, plan.n, plan.edit, out, NULL) != STATUS_OK)
			table.n = 0;
	}
	text_free(&table.rows);
	arena_free(table.arena);
	return table.n;
}

static bool has_regions(const struct unit *unit, const char *path)
{
	for (int i = 0; i < unit->n_region; i++)
		if (unit->region[i].nest && !strcmp(unit->region[i].file, path))
			return true;
	return false;
}

void record_quote_flags(const struct unit *unit, struct arguments *list)
{
	arguments_add(list, "-iquote");
	arguments_add(list, path_folder(list->arena, unit->command->argv[unit->command->source]));
	for (int i = 0; i < unit->n_file; i++) {
		if (!strcmp(unit->file[i].path, unit->command->file) || !has_regions(unit, unit->file[i].path))
			continue;
		arguments_add(list, "-iquote");
		arguments_add(list, path_folder(list->arena, unit->file[i].path));
	}
}
