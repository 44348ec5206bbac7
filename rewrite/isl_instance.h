/* Which original instances the statements of a rewritten nest stand for. Internal to the validator. */
#ifndef STROP_REWRITE_ISL_INSTANCE_H
#define STROP_REWRITE_ISL_INSTANCE_H

#include "dependences_internal.h"

/* A statement of the rewritten nest and the original one that it stands for:
 *   origin    { [x] -> [i] }: the original iteration that instance x executes
 *   guard_of  for each guard of the original statement, the number of the equal guard around the new one */
struct instance {
	const struct placed *now, *before;
	isl_pw_multi_aff *origin;
	int *guard_of;
};

/* "now" must outlive it. */
struct instances {
	const struct dependences *dependences;
	struct tree *now;
	struct events *events;
	int n;
	struct instance *instance;
};

/* Relate the tree "now" to the original; NULL and a sentence when a statement has no counterpart. */
struct instances *instances_new(const struct dependences *dependences, struct tree *now, struct diag *why);
void instances_free(struct instances *instances);
/* Whether variable "now" of the rewritten nest stands for "before": the same name up to a dot. */
bool var_stands_for(const struct var *now, const struct var *before);
/* "S3", or "let a". */
const char *placed_name(struct arena *arena, const struct placed *placed);

#endif
