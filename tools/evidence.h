/* Evidence: what was found out about regions and candidates, so that nothing is measured twice.
 *
 * Everything found is appended to the journal and kept in the cache; a second run finds it there and resumes. In a replay
 * the journal is the only source, and nothing is measured: what it lacks is an error. */
#ifndef STROP_TOOLS_EVIDENCE_H
#define STROP_TOOLS_EVIDENCE_H

#include <stdbool.h>

#include "support/data.h"
#include "support/diag.h"

struct evidence;

/* Open the cache in "cache_folder" and begin the journal "journal" (a file; NULL for none) with "start", which says what
 * run this is. */
struct evidence *evidence_open(const char *cache_folder, const char *journal, const struct data *start,
			       struct diag *diag);
/* Read "journal" for a replay; "*start" is what it began with, valid until evidence_close(). */
struct evidence *evidence_replay(const char *journal, const struct data **start, struct diag *diag);
struct evidence *evidence_close(struct evidence *evidence);
bool evidence_is_replay(const struct evidence *evidence);

/* Which piece of evidence: "scope" is a hash of all that the result depends on, "region" its id, "kind" "admission",
 * "candidate", "winner" or "illegal", "plan" may be NULL. */
struct evidence_key {
	const char *scope, *region, *kind, *plan;
};
/* What is known, in "arena"; NULL if nothing. What comes from the cache is journalled as well. */
const struct data *evidence_find(struct evidence *evidence, struct arena *arena, const struct evidence_key *key);
void evidence_add(struct evidence *evidence, const struct evidence_key *key, const struct data *result);

#endif
