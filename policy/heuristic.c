/* Proposes a short ordered list of plans from what the nest looks like. It does not look at what came of them. */
#include "recipe.h"
#include "seen.h"

/* The list: how to split, and the choice for every band. */
static const struct {
	enum split split;
	int choice;
} list[] = {
	{ SPLIT_WHOLE, 0 }, { SPLIT_SKEW, 0 }, { SPLIT_BAND, 0 }, { SPLIT_FUSED, 0 }, { SPLIT_BLOCKED, 0 }, { SPLIT_NONE, 0 },
	{ SPLIT_WIDE_BAND, 0 },
	{ SPLIT_WHOLE, 1 }, { SPLIT_WHOLE, 2 }, { SPLIT_BAND, 1 },
	{ SPLIT_NONE, 1 }, { SPLIT_WHOLE, 3 }, { SPLIT_BLOCKED, 1 }, { SPLIT_WHOLE, 4 }, { SPLIT_NONE, 2 }, { SPLIT_WHOLE, 5 },
	{ SPLIT_FUSED, 1 }, { SPLIT_NONE, 3 },
};

struct policy {
	struct arena *arena;
	const struct task *task;
	struct seen seen;
	int at;
};

static struct policy *heuristic_start(struct arena *arena, const struct task *task)
{
	struct policy *policy = ARENA_NEW(arena, struct policy);
	policy->arena = arena;
	policy->task = task;
	return policy;
}

static const char *heuristic_propose(struct policy *policy)
{
	while (policy->at < (int)(sizeof list / sizeof *list)) {
		struct recipe recipe = recipe_uniform(list[policy->at].split, list[policy->at].choice);
		const char *plan = recipe_plan(policy->arena, policy->task, &recipe);
		policy->at++;
		if (plan && seen_add(policy->arena, &policy->seen, plan))
			return plan;
	}
	return NULL;
}

static void heuristic_observe(struct policy *policy, const char *plan, const struct observation *observation)
{
	(void)policy;
	(void)plan;
	(void)observation;
}

static void heuristic_finish(struct policy *policy)
{
	(void)policy;
}

const struct policy_class policy_heuristic = {
	.name = "heuristic",
	.sentence = "proposes a short list of plans from strides, dependences and what the nest computes",
	.start = heuristic_start,
	.propose = heuristic_propose,
	.observe = heuristic_observe,
	.finish = heuristic_finish,
};
