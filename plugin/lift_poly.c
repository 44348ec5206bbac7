#include "lift_internal.h"

#include <ctype.h>
#include <string.h>

static struct poly *poly_new(struct lifter *lifter, int max)
{
	struct poly *const poly = ARENA_NEW(lifter->arena, struct poly);

	poly->term = ARENA_ARRAY(lifter->arena, struct term, max ? max : 1);
	return poly;
}

static bool same_atoms(const struct term *a, const struct term *b)
{
	return a->n == b->n && memcmp(a->atom, b->atom, sizeof(int) * (size_t)a->n) == 0;
}

/* Add "term" to "poly", which has room for it; terms that cancel vanish. */
static void add_term(struct poly *poly, const struct term *term)
{
	for (int i = 0; i < poly->n; i++) {
		if (!same_atoms(&poly->term[i], term))
			continue;
		poly->term[i].coef += term->coef;
		if (poly->term[i].coef == 0) {
			memmove(&poly->term[i], &poly->term[i + 1], sizeof(*term) * (size_t)(poly->n - i - 1));
			poly->n--;
		}
		return;
	}
	if (term->coef)
		poly->term[poly->n++] = *term;
}

static void copy_needs(struct lifter *lifter, struct poly *poly, const struct poly *a, const struct poly *b)
{
	const int n = a->n_need + (b ? b->n_need : 0);

	poly->need = ARENA_ARRAY(lifter->arena, struct poly *, n + 1);
	for (int i = 0; i < a->n_need; i++)
		poly->need[poly->n_need++] = a->need[i];
	for (int i = 0; b && i < b->n_need; i++) {
		bool known = false;

		for (int j = 0; j < poly->n_need; j++)
			known = known || poly_equal(poly->need[j], b->need[i]);
		if (!known)
			poly->need[poly->n_need++] = b->need[i];
	}
}

struct poly *poly_const(struct lifter *lifter, int64_t value)
{
	struct poly *const poly = poly_new(lifter, 1);

	add_term(poly, &(struct term){.coef = value});
	return poly;
}

struct poly *poly_atom(struct lifter *lifter, int atom)
{
	struct poly *const poly = poly_new(lifter, 1);
	const enum type type = lifter->atom[atom].expr->type;

	add_term(poly, &(struct term){.coef = 1, .n = 1, .atom = {atom}});
	poly->is_wide = type_size(type) == 8 && !(lifter->atom[atom].var && lifter->atom[atom].var->kind == VAR_ITER);
	return poly;
}

struct poly *poly_add(struct lifter *lifter, const struct poly *a, const struct poly *b, int64_t scale)
{
	struct poly *const poly = poly_new(lifter, a->n + b->n);

	for (int i = 0; i < a->n; i++)
		add_term(poly, &a->term[i]);
	for (int i = 0; i < b->n; i++) {
		struct term term = b->term[i];

		term.coef *= scale;
		add_term(poly, &term);
	}
	poly->is_wide = a->is_wide || b->is_wide;
	copy_needs(lifter, poly, a, b);
	return poly;
}

static bool term_mul(const struct term *a, const struct term *b, struct term *product)
{
	int i = 0, j = 0;

	if (a->n + b->n > LIFT_FACTORS || __builtin_mul_overflow(a->coef, b->coef, &product->coef))
		return false;
	product->n = 0;
	while (i < a->n || j < b->n) {
		if (j == b->n || (i < a->n && a->atom[i] <= b->atom[j]))
			product->atom[product->n++] = a->atom[i++];
		else
			product->atom[product->n++] = b->atom[j++];
	}
	return true;
}

struct poly *poly_mul(struct lifter *lifter, const struct poly *a, const struct poly *b)
{
	struct poly *const poly = poly_new(lifter, a->n * b->n);

	if (a->n * b->n > 64)
		return NULL;
	for (int i = 0; i < a->n; i++) {
		for (int j = 0; j < b->n; j++) {
			struct term term;

			if (!term_mul(&a->term[i], &b->term[j], &term))
				return NULL;
			add_term(poly, &term);
		}
	}
	poly->is_wide = a->is_wide || b->is_wide;
	copy_needs(lifter, poly, a, b);
	return poly;
}

struct poly *poly_wide(struct lifter *lifter, const struct poly *a)
{
	struct poly *const poly = ARENA_NEW(lifter->arena, struct poly);

	*poly = *a;
	poly->is_wide = true;
	return poly;
}

