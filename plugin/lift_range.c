#include "lift_internal.h"

/* The sign of a product of params, which are sizes: assumed not negative where that is needed. Returns 0 if an atom is
 * not fixed while the region runs. */
static bool slope_sign(struct lifter *lifter, const struct poly *slope, int *sign, bool *is_assumed)
{
	*sign = 0;
	for (int i = 0; i < slope->n; i++) {
		const int term_sign = slope->term[i].coef > 0 ? 1 : -1;

		if (*sign && *sign != term_sign)
			return false;
		*sign = term_sign;
		for (int j = 0; j < slope->term[i].n; j++) {
			if (!lifter->atom[slope->term[i].atom[j]].is_param)
				return false;
			*is_assumed = true;
		}
	}
	return true;
}

static void assume_not_negative(struct lifter *lifter, const struct poly *slope)
{
	for (int i = 0; i < slope->n; i++) {
		for (int j = 0; j < slope->term[i].n; j++) {
			struct expr *const expr = lifter->atom[slope->term[i].atom[j]].expr;

			if (type_is_signed(expr->type))
				nest_assume(lifter->nest,
					    expr_binary(lifter->arena, OP_GE, expr, expr_int(lifter->arena, 0, expr->type)));
		}
	}
}

/* "poly" with "atom" replaced by "by". */
static struct poly *substitute(struct lifter *lifter, const struct poly *slope, const struct poly *rest, struct poly *by)
{
	struct poly *const product = poly_mul(lifter, slope, by);

	return product ? poly_add(lifter, rest, product, 1) : NULL;
}

struct poly *range_bound(struct lifter *lifter, const struct poly *poly, const struct around *around, int n, int sign)
{
	struct poly *bound = poly_add(lifter, poly, poly_const(lifter, 0), 1);

	for (int i = n - 1; i >= 0 && bound; i--) {
		const int atom = atom_of_var(lifter, around[i].iter, true);
		struct poly *slope, *rest, *value;
		bool is_assumed = false;
		int slope_is;

		if (!poly_uses(bound, atom))
			continue;
		if (!poly_split(lifter, bound, atom, &slope, &rest) || !slope_sign(lifter, slope, &slope_is, &is_assumed))
			return NULL;
		if (is_assumed)
			assume_not_negative(lifter, slope);
		value = slope_is * sign > 0 ? poly_add(lifter, around[i].hi, poly_const(lifter, 1), -1) : around[i].lo;
		bound = substitute(lifter, slope, rest, value);
	}
	return bound && poly_is_param(lifter, bound) ? bound : NULL;
}

/* The terms of "poly" of one sign, as positive ones. */
static struct poly *signed_part(struct lifter *lifter, const struct poly *poly, int sign)
{
	struct poly *part = poly_const(lifter, 0);

	for (int i = 0; i < poly->n; i++) {
		const struct poly term = {.n = 1, .term = &poly->term[i]};

		if ((poly->term[i].coef > 0) == (sign > 0))
			part = poly_add(lifter, part, &term, sign);
	}
	part->is_wide = poly->is_wide;
	return part;
}

bool range_assume(struct lifter *lifter, const struct poly *poly, const struct around *around, int n)
{
	struct poly *const least = range_bound(lifter, poly, around, n, -1);
	struct expr *condition;
	enum type type;
	int64_t value;

	if (!least)
		return false;
	if (poly_is_const(least, &value))
		return value >= 0;
	if (least->n == 1 && least->term[0].coef > 0)
		least->term[0].coef = 1;
	type = poly_type(lifter, least);
	condition = expr_binary(lifter->arena, OP_GE, poly_expr(lifter, signed_part(lifter, least, 1), type),
				poly_expr(lifter, signed_part(lifter, least, -1), type));
	nest_assume(lifter->nest, condition);
	return true;
}

bool range_is_proved(struct lifter *lifter, const struct poly *poly, const struct around *around, int n)
{
	const int n_assumption = lifter->nest->n_assumption;
	struct poly *const least = range_bound(lifter, poly, around, n, -1);
	int64_t value;

	lifter->nest->n_assumption = n_assumption;
	return least && poly_is_const(least, &value) && value >= 0;
}

struct poly *range_settle(struct lifter *lifter, const struct poly *poly, CXCursor where)
{
	struct poly *const result = poly_add(lifter, poly, poly_const(lifter, 0), 1);

	for (int i = 0; i < poly->n_need; i++)
		if (!range_assume(lifter, poly->need[i], lifter->around, lifter->n_around))
			lift_refuse(lifter, REFUSAL_UNSIGNED, where, "'%s' may wrap around", cursor_text(lifter, where));
	result->n_need = 0;
	return result;
}
