#include "fuzz_interpret.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/rng.h"

#include "fuzz_rounding.h"

enum { VARS_MAX = 256, RANK_MAX = 8, LANES_MAX = 64, RUNS = 7 };
static const int64_t CELLS_MAX = 1 << 20, STEPS_MAX = 400000;

/* "rounding" is of the real. */
struct cell {
	bool is_set;
	int64_t integer;
	double real;
	struct rounding rounding;
};

/* The memory of a run: cell[v] are the "count[v]" elements of nest->var[v]. "is_unstable": a condition compared floats,
 * or one became an integer, so close to where the answer changes that rounding in another order may change it. */
struct memory {
	struct arena *arena;
	const struct nest *nest;
	struct cell *cell[VARS_MAX];
	int64_t count[VARS_MAX], extent[VARS_MAX][RANK_MAX];
	const char *fault;
	bool is_unstable;
	int64_t steps;
};

static struct cell zero(void)
{
	return (struct cell){ .is_set = true };
}

static void fail_at(struct memory *memory, const char *what, const char *name)
{
	if (!memory->fault)
		memory->fault = arena_printf(memory->arena, "%s %s", what, name);
}

static int number_of(const struct memory *memory, const struct var *var)
{
	int v = 0;

	while (v < memory->nest->n_var && memory->nest->var[v] != var)
		v++;
	return v;
}

/* ---- arithmetic ---- */

static int64_t wrapped(enum type type, int64_t value)
{
	switch (type) {
	case TYPE_I8: return (int8_t)value;
	case TYPE_U8: return (uint8_t)value;
	case TYPE_I16: return (int16_t)value;
	case TYPE_U16: return (uint16_t)value;
	case TYPE_I32: return (int32_t)value;
	case TYPE_U32: return (uint32_t)value;
	default: return value;
	}
}

/* "value" as a value of "type"; a signed one that does not fit is a fault when "is_strict". */
static struct cell of_integer(struct memory *memory, enum type type, __int128 value, bool is_strict)
{
	struct cell cell = { .is_set = true, .integer = wrapped(type, (int64_t)value) };

	if (is_strict && type_is_signed(type) && type_size(type) >= 4 && (__int128)cell.integer != value)
		fail_at(memory, "overflow of", type_name(type));
	return cell;
}

static struct cell of_real(enum type type, long double value, struct rounding rounding)
{
	double rounded = type == TYPE_F32 ? (double)(float)value : (double)value;

	return (struct cell){ .is_set = true, .real = rounded, .rounding = rounding };
}

/* A float as it stands in memory or in the text. */
static struct cell given_real(double value)
{
	return (struct cell){ .is_set = true, .real = value, .rounding = rounding_none(value) };
}

static __int128 magnitude(enum type type, int64_t value)
{
	return type == TYPE_U64 ? (__int128)(uint64_t)value : value;
}

static struct cell real_op(struct memory *memory, const struct expr *expr, const struct cell *a, const struct cell *b)
{
	struct rounding rounding = rounding_binary(expr->op, expr->type, a->real, &a->rounding, b->real, &b->rounding);

	switch (expr->op) {
	case OP_ADD: return of_real(expr->type, (long double)a->real + b->real, rounding);
	case OP_SUB: return of_real(expr->type, (long double)a->real - b->real, rounding);
	case OP_MUL: return of_real(expr->type, (long double)a->real * b->real, rounding);
	case OP_DIV: return of_real(expr->type, (long double)a->real / b->real, rounding);
	default:
		fail_at(memory, "cannot run an operator of", type_name(expr->type));
		return zero();
	}
}

static struct cell integer_op(struct memory *memory, const struct expr *expr, int64_t left, int64_t right)
{
	__int128 a = magnitude(expr->arg[0]->type, left), b = magnitude(expr->arg[1]->type, right), result = 0;

	switch (expr->op) {
	case OP_ADD: result = a + b; break;
	case OP_SUB: result = a - b; break;
	case OP_MUL: result = a * b; break;
	case OP_DIV: case OP_MOD: case OP_FLOORDIV:
		if (b == 0) {
			fail_at(memory, "division by zero", "");
			return zero();
		}
		result = expr->op == OP_MOD ? a % b : a / b;
		if (expr->op == OP_FLOORDIV && a % b != 0 && (a < 0) != (b < 0))
			result--;
		break;
	case OP_SHL: result = a << (b & 63); break;
	case OP_SHR: result = a >> (b & 63); break;
	case OP_AND: result = a & b; break;
	case OP_OR: result = a | b; break;
	case OP_XOR: result = a ^ b; break;
	case OP_MIN: result = a < b ? a : b; break;
	case OP_MAX: result = a > b ? a : b; break;
	default: fail_at(memory, "cannot run an operator", "");
	}
	return of_integer(memory, expr->type, result, true);
}

