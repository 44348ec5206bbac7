/* Building programs: the user's own compile command turned to make a shared object from a copy of the source. */
#ifndef STROP_VERIFIER_BUILD_H
#define STROP_VERIFIER_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "support/arena.h"
#include "support/diag.h"

#include "job.h"
#include "judge.h"
#include "runner.h"

/* BUILD_JUDGED: what is compared, without contraction when the strictness demands it. BUILD_TIMED: the flags as they
 * are. BUILD_SANITIZED: with the sanitizers of addresses and undefined behaviour. BUILD_RACES: with that of races, and OpenMP on
 * threads that it follows. BUILD_FREE: with arithmetic reordered as the
 * compiler likes. BUILD_TRAPPING: undefined arithmetic ends the process. BUILD_PATTERN: what is judged, but locals that are not
 * initialised hold a pattern (gcc and clang from version 12 and 8 on). BUILD_STARVED: what is judged, but with functions __wrap_NAME,
 * which the text must have, in the place of build_wrapped[]. */
enum build_kind { BUILD_JUDGED, BUILD_TIMED, BUILD_SANITIZED, BUILD_RACES, BUILD_FREE, BUILD_TRAPPING, BUILD_PATTERN, BUILD_STARVED };

/* The names by which the C library gives memory; NULL-terminated. */
extern const char *const build_wrapped[];

/* A shared object that runners load; "preload" is a library that must be in the process before it, or NULL. Of programs around
 * the region also what they were built from, the object file that other layouts are linked from once one was asked for, and these layouts. */
struct program {
	const char *path, *source, *object, *preload;
	enum build_kind kind;
	struct program *layout[JUDGE_LAYOUTS - 1];
};

/* Whether floating-point numbers come into the job at all. */
bool build_has_float(const struct job *job);
/* Whether the two kinds differ for "job": contraction off is asked for, and the build could contract. */
bool build_kinds_differ(const struct job *job);

/* Build "text" as "name" in the job's scratch folder. When the compiler rejects it, "*program" is NULL and "*error" its
 * first error line. Fails when there is no compiler or no disk. */
enum status build_program(struct arena *arena, const struct job *job, const char *name, const char *text, size_t size,
			  enum build_kind kind, struct program **program, const char **error, struct diag *diag);
/* Build both kinds at once (one program for both where they do not differ). */
enum status build_pair(struct arena *arena, const struct job *job, const char *name, const char *text, size_t size,
		       struct program **judged, struct program **timed, const char **error, struct diag *diag);
/* Link the code of "program" once more, behind unused code whose length depends on "number" (> 0). */
enum status build_layout(struct arena *arena, const struct job *job, struct program *program, int number, struct program **layout,
			 struct diag *diag);
/* Build a text of our own making, with the job's compiler, without the user's flags. */
enum status build_own(struct arena *arena, const struct job *job, const char *name, const char *text, size_t size,
		      struct program **program, const char **error, struct diag *diag);
/* The runtime library of the job's compiler that programs of the kind (BUILD_SANITIZED or BUILD_RACES) need, or NULL when it has
 * none that can be preloaded. */
const char *build_runtime(struct arena *arena, const struct job *job, enum build_kind kind);

#endif
