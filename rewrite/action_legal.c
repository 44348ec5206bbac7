#include "action_internal.h"
#include "action_sum.h"
#include "reduction.h"

enum { DIMS_MAX = 16 };

/* A statement of the original as it stands in the nest now: the loops around it and its place in text order. */
struct stand {
	struct node *node;
	int index;
	struct path path;
};

/* The statements in question: those at or below "within" (NULL: all), around which "depth" loops stand. */
struct stands {
	const struct nest *nest;
	const struct node *within;
	int n, depth;
	struct stand *stand;
};

/* One dependence between two statements as they stand now.
 * "is_exempt": its instances may run in any order, but not at once. The first "depth" loops around both are taken to be in the same
 * iteration. */
struct dependence_now {
	struct rewrite *rewrite;
	const struct dependence_vector *vector;
	const struct stand *from, *to;
	int depth;
	bool is_exempt;
};

static bool visit_count(struct node *node, void *context)
{
	*(int *)context += node->kind == NODE_STMT;
	return true;
}

static bool visit_stand(struct node *node, void *context)
{
	struct stands *stands = context;
	struct stand *stand;

	if (node->kind != NODE_STMT || !node->origin || (stands->within && !node_holds(stands->within, node)))
		return true;
	stand = &stands->stand[stands->n];
	stand->node = node;
	stand->index = stands->n++;
	stand->path = nest_find_path(stands->nest, node);
	return true;
}

static bool is_term(const struct bound *bound, const struct var *var)
{
	for (int i = 0; i < bound->n; i++)
		if (bound->term[i].n == 1 && bound->term[i].constant == 0 && sum_factor(&bound->term[i], var) == 1)
			return true;
	return false;
}

/* Which iterator of the original the loop at "depth" around "stand" runs over, in whole or by tiles; -1 when none. */
static int dimension_of(const struct stand *stand, int depth)
{
	const struct var *iter = stand->path.loop[depth]->iter;

	for (int d = 0; d < stand->node->n_origin; d++)
		if (expr_uses(stand->node->origin[d], iter))
			return d;
	for (int inner = depth + 1; inner < stand->path.n; inner++) {
		struct bound lo;

		if (bound_of(stand->path.loop[inner]->lo, false, &lo) && is_term(&lo, iter))
			return dimension_of(stand, inner);
	}
	return -1;
}

bool statement_is_repeated(const struct nest *nest, struct node *statement)
{
	struct stand stand = { statement, 0, nest_find_path(nest, statement) };

	for (int depth = 0; statement->origin && depth < stand.path.n; depth++)
		if (dimension_of(&stand, depth) < 0)
			return true;
	return false;
}

/* Whether the loop at "depth" runs over the iterator itself, rather than over tiles of it. */
static bool is_point(const struct stand *stand, int depth, int dimension)
{
	return expr_uses(stand->node->origin[dimension], stand->path.loop[depth]->iter);
}

/* Split "sum" into the factor of "iter" and the rest; false when the rest mentions iterators of loops that are not among the
 * first "n" of "path". */
static bool split_subscript(struct expr *subscript, const struct var *iter, const struct path *path, int n, int64_t *factor,
			    struct sum *rest)
{
	struct sum sum;

	if (!sum_of(subscript, &sum) || sum_hides(&sum, iter))
		return false;
	*factor = sum_factor(&sum, iter);
	*rest = sum_without(&sum, iter);
	for (int i = n; i < path->n; i++)
		if (sum_uses(rest, path->loop[i]->iter))
			return false;
	return true;
}

/* Two accesses to one array, and what is known of them: by how much the iterator of the later one exceeds that of the
 * earlier one when they touch the same element. */
struct meeting {
	const struct dependence_now *now;
	const struct var *var;
	int depth;
	const struct var *from_iter, *to_iter;
	struct expr *from_ref;
	bool from_writes, to_writes;
	unsigned directions;
};

