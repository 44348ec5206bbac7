#include "affine.h"

#include <stdlib.h>
#include <string.h>

#include "support/text.h"

const struct affine *affine_constant(struct arena *arena, int64_t value)
{
	struct affine *form = ARENA_NEW(arena, struct affine);

	form->constant = value;
	return form;
}

static const struct affine *symbol(struct arena *arena, int dim, const char *param)
{
	struct affine *form = ARENA_NEW(arena, struct affine);

	form->n = 1;
	form->term = ARENA_NEW(arena, struct affine_term);
	form->term[0] = (struct affine_term){ dim, param, 1 };
	return form;
}

const struct affine *affine_dim(struct arena *arena, int dim)
{
	return symbol(arena, dim, NULL);
}

static int term_compare(const struct affine_term *a, const struct affine_term *b)
{
	if (a->dim >= 0 && b->dim >= 0)
		return a->dim - b->dim;
	if (a->dim >= 0 || b->dim >= 0)
		return a->dim >= 0 ? -1 : 1;
	return strcmp(a->param, b->param);
}

/* "*sum" = a + factor * b; false on overflow. */
static bool add_scaled(int64_t a, int64_t factor, int64_t b, int64_t *sum)
{
	int64_t product;

	return !__builtin_mul_overflow(factor, b, &product) && !__builtin_add_overflow(a, product, sum);
}

static bool push(struct affine *sum, const struct affine_term *symbol, int64_t coefficient)
{
	if (coefficient)
		sum->term[sum->n++] = (struct affine_term){ symbol->dim, symbol->param, coefficient };
	return true;
}

static bool merge(struct affine *sum, const struct affine *left, int64_t factor, const struct affine *right)
{
	int i = 0, j = 0;

	while (i < left->n || j < right->n) {
		const int order = i == left->n ? 1 : j == right->n ? -1 : term_compare(left->term + i, right->term + j);
		const int64_t old = order <= 0 ? left->term[i].coefficient : 0;
		const int64_t new = order >= 0 ? right->term[j].coefficient : 0;
		int64_t coefficient;

		if (!add_scaled(old, factor, new, &coefficient))
			return false;
		push(sum, order <= 0 ? left->term + i : right->term + j, coefficient);
		i += order <= 0;
		j += order >= 0;
	}
	return true;
}

const struct affine *affine_add(struct arena *arena, const struct affine *left, int64_t factor,
				const struct affine *right)
{
	struct affine *sum = ARENA_NEW(arena, struct affine);

	if (!left || !right || !add_scaled(left->constant, factor, right->constant, &sum->constant))
		return NULL;
	sum->term = ARENA_ARRAY(arena, struct affine_term, left->n + right->n + 1);
	return merge(sum, left, factor, right) ? sum : NULL;
}

static const struct affine *scale(struct arena *arena, const struct affine *form, int64_t factor)
{
	return affine_add(arena, affine_constant(arena, 0), factor, form);
}

bool affine_equal(const struct affine *a, const struct affine *b)
{
	if (!a || !b || a->constant != b->constant || a->n != b->n)
		return false;
	for (int i = 0; i < a->n; i++)
		if (term_compare(a->term + i, b->term + i) || a->term[i].coefficient != b->term[i].coefficient)
			return false;
	return true;
}

bool affine_is_param(const struct affine *form)
{
	return !form->n || form->term[0].dim < 0;
}

int64_t affine_coefficient(const struct affine *form, int dim)
{
	for (int i = 0; i < form->n; i++)
		if (form->term[i].dim == dim)
			return form->term[i].coefficient;
	return 0;
}

static bool visit_param(struct expr *expr, void *context)
{
	(void)context;
	return expr->kind != EXPR_REF || (expr->var->kind == VAR_PARAM && expr->var->rank == 0);
}

bool expr_is_param(const struct expr *expr)
{
	return expr_walk((struct expr *)expr, visit_param, NULL);
}

const struct affine *affine_opaque(struct arena *arena, const struct expr *expr)
{
	struct text text = { 0 };
	const struct affine *form;

	if (!expr_is_param(expr))
		return NULL;
	expr_print(expr, &text);
	form = symbol(arena, -1, arena_strdup(arena, text_string(&text)));
	text_free(&text);
	return form;
}

static int name_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Append the factors of the product named "name" to "factor". */
static int factors(struct arena *arena, const char *name, const char **factor, int n)
{
	char *copy = arena_strdup(arena, name), *rest = copy;

	if (strpbrk(name, "()/ "))
		factor[n++] = name;
	else
		for (char *part; (part = strsep(&rest, "*")) && n < 16;)
			factor[n++] = part;
	return n;
}

