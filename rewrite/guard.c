#include "codegen_internal.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH_MAX = 32 };

/* The elements of an array's first dimension that a nest touches lie in lo .. hi - 1, both over params. */
struct range {
	struct expr *lo, *hi;
	bool is_known;
};

/* A walk over the accesses of "array"; "sign" collects params that were taken to be non-negative. */
struct survey {
	struct codegen *cg;
	const struct var *array;
	int depth;
	const struct node *loop[DEPTH_MAX];
	struct range range;
	int n_sign;
	struct expr *sign[DEPTH_MAX];
};

static bool is_over_params(struct expr *expr, void *context)
{
	(void)context;
	return expr->kind != EXPR_REF || (expr->n == 0 && expr->var->kind == VAR_PARAM);
}

static void add_sign(struct survey *survey, struct expr *factor)
{
	for (int i = 0; i < survey->n_sign; i++)
		if (expr_equal(survey->sign[i], factor))
			return;
	if (survey->n_sign < DEPTH_MAX)
		survey->sign[survey->n_sign++] = factor;
}

/* The sign of the change of "atom" when "iter" grows: 1, -1, or 0 when it cannot be told. */
static int atom_sign(struct survey *survey, struct expr *atom, const struct var *iter)
{
	bool is_linear = true;
	int64_t factor;

	if (atom->kind == EXPR_REF)
		return atom->var == iter && atom->n == 0;
	if (atom->kind != EXPR_OP || atom->op != OP_MUL)
		return 0;
	for (int side = 0; side < 2; side++) {
		struct linear form = linear_from(survey->cg->arena, atom->arg[side]);

		if (!expr_walk(atom->arg[!side], is_over_params, NULL))
			continue;
		factor = linear_factor(&form, iter, &is_linear);
		if (!form.is_valid || !is_linear || factor == 0)
			return 0;
		add_sign(survey, atom->arg[!side]);
		return factor > 0 ? 1 : -1;
	}
	return 0;
}

/* "atom" with "iter" at the end of its range that makes it largest ("upper") or smallest; NULL when that is not known. */
static struct expr *atom_extreme(struct survey *survey, struct expr *atom, const struct node *loop, bool upper)
{
	struct arena *arena = survey->cg->arena;
	int sign = atom_sign(survey, atom, loop->iter);
	struct expr *bound = (sign > 0) == upper ? loop->hi : loop->lo;

	if (sign == 0)
		return NULL;
	while (bound->kind == EXPR_OP && bound->op == (bound == loop->hi ? OP_MIN : OP_MAX))
		bound = bound->arg[1];
	if ((sign > 0) == upper)
		bound = expr_binary(arena, OP_SUB, bound, expr_int(arena, 1, bound->type));
	return expr_replace(arena, atom, loop->iter, expr_cast(arena, loop->iter->type, bound));
}

/* The largest or smallest value of "expr" within the surveyed loops, over params; NULL when it is not known. */
static struct expr *extreme(struct survey *survey, struct expr *expr, bool upper)
{
	struct arena *arena = survey->cg->arena;

	for (int d = survey->depth - 1; d >= 0; d--) {
		struct linear form = linear_from(arena, expr);
		struct linear result = { .is_valid = true, .constant = form.constant };

		if (!form.is_valid)
			return NULL;
		for (int i = 0; i < form.n; i++) {
			struct expr *atom = form.term[i].atom;
			int64_t factor = form.term[i].factor;
			struct linear term;

			if (expr_uses(atom, survey->loop[d]->iter))
				atom = atom_extreme(survey, atom, survey->loop[d], (factor > 0) == upper);
			if (!atom)
				return NULL;
			term = linear_from(arena, atom);
			result = linear_add(&result, factor, &term);
		}
		if (!result.is_valid)
			return NULL;
		expr = linear_expr(arena, &result, TYPE_I64);
	}
	return expr_walk(expr, is_over_params, NULL) ? expr : NULL;
}