static bool compare(enum op op, int order, bool is_ordered)
{
	switch (op) {
	case OP_LT: return is_ordered && order < 0;
	case OP_LE: return is_ordered && order <= 0;
	case OP_GT: return is_ordered && order > 0;
	case OP_GE: return is_ordered && order >= 0;
	case OP_EQ: return is_ordered && order == 0;
	default: return !is_ordered || order != 0;
	}
}

static struct cell run_expr(struct memory *memory, const struct expr *expr);

/* Note a question whose answer changes at "distance" from the value that was found. NOTE: both this run and one in another order
 * may be off by "error". */
static void note_question(struct memory *memory, double distance, double error)
{
	memory->is_unstable |= error > 0 && !(fabs(distance) > 2 * error);
}

static bool is_true(struct memory *memory, const struct expr *expr)
{
	struct cell cell = run_expr(memory, expr);

	if (type_is_float(expr->type))
		note_question(memory, cell.real, rounding_error(&cell.rounding));
	return type_is_float(expr->type) ? cell.real != 0 : cell.integer != 0;
}

static struct cell run_comparison(struct memory *memory, const struct expr *expr)
{
	enum type type = expr->arg[0]->type;
	struct cell a = run_expr(memory, expr->arg[0]), b = run_expr(memory, expr->arg[1]);
	__int128 left = magnitude(type, a.integer), right = magnitude(type, b.integer);
	bool is_ordered = !type_is_float(type) || (!isnan(a.real) && !isnan(b.real));
	int order = type_is_float(type) ? (a.real > b.real) - (a.real < b.real) : (left > right) - (left < right);

	if (type_is_float(type))
		note_question(memory, a.real - b.real, rounding_error(&a.rounding) + rounding_error(&b.rounding));
	return of_integer(memory, TYPE_I32, compare(expr->op, order, is_ordered), false);
}

static struct cell run_op(struct memory *memory, const struct expr *expr)
{
	struct cell a, b;

	if (expr->op >= OP_LT && expr->op <= OP_NE)
		return run_comparison(memory, expr);
	if (expr->op == OP_LAND || expr->op == OP_LOR)
		return of_integer(memory, TYPE_I32,
				  expr->op == OP_LAND ? is_true(memory, expr->arg[0]) && is_true(memory, expr->arg[1])
						      : is_true(memory, expr->arg[0]) || is_true(memory, expr->arg[1]), false);
	if (expr->op == OP_NOT)
		return of_integer(memory, TYPE_I32, !is_true(memory, expr->arg[0]), false);
	a = run_expr(memory, expr->arg[0]);
	if (expr->op == OP_NEG)
		return type_is_float(expr->type) ? (struct cell){ true, 0, -a.real, a.rounding }
						 : of_integer(memory, expr->type, -magnitude(expr->type, a.integer), true);
	if (expr->op == OP_BITNOT)
		return of_integer(memory, expr->type, ~a.integer, false);
	b = run_expr(memory, expr->arg[1]);
	return type_is_float(expr->type) ? real_op(memory, expr, &a, &b) : integer_op(memory, expr, a.integer, b.integer);
}

static struct cell run_call(struct memory *memory, const struct expr *expr)
{
	struct cell a = run_expr(memory, expr->arg[0]), b = expr->n > 1 ? run_expr(memory, expr->arg[1]) : a;

	if (strncmp(expr->name, "fabs", 4) == 0)
		return (struct cell){ true, 0, fabs(a.real), a.rounding };
	if (strncmp(expr->name, "fmax", 4) == 0 || strncmp(expr->name, "fmin", 4) == 0)
		return (struct cell){ true, 0, expr->name[2] == 'a' ? fmax(a.real, b.real) : fmin(a.real, b.real),
				      rounding_either(&a.rounding, &b.rounding) };
	if (strncmp(expr->name, "sqrt", 4) == 0)
		return of_real(expr->type,
			       expr->type == TYPE_F32 ? (long double)sqrtf((float)a.real) : (long double)sqrt(a.real),
			       rounding_sqrt(expr->type, a.real, &a.rounding));
	fail_at(memory, "cannot call", expr->name);
	return zero();
}

/* A float as an integer: what lies between two whole numbers must not come near either. */
static struct cell truncate_real(struct memory *memory, enum type type, const struct cell *cell)
{
	note_question(memory, cell->real - nearbyint(cell->real), rounding_error(&cell->rounding));
	return of_integer(memory, type, (__int128)cell->real, false);
}

