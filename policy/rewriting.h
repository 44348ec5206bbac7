/* Rewritings: what the heuristic knows to do with a band, by what the band computes. Each offers a few choices, the most
 * promising first, and adds the actions of one of them to a draft. */
#ifndef STROP_POLICY_REWRITING_H
#define STROP_POLICY_REWRITING_H

#include "band.h"

/* "matches" tells whether the rewriting is meant for such bands; "choices" how many ways it has; "apply" adds the actions of
 * one, and returns false, the draft unchanged, when they are refused. */
struct rewriting {
	const char *name;
	bool (*matches)(const struct draft *draft, const struct band *band);
	int (*choices)(const struct draft *draft, const struct band *band);
	bool (*apply)(struct draft *draft, const struct band *band, int choice);
};

/* Sums over products whose operands are reused along two loops (matmul, convolution): register tiles. */
extern const struct rewriting rewriting_contraction;
/* Sums into rows whose loops do not nest perfectly, because a local is set between them. */
extern const struct rewriting rewriting_imperfect;
/* Sums into a vector of elements, operands not reused (y += A x by columns): the sums stay in registers. */
extern const struct rewriting rewriting_columns;
/* Sums along the only dimension in which memory is contiguous (dot products, norms): several at a time. */
extern const struct rewriting rewriting_dot;
/* Everything else: the order with the best strides, and vectors. */
extern const struct rewriting rewriting_stream;

/* The choices of all rewritings that match "band", from the most particular to the most general; at least one. */
int rewriting_choices(const struct draft *draft, const struct band *band);
/* Add the actions of one of them. */
bool rewriting_apply(struct draft *draft, const struct band *band, int choice);

#endif
