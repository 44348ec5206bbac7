#include "codegen_internal.h"

#include <string.h>

/* Guards of arrays that are tables of pointers to rows. Their rows may lie anywhere, so that only a look at all pointers tells whether they
 * overlap; a function of its own, written before the helper, takes it. It may read just the pointers that the nest reads. */

/* ---- which pointers may be read ---- */

enum { LOOPS_MAX = 32 };

/* A walk to an access of "array" that surely happens, in the row behind which there is no other: "loop" are those around. */
struct witness {
	struct codegen *cg;
	const struct var *array;
	int depth;
	const struct node *loop[LOOPS_MAX];
	struct expr *condition[LOOPS_MAX];
	int n_condition;
	bool is_found;
};

static bool is_over_params(struct expr *expr, void *context)
{
	(void)context;
	return expr->kind != EXPR_REF || (expr->n == 0 && expr->var->kind == VAR_PARAM);
}

/* "expr" where the loops from the outermost to "depth" stand at the iteration "at". */
static struct expr *settle(const struct witness *witness, struct expr *expr, struct expr **at, int depth)
{
	for (int d = depth - 1; d >= 0; d--)
		expr = expr_replace(witness->cg->arena, expr, witness->loop[d]->iter, expr_cast(witness->cg->arena, witness->loop[d]->iter->type, at[d]));
	return expr_simplify(witness->cg->arena, expr);
}

/* Whether the access with first subscript "row" happens in the last row of all when each loop around has an iteration. Loops that move
 * the row forwards stand at their last iteration then, others at their first. */
static bool reaches_last_row(struct witness *witness, struct expr *row)
{
	struct arena *arena = witness->cg->arena;
	const struct linear form = linear_from(arena, row);
	struct expr *at[LOOPS_MAX], *behind;
	int64_t difference;

	witness->n_condition = 0;
	for (int d = 0; d < witness->depth; d++) {
		const struct node *loop = witness->loop[d];
		struct expr *lo = settle(witness, loop->lo, at, d), *hi = settle(witness, loop->hi, at, d);
		bool is_linear = true;
		const int64_t factor = linear_factor(&form, loop->iter, &is_linear);

		if (!form.is_valid || !is_linear || (factor > 0 && loop->step != 1) || !expr_walk(lo, is_over_params, NULL) ||
		    !expr_walk(hi, is_over_params, NULL))
			return false;
		at[d] = factor > 0 ? expr_binary(arena, OP_SUB, hi, expr_int(arena, 1, hi->type)) : lo;
		witness->condition[witness->n_condition++] = expr_binary(arena, OP_GT, hi, lo);
	}
	behind = expr_binary(arena, OP_ADD, expr_cast(arena, TYPE_I64, settle(witness, row, at, witness->depth)), expr_int(arena, 1, TYPE_I64));
	return expr_difference(arena, behind, expr_cast(arena, TYPE_I64, witness->array->extent[0]), &difference) && difference == 0;
}

/* Look for the access in what is always evaluated of "expr". */
static void seek_in_expr(struct witness *witness, struct expr *expr)
{
	const bool is_partial = expr->kind == EXPR_SELECT || (expr->kind == EXPR_OP && (expr->op == OP_LAND || expr->op == OP_LOR));

	if (!witness->is_found && expr->kind == EXPR_REF && expr->var == witness->array)
		witness->is_found = reaches_last_row(witness, expr->arg[0]);
	for (int i = 0; i < (is_partial ? 1 : expr->n) && !witness->is_found; i++)
		seek_in_expr(witness, expr->arg[i]);
}

static void seek_in_list(struct witness *witness, const struct list *list)
{
	for (int i = 0; i < list->n && !witness->is_found; i++) {
		const struct node *node = list->node[i];

		if (node->kind == NODE_STMT) {
			seek_in_expr(witness, node->target);
			if (node->value && !witness->is_found)
				seek_in_expr(witness, node->value);
		} else if (node->kind == NODE_IF) {
			seek_in_expr(witness, node->cond);
		} else if (witness->depth < LOOPS_MAX) {
			witness->loop[witness->depth++] = node;
			seek_in_list(witness, &node->body);
			witness->depth--;
		}
	}
}

/* Let the guard see to it that the nest uses all pointers of "rows". */
static enum status add_witness(struct codegen *cg, struct guard *guard, const struct nest *nest, const struct var *rows)
{
	struct witness witness = { .cg = cg, .array = rows };

	seek_in_list(&witness, &nest->body);
	if (!witness.is_found)
		return diag_set(cg->why, EXIT_INPUT, "cannot tell that all pointers of %s are used, so not whether its rows overlap others",
				rows->name);
	for (int i = 0; i < witness.n_condition; i++)
		guard_add(cg, guard, witness.condition[i]);
	return STATUS_OK;
}

/* ---- where the rows lie ---- */

