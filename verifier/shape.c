#include "shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/text.h"

#include "derive.h"
#include "probe.h"

static bool is_integer_param(const struct var *var)
{
	return var->kind == VAR_PARAM && type_is_integer(var->type);
}

/* What the search for the users of a param carries: whether it was found in a bound or condition; in an extent or
 * subscript. */
struct use {
	const struct var *var;
	const struct nest *nest;
	bool in_bound, in_condition, in_subscript, in_extent;
	int depth;
};

static bool uses_through_locals(const struct nest *nest, const struct expr *expr, const struct var *var, int depth);

struct definition_search {
	const struct nest *nest;
	const struct var *local, *var;
	int depth;
	bool found;
};

static bool check_definition(struct node *node, void *context)
{
	struct definition_search *search = context;

	if (node->kind == NODE_STMT && node->target->n == 0 && node->target->var == search->local && node->value)
		search->found |= uses_through_locals(search->nest, node->value, search->var, search->depth + 1);
	return !search->found;
}

struct local_search {
	const struct nest *nest;
	const struct var *var;
	int depth;
};

static bool check_local(struct expr *expr, void *context)
{
	struct local_search *search = context;
	struct definition_search definitions = {search->nest, expr->var, search->var, search->depth, false};

	if (expr->kind != EXPR_REF || expr->var->kind != VAR_LOCAL || expr->n > 0)
		return true;
	list_walk(&search->nest->body, check_definition, &definitions);
	return !definitions.found;
}

/* Whether "expr" depends on "var", be it through locals that are computed from it. */
static bool uses_through_locals(const struct nest *nest, const struct expr *expr, const struct var *var, int depth)
{
	struct local_search search = {nest, var, depth};

	if (expr_uses(expr, var))
		return true;
	if (depth > 4)
		return false;
	return !expr_walk((struct expr *)expr, check_local, &search);
}

static bool look_in_subscripts(struct expr *expr, void *context)
{
	struct use *use = context;
	int d;

	if (expr->kind != EXPR_REF)
		return true;
	for (d = 0; d < expr->n; d++)
		use->in_subscript |= uses_through_locals(use->nest, expr->arg[d], use->var, 0);
	return true;
}

static bool look_in_roots(struct expr *expr, void *context)
{
	expr_walk(expr, look_in_subscripts, context);
	return true;
}

static bool look_in_node(struct node *node, void *context)
{
	struct use *use = context;

	if (node->kind == NODE_LOOP)
		use->in_bound |= uses_through_locals(use->nest, node->lo, use->var, 0) ||
				 uses_through_locals(use->nest, node->hi, use->var, 0);
	else if (node->kind == NODE_IF)
		use->in_condition |= uses_through_locals(use->nest, node->cond, use->var, 0);
	node_exprs(node, look_in_roots, use);
	return true;
}

static struct use find_use(const struct nest *nest, const struct var *var)
{
	struct use use = {.var = var, .nest = nest};
	int v, d;

	list_walk(&nest->body, look_in_node, &use);
	use.in_bound |= nest_is_opaque(nest) && type_size(var->type) >= 4;
	for (v = 0; v < nest->n_var; v++)
		for (d = 0; d < nest->var[v]->rank; d++)
			if (nest->var[v]->kind == VAR_ARRAY && nest->var[v]->extent[d])
				use.in_extent |= expr_uses(nest->var[v]->extent[d], var);
	return use;
}

bool shape_is_size(const struct nest *nest, const struct var *var)
{
	return is_integer_param(var) && find_use(nest, var).in_bound;
}

bool shape_is_length(const struct job *job, const struct var *var)
{
	bool is_length = shape_is_size(job->nest, var) || (is_integer_param(var) && find_use(job->nest, var).in_extent);
	int f;

	for (f = 0; f < job->signature->n_fact; f++)
		is_length |= is_integer_param(var) && job->signature->fact[f].hi && expr_uses(job->signature->fact[f].hi, var);
	return is_length;
}

static int64_t pick(struct rng *rng, int n, const int64_t *value)
{
	return value[rng_below(rng, (uint64_t)n)];
}

