/* Full tiles: which loops stand for tiles, and what must hold for all tiles within a node to be full. Internal to code
 * generation. */
#ifndef STROP_REWRITE_CODEGEN_FULL_H
#define STROP_REWRITE_CODEGEN_FULL_H

#include "codegen_internal.h"

enum { LEAVES_MAX = 8, CONDITIONS_MAX = 32, DEPTH_MAX = 64, RANK_MAX = 8, REGISTERS_MAX = 16 << 10 };

/* The alternatives of min(min(a, b), c), or of max. */
struct leaves {
	int n;
	struct expr *leaf[LEAVES_MAX];
};

/* The bounds of a full tile: a lower and an upper alternative of the loop's that are a constant apart, which fills vectors. */
struct tile {
	struct leaves lo, hi;
	int first, last; /* the alternatives */
};

/* What must hold for all tiles within a node to be full: slack >= 0 for each condition. "outer" are the loops around the
 * node, "inner" the shaped loops within it around the one looked at. */
struct fullness {
	struct arena *arena;
	int n;
	struct linear slack[CONDITIONS_MAX];
	int n_outer, n_inner, n_other;
	const struct node *outer[DEPTH_MAX], *inner[DEPTH_MAX];
	const struct var *other[DEPTH_MAX]; /* iterators of unshaped loops within the node */
	int n_tiles;
	bool may_defer; /* tiles that can't be told outside the node may stay as they are: */
	int n_deferred;
	const struct node *deferred[DEPTH_MAX];
};

/* Add the alternatives of "expr", a min (op OP_MIN) or max or neither, to "leaves"; false when there are too many. */
bool leaves_add(struct leaves *leaves, enum op op, struct expr *expr);
/* Whether "node" is a loop that will be written out: its iterations fill vectors or are unrolled. */
bool node_is_shaped(const struct node *node);
/* The bounds of a full tile of "loop"; false when it is no shaped loop, has constant bounds, or no such alternatives. */
bool tile_find(struct arena *arena, const struct node *loop, struct tile *tile);
/* Whether an expression is made of params and iterators; a callback for expr_walk(). */
bool expr_reads_no_data(struct expr *expr, void *context);
/* Whether "form" (an extent over outer things) mentions nothing from within the node. */
bool fullness_is_outside(const struct fullness *fullness, const struct linear *form);
/* Collect what makes all tiles in "node", or in "list", full; false when that cannot be told outside it. */
bool fullness_add_node(struct fullness *fullness, const struct node *node);
bool fullness_add_list(struct fullness *fullness, const struct list *list);
/* slack >= 0 with all its terms on the side where they are positive, as in i_1 + 8 <= M. */
struct expr *slack_condition(struct arena *arena, const struct linear *slack);
/* All conditions at once; NULL when there is nothing to ask. */
struct expr *fullness_condition(const struct fullness *fullness);

#endif
