/* Statistics of paired timings: medians, spreads, and bootstrap intervals of ratios. Pure: no clock, no state.
 *
 * All of it works on logarithms of ratios, so that twice as fast and half as fast are equally far from equal. */
#ifndef STROP_PROFILER_STATISTICS_H
#define STROP_PROFILER_STATISTICS_H

#include <stdint.h>

#include "measure.h"

/* The median of "value" (n > 0), which is left in ascending order. */
double statistics_median(int n, double *value);
/* The median absolute deviation from the median; "value" is left as it is. */
double statistics_spread(int n, const double *value);

/* Like statistics_ratio(), for "n" pairs that came "per_group" at a time from the same process pair: resamples process
 * pairs first and pairs within them second, for timings of one process resemble each other. The last group may be short. */
void statistics_ratio_grouped(int n, int per_group, const double *original, const double *candidate, uint64_t seed,
			      double *estimate, double *low, double *high);

/* The speed-up in which the first and the second half of the pairs agree least with the whole: the ratio (>= 1) of the
 * larger to the smaller of the two halves' medians. 1 for fewer than four pairs. */
double statistics_drift(int n, const double *original, const double *candidate);

/* What "estimate" and its interval mean by the rule of acceptance: FASTER from 5 % on with a lower bound above 2 %, SLOWER
 * when the interval lies below -2 %, SAME when it lies within -2 % and +5 %, else UNCLEAR. */
enum outcome statistics_outcome(double estimate, double low, double high);

#endif
