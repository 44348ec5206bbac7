#include "isl_internal.h"

#include <isl/options.h>
#include <isl/val.h>

struct world *world_new(struct arena *arena)
{
	struct world *world = ARENA_NEW(arena, struct world);

	world->ctx = isl_ctx_alloc();
	isl_options_set_on_error(world->ctx, ISL_ON_ERROR_CONTINUE);
	world->arena = arena;
	world->params = isl_space_params_alloc(world->ctx, 0);
	return world;
}

void world_free(struct world *world)
{
	isl_space_free(world->params);
	isl_ctx_free(world->ctx);
}

isl_space *world_space(const struct world *world, int n)
{
	return isl_space_add_dims(isl_space_set_from_params(isl_space_copy(world->params)), isl_dim_set, n);
}

static int param_index(struct world *world, const char *name)
{
	const int found = isl_space_find_dim_by_name(world->params, isl_dim_param, name);

	if (found >= 0)
		return found;
	world->params = isl_space_add_dims(world->params, isl_dim_param, 1);
	world->params = isl_space_set_dim_name(world->params, isl_dim_param, world->n_param, name);
	return world->n_param++;
}

static void learn_params(struct world *world, const struct affine *form)
{
	for (int i = 0; i < form->n; i++)
		if (form->term[i].dim < 0)
			param_index(world, form->term[i].param);
}

isl_aff *world_aff(struct world *world, const struct affine *form, int n)
{
	isl_aff *aff;

	learn_params(world, form);
	aff = isl_aff_zero_on_domain_space(world_space(world, n));
	aff = isl_aff_set_constant_val(aff, isl_val_int_from_si(world->ctx, form->constant));
	for (int i = 0; i < form->n; i++) {
		const struct affine_term *term = form->term + i;
		const bool is_dim = term->dim >= 0;

		aff = isl_aff_set_coefficient_val(aff, is_dim ? isl_dim_in : isl_dim_param,
						  is_dim ? term->dim : param_index(world, term->param),
						  isl_val_int_from_si(world->ctx, term->coefficient));
	}
	return aff;
}

bool map_is_empty(isl_map *map)
{
	const bool is_empty = isl_map_is_empty(map) == isl_bool_true;

	isl_map_free(map);
	return is_empty;
}

static isl_constraint *add_terms(struct world *world, isl_constraint *constraint, int sign, enum isl_dim_type dims,
				 const struct affine *form)
{
	for (int i = 0; i < form->n; i++) {
		const struct affine_term *term = form->term + i;
		const enum isl_dim_type type = term->dim >= 0 ? dims : isl_dim_param;
		const int at = term->dim >= 0 ? term->dim : param_index(world, term->param);
		isl_val *val = isl_constraint_get_coefficient_val(constraint, type, at);

		val = isl_val_add(val, isl_val_int_from_si(world->ctx, sign * term->coefficient));
		constraint = isl_constraint_set_coefficient_val(constraint, type, at, val);
	}
	return constraint;
}

isl_map *world_compare(struct world *world, bool is_equal, int n_in, const struct affine *left, int n_out,
		       const struct affine *right)
{
	isl_local_space *space;
	isl_constraint *constraint;
	isl_val *constant;

	learn_params(world, left);
	learn_params(world, right);
	space = isl_local_space_from_space(
		isl_space_map_from_domain_and_range(world_space(world, n_in), world_space(world, n_out)));
	constraint = is_equal ? isl_constraint_alloc_equality(space) : isl_constraint_alloc_inequality(space);
	constant = isl_val_sub(isl_val_int_from_si(world->ctx, left->constant),
			       isl_val_int_from_si(world->ctx, right->constant));
	constraint = isl_constraint_set_constant_val(constraint, constant);
	constraint = add_terms(world, constraint, 1, isl_dim_in, left);
	constraint = add_terms(world, constraint, -1, isl_dim_out, right);
	return isl_map_from_basic_map(isl_basic_map_from_constraint(constraint));
}

int place_depth(const struct place *place)
{
	return place->frame ? place->frame->depth : 0;
}

static const struct affine *resolve(const struct var *var, void *context)
{
	const struct place *place = context;

	for (const struct frame *frame = place->frame; frame; frame = frame->outer)
		if (frame->node->kind == NODE_LOOP && frame->node->iter == var)
			return frame->value;
	return NULL;
}

