#include "isl_check.h"

/* Whether "before" declares a local that no other statement of the original writes. */
static bool is_only_definition(const struct dependences *dependences, const struct placed *before)
{
	const struct events *events = dependences->events;

	if (!before->node->declares)
		return false;
	for (int i = 0; i < events->n; i++)
		for (int j = 0; j < events->event[i].n_access; j++) {
			const struct access *access = events->event[i].access + j;

			if (access->is_write && access->var == before->node->target->var &&
			    events->event[i].stmt != before)
				return false;
		}
	return true;
}

/* Whether instances of "before" may be repeated: it declares a constant local, and so do all that stand for it now. */
static bool is_repeatable(const struct instances *all, const struct placed *before)
{
	for (int i = 0; i < all->n; i++)
		if (all->instance[i].before == before && !all->instance[i].now->node->declares)
			return false;
	return is_only_definition(all->dependences, before);
}

/* { [i] }: the original instances that "instance" executes. */
static isl_set *executed(const struct instance *instance)
{
	isl_map *map = isl_map_from_pw_multi_aff(isl_pw_multi_aff_copy(instance->origin));

	return isl_map_range(isl_map_intersect_domain(map, isl_set_copy(instance->now->domain)));
}

/* { [x] -> [y] }: instances x of "a" and y of "b" that execute the same original instance. */
static isl_map *clashes(const struct instance *a, const struct instance *b)
{
	isl_map *map = isl_map_from_pw_multi_aff(isl_pw_multi_aff_copy(b->origin));

	map = isl_map_intersect_domain(map, isl_set_copy(b->now->domain));
	map = isl_map_reverse(map);
	map = isl_map_preimage_domain_pw_multi_aff(map, isl_pw_multi_aff_copy(a->origin));
	return isl_map_intersect_domain(map, isl_set_copy(a->now->domain));
}

/* Whether no two instances of one statement execute the same original instance: x before y in no dimension. */
static bool is_injective(const struct instance *instance)
{
	isl_map *map = clashes(instance, instance);
	bool is_fine = true;

	for (int i = 0; i < instance->now->depth && is_fine; i++) {
		is_fine = map_is_empty(isl_map_order_lt(isl_map_copy(map), isl_dim_in, i, isl_dim_out, i));
		map = isl_map_equate(map, isl_dim_in, i, isl_dim_out, i);
	}
	isl_map_free(map);
	return is_fine;
}

static bool is_inside(const struct instance *instance)
{
	isl_set *allowed = isl_set_preimage_pw_multi_aff(isl_set_copy(instance->before->domain),
							 isl_pw_multi_aff_copy(instance->origin));
	const bool is_fine = isl_set_is_subset(instance->now->domain, allowed) == isl_bool_true;

	isl_set_free(allowed);
	return is_fine;
}

static bool is_disjoint_from_later(const struct instances *all, int i)
{
	for (int j = i + 1; j < all->n; j++)
		if (all->instance[j].before == all->instance[i].before &&
		    !map_is_empty(clashes(all->instance + i, all->instance + j)))
			return false;
	return true;
}

static bool check_instance(const struct instances *all, int i, struct diag *why)
{
	const struct instance *instance = all->instance + i;
	const char *name = placed_name(all->now->world->arena, instance->before);

	if (!is_inside(instance)) {
		diag_set(why, EXIT_INPUT, "%s would run for iterations that the original does not have", name);
		return false;
	}
	if (is_repeatable(all, instance->before))
		return true;
	if (is_injective(instance) && is_disjoint_from_later(all, i))
		return true;
	diag_set(why, EXIT_INPUT, "%s would run more than once for some iteration", name);
	return false;
}

/* Whether the instances of "before" are all executed. */
static bool is_covered(const struct instances *all, const struct placed *before)
{
	isl_set *wanted = isl_set_intersect_params(isl_set_copy(before->domain), isl_set_params(isl_set_copy(all->now->context)));
	isl_set *sum = NULL;
	bool is_fine;

	for (int i = 0; i < all->n; i++)
		if (all->instance[i].before == before)
			sum = sum ? isl_set_union(sum, executed(all->instance + i)) : executed(all->instance + i);
	is_fine = sum ? isl_set_is_subset(wanted, sum) == isl_bool_true : isl_set_is_empty(wanted) == isl_bool_true;
	isl_set_free(wanted);
	isl_set_free(sum);
	return is_fine;
}

/* Whether the original statement may be missing: a declaration that does not set a value does nothing. */
static bool is_needless(const struct placed *before)
{
	return before->node->declares && !before->node->value;
}

static bool is_dropped(const struct instances *all, const struct placed *before)
{
	for (int i = 0; i < all->n; i++)
		if (all->instance[i].before == before)
			return false;
	return true;
}

/* Whether some statement now uses what the original one sets. */
static bool is_used(const struct instances *all, const struct placed *before)
{
	for (int i = 0; i < all->events->n; i++)
		for (int j = 0; j < all->events->event[i].n_access; j++)
			if (var_stands_for(all->events->event[i].access[j].var, before->node->target->var))
				return true;
	return false;
}

/* Whether the original statement need not run for each of its iterations.
 * NOTE: a repeatable declaration need not run where nothing reads it; that each use sees one is checked with the scopes, if there
 * is one. */
static bool is_optional(const struct instances *all, const struct placed *before)
{
	return is_needless(before) ||
	       (is_repeatable(all, before) && !(is_dropped(all, before) && is_used(all, before)));
}

bool check_cover(const struct instances *all, struct diag *why)
{
	const struct tree *original = all->dependences->tree;

	for (int i = 0; i < all->n; i++)
		if (!check_instance(all, i, why))
			return false;
	for (int i = 0; i < original->n; i++)
		if (!is_optional(all, original->placed + i) && !is_covered(all, original->placed + i)) {
			diag_set(why, EXIT_INPUT, "%s would not run for some iteration",
				 placed_name(all->now->world->arena, original->placed + i));
			return false;
		}
	return true;
}