struct poly *poly_need(struct lifter *lifter, const struct poly *a, struct poly *need)
{
	struct poly *const poly = ARENA_NEW(lifter->arena, struct poly);
	int64_t value;

	*poly = *a;
	if (poly_is_const(need, &value) && value >= 0)
		return poly;
	poly->need = ARENA_ARRAY(lifter->arena, struct poly *, a->n_need + 1);
	memcpy(poly->need, a->need ? a->need : poly->need, sizeof(struct poly *) * (size_t)a->n_need);
	poly->need[poly->n_need++] = need;
	return poly;
}

bool poly_is_const(const struct poly *poly, int64_t *value)
{
	if (poly->n > 1 || (poly->n == 1 && poly->term[0].n))
		return false;
	*value = poly->n ? poly->term[0].coef : 0;
	return true;
}

bool poly_equal(const struct poly *a, const struct poly *b)
{
	if (a->n != b->n)
		return false;
	for (int i = 0; i < a->n; i++) {
		bool found = false;

		for (int j = 0; j < b->n && !found; j++)
			found = same_atoms(&a->term[i], &b->term[j]) && a->term[i].coef == b->term[j].coef;
		if (!found)
			return false;
	}
	return true;
}

static int term_degree(const struct term *term, int atom)
{
	int degree = 0;

	for (int i = 0; i < term->n; i++)
		degree += term->atom[i] == atom;
	return degree;
}

bool poly_uses(const struct poly *poly, int atom)
{
	for (int i = 0; i < poly->n; i++)
		if (term_degree(&poly->term[i], atom))
			return true;
	return false;
}

/* term without one factor "atom" */
static struct term term_without(const struct term *term, int atom)
{
	struct term result = {.coef = term->coef};
	bool removed = false;

	for (int i = 0; i < term->n; i++) {
		if (term->atom[i] == atom && !removed)
			removed = true;
		else
			result.atom[result.n++] = term->atom[i];
	}
	return result;
}

static bool term_divide(const struct term *term, const struct term *divisor, struct term *quotient)
{
	if (divisor->coef == 0 || term->coef % divisor->coef)
		return false;
	*quotient = *term;
	for (int i = 0; i < divisor->n; i++) {
		if (!term_degree(quotient, divisor->atom[i]))
			return false;
		*quotient = term_without(quotient, divisor->atom[i]);
	}
	quotient->coef = term->coef / divisor->coef;
	return true;
}

bool poly_divide(struct lifter *lifter, const struct poly *poly, const struct term *divisor, struct poly **quotient)
{
	*quotient = poly_new(lifter, poly->n);
	for (int i = 0; i < poly->n; i++) {
		struct term term;

		if (!term_divide(&poly->term[i], divisor, &term))
			return false;
		add_term(*quotient, &term);
	}
	(*quotient)->is_wide = poly->is_wide;
	copy_needs(lifter, *quotient, poly, NULL);
	return true;
}

/* A monomial order: by degree, then by atoms. */
static bool term_follows(const struct term *a, const struct term *b)
{
	if (a->n != b->n)
		return a->n > b->n;
	for (int i = 0; i < a->n; i++)
		if (a->atom[i] != b->atom[i])
			return a->atom[i] < b->atom[i];
	return false;
}

static const struct term *leading_term(const struct poly *poly)
{
	const struct term *first = &poly->term[0];

	for (int i = 1; i < poly->n; i++)
		if (term_follows(&poly->term[i], first))
			first = &poly->term[i];
	return first;
}

void poly_divide_rest(struct lifter *lifter, const struct poly *poly, const struct poly *divisor, struct poly **quotient,
		      struct poly **rest)
{
	const struct poly *todo = poly_add(lifter, poly, poly_const(lifter, 0), 1);

	*quotient = poly_const(lifter, 0);
	*rest = poly_const(lifter, 0);
	while (todo->n) {
		struct term lead = *leading_term(todo), part;
		const struct poly one = {.n = 1, .term = &lead}, factor = {.n = 1, .term = &part};

		if (term_divide(&lead, leading_term(divisor), &part)) {
			*quotient = poly_add(lifter, *quotient, &factor, 1);
			todo = poly_add(lifter, todo, poly_mul(lifter, &factor, divisor), -1);
		} else {
			*rest = poly_add(lifter, *rest, &one, 1);
			todo = poly_add(lifter, todo, &one, -1);
		}
	}
	(*quotient)->is_wide = (*rest)->is_wide = poly->is_wide;
}

