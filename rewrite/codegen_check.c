#include "codegen_internal.h"

#include <string.h>

/* A check of one loop: "root" is the value or condition being looked at. */
struct check {
	struct codegen *cg;
	struct expr *root;
	struct expr *target;
};

bool is_minmax_call(const char *name)
{
	return strcmp(name, "fmaxf") == 0 || strcmp(name, "fminf") == 0 || strcmp(name, "fmax") == 0 ||
	       strcmp(name, "fmin") == 0;
}

bool is_abs_call(const char *name)
{
	return strcmp(name, "fabsf") == 0 || strcmp(name, "fabs") == 0;
}

/* Whether "ref" is read within "expr" whatever the conditions in it say. */
static bool reads_always(struct expr *expr, const struct expr *ref)
{
	bool is_partial = expr->kind == EXPR_SELECT || (expr->kind == EXPR_OP && (expr->op == OP_LAND || expr->op == OP_LOR));

	if (expr_equal(expr, ref))
		return true;
	for (int i = 0; i < expr->n; i++)
		if (!(is_partial && i > 0) && reads_always(expr->arg[i], ref))
			return true;
	return false;
}

/* Whether "ref" is an element of a local array that exists for each lane of the loop, be the lane's element used or not. */
static bool is_within_local(const struct check *check, const struct expr *ref)
{
	struct arena *arena = check->cg->arena;
	const struct node *loop = check->cg->lane;
	int64_t trips, first;
	struct expr *index;

	if (ref->var->kind != VAR_LOCAL || local_bytes(ref->var) <= 0 || !loop_trips(arena, loop, &trips))
		return false;
	for (int d = 0; d < ref->n - 1; d++)
		if (ref->arg[d]->kind != EXPR_INT || ref->arg[d]->integer < 0 ||
		    ref->arg[d]->integer >= ref->var->extent[d]->integer)
			return false;
	index = expr_binary(arena, OP_SUB, expr_scalar(arena, loop->iter), loop->lo);
	return expr_difference(arena, ref->arg[ref->n - 1], index, &first) && first >= 0 &&
	       first + trips <= ref->var->extent[ref->n - 1]->integer;
}

/* Whether evaluating "expr" where the source would not can do no harm. */
static bool is_safe(struct check *check, struct expr *expr)
{
	if (expr->kind == EXPR_REF && expr->n > 0 && !reads_always(check->root, expr) &&
	    !(check->target && expr_equal(check->target, expr)) && !is_within_local(check, expr))
		return false;
	if (expr->kind == EXPR_OP && (expr->op == OP_DIV || expr->op == OP_MOD) && type_is_integer(expr->type) &&
	    !(expr->arg[1]->kind == EXPR_INT && expr->arg[1]->integer > 0))
		return false;
	for (int i = 0; i < expr->n; i++)
		if (!is_safe(check, expr->arg[i]))
			return false;
	return true;
}

static bool fits(const struct check *check, enum type type)
{
	return check->cg->lanes * type_size(type) <= 2 * check->cg->target->vector_bytes;
}

static bool has_form(struct check *check, struct expr *expr);

static bool args_have_form(struct check *check, struct expr *expr)
{
	for (int i = 0; i < expr->n; i++)
		if (!has_form(check, expr->arg[i]))
			return false;
	return true;
}

static bool operation_has_form(struct check *check, struct expr *expr)
{
	if (op_is_function(expr->op) || (op_is_shift(expr->op) && expr->type != expr->arg[1]->type))
		return false;
	if ((expr->op == OP_LAND || expr->op == OP_LOR) && !is_safe(check, expr->arg[1]))
		return false;
	return args_have_form(check, expr);
}

/* Whether the varying "expr" can be written as a vector. */
static bool has_form(struct check *check, struct expr *expr)
{
	if (!expr_varies(check->cg, expr))
		return true;
	if (!fits(check, expr->type))
		return false;
	switch (expr->kind) {
	case EXPR_REF:
		return expr->n == 0 || reference_stride(check->cg, expr) == STRIDE_ONE || check->cg->lanes <= 16;
	case EXPR_OP:
		return operation_has_form(check, expr);
	case EXPR_SELECT:
		return is_safe(check, expr->arg[1]) && is_safe(check, expr->arg[2]) && args_have_form(check, expr);
	case EXPR_CAST:
		return args_have_form(check, expr);
	case EXPR_CALL:
		return (is_minmax_call(expr->name) || is_abs_call(expr->name) || math_has_vector_form(check->cg, expr)) &&
		       args_have_form(check, expr);
	default:
		return false;
	}
}

