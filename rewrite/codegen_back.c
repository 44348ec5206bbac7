#include "codegen_full.h"

/* Tiles that step back: where the last tile of a loop is cut short, it may begin earlier and do again what the tile before it did. That costs
 * less than a tile of another form, and needs no code of its own. It is right where doing an iteration twice changes nothing. */

enum { STORES_MAX = 16 };

/* The tile loop looked at, the loops within it around the current statement, and what is stored to within it. */
struct back {
	struct codegen *cg;
	const struct node *tile;
	int depth;
	const struct node *loop[DEPTH_MAX];
	int n_store;
	const struct node *store[STORES_MAX];
	int n_local;
	const struct var *local[CONDITIONS_MAX];
};

static bool is_own_local(const struct back *back, const struct var *var)
{
	for (int i = 0; i < back->n_local; i++)
		if (back->local[i] == var)
			return true;
	return false;
}

/* Whether "loop" only cuts another loop around the statement into tiles. */
static bool is_cut_further(const struct back *back, const struct node *loop)
{
	for (int i = 0; i < back->depth; i++)
		if (expr_uses(back->loop[i]->lo, loop->iter))
			return true;
	return false;
}

/* Whether subscript "d" moves with "loop" and with no other loop within the tile. */
static bool moves_alone(const struct back *back, const struct expr *target, int d, const struct node *loop)
{
	struct linear form = linear_from(back->cg->arena, target->arg[d]);
	bool is_linear = true;

	if (!form.is_valid || linear_factor(&form, loop->iter, &is_linear) == 0 || !is_linear)
		return false;
	for (int i = 0; i < back->depth; i++)
		if (back->loop[i] != loop && expr_uses(target->arg[d], back->loop[i]->iter))
			return false;
	return true;
}

/* Whether no two instances of a store within the tile write the same element. */
static bool is_spread(const struct back *back, const struct expr *target)
{
	for (int i = 0; i < back->depth; i++) {
		bool is_alone = is_cut_further(back, back->loop[i]);

		for (int d = 0; d < target->n && !is_alone; d++)
			is_alone = moves_alone(back, target, d, back->loop[i]);
		if (!is_alone)
			return false;
	}
	return !expr_uses(target, back->tile->iter);
}

/* Note what the statement writes; false where that may not happen twice. */
static bool note_write(struct back *back, const struct node *stmt)
{
	const struct var *var = stmt->target->var;

	if (stmt->declares) {
		if (back->n_local == CONDITIONS_MAX)
			return false;
		back->local[back->n_local++] = var;
		return true;
	}
	if (is_own_local(back, var))
		return true;
	if (var->kind != VAR_ARRAY || stmt->op != OP_NONE || back->n_store == STORES_MAX || !is_spread(back, stmt->target))
		return false;
	for (int i = 0; i < back->n_store; i++)
		if (back->store[i]->target->var == var)
			return false;
	back->store[back->n_store++] = stmt;
	return true;
}

static bool note_writes(struct back *back, const struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];
		const bool is_loop = node->kind == NODE_LOOP;
		bool is_fine;

		if (node->kind == NODE_STMT && !note_write(back, node))
			return false;
		if (is_loop && back->depth == DEPTH_MAX)
			return false;
		if (is_loop)
			back->loop[back->depth++] = node;
		is_fine = note_writes(back, &node->body) && note_writes(back, &node->orelse);
		back->depth -= is_loop;
		if (!is_fine)
			return false;
	}
	return true;
}

static bool reads_no_store(struct expr *expr, void *context)
{
	const struct back *back = context;

	for (int i = 0; expr->kind == EXPR_REF && i < back->n_store; i++)
		if (back->store[i]->target->var == expr->var && back->store[i]->target != expr)
			return false;
	return true;
}

static bool node_reads_no_store(struct node *node, void *context)
{
	return node_every_expr(node, reads_no_store, context);
}