/* The signs that the distance between accesses "from" and "to" along the loop may have. */
static unsigned meet(const struct meeting *meeting, struct expr *from, struct expr *to)
{
	const unsigned any = DIRECTION_EQUAL | DIRECTION_LESS | DIRECTION_GREATER;

	for (int d = 0; d < from->n; d++) {
		struct sum from_rest, to_rest, gap;
		int64_t from_factor, to_factor, constant;

		if (!split_subscript(from->arg[d], meeting->from_iter, &meeting->now->from->path, meeting->depth, &from_factor,
				     &from_rest) ||
		    !split_subscript(to->arg[d], meeting->to_iter, &meeting->now->to->path, meeting->depth, &to_factor, &to_rest) ||
		    from_factor != to_factor || from_factor == 0)
			continue;
		if (!sum_add(&from_rest, -1, &to_rest, &gap) || !sum_is_constant(&gap, &constant))
			continue;
		if (constant % from_factor)
			return 0;
		constant /= from_factor;
		return constant == 0 ? DIRECTION_EQUAL : constant > 0 ? DIRECTION_LESS : DIRECTION_GREATER;
	}
	return any;
}

static bool visit_to(struct expr *expr, void *context)
{
	struct meeting *meeting = context;

	if (expr->kind == EXPR_REF && expr->var == meeting->var && (meeting->from_writes || meeting->to_writes))
		meeting->directions |= meet(meeting, meeting->from_ref, expr);
	return true;
}

/* Meet each access of the later statement. */
static bool visit_from(struct expr *expr, void *context)
{
	struct meeting *meeting = context;
	struct node *to = meeting->now->to->node;

	if (expr->kind != EXPR_REF || expr->var != meeting->var)
		return true;
	meeting->from_ref = expr;
	meeting->to_writes = true;
	expr_walk(to->target, visit_to, meeting);
	meeting->to_writes = false;
	if (to->value)
		expr_walk(to->value, visit_to, meeting);
	return true;
}

static bool mentions(const struct node *node, const struct var *var)
{
	return expr_uses(node->target, var) || expr_uses(node->value, var);
}

/* The signs that the distance along the common loop at "depth" may have when it runs over different iterators of the original
 * for the two statements (loops that were fused), told from their subscripts. */
static unsigned fused_directions(const struct dependence_now *now, int depth, int from_dimension, int to_dimension)
{
	const unsigned any = DIRECTION_EQUAL | DIRECTION_LESS | DIRECTION_GREATER;
	const struct expr *from = from_dimension < 0 ? NULL : now->from->node->origin[from_dimension];
	const struct expr *to = to_dimension < 0 ? NULL : now->to->node->origin[to_dimension];
	struct meeting meeting = { .now = now, .var = now->vector->var, .depth = depth };

	if (!from || !to || from->kind != EXPR_REF || to->kind != EXPR_REF || !mentions(now->from->node, meeting.var) ||
	    !mentions(now->to->node, meeting.var))
		return any;
	meeting.from_iter = from->var;
	meeting.to_iter = to->var;
	meeting.from_writes = true;
	expr_walk(now->from->node->target, visit_from, &meeting);
	meeting.from_writes = false;
	if (now->from->node->value)
		expr_walk(now->from->node->value, visit_from, &meeting);
	return meeting.directions;
}

/* Whether the lanes of the loop at "depth" keep the dependence by going through its body together: the source is in an earlier
 * statement of the innermost loop around both, or reads before the same statement writes, and never in a later lane. */
static bool is_staged(const struct dependence_now *now, int depth, unsigned directions)
{
	const struct path *from = &now->from->path, *to = &now->to->path;
	const bool is_innermost = depth + 1 == from->n || depth + 1 == to->n || from->loop[depth + 1] != to->loop[depth + 1];

	return from->loop[depth]->marks.staged && !from->loop[depth]->marks.parallel && is_innermost &&
	       !(directions & DIRECTION_GREATER) &&
	       (now->from->index < now->to->index || (now->from == now->to && now->vector->is_anti));
}