/* The larger ("upper") or smaller of two expressions; "a" may be NULL. */
static struct expr *widen(struct arena *arena, struct expr *a, struct expr *b, bool upper)
{
	struct expr *both;

	if (!a)
		return b;
	both = expr_binary(arena, upper ? OP_MAX : OP_MIN, expr_cast(arena, TYPE_I64, a), expr_cast(arena, TYPE_I64, b));
	return expr_simplify(arena, both);
}

static bool survey_expr(struct expr *expr, void *context)
{
	struct survey *survey = context;
	struct arena *arena = survey->cg->arena;
	struct expr *lo, *hi;

	if (expr->kind != EXPR_REF || expr->var != survey->array)
		return true;
	lo = extreme(survey, expr->arg[0], false);
	hi = extreme(survey, expr->arg[0], true);
	if (!lo || !hi)
		return survey->range.is_known = false;
	hi = expr_binary(arena, OP_ADD, expr_cast(arena, TYPE_I64, hi), expr_int(arena, 1, TYPE_I64));
	survey->range.lo = widen(arena, survey->range.lo, lo, false);
	survey->range.hi = widen(arena, survey->range.hi, expr_simplify(arena, hi), true);
	return true;
}

static bool survey_list(struct survey *survey, const struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];
		bool is_loop = node->kind == NODE_LOOP;

		if (!node_every_expr(node, survey_expr, survey))
			return false;
		if (is_loop && survey->depth == DEPTH_MAX)
			return survey->range.is_known = false;
		if (is_loop)
			survey->loop[survey->depth++] = node;
		if (!survey_list(survey, &node->body) || !survey_list(survey, &node->orelse))
			return false;
		survey->depth -= is_loop;
	}
	return true;
}

/* The range of "array" from its extent, else from the accesses in "nest"; params whose sign it relies on in "survey". */
static struct range array_range(struct survey *survey, const struct nest *nest)
{
	struct arena *arena = survey->cg->arena;
	const struct var *array = survey->array;

	if (array->rank == 0)
		return (struct range){ expr_int(arena, 0, TYPE_I64), expr_int(arena, 1, TYPE_I64), true };
	if (array->extent[0])
		return (struct range){ expr_int(arena, 0, TYPE_I64), array->extent[0], true };
	survey->range.is_known = true;
	survey_list(survey, &nest->body);
	if (!survey->range.hi)
		survey->range.is_known = false;
	return survey->range;
}

const char *guard_pointer(struct codegen *cg, const struct var *array, struct expr *first, bool is_bytes)
{
	struct expr *offset = expr_cast(cg->arena, TYPE_I64, first);
	struct text text = { 0 };
	const char *result;

	for (int d = 1; d < array->rank && !array->is_native; d++)
		offset = expr_binary(cg->arena, OP_MUL, offset, expr_cast(cg->arena, TYPE_I64, array->extent[d]));
	offset = expr_simplify(cg->arena, offset);
	if (is_bytes)
		text_append(&text, "(const char *)");
	if (is_bytes && !expr_is_int(offset, 0))
		text_append_char(&text, '(');
	expr_write(cg, &text, expr_ref(cg->arena, (struct var *)array, 0, NULL), PRECEDENCE_PRIMARY);
	if (!expr_is_int(offset, 0)) {
		text_append(&text, " + ");
		index_write(cg, &text, offset, op_precedence(OP_ADD) + 1);
	}
	if (is_bytes && !expr_is_int(offset, 0))
		text_append_char(&text, ')');
	result = arena_strdup(cg->arena, text_string(&text));
	text_free(&text);
	return result;
}

void guard_add_text(struct codegen *cg, struct guard *guard, const char *condition)
{
	const char **grown = ARENA_ARRAY(cg->arena, const char *, guard->n + 1);

	for (int i = 0; i < guard->n; i++)
		if (strcmp(guard->condition[i], condition) == 0)
			return;
	if (guard->n)
		memcpy(grown, guard->condition, sizeof(*grown) * (size_t)guard->n);
	grown[guard->n++] = condition;
	guard->condition = grown;
}

