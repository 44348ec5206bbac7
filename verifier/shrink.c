#include "shrink.h"

/* Half of so many repetitions are enough; sizes from here on are small. */
enum { most_repetitions = 32, small = 64 };

/* A loop's iterator, looked for in the subscripts of arrays of "rank" or more. */
struct mention {
	const struct var *iter;
	int rank;
	bool found;
};

static bool visit_reference(struct expr *expr, void *context)
{
	struct mention *mention = context;
	int i;

	for (i = 0; expr->kind == EXPR_REF && expr->var->rank >= mention->rank && i < expr->n; i++)
		mention->found = mention->found || expr_uses(expr->arg[i], mention->iter);
	return !mention->found;
}

static bool visit_expr(struct expr *expr, void *context)
{
	return expr_walk(expr, visit_reference, context);
}

static bool visit_node(struct node *node, void *context)
{
	return node_exprs(node, visit_expr, context);
}

/* A param, and whether a loop that it ends moves along an array of "rank" or more. */
struct reach {
	const struct var *param;
	int rank;
	bool moves;
};

static bool visit_loop(struct node *node, void *context)
{
	struct reach *reach = context;
	struct mention mention;

	if (node->kind != NODE_LOOP || (!expr_uses(node->lo, reach->param) && !expr_uses(node->hi, reach->param)))
		return true;
	mention = (struct mention){.iter = node->iter, .rank = reach->rank};
	list_walk(&node->body, visit_node, &mention);
	reach->moves = mention.found;
	return !reach->moves;
}

/* Whether the param only says how often all is done: no loop that it ends moves along the arrays that have the most dimensions. */
static bool is_repetition(const struct nest *nest, const char *name)
{
	struct reach reach = {.param = nest_find_var(nest, name), .rank = 1};
	int v;

	for (v = 0; v < nest->n_var; v++)
		if (nest->var[v]->rank > reach.rank)
			reach.rank = nest->var[v]->rank;
	list_walk(&nest->body, visit_loop, &reach);
	return !reach.moves;
}

bool sizes_shrink(const struct nest *nest, int n, struct size *size)
{
	bool has_changed = false;
	int i;

	for (i = 0; i < n; i++)
		if (size[i].value >= most_repetitions && is_repetition(nest, size[i].name)) {
			size[i].value /= 2;
			return true;
		}
	for (i = 0; i < n; i++)
		if (size[i].value > small && !is_repetition(nest, size[i].name)) {
			size[i].value = size[i].value * 4 / 5;
			has_changed = true;
		}
	return has_changed;
}
