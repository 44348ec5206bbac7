/* Two programs side by side, each in a process of its own, timed in turns: what measure.c takes its pairs with. */
#ifndef STROP_PROFILER_STOPWATCH_H
#define STROP_PROFILER_STOPWATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "support/diag.h"
#include "verifier/judge.h"
#include "verifier/runner.h"

#include "counters.h"

/* In one pair of processes at most. */
enum { STOPWATCH_PAIRS = 32 };

/* One side: its process and the counters on it, how often a sample repeats the region, the seconds of one call per pair.
 * "hidden_cpu" and "hidden_wall" are the least that a call cost beyond these by the judge's own clocks; "counts" are the events in
 * all "calls" of its pairs. */
struct side {
	const struct program *program;
	struct runner *runner;
	struct counters *counters;
	int repeats;
	double seconds[STOPWATCH_PAIRS];
	double hidden_cpu, hidden_wall;
	struct counts counts;
	double calls;
};

/* "spent" are the wall seconds within samples. */
struct stopwatch {
	struct judge *judge;
	struct side original, candidate;
	bool is_cold;
	int pairs;
	double spent;
};

struct stopwatch stopwatch_new(struct judge *judge, const struct program *original, const struct program *candidate, bool is_cold);
/* Replace the processes by fresh ones with the inputs that "seed" gives, of layouts "number" and "other" (see judge_layout()).
 * Without "both" only the candidate gets one. */
enum status stopwatch_start(struct stopwatch *watch, uint64_t seed, int number, int other, bool both, struct diag *diag);
void stopwatch_stop(struct stopwatch *watch);

/* These are false when a process died. Choose how many calls a sample of each side needs to last a millisecond; samples so
 * long that they need no warm-up count as the first pair of these processes. */
bool stopwatch_calibrate(struct stopwatch *watch);
/* Sample both sides once; who goes first alternates. */
bool stopwatch_pair(struct stopwatch *watch);
/* Sample the candidate alone, calibrated, and set "*seconds" to the median of up to "samples" samples, of one when a call
 * needs no warm-up. */
bool stopwatch_alone(struct stopwatch *watch, int samples, double *seconds);

/* The least speed-up, given the median seconds of both, if the time that only the judge's clocks saw in the candidate beyond
 * what they saw in the original is the candidate's own. */
double stopwatch_confirmed(const struct stopwatch *watch, double original, double candidate);
/* Events of one call of "side"; negative where they are not counted. */
struct counts stopwatch_counts(const struct side *side);

#endif
