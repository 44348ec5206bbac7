/* The judge's own naive C for a nest, in wider types. */
#ifndef STROP_VERIFIER_ORACLE_EMIT_H
#define STROP_VERIFIER_ORACLE_EMIT_H

#include "support/text.h"

#include "outline.h"

/* What an element of f32 (or f64) is in the oracle: "v" the value in a wider type; "m" its magnitude, what it would be
 * if all terms were added in absolute value, with the condition of products, quotients and functions worked in; "c" how
 * many roundings lie on the longest way to it. "m" times the unit roundoff times a function of "c" bounds the error. */
struct wide_f32 {
	double v, m;
	float c;
};
struct wide_f64 {
	long double v;
	double m;
	float c;
};

/* The iterations of a loop that a mutation leaves out. */
enum drop { DROP_FIRST, DROP_LAST, DROP_LAST_TWO, DROP_COUNT };

/* The last slot of the oracle's program: "mutation" says what is left out (0: nothing; oracle_mutation: iterations of a
 * loop; -1: nothing runs, operations are counted). */
struct oracle_mode {
	int64_t mutation;
	double flops;
};

/* The mutation that drops iterations of "loop", loops being counted in text order. */
int64_t oracle_mutation(int loop, enum drop drop);
/* Append the program, with the entry points of an outlined one. False when the nest calls a function that the oracle
 * does not know; "*unknown" is then its name. */
bool oracle_emit(const struct outline *outline, struct text *text, const char **unknown);

#endif
