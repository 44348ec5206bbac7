/* Admission: a region is judged only if wrong answers would be noticed on its inputs. */
#ifndef STROP_VERIFIER_ADMISSION_H
#define STROP_VERIFIER_ADMISSION_H

#include "judge_internal.h"
#include "oracle.h"

/* Check the lifting with the oracle, and that controls (all zero, unchanged, constant, rounded to float, an iteration
 * dropped, a term left out) are rejected on some quick trial. When not, "*admission" says which survived. */
enum status admission_decide(struct judge *judge, struct verdict *admission, struct diag *diag);

/* Let the trial have an answer of the oracle if it is not too much work; the trial stays without one else. False, with
 * a witness in "*why", when the original does not do what the nest says. */
bool admission_answer(struct judge *judge, struct trial *trial, const char **why, struct diag *diag);

#endif
