/* New orders of whole nests, found by isl's scheduler: bands of loops that can be tiled together. Internal to rewrite. */
#ifndef STROP_REWRITE_ISL_BAND_H
#define STROP_REWRITE_ISL_BAND_H

#include <isl/ast.h>
#include <isl/schedule.h>

#include "dependences_internal.h"

/* The nest of "dependences" in isl's order, with bands as deep as can be; statement p of the tree is called "S<p>", its instances
 * are "domains". To be freed by the caller, before the dependences. */
isl_schedule *band_schedule(const struct dependences *dependences);
isl_set *band_domain(const struct dependences *dependences, int p);
/* Whether "node" is a band of two loops or more that can be tiled together. */
bool band_is_tileable(isl_schedule_node *node);

/* The code of the nest of "dependences" after rescheduling (Bondhugula et al., PLDI 2008, as isl does it) and tiling each outermost
 * band of two loops or more: "size[d]" is for its d-th loop, the last of the "n" sizes for all further ones. Tiles in which each
 * statement has all its iterations or none stand apart from others. Statement p of the tree is called "S<p>" and given its
 * iterators. "*n_loops" and "*first" are the loops of the last band tiled and how many stand around its tile loops. NULL and a
 * reason when there is no such band or isl gives up; freed by the caller, before the dependences. */
isl_ast_node *band_ast(const struct dependences *dependences, int n, const int64_t *size, int *n_loops, int *first,
		       struct diag *why);

#endif
