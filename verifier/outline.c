#include "outline.h"

#include <ctype.h>
#include <string.h>

#include "support/file.h"

#include "source.h"

static const struct local *find_local(const struct signature *signature, const char *name, size_t size)
{
	int i;

	for (i = 0; i < signature->n_local; i++)
		if (strlen(signature->local[i].name) == size && !memcmp(signature->local[i].name, name, size))
			return &signature->local[i];
	return NULL;
}

/* The local whose name is the first identifier of "source". */
static const struct local *root_local(const struct signature *signature, const char *source)
{
	const char *at = source + strspn(source, "*&( \t");

	return find_local(signature, at, source_identifier(at));
}

/* The last '+' or '-' of "source" outside all brackets that is a binary operator, or NULL. */
static const char *find_offset(const char *source)
{
	const char *at;
	int depth = 0;

	for (at = source; *at; at++) {
		if (*at == '(' || *at == '[')
			depth++;
		else if (*at == ')' || *at == ']')
			depth--;
		else if (depth == 0 && at != source && *at == '+')
			return at;
		else if (depth == 0 && at != source && *at == '-' && at[1] != '>')
			return at;
	}
	return NULL;
}

static char *trimmed(struct arena *arena, const char *text, size_t size)
{
	while (size && isspace((unsigned char)text[size - 1]))
		size--;
	return arena_strndup(arena, text, size);
}

static void bind_offset(struct arena *arena, const struct signature *signature, struct binding *binding, const char *at)
{
	const char *source = binding->var->source;

	binding->kind = BIND_OFFSET;
	binding->base = trimmed(arena, source, (size_t)(at - source));
	binding->offset = arena_printf(arena, "0 %s", at);
	binding->local = find_local(signature, binding->base, strlen(binding->base));
}

static struct binding bind_var(struct arena *arena, const struct signature *signature, const struct var *var)
{
	struct binding binding = {.var = var};
	const char *offset = var->kind == VAR_ARRAY ? find_offset(var->source) : NULL;
	bool is_name;

	if (offset) {
		bind_offset(arena, signature, &binding, offset);
		return binding;
	}
	if (var->kind == VAR_PARAM && type_is_integer(var->type) && !source_is_place(var->source)) {
		binding.kind = BIND_DERIVED;
		return binding;
	}
	binding.local = root_local(signature, var->source);
	is_name = binding.local && !strcmp(binding.local->name, var->source);
	if (is_name)
		binding.kind = var->is_object ? BIND_COPY : BIND_ARGUMENT;
	else
		binding.kind = var->is_object ? BIND_OBJECT : BIND_PLACE;
	return binding;
}

static bool lives_outside(const struct var *var)
{
	return var->kind == VAR_PARAM || var->kind == VAR_SCALAR || var->kind == VAR_ARRAY;
}

static bool is_bound_name(const struct outline *outline, const char *name)
{
	int k;

	for (k = 0; k < outline->n_binding; k++) {
		const struct binding *binding = &outline->binding[k];

		if (binding->kind == BIND_OFFSET ? !strcmp(binding->base, name) : !strcmp(binding->var->source, name))
			return true;
	}
	return false;
}

static void add_record(struct outline *outline, const struct local *local, const char *pointer, bool is_value)
{
	int r;

	for (r = 0; r < outline->n_record; r++)
		if (!strcmp(outline->record[r].pointer, pointer))
			return;
	if (is_bound_name(outline, pointer))
		return;
	outline->record[outline->n_record++] = (struct record){pointer, local, is_value};
}

/* Add a record for each pointer through which "source" goes: each prefix before "->", and p of "*p". */
static void add_prefixes(struct arena *arena, struct outline *outline, const char *source)
{
	const struct signature *signature = outline->job->signature;
	const char *at;

	if (*source == '*') {
		const char *pointer = source + 1 + strspn(source + 1, " \t");

		add_record(outline, find_local(signature, pointer, strlen(pointer)), pointer, false);
	}
	for (at = strstr(source, "->"); at; at = strstr(at + 2, "->")) {
		const char *pointer = trimmed(arena, source, (size_t)(at - source));

		add_record(outline, find_local(signature, pointer, strlen(pointer)), pointer, false);
	}
}

