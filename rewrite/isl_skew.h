/* Time steps of a stencil in turns over its rows. Internal to rewrite. */
#ifndef STROP_REWRITE_ISL_SKEW_H
#define STROP_REWRITE_ISL_SKEW_H

#include <isl/ast.h>

#include "dependences_internal.h"

/* The code of the nest of "dependences" in which "size" steps of the outermost loop take turns over the rows: by isl's schedule, of
 * which the first dimensions are T, W and X, an instance runs at (T / size, W, T), and at one such place in the order of the
 * original. "by_column": at (T / size, W, X + T, T), so that steps which meet in one place stand for themselves. Statements are called as for band_ast(). NULL and a reason when no band holds all statements or isl gives up; freed by
 * the caller, before the dependences. */
isl_ast_node *skew_ast(const struct dependences *dependences, int64_t size, bool by_column, struct diag *why);

#endif