static enum status refuse_carried(const struct dependence_now *now, const struct node *loop)
{
	return refuse(now->rewrite, "iterations of %s depend on each other: S%d must run before S%d of a later one, through %s",
		      loop->iter->name, now->vector->from, now->vector->to, now->vector->var->name);
}

static enum status refuse_backwards(const struct dependence_now *now, const struct node *loop)
{
	if (!loop)
		return refuse(now->rewrite, "S%d must run before S%d, which stands before it now, through %s",
			      now->vector->from, now->vector->to, now->vector->var->name);
	return refuse(now->rewrite, "S%d must run before S%d, through %s, but not in this order of %s", now->vector->from,
		      now->vector->to, now->vector->var->name, loop->iter->name);
}

/* Whether the target of the statement is another element in each iteration of the loop at "depth" around it. */
static bool is_spread(const struct stand *stand, int depth)
{
	const struct expr *target = stand->node->target;

	for (int d = 0; d < target->n; d++) {
		struct sum rest;
		int64_t factor;

		if (split_subscript(target->arg[d], stand->path.loop[depth]->iter, &stand->path, depth + 1, &factor, &rest) &&
		    factor != 0)
			return true;
	}
	return false;
}

/* Whether iterations of the loop at "depth" around both run at once, and this dependence between different ones of them matters:
 * partial sums that differ by iteration do not meet. */
static bool is_concurrent(const struct dependence_now *now, int depth)
{
	const struct loop_marks *marks = &now->from->path.loop[depth]->marks;

	return (marks->parallel || marks->vector) && !(now->vector->is_reduction && is_spread(now->from, depth));
}

/* The signs that the distance along the common loop at "depth" may have, for a dependence with the signs "chosen" in the
 * original loops; "*is_point" tells whether a distance of that sign in the original is one of whole iterations here. */
static unsigned directions_at(const struct dependence_now *now, int depth, const unsigned char *chosen, bool *is_settled)
{
	int from = dimension_of(now->from, depth), to = dimension_of(now->to, depth);

	*is_settled = false;
	if (from >= 0 && from == to && from < now->vector->n) {
		*is_settled = is_point(now->from, depth, from) && is_point(now->to, depth, to);
		return chosen[from];
	}
	return fused_directions(now, depth, from, to);
}

/* Whether instances with these signs are never in the same iteration of the loops around what is in question. */
static bool is_outside(const struct dependence_now *now, const unsigned char *chosen)
{
	for (int depth = 0; depth < now->depth; depth++) {
		bool is_settled;
		unsigned directions = directions_at(now, depth, chosen, &is_settled);

		if (is_settled && !(directions & DIRECTION_EQUAL))
			return true;
	}
	return false;
}

/* Check one combination of signs: the source must still come first. */
static enum status check_chosen(const struct dependence_now *now, const unsigned char *chosen)
{
	const struct path *from = &now->from->path, *to = &now->to->path;
	struct node *loop = NULL;

	if (is_outside(now, chosen))
		return STATUS_OK;
	for (int depth = now->depth; depth < from->n && depth < to->n && from->loop[depth] == to->loop[depth]; depth++) {
		bool is_settled;
		unsigned directions = directions_at(now, depth, chosen, &is_settled);

		loop = from->loop[depth];
		if (directions == 0)
			return STATUS_OK;
		if (directions != DIRECTION_EQUAL && is_concurrent(now, depth))
			return is_staged(now, depth, directions) ? STATUS_OK : refuse_carried(now, loop);
		if (now->is_exempt && is_settled && !(directions & DIRECTION_EQUAL))
			return STATUS_OK;
		if (now->is_exempt)
			continue;
		if (directions & DIRECTION_GREATER)
			return refuse_backwards(now, loop);
		if (directions == DIRECTION_LESS && is_settled)
			return STATUS_OK;
	}
	if (now->is_exempt || now->from->index <= now->to->index)
		return STATUS_OK;
	return refuse_backwards(now, NULL);
}

/* Check each combination of the vector's signs from loop "dim" on; those in which the later instance comes first do not
 * occur. */
