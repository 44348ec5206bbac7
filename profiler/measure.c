#include "measure.h"

#include <math.h>
#include <string.h>

#include "machine.h"
#include "rule.h"
#include "stopwatch.h"

enum {
	SCREEN_PAIRS = 10,
	ALONE_SAMPLES = 3,
	ACCEPT_PAIRS = 4,   /* in each process pair at least, or one when a pair takes longer than LONG_SECONDS */
	BASELINE_USES = 8,
};
static const double LONG_SECONDS = 1;
static const double SCREEN_SECONDS = 0.15;     /* enough for a screening that has three pairs */
static const double SCREEN_LONG_SECONDS = 1.5; /* enough for one that has a single pair */
static const double SETTLED = 1.01;            /* the ratio of the two least samples of a side that are not disturbed */
static const double SETTLE_SECONDS = 0.12;     /* what a process pair may take to come so far */
static const double ACCEPT_SECONDS = 60;       /* more looks than two are not taken beyond */

const char *cache_name(enum cache_state cache)
{
	static const char *const names[CACHE_COUNT] = {
		[CACHE_AUTO] = "auto", [CACHE_WARM] = "warm", [CACHE_COLD] = "cold", [CACHE_BEYOND] = "beyond",
	};
	return names[cache];
}

const char *cache_sentence(enum cache_state cache)
{
	return cache == CACHE_COLD ? "cold cache" : cache == CACHE_BEYOND ? "larger than the cache" : "warm cache";
}

bool cache_find(const char *name, enum cache_state *cache)
{
	for (int i = CACHE_AUTO; i <= CACHE_COLD; i++)
		if (strcmp(name, cache_name((enum cache_state)i)) == 0) {
			*cache = (enum cache_state)i;
			return true;
		}
	return false;
}

/* How calls will find their arrays when "asked" for. */
static enum cache_state cache_of(const struct judge *judge, enum cache_state asked)
{
	double flops, bytes;

	judge_work(judge, &flops, &bytes);
	if (asked == CACHE_COLD)
		return CACHE_COLD;
	return bytes > (double)machine_cache_share() ? CACHE_BEYOND : CACHE_WARM;
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

static void fill_seconds(const struct stopwatch *watch, double original, double candidate, struct measurement *result)
{
	result->original_seconds = original;
	result->candidate_seconds = candidate;
	result->confirmed = stopwatch_confirmed(watch, original, candidate);
	result->original_counts = stopwatch_counts(&watch->original);
	result->candidate_counts = stopwatch_counts(&watch->candidate);
}

static void set_interval(struct measurement *result, const struct interval *interval)
{
	result->speedup = interval->estimate;
	result->low = interval->low;
	result->high = interval->high;
}

static void set_died(struct measurement *result)
{
	result->outcome = OUTCOME_UNCLEAR;
	result->doubt = DOUBT_DIED;
}

/* The least of "n" seconds. */
static double least_of(int n, const double *seconds)
{
	double least = INFINITY;

	for (int i = 0; i < n; i++)
		least = fmin(least, seconds[i]);
	return least;
}

/* What the pairs of a screening say: the ratio of the least times, within an interval of the pairs. */
static void screen_result(const struct stopwatch *watch, uint64_t seed, struct measurement *result)
{
	const struct pairs pairs = { watch->pairs, false, watch->original.seconds, watch->candidate.seconds };
	struct interval interval = statistics_interval(&pairs, RULE_TAIL, seed);

	interval.estimate = least_of(pairs.n, pairs.original) / least_of(pairs.n, pairs.candidate);
	interval.low = fmin(interval.low, interval.estimate);
	interval.high = fmax(interval.high, interval.estimate);
	fill_seconds(watch, least_of(pairs.n, pairs.original), least_of(pairs.n, pairs.candidate), result);
	set_interval(result, &interval);
	result->pairs = pairs.n;
	result->processes = 1;
	result->outcome = statistics_outcome(interval.estimate, interval.low, interval.high);
	result->doubt = result->outcome == OUTCOME_UNCLEAR ? DOUBT_NOISE : DOUBT_NONE;
	if (result->outcome == OUTCOME_FASTER && result->confirmed < 1.02) {
		result->outcome = OUTCOME_UNCLEAR;
		result->doubt = DOUBT_CLOCK;
	}
}

/* Sample one pair of processes until the screening knows enough. */
static enum status screen(struct stopwatch *watch, const struct measure_options *options, struct measurement *result,
			  struct diag *diag)
{
	bool is_alive;

