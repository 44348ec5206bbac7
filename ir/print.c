#include "nest.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "spell.h"

static void print(const struct expr *expr, int around, enum type expected, struct text *text);

/* The type that a literal "child" of an operator takes from "sibling" when it is written without one. */
static enum type literal_type(const struct expr *sibling)
{
	return sibling->kind != EXPR_INT && type_is_integer(sibling->type) ? sibling->type : TYPE_I32;
}

static void print_int(const struct expr *expr, enum type expected, struct text *text)
{
	if (expr->type == TYPE_U64)
		text_printf(text, "%" PRIu64, (uint64_t)expr->integer);
	else
		text_printf(text, "%" PRId64, expr->integer);
	if (expr->type != expected || (expr->type == TYPE_U64 && expr->integer < 0))
		text_append(text, type_name(expr->type));
}

static void print_args(const struct expr *expr, const char *open, const char *close, struct text *text)
{
	text_append(text, open);
	for (int i = 0; i < expr->n; i++) {
		text_append(text, i ? ", " : "");
		print(expr->arg[i], 0, TYPE_I32, text);
	}
	text_append(text, close);
}

static void print_ref(const struct expr *expr, struct text *text)
{
	text_append(text, expr->var->name);
	if (expr->n == 0)
		return;
	text_append_char(text, '[');
	for (int i = 0; i < expr->n; i++) {
		text_append(text, i ? "," : "");
		print(expr->arg[i], 0, TYPE_I32, text);
	}
	text_append_char(text, ']');
}

/* A literal that begins with a minus sign. */
static bool is_negative(const struct expr *expr)
{
	if (expr->kind == EXPR_INT)
		return expr->integer < 0 && expr->type != TYPE_U64;
	return expr->kind == EXPR_FLOAT && expr->name[0] == '-';
}

/* NOTE: -3 is a literal, so that the minus of a literal 3 needs the parentheses, and nothing else does: text as deep as the
 * parser allows must not come out deeper. */
static void print_unary(const struct expr *expr, struct text *text)
{
	const struct expr *arg = expr->arg[0];
	bool is_literal = arg->kind == EXPR_INT || arg->kind == EXPR_FLOAT;
	bool is_apart = is_literal && expr->op == OP_NEG && !is_negative(arg);

	text_append(text, op_sign(expr->op));
	text_append(text, is_apart ? "(" : "");
	print(arg, PRECEDENCE_UNARY, TYPE_I32, text);
	text_append(text, is_apart ? ")" : "");
}

static void print_binary(const struct expr *expr, int around, struct text *text)
{
	const struct expr *left = expr->arg[0], *right = expr->arg[1];
	bool is_typed = !op_is_logic(expr->op) && !op_is_shift(expr->op);
	enum type left_type = is_typed ? literal_type(right) : TYPE_I32;
	enum type right_type = is_typed ? literal_type(left) : TYPE_I32;
	int precedence = op_precedence(expr->op);

	if (op_is_function(expr->op)) {
		text_printf(text, "%s(", op_sign(expr->op));
		print(left, 0, left_type, text);
		text_append(text, ", ");
		print(right, 0, right_type, text);
		text_append(text, ")");
		return;
	}
	text_append(text, precedence < around ? "(" : "");
	print(left, precedence, left_type, text);
	text_printf(text, " %s ", op_sign(expr->op));
	print(right, precedence + 1, right_type, text);
	text_append(text, precedence < around ? ")" : "");
}

static void print_select(const struct expr *expr, int around, struct text *text)
{
	text_append(text, around > PRECEDENCE_SELECT ? "(" : "");
	print(expr->arg[0], PRECEDENCE_SELECT + 1, TYPE_I32, text);
	text_append(text, " ? ");
	print(expr->arg[1], PRECEDENCE_SELECT, literal_type(expr->arg[2]), text);
	text_append(text, " : ");
	print(expr->arg[2], PRECEDENCE_SELECT, literal_type(expr->arg[1]), text);
	text_append(text, around > PRECEDENCE_SELECT ? ")" : "");
}

