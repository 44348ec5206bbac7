#include "codegen_internal.h"

#include <ctype.h>
#include <string.h>

/* ---- what the helper needs ---- */

struct use {
	const struct var *var;
	bool is_used, is_declared, is_written, is_set_first;
};

static bool use_in_expr(struct expr *expr, void *context)
{
	struct use *use = context;

	if (expr->kind != EXPR_REF)
		return true;
	if (expr->var == use->var)
		use->is_used = true;
	for (int d = 1; d < expr->var->rank; d++)
		if (expr->var->kind == VAR_ARRAY && !expr->var->is_rows && expr_uses(expr->var->extent[d], use->var))
			use->is_used = true;
	return true;
}

static bool use_in_node(struct node *node, void *context)
{
	struct use *use = context;

	if (node->kind == NODE_STMT && node->target->var == use->var) {
		use->is_declared |= node->declares;
		use->is_written = true;
	}
	return node_every_expr(node, use_in_expr, use);
}

/* How the lowered nest uses "var"; "is_set_first": a statement that always runs sets it before anything reads it. */
static struct use find_use(const struct codegen *cg, const struct var *var)
{
	struct use use = { .var = var };

	for (int i = 0; i < cg->nest->body.n; i++) {
		struct node *node = cg->nest->body.node[i];
		bool is_fresh = !use.is_used;

		if (is_fresh && node->kind == NODE_STMT && node->target->var == var && node->op == OP_NONE && node->value &&
		    !expr_uses(node->value, var))
			use.is_set_first = true;
		use_in_node(node, &use);
		list_walk(&node->body, use_in_node, &use);
		list_walk(&node->orelse, use_in_node, &use);
	}
	return use;
}

/* A growing comma-separated list of the helper's parameters and of the arguments for them. */
struct interface {
	struct text parameters, arguments;
	const struct var *returned; /* the one live-out that the helper returns, or NULL */
	bool returns_success;       /* whether it got its memory */
};

static void add_parameter(struct interface *interface, const char *parameter, const char *argument)
{
	text_printf(&interface->parameters, "%s%s", interface->parameters.size ? ", " : "", parameter);
	text_printf(&interface->arguments, "%s%s", interface->arguments.size ? ", " : "", argument);
}

static void add_array(struct codegen *cg, struct interface *interface, const struct var *var, bool is_written)
{
	bool is_matrix = var->is_native && var->rank > 1;
	struct text text = { 0 };

	if (!is_written && (!is_matrix || var->is_const))
		text_append(&text, "const ");
	text_printf(&text, var->is_rows ? "%s *const *restrict %s" : is_matrix ? "%s (*restrict %s)" : "%s *restrict %s",
		    var_c_type(var), codegen_name(cg, var));
	for (int d = 1; d < var->rank && is_matrix && !var->is_rows; d++) {
		text_append_char(&text, '[');
		expr_write(cg, &text, var->extent[d], 0);
		text_append_char(&text, ']');
	}
	add_parameter(interface, text_string(&text), var->source);
	text_free(&text);
}

static void add_arrays(struct codegen *cg, struct interface *interface)
{
	for (int i = 0; i < cg->nest->n_var; i++) {
		const struct var *var = cg->nest->var[i];
		struct use use = find_use(cg, var);

		if (var->kind == VAR_ARRAY && use.is_used)
			add_array(cg, interface, var, use.is_written);
	}
}

/* Whether the type of an array parameter mentions "var", which must then come before it. */
static bool sizes_rows(const struct nest *nest, const struct var *var)
{
	for (int i = 0; i < nest->n_var; i++)
		for (int d = 1; d < nest->var[i]->rank; d++)
			if (nest->var[i]->kind == VAR_ARRAY && nest->var[i]->is_native && !nest->var[i]->is_rows &&
			    expr_uses(nest->var[i]->extent[d], var))
				return true;
	return false;
}

static void add_params(struct codegen *cg, struct interface *interface, bool are_rows)
{
	for (int i = 0; i < cg->nest->n_var; i++) {
		const struct var *var = cg->nest->var[i];

		if (var->kind == VAR_PARAM && find_use(cg, var).is_used && sizes_rows(cg->nest, var) == are_rows)
			add_parameter(interface, arena_printf(cg->arena, "%s %s", var_c_type(var), codegen_name(cg, var)),
				      var->source);
	}
}

