/* Placing decisions into a file's text and taking them out again, by exact bytes and without a compiler. */
#ifndef STROP_TOOLS_PLACE_H
#define STROP_TOOLS_PLACE_H

#include "support/text.h"

#include "lock.h"

/* Append "before" (size bytes) with each of the n accepted decisions put in; decisions that are in already stay. "applied"
 * counts those that are in at the end; a decision whose place cannot be found exactly is left out, and "stale" names it. */
enum status place_apply(const char *before, size_t size, int n, const struct decision *const *decisions,
			struct text *after, int *applied, struct text *stale, struct diag *diag);
/* Append "before" with each decision's variant replaced by the original again; "reverted" counts them. */
enum status place_revert(const char *before, size_t size, int n, const struct decision *const *decisions,
			 struct text *after, int *reverted, struct diag *diag);
/* Whether byte "at" lies within a variant of one of the decisions that are in "text". */
bool place_is_inside(const char *text, size_t size, int n, const struct decision *const *decisions, size_t at);

#endif
