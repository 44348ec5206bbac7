#include "action_internal.h"

/* The reads of one statement that become loads of their own: "load" is where those found so far stand, directly before it. */
struct loading {
	struct rewrite *rewrite;
	struct node *loop;
	const struct node *statement;
	struct list load;
};

/* What the walk for other writers looks for. */
struct writer {
	const struct node *except;
	const struct var *var;
};

static bool visit_writer(struct node *node, void *context)
{
	const struct writer *writer = context;

	return node->kind != NODE_STMT || node == writer->except || node->target->var != writer->var;
}

/* Whether a statement of the loop other than the one at hand writes "var". */
static bool is_overwritten(const struct loading *loading, const struct var *var)
{
	struct writer writer = { loading->statement, var };

	return !list_walk(&loading->loop->body, visit_writer, &writer);
}

/* The local that holds "reference", which is declared now if it was not. */
static struct expr *loaded(struct loading *loading, struct expr *reference)
{
	struct rewrite *rewrite = loading->rewrite;
	struct node *node;
	struct var *local;

	for (int i = 0; i < loading->load.n; i++)
		if (expr_equal(loading->load.node[i]->value, reference))
			return loading->load.node[i]->target;
	local = derived_var(rewrite, reference->var, "l", reference->type, 0, NULL);
	node = made_statement(rewrite, expr_scalar(rewrite->arena, local), OP_NONE, reference);
	node->declares = true;
	list_add(rewrite->arena, &loading->load, node);
	return node->target;
}

static bool is_partial(const struct expr *expr)
{
	return expr->kind == EXPR_SELECT || (expr->kind == EXPR_OP && (expr->op == OP_LAND || expr->op == OP_LOR));
}

/* "expr" with each element that it surely reads, and that something else overwrites, replaced by a local. */
static struct expr *with_loads(struct loading *loading, struct expr *expr)
{
	struct expr *copy;

	if (expr->kind == EXPR_REF && expr->n > 0 && expr->var->kind == VAR_ARRAY)
		return is_overwritten(loading, expr->var) ? loaded(loading, expr) : expr;
	if (!expr->n || expr->kind == EXPR_REF)
		return expr;
	copy = ARENA_NEW(loading->rewrite->arena, struct expr);
	*copy = *expr;
	copy->arg = ARENA_ARRAY(loading->rewrite->arena, struct expr *, expr->n);
	for (int i = 0; i < expr->n; i++)
		copy->arg[i] = is_partial(expr) && i > 0 ? expr->arg[i] : with_loads(loading, expr->arg[i]);
	return copy;
}

/* Put loads before child "at" of the loop, where it is a statement; return the place after it. */
static int load_child(struct rewrite *rewrite, struct node *loop, int at)
{
	struct node *child = loop->body.node[at];
	struct loading loading = { rewrite, loop, child, { 0 } };

	if (child->kind != NODE_STMT || !child->value)
		return at + 1;
	child->value = with_loads(&loading, child->value);
	for (int i = 0; i < loading.load.n; i++)
		list_insert(rewrite->arena, &loop->body, at++, loading.load.node[i]);
	return at + 1;
}

enum status action_load(struct rewrite *rewrite, const struct action *action)
{
	int n_label = rewrite->nest->n_label;
	struct node *loop;

	if (action->n != 1)
		return refuse(rewrite, "load is called as in load(i)");
	if (!rewrite_is_fresh(rewrite))
		return refuse(rewrite, "load says anew what the original does, and must come first");
	loop = rewrite_find_loop(rewrite, &action->arg[0]);
	if (!loop)
		return STATUS_FAILED;
	for (int at = 0; at < loop->body.n;)
		at = load_child(rewrite, loop, at);
	if (rewrite->nest->n_label == n_label)
		return refuse(rewrite, "no statement in %s reads what another one overwrites", node_name(rewrite, loop));
	nest_set_origins(rewrite->nest);
	return STATUS_OK;
}
