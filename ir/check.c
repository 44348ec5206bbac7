#include "nest.h"

#include <stdlib.h>

#include "support/memory.h"

#include "spell.h"

/* "scope" holds the "n_scope" iterators and declared locals that are visible at the place being checked, outermost first;
 * is_declared[i] says that some statement declares nest->var[i]. */
struct checker {
	const struct nest *nest;
	struct diag *diag;
	const struct var **scope;
	int n_scope, capacity;
	bool *is_declared;
};

#define FAIL(checker, ...) (diag_set((checker)->diag, EXIT_INPUT, __VA_ARGS__), false)

/* ---- expressions ---- */

/* Where "var" stands among the nest's variables, -1 if it does not. */
static int find_index(const struct nest *nest, const struct var *var)
{
	for (int i = 0; i < nest->n_var; i++)
		if (nest->var[i] == var)
			return i;
	return -1;
}

static bool is_listed(const struct nest *nest, const struct var *var)
{
	return find_index(nest, var) >= 0;
}

static bool is_in_scope(const struct checker *checker, const struct var *var)
{
	for (int i = checker->n_scope - 1; i >= 0; i--)
		if (checker->scope[i] == var)
			return true;
	return false;
}

static void enter_scope(struct checker *checker, const struct var *var)
{
	if (is_in_scope(checker, var))
		return;
	if (checker->n_scope == checker->capacity) {
		checker->capacity = checker->capacity ? 2 * checker->capacity : 32;
		checker->scope = memory_resize(checker->scope, sizeof(*checker->scope) * (size_t)checker->capacity);
	}
	checker->scope[checker->n_scope++] = var;
}

static bool is_visible(const struct checker *checker, const struct var *var)
{
	if (var->kind == VAR_LOCAL && !checker->is_declared[find_index(checker->nest, var)])
		return true;
	return (var->kind != VAR_ITER && var->kind != VAR_LOCAL) || is_in_scope(checker, var);
}

static bool check_expr(const struct checker *checker, const struct expr *expr);

static bool check_ref(const struct checker *checker, const struct expr *expr)
{
	const struct var *var = expr->var;

	if (!var || !is_listed(checker->nest, var))
		return FAIL(checker, "a reference to a variable that is not of the nest");
	if (expr->n != var->rank)
		return FAIL(checker, "%s has %d subscripts, not %d", var->name, expr->n, var->rank);
	if (expr->type != var->type)
		return FAIL(checker, "%s is an %s, not an %s", var->name, type_name(var->type), type_name(expr->type));
	if (!is_visible(checker, var))
		return FAIL(checker, "%s is used where it is not in scope", var->name);
	for (int i = 0; i < expr->n; i++)
		if (!type_is_integer(expr->arg[i]->type))
			return FAIL(checker, "a subscript of %s is no integer", var->name);
	return true;
}

static bool check_unary(const struct checker *checker, const struct expr *expr)
{
	enum type type = expr->op == OP_NOT ? TYPE_I32 : expr->arg[0]->type;

	if (expr->op != OP_NEG && expr->op != OP_NOT && expr->op != OP_BITNOT)
		return FAIL(checker, "'%s' has one operand", op_sign(expr->op));
	if (expr->type != type)
		return FAIL(checker, "the type of '%s' is not that of its operand", op_sign(expr->op));
	if (expr->op == OP_BITNOT && !type_is_integer(type))
		return FAIL(checker, "'~' of something that is no integer");
	return true;
}

/* Whether "op" has operands that must be integers. */
static bool wants_integers(enum op op)
{
	switch (op) {
	case OP_MOD: case OP_SHL: case OP_SHR: case OP_AND: case OP_OR: case OP_XOR: case OP_LAND: case OP_LOR:
	case OP_MIN: case OP_MAX: case OP_FLOORDIV:
		return true;
	default:
		return false;
	}
}

static bool check_binary(const struct checker *checker, const struct expr *expr)
{
	const struct expr *left = expr->arg[0], *right = expr->arg[1];
	bool is_truth = op_is_comparison(expr->op) || op_is_logic(expr->op);
	const char *sign = op_sign(expr->op);

	if (expr->op < OP_ADD || expr->op >= OP_COUNT)
		return FAIL(checker, "'%s' has two operands", sign);
	if (!op_is_logic(expr->op) && !op_is_shift(expr->op) && left->type != right->type)
		return FAIL(checker, "'%s' has operands of two types, %s and %s", sign, type_name(left->type),
			    type_name(right->type));
	if (expr->type != (is_truth ? TYPE_I32 : left->type))
		return FAIL(checker, "'%s' has a type that is not its operands'", sign);
	if (wants_integers(expr->op) && (!type_is_integer(left->type) || !type_is_integer(right->type)))
		return FAIL(checker, "'%s' has an operand that is no integer", sign);
	if (expr->op == OP_FLOORDIV && (right->kind != EXPR_INT || right->integer <= 0))
		return FAIL(checker, "floordiv by something that is no positive constant");
	return true;
}

