/* One region under evaluation: admission, screening of candidates, and the final trial of winners. Asks the evidence
 * first, and opens the judge only when something is not known. */
#ifndef STROP_TOOLS_EVALUATE_H
#define STROP_TOOLS_EVALUATE_H

#include "policy/policy.h"
#include "profiler/measure.h"
#include "rewrite/codegen.h"
#include "verifier/job.h"

#include "evidence.h"

/* How to time: "salt" is all that results depend on beyond the job's own content (the machine, the compiler's version);
 * "cache" as the user wants it; "in_place": the fastest and the mean call at the job's sizes in a recorded run of the
 * program, 0 when not known. */
struct in_place {
	double fastest, mean;
};
struct timing_context {
	const char *salt;
	enum cache_state cache;
	struct in_place in_place;
};

/* What admission found: a verdict, the sizes timed at ("is_chosen": by strop itself), the work done at them (operations
 * and bytes), the identity control: the original against itself in another layout; and the cache state that is timed. "in_place" is
 * the time of the outlined original over that of the fastest call in place when it is less, over the mean call's when it is
 * more, else 1; 0 when not known. */
struct admission {
	struct verdict verdict;
	int n_size;
	struct size *size;
	bool is_chosen;
	double flops, bytes;
	struct measurement control;
	enum cache_state cache;
	double in_place;
};

struct evaluator;
/* "job" must outlive the evaluator. */
struct evaluator *evaluator_open(const struct job *job, const struct timing_context *context, struct evidence *evidence);
struct evaluator *evaluator_close(struct evaluator *evaluator);

enum status evaluator_admit(struct evaluator *evaluator, struct admission *admission, struct diag *diag);
/* Judge quickly and screen. */
enum status evaluator_candidate(struct evaluator *evaluator, const char *plan, const struct variant *variant,
				struct observation *observation, struct diag *diag);
/* Judge thoroughly and time in fresh processes. */
enum status evaluator_winner(struct evaluator *evaluator, const char *plan, const struct variant *variant,
			     struct observation *observation, struct diag *diag);
/* The sizes of a map from names to integers, "*n" of them; none when "map" is NULL or no map. */
struct size *sizes_read(struct arena *arena, const struct data *map, int *n);
/* Note a plan that was refused before it became a candidate. */
void evaluator_refused(struct evaluator *evaluator, const char *plan, const char *why);

#endif