static enum status check_from(const struct dependence_now *now, int dim, bool is_later, unsigned char *chosen)
{
	static const unsigned char each[] = { DIRECTION_EQUAL, DIRECTION_LESS, DIRECTION_GREATER };
	unsigned char possible;

	if (dim == now->vector->n)
		return is_later || now->from != now->to ? check_chosen(now, chosen) : STATUS_OK;
	possible = now->vector->direction[dim];
	for (int i = 0; i < 3; i++) {
		chosen[dim] = each[i];
		if (!(possible & each[i]) || (each[i] == DIRECTION_GREATER && !is_later))
			continue;
		if (check_from(now, dim + 1, is_later || each[i] == DIRECTION_LESS, chosen) != STATUS_OK)
			return STATUS_FAILED;
	}
	return STATUS_OK;
}

/* The data condition around a statement of the original, or NULL. */
static const struct expr *condition_around(const struct nest *nest, const struct node *statement)
{
	struct nest copy = *nest;
	struct spot spot = nest_find_spot(&copy, statement);

	return spot.parent && spot.parent->kind == NODE_IF ? spot.parent->cond : NULL;
}

bool reduction_is_free(const struct workspace *workspace, int label)
{
	const struct node *statement = nest_find_statement(workspace->original, label);

	return statement && reduction_may_reorder(reduction_op(statement, condition_around(workspace->original, statement)),
						  statement->target->type, workspace->mode);
}

bool reduction_is_settled(const struct workspace *workspace, int label)
{
	const struct node *statement = nest_find_statement(workspace->original, label);

	return statement && reduction_is_selection(statement, condition_around(workspace->original, statement));
}

/* Whether the statement declares the local, so that those who use it see it as a matter of scopes. */
static bool is_scoped(const struct node *statement, const struct var *var)
{
	return statement->declares && statement->target->var == var;
}

static enum status check_vector(struct rewrite *rewrite, const struct stands *stands, const struct dependence_vector *vector)
{
	const struct workspace *workspace = rewrite->workspace;
	struct dependence_now now = { .rewrite = rewrite, .vector = vector, .depth = stands->depth };
	const bool is_free = vector->is_reduction && reduction_is_free(workspace, vector->from);
	const bool is_selection = vector->is_reduction && !is_free && reduction_is_settled(workspace, vector->from);
	unsigned char chosen[DIMS_MAX];

	if (vector->n > DIMS_MAX)
		return refuse(rewrite, "more than %d loops nest here", DIMS_MAX);
	for (int i = 0; i < stands->n; i++) {
		now.from = &stands->stand[i];
		if (now.from->node->label != vector->from || is_scoped(now.from->node, vector->var))
			continue;
		for (int j = 0; j < stands->n; j++) {
			now.to = &stands->stand[j];
			now.is_exempt = is_free || (is_selection && now.from->node->is_settled && now.to->node->is_settled);
			if (now.to->node->label == vector->to && check_from(&now, 0, false, chosen) != STATUS_OK)
				return STATUS_FAILED;
		}
	}
	return STATUS_OK;
}

enum status legal_check(struct rewrite *rewrite, const struct node *within)
{
	struct stands stands = {
		.nest = rewrite->nest,
		.within = within,
		.depth = within ? nest_find_path(rewrite->nest, within).n : 0,
	};
	int n = 0;

	list_walk(&rewrite->nest->body, visit_count, &n);
	stands.stand = ARENA_ARRAY(rewrite->arena, struct stand, n);
	list_walk(&rewrite->nest->body, visit_stand, &stands);
	for (int i = 0; i < rewrite->workspace->n_vector; i++)
		if (check_vector(rewrite, &stands, &rewrite->workspace->vector[i]) != STATUS_OK)
			return STATUS_FAILED;
	return STATUS_OK;
}

enum status scope_check(struct rewrite *rewrite)
{
	struct diag broken = { 0 };

	return nest_check(rewrite->nest, &broken) ? STATUS_OK : refuse(rewrite, "%s", broken.message);
}
