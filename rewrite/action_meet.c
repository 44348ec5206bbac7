#include "action_internal.h"
#include "action_sum.h"

/* One reference that a statement makes to a variable. */
struct touch {
	struct expr *expr;
	bool is_write, is_made;
};

/* Two parts of a nest whose iterations are about to be mixed, and the iterators of the loops that do it (NULL: all of one part
 * goes before all of the other). "touch" is the reference of the first part that the second part's are held against. */
struct meeting {
	struct rewrite *rewrite;
	struct node *a, *b;
	const struct var *a_iter, *b_iter;
	struct touch touch;
	const struct node *statement;
	bool is_second, is_target;
};

static bool visit_inner(struct node *node, void *context)
{
	return node->kind != NODE_LOOP || !sum_uses(context, node->iter);
}

/* Whether "sum" mentions an iterator of a loop at or below "node". */
static bool moves_within(const struct sum *sum, struct node *node)
{
	return !visit_inner(node, (void *)sum) || !list_walk(&node->body, visit_inner, (void *)sum) ||
	       !list_walk(&node->orelse, visit_inner, (void *)sum);
}

/* Whether the two references touch one element only in equal iterations of the mixed loops. */
static bool is_tied(const struct meeting *meeting, const struct expr *a, const struct expr *b)
{
	for (int d = 0; meeting->a_iter && d < a->n; d++) {
		struct sum x, y, x_rest, y_rest;
		int64_t factor;

		if (!sum_of(a->arg[d], &x) || !sum_of(b->arg[d], &y))
			continue;
		factor = sum_factor(&x, meeting->a_iter);
		if (factor == 0 || factor != sum_factor(&y, meeting->b_iter))
			continue;
		x_rest = sum_without(&x, meeting->a_iter);
		y_rest = sum_without(&y, meeting->b_iter);
		if (sum_equal(&x_rest, &y_rest) && !sum_uses(&x_rest, meeting->a_iter) && !sum_uses(&y_rest, meeting->b_iter) &&
		    !moves_within(&x_rest, meeting->a) && !moves_within(&y_rest, meeting->b))
			return true;
	}
	return false;
}

struct declaration {
	const struct var *var;
};

static bool visit_declaration(struct node *node, void *context)
{
	const struct declaration *declaration = context;

	return node->kind != NODE_STMT || !node->declares || node->target->var != declaration->var;
}

bool node_declares(const struct node *node, const struct var *var)
{
	struct declaration declaration = { var };

	return (node->kind == NODE_STMT && node->declares && node->target->var == var) ||
	       !list_walk(&node->body, visit_declaration, &declaration) ||
	       !list_walk(&node->orelse, visit_declaration, &declaration);
}

static bool walk_second(struct node *node, void *context);

/* Meet "touch" of the first part with all of the second; false when they share an element in different iterations. */
static bool meet_second(struct meeting *meeting, const struct touch *touch)
{
	meeting->touch = *touch;
	return walk_second(meeting->b, meeting) && list_walk(&meeting->b->body, walk_second, meeting) &&
	       list_walk(&meeting->b->orelse, walk_second, meeting);
}

static bool visit_expr(struct expr *expr, void *context)
{
	struct meeting *meeting = context;
	struct touch touch = { expr, meeting->is_target, meeting->statement && !meeting->statement->origin };

	if (expr->kind != EXPR_REF || expr->var->kind == VAR_PARAM || expr->var->kind == VAR_ITER)
		return true;
	if (!meeting->is_second) {
		struct meeting inner = *meeting;

		inner.is_second = true;
		return meet_second(&inner, &touch);
	}
	return touch.expr->var != meeting->touch.expr->var || (!touch.is_made && !meeting->touch.is_made) ||
	       (!touch.is_write && !meeting->touch.is_write) || node_declares(meeting->a, expr->var) ||
	       node_declares(meeting->b, expr->var) || is_tied(meeting, meeting->touch.expr, touch.expr);
}

/* Visit what the node itself reads and writes. */
static bool walk_node(struct node *node, struct meeting *meeting)
{
	meeting->statement = node->kind == NODE_STMT ? node : NULL;
	meeting->is_target = false;
	if ((node->cond && !expr_walk(node->cond, visit_expr, meeting)) || (node->value && !expr_walk(node->value, visit_expr, meeting)))
		return false;
	meeting->is_target = true;
	return !node->target || node->declares || expr_walk(node->target, visit_expr, meeting);
}

static bool walk_second(struct node *node, void *context)
{
	return walk_node(node, context);
}

static bool walk_first(struct node *node, void *context)
{
	return walk_node(node, context);
}

bool made_statements_meet(struct rewrite *rewrite, struct node *a, const struct var *a_iter, struct node *b,
			  const struct var *b_iter)
{
	struct meeting meeting = { .rewrite = rewrite, .a = a, .b = b, .a_iter = a_iter, .b_iter = b_iter };

	return !walk_first(a, &meeting) || !list_walk(&a->body, walk_first, &meeting) ||
	       !list_walk(&a->orelse, walk_first, &meeting);
}
