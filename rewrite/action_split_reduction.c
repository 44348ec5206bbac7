#include "action_footprint.h"
#include "reduction.h"

enum { PARTIALS_MAX = 64, INNER_MAX = 4 };

/* A loop inside the one that carries the reduction whose iterator subscripts the target: its range is the same each time, and
 * counts from "base". */
struct inner {
	struct node *loop;
	struct bound lo, hi;
	struct sum base;
	int64_t trip;
};

/* A reduction that a loop carries.
 *   statement  folds a value into its target, which is the same element in all iterations of "loop"; with "inner" loops
 *              between them, one of a box of elements
 *   condition  the data condition that belongs to it ("if (x > m) m = x"), or NULL
 *   op         OP_ADD, OP_MUL, OP_AND, OP_OR, OP_XOR, OP_MIN, OP_MAX
 *   settles    the order of its terms matters for the sign of a zero, and is made up for afterwards */
struct found_reduction {
	struct node *loop, *statement, *condition;
	enum op op;
	bool settles;
	int n_inner;
	struct inner inner[INNER_MAX];
};

/* What the walk over the loop's statements looks for. */
struct hunt {
	struct rewrite *rewrite;
	struct node *loop;
	int label;
	int n;
	struct found_reduction found;
};

/* Whether "expr" is the same in all iterations of "loop" and of the loops inside it. */
static bool is_invariant(struct expr *expr, struct node *loop, const struct nest *nest)
{
	for (int i = 0; i < nest->n_var; i++) {
		const struct var *var = nest->var[i];

		if (var->kind != VAR_PARAM && expr_uses(expr, var) && node_writes(loop, var))
			return false;
	}
	return true;
}

/* Whether the target is fixed while the loop runs, but for loops inside it that always have the same constant range: they go to
 * found->inner, outermost first. */
static bool has_fixed_target(struct hunt *hunt, struct found_reduction *found)
{
	struct expr *target = found->statement->target;
	struct path path = nest_find_path(hunt->rewrite->nest, found->statement);

	if (expr_uses(target, hunt->loop->iter))
		return false;
	for (int i = 0; i < target->n; i++)
		if (!is_invariant(target->arg[i], hunt->loop, hunt->rewrite->nest))
			return false;
	for (int i = 0; i < path.n; i++) {
		struct inner *inner = &found->inner[found->n_inner];

		if (path.loop[i] == hunt->loop || !node_holds(hunt->loop, path.loop[i]) || !expr_uses(target, path.loop[i]->iter))
			continue;
		if (found->n_inner++ == INNER_MAX || path.loop[i]->step != 1)
			return false;
		inner->loop = path.loop[i];
		inner->trip = loop_extent(hunt->rewrite, hunt->loop, inner->loop, 0, NULL, &inner->lo, &inner->hi, &inner->base);
		if (inner->trip < 0)
			return false;
	}
	return true;
}

/* The data condition right around a statement that holds nothing else, or NULL. */
static struct node *own_condition(struct rewrite *rewrite, const struct node *statement)
{
	struct spot spot = nest_find_spot(rewrite->nest, statement);

	return spot.parent && spot.parent->kind == NODE_IF && spot.parent->body.n == 1 && spot.parent->orelse.n == 0 &&
	       expr_uses(spot.parent->cond, statement->target->var) ? spot.parent : NULL;
}

static bool visit_reduction(struct node *node, void *context)
{
	struct hunt *hunt = context;
	struct found_reduction found = { .loop = hunt->loop, .statement = node };

	if (node->kind != NODE_STMT || !node->origin || (hunt->label >= 0 && node->label != hunt->label))
		return true;
	found.op = reduction_op(node, NULL);
	if (found.op == OP_NONE) {
		found.condition = own_condition(hunt->rewrite, node);
		found.op = reduction_op(node, found.condition ? found.condition->cond : NULL);
	}
	if (found.op == OP_NONE || !has_fixed_target(hunt, &found))
		return true;
	hunt->n++;
	hunt->found = found;
	return true;
}

/* How often the accumulator's variable is mentioned, and how often as the accumulator. */
struct mentions {
	const struct expr *target;
	int n_var, n_target;
};

static bool visit_mention(struct expr *expr, void *context)
{
	struct mentions *mentions = context;

	if (expr->kind != EXPR_REF || expr->var != mentions->target->var)
		return true;
	mentions->n_var++;
	mentions->n_target += expr_equal(expr, mentions->target);
	return true;
}

