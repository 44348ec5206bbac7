/* Integer arithmetic on constants, with C's meaning in a given type or no answer at all. */
#ifndef STROP_IR_FOLD_H
#define STROP_IR_FOLD_H

#include "nest.h"

/* Whether "value" is a value of the integer type "type" (of u64: its lower half). */
bool fold_fits(enum type type, int64_t value);
/* Set "*result" to "left op right" computed in "type". False when it overflows, divides by zero, shifts too far, or "op"
 * is no binary operator of integers; then C gives it no meaning or one that depends on wrapping. */
bool fold_binary(enum type type, enum op op, int64_t left, int64_t right, int64_t *result);
bool fold_unary(enum type type, enum op op, int64_t arg, int64_t *result);
/* The largest integer that is at most left / right; right > 0. */
int64_t fold_floordiv(int64_t left, int64_t right);

#endif