static bool check_shape(const struct checker *checker, const struct expr *expr)
{
	switch (expr->kind) {
	case EXPR_INT:
		return type_is_integer(expr->type) || FAIL(checker, "an integer constant of type %s", type_name(expr->type));
	case EXPR_FLOAT:
		return (type_is_float(expr->type) && expr->name) ||
		       FAIL(checker, "a float constant of type %s or without spelling", type_name(expr->type));
	case EXPR_REF:
		return check_ref(checker, expr);
	case EXPR_OP:
		if (expr->n != 1 && expr->n != 2)
			return FAIL(checker, "an operator with %d operands", expr->n);
		return expr->n == 1 ? check_unary(checker, expr) : check_binary(checker, expr);
	case EXPR_SELECT:
		return (expr->n == 3 && type_is_integer(expr->arg[0]->type) && expr->arg[1]->type == expr->type &&
			expr->arg[2]->type == expr->type) ||
		       FAIL(checker, "a selection whose condition is no integer or whose sides differ in type");
	case EXPR_CAST:
		return expr->n == 1 || FAIL(checker, "a cast of %d values", expr->n);
	case EXPR_CALL:
		return (expr->name && name_is_valid(expr->name) && !call_is_reserved(expr->name)) ||
		       FAIL(checker, "a call of no function");
	}
	return FAIL(checker, "an expression of unknown kind");
}

static bool check_expr(const struct checker *checker, const struct expr *expr)
{
	for (int i = 0; i < expr->n; i++)
		if (!expr->arg[i])
			return FAIL(checker, "an expression lacks an operand");
		else if (!check_expr(checker, expr->arg[i]))
			return false;
	return check_shape(checker, expr);
}

/* Whether "expr" has but constants and params. */
static bool is_over_params(const struct expr *expr)
{
	if (expr->kind == EXPR_REF && expr->var->kind != VAR_PARAM)
		return false;
	for (int i = 0; i < expr->n; i++)
		if (!is_over_params(expr->arg[i]))
			return false;
	return true;
}

static bool check_integer(const struct checker *checker, const struct expr *expr,
			  const char *what)
{
	if (!expr)
		return FAIL(checker, "%s is missing", what);
	return check_expr(checker, expr) &&
	       (type_is_integer(expr->type) || FAIL(checker, "%s is no integer", what));
}

/* ---- variables ---- */

static bool check_extents(const struct checker *checker, const struct var *var)
{
	for (int d = 0; d < var->rank; d++) {
		const struct expr *extent = var->extent[d];

		if (!extent && d == 0 && var->kind == VAR_ARRAY)
			continue;
		if (!check_integer(checker, extent, "an extent"))
			return false;
		if (!is_over_params(extent))
			return FAIL(checker, "an extent of %s is not over params", var->name);
		if (var->kind == VAR_LOCAL && extent->kind != EXPR_INT)
			return FAIL(checker, "an extent of the local %s is no constant", var->name);
	}
	return true;
}

static bool check_var(const struct checker *checker, const struct var *var)
{
	if (!var->name || !name_is_valid(var->name))
		return FAIL(checker, "'%s' is no name", var->name ? var->name : "");
	if (nest_find_var(checker->nest, var->name) != var)
		return FAIL(checker, "two variables are called %s", var->name);
	if (var->kind == VAR_ARRAY ? var->rank < 1 : var->kind != VAR_LOCAL && var->rank != 0)
		return FAIL(checker, "%s cannot have %d dimensions", var->name, var->rank);
	if (var->rank && !var->extent)
		return FAIL(checker, "%s has no extents", var->name);
	if (var->kind == VAR_ITER && !type_is_integer(var->type))
		return FAIL(checker, "the iterator %s is no integer", var->name);
	return check_extents(checker, var);
}

/* ---- the tree ---- */

/* What a walk over a loop's body looks for: an assignment to "var". */
static bool is_not_assigned(struct node *node, void *context)
{
	return !(node->kind == NODE_STMT && node->target->var == context);
}