static int line_of(const char *text, size_t at)
{
	int line = 1;
	size_t i;

	for (i = 0; i < at; i++)
		line += text[i] == '\n';
	return line;
}

/* Decide where the function goes: before the enclosing one when that is in the main file, else at the end. */
static enum status place(struct arena *arena, struct outline *outline, struct diag *diag)
{
	const struct job *job = outline->job;
	struct text text = {0};

	outline->original = arena_strndup(arena, job->text + job->begin, job->end - job->begin);
	outline->line = line_of(job->text, job->begin);
	outline->main_text = job->text;
	outline->main_size = job->text_size;
	outline->at = job->function_begin;
	if (job->main_file && strcmp(job->main_file, job->file) != 0) {
		if (file_read(job->main_file, &text, diag) != STATUS_OK)
			return STATUS_FAILED;
		outline->main_text = arena_strndup(arena, text_string(&text), text.size);
		outline->main_size = outline->at = text.size;
		text_free(&text);
	}
	outline->at_line = line_of(outline->main_text, outline->at);
	return STATUS_OK;
}

struct outline *outline_new(struct arena *arena, const struct job *job, struct diag *diag)
{
	struct outline *outline = ARENA_NEW(arena, struct outline);
	const struct signature *signature = job->signature;
	int i, most = signature->n_local;

	outline->job = job;
	outline->definitions = "";
	if (place(arena, outline, diag) != STATUS_OK)
		return NULL;
	outline->binding = ARENA_ARRAY(arena, struct binding, job->nest->n_var + 1);
	for (i = 0; i < job->nest->n_var; i++) {
		const char *source = job->nest->var[i]->source;

		if (!lives_outside(job->nest->var[i]) || !source)
			continue;
		outline->binding[outline->n_binding++] = bind_var(arena, signature, job->nest->var[i]);
		most += (int)strlen(source) / 2 + 1;
	}
	outline->record = ARENA_ARRAY(arena, struct record, most + 1);
	for (i = 0; i < signature->n_local; i++)
		if (signature->local[i].pointee)
			add_record(outline, &signature->local[i], signature->local[i].name,
				   !signature->local[i].is_pointer);
	for (i = 0; i < outline->n_binding; i++)
		if (outline->binding[i].kind != BIND_DERIVED)
			add_prefixes(arena, outline, outline->binding[i].var->source);
	return outline;
}

int outline_slots(const struct outline *outline)
{
	return outline->n_binding + outline->n_record;
}

int outline_object(const struct outline *outline, int k)
{
	int i, index = outline->n_record;

	if (outline->binding[k].kind != BIND_OBJECT)
		return -1;
	for (i = 0; i < k; i++)
		index += outline->binding[i].kind == BIND_OBJECT;
	return index;
}

int outline_derived(const struct outline *outline, int k)
{
	int i, index = 0;

	for (i = 0; i < k; i++)
		index += outline->binding[i].kind == BIND_DERIVED;
	return index;
}

static const struct binding *local_binding(const struct outline *outline, const struct local *local, int *slot)
{
	int k;

	for (k = 0; k < outline->n_binding; k++) {
		const struct binding *binding = &outline->binding[k];

		if (binding->local != local || binding->kind == BIND_PLACE || binding->kind == BIND_OBJECT)
			continue;
		*slot = k;
		return binding;
	}
	return NULL;
}

static const struct record *local_record(const struct outline *outline, const struct local *local, int *slot)
{
	int r;

	for (r = 0; r < outline->n_record; r++)
		if (outline->record[r].local == local) {
			*slot = outline->n_binding + r;
			return &outline->record[r];
		}
	return NULL;
}

/* The order in which locals come into being, so that the sizes of later ones may use earlier ones: 0 scalars, 1
 * records, 2 pointers, 3 pointers computed from others; -1 for those that are no arguments of the outlined function. */
