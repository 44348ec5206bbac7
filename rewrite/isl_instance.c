#include "isl_instance.h"

#include <string.h>

bool var_stands_for(const struct var *now, const struct var *before)
{
	const size_t length = strlen(before->name);

	return !strncmp(now->name, before->name, length) && (!now->name[length] || now->name[length] == '.');
}

const char *placed_name(struct arena *arena, const struct placed *placed)
{
	const struct node *node = placed->node;

	if (node->label >= 0)
		return arena_printf(arena, "S%d", node->label);
	return arena_printf(arena, "%s%s", node->declares ? "let " : "the assignment to ", node->target->var->name);
}

static bool is_same_stmt(const struct node *now, const struct node *before)
{
	if (now->label >= 0 || before->label >= 0)
		return now->label == before->label;
	return now->declares && before->declares && var_stands_for(now->target->var, before->target->var);
}

static const struct placed *find_before(const struct tree *tree, const struct node *node)
{
	for (int i = 0; i < tree->n; i++)
		if (is_same_stmt(node, tree->placed[i].node))
			return tree->placed + i;
	return NULL;
}

/* { [x] -> [origin(x)] }; NULL when some part cannot be expressed. */
static isl_pw_multi_aff *origin_map(struct world *world, const struct placed *now)
{
	const struct place place = { world, now->frame, NULL };
	const int n = now->node->n_origin;
	isl_pw_aff_list *list = isl_pw_aff_list_alloc(world->ctx, n);
	isl_space *space;

	for (int i = 0; i < n; i++) {
		isl_pw_aff *value = place_value(&place, now->node->origin[i]);

		if (!value) {
			isl_pw_aff_list_free(list);
			return NULL;
		}
		list = isl_pw_aff_list_add(list, value);
	}
	space = isl_space_map_from_domain_and_range(world_space(world, now->depth), world_space(world, n));
	return isl_pw_multi_aff_from_multi_pw_aff(isl_multi_pw_aff_from_pw_aff_list(space, list));
}

/* "expr" of the original with its iterators replaced by the origin: first by stand-ins, for both nests may share iterators. */
static const struct expr *translate(struct arena *arena, const struct instance *instance, const struct expr *expr)
{
	const struct node *node = instance->now->node;
	struct var *stand_in = ARENA_ARRAY(arena, struct var, node->n_origin + 1);
	struct expr *result = (struct expr *)expr;

	for (int i = 0; i < node->n_origin; i++) {
		stand_in[i] = *instance->before->loop[i]->node->iter;
		result = expr_replace(arena, result, instance->before->loop[i]->node->iter,
				      expr_scalar(arena, stand_in + i));
	}
	for (int i = 0; i < node->n_origin; i++)
		result = expr_replace(arena, result, stand_in + i, node->origin[i]);
	return result;
}

/* Whether integer expressions "a" and "b" have one value in all instances; false, too, when that cannot be told. */
static bool is_same_value(struct world *world, const struct placed *stmt, const struct expr *a, const struct expr *b)
{
	const struct place place = { world, stmt->frame, NULL };
	isl_pw_aff *left = place_value(&place, a), *right = left ? place_value(&place, b) : NULL;
	isl_set *differ;
	bool is_same;

	if (!right) {
		isl_pw_aff_free(left);
		return false;
	}
	differ = isl_set_intersect(isl_pw_aff_ne_set(left, right), isl_set_copy(stmt->domain));
	is_same = isl_set_is_empty(differ) == isl_bool_true;
	isl_set_free(differ);
	return is_same;
}

static bool is_same_atom(const struct expr *before, const struct expr *now)
{
	if (before->kind != now->kind || before->op != now->op || before->n != now->n)
		return false;
	if (before->kind == EXPR_CALL)
		return !strcmp(before->name, now->name);
	return before->integer == now->integer && !memcmp(&before->real, &now->real, sizeof(now->real));
}

/* Whether evaluating "now" gives what "before" (translated) gave, provided that memory holds the same. Elements of arrays that
 * actions made are taken to be the right ones. */
