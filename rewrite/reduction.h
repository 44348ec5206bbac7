/* Recognising reductions: statements that fold values into one element by an operator whose order may not matter. */
#ifndef STROP_REWRITE_REDUCTION_H
#define STROP_REWRITE_REDUCTION_H

#include <stdbool.h>

#include "ir/nest.h"

#include "fp.h"

/* The operator by which "stmt" folds its value into its target: OP_ADD (also for -=), OP_MUL (also for /= of floats), OP_AND,
 * OP_OR, OP_XOR, OP_MIN, OP_MAX; OP_NONE when it is no reduction. "cond" is the data condition directly around it, or
 * NULL: "if (x > m) m = x" is a maximum. The folded value may read other elements of the target's array: whether these
 * can be the element itself is for the caller to find out. */
enum op reduction_op(const struct node *stmt, const struct expr *cond);
/* Whether the reduction is a minimum or maximum of floats by a comparison that takes a term only where it is truly less or greater
 * ("if (x > m) m = x"). A NaN is then never taken and never left, so that any order gives the same but for which zero: of two
 * zeros of different sign, the one that comes first in the original is wanted. */
bool reduction_is_selection(const struct node *stmt, const struct expr *cond);
/* The reference through which "stmt" reads its own target, when it is the reduction "t = t op e" or a min or max; else
 * NULL (the compound form reads it implicitly). */
const struct expr *reduction_self(const struct node *stmt);
/* Whether "mode" lets the terms of a reduction by "op" over elements of "type" be taken in any order. Integer min, max and
 * bitwise operators are exact in any order, and so are unsigned sums and products, which wrap; signed ones could
 * overflow in between where the original does not, and floats round. */
bool reduction_may_reorder(enum op op, enum type type, enum fp_mode mode);
/* Whether "nest" folds floating-point terms over some loop in an order that "mode" keeps and FP_REASSOC would not. */
bool reduction_is_kept(const struct nest *nest, enum fp_mode mode);

#endif
