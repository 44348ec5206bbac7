#include "nest_run.h"

#include <math.h>
#include <string.h>

#include "support/rng.h"

static int run_var_size(const struct var *var)
{
	int size = 1;

	for (int i = 0; i < var->rank; i++)
		size *= NEST_RUN_SIZE;
	return size;
}

/* Where the values of "var" start; room is made for a variable that is new. */
static int run_find(struct nest_memory *memory, const struct var *var)
{
	for (int i = 0; i < memory->n; i++)
		if (!strcmp(memory->name[i], var->name))
			return memory->at[i];
	if (memory->n == NEST_RUN_VARS || memory->used + run_var_size(var) > (int)(sizeof(memory->value) / sizeof(double))) {
		memory->failed = true;
		return 0;
	}
	memory->name[memory->n] = var->name;
	memory->at[memory->n] = memory->used;
	memory->used += run_var_size(var);
	return memory->at[memory->n++];
}

static double run_round(enum type type, double value)
{
	return type == TYPE_F32 ? (double)(float)value : type_is_integer(type) ? trunc(value) : value;
}

void nest_memory_init(struct nest_memory *memory, const struct nest *nest, uint64_t seed, int lo, int hi)
{
	struct rng rng;

	memset(memory, 0, sizeof(*memory));
	rng_seed(&rng, seed);
	for (int i = 0; i < nest->n_var; i++) {
		const struct var *var = nest->var[i];
		const bool is_size = var->kind == VAR_PARAM && type_is_integer(var->type);
		const int at = run_find(memory, var);

		for (int j = 0; j < run_var_size(var); j++)
			memory->value[at + j] = is_size ? lo + (double)rng_below(&rng, (uint64_t)(hi - lo))
							: run_round(var->type, 4 * rng_uniform(&rng) - 2);
	}
}

static double run_expr(struct nest_memory *memory, const struct expr *expr);

static double *run_element(struct nest_memory *memory, const struct expr *ref)
{
	int offset = 0;

	for (int i = 0; i < ref->n; i++) {
		const double subscript = run_expr(memory, ref->arg[i]);

		if (subscript < 0 || subscript >= NEST_RUN_SIZE) {
			memory->failed = true;
			return memory->value;
		}
		offset = offset * NEST_RUN_SIZE + (int)subscript;
	}
	return memory->value + run_find(memory, ref->var) + offset;
}

static double run_integer_op(struct nest_memory *memory, enum op op, double left, double right)
{
	switch (op) {
	case OP_FLOORDIV:
		return floor(left / right);
	case OP_DIV:
		return trunc(left / right);
	case OP_MOD:
		return fmod(left, right);
	case OP_MIN:
		return left < right ? left : right;
	case OP_MAX:
		return left > right ? left : right;
	default:
		memory->failed = true;
		return 0;
	}
}

static double run_binary(struct nest_memory *memory, const struct expr *expr)
{
	const double left = run_expr(memory, expr->arg[0]);
	double right;

	if (expr->op == OP_LAND && !left)
		return 0;
	if (expr->op == OP_LOR && left)
		return 1;
	right = run_expr(memory, expr->arg[1]);
	switch (expr->op) {
	case OP_ADD: return left + right;
	case OP_SUB: return left - right;
	case OP_MUL: return left * right;
	case OP_LT: return left < right;
	case OP_LE: return left <= right;
	case OP_GT: return left > right;
	case OP_GE: return left >= right;
	case OP_EQ: return left == right;
	case OP_NE: return left != right;
	case OP_LAND: case OP_LOR: return right != 0;
	case OP_DIV: return type_is_float(expr->type) ? left / right : run_integer_op(memory, OP_DIV, left, right);
	default: return run_integer_op(memory, expr->op, left, right);
	}
}

static double run_call(struct nest_memory *memory, const struct expr *expr)
{
	const double first = run_expr(memory, expr->arg[0]);
	const double second = expr->n > 1 ? run_expr(memory, expr->arg[1]) : 0;

	if (!strncmp(expr->name, "fabs", 4))
		return fabs(first);
	if (!strncmp(expr->name, "fmax", 4))
		return fmax(first, second);
	if (!strncmp(expr->name, "fmin", 4))
		return fmin(first, second);
	memory->failed = true;
	return 0;
}

