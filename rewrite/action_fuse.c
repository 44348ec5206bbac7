#include "action_internal.h"
#include "action_sum.h"

/* Give each loop below "node" that runs over "from" the iterator "to". */
static void rename_loops(struct rewrite *rewrite, struct node *node, const struct var *from, struct var *to)
{
	if (node->kind == NODE_LOOP && node->iter == from) {
		node->iter = to;
		for (int i = 0; i < node->body.n; i++)
			node_replace(rewrite->arena, node->body.node[i], from, expr_scalar(rewrite->arena, to));
	}
	for (int i = 0; i < node->body.n; i++)
		rename_loops(rewrite, node->body.node[i], from, to);
	for (int i = 0; i < node->orelse.n; i++)
		rename_loops(rewrite, node->orelse.node[i], from, to);
}

/* Let the second loop run over the iterator of the first; loops inside it that did so take its own. */
static void take_iterator(struct rewrite *rewrite, const struct node *first, struct node *second)
{
	struct var *old = second->iter, passing = *old;

	for (int i = 0; i < second->body.n; i++)
		rename_loops(rewrite, second->body.node[i], first->iter, &passing);
	for (int i = 0; i < second->body.n; i++)
		node_replace(rewrite->arena, second->body.node[i], old, expr_scalar(rewrite->arena, first->iter));
	for (int i = 0; i < second->body.n; i++)
		rename_loops(rewrite, second->body.node[i], &passing, old);
}

/* Append what is in the second loop to the first, under the first one's iterator. */
static void merge(struct rewrite *rewrite, struct node *first, struct node *second)
{
	if (second->iter != first->iter)
		take_iterator(rewrite, first, second);
	for (int i = 0; i < second->body.n; i++)
		list_add(rewrite->arena, &first->body, second->body.node[i]);
}

/* Refuse when a loop would pass statements whose dependences are unknown, or be merged with such. */
static enum status check_made(struct rewrite *rewrite, const struct spot *first, int second)
{
	struct node **node = first->list->node;

	for (int i = first->at; i <= second; i++) {
		for (int j = i + 1; j <= second; j++) {
			bool is_merged = i == first->at && j == second;

			if (i != first->at && j != second)
				continue;
			if (made_statements_meet(rewrite, node[i], is_merged ? node[i]->iter : NULL, node[j],
						 is_merged ? node[j]->iter : NULL))
				return refuse(rewrite, "%s and %s share memory through statements that an action made",
					      node_name(rewrite, node[i]), node_name(rewrite, node[j]));
		}
	}
	return STATUS_OK;
}

static enum status check_pair(struct rewrite *rewrite, struct node *a, struct node *b)
{
	if (a == b)
		return refuse(rewrite, "fuse needs two different loops");
	if (nest_find_spot(rewrite->nest, a).list != nest_find_spot(rewrite->nest, b).list)
		return refuse(rewrite, "%s and %s do not stand side by side", node_name(rewrite, a), node_name(rewrite, b));
	if (!loop_same_range(a, b))
		return refuse(rewrite, "%s and %s run over different ranges", node_name(rewrite, a), node_name(rewrite, b));
	if (a->iter->type != b->iter->type)
		return refuse(rewrite, "the iterators of %s and %s differ in type", node_name(rewrite, a), node_name(rewrite, b));
	if (a->marks.vector != b->marks.vector || a->marks.unroll != b->marks.unroll || a->marks.parallel != b->marks.parallel)
		return refuse(rewrite, "%s and %s are marked differently; fuse before marking", node_name(rewrite, a),
			      node_name(rewrite, b));
	return STATUS_OK;
}

/* Fuse the two loops; what stands between them comes after the fused loop, or with "at_second" before it. */
static enum status fuse_pair(struct rewrite *rewrite, const struct action *action, bool at_second)
{
	struct node *a = rewrite_find_loop(rewrite, &action->arg[0]), *b = a ? rewrite_find_loop(rewrite, &action->arg[1]) : NULL;
	struct spot first, second;

	if (!b || check_pair(rewrite, a, b) != STATUS_OK)
		return STATUS_FAILED;
	first = nest_find_spot(rewrite->nest, a);
	second = nest_find_spot(rewrite->nest, b);
	if (first.at > second.at) {
		struct spot swapped = first;

		first = second;
		second = swapped;
	}
	if (check_made(rewrite, &first, second.at) != STATUS_OK)
		return STATUS_FAILED;
	a = first.list->node[first.at];
	merge(rewrite, a, first.list->node[second.at]);
	first.list->node[second.at] = a;
	list_remove(first.list, at_second ? first.at : second.at);
	return scope_check(rewrite) == STATUS_OK ? legal_check(rewrite, first.parent) : STATUS_FAILED;
}

enum status action_fuse(struct rewrite *rewrite, const struct action *action)
{
	struct diag reason = { 0 };

	if (action->n != 2)
		return refuse(rewrite, "fuse needs two loops, as in fuse(i@S0, i@S1)");
	for (int at_second = 0; at_second < 2; at_second++) {
		struct diag why = { 0 };
		struct rewrite trial = rewrite_fork(rewrite, &why);

		if (fuse_pair(&trial, action, at_second) == STATUS_OK) {
			rewrite->nest = trial.nest;
			return STATUS_OK;
		}
		diag_set(&reason, why.code, "%s", why.message);
	}
	return refuse(rewrite, "%s", reason.message);
}
