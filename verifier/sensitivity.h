/* The bound of results whose nest is opaque, from how the original itself answers to roundings.
 *
 * Two things are seen. How far do results move when each input changes in its last place, up, down or not at all at random? Let s_i be
 * the largest move of element i, and e the unit roundoff: the magnitude of the element is m_i = |v_i| + s_i / e. And how far apart are
 * two builds of the original, one of which may reorder sums as a compiler likes, on these inputs and on others of their kind, whose
 * roundings are other ones? Let d be the largest distance over an array in units of e m_i: its ratio is r = 2 d, and a version's
 * element is accepted within max(4, 2 r) e m_i of the original's (answer_accept). Twice, since a version errs by itself where d is
 * mostly the original's error: with errors of deviation s, seven distances reach about 1.6 s, a version lies beyond 4.2 s once in a
 * thousand times, and the bound is at 6.4 s.
 *
 * It is the perturbation half of Kahan's "How futile are mindless assessments of roundoff in floating-point computation?" (2006), with
 * a compiler's order of evaluation in the place of changed rounding modes, which would bias errors rather than vary them. */
#ifndef STROP_VERIFIER_SENSITIVITY_H
#define STROP_VERIFIER_SENSITIVITY_H

#include "judge_internal.h"
#include "oracle.h"

/* Let the trial, whose expected answers are there, have an answer. Fails when the world does. */
enum status sensitivity_answer(struct judge *judge, struct trial *trial, struct diag *diag);

/* Whether inputs that differ in the last place move a result of the trial by a tenth of the largest magnitude in its array: then
 * not even the oracle can tell what comes of it. */
enum status sensitivity_is_chaotic(struct judge *judge, const struct trial *trial, bool *is_chaotic, struct diag *diag);

#endif
