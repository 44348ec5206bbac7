/* Tuning one region: ask the policy, judge, time, decide. */
#ifndef STROP_TOOLS_TUNER_H
#define STROP_TOOLS_TUNER_H

#include "plugin/region.h"
#include "policy/policy.h"
#include "profiler/machine.h"

#include "evaluate.h"
#include "evidence.h"
#include "lock.h"

/* How to tune. "mode" NULL: the pragma's, else what the build's flags imply, else ordered. "budget" candidates per region,
 * and "seconds" of wall time per region when positive. "sizes" is "N=1024,M=8" or NULL. "salt" and
 * "cache": see struct timing_context. */
struct tune_settings {
	const struct policy_class *policy;
	const char *mode;
	int budget;
	double seconds;
	uint64_t seed;
	const char *sizes;
	const char *salt;
	enum cache_state cache;
	const char *scratch;
	const struct machine *machine;
};

/* A region in its unit; "number" is unique in its file; "samples" may be empty; "share" of the program's time, negative
 * when unknown; "size" (n_size) are the sizes that the program spends its time at, used when the user names none, "in_place" how long a call at them takes; "done" and
 * "total" regions are for the progress line. */
struct tune_region {
	const struct unit *unit;
	const struct region *region;
	int number;
	int n_sample;
	const struct sample *sample;
	int n_size;
	const struct size *size;
	struct in_place in_place;
	double share;
	int done, total;
};

/* Decide on the region; "decision" and its strings live in "arena". Fails only when the world does, or on Ctrl-C. */
enum status tune_one(struct arena *arena, const struct tune_region *region, const struct tune_settings *settings,
		     struct evidence *evidence, struct decision *decision, struct diag *diag);
/* Fill in what a decision says of any region: where, identities, settings; for regions that are not tuned at all. */
void decision_init(struct arena *arena, const struct region *region, const struct tune_settings *settings,
		   const char *mode, struct decision *decision);

/* Parse "N=1024,M=8" into sizes; fails on anything else. */
enum status sizes_parse(struct arena *arena, const char *text, int *n, struct size **size, struct diag *diag);

#endif
