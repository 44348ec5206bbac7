#include "lift_loop_internal.h"

static bool is_inside(CXCursor decl, CXCursor loop)
{
	CXFile decl_file = NULL, file = NULL;
	unsigned at = 0, begin = 0, end = 0;

	clang_getFileLocation(clang_getCursorLocation(decl), &decl_file, NULL, NULL, &at);
	clang_getFileLocation(clang_getRangeStart(clang_getCursorExtent(loop)), &file, NULL, NULL, &begin);
	clang_getFileLocation(clang_getRangeEnd(clang_getCursorExtent(loop)), NULL, NULL, NULL, &end);
	return decl_file && file && clang_File_isEqual(decl_file, file) && at >= begin && at < end;
}

/* The number of the current iteration, times "delta": NULL if it has no closed form. */
static struct poly *progress(struct lifter *lifter, const struct loop *loop, const struct poly *delta)
{
	const struct term step = {.coef = loop->step};
	struct poly *per_iter;

	if (!poly_divide(lifter, delta, &step, &per_iter))
		return NULL;
	return poly_mul(lifter, per_iter, poly_add(lifter, poly_atom(lifter, loop->atom), loop->lo, -1));
}

static struct value moved(struct lifter *lifter, const struct symbol *symbol, struct value entry, const struct poly *by)
{
	enum type type = TYPE_I32;

	if (entry.kind == VALUE_POINTER) {
		struct place *const place = &entry.place;

		place->sub[place->n - 1] = poly_add(lifter, place->sub[place->n - 1], poly_wide(lifter, by), 1);
		place->moved = place->moved || place->n > 1;
		return entry;
	}
	type_of(symbol->type, &type);
	return value_of_poly(lifter, poly_add(lifter, entry.poly, by, 1), type);
}

static void forget(struct symbol *symbol)
{
	symbol->has_value = false;
	symbol->is_touched = true;
}

void moving_start(struct lifter *lifter, struct loop *loop)
{
	struct targets targets = {0};

	targets_collect_body(lifter, &loop->clause, &targets);
	if (targets_have(&targets, loop->counter->decl))
		lift_refuse(lifter, REFUSAL_LOOP_COUNTER, loop->cursor, "'%s' is changed in the body", loop->counter->path);
	targets_collect(lifter, loop->clause.step, &targets);
	loop->moving = ARENA_ARRAY(lifter->arena, struct moving, targets.n + 1);
	for (int i = 0; i < targets.n; i++) {
		struct symbol *symbol;
		struct poly *body, *step, *by = NULL;
		struct moving *moving;

		if (is_inside(targets.decl[i], loop->clause.body) || clang_equalCursors(targets.decl[i], loop->counter->decl))
			continue;
		if (liveness_mentions(loop->clause.cond, targets.decl[i]))
			lift_refuse(lifter, REFUSAL_LOOP_BOUND, loop->clause.cond, "'%s' changes while the loop runs",
				    cursor_text(lifter, loop->clause.cond));
		symbol = symbol_get(lifter, targets.decl[i]);
		if (!symbol->is_tracked)
			continue;
		body = clauses_delta(lifter, &loop->clause, symbol->decl, loop->cursor);
		step = cursor_delta(lifter, loop->clause.step, symbol->decl, loop->cursor);
		if (body && step)
			by = progress(lifter, loop, poly_add(lifter, body, step, 1));
		if (!by) {
			forget(symbol);
			continue;
		}
		moving = &loop->moving[loop->n_moving++];
		moving->symbol = symbol;
		moving->entry = symbol_read(lifter, symbol, loop->cursor);
		moving->delta = poly_add(lifter, body, step, 1);
		symbol->value = moved(lifter, symbol, moving->entry, by);
	}
}

/* Prove or assume what the value of a moving variable needs. */
static bool needs_hold(struct lifter *lifter, const struct value *value)
{
	const struct poly *const poly = value->kind == VALUE_POINTER ? value->place.sub[value->place.n - 1] : value->poly;

	for (int i = 0; i < poly->n_need; i++)
		if (!poly->need[i]->is_wide && !range_assume(lifter, poly->need[i], lifter->around, lifter->n_around))
			return false;
	return true;
}

void moving_check(struct lifter *lifter, struct loop *loop)
{
	for (int i = 0; i < loop->n_moving; i++) {
		const struct moving *const moving = &loop->moving[i];
		struct poly *const by = poly_add(lifter, progress(lifter, loop, moving->delta), moving->delta, 1);
		const struct value expected = moved(lifter, moving->symbol, moving->entry, by);

		if (moving->symbol->has_value && value_equal(&moving->symbol->value, &expected) &&
		    needs_hold(lifter, &moving->symbol->value))
			continue;
		if (type_is_pointer(moving->symbol->type))
			lift_refuse(lifter, REFUSAL_POINTER_WALK, loop->cursor, "'%s' moves irregularly", moving->symbol->path);
		lift_restart_keeping(lifter, moving->symbol);
	}
}

void moving_finish(struct lifter *lifter, struct loop *loop)
{
	struct targets targets = {0};

	targets_collect_body(lifter, &loop->clause, &targets);
	targets_collect(lifter, loop->clause.step, &targets);
	for (int i = 0; i < targets.n; i++)
		if (!is_inside(targets.decl[i], loop->clause.body) && symbol_get(lifter, targets.decl[i])->is_tracked)
			forget(symbol_get(lifter, targets.decl[i]));
	for (int i = 0; i < loop->n_moving && loop->trip; i++) {
		struct symbol *const symbol = loop->moving[i].symbol;
		struct poly *const by = poly_mul(lifter, loop->moving[i].delta, loop->trip);

		if (!by)
			continue;
		symbol->value = moved(lifter, symbol, loop->moving[i].entry, poly_need(lifter, by, loop->trip));
		symbol->has_value = true;
	}
}

void counter_finish(struct lifter *lifter, struct loop *loop)
{
	struct symbol *const counter = loop->counter;
	struct expr *last;

	forget(counter);
	if (!loop->was_kept) {
		if (loop->last) {
			counter->value = value_of_poly(lifter, loop->last, loop->type);
			counter->has_value = true;
		}
		return;
	}
	counter->is_tracked = false;
	if (!loop->trip)
		lift_refuse(lifter, REFUSAL_LOOP_COUNTER, loop->cursor, "the last value of '%s' is not simple", counter->path);
	last = poly_expr(lifter, loop->last, TYPE_I64);
	if (!range_is_proved(lifter, loop->trip, lifter->around, lifter->n_around)) {
		struct expr *const start = poly_expr(lifter, loop->start, TYPE_I64);
		struct expr *const trip = poly_expr(lifter, loop->trip, TYPE_I64);

		last = expr_select(lifter->arena, expr_binary(lifter->arena, OP_GT, trip, expr_int(lifter->arena, 0, TYPE_I64)),
				   last, start);
	}
	symbol_write(lifter, counter, value_scalar(lifter, expr_cast(lifter->arena, loop->type, last), NULL), loop->cursor);
}
