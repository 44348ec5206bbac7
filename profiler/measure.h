/* The stopwatch: paired, interleaved measurement of two programs with an interval. docs/measurement.md says how and why. */
#ifndef STROP_PROFILER_MEASURE_H
#define STROP_PROFILER_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "support/diag.h"
#include "verifier/judge.h"

#include "counters.h"
#include "outcome.h"

/* How a call finds its arrays. CACHE_AUTO asks for warm where they fit, and is no result. CACHE_WARM: as the call before left
 * them. CACHE_COLD: put out of the caches before each call. CACHE_BEYOND: called again and again like warm, but the
 * region touches more than its share of the last level, so that little of the call before is left. */
enum cache_state { CACHE_AUTO, CACHE_WARM, CACHE_COLD, CACHE_BEYOND, CACHE_COUNT };
const char *cache_name(enum cache_state cache);
/* "warm cache", "cold cache", "larger than the cache". */
const char *cache_sentence(enum cache_state cache);
/* The state called "name" ("auto", "warm" or "cold") in "*cache"; false when none is. */
bool cache_find(const char *name, enum cache_state *cache);

/* speedup = median of paired ratios original/candidate; [low, high] its interval; "confirmed" the least speed-up that the
 * judge's own clocks allow; seconds of one call of each (median); how many pairs from how many process pairs; events of
 * one call. "doubt" says why an outcome is unclear. */
struct measurement {
	enum outcome outcome;
	enum doubt doubt;
	enum cache_state cache;
	double speedup, low, high, confirmed;
	double original_seconds, candidate_seconds;
	int pairs, processes;
	struct counts original_counts, candidate_counts;
};

/* MEASURE_SCREEN: up to 10 pairs in one pair of processes, abandoned early when hopeless: it orders candidates, and may call
 * FASTER with a handful of pairs. MEASURE_ACCEPT: the decision, by the rule of rule.h, over fresh processes, inputs and
 * layouts. */
enum measure_effort { MEASURE_SCREEN, MEASURE_ACCEPT };

/* What an original that takes long took lately, kept from one screening to the next, so that not each of them has to run it
 * again: "seconds", negative when not known, is used up to "uses" times. Start with BASELINE_NONE. */
struct baseline {
	double seconds;
	int uses;
};
#define BASELINE_NONE ((struct baseline){ .seconds = -1 })

/* "contenders": how many candidates at most are accepted or not by the same search (at least 1); "baseline" may be
 * NULL. */
struct measure_options {
	enum measure_effort effort;
	enum cache_state cache;
	int contenders;
	uint64_t seed;
	struct baseline *baseline;
};
enum status measure_pair(struct judge *judge, const struct program *original, const struct program *candidate,
			 const struct measure_options *options, struct measurement *result, struct diag *diag);

/* Whether an acceptance clears the bar: FASTER by the rule, and by more than "control", a screening of the original against
 * itself, moved. */
bool measurement_clears(const struct measurement *measurement, const struct measurement *control);

#endif
