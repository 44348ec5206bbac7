/* What the validator's files share: isl's view of nests. Not for other folders, nor for the rest of this one.
 *
 * Every isl object that a function returns is the caller's; isl functions take NULL and give NULL, so that failures and
 * spent budgets travel through and are seen once, at the end. */
#ifndef STROP_REWRITE_ISL_INTERNAL_H
#define STROP_REWRITE_ISL_INTERNAL_H

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

#include "affine.h"

/* An isl context and the parameters known so far, by name; "arena" holds what describes the nest. */
struct world {
	isl_ctx *ctx;
	struct arena *arena;
	isl_space *params;
	int n_param;
};

struct world *world_new(struct arena *arena);
void world_free(struct world *world);
/* The anonymous set space of "n" dimensions over the parameters known so far. */
isl_space *world_space(const struct world *world, int n);
/* "form" as a function on { [x0, .., x(n-1)] }; makes its parameters known. */
isl_aff *world_aff(struct world *world, const struct affine *form, int n);

/* Whether "map" (given: it is freed) is empty; false, too, when isl failed. */
bool map_is_empty(isl_map *map);
/* { [x] -> [y] : left(x) - right(y) = 0 } or, without "is_equal", >= 0, with "n_in" and "n_out" dimensions. */
isl_map *world_compare(struct world *world, bool is_equal, int n_in, const struct affine *left, int n_out,
		       const struct affine *right);

/* ---- isl_tree.c: where statements stand ---- */

/* A loop or one branch of a condition, as met on a walk; "depth" loops stand around its body, itself included.
 *   index   its place in text order, among all nodes of the walk
 *   value   for a loop, its iterator over the dimensions of the domain */
struct frame {
	const struct frame *outer;
	const struct node *node;
	int index, depth;
	const struct affine *value;
};

/* A bound or a condition that isl cannot express exactly; the domain ignores it.
 *   GUARD_IF    "expr" must be true (false when "negated")
 *   GUARD_LO, GUARD_HI  a bound of the loop "frame" */
enum guard_kind { GUARD_IF, GUARD_LO, GUARD_HI };
struct guard {
	enum guard_kind kind;
	const struct frame *frame;
	const struct expr *expr;
	bool negated;
};

/* A statement where it stands:
 *   domain   { [x0, .., x(depth-1)] }: its instances, were all guards true; dimension d belongs to the d-th loop
 *   loop     the loops around it, outermost first */
struct placed {
	const struct node *node;
	const struct frame *frame;
	int index, depth;
	const struct frame **loop;
	isl_set *domain;
	int n_guard;
	struct guard *guard;
};

/* "context" { [] }: the assumptions. */
struct tree {
	struct world *world;
	isl_set *context;
	int n;
	struct placed *placed;
};

/* Walk "nest". With "counters", a dimension of a loop with a step is its trip counter where that avoids divisions, else
 * it is the iterator itself. */
struct tree *tree_new(struct world *world, const struct nest *nest, bool counters);
void tree_free(struct tree *tree);
/* The number of loops that "a" and "b" have in common. */
int placed_common(const struct placed *a, const struct placed *b);

/* ---- isl_form.c: expressions ---- */

/* Where an expression stands: inside "frame", for the iterations "domain" (NULL: subscripts, whose wraps are harmless). */
struct place {
	struct world *world;
	const struct frame *frame;
	isl_set *domain;
};

int place_depth(const struct place *place);
const struct affine *place_affine(const struct place *place, const struct expr *expr);
/* The form of a subscript that is not linear, but bilinear; else NULL. */
const struct bilinear *place_bilinear(const struct place *place, const struct expr *expr);
/* The value of integer expression "expr" over the dimensions around; NULL when it cannot be expressed. */
isl_pw_aff *place_value(const struct place *place, const struct expr *expr);
/* The iterations in which "cond" is true; NULL when it cannot be expressed. */
isl_set *place_condition(const struct place *place, const struct expr *cond);
/* { [x] -> [e0(x), .., e(n-1)(x)] }, where what cannot be expressed is any value; "*exact" then becomes false. */
isl_map *place_map(const struct place *place, int n, struct expr *const *expr, bool *exact);

#endif