/* The function that tells whether all is apart, as it grows. */
struct look {
	struct codegen *cg;
	struct guard *guard;
	const struct nest *nest;
	const struct var **var;
	int n_var;
	struct text parameters, arguments, spans, conditions;
};

static void add_var(struct look *look, const struct var *var, const char *format)
{
	const char *const separator = look->n_var ? ", " : "";

	for (int i = 0; i < look->n_var; i++)
		if (look->var[i] == var)
			return;
	look->var[look->n_var++] = var;
	text_printf(&look->parameters, "%s%s", separator, var->is_const ? "const " : "");
	text_printf(&look->parameters, format, var_c_type(var), codegen_name(look->cg, var));
	text_printf(&look->arguments, "%s%s", separator, var->source);
}

static bool add_param(struct expr *expr, void *context)
{
	if (expr->kind == EXPR_REF && expr->var->kind == VAR_PARAM)
		add_var(context, expr->var, "%s %s");
	return true;
}

static const char *text_of(struct look *look, struct expr *expr)
{
	struct text text = { 0 };
	const char *result;

	expr_walk(expr, add_param, look);
	index_write(look->cg, &text, expr, 0);
	result = arena_strdup(look->cg->arena, text_string(&text));
	text_free(&text);
	return result;
}

/* The name of the function that looks at rows of the type of "rows". */
static const char *span_name(const struct look *look, const struct var *rows)
{
	return arena_printf(look->cg->arena, "%s_span%d_%s", look->cg->site->function, look->cg->site->number, type_name(rows->type));
}

/* Note that the function takes a table, and looks at its rows. */
static void add_table(struct look *look, const struct var *rows)
{
	struct codegen *cg = look->cg;
	const int n_var = look->n_var;
	const char *const name = codegen_name(cg, rows);

	add_var(look, rows, "%s *const *%s");
	if (look->n_var == n_var)
		return;
	text_printf(&look->spans, "%sconst struct %s_rows%d of_%s = %s(%s%s, ", cg->unit, cg->site->function, cg->site->number, name,
		    span_name(look, rows), rows->is_const ? "" : arena_printf(cg->arena, "(const %s *const *)", var_c_type(rows)), name);
	text_printf(&look->spans, "%s, ", text_of(look, rows->extent[0]));
	text_printf(&look->spans, "%s);\n", text_of(look, rows->extent[1]));
}

/* The ends of the memory that an array takes up, as C text within the function. */
static enum status find_ends(struct look *look, const struct var *array, const char **lo, const char **hi)
{
	struct codegen *cg = look->cg;
	struct expr *first, *behind;

	if (array->is_rows) {
		add_table(look, array);
		*lo = arena_printf(cg->arena, "of_%s.lo", codegen_name(cg, array));
		*hi = arena_printf(cg->arena, "of_%s.hi", codegen_name(cg, array));
		return STATUS_OK;
	}
	if (guard_find_range(cg, look->guard, look->nest, array, &first, &behind) != STATUS_OK)
		return STATUS_FAILED;
	add_var(look, array, "%s *%s");
	expr_walk(first, add_param, look);
	expr_walk(behind, add_param, look);
	*lo = guard_pointer(cg, array, first, true);
	*hi = guard_pointer(cg, array, behind, true);
	return STATUS_OK;
}

static void add_condition(struct look *look, const char *condition)
{
	text_printf(&look->conditions, "%s%s", look->conditions.size ? " && " : "", condition);
}

static enum status add_pair(struct look *look, const struct var *a, const struct var *b)
{
	const char *lo, *hi, *other_lo, *other_hi;

	if (find_ends(look, a, &lo, &hi) != STATUS_OK || find_ends(look, b, &other_lo, &other_hi) != STATUS_OK)
		return STATUS_FAILED;
	add_condition(look, arena_printf(look->cg->arena, "(%s <= %s || %s <= %s)", hi, other_lo, other_hi, lo));
	return STATUS_OK;
}

/* Bytes may overwrite anything in C, pointers too: an array of them that is written must lie apart from the tables. */
static enum status add_bytes(struct look *look, const struct var *bytes, const struct var *table)
{
	struct codegen *cg = look->cg;
	const char *lo, *hi, *name = codegen_name(cg, table);

	if (find_ends(look, bytes, &lo, &hi) != STATUS_OK)
		return STATUS_FAILED;
	add_table(look, table);
	add_condition(look, arena_printf(cg->arena, "(%s <= (const char *)%s || (const char *)(%s + %s) <= %s)", hi, name, name,
					 text_of(look, table->extent[0]), lo));
	return STATUS_OK;
}

static enum status add_all(struct look *look)
{
	const struct nest *nest = look->nest;

