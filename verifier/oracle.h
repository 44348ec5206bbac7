/* The oracle: the nest run in wider types on a trial's inputs. It checks the lifting, and bounds what reordering may
 * change.
 *
 * The bound of an element: max(2 * r, 4 + sqrt(c)) * e * m, where e is the unit roundoff of its type, m and c are its
 * magnitude and depth (oracle_emit.h) and r is the original's own largest error in the same array, in units of e * m.
 * Where the original's timed build is allowed to contract, r covers the errors of both builds and their distance.
 * Sums of c terms err by sqrt(c) roundings with high probability, whatever their order (Higham and Mary, 2019). */
#ifndef STROP_VERIFIER_ORACLE_H
#define STROP_VERIFIER_ORACLE_H

#include "build.h"
#include "compare.h"
#include "oracle_emit.h"
#include "runner_internal.h"
#include "trial.h"

/* "is_continuous": no condition, conversion or step function depends on floating-point data, so that the oracle takes
 * the same path as the original. */
struct oracle {
	const struct setting *setting;
	const struct program *program;
	struct runner *runner;
	int n_loop;
	bool is_continuous;
};

/* What the oracle found for a trial: per part the wide elements (NULL for what is not written), the original's largest
 * error in units of e * m, and the magnitude beyond which m is not believed. */
struct answer {
	int n_part;
	unsigned char **wide;
	double *ratio, *cap;
};

/* Build the oracle. "*oracle" is NULL and "*why" a sentence when the nest has none. */
enum status oracle_new(struct arena *arena, const struct setting *setting, struct oracle **oracle, const char **why,
		       struct diag *diag);
struct oracle *oracle_free(struct oracle *oracle);
/* Run it on the trial's inputs with "mutation" (see struct oracle_mode) within "seconds"; NULL and "*why" when it
 * fails. */
struct answer *oracle_answer(struct oracle *oracle, const struct trial *trial, int64_t mutation, double seconds,
			     const char **why, struct diag *diag);
/* The unit roundoff of a floating type. */
double roundoff(enum type type);
/* An answer without elements, all magnitudes believed. */
struct answer *answer_new(const struct trial *trial);
struct answer *answer_free(struct answer *answer);
/* Count the floating-point operations at the trial's sizes. */
bool oracle_count(struct oracle *oracle, const struct trial *trial, double *flops, struct diag *diag);

/* Compare the original's answers with the oracle's, and note its errors in "answer". False, with a witness, when they
 * differ by more than rounding can explain. */
bool answer_check(struct arena *arena, const struct oracle *oracle, const struct trial *trial, struct answer *answer,
		  const char **witness);
/* Whether nothing is known of some result: on the way to it something overflowed or was divided by what may be zero. */
bool answer_is_open(const struct answer *answer, const struct trial *trial);
/* Whether a found element lies within the bound, or near the original where the trial has no answer; an
 * element_accept. */
element_accept answer_accept;
/* Note in trial->drift how far what the image holds, results of another build of the original, lies from the answers of
 * the oracle and of the original, in the units of the bound; r covers it from then on. Where an element differs from the
 * original's by a tenth of the largest magnitude that the original left in its array the trial is chaotic. */
void answer_note_drift(struct trial *trial);
/* Put the oracle's values, rounded to the types of the source, in the place of a program's results. */
void answer_store(const struct answer *answer, const struct trial *trial);
bool answer_equal(const struct answer *a, const struct answer *b, const struct trial *trial);

#endif
