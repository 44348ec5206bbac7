#include "inputs.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char *const names[DIST_COUNT] = {"normal", "wide",     "zeros",  "signs",
					      "offset", "denormal", "limits", "nan",
					      "rising", "falling", "unity", "sparse"};

const char *distribution_name(enum distribution distribution)
{
	return names[distribution];
}

static bool is_float_to_int(struct expr *expr, void *context)
{
	bool *found = context;

	*found |= expr->kind == EXPR_CAST && type_is_integer(expr->type) && type_is_float(expr->arg[0]->type);
	return true;
}

static bool look_for_conversions(struct expr *expr, void *context)
{
	return expr_walk(expr, is_float_to_int, context);
}

static bool look_in_node(struct node *node, void *context)
{
	return node_exprs(node, look_for_conversions, context);
}

static bool has_flag(const struct job *job, const char *flag)
{
	int i;

	for (i = 1; i < job->argc; i++)
		if (!strcmp(job->argv[i], flag))
			return true;
	return false;
}

static bool has_finite_math(const struct job *job)
{
	return has_flag(job, "-Ofast") || has_flag(job, "-ffast-math") || has_flag(job, "-ffinite-math-only");
}

static bool has_array(const struct nest *nest, bool (*is_meant)(enum type type))
{
	int v;

	for (v = 0; v < nest->n_var; v++)
		if (nest->var[v]->kind == VAR_ARRAY && is_meant(nest->var[v]->type))
			return true;
	return false;
}

static bool is_narrow(enum type type)
{
	return type_is_integer(type) && (type_size(type) < 4 || !type_is_signed(type));
}

static bool is_data(struct expr *expr, void *context)
{
	bool *found = context;

	*found |= expr->kind == EXPR_REF && (expr->n > 0 || expr->var->kind == VAR_SCALAR || expr->var->kind == VAR_LOCAL);
	return !*found;
}

/* Whether the expression computes with data in a signed type that overflows. */
static bool is_signed_sum(struct expr *expr, void *context)
{
	bool *found = context, has_data = false;
	const bool overflows = expr->kind == EXPR_OP && expr->op >= OP_NEG && expr->op <= OP_SHL && expr->op != OP_NOT &&
			       expr->op != OP_BITNOT;

	if (overflows && type_is_integer(expr->type) && type_is_signed(expr->type))
		expr_walk(expr, is_data, &has_data);
	*found |= has_data;
	return !*found;
}

static bool look_for_sums(struct expr *expr, void *context)
{
	return expr_walk(expr, is_signed_sum, context);
}

static bool look_for_overflow(struct node *node, void *context)
{
	bool *found = context;

	*found |= node->kind == NODE_STMT && node->op != OP_NONE && type_is_integer(node->target->type) &&
		  type_is_signed(node->target->type);
	return !*found && node_exprs(node, look_for_sums, context);
}

/* Whether signed integers may have any value: the nest only compares and copies them. Of an opaque nest that is seen by running
 * it: trials on which its arithmetic overflows are dropped. */
static bool takes_all_integers(const struct job *job)
{
	bool found = false;

	list_walk(&job->nest->body, look_for_overflow, &found);
	return !found;
}

/* Whether the expression compares floats, or takes the smaller or larger one. */
static bool is_comparison(struct expr *expr, void *context)
{
	bool *found = context;

	*found |= expr->kind == EXPR_OP && expr->op >= OP_LT && expr->op <= OP_NE && type_is_float(expr->arg[0]->type);
	*found |= expr->kind == EXPR_CALL && (!strncmp(expr->name, "fmin", 4) || !strncmp(expr->name, "fmax", 4));
	return !*found;
}

static bool look_for_comparisons(struct expr *expr, void *context)
{
	return expr_walk(expr, is_comparison, context);
}

static bool look_for_choices(struct node *node, void *context)
{
	return node_exprs(node, look_for_comparisons, context);
}

/* Whether the statement multiplies what it assigns to. */
static bool look_for_products(struct node *node, void *context)
{
	bool *found = context;
	const struct expr *value = node->kind == NODE_STMT ? node->value : NULL;

	*found |= node->kind == NODE_STMT && node->op == OP_MUL;
	*found |= value && value->kind == EXPR_OP && value->op == OP_MUL &&
		  (expr_equal(value->arg[0], node->target) || expr_equal(value->arg[1], node->target));
	return !*found;
}

