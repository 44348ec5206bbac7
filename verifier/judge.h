/* The judge: builds the original and the candidate around the same inputs, runs each in a process of its own, and
 * compares what they leave behind. It knows neither how the candidate was made nor what the author hoped. */
#ifndef STROP_VERIFIER_JUDGE_H
#define STROP_VERIFIER_JUDGE_H

#include "support/arena.h"
#include "support/diag.h"

#include "job.h"

enum verdict_kind {
	VERDICT_EQUAL,
	VERDICT_DIFFERENT,       /* some input gave another output; see the witness */
	VERDICT_NO_COMPILE,
	VERDICT_CRASH,
	VERDICT_TIMEOUT,
	VERDICT_OUT_OF_BOUNDS,   /* it touched a guard page or a canary */
	VERDICT_INPUT_CHANGED,   /* it wrote what the original only reads */
	VERDICT_NONDETERMINISTIC,
	VERDICT_SIDE_EFFECT,     /* threads, descriptors, rounding mode, files left behind */
	VERDICT_UNTESTABLE,      /* wrong answers would not be noticed on this region's inputs, or the original fails */
	VERDICT_UNDEFINED,       /* sanitizers found undefined behaviour that the original does not have */
	VERDICT_COUNT
};
const char *verdict_name(enum verdict_kind kind);

/* "witness": sizes, seed, distribution, first differing element with both values, one line; or the compiler's first error. */
struct verdict {
	enum verdict_kind kind;
	const char *witness;
};

/* A region opened for judging: the original built and run, expected answers held here, admission done. */
struct judge;
/* Open "job". On success "*admission" is VERDICT_EQUAL, or the reason why the region cannot be judged (then the judge may
 * only be closed). Fails only when the world does (no disk, no compiler). "arena" holds verdicts' texts. */
struct judge *judge_open(struct arena *arena, const struct job *job, struct verdict *admission, struct diag *diag);
struct judge *judge_close(struct judge *judge);

/* Build and judge a candidate: "helpers" at file scope before the region's function, "body" in place of the region's text.
 * "thorough" adds all shapes, distributions, aliasing and misalignment (winners); else a fast subset that rejects most. */
enum status judge_candidate(struct judge *judge, const char *helpers, const char *body, bool thorough,
			    struct verdict *verdict, struct diag *diag);

/* Judge another version of the whole main file, "size" bytes, thoroughly: the region, a call, stays as it is. */
enum status judge_file(struct judge *judge, const char *file, size_t size, struct verdict *verdict, struct diag *diag);

/* The built programs for timing, as paths of shared objects to load into a runner: the original, and the last candidate
 * judged equal. Valid until the next judge_candidate() or judge_close(). */
struct program;
const struct program *judge_original(const struct judge *judge);
const struct program *judge_last(const struct judge *judge);
/* Another build of the original, laid out differently (for A/A controls). */
const struct program *judge_twin(struct judge *judge, int number, struct diag *diag);
/* A build of "program" (one of those above) laid out differently by "number", 0 .. JUDGE_LAYOUTS - 1; 0 is "program" itself. Where
 * code lies in memory moves its speed by some percent, and what is measured over several layouts is free of that. Built when
 * first asked for; valid as long as "program". NULL when the world fails. */
enum { JUDGE_LAYOUTS = 13 };
const struct program *judge_layout(struct judge *judge, const struct program *program, int number, struct diag *diag);
/* The sizes at which timing happens, and whether strop chose them itself. */
int judge_sizes(const struct judge *judge, const struct size **size, bool *is_chosen);

/* What the sanitizers did for winners: "addresses, undefined behaviour", or "not run: why"; NULL when there was no winner. */
const char *judge_sanitizers(const struct judge *judge);
/* What came of the search for races in the last candidate judged thoroughly: "none found", the finding, or "not run: why"; NULL when it was
 * not equal before, or uses no threads. */
const char *judge_races(const struct judge *judge);

/* What the answers needed and moved at the timing sizes, counted by running the nest: operations and bytes touched. */
void judge_work(const struct judge *judge, double *flops, double *bytes);

#endif
