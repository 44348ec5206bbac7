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
	double original[20], candidate[20];
	const struct pairs pairs = { 20, false, original, candidate };
	struct interval interval;
	(void)state;
	make_pairs(20, 1.5, 0.02, 7, original, candidate);
	interval = statistics_interval(&pairs, 0.025, 1);
	assert_true(interval.low <= interval.estimate && interval.estimate <= interval.high);
	assert_true(interval.low > 1.45 && interval.high < 1.55);
}

static void same_seed_gives_same_bytes(void **state)
{
	double original[20], candidate[20];
	const struct pairs pairs = { 20, true, original, candidate };
	struct interval a, b;
	(void)state;
	make_pairs(20, 1.1, 0.1, 3, original, candidate);
	a = statistics_interval(&pairs, 0.01, 5);
	b = statistics_interval(&pairs, 0.01, 5);
	assert_memory_equal(&a, &b, sizeof a);
}

/* Tables of Student's distribution. */
static void student_quantiles(void **state)
{
	static const struct {
		int freedom;
		double tail, expected;
	} table[] = {
		{ 1, 0.025, 12.706 }, { 2, 0.025, 4.3027 }, { 2, 0.0005, 31.599 }, { 5, 0.025, 2.5706 }, { 5, 0.005, 4.0321 },
		{ 11, 0.025, 2.2010 }, { 11, 0.0005, 4.4370 }, { 4, 0.1, 1.5332 }, { 1000, 0.025, 1.9623 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		assert_float_equal(statistics_student(table[i].freedom, table[i].tail), table[i].expected,
				   2e-3 * table[i].expected);
}

/* Pairs that stand for processes have a wider interval than the same pairs from one process; so has more certainty. */
static void processes_widen_the_interval(void **state)
{
	double original[6], candidate[6];
	const struct pairs flat = { 6, false, original, candidate }, processes = { 6, true, original, candidate };
	struct interval narrow, wide, wider;
	(void)state;
	for (int i = 0; i < 6; i++) {
		original[i] = 1;
		candidate[i] = 1 / (1.10 + 0.08 * (i % 3 - 1));
	}
	narrow = statistics_interval(&flat, 0.025, 1);
	wide = statistics_interval(&processes, 0.025, 1);
	wider = statistics_interval(&processes, 0.003, 1);
	assert_float_equal(narrow.estimate, wide.estimate, 0);
	assert_true(wide.high - wide.low > narrow.high - narrow.low);
	assert_true(wider.low < wide.low && wider.high > wide.high);
	assert_true(wide.low < 1.05);
}

/* The interval of normal noise misses the truth on the low side about as often as its tail says; over 400 cases, by at most
 * twice as often and a few. */
static void interval_covers(void **state)
{
	static const int counts[] = { 3, 6, 12 };
	(void)state;
	for (int k = 0; k < 3; k++) {
		int missed = 0;
		struct rng rng;
		rng_seed(&rng, (uint64_t)k + 1);
		for (int trial = 0; trial < 400; trial++) {
			double original[12], candidate[12];
			const struct pairs pairs = { counts[k], true, original, candidate };
			for (int i = 0; i < counts[k]; i++) {
				original[i] = exp(0.02 * rng_normal(&rng));
				candidate[i] = exp(0.01 * rng_normal(&rng));
			}
			missed += statistics_interval(&pairs, 0.025, (uint64_t)trial).low > 1;
		}
		if (missed > 24)
			fail_msg("%d process pairs: the lower bound is too high in %d of 400 cases", counts[k], missed);
	}
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
		cmocka_unit_test(student_quantiles),
		cmocka_unit_test(processes_widen_the_interval),
		cmocka_unit_test(interval_covers),
		cmocka_unit_test(drift_between_halves_is_seen),
		cmocka_unit_test(rule_of_acceptance),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
