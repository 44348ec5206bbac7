#include "nest.h"

#include <string.h>

#include "fold.h"

bool expr_equal(const struct expr *a, const struct expr *b)
{
	if (a == b)
		return true;
	if (!a || !b || a->kind != b->kind || a->type != b->type || a->op != b->op || a->var != b->var || a->n != b->n)
		return false;
	if (a->kind == EXPR_INT && a->integer != b->integer)
		return false;
	if (a->kind == EXPR_FLOAT && memcmp(&a->real, &b->real, sizeof(a->real)) != 0)
		return false;
	if (a->kind == EXPR_CALL && strcmp(a->name, b->name) != 0)
		return false;
	for (int i = 0; i < a->n; i++)
		if (!expr_equal(a->arg[i], b->arg[i]))
			return false;
	return true;
}

bool expr_is_int(const struct expr *expr, int64_t value)
{
	return expr->kind == EXPR_INT && expr->integer == value;
}

bool expr_uses(const struct expr *expr, const struct var *var)
{
	if (!expr)
		return false;
	if (expr->kind == EXPR_REF && expr->var == var)
		return true;
	for (int i = 0; i < expr->n; i++)
		if (expr_uses(expr->arg[i], var))
			return true;
	return false;
}

/* "expr" with other arguments, simplified anew. */
static struct expr *rebuild(struct arena *arena, const struct expr *expr, struct expr **arg)
{
	switch (expr->kind) {
	case EXPR_OP:
		return expr->n == 1 ? expr_unary(arena, expr->op, arg[0]) : expr_binary(arena, expr->op, arg[0], arg[1]);
	case EXPR_SELECT:
		return expr_select(arena, arg[0], arg[1], arg[2]);
	case EXPR_CAST:
		return expr_cast(arena, expr->type, arg[0]);
	case EXPR_CALL:
		return expr_call(arena, expr->type, expr->name, expr->n, arg);
	default:
		return expr_ref(arena, expr->var, expr->n, arg);
	}
}

struct expr *expr_replace(struct arena *arena, struct expr *expr, const struct var *var, struct expr *by)
{
	struct expr **arg;

	if (!expr_uses(expr, var))
		return expr;
	if (expr->kind == EXPR_REF && expr->n == 0)
		return expr_cast(arena, expr->type, by);
	arg = ARENA_ARRAY(arena, struct expr *, expr->n);
	for (int i = 0; i < expr->n; i++)
		arg[i] = expr_replace(arena, expr->arg[i], var, by);
	return rebuild(arena, expr, arg);
}

bool expr_walk(struct expr *expr, bool (*visit)(struct expr *expr, void *context), void *context)
{
	if (!visit(expr, context))
		return false;
	for (int i = 0; i < expr->n; i++)
		if (!expr_walk(expr->arg[i], visit, context))
			return false;
	return true;
}

bool list_walk(const struct list *list, bool (*visit)(struct node *node, void *context), void *context)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];

		if (!visit(node, context) || !list_walk(&node->body, visit, context) ||
		    !list_walk(&node->orelse, visit, context))
			return false;
	}
	return true;
}

bool node_exprs(struct node *node, bool (*visit)(struct expr *expr, void *context), void *context)
{
	struct expr *roots[] = { node->lo, node->hi, node->cond, node->target, node->value };

	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++)
		if (roots[i] && !visit(roots[i], context))
			return false;
	return true;
}

static void replace_at(struct arena *arena, struct expr **expr, const struct var *var, struct expr *by)
{
	if (*expr)
		*expr = expr_replace(arena, *expr, var, by);
}

