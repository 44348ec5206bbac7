/* The inside of struct dependences, for the validator. */
#ifndef STROP_REWRITE_DEPENDENCES_INTERNAL_H
#define STROP_REWRITE_DEPENDENCES_INTERNAL_H

#include "isl_access.h"
#include "validate.h"

/* One dependence: instances of "from" that must run before instances of "to", since both touch the same element of "var" and
 * one of them writes it.
 *   kinds  which of the three it is
 *   map    { [x] -> [y] }: x before y in the original order
 *   is_reduction, is_exempt  among the instances of one reduction, on its target; these may be reordered in this mode
 *   is_selection  these may be reordered in every mode where the reduction is settled (struct node) */
enum { DEPENDENCE_FLOW = 1, DEPENDENCE_ANTI = 2, DEPENDENCE_OUTPUT = 4 };
struct dependence {
	const struct event *from, *to;
	const struct var *var;
	unsigned kinds;
	bool is_reduction, is_exempt, is_selection;
	isl_map *map;
};

struct dependences {
	struct arena *arena;
	struct world *world;
	const struct nest *nest;
	enum fp_mode mode;
	struct tree *tree;
	struct events *events;
	int n, capacity;
	struct dependence *dependence;
	int n_vector, vector_capacity;
	struct dependence_vector *vector;
};

/* How many operations isl may spend on one question (a nest's dependences, a plan's validity) before it is refused: a few
 * seconds. */
#define DEPENDENCES_BUDGET 10000000ul

#endif
