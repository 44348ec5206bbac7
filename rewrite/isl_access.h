/* What statements read and write, as isl sees it. Internal to the validator. */
#ifndef STROP_REWRITE_ISL_ACCESS_H
#define STROP_REWRITE_ISL_ACCESS_H

#include "isl_internal.h"

/* One reference of an event, all equal references taken together.
 *   map        { [x] -> [e] }: the elements that instance x may touch; the iterators of the loops around a local's
 *              declaration come first, so that each iteration has elements of its own
 *   is_target  it is the target of the statement itself
 *   product    for each subscript that holds products of iterators and params, its form; else NULL. "map" lets such a
 *              subscript be any value */
struct access {
	const struct var *var;
	const struct expr *ref;
	bool is_read, is_write, is_target, is_exact;
	isl_map *map;
	const struct bilinear **product;
};

/* A moment at which memory is touched: the execution of a statement, or the test of one of the guards around it, which
 * happens where the condition (or loop) stands.
 *   guard        number of the guard in stmt->guard, -1 for the statement
 *   order_depth  how many of the loops around the statement stand around the event
 *   order_index  its place in text order */
struct event {
	const struct placed *stmt;
	int guard, order_depth, order_index;
	int n_access;
	struct access *access;
};

/* A local that a statement declares: each iteration of the loops around "declaration" has one of its own. Locals that no
 * statement declares live as long as the region. */
struct scope {
	const struct var *var;
	const struct placed *declaration;
};

struct events {
	int n, n_scope;
	struct event *event;
	struct scope *scope;
};

/* The events of "tree", in the arena of its world. */
struct events *events_new(const struct tree *tree);
void events_free(struct events *events);
/* The declaration of "var" that "use" sees; NULL when there is none. */
const struct placed *events_declaration(const struct events *events, const struct var *var, const struct placed *use);
/* When event "guard" (-1: the statement) of "stmt" happens. */
void event_place(const struct placed *stmt, int guard, int *order_depth, int *order_index);
/* Whether evaluating "expr" touches memory. */
bool expr_reads_memory(const struct expr *expr);

/* { [x] -> [y] }: the instances of "from" and "to", statements of an original nest, that touch the same element through accesses
 * "source" and "target" to one variable (isl_conflict.c). */
isl_map *conflicts_of(struct world *world, const struct placed *from, const struct access *source, const struct placed *to,
		      const struct access *target);

#endif