static bool check_bound_refs(const struct checker *checker, const struct node *loop, const struct expr *expr)
{
	const struct var *var = expr->var;

	if (expr->kind == EXPR_REF && (var->rank || var->kind == VAR_SCALAR || var == loop->iter))
		return FAIL(checker, "a bound of the loop %s reads %s", loop->iter->name, var->name);
	if (expr->kind == EXPR_REF && var->kind == VAR_LOCAL && !list_walk(&loop->body, is_not_assigned, (void *)var))
		return FAIL(checker, "the loop %s assigns to %s, which its bounds read", loop->iter->name, var->name);
	for (int i = 0; i < expr->n; i++)
		if (!check_bound_refs(checker, loop, expr->arg[i]))
			return false;
	return true;
}

/* Whether a loop over lo..hi has more than "most" iterations. */
static bool is_longer(int64_t lo, int64_t hi, int64_t step, int most)
{
	uint64_t length = hi > lo ? (uint64_t)hi - (uint64_t)lo : 0;

	return length / (uint64_t)step + (length % (uint64_t)step != 0) > (uint64_t)most;
}

static bool check_marks(const struct checker *checker, const struct node *loop)
{
	const struct loop_marks *marks = &loop->marks;

	if (marks->vector < 0 || (marks->staged && !marks->vector) || marks->unroll < UNROLL_FULL || marks->edge > EDGE_BACK)
		return FAIL(checker, "the loop %s has marks of no meaning", loop->iter->name);
	if (marks->unroll == UNROLL_FULL && loop->lo->kind == EXPR_INT && loop->hi->kind == EXPR_INT &&
	    is_longer(loop->lo->integer, loop->hi->integer, loop->step, 64))
		return FAIL(checker, "the loop %s is too long to unroll in full", loop->iter->name);
	return true;
}

static bool check_loop(const struct checker *checker, const struct node *node)
{
	if (!node->iter || node->iter->kind != VAR_ITER || !is_listed(checker->nest, node->iter))
		return FAIL(checker, "a loop has no iterator of the nest");
	if (node->step <= 0)
		return FAIL(checker, "the loop %s does not count upwards", node->iter->name);
	if (is_in_scope(checker, node->iter))
		return FAIL(checker, "two loops around each other have the iterator %s", node->iter->name);
	return check_integer(checker, node->lo, "a lower bound") &&
	       check_integer(checker, node->hi, "an upper bound") &&
	       check_bound_refs(checker, node, node->lo) && check_bound_refs(checker, node, node->hi) &&
	       check_marks(checker, node);
}

static bool check_target(const struct checker *checker, const struct node *node)
{
	const struct expr *target = node->target;
	const struct var *var;

	if (!target || target->kind != EXPR_REF || !target->var)
		return FAIL(checker, "S%d assigns to something that is no variable", node->label);
	var = target->var;
	if (var->kind == VAR_PARAM || var->kind == VAR_ITER)
		return FAIL(checker, "S%d assigns to %s, which is constant here", node->label, var->name);
	if (var->kind != VAR_LOCAL && !var->is_written)
		return FAIL(checker, "S%d writes %s, which counts as not written", node->label, var->name);
	if (!node->declares)
		return check_expr(checker, target);
	if (var->kind != VAR_LOCAL || !is_listed(checker->nest, var) || target->n != 0 || node->op != OP_NONE ||
	    (var->rank && node->value))
		return FAIL(checker, "S%d is no declaration of a local", node->label);
	return true;
}

static bool check_value(const struct checker *checker, const struct node *node)
{
	const struct expr *target = node->target, *value = node->value;

	if (!value)
		return node->declares || FAIL(checker, "S%d assigns nothing", node->label);
	if (!check_expr(checker, value))
		return false;
	if (node->op != OP_NONE && !op_is_assignment(node->op))
		return FAIL(checker, "S%d has an operator that cannot stand before '='", node->label);
	if (op_is_shift(node->op) ? !type_is_integer(value->type) : value->type != target->type)
		return FAIL(checker, "S%d assigns an %s to %s, an %s", node->label, type_name(value->type),
			    target->var->name, type_name(target->type));
	if (wants_integers(node->op) && !type_is_integer(target->type))
		return FAIL(checker, "S%d has an operator of integers", node->label);
	return true;
}

static bool check_origin(const struct checker *checker, const struct node *node)
{
	if (node->n_origin && !node->origin)
		return FAIL(checker, "S%d counts %d origins but has none", node->label, node->n_origin);
	for (int i = 0; node->origin && i < node->n_origin; i++)
		if (!check_integer(checker, node->origin[i], "an origin"))
			return false;
	return true;
}

static bool check_stmt(const struct checker *checker, const struct node *node)
{
	if (node->label >= checker->nest->n_label || node->label < -1 || (node->label < 0 && !node->declares))
		return FAIL(checker, "a statement has the label %d of %d", node->label, checker->nest->n_label);
	return check_target(checker, node) && check_value(checker, node) &&
	       check_origin(checker, node);
}

