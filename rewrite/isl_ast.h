/* From isl's code to a nest. Internal to rewrite. */
#ifndef STROP_REWRITE_ISL_AST_H
#define STROP_REWRITE_ISL_AST_H

#include <isl/ast.h>

#include "action_internal.h"
#include "dependences_internal.h"

/* How the iterators of new loops are called: a loop over a dimension d of the schedule in [first, first + n) is a tile loop, that over
 * d + n + apart its point loop. */
struct ast_bands {
	int n, first, apart;
};

/* Put the code "ast" over the statements of the tree of "dependences" in the place of the nest's. Each statement's deepest copy
 * has loops called as those of the original, with tile loops i.1 around them; loops of other copies get names of their own. */
enum status ast_to_nest(struct rewrite *rewrite, const struct dependences *dependences, isl_ast_node *ast,
			const struct ast_bands *bands);

#endif
