/* A band: the loops around the statements of one innermost loop, and the part that each plays for them. The unit at which
 * the heuristic chooses a rewrite. */
#ifndef STROP_POLICY_BAND_H
#define STROP_POLICY_BAND_H

#include <stdbool.h>

#include "draft.h"

/* What a loop is to the statements of the band:
 *   reduces   each statement adds to the same element throughout
 *   is_unit   each access moves by 0 or 1 elements, and no store stands still: lanes of a vector load and store whole
 *             vectors and broadcast the rest
 *   is_store_unit  the stores move by 1
 *   reuse     loads that stand still while others move: what rows of a register tile share
 *   cost      cache lines' worth of traffic of an iteration, were the loop innermost */
struct band_loop {
	const char *iter;
	double trip;
	bool reduces, is_unit, is_store_unit;
	int reuse;
	double cost;
};

/* "loop[0 .. n-1]" surround the statements, outermost first; those from "first" on nest perfectly and run over
 * iterations, not tiles. "label" is the first statement of the original in the innermost loop, by which the band is found again
 * after rewriting; "stmt" its heaviest. "lanes" fill a vector register of the target (1 without vectors). */
struct band {
	int label, n, first;
	struct band_loop loop[SHAPE_DEPTH];
	int n_stmt;
	const struct stmt_shape *stmt;
	int lanes, element_size;
	double weight;
};

/* The band of statement "label"; false when no loop surrounds it. */
bool band_find(const struct draft *draft, int label, struct band *band);
/* All bands in text order, at most "max", without those whose share of the work is below "share"; return their number. */
int band_list(const struct draft *draft, double share, struct band *band, int max);
/* Whether the band's innermost loop is marked as a vector already. */
bool band_is_done(const struct draft *draft, const struct band *band);

#endif
