/* The kernels that the stopwatch is tried on: regions of a C file, opened for judging as strop tune opens them. */
#ifndef STROP_BENCH_SUBJECT_H
#define STROP_BENCH_SUBJECT_H

#include "plugin/region.h"
#include "verifier/judge.h"

/* One region; "text" is its source as written. */
struct subject {
	struct arena *arena;
	const char *id, *text;
	struct job job;
	struct judge *judge;
};

/* Scan "file" for "compiler" flags (n of them); NULL and a sentence when it does not parse. */
struct unit *subjects_scan(struct arena *arena, const char *file, int n_flag, char *const *flags, struct diag *diag);
/* Open region "index" of "unit", with "seed" for its inputs, in a scratch folder of its own. Fails also when it is not admitted: the
 * kernels here must be. */
enum status subject_open(const struct unit *unit, int index, uint64_t seed, struct subject *subject, struct diag *diag);
void subject_close(struct subject *subject);

#endif
