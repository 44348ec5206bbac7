#include "measure.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "statistics.h"
#include "verifier/runner.h"

enum {
	SCREEN_PAIRS = 10,
	ACCEPT_PROCESSES = 5,     /* fresh process pairs */
	ACCEPT_PAIRS = 4,         /* pairs in each */
	ACCEPT_PAIRS_LONG = 2,    /* in each, when a pair takes longer than LONG_PAIR_SECONDS */
	PAIRS_MAX = ACCEPT_PROCESSES * ACCEPT_PAIRS,
	REPEATS_MAX = 1 << 20,
};
static const double SAMPLE_SECONDS = 1e-3;     /* a sample lasts at least so long */
static const double WARM_SECONDS = 0.1;        /* a call that is so long needs no warm-up */
static const double LONG_PAIR_SECONDS = 1;
static const double SCREEN_SECONDS = 0.15;     /* enough for a screening that has three pairs */
static const double SCREEN_LONG_SECONDS = 1.5; /* enough for one that has a single pair */
static const double COMMAND_SECONDS = 3e-4;    /* what telling a runner to start may cost */

/* One side of a measurement: its process, how often a sample repeats the region, the CPU seconds of one call per pair, and
 * the least that a call cost beyond these by the judge's wall clock. */
struct side {
	const struct program *program;
	struct runner *runner;
	int repeats;
	double seconds[PAIRS_MAX];
	double hidden;
};

/* "spent" are the wall seconds within samples. */
struct stopwatch {
	struct judge *judge;
	struct side original, candidate;
	int pairs;
	double spent;
};

const char *outcome_name(enum outcome outcome)
{
	static const char *const names[] = {
		[OUTCOME_FASTER] = "faster", [OUTCOME_SLOWER] = "slower", [OUTCOME_SAME] = "same", [OUTCOME_UNCLEAR] = "unclear",
	};
	return names[outcome];
}

/* Take one sample of "side" and set "*seconds" to the CPU time of a call; false when its process died. */
static bool side_sample(struct stopwatch *watch, struct side *side, double *seconds)
{
	double wall = 0;
	if (!runner_time(side->runner, side->repeats, seconds, &wall))
		return false;
	watch->spent += wall;
	side->hidden = fmin(side->hidden, fmax(0, (wall - COMMAND_SECONDS) / side->repeats - *seconds));
	*seconds = fmax(*seconds, 1e-9);
	return true;
}

/* Choose how many calls a sample needs to last SAMPLE_SECONDS, and set "*seconds" to what a call took last; the calls made
 * meanwhile warm caches and branch predictors. False when the process died. */
static bool side_calibrate(struct stopwatch *watch, struct side *side, double *seconds)
{
	side->repeats = 1;
	for (;;) {
		double wanted;
		if (!side_sample(watch, side, seconds))
			return false;
		if (*seconds * side->repeats >= SAMPLE_SECONDS || side->repeats >= REPEATS_MAX)
			return true;
		wanted = fmax(ceil(1.2 * SAMPLE_SECONDS / *seconds), side->repeats + 1);
		side->repeats = (int)fmin(wanted, fmin(REPEATS_MAX, 64.0 * side->repeats));
	}
}

/* Replace both processes by fresh ones with the inputs that "seed" gives. */
static enum status watch_start(struct stopwatch *watch, uint64_t seed, struct diag *diag)
{
	struct side *sides[] = { &watch->original, &watch->candidate };
	for (int i = 0; i < 2; i++)
		sides[i]->runner = runner_stop(sides[i]->runner);
	for (int i = 0; i < 2; i++) {
		sides[i]->runner = runner_start(watch->judge, sides[i]->program, seed, diag);
		if (!sides[i]->runner)
			return STATUS_FAILED;
	}
	return STATUS_OK;
}

static void watch_stop(struct stopwatch *watch)
{
	watch->original.runner = runner_stop(watch->original.runner);
	watch->candidate.runner = runner_stop(watch->candidate.runner);
}

/* Calibrate both sides; samples so long that they need no warm-up count as the first pair of these processes. */
static bool watch_calibrate(struct stopwatch *watch)
{
	double original, candidate;
	if (!side_calibrate(watch, &watch->original, &original) || !side_calibrate(watch, &watch->candidate, &candidate))
		return false;
	if (original >= WARM_SECONDS && candidate >= WARM_SECONDS) {
		watch->original.seconds[watch->pairs] = original;
		watch->candidate.seconds[watch->pairs] = candidate;
		watch->pairs++;
	}
	return true;
}

/* Sample both sides once; who goes first alternates. */
static bool watch_pair(struct stopwatch *watch)
{
	int at = watch->pairs;
	struct side *first = at % 2 ? &watch->candidate : &watch->original;
	struct side *second = at % 2 ? &watch->original : &watch->candidate;
	if (!side_sample(watch, first, &first->seconds[at]) || !side_sample(watch, second, &second->seconds[at]))
		return false;
	watch->pairs++;
	return true;
}

