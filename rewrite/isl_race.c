#include "isl_check.h"

/* Two events of the rewritten nest, at least one of them made by an action, and an access of each to one variable. */
struct meeting {
	const struct event *a, *b;
	const struct access *left, *right;
};

static bool is_parallel(const struct frame *loop)
{
	return loop->node->marks.parallel;
}

/* Whether different iterations of a parallel loop around both may touch the same element. */
static bool races(const struct meeting *meeting)
{
	const int common = placed_common(meeting->a->stmt, meeting->b->stmt);
	isl_map *map = isl_map_apply_range(isl_map_copy(meeting->left->map),
					   isl_map_reverse(isl_map_copy(meeting->right->map)));
	bool found = false;

	for (int level = 0; level < common && !found; level++) {
		if (is_parallel(meeting->a->stmt->loop[level]))
			found = !map_is_empty(isl_map_order_lt(isl_map_copy(map), isl_dim_in, level, isl_dim_out, level)) ||
				!map_is_empty(isl_map_order_gt(isl_map_copy(map), isl_dim_in, level, isl_dim_out, level));
		map = isl_map_equate(map, isl_dim_in, level, isl_dim_out, level);
	}
	isl_map_free(map);
	return found;
}

static bool check_pair(const struct instances *all, const struct event *a, const struct event *b, struct diag *why)
{
	struct meeting meeting = { .a = a, .b = b };

	for (int i = 0; i < a->n_access; i++)
		for (int j = 0; j < b->n_access; j++) {
			meeting.left = a->access + i;
			meeting.right = b->access + j;
			if (meeting.left->var != meeting.right->var ||
			    !(meeting.left->is_write || meeting.right->is_write) || !races(&meeting))
				continue;
			diag_set(why, EXIT_INPUT, "threads would meet in %s, through %s",
				 placed_name(all->now->world->arena, a->stmt), meeting.left->var->name);
			return false;
		}
	return true;
}

static bool is_made(const struct event *event)
{
	return !event->stmt->node->origin;
}

static bool has_threads(const struct event *event)
{
	for (int i = 0; i < event->stmt->depth; i++)
		if (is_parallel(event->stmt->loop[i]))
			return true;
	return false;
}

bool check_races(const struct instances *all, struct diag *why)
{
	const struct events *events = all->events;

	for (int i = 0; i < events->n; i++) {
		if (!is_made(events->event + i) || !has_threads(events->event + i))
			continue;
		for (int j = 0; j < events->n; j++)
			if (!check_pair(all, events->event + i, events->event + j, why))
				return false;
	}
	return true;
}
