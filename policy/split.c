#include "split.h"

#include <string.h>

#include "band.h"
#include "fusing.h"
#include "straighten.h"

enum { ROUNDS_MAX = 64, BLOCK = 16, BANDS_MAX = 16, BAND_TILE = 32, WIDE_BAND_TILE = 64, SKEW_MAX = 32, SKEW_COLUMNS = 16 };
static const double SKEW_BYTES = 512 << 10; /* that rows which take turns may fill of a cache */
static const double SHARE_MIN = 2e-4; /* of the work that a loop must hold to be worth splitting */
static const double HEAVY_SHARE = 0.2;

/* Whether some child of the loop is a loop, perhaps under a condition. */
static bool has_inner_loop(const struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];
		if (node->kind == NODE_LOOP || has_inner_loop(&node->body) || has_inner_loop(&node->orelse))
			return true;
	}
	return false;
}

/* Whether the statements that make up the body differ in whether the loop reduces them. */
static bool is_mixed(const struct shape *shape, int loop)
{
	bool some = false, others = false;
	for (int s = 0; s < shape->n_stmt; s++) {
		const struct stmt_shape *stmt = &shape->stmt[s];
		if (!shape_is_within(shape, s, loop) || stmt->node->declares)
			continue;
		if (stmt_reduces(stmt, shape->loop[loop].depth))
			some = true;
		else
			others = true;
	}
	return some && others;
}

static bool is_worth_splitting(const struct shape *shape, int loop)
{
	const struct node *node = shape->loop[loop].node;
	if (node->body.n < 2 || shape_weight(shape, loop) < SHARE_MIN * shape->weight)
		return false;
	return has_inner_loop(&node->body) || is_mixed(shape, loop);
}

/* Give each iteration its own copy of the locals that the loop's body declares. */
static bool privatize_locals(struct draft *draft, const struct node *node)
{
	bool any = false;
	for (int i = 0; i < node->body.n; i++) {
		const struct node *child = node->body.node[i];
		if (child->kind == NODE_STMT && child->declares)
			any |= draft_try(draft, "privatize(%s)", child->target->var->name);
	}
	return any;
}

/* The label of the first statement of the original at or below "node", -1 when there is none. */
static int label_below(const struct node *node)
{
	int label = -1;
	if (node->kind == NODE_STMT)
		return node->origin ? node->label : -1;
	for (int i = 0; i < node->body.n && label < 0; i++)
		label = label_below(node->body.node[i]);
	for (int i = 0; i < node->orelse.n && label < 0; i++)
		label = label_below(node->orelse.node[i]);
	return label;
}

/* Split "loop" around all its children, or else before the first child where that is legal. */
static bool split_loop(struct draft *draft, int loop)
{
	struct draft trial = *draft;
	const char *iter = draft->shape->loop[loop].node->iter->name;
	int label = draft->shape->loop[loop].label;
	const struct node *node = draft->shape->loop[loop].node;
	if (label < 0)
		return false;
	if (draft_try(draft, "distribute(%s)", draft->shape->loop[loop].name))
		return true;
	if (privatize_locals(&trial, node) && draft_try(&trial, "distribute(%s)", draft_loop(&trial, iter, label))) {
		*draft = trial;
		return true;
	}
	for (int i = 1; i < node->body.n; i++) {
		int before = label_below(node->body.node[i]);
		if (before >= 0 && draft_try(draft, "distribute(%s, S%d)", draft->shape->loop[loop].name, before))
			return true;
	}
	return false;
}

/* Split one loop at or below depth "from", inner loops first; false when none is left to split. */
static bool split_one(struct draft *draft, int from)
{
	const struct shape *shape = draft->shape;
	for (int loop = shape->n_loop - 1; loop >= 0; loop--)
		if (shape->loop[loop].depth >= from && is_worth_splitting(shape, loop) && split_loop(draft, loop))
			return true;
	return false;
}

static void split_all(struct draft *draft, int from)
{
	for (int round = 0; round < ROUNDS_MAX && split_one(draft, from); round++)
		continue;
}

/* Tile each outermost loop that does not nest perfectly. */
static void block_outermost(struct draft *draft)
{
	int n = draft->shape->n_loop;
	for (int loop = 0; loop < n && loop < draft->shape->n_loop; loop++) {
		const struct loop_shape *shape = &draft->shape->loop[loop];
		if (shape->depth == 0 && shape->label >= 0 && shape->trip > 2 * BLOCK && is_worth_splitting(draft->shape, loop) &&
		    draft_try(draft, "tile(%s:%d)", shape->name, BLOCK))
			loop++;
	}
}