	if (stopwatch_start(watch, options->seed, 0, 0, true, diag) != STATUS_OK)
		return STATUS_FAILED;
	is_alive = stopwatch_calibrate(watch);
	while (is_alive && watch->pairs < SCREEN_PAIRS && !screen_is_done(watch))
		is_alive = stopwatch_pair(watch);
	if (watch->pairs)
		screen_result(watch, options->seed, result);
	if (!is_alive)
		set_died(result);
	else if (options->baseline && result->original_seconds >= LONG_SECONDS)
		*options->baseline = (struct baseline){ result->original_seconds, BASELINE_USES };
	return STATUS_OK;
}

/* Run the candidate only, against what the original took lately. One that takes twice as long is given up. */
static enum status screen_alone(struct stopwatch *watch, const struct measure_options *options, struct measurement *result,
				struct diag *diag)
{
	double original = options->baseline->seconds, candidate;

	if (stopwatch_start(watch, options->seed, 0, 0, false, diag) != STATUS_OK)
		return STATUS_FAILED;
	runner_limit(watch->candidate.runner, 2 * original);
	options->baseline->uses--;
	if (!stopwatch_alone(watch, ALONE_SAMPLES, &candidate)) {
		set_died(result);
		return STATUS_OK;
	}
	result->original_seconds = original;
	result->candidate_seconds = candidate;
	result->speedup = result->low = result->high = result->confirmed = original / candidate;
	result->outcome = statistics_outcome(result->speedup, result->low, result->high);
	result->original_counts = stopwatch_counts(&watch->original);
	result->candidate_counts = stopwatch_counts(&watch->candidate);
	result->pairs = result->processes = 1;
	return STATUS_OK;
}

/* Which layout of the candidate runs in process pair "number": never the one that it was screened in, and not the
 * original's. */
static int candidate_layout(int number)
{
	return 1 + (5 * number + 6) % (JUDGE_LAYOUTS - 1);
}

/* What process pairs took so far: the least seconds of each side, and the ratio of each pair of samples. */
struct taken {
	int n;
	double original[RULE_PROCESSES], candidate[RULE_PROCESSES];
	int n_ratio;
	double ratio[RULE_PROCESSES * STOPWATCH_PAIRS];
};

/* Whether the two least of "n" samples agree: what disturbs makes them longer, each by something else. */
static bool is_settled(int n, const double *seconds)
{
	double least = INFINITY, second = INFINITY;

	for (int i = 0; i < n; i++) {
		second = fmin(second, fmax(least, seconds[i]));
		least = fmin(least, seconds[i]);
	}
	return second < SETTLED * least;
}

/* Whether a process pair has been sampled enough. What ends it is the same for both sides. */
static bool is_sampled(const struct stopwatch *watch, double spent)
{
	if (watch->pairs >= 1 && spent > LONG_SECONDS)
		return true;
	if (watch->pairs < ACCEPT_PAIRS)
		return false;
	return watch->pairs == STOPWATCH_PAIRS || spent > SETTLE_SECONDS ||
	       (is_settled(watch->pairs, watch->original.seconds) && is_settled(watch->pairs, watch->candidate.seconds));
}

static void take(const struct stopwatch *watch, struct taken *taken)
{
	taken->original[taken->n] = least_of(watch->pairs, watch->original.seconds);
	taken->candidate[taken->n] = least_of(watch->pairs, watch->candidate.seconds);
	taken->n++;
	for (int i = 0; i < watch->pairs; i++)
		taken->ratio[taken->n_ratio++] = watch->original.seconds[i] / watch->candidate.seconds[i];
}

/* Sample one more process pair. */
static enum status accept_processes(struct stopwatch *watch, struct taken *taken, uint64_t seed, bool *is_alive, struct diag *diag)
{
	const double before = watch->spent;

