#include "action_band.h"

#include <string.h>

enum { FACTS_MAX = 160 };

/* What holds for the iterators of a band: "sum" >= 0. Derived facts follow from the others by elimination. */
struct fact_sum {
	struct sum sum;
	bool is_derived;
};
struct facts {
	int n;
	struct fact_sum fact[FACTS_MAX];
};

struct node *band_at(const struct band *band, int depth)
{
	return band->loop[band->wanted[depth]];
}

static bool bounds_use(const struct node *loop, const struct var *var)
{
	return expr_uses(loop->lo, var) || expr_uses(loop->hi, var);
}

/* Whether the bounds of the loop at "depth" use the iterator of a loop that shall stand inside it. */
static bool is_inverted(const struct band *band, int depth)
{
	for (int inner = depth + 1; inner < band->n; inner++)
		if (bounds_use(band_at(band, depth), band_at(band, inner)->iter))
			return true;
	return false;
}

/* Set "chosen" (by depth) to the loops whose bounds must be computed anew: those out of order, and all that are tied to
 * them by bounds. Return whether there are any. */
static bool choose_loops(const struct band *band, bool *chosen)
{
	bool has_changed = false, has_any = false;

	for (int i = 0; i < band->n; i++)
		has_any |= chosen[i] = is_inverted(band, i);
	do {
		has_changed = false;
		for (int i = 0; i < band->n; i++) {
			for (int j = 0; j < band->n; j++) {
				if (chosen[i] || !chosen[j] || (!bounds_use(band_at(band, i), band_at(band, j)->iter) &&
							       !bounds_use(band_at(band, j), band_at(band, i)->iter)))
					continue;
				has_changed = chosen[i] = true;
			}
		}
	} while (has_changed);
	return has_any;
}

/* The loop inside that starts at the tile loop's iterator, if any. */
static struct node *point_of(const struct band *band, const struct node *tile)
{
	for (int i = 0; i < band->n; i++) {
		struct bound lo;

		if (!bound_of(band->loop[i]->lo, false, &lo))
			continue;
		for (int j = 0; j < lo.n; j++)
			if (lo.term[j].n == 1 && lo.term[j].constant == 0 && sum_factor(&lo.term[j], tile->iter) == 1)
				return band->loop[i];
	}
	return NULL;
}

/* The loop of step 1 that the tile loop and the tile loops within it cut into pieces; NULL when there is none. */
static struct node *last_point_of(const struct band *band, struct node *loop)
{
	while (loop && loop->step != 1)
		loop = point_of(band, loop);
	return loop;
}

static bool add_fact(struct facts *facts, const struct sum *sum, bool is_derived)
{
	for (int i = 0; i < facts->n; i++)
		if (sum_equal(&facts->fact[i].sum, sum))
			return true;
	if (facts->n == FACTS_MAX)
		return false;
	facts->fact[facts->n].sum = *sum;
	facts->fact[facts->n++].is_derived = is_derived;
	return true;
}

/* Add factor * (iter - term) - slack >= 0 for each term. */
static bool add_bound_facts(struct facts *facts, struct expr *iter, const struct bound *bound, int factor, int slack)
{
	for (int i = 0; i < bound->n; i++) {
		struct sum sum = { .constant = -slack }, ref;

		if (!sum_of(iter, &ref) || !sum_add(&sum, factor, &ref, &sum) || !sum_add(&sum, -factor, &bound->term[i], &sum) ||
		    !add_fact(facts, &sum, false))
			return false;
	}
	return true;
}

/* Whether the bound of a chosen loop has an iterator of the band inside a term that is no sum. */
static bool is_opaque(const struct band *band, const struct bound *bound)
{
	for (int i = 0; i < bound->n; i++)
		for (int j = 0; j < band->n; j++)
			if (sum_hides(&bound->term[i], band->loop[j]->iter))
				return true;
	return false;
}

static bool is_outside(const struct band *band, int depth, const struct bound *bound)
{
	for (int i = 0; i < bound->n; i++)
		for (int inner = depth; inner < band->n; inner++)
			if (sum_uses(&bound->term[i], band_at(band, inner)->iter))
				return false;
	return true;
}

/* Add what the bounds of the loop at "depth" say. A tile loop whose start depends on a loop that shall stand inside it is
 * cut anew ("*is_recut"): where its tiles begin is then free, and its start binds the point loop instead. */