/* The parameter that stands for the product of the parameters "a" and "b": its factors in the order of their names. */
static const char *product_name(struct arena *arena, const char *a, const char *b)
{
	const char *factor[33];
	int n = factors(arena, b, factor, factors(arena, a, factor, 0));
	char *name = NULL;

	qsort(factor, n, sizeof(*factor), name_compare);
	for (int i = 0; i < n; i++)
		name = i ? arena_printf(arena, "%s*%s", name, factor[i]) : arena_strdup(arena, factor[i]);
	return name;
}

/* left * term, where no dimension occurs. */
static const struct affine *times_term(struct arena *arena, const struct affine *left, const struct affine_term *term)
{
	const struct affine *sum = scale(arena, symbol(arena, -1, term->param), left->constant);

	for (int i = 0; i < left->n && sum; i++)
		sum = affine_add(arena, sum, left->term[i].coefficient,
				 symbol(arena, -1, product_name(arena, left->term[i].param, term->param)));
	return sum ? scale(arena, sum, term->coefficient) : NULL;
}

const struct affine *affine_multiply(struct arena *arena, const struct affine *left, const struct affine *right)
{
	const struct affine *sum;

	if (!left || !right)
		return NULL;
	if (!left->n)
		return scale(arena, right, left->constant);
	if (!right->n)
		return scale(arena, left, right->constant);
	if (!affine_is_param(left) || !affine_is_param(right))
		return NULL;
	sum = scale(arena, left, right->constant);
	for (int i = 0; i < right->n && sum; i++)
		sum = affine_add(arena, sum, 1, times_term(arena, left, right->term + i));
	return sum;
}

static bool is_nonnegative(const struct affine_env *env, const struct affine *form)
{
	return !env->is_nonnegative || (!form->n && form->constant >= 0) || env->is_nonnegative(form, env->context);
}

bool affine_cast_keeps(enum type from, enum type to, bool *needs_sign)
{
	*needs_sign = type_is_signed(from) && !type_is_signed(to);
	if (type_is_float(from) || type_is_float(to))
		return false;
	if (type_is_signed(to) && !type_is_signed(from))
		return type_size(to) > type_size(from);
	return type_size(to) >= type_size(from);
}

static const struct affine *from_cast(const struct affine_env *env, const struct expr *expr)
{
	const struct affine *form;
	bool needs_sign;

	if (!affine_cast_keeps(expr->arg[0]->type, expr->type, &needs_sign))
		return affine_opaque(env->arena, expr);
	form = affine_from_expr(env, expr->arg[0]);
	if (form && needs_sign && !is_nonnegative(env, form))
		return affine_opaque(env->arena, expr);
	return form;
}

static const struct affine *from_ref(const struct affine_env *env, const struct expr *expr)
{
	if (expr->var->kind == VAR_PARAM && expr->var->rank == 0)
		return symbol(env->arena, -1, expr->var->name);
	return env->resolve ? env->resolve(expr->var, env->context) : NULL;
}

static const struct affine *from_difference(const struct affine_env *env, const struct expr *expr,
					    const struct affine *left, const struct affine *right)
{
	const struct affine *form = affine_add(env->arena, left, -1, right);

	if (form && !type_is_signed(expr->type) && !is_nonnegative(env, form))
		return affine_opaque(env->arena, expr);
	return form;
}

/* A product, or a term of its own when it is one of params that is not linear. A factor without a form leaves the product
 * to isl, which can scale min, max and divisions. */
static const struct affine *from_product(const struct affine_env *env, const struct expr *expr,
					 const struct affine *left, const struct affine *right)
{
	const struct affine *form = affine_multiply(env->arena, left, right);

	if (form || (left && !left->n) || (right && !right->n))
		return form;
	return affine_opaque(env->arena, expr);
}

static const struct affine *from_op(const struct affine_env *env, const struct expr *expr)
{
	const struct affine *left = affine_from_expr(env, expr->arg[0]);
	const struct affine *right = expr->n > 1 ? affine_from_expr(env, expr->arg[1]) : NULL;

	switch (expr->op) {
	case OP_NEG:
		return left ? from_difference(env, expr, affine_constant(env->arena, 0), left) : NULL;
	case OP_ADD:
		return affine_add(env->arena, left, 1, right);
	case OP_SUB:
		return left && right ? from_difference(env, expr, left, right) : NULL;
	case OP_MUL:
		return from_product(env, expr, left, right);
	case OP_SHL:
		if (left && right && !right->n && right->constant >= 0 && right->constant < 62)
			return scale(env->arena, left, (int64_t)1 << right->constant);
		return NULL;
	default:
		return NULL;
	}
}

const struct affine *affine_from_expr(const struct affine_env *env, const struct expr *expr)
{
	if (!type_is_integer(expr->type))
		return NULL;
	switch (expr->kind) {
	case EXPR_INT:
		return affine_constant(env->arena, expr->integer);
	case EXPR_REF:
		return from_ref(env, expr);
	case EXPR_CAST:
		return from_cast(env, expr);
	case EXPR_OP:
		return from_op(env, expr);
	default:
		return NULL;
	}
}