void node_replace(struct arena *arena, struct node *node, const struct var *var, struct expr *by)
{
	replace_at(arena, &node->lo, var, by);
	replace_at(arena, &node->hi, var, by);
	replace_at(arena, &node->cond, var, by);
	replace_at(arena, &node->target, var, by);
	replace_at(arena, &node->value, var, by);
	for (int i = 0; node->origin && i < node->n_origin; i++)
		replace_at(arena, &node->origin[i], var, by);
	for (int i = 0; i < node->body.n; i++)
		node_replace(arena, node->body.node[i], var, by);
	for (int i = 0; i < node->orelse.n; i++)
		node_replace(arena, node->orelse.node[i], var, by);
}

/* Find "node" below "list"; "depth" loops are already in "loop". Return the number of loops around it, or -1. */
static int find_path(const struct list *list, const struct node *node, struct node **loop, int depth, int max)
{
	for (int i = 0; i < list->n; i++) {
		struct node *child = list->node[i];
		int inner = depth, found;

		if (child == node)
			return depth;
		if (child->kind == NODE_LOOP) {
			if (depth < max)
				loop[depth] = child;
			inner++;
		}
		found = find_path(&child->body, node, loop, inner, max);
		if (found < 0)
			found = find_path(&child->orelse, node, loop, inner, max);
		if (found >= 0)
			return found;
	}
	return -1;
}

int nest_path(const struct nest *nest, const struct node *node, struct node **loop, int max)
{
	int depth = find_path(&nest->body, node, loop, 0, max);

	return depth > max ? max : depth;
}

typedef bool value_of(const struct var *var, int64_t *result, void *context);

/* && and ||, whose right side need not have a value when the left decides. */
static bool evaluate_logic(const struct expr *expr, value_of *value, void *context, int64_t *result)
{
	int64_t left, right;

	if (!expr_evaluate(expr->arg[0], value, context, &left))
		return false;
	if ((left != 0) == (expr->op == OP_LOR)) {
		*result = left != 0;
		return true;
	}
	if (!expr_evaluate(expr->arg[1], value, context, &right))
		return false;
	*result = right != 0;
	return true;
}

static bool evaluate_op(const struct expr *expr, value_of *value, void *context, int64_t *result)
{
	int64_t left, right;

	if (expr->op == OP_LAND || expr->op == OP_LOR)
		return evaluate_logic(expr, value, context, result);
	if (!expr_evaluate(expr->arg[0], value, context, &left))
		return false;
	if (expr->n == 1)
		return fold_unary(expr->arg[0]->type, expr->op, left, result);
	return expr_evaluate(expr->arg[1], value, context, &right) &&
	       fold_binary(expr->arg[0]->type, expr->op, left, right, result);
}

/* An integer conversion: to unsigned types it wraps; to signed ones it must fit. */
static bool convert(enum type type, int64_t value, int64_t *result)
{
	int size = type_size(type);

	*result = value;
	if (!type_is_signed(type) && size < 8)
		*result &= (int64_t)(UINT64_MAX >> (64 - 8 * size));
	return fold_fits(type, *result);
}

bool expr_evaluate(const struct expr *expr, value_of *value, void *context, int64_t *result)
{
	int64_t inner;

	if (type_is_float(expr->type))
		return false;
	switch (expr->kind) {
	case EXPR_INT:
		*result = expr->integer;
		return fold_fits(expr->type, expr->integer);
	case EXPR_REF:
		return expr->n == 0 && value(expr->var, result, context);
	case EXPR_OP:
		return evaluate_op(expr, value, context, result);
	case EXPR_SELECT:
		return expr_evaluate(expr->arg[0], value, context, &inner) &&
		       expr_evaluate(expr->arg[inner ? 1 : 2], value, context, result);
	case EXPR_CAST:
		return expr_evaluate(expr->arg[0], value, context, &inner) && convert(expr->type, inner, result);
	default:
		return false;
	}
}

bool nest_is_opaque(const struct nest *nest)
{
	return nest->body.n == 0;
}

int nest_var_index(const struct nest *nest, const struct var *var)
{
	int v = 0;

	while (nest->var[v] != var)
		v++;
	return v;
}