static bool walk_mentions(struct expr *expr, void *context)
{
	return expr_walk(expr, visit_mention, context);
}

static bool visit_foreign(struct node *node, void *context)
{
	const struct found_reduction *found = context;
	struct mentions mentions = { found->statement->target, 0, 0 };

	if (node == found->statement || node == found->condition)
		return true;
	node_exprs(node, walk_mentions, &mentions);
	return mentions.n_var == 0;
}

/* Nothing else in the loop may touch the accumulator, nor the statement itself by another subscript. */
static enum status check_alone(struct rewrite *rewrite, struct found_reduction *found)
{
	const char *name = found->statement->target->var->name;
	struct mentions mentions = { found->statement->target, 0, 0 };

	if (!list_walk(&found->loop->body, visit_foreign, found))
		return refuse(rewrite, "another statement in %s uses %s", found->loop->iter->name, name);
	node_exprs(found->statement, walk_mentions, &mentions);
	if (found->condition)
		expr_walk(found->condition->cond, visit_mention, &mentions);
	if (mentions.n_var != mentions.n_target)
		return refuse(rewrite, "S%d reads other elements of %s", found->statement->label, name);
	return STATUS_OK;
}

static bool visit_other(struct node *node, void *context)
{
	const struct found_reduction *found = context;

	return node->kind != NODE_STMT || node == found->statement;
}

/* Whether the reduction is an extreme in a scalar which is all that its loop computes, in a mode that keeps the order of terms: the
 * loop can then be run once more where the order matters. */
static bool may_settle(struct rewrite *rewrite, const struct found_reduction *found)
{
	const struct workspace *workspace = rewrite->workspace;

	return found->statement->target->n == 0 && !reduction_is_free(workspace, found->statement->label) &&
	       reduction_is_settled(workspace, found->statement->label) &&
	       list_walk(&found->loop->body, visit_other, (void *)found);
}

static enum status find_reduction(struct rewrite *rewrite, const struct action *action, struct found_reduction *found)
{
	struct hunt hunt = { .rewrite = rewrite, .label = -1 };

	hunt.loop = rewrite_find_loop(rewrite, &action->arg[0]);
	if (!hunt.loop)
		return STATUS_FAILED;
	if (action->n == 2) {
		hunt.label = action->arg[1].kind == ARG_NAME ? label_parse(action->arg[1].name) : -1;
		if (hunt.label < 0)
			return refuse(rewrite, "the second argument is no label such as S0");
	}
	list_walk(&hunt.loop->body, visit_reduction, &hunt);
	if (hunt.n == 0)
		return refuse(rewrite, "%s carries no reduction%s%s", node_name(rewrite, hunt.loop), hunt.label >= 0 ? " in " : "",
			      hunt.label >= 0 ? action->arg[1].name : "");
	if (hunt.n > 1)
		return refuse(rewrite, "%s carries several reductions; say which, as in split_reduction(%s:8, S%d)",
			      node_name(rewrite, hunt.loop), hunt.loop->iter->name, hunt.found.statement->label);
	*found = hunt.found;
	found->settles = may_settle(rewrite, found);
	if (!found->settles && !reduction_is_free(rewrite->workspace, found->statement->label))
		return refuse(rewrite, "the terms of S%d may not be reordered in mode %s", found->statement->label,
			      fp_mode_name(rewrite->workspace->mode));
	return check_alone(rewrite, found);
}

static struct expr *constant(struct rewrite *rewrite, enum type type, int value)
{
	return type_is_float(type) ? expr_float(rewrite->arena, value, type, NULL) : expr_int(rewrite->arena, value, type);
}

/* What the partial accumulators start with: the value that changes nothing, or for min and max the accumulator itself. */
static struct expr *neutral(struct rewrite *rewrite, const struct found_reduction *found)
{
	enum type type = found->statement->target->type;

	switch (found->op) {
	case OP_MUL:
		return constant(rewrite, type, 1);
	case OP_AND:
		return expr_unary(rewrite->arena, OP_BITNOT, constant(rewrite, type, 0));
	case OP_MIN:
	case OP_MAX:
		return found->statement->target;
	default:
		return constant(rewrite, type, 0);
	}
}