static bool check_list(struct checker *checker, const struct list *list);

static bool check_body(struct checker *checker, const struct node *node)
{
	int outside = checker->n_scope;
	bool is_good;

	enter_scope(checker, node->iter);
	is_good = check_list(checker, &node->body);
	checker->n_scope = outside;
	return is_good;
}

static bool check_node(struct checker *checker, const struct node *node)
{
	if (!node)
		return FAIL(checker, "a list holds nothing where a node should be");
	switch (node->kind) {
	case NODE_LOOP:
		return check_loop(checker, node) && check_body(checker, node);
	case NODE_IF:
		return check_integer(checker, node->cond, "a condition") && check_list(checker, &node->body) &&
		       check_list(checker, &node->orelse);
	case NODE_STMT:
		return check_stmt(checker, node);
	}
	return FAIL(checker, "a node of unknown kind");
}

/* What a statement declares is in scope from the next one to the end of the list. */
static bool check_list(struct checker *checker, const struct list *list)
{
	int outside = checker->n_scope;

	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];

		if (!check_node(checker, node))
			return false;
		if (node->kind == NODE_STMT && node->declares)
			enter_scope(checker, node->target->var);
	}
	checker->n_scope = outside;
	return true;
}

/* ---- the whole ---- */

/* Copies of one statement have equally many origins; "seen" holds that number by label, or -1. */
struct depths {
	const struct checker *checker;
	int *seen;
};

static bool check_depth(struct node *node, void *context)
{
	const struct depths *depths = context;
	int *seen;

	if (node->kind != NODE_STMT || node->label < 0 || !node->origin)
		return true;
	seen = &depths->seen[node->label];
	if (*seen >= 0 && *seen != node->n_origin)
		return FAIL(depths->checker, "copies of S%d have origins of different length", node->label);
	*seen = node->n_origin;
	return true;
}

static bool check_depths(const struct checker *checker)
{
	int n = checker->nest->n_label;
	struct depths depths = { checker, memory_alloc(sizeof(int) * (size_t)n) };
	bool is_good;

	for (int i = 0; i < n; i++)
		depths.seen[i] = -1;
	is_good = list_walk(&checker->nest->body, check_depth, &depths);
	free(depths.seen);
	return is_good;
}

static bool reads_unread(struct expr *expr, void *context)
{
	struct checker *checker = context;

	return expr->kind != EXPR_REF || expr->var->kind != VAR_ARRAY || expr->var->is_read ||
	       FAIL(checker, "%s is read, but counts as not read", expr->var->name);
}

/* Arrays that a statement reads are marked as read. */
static bool check_reads(struct node *node, void *context)
{
	struct checker *checker = context;

	if (node->kind != NODE_STMT)
		return !node->cond || expr_walk(node->cond, reads_unread, checker);
	for (int i = 0; i < node->target->n; i++)
		if (!expr_walk(node->target->arg[i], reads_unread, checker))
			return false;
	if (node->op != OP_NONE && !reads_unread(node->target, checker))
		return false;
	return !node->value || expr_walk(node->value, reads_unread, checker);
}

static bool check_assumption(const struct checker *checker, const struct expr *condition)
{
	if (!check_integer(checker, condition, "an assumption"))
		return false;
	return (condition->type == TYPE_I32 && is_over_params(condition)) ||
	       FAIL(checker, "an assumption is no i32 over params");
}

static bool note_declaration(struct node *node, void *context)
{
	struct checker *checker = context;

	if (node && node->kind == NODE_STMT && node->declares && node->target) {
		int index = find_index(checker->nest, node->target->var);

		if (index >= 0)
			checker->is_declared[index] = true;
	}
	return node != NULL;
}

static bool check_nest(struct checker *checker)
{
	const struct nest *nest = checker->nest;

	for (int i = 0; i < nest->n_var; i++)
		if (!check_var(checker, nest->var[i]))
			return false;
	for (int i = 0; i < nest->n_assumption; i++)
		if (!check_assumption(checker, nest->assumption[i]))
			return false;
	return check_list(checker, &nest->body) && check_depths(checker) &&
	       list_walk(&nest->body, check_reads, checker);
}

bool nest_check(const struct nest *nest, struct diag *diag)
{
	struct checker checker = { .nest = nest, .diag = diag };
	bool is_good;

	if (!nest->arena || !nest->name || nest->n_label < 0)
		return FAIL(&checker, "a nest without arena or name");
	checker.is_declared = memory_alloc((size_t)nest->n_var);
	is_good = list_walk(&nest->body, note_declaration, &checker) && check_nest(&checker);
	free(checker.is_declared);
	free(checker.scope);
	return is_good;
}
