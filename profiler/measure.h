/* The stopwatch: paired, interleaved measurement of two programs with an interval. */
#ifndef STROP_PROFILER_MEASURE_H
#define STROP_PROFILER_MEASURE_H

#include <stdint.h>

#include "support/diag.h"
#include "verifier/judge.h"

enum outcome { OUTCOME_FASTER, OUTCOME_SLOWER, OUTCOME_SAME, OUTCOME_UNCLEAR };
const char *outcome_name(enum outcome outcome);

/* speedup = median of paired ratios original/candidate; [low, high] its 95 % bootstrap interval; seconds of one call of
 * each (median); the number of pairs. */
struct measurement {
	enum outcome outcome;
	double speedup, low, high;
	double original_seconds, candidate_seconds;
	int pairs;
};

/* MEASURE_SCREEN: about 10 pairs in one pair of processes, abandoned early when hopeless; MEASURE_ACCEPT: at least 20
 * pairs over several fresh processes and inputs (ten, when a pair lasts longer than a second). FASTER: estimate >= 1.05 and
 * low > 1.02, and neither drift, disagreeing processes nor the wall clock contradict it; else UNCLEAR. A screening may call
 * FASTER with a handful of pairs; only an acceptance counts. */
enum measure_effort { MEASURE_SCREEN, MEASURE_ACCEPT };
enum status measure_pair(struct judge *judge, const struct program *original, const struct program *candidate,
			 enum measure_effort effort, uint64_t seed, struct measurement *result, struct diag *diag);

/* Median of paired log ratios and its bootstrap interval (2,000 resamples, deterministic by seed); pure. */
void statistics_ratio(int n, const double *original, const double *candidate, uint64_t seed, double *estimate, double *low,
		      double *high);

#endif
