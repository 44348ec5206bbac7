#include "stopwatch.h"

#include <math.h>

#include "statistics.h"

enum { REPEATS_MAX = 1 << 20 };
static const double SAMPLE_SECONDS = 1e-3;  /* a sample lasts at least so long */
static const double WARM_SECONDS = 0.1;     /* a call that is so long needs no warm-up */
static const double COMMAND_SECONDS = 3e-4; /* what telling a runner to start may cost */

struct stopwatch stopwatch_new(struct judge *judge, const struct program *original, const struct program *candidate, bool is_cold)
{
	return (struct stopwatch){
		.judge = judge,
		.original = { .program = original, .hidden_cpu = INFINITY, .hidden_wall = INFINITY },
		.candidate = { .program = candidate, .hidden_cpu = INFINITY, .hidden_wall = INFINITY },
		.is_cold = is_cold,
	};
}

static void side_stop(struct side *side)
{
	side->counters = counters_close(side->counters);
	side->runner = runner_stop(side->runner);
}

static enum status side_start(struct stopwatch *watch, struct side *side, uint64_t seed, int layout, struct diag *diag)
{
	const struct program *program = judge_layout(watch->judge, side->program, layout, diag);

	side->runner = program ? runner_start(watch->judge, program, seed, diag) : NULL;
	if (!side->runner)
		return STATUS_FAILED;
	side->counters = counters_open(runner_process(side->runner));
	return STATUS_OK;
}

enum status stopwatch_start(struct stopwatch *watch, uint64_t seed, int number, int other, bool both, struct diag *diag)
{
	stopwatch_stop(watch);
	if (both && side_start(watch, &watch->original, seed, number, diag) != STATUS_OK)
		return STATUS_FAILED;
	return side_start(watch, &watch->candidate, seed, other, diag);
}

void stopwatch_stop(struct stopwatch *watch)
{
	side_stop(&watch->original);
	side_stop(&watch->candidate);
}

/* What the judge's clocks saw beyond what the runner told. Where several threads worked their CPU time adds up to more than
 * time goes by, and only the wall clock can tell. */
static void note_hidden(struct side *side, const struct timing *timing)
{
	double wall = (timing->wall - COMMAND_SECONDS) / side->repeats - timing->seconds;
	double cpu = timing->cpu > 1.02 * timing->wall ? 0 : timing->cpu / side->repeats - timing->seconds;

	side->hidden_wall = fmin(side->hidden_wall, fmax(0, wall));
	side->hidden_cpu = fmin(side->hidden_cpu, fmax(0, cpu));
}

/* Take one sample of "side" and set "*seconds" to the time of a call; false when its process died. */
static bool side_sample(struct stopwatch *watch, struct side *side, double *seconds)
{
	struct timing timing;

	if (!runner_time(side->runner, side->repeats, watch->is_cold, &timing))
		return false;
	watch->spent += timing.wall;
	note_hidden(side, &timing);
	*seconds = fmax(timing.seconds, 1e-9);
	return true;
}

/* Like side_sample(), for a pair: counts events as well. */
static bool side_count(struct stopwatch *watch, struct side *side, double *seconds)
{
	struct counts before = counters_read(side->counters), after;

	if (!side_sample(watch, side, seconds))
		return false;
	after = counters_read(side->counters);
	for (int i = 0; i < COUNTER_COUNT; i++)
		side->counts.value[i] += before.value[i] < 0 || after.value[i] < 0 ? -INFINITY : after.value[i] - before.value[i];
	side->calls += side->repeats;
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

bool stopwatch_calibrate(struct stopwatch *watch)
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

bool stopwatch_pair(struct stopwatch *watch)
{
	int at = watch->pairs;
	struct side *first = at % 2 ? &watch->candidate : &watch->original;
	struct side *second = at % 2 ? &watch->original : &watch->candidate;

	if (!side_count(watch, first, &first->seconds[at]) || !side_count(watch, second, &second->seconds[at]))
		return false;
	watch->pairs++;
	return true;
}

bool stopwatch_alone(struct stopwatch *watch, int samples, double *seconds)
{
	struct side *side = &watch->candidate;

	if (!side_calibrate(watch, side, seconds))
		return false;
	if (*seconds >= WARM_SECONDS)
		return true;
	for (int i = 0; i < samples; i++)
		if (!side_count(watch, side, &side->seconds[i]))
			return false;
	*seconds = statistics_median(samples, side->seconds);
	return true;
}

double stopwatch_confirmed(const struct stopwatch *watch, double original, double candidate)
{
	double cpu = watch->candidate.hidden_cpu - watch->original.hidden_cpu;
	double wall = watch->candidate.hidden_wall - watch->original.hidden_wall;

	return original / (candidate + fmax(0, fmax(cpu, wall)));
}

struct counts stopwatch_counts(const struct side *side)
{
	struct counts counts;

	for (int i = 0; i < COUNTER_COUNT; i++)
		counts.value[i] = side->calls > 0 && isfinite(side->counts.value[i]) ? side->counts.value[i] / side->calls : -1;
	return counts;
}
