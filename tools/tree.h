/* The user's tree under a lock: all files that decisions touch, changed one after the other, each atomically. */
#ifndef STROP_TOOLS_TREE_H
#define STROP_TOOLS_TREE_H

#include "support/text.h"

#include "lock.h"

/* What tree_apply() and tree_revert() did: files changed, rewrites in (or taken out), and the ids of decisions whose place
 * was not found exactly ("stale"). */
struct tree_change {
	int files, rewrites;
	struct text stale;
};

enum status tree_apply(const struct lock *lock, struct tree_change *change, struct diag *diag);
enum status tree_revert(const struct lock *lock, struct tree_change *change, struct diag *diag);
/* Append the patch from the tree without any rewrite to the tree with all accepted ones. Paths are relative to the
 * working directory. */
enum status tree_diff(const struct lock *lock, struct text *patch, struct tree_change *change, struct diag *diag);
/* The decisions of "lock" on the file "path" (absolute); returns their number, at most "max". */
int tree_decisions(const struct lock *lock, const char *path, const struct decision **decisions, int max);

#endif