static int64_t size_of_kind(enum shape_kind kind, double large, struct rng *rng)
{
	static const int64_t tails[] = {7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 34, 63, 64, 65, 66};
	static const int64_t primes[] = {3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

	switch (kind) {
	case SHAPE_ZERO:
		return 0;
	case SHAPE_ONE:
		return 1;
	case SHAPE_EDGE:
		return 3 + (int64_t)rng_below(rng, 5);
	case SHAPE_SMALL:
		return 2 + (int64_t)rng_below(rng, 6);
	case SHAPE_TAIL:
		return pick(rng, 16, tails);
	case SHAPE_PRIME:
		return pick(rng, 11, primes);
	default:
		return (int64_t)large;
	}
}

/* The job's facts about the param, applied to "value". */
static int64_t within_facts(const struct job *job, const struct shape *shape, const struct var *var, int64_t value)
{
	int i;

	for (i = 0; i < job->signature->n_fact; i++) {
		const struct fact *fact = &job->signature->fact[i];
		int64_t bound;

		if (fact->var != var)
			continue;
		if (fact->lo && extent_evaluate(job->nest, shape, fact->lo, &bound) && value < bound)
			value = bound;
		if (fact->hi && extent_evaluate(job->nest, shape, fact->hi, &bound) && value >= bound)
			value = bound - 1;
		if (fact->kind == FACT_NONZERO && value == 0)
			value = 1;
		if (fact->kind == FACT_POSITIVE && value <= 0)
			value = 1;
	}
	return value;
}

/* A shape under way: "use" by var tells what its params decide; "kind" may become a smaller one than was wished; "large"
 * is the size for SHAPE_LARGE and SHAPE_ROUND. */
struct draft {
	const struct wish *wish;
	enum shape_kind kind;
	double large;
	struct rng *rng;
	const struct use *use;
	struct sized *sized;
	struct extent_failure *failure;
};

static int64_t draw_value(const struct draft *draft, int v)
{
	const struct use *use = &draft->use[v];

	if (draft->kind == SHAPE_EDGE && v == draft->wish->edge)
		return draft->wish->edge_size;
	if (use->in_bound)
		return size_of_kind(draft->kind, draft->large, draft->rng);
	if (use->in_extent)
		return size_of_kind(draft->kind, draft->large, draft->rng) + (int64_t)rng_below(draft->rng, 4);
	if (use->in_subscript)
		return 1 + (int64_t)rng_below(draft->rng, 3);
	if (use->in_condition && rng_below(draft->rng, 2))
		return (int64_t)rng_below(draft->rng, 3);
	if (use->in_condition)
		return (int64_t)rng_below(draft->rng, 161) - (type_is_signed(draft->wish->job->nest->var[v]->type) ? 80 : 0);
	return 1 + (int64_t)rng_below(draft->rng, 9);
}

static const struct size *find_given(const struct draft *draft, int v)
{
	int i;

	for (i = 0; i < draft->wish->n_given; i++)
		if (!strcmp(draft->wish->given[i].name, draft->wish->job->nest->var[v]->name))
			return &draft->wish->given[i];
	return NULL;
}

static bool is_derived(const struct draft *draft, int v)
{
	return derivation_has(draft->wish->derivation, v);
}

/* Bring derived params in line with the others. */
static bool settle(const struct draft *draft)
{
	if (derivation_settle(draft->wish->derivation, &draft->sized->shape, draft->wish->null))
		return true;
	snprintf(draft->failure->why, sizeof(draft->failure->why), "the program cannot compute its own params");
	return false;
}

/* Whether "expr" changes with param "v", be it through a derived one. */
static bool depends(const struct draft *draft, const struct expr *expr, int v)
{
	const struct nest *nest = draft->wish->job->nest;
	int d;

	if (expr_uses(expr, nest->var[v]))
		return true;
	for (d = 0; d < nest->n_var; d++)
		if (derivation_reads(draft->wish->derivation, d, v) && expr_uses(expr, nest->var[d]))
			return true;
	return false;
}

/* Whether another size of the nest before "v" has the same value. */
static bool is_taken(const struct draft *draft, int v)
{
	const struct shape *shape = &draft->sized->shape;
	int u;

	for (u = 0; u < v; u++)
		if (shape->is_known[u] && shape->value[u] == shape->value[v] && draft->use[u].in_bound)
			return true;
	return false;
}

/* Draw the value of param "v", other than those before it where the kind has many to offer. */
static void draw_param(const struct draft *draft, int v)
{
	enum shape_kind kind = draft->kind;
	int attempt;

	for (attempt = 0; attempt < 8; attempt++) {
		draft->sized->shape.value[v] = draw_value(draft, v);
		if ((kind != SHAPE_PRIME && kind != SHAPE_TAIL && kind != SHAPE_SMALL && kind != SHAPE_EDGE) || !is_taken(draft, v))
			return;
	}
}

static void draw_values(const struct draft *draft)
{
	const struct nest *nest = draft->wish->job->nest;
	struct shape *shape = &draft->sized->shape;
	int v;

	for (v = 0; v < nest->n_var; v++) {
		shape->is_known[v] = is_integer_param(nest->var[v]);
		if (shape->is_known[v])
			draw_param(draft, v);
		if (find_given(draft, v))
			shape->value[v] = find_given(draft, v)->value;
	}
	for (v = 0; v < nest->n_var; v++)
		if (shape->is_known[v] && !find_given(draft, v) && !is_derived(draft, v))
			shape->value[v] = within_facts(draft->wish->job, shape, nest->var[v], shape->value[v]);
}

static bool difference(const struct draft *draft, const struct expr *left, const struct expr *right, int64_t *value)
{
	int64_t a, b = 0;

	if (!settle(draft) || !extent_evaluate(draft->wish->job->nest, &draft->sized->shape, left, &a) ||
	    (right && !extent_evaluate(draft->wish->job->nest, &draft->sized->shape, right, &b)))
		return false;
	*value = a - b;
	return true;
}

/* Change param "v" such that left - right, linear in it, becomes at most "bound" (or at least, when "least" is set). */
static bool solve_for(const struct draft *draft, int v, const struct expr *left, const struct expr *right,
		      int64_t bound, bool least)
{
	int64_t *value = &draft->sized->shape.value[v], kept = *value, before, after, slope, excess, steps;
	int64_t stride = draft->wish->derivation ? 64 : 1;

	if (!difference(draft, left, right, &before))
		return false;
	*value = kept + stride;
	slope = difference(draft, left, right, &after) ? after - before : 0;
	*value = kept;
	if (slope == 0)
		return false;
	excess = least ? bound - before : before - bound;
	steps = (excess * stride + llabs(slope) - 1) / llabs(slope);
	*value += (slope > 0) == least ? steps : -steps;
	if (*value >= 0)
		return true;
	*value = kept;
	return false;
}

/* Change one param, drawn at random, such that left - right gets within the bound; those that are no sizes come
 * first. */
static bool solve(const struct draft *draft, const struct expr *left, const struct expr *right, int64_t bound,
		  bool least)
{
	const struct nest *nest = draft->wish->job->nest;
	int n = nest->n_var, start = (int)rng_below(draft->rng, (uint64_t)n), i;

	for (i = 0; i < 2 * n; i++) {
		int v = (start + i) % n;

		if (!draft->sized->shape.is_known[v] || find_given(draft, v) || is_derived(draft, v) ||
		    draft->use[v].in_bound != (i >= n))
			continue;
		if (!depends(draft, left, v) && !(right && depends(draft, right, v)))
			continue;
		if (solve_for(draft, v, left, right, bound, least))
			return true;
	}
	return false;
}

/* Make "condition", which does not hold, hold by changing a param; false when that cannot be done. */
static bool satisfy(const struct draft *draft, const struct expr *condition)
{
	int64_t left = 0;

	if (condition->kind == EXPR_CAST)
		return satisfy(draft, condition->arg[0]);
	if (condition->kind != EXPR_OP || condition->n != 2)
		return false;
	switch (condition->op) {
	case OP_LE:
		return solve(draft, condition->arg[0], condition->arg[1], 0, false);
	case OP_LT:
		return solve(draft, condition->arg[0], condition->arg[1], -1, false);
	case OP_GE:
		return solve(draft, condition->arg[0], condition->arg[1], 0, true);
	case OP_GT:
		return solve(draft, condition->arg[0], condition->arg[1], 1, true);
	case OP_NE:
		return solve(draft, condition->arg[0], condition->arg[1], 1, true);
	case OP_EQ:
		if (!difference(draft, condition->arg[0], condition->arg[1], &left))
			return false;
		return solve(draft, condition->arg[0], condition->arg[1], 0, left < 0);
	case OP_LAND:
		if (!extent_evaluate(draft->wish->job->nest, &draft->sized->shape, condition->arg[0], &left) || !left)
			return satisfy(draft, condition->arg[0]);
		return satisfy(draft, condition->arg[1]);
	case OP_LOR:
		return satisfy(draft, condition->arg[rng_below(draft->rng, 2)]);
	default:
		return false;
	}
}

/* The first assumption that does not hold, or NULL. */
static const struct expr *find_broken(const struct nest *nest, const struct shape *shape)
{
	int i;

	for (i = 0; i < nest->n_assumption; i++) {
		int64_t holds;

		if (extent_evaluate(nest, shape, nest->assumption[i], &holds) && !holds)
			return nest->assumption[i];
	}
	return NULL;
}

/* Let the extent of the failure grow beyond the subscript that left it. */
static bool widen(const struct draft *draft)
{
	const struct extent_failure *failure = draft->failure;
	const struct expr *extent = failure->var && failure->hi > 0 ? failure->var->extent[failure->dimension] : NULL;

	if (!extent || failure->lo < 0)
		return false;
	return solve(draft, extent, NULL, failure->hi + 1 + (int64_t)rng_below(draft->rng, 3), true);
}

static void tell_broken(const struct draft *draft, const struct expr *broken)
{
	struct text text = {0};

	expr_print(broken, &text);
	snprintf(draft->failure->why, sizeof(draft->failure->why), "no sizes were found for which %s holds",
		 text_string(&text));
	text_free(&text);
}

/* The search for a loop that never runs; "draft" tells the shape. */
struct empty_search {
	const struct draft *draft;
	const struct node *loop;
};

static bool find_empty(struct node *node, void *context)
{
	struct empty_search *search = context;
	int64_t trips;

	if (node->kind == NODE_LOOP && difference(search->draft, node->hi, node->lo, &trips) && trips < 1)
		search->loop = node;
	return !search->loop;
}

/* Where no loop runs, let the first loop that stands empty have a few iterations. False when nothing was changed: then
 * something runs, or nothing shall, or no param decides. */
static bool fill_empty(const struct draft *draft)
{
	struct empty_search search = {draft, NULL};

	if (draft->sized->work > 0 || draft->kind == SHAPE_ZERO || draft->kind == SHAPE_ONE || draft->kind == SHAPE_EDGE)
		return false;
	list_walk(&draft->wish->job->nest->body, find_empty, &search);
	return search.loop && solve(draft, search.loop->hi, search.loop->lo, 2 + (int64_t)rng_below(draft->rng, 6), true);
}

/* Find the boxes of the shape. */
static bool find_boxes(const struct draft *draft)
{
	struct sized *sized = draft->sized;

	if (draft->wish->probe)
		return probe_boxes(draft->wish->probe, sized, draft->failure);
	return extent_boxes(draft->wish->job->nest, draft->wish->job->signature, &sized->shape, sized->box, &sized->work,
			    draft->failure);
}

/* Mend the drawn values until all assumptions hold, all subscripts stay within their extents and something
 * runs. */
static bool mend(const struct draft *draft)
{
	struct sized *sized = draft->sized;
	int round;

	for (round = 0; round < 40; round++) {
		const struct expr *broken;

		if (!settle(draft))
			return false;
		broken = find_broken(draft->wish->job->nest, &sized->shape);
		if (broken) {
			tell_broken(draft, broken);
			if (!satisfy(draft, broken))
				return false;
		} else if (find_boxes(draft)) {
			if (!fill_empty(draft))
				return true;
		} else if (!widen(draft)) {
			return false;
		}
	}
	return false;
}

static struct sized *sized_new(struct arena *arena, const struct nest *nest)
{
	struct sized *sized = ARENA_NEW(arena, struct sized);

	sized->shape.n = nest->n_var;
	sized->shape.value = ARENA_ARRAY(arena, int64_t, nest->n_var + 1);
	sized->shape.is_known = ARENA_ARRAY(arena, bool, nest->n_var + 1);
	sized->box = ARENA_ARRAY(arena, struct box, nest->n_var + 1);
	sized->has_mark = ARENA_ARRAY(arena, bool, nest->n_var + 1);
	return sized;
}

static size_t count_bytes(const struct nest *nest, const struct sized *sized)
{
	size_t bytes = 0;
	int v;

	for (v = 0; v < nest->n_var; v++)
		if (nest->var[v]->kind == VAR_ARRAY && sized->box[v].hi >= sized->box[v].lo)
			bytes += (size_t)(sized->box[v].hi - sized->box[v].lo + 1) *
				 (size_t)type_size(nest->var[v]->type);
	return bytes;
}

/* Look for a value of param "base" near "from" at which derived param "v" is "wanted". */
static bool try_near(const struct draft *draft, int v, int base, int64_t from, int64_t wanted)
{
	struct shape *shape = &draft->sized->shape;
	int64_t kept = shape->value[base], step;

	for (step = 0; step < 9; step++) {
		shape->value[base] = from + (step % 2 ? -(step + 1) / 2 : step / 2);
		if (shape->value[base] >= 0 && settle(draft) && shape->value[v] == wanted)
			return true;
	}
	shape->value[base] = kept;
	return false;
}

/* Change one base of derived param "v" such that it gets its given value, as far as that is linear in the base. */
static bool reach(const struct draft *draft, int v, int64_t wanted)
{
	const struct nest *nest = draft->wish->job->nest;
	struct shape *shape = &draft->sized->shape;
	int base;

	for (base = 0; base < nest->n_var; base++) {
		int64_t kept = shape->value[base], before, slope;

		if (!derivation_reads(draft->wish->derivation, v, base) || !shape->is_known[base] ||
		    find_given(draft, base) || is_derived(draft, base) || !settle(draft))
			continue;
		before = shape->value[v];
		shape->value[base] = kept + 64;
		slope = settle(draft) ? shape->value[v] - before : 0;
		shape->value[base] = kept;
		if (try_near(draft, v, base, slope ? kept + (wanted - before) * 64 / slope : wanted, wanted))
			return true;
	}
	return false;
}

/* Choose bases such that derived params have their given values, twice over since they may share some. */
static void reach_given(const struct draft *draft)
{
	int n = draft->wish->job->nest->n_var, i;

	for (i = 0; i < 2 * n && draft->wish->derivation; i++) {
		const struct size *given = find_given(draft, i % n);

		if (given && is_derived(draft, i % n) && settle(draft) &&
		    draft->sized->shape.value[i % n] != given->value)
			reach(draft, i % n, given->value);
	}
}

static bool is_exact(const struct draft *draft)
{
	int v;

	for (v = 0; v < draft->wish->job->nest->n_var; v++)
		if (find_given(draft, v) && find_given(draft, v)->value != draft->sized->shape.value[v])
			return false;
	return true;
}

/* Draw and mend until a shape is found. */
static bool draw_once(const struct draft *draft)
{
	int attempt, most = draft->wish->probe ? 6 : 40;

	for (attempt = 0; attempt < most; attempt++) {
		draw_values(draft);
		reach_given(draft);
		if (mend(draft)) {
			draft->sized->is_exact = is_exact(draft);
			draft->sized->bytes = count_bytes(draft->wish->job->nest, draft->sized);
			return true;
		}
	}
	return false;
}

/* "large" as the draft's kind likes sizes: a multiple of four, or a power of two. */
static double round_size(enum shape_kind kind, double large)
{
	int64_t size = (int64_t)large;

	if (kind == SHAPE_ROUND && size > 0)
		return (double)((int64_t)1 << (63 - __builtin_clzll((unsigned long long)size)));
	return (double)(size > 32 ? size & ~(int64_t)3 : size);
}

/* Whether a shape of size "large" can be drawn and stays within "most". */
static bool fits(struct draft *draft, double large, const struct effort *most)
{
	draft->large = round_size(draft->kind, large);
	if (!draw_once(draft))
		return false;
	if (draft->sized->work <= most->work && draft->sized->bytes <= most->bytes)
		return true;
	snprintf(draft->failure->why, sizeof(draft->failure->why), "even small sizes need too much work");
	return false;
}

/* Draw shapes of growing size for as long as they stay within "most"; the last of these is left in the draft. */
static bool draw_large(struct draft *draft, const struct effort *most)
{
	const double growth = draft->wish->probe ? 2 : 1.25;
	double large = 4, before = -1;

	while (large < 1e8 && fits(draft, large, most) && (draft->sized->work != before || draft->kind == SHAPE_ROUND)) {
		before = draft->sized->work;
		large *= growth;
	}
	while (large >= 1) {
		if (fits(draft, large, most))
			return true;
		large /= growth;
	}
	return false;
}

/* Draw a shape of the draft's kind, or of a smaller one when it is too much work. */
static bool draw_smaller(struct draft *draft, const struct effort *most)
{
	for (;;) {
		if (!draw_once(draft))
			return false;
		if (draft->kind == SHAPE_GIVEN || draft->kind <= SHAPE_SMALL ||
		    (draft->sized->work <= most->work && draft->sized->bytes <= most->bytes))
			return true;
		draft->kind = draft->kind == SHAPE_TAIL ? SHAPE_PRIME : SHAPE_SMALL;
	}
}

/* What the params decide; bases decide what their derived params do. */
static struct use *find_uses(struct arena *arena, const struct wish *wish)
{
	const struct nest *nest = wish->job->nest;
	struct use *use = ARENA_ARRAY(arena, struct use, nest->n_var + 1);
	int v, d, f;

	for (v = 0; v < nest->n_var; v++)
		if (is_integer_param(nest->var[v]))
			use[v] = find_use(nest, nest->var[v]);
	for (v = 0; v < nest->n_var; v++)
		for (f = 0; f < wish->job->signature->n_fact; f++) {
			const struct fact *fact = &wish->job->signature->fact[f];

			use[v].in_extent |= fact->hi && expr_uses(fact->hi, nest->var[v]);
		}
	for (v = 0; v < nest->n_var; v++)
		for (d = 0; d < nest->n_var; d++)
			if (derivation_reads(wish->derivation, d, v)) {
				use[v].in_bound |= use[d].in_bound;
				use[v].in_extent |= use[d].in_extent;
				use[v].in_subscript |= use[d].in_subscript;
				use[v].in_condition |= use[d].in_condition;
			}
	return use;
}

/* Where a size is zero, arrays are as large as they would be were it one: a caller has them, and a version may prepare what it then
 * does not need. */
static void lend_boxes(const struct draft *draft)
{
	struct sized *sized = draft->sized, one = *sized;
	const int n = draft->wish->job->nest->n_var;
	struct box box[n + 1];
	int v;

	memcpy(box, sized->box, sizeof(*box) * (size_t)n);
	sized->shape.value[draft->wish->edge] = 1;
	if (settle(draft) && find_boxes(draft))
		for (v = 0; v < n; v++) {
			const struct box *lent = &sized->box[v];

			if (box[v].hi < box[v].lo)
				box[v] = *lent;
			else if (lent->hi > box[v].hi)
				box[v].hi = lent->hi;
		}
	sized->shape.value[draft->wish->edge] = 0;
	settle(draft);
	memcpy(sized->box, box, sizeof(*box) * (size_t)n);
	sized->work = one.work;
	sized->bytes = count_bytes(draft->wish->job->nest, sized);
}

struct sized *shape_draw(struct arena *arena, const struct wish *wish, struct rng *rng, struct extent_failure *failure)
{
	struct draft draft = {
		.wish = wish, .kind = wish->kind, .large = 8, .rng = rng, .use = find_uses(arena, wish),
		.sized = sized_new(arena, wish->job->nest), .failure = failure,
	};

	memset(failure, 0, sizeof(*failure));
	draft.sized->null = wish->null;
	if (wish->kind == SHAPE_LARGE || wish->kind == SHAPE_ROUND)
		return draw_large(&draft, &wish->most) ? draft.sized : NULL;
	if (!draw_smaller(&draft, &wish->most))
		return NULL;
	if (draft.kind == SHAPE_EDGE && draft.sized->shape.value[wish->edge] == 0)
		lend_boxes(&draft);
	return draft.sized;
}

const char *shape_print(struct arena *arena, const struct nest *nest, const struct shape *shape)
{
	struct text text = {0};
	const char *printed;
	int v;

	for (v = 0; v < nest->n_var; v++)
		if (shape->is_known[v])
			text_printf(&text, "%s%s=%lld", text.size ? " " : "", nest->var[v]->name,
				    (long long)shape->value[v]);
	printed = arena_strdup(arena, text.size ? text_string(&text) : "constant sizes");
	text_free(&text);
	return printed;
}

bool shape_equal(const struct shape *a, const struct shape *b)
{
	int v;

	for (v = 0; v < a->n; v++)
		if (a->is_known[v] != b->is_known[v] || (a->is_known[v] && a->value[v] != b->value[v]))
			return false;
	return true;
}
