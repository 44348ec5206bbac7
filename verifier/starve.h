/* Starving: winners that take memory for themselves run once more where there is none to be had. */
#ifndef STROP_VERIFIER_STARVE_H
#define STROP_VERIFIER_STARVE_H

#include "support/text.h"

#include "judge_internal.h"

/* When "program", built of "source", takes memory and the original does not, run it on the quick trials with requests that fail: all at
 * first, then some. Wrong results set "*verdict"; a process that ends does not, since a caller can tell that from success. */
enum status starve_check(struct judge *judge, const struct text *source, const struct program *program, struct verdict *verdict,
			 struct diag *diag);

#endif