/* Tile outermost loops and split what is inside; tiles that nothing came of are undone. */
static void split_blocked(struct draft *draft)
{
	struct draft trial = *draft;
	const char *tiled;
	block_outermost(&trial);
	tiled = trial.text;
	split_all(&trial, 1);
	if (strcmp(tiled, trial.text) != 0)
		*draft = trial;
}

/* Whether the range of a loop of the band depends on another one that nests perfectly with it. */
static bool is_triangular(const struct shape *shape, const struct band *band)
{
	for (int d = band->first; d < band->n; d++) {
		const struct node *inner = shape->loop[band->stmt->loop[d]].node;
		for (int e = band->first; e < d; e++) {
			const struct var *iter = shape->loop[band->stmt->loop[e]].node->iter;
			if (expr_uses(inner->lo, iter) || expr_uses(inner->hi, iter))
				return true;
		}
	}
	return false;
}

/* Whether splitting leaves a heavy sum of three loops or more in loops that hold other statements as well, as in factorisations,
 * or that run over triangles: tiles which the sum fills are then worth setting apart. */
static bool needs_band(const struct draft *draft)
{
	struct draft trial = *draft;
	struct band band[BANDS_MAX];
	int n;
	split_all(&trial, 0);
	n = band_list(&trial, HEAVY_SHARE, band, BANDS_MAX);
	for (int b = 0; b < n; b++)
		if (band[b].n >= 3 && band[b].stmt->accumulates && (band[b].first > 0 || is_triangular(trial.shape, &band[b])))
			return true;
	return false;
}

/* Whether the statement, in a row of its own, sweeps the same elements in each iteration of the outermost loop. */
static bool sweeps_again(const struct stmt_shape *stmt)
{
	for (int a = 0; a < stmt->n_access; a++)
		if (stmt->access[a].stride[0] != 0)
			return false;
	return stmt->depth >= 2 && stmt->n_access > 0;
}

/* The bytes that one row of the statement holds at most: all that it touches in an iteration of its two outer loops. */
static double row_bytes(const struct shape *shape, const struct stmt_shape *stmt)
{
	double bytes = type_size(stmt->node->target->type);
	for (int d = 2; d < stmt->depth; d++)
		bytes *= shape->loop[stmt->loop[d]].trip;
	return bytes;
}

/* How many steps of the outermost loop may take turns over rows, each of which reads a row and writes one, and keep them in a
 * cache; 0 where the outermost loop does not repeat sweeps. */
static int skew_steps(const struct shape *shape)
{
	double bytes = 0;
	int steps = SKEW_MAX;
	for (int s = 0; s < shape->n_stmt; s++) {
		const struct stmt_shape *stmt = &shape->stmt[s];
		if (stmt->weight < HEAVY_SHARE * shape->weight)
			continue;
		if (!sweeps_again(stmt) || stmt->loop[0] != 0)
			return 0;
		bytes += 2 * row_bytes(shape, stmt);
	}
	while (steps > 2 && steps * bytes > SKEW_BYTES)
		steps /= 2;
	return shape->n_loop && shape->loop[0].trip > 2 ? steps : 0;
}

/* Whether a heavy statement reads elements that it has just written, or is about to: each then waits for the one before. */
static bool waits_for_itself(const struct shape *shape)
{
	for (int s = 0; s < shape->n_stmt; s++) {
		const struct stmt_shape *stmt = &shape->stmt[s];
		for (int a = 0; a < stmt->n_access; a++)
			if (stmt->weight >= HEAVY_SHARE * shape->weight && stmt->access[a].ref->var == stmt->node->target->var &&
			    !expr_equal(stmt->access[a].ref, stmt->node->target))
				return true;
	}
	return false;
}

/* Let steps take turns over rows; over columns where they have to run side by side. */
static void skew_nest(struct draft *draft)
{
	int steps = skew_steps(draft->shape);
	if (steps && waits_for_itself(draft->shape))
		draft_try(draft, "skew(%d, columns)", SKEW_COLUMNS);
	else if (steps)
		draft_try(draft, "skew(%d)", steps);
}

void split_apply(struct draft *draft, enum split split)
{
	if (split == SPLIT_WHOLE || split == SPLIT_FUSED || split == SPLIT_BLOCKED || split == SPLIT_NONE)
		straighten_apply(draft);
	if (split == SPLIT_SKEW)
		skew_nest(draft);
	if ((split == SPLIT_BAND || split == SPLIT_WIDE_BAND) && needs_band(draft))
		draft_try(draft, "tile_band(%d)", split == SPLIT_BAND ? BAND_TILE : WIDE_BAND_TILE);
	if (split == SPLIT_BLOCKED)
		split_blocked(draft);
	if (split == SPLIT_WHOLE || split == SPLIT_FUSED)
		split_all(draft, 0);
	if (split == SPLIT_FUSED)
		fusing_apply(draft, BLOCK);
}
