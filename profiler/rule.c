#include "rule.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "support/memory.h"

const int RULE_GROUPS[RULE_LOOKS] = { 3, 6, 12 };
/* How far process pairs are taken to differ at least, as a standard deviation of log-ratios: three of them that agree by
 * chance say little about noise with several modes. */
static const double NOISE_FLOOR[RULE_LOOKS] = { 0.05, 0.01, 0.01 };
/* The ratio of the bounds from which on a measurement is fine enough to end early. */
static const double PRECISION = 1.25;
static const double FASTER_LEAST = 1.05;
static const double FASTER_LOW = 1.02;

/* The least that each side took in each process pair, in "original" and "candidate"; return how many there are. */
static int take_least(const struct samples *samples, double *original, double *candidate)
{
	int groups = 0;

	for (int from = 0; from < samples->n; from += samples->per_group, groups++) {
		original[groups] = candidate[groups] = INFINITY;
		for (int i = from; i < samples->n && i < from + samples->per_group; i++) {
			original[groups] = fmin(original[groups], samples->original[i]);
			candidate[groups] = fmin(candidate[groups], samples->candidate[i]);
		}
	}
	return groups;
}

/* Whether more than one process pair in five is not faster by FASTER_LOW. */
static bool processes_disagree(const struct pairs *pairs)
{
	int below = 0;

	for (int i = 0; i < pairs->n; i++)
		below += pairs->original[i] < FASTER_LOW * pairs->candidate[i];
	return 5 * below > pairs->n;
}

/* The median ratio of all pairs of samples. */
static double usual_ratio(const struct samples *samples)
{
	double *ratio = memory_alloc(sizeof *ratio * (size_t)samples->n), median;

	for (int i = 0; i < samples->n; i++)
		ratio[i] = samples->original[i] / samples->candidate[i];
	median = statistics_median(samples->n, ratio);
	free(ratio);
	return median;
}

/* What speaks against "faster" although the interval of the process pairs' "least" times says so. */
static enum doubt find_doubt(const struct samples *samples, const struct pairs *least, double estimate, double confirmed)
{
	if (processes_disagree(least))
		return DOUBT_PROCESSES;
	if (usual_ratio(samples) < FASTER_LOW)
		return DOUBT_USUAL;
	if (estimate / statistics_drift(least->n, least->original, least->candidate) < FASTER_LOW)
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
	double *original = memory_alloc(sizeof *original * (size_t)samples->n);
	double *candidate = memory_alloc(sizeof *candidate * (size_t)samples->n);
	const struct pairs least = { take_least(samples, original, candidate), true, original, candidate };
	const double tails[] = { RULE_TAIL, RULE_TAIL / (RULE_LOOKS * contenders) };
	struct interval interval[2];
	struct ruling ruling = { .doubt = DOUBT_NONE };

	assert(look >= 0 && look < RULE_LOOKS && contenders > 0);
	statistics_intervals(&least, 2, tails, seed, interval);
	floor_interval(&interval[1], look, tails[1]);
	ruling.outcome = statistics_outcome(interval[0].estimate, interval[0].low, interval[0].high);
	if (ruling.outcome == OUTCOME_FASTER && interval[1].low <= FASTER_LOW)
		ruling.outcome = OUTCOME_UNCLEAR;
	if (ruling.outcome == OUTCOME_FASTER)
		ruling.doubt = find_doubt(samples, &least, interval[0].estimate, confirmed);
	else if (ruling.outcome == OUTCOME_UNCLEAR)
		ruling.doubt = unclear_doubt(&interval[0]);
	if (ruling.doubt != DOUBT_NONE)
		ruling.outcome = OUTCOME_UNCLEAR;
	ruling.interval = interval[0];
	ruling.is_final = look == RULE_LOOKS - 1 || ruling.doubt == DOUBT_SMALL ||
			  (ruling.outcome != OUTCOME_UNCLEAR && interval[0].high < PRECISION * interval[0].low);
	free(original);
	free(candidate);
	return ruling;
}