static struct cell run_cast(struct memory *memory, const struct expr *expr)
{
	enum type from = expr->arg[0]->type;
	struct cell cell = run_expr(memory, expr->arg[0]);

	if (!type_is_float(expr->type))
		return type_is_float(from) ? truncate_real(memory, expr->type, &cell)
					   : of_integer(memory, expr->type, cell.integer, false);
	if (!type_is_float(from)) {
		long double value = (long double)magnitude(from, cell.integer);
		struct rounding exact = rounding_none((double)value);

		return of_real(expr->type, value, rounding_convert(expr->type, &exact));
	}
	return of_real(expr->type, (long double)cell.real, rounding_convert(expr->type, &cell.rounding));
}

/* ---- memory ---- */

static struct cell *find_element(struct memory *memory, const struct expr *ref)
{
	static struct cell nowhere;
	int v = number_of(memory, ref->var);
	int64_t offset = 0;

	for (int d = 0; d < ref->n; d++) {
		int64_t at = run_expr(memory, ref->arg[d]).integer;

		if (at < 0 || at >= memory->extent[v][d]) {
			fail_at(memory, "a subscript out of bounds of", ref->var->name);
			nowhere = zero();
			return &nowhere;
		}
		offset = offset * memory->extent[v][d] + at;
	}
	return &memory->cell[v][offset];
}

static struct cell run_ref(struct memory *memory, const struct expr *ref)
{
	struct cell cell = *find_element(memory, ref);

	if (!cell.is_set)
		fail_at(memory, "an unset value is read from", ref->var->name);
	return cell;
}

static struct cell run_expr(struct memory *memory, const struct expr *expr)
{
	switch (expr->kind) {
	case EXPR_INT: return (struct cell){ .is_set = true, .integer = expr->integer };
	case EXPR_FLOAT: return given_real(expr->type == TYPE_F32 ? (double)(float)expr->real : expr->real);
	case EXPR_REF: return run_ref(memory, expr);
	case EXPR_SELECT: return run_expr(memory, expr->arg[is_true(memory, expr->arg[0]) ? 1 : 2]);
	case EXPR_CAST: return run_cast(memory, expr);
	case EXPR_CALL: return run_call(memory, expr);
	case EXPR_OP: return run_op(memory, expr);
	}
	return zero();
}

/* ---- nodes ---- */

static struct cell run_value(struct memory *memory, const struct node *stmt)
{
	struct expr *arg[2] = { stmt->target, stmt->value };
	struct expr update = { .kind = EXPR_OP, .type = stmt->target->type, .op = stmt->op, .n = 2, .arg = arg };

	return run_expr(memory, stmt->op == OP_NONE ? stmt->value : &update);
}

/* A copy that an action made may copy what is not set. */
static bool is_copy(const struct node *stmt)
{
	return !stmt->origin && stmt->op == OP_NONE && stmt->value && stmt->value->kind == EXPR_REF;
}

static void run_stmt(struct memory *memory, const struct node *stmt)
{
	int v = number_of(memory, stmt->target->var);

	if (is_copy(stmt)) {
		*find_element(memory, stmt->target) = *find_element(memory, stmt->value);
	} else if (stmt->value) {
		struct cell value = run_value(memory, stmt);

		*find_element(memory, stmt->target) = value;
	} else {
		for (int64_t e = 0; e < memory->count[v]; e++)
			memory->cell[v][e].is_set = false;
	}
}

static void run_list(struct memory *memory, const struct list *list);

static bool is_straight(const struct node *loop)
{
	for (int i = 0; i < loop->body.n; i++)
		if (loop->body.node[i]->kind != NODE_STMT || loop->body.node[i]->target->var->kind == VAR_LOCAL)
			return false;
	return true;
}

/* Whether lanes may meet in the target: a reduction, whose lanes are folded into it one by one. */
static bool is_folding(const struct node *stmt)
{
	return stmt->op != OP_NONE || (stmt->value && expr_uses(stmt->value, stmt->target->var));
}

static void run_vector(struct memory *memory, const struct node *loop, int64_t first, int lanes)
{
	struct cell *iter = memory->cell[number_of(memory, loop->iter)], value[LANES_MAX], *element[LANES_MAX];

	for (int i = 0; i < loop->body.n; i++) {
		const struct node *stmt = loop->body.node[i];

		for (int l = 0; l < lanes; l++) {
			*iter = (struct cell){ .is_set = true, .integer = first + l * loop->step };
			if (is_folding(stmt)) {
				run_stmt(memory, stmt);
				continue;
			}
			value[l] = is_copy(stmt) ? *find_element(memory, stmt->value) : run_value(memory, stmt);
			element[l] = find_element(memory, stmt->target);
		}
		for (int l = 0; l < lanes && !is_folding(stmt); l++)
			*element[l] = value[l];
	}
}

