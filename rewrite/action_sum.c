#include "action_sum.h"

#include <string.h>

static bool add_term(struct sum *sum, struct expr *atom, int64_t factor)
{
	for (int i = 0; i < sum->n; i++) {
		if (!expr_equal(sum->atom[i], atom))
			continue;
		if (__builtin_add_overflow(sum->factor[i], factor, &sum->factor[i]))
			return false;
		if (sum->factor[i] == 0) {
			sum->n--;
			memmove(sum->atom + i, sum->atom + i + 1, sizeof(*sum->atom) * (size_t)(sum->n - i));
			memmove(sum->factor + i, sum->factor + i + 1, sizeof(*sum->factor) * (size_t)(sum->n - i));
		}
		return true;
	}
	if (sum->n == SUM_TERMS)
		return false;
	sum->atom[sum->n] = atom;
	sum->factor[sum->n++] = factor;
	return true;
}

static bool add_constant(struct sum *sum, int64_t factor, int64_t constant)
{
	int64_t product;

	return !__builtin_mul_overflow(factor, constant, &product) &&
	       !__builtin_add_overflow(sum->constant, product, &sum->constant);
}

/* Whether the conversion leaves the value of a signed expression as it is. */
static bool is_widening(const struct expr *cast)
{
	return type_is_integer(cast->type) && type_is_signed(cast->type) && type_is_integer(cast->arg[0]->type) &&
	       type_is_signed(cast->arg[0]->type) && type_size(cast->type) >= type_size(cast->arg[0]->type);
}

static bool collect(struct sum *sum, struct expr *expr, int64_t factor);

static bool collect_op(struct sum *sum, struct expr *expr, int64_t factor)
{
	struct expr **arg = expr->arg;
	int64_t product;

	switch (expr->op) {
	case OP_ADD:
		return collect(sum, arg[0], factor) && collect(sum, arg[1], factor);
	case OP_SUB:
		return collect(sum, arg[0], factor) && collect(sum, arg[1], -factor);
	case OP_NEG:
		return collect(sum, arg[0], -factor);
	case OP_MUL:
		if (arg[1]->kind == EXPR_INT)
			return !__builtin_mul_overflow(factor, arg[1]->integer, &product) && collect(sum, arg[0], product);
		if (arg[0]->kind == EXPR_INT)
			return !__builtin_mul_overflow(factor, arg[0]->integer, &product) && collect(sum, arg[1], product);
		return add_term(sum, expr, factor);
	default:
		return add_term(sum, expr, factor);
	}
}

/* Add "factor" * "expr" to "sum". */
static bool collect(struct sum *sum, struct expr *expr, int64_t factor)
{
	if (factor == 0)
		return true;
	if (expr->kind == EXPR_INT)
		return add_constant(sum, factor, expr->integer);
	if (expr->kind == EXPR_CAST && is_widening(expr))
		return collect(sum, expr->arg[0], factor);
	if (expr->kind == EXPR_OP && type_is_integer(expr->type))
		return collect_op(sum, expr, factor);
	return add_term(sum, expr, factor);
}

bool sum_of(struct expr *expr, struct sum *sum)
{
	*sum = (struct sum){ 0 };
	return collect(sum, expr, 1);
}

bool sum_add(const struct sum *a, int64_t factor, const struct sum *b, struct sum *sum)
{
	struct sum result = *a;

	if (!add_constant(&result, factor, b->constant))
		return false;
	for (int i = 0; i < b->n; i++) {
		int64_t product;

		if (__builtin_mul_overflow(factor, b->factor[i], &product) || (product && !add_term(&result, b->atom[i], product)))
			return false;
	}
	*sum = result;
	return true;
}

bool sum_is_constant(const struct sum *sum, int64_t *constant)
{
	*constant = sum->constant;
	return sum->n == 0;
}

/* Set "*difference" to a - b when that is constant. */
static bool constant_difference(const struct sum *a, const struct sum *b, int64_t *difference)
{
	struct sum sum;

	return sum_add(a, -1, b, &sum) && sum_is_constant(&sum, difference);
}

bool sum_equal(const struct sum *a, const struct sum *b)
{
	int64_t difference;

	return constant_difference(a, b, &difference) && difference == 0;
}

static bool is_scalar(const struct expr *expr, const struct var *var)
{
	return expr->kind == EXPR_REF && expr->var == var && expr->n == 0;
}

int64_t sum_factor(const struct sum *sum, const struct var *var)
{
	for (int i = 0; i < sum->n; i++)
		if (is_scalar(sum->atom[i], var))
			return sum->factor[i];
	return 0;
}