static bool set_is_nonnegative(const struct place *place, isl_pw_aff *value)
{
	isl_set *negative = isl_set_complement(isl_pw_aff_nonneg_set(value));
	const bool is_empty = isl_set_is_empty(negative = isl_set_intersect(negative, isl_set_copy(place->domain))) ==
			      isl_bool_true;

	isl_set_free(negative);
	return is_empty;
}

static bool is_nonnegative(const struct affine *form, void *context)
{
	const struct place *place = context;

	return set_is_nonnegative(place, isl_pw_aff_from_aff(world_aff(place->world, form, place_depth(place))));
}

static struct affine_env place_env(const struct place *place)
{
	return (struct affine_env){
		.arena = place->world->arena,
		.resolve = resolve,
		.is_nonnegative = place->domain ? is_nonnegative : NULL,
		.context = (void *)place,
	};
}

const struct affine *place_affine(const struct place *place, const struct expr *expr)
{
	const struct affine_env env = place_env(place);

	return affine_from_expr(&env, expr);
}

const struct bilinear *place_bilinear(const struct place *place, const struct expr *expr)
{
	const struct affine_env env = place_env(place);
	const struct bilinear *form = bilinear_from_expr(&env, expr);

	return form && form->n ? form : NULL;
}

static isl_pw_aff *from_affine(const struct place *place, const struct affine *form)
{
	return form ? isl_pw_aff_from_aff(world_aff(place->world, form, place_depth(place))) : NULL;
}

static isl_pw_aff *from_constant_divisor(const struct place *place, const struct expr *expr, isl_pw_aff *left)
{
	isl_val *divisor = isl_val_int_from_si(place->world->ctx, expr->arg[1]->integer);
	isl_set *everywhere;
	isl_pw_aff *right;

	if (expr->op == OP_FLOORDIV)
		return isl_pw_aff_floor(isl_pw_aff_scale_down_val(left, divisor));
	everywhere = isl_set_universe(world_space(place->world, place_depth(place)));
	right = isl_pw_aff_val_on_domain(everywhere, divisor);
	return expr->op == OP_DIV ? isl_pw_aff_tdiv_q(left, right) : isl_pw_aff_tdiv_r(left, right);
}

static isl_pw_aff *from_division(const struct place *place, const struct expr *expr)
{
	isl_pw_aff *left;

	if (expr->arg[1]->kind != EXPR_INT || expr->arg[1]->integer <= 0)
		return NULL;
	left = place_value(place, expr->arg[0]);
	return left ? from_constant_divisor(place, expr, left) : NULL;
}

static isl_pw_aff *combine(enum op op, isl_pw_aff *left, isl_pw_aff *right)
{
	switch (op) {
	case OP_ADD:
		return isl_pw_aff_add(left, right);
	case OP_SUB:
		return isl_pw_aff_sub(left, right);
	case OP_MIN:
		return isl_pw_aff_min(left, right);
	case OP_MAX:
		return isl_pw_aff_max(left, right);
	default:
		return isl_pw_aff_mul(left, right);
	}
}

static isl_pw_aff *checked_sign(const struct place *place, const struct expr *expr, isl_pw_aff *value)
{
	if (!value || !place->domain || type_is_signed(expr->type) ||
	    set_is_nonnegative(place, isl_pw_aff_copy(value)))
		return value;
	isl_pw_aff_free(value);
	return NULL;
}

static isl_pw_aff *from_binary(const struct place *place, const struct expr *expr)
{
	isl_pw_aff *left = place_value(place, expr->arg[0]);
	isl_pw_aff *right = left ? place_value(place, expr->arg[1]) : NULL;

	if (!left || !right ||
	    (expr->op == OP_MUL && expr->arg[0]->kind != EXPR_INT && expr->arg[1]->kind != EXPR_INT)) {
		isl_pw_aff_free(left);
		isl_pw_aff_free(right);
		return NULL;
	}
	left = combine(expr->op, left, right);
	return expr->op == OP_SUB ? checked_sign(place, expr, left) : left;
}

static isl_pw_aff *from_op(const struct place *place, const struct expr *expr)
{
	switch (expr->op) {
	case OP_NEG: {
		isl_pw_aff *value = place_value(place, expr->arg[0]);

		return value ? checked_sign(place, expr, isl_pw_aff_neg(value)) : NULL;
	}
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_MIN: case OP_MAX:
		return from_binary(place, expr);
	case OP_FLOORDIV: case OP_DIV: case OP_MOD:
		return from_division(place, expr);
	default:
		return NULL;
	}
}