	if (stopwatch_start(watch, seed + (uint64_t)taken->n, taken->n, candidate_layout(taken->n), true, diag) != STATUS_OK)
		return STATUS_FAILED;
	watch->pairs = 0;
	*is_alive = stopwatch_calibrate(watch);
	while (*is_alive && !is_sampled(watch, watch->spent - before))
		*is_alive = stopwatch_pair(watch);
	if (watch->pairs)
		take(watch, taken);
	return STATUS_OK;
}

static double median_of(int n, const double *value)
{
	double copy[RULE_PROCESSES * STOPWATCH_PAIRS];

	memcpy(copy, value, sizeof *copy * (size_t)n);
	return statistics_median(n, copy);
}

/* What the rule says at "look" of the process pairs so far. */
static bool accept_look(const struct stopwatch *watch, const struct taken *taken, int look, const struct measure_options *options,
			struct measurement *result)
{
	const struct samples samples = { taken->n, taken->original, taken->candidate, median_of(taken->n_ratio, taken->ratio) };
	struct ruling ruling;

	fill_seconds(watch, median_of(taken->n, taken->original), median_of(taken->n, taken->candidate), result);
	result->pairs = taken->n_ratio;
	result->processes = taken->n;
	ruling = rule_look(&samples, look, options->contenders, result->confirmed, options->seed);
	set_interval(result, &ruling.interval);
	result->outcome = ruling.outcome;
	result->doubt = ruling.doubt;
	return ruling.is_final;
}

/* Sample fresh process pairs until the rule decides. What ends it is the rule or the time that it takes, never how the ratios
 * look otherwise. */
static enum status accept(struct stopwatch *watch, const struct measure_options *options, struct measurement *result,
			  struct diag *diag)
{
	struct taken taken = { 0 };
	bool is_final = false, is_alive = true;

	for (int look = 0; look < RULE_LOOKS && !is_final; look++) {
		if (look > 1 && 2 * watch->spent > ACCEPT_SECONDS)
			break;
		while (is_alive && taken.n < RULE_GROUPS[look])
			if (accept_processes(watch, &taken, options->seed, &is_alive, diag) != STATUS_OK)
				return STATUS_FAILED;
		if (taken.n)
			is_final = accept_look(watch, &taken, look, options, result);
		if (!is_alive) {
			set_died(result);
			break;
		}
	}
	return STATUS_OK;
}

/* Whether the original's time is known well enough from before. */
static bool has_baseline(const struct measure_options *options)
{
	return options->baseline && options->baseline->seconds >= LONG_SECONDS && options->baseline->uses > 0;
}

enum status measure_pair(struct judge *judge, const struct program *original, const struct program *candidate,
			 const struct measure_options *options, struct measurement *result, struct diag *diag)
{
	struct stopwatch watch = stopwatch_new(judge, original, candidate, options->cache == CACHE_COLD);
	enum status status;

	*result = (struct measurement){ .outcome = OUTCOME_UNCLEAR, .cache = cache_of(judge, options->cache) };
	if (options->effort == MEASURE_ACCEPT)
		status = accept(&watch, options, result, diag);
	else if (has_baseline(options))
		status = screen_alone(&watch, options, result, diag);
	else
		status = screen(&watch, options, result, diag);
	stopwatch_stop(&watch);
	return status;
}

bool measurement_clears(const struct measurement *measurement, const struct measurement *control)
{
	double moved = 1;

	if (control->outcome == OUTCOME_FASTER || control->outcome == OUTCOME_SLOWER)
		moved = fmax(control->speedup, 1 / control->speedup);
	return measurement->outcome == OUTCOME_FASTER && measurement->low > moved;
}