struct sum sum_without(const struct sum *sum, const struct var *var)
{
	struct sum result = { .constant = sum->constant };

	for (int i = 0; i < sum->n; i++) {
		if (is_scalar(sum->atom[i], var))
			continue;
		result.atom[result.n] = sum->atom[i];
		result.factor[result.n++] = sum->factor[i];
	}
	return result;
}

bool sum_uses(const struct sum *sum, const struct var *var)
{
	for (int i = 0; i < sum->n; i++)
		if (expr_uses(sum->atom[i], var))
			return true;
	return false;
}

bool sum_hides(const struct sum *sum, const struct var *var)
{
	struct sum rest = sum_without(sum, var);

	return sum_uses(&rest, var);
}

/* "left" + "factor" * "atom", written as a difference when the factor is negative. */
static struct expr *plus_term(struct arena *arena, struct expr *left, struct expr *atom, int64_t factor)
{
	int64_t size = factor < 0 ? -factor : factor;
	struct expr *term = expr_binary(arena, OP_MUL, expr_int(arena, size, atom->type), atom);

	if (!left)
		return factor < 0 ? expr_unary(arena, OP_NEG, term) : term;
	return expr_binary(arena, factor < 0 ? OP_SUB : OP_ADD, left, term);
}

struct expr *sum_expr(struct arena *arena, const struct sum *sum, enum type type)
{
	struct expr *result = NULL;

	for (int sign = 1; sign >= -1; sign -= 2)
		for (int i = 0; i < sum->n; i++)
			if ((sum->factor[i] > 0) == (sign > 0))
				result = plus_term(arena, result, expr_cast(arena, type, sum->atom[i]), sum->factor[i]);
	if (!result)
		return expr_int(arena, sum->constant, type);
	if (sum->constant < 0)
		return expr_binary(arena, OP_SUB, result, expr_int(arena, -sum->constant, type));
	return expr_binary(arena, OP_ADD, result, expr_int(arena, sum->constant, type));
}

static bool add_bound(struct bound *bound, const struct sum *term)
{
	if (bound->n == BOUND_TERMS)
		return false;
	bound->term[bound->n++] = *term;
	return true;
}

/* Whether "expr" is a minimum or maximum, or a sum with one. */
static bool has_choice(const struct expr *expr, enum op op)
{
	if (expr->kind == EXPR_CAST && is_widening(expr))
		return has_choice(expr->arg[0], op);
	if (expr->kind != EXPR_OP)
		return false;
	if (expr->op == op)
		return true;
	return (expr->op == OP_ADD && (has_choice(expr->arg[0], op) || has_choice(expr->arg[1], op))) ||
	       (expr->op == OP_SUB && has_choice(expr->arg[0], op));
}

/* Add to "bound" the terms of "expr", each with "rest" added. */
static bool collect_bound(struct expr *expr, enum op op, const struct sum *rest, struct bound *bound)
{
	struct sum sum;

	if (expr->kind == EXPR_CAST && is_widening(expr))
		return collect_bound(expr->arg[0], op, rest, bound);
	if (expr->kind == EXPR_OP && expr->op == op)
		return collect_bound(expr->arg[0], op, rest, bound) && collect_bound(expr->arg[1], op, rest, bound);
	if (has_choice(expr, op)) {
		int other = has_choice(expr->arg[0], op) ? 1 : 0;

		return sum_of(expr->arg[other], &sum) && sum_add(rest, expr->op == OP_SUB ? -1 : 1, &sum, &sum) &&
		       collect_bound(expr->arg[!other], op, &sum, bound);
	}
	return sum_of(expr, &sum) && sum_add(&sum, 1, rest, &sum) && add_bound(bound, &sum);
}

bool bound_of(struct expr *expr, bool is_upper, struct bound *bound)
{
	struct sum zero = { 0 };

	bound->n = 0;
	return collect_bound(expr, is_upper ? OP_MIN : OP_MAX, &zero, bound);
}

struct expr *bound_expr(struct arena *arena, const struct bound *bound, bool is_upper, enum type type)
{
	struct expr *result = NULL;

	for (int i = 0; i < bound->n; i++) {
		struct expr *term = sum_expr(arena, &bound->term[i], type);

		result = result ? expr_binary(arena, is_upper ? OP_MIN : OP_MAX, result, term) : term;
	}
	return result;
}

/* Whether term "weak" of the bound says no more than "strong" does. */
static bool is_implied(const struct sum *weak, const struct sum *strong, bool is_upper)
{
	int64_t difference;

	if (!constant_difference(weak, strong, &difference))
		return false;
	return is_upper ? difference >= 0 : difference <= 0;
}

