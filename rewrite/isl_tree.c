#include "isl_internal.h"

#include <stdlib.h>

#include "support/memory.h"

/* The walk: where it is, and what holds there. */
struct walk {
	struct tree *tree;
	bool counters;
	int index, capacity;
	const struct frame *frame;
	isl_set *domain;
	int n_guard;
	struct guard guard[64];
	bool overflowed;
};

static struct arena *walk_arena(const struct walk *walk)
{
	return walk->tree->world->arena;
}

static struct place walk_place(const struct walk *walk)
{
	return (struct place){ walk->tree->world, walk->frame, walk->domain };
}

static void add_guard(struct walk *walk, enum guard_kind kind, const struct frame *frame, const struct expr *expr,
		      bool negated)
{
	if (walk->n_guard == (int)(sizeof(walk->guard) / sizeof(*walk->guard)))
		walk->overflowed = true;
	else
		walk->guard[walk->n_guard++] = (struct guard){ kind, frame, expr, negated };
}

static bool is_op(const struct expr *expr, enum op op)
{
	return expr->kind == EXPR_OP && expr->op == op;
}

/* Restrict the domain by "cond" (by its negation), conjunct by conjunct; those that isl cannot express become guards. */
static void add_condition(struct walk *walk, const struct frame *frame, const struct expr *cond, bool negated)
{
	struct place place = walk_place(walk);
	isl_set *set;

	if (is_op(cond, OP_NOT)) {
		add_condition(walk, frame, cond->arg[0], !negated);
		return;
	}
	if (is_op(cond, negated ? OP_LOR : OP_LAND)) {
		add_condition(walk, frame, cond->arg[0], negated);
		add_condition(walk, frame, cond->arg[1], negated);
		return;
	}
	set = place_condition(&place, cond);
	if (set && negated)
		set = isl_set_complement(set);
	if (set)
		walk->domain = isl_set_intersect(walk->domain, set);
	else
		add_guard(walk, GUARD_IF, frame, cond, negated);
}

/* { [.., x] : x >= bound } for a lower bound, { [.., x] : x < bound } for an upper one, with x the iterator of "frame". */
static isl_set *bound_set(struct walk *walk, const struct frame *frame, enum guard_kind kind, const struct expr *bound)
{
	const struct place place = { walk->tree->world, frame->outer, walk->domain };
	const struct affine *form = place_affine(&place, bound);
	isl_pw_aff *value, *iter;

	if (form) {
		form = affine_add(walk_arena(walk), form, -1, frame->value);
		if (form && kind == GUARD_LO)
			form = affine_add(walk_arena(walk), affine_constant(walk_arena(walk), 0), -1, form);
		else if (form)
			form = affine_add(walk_arena(walk), form, 1, affine_constant(walk_arena(walk), -1));
		return form ? isl_pw_aff_nonneg_set(
				      isl_pw_aff_from_aff(world_aff(walk->tree->world, form, frame->depth)))
			    : NULL;
	}
	value = place_value(&place, bound);
	if (!value)
		return NULL;
	value = isl_pw_aff_add_dims(value, isl_dim_in, 1);
	iter = isl_pw_aff_from_aff(world_aff(walk->tree->world, frame->value, frame->depth));
	return kind == GUARD_LO ? isl_pw_aff_ge_set(iter, value) : isl_pw_aff_lt_set(iter, value);
}

/* Intersect "*set" with the bound, term by term of the outermost max (of a lower bound) or min. */
static void add_bound(struct walk *walk, const struct frame *frame, enum guard_kind kind, const struct expr *bound,
		      isl_set **set)
{
	isl_set *one;

	if (is_op(bound, kind == GUARD_LO ? OP_MAX : OP_MIN)) {
		add_bound(walk, frame, kind, bound->arg[0], set);
		add_bound(walk, frame, kind, bound->arg[1], set);
		return;
	}
	one = bound_set(walk, frame, kind, bound);
	if (one)
		*set = isl_set_intersect(*set, one);
	else
		add_guard(walk, kind, frame, bound, false);
}

/* { [.., x] : x = lo modulo the step }, or NULL when "lo" cannot be expressed. */
static isl_set *stride_set(struct walk *walk, const struct frame *frame)
{
	const struct place place = { walk->tree->world, frame->outer, walk->domain };
	isl_pw_aff *lo = place_value(&place, frame->node->lo);
	isl_pw_aff *iter = isl_pw_aff_from_aff(world_aff(walk->tree->world, frame->value, frame->depth));
	isl_val *step = isl_val_int_from_si(walk->tree->world->ctx, frame->node->step);

	if (!lo) {
		isl_pw_aff_free(iter);
		isl_val_free(step);
		return NULL;
	}
	lo = isl_pw_aff_sub(iter, isl_pw_aff_add_dims(lo, isl_dim_in, 1));
	return isl_pw_aff_zero_set(isl_pw_aff_mod_val(lo, step));
}

