/* Proposes random legal plans: the baseline that anything wiser must beat. */
#include "mutate.h"
#include "seen.h"

enum { ACTIONS_MAX = 8, ATTEMPTS = 64 };

struct policy {
	struct arena *arena;
	const struct task *task;
	struct seen seen;
	struct rng rng;
};

static struct policy *random_start(struct arena *arena, const struct task *task)
{
	struct policy *policy = ARENA_NEW(arena, struct policy);
	policy->arena = arena;
	policy->task = task;
	rng_seed(&policy->rng, rng_derive(task->seed, "random policy"));
	return policy;
}

/* A plan of one to ACTIONS_MAX random actions; NULL when it is not legal as a whole. */
static const char *random_plan(struct policy *policy)
{
	struct draft draft = draft_new(policy->arena, policy->task);
	int wanted = 1 + (int)rng_below(&policy->rng, ACTIONS_MAX);
	struct diag why = { 0 };
	struct plan *plan;
	const char *text;
	for (int i = 0; i < wanted; i++)
		mutate_add(&draft, &policy->rng);
	text = draft_plan(&draft);
	plan = plan_parse(policy->arena, text, &why);
	return plan && plan->n && plan_apply(policy->task->workspace, plan, &why) ? text : NULL;
}

static const char *random_propose(struct policy *policy)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		const char *plan = random_plan(policy);
		if (plan && seen_add(policy->arena, &policy->seen, plan))
			return plan;
	}
	return NULL;
}

static void random_observe(struct policy *policy, const char *plan, const struct observation *observation)
{
	(void)policy;
	(void)plan;
	(void)observation;
}

static void random_finish(struct policy *policy)
{
	(void)policy;
}

const struct policy_class policy_random = {
	.name = "random",
	.sentence = "proposes random legal plans: the baseline for the others",
	.start = random_start,
	.propose = random_propose,
	.observe = random_observe,
	.finish = random_finish,
};
