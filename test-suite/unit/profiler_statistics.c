/* Statistics of paired timings on made-up timings: estimates, intervals, drift, and the rule of acceptance. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "profiler/statistics.h"
#include "support/rng.h"

/* "n" pairs with the given true ratio; each side carries the same slow drift and noise of its own. */
static void make_pairs(int n, double ratio, double noise, uint64_t seed, double *original, double *candidate)
{
	struct rng rng;
	rng_seed(&rng, seed);
	for (int i = 0; i < n; i++) {
		double shared = 1 + 0.3 * sin(i);
		original[i] = shared * exp(noise * rng_normal(&rng));
		candidate[i] = shared / ratio * exp(noise * rng_normal(&rng));
	}
}

static void median_of_odd_and_even(void **state)
{
	double odd[] = { 3, 1, 2 }, even[] = { 4, 1, 3, 2 };
	(void)state;
	assert_float_equal(statistics_median(3, odd), 2, 0);
	assert_float_equal(statistics_median(4, even), 2.5, 0);
}

static void spread_ignores_an_outlier(void **state)
{
	double value[] = { 1, 2, 3, 4, 1000 };
	(void)state;
	assert_float_equal(statistics_spread(5, value), 1, 0);
	assert_float_equal(value[4], 1000, 0);
}

static void estimate_lies_within_its_interval(void **state)
{
	double original[20], candidate[20], estimate, low, high;
	(void)state;
	make_pairs(20, 1.5, 0.02, 7, original, candidate);
	statistics_ratio(20, original, candidate, 1, &estimate, &low, &high);
	assert_true(low <= estimate && estimate <= high);
	assert_true(low > 1.45 && high < 1.55);
}

static void same_seed_gives_same_bytes(void **state)
{
	double original[20], candidate[20], a[3], b[3];
	(void)state;
	make_pairs(20, 1.1, 0.1, 3, original, candidate);
	statistics_ratio(20, original, candidate, 5, &a[0], &a[1], &a[2]);
	statistics_ratio(20, original, candidate, 5, &b[0], &b[1], &b[2]);
	assert_memory_equal(a, b, sizeof a);
}

/* The identity must hardly ever be called faster, however noisy the machine is: no case of 400 here. */
static void identity_is_not_faster(void **state)
{
	int faster = 0;
	(void)state;
	for (uint64_t seed = 0; seed < 100; seed++)
		for (int level = 0; level < 4; level++) {
			double original[20], candidate[20], estimate, low, high;
			make_pairs(20, 1, 0.01 + 0.02 * level, seed * 4 + (uint64_t)level, original, candidate);
			statistics_ratio_grouped(20, 4, original, candidate, seed, &estimate, &low, &high);
			faster += statistics_outcome(estimate, low, high) == OUTCOME_FASTER;
		}
	assert_int_equal(faster, 0);
}

/* Process pairs that lie far apart must widen the interval that resampling of single pairs would give. */
static void groups_widen_the_interval(void **state)
{
	double original[20], candidate[20], flat[3], grouped[3];
	(void)state;
	for (int i = 0; i < 20; i++) {
		original[i] = 1;
		candidate[i] = 1 / (1.10 + 0.08 * (i / 4 % 3 - 1) + 0.001 * (i % 4));
	}
	statistics_ratio(20, original, candidate, 1, &flat[0], &flat[1], &flat[2]);
	statistics_ratio_grouped(20, 4, original, candidate, 1, &grouped[0], &grouped[1], &grouped[2]);
	assert_float_equal(flat[0], grouped[0], 0);
	assert_true(grouped[2] - grouped[1] >= flat[2] - flat[1]);
	assert_true(grouped[1] < 1.05);
}

static void drift_between_halves_is_seen(void **state)
{
	double original[20], candidate[20];
	(void)state;
	for (int i = 0; i < 20; i++) {
		original[i] = 1;
		candidate[i] = i < 10 ? 0.8 : 1;
	}
	assert_float_equal(statistics_drift(20, original, candidate), 1.25, 1e-9);
	assert_float_equal(statistics_drift(3, original, candidate), 1, 0);
}

static void rule_of_acceptance(void **state)
{
	static const struct {
		double estimate, low, high;
		enum outcome expected;
	} table[] = {
		{ 1.30, 1.20, 1.40, OUTCOME_FASTER }, { 1.05, 1.021, 1.10, OUTCOME_FASTER }, { 1.049, 1.04, 1.06, OUTCOME_UNCLEAR },
		{ 1.30, 1.01, 1.50, OUTCOME_UNCLEAR }, { 1.00, 0.99, 1.01, OUTCOME_SAME }, { 1.04, 1.03, 1.05, OUTCOME_SAME },
		{ 0.90, 0.85, 0.97, OUTCOME_SLOWER }, { 0.97, 0.95, 0.99, OUTCOME_UNCLEAR },
	};
	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		assert_int_equal(statistics_outcome(table[i].estimate, table[i].low, table[i].high), table[i].expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(median_of_odd_and_even),
		cmocka_unit_test(spread_ignores_an_outlier),
		cmocka_unit_test(estimate_lies_within_its_interval),
		cmocka_unit_test(same_seed_gives_same_bytes),
		cmocka_unit_test(identity_is_not_faster),
		cmocka_unit_test(groups_widen_the_interval),
		cmocka_unit_test(drift_between_halves_is_seen),
		cmocka_unit_test(rule_of_acceptance),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
