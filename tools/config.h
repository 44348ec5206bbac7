/* .strop.yaml: a tree's own defaults for strop tune, found by looking up the folders. */
#ifndef STROP_TOOLS_CONFIG_H
#define STROP_TOOLS_CONFIG_H

#include <stdint.h>

#include "support/arena.h"
#include "support/diag.h"

/* A field that the file does not set is NULL or 0. "budget" is "24" or "60s"; "lock" is relative to the file's folder; "sandbox" is
 * "strict" or "available". */
struct config {
	const char *path;
	const char *fp, *policy, *budget, *sizes, *check, *bench, *lock, *sandbox, *cache;
	int64_t seed;
};

/* Read the nearest .strop.yaml at or above the working directory; none is fine. Unknown keys are refused with their name. */
enum status config_load(struct arena *arena, struct config *config, struct diag *diag);
/* Fail when the file demands a strict sandbox and a layer of it is missing here (EXIT_MACHINE). */
enum status config_demand_sandbox(const struct config *config, struct diag *diag);

#endif
