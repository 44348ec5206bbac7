/* The user's own test and benchmark, run around the rewrites. */
#ifndef STROP_TOOLS_USERTEST_H
#define STROP_TOOLS_USERTEST_H

#include "support/diag.h"
#include "support/text.h"

#include "lock.h"

/* What whole programs said: medians of "bench" in seconds before and after; 0 when none was given. */
struct usertest {
	double before, after;
	int runs;
};

/* Run "check" (shell command, may be NULL) before, put the rewrites in, run it again; time "bench" (may be NULL), tree without
 * and with rewrites alternating. Leaves the rewrites in when "keep"; takes them out when not, and whenever the check
 * fails after (EXIT_WRONG) or anything else does. */
enum status usertest_run(const struct lock *lock, const char *check, const char *bench, bool keep, struct usertest *trial,
		      struct diag *diag);

#endif