/* Whether a screening has seen enough: a hopeless candidate, agreement within 2 %, or long samples. */
static bool screen_is_done(const struct stopwatch *watch)
{
	double least = INFINITY, most = 0;
	for (int i = 0; i < watch->pairs; i++) {
		double ratio = watch->original.seconds[i] / watch->candidate.seconds[i];
		least = fmin(least, ratio);
		most = fmax(most, ratio);
	}
	if (watch->pairs >= 1 && watch->spent > SCREEN_LONG_SECONDS)
		return true;
	if (watch->pairs >= 3 && (most < 0.95 || watch->spent > SCREEN_SECONDS))
		return true;
	return watch->pairs >= 4 && (most < 1 || most / least < 1.02);
}

/* Sample one pair of processes until the screening knows enough. False when a process died. */
static bool watch_screen(struct stopwatch *watch)
{
	while (watch->pairs < SCREEN_PAIRS && !screen_is_done(watch)) {
		if (!watch_pair(watch))
			return false;
	}
	return true;
}

/* Sample each of ACCEPT_PROCESSES fresh process pairs, and set "*per_process" to the pairs that each gave. "*died" tells
 * whether a process died. */
static enum status watch_accept(struct stopwatch *watch, uint64_t seed, int *per_process, bool *died, struct diag *diag)
{
	*per_process = ACCEPT_PAIRS;
	for (int process = 0; process < ACCEPT_PROCESSES; process++) {
		int start = watch->pairs;
		double before = watch->spent;
		if (process > 0 && watch_start(watch, seed + (uint64_t)process, diag) != STATUS_OK)
			return STATUS_FAILED;
		*died = !watch_calibrate(watch);
		if (process == 0 && watch->spent - before > LONG_PAIR_SECONDS)
			*per_process = ACCEPT_PAIRS_LONG;
		while (!*died && watch->pairs < start + *per_process)
			*died = !watch_pair(watch);
		if (*died)
			return STATUS_OK;
	}
	return STATUS_OK;
}

/* The least speed-up if the time that only the judge's clock saw in the candidate, beyond what it saw in the original, is
 * the candidate's own: work that a program hides from its CPU clock. */
static double wall_speedup(const struct stopwatch *watch, double original, double candidate)
{
	return original / (candidate + fmax(0, watch->candidate.hidden - watch->original.hidden));
}

/* How many process pairs disagree with "faster": the median ratio of their pairs is below 1.02. */
static int dissenters(const struct stopwatch *watch, int per_process)
{
	int count = 0;
	for (int start = 0; start < watch->pairs; start += per_process) {
		double ratio[PAIRS_MAX];
		int n = watch->pairs - start < per_process ? watch->pairs - start : per_process;
		for (int i = 0; i < n; i++)
			ratio[i] = watch->original.seconds[start + i] / watch->candidate.seconds[start + i];
		count += statistics_median(n, ratio) < 1.02;
	}
	return count;
}

/* Withdraw "faster" where the numbers contradict each other: process pairs that disagree, a drift that carries one half of
 * the pairs below the rule of acceptance, or a CPU clock that the wall clock does not confirm. */
static void result_doubt(struct stopwatch *watch, int per_process, struct measurement *result)
{
	double drift = statistics_drift(watch->pairs, watch->original.seconds, watch->candidate.seconds);
	if (result->outcome != OUTCOME_FASTER)
		return;
	if (dissenters(watch, per_process) > 1 || result->speedup / drift < 1.02 ||
	    wall_speedup(watch, result->original_seconds, result->candidate_seconds) < 1.02)
		result->outcome = OUTCOME_UNCLEAR;
}

/* Fill "result" from the pairs. Without any, the outcome is unclear and all numbers are zero. */
static void watch_result(struct stopwatch *watch, int per_process, uint64_t seed, struct measurement *result)
{
	double copy[PAIRS_MAX];
	int n = watch->pairs;
	*result = (struct measurement){ .outcome = OUTCOME_UNCLEAR, .pairs = n };
	if (n == 0)
		return;
	statistics_ratio_grouped(n, per_process, watch->original.seconds, watch->candidate.seconds, seed, &result->speedup,
				 &result->low, &result->high);
	memcpy(copy, watch->original.seconds, sizeof copy);
	result->original_seconds = statistics_median(n, copy);
	memcpy(copy, watch->candidate.seconds, sizeof copy);
	result->candidate_seconds = statistics_median(n, copy);
	result->outcome = statistics_outcome(result->speedup, result->low, result->high);
	result_doubt(watch, per_process, result);
}

/* See measure.h. A process that dies while being timed makes the outcome unclear, whatever the pairs before say. */
enum status measure_pair(struct judge *judge, const struct program *original, const struct program *candidate,
			 enum measure_effort effort, uint64_t seed, struct measurement *result, struct diag *diag)
{
	struct stopwatch watch = {
		.judge = judge,
		.original = { .program = original, .hidden = INFINITY },
		.candidate = { .program = candidate, .hidden = INFINITY },
	};
	int per_process = SCREEN_PAIRS;
	bool died = false;
	enum status status = watch_start(&watch, seed, diag);
	if (status == STATUS_OK && effort == MEASURE_ACCEPT)
		status = watch_accept(&watch, seed, &per_process, &died, diag);
	else if (status == STATUS_OK)
		died = !watch_calibrate(&watch) || !watch_screen(&watch);
	if (status == STATUS_OK) {
		watch_result(&watch, per_process, seed, result);
		if (died)
			result->outcome = OUTCOME_UNCLEAR;
	}
	watch_stop(&watch);
	return status;
}