static bool declares_var(struct node *node, void *context)
{
	return !(node->kind == NODE_STMT && node->declares && node->target->var == context);
}

/* Whether "stmt" may overflow where C does not: short types are computed as int and wrapped by the conversion back, but
 * vectors of them overflow. */
static bool overflows_as_vector(const struct node *stmt)
{
	enum type type = stmt->target->var->type;

	return (type == TYPE_I8 || type == TYPE_I16) &&
	       (stmt->op == OP_ADD || stmt->op == OP_SUB || stmt->op == OP_MUL || stmt->op == OP_SHL);
}

static bool statement_has_form(struct check *check, const struct node *stmt)
{
	struct codegen *cg = check->cg;
	struct var *var = stmt->target->var;
	bool is_element = stmt->target->n > 0 || var->kind == VAR_ARRAY;
	bool is_inner = !is_element && !list_walk(&cg->lane->body, declares_var, var);

	if (!stmt->value)
		return var->rank == 0;
	if (overflows_as_vector(stmt))
		return false;
	check->root = stmt->value;
	check->target = stmt->op == OP_NONE ? NULL : stmt->target;
	if (!fits(check, var->type) || !has_form(check, stmt->value))
		return false;
	if (is_inner)
		return true;
	if (!is_element || reference_stride(cg, stmt->target) == STRIDE_ZERO)
		return stmt->op == OP_NONE && !expr_varies(cg, stmt->value);
	return true;
}

static bool list_has_form(struct check *check, const struct list *list);

static bool node_has_form(struct check *check, const struct node *node)
{
	if (node->kind == NODE_STMT)
		return statement_has_form(check, node);
	if (node->kind == NODE_LOOP && (node->marks.vector > 1 || node->marks.parallel ||
					expr_varies(check->cg, node->lo) || expr_varies(check->cg, node->hi)))
		return false;
	if (node->kind == NODE_IF && expr_varies(check->cg, node->cond))
		return false;
	return list_has_form(check, &node->body) && list_has_form(check, &node->orelse);
}

static bool list_has_form(struct check *check, const struct list *list)
{
	for (int i = 0; i < list->n; i++)
		if (!node_has_form(check, list->node[i]))
			return false;
	return true;
}

/* ---- conditions become choices ---- */

/* target = cond ? value : target, which does what "stmt" does under "cond". */
static struct node *conditional(struct arena *arena, const struct node *stmt, struct expr *cond)
{
	struct node *copy = node_copy(arena, stmt);
	struct expr *value = stmt->value;

	if (stmt->op != OP_NONE)
		value = expr_binary(arena, stmt->op, stmt->target, value);
	copy->op = OP_NONE;
	copy->value = expr_select(arena, cond, value, stmt->target);
	return copy;
}

/* Whether a condition's only effect is one assignment to what is there anyway: a local, or what the condition reads. */
static bool is_convertible(const struct node *node)
{
	const struct node *stmt = node->body.n == 1 ? node->body.node[0] : NULL;

	return stmt && node->orelse.n == 0 && stmt->kind == NODE_STMT && !stmt->declares && stmt->value &&
	       (stmt->target->var->kind == VAR_LOCAL || reads_always(node->cond, stmt->target));
}

void list_convert_conditions(struct arena *arena, struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];

		list_convert_conditions(arena, &node->body);
		list_convert_conditions(arena, &node->orelse);
		if (node->kind == NODE_IF && is_convertible(node))
			list->node[i] = conditional(arena, node->body.node[0], node->cond);
	}
}

bool loop_has_vector_form(struct codegen *cg, const struct node *loop)
{
	struct check check = { .cg = cg };
	int lanes = loop->marks.vector;
	bool result;

	if (cg->target->vector_bytes == 0 || loop->step != 1 || lanes < 2 || lanes > 64 || (lanes & (lanes - 1)))
		return false;
	lane_enter(cg, loop);
	result = list_has_form(&check, &loop->body);
	lane_leave(cg);
	return result;
}
