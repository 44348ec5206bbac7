/* Where plans come from: the policies, and a draw of any action on any names, most of which are refused. */
#ifndef STROP_FUZZ_DRAW_H
#define STROP_FUZZ_DRAW_H

#include "fuzz_case.h"

/* Counts by action: how often a draw was accepted and refused as an action, and how often it is part of a plan that the
 * validator accepted. Plans that it refused, and code that could not be written. */
struct fuzz_tally {
	int accepted[ACTION_COUNT], refused[ACTION_COUNT], used[ACTION_COUNT];
	int legal, illegal, no_code;
};

/* A plan of actions each of which applies, drawn for "trial"'s nest, mode and target; NULL when none came up. */
const char *fuzz_draw_plan(struct arena *arena, struct rng *rng, const struct fuzz_trial *trial, struct fuzz_tally *tally);
/* The first "most" plans of the policy "name"; return how many. */
int fuzz_policy_plans(struct arena *arena, const char *name, const struct fuzz_trial *trial, int most, const char **plan);

#endif
