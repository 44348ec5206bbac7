/* Linear forms of integer expressions: constant + sum of coefficient * symbol.
 *
 * A symbol is a dimension of some iteration space or a parameter. Terms over params alone that are not linear ("T*C",
 * "n / 4") count as parameters of their own, named by their text, so that a form over them is still linear. This file
 * knows nothing of isl; min, max and integer division are not linear and give no form. */
#ifndef STROP_REWRITE_AFFINE_H
#define STROP_REWRITE_AFFINE_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/nest.h"
#include "support/arena.h"

/* "dim" >= 0: that dimension; -1: the parameter named "param". "coefficient" is never 0. */
struct affine_term {
	int dim;
	const char *param;
	int64_t coefficient;
};

/* Terms are sorted: dimensions by number, then parameters by name; each symbol occurs once. */
struct affine {
	int64_t constant;
	int n;
	struct affine_term *term;
};

/* How to read an expression:
 *   resolve         the form of an iterator (or of anything that is no param); NULL when it has none
 *   is_nonnegative  whether a form is never negative where the expression stands: conversions to an unsigned type and
 *                   unsigned differences keep their value only then; NULL takes it for granted, which is right for
 *                   subscripts, since wrapped addresses wrap back */
struct affine_env {
	struct arena *arena;
	const struct affine *(*resolve)(const struct var *var, void *context);
	bool (*is_nonnegative)(const struct affine *form, void *context);
	void *context;
};

/* The form of the integer expression "expr", or NULL when it is not linear or overflows 64 bits. */
const struct affine *affine_from_expr(const struct affine_env *env, const struct expr *expr);
/* left + factor * right; NULL on overflow. */
const struct affine *affine_add(struct arena *arena, const struct affine *left, int64_t factor,
				const struct affine *right);
/* left * right, one of which must be constant, or both over params alone; NULL otherwise and on overflow. */
const struct affine *affine_multiply(struct arena *arena, const struct affine *left, const struct affine *right);
const struct affine *affine_constant(struct arena *arena, int64_t value);
const struct affine *affine_dim(struct arena *arena, int dim);
bool affine_equal(const struct affine *a, const struct affine *b);
/* Whether "form" mentions no dimension. */
bool affine_is_param(const struct affine *form);
/* The coefficient of dimension "dim" in "form". */
int64_t affine_coefficient(const struct affine *form, int dim);
/* An expression that is linear but for products of dimensions with params, as "h * hs + i": rest + sum of dim * factor. Each
 * "factor" is over params alone; products are sorted by dimension, each of which occurs once. */
struct affine_product {
	int dim;
	const struct affine *factor;
};
struct bilinear {
	const struct affine *rest;
	int n;
	struct affine_product *product;
};
/* The form of the subscript "expr", or NULL when it is not of this kind either. */
const struct bilinear *bilinear_from_expr(const struct affine_env *env, const struct expr *expr);

/* "expr" as a parameter of its own, named by its text; NULL when it reads more than params. */
const struct affine *affine_opaque(struct arena *arena, const struct expr *expr);
/* Whether converting an integer of type "from" to type "to" keeps its value; "*needs_sign" says that it does so only if
 * the value is not negative. */
bool affine_cast_keeps(enum type from, enum type to, bool *needs_sign);
/* Whether "expr" reads params alone (and is thus constant while the nest runs). */
bool expr_is_param(const struct expr *expr);

#endif
