/* Flat subscripts as those of several dimensions: A[i * lda + k] is A[i,k] of rows of length lda if 0 <= k < lda. */
#include "lift_internal.h"

#include <string.h>

enum { MAX_STRIDES = 6 };

/* Dimensions from outside in: an element lies at sum(sub[d] * stride[d]); the last stride is 1, each a multiple of the next. */
struct shape {
	int n;
	struct poly *stride[MAX_STRIDES + 1];
};

static int64_t gcd(int64_t a, int64_t b)
{
	while (b) {
		const int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a < 0 ? -a : a;
}

/* The common divisor of the coefficients of "poly". */
static int64_t content(const struct poly *poly)
{
	int64_t divisor = 0;

	for (int i = 0; i < poly->n; i++)
		divisor = gcd(divisor, poly->term[i].coef);
	return divisor;
}

/* The sign of the first of the terms with the most factors. */
static int leading_sign(const struct poly *poly)
{
	const struct term *first = poly->term;

	for (int i = 1; i < poly->n; i++)
		if (poly->term[i].n > first->n)
			first = &poly->term[i];
	return first->coef < 0 ? -1 : 1;
}

/* poly / divisor, NULL if that leaves a rest. */
static struct poly *exact(struct lifter *lifter, const struct poly *poly, const struct poly *divisor)
{
	struct poly *quotient, *rest;

	poly_divide_rest(lifter, poly, divisor, &quotient, &rest);
	return rest->n ? NULL : quotient;
}

static int degree(const struct poly *poly)
{
	int most = 0;

	for (int i = 0; i < poly->n; i++)
		if (poly->term[i].n > most)
			most = poly->term[i].n;
	return most;
}

/* The next atom from "*at" on that moves in "poly", or -1; "*at" counts through the lifter's atoms. */
static int next_moving(const struct lifter *lifter, const struct poly *poly, int *at)
{
	for (; *at < lifter->n_atom; (*at)++)
		if (!lifter->atom[*at].is_param && poly_uses(poly, *at))
			return (*at)++;
	return -1;
}

/* What of "poly" does not move. */
static struct poly *fixed_part(struct lifter *lifter, const struct poly *poly)
{
	struct poly *part = poly_const(lifter, 0);

	for (int i = 0; i < poly->n; i++) {
		const struct poly term = {.n = 1, .term = &poly->term[i]};

		if (poly_is_param(lifter, &term))
			part = poly_add(lifter, part, &term, 1);
	}
	return part;
}

/* Note the stride of each atom that moves in "poly", its common factor and sign removed; false if two of them are multiplied. */
static bool note_strides(struct lifter *lifter, const struct poly *poly, struct shape *all)
{
	int atom;

	for (int at = 0; (atom = next_moving(lifter, poly, &at)) >= 0;) {
		struct poly *slope, *rest;
		bool known = false;

		if (!poly_split(lifter, poly, atom, &slope, &rest) || !poly_is_param(lifter, slope))
			return false;
		if (degree(slope) == 0)
			continue;
		slope = exact(lifter, slope, poly_const(lifter, content(slope) * leading_sign(slope)));
		for (int i = 0; i < all->n; i++)
			known = known || poly_equal(all->stride[i], slope);
		if (!known && all->n == MAX_STRIDES)
			return false;
		if (!known)
			all->stride[all->n++] = slope;
	}
	return true;
}

/* The common divisor of all multiples of "stride" in "poly". */
static int64_t stride_factor(struct lifter *lifter, const struct poly *poly, const struct poly *stride, int64_t factor)
{
	struct poly *quotient, *rest;
	int atom;

	for (int at = 0; (atom = next_moving(lifter, poly, &at)) >= 0;) {
		struct poly *slope;

		poly_split(lifter, poly, atom, &slope, &rest);
		quotient = exact(lifter, slope, stride);
		if (quotient && degree(quotient) == 0)
			factor = gcd(factor, content(quotient));
	}
	poly_divide_rest(lifter, fixed_part(lifter, poly), stride, &quotient, &rest);
	if (quotient->n && degree(quotient) == 0)
		factor = gcd(factor, content(quotient));
	return factor;
}

static void sort_strides(struct shape *all)
{
	for (int i = 0; i < all->n; i++) {
		for (int j = i + 1; j < all->n; j++) {
			if (degree(all->stride[j]) > degree(all->stride[i])) {
				struct poly *const swap = all->stride[i];

				all->stride[i] = all->stride[j];
				all->stride[j] = swap;
			}
		}
	}
}

/* All strides of the accesses to "base"; false if there are none, or some access is not that simple. */
static bool find_strides(struct lifter *lifter, const struct base *base, struct shape *all)
{
	all->n = 0;
	for (int i = 0; i < lifter->n_access; i++)
		if (lifter->access[i].place.base == base && !note_strides(lifter, lifter->access[i].place.sub[0], all))
			return false;
	for (int s = 0; s < all->n; s++) {
		int64_t factor = 0;

		for (int i = 0; i < lifter->n_access; i++)
			if (lifter->access[i].place.base == base)
				factor = stride_factor(lifter, lifter->access[i].place.sub[0], all->stride[s], factor);
		all->stride[s] = poly_mul(lifter, all->stride[s], poly_const(lifter, factor ? factor : 1));
	}
	sort_strides(all);
	return all->n > 0;
}

/* The strides of "all" that the bits of "mask" select, with 1 at the end; false if they are not multiples of each other. */
static bool select_strides(struct lifter *lifter, const struct shape *all, unsigned mask, struct shape *shape)
{
	shape->n = 0;
	for (int i = 0; i < all->n; i++)
		if (mask & 1u << i)
			shape->stride[shape->n++] = all->stride[i];
	shape->stride[shape->n++] = poly_const(lifter, 1);
	for (int d = 0; d + 1 < shape->n; d++)
		if (!exact(lifter, shape->stride[d], shape->stride[d + 1]))
			return false;
	return true;
}

/* The size of dimension d > 0. */
static struct poly *shape_extent(struct lifter *lifter, const struct shape *shape, int d)
{
	return exact(lifter, shape->stride[d - 1], shape->stride[d]);
}

/* Add "atom" times the parts of "slope" to the dimensions that these are constant multiples of: to one if possible, else to
 * several, as the diagonal's lda + 1. False if there is a part that none takes. */
static bool add_by_constants(struct lifter *lifter, const struct shape *shape, const struct poly *slope, int atom,
			     struct poly **sub)
{
	struct poly *by[MAX_STRIDES + 1] = {0}, *rest = poly_add(lifter, slope, poly_const(lifter, 0), 1);

	for (int d = 0; d < shape->n; d++) {
		struct poly *const whole = exact(lifter, slope, shape->stride[d]);

		if (whole && degree(whole) == 0) {
			sub[d] = poly_add(lifter, sub[d], poly_mul(lifter, whole, poly_atom(lifter, atom)), 1);
			return true;
		}
	}
	for (int d = 0; d < shape->n; d++) {
		poly_divide_rest(lifter, rest, shape->stride[d], &by[d], &rest);
		if (degree(by[d]) > 0)
			return false;
	}
	if (rest->n)
		return false;
	for (int d = 0; d < shape->n; d++)
		sub[d] = poly_add(lifter, sub[d], poly_mul(lifter, by[d], poly_atom(lifter, atom)), 1);
	return true;
}

/* The first dimension of which "slope" is a multiple, and how often it goes there. */
static int find_dimension(struct lifter *lifter, const struct shape *shape, const struct poly *slope, struct poly **quotient)
{
	for (int d = 0; d < shape->n; d++) {
		*quotient = exact(lifter, slope, shape->stride[d]);
		if (*quotient)
			return d;
	}
	return -1;
}

/* Distribute the flat subscript "poly" over the dimensions; return the number of terms whose factor is a param. Those
 * factors are noted in "step" (n_step of them) if there is room. */
static int split_subscript(struct lifter *lifter, const struct shape *shape, const struct poly *poly, struct poly **sub,
			   struct shape *step)
{
	struct poly *rest = fixed_part(lifter, poly), *quotient = NULL;
	int atom, others = 0;

	for (int d = 0; d < shape->n; d++) {
		poly_divide_rest(lifter, rest, shape->stride[d], &sub[d], &rest);
		sub[d]->is_wide = poly->is_wide;
	}
	for (int at = 0; (atom = next_moving(lifter, poly, &at)) >= 0;) {
		struct poly *slope, *unused;
		int d;

		poly_split(lifter, poly, atom, &slope, &unused);
		if (add_by_constants(lifter, shape, slope, atom, sub))
			continue;
		others++;
		d = find_dimension(lifter, shape, slope, &quotient);
		if (step && step->n < MAX_STRIDES)
			step->stride[step->n++] = quotient;
		sub[d] = poly_add(lifter, sub[d], poly_mul(lifter, quotient, poly_atom(lifter, atom)), 1);
	}
	for (int d = 0; d < shape->n; d++)
		sub[d]->is_wide = poly->is_wide;
	return others;
}

/* Whether the largest value of "sub" holds a product of the dimension's size: the dimension is then none. */
static bool is_overfull(struct lifter *lifter, const struct access *access, const struct poly *sub, const struct poly *extent)
{
	struct poly *const most = range_bound(lifter, sub, access->around, access->n_around, 1);

	if (!most || extent->n != 1 || extent->term[0].n == 0)
		return false;
	for (int i = 0; i < most->n; i++) {
		const struct term unit = extent->term[0];
		const struct poly term = {.n = 1, .term = &most->term[i]}, divisor = {.n = 1, .term = (struct term *)&unit};

		if (most->term[i].coef > 0 && most->term[i].n > unit.n && exact(lifter, &term, &divisor))
			return true;
	}
	return false;
}

/* What speaks against "shape" at one access; -1 when it cannot be. Assumptions that it needs are added to the nest: one
 * that compares sizes is common ("lda >= K"), unless the size is also the step of an iterator ("y * stride + dy"). */
static int access_cost(struct lifter *lifter, const struct access *access, const struct shape *shape)
{
	struct poly *sub[MAX_STRIDES + 1];
	struct shape step = {0};
	int cost = 3 * split_subscript(lifter, shape, access->place.sub[0], sub, &step);

	for (int d = 1; d < shape->n; d++) {
		struct poly *const extent = shape_extent(lifter, shape, d);
		struct poly *const room = poly_add(lifter, poly_add(lifter, extent, poly_const(lifter, 1), -1), sub[d], -1);
		const int before = lifter->nest->n_assumption;

		if (is_overfull(lifter, access, sub[d], extent) || !range_assume_at(lifter, sub[d], access) ||
		    !range_assume_at(lifter, room, access))
			return -1;
		cost += lifter->nest->n_assumption - before;
		for (int i = 0; i < step.n && lifter->nest->n_assumption > before; i++)
			if (poly_equal(step.stride[i], extent))
				cost += 5;
	}
	return cost;
}

/* Prove or assume that the elements which the shape covers are all in an array of known size. */
static bool access_fits(struct lifter *lifter, const struct base *base, const struct access *access, const struct shape *shape)
{
	struct poly *sub[MAX_STRIDES + 1], *covered;

	if (!base->size)
		return true;
	split_subscript(lifter, shape, access->place.sub[0], sub, NULL);
	covered = poly_mul(lifter, poly_add(lifter, sub[0], poly_const(lifter, 1), 1), shape->stride[0]);
	return covered && range_assume_at(lifter, poly_add(lifter, base->size, covered, -1), access);
}

/* What speaks against "shape" for "base"; -1 when it cannot be. */
static int shape_cost(struct lifter *lifter, const struct base *base, const struct shape *shape)
{
	int cost = 0;

	for (int i = 0; i < lifter->n_access; i++) {
		const struct access *const access = &lifter->access[i];
		int more;

		if (access->place.base != base)
			continue;
		more = access_cost(lifter, access, shape);
		if (more < 0 || (shape->n > 1 && !access_fits(lifter, base, access, shape)))
			return -1;
		cost += more;
	}
	return cost;
}

/* The number of accesses to "base" whose outermost iterator is not in the first dimension. */
static int count_misplaced(struct lifter *lifter, const struct base *base, const struct shape *shape)
{
	int n = 0;

	for (int i = 0; i < lifter->n_access; i++) {
		const struct access *const access = &lifter->access[i];
		struct poly *sub[MAX_STRIDES + 1];

		if (access->place.base != base)
			continue;
		split_subscript(lifter, shape, access->place.sub[0], sub, NULL);
		for (int j = 0; j < access->n_around; j++) {
			const int atom = atom_of_var(lifter, access->around[j].iter, true);

			if (!poly_uses(access->place.sub[0], atom))
				continue;
			n += !poly_uses(sub[0], atom);
			break;
		}
	}
	return n;
}

static void set_shape(struct lifter *lifter, struct base *base, const struct shape *shape)
{
	for (int d = 1; d < shape->n; d++)
		base->dim[d - 1] = shape_extent(lifter, shape, d);
	base->n_dim = shape->n - 1;
	base->size = NULL;
	for (int i = 0; i < lifter->n_access; i++) {
		struct access *const access = &lifter->access[i];
		struct poly *sub[MAX_STRIDES + 1];

		if (access->place.base != base)
			continue;
		split_subscript(lifter, shape, access->place.sub[0], sub, NULL);
		memcpy(access->place.sub, sub, sizeof(sub[0]) * (size_t)shape->n);
		access->place.n = shape->n;
	}
}

void delinearize(struct lifter *lifter, struct base *base)
{
	const int n_assumption = lifter->nest->n_assumption;
	struct shape all, shape, best = {0};
	int best_cost = -1;

	if (!find_strides(lifter, base, &all))
		return;
	for (unsigned mask = (1u << all.n) - 1;; mask--) {
		int cost = -1;

		if (select_strides(lifter, &all, mask, &shape))
			cost = shape_cost(lifter, base, &shape);
		lifter->nest->n_assumption = n_assumption;
		if (cost >= 0 && (best_cost < 0 || cost < best_cost ||
				  (cost == best_cost && count_misplaced(lifter, base, &shape) < count_misplaced(lifter, base, &best)))) {
			best = shape;
			best_cost = cost;
		}
		if (mask == 0)
			break;
	}
	if (best.n < 2)
		return;
	shape_cost(lifter, base, &best);
	set_shape(lifter, base, &best);
}