static int local_rank(const struct outline *outline, const struct local *local)
{
	int slot;
	const struct binding *binding = local_binding(outline, local, &slot);

	if (!binding)
		return local_record(outline, local, &slot) ? 1 : -1;
	if (binding->kind == BIND_COPY)
		return -1;
	if (binding->kind == BIND_OFFSET)
		return 3;
	return binding->var->kind == VAR_ARRAY ? 2 : 0;
}

/* Append the declaration of "local" with the value that the slots give it. */
static void print_local(const struct outline *outline, const struct local *local, struct text *text)
{
	int slot = -1;
	const struct binding *binding = local_binding(outline, local, &slot);
	const struct record *record = binding ? NULL : local_record(outline, local, &slot);
	bool is_value = record ? record->is_value : binding && binding->var->kind != VAR_ARRAY;

	text_printf(text, "\t%s", local->declaration);
	if (binding || record)
		text_printf(text, " = %s(__typeof__(%s)%s)strop_slot[%d]", is_value ? "*" : "", local->name,
			    is_value ? " *" : "", slot);
	if (binding && binding->kind == BIND_OFFSET)
		text_printf(text, " - (%s)", binding->offset);
	text_append(text, ";\n");
}

/* Append the declarations of all locals that are arguments of the outlined function. */
static void print_locals(const struct outline *outline, struct text *text)
{
	const struct signature *signature = outline->job->signature;
	int rank, i;

	for (rank = 0; rank < 4; rank++)
		for (i = 0; i < signature->n_local; i++)
			if (local_rank(outline, &signature->local[i]) == rank)
				print_local(outline, &signature->local[i], text);
}

static void print_arguments(const struct outline *outline, bool declare, struct text *text)
{
	const struct signature *signature = outline->job->signature;
	int rank, i;

	text_append(text, declare ? "(void *const *strop_slot" : "(strop_slot");
	for (rank = 0; rank < 4; rank++)
		for (i = 0; i < signature->n_local; i++)
			if (local_rank(outline, &signature->local[i]) == rank)
				text_printf(text, ", %s",
					    declare ? signature->local[i].declaration : signature->local[i].name);
	text_append(text, ")");
}

/* Append the declarations of the locals that belong to the region alone, array objects filled from their slots. */
static void print_inner_locals(const struct outline *outline, struct text *text)
{
	const struct signature *signature = outline->job->signature;
	int i, slot;

	for (i = 0; i < signature->n_local; i++) {
		const struct local *local = &signature->local[i];

		if (local_rank(outline, local) >= 0)
			continue;
		text_printf(text, "\t%s;\n", local->declaration);
		if (local_binding(outline, local, &slot))
			text_printf(text, "\t__builtin_memcpy((void *)%s, strop_slot[%d], sizeof(%s));\n", local->name,
				    slot, local->name);
	}
}

/* Whether "binding" is a value held in a variable of the outlined function that the region may change. */
static bool comes_back(const struct outline *outline, const struct binding *binding)
{
	int slot;
	const struct record *record = binding->local ? local_record(outline, binding->local, &slot) : NULL;

	if (!binding->var->is_written && !binding->var->is_live_out)
		return false;
	if (binding->kind == BIND_COPY)
		return true;
	if (binding->var->kind != VAR_SCALAR || !binding->var->is_live_out)
		return false;
	return binding->kind == BIND_ARGUMENT || (record && record->is_value);
}

static void print_results(const struct outline *outline, struct text *text)
{
	int k;

	for (k = 0; k < outline->n_binding; k++)
		if (comes_back(outline, &outline->binding[k])) {
			const char *source = outline->binding[k].var->source;

			text_printf(text, "\t__builtin_memcpy(strop_slot[%d], (void *)&(%s), sizeof(%s));\n", k, source,
				    source);
		}
}

/* Append the function around "body", or around the original when it is NULL. */
static void print_region(const struct outline *outline, const char *body, struct text *text)
{
	int line = body ? 1 : outline->line;
	const char *file = body ? "candidate" : outline->job->file;

	text_append(text, "static __attribute__((noinline)) void strop_region");
	print_arguments(outline, true, text);
	text_append(text, "\n{\n");
	print_inner_locals(outline, text);
	text_printf(text, "\t{\n#line %d \"%s\"\n%s\n\t;}\n", line, file, body ? body : outline->original);
	text_append(text, "#line 1 \"strop-outline\"\n");
	print_results(outline, text);
	text_append(text, "}\n");
}