static void run_loop(struct memory *memory, const struct node *loop)
{
	int64_t lo = run_expr(memory, loop->lo).integer, hi = run_expr(memory, loop->hi).integer;
	int64_t trip = lo < hi ? (hi - lo + loop->step - 1) / loop->step : 0;
	bool is_vector = loop->marks.vector > 1 && loop->marks.vector <= LANES_MAX && is_straight(loop);
	int lanes = is_vector ? loop->marks.vector : 1;
	struct cell *iter = memory->cell[number_of(memory, loop->iter)];

	for (int64_t i = 0; i < trip && !memory->fault; i += lanes) {
		int64_t at = lo + (loop->marks.parallel && !is_vector ? trip - 1 - i : i) * loop->step;

		*iter = (struct cell){ .is_set = true, .integer = at };
		if (is_vector)
			run_vector(memory, loop, at, trip - i < lanes ? (int)(trip - i) : lanes);
		else
			run_list(memory, &loop->body);
	}
}

static void run_list(struct memory *memory, const struct list *list)
{
	if (++memory->steps > STEPS_MAX)
		fail_at(memory, "more than the limit of steps", "");
	for (int i = 0; i < list->n && !memory->fault; i++) {
		const struct node *node = list->node[i];

		if (node->kind == NODE_LOOP)
			run_loop(memory, node);
		else if (node->kind == NODE_IF)
			run_list(memory, is_true(memory, node->cond) ? &node->body : &node->orelse);
		else
			run_stmt(memory, node);
	}
}

/* ---- starting and comparing ---- */

static struct cell draw_cell(struct rng *rng, enum type type, bool is_whole)
{
	int64_t integer = (int64_t)rng_below(rng, 401) - 200;
	double real = is_whole ? (double)rng_below(rng, 7) - 3 : 4 * rng_uniform(rng) - 2;

	real = type == TYPE_F32 ? (double)(float)real : real;
	return (struct cell){ true, wrapped(type, integer), real, rounding_none(real) };
}

/* A size of the run: the first ones are small. */
static int64_t draw_size(struct rng *rng, int run, int depth)
{
	static const int most[] = { 40, 40, 24, 11, 7, 5 };

	if (run < 2)
		return run;
	return (int64_t)rng_below(rng, (uint64_t)(run < 4 ? 6 : most[depth > 5 ? 5 : depth] + 2)) - 1;
}

static void start_var(struct memory *memory, int v, uint64_t seed, int run, int depth)
{
	const struct var *var = memory->nest->var[v];
	bool is_outer = var->kind != VAR_LOCAL && var->kind != VAR_ITER, is_index = strncmp(var->name, "index", 5) == 0;
	struct rng rng;

	rng_seed(&rng, rng_derive(seed, var->name));
	memory->count[v] = 1;
	for (int d = 0; d < var->rank && d < RANK_MAX; d++) {
		memory->extent[v][d] = run_expr(memory, var->extent[d]).integer;
		memory->count[v] *= memory->extent[v][d] > 0 ? memory->extent[v][d] : 0;
	}
	if (memory->count[v] > CELLS_MAX || var->rank > RANK_MAX) {
		fail_at(memory, "too large:", var->name);
		memory->count[v] = 1;
	}
	memory->cell[v] = memory_alloc((size_t)(memory->count[v] + 1) * sizeof(struct cell));
	for (int64_t e = 0; e < memory->count[v] && is_outer; e++) {
		struct cell *cell = &memory->cell[v][e];

		*cell = draw_cell(&rng, var->type, run % 2);
		if (var->kind == VAR_PARAM || is_index)
			cell->integer = is_index ? (int64_t)rng_below(&rng, run < 2 ? 2 : 3) : draw_size(&rng, run, depth);
	}
}

static void memory_start(struct memory *memory, struct arena *arena, const struct nest *nest, uint64_t seed, int run, int depth)
{
	memset(memory, 0, sizeof(*memory));
	memory->arena = arena;
	memory->nest = nest;
	for (int v = 0; v < nest->n_var; v++)
		if (nest->var[v]->kind == VAR_PARAM)
			start_var(memory, v, seed, run, depth);
	for (int v = 0; v < nest->n_var; v++)
		if (nest->var[v]->kind != VAR_PARAM)
			start_var(memory, v, seed, run, depth);
}