/* A scalar that the region writes: passed by value when its value at entry matters, and handed back when its value at
 * exit does. Append the lines that open and close the helper for it. */
static void add_scalar(struct codegen *cg, struct interface *interface, const struct var *var, struct text *opening,
		       struct text *closing)
{
	struct use use = find_use(cg, var);
	const char *name = codegen_name(cg, var), *type = var_c_type(var), *out;
	bool is_in = var->is_read || (var->is_live_out && !use.is_set_first);

	if (!use.is_used)
		return;
	if (var->is_live_out && interface->returned != var) {
		out = codegen_fresh_name(cg, arena_printf(cg->arena, "%s_out", var->name));
		add_parameter(interface, arena_printf(cg->arena, "%s *restrict %s", type, out),
			      arena_printf(cg->arena, "&%s", var->source));
		text_printf(opening, "%s%s %s%s%s;\n", cg->unit, type, name, is_in ? " = *" : "", is_in ? out : "");
		text_printf(closing, "%s*%s = %s;\n", cg->unit, out, name);
	} else if (is_in) {
		add_parameter(interface, arena_printf(cg->arena, "%s %s", type, name), var->source);
	} else {
		text_printf(opening, "%s%s %s;\n", cg->unit, type, name);
	}
}

/* ---- scratch memory ---- */

static void heap_write(struct codegen *cg, struct text *opening, struct text *closing)
{
	struct text test = { 0 }, undo = { 0 };

	for (int i = 0; i < cg->nest->n_var; i++) {
		const struct var *var = cg->nest->var[i];
		const char *name;

		if (var->kind != VAR_LOCAL || !find_use(cg, var).is_used || !local_is_on_heap(cg, var))
			continue;
		name = codegen_name(cg, var);
		text_printf(opening, var->rank > 1 ? "%s%s (*const %s)" : "%s%s *const %s", cg->unit, type_c_name(var->type),
			    name);
		for (int d = 1; d < var->rank; d++)
			text_printf(opening, "[%lld]", (long long)var->extent[d]->integer);
		text_printf(opening, " = __builtin_malloc(%lld * sizeof(*%s));\n", (long long)var->extent[0]->integer, name);
		text_printf(&test, "%s!%s", test.size ? " || " : "", name);
		text_printf(&undo, "%s%s__builtin_free(%s);\n", cg->unit, cg->unit, name);
		text_printf(closing, "%s__builtin_free(%s);\n", cg->unit, name);
	}
	if (test.size)
		text_printf(opening, "%sif (%s) {\n%s%s%sreturn 0;\n%s}\n", cg->unit, text_string(&test),
			    strstr(text_string(&test), " || ") ? text_string(&undo) : "", cg->unit, cg->unit, cg->unit);
	text_free(&test);
	text_free(&undo);
}

/* Locals that no statement declares stand at the top. */
static void locals_write(struct codegen *cg, struct text *opening)
{
	for (int i = 0; i < cg->nest->n_var; i++) {
		const struct var *var = cg->nest->var[i];
		struct use use = find_use(cg, var);

		if (var->kind != VAR_LOCAL || !use.is_used || use.is_declared || local_is_on_heap(cg, var))
			continue;
		text_append(opening, cg->unit);
		local_write(cg, opening, var);
		text_append(opening, ";\n");
	}
}

/* ---- the helper ---- */

static const struct var *find_returned(struct codegen *cg, bool has_heap)
{
	const struct var *returned = NULL;

	for (int i = 0; i < cg->nest->n_var && !has_heap; i++) {
		const struct var *var = cg->nest->var[i];

		if (var->kind != VAR_SCALAR || !var->is_live_out || !find_use(cg, var).is_used)
			continue;
		if (returned)
			return NULL;
		returned = var;
	}
	return returned;
}

static bool has_heap_local(const struct codegen *cg)
{
	for (int i = 0; i < cg->nest->n_var; i++)
		if (cg->nest->var[i]->kind == VAR_LOCAL && local_is_on_heap(cg, cg->nest->var[i]) &&
		    find_use(cg, cg->nest->var[i]).is_used)
			return true;
	return false;
}

/* The columns that "text" fills, a tab counting 8. */
static size_t columns(const char *text, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < size; i++)
		n += text[i] == '\t' ? 8 : 1;
	return n;
}