/* Add "condition" and its parts joined by &&, but what is always true. */
static void add_expr(struct codegen *cg, struct guard *guard, struct expr *condition)
{
	struct text text = { 0 };

	if (condition->kind == EXPR_OP && condition->op == OP_LAND) {
		add_expr(cg, guard, condition->arg[0]);
		add_expr(cg, guard, condition->arg[1]);
		return;
	}
	if (condition->kind == EXPR_INT && condition->integer)
		return;
	expr_write(cg, &text, condition, op_precedence(OP_LAND) + 1);
	guard_add_text(cg, guard, arena_strdup(cg->arena, text_string(&text)));
	text_free(&text);
}

/* The length of the name that "source" starts with: the object that it is or lies in. */
static size_t root_length(const char *source)
{
	size_t n = 0;

	while (isalnum((unsigned char)source[n]) || source[n] == '_')
		n++;
	return n;
}

static bool are_distinct_objects(const struct var *a, const struct var *b)
{
	size_t n = root_length(a->source), m = root_length(b->source);

	return a->is_object && b->is_object && n && m && (n != m || strncmp(a->source, b->source, n) != 0);
}

enum status guard_find_range(struct codegen *cg, struct guard *guard, const struct nest *nest, const struct var *array, struct expr **lo,
			     struct expr **hi)
{
	struct survey survey = { .cg = cg, .array = array };
	const struct range range = array_range(&survey, nest);

	if (!range.is_known)
		return diag_set(cg->why, EXIT_INPUT, "cannot tell which elements of %s are used, so not whether it overlaps others", array->name);
	for (int i = 0; i < survey.n_sign; i++)
		guard_add(cg, guard, expr_binary(cg->arena, OP_GE, survey.sign[i], expr_int(cg->arena, 0, survey.sign[i]->type)));
	*lo = range.lo;
	*hi = range.hi;
	return STATUS_OK;
}

static enum status add_disjoint(struct codegen *cg, struct guard *guard, const struct nest *nest, const struct var *a,
				const struct var *b)
{
	struct expr *lo, *hi, *other_lo, *other_hi;
	bool is_bytes = a->type != b->type || strcmp(var_c_type(a), var_c_type(b)) != 0 ||
			(a->is_native && a->rank > 1) || (b->is_native && b->rank > 1);

	if (guard_find_range(cg, guard, nest, a, &lo, &hi) != STATUS_OK ||
	    guard_find_range(cg, guard, nest, b, &other_lo, &other_hi) != STATUS_OK)
		return STATUS_FAILED;
	guard_add_text(cg, guard, arena_printf(cg->arena, "(%s <= %s || %s <= %s)", guard_pointer(cg, a, hi, is_bytes),
					       guard_pointer(cg, b, other_lo, is_bytes), guard_pointer(cg, b, other_hi, is_bytes),
					       guard_pointer(cg, a, lo, is_bytes)));
	return STATUS_OK;
}

void guard_add(struct codegen *cg, struct guard *guard, struct expr *condition)
{
	const bool was_by_source = cg->by_source;

	cg->by_source = true;
	add_expr(cg, guard, condition);
	cg->by_source = was_by_source;
}

enum status guard_make(struct codegen *cg, const struct nest *original, struct guard *guard)
{
	enum status status = STATUS_OK;

	cg->by_source = true;
	for (int i = 0; i < original->n_assumption; i++)
		add_expr(cg, guard, original->assumption[i]);
	for (int i = 0; i < original->n_var && status == STATUS_OK; i++) {
		const struct var *a = original->var[i];

		for (int j = i + 1; j < original->n_var && status == STATUS_OK; j++) {
			const struct var *b = original->var[j];

			if (a->kind == VAR_ARRAY && b->kind == VAR_ARRAY && (a->is_written || b->is_written) && !a->is_rows &&
			    !b->is_rows && !are_distinct_objects(a, b))
				status = add_disjoint(cg, guard, original, a, b);
		}
	}
	cg->by_source = false;
	return status == STATUS_OK ? guard_add_rows(cg, guard, original) : status;
}
