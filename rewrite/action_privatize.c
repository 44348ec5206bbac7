#include <string.h>

#include "action_internal.h"
#include "action_sum.h"

enum { PRIVATE_BYTES_MAX = 1 << 16 };

/* The array that stands for a local, and the place in it of an iteration's copy. */
struct expansion {
	struct var *array;
	struct expr *lane;
};

/* array[.., lane] for old[..]: the lane comes last, for iterations side by side are what vectors want */
static struct expr *expanded_ref(const struct replacement *replacement, struct expr *reference)
{
	const struct expansion *expansion = replacement->context;
	struct arena *arena = replacement->rewrite->arena;
	struct expr **arg = ARENA_ARRAY(arena, struct expr *, reference->n + 1);

	for (int i = 0; i < reference->n; i++)
		arg[i] = reference->arg[i];
	arg[reference->n] = expansion->lane;
	return expr_ref(arena, expansion->array, reference->n + 1, arg);
}

/* The place in "list" of the statement that declares "var", or -1. */
static int declaration_in(const struct list *list, const struct var *var)
{
	for (int i = 0; i < list->n; i++)
		if (list->node[i]->kind == NODE_STMT && list->node[i]->declares && list->node[i]->target->var == var)
			return i;
	return -1;
}

/* An array of "trip" copies of the local "var". */
static struct var *expanded_var(struct rewrite *rewrite, const struct var *var, int64_t trip)
{
	struct expr **extent = ARENA_ARRAY(rewrite->arena, struct expr *, var->rank + 1);

	for (int i = 0; i < var->rank; i++)
		extent[i] = var->extent[i];
	extent[var->rank] = expr_int(rewrite->arena, trip, TYPE_I32);
	return derived_var(rewrite, var, "p", var->type, var->rank + 1, extent);
}

static int64_t bytes_of(const struct var *var)
{
	int64_t bytes = type_size(var->type);

	for (int i = 0; i < var->rank; i++)
		bytes *= var->extent[i]->integer;
	return bytes;
}

static bool is_no_bound(struct node *node, void *context)
{
	const struct var *var = context;

	return node->kind != NODE_LOOP || !(expr_uses(node->lo, var) || expr_uses(node->hi, var));
}

struct var *expand_local(struct rewrite *rewrite, struct node *loop, struct list *list, struct var *var)
{
	int at = declaration_in(list, var);
	struct expansion expansion;
	struct replacement replacement = { rewrite, var, expanded_ref, &expansion };
	struct sum base;
	int64_t trip = loop_base(loop, &base);

	if (trip < 0 || loop->step != 1) {
		refuse(rewrite, "%s is declared in %s, which has no constant number of iterations; tile(%s:8) would help", var->name,
		       loop->iter->name, loop->iter->name);
		return NULL;
	}
	if (statement_is_repeated(rewrite->nest, list->node[at])) {
		refuse(rewrite, "%s is computed anew by loops that it does not depend on; order them inside first", var->name);
		return NULL;
	}
	if (!list_walk(list, is_no_bound, var)) {
		refuse(rewrite, "%s bounds a loop, which an element of an array cannot", var->name);
		return NULL;
	}
	if (trip * bytes_of(var) > PRIVATE_BYTES_MAX) {
		refuse(rewrite, "%lld copies of %s are too large", (long long)trip, var->name);
		return NULL;
	}
	expansion.array = expanded_var(rewrite, var, trip);
	expansion.lane = expr_binary(rewrite->arena, OP_SUB, expr_scalar(rewrite->arena, loop->iter),
				     sum_expr(rewrite->arena, &base, loop->iter->type));
	list->node[at]->declares = false;
	if (list->node[at]->label < 0)
		list->node[at]->label = rewrite->nest->n_label++;
	if (!list->node[at]->value)
		list_remove(list, at);
	for (int i = 0; i < list->n; i++)
		node_replace_refs(&replacement, list->node[i]);
	return expansion.array;
}

enum status privatize_local(struct rewrite *rewrite, struct node *loop, struct var *var)
{
	struct var *array = expand_local(rewrite, loop, &loop->body, var);
	struct spot spot = nest_find_spot(rewrite->nest, loop);

	if (!array)
		return STATUS_FAILED;
	list_insert(rewrite->arena, spot.list, spot.at, made_declaration(rewrite, array));
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
