#include "isl_check.h"

/* One question: do the instances of two events that "dependence" relates keep their order?
 *   common     loops that both events share now
 *   is_before  the source's text stands before the target's */
struct question {
	const struct dependence *dependence;
	const struct instance *from, *to;
	int common;
	bool is_before, is_same;
};

static isl_map *level_lt(isl_map *map, int level)
{
	return isl_map_order_lt(isl_map_copy(map), isl_dim_in, level, isl_dim_out, level);
}

static isl_map *level_gt(isl_map *map, int level)
{
	return isl_map_order_gt(isl_map_copy(map), isl_dim_in, level, isl_dim_out, level);
}

/* Whether instances that are equal in all common loops are in order; with "lanes", they may be lanes of one vector, which
 * execute one statement together: all its reads, then its writes. */
static bool is_text_ordered(const struct question *question, bool lanes)
{
	if (question->is_before)
		return true;
	return lanes && question->is_same && question->dependence->kinds == DEPENDENCE_ANTI;
}

/* Whether each pair of "map" (given; { [x] -> [y] }, equal in the loops outside "level") is in order. */
static bool is_ordered(const struct question *question, isl_map *map, int level, bool lanes)
{
	bool is_fine = true;

	for (; level < question->common && is_fine; level++) {
		const struct loop_marks *marks = &question->from->now->loop[level]->node->marks;

		is_fine = map_is_empty(level_gt(map, level));
		if (is_fine && marks->parallel)
			is_fine = map_is_empty(level_lt(map, level));
		else if (is_fine && marks->vector)
			is_fine = is_ordered(question, level_lt(map, level), level + 1, true);
		map = isl_map_equate(map, isl_dim_in, level, isl_dim_out, level);
	}
	is_fine = is_fine && (is_text_ordered(question, lanes) || isl_map_is_empty(map) == isl_bool_true);
	isl_map_free(map);
	return is_fine;
}

/* { [x] -> [y] }: the pairs of current instances of which the original instances depend on each other. */
static isl_map *current_pairs(const struct question *question)
{
	isl_map *map = isl_map_copy(question->dependence->map);

	map = isl_map_preimage_domain_pw_multi_aff(map, isl_pw_multi_aff_copy(question->from->origin));
	map = isl_map_preimage_range_pw_multi_aff(map, isl_pw_multi_aff_copy(question->to->origin));
	map = isl_map_intersect_domain(map, isl_set_copy(question->from->now->domain));
	return isl_map_intersect_range(map, isl_set_copy(question->to->now->domain));
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

static struct question question_of(const struct dependence *dependence, const struct instance *from,
				   const struct instance *to)
{
	const int from_guard = dependence->from->guard < 0 ? -1 : from->guard_of[dependence->from->guard];
	const int to_guard = dependence->to->guard < 0 ? -1 : to->guard_of[dependence->to->guard];
	int from_depth, from_index, to_depth, to_index;

	event_place(from->now, from_guard, &from_depth, &from_index);
	event_place(to->now, to_guard, &to_depth, &to_index);
	return (struct question){
		.dependence = dependence,
		.from = from,
		.to = to,
		.common = smaller(placed_common(from->now, to->now), smaller(from_depth, to_depth)),
		.is_before = from_index < to_index,
		.is_same = from_index == to_index,
	};
}

/* Whether the dependence is that of a local's uses on its declaration, and is a matter of scopes: a declaration starts a new
 * life of it. */
static bool is_about_scope(const struct question *question)
{
	const struct event *from = question->dependence->from;
	const struct node *node = from->stmt->node;

	return from->guard < 0 && node->declares && node->target->var == question->dependence->var &&
	       question->from->now->node->declares;
}

/* Whether some loop around both events runs its iterations on different threads. */
static bool is_concurrent(const struct question *question)
{
	for (int i = 0; i < question->common; i++)
		if (question->from->now->loop[i]->node->marks.parallel)
			return true;
	return false;
}

static const struct access *target_now(const struct instances *all, const struct placed *now)
{
	for (int i = 0; i < all->events->n; i++) {
		const struct event *event = all->events->event + i;

		for (int j = 0; event->stmt == now && event->guard < 0 && j < event->n_access; j++)
			if (event->access[j].is_target)
				return event->access + j;
	}
	return NULL;
}

/* Whether no two iterations of a parallel loop fold into the same element of what now is the target. */
static bool is_race_free(const struct instances *all, const struct question *question)
{
	const struct access *from = target_now(all, question->from->now), *to = target_now(all, question->to->now);
	isl_map *map;
	bool is_fine = true;

	if (!from || !to || from->var != to->var)
		return from && to;
	map = isl_map_apply_range(isl_map_copy(from->map), isl_map_reverse(isl_map_copy(to->map)));
	for (int level = 0; level < question->common && is_fine; level++) {
		if (question->from->now->loop[level]->node->marks.parallel)
			is_fine = map_is_empty(level_lt(map, level)) && map_is_empty(level_gt(map, level));
		map = isl_map_equate(map, isl_dim_in, level, isl_dim_out, level);
	}
	isl_map_free(map);
	return is_fine;
}

/* Whether both are terms of an extreme of which the order of its terms is settled afterwards. */
static bool is_settled(const struct question *question)
{
	return question->dependence->is_selection && question->from->now->node->is_settled && question->to->now->node->is_settled;
}

static bool keeps(const struct instances *all, const struct question *question)
{
	if (is_about_scope(question))
		return true;
	if (question->dependence->is_exempt || is_settled(question))
		return !is_concurrent(question) || is_race_free(all, question);
	if (!question->common && question->is_before)
		return true;
	return is_ordered(question, current_pairs(question), 0, false);
}

static bool check_dependence(const struct instances *all, const struct dependence *dependence, struct diag *why)
{
	for (int i = 0; i < all->n; i++) {
		if (all->instance[i].before != dependence->from->stmt)
			continue;
		for (int j = 0; j < all->n; j++) {
			struct question question;

			if (all->instance[j].before != dependence->to->stmt)
				continue;
			question = question_of(dependence, all->instance + i, all->instance + j);
			if (keeps(all, &question))
				continue;
			diag_set(why, EXIT_INPUT, "%s must run before %s uses %s",
				 placed_name(all->now->world->arena, dependence->from->stmt),
				 placed_name(all->now->world->arena, dependence->to->stmt), dependence->var->name);
			return false;
		}
	}
	return true;
}

bool check_order(const struct instances *all, struct diag *why)
{
	const struct dependences *dependences = all->dependences;

	for (int i = 0; i < dependences->n; i++)
		if (!check_dependence(all, dependences->dependence + i, why))
			return false;
	return true;
}
