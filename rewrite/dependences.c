#include "dependences_internal.h"

#include <stdlib.h>
#include <string.h>

#include "reduction.h"
#include "support/memory.h"

/* Two accesses to one variable, from an earlier to a later moment; "common" loops order them, then the text. */
struct pair {
	struct dependences *all;
	const struct event *from, *to;
	const struct access *source, *target;
	int common, n_vector_loops;
};

static unsigned kinds_of(const struct access *source, const struct access *target)
{
	return (source->is_write && target->is_read ? DEPENDENCE_FLOW : 0) |
	       (source->is_read && target->is_write ? DEPENDENCE_ANTI : 0) |
	       (source->is_write && target->is_write ? DEPENDENCE_OUTPUT : 0);
}

/* The condition directly around "stmt", if it is one that isl cannot express; else NULL. */
static const struct expr *own_condition(const struct placed *stmt)
{
	const struct guard *last = stmt->n_guard ? stmt->guard + stmt->n_guard - 1 : NULL;

	return last && last->kind == GUARD_IF && !last->negated && last->frame == stmt->frame ? last->expr : NULL;
}

/* Whether an access of the same statement other than to its target may touch, in one instance, the target's element. */
static bool reads_own_element(const struct event *event, const struct access *target)
{
	bool overlaps = false;

	for (int i = 0; i < event->n_access && !overlaps; i++) {
		const struct access *other = event->access + i;
		isl_map *both;

		if (other == target || other->var != target->var)
			continue;
		both = isl_map_intersect(isl_map_copy(other->map), isl_map_copy(target->map));
		overlaps = isl_map_is_empty(both) != isl_bool_true;
		isl_map_free(both);
	}
	return overlaps;
}

static const struct event *stmt_event(const struct dependences *all, const struct placed *stmt)
{
	for (int i = 0; i < all->events->n; i++)
		if (all->events->event[i].stmt == stmt && all->events->event[i].guard < 0)
			return all->events->event + i;
	return NULL;
}

static const struct access *target_of(const struct event *event)
{
	for (int i = 0; i < event->n_access; i++)
		if (event->access[i].is_target)
			return event->access + i;
	return NULL;
}

static bool touches_target(const struct event *event, const struct access *access, const struct expr *target)
{
	const struct placed *stmt = event->stmt;

	if (event->guard >= 0 && (event->guard != stmt->n_guard - 1 || !own_condition(stmt)))
		return false;
	return expr_equal(access->ref, target);
}

/* The operator of the reduction that both accesses of "pair" belong to; OP_NONE when there is none. */
static enum op pair_reduction(const struct pair *pair)
{
	const struct placed *stmt = pair->from->stmt;
	const struct event *event;
	enum op op;

	if (stmt != pair->to->stmt || !stmt->node->value)
		return OP_NONE;
	if (!touches_target(pair->from, pair->source, stmt->node->target) ||
	    !touches_target(pair->to, pair->target, stmt->node->target))
		return OP_NONE;
	op = reduction_op(stmt->node, own_condition(stmt));
	event = stmt_event(pair->all, stmt);
	return op != OP_NONE && !reads_own_element(event, target_of(event)) ? op : OP_NONE;
}

static unsigned char directions_at(isl_map *map, int dim)
{
	unsigned char direction = 0;

	if (!map_is_empty(isl_map_equate(isl_map_copy(map), isl_dim_in, dim, isl_dim_out, dim)))
		direction |= DIRECTION_EQUAL;
	if (!map_is_empty(isl_map_order_lt(isl_map_copy(map), isl_dim_in, dim, isl_dim_out, dim)))
		direction |= DIRECTION_LESS;
	if (!map_is_empty(isl_map_order_gt(isl_map_copy(map), isl_dim_in, dim, isl_dim_out, dim)))
		direction |= DIRECTION_GREATER;
	return direction;
}

static bool is_same_vector(const struct dependence_vector *a, const struct dependence_vector *b)
{
	return a->from == b->from && a->to == b->to && a->var == b->var && a->is_reduction == b->is_reduction &&
	       a->is_anti == b->is_anti && a->n == b->n && !memcmp(a->direction, b->direction, (size_t)a->n);
}

/* Keep "vector" unless it is known already. */
static void keep_vector(struct dependences *all, const struct dependence_vector *vector)
{
	for (int i = 0; i < all->n_vector; i++)
		if (is_same_vector(all->vector + i, vector))
			return;
	if (all->n_vector == all->vector_capacity) {
		all->vector_capacity = all->vector_capacity ? all->vector_capacity * 2 : 16;
		all->vector = memory_resize(all->vector, sizeof(*all->vector) * all->vector_capacity);
	}
	all->vector[all->n_vector++] = *vector;
}