static bool is_over_params(struct expr *expr, void *context)
{
	(void)context;
	return expr->kind != EXPR_REF || expr->var->kind == VAR_PARAM;
}

/* Whether all that the body of "loop" does may be done twice, and its bounds are known before it. */
static bool may_step_back(struct codegen *cg, const struct node *loop)
{
	struct back *back = ARENA_NEW(cg->arena, struct back);

	*back = (struct back){ .cg = cg, .tile = loop };
	return !loop->marks.parallel && loop->step > 1 && expr_is_simple(loop->lo) && expr_is_simple(loop->hi) &&
	       expr_walk(loop->lo, is_over_params, NULL) && expr_walk(loop->hi, is_over_params, NULL) &&
	       note_writes(back, &loop->body) && list_walk(&loop->body, node_reads_no_store, back);
}

/* "bound", an upper one, without the end of "tile", where what else bounds it lies within a full tile. */
static struct expr *without_end(struct arena *arena, struct expr *bound, const struct node *tile)
{
	struct expr *first = expr_scalar(arena, tile->iter), *kept = NULL;
	struct leaves leaves = { 0 };
	bool is_within = false;
	int64_t distance;

	if (!leaves_add(&leaves, OP_MIN, bound))
		return bound;
	for (int i = 0; i < leaves.n; i++)
		is_within |= expr_difference(arena, leaves.leaf[i], first, &distance) && distance <= tile->step;
	for (int i = 0; i < leaves.n; i++) {
		if (is_within && expr_difference(arena, leaves.leaf[i], tile->hi, &distance) && distance == 0)
			continue;
		kept = kept ? expr_binary(arena, OP_MIN, kept, leaves.leaf[i]) : leaves.leaf[i];
	}
	return kept;
}

static void drop_ends(struct arena *arena, struct list *list, const struct node *tile)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];

		if (node->kind == NODE_LOOP)
			node->hi = without_end(arena, node->hi, tile);
		drop_ends(arena, &node->body, tile);
		drop_ends(arena, &node->orelse, tile);
	}
}

/* Let the tile loop's body begin no later than a whole step before the end, and ask that there is a whole step. */
static struct expr *step_back(struct codegen *cg, struct node *loop)
{
	struct arena *arena = cg->arena;
	struct expr *lo = expr_cast(arena, TYPE_I64, loop->lo), *hi = expr_cast(arena, TYPE_I64, loop->hi);
	struct expr *step = expr_int(arena, loop->step, TYPE_I64);
	struct expr *latest = expr_simplify(arena, expr_binary(arena, OP_SUB, hi, step));
	struct expr *iter = expr_cast(arena, TYPE_I64, expr_scalar(arena, loop->iter));
	struct list front = { 0 };
	struct expr *first = list_add_constant(cg, &front, loop->iter, "first", expr_binary(arena, OP_MIN, iter, latest));

	drop_ends(arena, &loop->body, loop);
	for (int i = 0; i < loop->body.n; i++)
		node_replace(arena, loop->body.node[i], loop->iter, expr_cast(arena, loop->iter->type, first));
	list_insert(arena, &loop->body, 0, front.node[0]);
	return expr_binary(arena, OP_GE, hi, expr_simplify(arena, expr_binary(arena, OP_ADD, lo, step)));
}

/* Outer tiles first: what cuts a loop into inner tiles is to be seen still. */
static struct expr *steps_in_list(struct codegen *cg, struct list *list, struct expr *all)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];

		if (node->kind == NODE_LOOP && node->marks.edge == EDGE_BACK && may_step_back(cg, node)) {
			struct expr *one = step_back(cg, node);
			all = all ? expr_binary(cg->arena, OP_LAND, all, one) : one;
		}
		all = steps_in_list(cg, &node->body, all);
		all = steps_in_list(cg, &node->orelse, all);
	}
	return all;
}

struct expr *lower_back(struct codegen *cg)
{
	return steps_in_list(cg, &cg->nest->body, NULL);
}
