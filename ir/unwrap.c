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

/* Take the first iteration of the loop at "place" out of it, and the scalar out of the others. */
static void unwrap(struct nest *nest, int place, const struct wrap *wrap)
{
	struct arena *arena = nest->arena;
	struct node *first = nest->body.node[place], *rest = node_copy_deep(arena, first);
	struct expr *iter = expr_scalar(arena, first->iter), *step = expr_int(arena, first->step, first->iter->type);
	struct expr *next = expr_binary(arena, OP_ADD, first->lo, step);
	struct expr *before = expr_replace(arena, wrap->value, first->iter, expr_binary(arena, OP_SUB, iter, step));

	for (int i = 0; i < rest->body.n; i++)
		node_replace(arena, rest->body.node[i], wrap->var, i < wrap->at ? before : wrap->value);
	for (int i = wrap->at + 1; i < first->body.n; i++)
		node_replace(arena, first->body.node[i], wrap->var, wrap->value);
	list_remove(&rest->body, wrap->at);
	list_remove(&first->body, wrap->at);
	own_locals(nest, &rest->body);
	rest->lo = next;
	first->hi = expr_binary(arena, OP_MIN, next, first->hi);
	list_insert(arena, &nest->body, place + 1, rest);
}

/* Without a statement that writes it, a scalar is a param. */
static void settle_kind(struct nest *nest, struct var *var)
{
	if (var->kind != VAR_SCALAR || !list_walk(&nest->body, visit_no_write, var))
		return;
	var->kind = VAR_PARAM;
	var->is_written = false;
}

/* Where the iteration before the one at "place" sets "var" to what stays as it is, use that instead. */
static void forward(struct nest *nest, int place, struct var *var)
{
	struct node *before = nest->body.node[place - 1], *here = nest->body.node[place];

	for (int i = 0; i < before->body.n; i++) {
		const struct node *set = before->body.node[i];

		if (set->kind != NODE_STMT || set->op != OP_NONE || set->target->var != var || set->value->kind != EXPR_REF ||
		    set->value->var->kind != VAR_PARAM)
			continue;
		node_replace(nest->arena, here, var, set->value);
		list_remove(&before->body, i);
		return;
	}
}

/* Unwrap the loop at "place"; with "is_rest", the one before it is its first iteration. */
static bool unwrap_loop(struct nest *nest, int place, bool is_rest)
{
	const struct node *loop = nest->body.node[place];
	struct wrap wrap;

	if (loop->kind != NODE_LOOP || loop->body.n < 2 || loop->body.n > CHILDREN_MAX || !list_walk(&loop->body, visit_no_loop, NULL))
		return false;
	for (int at = loop->body.n - 1; at > 0; at--)
		if (find_wrap(loop, at, &wrap) && !is_used_after(nest, place, wrap.var)) {
			unwrap(nest, place, &wrap);
			if (is_rest)
				forward(nest, place, wrap.var);
			settle_kind(nest, wrap.var);
			return true;
		}
	return false;
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
		for (bool is_rest = false; unwrap_loop(result, place, is_rest); place++)
			any = is_rest = true;
	if (!any)
		return (struct nest *)nest;
	result->n_label = 0;
	list_walk(&result->body, number, result);
	nest_set_origins(result);
	return result;
}
