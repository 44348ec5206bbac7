/* Sums of integer terms, for the bounds and subscripts that actions compare and rebuild.
 *
 * A term is a factor times an atom: a scalar (iterator or param), or an expression that is no sum. Sums are read as
 * mathematical integers: the types that they had are put back when an expression is made of them. */
#ifndef STROP_REWRITE_ACTION_SUM_H
#define STROP_REWRITE_ACTION_SUM_H

#include <stdbool.h>

#include "ir/nest.h"

enum { SUM_TERMS = 12, BOUND_TERMS = 8 };

/* constant + sum of factor[i] * atom[i]; factors are not zero, atoms differ pairwise. */
struct sum {
	int n;
	struct expr *atom[SUM_TERMS];
	int64_t factor[SUM_TERMS];
	int64_t constant;
};

/* A bound with several terms: the largest of them (lower bounds) or the smallest (upper bounds). */
struct bound {
	int n;
	struct sum term[BOUND_TERMS];
};

/* Set "*sum" to "expr"; false when it has too many terms or an overflow. */
bool sum_of(struct expr *expr, struct sum *sum);
/* Set "*sum" to "a" + "factor" * "b". */
bool sum_add(const struct sum *a, int64_t factor, const struct sum *b, struct sum *sum);
bool sum_is_constant(const struct sum *sum, int64_t *constant);
bool sum_equal(const struct sum *a, const struct sum *b);
/* The factor of the scalar "var"; 0 when it is no term. */
int64_t sum_factor(const struct sum *sum, const struct var *var);
/* "sum" without its term in the scalar "var". */
struct sum sum_without(const struct sum *sum, const struct var *var);
/* Whether "var" occurs in "sum", be it inside an atom. */
bool sum_uses(const struct sum *sum, const struct var *var);
/* Whether "var" occurs inside an atom that is more than a scalar. */
bool sum_hides(const struct sum *sum, const struct var *var);
/* An expression of "type" for "sum". */
struct expr *sum_expr(struct arena *arena, const struct sum *sum, enum type type);

/* The terms of a lower bound max(a, b, ..) or, with "is_upper", of an upper bound min(a, b, ..); min(a, b) + c is seen as
 * min(a + c, b + c). False when there are too many. */
bool bound_of(struct expr *expr, bool is_upper, struct bound *bound);
/* The expression max(..) or min(..) of "type". */
struct expr *bound_expr(struct arena *arena, const struct bound *bound, bool is_upper, enum type type);
/* Remove each term that another term makes superfluous, because their difference is constant. */
void bound_prune(struct bound *bound, bool is_upper);

/* The largest number of iterations that "loop" can have, from a bound hi <= lo + constant; -1 when there is none. */
int64_t loop_trip_max(const struct node *loop);
/* The same, with "*is_exact" telling whether it always has just as many. */
int64_t loop_trip(const struct node *loop, bool *is_exact);
/* Set "*base" to the lower bound of which loop_trip_max() counts: iter - base lies in 0 .. (trip - 1) * step. Return that trip
 * count, or -1. */
int64_t loop_base(const struct node *loop, struct sum *base);
/* Whether "a" and "b" run over the same values: equal bounds up to the order of terms, equal steps. */
bool loop_same_range(const struct node *a, const struct node *b);
/* Whether sum > 0 follows from one bound of one of the n loops around, outermost first. */
bool sum_is_positive(const struct sum *sum, int n, struct node *const *outer);
/* Whether "loop" surely has an iteration each time it is reached, given the n loops around it, outermost first. */
bool loop_is_entered(const struct node *loop, int n, struct node *const *outer);

#endif