/* target = the smaller or larger of "partial" and target, in the words of the statement: a call of fmin or fmax stays one. */
static struct expr *choose(struct rewrite *rewrite, const struct found_reduction *found, struct expr *partial)
{
	const struct expr *value = found->statement->value;
	struct expr *target = found->statement->target;
	enum op test = found->op == OP_MIN ? OP_LT : OP_GT;

	if (!found->condition && value->kind == EXPR_CALL)
		return expr_call(rewrite->arena, value->type, value->name, 2, (struct expr *[]){ target, partial });
	return expr_select(rewrite->arena, expr_binary(rewrite->arena, test, partial, target), partial, target);
}

static struct node *combining_statement(struct rewrite *rewrite, const struct found_reduction *found, struct expr *partial)
{
	if (found->op == OP_MIN || found->op == OP_MAX)
		return made_statement(rewrite, found->statement->target, OP_NONE, choose(rewrite, found, partial));
	return made_statement(rewrite, found->statement->target, found->op, partial);
}

/* A loop over the partial accumulators around "statement", written out in full. */
static struct node *lane_loop(struct rewrite *rewrite, struct var *iter, int64_t size, struct node *statement)
{
	struct node *loop = node_loop(rewrite->arena, iter, expr_int(rewrite->arena, 0, TYPE_I32),
				      expr_int(rewrite->arena, size, TYPE_I32), 1);

	loop->marks.unroll = UNROLL_FULL;
	list_add(rewrite->arena, &loop->body, statement);
	return loop;
}

/* "expr" with each occurrence of "old" replaced by "by". */
static struct expr *replace_expr(struct arena *arena, struct expr *expr, const struct expr *old, struct expr *by)
{
	struct expr *copy;

	if (!expr || expr_equal(expr, old))
		return expr ? by : NULL;
	copy = ARENA_NEW(arena, struct expr);
	*copy = *expr;
	copy->arg = ARENA_ARRAY(arena, struct expr *, expr->n);
	for (int i = 0; i < expr->n; i++)
		copy->arg[i] = replace_expr(arena, expr->arg[i], old, by);
	return copy;
}

/* Let the statement fold into "partial". */
static void use_partials(struct rewrite *rewrite, struct found_reduction *found, struct expr *partial)
{
	struct expr *target = found->statement->target;

	found->statement->value = replace_expr(rewrite->arena, found->statement->value, target, partial);
	if (found->condition)
		found->condition->cond = replace_expr(rewrite->arena, found->condition->cond, target, partial);
	found->statement->target = partial;
}

/* The array of partial accumulators: the box of elements by the lanes. */
static struct var *partial_array(struct rewrite *rewrite, const struct found_reduction *found, int64_t size)
{
	const struct var *accumulator = found->statement->target->var;
	struct expr *extent[INNER_MAX + 1];

	for (int i = 0; i < found->n_inner; i++)
		extent[i] = expr_int(rewrite->arena, found->inner[i].trip, TYPE_I32);
	extent[found->n_inner] = expr_int(rewrite->arena, size, TYPE_I32);
	return derived_var(rewrite, accumulator, "p", accumulator->type, found->n_inner + 1, extent);
}

/* partials[.., lane] for the current iterators of the inner loops. */
static struct expr *partial_element(struct rewrite *rewrite, const struct found_reduction *found, struct var *partials,
				    struct expr *lane)
{
	struct expr *place[INNER_MAX + 1];

	for (int i = 0; i < found->n_inner; i++) {
		struct expr *iter = expr_scalar(rewrite->arena, found->inner[i].loop->iter);

		place[i] = expr_binary(rewrite->arena, OP_SUB, iter, sum_expr(rewrite->arena, &found->inner[i].base, iter->type));
	}
	place[found->n_inner] = lane;
	return expr_ref(rewrite->arena, partials, found->n_inner + 1, place);
}

/* "node" within loops over the box of elements. */
static struct node *box_loops(struct rewrite *rewrite, const struct found_reduction *found, struct node *node)
{
	for (int i = found->n_inner - 1; i >= 0; i--) {
		const struct inner *inner = &found->inner[i];
		struct var *iter = inner->loop->iter;
		struct node *loop = node_loop(rewrite->arena, iter, bound_expr(rewrite->arena, &inner->lo, false, iter->type),
					      bound_expr(rewrite->arena, &inner->hi, true, iter->type), 1);

		list_add(rewrite->arena, &loop->body, node);
		node = loop;
	}
	return node;
}