static void print_call(const struct expr *expr, struct text *text)
{
	if (expr->type != call_type(expr->name))
		text_printf(text, "%s:", type_name(expr->type));
	text_append(text, expr->name);
	print_args(expr, "(", ")", text);
}

/* Print "expr" within an operator of precedence "around"; a literal of type "expected" needs no suffix. */
static void print(const struct expr *expr, int around, enum type expected, struct text *text)
{
	switch (expr->kind) {
	case EXPR_INT:
		print_int(expr, expected, text);
		break;
	case EXPR_FLOAT:
		text_append(text, expr->name);
		break;
	case EXPR_REF:
		print_ref(expr, text);
		break;
	case EXPR_OP:
		if (expr->n == 1)
			print_unary(expr, text);
		else
			print_binary(expr, around, text);
		break;
	case EXPR_SELECT:
		print_select(expr, around, text);
		break;
	case EXPR_CAST:
		text_append(text, type_name(expr->type));
		print_args(expr, "(", ")", text);
		break;
	case EXPR_CALL:
		print_call(expr, text);
		break;
	}
}

void expr_print(const struct expr *expr, struct text *text)
{
	print(expr, 0, TYPE_I32, text);
}

static void print_extents(const struct var *var, struct text *text)
{
	if (var->rank == 0)
		return;
	text_append_char(text, '[');
	for (int d = 0; d < var->rank; d++) {
		text_append(text, d ? "," : "");
		if (var->extent[d])
			expr_print(var->extent[d], text);
		else
			text_append(text, "?");
	}
	text_append_char(text, ']');
}

/* How the region uses an array or a scalar; "" for what is most common. */
static const char *usage(const struct var *var)
{
	if (var->kind == VAR_ARRAY)
		return var->is_written ? (var->is_read ? "" : " out") : (var->is_read ? " in" : " unused");
	if (var->kind == VAR_SCALAR)
		return var->is_live_out ? (var->is_read ? " inout" : " out") : (var->is_read ? " in" : " temp");
	return "";
}

static void print_arrays(const struct nest *nest, struct text *text)
{
	const char *comma = "";

	for (int i = 0; i < nest->n_var; i++) {
		const struct var *var = nest->var[i];

		if (var->kind != VAR_ARRAY)
			continue;
		text_printf(text, "%s%s %s", comma, type_name(var->type), var->name);
		print_extents(var, text);
		text_append(text, usage(var));
		comma = ", ";
	}
}

/* The variables of "kind", one group per type, the types in order of first appearance. */
static void print_scalars(const struct nest *nest, enum var_kind kind, struct text *text)
{
	bool is_done[TYPE_COUNT] = { false };

	for (int i = 0; i < nest->n_var; i++) {
		enum type type = nest->var[i]->type;
		const char *comma = "";

		if (nest->var[i]->kind != kind || is_done[type])
			continue;
		is_done[type] = true;
		text_printf(text, "; %s ", type_name(type));
		for (int j = i; j < nest->n_var; j++) {
			const struct var *var = nest->var[j];

			if (var->kind != kind || var->type != type)
				continue;
			text_printf(text, "%s%s%s", comma, var->name, usage(var));
			comma = ", ";
		}
	}
}

static void print_quoted(const char *string, struct text *text)
{
	text_append_char(text, '"');
	for (; *string; string++) {
		if (*string == '"' || *string == '\\')
			text_append_char(text, '\\');
		if (*string == '\n')
			text_append(text, "\\n");
		else
			text_append_char(text, *string);
	}
	text_append_char(text, '"');
}

static bool has_source(const struct var *var)
{
	return var->kind == VAR_PARAM || var->kind == VAR_SCALAR || var->kind == VAR_ARRAY;
}