static isl_pw_aff *from_select(const struct place *place, const struct expr *expr)
{
	isl_set *cond = place_condition(place, expr->arg[0]);
	isl_pw_aff *yes = cond ? place_value(place, expr->arg[1]) : NULL;
	isl_pw_aff *no = yes ? place_value(place, expr->arg[2]) : NULL;

	if (no)
		return isl_pw_aff_cond(isl_set_indicator_function(cond), yes, no);
	isl_set_free(cond);
	isl_pw_aff_free(yes);
	return NULL;
}

static isl_pw_aff *from_cast(const struct place *place, const struct expr *expr)
{
	bool needs_sign;

	if (!affine_cast_keeps(expr->arg[0]->type, expr->type, &needs_sign))
		return NULL;
	return checked_sign(place, expr, place_value(place, expr->arg[0]));
}

isl_pw_aff *place_value(const struct place *place, const struct expr *expr)
{
	const struct affine *form = place_affine(place, expr);
	isl_pw_aff *value = NULL;

	if (form || !type_is_integer(expr->type))
		return from_affine(place, form);
	if (expr->kind == EXPR_OP)
		value = from_op(place, expr);
	else if (expr->kind == EXPR_SELECT)
		value = from_select(place, expr);
	else if (expr->kind == EXPR_CAST)
		value = from_cast(place, expr);
	return value ? value : from_affine(place, affine_opaque(place->world->arena, expr));
}

static isl_set *compare(enum op op, isl_pw_aff *left, isl_pw_aff *right)
{
	switch (op) {
	case OP_LT:
		return isl_pw_aff_lt_set(left, right);
	case OP_LE:
		return isl_pw_aff_le_set(left, right);
	case OP_GT:
		return isl_pw_aff_gt_set(left, right);
	case OP_GE:
		return isl_pw_aff_ge_set(left, right);
	case OP_EQ:
		return isl_pw_aff_eq_set(left, right);
	default:
		return isl_pw_aff_ne_set(left, right);
	}
}

static isl_set *from_comparison(const struct place *place, const struct expr *cond)
{
	isl_pw_aff *left = place_value(place, cond->arg[0]);
	isl_pw_aff *right = left ? place_value(place, cond->arg[1]) : NULL;

	if (right)
		return compare(cond->op, left, right);
	isl_pw_aff_free(left);
	return NULL;
}

static isl_set *from_logical(const struct place *place, const struct expr *cond)
{
	isl_set *left = place_condition(place, cond->arg[0]);
	isl_set *right = left ? place_condition(place, cond->arg[1]) : NULL;

	if (right)
		return cond->op == OP_LAND ? isl_set_intersect(left, right) : isl_set_union(left, right);
	isl_set_free(left);
	return NULL;
}

isl_set *place_condition(const struct place *place, const struct expr *cond)
{
	const bool is_op = cond->kind == EXPR_OP;
	isl_set *set;
	isl_pw_aff *value;

	if (is_op && cond->op >= OP_LT && cond->op <= OP_NE)
		return from_comparison(place, cond);
	if (is_op && (cond->op == OP_LAND || cond->op == OP_LOR))
		return from_logical(place, cond);
	if (is_op && cond->op == OP_NOT) {
		set = place_condition(place, cond->arg[0]);
		return set ? isl_set_complement(set) : NULL;
	}
	value = place_value(place, cond);
	return value ? isl_pw_aff_non_zero_set(value) : NULL;
}

/* { [x] -> [y0, .., y(n-1)] : y(at) = value(x) } */
static isl_map *map_of_value(isl_pw_aff *value, int at, int n)
{
	isl_map *map = isl_map_from_pw_aff(value);

	map = isl_map_insert_dims(map, isl_dim_out, 1, n - at - 1);
	return isl_map_insert_dims(map, isl_dim_out, 0, at);
}

isl_map *place_map(const struct place *place, int n, struct expr *const *expr, bool *exact)
{
	const int depth = place_depth(place);
	isl_space *space = isl_space_map_from_domain_and_range(world_space(place->world, depth),
							       world_space(place->world, n));
	isl_map *map = isl_map_universe(space);

	for (int i = 0; i < n; i++) {
		isl_pw_aff *value = place_value(place, expr[i]);

		if (value)
			map = isl_map_intersect(map, map_of_value(value, i, n));
		else
			*exact = false;
	}
	return map;
}
