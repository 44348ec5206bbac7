#include "codegen_full.h"

/* How marked loops index each dimension of "array". */
struct shape {
	struct arena *arena;
	const struct var *array;
	struct loop_marks mark[RANK_MAX];
	int depth;
	struct node *loop[DEPTH_MAX];
	bool is_marking;
};

static bool steps_by_one(struct arena *arena, struct expr *subscript, const struct var *iter)
{
	struct linear form = linear_from(arena, subscript);
	bool is_linear = true;

	return linear_factor(&form, iter, &is_linear) == 1 && is_linear && form.is_valid;
}

/* Whether all that "loop" does is to move elements to or from "array". */
static bool is_copy_loop(const struct node *loop, const struct var *array)
{
	for (int i = 0; i < loop->body.n; i++) {
		const struct node *node = loop->body.node[i];

		if (node->kind == NODE_LOOP && is_copy_loop(node, array))
			continue;
		if (node->kind != NODE_STMT || !node->value || node->target->n == 0)
			return false;
		if (!(node->target->var == array && node->op == OP_NONE && !expr_uses(node->value, array)) &&
		    !(node->value->kind == EXPR_REF && node->value->var == array))
			return false;
	}
	return loop->body.n > 0;
}

/* What a walk for reads of a target elsewhere looks for. */
static bool is_no_other_element(struct expr *expr, void *context)
{
	const struct expr *target = context;

	return expr->kind != EXPR_REF || expr->var != target->var || expr_equal(expr, target);
}

/* Whether all that "loop" does is to compute, from "array" among others, one element of another array in each iteration, which
 * no other iteration reads: its iterations may run at once. */
static bool is_elementwise(struct arena *arena, const struct node *loop, const struct var *array)
{
	const struct node *node = loop;
	bool is_spread = false;

	while (node->kind == NODE_LOOP && node->body.n == 1)
		node = node->body.node[0];
	if (node->kind != NODE_STMT || node->declares || !node->value || node->target->n == 0 || node->target->var == array ||
	    !expr_walk(node->value, is_no_other_element, node->target))
		return false;
	for (int d = 0; d < node->target->n; d++) {
		struct linear form = linear_from(arena, node->target->arg[d]);
		bool is_linear = true;

		is_spread |= form.is_valid && linear_factor(&form, loop->iter, &is_linear) != 0 && is_linear;
	}
	return is_spread;
}

/* Whether iterations of "loop" add to one element, one after the other. */
static bool accumulates(const struct list *list, const struct var *iter)
{
	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];

		if (node->kind == NODE_STMT && node->op != OP_NONE && !expr_uses(node->target, iter))
			return true;
		if (accumulates(&node->body, iter))
			return true;
	}
	return false;
}

static bool shape_expr(struct expr *expr, void *context)
{
	struct shape *shape = context;

	if (expr->kind != EXPR_REF || expr->var != shape->array || expr->n == 0)
		return true;
	for (int l = 0; l < shape->depth; l++) {
		struct node *loop = shape->loop[l];

		for (int d = 0; d < expr->n; d++) {
			if (!steps_by_one(shape->arena, expr->arg[d], loop->iter))
				continue;
			if (!shape->is_marking && node_is_shaped(loop) && shape->mark[d].vector <= 1)
				shape->mark[d] = loop->marks;
			else if (shape->is_marking && loop->marks.vector <= 1 &&
				 (is_copy_loop(loop, shape->array) || is_elementwise(shape->arena, loop, shape->array)) &&
				 (shape->mark[d].vector > 1 ? d == expr->n - 1 : !node_is_shaped(loop))) {
				loop->marks = shape->mark[d];
				if (accumulates(&loop->body, loop->iter))
					loop->marks.vector = 0;
			}
		}
	}
	return true;
}

static void shape_list(struct shape *shape, const struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];
		bool is_loop = node->kind == NODE_LOOP && shape->depth < DEPTH_MAX;

		node_every_expr(node, shape_expr, shape);
		if (is_loop)
			shape->loop[shape->depth++] = node;
		shape_list(shape, &node->body);
		shape_list(shape, &node->orelse);
		shape->depth -= is_loop;
	}
}

void lower_copies(struct codegen *cg)
{
	for (int i = 0; i < cg->nest->n_var; i++) {
		const struct var *var = cg->nest->var[i];
		struct shape shape = { .arena = cg->arena, .array = var };

		if (var->kind != VAR_LOCAL || var->rank == 0 || var->rank > RANK_MAX || local_bytes(var) < 0)
			continue;
		shape_list(&shape, &cg->nest->body);
		shape.is_marking = true;
		shape_list(&shape, &cg->nest->body);
	}
}
