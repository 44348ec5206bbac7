/* The rule of acceptance under noise that is like a machine's: how often the best of 64 identities is called faster, and how
 * often a true speed-up is found. Simulated with fixed seeds; the loops are those of measure.c and of a search. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "profiler/rule.h"
#include "support/rng.h"

enum { TWINS = 64, FINALISTS = 3, PER_GROUP = 4, SCREEN_PAIRS = 4, PAIRS = 48 };

/* "layout": a program's speed moves by up to as much with where its code lies, drawn anew for each build. "process": the standard
 * deviation of what each process pair adds. "pair": that of a pair. "slow": a share of single samples takes a tenth longer (an
 * interrupt, another frequency). "drift": how much the machine changes during a measurement, from a moment of its own on,
 * hitting both sides of a pair but for a fifth of it. */
struct machine_noise {
	const char *name;
	double layout, process, pair, slow, drift;
};

static const struct machine_noise noises[] = {
	{ "quiet", 0.005, 0.002, 0.003, 0, 0 },
	{ "layout of 3 %", 0.03, 0.003, 0.005, 0, 0 },
	{ "noisy", 0.02, 0.01, 0.03, 0, 0 },
	{ "bimodal", 0.01, 0.005, 0.01, 0.3, 0 },
	{ "drifting", 0.01, 0.005, 0.01, 0, 0.2 },
	{ "all at once", 0.03, 0.01, 0.02, 0.2, 0.1 },
};
enum { NOISES = sizeof noises / sizeof *noises };

static double draw_layout(const struct machine_noise *noise, struct rng *rng)
{
	return noise->layout * (2 * rng_uniform(rng) - 1);
}

/* One sample's log-seconds. */
static double draw_sample(const struct machine_noise *noise, struct rng *rng)
{
	return noise->pair * rng_normal(rng) / sqrt(2) + (rng_uniform(rng) < noise->slow ? 0.1 : 0);
}

/* A process pair: what its builds' layouts are worth, and the moment at which the measurement began. */
struct start {
	double original, candidate, moment;
};

static double draw_moment(struct rng *rng)
{
	return 2 * acos(-1) * rng_uniform(rng);
}

/* Draw "n" pairs of one process pair, the first of which is number "from" of the measurement. */
static void draw_pairs(const struct machine_noise *noise, double speedup, const struct start *start, struct rng *rng, int from,
		       int n, double *original, double *candidate)
{
	double process = noise->process * rng_normal(rng);

	for (int i = 0; i < n; i++) {
		double moved = noise->drift * sin(start->moment + (from + i) * 0.13);
		original[i] = exp(moved + start->original + process + draw_sample(noise, rng));
		candidate[i] = exp(0.8 * moved + start->candidate + draw_sample(noise, rng)) / speedup;
	}
}

/* What a screening says of a candidate: the ratio of the least times of a few pairs of one process pair. */
static double screen(const struct machine_noise *noise, double original_layout, struct rng *rng)
{
	const struct start start = { original_layout, draw_layout(noise, rng), draw_moment(rng) };
	double original[SCREEN_PAIRS], candidate[SCREEN_PAIRS], least[2] = { INFINITY, INFINITY };

	draw_pairs(noise, 1, &start, rng, 0, SCREEN_PAIRS, original, candidate);
	for (int i = 0; i < SCREEN_PAIRS; i++) {
		least[0] = fmin(least[0], original[i]);
		least[1] = fmin(least[1], candidate[i]);
	}
	return least[0] / least[1];
}

/* What "groups" process pairs took. */
struct taken {
	int groups, n;
	double original[RULE_PROCESSES], candidate[RULE_PROCESSES], ratio[PAIRS];
};

/* Add a process pair of "n" pairs to "taken". */
static void take(int n, const double *original, const double *candidate, struct taken *taken)
{
	double *least[] = { &taken->original[taken->groups], &taken->candidate[taken->groups] };

	*least[0] = *least[1] = INFINITY;
	for (int i = 0; i < n; i++) {
		*least[0] = fmin(*least[0], original[i]);
		*least[1] = fmin(*least[1], candidate[i]);
		taken->ratio[taken->n++] = original[i] / candidate[i];
	}
	taken->groups++;
}

static struct samples samples_of(const struct taken *taken)
{
	double ratio[PAIRS];

	memcpy(ratio, taken->ratio, sizeof ratio);
	return (struct samples){ taken->groups, taken->original, taken->candidate, statistics_median(taken->n, ratio) };
}

/* Whether a measurement for acceptance calls a candidate faster. The judge's clocks agree. */
static bool accepts(const struct machine_noise *noise, double speedup, int per_group, int contenders, struct rng *rng)
{
	struct taken taken = { 0 };
	struct ruling ruling = { .is_final = false };
	uint64_t seed = rng_next(rng);
	double moment = draw_moment(rng);

	for (int look = 0; !ruling.is_final; look++) {
		struct samples samples;
		while (taken.groups < RULE_GROUPS[look]) {
			const struct start start = { draw_layout(noise, rng), draw_layout(noise, rng), moment };
			double original[PER_GROUP], candidate[PER_GROUP];
			draw_pairs(noise, speedup, &start, rng, taken.n, per_group, original, candidate);
			take(per_group, original, candidate, &taken);
		}
		samples = samples_of(&taken);
		ruling = rule_look(&samples, look, contenders, INFINITY, seed);
	}
	return ruling.outcome == OUTCOME_FASTER;
}