static void break_line(struct text *text, const char *indent, size_t *column)
{
	while (text->size && text->bytes[text->size - 1] == ' ')
		text->bytes[--text->size] = '\0';
	text_printf(text, "\n%s", indent);
	*column = columns(indent, strlen(indent));
}

/* Append the "size" bytes of "list", broken after separators so that lines stay narrow; items that are too long for a line
 * also after "||". */
static void items_write(struct text *text, const char *list, size_t size, const char *separator, const char *indent,
			size_t *column)
{
	const size_t first = columns(indent, strlen(indent));

	for (const char *stop = list + size; list < stop;) {
		const char *end = memmem(list, (size_t)(stop - list), separator, strlen(separator));
		size_t item = end ? (size_t)(end - list) + strlen(separator) : (size_t)(stop - list);

		if (*column + item > CODEGEN_WIDTH && *column > first)
			break_line(text, indent, column);
		if (*column + item > CODEGEN_WIDTH && strcmp(separator, " || ") != 0) {
			items_write(text, list, item, " || ", indent, column);
		} else {
			text_append_bytes(text, list, item);
			*column += item;
		}
		list += item;
	}
}

void wrapped_write(struct text *text, size_t column, const char *head, const char *list, const char *separator, const char *indent)
{
	column += columns(head, strlen(head));

	text_append(text, head);
	items_write(text, list, strlen(list), separator, indent, &column);
}

