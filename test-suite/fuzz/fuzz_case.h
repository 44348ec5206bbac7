/* One case: a nest, a plan for it, and the code that came of them. */
#ifndef STROP_FUZZ_CASE_H
#define STROP_FUZZ_CASE_H

#include "ir/nest.h"
#include "rewrite/codegen.h"
#include "rewrite/plan.h"
#include "support/rng.h"

/* "seed" made "nest", "from" (a policy's name, or "drawn") the plan. "rewritten" and "variant" are what fuzz_case_make() made;
 * "broken" says what was wrong with them before any code was run, NULL for nothing. */
struct fuzz_trial {
	uint64_t seed;
	const char *from;
	enum fp_mode mode;
	struct target target;
	const struct nest *nest;
	const char *plan;
	const struct nest *rewritten;
	struct variant variant;
	const char *broken;
};

/* What came of the plan: code, a plan that is not legal, or a nest that has no C form. */
enum made { MADE_CODE, MADE_ILLEGAL, MADE_NO_CODE };

/* Apply the trial's plan and generate code, "number" in its names; all of it twice, and all texts printed and parsed again. */
enum made fuzz_case_make(struct arena *arena, struct fuzz_trial *trial, int number, struct diag *why);

/* Write the trial as text that fuzz_case_read() reads: the nest, and lines that start with "===". */
void fuzz_case_print(const struct fuzz_trial *trial, struct text *text);
enum status fuzz_case_read(struct arena *arena, const char *bytes, struct fuzz_trial *trial, struct diag *diag);

#endif
