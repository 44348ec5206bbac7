/* A job: all that is needed to judge and time one region, without libclang and without the author's beliefs. */
#ifndef STROP_VERIFIER_JOB_H
#define STROP_VERIFIER_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/nest.h"
#include "ir/signature.h"
#include "support/arena.h"
#include "support/diag.h"

/* How outputs are compared (DESIGN: fp modes). */
enum strictness {
	STRICT_ORDERED, /* bit for bit, both sides compiled with -ffp-contract=off */
	STRICT_REASSOC, /* error against the wider oracle, at most max(2 x the original's own, a few ulp) */
	STRICT_EXACT,   /* bit for bit, as built */
};

struct size { const char *name; int64_t value; }; /* of an integer param of the nest, by var->name */

/* One recorded call: sizes and, per array and scalar of the nest, the bytes it held at entry (NULL: not recorded). */
struct sample {
	int n_size;
	struct size *size;
	int n_value;
	struct sample_value { const char *name; size_t bytes; void *data; } *value;
};

/* "file" holds the region's bytes [begin, end) in "text" ("text_size" bytes); it is the unit's main file or a header that the
 * main file "main_file" includes. argv runs in "directory"; argv[source] is the main file. "scratch" is a folder that exists and
 * that the job may fill. "size" are the sizes to time at (empty: choose such that the region runs 1 to 50 ms); "may_shrink": smaller ones will do where these
 * take long.
 * Limits per run: seconds of CPU, bytes of memory. "seed" is secret to the judge. "is_compiler_free":
 * the compiler is not held to the files that the command names, since the original does not build so. */
struct job {
	const char *id;
	const char *file, *main_file;
	const char *text;
	size_t text_size, begin, end, function_begin;
	const char *directory;
	int argc;
	const char *const *argv;
	int source;
	const struct nest *nest;
	const struct signature *signature;
	enum strictness strictness;
	int n_size;
	const struct size *size;
	bool may_shrink;
	int n_sample;
	const struct sample *sample;
	const char *scratch;
	double seconds;
	size_t memory;
	uint64_t seed;
	bool is_compiler_free;
};

/* Save as a self-contained folder, and load it back ("strop worker" runs such folders). */
enum status job_save(const struct job *job, const char *folder, struct diag *diag);
struct job *job_load(struct arena *arena, const char *folder, struct diag *diag);

#endif
