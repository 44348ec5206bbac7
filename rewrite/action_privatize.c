#include <string.h>

#include "action_internal.h"
#include "action_sum.h"

enum { PRIVATE_BYTES_MAX = 1 << 16 };

/* What the replacement of a scalar local by elements of an array needs. */
struct expansion {
	struct arena *arena;
	const struct var *old;
	struct var *array;
	struct expr *lane;
};

/* "expr" with each reference old[..] replaced by array[lane, ..]. */
static struct expr *expand_expr(const struct expansion *expansion, struct expr *expr)
{
	struct arena *arena = expansion->arena;
	struct expr *copy, **arg;

	if (!expr || !expr_uses(expr, expansion->old))
		return expr;
	arg = ARENA_ARRAY(arena, struct expr *, expr->n + 1);
	if (expr->kind == EXPR_REF && expr->var == expansion->old) {
		arg[0] = expansion->lane;
		for (int i = 0; i < expr->n; i++)
			arg[i + 1] = expand_expr(expansion, expr->arg[i]);
		return expr_ref(arena, expansion->array, expr->n + 1, arg);
	}
	for (int i = 0; i < expr->n; i++)
		arg[i] = expand_expr(expansion, expr->arg[i]);
	copy = ARENA_NEW(arena, struct expr);
	*copy = *expr;
	copy->arg = arg;
	return copy;
}

static void expand_node(const struct expansion *expansion, struct node *node)
{
	node->lo = expand_expr(expansion, node->lo);
	node->hi = expand_expr(expansion, node->hi);
	node->cond = expand_expr(expansion, node->cond);
	if (node->kind == NODE_STMT && node->declares && node->target->var == expansion->old) {
		node->target = expr_ref(expansion->arena, expansion->array, 1, (struct expr *[]){ expansion->lane });
		node->declares = false;
	} else {
		node->target = expand_expr(expansion, node->target);
	}
	node->value = expand_expr(expansion, node->value);
	for (int i = 0; i < node->body.n; i++)
		expand_node(expansion, node->body.node[i]);
	for (int i = 0; i < node->orelse.n; i++)
		expand_node(expansion, node->orelse.node[i]);
}

/* The place in the body of "loop" of the statement that declares "var", or -1. */
static int declaration_in(const struct node *loop, const struct var *var)
{
	for (int i = 0; i < loop->body.n; i++)
		if (loop->body.node[i]->kind == NODE_STMT && loop->body.node[i]->declares &&
		    loop->body.node[i]->target->var == var)
			return i;
	return -1;
}

/* An array of "trip" copies of the local "var". */
static struct var *expanded_var(struct rewrite *rewrite, const struct var *var, int64_t trip)
{
	struct expr **extent = ARENA_ARRAY(rewrite->arena, struct expr *, var->rank + 1);

	extent[0] = expr_int(rewrite->arena, trip, TYPE_I32);
	for (int i = 0; i < var->rank; i++)
		extent[i + 1] = var->extent[i];
	return derived_var(rewrite, var, "p", var->type, var->rank + 1, extent);
}

static int64_t bytes_of(const struct var *var)
{
	int64_t bytes = type_size(var->type);

	for (int i = 0; i < var->rank; i++)
		bytes *= var->extent[i]->integer;
	return bytes;
}

enum status privatize_local(struct rewrite *rewrite, struct node *loop, struct var *var)
{
	int at = declaration_in(loop, var);
	struct spot spot = nest_find_spot(rewrite->nest, loop);
	struct expansion expansion = { rewrite->arena, var, NULL, NULL };
	struct sum base;
	int64_t trip = loop_base(loop, &base);
	bool is_unset;

	if (trip < 0 || loop->step != 1)
		return refuse(rewrite, "%s is declared in %s, which has no constant number of iterations; tile(%s:8) would help",
			      var->name, loop->iter->name, loop->iter->name);
	if (trip * bytes_of(var) > PRIVATE_BYTES_MAX)
		return refuse(rewrite, "%lld copies of %s are too large", (long long)trip, var->name);
	is_unset = !loop->body.node[at]->value;
	expansion.array = expanded_var(rewrite, var, trip);
	expansion.lane = expr_binary(rewrite->arena, OP_SUB, expr_scalar(rewrite->arena, loop->iter),
				     sum_expr(rewrite->arena, &base, loop->iter->type));
	if (is_unset)
		list_remove(&loop->body, at);
	for (int i = 0; i < loop->body.n; i++)
		expand_node(&expansion, loop->body.node[i]);
	list_insert(rewrite->arena, spot.list, spot.at, made_declaration(rewrite, expansion.array));
	return STATUS_OK;
}

/* What the walk for the loop whose body declares a local looks for. */
struct home {
	const char *name;
	struct var *var;
	struct node *loop;
};

static bool visit_home(struct node *node, void *context)
{
	struct home *home = context;

	for (int i = 0; node->kind == NODE_LOOP && i < node->body.n; i++) {
		const struct node *child = node->body.node[i];

		if (child->kind != NODE_STMT || !child->declares || strcmp(child->target->var->name, home->name) != 0)
			continue;
		home->var = child->target->var;
		home->loop = node;
		return false;
	}
	return true;
}

enum status action_privatize(struct rewrite *rewrite, const struct action *action)
{
	struct home home = { 0 };
	const struct var *var;

	if (action->n != 1 || action->arg[0].kind != ARG_NAME)
		return refuse(rewrite, "privatize needs a local, as in privatize(s)");
	home.name = action->arg[0].name;
	var = nest_find_var(rewrite->nest, home.name);
	if (!var || var->kind != VAR_LOCAL)
		return refuse(rewrite, "%s is not a local", home.name);
	if (list_walk(&rewrite->nest->body, visit_home, &home))
		return refuse(rewrite, "%s is not declared in the body of a loop", home.name);
	return privatize_local(rewrite, home.loop, home.var);
}
