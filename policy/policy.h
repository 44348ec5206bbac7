/* Policies: who proposes plans, turn by turn, and sees what came of them. */
#ifndef STROP_POLICY_POLICY_H
#define STROP_POLICY_POLICY_H

#include <stdint.h>

#include "ir/nest.h"
#include "profiler/machine.h"
#include "profiler/measure.h"
#include "rewrite/codegen.h"
#include "rewrite/plan.h"
#include "support/arena.h"
#include "support/diag.h"
#include "verifier/judge.h"

/* What a policy is asked about. "sizes" are the ones timed at. All outlive the policy's run. */
struct task {
	struct workspace *workspace;
	const struct nest *nest;
	const struct target *target;
	const struct machine *machine;
	int n_size;
	const struct size *size;
	uint64_t seed;
	int budget; /* proposals that will be asked for */
};

/* What came of a proposal: not a legal plan ("why"), a verdict, and when equal a measurement. "races" tells what the search for races
 * did for a winner that uses threads, NULL otherwise. */
struct observation {
	bool is_legal;
	const char *why;
	struct verdict verdict;
	const char *races;
	struct measurement measurement; /* meaningful when verdict.kind is VERDICT_EQUAL */
};

struct policy;
struct policy_class {
	const char *name;
	const char *sentence;
	struct policy *(*start)(struct arena *arena, const struct task *task);
	/* The next plan as text, or NULL when it has no more to offer. */
	const char *(*propose)(struct policy *policy);
	void (*observe)(struct policy *policy, const char *plan, const struct observation *observation);
	void (*finish)(struct policy *policy);
};
/* "heuristic", "random", "search"; NULL when there is none of that name. */
const struct policy_class *policy_find(const char *name);
/* The n-th class, for listings; NULL past the last. */
const struct policy_class *policy_get(int n);

#endif
