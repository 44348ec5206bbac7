/* strop.lock: the decisions, committed and reviewed with the sources. YAML; written atomically; no times or dates, so that
 * the same evidence gives the same bytes. */
#ifndef STROP_TOOLS_LOCK_H
#define STROP_TOOLS_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "support/arena.h"
#include "support/diag.h"

#define LOCK_VERSION 1

/* What was decided on one region, and on what evidence.
 *   id, file, function, line  where; "file" is relative to the lock's folder when below it
 *   anchor, key               the region's two identities (see docs/ARCHITECTURE.md)
 *   fp, sizes, setup          the fp mode; the sizes timed at ("n=64, m=8"); policy, budget and seed, to know when to ask anew
 *   accepted                  the variant is to be applied
 *   reason, sentence          a code ("faster", "no-gain", "untestable", "cold", "off" ...) and why, for people
 *   plan                      of the accepted variant, else of the best that lost, or NULL
 *   speedup, low, high        with its interval; 0 when nothing was measured
 *   seconds, bound, timing    of the original; what bounds it; how it was timed
 *   share                     of the program's time when it was recorded, else negative
 *   candidates                how many were judged
 *   original, helpers, body   the region's bytes; what is inserted before the function; what replaces the region (in the file
 *                             with a hash of the three, so that a lock that was cut short or edited is refused)
 *   prefix, prefix_size       hash and size of the bytes from the function's begin to the region's */
struct decision {
	const char *id, *file, *function;
	int line;
	const char *anchor, *key, *fp, *sizes, *setup;
	bool accepted;
	const char *reason, *sentence, *plan;
	double speedup, low, high;
	double seconds, share;
	const char *bound, *timing;
	int candidates;
	const char *original, *helpers, *body, *prefix;
	int64_t prefix_size;
};

struct lock {
	struct arena *arena;
	const char *path;
	int n, capacity;
	struct decision *decision;
};

/* Read "path"; a missing file is an empty lock. Fails on a broken file and on one from a newer version. */
struct lock *lock_load(const char *path, struct diag *diag);
enum status lock_save(const struct lock *lock, struct diag *diag);
struct lock *lock_free(struct lock *lock);
/* Put in a copy of "decision", replacing one of the same id. */
void lock_set(struct lock *lock, const struct decision *decision);
const struct decision *lock_find(const struct lock *lock, const char *id);
/* The absolute path of a decision's file. */
const char *lock_file_path(const struct lock *lock, const struct decision *decision);

/* Keep other strops from working on the same lock until the process ends. Fails at once when one does already. */
enum status lock_claim(const char *path, struct diag *diag);

#endif
