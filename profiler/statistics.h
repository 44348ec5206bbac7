/* Statistics of paired timings: medians, spreads, and bootstrap intervals of ratios. Pure: no clock, no state.
 *
 * All of it works on logarithms of ratios, so that twice as fast and half as fast are equally far from equal. */
#ifndef STROP_PROFILER_STATISTICS_H
#define STROP_PROFILER_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

#include "outcome.h"

/* The median of "value" (n > 0), which is left in ascending order. */
double statistics_median(int n, double *value);
/* The median absolute deviation from the median; "value" is left as it is. */
double statistics_spread(int n, const double *value);

/* The "tail" quantile of Student's distribution with "freedom" degrees: P(T > t) = tail, 0 < tail < 0.5 (Hill, Algorithm
 * 396, CACM 13, 1970; exact for one and two degrees, else good to four digits for the tails used here). */
double statistics_student(int freedom, double tail);

/* Paired times: the ratios original/candidate of "n" pairs count. "are_processes" tells that each came from processes of its own,
 * so that the pairs stand for how processes differ. */
struct pairs {
	int n;
	bool are_processes;
	const double *original, *candidate;
};

/* The median of the paired log-ratios, as a ratio, and an interval that misses the true one on either side with
 * probability "tail". Bootstrap of 2,000 resamples, deterministic by "seed". Where pairs stand for processes, its 95 % interval is
 * stretched about the estimate to "tail", and for their small number, G: by t(G - 1, tail) / z(0.025) * sqrt(G / (G - 1)),
 * since the plain percentile interval is too narrow by just that for few draws (Hesterberg, What Teachers Should Know About
 * the Bootstrap, 2015). Of pairs from a single process it is the plain 95 % interval: nothing is known of processes. */
struct interval {
	double estimate, low, high;
};
struct interval statistics_interval(const struct pairs *pairs, double tail, uint64_t seed);
/* The same for several tails from one bootstrap. */
void statistics_intervals(const struct pairs *pairs, int n_tail, const double *tail, uint64_t seed, struct interval *interval);

/* The speed-up in which the first and the second half of the pairs agree least with the whole: the ratio (>= 1) of the
 * larger to the smaller of the two halves' medians. 1 for fewer than four pairs. */
double statistics_drift(int n, const double *original, const double *candidate);

/* What "estimate" and its interval mean by the rule of acceptance: FASTER from 5 % on with a lower bound above 2 %, SLOWER
 * when the interval lies below -2 %, SAME when it lies within -2 % and +5 %, else UNCLEAR. */
enum outcome statistics_outcome(double estimate, double low, double high);

#endif
