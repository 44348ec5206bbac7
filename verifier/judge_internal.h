/* What the parts of the judge share. */
#ifndef STROP_VERIFIER_JUDGE_INTERNAL_H
#define STROP_VERIFIER_JUDGE_INTERNAL_H

#include "build.h"
#include "derive.h"
#include "judge.h"
#include "probe.h"
#include "runner_internal.h"
#include "trial.h"

enum { trials_most = 256 };

/* The image that timing runners copy their inputs from, kept for as long as the seed stays the same. */
struct timing_inputs {
	uint64_t seed;
	struct trial *trial;
};

/* "trial" holds n_quick trials that every candidate takes, then those that only winners take. "timing" is the shape at
 * which timing happens, "size" the same by name, "timing_fence" where its arrays lie; "given" (n_given) are the sizes that it was chosen
 * from. "judged" and "timed" are builds of the original;
 * "sanitized" says what the sanitizers did, NULL before they are asked; "is_sanitizable": the original satisfies them. "races" is what the
 * search for races did for the last candidate (judge_races), "no_races" why it cannot be run at all (NULL: it can), once
 * "is_raced" tells that the original was tried.
 * "derivation" (may be NULL) computes its derived params. Where the nest is opaque, "probe" finds extents, "free" and "trapping" are
 * further builds of the original (NULL where they are not to be had), and there is no oracle; else the oracle tells whether a
 * bound says something of results that are rounded differently ("is_continuous"). "n_own" vars of the job's nest are the author's, those behind
 * them the judge's own. */
struct judge {
	struct arena *arena;
	const struct job *job;
	int n_own;
	struct outline *outline;
	struct setting setting;
	struct program *judged, *timed, *free, *trapping;
	struct program *last;
	int builds;
	int n_trial, n_quick;
	struct trial *trial[trials_most];
	struct sized *timing;
	enum fence timing_fence;
	int n_given;
	const struct size *given;
	double timing_seconds;
	int n_size;
	struct size *size;
	bool is_chosen;
	struct derivation *derivation;
	struct probe *probe;
	struct oracle *oracle;
	bool is_continuous;
	double flops, bytes;
	struct timing_inputs *inputs;
	const char *sanitized;
	bool is_sanitizable;
	const char *races, *no_races;
	bool is_raced;
};

/* Fill judge->timing, and judge->trial with the trials that the original survives, expected answers included; when there
 * are none, or the original leaves its memory, "*admission" tells why. */
enum status trials_choose(struct judge *judge, struct verdict *admission, struct diag *diag);
/* Add trials in which one size at a time has each of the "n" values (those below 0 are left out), as far as that is little work. */
enum status trials_add_edges(struct judge *judge, int n, const int64_t *value, struct diag *diag);
/* Run a program, held by "runner", on "trial", whose image is reset before. VERDICT_EQUAL means that it ran; nothing is
 * compared. "seconds" bounds the CPU time. */
struct verdict trial_run(struct arena *arena, struct runner *runner, struct trial *trial, double seconds);
/* The CPU time that a run of the trial may take, given what the original took. */
double trial_patience(const struct judge *judge, const struct trial *trial);
/* A process for "program" under the job's limits. */
struct runner *judge_spawn(const struct judge *judge, const struct program *program, struct diag *diag);

#endif
