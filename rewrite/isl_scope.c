#include "isl_check.h"

/* Whether "use" and the declaration "home" (around or before it) stand for the same iteration of the loops around the
 * original declaration. */
static bool is_same_iteration(const struct instance *use, const struct instance *home)
{
	const int n = home->before->depth;
	isl_pw_multi_aff *outer = isl_pw_multi_aff_copy(use->origin);
	isl_map *differ = NULL;
	isl_map *a, *b;
	bool is_fine;

	outer = isl_pw_multi_aff_drop_dims(outer, isl_dim_out, n, use->before->depth - n);
	a = isl_map_intersect_domain(isl_map_from_pw_multi_aff(outer), isl_set_copy(use->now->domain));
	b = isl_map_from_pw_multi_aff(isl_pw_multi_aff_copy(home->origin));
	b = isl_map_add_dims(b, isl_dim_in, use->now->depth - home->now->depth);
	differ = isl_map_subtract(a, b);
	is_fine = isl_map_is_empty(differ) == isl_bool_true;
	isl_map_free(differ);
	return is_fine;
}

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

static bool check_use(const struct instances *all, const struct instance *use, const struct access *access)
{
	const struct placed *before = original_declaration(all, access->var);
	const struct placed *now = events_declaration(all->events, access->var, use->now);
	const struct instance *home = now ? instance_at(all, now) : NULL;

	if (!before)
		return true;
	if (!home || home->before != before || placed_common(before, use->before) != before->depth)
		return false;
	return home == use || is_same_iteration(use, home);
}

static bool check_event(const struct instances *all, const struct event *event, struct diag *why)
{
	const struct instance *use = instance_at(all, event->stmt);

	for (int i = 0; use && i < event->n_access; i++) {
		const struct access *access = event->access + i;

		if (access->var->kind == VAR_LOCAL && !check_use(all, use, access)) {
			diag_set(why, EXIT_INPUT, "%s would see another iteration's %s",
				 placed_name(all->now->world->arena, event->stmt), access->var->name);
			return false;
		}
	}
	return true;
}

bool check_scopes(const struct instances *all, struct diag *why)
{
	for (int i = 0; i < all->events->n; i++)
		if (!check_event(all, all->events->event + i, why))
			return false;
	return true;
}
