#include "function_internal.h"

#include <string.h>

#include "lift_internal.h"
#include "region_internal.h"
#include "signature_internal.h"
#include "unit_internal.h"

/* Reading under way: "region" is the one whose statements make up the body, "decl" the definition. */
struct reader {
	struct arena *arena;
	const struct unit *unit;
	const char *name;
	const struct region *region;
	struct parsed *parsed;
	CXCursor decl;
	struct function *function;
	struct diag *diag;
};

static enum CXChildVisitResult find_definition(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct reader *const reader = data;

	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl || !clang_isCursorDefinition(cursor) ||
	    strcmp(cursor_name(reader->arena, cursor), reader->name) != 0)
		return CXChildVisit_Continue;
	reader->decl = cursor;
	return CXChildVisit_Break;
}

static enum status inconclusive(struct reader *reader, const char *format, const char *what)
{
	return diag_set(reader->diag, EXIT_INCONCLUSIVE, "%s: %s", reader->name, arena_printf(reader->arena, format, what));
}

/* The only region of the function. */
static enum status find_region(struct reader *reader)
{
	const struct unit *const unit = reader->unit;
	const char *why = "it has no loops";

	for (int i = 0; i < unit->n_region; i++) {
		const struct region *const region = &unit->region[i];

		if (strcmp(region->function, reader->name) != 0 || strcmp(region->file, unit->command->file) != 0)
			continue;
		if (!region->nest)
			return inconclusive(reader, "%s", region->detail ? region->detail : refusal_sentence(region->refusal));
		if (reader->region)
			return inconclusive(reader, "%s", "its loops do not lift as one region");
		reader->region = region;
	}
	return reader->region ? STATUS_OK : inconclusive(reader, "%s", why);
}

static struct var *var_of(const struct reader *reader, const char *source)
{
	const struct nest *const nest = reader->function->nest;

	for (int i = 0; i < nest->n_var; i++)
		if (nest->var[i]->source && !strcmp(nest->var[i]->source, source))
			return nest->var[i];
	return NULL;
}

/* Let the nest begin with "var = value"; what the caller holds in the local no longer matters. */
static void preset(struct reader *reader, struct var *var, struct expr *value)
{
	struct nest *const nest = reader->function->nest;
	struct arena *const arena = nest->arena;
	struct node *const node = node_stmt(arena, nest->n_label++, expr_scalar(arena, var), OP_NONE, value);

	node->n_origin = 0;
	node->origin = ARENA_ARRAY(arena, struct expr *, 1);
	list_insert(arena, &nest->body, 0, node);
	var->is_read = false;
}

/* A local that the body declares before the region: without a value, or with a constant one. */
static enum status read_local(struct reader *reader, CXCursor decl)
{
	const char *const name = cursor_name(reader->arena, decl);
	const CXCursor initializer = clang_Cursor_getVarDeclInitializer(decl);
	struct var *const var = var_of(reader, name);
	double real;
	int64_t integer;

	if (!var || clang_Cursor_isNull(initializer))
		return STATUS_OK;
	if (var->kind == VAR_SCALAR && type_is_float(var->type) && cursor_real(initializer, &real))
		preset(reader, var, expr_float(reader->function->nest->arena, real, var->type,
					       arena_printf(reader->function->nest->arena, "%a", real)));
	else if (var->kind == VAR_SCALAR && cursor_constant(initializer, &integer) && type_is_float(var->type))
		preset(reader, var, expr_float(reader->function->nest->arena, (double)integer, var->type,
					       arena_printf(reader->function->nest->arena, "%a", (double)integer)));
	else if (var->kind == VAR_SCALAR && cursor_constant(initializer, &integer))
		preset(reader, var, expr_int(reader->function->nest->arena, integer, var->type));
	else
		return inconclusive(reader, "'%s' is computed before its loops", name);
	return STATUS_OK;
}

static enum status read_declarations(struct reader *reader, CXCursor stmt)
{
	int n;
	CXCursor *const child = cursor_children(reader->arena, stmt, &n);

	for (int i = 0; i < n; i++)
		if (clang_getCursorKind(child[i]) == CXCursor_VarDecl && read_local(reader, child[i]) != STATUS_OK)
			return STATUS_FAILED;
	return STATUS_OK;
}

