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

/* The values that an expression can have whatever memory holds: bytes, masked and reduced ones. */
static bool expr_range(const struct expr *expr, int64_t *lo, int64_t *hi)
{
	const struct expr *const arg = expr->kind == EXPR_CAST ? expr->arg[0] : expr;

	*lo = 0;
	if (arg->type == TYPE_U8 || arg->type == TYPE_U16) {
		*hi = arg->type == TYPE_U8 ? UINT8_MAX : UINT16_MAX;
		return true;
	}
	if (expr->kind != EXPR_OP || expr->n != 2 || expr->arg[1]->kind != EXPR_INT || expr->arg[1]->integer <= 0)
		return false;
	*hi = expr->op == OP_MOD ? expr->arg[1]->integer - 1 : expr->arg[1]->integer;
	if (expr->op == OP_MOD && type_is_signed(expr->type))
		*lo = -*hi;
	return expr->op == OP_MOD || expr->op == OP_AND;
}

/* "poly" with what is not fixed replaced by the largest (sign > 0) or smallest value that it may have; NULL if unknown. */
static struct poly *bound_opaque(struct lifter *lifter, struct poly *poly, int sign)
{
	for (int i = 0; i < poly->n; i++) {
		for (int j = 0; j < poly->term[i].n; j++) {
			const struct atom *const atom = &lifter->atom[poly->term[i].atom[j]];
			int64_t lo, hi;

			if (atom->is_param)
				continue;
			if (poly->term[i].n != 1 || !expr_range(atom->expr, &lo, &hi))
				return NULL;
			hi = (poly->term[i].coef > 0) == (sign > 0) ? hi : lo;
			hi *= poly->term[i].coef;
			poly = poly_add(lifter, poly, &(struct poly){.n = 1, .term = &poly->term[i]}, -1);
			return bound_opaque(lifter, poly_add(lifter, poly, poly_const(lifter, hi), 1), sign);
		}
	}
	return poly;
}

/* The largest value that the loop's iterator takes, when the loop runs at all. NOTE: quotients make extents exact, but
 * nothing is proved with them, so that range_bound() looks for smallest values without. */
static struct poly *last_value(struct lifter *lifter, const struct around *around)
{
	struct poly *const last = poly_add(lifter, around->hi, poly_const(lifter, 1), -1);
	struct poly *const distance = poly_add(lifter, last, around->lo, -1);
	const int64_t step = around->node ? around->node->step : 1;
	const enum type type = poly_type(lifter, distance);
	int64_t value;
	int atom;

	if (step <= 1)
		return last;
	if (poly_is_const(distance, &value))
		return poly_add(lifter, around->lo, poly_const(lifter, value / step * step), 1);
	atom = atom_of_expr(lifter, expr_binary(lifter->arena, OP_DIV, poly_expr(lifter, distance, type),
						expr_int(lifter->arena, step, type)));
	return lifter->atom[atom].is_param ? poly_add(lifter, around->lo, poly_atom(lifter, atom), step) : last;
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
		if (slope_is * sign <= 0)
			value = around[i].lo;
		else if (sign > 0)
			value = last_value(lifter, &around[i]);
		else
			value = poly_add(lifter, around[i].hi, poly_const(lifter, 1), -1);
		bound = substitute(lifter, slope, rest, value);
	}
	return bound ? bound_opaque(lifter, bound, sign) : NULL;
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

/* Whether the factors of "a" are among those of "b", which has more. */
static bool is_factor(const struct term *a, const struct term *b)
{
	int found = 0;

	for (int i = 0; i < b->n && found < a->n; i++)
		found += a->atom[found] == b->atom[i];
	return found == a->n && a->n < b->n;
}

/* Whether each term of "poly" that is positive is exceeded by one that is negative as soon as sizes are more than a few:
 * "lda >= rows * lda". */