static const char export[] = "#ifdef __cplusplus\nextern \"C\"\n#endif\n"
			     "__attribute__((visibility(\"default\"), externally_visible, noinline, used)) void ";

static void print_layout(const struct outline *outline, struct text *text)
{
	const struct signature *signature = outline->job->signature;
	int i, k, rank = 0, slot;

	text_printf(text, "%sstrop_layout(unsigned long *strop_size)\n{\n", export);
	for (i = 0; i < signature->n_local; i++)
		if (local_record(outline, &signature->local[i], &slot))
			text_printf(text, "\t%s;\n", signature->local[i].declaration);
	for (; rank < outline->n_record; rank++)
		text_printf(text, "\tstrop_size[%d] = sizeof(%s(%s));\n", rank,
			    outline->record[rank].is_value ? "" : "*", outline->record[rank].pointer);
	for (k = 0; k < outline->n_binding; k++)
		if (outline->binding[k].kind == BIND_OBJECT)
			text_printf(text, "\tstrop_size[%d] = sizeof(%s);\n", outline_object(outline, k),
				    outline->binding[k].var->source);
	text_append(text, "}\n");
}

/* Whether the var is one that the judge added for what derived params read: of the type that its place has. */
static bool is_added(const struct var *var)
{
	return var->ctype && !strcmp(var->ctype, base_ctype);
}

/* Append the assignment that makes "binding" (slot k) hold what its slot says. */
static void print_place(const struct outline *outline, const struct binding *binding, int k, struct text *text)
{
	const char *source = binding->var->source;

	if (binding->kind == BIND_OBJECT)
		text_printf(text, "\t__builtin_memcpy((void *)&(%s), strop_slot[%d], strop_size[%d]);\n", source, k,
			    outline_object(outline, k));
	else if (binding->kind == BIND_OFFSET && !binding->local)
		text_printf(text, "\t%s = (__typeof__(%s))strop_slot[%d] - (%s);\n", binding->base, binding->base, k,
			    binding->offset);
	else if (binding->kind == BIND_PLACE && binding->var->kind == VAR_ARRAY)
		text_printf(text, "\t__builtin_memcpy((void *)&(%s), &strop_slot[%d], sizeof(void *));\n", source, k);
	else if (binding->kind == BIND_PLACE)
		text_printf(text,
			    "\t{ typedef char strop_same_size[sizeof(%s) %s %d ? 1 : -1]; }\n"
			    "\t__builtin_memcpy((void *)&(%s), strop_slot[%d], sizeof(%s));\n",
			    source, is_added(binding->var) ? "<=" : "==", type_size(binding->var->type), source, k, source);
}

/* Append copies of local records that are values back to their storage (strop_bind fills a local of that name). */
static void print_record_values(const struct outline *outline, struct text *text)
{
	int r;

	for (r = 0; r < outline->n_record; r++)
		if (outline->record[r].is_value)
			text_printf(text, "\t__builtin_memcpy(strop_slot[%d], (void *)&(%s), sizeof(%s));\n",
				    outline->n_binding + r, outline->record[r].pointer, outline->record[r].pointer);
}

static void print_bind(const struct outline *outline, struct text *text)
{
	int k, r;

	text_printf(text, "%sstrop_bind(void *const *strop_slot, const unsigned long *strop_size)\n{\n", export);
	print_locals(outline, text);
	for (r = 0; r < outline->n_record; r++)
		if (!outline->record[r].local)
			text_printf(text, "\t__builtin_memcpy((void *)&(%s), &strop_slot[%d], sizeof(void *));\n",
				    outline->record[r].pointer, outline->n_binding + r);
	for (k = 0; k < outline->n_binding; k++)
		print_place(outline, &outline->binding[k], k, text);
	print_record_values(outline, text);
	text_append(text, "}\n");
}

