/* Nests as the plainest C possible: what generated code is compared with. Shares nothing with rewrite/. */
#ifndef STROP_FUZZ_PLAIN_H
#define STROP_FUZZ_PLAIN_H

#include "ir/nest.h"
#include "support/text.h"

/* The variables that live outside, in the order of the slots: the params, scalars and arrays of "nest". */
int fuzz_slots(const struct nest *nest, const struct var **slot, int max);

/* How to print: in wider floats; loops marked parallel backwards, and those marked vector that hold only statements in
 * steps of lanes, statement by statement. */
struct fuzz_plain {
	bool is_wide, is_shuffled;
};
/* Append "static void name(void *const *v)", which runs "nest"; v[s] holds slot s of "original". */
void fuzz_plain_print(struct text *text, const char *name, const struct nest *nest, const struct nest *original,
		      struct fuzz_plain how);
/* Append "static long name(void *const *v, long *count)": the elements of each array; the least extent is returned. */
void fuzz_count_print(struct text *text, const char *name, const struct nest *original);

#endif
