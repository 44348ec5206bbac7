/* Comparing what a program left behind with what is expected. */
#ifndef STROP_VERIFIER_COMPARE_H
#define STROP_VERIFIER_COMPARE_H

#include <stdbool.h>

#include "support/arena.h"

#include "judge.h"
#include "trial.h"

/* Whether two elements are the same bit for bit; any NaN is the same as any other, zeros of different sign are not. */
bool element_equal(enum type type, const void *a, const void *b);
double element_real(enum type type, const void *element);
/* Append-free printing of one element, exact: "%.17g" or an integer. */
const char *element_print(struct arena *arena, enum type type, const void *element);
/* "C[3,5]" or "sum": element "offset" (flat) of a binding. */
const char *element_name(struct arena *arena, const struct trial *trial, int binding, int64_t offset);

/* How one found element is judged. */
typedef bool element_accept(const struct trial *trial, int part, int64_t index, enum type type, const void *expected,
			    const void *found);

/* Compare the image's contents with the expected answers by "accept" (NULL: bit for bit), and what must not change with
 * what it was: VERDICT_EQUAL, or else VERDICT_DIFFERENT or VERDICT_INPUT_CHANGED with the first difference. */
struct verdict trial_compare(struct arena *arena, const struct trial *trial, element_accept *accept);

#endif