static bool is_outgrown(const struct poly *poly)
{
	for (int i = 0; i < poly->n; i++) {
		bool is_less = poly->term[i].coef < 0 || poly->term[i].n == 0;

		for (int j = 0; j < poly->n && !is_less; j++)
			is_less = poly->term[j].coef < 0 && is_factor(&poly->term[i], &poly->term[j]);
		if (!is_less)
			return false;
	}
	return true;
}

/* Whether sizes make "poly" >= 0: params are seldom negative. */
static bool is_plausible(const struct poly *poly)
{
	for (int i = 0; i < poly->n; i++)
		if (poly->term[i].coef > 100 && poly->term[i].n == 0)
			return true;
	return !is_outgrown(poly);
}

/* Whether an assumption made before says as much. */
static bool is_implied(struct lifter *lifter, const struct poly *poly)
{
	int64_t more;

	for (int i = 0; i < lifter->n_assumed; i++)
		if (lifter->assumed_at[i] < lifter->nest->n_assumption &&
		    poly_is_const(poly_add(lifter, poly, lifter->assumed[i], -1), &more) && more >= 0)
			return true;
	return false;
}

static void note_assumed(struct lifter *lifter, struct poly *poly)
{
	while (lifter->n_assumed && lifter->assumed_at[lifter->n_assumed - 1] >= lifter->nest->n_assumption)
		lifter->n_assumed--;
	if (lifter->n_assumed == (int)(sizeof(lifter->assumed) / sizeof(lifter->assumed[0])))
		return;
	lifter->assumed[lifter->n_assumed] = poly;
	lifter->assumed_at[lifter->n_assumed++] = lifter->nest->n_assumption;
}

/* "poly" >= 0 as a condition of sums of positive terms. */
static struct expr *condition_of(struct lifter *lifter, const struct poly *poly)
{
	const enum type type = poly_type(lifter, poly);

	return expr_binary(lifter->arena, OP_GE, poly_expr(lifter, signed_part(lifter, poly, 1), type),
			   poly_expr(lifter, signed_part(lifter, poly, -1), type));
}

static void drop_assumption(struct nest *nest, const struct expr *condition)
{
	int kept = 0;

	for (int i = 0; i < nest->n_assumption; i++)
		if (!expr_equal(nest->assumption[i], condition))
			nest->assumption[kept++] = nest->assumption[i];
	nest->n_assumption = kept;
}

void range_drop_implied(struct lifter *lifter)
{
	const int n_assumption = lifter->nest->n_assumption;

	for (int i = 0; i < lifter->n_assumed; i++) {
		for (int j = 0; j < lifter->n_assumed; j++) {
			int64_t more;

			if (lifter->assumed_at[i] < n_assumption && lifter->assumed_at[j] < n_assumption &&
			    poly_is_const(poly_add(lifter, lifter->assumed[i], lifter->assumed[j], -1), &more) && more > 0)
				drop_assumption(lifter->nest, condition_of(lifter, lifter->assumed[i]));
		}
	}
}

bool range_assume(struct lifter *lifter, const struct poly *poly, const struct around *around, int n)
{
	struct poly *const least = range_bound(lifter, poly, around, n, -1);
	int64_t value;

	if (!least)
		return false;
	if (poly_is_const(least, &value))
		return value >= 0;
	if (is_implied(lifter, least))
		return true;
	if (!is_plausible(least))
		return false;
	note_assumed(lifter, least);
	if (least->n == 1 && least->term[0].coef > 0)
		least->term[0].coef = 1;
	nest_assume(lifter->nest, condition_of(lifter, least));
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

bool range_assume_at(struct lifter *lifter, const struct poly *poly, const struct access *access)
{
	for (int i = 0; i < access->n_known; i++)
		if (range_is_proved(lifter, poly_add(lifter, poly, access->known[i], -1), access->around, access->n_around))
			return true;
	return range_assume(lifter, poly, access->around, access->n_around);
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