bool distribution_is_defined(const struct job *job, enum distribution distribution)
{
	bool converts = false, is_wanted = false;

	if (distribution == DIST_NORMAL || distribution == DIST_ZEROS || distribution == DIST_SIGNS)
		return true;
	if (distribution == DIST_LIMITS)
		return has_array(job->nest, is_narrow) || (has_array(job->nest, type_is_integer) && takes_all_integers(job));
	if (!has_array(job->nest, type_is_float))
		return false;
	if (distribution == DIST_RISING || distribution == DIST_FALLING || distribution == DIST_UNITY) {
		list_walk(&job->nest->body, distribution == DIST_UNITY ? look_for_products : look_for_choices, &is_wanted);
		return is_wanted;
	}
	list_walk(&job->nest->body, look_in_node, &converts);
	if (distribution == DIST_NAN)
		return !converts && job->strictness != STRICT_REASSOC && !has_finite_math(job);
	return !converts || distribution == DIST_OFFSET || distribution == DIST_SPARSE;
}

/* What is known of an array's elements at the sizes in question. */
struct knowledge {
	bool has_range, is_nonzero, is_positive, is_matrix, is_symmetric, takes_all;
	int64_t lo, hi, columns;
};

static struct knowledge know(const struct job *job, const struct sized *sized, const struct var *var)
{
	struct knowledge known = {.takes_all = is_narrow(var->type) || takes_all_integers(job)};
	int i;

	for (i = 0; i < job->signature->n_fact; i++) {
		const struct fact *fact = &job->signature->fact[i];

		if (fact->var != var)
			continue;
		known.is_nonzero |= fact->kind == FACT_NONZERO;
		known.is_positive |= fact->kind == FACT_POSITIVE;
		known.is_matrix |= fact->kind == FACT_SPD || fact->kind == FACT_DOMINANT;
		known.is_symmetric |= fact->kind == FACT_SPD;
		if ((fact->kind == FACT_INDEX || fact->kind == FACT_RANGE) && fact->hi)
			known.has_range = extent_evaluate(job->nest, &sized->shape, fact->hi, &known.hi) &&
					  (!fact->lo || extent_evaluate(job->nest, &sized->shape, fact->lo, &known.lo));
	}
	known.columns = 0;
	if (known.is_matrix && (var->rank != 2 || !extent_pitch(job->nest, &sized->shape, var, 1, &known.columns)))
		known.is_matrix = false;
	return known;
}

static double sign_of(double magnitude, struct rng *rng)
{
	return rng_next(rng) >> 63 ? -magnitude : magnitude;
}

/* One value of the distribution for a floating type whose smallest normal number is "tiny". */
static double draw_real(enum distribution distribution, double tiny, double sign, struct rng *rng)
{
	double value = rng_uniform(rng) * 2 - 1;

	switch (distribution) {
	case DIST_WIDE:
		return value * exp2(floor(rng_uniform(rng) * 40) - 20);
	case DIST_ZEROS:
		return rng_below(rng, 3) ? value : sign_of(0.0, rng);
	case DIST_SIGNS:
		return sign * (0.05 + 3 * fabs(value));
	case DIST_OFFSET:
		return sign * 1000 + value;
	case DIST_DENORMAL:
		return rng_below(rng, 5) ? value : value * tiny;
	case DIST_NAN:
		if (rng_below(rng, 16))
			return value;
		return rng_below(rng, 2) ? (double)NAN : sign_of(INFINITY, rng);
	case DIST_UNITY:
		return 1 + value / 64;
	case DIST_SPARSE:
		return rng_below(rng, 8) ? sign_of(0.0, rng) : value;
	default:
		return value;
	}
}

/* Element "i" of "n" that go up from 0 to 1, or down to -1. */
static double draw_ramp(enum distribution distribution, int64_t i, int64_t n, struct rng *rng)
{
	double value = ((double)i + rng_uniform(rng)) / (double)n;

	return distribution == DIST_RISING ? value : -value;
}

static double bend(const struct knowledge *known, double value, struct rng *rng)
{
	if (known->has_range)
		return (double)known->lo + rng_uniform(rng) * ((double)known->hi - (double)known->lo);
	if (known->is_positive)
		return fabs(value) + 0.0625;
	if (known->is_nonzero)
		return value < 0 ? value - 0.5 : value + 0.5;
	return value;
}

/* A number in (-1, 1) that depends on the unordered pair (i, j) and "salt" alone, so that a matrix can be symmetric. */
static double pair_value(uint64_t salt, int64_t i, int64_t j, bool is_symmetric)
{
	struct rng rng;
	int64_t low = is_symmetric && j < i ? j : i, high = is_symmetric && j < i ? i : j;

	rng_seed(&rng, salt ^ ((uint64_t)low << 32) ^ (uint64_t)high);
	return rng_uniform(&rng) * 2 - 1;
}

