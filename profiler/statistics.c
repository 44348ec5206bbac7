#include "statistics.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/rng.h"

enum { RESAMPLES = 2000, FEW = 64 };

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Sort a few values: a bootstrap spends its time here. */
static void sort_few(int n, double *value)
{
	for (int i = 1; i < n; i++) {
		double moved = value[i];
		int k = i;
		for (; k > 0 && value[k - 1] > moved; k--)
			value[k] = value[k - 1];
		value[k] = moved;
	}
}

double statistics_median(int n, double *value)
{
	assert(n > 0);
	if (n <= FEW)
		sort_few(n, value);
	else
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

/* The quantile of the normal distribution at "p" (Abramowitz and Stegun 26.2.23, polished by two Newton steps). */
static double normal_quantile(double p)
{
	double tail = p < 0.5 ? p : 1 - p, t = sqrt(-2 * log(tail));
	double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));

	for (int i = 0; i < 2; i++)
		x += (0.5 * erfc(x / sqrt(2)) - tail) / (exp(-x * x / 2) / sqrt(2 * acos(-1)));
	return p < 0.5 ? -x : x;
}

double statistics_student(int freedom, double tail)
{
	const double n = freedom, two = 2 * tail, pi = acos(-1);
	double a, b, c, d, x, y;

	assert(freedom > 0 && tail > 0 && tail < 0.5);
	if (freedom == 1)
		return 1 / tan(pi * tail);
	if (freedom == 2)
		return sqrt(2 / (two * (2 - two)) - 2);
	a = 1 / (n - 0.5);
	b = 48 / (a * a);
	c = ((20700 * a / b - 98) * a - 16) * a + 96.36;
	d = ((94.5 / (b + c) - 3) / b + 1) * sqrt(a * pi / 2) * n;
	y = pow(d * two, 2 / n);
	if (y <= 0.05 + a) {
		y = ((1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1) * (n + 1) / (n + 2) +
		    1 / y;
		return sqrt(n * y);
	}
	x = -normal_quantile(tail);
	y = x * x;
	if (freedom < 5)
		c += 0.3 * (n - 4.5) * (x + 0.6);
	c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c;
	y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
	return sqrt(n * expm1(a * y * y));
}

/* How much further from the estimate than the 97.5th percentile of the bootstrap the bound for "tail" lies. */
static double stretch(const struct pairs *pairs, double tail)
{
	if (!pairs->are_processes || pairs->n < 2)
		return 1;
	return statistics_student(pairs->n - 1, tail) * sqrt(pairs->n / (pairs->n - 1.0)) / 1.959964;
}

/* The medians of RESAMPLES resamples of "n" log-ratios, in ascending order. */
static void bootstrap(int n, const double *ratio, uint64_t seed, double *median)
{
	double *drawn = memory_alloc(sizeof *drawn * (size_t)n);
	struct rng rng;

	rng_seed(&rng, seed);
	for (int r = 0; r < RESAMPLES; r++) {
		for (int i = 0; i < n; i++)
			drawn[i] = ratio[rng_below(&rng, (uint64_t)n)];
		median[r] = statistics_median(n, drawn);
	}
	qsort(median, RESAMPLES, sizeof *median, compare_doubles);
	free(drawn);
}

void statistics_intervals(const struct pairs *pairs, int n_tail, const double *tail, uint64_t seed, struct interval *interval)
{
	double *ratio = memory_alloc(sizeof *ratio * (size_t)pairs->n);
	double *median = memory_alloc(sizeof *median * RESAMPLES);
	double low, high, estimate;

	assert(pairs->n > 0);
	for (int i = 0; i < pairs->n; i++)
		ratio[i] = log(pairs->original[i] / pairs->candidate[i]);
	bootstrap(pairs->n, ratio, seed, median);
	estimate = statistics_median(pairs->n, ratio);
	low = fmin(0, median[RESAMPLES * 25 / 1000] - estimate);
	high = fmax(0, median[RESAMPLES * 975 / 1000 - 1] - estimate);
	for (int k = 0; k < n_tail; k++) {
		double factor = stretch(pairs, tail[k]);
		interval[k] = (struct interval){ exp(estimate), exp(estimate + factor * low), exp(estimate + factor * high) };
	}
	free(median);
	free(ratio);
}

struct interval statistics_interval(const struct pairs *pairs, double tail, uint64_t seed)
{
	struct interval interval;

	statistics_intervals(pairs, 1, &tail, seed, &interval);
	return interval;
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
