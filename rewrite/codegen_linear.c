#include "codegen_internal.h"

#include <stddef.h>

static const struct linear invalid = { .is_valid = false };

static void add_term(struct linear *form, struct expr *atom, int64_t factor)
{
	for (int i = 0; i < form->n; i++) {
		if (!expr_equal(form->term[i].atom, atom))
			continue;
		if (__builtin_add_overflow(form->term[i].factor, factor, &form->term[i].factor))
			form->is_valid = false;
		if (form->term[i].factor == 0) {
			for (int j = i + 1; j < form->n; j++)
				form->term[j - 1] = form->term[j];
			form->n--;
		}
		return;
	}
	if (form->n == LINEAR_MAX)
		form->is_valid = false;
	else if (factor != 0)
		form->term[form->n++] = (struct linear_term){ atom, factor };
}

struct linear linear_add(const struct linear *left, int64_t factor, const struct linear *right)
{
	struct linear sum = *left;
	int64_t product;

	if (!left->is_valid || !right->is_valid || __builtin_mul_overflow(right->constant, factor, &product) ||
	    __builtin_add_overflow(sum.constant, product, &sum.constant))
		return invalid;
	for (int i = 0; i < right->n; i++) {
		if (__builtin_mul_overflow(right->term[i].factor, factor, &product))
			return invalid;
		add_term(&sum, right->term[i].atom, product);
	}
	return sum;
}

static struct linear from_product(struct arena *arena, struct expr *expr)
{
	const struct linear zero = { .is_valid = true };
	struct linear left = linear_from(arena, expr->arg[0]);
	struct linear right = linear_from(arena, expr->arg[1]);
	struct linear form = zero;

	if (left.is_valid && left.n == 0)
		return linear_add(&zero, left.constant, &right);
	if (right.is_valid && right.n == 0)
		return linear_add(&zero, right.constant, &left);
	add_term(&form, expr_simplify(arena, expr), 1);
	return form;
}

static bool is_widening(const struct expr *expr)
{
	return expr->kind == EXPR_CAST && type_is_integer(expr->type) && type_is_integer(expr->arg[0]->type) &&
	       type_is_signed(expr->arg[0]->type) && type_is_signed(expr->type) &&
	       type_size(expr->type) >= type_size(expr->arg[0]->type);
}

struct linear linear_from(struct arena *arena, struct expr *expr)
{
	struct linear form = { .is_valid = true };
	struct linear left, right;

	if (expr->kind == EXPR_INT) {
		form.constant = expr->integer;
		return form;
	}
	if (is_widening(expr))
		return linear_from(arena, expr->arg[0]);
	if (expr->kind == EXPR_OP) {
		switch (expr->op) {
		case OP_ADD:
		case OP_SUB:
			left = linear_from(arena, expr->arg[0]);
			right = linear_from(arena, expr->arg[1]);
			return linear_add(&left, expr->op == OP_ADD ? 1 : -1, &right);
		case OP_NEG:
			left = linear_from(arena, expr->arg[0]);
			return linear_add(&form, -1, &left);
		case OP_MUL:
			return from_product(arena, expr);
		default:
			break;
		}
	}
	add_term(&form, expr_simplify(arena, expr), 1);
	return form;
}

int64_t linear_factor(const struct linear *form, const struct var *var, bool *is_linear)
{
	int64_t factor = 0;

	for (int i = 0; i < form->n; i++) {
		const struct expr *atom = form->term[i].atom;

		if (atom->kind == EXPR_REF && atom->var == var && atom->n == 0)
			factor = form->term[i].factor;
		else if (expr_uses(atom, var))
			*is_linear = false;
	}
	return factor;
}

/* factor * atom, factor > 0 */
static struct expr *term_expr(struct arena *arena, const struct linear_term *term, int64_t factor, enum type type)
{
	struct expr *atom = expr_cast(arena, type, term->atom);

