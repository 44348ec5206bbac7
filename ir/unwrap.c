#include "unwrap.h"

enum { CHILDREN_MAX = 12 };

/* A loop of the nest's own list, and a scalar that child "at" of its body sets to "value" at the end of what it says of it. */
struct wrap {
	const struct node *loop;
	struct var *var;
	int at;
	struct expr *value;
};

static bool visit_no_write(struct node *node, void *context)
{
	return node->kind != NODE_STMT || node->target->var != context;
}

static bool is_written(const struct node *node, const struct var *var)
{
	return !visit_no_write((struct node *)node, (void *)var) || !list_walk(&node->body, visit_no_write, (void *)var) ||
	       !list_walk(&node->orelse, visit_no_write, (void *)var);
}

static bool visit_no_use(struct expr *expr, void *context)
{
	return !expr_uses(expr, context);
}

static bool visit_no_mention(struct node *node, void *context)
{
	return node_exprs(node, visit_no_use, context);
}

static bool mentions(struct node *node, const struct var *var)
{
	const struct list single = { 1, &node };

	return !list_walk(&single, visit_no_mention, (void *)var);
}

/* Whether "expr" has, in a later iteration, the value that it has in the one of its iterator. */
static bool is_known(const struct node *loop, const struct expr *expr)
{
	const bool is_exact = expr->op == OP_ADD || expr->op == OP_SUB || expr->op == OP_MUL || expr->op == OP_NEG;

	if (expr->kind == EXPR_REF && expr->var != loop->iter && is_written(loop, expr->var))
		return false;
	if (expr->kind == EXPR_SELECT || expr->kind == EXPR_CALL ||
	    (expr->kind == EXPR_OP && !(is_exact && type_is_integer(expr->type))))
		return false;
	for (int i = 0; i < expr->n; i++)
		if (!is_known(loop, expr->arg[i]))
			return false;
	return true;
}

static bool visit_no_loop(struct node *node, void *context)
{
	(void)context;
	return node->kind != NODE_LOOP;
}

/* Whether child "at" of the loop is the only place that writes its target, after others have read it. */
static bool find_wrap(const struct node *loop, int at, struct wrap *wrap)
{
	const struct node *set = loop->body.node[at];
	bool is_read = false;

	if (set->kind != NODE_STMT || set->declares || set->op != OP_NONE || set->target->n > 0 ||
	    (set->target->var->kind != VAR_SCALAR && set->target->var->kind != VAR_LOCAL) || !is_known(loop, set->value))
		return false;
	*wrap = (struct wrap){ loop, set->target->var, at, set->value };
	for (int i = 0; i < loop->body.n; i++) {
		if (i != at && is_written(loop->body.node[i], wrap->var))
			return false;
		is_read = is_read || (i < at && mentions(loop->body.node[i], wrap->var));
	}
	return is_read && !expr_uses(set->value, wrap->var) && !expr_uses(loop->lo, wrap->var) && !expr_uses(loop->hi, wrap->var);
}

static bool is_used_after(const struct nest *nest, int place, const struct var *var)
{
	for (int i = place + 1; i < nest->body.n; i++)
		if (mentions(nest->body.node[i], var))
			return true;
	return var->is_live_out;
}

/* Give each local that "list" declares a variable of its own. */
static void own_locals(struct nest *nest, struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];
		const struct var *from = node->target ? node->target->var : NULL;
		struct var *to;

		own_locals(nest, &node->body);
		own_locals(nest, &node->orelse);
		if (node->kind != NODE_STMT || !node->declares || from->rank > 0)
			continue;
		to = nest_add_var(nest, VAR_LOCAL, from->type, from->name, 0, NULL);
		to->ctype = from->ctype;
		to->is_read = to->is_written = true;
		node->target = expr_scalar(nest->arena, to);
		for (int after = i + 1; after < list->n; after++)
			node_replace(nest->arena, list->node[after], from, node->target);
	}
}

/* What the scalar was set to in the iteration before. */
static struct expr *value_before(struct arena *arena, const struct wrap *wrap)
{
	struct expr *step = expr_int(arena, wrap->loop->step, wrap->loop->iter->type);

	return expr_replace(arena, wrap->value, wrap->loop->iter,
			    expr_binary(arena, OP_SUB, expr_scalar(arena, wrap->loop->iter), step));
}

/* Take child "at", which sets "var" to "value", out of the loop: what stands before it sees "before" (NULL: the scalar still). */
static void remove_set(struct arena *arena, struct node *loop, int at, struct var *var, struct expr *before, struct expr *value)
{
	for (int i = 0; i < loop->body.n; i++)
		if (i > at || before)
			node_replace(arena, loop->body.node[i], var, i > at ? value : before);
	list_remove(&loop->body, at);
}