/* Append the function that computes derived params from what is bound. */
static void print_derive(const struct outline *outline, struct text *text)
{
	int k;

	text_printf(text, "%sstrop_derive(void *const *strop_slot, long long *strop_value)\n{\n", export);
	print_locals(outline, text);
	for (k = 0; k < outline->n_binding; k++)
		if (outline->binding[k].kind == BIND_DERIVED)
			text_printf(text, "\tstrop_value[%d] = (long long)(%s);\n", outline_derived(outline, k),
				    outline->binding[k].var->source);
	text_append(text, "}\n");
}

/* Whether the value of "binding" must be fetched from where strop_bind put it. */
static bool is_fetched(const struct outline *outline, const struct binding *binding)
{
	if (comes_back(outline, binding) || (!binding->var->is_written && binding->kind != BIND_OBJECT))
		return false;
	return binding->kind == BIND_OBJECT || (binding->kind == BIND_PLACE && binding->var->kind == VAR_SCALAR);
}

static void print_unbind(const struct outline *outline, struct text *text)
{
	int k;

	text_printf(text, "%sstrop_unbind(void *const *strop_slot, const unsigned long *strop_size)\n{\n", export);
	print_locals(outline, text);
	for (k = 0; k < outline->n_binding; k++) {
		const struct binding *binding = &outline->binding[k];
		const char *source = binding->var->source;

		if (!is_fetched(outline, binding))
			continue;
		if (binding->kind == BIND_OBJECT)
			text_printf(text, "\t__builtin_memcpy(strop_slot[%d], (void *)&(%s), strop_size[%d]);\n", k,
				    source, outline_object(outline, k));
		else
			text_printf(text, "\t__builtin_memcpy(strop_slot[%d], (void *)&(%s), sizeof(%s));\n", k, source,
				    source);
	}
	text_append(text, "}\n");
}

static void print_run(const struct outline *outline, struct text *text)
{
	text_printf(text, "%sstrop_run(void *const *strop_slot)\n{\n", export);
	print_locals(outline, text);
	text_append(text, "\tstrop_region");
	print_arguments(outline, false, text);
	text_append(text, ";\n}\n");
}

static void print_padding(int padding, struct text *text)
{
	int i;

	if (padding <= 0)
		return;
	text_append(text, "__attribute__((visibility(\"default\"), externally_visible, noinline, used)) "
			  "int strop_padding(int x)\n{\n");
	for (i = 0; i < padding; i++)
		text_printf(text, "\t__asm__ volatile(\"\" : \"+r\"(x)); x ^= %d;\n", 1000 + 7 * i);
	text_append(text, "\treturn x;\n}\n");
}

/* Append all that is added to the copied file. */
static void print_addition(const struct outline *outline, const char *helpers, const char *body, int padding,
			   struct text *text)
{
	print_padding(padding, text);
	if (*helpers)
		text_printf(text, "#line 1 \"candidate-helpers\"\n%s\n", helpers);
	text_append(text, "#line 1 \"strop-outline\"\n");
	print_region(outline, body, text);
	print_layout(outline, text);
	print_bind(outline, text);
	print_derive(outline, text);
	print_unbind(outline, text);
	print_run(outline, text);
}

void outline_print(const struct outline *outline, const char *helpers, const char *body, int padding, struct text *text)
{
	const char *main_file = outline->job->main_file ? outline->job->main_file : outline->job->file;

	text_printf(text, "#line 1 \"%s\"\n", main_file);
	text_append_bytes(text, outline->main_text, outline->at);
	text_append(text, "\n");
	print_addition(outline, helpers, body, padding, text);
	text_printf(text, "#line %d \"%s\"\n", outline->at_line, main_file);
	text_append_bytes(text, outline->main_text + outline->at, outline->main_size - outline->at);
	text_printf(text, "\n%s", outline->definitions);
}

void outline_print_file(const struct outline *outline, const char *file, size_t size, struct text *text)
{
	struct outline other = *outline;

	other.main_text = file;
	other.main_size = other.at = size;
	other.at_line = line_of(file, size);
	outline_print(&other, "", outline->original, 0, text);
}