/* The domain of the body of the loop "frame", whose value is set here. */
static isl_set *loop_domain(struct walk *walk, struct frame *frame)
{
	const struct place place = { walk->tree->world, frame->outer, walk->domain };
	const struct affine *counter = affine_dim(walk_arena(walk), frame->depth - 1);
	const struct affine *lo = walk->counters && frame->node->step > 1 ? place_affine(&place, frame->node->lo) : NULL;
	isl_set *set = isl_set_add_dims(isl_set_copy(walk->domain), isl_dim_set, 1);
	isl_set *stride;

	frame->value = lo ? affine_add(walk_arena(walk), lo, frame->node->step, counter) : NULL;
	if (frame->value) {
		set = isl_set_lower_bound_si(set, isl_dim_set, frame->depth - 1, 0);
	} else {
		frame->value = counter;
		add_bound(walk, frame, GUARD_LO, frame->node->lo, &set);
		stride = frame->node->step > 1 ? stride_set(walk, frame) : NULL;
		if (stride)
			set = isl_set_intersect(set, stride);
	}
	add_bound(walk, frame, GUARD_HI, frame->node->hi, &set);
	return set;
}

static struct frame *frame_new(struct walk *walk, const struct node *node)
{
	struct frame *frame = ARENA_NEW(walk_arena(walk), struct frame);

	frame->outer = walk->frame;
	frame->node = node;
	frame->index = walk->index++;
	frame->depth = (walk->frame ? walk->frame->depth : 0) + (node->kind == NODE_LOOP);
	return frame;
}

static void walk_list(struct walk *walk, const struct list *list);

/* Walk "list" inside "frame" with "domain" (given) and the guards pushed so far, then restore what was before. */
static void walk_inside(struct walk *walk, const struct frame *frame, isl_set *domain, int n_guard,
			const struct list *list)
{
	const struct frame *outer = walk->frame;
	isl_set *saved = walk->domain;

	walk->frame = frame;
	walk->domain = domain;
	walk_list(walk, list);
	isl_set_free(walk->domain);
	walk->frame = outer;
	walk->domain = saved;
	walk->n_guard = n_guard;
}

static void walk_loop(struct walk *walk, const struct node *node)
{
	const int n_guard = walk->n_guard;
	struct frame *frame = frame_new(walk, node);
	isl_set *domain = loop_domain(walk, frame);

	walk_inside(walk, frame, domain, n_guard, &node->body);
}

static void walk_branch(struct walk *walk, const struct node *node, bool negated, const struct list *list)
{
	const int n_guard = walk->n_guard;
	const struct frame *frame = frame_new(walk, node);
	isl_set *saved = isl_set_copy(walk->domain);
	isl_set *domain;

	add_condition(walk, frame, node->cond, negated);
	domain = walk->domain;
	walk->domain = saved;
	walk_inside(walk, frame, domain, n_guard, list);
}

static void collect_loops(struct walk *walk, struct placed *placed)
{
	placed->loop = ARENA_ARRAY(walk_arena(walk), const struct frame *, placed->depth + 1);
	for (const struct frame *frame = placed->frame; frame; frame = frame->outer)
		if (frame->node->kind == NODE_LOOP)
			placed->loop[frame->depth - 1] = frame;
}

static void place_stmt(struct walk *walk, const struct node *node)
{
	struct tree *tree = walk->tree;
	struct placed *placed;

	if (tree->n == walk->capacity) {
		walk->capacity = walk->capacity ? walk->capacity * 2 : 16;
		tree->placed = memory_resize(tree->placed, sizeof(*tree->placed) * walk->capacity);
	}
	placed = tree->placed + tree->n++;
	*placed = (struct placed){
		.node = node,
		.frame = walk->frame,
		.index = walk->index++,
		.depth = walk->frame ? walk->frame->depth : 0,
		.domain = isl_set_copy(walk->domain),
		.n_guard = walk->n_guard,
		.guard = ARENA_ARRAY(walk_arena(walk), struct guard, walk->n_guard),
	};
	for (int i = 0; i < walk->n_guard; i++)
		placed->guard[i] = walk->guard[i];
	collect_loops(walk, placed);
}

static void walk_list(struct walk *walk, const struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];

		if (node->kind == NODE_LOOP) {
			walk_loop(walk, node);
		} else if (node->kind == NODE_IF) {
			walk_branch(walk, node, false, &node->body);
			if (node->orelse.n)
				walk_branch(walk, node, true, &node->orelse);
		} else {
			place_stmt(walk, node);
		}
	}
}

static isl_set *assumptions(struct world *world, const struct nest *nest)
{
	isl_set *context = isl_set_universe(world_space(world, 0));

	for (int i = 0; i < nest->n_assumption; i++) {
		const struct place place = { world, NULL, context };
		isl_set *set = place_condition(&place, nest->assumption[i]);

		if (set)
			context = isl_set_intersect(context, set);
	}
	return context;
}

struct tree *tree_new(struct world *world, const struct nest *nest, bool counters)
{
	struct tree *tree = ARENA_NEW(world->arena, struct tree);
	struct walk walk = { .tree = tree, .counters = counters };

	tree->world = world;
	tree->context = assumptions(world, nest);
	walk.domain = isl_set_copy(tree->context);
	walk_list(&walk, &nest->body);
	isl_set_free(walk.domain);
	if (!walk.overflowed)
		return tree;
	tree_free(tree);
	return NULL;
}

void tree_free(struct tree *tree)
{
	if (!tree)
		return;
	for (int i = 0; i < tree->n; i++)
		isl_set_free(tree->placed[i].domain);
	isl_set_free(tree->context);
	free(tree->placed);
}

int placed_common(const struct placed *a, const struct placed *b)
{
	int n = 0;

	while (n < a->depth && n < b->depth && a->loop[n] == b->loop[n])
		n++;
	return n;
}
