#include "rule.h"

#include <assert.h>
#include <math.h>

const int RULE_GROUPS[RULE_LOOKS] = { 3, 6, RULE_PROCESSES };
/* How far process pairs are taken to differ at least, as a standard deviation of log-ratios: three of them that agree by
 * chance say little about noise with several modes. */
static const double NOISE_FLOOR[RULE_LOOKS] = { 0.05, 0.01, 0.01 };
/* The ratio of the bounds from which on a measurement is fine enough to end early. */
static const double PRECISION = 1.25;
static const double FASTER_LEAST = 1.05;
static const double FASTER_LOW = 1.02;

/* Whether more than one process pair in five is not faster by FASTER_LOW. */
static bool processes_disagree(const struct samples *samples)
{
	int below = 0;

	for (int i = 0; i < samples->n; i++)
		below += samples->original[i] < FASTER_LOW * samples->candidate[i];
	return 5 * below > samples->n;
}

/* What speaks against "faster" although the interval says so. */
static enum doubt find_doubt(const struct samples *samples, double estimate, double confirmed)
{
	if (processes_disagree(samples))
		return DOUBT_PROCESSES;
	if (samples->usual < FASTER_LOW)
		return DOUBT_USUAL;
	if (estimate / statistics_drift(samples->n, samples->original, samples->candidate) < FASTER_LOW)
		return DOUBT_DRIFT;
	return confirmed < FASTER_LOW ? DOUBT_CLOCK : DOUBT_NONE;
}

/* Without a doubt or a decision: whether the candidate may still turn out to be faster. */
static enum doubt unclear_doubt(const struct interval *plain)
{
	return plain->high < FASTER_LEAST ? DOUBT_SMALL : DOUBT_NOISE;
}

/* Widen "interval" to what NOISE_FLOOR gives. */
static void floor_interval(struct interval *interval, int look, double tail)
{
	int groups = RULE_GROUPS[look];
	double width = statistics_student(groups - 1, tail) * NOISE_FLOOR[look] / sqrt(groups);

	interval->low = fmin(interval->low, interval->estimate * exp(-width));
	interval->high = fmax(interval->high, interval->estimate * exp(width));
}

struct ruling rule_look(const struct samples *samples, int look, int contenders, double confirmed, uint64_t seed)
{
	const struct pairs pairs = { samples->n, true, samples->original, samples->candidate };
	const double tails[] = { RULE_TAIL, RULE_TAIL / (RULE_LOOKS * contenders) };
	struct interval interval[2];
	struct ruling ruling = { .doubt = DOUBT_NONE };

	assert(look >= 0 && look < RULE_LOOKS && contenders > 0);
	statistics_intervals(&pairs, 2, tails, seed, interval);
	floor_interval(&interval[1], look, tails[1]);
	ruling.outcome = statistics_outcome(interval[0].estimate, interval[0].low, interval[0].high);
	if (ruling.outcome == OUTCOME_FASTER && interval[1].low <= FASTER_LOW)
		ruling.outcome = OUTCOME_UNCLEAR;
	if (ruling.outcome == OUTCOME_FASTER)
		ruling.doubt = find_doubt(samples, interval[0].estimate, confirmed);
	else if (ruling.outcome == OUTCOME_UNCLEAR)
		ruling.doubt = unclear_doubt(&interval[0]);
	if (ruling.doubt != DOUBT_NONE)
		ruling.outcome = OUTCOME_UNCLEAR;
	ruling.interval = interval[0];
	ruling.is_final = look == RULE_LOOKS - 1 || ruling.doubt == DOUBT_SMALL ||
			  (ruling.outcome != OUTCOME_UNCLEAR && interval[0].high < PRECISION * interval[0].low);
	return ruling;
}
