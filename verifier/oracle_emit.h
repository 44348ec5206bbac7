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

/* The last slot of the oracle's program: "mutation" says what is left out (0: nothing; 2 * l + 1: the first iteration
 * of loop l; 2 * l + 2: the last one; loops are counted in text order; -1: nothing runs, operations are counted). */
struct oracle_mode {
	int64_t mutation;
	double flops;
};

/* Append the program, with the entry points of an outlined one. False when the nest calls a function that the oracle
 * does not know; "*unknown" is then its name. */
bool oracle_emit(const struct outline *outline, struct text *text, const char **unknown);

#endif
