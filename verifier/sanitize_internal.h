/* What searches by the compiler's sanitizers share: a build, a process into which the runtime is preloaded, fresh inputs. */
#ifndef STROP_VERIFIER_SANITIZE_INTERNAL_H
#define STROP_VERIFIER_SANITIZE_INTERNAL_H

#include "support/text.h"

#include "judge_internal.h"

/* "kind" is what programs are built as, "base" where they map images. "timing_seconds": the inputs for timing are run too where the
 * original takes less than that on them. "find" tells what a run of "trial" that ended with "verdict" (not VERDICT_EQUAL) shows,
 * given the end of what was written to standard error, or NULL. */
struct sanitizer {
	enum build_kind kind;
	uint64_t base;
	double timing_seconds;
	const char *(*find)(struct arena *arena, const struct runner *runner, struct trial *trial, const struct verdict *verdict,
			    const char *text);
};

/* Build "source" as "name" for the sanitizer; "*program" is NULL, with the compiler's "*error" (NULL where it has no such runtime), when
 * that is not possible. */
enum status sanitize_build(struct judge *judge, const struct sanitizer *sanitizer, const char *name, const struct text *source,
			   struct program **program, const char **error, struct diag *diag);
/* Run it on inputs like those of the trials, until something is found; "*finding" is NULL when nothing is. */
enum status sanitize_run(struct judge *judge, const struct sanitizer *sanitizer, const struct program *program,
			 const char **finding, struct diag *diag);

#endif
