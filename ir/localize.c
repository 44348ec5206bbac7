#include "localize.h"

/* Turning the scalar "var" into locals of "nest", a copy. */
struct localizer {
	struct nest *nest;
	const struct var *var;
};

static bool visit_expr(struct expr *expr, void *context)
{
	return !expr_uses(expr, context);
}

static bool visit_node(struct node *node, void *context)
{
	return node_exprs(node, visit_expr, context);
}

static bool mentions(struct node *node, const struct var *var)
{
	const struct list single = { 1, &node };

	return !list_walk(&single, visit_node, (void *)var);
}

/* Whether "node" sets "var" to a value that does not depend on it. */
static bool sets(const struct node *node, const struct var *var)
{
	return node->kind == NODE_STMT && node->op == OP_NONE && node->value && node->target->var == var &&
	       !expr_uses(node->value, var);
}

static struct expr *declare(const struct localizer *localizer, struct node *node)
{
	const struct var *var = localizer->var;
	struct var *local = nest_add_var(localizer->nest, VAR_LOCAL, var->type, var->name, 0, NULL);

	local->ctype = var->ctype;
	local->is_read = local->is_written = true;
	node->target = expr_scalar(localizer->nest->arena, local);
	node->declares = true;
	return node->target;
}

static bool localize_list(const struct localizer *localizer, struct list *list);

static bool localize_inside(const struct localizer *localizer, struct node *node)
{
	const struct var *var = localizer->var;

	if (node->kind == NODE_LOOP)
		return !expr_uses(node->lo, var) && !expr_uses(node->hi, var) && localize_list(localizer, &node->body);
	return node->kind == NODE_IF && !expr_uses(node->cond, var) && localize_list(localizer, &node->body) &&
	       localize_list(localizer, &node->orelse);
}

/* From where "list" sets the variable on, its nodes use a local; those before must do with locals of their own. */
static bool localize_list(const struct localizer *localizer, struct list *list)
{
	struct expr *local = NULL;

	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];

		if (sets(node, localizer->var))
			local = declare(localizer, node);
		else if (local)
			node_replace(localizer->nest->arena, node, localizer->var, local);
		else if (mentions(node, localizer->var) && !localize_inside(localizer, node))
			return false;
	}
	return true;
}

static struct nest *copy_deep(const struct nest *nest)
{
	struct nest *copy = nest_copy(nest);

	copy->body = (struct list){ 0 };
	for (int i = 0; i < nest->body.n; i++)
		list_add(nest->arena, &copy->body, node_copy_deep(nest->arena, nest->body.node[i]));
	return copy;
}

static void remove_var(struct nest *nest, const struct var *var)
{
	int n = 0;

	for (int i = 0; i < nest->n_var; i++)
		if (nest->var[i] != var)
			nest->var[n++] = nest->var[i];
	nest->n_var = n;
}

struct nest *nest_localize(const struct nest *nest)
{
	struct nest *result = copy_deep(nest);

	for (int i = 0; i < nest->n_var; i++) {
		const struct var *var = nest->var[i];
		struct localizer localizer = { NULL, var };

		if (var->kind != VAR_SCALAR || var->is_read || var->is_live_out)
			continue;
		localizer.nest = copy_deep(result);
		remove_var(localizer.nest, var);
		if (localize_list(&localizer, &localizer.nest->body))
			result = localizer.nest;
	}
	return result;
}
