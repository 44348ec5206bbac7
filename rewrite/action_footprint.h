/* The elements of an array that one run of a loop touches, as a box of constant size. */
#ifndef STROP_REWRITE_ACTION_FOOTPRINT_H
#define STROP_REWRITE_ACTION_FOOTPRINT_H

#include "action_internal.h"
#include "action_sum.h"

enum { AXES_MAX = 8, AXIS_LOOPS_MAX = 4 };

/* One dimension of the array: its subscripts are rest + low .. rest + high plus the sum of the iterators of "loop", loops at or
 * inside the one that the footprint belongs to. "range" are the values of each iterator as seen from outside: max(lo) to
 * min(hi); "base" is the term of lo such that iter - base < trip. "extent" elements suffice.
 * The dimension is fixed when n == 0 and low == high. */
struct axis {
	int n;
	struct node *loop[AXIS_LOOPS_MAX];
	struct sum rest;
	int64_t low, high;
	struct bound lo[AXIS_LOOPS_MAX], hi[AXIS_LOOPS_MAX];
	struct sum base[AXIS_LOOPS_MAX];
	int64_t trip[AXIS_LOOPS_MAX];
	int64_t extent;
	enum type subscript_type;
};

/* The references are those with the subscripts of the first written one, up to constants; when none is written, those of the
 * first one (of those whose subscripts have iterators of the loops "wanted" alone, if there are any).
 *   at              the loop
 *   least, most     the extreme values of the deciding reference's subscripts, as seen from outside
 *   is_read, is_written   by these references
 *   is_sure         one of them is reached in every run of the loop that has an iteration, for all values of its iterators
 *   is_overwritten  each element of the box is surely written before anything reads it: there is one reference, a plain
 *                   assignment that is reached for all values of its iterators */
struct footprint {
	const struct var *var;
	struct node *at;
	int n_ref;
	struct axis axis[AXES_MAX];
	struct bound least[AXES_MAX], most[AXES_MAX];
	bool is_read, is_written, is_sure, is_overwritten, is_defined;
	int n_wanted;
	struct node *const *wanted;
};

/* Compute the footprint of "var" in "at"; a reason when it is no box of constant size, or when the box is written and another
 * reference may touch it. */
enum status footprint_of(struct rewrite *rewrite, const struct var *var, struct node *at, int n_wanted,
			 struct node *const *wanted, struct footprint *footprint);
/* Whether the reference is one of those that the footprint is about. */
bool footprint_takes(const struct footprint *footprint, const struct expr *reference);
/* The least subscript of the dimension, and the place in the box of the element with subscript "subscript". */
struct expr *axis_base(struct rewrite *rewrite, const struct axis *axis, enum type type);
struct expr *axis_place(struct rewrite *rewrite, const struct axis *axis, struct expr *subscript);
bool axis_is_fixed(const struct axis *axis);
/* Whether the box is empty when the loop has no iteration. */
bool footprint_is_bound(const struct footprint *footprint);
/* The range max(lo) .. min(hi) of the iterator of "loop", at or inside "at", as seen from outside "at" where the iterators of
 * the loops "kept" are known too; "base" is the term of lo that its steps are counted from. Return how many iterations it has
 * at most, -1 when that is no constant. */
int64_t loop_extent(struct rewrite *rewrite, struct node *at, struct node *loop, int n_kept, const struct node *const *kept,
		    struct bound *lo, struct bound *hi, struct sum *base);

#endif