static void functions_write(struct codegen *cg, struct text *text)
{
	static const struct {
		enum op op;
		const char *body;
	} functions[] = {
		{ OP_MIN, "a < b ? a : b" },
		{ OP_MAX, "a > b ? a : b" },
		{ OP_FLOORDIV, "a >= 0 ? a / b : -((b - 1 - a) / b)" },
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (cg->uses_function[functions[i].op])
			text_printf(text, "static inline long %s(long a, long b)\n{\n%sreturn %s;\n}\n\n",
				    codegen_function(cg, functions[i].op), cg->unit, functions[i].body);
}

/* The distinct iterators of a nest, in text order. */
struct iterators {
	int n;
	const char *name[8];
};

static bool add_iterator(struct node *node, void *context)
{
	struct iterators *iterators = context;

	if (node->kind != NODE_LOOP || iterators->n == 8)
		return true;
	for (int i = 0; i < iterators->n; i++)
		if (strcmp(iterators->name[i], node->iter->name) == 0)
			return true;
	iterators->name[iterators->n++] = node->iter->name;
	return true;
}

/* One sentence above the helper: what it stands for. */
static void comment_write(struct codegen *cg, const struct nest *original, struct text *text)
{
	struct iterators iterators = { 0 };
	struct text line = { 0 };
	int n_array = 0;

	list_walk(&original->body, add_iterator, &iterators);
	for (int i = 0; i < original->n_var; i++)
		n_array += original->var[i]->kind == VAR_ARRAY;
	text_printf(&line, "The loop%s over ", iterators.n > 1 ? "s" : "");
	for (int i = 0; i < iterators.n; i++)
		text_printf(&line, "%s%s", i == 0 ? "" : i + 1 < iterators.n ? ", " : " and ", iterators.name[i]);
	text_printf(&line, " of %s()%s. */\n", cg->site->function, n_array > 1 ? ", for arrays that do not overlap" : "");
	wrapped_write(text, 0, "/* ", text_string(&line), " ", " * ");
	text_free(&line);
}

/* NOTE: never inlined: gcc merges loads of helper and original, and what "restrict" promises would hold for both. */
static void helper_write(struct codegen *cg, const struct nest *original, struct interface *interface, const struct guard *guard,
			 const char *name, struct text *text)
{
	struct text opening = { 0 }, closing = { 0 };
	const char *type = interface->returned ? var_c_type(interface->returned) : interface->returns_success ? "int" : "void";

	add_params(cg, interface, true);
	add_arrays(cg, interface);
	add_params(cg, interface, false);
	for (int i = 0; i < cg->nest->n_var; i++)
		if (cg->nest->var[i]->kind == VAR_SCALAR)
			add_scalar(cg, interface, cg->nest->var[i], &opening, &closing);
	locals_write(cg, &opening);
	heap_write(cg, &opening, &closing);
	cg->depth = 1;
	list_write(cg, &cg->nest->body);
	codegen_vector_types(cg, text);
	if (text->size)
		text_append_char(text, '\n');
	functions_write(cg, text);
	math_functions_write(cg, text);
	text_append(text, guard->functions ? guard->functions : "");
	comment_write(cg, original, text);
	wrapped_write(text, 0, arena_printf(cg->arena, "static __attribute__((noinline%s)) %s %s(",
					 cg->site->in_header ? ", unused" : "", type, name),
		      interface->parameters.size ? text_string(&interface->parameters) : "void", ", ",
		      arena_printf(cg->arena, "%s%s", cg->unit, cg->unit));
	text_printf(text, ")\n{\n%s%s%s", text_string(&opening), text_string(&cg->out), text_string(&closing));
	if (interface->returned)
		text_printf(text, "%sreturn %s;\n", cg->unit, codegen_name(cg, interface->returned));
	else if (interface->returns_success)
		text_printf(text, "%sreturn 1;\n", cg->unit);
	text_append(text, "}\n\n");
	text_free(&opening);
	text_free(&closing);
}

/* ---- the body ---- */

static void call_write(struct codegen *cg, const struct interface *interface, const char *name, struct text *text)
{
	const struct var *returned = interface->returned;
	const char *assignment = returned ? arena_printf(cg->arena, "%s = ", returned->source) : "";

	wrapped_write(text, columns(cg->site->indent, strlen(cg->site->indent)) + columns(cg->unit, strlen(cg->unit)),
		      arena_printf(cg->arena, "%s%s(", assignment, name), text_string(&interface->arguments), ", ",
		      arena_printf(cg->arena, "%s%s%s", cg->site->indent, cg->unit, cg->unit));
	text_append_char(text, ')');
}

/* Take off the parentheses around a lone condition. */
static void strip_parentheses(struct text *condition)
{
	size_t size = condition->size;

	if (size > 2 && condition->bytes[0] == '(' && condition->bytes[size - 1] == ')' &&
	    strstr(condition->bytes, " || ")) {
		memmove(condition->bytes, condition->bytes + 1, size - 2);
		condition->size = size - 2;
		condition->bytes[size - 2] = '\0';
	}
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether "text" uses "name" and surely does not declare it: no type or comma stands before it. */
static bool uses_from_outside(const char *text, const char *name)
{
	size_t size = strlen(name);
	bool is_used = false;

	for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
		const char *before = at;

		if ((at > text && is_word(at[-1])) || is_word(at[size]))
			continue;
		while (before > text && strchr(" \t\n", before[-1]))
			before--;
		if (before > text && (before[-1] == ',' || (before < at && is_word(before[-1]))))
			return false;
		is_used = true;
	}
	return is_used;
}

/* What the original alone used is now unused, which compilers would warn of: mention it. */
static void mentions_write(struct codegen *cg, const struct nest *original, struct text *text)
{
	for (int i = 0; i < original->n_var; i++) {
		const struct var *var = original->var[i];
		bool is_private = var->kind == VAR_ITER || (var->kind == VAR_SCALAR && !var->is_read && !var->is_live_out);

		if (is_private && uses_from_outside(cg->site->original, var->name))
			text_printf(text, ", (void)%s", var->name);
	}
}

/* The region's text one level deeper, but for what continues a line or is for the preprocessor. */
static void original_write(struct codegen *cg, struct text *text)
{
	bool is_continued = false;

	text_append(text, cg->site->indent);
	for (const char *at = cg->site->original; *at;) {
		size_t size = strcspn(at, "\n"), blank = strspn(at, " \t\r");

		if (!is_continued && at[blank] != '#' && blank < size)
			text_append(text, cg->unit);
		is_continued = size > 0 && (at[size - 1] == '\\' || (size > 1 && at[size - 1] == '\r' && at[size - 2] == '\\'));
		size += at[size] == '\n';
		text_append_bytes(text, at, size);
		at += size;
	}
}

static void body_write(struct codegen *cg, const struct nest *original, const struct interface *interface,
		       const struct guard *guard, const char *name, struct text *text)
{
	const char *indent = cg->site->indent;
	struct text condition = { 0 };
	struct text call = { 0 };

	call_write(cg, interface, name, &call);
	for (int i = 0; i < guard->n; i++)
		text_printf(&condition, "%s%s", i ? " && " : "", guard->condition[i]);
	if (guard->n == 1 && !interface->returns_success)
		strip_parentheses(&condition);
	if (interface->returns_success)
		text_printf(&condition, "%s%s", guard->n ? " && " : "", text_string(&call));
	if (!condition.size) {
		text_append(text, text_string(&call));
		mentions_write(cg, original, text);
		text_append_char(text, ';');
	} else {
		wrapped_write(text, columns(indent, strlen(indent)), "if (", text_string(&condition), " && ",
			      arena_printf(cg->arena, "%s%s%s", indent, cg->unit, cg->unit));
		text_append(text, ") {\n");
		if (!interface->returns_success)
			text_printf(text, "%s%s%s;\n", indent, cg->unit, text_string(&call));
		text_printf(text, "%s} else {\n", indent);
		original_write(cg, text);
		text_printf(text, "\n%s}", indent);
	}
	text_free(&condition);
	text_free(&call);
}

/* One level of indentation as the region's text has it: how much further in its first deeper line stands. */
static const char *indentation_unit(struct arena *arena, const struct site *site)
{
	size_t outer = strlen(site->indent);

	if (strchr(site->indent, '\t'))
		return "\t";
	for (const char *at = strchr(site->original, '\n'); at; at = strchr(at, '\n')) {
		size_t n = strspn(++at, " \t");

		if (at[n] && at[n] != '\n' && at[n] != '\r' && n > outer && n <= outer + 8 &&
		    strncmp(at, site->indent, outer) == 0)
			return arena_strndup(arena, at + outer, n - outer);
	}
	return outer > 0 && outer <= 8 ? site->indent : "    ";
}

static void lower(struct codegen *cg, struct guard *guard)
{
	struct list *body = &cg->nest->body;
	struct expr *condition;

	for (int i = 0; i < body->n; i++)
		body->node[i] = node_copy_deep(cg->arena, body->node[i]);
	condition = lower_back(cg);
	if (condition)
		guard_add(cg, guard, condition);
	lower_copies(cg);
	lower_tiles(cg);
	lower_loops(cg);
	lower_registers(cg);
}

/* The names of the user's own variables come first, so that inventions keep clear of them. */
static void claim_names(struct codegen *cg)
{
	for (int i = 0; i < cg->nest->n_var; i++)
		if (!strchr(cg->nest->var[i]->name, '.'))
			codegen_name(cg, cg->nest->var[i]);
}

static bool has_parallel_heap(const struct codegen *cg)
{
	return cg->target->has_openmp && has_heap_local(cg);
}

static bool drop_parallel(struct node *node, void *context)
{
	(void)context;
	node->marks.parallel = false;
	return true;
}

enum status codegen_c(struct arena *arena, const struct nest *original, const struct nest *rewritten,
		      const struct site *site, const struct target *target, struct variant *variant, struct diag *why)
{
	struct nest nest = *nest_copy(rewritten);
	struct codegen cg = { .arena = arena, .site = site, .target = target, .nest = &nest, .gather = -1, .why = why };
	const char *name = arena_printf(arena, "%s_strop%d", site->function, site->number);
	struct interface interface = { 0 };
	struct text helpers = { 0 }, body = { 0 };
	struct guard guard = { 0 };
	enum status status;

	nest.arena = arena;
	cg.unit = indentation_unit(arena, site);
	claim_names(&cg);
	status = guard_make(&cg, original, &guard);
	if (status == STATUS_OK) {
		lower(&cg, &guard);
		if (has_parallel_heap(&cg))
			list_walk(&nest.body, drop_parallel, NULL);
		interface.returns_success = has_heap_local(&cg);
		interface.returned = find_returned(&cg, interface.returns_success);
		helper_write(&cg, original, &interface, &guard, name, &helpers);
		body_write(&cg, original, &interface, &guard, name, &body);
		variant->helpers = arena_strdup(arena, text_string(&helpers));
		variant->body = arena_strdup(arena, text_string(&body));
	}
	text_free(&cg.out);
	text_free(&helpers);
	text_free(&body);
	text_free(&interface.parameters);
	text_free(&interface.arguments);
	return status;
}
