/* How many bytes of an array a region may touch, as a C expression for the recorder. */
#include "record_internal.h"

#include "ir/nest.h"

/* The loop of "nest" that counts "iter". */
struct search {
	const struct var *iter;
	const struct node *loop;
};

static bool is_other_loop(struct node *node, void *context)
{
	struct search *const search = context;

	if (node->kind != NODE_LOOP || node->iter != search->iter)
		return true;
	search->loop = node;
	return false;
}

static bool bound_print(const struct nest *nest, const struct expr *expr, bool is_upper, struct text *out);

/* Print FUNCTION(bound of a, bound of b). */
static bool pair_print(const struct nest *nest, const char *function, const struct expr *a, bool a_upper,
		       const struct expr *b, bool b_upper, struct text *out)
{
	text_printf(out, "%s(", function);
	if (!bound_print(nest, a, a_upper, out))
		return false;
	text_append(out, ", ");
	if (!bound_print(nest, b, b_upper, out))
		return false;
	text_append_char(out, ')');
	return true;
}

static bool sum_print(const struct nest *nest, const struct expr *a, char op, const struct expr *b, bool is_upper,
		      struct text *out)
{
	text_append_char(out, '(');
	if (!bound_print(nest, a, is_upper, out))
		return false;
	text_printf(out, " %c ", op);
	if (!bound_print(nest, b, op == '+' ? is_upper : !is_upper, out))
		return false;
	text_append_char(out, ')');
	return true;
}

/* The product of two ranges ends at one of the four products of their ends. */
static bool product_print(const struct nest *nest, const struct expr *a, const struct expr *b, bool is_upper,
			  struct text *out)
{
	const char *const pick = is_upper ? "strop__max" : "strop__min";

	text_printf(out, "%s(", pick);
	for (int i = 0; i < 2; i++) {
		text_printf(out, "%s%s(", i ? ", " : "", pick);
		for (int j = 0; j < 2; j++) {
			text_append(out, j ? ", " : "");
			if (!bound_print(nest, a, i, out))
				return false;
			text_append(out, " * ");
			if (!bound_print(nest, b, j, out))
				return false;
		}
		text_append_char(out, ')');
	}
	text_append_char(out, ')');
	return true;
}

/* Division by a positive constant, rounding either way, keeps the order. */
static bool quotient_print(const struct nest *nest, const struct expr *a, const struct expr *b, bool is_upper,
			   struct text *out)
{
	if (b->kind != EXPR_INT || b->integer <= 0)
		return false;
	text_append_char(out, '(');
	if (!bound_print(nest, a, is_upper, out))
		return false;
	text_printf(out, " / %lldLL)", (long long)b->integer);
	return true;
}

static bool op_print(const struct nest *nest, const struct expr *expr, bool is_upper, struct text *out)
{
	const struct expr *const a = expr->arg[0], *const b = expr->n > 1 ? expr->arg[1] : NULL;

	switch (expr->op) {
	case OP_ADD:
		return sum_print(nest, a, '+', b, is_upper, out);
	case OP_SUB:
		return sum_print(nest, a, '-', b, is_upper, out);
	case OP_MUL:
		return product_print(nest, a, b, is_upper, out);
	case OP_DIV:
	case OP_FLOORDIV:
		return quotient_print(nest, a, b, is_upper, out);
	case OP_MOD:
		if (b->kind != EXPR_INT || b->integer <= 0)
			return false;
		text_printf(out, "%lldLL", is_upper ? (long long)b->integer - 1 : 1 - (long long)b->integer);
		return true;
	case OP_MIN:
		return pair_print(nest, "strop__min", a, is_upper, b, is_upper, out);
	case OP_MAX:
		return pair_print(nest, "strop__max", a, is_upper, b, is_upper, out);
	case OP_NEG:
		text_append(out, "(-");
		if (!bound_print(nest, a, !is_upper, out))
			return false;
		text_append_char(out, ')');
		return true;
	default:
		return false;
	}
}

static bool scalar_print(const struct nest *nest, const struct var *var, bool is_upper, struct text *out)
{
	struct search search = {.iter = var};

	if (var->kind == VAR_PARAM && var->source && type_is_integer(var->type)) {
		text_printf(out, "(long long)(%s)", var->source);
		return true;
	}
	if (var->kind != VAR_ITER || list_walk(&nest->body, is_other_loop, &search))
		return false;
	text_append_char(out, '(');
	if (!bound_print(nest, is_upper ? search.loop->hi : search.loop->lo, is_upper, out))
		return false;
	text_append(out, is_upper ? " - 1)" : ")");
	return true;
}

/* Print a C expression that is at least (at most, without "is_upper") "expr", whatever values its iterators take; false
 * when none is known, with part of it printed. */
static bool bound_print(const struct nest *nest, const struct expr *expr, bool is_upper, struct text *out)
{
	switch (expr->kind) {
	case EXPR_INT:
		text_printf(out, "%lldLL", (long long)expr->integer);
		return true;
	case EXPR_REF:
		return expr->n == 0 && scalar_print(nest, expr->var, is_upper, out);
	case EXPR_CAST:
		return type_is_integer(expr->arg[0]->type) && bound_print(nest, expr->arg[0], is_upper, out);
	case EXPR_SELECT:
		return pair_print(nest, is_upper ? "strop__max" : "strop__min", expr->arg[1], is_upper, expr->arg[2],
				  is_upper, out);
	case EXPR_OP:
		return op_print(nest, expr, is_upper, out);
	default:
		return false;
	}
}

/* The upper end of the first subscripts of "array", over all of its references so far. */
struct reach {
	const struct nest *nest;
	const struct var *array;
	struct text text;
	int n;
	bool is_known;
};

static bool reach_add(struct expr *expr, void *context)
{
	struct reach *const reach = context;
	struct text bound = {0}, both = {0};

	if (expr->kind != EXPR_REF || expr->var != reach->array || expr->n == 0)
		return true;
	reach->is_known = bound_print(reach->nest, expr->arg[0], true, &bound);
	if (reach->n++ == 0)
		text_append(&both, text_string(&bound));
	else
		text_printf(&both, "strop__max(%s, %s)", text_string(&reach->text), text_string(&bound));
	text_free(&bound);
	text_free(&reach->text);
	reach->text = both;
	return reach->is_known;
}

static bool reach_add_expr(struct expr *expr, void *context)
{
	return expr_walk(expr, reach_add, context);
}

static bool reach_add_node(struct node *node, void *context)
{
	return node_exprs(node, reach_add_expr, context);
}

/* Print how many elements the first dimension of "array" has, by its references. */
static bool reach_print(const struct nest *nest, const struct var *array, struct text *out)
{
	struct reach reach = {.nest = nest, .array = array};
	bool is_known;

	is_known = list_walk(&nest->body, reach_add_node, &reach) && reach.n > 0 && reach.text.size < 4096;
	if (is_known)
		text_printf(out, "%s + 1", text_string(&reach.text));
	text_free(&reach.text);
	return is_known;
}

bool record_bytes_print(const struct nest *nest, const struct var *array, struct text *out)
{
	text_repeat(out, "strop__mul(", array->rank);
	text_printf(out, "%d", type_size(array->type));
	for (int d = 0; d < array->rank; d++) {
		text_append(out, ", ");
		if (array->extent[d] ? !bound_print(nest, array->extent[d], true, out) :
				       d > 0 || !reach_print(nest, array, out))
			return false;
		text_append_char(out, ')');
	}
	return true;
}
