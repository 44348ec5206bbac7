/* Every policy on random nests: what it proposes is canonical, new, legal, and the same for the same seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "policy/policy.h"

#include "../fuzz/fuzz_nest.c"

enum { NESTS = 25, PROPOSALS = 6 };

static const struct machine machine = {
	.name = "property", .cores = 1, .vector_bytes = 32, .l1 = 32 << 10, .l2 = 1 << 20, .l3 = 16 << 20,
};
static const struct target target = { .compiler = COMPILER_GCC, .vector_bytes = 32, .has_fma = true, .has_openmp = true };
static const struct size sizes[] = { { "N", 300 }, { "M", 200 }, { "K", 100 } };

/* A policy's proposals for one nest. */
struct run {
	struct arena *arena;
	struct workspace *workspace;
	int n;
	const char *plan[PROPOSALS];
};

/* What a policy is told: each third plan differs, the others gain or lose by what their text hashes to. */
static struct observation observation_of(const char *plan, int n)
{
	struct observation seen = { .is_legal = true, .verdict = { n % 3 == 2 ? VERDICT_DIFFERENT : VERDICT_EQUAL, NULL } };

	seen.measurement = (struct measurement){ .speedup = 0.8 + 0.1 * (double)(strlen(plan) % 7), .pairs = 10 };
	return seen;
}

static struct run run_start(const struct policy_class *class, uint64_t seed)
{
	struct run run = { .arena = arena_new() };
	struct task task = { .target = &target, .machine = &machine, .n_size = 3, .size = sizes, .seed = seed, .budget = PROPOSALS };
	struct policy *policy;
	struct rng rng;

	rng_seed(&rng, seed);
	task.nest = fuzz_nest(run.arena, &rng);
	task.workspace = run.workspace = workspace_new(run.arena, task.nest, seed % 2 ? FP_ORDERED : FP_REASSOC, NULL);
	assert_non_null(task.workspace);
	policy = class->start(run.arena, &task);
	while (run.n < PROPOSALS && (run.plan[run.n] = class->propose(policy))) {
		struct observation seen = observation_of(run.plan[run.n], run.n);

		run.plan[run.n] = arena_strdup(run.arena, run.plan[run.n]);
		class->observe(policy, run.plan[run.n], &seen);
		run.n++;
	}
	class->finish(policy);
	return run;
}

static void run_end(struct run *run)
{
	workspace_free(run->workspace);
	arena_free(run->arena);
}

static void check_plan(const struct policy_class *class, const struct run *run, int at, uint64_t seed)
{
	struct diag diag = { 0 };
	struct plan *plan = plan_parse(run->arena, run->plan[at], &diag);
	struct text text = { 0 };

	if (!plan)
		fail_msg("%s, seed %d: '%s' is no plan: %s", class->name, (int)seed, run->plan[at], diag.message);
	plan_print(plan, &text);
	assert_string_equal(text_string(&text), run->plan[at]);
	text_free(&text);
	if (!plan_apply(run->workspace, plan, &diag))
		fail_msg("%s, seed %d: '%s' is not legal: %s", class->name, (int)seed, run->plan[at], diag.message);
	for (int i = 0; i < at; i++)
		assert_string_not_equal(run->plan[i], run->plan[at]);
}

static void test_proposals(void **state)
{
	const struct policy_class *class;

	(void)state;
	for (int c = 0; (class = policy_get(c)); c++)
		for (uint64_t seed = 1; seed <= NESTS; seed++) {
			struct run first = run_start(class, seed), second = run_start(class, seed);

			assert_int_equal(first.n, second.n);
			for (int i = 0; i < first.n; i++) {
				check_plan(class, &first, i, seed);
				assert_string_equal(first.plan[i], second.plan[i]);
			}
			run_end(&first);
			run_end(&second);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_proposals) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
