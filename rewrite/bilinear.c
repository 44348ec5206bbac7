#include "affine.h"

static const struct bilinear *from_affine(struct arena *arena, const struct affine *rest)
{
	struct bilinear *form = ARENA_NEW(arena, struct bilinear);

	form->rest = rest;
	return rest ? form : NULL;
}

/* Append dim * factor to "sum", which has room for it, unless the factor is 0; false on overflow. */
static bool push(struct bilinear *sum, int dim, const struct affine *factor)
{
	if (!factor)
		return false;
	if (factor->n || factor->constant)
		sum->product[sum->n++] = (struct affine_product){ dim, factor };
	return true;
}

/* left + factor * right; NULL on overflow. */
static const struct bilinear *add(struct arena *arena, const struct bilinear *left, int64_t factor,
				  const struct bilinear *right)
{
	const struct affine *const zero = affine_constant(arena, 0);
	struct bilinear *sum;
	int i = 0, j = 0;

	if (!left || !right)
		return NULL;
	sum = (struct bilinear *)from_affine(arena, affine_add(arena, left->rest, factor, right->rest));
	if (!sum)
		return NULL;
	sum->product = ARENA_ARRAY(arena, struct affine_product, left->n + right->n + 1);
	while (i < left->n || j < right->n) {
		const int from_left = i < left->n ? left->product[i].dim : INT32_MAX;
		const int from_right = j < right->n ? right->product[j].dim : INT32_MAX;
		const int dim = from_left < from_right ? from_left : from_right;
		const struct affine *old = from_left == dim ? left->product[i++].factor : zero;
		const struct affine *new = from_right == dim ? right->product[j++].factor : zero;

		if (!push(sum, dim, affine_add(arena, old, factor, new)))
			return NULL;
	}
	return sum;
}

/* The terms of "form" over params alone, and those over dimensions. */
static const struct affine *split(struct arena *arena, const struct affine *form, const struct affine **dims)
{
	struct affine *params = ARENA_NEW(arena, struct affine), *rest = ARENA_NEW(arena, struct affine);
	int n = 0;

	while (n < form->n && form->term[n].dim >= 0)
		n++;
	*rest = (struct affine){ 0, n, form->term };
	*params = (struct affine){ form->constant, form->n - n, form->term + n };
	*dims = rest;
	return params;
}

/* form * factor, "factor" over params alone; NULL on overflow. */
static const struct bilinear *times(struct arena *arena, const struct bilinear *form, const struct affine *factor)
{
	const struct affine *dims, *params = split(arena, form->rest, &dims);
	const struct bilinear *sum = from_affine(arena, affine_multiply(arena, params, factor));

	for (int i = 0; i < dims->n; i++) {
		struct affine_product product = { dims->term[i].dim, factor };
		struct bilinear one = { affine_constant(arena, 0), 1, &product };

		sum = add(arena, sum, dims->term[i].coefficient, &one);
	}
	for (int i = 0; i < form->n; i++) {
		struct affine_product product = { form->product[i].dim,
						  affine_multiply(arena, form->product[i].factor, factor) };
		struct bilinear one = { affine_constant(arena, 0), 1, &product };

		sum = product.factor ? add(arena, sum, 1, &one) : NULL;
	}
	return sum;
}

static bool is_param(const struct bilinear *form)
{
	return form && !form->n && affine_is_param(form->rest);
}

static const struct bilinear *from_op(const struct affine_env *env, const struct expr *expr)
{
	const struct bilinear *left = bilinear_from_expr(env, expr->arg[0]);
	const struct bilinear *right = expr->n > 1 ? bilinear_from_expr(env, expr->arg[1]) : NULL;

	switch (expr->op) {
	case OP_NEG:
		return add(env->arena, from_affine(env->arena, affine_constant(env->arena, 0)), -1, left);
	case OP_ADD:
		return add(env->arena, left, 1, right);
	case OP_SUB:
		return add(env->arena, left, -1, right);
	case OP_MUL:
		if (left && is_param(right))
			return times(env->arena, left, right->rest);
		return is_param(left) && right ? times(env->arena, right, left->rest) : NULL;
	default:
		return NULL;
	}
}

const struct bilinear *bilinear_from_expr(const struct affine_env *env, const struct expr *expr)
{
	const struct affine *form = affine_from_expr(env, expr);
	bool needs_sign;

	if (form)
		return from_affine(env->arena, form);
	if (!type_is_integer(expr->type))
		return NULL;
	if (expr->kind == EXPR_OP)
		return from_op(env, expr);
	if (expr->kind == EXPR_CAST && affine_cast_keeps(expr->arg[0]->type, expr->type, &needs_sign))
		return bilinear_from_expr(env, expr->arg[0]);
	return NULL;
}