	return factor == 1 ? atom : expr_binary(arena, OP_MUL, expr_int(arena, factor, type), atom);
}

struct expr *linear_expr(struct arena *arena, const struct linear *form, enum type type)
{
	struct expr *sum = NULL;

	for (int i = 0; i < form->n; i++) {
		if (form->term[i].factor > 0) {
			struct expr *term = term_expr(arena, &form->term[i], form->term[i].factor, type);

			sum = sum ? expr_binary(arena, OP_ADD, sum, term) : term;
		}
	}
	if (!sum && (form->constant != 0 || form->n == 0))
		sum = expr_int(arena, form->constant, type);
	for (int i = 0; i < form->n; i++) {
		if (form->term[i].factor < 0) {
			struct expr *term = term_expr(arena, &form->term[i], -form->term[i].factor, type);

			sum = sum ? expr_binary(arena, OP_SUB, sum, term) : expr_unary(arena, OP_NEG, term);
		}
	}
	if (form->constant == 0 || sum->kind == EXPR_INT)
		return sum;
	for (int i = 0; i < form->n; i++)
		if (form->term[i].factor > 0)
			return form->constant > 0 ?
				expr_binary(arena, OP_ADD, sum, expr_int(arena, form->constant, type)) :
				expr_binary(arena, OP_SUB, sum, expr_int(arena, -form->constant, type));
	return sum;
}

static bool is_sum(const struct expr *expr)
{
	return expr->kind == EXPR_OP && type_is_signed(expr->type) && type_is_integer(expr->type) &&
	       (expr->op == OP_ADD || expr->op == OP_SUB || expr->op == OP_NEG ||
		(expr->op == OP_MUL && (expr->arg[0]->kind == EXPR_INT || expr->arg[1]->kind == EXPR_INT)));
}

bool expr_difference(struct arena *arena, struct expr *a, struct expr *b, int64_t *difference)
{
	struct linear left = linear_from(arena, a), right = linear_from(arena, b);
	struct linear form = linear_add(&left, -1, &right);

	*difference = form.constant;
	return form.is_valid && form.n == 0;
}

/* min or max of two simplified expressions: one of them when their difference is known. */
static struct expr *simplify_extreme(struct arena *arena, struct expr *expr)
{
	int64_t difference;

	if (!expr_difference(arena, expr->arg[0], expr->arg[1], &difference))
		return expr;
	return (difference <= 0) == (expr->op == OP_MIN) ? expr->arg[0] : expr->arg[1];
}

struct expr *expr_simplify(struct arena *arena, struct expr *expr)
{
	struct expr *copy = ARENA_NEW(arena, struct expr);

	if (is_sum(expr)) {
		struct linear form = linear_from(arena, expr);

		if (form.is_valid)
			return linear_expr(arena, &form, expr->type);
	}
	if (expr->n == 0)
		return expr;
	*copy = *expr;
	copy->arg = ARENA_ARRAY(arena, struct expr *, expr->n);
	for (int i = 0; i < expr->n; i++)
		copy->arg[i] = expr_simplify(arena, expr->arg[i]);
	if (copy->kind == EXPR_OP && (copy->op == OP_MIN || copy->op == OP_MAX))
		return simplify_extreme(arena, copy);
	if (copy->kind == EXPR_OP && type_is_integer(copy->type) && copy->n == 2)
		return expr_binary(arena, copy->op, copy->arg[0], copy->arg[1]);
	return copy;
}

struct visit {
	bool (*visit)(struct expr *expr, void *context);
	void *context;
};

static bool walk_root(struct expr *expr, void *context)
{
	const struct visit *visit = context;

	return expr_walk(expr, visit->visit, visit->context);
}

bool node_every_expr(struct node *node, bool (*visit)(struct expr *expr, void *context), void *context)
{
	struct visit inner = { visit, context };

	return node_exprs(node, walk_root, &inner);
}
