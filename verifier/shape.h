/* Shapes: values for the integer params of a nest, chosen so that its loops are exercised and its assumptions hold. */
#ifndef STROP_VERIFIER_SHAPE_H
#define STROP_VERIFIER_SHAPE_H

#include <stddef.h>

#include "support/arena.h"
#include "support/rng.h"

#include "extent.h"
#include "job.h"

/* SHAPE_ZERO and SHAPE_ONE: all sizes that; SHAPE_SMALL: 2 to 7; SHAPE_TAIL: around multiples of vector widths;
 * SHAPE_PRIME: primes up to 37, all different; SHAPE_EDGE: var "edge" of the wish has "edge_size",
 * the others are small; SHAPE_LARGE: as large as the work allows; SHAPE_ROUND: powers
 * of two as large as the work allows; SHAPE_GIVEN: the job's sizes. */
enum shape_kind {
	SHAPE_ZERO,
	SHAPE_ONE,
	SHAPE_SMALL,
	SHAPE_TAIL,
	SHAPE_PRIME,
	SHAPE_EDGE,
	SHAPE_LARGE,
	SHAPE_ROUND,
	SHAPE_GIVEN,
	SHAPE_COUNT
};

/* A shape with what follows from it: a box per var, about how many statement instances run, bytes of the boxes. "null" is
 * an array that does not exist at this shape, or NULL; "is_exact" tells that all given sizes were taken as they are;
 * "has_mark", by var, that values decide how much of an array of integers is read, so that its last element shall be 0. */
struct sized {
	struct shape shape;
	const struct var *null;
	bool is_exact;
	struct box *box;
	bool *has_mark;
	double work;
	size_t bytes;
};

/* What a shape may cost. */
struct effort {
	double work;
	size_t bytes;
};

struct derivation;
struct probe;
/* What is wanted: a shape of "kind" that costs at most about "most" (SHAPE_LARGE and SHAPE_ROUND: close to it). "given" (n_given) are
 * taken as they are, but for derived params that no values of their bases lead to. "derivation" may be NULL where the nest
 * has no derived params; "probe" finds the extents of an opaque nest; "null" is the array that shall not exist, or NULL. */
struct wish {
	const struct job *job;
	struct derivation *derivation;
	struct probe *probe;
	enum shape_kind kind;
	int n_given;
	const struct size *given;
	struct effort most;
	const struct var *null;
	int edge;
	int64_t edge_size;
};

/* NULL, with the reason in "failure", when no such shape can be found. */
struct sized *shape_draw(struct arena *arena, const struct wish *wish, struct rng *rng, struct extent_failure *failure);
/* Whether an integer param decides how often loops run. */
bool shape_is_size(const struct nest *nest, const struct var *var);
/* Whether it decides that, or how long an array is, or what indices may be. */
bool shape_is_length(const struct job *job, const struct var *var);
/* "n=7 m=5": the integer params in the nest's order. */
const char *shape_print(struct arena *arena, const struct nest *nest, const struct shape *shape);
bool shape_equal(const struct shape *a, const struct shape *b);

#endif
