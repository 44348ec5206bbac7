/* The shared validator: every plan's final tree is checked by isl, independently of the actions that made it. */
#ifndef STROP_REWRITE_VALIDATE_H
#define STROP_REWRITE_VALIDATE_H

#include "ir/nest.h"
#include "support/diag.h"

#include "fp.h"

/* The dependences of a nest, computed once with isl, and kept with cheap summaries. */
struct dependences;
struct dependences *dependences_new(const struct nest *nest, enum fp_mode mode, struct diag *diag);
struct dependences *dependences_free(struct dependences *dependences);

/* Whether running "rewritten" in its order (parallel and vector loops in any order of their iterations) executes each
 * instance of the original once and keeps each dependence; reductions that the mode lets be reordered are exempt
 * among themselves. False and a sentence naming the statements otherwise. */
bool validate(const struct dependences *dependences, const struct nest *rewritten, struct diag *why);

/* Direction vectors: for each dependence between statements with a given set of common original loops, the sign of the
 * distance per common loop. Computed once, answered in microseconds. */
enum direction { DIRECTION_EQUAL = 1, DIRECTION_LESS = 2, DIRECTION_GREATER = 4 }; /* or-ed: what the distance may be */
struct dependence_vector {
	int from, to;           /* labels */
	int n;                  /* common loops, outermost first */
	unsigned char *direction; /* LESS: source iteration earlier (distance > 0) */
	bool is_anti;           /* the source only reads what the target writes */
	bool is_reduction;      /* between instances of one reduction statement on the same element only */
	const struct var *var;  /* through which memory */
};
int dependences_vectors(const struct dependences *dependences, const struct dependence_vector **vector);

#endif
