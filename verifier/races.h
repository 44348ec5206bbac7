/* Races: winners that use threads run once more under the compiler's sanitizer of races, which sees those that no run shows. */
#ifndef STROP_VERIFIER_RACES_H
#define STROP_VERIFIER_RACES_H

#include "support/text.h"

#include "judge_internal.h"

/* When "program", built of "source", uses threads, set "*verdict" to VERDICT_UNDEFINED with the race that was found, unless the original
 * has one, or to VERDICT_UNTESTABLE where nobody can tell because of what the source does. judge->races says what was done. */
enum status races_check(struct judge *judge, const struct text *source, const struct program *program, struct verdict *verdict,
			struct diag *diag);

#endif
