#include "interval.h"

#include "fold.h"
#include "spell.h"

typedef struct interval range_of(const struct var *var, void *context);

struct interval interval_unknown(void)
{
	return (struct interval){ false, INT64_MIN, INT64_MAX };
}

struct interval interval_of(int64_t lo, int64_t hi)
{
	return (struct interval){ true, lo, hi };
}

struct interval interval_of_type(enum type type)
{
	int bits = type_size(type) * 8;

	if (type_is_float(type) || type == TYPE_U64)
		return interval_unknown();
	if (!type_is_signed(type))
		return interval_of(0, ((int64_t)1 << bits) - 1);
	return bits == 64 ? interval_of(INT64_MIN, INT64_MAX)
			  : interval_of(-((int64_t)1 << (bits - 1)), ((int64_t)1 << (bits - 1)) - 1);
}

bool interval_is_empty(struct interval interval)
{
	return interval.is_known && interval.lo > interval.hi;
}

struct interval interval_hull(struct interval a, struct interval b)
{
	if (!a.is_known || !b.is_known)
		return interval_unknown();
	if (interval_is_empty(a))
		return b;
	if (interval_is_empty(b))
		return a;
	return interval_of(a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi);
}

struct interval interval_meet(struct interval a, struct interval b)
{
	if (!a.is_known)
		return b;
	if (!b.is_known)
		return a;
	return interval_of(a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi);
}

/* What can be said of a value by its type alone: something only if that is narrow. */
static struct interval narrow(enum type type)
{
	return type_is_integer(type) && type_size(type) <= 2 ? interval_of_type(type) : interval_unknown();
}

static bool is_point(struct interval interval)
{
	return interval.is_known && interval.lo == interval.hi;
}

/* The hull of "op" over the corners of "a" and "b": the interval of an operator that is monotone in each operand. */
static struct interval corners(enum type type, enum op op, struct interval a, struct interval b)
{
	const int64_t left[] = { a.lo, a.lo, a.hi, a.hi }, right[] = { b.lo, b.hi, b.lo, b.hi };
	struct interval hull = interval_of(1, 0);

	for (int i = 0; i < 4; i++) {
		int64_t value;

		if (!fold_binary(type, op, left[i], right[i], &value))
			return narrow(type);
		hull = interval_hull(hull, interval_of(value, value));
	}
	return hull;
}

/* a % b with C's sign of the result, for b > 0. */
static struct interval remainder_of(struct interval a, struct interval b)
{
	int64_t most;

	if (!b.is_known || b.lo <= 0)
		return interval_unknown();
	if (a.is_known && a.lo >= 0 && a.hi < b.lo)
		return a;
	most = b.hi - 1;
	if (!a.is_known)
		return interval_of(-most, most);
	return interval_of(a.lo >= 0 ? 0 : (a.lo > -most ? a.lo : -most), a.hi <= 0 ? 0 : (a.hi < most ? a.hi : most));
}

/* a & b: no more than an operand that is not negative. */
static struct interval masked(struct interval a, struct interval b)
{
	bool a_bounds = a.is_known && a.lo >= 0, b_bounds = b.is_known && b.lo >= 0;

	if (a_bounds && b_bounds)
		return interval_of(0, a.hi < b.hi ? a.hi : b.hi);
	if (a_bounds || b_bounds)
		return interval_of(0, a_bounds ? a.hi : b.hi);
	return interval_unknown();
}

/* Whether a comparison of any values of "a" and "b" comes out the same, and how. */
static struct interval compared(enum op op, struct interval a, struct interval b)
{
	bool is_known = a.is_known && b.is_known;
	bool is_less = is_known && a.hi < b.lo, is_greater = is_known && a.lo > b.hi;
	bool is_at_most = is_known && a.hi <= b.lo, is_at_least = is_known && a.lo >= b.hi;
	bool is_true, is_false;

	switch (op) {
	case OP_LT: is_true = is_less; is_false = is_at_least; break;
	case OP_LE: is_true = is_at_most; is_false = is_greater; break;
	case OP_GT: is_true = is_greater; is_false = is_at_most; break;
	case OP_GE: is_true = is_at_least; is_false = is_less; break;
	case OP_EQ: is_true = is_point(a) && is_point(b) && a.lo == b.lo; is_false = is_less || is_greater; break;
	case OP_NE: is_true = is_less || is_greater; is_false = is_point(a) && is_point(b) && a.lo == b.lo; break;
	default: is_true = is_false = false; break;
	}
	return is_true ? interval_of(1, 1) : is_false ? interval_of(0, 0) : interval_of(0, 1);
}

static struct interval binary(const struct expr *expr, struct interval a, struct interval b)
{
	enum type type = expr->arg[0]->type;

	if (op_is_comparison(expr->op) || op_is_logic(expr->op))
		return compared(expr->op, a, b);
	if (expr->op == OP_MOD)
		return interval_meet(remainder_of(a, b), narrow(type));
	if (expr->op == OP_AND)
		return interval_meet(masked(a, b), narrow(type));
	if (!a.is_known || !b.is_known)
		return narrow(type);
	switch (expr->op) {
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_MIN: case OP_MAX:
		return corners(type, expr->op, a, b);
	case OP_DIV: case OP_FLOORDIV:
		return b.lo > 0 ? corners(type, expr->op, a, b) : narrow(type);
	case OP_SHL: case OP_SHR:
		return a.lo >= 0 && b.lo >= 0 ? corners(type, expr->op, a, b) : narrow(type);
	default:
		return is_point(a) && is_point(b) ? corners(type, expr->op, a, b) : narrow(type);
	}
}

static struct interval unary(const struct expr *expr, struct interval a)
{
	int64_t lo, hi;

	if (expr->op == OP_NOT)
		return interval_of(0, 1);
	if (!a.is_known || !fold_unary(expr->type, expr->op, a.lo, &lo) || !fold_unary(expr->type, expr->op, a.hi, &hi))
		return narrow(expr->type);
	return interval_of(hi, lo);
}

static struct interval converted(enum type type, struct interval a)
{
	if (a.is_known && fold_fits(type, a.lo) && fold_fits(type, a.hi))
		return a;
	return narrow(type);
}

struct interval expr_interval(const struct expr *expr, range_of *range, void *context)
{
	struct interval arg[3];

	if (!type_is_integer(expr->type))
		return interval_unknown();
	if (expr->kind == EXPR_INT)
		return fold_fits(expr->type, expr->integer) ? interval_of(expr->integer, expr->integer)
							    : interval_unknown();
	if (expr->kind == EXPR_REF)
		return expr->n ? narrow(expr->type) : interval_meet(range(expr->var, context), narrow(expr->type));
	if (expr->kind == EXPR_CALL)
		return narrow(expr->type);
	for (int i = 0; i < expr->n; i++) {
		arg[i] = expr_interval(expr->arg[i], range, context);
		if (interval_is_empty(arg[i]))
			return arg[i];
	}
	switch (expr->kind) {
	case EXPR_SELECT:
		return is_point(arg[0]) ? arg[arg[0].lo ? 1 : 2] : interval_hull(arg[1], arg[2]);
	case EXPR_CAST:
		return converted(expr->type, arg[0]);
	default:
		return expr->n == 1 ? unary(expr, arg[0]) : binary(expr, arg[0], arg[1]);
	}
}