/* The "where" line of a variable: what its declaration does not say, if anything. */
static void print_where(const struct var *var, struct text *text)
{
	const char *source = has_source(var) ? var->name : "";
	bool source_differs = strcmp(var->source ? var->source : "", source) != 0;
	bool type_differs = var->ctype && strcmp(var->ctype, type_c_name(var->type)) != 0;
	const char *comma = ": ";

	if (!source_differs && !type_differs && !var->is_native && !var->is_object && !var->is_const)
		return;
	text_printf(text, "  where %s", var->name);
	if (source_differs) {
		text_printf(text, "%ssource ", comma);
		print_quoted(var->source ? var->source : "", text);
		comma = ", ";
	}
	if (type_differs) {
		text_printf(text, "%sctype ", comma);
		print_quoted(var->ctype, text);
		comma = ", ";
	}
	if (var->is_native) {
		text_printf(text, "%s%s", comma, var->is_rows ? "rows" : "native");
		comma = ", ";
	}
	if (var->is_object) {
		text_printf(text, "%sobject", comma);
		comma = ", ";
	}
	if (var->is_const)
		text_printf(text, "%sconst", comma);
	text_append_char(text, '\n');
}

/* What the walk over a nest looks for: a variable's use, or its declaration. */
struct sought {
	const struct var *var;
	bool is_found;
};

static bool seek_in_expr(struct expr *expr, void *context)
{
	struct sought *sought = context;

	sought->is_found = sought->is_found || expr_uses(expr, sought->var);
	return !sought->is_found;
}

static bool seek_use(struct node *node, void *context)
{
	struct sought *sought = context;

	if (node->kind == NODE_LOOP && node->iter == sought->var)
		sought->is_found = true;
	return !sought->is_found && node_exprs(node, seek_in_expr, sought);
}

static bool seek_declaration(struct node *node, void *context)
{
	struct sought *sought = context;

	sought->is_found = node->kind == NODE_STMT && node->declares && node->target->var == sought->var;
	return !sought->is_found;
}

static bool finds(const struct nest *nest, const struct var *var, bool (*seek)(struct node *node, void *context))
{
	struct sought sought = { var, false };

	list_walk(&nest->body, seek, &sought);
	return sought.is_found;
}

/* Whether "var" is part of the printed nest: all but the locals and iterators that rewriting left unused. */
static bool is_printed(const struct nest *nest, const struct var *var)
{
	return has_source(var) || finds(nest, var, seek_use);
}

static void print_header(const struct nest *nest, struct text *text)
{
	static const enum var_kind kinds[] = { VAR_ARRAY, VAR_PARAM, VAR_SCALAR, VAR_LOCAL, VAR_ITER };

	text_append(text, "region ");
	if (name_is_valid(nest->name))
		text_append(text, nest->name);
	else
		print_quoted(nest->name, text);
	text_append_char(text, '(');
	print_arrays(nest, text);
	print_scalars(nest, VAR_PARAM, text);
	print_scalars(nest, VAR_SCALAR, text);
	text_append(text, ")\n");
	for (int i = 0; i < nest->n_var; i++) {
		const struct var *var = nest->var[i];

		if (var->kind != VAR_LOCAL || !is_printed(nest, var) || finds(nest, var, seek_declaration))
			continue;
		text_printf(text, "  local %s %s", type_name(var->type), var->name);
		print_extents(var, text);
		text_append_char(text, '\n');
	}
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		for (int i = 0; i < nest->n_var; i++)
			if (nest->var[i]->kind == kinds[k] && is_printed(nest, nest->var[i]))
				print_where(nest->var[i], text);
	for (int i = 0; i < nest->n_assumption; i++) {
		text_append(text, "  assume ");
		expr_print(nest->assumption[i], text);
		text_append_char(text, '\n');
	}
}

/* The loops around what is being printed, innermost first. */
struct around {
	const struct around *outer;
	const struct node *loop;
	int depth;
};