/* What the loop's copy is stripped for. */
static bool visit_anew(struct node *node, void *context)
{
	struct rewrite *rewrite = context;

	if (node->kind == NODE_STMT) {
		node->origin = NULL;
		node->n_origin = 0;
		node->label = rewrite->nest->n_label++;
	}
	return true;
}

/* "if (m == 0) { m = saved; the loop as it is }": of zeros, the first one counts. */
static struct node *settling_condition(struct rewrite *rewrite, const struct found_reduction *found, struct expr *saved)
{
	struct expr *target = found->statement->target;
	struct node *condition = node_if(rewrite->arena, expr_binary(rewrite->arena, OP_EQ, target, constant(rewrite, target->type, 0)));

	list_add(rewrite->arena, &condition->body, made_statement(rewrite, target, OP_NONE, saved));
	list_add(rewrite->arena, &condition->body, node_copy_deep(rewrite->arena, found->loop));
	list_walk(&condition->body, visit_anew, rewrite);
	return condition;
}

/* Keep the accumulator's first value before the loop, and behind it settle which zero it is to be. */
static void settle(struct rewrite *rewrite, struct found_reduction *found)
{
	const struct var *accumulator = found->statement->target->var;
	struct var *saved = derived_var(rewrite, accumulator, "s", accumulator->type, 0, NULL);
	struct node *save = made_declaration(rewrite, saved);
	struct spot spot = nest_find_spot(rewrite->nest, found->loop);

	save->value = found->statement->target;
	list_insert(rewrite->arena, spot.list, spot.at + 1, settling_condition(rewrite, found, expr_scalar(rewrite->arena, saved)));
	list_insert(rewrite->arena, spot.list, spot.at, save);
	found->statement->is_settled = true;
}

/* Tile the loop by the number of lanes and put the accumulators' beginning and end around it. */
static void split(struct rewrite *rewrite, struct found_reduction *found, int64_t size)
{
	const struct var *accumulator = found->statement->target->var;
	struct var *partials = partial_array(rewrite, found, size);
	struct var *iter = derived_iterator(rewrite, accumulator, "l", TYPE_I32);
	struct expr *each = partial_element(rewrite, found, partials, expr_scalar(rewrite->arena, iter)), *lane;
	struct node *first = made_statement(rewrite, each, OP_NONE, neutral(rewrite, found));
	struct node *last = combining_statement(rewrite, found, each);
	struct node *tile;
	struct spot spot;

	if (found->settles)
		settle(rewrite, found);
	if (accumulator->rank)
		require_entered(rewrite, found->loop);
	tile = tile_loop(rewrite, found->loop, size);
	lane = expr_binary(rewrite->arena, OP_SUB, expr_scalar(rewrite->arena, found->loop->iter),
			   expr_scalar(rewrite->arena, tile->iter));
	use_partials(rewrite, found, partial_element(rewrite, found, partials, lane));
	spot = nest_find_spot(rewrite->nest, tile);
	list_insert(rewrite->arena, spot.list, spot.at + 1, box_loops(rewrite, found, lane_loop(rewrite, iter, size, last)));
	list_insert(rewrite->arena, spot.list, spot.at, box_loops(rewrite, found, lane_loop(rewrite, iter, size, first)));
	list_insert(rewrite->arena, spot.list, spot.at, made_declaration(rewrite, partials));
}

enum status action_split_reduction(struct rewrite *rewrite, const struct action *action)
{
	struct found_reduction found;

	if (action->n < 1 || action->n > 2 || action->arg[0].size < 2 || action->arg[0].size > PARTIALS_MAX)
		return refuse(rewrite, "split_reduction needs a loop and 2 to %d accumulators, as in split_reduction(i:8)",
			      PARTIALS_MAX);
	if (find_reduction(rewrite, action, &found) != STATUS_OK)
		return STATUS_FAILED;
	if (found.loop->step != 1)
		return refuse(rewrite, "%s has a step; split the loop inside it", found.loop->iter->name);
	if (found.loop->marks.vector || found.loop->marks.unroll)
		return refuse(rewrite, "%s is already marked; split the reduction before vectorize and unroll",
			      found.loop->iter->name);
	split(rewrite, &found, action->arg[0].size);
	return STATUS_OK;
}
