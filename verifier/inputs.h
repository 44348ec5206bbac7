/* Values for the inputs of a region: distributions under a secret seed, bent to what is known of each array. */
#ifndef STROP_VERIFIER_INPUTS_H
#define STROP_VERIFIER_INPUTS_H

#include "support/rng.h"

#include "job.h"
#include "shape.h"

/* DIST_NORMAL: uniform in (-1, 1), integers within [-100, 100]; DIST_WIDE: magnitudes over many decades; DIST_ZEROS: a
 * third are zeros of either sign, integers within [0, 3]; DIST_SIGNS: three times larger, all of one sign per array;
 * DIST_OFFSET: a large common offset; DIST_DENORMAL: a fifth are denormal; DIST_LIMITS: integers at the ends of their
 * type; DIST_NAN: a few NaN and infinities; DIST_RISING and DIST_FALLING: each array's values go up from 0, or down, so that the last
 * one is the extreme; DIST_UNITY: close to 1, so that long products stay in range; DIST_SPARSE: seven of eight are zeros of
 * either sign. Integers are then as in DIST_NORMAL. */
enum distribution {
	DIST_NORMAL,
	DIST_WIDE,
	DIST_ZEROS,
	DIST_SIGNS,
	DIST_OFFSET,
	DIST_DENORMAL,
	DIST_LIMITS,
	DIST_NAN,
	DIST_RISING,
	DIST_FALLING,
	DIST_UNITY,
	DIST_SPARSE,
	DIST_COUNT
};
const char *distribution_name(enum distribution distribution);
/* Whether the original is defined on "distribution": conversions of huge values to integers and overflow of signed integers are not, nor
 * NaN where the build assumes that there is none. And whether it is of any use: values that rise or fall where it compares, values
 * close to 1 where it multiplies up. */
bool distribution_is_defined(const struct job *job, enum distribution distribution);

/* Fill "n" elements of "var", the first of which lies at flat offset "first". What the region only writes gets poison:
 * unpredictable values that mean nothing. */
void inputs_fill(const struct job *job, const struct sized *sized, const struct var *var,
		 enum distribution distribution, struct rng *rng, int64_t first, int64_t n, void *data);

#endif