/* An element of a diagonally dominant matrix of "columns" columns. */
static double matrix_value(const struct knowledge *known, uint64_t salt, int64_t offset)
{
	int64_t i = offset / known->columns, j = offset % known->columns;
	double value = pair_value(salt, i, j, known->is_symmetric);

	return i == j ? (double)known->columns + 1 + value : value;
}

static double type_tiny(enum type type)
{
	return type == TYPE_F32 ? FLT_MIN : DBL_MIN;
}

static void store_real(enum type type, void *data, int64_t at, double value)
{
	if (type == TYPE_F32)
		((float *)data)[at] = (float)value;
	else
		((double *)data)[at] = value;
}

static void fill_reals(const struct knowledge *known, const struct var *var, enum distribution distribution,
		       struct rng *rng, int64_t first, int64_t n, void *data)
{
	double sign = sign_of(1, rng), tiny = type_tiny(var->type);
	uint64_t salt = rng_next(rng);
	bool bends = known->has_range || known->is_positive || known->is_nonzero;
	int64_t i;

	for (i = 0; i < n; i++) {
		double value;

		if (known->is_matrix && first + i >= 0)
			value = matrix_value(known, salt, first + i);
		else if (distribution == DIST_RISING || distribution == DIST_FALLING)
			value = draw_ramp(distribution, i, n, rng);
		else
			value = draw_real(distribution, tiny, sign, rng);
		store_real(var->type, data, i, bends ? bend(known, value, rng) : value);
	}
}

static int64_t type_limit(enum type type, bool most)
{
	int bits = type_size(type) * 8 - (type_is_signed(type) ? 1 : 0);

	if (most)
		return bits >= 63 ? INT64_MAX : ((int64_t)1 << bits) - 1;
	return type_is_signed(type) ? -type_limit(type, true) - 1 : 0;
}

static int64_t draw_integer(const struct knowledge *known, enum type type, enum distribution distribution, struct rng *rng)
{
	int64_t value = (int64_t)rng_below(rng, 201) - 100;

	if (distribution == DIST_LIMITS && known->takes_all && rng_below(rng, 2))
		return type_limit(type, rng_below(rng, 2));
	if (distribution == DIST_ZEROS)
		return (int64_t)rng_below(rng, 4);
	if (type_size(type) == 1 && distribution != DIST_NORMAL)
		return (int64_t)(rng_next(rng) & 255);
	return type_is_signed(type) ? value : value + 100;
}

static void store_integer(enum type type, void *data, int64_t at, int64_t value)
{
	switch (type_size(type)) {
	case 1:
		((int8_t *)data)[at] = (int8_t)value;
		break;
	case 2:
		((int16_t *)data)[at] = (int16_t)value;
		break;
	case 4:
		((int32_t *)data)[at] = (int32_t)value;
		break;
	default:
		((int64_t *)data)[at] = value;
		break;
	}
}

/* A value of lo .. hi - 1, "lo" when there is none. */
static int64_t draw_between(int64_t lo, int64_t hi, struct rng *rng)
{
	if (hi <= lo)
		return lo;
	return (int64_t)((uint64_t)lo + rng_below(rng, (uint64_t)hi - (uint64_t)lo));
}

static void fill_integers(const struct knowledge *known, const struct var *var, enum distribution distribution,
			  struct rng *rng, int64_t n, void *data)
{
	int64_t i;

	for (i = 0; i < n; i++) {
		int64_t value = draw_integer(known, var->type, distribution, rng);

		if (known->has_range)
			value = draw_between(known->lo, known->hi, rng);
		else if (known->is_positive)
			value = value < 0 ? -value : value + 1;
		else if (known->is_nonzero && value == 0)
			value = 1;
		store_integer(var->type, data, i, value);
	}
}

/* Random finite values of all magnitudes. */
static void fill_poison(const struct var *var, struct rng *rng, int64_t n, void *data)
{
	int64_t i;

	for (i = 0; i < n; i++) {
		uint64_t bits = rng_next(rng);

		if (var->type == TYPE_F32)
			bits &= ~(uint64_t)0x40000000;
		else if (var->type == TYPE_F64)
			bits &= ~(uint64_t)0x4000000000000000;
		store_integer(var->type, data, i, (int64_t)bits);
	}
}

void inputs_fill(const struct job *job, const struct sized *sized, const struct var *var,
		 enum distribution distribution, struct rng *rng, int64_t first, int64_t n, void *data)
{
	struct knowledge known = know(job, sized, var);

	if (!var->is_read && var->kind != VAR_PARAM)
		fill_poison(var, rng, n, data);
	else if (type_is_float(var->type))
		fill_reals(&known, var, distribution, rng, first, n, data);
	else
		fill_integers(&known, var, distribution, rng, n, data);
}
