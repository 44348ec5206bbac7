/* Derived params: those whose source is no place that can be assigned but an expression ("n / 2", "bias != NULL").
 *
 * The variables that such an expression reads, its bases, get values, and the program itself says what comes of them. A base
 * that no var of the nest is bound to becomes a param of its own in the judge's copy of the nest. */
#ifndef STROP_VERIFIER_DERIVE_H
#define STROP_VERIFIER_DERIVE_H

#include "extent.h"
#include "trial.h"

/* "job", or a copy whose nest has the missing bases as params behind its other vars. */
const struct job *derive_job(struct arena *arena, const struct job *job);

struct program;
/* All derived params of a job and a process that computes them. Functions below take NULL for "none". */
struct derivation;

/* NULL when the nest has no derived params. "program" is the original. */
struct derivation *derivation_new(const struct setting *setting, const struct program *program);
struct derivation *derivation_free(struct derivation *derivation);
/* Whether nest->var[v] is derived, and whether derived var "v" reads var "base". */
bool derivation_has(const struct derivation *derivation, int v);
bool derivation_reads(const struct derivation *derivation, int v, int base);
/* Set the derived values of "shape" to what follows from the others, "null" (may be NULL) being an array that does not
 * exist. False when the program cannot tell. */
bool derivation_settle(struct derivation *derivation, struct shape *shape, const struct var *null);
/* The n-th array that a derived param tests, so that it may be NULL; NULL behind the last one. */
const struct var *derivation_nullable(const struct derivation *derivation, int n);

#endif