static bool is_identity(const struct node *node, const struct around *around)
{
	int depth = around ? around->depth : 0;

	if (!node->origin || node->n_origin != depth)
		return false;
	for (; around; around = around->outer) {
		const struct expr *origin = node->origin[around->depth - 1];

		if (origin->kind != EXPR_REF || origin->var != around->loop->iter)
			return false;
	}
	return true;
}

static void print_label(const struct node *node, const struct around *around, struct text *text)
{
	bool is_plain = is_identity(node, around);

	if (node->label < 0 && is_plain)
		return;
	text_append_char(text, 'S');
	if (node->label >= 0)
		text_printf(text, "%d", node->label);
	if (!node->origin) {
		text_append(text, "[-]");
	} else if (!is_plain) {
		text_append_char(text, '[');
		for (int i = 0; i < node->n_origin; i++) {
			text_append(text, i ? ", " : "");
			expr_print(node->origin[i], text);
		}
		text_append_char(text, ']');
	}
	text_append(text, ": ");
}

static void print_stmt(const struct node *node, const struct around *around, struct text *text)
{
	enum type type = node->target->type;
	enum type expected = type_is_integer(type) && !op_is_shift(node->op) ? type : TYPE_I32;

	print_label(node, around, text);
	if (node->declares) {
		text_printf(text, "let %s: %s", node->target->var->name, type_name(type));
		print_extents(node->target->var, text);
	} else {
		expr_print(node->target, text);
	}
	if (node->value) {
		text_printf(text, " %s= ", op_sign(node->op));
		print(node->value, 0, expected, text);
	}
	text_append_char(text, '\n');
}

static void print_loop(const struct node *node, struct text *text)
{
	const struct loop_marks *marks = &node->marks;

	text_printf(text, "for %s", node->iter->name);
	if (node->iter->type != TYPE_I32)
		text_printf(text, ": %s", type_name(node->iter->type));
	text_append(text, " in ");
	print(node->lo, 0, node->iter->type, text);
	text_append(text, "..");
	print(node->hi, 0, node->iter->type, text);
	if (node->step != 1)
		text_printf(text, " step %" PRId64, node->step);
	if (marks->vector)
		text_printf(text, " vector(%d)", marks->vector);
	text_append(text, marks->staged ? " staged" : "");
	if (marks->unroll == UNROLL_FULL)
		text_append(text, " unroll(full)");
	else if (marks->unroll)
		text_printf(text, " unroll(%d)", marks->unroll);
	text_append(text, marks->parallel ? " parallel" : "");
	if (marks->edge)
		text_printf(text, " edge(%s)", edge_word(marks->edge));
	text_append_char(text, '\n');
}

static void print_list(const struct list *list, int depth, const struct around *around, struct text *text);

static void print_node(const struct node *node, int depth, const struct around *around, struct text *text)
{
	const struct around inner = { around, node, around ? around->depth + 1 : 1 };

	text_repeat(text, "  ", depth);
	switch (node->kind) {
	case NODE_LOOP:
		print_loop(node, text);
		print_list(&node->body, depth + 1, &inner, text);
		break;
	case NODE_IF:
		text_append(text, "if ");
		expr_print(node->cond, text);
		text_append_char(text, '\n');
		print_list(&node->body, depth + 1, around, text);
		if (node->orelse.n == 0)
			break;
		text_repeat(text, "  ", depth);
		text_append(text, "else\n");
		print_list(&node->orelse, depth + 1, around, text);
		break;
	case NODE_STMT:
		print_stmt(node, around, text);
		break;
	}
}

static void print_list(const struct list *list, int depth, const struct around *around, struct text *text)
{
	for (int i = 0; i < list->n; i++)
		print_node(list->node[i], depth, around, text);
}

void nest_print(const struct nest *nest, struct text *text)
{
	print_header(nest, text);
	print_list(&nest->body, 0, NULL, text);
}
