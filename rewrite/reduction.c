#include "reduction.h"

#include <string.h>

static enum op compound_op(const struct node *stmt)
{
	const enum type type = stmt->target->type;

	switch (stmt->op) {
	case OP_ADD: case OP_SUB:
		return OP_ADD;
	case OP_MUL:
		return OP_MUL;
	case OP_DIV:
		return type_is_float(type) ? OP_MUL : OP_NONE;
	case OP_AND: case OP_OR: case OP_XOR:
		return stmt->op;
	default:
		return OP_NONE;
	}
}

static const struct expr *other_side(const struct expr *value, const struct expr *target)
{
	if (expr_equal(value->arg[0], target))
		return value->arg[1];
	return expr_equal(value->arg[1], target) ? value->arg[0] : NULL;
}

static enum op call_op(const struct expr *call)
{
	const char *const maxima[] = { "fmax", "fmaxf" }, *const minima[] = { "fmin", "fminf" };

	for (int i = 0; i < 2; i++) {
		if (!strcmp(call->name, maxima[i]))
			return OP_MAX;
		if (!strcmp(call->name, minima[i]))
			return OP_MIN;
	}
	return OP_NONE;
}

/* What "cond ? x : t" makes of its operands when it takes the larger or the smaller of x and t. */
static enum op choice_op(const struct expr *cond, const struct expr *x, const struct expr *t)
{
	bool is_less, is_forward;

	if (cond->kind != EXPR_OP || cond->op < OP_LT || cond->op > OP_GE)
		return OP_NONE;
	is_less = cond->op == OP_LT || cond->op == OP_LE;
	is_forward = expr_equal(cond->arg[0], x) && expr_equal(cond->arg[1], t);
	if (!is_forward && !(expr_equal(cond->arg[0], t) && expr_equal(cond->arg[1], x)))
		return OP_NONE;
	return is_less == is_forward ? OP_MIN : OP_MAX;
}

static enum op select_op(const struct expr *value, const struct expr *target)
{
	const struct expr *yes = value->arg[1], *no = value->arg[2];
	enum op op;

	if (expr_equal(no, target))
		return choice_op(value->arg[0], yes, no);
	if (!expr_equal(yes, target))
		return OP_NONE;
	op = choice_op(value->arg[0], no, yes);
	return op == OP_MIN ? OP_MAX : op == OP_MAX ? OP_MIN : OP_NONE;
}

static enum op plain_op(const struct node *stmt)
{
	const struct expr *value = stmt->value, *target = stmt->target;
	const bool is_difference = value->kind == EXPR_OP && value->op == OP_SUB;

	if (value->type != target->type)
		return OP_NONE;
	if (value->kind == EXPR_SELECT)
		return select_op(value, target);
	if (value->kind == EXPR_CALL && value->n == 2 && other_side(value, target))
		return call_op(value);
	if (is_difference)
		return expr_equal(value->arg[0], target) ? OP_ADD : OP_NONE;
	if (value->kind != EXPR_OP || value->n != 2 || !other_side(value, target))
		return OP_NONE;
	switch (value->op) {
	case OP_ADD: case OP_MUL: case OP_AND: case OP_OR: case OP_XOR: case OP_MIN: case OP_MAX:
		return value->op;
	default:
		return OP_NONE;
	}
}

/* How often an expression reads what "target" refers to. */
struct tally {
	const struct expr *target;
	int n;
};

static bool visit_tally(struct expr *expr, void *context)
{
	struct tally *tally = context;

	tally->n += expr_equal(expr, tally->target);
	return true;
}

static bool reads_target(const struct node *stmt, int times)
{
	struct tally tally = { stmt->target, 0 };

	expr_walk(stmt->value, visit_tally, &tally);
	return tally.n == times;
}

enum op reduction_op(const struct node *stmt, const struct expr *cond)
{
	const bool is_select = stmt->value && stmt->value->kind == EXPR_SELECT;
	enum op op;

	if (stmt->declares || !stmt->value)
		return OP_NONE;
	if (stmt->op != OP_NONE)
		return reads_target(stmt, 0) ? compound_op(stmt) : OP_NONE;
	op = plain_op(stmt);
	if (op != OP_NONE)
		return reads_target(stmt, is_select ? 2 : 1) ? op : OP_NONE;
	return cond && reads_target(stmt, 0) ? choice_op(cond, stmt->value, stmt->target) : OP_NONE;
}

bool reduction_is_selection(const struct node *stmt, const struct expr *cond)
{
	const enum op op = reduction_op(stmt, cond);

	if ((op != OP_MIN && op != OP_MAX) || !type_is_float(stmt->target->type))
		return false;
	return stmt->value->kind == EXPR_SELECT ? expr_equal(stmt->value->arg[2], stmt->target) : plain_op(stmt) == OP_NONE;
}

const struct expr *reduction_self(const struct node *stmt)
{
	return stmt->op == OP_NONE && stmt->value && plain_op(stmt) != OP_NONE ? stmt->target : NULL;
}

bool reduction_may_reorder(enum op op, enum type type, enum fp_mode mode)
{
	if (op == OP_NONE)
		return false;
	if (mode == FP_REASSOC)
		return true;
	if (type_is_float(type))
		return false;
	return (op != OP_ADD && op != OP_MUL) || !type_is_signed(type);
}

/* Whether some loop around "stmt" does not tell its targets apart, so that terms meet in one. */
static bool meets_itself(const struct nest *nest, const struct node *stmt)
{
	struct node *loop[64];
	int i, n = nest_path(nest, stmt, loop, 64);

	for (i = 0; i < n; i++)
		if (!expr_uses(stmt->target, loop[i]->iter))
			return true;
	return false;
}

struct search {
	const struct nest *nest;
	enum fp_mode mode;
};

/* Go on unless "node" is what is searched for. */
static bool visit_kept(struct node *node, void *context)
{
	const struct search *search = context;
	enum op op = node->kind == NODE_STMT ? reduction_op(node, NULL) : OP_NONE;

	return op == OP_NONE || reduction_may_reorder(op, node->target->type, search->mode) ||
	       !meets_itself(search->nest, node);
}

bool reduction_is_kept(const struct nest *nest, enum fp_mode mode)
{
	struct search search = { nest, mode };

	return mode != FP_REASSOC && !list_walk(&nest->body, visit_kept, &search);
}
