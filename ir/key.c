#include "nest.h"

#include <string.h>

#include "support/hash.h"

/* The variables of a nest, and for those met so far their counterpart v0, v1, .. in a nest without names of its own. */
struct renaming {
	const struct nest *from;
	struct nest *to;
	struct var **counterpart; /* of from->var[i] */
};

static int find_index(const struct nest *nest, const struct var *var)
{
	for (int i = 0; i < nest->n_var; i++)
		if (nest->var[i] == var)
			return i;
	return -1;
}

static struct var *rename_var(struct renaming *renaming, struct var *var)
{
	struct var **slot = &renaming->counterpart[find_index(renaming->from, var)];
	struct nest *to = renaming->to;

	if (!*slot) {
		struct var *copy = nest_add_var(to, var->kind, var->type, arena_printf(to->arena, "v%d", to->n_var),
						var->rank, var->extent);

		copy->is_read = var->is_read;
		copy->is_written = var->is_written;
		copy->is_live_out = var->is_live_out;
		copy->is_native = var->is_native;
		copy->is_object = var->is_object;
		copy->is_rows = var->is_rows;
		if (var->kind == VAR_PARAM || var->kind == VAR_SCALAR || var->kind == VAR_ARRAY)
			copy->source = copy->name;
		*slot = copy;
	}
	return *slot;
}

static struct expr *rename_expr(struct renaming *renaming, const struct expr *expr)
{
	struct arena *arena = renaming->to->arena;
	struct expr *copy;

	if (!expr)
		return NULL;
	if (expr->kind == EXPR_FLOAT)
		return expr_float(arena, expr->real, expr->type, NULL);
	copy = ARENA_NEW(arena, struct expr);
	*copy = *expr;
	if (expr->var)
		copy->var = rename_var(renaming, expr->var);
	copy->arg = ARENA_ARRAY(arena, struct expr *, expr->n);
	for (int i = 0; i < expr->n; i++)
		copy->arg[i] = rename_expr(renaming, expr->arg[i]);
	return copy;
}

/* Give what stands below "list", copies of our own, the new variables. */
static void rename_list(struct renaming *renaming, struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];

		if (node->iter)
			node->iter = rename_var(renaming, node->iter);
		node->lo = rename_expr(renaming, node->lo);
		node->hi = rename_expr(renaming, node->hi);
		node->cond = rename_expr(renaming, node->cond);
		node->target = rename_expr(renaming, node->target);
		node->value = rename_expr(renaming, node->value);
		for (int d = 0; node->origin && d < node->n_origin; d++)
			node->origin[d] = rename_expr(renaming, node->origin[d]);
		rename_list(renaming, &node->body);
		rename_list(renaming, &node->orelse);
	}
}

/* Extents, which may bring in further params, of the variables met so far. */
static void rename_extents(struct renaming *renaming)
{
	for (int i = 0; i < renaming->to->n_var; i++) {
		struct var *var = renaming->to->var[i];

		for (int d = 0; d < var->rank; d++)
			var->extent[d] = rename_expr(renaming, var->extent[d]);
	}
}

/* "nest" in "arena" with its variables called and ordered as the text first uses them, without what is not used. */
static struct nest *normalise(struct arena *arena, const struct nest *nest)
{
	struct renaming renaming = { nest, nest_new(arena, "nest"), NULL };
	struct nest *to = renaming.to;

	renaming.counterpart = ARENA_ARRAY(arena, struct var *, nest->n_var);
	to->n_label = nest->n_label;
	for (int i = 0; i < nest->body.n; i++)
		list_add(arena, &to->body, node_copy_deep(arena, nest->body.node[i]));
	rename_list(&renaming, &to->body);
	rename_extents(&renaming);
	for (int i = 0; i < nest->n_assumption; i++)
		nest_assume(to, rename_expr(&renaming, nest->assumption[i]));
	return to;
}

void nest_key(const struct nest *nest, const char *mode, char key[33])
{
	struct arena *arena = arena_new();
	struct text text = { 0 };

	text_printf(&text, "%s\n", mode);
	nest_print(normalise(arena, nest), &text);
	hash_bytes(text_string(&text), text.size, key);
	text_free(&text);
	arena_free(arena);
}