/* The local that is returned becomes the result. */
static enum status read_return(struct reader *reader, CXCursor stmt)
{
	int n;
	CXCursor *const child = cursor_children(reader->arena, stmt, &n), decl;
	struct var *var;

	if (n == 0)
		return STATUS_OK;
	if (!cursor_variable(reader->arena, child[0], &decl))
		return inconclusive(reader, "%s", "it returns more than a variable");
	var = var_of(reader, cursor_name(reader->arena, decl));
	if (!var || var->kind != VAR_SCALAR || !var->is_live_out)
		return inconclusive(reader, "what it returns is not what its loops compute: '%s'", cursor_name(reader->arena, decl));
	reader->function->call = arena_printf(reader->arena, "%s = %s", var->source, reader->function->call);
	return STATUS_OK;
}

/* Each statement of the body is the region's, a declaration, or the return. */
static enum status read_body(struct reader *reader, CXCursor body)
{
	int n;
	CXCursor *const stmt = cursor_children(reader->arena, body, &n);

	for (int i = 0; i < n; i++) {
		const enum CXCursorKind kind = clang_getCursorKind(stmt[i]);
		CXFile file;
		unsigned line;
		size_t begin;
		enum status status = STATUS_OK;

		if (!parsed_place(clang_getRangeStart(clang_getCursorExtent(stmt[i])), &file, &line, &begin))
			return inconclusive(reader, "%s", "its body is made by a macro");
		if (begin >= reader->region->begin && begin < reader->region->end)
			continue;
		if (kind == CXCursor_DeclStmt && begin < reader->region->begin)
			status = read_declarations(reader, stmt[i]);
		else if (kind == CXCursor_ReturnStmt)
			status = read_return(reader, stmt[i]);
		else if (kind != CXCursor_NullStmt)
			status = inconclusive(reader, "%s", "it does more than its loops");
		if (status != STATUS_OK)
			return STATUS_FAILED;
	}
	return STATUS_OK;
}

/* Parameters that the loops do not read are params of the nest all the same: another version may read them. */
static void add_param(struct reader *reader, CXCursor decl, const char *name)
{
	struct var *var;
	enum type type;

	if (var_of(reader, name) || !type_of(clang_getCursorType(decl), &type))
		return;
	var = nest_add_var(reader->function->nest, VAR_PARAM, type, name, 0, NULL);
	var->source = name;
	var->is_read = true;
}

/* What is known of the region's inputs, and what a pragma says of them, which may name any parameter. */
static void read_facts(struct reader *reader)
{
	struct signature *const signature = reader->function->signature;
	const struct signature *const inner = reader->region->signature;

	signature->n_fact = 0;
	signature->fact = ARENA_ARRAY(reader->arena, struct fact, inner->n_fact + 1);
	for (int i = 0; i < inner->n_fact; i++)
		signature->fact[signature->n_fact++] = inner->fact[i];
	if (reader->region->inputs)
		signature_add_inputs(reader->arena, signature, reader->function->nest, reader->region->inputs);
}

static bool is_param(const struct signature *signature, int n_param, const char *name)
{
	for (int i = 0; i < n_param; i++)
		if (!strcmp(signature->local[i].name, name))
			return true;
	return false;
}

/* The params as locals, then the locals of the region that hold its results; what else it reads must not come from the body. */
static enum status read_signature(struct reader *reader)
{
	const struct signature *const inner = reader->region->signature;
	struct signature *const signature = ARENA_NEW(reader->arena, struct signature);
	const int n = clang_Cursor_getNumArguments(reader->decl);
	const char *call = arena_printf(reader->arena, "%s(", reader->name);

	*signature = *inner;
	signature->n_local = 0;
	signature->local = ARENA_ARRAY(reader->arena, struct local, n + inner->n_local + 1);
	for (int i = 0; i < n; i++) {
		const CXCursor param = clang_Cursor_getArgument(reader->decl, (unsigned)i);
		struct local *const local = &signature->local[signature->n_local++];

		*local = signature_local(reader->arena, param);
		if (!*local->name)
			return inconclusive(reader, "%s", "a parameter has no name");
		call = arena_printf(reader->arena, "%s%s%s", call, i ? ", " : "", local->name);
		add_param(reader, param, local->name);
	}
	reader->function->call = arena_printf(reader->arena, "%s)", call);
	for (int i = 0; i < inner->n_local; i++) {
		const struct var *const var = var_of(reader, inner->local[i].name);

		if (is_param(signature, n, inner->local[i].name)) {
			if (var && var->kind == VAR_SCALAR)
				return inconclusive(reader, "it changes its parameter '%s'", inner->local[i].name);
			continue;
		}
		if (var && var->kind != VAR_SCALAR)
			return inconclusive(reader, "'%s' is computed before its loops", inner->local[i].name);
		signature->local[signature->n_local++] = inner->local[i];
	}
	reader->function->signature = signature;
	read_facts(reader);
	return STATUS_OK;
}

