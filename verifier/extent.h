/* Which elements a nest touches at given sizes, without running it. */
#ifndef STROP_VERIFIER_EXTENT_H
#define STROP_VERIFIER_EXTENT_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/nest.h"
#include "ir/signature.h"

/* The values of the nest's vars, by their index in nest->var; "is_known" for integer params only. */
struct shape {
	int n;
	int64_t *value;
	bool *is_known;
};

/* The flat offsets [lo, hi] of the elements of an array that may be touched; hi < lo when none is. */
struct box {
	int64_t lo, hi;
};

/* Why boxes cannot be told: the array, a sentence, and when a subscript leaves an extent, which and how far. */
struct extent_failure {
	const struct var *var;
	int dimension;
	int64_t lo, hi;
	char why[160];
};

/* Set box[v] for each array nest->var[v], and "*work" to about how many statement instances run. False, with the reason
 * in "failure", when a subscript has no bounds or leaves the extents of its array. */
bool extent_boxes(const struct nest *nest, const struct signature *signature, const struct shape *shape,
		  struct box *box, double *work, struct extent_failure *failure);
/* How many elements lie between two neighbours in dimension "d" - 1, d > 0: what the judge's arrays are laid out by. Rows that a table
 * points to have room between them, so that programs which take them for one matrix are wrong. False when it is not known. */
bool extent_pitch(const struct nest *nest, const struct shape *shape, const struct var *var, int d, int64_t *value);
/* Evaluate "expr" over the shape's params; false when it uses anything else. */
bool extent_evaluate(const struct nest *nest, const struct shape *shape, const struct expr *expr, int64_t *value);

#endif
