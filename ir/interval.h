/* Intervals of integers: between which values an expression can lie, when its variables lie in intervals. */
#ifndef STROP_IR_INTERVAL_H
#define STROP_IR_INTERVAL_H

#include "nest.h"

/* { x : lo <= x <= hi } when "is_known" (none at all if lo > hi); else any value. */
struct interval {
	bool is_known;
	int64_t lo, hi;
};

struct interval interval_unknown(void);
struct interval interval_of(int64_t lo, int64_t hi);
/* The values of a type; unknown for u64 and for floats. */
struct interval interval_of_type(enum type type);
bool interval_is_empty(struct interval interval);
/* What lies in either, with all between; what lies in both. An unknown one adds nothing to the latter. */
struct interval interval_hull(struct interval a, struct interval b);
struct interval interval_meet(struct interval a, struct interval b);

/* The interval of "expr", an integer expression; "range" gives that of each scalar. An element of an array, of which
 * nothing is known but its type, has the interval of its type if that is at most 16 bits wide, as has anything that is
 * converted to such a type; else it is unknown, and so is what may overflow its type. Interval arithmetic after Moore:
 * each operand is taken to vary independently, so the answer holds but need not be tight. */
struct interval expr_interval(const struct expr *expr,
			      struct interval (*range)(const struct var *var, void *context), void *context);

#endif