static enum status add_loop_facts(struct rewrite *rewrite, const struct band *band, int depth, struct facts *facts, bool *is_recut)
{
	struct node *loop = band_at(band, depth), *bounded = loop;
	struct bound lo, hi;

	if (!bound_of(loop->lo, false, &lo) || !bound_of(loop->hi, true, &hi) || is_opaque(band, &lo) || is_opaque(band, &hi))
		return refuse(rewrite, "the bounds of %s are not sums of iterators", loop->iter->name);
	*is_recut = loop->step != 1 && !is_outside(band, depth, &lo);
	if (*is_recut)
		bounded = last_point_of(band, loop);
	if (!bounded)
		return refuse(rewrite, "%s starts at an iterator and has a step; its bounds cannot be exchanged", loop->iter->name);
	if (!add_bound_facts(facts, expr_scalar(rewrite->arena, bounded->iter), &lo, 1, 0) ||
	    !add_bound_facts(facts, expr_scalar(rewrite->arena, loop->iter), &hi, -1, 1))
		return refuse(rewrite, "the bounds of the loops have too many terms");
	return STATUS_OK;
}

/* Remove "var" from "facts", replacing what binds it by the consequences (Fourier and Motzkin). False when a factor of
 * "var" is not 1 or -1, or there are too many facts. */
static bool eliminate(struct facts *facts, const struct var *var)
{
	struct facts kept = { 0 };

	for (int i = 0; i < facts->n; i++) {
		const struct fact_sum *low = &facts->fact[i];
		int64_t factor = sum_factor(&low->sum, var);

		if (factor > 1 || factor < -1)
			return false;
		if (factor == 0 && !add_fact(&kept, &low->sum, low->is_derived))
			return false;
		for (int j = 0; factor == 1 && j < facts->n; j++) {
			struct sum sum;
			int64_t constant;

			if (sum_factor(&facts->fact[j].sum, var) != -1)
				continue;
			if (!sum_add(&low->sum, 1, &facts->fact[j].sum, &sum))
				return false;
			if (!sum_is_constant(&sum, &constant) && !add_fact(&kept, &sum, true))
				return false;
		}
	}
	*facts = kept;
	return true;
}

/* The bound of "var" that "facts" give: var >= -rest for a factor of 1, var < rest + 1 for -1. */
static bool bound_from(const struct facts *facts, const struct var *var, bool is_upper, struct bound *bound)
{
	bound->n = 0;
	for (int i = 0; i < facts->n; i++) {
		struct sum rest = sum_without(&facts->fact[i].sum, var), zero = { .constant = is_upper };

		if (sum_factor(&facts->fact[i].sum, var) != (is_upper ? -1 : 1))
			continue;
		if (bound->n == BOUND_TERMS || !sum_add(&zero, is_upper ? 1 : -1, &rest, &bound->term[bound->n]))
			return false;
		bound->n++;
	}
	bound_prune(bound, is_upper);
	return true;
}

/* Whether sum >= 0 follows from one of the original facts over loops outside "depth". */
static bool follows(const struct band *band, int depth, const struct facts *facts, const struct sum *sum)
{
	int64_t constant;

	if (sum_is_constant(sum, &constant))
		return constant >= 0;
	for (int i = 0; i < facts->n; i++) {
		struct bound single = { 1, { facts->fact[i].sum } };
		struct sum rest;

		if (!facts->fact[i].is_derived && is_outside(band, depth, &single) &&
		    sum_add(sum, -1, &facts->fact[i].sum, &rest) && sum_is_constant(&rest, &constant) && constant >= 0)
			return true;
	}
	return false;
}

/* Remove each term of the bound that the loops outside and another term make superfluous. */
static void prune(const struct band *band, int depth, const struct facts *facts, bool is_upper, struct bound *bound)
{
	for (int i = bound->n - 1; i >= 0; i--) {
		for (int j = 0; j < bound->n; j++) {
			struct sum gap;

			if (i == j || !sum_add(&bound->term[i], -1, &bound->term[j], &gap))
				continue;
			if (!is_upper) {
				struct sum zero = { 0 };

				sum_add(&zero, -1, &gap, &gap);
			}
			if (!follows(band, depth, facts, &gap))
				continue;
			bound->n--;
			memmove(bound->term + i, bound->term + i + 1, sizeof(*bound->term) * (size_t)(bound->n - i));
			break;
		}
	}
}