/* One search over identities: screen 64 builds, give the best three their acceptance until one passes. */
static bool search_accepts(const struct machine_noise *noise, int per_group, struct rng *rng)
{
	double original_layout = draw_layout(noise, rng), best[TWINS];

	for (int i = 0; i < TWINS; i++)
		best[i] = screen(noise, original_layout, rng);
	statistics_median(TWINS, best);
	for (int i = 0; i < FINALISTS; i++)
		if (best[TWINS - 1 - i] > 1.02 && accepts(noise, 1, per_group, FINALISTS, rng))
			return true;
	return false;
}

/* Under 1 % of searches accept an identity, with the usual pairs and with the single pairs of long regions. */
static void identities_are_not_accepted(void **state)
{
	enum { TRIALS = 250 };
	(void)state;
	for (int k = 0; k < NOISES; k++)
		for (int per_group = 1; per_group <= PER_GROUP; per_group += PER_GROUP - 1) {
			struct rng rng;
			int accepted = 0;
			rng_seed(&rng, 100 + (uint64_t)k);
			for (int trial = 0; trial < TRIALS; trial++)
				accepted += search_accepts(&noises[k], per_group, &rng);
			if (accepted * 100 >= TRIALS)
				fail_msg("%s, %d pairs a process: %d of %d identities accepted", noises[k].name, per_group, accepted,
					 TRIALS);
		}
}

/* A candidate at the very edge, faster by 2 %, is accepted in at most RULE_TAIL of all searches, whatever the noise; one in
 * a hundred more is allowed for chance. */
static void edge_keeps_the_level(void **state)
{
	enum { TRIALS = 200 };
	(void)state;
	for (int k = 0; k < NOISES; k++) {
		struct rng rng;
		int accepted = 0;
		rng_seed(&rng, 200 + (uint64_t)k);
		for (int trial = 0; trial < TRIALS; trial++)
			for (int i = 0; i < FINALISTS; i++)
				if (accepts(&noises[k], 1.02, PER_GROUP, FINALISTS, &rng)) {
					accepted++;
					break;
				}
		if (accepted > (RULE_TAIL + 0.01) * TRIALS)
			fail_msg("%s: %d of %d accepted at the edge", noises[k].name, accepted, TRIALS);
	}
}

/* A true 8 % is found by at least nine in ten measurements where layouts and noise are what a usable machine has; a
 * quarter more always. */
static void speedups_are_accepted(void **state)
{
	enum { TRIALS = 100 };
	(void)state;
	for (int k = 0; k < 4; k++)
		for (int i = 0; i < 2; i++) {
			struct rng rng;
			int accepted = 0;
			rng_seed(&rng, 300 + (uint64_t)k);
			for (int trial = 0; trial < TRIALS; trial++)
				accepted += accepts(&noises[k], i ? 1.25 : 1.08, PER_GROUP, FINALISTS, &rng);
			if (accepted < 0.9 * TRIALS)
				fail_msg("%s: only %d of %d speed-ups accepted", noises[k].name, accepted, TRIALS);
		}
}

/* A clock that contradicts, process pairs that do, or the usual samples, withhold the outcome and say why. */
static void doubts_are_named(void **state)
{
	double original[6] = { 1, 1, 1, 1, 1, 1 }, candidate[6] = { 0.5, 0.501, 0.502, 0.5, 0.501, 0.502 };
	struct samples samples = { 3, original, candidate, 2 };
	struct ruling ruling;
	(void)state;
	assert_int_equal(rule_look(&samples, 0, 3, 2, 1).outcome, OUTCOME_FASTER);
	ruling = rule_look(&samples, 0, 3, 1, 1);
	assert_int_equal(ruling.outcome, OUTCOME_UNCLEAR);
	assert_int_equal(ruling.doubt, DOUBT_CLOCK);
	assert_false(ruling.is_final);
	samples.usual = 0.9;
	ruling = rule_look(&samples, 0, 3, 2, 1);
	assert_int_equal(ruling.outcome, OUTCOME_UNCLEAR);
	assert_int_equal(ruling.doubt, DOUBT_USUAL);
	samples.usual = 2;
	candidate[2] = 1.1;
	ruling = rule_look(&samples, 0, 3, 2, 1);
	assert_int_equal(ruling.outcome, OUTCOME_UNCLEAR);
	for (int i = 0; i < 6; i++)
		candidate[i] = 1 + 0.001 * (i % 3);
	samples = (struct samples){ 6, original, candidate, 1 };
	ruling = rule_look(&samples, 1, 3, 1, 1);
	assert_int_equal(ruling.outcome, OUTCOME_SAME);
	assert_true(ruling.is_final);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identities_are_not_accepted),
		cmocka_unit_test(edge_keeps_the_level),
		cmocka_unit_test(speedups_are_accepted),
		cmocka_unit_test(doubts_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
