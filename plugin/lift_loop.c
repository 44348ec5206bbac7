#include "lift_loop_internal.h"

static void lift_init(struct lifter *lifter, struct loop *loop)
{
	const CXCursor init = loop->clause.init;

	if (clang_getCursorKind(init) == CXCursor_DeclStmt)
		stmt_lift(lifter, init);
	else
		expr_lift_effects(lifter, init);
}

/* Execute the first clause and find the counter. A counter that is kept in a variable of the nest is followed while its
 * loop runs, and stored after it. */
static void start_counter(struct lifter *lifter, struct loop *loop)
{
	struct symbol *counter;

	if (!clang_Cursor_isNull(loop->clause.init) && clang_getCursorKind(loop->clause.init) == CXCursor_DeclStmt)
		lift_init(lifter, loop);
	counter = loop->counter = counter_find(lifter, loop);
	loop->was_kept = !counter->is_tracked;
	if (loop->was_kept) {
		counter->value = cursor_assigns(lifter, loop->clause.init, counter->decl) ?
					 (struct value){.kind = VALUE_VOID} :
					 value_freeze(lifter, symbol_read(lifter, counter, loop->cursor), counter->path,
						      loop->cursor);
		counter->has_value = counter->value.kind != VALUE_VOID;
		counter->is_tracked = counter->is_touched = true;
	}
	if (!clang_Cursor_isNull(loop->clause.init) && clang_getCursorKind(loop->clause.init) != CXCursor_DeclStmt)
		lift_init(lifter, loop);
}

static void lift_body(struct lifter *lifter, struct loop *loop, struct node *node)
{
	struct list *const out = lifter->out;
	const int n_symbol = lifter->n_symbol;

	if (lifter->n_around == LIFT_DEPTH)
		lift_refuse(lifter, REFUSAL_TOO_LARGE, loop->cursor, "too many loops inside each other");
	lifter->around[lifter->n_around++] = (struct around){node, loop->iter, loop->lo, loop->hi};
	lifter->out = &node->body;
	loop->counter->value = value_of_poly(lifter, loop->index, loop->type);
	moving_start(lifter, loop);
	stmts_lift(lifter, loop->clause.part, loop->clause.n_part);
	symbols_forget(lifter, n_symbol);
	loop->counter->has_value = true;
	if (!clang_Cursor_isNull(loop->clause.step))
		expr_lift_effects(lifter, loop->clause.step);
	flush_effects(lifter);
	moving_check(lifter, loop);
	lifter->out = out;
	lifter->n_around--;
}

/* Whether the statement leaves the bound "context" alone. */
static bool writes_bound(struct node *node, void *context)
{
	const struct expr *const bound = context;

	if (node->kind != NODE_STMT)
		return true;
	return !expr_mentions(bound, node->target->var);
}

void loop_lift(struct lifter *lifter, CXCursor cursor)
{
	struct loop *const loop = ARENA_NEW(lifter->arena, struct loop);
	const int n_symbol = lifter->n_symbol;
	struct node *node;

	loop->cursor = cursor;
	loop->clause = clauses_find(lifter, cursor);
	start_counter(lifter, loop);
	if (loop->clause.is_countdown)
		countdown_lift(lifter, loop);
	else
		head_lift(lifter, loop);
	node = node_loop(lifter->arena, loop->iter, poly_expr(lifter, loop->lo, loop->iter->type),
			 poly_expr(lifter, loop->hi, loop->iter->type), loop->step);
	node->line = cursor_line(cursor);
	lift_body(lifter, loop, node);
	if (loop->frozen_bound && !list_walk(&node->body, writes_bound, loop->frozen_bound))
		lift_refuse(lifter, REFUSAL_LOOP_BOUND, loop->clause.cond, "'%s' may change in the body",
			    cursor_text(lifter, loop->clause.cond));
	list_add(lifter->arena, lifter->out, node);
	moving_finish(lifter, loop);
	counter_finish(lifter, loop);
	symbols_forget(lifter, n_symbol);
}
