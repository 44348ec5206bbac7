/* The rule of acceptance: when the pairs measured so far decide, and what. Pure, so that its error rates can be simulated;
 * docs/measurement.md argues for it.
 *
 * A measurement looks at its pairs a fixed number of times, after RULE_GROUPS process pairs, and stops at the first look
 * that decides. Each look of each contender gets an equal share of the error, so that the union of all looks at all
 * contenders says "faster" of one that is not faster by 2 % with a probability of at most RULE_TAIL. */
#ifndef STROP_PROFILER_RULE_H
#define STROP_PROFILER_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "statistics.h"

/* Looks, and how many candidates of one search may come to acceptance. */
enum { RULE_LOOKS = 3, RULE_FINALISTS = 3, RULE_PROCESSES = 12 };
/* Process pairs at each look, RULE_PROCESSES at the last. */
extern const int RULE_GROUPS[RULE_LOOKS];
/* The probability of a false "faster" over all looks and contenders, at the edge of 2 %. */
#define RULE_TAIL 0.025

/* What process pairs took: the least seconds of each side in each of "n", and the median ratio of all pairs of samples, "usual". */
struct samples {
	int n;
	const double *original, *candidate;
	double usual;
};

/* "interval" is the plain one, which misses on either side with RULE_TAIL when it stands alone: for people. "is_final"
 * tells that more pairs are not needed, or cannot help. */
struct ruling {
	enum outcome outcome;
	enum doubt doubt;
	struct interval interval;
	bool is_final;
};
/* What "samples" say at a look (0 .. RULE_LOOKS - 1) of one of "contenders" that are accepted or not by the same
 * comparison. "confirmed" is the least speed-up that clocks beyond the program's reach allow. Stopping early for a candidate
 * that will not be accepted cannot raise the error and uses the plain level. */
struct ruling rule_look(const struct samples *samples, int look, int contenders, double confirmed, uint64_t seed);

#endif
