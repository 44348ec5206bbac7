#include "action_internal.h"
#include "action_sum.h"

struct var *derived_var(struct rewrite *rewrite, const struct var *base, const char *suffix, enum type type, int rank,
			struct expr **extent)
{
	const char *name = arena_printf(rewrite->arena, "%s.%s", base->name, suffix);
	struct var *var = nest_add_var(rewrite->nest, VAR_LOCAL, type, name, rank, extent);

	var->ctype = base->ctype;
	var->is_read = var->is_written = true;
	return var;
}

struct var *derived_iterator(struct rewrite *rewrite, const struct var *base, const char *suffix, enum type type)
{
	return nest_add_var(rewrite->nest, VAR_ITER, type, arena_printf(rewrite->arena, "%s.%s", base->name, suffix), 0, NULL);
}

struct node *made_statement(struct rewrite *rewrite, struct expr *target, enum op op, struct expr *value)
{
	return node_stmt(rewrite->arena, rewrite->nest->n_label++, target, op, value);
}

struct node *made_declaration(struct rewrite *rewrite, struct var *local)
{
	struct node *node = node_stmt(rewrite->arena, -1, expr_scalar(rewrite->arena, local), OP_NONE, NULL);

	node->declares = true;
	return node;
}

static struct expr *replace_refs(const struct replacement *replacement, struct expr *expr)
{
	struct arena *arena = replacement->rewrite->arena;
	struct expr *copy;

	if (!expr || !expr_uses(expr, replacement->from))
		return expr;
	copy = ARENA_NEW(arena, struct expr);
	*copy = *expr;
	copy->arg = ARENA_ARRAY(arena, struct expr *, expr->n);
	for (int i = 0; i < expr->n; i++)
		copy->arg[i] = replace_refs(replacement, expr->arg[i]);
	return expr->kind == EXPR_REF && expr->var == replacement->from ? replacement->make(replacement, copy) : copy;
}

void node_replace_refs(const struct replacement *replacement, struct node *node)
{
	node->lo = replace_refs(replacement, node->lo);
	node->hi = replace_refs(replacement, node->hi);
	node->cond = replace_refs(replacement, node->cond);
	node->target = replace_refs(replacement, node->target);
	node->value = replace_refs(replacement, node->value);
	for (int i = 0; i < node->body.n; i++)
		node_replace_refs(replacement, node->body.node[i]);
	for (int i = 0; i < node->orelse.n; i++)
		node_replace_refs(replacement, node->orelse.node[i]);
}

/* What the walk for statements outside a loop looks for. */
struct outsider {
	const struct node *loop;
};

static bool visit_outsider(struct node *node, void *context)
{
	const struct outsider *outsider = context;

	return node->kind != NODE_STMT || node_holds(outsider->loop, node);
}

/* Whether everything that "node" does is done by "loop" inside it. */
static bool is_only_work(const struct node *node, const struct node *loop)
{
	struct outsider outsider = { loop };

	return list_walk(&node->body, visit_outsider, &outsider) && list_walk(&node->orelse, visit_outsider, &outsider);
}

void require_entered(struct rewrite *rewrite, struct node *at)
{
	struct path path = nest_find_path(rewrite->nest, at);
	struct node *outermost = at;
	struct node *condition;
	struct spot spot;

	if (loop_is_entered(at, path.n, path.loop))
		return;
	for (;;) {
		struct node *parent = nest_find_spot(rewrite->nest, outermost).parent;

		if (!parent || !is_only_work(parent, at) ||
		    (parent->kind == NODE_LOOP && (expr_uses(at->lo, parent->iter) || expr_uses(at->hi, parent->iter))))
			break;
		outermost = parent;
	}
	condition = node_if(rewrite->arena, expr_binary(rewrite->arena, OP_LT, at->lo, at->hi));
	spot = nest_find_spot(rewrite->nest, outermost);
	list_add(rewrite->arena, &condition->body, outermost);
	spot.list->node[spot.at] = condition;
}