	for (int i = 0; i < nest->n_var; i++) {
		const struct var *a = nest->var[i];

		if (a->kind != VAR_ARRAY)
			continue;
		if (a->is_rows && a->is_written) {
			add_table(look, a);
			add_condition(look, arena_printf(look->cg->arena, "of_%s.are_apart", codegen_name(look->cg, a)));
		}
		for (int j = 0; j < nest->n_var; j++) {
			const struct var *b = nest->var[j];
			const bool is_pair = b->kind == VAR_ARRAY && (a->is_rows || b->is_rows) && j > i;

			if (is_pair && (a->is_written || b->is_written) && add_pair(look, a, b) != STATUS_OK)
				return STATUS_FAILED;
			if (b->is_rows && a->is_written && type_size(a->type) == 1 && add_bytes(look, a, b) != STATUS_OK)
				return STATUS_FAILED;
		}
	}
	return STATUS_OK;
}

/* Append "body" with its tabs as the source indents. */
static void indented_write(struct codegen *cg, struct text *text, const char *body)
{
	for (; *body; body++) {
		if (*body == '\t')
			text_append(text, cg->unit);
		else
			text_append_char(text, *body);
	}
}

static void span_write(const struct look *look, const struct var *rows, struct text *text)
{
	const struct site *site = look->cg->site;
	const char *const type = arena_printf(look->cg->arena, "struct %s_rows%d", site->function, site->number);

	indented_write(look->cg, text, arena_printf(look->cg->arena,
		"static %s %s(const %s *const *row, long n, long size)\n"
		"{\n"
		"\t%s rows = { (const char *)row[0], (const char *)(row[0] + size), 1 };\n"
		"\tint up = 1, down = 1;\n"
		"\n"
		"\tfor (long i = 1; i < n; i++) {\n"
		"\t\tconst char *lo = (const char *)row[i], *hi = (const char *)(row[i] + size);\n"
		"\n"
		"\t\tup &= (const char *)(row[i - 1] + size) <= lo;\n"
		"\t\tdown &= hi <= (const char *)row[i - 1];\n"
		"\t\trows.lo = lo < rows.lo ? lo : rows.lo;\n"
		"\t\trows.hi = hi > rows.hi ? hi : rows.hi;\n"
		"\t}\n"
		"\trows.are_apart = up || down;\n"
		"\treturn rows;\n"
		"}\n\n", type, span_name(look, rows), var_c_type(rows), type));
}

/* The struct and the functions that look at rows, one for each type of elements. */
static void spans_write(const struct look *look, struct text *text)
{
	const struct site *site = look->cg->site;
	bool is_written[TYPE_COUNT] = { false };

	indented_write(look->cg, text, arena_printf(look->cg->arena,
		"/* From where to where rows lie, and whether each lies behind the one before, or each before it. */\n"
		"struct %s_rows%d {\n\tconst char *lo, *hi;\n\tint are_apart;\n};\n\n", site->function, site->number));
	for (int i = 0; i < look->n_var; i++)
		if (look->var[i]->is_rows && !is_written[look->var[i]->type]) {
			is_written[look->var[i]->type] = true;
			span_write(look, look->var[i], text);
		}
}

static void look_write(struct look *look, const char *name)
{
	struct codegen *cg = look->cg;
	const char *const indent = arena_printf(cg->arena, "%s%s", cg->unit, cg->unit);
	struct text text = { 0 };

	spans_write(look, &text);
	text_append(&text, "/* Whether what is written overlaps nothing else. */\n");
	wrapped_write(&text, 0, arena_printf(cg->arena, "static int %s(", name), text_string(&look->parameters), ", ", indent);
	text_printf(&text, ")\n{\n%s\n", text_string(&look->spans));
	wrapped_write(&text, 0, arena_printf(cg->arena, "%sreturn ", cg->unit), text_string(&look->conditions), " && ", indent);
	text_append(&text, ";\n}\n\n");
	look->guard->functions = arena_strdup(cg->arena, text_string(&text));
	text_free(&text);
}

enum status guard_add_rows(struct codegen *cg, struct guard *guard, const struct nest *nest)
{
	struct look look = { .cg = cg, .guard = guard, .nest = nest, .var = ARENA_ARRAY(cg->arena, const struct var *, nest->n_var + 1) };
	const char *const name = arena_printf(cg->arena, "%s_apart%d", cg->site->function, cg->site->number);
	enum status status = add_all(&look);

	for (int i = 0; i < look.n_var && status == STATUS_OK; i++)
		if (look.var[i]->is_rows)
			status = add_witness(cg, guard, nest, look.var[i]);
	if (status == STATUS_OK && look.conditions.size) {
		look_write(&look, name);
		guard_add_text(cg, guard, arena_printf(cg->arena, "%s(%s)", name, text_string(&look.arguments)));
	}
	text_free(&look.parameters);
	text_free(&look.arguments);
	text_free(&look.spans);
	text_free(&look.conditions);
	return status;
}
