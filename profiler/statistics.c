#include "statistics.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/rng.h"

enum { RESAMPLES = 2000 };

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

double statistics_median(int n, double *value)
{
	assert(n > 0);
	qsort(value, (size_t)n, sizeof *value, compare_doubles);
	return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

double statistics_spread(int n, const double *value)
{
	double *copy = memory_alloc(sizeof *copy * (size_t)n), median, spread;
	memcpy(copy, value, sizeof *copy * (size_t)n);
	median = statistics_median(n, copy);
	for (int i = 0; i < n; i++)
		copy[i] = fabs(value[i] - median);
	spread = statistics_median(n, copy);
	free(copy);
	return spread;
}

/* Draw "n" values in groups of "per_group" from "from" into "to": groups with replacement, then members likewise. A group
 * that is drawn is as long as the one that it came from; return how many values were drawn. */
static int resample(int n, int per_group, const double *from, struct rng *rng, double *to)
{
	int groups = (n + per_group - 1) / per_group, drawn = 0;
	for (int g = 0; g < groups; g++) {
		int start = groups > 1 ? (int)rng_below(rng, (uint64_t)groups) * per_group : 0;
		int size = n - start < per_group ? n - start : per_group;
		for (int i = 0; i < size; i++)
			to[drawn++] = from[start + (int)rng_below(rng, (uint64_t)size)];
	}
	return drawn;
}

void statistics_ratio_grouped(int n, int per_group, const double *original, const double *candidate, uint64_t seed,
			      double *estimate, double *low, double *high)
{
	int groups = (n + per_group - 1) / per_group;
	double *ratio = memory_alloc(sizeof *ratio * (size_t)n);
	double *drawn = memory_alloc(sizeof *drawn * (size_t)groups * (size_t)per_group);
	double *median = memory_alloc(sizeof *median * RESAMPLES);
	struct rng rng;
	assert(n > 0 && per_group > 0);
	rng_seed(&rng, seed);
	for (int i = 0; i < n; i++)
		ratio[i] = log(original[i] / candidate[i]);
	for (int r = 0; r < RESAMPLES; r++) {
		int size = resample(n, per_group, ratio, &rng, drawn);
		median[r] = statistics_median(size, drawn);
	}
	qsort(median, RESAMPLES, sizeof *median, compare_doubles);
	*low = exp(median[RESAMPLES * 25 / 1000]);
	*high = exp(median[RESAMPLES * 975 / 1000 - 1]);
	*estimate = exp(statistics_median(n, ratio));
	free(median);
	free(drawn);
	free(ratio);
}

void statistics_ratio(int n, const double *original, const double *candidate, uint64_t seed, double *estimate, double *low,
		      double *high)
{
	statistics_ratio_grouped(n, n, original, candidate, seed, estimate, low, high);
}

/* The median log-ratio of pairs [from, to). */
static double part_median(int from, int to, const double *original, const double *candidate)
{
	double *ratio = memory_alloc(sizeof *ratio * (size_t)(to - from)), median;
	for (int i = from; i < to; i++)
		ratio[i - from] = log(original[i] / candidate[i]);
	median = statistics_median(to - from, ratio);
	free(ratio);
	return median;
}

double statistics_drift(int n, const double *original, const double *candidate)
{
	if (n < 4)
		return 1;
	return exp(fabs(part_median(0, n / 2, original, candidate) - part_median(n / 2, n, original, candidate)));
}

enum outcome statistics_outcome(double estimate, double low, double high)
{
	if (estimate >= 1.05 && low > 1.02)
		return OUTCOME_FASTER;
	if (high < 0.98)
		return OUTCOME_SLOWER;
	if (low >= 0.98 && high <= 1.05)
		return OUTCOME_SAME;
	return OUTCOME_UNCLEAR;
}