bool poly_split(struct lifter *lifter, const struct poly *poly, int atom, struct poly **slope, struct poly **rest)
{
	*slope = poly_new(lifter, poly->n);
	*rest = poly_new(lifter, poly->n);
	for (int i = 0; i < poly->n; i++) {
		const int degree = term_degree(&poly->term[i], atom);

		if (degree > 1)
			return false;
		if (degree) {
			struct term term = term_without(&poly->term[i], atom);

			add_term(*slope, &term);
		} else {
			add_term(*rest, &poly->term[i]);
		}
	}
	(*slope)->is_wide = (*rest)->is_wide = poly->is_wide;
	copy_needs(lifter, *slope, poly, NULL);
	copy_needs(lifter, *rest, poly, NULL);
	return true;
}

static bool all_atoms(const struct lifter *lifter, const struct poly *poly, bool (*is)(const struct atom *atom))
{
	for (int i = 0; i < poly->n; i++)
		for (int j = 0; j < poly->term[i].n; j++)
			if (!is(&lifter->atom[poly->term[i].atom[j]]))
				return false;
	return true;
}

static bool is_param(const struct atom *atom)
{
	return atom->is_param;
}

static bool is_frozen(const struct atom *atom)
{
	return atom->is_frozen;
}

bool poly_is_param(const struct lifter *lifter, const struct poly *poly)
{
	return all_atoms(lifter, poly, is_param);
}

bool poly_is_frozen(const struct lifter *lifter, const struct poly *poly)
{
	return all_atoms(lifter, poly, is_frozen);
}

static int atom_add(struct lifter *lifter, struct atom atom)
{
	lifter->atom = lift_grow(lifter, lifter->atom, lifter->n_atom, &lifter->max_atom, sizeof(atom));
	lifter->atom[lifter->n_atom] = atom;
	return lifter->n_atom++;
}

int atom_of_var(struct lifter *lifter, struct var *var, bool is_fixed)
{
	struct atom atom = {.var = var};

	for (int i = 0; i < lifter->n_atom; i++)
		if (lifter->atom[i].var == var)
			return i;
	atom.expr = expr_scalar(lifter->arena, var);
	atom.is_param = var->kind == VAR_PARAM;
	atom.is_frozen = is_fixed || atom.is_param || var->kind == VAR_ITER;
	return atom_add(lifter, atom);
}

int atom_of_expr(struct lifter *lifter, struct expr *expr)
{
	bool is_fixed;

	if (expr->kind == EXPR_REF && expr->n == 0)
		return atom_of_var(lifter, expr->var, false);
	for (int i = 0; i < lifter->n_atom; i++)
		if (!lifter->atom[i].var && expr_equal(lifter->atom[i].expr, expr))
			return i;
	is_fixed = expr_source(lifter, expr) != NULL;
	return atom_add(lifter, (struct atom){.expr = expr, .is_param = is_fixed, .is_frozen = is_fixed});
}

enum type poly_type(const struct lifter *lifter, const struct poly *poly)
{
	bool is_simple = poly->n <= 2;

	for (int i = 0; i < poly->n; i++) {
		const struct term *const term = &poly->term[i];

		if (term->coef > INT32_MAX || term->coef < -INT32_MAX)
			return TYPE_I64;
		is_simple = is_simple && term->n <= 1 && (term->n == 0 || term->coef == 1 || term->coef == -1);
		for (int j = 0; j < term->n; j++) {
			const enum type type = lifter->atom[term->atom[j]].expr->type;

			if (type_size(type) == 8 || type == TYPE_U32)
				return TYPE_I64;
		}
	}
	return poly->is_wide && !is_simple ? TYPE_I64 : TYPE_I32;
}

static struct expr *term_expr(struct lifter *lifter, const struct term *term, int64_t coef, enum type type)
{
	struct expr *product = NULL;

	for (int i = 0; i < term->n; i++) {
		struct expr *const factor = expr_cast(lifter->arena, type, lifter->atom[term->atom[i]].expr);

		product = product ? expr_binary(lifter->arena, OP_MUL, product, factor) : factor;
	}
	if (!product)
		return expr_int(lifter->arena, coef, type);
	return coef == 1 ? product : expr_binary(lifter->arena, OP_MUL, expr_int(lifter->arena, coef, type), product);
}

static bool has_positive(const struct poly *poly)
{
	for (int i = 0; i < poly->n; i++)
		if (poly->term[i].n && poly->term[i].coef > 0)
			return true;
	return false;
}