/* Note the direction vector of "map", carried by loop "level" (or by the text when that is pair->common). */
static void add_vector(const struct pair *pair, isl_map *map, int level, bool is_reduction)
{
	struct dependence_vector vector = {
		.from = pair->from->stmt->node->label,
		.to = pair->to->stmt->node->label,
		.n = pair->n_vector_loops,
		.direction = ARENA_ARRAY(pair->all->arena, unsigned char, pair->n_vector_loops + 1),
		.is_anti = kinds_of(pair->source, pair->target) == DEPENDENCE_ANTI,
		.is_reduction = is_reduction,
		.var = pair->source->var,
	};

	for (int i = 0; i < vector.n; i++) {
		if (i < level)
			vector.direction[i] = DIRECTION_EQUAL;
		else if (i == level && level < pair->common)
			vector.direction[i] = DIRECTION_LESS;
		else
			vector.direction[i] = directions_at(map, i);
	}
	keep_vector(pair->all, &vector);
}

static void add_dependence(const struct pair *pair, isl_map *map, enum op op)
{
	struct dependences *all = pair->all;

	if (all->n == all->capacity) {
		all->capacity = all->capacity ? all->capacity * 2 : 32;
		all->dependence = memory_resize(all->dependence, sizeof(*all->dependence) * all->capacity);
	}
	all->dependence[all->n++] = (struct dependence){
		.from = pair->from,
		.to = pair->to,
		.var = pair->source->var,
		.kinds = kinds_of(pair->source, pair->target),
		.is_reduction = op != OP_NONE,
		.is_selection = op != OP_NONE && reduction_is_selection(pair->from->stmt->node, own_condition(pair->from->stmt)),
		.is_exempt = reduction_may_reorder(op, pair->source->var->type, all->mode),
		.map = map,
	};
}

/* Take "part" (given), the conflicts that "level" orders, into "*sum" unless there are none. */
static void take_level(const struct pair *pair, isl_map *part, int level, bool is_reduction, isl_map **sum)
{
	if (isl_map_is_empty(part) == isl_bool_true) {
		isl_map_free(part);
		return;
	}
	add_vector(pair, part, level, is_reduction);
	*sum = *sum ? isl_map_union(*sum, part) : part;
}

/* The conflicts of "pair" of which the source comes first: those that differ in some common loop, there ascending; and those
 * equal in all of them when the source stands before the target. */
static void order_pair(const struct pair *pair, isl_map *conflicts)
{
	const enum op op = pair_reduction(pair);
	isl_map *sum = NULL;

	for (int level = 0; level < pair->common; level++) {
		isl_map *later = isl_map_order_lt(isl_map_copy(conflicts), isl_dim_in, level, isl_dim_out, level);

		take_level(pair, later, level, op != OP_NONE, &sum);
		conflicts = isl_map_equate(conflicts, isl_dim_in, level, isl_dim_out, level);
	}
	if (pair->from->order_index < pair->to->order_index)
		take_level(pair, isl_map_copy(conflicts), pair->common, op != OP_NONE, &sum);
	isl_map_free(conflicts);
	if (sum)
		add_dependence(pair, sum, op);
}

static void relate(struct pair *pair)
{
	isl_map *conflicts;

	if (pair->source->var != pair->target->var || !kinds_of(pair->source, pair->target))
		return;
	conflicts = conflicts_of(pair->all->world, pair->from->stmt, pair->source, pair->to->stmt, pair->target);
	if (isl_map_is_empty(conflicts) == isl_bool_true)
		isl_map_free(conflicts);
	else
		order_pair(pair, conflicts);
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

static void relate_events(struct dependences *all, const struct event *from, const struct event *to)
{
	const int common = placed_common(from->stmt, to->stmt);
	struct pair pair = {
		.all = all,
		.from = from,
		.to = to,
		.common = smaller(common, smaller(from->order_depth, to->order_depth)),
		.n_vector_loops = common,
	};

	for (int i = 0; i < from->n_access; i++)
		for (int j = 0; j < to->n_access; j++) {
			pair.source = from->access + i;
			pair.target = to->access + j;
			relate(&pair);
		}
}

struct dependences *dependences_new(const struct nest *nest, enum fp_mode mode, struct diag *diag)
{
	struct arena *arena = arena_new();
	struct dependences *all = ARENA_NEW(arena, struct dependences);

	all->arena = arena;
	all->world = world_new(arena);
	all->nest = nest;
	all->mode = mode;
	isl_ctx_set_max_operations(all->world->ctx, DEPENDENCES_BUDGET);
	all->tree = tree_new(all->world, nest, false);
	all->events = all->tree ? events_new(all->tree) : NULL;
	for (int i = 0; all->events && i < all->events->n; i++)
		for (int j = 0; j < all->events->n; j++)
			relate_events(all, all->events->event + i, all->events->event + j);
	if (all->events && isl_ctx_last_error(all->world->ctx) == isl_error_none)
		return all;
	diag_set(diag, EXIT_INPUT, "the dependences of %s are too complex to compute", nest->name);
	return dependences_free(all);
}

struct dependences *dependences_free(struct dependences *dependences)
{
	if (!dependences)
		return NULL;
	for (int i = 0; i < dependences->n; i++)
		isl_map_free(dependences->dependence[i].map);
	free(dependences->dependence);
	free(dependences->vector);
	events_free(dependences->events);
	tree_free(dependences->tree);
	world_free(dependences->world);
	arena_free(dependences->arena);
	return NULL;
}

int dependences_vectors(const struct dependences *dependences, const struct dependence_vector **vector)
{
	*vector = dependences->vector;
	return dependences->n_vector;
}
