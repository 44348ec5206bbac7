/* Whether references touch the same elements, where bounds and conditions around them decide it. Internal to rewrite. */
#ifndef STROP_REWRITE_ISL_APART_H
#define STROP_REWRITE_ISL_APART_H

#include "dependences_internal.h"

/* A reference of the statement "node" to an array. */
struct site_of_ref {
	const struct node *node;
	const struct expr *reference;
};

/* Whether "a" and "b", which stand in "nest" inside the same "depth" outermost loops, surely touch different elements in each
 * iteration of these. "dependences" are of the original that the nest was made from. */
bool references_are_apart(const struct dependences *dependences, const struct nest *nest, int depth,
			  const struct site_of_ref *a, const struct site_of_ref *b);

/* Elements of an array: least[d] <= subscript d <= most[d]; NULL where there is no such bound. */
struct subscript_box {
	struct expr *least[8], *most[8];
};

/* Whether "site" surely touches no element of "box", whose bounds are constant in each iteration of the "depth" outermost loops
 * around it. */
bool reference_leaves_box(const struct dependences *dependences, const struct nest *nest, int depth,
			  const struct subscript_box *box, const struct site_of_ref *site);

#endif
