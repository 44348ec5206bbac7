/* Starts from the heuristic's first guess for each way to split, gives all bands of the best one their next choices together,
 * then moves one band at a time to each of its other choices, and at last changes the best plan's actions and sizes one by
 * one. Deterministic by seed, given the same observations. */
#include <string.h>

#include "mutate.h"
#include "recipe.h"
#include "seen.h"

enum phase { PHASE_SPLITS, PHASE_UNIFORM, PHASE_CHOICES, PHASE_STEPS };
enum { UNIFORM_CHOICES = 3, FAILURES_MAX = 12 };
static const double GAIN = 1.01; /* what a better plan must gain to replace the best one */

/* "recipe" is that of the plan proposed last, when it came from one; the best plan is "best" ("best_recipe" when
 * "has_recipe"), with its speed-up. The next choice to try is "choice" + 1 of band "band". */
struct policy {
	struct arena *arena;
	const struct task *task;
	struct seen seen;
	struct rng rng;
	enum phase phase;
	int at, band, choice, failures;
	struct recipe recipe;
	bool is_from_recipe;
	const char *best;
	double speedup;
	struct recipe best_recipe;
	bool has_recipe;
};

static struct policy *search_start(struct arena *arena, const struct task *task)
{
	struct policy *policy = ARENA_NEW(arena, struct policy);
	policy->arena = arena;
	policy->task = task;
	policy->speedup = 1;
	rng_seed(&policy->rng, rng_derive(task->seed, "search policy"));
	return policy;
}

/* Remember "plan" as proposed; NULL when it is none or was before. */
static const char *fresh(struct policy *policy, const char *plan, bool is_from_recipe)
{
	if (!plan || !seen_add(policy->arena, &policy->seen, plan))
		return NULL;
	policy->is_from_recipe = is_from_recipe;
	return plan;
}

static const char *propose_recipe(struct policy *policy)
{
	return fresh(policy, recipe_plan(policy->arena, policy->task, &policy->recipe), true);
}

/* The first choice of every band, for each way to split. */
static const char *propose_split(struct policy *policy)
{
	while (policy->at < SPLIT_COUNT) {
		const char *plan;
		policy->recipe = recipe_uniform((enum split)policy->at++, 0);
		plan = propose_recipe(policy);
		if (plan)
			return plan;
	}
	policy->phase = policy->has_recipe ? PHASE_UNIFORM : PHASE_STEPS;
	policy->at = 0;
	return NULL;
}

/* The next choice of every band together. */
static const char *propose_uniform(struct policy *policy)
{
	while (policy->at++ < UNIFORM_CHOICES) {
		const char *plan;
		policy->recipe = recipe_uniform(policy->best_recipe.split, policy->at);
		plan = propose_recipe(policy);
		if (plan)
			return plan;
	}
	policy->phase = PHASE_CHOICES;
	return NULL;
}

/* Advance to the next choice of a band that matters; choices vary slowest, so that each band gets its second choice before
 * any gets its third. False when all were tried. */
static bool next_choice(struct policy *policy)
{
	const struct recipe *best = &policy->best_recipe;
	int most = 0;
	for (int b = 0; b < best->n; b++)
		most = best->choices[b] > most ? best->choices[b] : most;
	for (; policy->choice <= most; policy->choice++, policy->band = 0)
		for (; policy->band < best->n; policy->band++)
			if (best->weight[policy->band] >= RECIPE_SHARE && policy->choice <= best->choices[policy->band])
				return true;
	return false;
}

/* The best recipe with another choice for one band; leaving the band as it is comes last. */
static const char *propose_choice(struct policy *policy)
{
	while (next_choice(policy)) {
		int band = policy->band++;
		bool is_last = policy->choice == policy->best_recipe.choices[band];
		const char *plan;
		policy->recipe = policy->best_recipe;
		policy->recipe.choice[band] = (unsigned char)(is_last ? CHOICE_LEAVE : policy->choice);
		plan = propose_recipe(policy);
		if (plan)
			return plan;
	}
	policy->phase = PHASE_STEPS;
	return NULL;
}

static const char *propose_step(struct policy *policy)
{
	while (policy->failures < FAILURES_MAX) {
		const char *plan = mutate_plan(policy->arena, policy->task, policy->best ? policy->best : "", &policy->rng);
		plan = fresh(policy, plan, false);
		if (plan)
			return plan;
		policy->failures++;
	}
	return NULL;
}

static const char *search_propose(struct policy *policy)
{
	const char *plan = NULL;
	if (policy->phase == PHASE_SPLITS)
		plan = propose_split(policy);
	if (!plan && policy->phase == PHASE_UNIFORM)
		plan = propose_uniform(policy);
	if (!plan && policy->phase == PHASE_CHOICES)
		plan = propose_choice(policy);
	if (!plan && policy->phase == PHASE_STEPS)
		plan = propose_step(policy);
	return plan;
}

static void search_observe(struct policy *policy, const char *plan, const struct observation *observation)
{
	double speedup = observation->measurement.speedup;
	bool is_equal = observation->is_legal && observation->verdict.kind == VERDICT_EQUAL;
	if (!is_equal || observation->measurement.pairs == 0 || speedup < policy->speedup * GAIN)
		return;
	policy->best = arena_strdup(policy->arena, plan);
	policy->speedup = speedup;
	if (policy->is_from_recipe) {
		policy->best_recipe = policy->recipe;
		policy->has_recipe = true;
	}
	policy->failures = 0;
}

static void search_finish(struct policy *policy)
{
	(void)policy;
}

const struct policy_class policy_search = {
	.name = "search",
	.sentence = "starts from the heuristic's plans and searches around the best one",
	.start = search_start,
	.propose = search_propose,
	.observe = search_observe,
	.finish = search_finish,
};
