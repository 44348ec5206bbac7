#include "action_internal.h"
#include "action_sum.h"

struct node *split_loop(struct rewrite *rewrite, struct node *loop, int at)
{
	struct spot spot = nest_find_spot(rewrite->nest, loop);
	struct node *second = node_copy(rewrite->arena, loop);

	for (int i = 0; i < at; i++)
		list_remove(&second->body, 0);
	while (loop->body.n > at)
		list_remove(&loop->body, at);
	list_insert(rewrite->arena, spot.list, spot.at + 1, second);
	return second;
}

/* The local declared in the body of "loop" before child "at" and used from there on; NULL when there is none. */
static struct var *crossing_local(const struct node *loop, int at)
{
	for (int i = 0; i < at; i++) {
		const struct node *child = loop->body.node[i];

		if (child->kind != NODE_STMT || !child->declares)
			continue;
		for (int j = at; j < loop->body.n; j++)
			if (node_mentions(loop->body.node[j], child->target->var))
				return child->target->var;
	}
	return NULL;
}

static enum status check_made(struct rewrite *rewrite, const struct node *loop, int at)
{
	for (int i = 0; i < at; i++)
		for (int j = at; j < loop->body.n; j++)
			if (made_statements_meet(rewrite, loop->body.node[i], loop->iter, loop->body.node[j], loop->iter))
				return refuse(rewrite, "%s and %s share memory through statements that an action made",
					      node_name(rewrite, loop->body.node[i]), node_name(rewrite, loop->body.node[j]));
	return STATUS_OK;
}

/* Whether "original" may be split before child "at". */
static enum status check_split(struct rewrite *rewrite, const struct node *original, int at, struct diag *why)
{
	struct rewrite trial = rewrite_fork(rewrite, why);
	struct node *loop = nest_find_copy(rewrite->nest, original, trial.nest);
	const struct var *crossing = crossing_local(loop, at);

	if (crossing)
		return refuse(&trial, "%s is set before the split and used after it; privatize(%s) would help", crossing->name,
			      crossing->name);
	if (check_made(&trial, loop, at) != STATUS_OK)
		return STATUS_FAILED;
	split_loop(&trial, loop, at);
	return legal_check(&trial, nest_find_spot(trial.nest, loop).parent);
}

/* Give each iteration a copy of the locals that cross a split before "at" (anywhere when it is 0), where that can be done.
 * Children may move: return the place of what was at "at". */
static int expand_locals(struct rewrite *rewrite, struct node *loop, int at)
{
	struct node *second = at ? loop->body.node[at] : NULL;

	for (int i = 1; i < loop->body.n; i++) {
		struct diag ignored = { 0 };
		struct rewrite quiet = *rewrite;
		struct var *crossing = !at || loop->body.node[i] == second ? crossing_local(loop, i) : NULL;

		quiet.why = &ignored;
		if (crossing && privatize_local(&quiet, loop, crossing) == STATUS_OK)
			i = 0;
	}
	for (int i = 0; i < loop->body.n; i++)
		if (loop->body.node[i] == second)
			return i;
	return 0;
}

static enum status refuse_single(struct rewrite *rewrite, struct node *loop)
{
	return refuse(rewrite, "the body of %s is a single %s", node_name(rewrite, loop),
		      loop->body.n && loop->body.node[0]->kind == NODE_LOOP ? "loop" : "statement");
}

static enum status distribute_before(struct rewrite *rewrite, const struct action *action, struct node *loop)
{
	const char *name = action->arg[1].name;
	int label = action->arg[1].kind == ARG_NAME ? label_parse(name) : -1, at = 0;
	const struct node *statement = label < 0 ? NULL : nest_find_statement(rewrite->nest, label);

	if (!statement || !node_holds(loop, statement))
		return refuse(rewrite, "%s is not a statement in %s", name ? name : "the second argument",
			      node_name(rewrite, loop));
	while (!node_holds(loop->body.node[at], statement))
		at++;
	if (at == 0)
		return refuse(rewrite, "%s is in the first child of %s; there is nothing before it", name, node_name(rewrite, loop));
	at = expand_locals(rewrite, loop, at);
	if (check_split(rewrite, loop, at, rewrite->why) != STATUS_OK)
		return STATUS_FAILED;
	split_loop(rewrite, loop, at);
	return STATUS_OK;
}

static enum status distribute_all(struct rewrite *rewrite, struct node *loop)
{
	struct diag reason = { 0 };
	int n_split = 0;
	bool *splits;

	expand_locals(rewrite, loop, 0);
	if (loop->body.n < 2)
		return refuse_single(rewrite, loop);
	splits = ARENA_ARRAY(rewrite->arena, bool, loop->body.n);
	for (int at = 1; at < loop->body.n; at++) {
		struct diag why = { 0 };

		splits[at] = check_split(rewrite, loop, at, &why) == STATUS_OK;
		n_split += splits[at];
		if (!splits[at])
			diag_set(&reason, why.code, "%s", why.message);
	}
	if (!n_split)
		return refuse(rewrite, "%s", reason.message);
	for (int at = loop->body.n - 1; at > 0; at--)
		if (splits[at])
			split_loop(rewrite, loop, at);
	return STATUS_OK;
}

enum status action_distribute(struct rewrite *rewrite, const struct action *action)
{
	struct node *loop;

	if (action->n < 1 || action->n > 2)
		return refuse(rewrite, "distribute needs a loop and maybe a statement, as in distribute(i) or distribute(i, S2)");
	loop = rewrite_find_loop(rewrite, &action->arg[0]);
	if (!loop)
		return STATUS_FAILED;
	if (loop->body.n < 2)
		return refuse_single(rewrite, loop);
	return action->n == 2 ? distribute_before(rewrite, action, loop) : distribute_all(rewrite, loop);
}