static double run_expr(struct nest_memory *memory, const struct expr *expr)
{
	switch (expr->kind) {
	case EXPR_INT:
		return (double)expr->integer;
	case EXPR_FLOAT:
		return run_round(expr->type, expr->real);
	case EXPR_REF:
		return *run_element(memory, expr);
	case EXPR_SELECT:
		return run_expr(memory, expr->arg[run_expr(memory, expr->arg[0]) ? 1 : 2]);
	case EXPR_CAST:
		return run_round(expr->type, run_expr(memory, expr->arg[0]));
	case EXPR_CALL:
		return run_round(expr->type, run_call(memory, expr));
	case EXPR_OP:
		break;
	}
	if (expr->op == OP_NEG)
		return -run_expr(memory, expr->arg[0]);
	if (expr->op == OP_NOT)
		return !run_expr(memory, expr->arg[0]);
	return run_round(expr->type, run_binary(memory, expr));
}

static double run_value(struct nest_memory *memory, const struct node *stmt)
{
	struct expr both = { .kind = EXPR_OP, .type = stmt->target->type, .op = stmt->op, .n = 2,
			     .arg = (struct expr *[]){ stmt->target, stmt->value } };

	return run_expr(memory, stmt->op == OP_NONE ? stmt->value : &both);
}

static void run_list(struct nest_memory *memory, const struct list *list);

static bool run_is_straight(const struct list *list)
{
	for (int i = 0; i < list->n; i++)
		if (list->node[i]->kind != NODE_STMT)
			return false;
	return true;
}

/* The values of the locals that each lane declares for itself. */
struct run_lanes {
	int n, lanes;
	int at[NEST_RUN_VARS];
	double value[NEST_RUN_LANES][NEST_RUN_VARS];
};

static void run_swap_in(struct nest_memory *memory, const struct run_lanes *lanes, int lane)
{
	for (int i = 0; i < lanes->n; i++)
		memory->value[lanes->at[i]] = lanes->value[lane][i];
}

/* Run iterations first, first + step, .. of the straight body together: each statement's values in all lanes, then its
 * writes. */
static void run_vector(struct nest_memory *memory, const struct node *loop, double first, int lanes)
{
	const int iter = run_find(memory, loop->iter);
	struct run_lanes all = { .lanes = lanes };

	for (int i = 0; i < loop->body.n; i++) {
		const struct node *stmt = loop->body.node[i];
		double value[NEST_RUN_LANES], *element[NEST_RUN_LANES] = { memory->value };

		for (int lane = 0; lane < lanes; lane++) {
			memory->value[iter] = first + (double)lane * (double)loop->step;
			run_swap_in(memory, &all, lane);
			value[lane] = stmt->value ? run_value(memory, stmt) : 0;
			element[lane] = run_element(memory, stmt->target);
		}
		if (stmt->declares)
			all.at[all.n++] = (int)(element[0] - memory->value);
		for (int lane = 0; lane < lanes; lane++) {
			if (stmt->value)
				*element[lane] = value[lane];
			for (int j = 0; j < all.n; j++)
				if (element[lane] == memory->value + all.at[j])
					all.value[lane][j] = value[lane];
		}
	}
}

static void run_loop(struct nest_memory *memory, const struct node *loop)
{
	const double lo = run_expr(memory, loop->lo), hi = run_expr(memory, loop->hi), step = (double)loop->step;
	const int iter = run_find(memory, loop->iter);
	const int trip = hi > lo ? (int)ceil((hi - lo) / step) : 0;
	const bool is_vector = loop->marks.vector && run_is_straight(&loop->body);
	const int lanes = is_vector ? loop->marks.vector : 1;

	for (int i = 0; i < trip && !memory->failed; i += lanes) {
		const int at = loop->marks.parallel ? trip - 1 - i : i;

		memory->value[iter] = lo + at * step;
		if (is_vector)
			run_vector(memory, loop, lo + i * step, trip - i < lanes ? trip - i : lanes);
		else
			run_list(memory, &loop->body);
	}
}

static void run_list(struct nest_memory *memory, const struct list *list)
{
	for (int i = 0; i < list->n && !memory->failed; i++) {
		const struct node *node = list->node[i];

		if (node->kind == NODE_LOOP)
			run_loop(memory, node);
		else if (node->kind == NODE_IF)
			run_list(memory, run_expr(memory, node->cond) ? &node->body : &node->orelse);
		else if (node->value)
			*run_element(memory, node->target) = run_value(memory, node);
	}
}

void nest_run(struct nest_memory *memory, const struct nest *nest)
{
	run_list(memory, &nest->body);
}

bool nest_memory_equal(const struct nest_memory *a, const struct nest_memory *b, const struct nest *nest)
{
	for (int i = 0; i < nest->n_var; i++) {
		const struct var *var = nest->var[i];

		if (var->kind == VAR_LOCAL || var->kind == VAR_ITER)
			continue;
		for (int j = 0; j < a->n; j++)
			if (!strcmp(a->name[j], var->name) &&
			    memcmp(a->value + a->at[j], b->value + a->at[j], sizeof(double) * (size_t)run_var_size(var)))
				return false;
	}
	return true;
}
