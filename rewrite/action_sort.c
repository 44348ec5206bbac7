#include "action_internal.h"

enum { CHILDREN_MAX = 32 };

/* The children of a loop's body: "precedes[a][b]": all iterations of a must run before those of b, were the loop split between them,
 * perhaps by way of others. */
struct children {
	struct rewrite *rewrite;
	struct node *loop;
	int n;
	bool precedes[CHILDREN_MAX][CHILDREN_MAX];
};

/* Whether a split of the loop that lets all of child "first" run before all of child "second" breaks a dependence. */
static bool is_refused(const struct children *children, int first, int second)
{
	struct diag ignored = { 0 };
	struct rewrite trial = rewrite_fork(children->rewrite, &ignored);
	struct node *loop = nest_find_copy(children->rewrite->nest, children->loop, trial.nest);
	struct node *pair[] = { loop->body.node[first], loop->body.node[second] };

	loop->body = (struct list){ 0 };
	list_add(trial.arena, &loop->body, pair[0]);
	list_add(trial.arena, &loop->body, pair[1]);
	split_loop(&trial, loop, 1);
	return legal_check(&trial, nest_find_spot(trial.nest, loop).parent) != STATUS_OK;
}

/* Whether "before" declares what "after" uses. */
static bool declares_for(const struct node *before, struct node *after)
{
	return before->kind == NODE_STMT && before->declares && node_mentions(after, before->target->var);
}

/* Relate children "a" and "b", a standing before b: memory that statements which actions made share keeps them in order. */
static void relate_children(struct children *children, int a, int b)
{
	struct node *first = children->loop->body.node[a], *second = children->loop->body.node[b];
	const struct var *iter = children->loop->iter;
	bool meet = made_statements_meet(children->rewrite, first, iter, second, iter);

	children->precedes[a][b] = meet || declares_for(first, second) || is_refused(children, b, a);
	children->precedes[b][a] = meet || is_refused(children, a, b);
}

static void close_relation(struct children *children)
{
	for (int k = 0; k < children->n; k++)
		for (int a = 0; a < children->n; a++)
			for (int b = 0; b < children->n; b++)
				children->precedes[a][b] |= children->precedes[a][k] && children->precedes[k][b];
}

/* Whether "child" may come before all others that are not "done": those of a cycle stay as they stand. */
static bool is_next(const struct children *children, const bool *done, int child)
{
	for (int other = 0; other < children->n; other++)
		if (!done[other] && other != child && children->precedes[other][child] &&
		    (!children->precedes[child][other] || other < child))
			return false;
	return true;
}

/* The numbers of the children in their new order, those that are free to stand anywhere as they stood; false when it is the old
 * one. */
static bool find_order(const struct children *children, int *order)
{
	bool done[CHILDREN_MAX] = { false }, differs = false;

	for (int n = 0; n < children->n; n++) {
		int child = 0;

		while (done[child] || !is_next(children, done, child))
			child++;
		done[child] = true;
		order[n] = child;
		differs |= child != n;
	}
	return differs;
}

enum status action_sort(struct rewrite *rewrite, const struct action *action)
{
	struct children children = { .rewrite = rewrite };
	struct list sorted = { 0 };
	int order[CHILDREN_MAX];

	if (action->n != 1)
		return refuse(rewrite, "sort is called as in sort(i)");
	children.loop = rewrite_find_loop(rewrite, &action->arg[0]);
	if (!children.loop)
		return STATUS_FAILED;
	children.n = children.loop->body.n;
	if (children.n > CHILDREN_MAX)
		return refuse(rewrite, "%s holds more than %d statements", node_name(rewrite, children.loop), CHILDREN_MAX);
	for (int a = 0; a < children.n; a++)
		for (int b = a + 1; b < children.n; b++)
			relate_children(&children, a, b);
	close_relation(&children);
	if (!find_order(&children, order))
		return refuse(rewrite, "what %s holds stands in a good order already", node_name(rewrite, children.loop));
	for (int i = 0; i < children.n; i++)
		list_add(rewrite->arena, &sorted, children.loop->body.node[order[i]]);
	children.loop->body = sorted;
	return legal_check(rewrite, children.loop) == STATUS_OK ? scope_check(rewrite) : STATUS_FAILED;
}
