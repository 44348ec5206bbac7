/* Sanitizers: winners run once more with those of addresses and undefined behaviour, on fresh inputs in a fresh process. */
#ifndef STROP_VERIFIER_SANITIZE_H
#define STROP_VERIFIER_SANITIZE_H

#include "support/text.h"

#include "judge_internal.h"

/* Set "*verdict" to VERDICT_UNDEFINED, with what they report, when the program of "source" gives them reason to complain and the
 * original does not. judge->sanitized says what was done. */
enum status sanitize_check(struct judge *judge, const struct text *source, struct verdict *verdict, struct diag *diag);

#endif