void bound_prune(struct bound *bound, bool is_upper)
{
	for (int i = bound->n - 1; i >= 0; i--) {
		bool is_superfluous = false;

		for (int j = 0; j < bound->n; j++)
			is_superfluous |= j != i && is_implied(&bound->term[i], &bound->term[j], is_upper);
		if (!is_superfluous)
			continue;
		bound->n--;
		memmove(bound->term + i, bound->term + i + 1, sizeof(*bound->term) * (size_t)(bound->n - i));
	}
}

/* The least trip count that the terms of the bounds allow, and the term of "lo" that it counts from; -1 when there is none. */
static int64_t trip_from(const struct node *loop, const struct bound *lo, const struct bound *hi, int *from)
{
	int64_t least = -1;

	for (int i = 0; i < hi->n; i++) {
		for (int j = 0; j < lo->n; j++) {
			int64_t span;

			if (!constant_difference(&hi->term[i], &lo->term[j], &span))
				continue;
			span = span > 0 ? (span + loop->step - 1) / loop->step : 0;
			if (least >= 0 && span >= least)
				continue;
			least = span;
			*from = j;
		}
	}
	return least;
}

int64_t loop_trip(const struct node *loop, bool *is_exact)
{
	struct bound lo, hi;
	int64_t trip;
	int from;

	*is_exact = false;
	if (!bound_of(loop->lo, false, &lo) || !bound_of(loop->hi, true, &hi))
		return -1;
	trip = trip_from(loop, &lo, &hi, &from);
	*is_exact = trip >= 0 && lo.n == 1 && hi.n == 1;
	return trip;
}

int64_t loop_base(const struct node *loop, struct sum *base)
{
	struct bound lo, hi;
	int64_t trip;
	int from;

	if (!bound_of(loop->lo, false, &lo) || !bound_of(loop->hi, true, &hi))
		return -1;
	trip = trip_from(loop, &lo, &hi, &from);
	if (trip >= 0)
		*base = lo.term[from];
	return trip;
}

int64_t loop_trip_max(const struct node *loop)
{
	bool is_exact;

	return loop_trip(loop, &is_exact);
}

/* Whether each term of "a" is one of "b". */
static bool bound_within(const struct bound *a, const struct bound *b)
{
	for (int i = 0; i < a->n; i++) {
		bool is_found = false;

		for (int j = 0; j < b->n; j++)
			is_found |= sum_equal(&a->term[i], &b->term[j]);
		if (!is_found)
			return false;
	}
	return true;
}

static bool same_bound(struct expr *a, struct expr *b, bool is_upper)
{
	struct bound x, y;

	if (!bound_of(a, is_upper, &x) || !bound_of(b, is_upper, &y))
		return expr_equal(a, b);
	return bound_within(&x, &y) && bound_within(&y, &x);
}

bool loop_same_range(const struct node *a, const struct node *b)
{
	return a->step == b->step && same_bound(a->lo, b->lo, false) && same_bound(a->hi, b->hi, true);
}

bool sum_is_positive(const struct sum *sum, int n, struct node *const *outer)
{
	int64_t constant;

	if (sum_is_constant(sum, &constant))
		return constant > 0;
	for (int i = 0; i < n; i++) {
		struct sum iter = { 1, { NULL }, { 1 }, 0 };
		struct bound lo, hi;
		struct expr ref = { .kind = EXPR_REF, .type = outer[i]->iter->type, .var = outer[i]->iter };
		struct sum fact, rest;

		iter.atom[0] = &ref;
		if (!bound_of(outer[i]->lo, false, &lo) || !bound_of(outer[i]->hi, true, &hi))
			continue;
		for (int j = 0; j < lo.n; j++)
			if (sum_add(&iter, -1, &lo.term[j], &fact) && sum_add(sum, -1, &fact, &rest) &&
			    sum_is_constant(&rest, &constant) && constant > 0)
				return true;
		for (int j = 0; j < hi.n; j++)
			if (sum_add(&hi.term[j], -1, &iter, &fact) && sum_add(sum, -1, &fact, &rest) &&
			    sum_is_constant(&rest, &constant) && constant >= 0)
				return true;
	}
	return false;
}

bool loop_is_entered(const struct node *loop, int n, struct node *const *outer)
{
	struct bound lo, hi;

	if (!bound_of(loop->lo, false, &lo) || !bound_of(loop->hi, true, &hi))
		return false;
	for (int i = 0; i < hi.n; i++) {
		for (int j = 0; j < lo.n; j++) {
			struct sum span;

			if (!sum_add(&hi.term[i], -1, &lo.term[j], &span) || !sum_is_positive(&span, n, outer))
				return false;
		}
	}
	return true;
}
