#include "isl_check.h"

static const struct instance *instance_at(const struct instances *all, const struct placed *now)
{
	for (int i = 0; i < all->n; i++)
		if (all->instance[i].now == now)
			return all->instance + i;
	return NULL;
}

/* The statement of the original that declares what "var" stands for; NULL when none does. */
static const struct placed *original_declaration(const struct instances *all, const struct var *var)
{
	const struct events *events = all->dependences->events;

	for (int i = 0; i < events->n_scope; i++)
		if (var_stands_for(var, events->scope[i].var))
			return events->scope[i].declaration;
	return NULL;
}

/* Whether "use" and the declaration "home" (around or before it) stand for the same iteration of the loops around the
 * original declaration. */
static bool is_same_iteration(const struct instance *use, const struct instance *home)
{
	const int n = home->before->depth;
	isl_pw_multi_aff *outer = isl_pw_multi_aff_copy(use->origin);
	isl_map *seen, *declared;

	outer = isl_pw_multi_aff_drop_dims(outer, isl_dim_out, n, use->before->depth - n);
	seen = isl_map_intersect_domain(isl_map_from_pw_multi_aff(outer), isl_set_copy(use->now->domain));
	declared = isl_map_from_pw_multi_aff(isl_pw_multi_aff_copy(home->origin));
	declared = isl_map_add_dims(declared, isl_dim_in, use->now->depth - home->now->depth);
	return map_is_empty(isl_map_subtract(seen, declared));
}

/* A use of a local by a statement that stands for an original one.
 *   before  where the original declares it
 *   now     the declaration that the use sees; NULL: it lives as long as the region
 *   home    the instance of "now", when that stands for "before" */
struct use {
	const struct instance *by;
	const struct event *event;
	const struct access *access;
	int number; /* of the access, among those of its event to locals that stand for the same one */
	const struct placed *before, *now;
	const struct instance *home;
};

struct uses {
	const struct instances *all;
	int n;
	struct use *use;
};

static struct use use_of(const struct instances *all, const struct instance *by, const struct event *event, int number)
{
	struct use use = { .by = by, .event = event, .access = event->access + number };

	use.before = original_declaration(all, use.access->var);
	use.now = events_declaration(all->events, use.access->var, by->now);
	use.home = use.now ? instance_at(all, use.now) : NULL;
	if (use.home && use.home->before != use.before)
		use.home = NULL;
	for (int i = 0; i < number; i++)
		use.number += use.before && original_declaration(all, event->access[i].var) == use.before;
	return use;
}

/* Whether statements that actions made touch "var": then it holds copies or partial sums, which they move. */
static bool is_managed(const struct instances *all, const struct var *var)
{
	for (int i = 0; i < all->events->n; i++) {
		const struct event *event = all->events->event + i;

		for (int j = 0; !event->stmt->node->origin && j < event->n_access; j++)
			if (event->access[j].var == var)
				return true;
	}
	return false;
}

/* Whether the validator answers for what "use" sees. */
static bool is_checked(const struct instances *all, const struct use *use)
{
	return use->before && use->access->var->kind == VAR_LOCAL && (use->home || !is_managed(all, use->access->var));
}

static struct uses uses_of(const struct instances *all)
{
	struct uses uses = { .all = all };
	int most = 1;

	for (int i = 0; i < all->events->n; i++)
		most += all->events->event[i].n_access;
	uses.use = ARENA_ARRAY(all->now->world->arena, struct use, most);
	for (int i = 0; i < all->events->n; i++) {
		const struct event *event = all->events->event + i;
		const struct instance *by = instance_at(all, event->stmt);

		for (int j = 0; by && j < event->n_access; j++) {
			uses.use[uses.n] = use_of(all, by, event, j);
			uses.n += is_checked(all, uses.use + uses.n);
		}
	}
	return uses;
}

/* Whether "event" of the original is what the event of "use" stands for. */
static bool is_original_event(const struct use *use, const struct event *event)
{
	if (event->stmt != use->by->before)
		return false;
	return use->event->guard == (event->guard < 0 ? -1 : use->by->guard_of[event->guard]);
}

/* The original access that "use" stands for; NULL when the statement's accesses to the local cannot be paired. */
static const struct access *original_access(const struct uses *uses, const struct use *use)
{
	const struct events *events = uses->all->dependences->events;
	const struct var *var = use->before->node->target->var;

	for (int i = 0; i < events->n; i++) {
		const struct event *event = events->event + i;
		int number = 0;

		for (int j = 0; is_original_event(use, event) && j < event->n_access; j++)
			if (event->access[j].var == var && number++ == use->number)
				return event->access + j;
	}
	return NULL;
}

/* { [element of the original local] -> [element of the local now] } of one use; NULL when it is not known exactly. */
static isl_map *element_map(const struct uses *uses, const struct use *use)
{
	const struct access *before = original_access(uses, use);
	isl_map *map;

	if (!before || !before->is_exact || !use->access->is_exact)
		return NULL;
	map = isl_map_preimage_domain_pw_multi_aff(isl_map_copy(before->map), isl_pw_multi_aff_copy(use->by->origin));
	return isl_map_apply_range(isl_map_reverse(map), isl_map_copy(use->access->map));
}

/* Whether the elements that "a" and "b" touch are the same now exactly when they were the same in the original. */
static bool is_consistent(const struct uses *uses, const struct use *a, const struct use *b)
{
	isl_map *left = element_map(uses, a), *right = left ? element_map(uses, b) : NULL;
	isl_map *both;
	bool is_fine;

	if (!right) {
		isl_map_free(left);
		return false;
	}
	if (a->access->var != b->access->var || a->now != b->now) {
		isl_set *shared = isl_set_intersect(isl_map_domain(left), isl_map_domain(right));

		is_fine = isl_set_is_empty(shared) == isl_bool_true;
		isl_set_free(shared);
		return is_fine;
	}
	both = isl_map_union(left, right);
	is_fine = isl_map_is_single_valued(both) == isl_bool_true && isl_map_is_injective(both) == isl_bool_true;
	isl_map_free(both);
	return is_fine;
}

/* Whether the local that "use" touches now holds what the original one did: it is declared in the same iteration, or its
 * elements are the original's under other names. */
static bool is_faithful(const struct uses *uses, int at)
{
	const struct use *use = uses->use + at;

	if (use->home && placed_common(use->before, use->by->before) == use->before->depth)
		return use->home == use->by || is_same_iteration(use->by, use->home);
	for (int i = 0; i < uses->n; i++)
		if (uses->use[i].before == use->before && !is_consistent(uses, use, uses->use + i))
			return false;
	return true;
}

bool check_scopes(const struct instances *all, struct diag *why)
{
	const struct uses uses = uses_of(all);

	for (int i = 0; i < uses.n; i++)
		if (!is_faithful(&uses, i)) {
			diag_set(why, EXIT_INPUT, "%s would see another iteration's %s",
				 placed_name(all->now->world->arena, uses.use[i].by->before),
				 uses.use[i].before->node->target->var->name);
			return false;
		}
	return true;
}