static bool is_same_expr(struct world *world, const struct placed *stmt, const struct expr *before, const struct expr *now)
{
	const bool is_ref = before->kind == EXPR_REF && now->kind == EXPR_REF;

	if (expr_equal(before, now))
		return true;
	if (before->type != now->type)
		return false;
	if (is_ref && var_stands_for(now->var, before->var) && strcmp(now->var->name, before->var->name))
		return true;
	if (type_is_integer(before->type) && is_same_value(world, stmt, before, now))
		return true;
	if (!is_same_atom(before, now) || (is_ref && strcmp(now->var->name, before->var->name)))
		return false;
	for (int i = 0; i < before->n; i++)
		if (!is_same_expr(world, stmt, before->arg[i], now->arg[i]))
			return false;
	return before->n > 0 || before->kind != EXPR_REF || before->var->kind != VAR_ITER;
}

/* Whether the loop of guard "now" runs as that of "before" did: same step, same iterator. */
static bool is_same_loop(struct world *world, const struct instance *instance, const struct guard *before,
			 const struct guard *now)
{
	struct expr *const origin = instance->now->node->origin[before->frame->depth - 1];
	struct expr *const iter = expr_scalar(world->arena, now->frame->node->iter);

	return before->frame->node->step == now->frame->node->step &&
	       is_same_value(world, instance->now, origin, iter);
}

static bool is_same_guard(struct world *world, const struct instance *instance, const struct guard *before,
			  const struct guard *now)
{
	if (before->kind != now->kind || before->negated != now->negated)
		return false;
	if (before->kind != GUARD_IF && !is_same_loop(world, instance, before, now))
		return false;
	return is_same_expr(world, instance->now, translate(world->arena, instance, before->expr), now->expr);
}

/* Whether the statement computes what it did in the original. */
static bool is_same_work(struct world *world, const struct instance *instance)
{
	const struct node *before = instance->before->node, *now = instance->now->node;

	if (before->op != now->op || !before->value != !now->value)
		return false;
	return is_same_expr(world, instance->now, translate(world->arena, instance, before->target), now->target) &&
	       (!before->value ||
		is_same_expr(world, instance->now, translate(world->arena, instance, before->value), now->value));
}

/* Pair the guards around the statement before and now; false when they are not the same. */
static bool match_guards(struct world *world, struct instance *instance)
{
	const int n = instance->before->n_guard;
	bool *taken = ARENA_ARRAY(world->arena, bool, n + 1);

	instance->guard_of = ARENA_ARRAY(world->arena, int, n + 1);
	if (n != instance->now->n_guard)
		return false;
	for (int i = 0; i < n; i++) {
		int j = 0;

		while (j < n && (taken[j] || !is_same_guard(world, instance, instance->before->guard + i,
							    instance->now->guard + j)))
			j++;
		if (j == n)
			return false;
		taken[j] = true;
		instance->guard_of[i] = j;
	}
	return true;
}

static bool add_instance(struct instances *all, const struct placed *now, struct diag *why)
{
	struct world *world = all->now->world;
	struct instance *instance = all->instance + all->n++;
	const char *name = placed_name(world->arena, now);

	instance->now = now;
	instance->before = find_before(all->dependences->tree, now->node);
	if (!instance->before && now->node->declares && now->node->label < 0) {
		all->n--;
		return true;
	}
	if (!instance->before || instance->before->depth != now->node->n_origin) {
		diag_set(why, EXIT_INPUT, "%s stands for no statement of the original", name);
		return false;
	}
	instance->origin = origin_map(world, now);
	if (!instance->origin) {
		diag_set(why, EXIT_INPUT, "which iterations %s stands for cannot be expressed", name);
		return false;
	}
	if (!match_guards(world, instance)) {
		diag_set(why, EXIT_INPUT, "%s runs under other conditions than in the original", name);
		return false;
	}
	if (is_same_work(world, instance))
		return true;
	diag_set(why, EXIT_INPUT, "%s computes something else than in the original", name);
	return false;
}

struct instances *instances_new(const struct dependences *dependences, struct tree *now, struct diag *why)
{
	struct instances *all = ARENA_NEW(now->world->arena, struct instances);

	all->dependences = dependences;
	all->now = now;
	all->events = events_new(now);
	all->instance = ARENA_ARRAY(now->world->arena, struct instance, now->n + 1);
	for (int i = 0; i < now->n; i++)
		if (now->placed[i].node->origin && !add_instance(all, now->placed + i, why)) {
			instances_free(all);
			return NULL;
		}
	return all;
}

void instances_free(struct instances *instances)
{
	if (!instances)
		return;
	events_free(instances->events);
	for (int i = 0; i < instances->n; i++)
		isl_pw_multi_aff_free(instances->instance[i].origin);
}
