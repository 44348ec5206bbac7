#include "record_internal.h"

#include <string.h>

#include "support/hash.h"

#include "site.h"
#include "splice.h"

/* The edits that turn a file into its instrumented copy; their texts live in "arena". */
struct plan {
	struct arena *arena;
	const struct unit_file *file;
	int n;
	struct edit *edit;
};

static void plan_add(struct plan *plan, size_t at, struct text *text)
{
	plan->edit[plan->n++] = (struct edit){at, at, arena_strndup(plan->arena, text_string(text), text->size)};
	text_free(text);
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

/* Is the value of "var" at entry part of a sample? What is written before it is read has none worth keeping. */
static bool is_input(const struct var *var)
{
	if (!var->source)
		return false;
	return var->kind == VAR_PARAM || var->kind == VAR_ARRAY || (var->kind == VAR_SCALAR && var->is_read);
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
	plan_add(plan, site.begin, &before);
	plan_add(plan, region->end, &after);
}

/* Print the row of "region" in the table of regions; values that change follow as zeros. */
static void row_print(const struct region *region, struct text *out)
{
	struct text names = {0};

	text_printf(out, "{\"%s\", ", region->anchor);
	literal_print(region->id, out);
	sizes_print(region->nest, true, &names);
	text_append(out, ", ");
	literal_print(text_string(&names), out);
	text_printf(out, ", %d}, ", size_count(region->nest));
	text_free(&names);
}

/* Print all that stands before the first line of the source, which calls itself "name". */
static void preamble_print(const struct unit *unit, const char *rows, int n, const char *name, struct text *out)
{
	char hash[33];

	hash_bytes(unit->command->file, strlen(unit->command->file), hash);
	hash[8] = '\0';
	text_append(out, record_head);
	text_printf(out, "static struct strop__region strop__regions[] = {%s}; ", rows);
	text_printf(out, "static __thread struct strop__mark strop__marks[%d]; ", n);
	text_printf(out, "static const char strop__unit[] = \"%s\"; ", hash);
	text_append(out, record_body);
	text_append(out, "#line 1 ");
	literal_print(name, out);
	text_append_char(out, '\n');
}

static size_t bom_size(const struct unit_file *file)
{
	return file->size >= 3 && !memcmp(file->text, "\xef\xbb\xbf", 3) ? 3 : 0;
}

int record_instrument(const struct unit *unit, const char *path, const char *name, struct text *out)
{
	struct plan plan = {.arena = arena_new(), .file = unit_find_file(unit, path)};
	struct text rows = {0}, preamble = {0};
	int k = 0;

	plan.edit = ARENA_ARRAY(plan.arena, struct edit, 2 * unit->n_region + 1);
	for (int i = 0; plan.file && i < unit->n_region; i++) {
		const struct region *const region = &unit->region[i];

		if (!region->nest || strcmp(region->file, path))
			continue;
		row_print(region, &rows);
		region_add(&plan, region, k++);
	}
	if (k) {
		preamble_print(unit, text_string(&rows), k, name, &preamble);
		plan_add(&plan, bom_size(plan.file), &preamble);
		if (splice(plan.file->text, plan.file->size, plan.n, plan.edit, out, NULL) != STATUS_OK)
			k = 0;
	}
	text_free(&rows);
	arena_free(plan.arena);
	return k;
}
