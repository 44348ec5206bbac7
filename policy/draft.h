/* A plan in the making: actions are tried one by one on the nest, and those that are refused leave no trace. */
#ifndef STROP_POLICY_DRAFT_H
#define STROP_POLICY_DRAFT_H

#include <stdbool.h>

#include "policy.h"
#include "shape.h"

/* "nest" is the original after the actions of "text", "shape" its shape. A draft may be copied by assignment: what it
 * points to is never changed. */
struct draft {
	struct arena *arena;
	const struct task *task;
	const struct nest *nest;
	const struct shape *shape;
	const char *text;
};

/* The empty plan for "task". */
struct draft draft_new(struct arena *arena, const struct task *task);
/* Add the actions that the format and its arguments spell, all or none of them; false when one is refused. */
bool draft_try(struct draft *draft, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The canonical text of the plan. */
const char *draft_plan(const struct draft *draft);
/* How a plan refers to the loop with the iterator "iter" around statement "label"; NULL when there is none. */
const char *draft_loop(const struct draft *draft, const char *iter, int label);

/* "loops", a list with commas, and the loop with the iterator "iter" (NULL: none) around "label". */
const char *draft_add_loop(const struct draft *draft, const char *loops, const char *iter, int label);
/* The iterator of the loop directly around that of "iter" at "label"; NULL when there is none. */
const char *draft_parent(const struct draft *draft, const char *iter, int label);

/* The canonical text of "plan", or NULL when it does not parse. */
const char *plan_canonical(struct arena *arena, const char *plan);

#endif
