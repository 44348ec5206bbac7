/* The shape of a nest at the sizes it runs: its loops with their trip counts, its statements with the stride of each
 * access along each loop. What policies look at before they propose; it decides nothing. */
#ifndef STROP_POLICY_SHAPE_H
#define STROP_POLICY_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/nest.h"
#include "support/arena.h"
#include "verifier/job.h"

enum { SHAPE_DEPTH = 16 };
/* The stride of an access whose address is not an affine function that the sizes determine. */
#define STRIDE_UNKNOWN INT64_MAX

/* "name" is how plans refer to the loop, with "@S" and a label when its own name is not unique; "label" is that of the first
 * statement of the original within, -1 for a loop of copies that actions made. "parent" is the number
 * of the loop around it, -1 for none; "depth" counts loops around it. "trip" is the number of iterations and "middle" the
 * iterator's value halfway, both with outer iterators at their middles. */
struct loop_shape {
	const struct node *node;
	const char *name;
	int label;
	int parent, depth;
	double trip;
	int64_t middle;
};

/* "stride[d]" is what one more of the iterator at depth d adds to the address, in elements. */
struct access_shape {
	const struct expr *ref;
	bool is_write;
	int64_t stride[SHAPE_DEPTH];
};

/* "loop[0 .. depth-1]" are the numbers of the loops around the statement, outermost first. The accesses are those to
 * arrays (rank above 0): the target first when it is one, then the loads. "accumulates": the statement adds to (or multiplies,
 * ...) its own target, whether written with op= or in full. "private_depth" is the number of outer loops whose iterations each have
 * a target of their own, because it is declared within them. "weight" is the number of instances. */
struct stmt_shape {
	const struct node *node;
	int depth;
	int loop[SHAPE_DEPTH];
	int n_access;
	struct access_shape *access;
	bool accumulates;
	int private_depth;
	double weight;
};

struct shape {
	int n_loop, n_stmt;
	struct loop_shape *loop;
	struct stmt_shape *stmt;
	double weight; /* of all statements */
};

/* The shape of "nest" with the given sizes; a param without a size counts as 1000. Loops deeper than SHAPE_DEPTH are
 * left out with all that they hold. */
struct shape *shape_new(struct arena *arena, const struct nest *nest, int n_size, const struct size *size);
/* The number of the loop whose node is "node", or -1. */
int shape_find(const struct shape *shape, const struct node *node);
/* The number of the statement with "label", of several copies the one in the most loops; or -1. */
int shape_find_stmt(const struct shape *shape, int label);
/* Whether the loop at depth "depth" around "stmt" adds to one and the same element in each of its iterations. */
bool stmt_reduces(const struct stmt_shape *stmt, int depth);
/* Whether statement "stmt" lies within loop "loop". */
bool shape_is_within(const struct shape *shape, int stmt, int loop);
/* The sum of the weights of the statements within loop "loop". */
double shape_weight(const struct shape *shape, int loop);

#endif
