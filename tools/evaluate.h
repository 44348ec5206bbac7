/* One region under evaluation: admission, screening of candidates, and the final trial of winners. Asks the evidence
 * first, and opens the judge only when something is not known. */
#ifndef STROP_TOOLS_EVALUATE_H
#define STROP_TOOLS_EVALUATE_H

#include "policy/policy.h"
#include "rewrite/codegen.h"
#include "verifier/job.h"

#include "evidence.h"

/* What admission found: a verdict, the sizes timed at ("is_chosen": by strop itself), the work done at them (operations
 * and bytes), and the identity control: the original against itself in another layout. */
struct admission {
	struct verdict verdict;
	int n_size;
	struct size *size;
	bool is_chosen;
	double flops, bytes;
	struct measurement control;
};

struct evaluator;
/* "job" must outlive the evaluator; "salt" is all that results depend on beyond the job's own content (the machine, the
 * compiler's version). */
struct evaluator *evaluator_open(const struct job *job, const char *salt, struct evidence *evidence);
struct evaluator *evaluator_close(struct evaluator *evaluator);

enum status evaluator_admit(struct evaluator *evaluator, struct admission *admission, struct diag *diag);
/* Judge quickly and screen. */
enum status evaluator_candidate(struct evaluator *evaluator, const char *plan, const struct variant *variant,
				struct observation *observation, struct diag *diag);
/* Judge thoroughly and time in fresh processes. */
enum status evaluator_winner(struct evaluator *evaluator, const char *plan, const struct variant *variant,
			     struct observation *observation, struct diag *diag);
/* Note a plan that was refused before it became a candidate. */
void evaluator_refused(struct evaluator *evaluator, const char *plan, const char *why);

#endif