/* Whether a fact that is no bound of the loop's own keeps its iterator from starting at its lower bound. */
static bool is_bound_below(const struct band *band, int depth, const struct facts *facts)
{
	const struct node *loop = band_at(band, depth);
	struct bound lo;

	if (!bound_of(loop->lo, false, &lo))
		return true;
	for (int i = 0; i < facts->n; i++) {
		struct sum rest = sum_without(&facts->fact[i].sum, loop->iter), zero = { 0 };
		bool is_own = false;

		if (facts->fact[i].is_derived || sum_factor(&facts->fact[i].sum, loop->iter) != 1)
			continue;
		sum_add(&zero, -1, &rest, &rest);
		for (int j = 0; j < lo.n; j++)
			is_own |= sum_equal(&lo.term[j], &rest);
		if (!is_own)
			return true;
	}
	return false;
}

/* Where a tile loop that is cut anew begins: the least value of its point loop, given the loops outside. */
static bool recut_start(const struct band *band, int depth, const bool *chosen, const struct facts *original, struct bound *start)
{
	struct node *tile = band_at(band, depth);
	const struct node *point = last_point_of(band, tile);
	struct facts facts = { 0 };

	for (int i = 0; i < original->n; i++)
		if (!sum_uses(&original->fact[i].sum, tile->iter) &&
		    !add_fact(&facts, &original->fact[i].sum, original->fact[i].is_derived))
			return false;
	for (int inner = band->n - 1; inner > depth; inner--)
		if (chosen[inner] && band_at(band, inner) != point && !eliminate(&facts, band_at(band, inner)->iter))
			return false;
	return bound_from(&facts, point->iter, false, start) && start->n > 0;
}

/* Compute the bounds of the loop at "depth" from "facts", which mention no loop inside it, and remove it from them. */
static bool bind_loop(struct rewrite *rewrite, const struct band *band, int depth, const bool *chosen, const bool *is_recut,
		      const struct facts *original, struct facts *facts)
{
	struct node *loop = band_at(band, depth);
	struct bound lo, hi;

	if (!bound_from(facts, loop->iter, true, &hi) || hi.n == 0)
		return false;
	prune(band, depth, original, true, &hi);
	if (loop->step == 1) {
		if (!bound_from(facts, loop->iter, false, &lo) || lo.n == 0)
			return false;
		prune(band, depth, original, false, &lo);
		loop->lo = bound_expr(rewrite->arena, &lo, false, loop->iter->type);
	} else if (is_recut[depth]) {
		if (!recut_start(band, depth, chosen, original, &lo))
			return false;
		loop->lo = bound_expr(rewrite->arena, &lo, false, loop->iter->type);
	} else if (is_bound_below(band, depth, facts)) {
		return false;
	}
	loop->hi = bound_expr(rewrite->arena, &hi, true, loop->iter->type);
	return eliminate(facts, loop->iter);
}

enum status band_exchange_bounds(struct rewrite *rewrite, const struct band *band)
{
	struct facts *original = ARENA_NEW(rewrite->arena, struct facts);
	struct facts *facts = ARENA_NEW(rewrite->arena, struct facts);
	bool chosen[BAND_MAX] = { false }, is_recut[BAND_MAX] = { false };

	if (!choose_loops(band, chosen))
		return STATUS_OK;
	for (int i = 0; i < band->n; i++)
		if (chosen[i] && add_loop_facts(rewrite, band, i, original, &is_recut[i]) != STATUS_OK)
			return STATUS_FAILED;
	*facts = *original;
	for (int i = band->n - 1; i >= 0; i--)
		if (chosen[i] && !bind_loop(rewrite, band, i, chosen, is_recut, original, facts))
			return refuse(rewrite, "the bounds of %s cannot be exchanged with those of the loops around it",
				      band_at(band, i)->iter->name);
	return STATUS_OK;
}

enum status band_check_tiles(struct rewrite *rewrite, const struct band *band)
{
	for (int i = 0; i < band->n; i++) {
		const struct node *point = band_at(band, i)->step == 1 ? NULL : point_of(band, band_at(band, i));

		for (int j = 0; point && j < i; j++)
			if (band_at(band, j) == point)
				return refuse(rewrite, "%s must stay outside %s", band_at(band, i)->iter->name, point->iter->name);
	}
	return STATUS_OK;
}
