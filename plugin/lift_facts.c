/* What the contents of arrays must be like for the region to compute anything sensible, as far as its text tells. */
#include "lift_internal.h"

#include <string.h>

enum { INDEX_LIMIT = 64 };

void fact_add(struct lifter *lifter, enum fact_kind kind, struct var *var, struct expr *lo, struct expr *hi)
{
	const int max = (int)(sizeof(lifter->fact) / sizeof(lifter->fact[0]));

	for (int i = 0; i < lifter->n_fact; i++)
		if (lifter->fact[i].kind == kind && lifter->fact[i].var == var)
			return;
	if (lifter->n_fact < max)
		lifter->fact[lifter->n_fact++] = (struct fact){kind, var, lo, hi, true};
}

static const struct expr *without_casts(const struct expr *expr)
{
	while (expr->kind == EXPR_CAST)
		expr = expr->arg[0];
	return expr;
}

static bool lives_outside(const struct var *var)
{
	return var->kind == VAR_ARRAY || var->kind == VAR_PARAM || var->kind == VAR_SCALAR;
}

/* A[e,e] */
static bool is_diagonal(const struct expr *expr)
{
	return expr->kind == EXPR_REF && expr->n == 2 && expr_equal(expr->arg[0], expr->arg[1]);
}

static void note_divisor(struct lifter *lifter, const struct expr *divisor)
{
	divisor = without_casts(divisor);
	if (divisor->kind != EXPR_REF || !lives_outside(divisor->var))
		return;
	if (divisor->n && is_diagonal(divisor))
		fact_add(lifter, FACT_DOMINANT, divisor->var, NULL, NULL);
	else
		fact_add(lifter, FACT_NONZERO, divisor->var, NULL, NULL);
}

static bool is_root(const char *name)
{
	return strcmp(name, "sqrt") == 0 || strcmp(name, "sqrtf") == 0;
}

static bool needs_positive(const char *name)
{
	static const char *const known[] = {"log", "logf", "log2", "log2f", "log10", "log10f"};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(name, known[i]) == 0)
			return true;
	return is_root(name);
}

static void note_call(struct lifter *lifter, const struct expr *call)
{
	const struct expr *const arg = call->n == 1 ? without_casts(call->arg[0]) : NULL;

	if (!arg || arg->kind != EXPR_REF || !lives_outside(arg->var) || !needs_positive(call->name))
		return;
	if (is_root(call->name) && is_diagonal(arg))
		fact_add(lifter, FACT_SPD, arg->var, NULL, NULL);
	else
		fact_add(lifter, FACT_POSITIVE, arg->var, NULL, NULL);
}

struct definition {
	const struct var *var;
	const struct expr *value;
};

static bool find_definition(struct node *node, void *context)
{
	struct definition *const definition = context;

	if (node->kind == NODE_STMT && node->target->var == definition->var && node->value)
		definition->value = node->value;
	return true;
}

/* The array whose element "expr" is, be it through a local that holds it; NULL if it is none. */
static struct var *element_array(struct lifter *lifter, const struct expr *expr)
{
	struct definition definition = {0};

	expr = without_casts(expr);
	if (expr->kind != EXPR_REF)
		return NULL;
	if (expr->var->kind == VAR_ARRAY)
		return expr->var;
	if (expr->var->kind != VAR_LOCAL && expr->var->kind != VAR_SCALAR)
		return NULL;
	definition.var = expr->var;
	list_walk(&lifter->nest->body, find_definition, &definition);
	expr = definition.value ? without_casts(definition.value) : NULL;
	return expr && expr->kind == EXPR_REF && expr->var->kind == VAR_ARRAY ? expr->var : NULL;
}

/* Note the index arrays in a subscript that runs over "extent" (NULL: not known). "is_alone": nothing is added to it. */
static void note_indices(struct lifter *lifter, const struct expr *sub, struct expr *extent, bool is_alone)
{
	struct var *const array = element_array(lifter, sub);

	if (array) {
		struct expr *const hi = is_alone && extent ? extent : expr_int(lifter->arena, INDEX_LIMIT, TYPE_I32);

		fact_add(lifter, FACT_INDEX, array, expr_int(lifter->arena, 0, TYPE_I32), hi);
		return;
	}
	if (sub->kind == EXPR_CAST)
		note_indices(lifter, sub->arg[0], extent, is_alone);
	else if (sub->kind == EXPR_OP)
		for (int i = 0; i < sub->n; i++)
			note_indices(lifter, sub->arg[i], NULL, false);
}

static bool visit(struct expr *expr, void *context)
{
	struct lifter *const lifter = context;

	if (expr->kind == EXPR_OP && (expr->op == OP_DIV || expr->op == OP_MOD))
		note_divisor(lifter, expr->arg[1]);
	if (expr->kind == EXPR_CALL)
		note_call(lifter, expr);
	for (int d = 0; expr->kind == EXPR_REF && d < expr->n; d++)
		note_indices(lifter, expr->arg[d], expr->var->extent ? expr->var->extent[d] : NULL, true);
	return true;
}

static bool visit_root(struct expr *expr, void *context)
{
	return expr_walk(expr, visit, context);
}

static bool visit_node(struct node *node, void *context)
{
	if (node->kind == NODE_STMT && (node->op == OP_DIV || node->op == OP_MOD))
		note_divisor(context, node->value);
	return node_exprs(node, visit_root, context);
}

/* A matrix that is known to be positive definite needs no other fact. */
static void drop_weaker(struct lifter *lifter)
{
	int kept = 0;

	for (int i = 0; i < lifter->n_fact; i++) {
		bool is_spd = false;

		for (int j = 0; j < lifter->n_fact; j++)
			is_spd = is_spd || (lifter->fact[j].kind == FACT_SPD && lifter->fact[j].var == lifter->fact[i].var);
		if (!is_spd || lifter->fact[i].kind == FACT_SPD)
			lifter->fact[kept++] = lifter->fact[i];
	}
	lifter->n_fact = kept;
}

void facts_infer(struct lifter *lifter)
{
	list_walk(&lifter->nest->body, visit_node, lifter);
	drop_weaker(lifter);
}
