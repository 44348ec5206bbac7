#include "isl_access.h"

static bool is_memory(const struct var *var)
{
	return var->kind == VAR_ARRAY || var->kind == VAR_SCALAR || var->kind == VAR_LOCAL;
}

static bool visit_pure(struct expr *expr, void *context)
{
	(void)context;
	return expr->kind != EXPR_REF || !is_memory(expr->var);
}

bool expr_reads_memory(const struct expr *expr)
{
	return !expr_walk((struct expr *)expr, visit_pure, NULL);
}

void event_place(const struct placed *stmt, int guard, int *order_depth, int *order_index)
{
	const struct frame *frame = guard < 0 ? NULL : stmt->guard[guard].frame;

	*order_depth = frame ? frame->depth - (frame->node->kind == NODE_LOOP) : stmt->depth;
	*order_index = frame ? frame->index : stmt->index;
}

/* Collecting the references of one event. */
struct collector {
	struct arena *arena;
	struct event *event;
	int capacity;
};

static struct access *add_access(struct collector *collector, const struct expr *ref)
{
	struct event *event = collector->event;

	for (int i = 0; i < event->n_access; i++)
		if (expr_equal(event->access[i].ref, ref))
			return event->access + i;
	if (event->n_access == collector->capacity) {
		struct access *old = event->access;

		collector->capacity = collector->capacity ? collector->capacity * 2 : 4;
		event->access = ARENA_ARRAY(collector->arena, struct access, collector->capacity);
		for (int i = 0; i < event->n_access; i++)
			event->access[i] = old[i];
	}
	event->access[event->n_access] = (struct access){ .var = ref->var, .ref = ref, .is_exact = true };
	return event->access + event->n_access++;
}

static bool visit_read(struct expr *expr, void *context)
{
	if (expr->kind == EXPR_REF && is_memory(expr->var))
		add_access(context, expr)->is_read = true;
	return true;
}

static void collect_stmt(struct collector *collector, const struct node *stmt)
{
	struct access *target;

	if (!stmt->value)
		return;
	expr_walk(stmt->value, visit_read, collector);
	for (int i = 0; i < stmt->target->n; i++)
		expr_walk(stmt->target->arg[i], visit_read, collector);
	target = add_access(collector, stmt->target);
	target->is_write = target->is_target = true;
	target->is_read |= stmt->op != OP_NONE;
}

static void add_event(struct events *events, struct world *world, const struct placed *stmt, int guard)
{
	struct event *event = events->event + events->n;
	struct collector collector = { world->arena, event, 0 };

	*event = (struct event){ .stmt = stmt, .guard = guard };
	event_place(stmt, guard, &event->order_depth, &event->order_index);
	if (guard < 0)
		collect_stmt(&collector, stmt->node);
	else
		expr_walk((struct expr *)stmt->guard[guard].expr, visit_read, &collector);
	events->n += event->n_access > 0;
}

static void find_scopes(struct events *events, const struct tree *tree)
{
	events->scope = ARENA_ARRAY(tree->world->arena, struct scope, tree->n + 1);
	for (int i = 0; i < tree->n; i++)
		if (tree->placed[i].node->declares)
			events->scope[events->n_scope++] = (struct scope){ tree->placed[i].node->target->var,
									   tree->placed + i };
}

static bool is_visible(const struct placed *declaration, const struct placed *use)
{
	const struct frame *frame = use->frame;

	while (frame && frame != declaration->frame)
		frame = frame->outer;
	return frame == declaration->frame && declaration->index <= use->index;
}

const struct placed *events_declaration(const struct events *events, const struct var *var, const struct placed *use)
{
	const struct placed *last = NULL;

	for (int i = 0; i < events->n_scope; i++)
		if (events->scope[i].var == var && is_visible(events->scope[i].declaration, use))
			last = events->scope[i].declaration;
	return last;
}

static void map_access(struct world *world, const struct event *event, struct access *access, int n_private)
{
	const struct place place = { world, event->stmt->frame, NULL };
	isl_map *map = place_map(&place, access->ref->n, access->ref->arg, &access->is_exact);

	access->product = ARENA_ARRAY(world->arena, const struct bilinear *, access->ref->n + 1);
	for (int i = 0; i < access->ref->n; i++)
		access->product[i] = place_bilinear(&place, access->ref->arg[i]);
	map = isl_map_insert_dims(map, isl_dim_out, 0, n_private);
	for (int i = 0; i < n_private; i++)
		map = isl_map_equate(map, isl_dim_in, i, isl_dim_out, i);
	access->map = isl_map_intersect_domain(map, isl_set_copy(event->stmt->domain));
}

static void map_event(const struct events *events, struct world *world, const struct event *event)
{
	for (int i = 0; i < event->n_access; i++) {
		const struct placed *declaration = events_declaration(events, event->access[i].var, event->stmt);

		map_access(world, event, event->access + i, declaration ? declaration->depth : 0);
	}
}

struct events *events_new(const struct tree *tree)
{
	struct events *events = ARENA_NEW(tree->world->arena, struct events);
	int most = tree->n;

	for (int i = 0; i < tree->n; i++)
		most += tree->placed[i].n_guard;
	events->event = ARENA_ARRAY(tree->world->arena, struct event, most + 1);
	for (int i = 0; i < tree->n; i++) {
		add_event(events, tree->world, tree->placed + i, -1);
		for (int guard = 0; guard < tree->placed[i].n_guard; guard++)
			add_event(events, tree->world, tree->placed + i, guard);
	}
	find_scopes(events, tree);
	for (int i = 0; i < events->n; i++)
		map_event(events, tree->world, events->event + i);
	return events;
}

void events_free(struct events *events)
{
	if (!events)
		return;
	for (int i = 0; i < events->n; i++)
		for (int j = 0; j < events->event[i].n_access; j++)
			isl_map_free(events->event[i].access[j].map);
}
