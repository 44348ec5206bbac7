/* The checks of the validator, one file each; false and a sentence when one fails. Internal to the validator. */
#ifndef STROP_REWRITE_ISL_CHECK_H
#define STROP_REWRITE_ISL_CHECK_H

#include "isl_instance.h"

/* Each original instance is executed exactly once (isl_cover.c); declarations of locals that nothing else writes may be
 * repeated, since that computes the same value again. */
bool check_cover(const struct instances *instances, struct diag *why);
/* Each use of a local that the original declares inside loops touches what it did there: the one of its own original iteration,
 * or an element of an array that stands for it alone (isl_scope.c). */
bool check_scopes(const struct instances *instances, struct diag *why);
/* Each dependence runs from earlier to later (isl_order.c). */
bool check_order(const struct instances *instances, struct diag *why);
/* Statements that actions made do not let the threads of a parallel loop meet in memory (isl_race.c). */
bool check_races(const struct instances *instances, struct diag *why);

#endif