static void memory_stop(struct memory *memory)
{
	for (int v = 0; v < memory->nest->n_var; v++)
		free(memory->cell[v]);
}

/* How far two orders of evaluation may be apart: each is off by what its number of operations allows. The magnitude of the
 * terms is that of the original, so that a wrong result cannot excuse itself by its own. */
static double distance_allowed(const struct rounding *original, const struct rounding *rewritten)
{
	struct rounding other = *original;

	other.operations = rewritten->operations;
	return rounding_error(original) + rounding_error(&other);
}

static bool is_same(const struct cell *a, const struct cell *b, enum type type, enum fp_mode mode)
{
	if (!type_is_float(type))
		return a->integer == b->integer;
	if (memcmp(&a->real, &b->real, sizeof(double)) == 0 || (isnan(a->real) && isnan(b->real)))
		return true;
	if (mode != FP_REASSOC)
		return false;
	if (!isfinite(a->real) || !isfinite(b->real))
		return true;
	return fabs(a->real - b->real) <= distance_allowed(&a->rounding, &b->rounding);
}

static const char *params_text(const struct memory *memory)
{
	const char *text = "";

	for (int v = 0; v < memory->nest->n_var; v++)
		if (memory->nest->var[v]->kind == VAR_PARAM && type_is_integer(memory->nest->var[v]->type))
			text = arena_printf(memory->arena, "%s%s=%lld ", text, memory->nest->var[v]->name,
					    (long long)memory->cell[v]->integer);
	return text;
}

static const char *compare_var(const struct memory *a, const struct memory *b, int v, enum fp_mode mode)
{
	const struct var *var = a->nest->var[v], *other = nest_find_var(b->nest, var->name);
	int w = other ? number_of(b, other) : -1;

	for (int64_t e = 0; w >= 0 && e < a->count[v]; e++)
		if (!is_same(&a->cell[v][e], &b->cell[w][e], var->type, mode))
			return arena_printf(a->arena, "%s: element %lld of %s is %.9g or %lld, not %.9g or %lld", params_text(a),
					    (long long)e, var->name, b->cell[w][e].real, (long long)b->cell[w][e].integer,
					    a->cell[v][e].real, (long long)a->cell[v][e].integer);
	return NULL;
}

static bool holds(struct memory *memory)
{
	for (int i = 0; i < memory->nest->n_assumption; i++)
		if (!is_true(memory, memory->nest->assumption[i]))
			return false;
	return true;
}

static const char *find_difference(struct memory *a, struct memory *b, enum fp_mode mode, bool *faulty)
{
	const char *difference = NULL;

	if (!holds(a))
		return NULL;
	run_list(a, &a->nest->body);
	if (a->fault && a->steps <= STEPS_MAX) {
		*faulty = true;
		return arena_printf(a->arena, "%s: the original: %s", params_text(a), a->fault);
	}
	if (a->fault || (mode == FP_REASSOC && a->is_unstable))
		return NULL;
	run_list(b, &b->nest->body);
	if (b->fault)
		return b->steps > STEPS_MAX ? NULL : arena_printf(a->arena, "%s: %s", params_text(a), b->fault);
	for (int v = 0; v < a->nest->n_var && !difference; v++)
		if (a->nest->var[v]->kind == VAR_ARRAY || a->nest->var[v]->kind == VAR_SCALAR)
			difference = compare_var(a, b, v, mode);
	return difference;
}

static int depth_of(const struct list *list)
{
	int deepest = 0;

	for (int i = 0; i < list->n; i++) {
		int body = depth_of(&list->node[i]->body), orelse = depth_of(&list->node[i]->orelse);

		body = (body > orelse ? body : orelse) + (list->node[i]->kind == NODE_LOOP);
		deepest = body > deepest ? body : deepest;
	}
	return deepest;
}

const char *fuzz_interpret(struct arena *arena, const struct nest *original, const struct nest *rewritten, enum fp_mode mode,
			   uint64_t seed, bool *faulty)
{
	static struct memory a, b;
	const char *difference = NULL;
	int depth = depth_of(&original->body);

	*faulty = false;
	if (original->n_var > VARS_MAX || rewritten->n_var > VARS_MAX)
		return NULL;
	for (int run = 0; run < RUNS && !difference; run++) {
		memory_start(&a, arena, original, seed + (uint64_t)run, run, depth);
		memory_start(&b, arena, rewritten, seed + (uint64_t)run, run, depth);
		difference = find_difference(&a, &b, mode, faulty);
		memory_stop(&a);
		memory_stop(&b);
	}
	return difference;
}