/* Make the first iteration of the loop at "place" a loop of its own, and take the scalar out of the others. */
static void peel(struct nest *nest, int place, const struct wrap *wrap)
{
	struct arena *arena = nest->arena;
	struct node *first = nest->body.node[place], *rest = node_copy_deep(arena, first);
	struct expr *next = expr_binary(arena, OP_ADD, first->lo, expr_int(arena, first->step, first->iter->type));
	struct expr *before = value_before(arena, wrap);

	remove_set(arena, first, wrap->at, wrap->var, NULL, wrap->value);
	remove_set(arena, rest, wrap->at, wrap->var, before, wrap->value);
	own_locals(nest, &rest->body);
	rest->lo = next;
	first->hi = expr_binary(arena, OP_MIN, next, first->hi);
	list_insert(arena, &nest->body, place + 1, rest);
}

/* The child of the loop's body that sets "var"; -1 when there is none. */
static int find_set(const struct node *loop, const struct var *var)
{
	for (int i = 0; i < loop->body.n; i++)
		if (loop->body.node[i]->kind == NODE_STMT && loop->body.node[i]->target->var == var)
			return i;
	return -1;
}

/* The loop at "place" goes on after the one before it, which is one iteration. Where that sets the scalar in the same words, no
 * other iteration needs to be taken out. */
static bool unwrap_next(struct nest *nest, int place, const struct wrap *wrap)
{
	struct node *before = nest->body.node[place - 1];
	int at = find_set(before, wrap->var);

	if (at < 0 || before->body.node[at]->op != OP_NONE || !expr_equal(before->body.node[at]->value, wrap->value))
		return false;
	remove_set(nest->arena, nest->body.node[place], wrap->at, wrap->var, value_before(nest->arena, wrap), wrap->value);
	remove_set(nest->arena, before, at, wrap->var, NULL, wrap->value);
	return true;
}

/* Let the iteration at "place" know what the one before it sets the scalar to. */
static void forward(struct nest *nest, int place, struct var *var)
{
	struct node *before = nest->body.node[place - 1];
	int at = find_set(before, var);
	struct expr *value;

	if (at < 0 || before->body.node[at]->op != OP_NONE || !is_known(before, before->body.node[at]->value))
		return;
	value = before->body.node[at]->value;
	node_replace(nest->arena, nest->body.node[place], var, expr_replace(nest->arena, value, before->iter, before->lo));
	remove_set(nest->arena, before, at, var, NULL, value);
}

/* Without a statement that writes it, a scalar is a param. */
static void settle_kind(struct nest *nest, struct var *var)
{
	if (var->kind != VAR_SCALAR || !list_walk(&nest->body, visit_no_write, var))
		return;
	var->kind = VAR_PARAM;
	var->is_written = false;
}

enum unwrapped { UNWRAPPED_NONE, UNWRAPPED_HERE, UNWRAPPED_PEELED };

/* Take one scalar out of the loop at "place"; with "is_rest", the one before it is the iteration before. */
static enum unwrapped unwrap_loop(struct nest *nest, int place, bool is_rest)
{
	const struct node *loop = nest->body.node[place];
	enum unwrapped how = UNWRAPPED_NONE;
	struct wrap wrap;

	if (loop->kind != NODE_LOOP || loop->body.n < 2 || loop->body.n > CHILDREN_MAX || !list_walk(&loop->body, visit_no_loop, NULL))
		return UNWRAPPED_NONE;
	for (int at = loop->body.n - 1; at > 0 && !how; at--) {
		if (!find_wrap(loop, at, &wrap) || is_used_after(nest, place, wrap.var))
			continue;
		how = is_rest && unwrap_next(nest, place, &wrap) ? UNWRAPPED_HERE : UNWRAPPED_PEELED;
		if (how == UNWRAPPED_PEELED)
			peel(nest, place, &wrap);
		if (how == UNWRAPPED_PEELED && is_rest)
			forward(nest, place, wrap.var);
		settle_kind(nest, wrap.var);
	}
	return how;
}

/* Take all scalars that wrap around out of the loop at "place"; false when there are none. */
static bool unwrap_all(struct nest *nest, int place)
{
	bool any = false;

	for (;;) {
		enum unwrapped how = unwrap_loop(nest, place, any);

		if (how == UNWRAPPED_NONE)
			return any;
		any = true;
		place += how == UNWRAPPED_PEELED;
	}
}

static bool number(struct node *node, void *context)
{
	struct nest *nest = context;

	if (node->kind == NODE_STMT)
		node->label = nest->n_label++;
	return true;
}

/* A copy whose nodes are its own. */
static struct nest *copy_whole(const struct nest *nest)
{
	struct nest *copy = nest_copy(nest);

	for (int i = 0; i < copy->body.n; i++)
		copy->body.node[i] = node_copy_deep(copy->arena, copy->body.node[i]);
	return copy;
}

struct nest *nest_unwrap(const struct nest *nest)
{
	struct nest *result = copy_whole(nest);
	bool any = false;

	for (int place = 0; place < result->body.n; place++)
		any |= unwrap_all(result, place);
	if (!any)
		return (struct nest *)nest;
	result->n_label = 0;
	list_walk(&result->body, number, result);
	nest_set_origins(result);
	return result;
}