/* Scalars that no return hands out are the function's own. */
static void hide_scalars(struct reader *reader)
{
	struct nest *const nest = reader->function->nest;

	for (int i = 0; i < nest->n_var; i++) {
		struct var *const var = nest->var[i];
		const char *const equals = strstr(reader->function->call, " = ");

		if (var->kind != VAR_SCALAR || !var->source || !var->is_live_out)
			continue;
		if (!equals || strncmp(reader->function->call, var->source, strlen(var->source)) != 0)
			var->is_live_out = false;
	}
}

/* Append a function that calls it. */
static void append_call(struct reader *reader)
{
	struct function *const function = reader->function;
	const struct unit_file *const file = unit_find_file(reader->unit, reader->unit->command->file);
	const struct signature *const signature = function->signature;
	struct text text = {0};

	text_append_bytes(&text, file->text, file->size);
	text_append(&text, "\n");
	function->function_begin = text.size;
	text_append(&text, "static void strop_verified(");
	for (int i = 0; i < signature->n_local; i++)
		text_printf(&text, "%s%s", i ? ", " : "", signature->local[i].declaration);
	text_append(&text, signature->n_local ? ")\n{\n" : "void)\n{\n");
	function->begin = text.size;
	text_printf(&text, "%s;", function->call);
	function->end = text.size;
	text_append(&text, "\n}\n");
	function->size = text.size;
	function->text = arena_strndup(reader->arena, text_string(&text), text.size);
	text_free(&text);
}

/* Read the function as one region. */
static enum status read_nest(struct reader *reader)
{
	struct function *const function = reader->function;
	int n;
	CXCursor *child;

	if (find_region(reader) != STATUS_OK)
		return STATUS_FAILED;
	function->nest = nest_copy(reader->region->nest);
	function->mode = reader->region->mode;
	function->sizes = reader->region->sizes;
	if (read_signature(reader) != STATUS_OK)
		return STATUS_FAILED;
	child = cursor_children(reader->arena, reader->decl, &n);
	if (!n || clang_getCursorKind(child[n - 1]) != CXCursor_CompoundStmt)
		return inconclusive(reader, "%s", "it has no body");
	if (read_body(reader, child[n - 1]) != STATUS_OK)
		return STATUS_FAILED;
	hide_scalars(reader);
	return STATUS_OK;
}

/* As one region; else as a whole. Where neither can be done, what stands in the way of the latter is the reason. */
static enum status read_function(struct reader *reader)
{
	clang_visitChildren(clang_getTranslationUnitCursor(reader->parsed->unit), find_definition, reader);
	if (clang_Cursor_isNull(reader->decl))
		return diag_set(reader->diag, EXIT_INPUT, "%s defines no function '%s'", reader->unit->command->file, reader->name);
	if (read_nest(reader) != STATUS_OK) {
		diag_clear(reader->diag);
		if (function_read_whole(reader->arena, reader->unit, reader->decl, reader->function, reader->diag) !=
		    STATUS_OK)
			return STATUS_FAILED;
	}
	append_call(reader);
	return STATUS_OK;
}

struct function *function_find(struct arena *arena, const struct unit *unit, const char *name, struct diag *diag)
{
	struct reader reader = {
		.arena = arena, .unit = unit, .name = name, .diag = diag, .decl = clang_getNullCursor(),
		.function = ARENA_NEW(arena, struct function),
	};
	enum status status;

	reader.parsed = parsed_open(unit->command, diag);
	if (!reader.parsed)
		return NULL;
	reader.function->name = name;
	status = read_function(&reader);
	parsed_close(reader.parsed);
	return status == STATUS_OK ? reader.function : NULL;
}