/* What moves comes first, then params, then what is taken away, then the constant; "9 - i" where all is taken away. */
static int print_order(const struct lifter *lifter, const struct term *term, bool is_down)
{
	bool moves = false;

	for (int i = 0; i < term->n; i++)
		moves = moves || !lifter->atom[term->atom[i]].is_param;
	return term->n == 0 ? (is_down && term->coef > 0 ? 0 : 4) : term->coef < 0 ? 3 : moves ? 1 : 2;
}

struct expr *poly_expr(struct lifter *lifter, const struct poly *poly, enum type type)
{
	const bool is_down = !has_positive(poly);
	struct expr *sum = NULL;

	for (int pass = 0; pass < 5; pass++) {
		for (int i = 0; i < poly->n; i++) {
			const struct term *const term = &poly->term[i];
			const bool is_negative = term->coef < 0;
			struct expr *part;

			if (print_order(lifter, term, is_down) != pass)
				continue;
			if (!sum) {
				sum = term->coef == -1 && term->n ?
					      expr_unary(lifter->arena, OP_NEG, term_expr(lifter, term, 1, type)) :
					      term_expr(lifter, term, term->coef, type);
				continue;
			}
			part = term_expr(lifter, term, is_negative ? -term->coef : term->coef, type);
			sum = expr_binary(lifter->arena, is_negative ? OP_SUB : OP_ADD, sum, part);
		}
	}
	return sum ? sum : expr_int(lifter->arena, 0, type);
}

static const char *const operators[OP_COUNT] = {
	[OP_ADD] = "+", [OP_SUB] = "-", [OP_MUL] = "*", [OP_DIV] = "/", [OP_MOD] = "%", [OP_SHL] = "<<", [OP_SHR] = ">>",
	[OP_AND] = "&", [OP_OR] = "|", [OP_XOR] = "^", [OP_LT] = "<", [OP_LE] = "<=", [OP_GT] = ">", [OP_GE] = ">=",
	[OP_EQ] = "==", [OP_NE] = "!=", [OP_LAND] = "&&", [OP_LOR] = "||",
};

static bool is_plain(const char *source)
{
	for (; *source; source++)
		if (!isalnum((unsigned char)*source) && !strchr("_.->", *source))
			return false;
	return true;
}

static const char *binary_source(struct lifter *lifter, const struct expr *expr)
{
	const char *const left = expr_source(lifter, expr->arg[0]), *const right = expr_source(lifter, expr->arg[1]);

	if (expr->op == OP_MIN || expr->op == OP_MAX)
		return arena_printf(lifter->arena, "(%s %s %s ? %s : %s)", left, expr->op == OP_MIN ? "<" : ">", right, left,
				    right);
	if (!operators[expr->op])
		return NULL;
	return arena_printf(lifter->arena, "(%s %s %s)", left, operators[expr->op], right);
}

/* NOTE: the text is that of C in the types of the nest, not the user's spelling, so that macros and casts cannot change
 * its meaning; it is NULL for what has no fixed value. */
const char *expr_source(struct lifter *lifter, const struct expr *expr)
{
	switch (expr->kind) {
	case EXPR_INT:
		return arena_printf(lifter->arena, "%lld%s", (long long)expr->integer, type_size(expr->type) == 8 ? "LL" : "");
	case EXPR_REF:
		if (expr->n || expr->var->kind != VAR_PARAM)
			return NULL;
		if (is_plain(expr->var->source))
			return expr->var->source;
		return arena_printf(lifter->arena, "(%s)", expr->var->source);
	case EXPR_CAST: {
		const char *const arg = expr_source(lifter, expr->arg[0]);

		return arg ? arena_printf(lifter->arena, "(%s)%s", type_c_name(expr->type), arg) : NULL;
	}
	case EXPR_OP:
		for (int i = 0; i < expr->n; i++)
			if (!expr_source(lifter, expr->arg[i]))
				return NULL;
		if (expr->n == 1)
			return arena_printf(lifter->arena, "(%s%s)",
					    expr->op == OP_NEG ? "-" : expr->op == OP_NOT ? "!" : "~",
					    expr_source(lifter, expr->arg[0]));
		return binary_source(lifter, expr);
	case EXPR_SELECT:
		for (int i = 0; i < expr->n; i++)
			if (!expr_source(lifter, expr->arg[i]))
				return NULL;
		return arena_printf(lifter->arena, "(%s ? %s : %s)", expr_source(lifter, expr->arg[0]),
				    expr_source(lifter, expr->arg[1]), expr_source(lifter, expr->arg[2]));
	default:
		return NULL;
	}
}
