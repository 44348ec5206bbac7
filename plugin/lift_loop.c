#include "lift_internal.h"

#include <string.h>

/* The parts of a loop; a clause that is not there is a null cursor. "part" (n_part of them) are the statements of the body,
 * without the last one where that is the step. "counted": the variable that "while (n--)" counts down, whose condition is true
 * until it was 0 ("until_zero") or no more positive. */
struct clauses {
	CXCursor init, cond, step, body, counted;
	bool is_countdown, until_zero;
	int n_part;
	CXCursor *part;
};

/* A loop being lifted: i runs from "start" by "step"; "iter" is the nest's iterator, of which "index" is the value of i.
 * "lo" and "hi" bound iter, "trip" is the number of iterations where step allows to say it, "last" the value of i after the
 * loop. */
struct loop {
	CXCursor cursor;
	struct clauses clause;
	struct symbol *counter;
	enum type type;
	bool was_kept;
	struct var *iter;
	int atom;
	int64_t step;
	int offset; /* i is iter (0), start + iter (1) or start - iter (-1) */
	struct poly *start, *lo, *hi, *index, *trip, *last;
	struct expr *frozen_bound;
	int n_need;
	struct poly *need[8];
	int n_moving;
	struct moving {
		struct symbol *symbol;
		struct value entry;
		struct poly *delta;
	} *moving;
};

static unsigned offset_of(CXCursor cursor)
{
	unsigned at = 0;

	clang_getFileLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), NULL, NULL, NULL, &at);
	return at;
}

/* The offsets of the two ';' in the head of the for that begins at "at". */
static bool find_semicolons(const char *text, size_t size, size_t at, size_t semicolon[2])
{
	int depth = 0, n = 0;

	for (; at < size && n < 2; at++) {
		depth += (text[at] == '(') - (text[at] == ')');
		if (text[at] == ';' && depth == 1)
			semicolon[n++] = at;
	}
	return n == 2;
}

/* "n--", "n-- > 0" or "n-- != 0" */
static bool find_countdown(struct lifter *lifter, struct clauses *clause)
{
	CXCursor cond = cursor_peel(lifter->arena, clause->cond, true), *child;
	int64_t zero;
	int n;

	clause->until_zero = true;
	if (clang_getCursorKind(cond) == CXCursor_BinaryOperator) {
		const enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cond);

		child = cursor_children(lifter->arena, cond, &n);
		if (n != 2 || (kind != CXBinaryOperator_GT && kind != CXBinaryOperator_NE) ||
		    !cursor_constant(child[1], &zero) || zero != 0)
			return false;
		clause->until_zero = kind == CXBinaryOperator_NE;
		cond = cursor_peel(lifter->arena, child[0], true);
	}
	if (clang_getCursorKind(cond) != CXCursor_UnaryOperator ||
	    clang_getCursorUnaryOperatorKind(cond) != CXUnaryOperator_PostDec)
		return false;
	child = cursor_children(lifter->arena, cond, &n);
	clause->is_countdown = n == 1 && cursor_variable(lifter->arena, child[0], &clause->counted);
	return clause->is_countdown;
}

/* A loop without a step clause steps in its condition or in the last statement of its body. */
static void find_step(struct lifter *lifter, struct clauses *clause)
{
	CXCursor *child, decl, *target;
	int n, unused;

	if (clang_Cursor_isNull(clause->cond) || !clang_Cursor_isNull(clause->step) || find_countdown(lifter, clause) ||
	    clang_getCursorKind(clause->body) != CXCursor_CompoundStmt)
		return;
	child = cursor_children(lifter->arena, clause->body, &n);
	if (n == 0 || !is_assignment(child[n - 1]))
		return;
	target = cursor_children(lifter->arena, child[n - 1], &unused);
	if (!cursor_variable(lifter->arena, target[0], &decl) || !liveness_mentions(clause->cond, decl))
		return;
	clause->step = child[n - 1];
	clause->part = child;
	clause->n_part = n - 1;
}

/* NOTE: libclang visits only the clauses that are there, so with less than all of them the text decides which they are. */
static struct clauses find_for_clauses(struct lifter *lifter, CXCursor cursor)
{
	struct clauses clause = {.init = clang_getNullCursor(), .cond = clang_getNullCursor(), .step = clang_getNullCursor()};
	size_t size = 0, semicolon[2];
	CXFile file = NULL;
	const char *text;
	int n;
	CXCursor *const child = cursor_children(lifter->arena, cursor, &n);

	if (n == 4)
		return (struct clauses){.init = child[0], .cond = child[1], .step = child[2], .body = child[3]};
	clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
	text = file ? parsed_text(lifter->parsed, file, &size) : NULL;
	if (!n || !text || !find_semicolons(text, size, offset_of(cursor), semicolon))
		lift_refuse(lifter, REFUSAL_LOOP_FORM, cursor, "'%s'", cursor_text(lifter, cursor));
	clause.body = child[n - 1];
	for (int i = 0; i + 1 < n; i++) {
		const unsigned at = offset_of(child[i]);

		if (at < semicolon[0])
			clause.init = child[i];
		else if (at < semicolon[1])
			clause.cond = child[i];
		else
			clause.step = child[i];
	}
	return clause;
}

static struct clauses find_clauses(struct lifter *lifter, CXCursor cursor)
{
	struct clauses clause = {.init = clang_getNullCursor(), .step = clang_getNullCursor()};

	if (clang_getCursorKind(cursor) == CXCursor_ForStmt) {
		clause = find_for_clauses(lifter, cursor);
	} else {
		int n;
		CXCursor *const child = cursor_children(lifter->arena, cursor, &n);

		if (n != 2)
			lift_refuse(lifter, REFUSAL_WHILE, cursor, "'%s'", cursor_text(lifter, cursor));
		clause.cond = child[0];
		clause.body = child[1];
	}
	clause.part = ARENA_NEW(lifter->arena, CXCursor);
	clause.part[0] = clause.body;
	clause.n_part = 1;
	find_step(lifter, &clause);
	if (clang_getCursorKind(cursor) == CXCursor_WhileStmt && !clause.is_countdown && clang_Cursor_isNull(clause.step))
		lift_refuse(lifter, REFUSAL_WHILE, cursor, "nothing counts in 'while (%s)'", cursor_text(lifter, clause.cond));
	return clause;
}

/* ---- which variables a piece of source assigns, and by how much it moves one of them ---- */

struct targets {
	struct lifter *lifter;
	int n;
	CXCursor decl[128];
};

static enum CXChildVisitResult find_targets(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct targets *const targets = data;
	CXCursor *child, decl;
	int n;

	(void)parent;
	if (!is_assignment(cursor))
		return CXChildVisit_Recurse;
	child = cursor_children(targets->lifter->arena, cursor, &n);
	if (n && cursor_variable(targets->lifter->arena, child[0], &decl)) {
		for (int i = 0; i < targets->n; i++)
			if (clang_equalCursors(targets->decl[i], decl))
				return CXChildVisit_Recurse;
		if (targets->n < 128)
			targets->decl[targets->n++] = decl;
	}
	return CXChildVisit_Recurse;
}

static void collect_targets(struct lifter *lifter, CXCursor cursor, struct targets *targets)
{
	targets->lifter = lifter;
	if (clang_Cursor_isNull(cursor))
		return;
	find_targets(cursor, cursor, targets);
	clang_visitChildren(cursor, find_targets, targets);
}

static void collect_body_targets(struct lifter *lifter, const struct clauses *clause, struct targets *targets)
{
	for (int i = 0; i < clause->n_part; i++)
		collect_targets(lifter, clause->part[i], targets);
}

static bool targets_have(const struct targets *targets, CXCursor decl)
{
	for (int i = 0; i < targets->n; i++)
		if (clang_equalCursors(targets->decl[i], decl))
			return true;
	return false;
}

struct assignee {
	struct lifter *lifter;
	CXCursor decl;
	bool found;
};

static enum CXChildVisitResult find_assignee(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct assignee *const assignee = data;
	CXCursor *child, decl;
	int n;

	(void)parent;
	if (!is_assignment(cursor))
		return CXChildVisit_Recurse;
	child = cursor_children(assignee->lifter->arena, cursor, &n);
	assignee->found = n && cursor_variable(assignee->lifter->arena, child[0], &decl) && clang_equalCursors(decl, assignee->decl);
	return assignee->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* Whether "cursor" (perhaps null) assigns "decl". */
static bool assigns(struct lifter *lifter, CXCursor cursor, CXCursor decl)
{
	struct assignee assignee = {.lifter = lifter, .decl = decl};

	if (clang_Cursor_isNull(cursor))
		return false;
	find_assignee(cursor, cursor, &assignee);
	if (!assignee.found)
		clang_visitChildren(cursor, find_assignee, &assignee);
	return assignee.found;
}

/* The polynomial of a simple expression whose variables do not change in "loop", without side effects; NULL when it is not
 * that simple. */
static struct poly *quiet_poly(struct lifter *lifter, CXCursor cursor, CXCursor loop)
{
	struct poly *left, *right;
	struct symbol *symbol;
	CXCursor *child, decl;
	int64_t constant;
	enum type type;
	int n;

	cursor = cursor_peel(lifter->arena, cursor, true);
	if (cursor_constant(cursor, &constant))
		return poly_const(lifter, constant);
	if (cursor_variable(lifter->arena, cursor, &decl)) {
		unsigned at = offset_of(decl), from = offset_of(loop);

		if (at >= from || assigns(lifter, loop, decl) || !type_of(clang_getCursorType(decl), &type) || !type_is_integer(type))
			return NULL;
		symbol = symbol_get(lifter, decl);
		if (symbol->is_tracked ? !symbol->has_value : !symbol->is_outside || symbol->is_assigned)
			return NULL;
		left = symbol_read(lifter, symbol, cursor).poly;
		return poly_is_frozen(lifter, left) ? left : NULL;
	}
	if (clang_getCursorKind(cursor) != CXCursor_BinaryOperator)
		return NULL;
	child = cursor_children(lifter->arena, cursor, &n);
	left = quiet_poly(lifter, child[0], loop);
	right = left ? quiet_poly(lifter, child[1], loop) : NULL;
	if (!right)
		return NULL;
	switch (clang_getCursorBinaryOperatorKind(cursor)) {
	case CXBinaryOperator_Add:
		return poly_add(lifter, left, right, 1);
	case CXBinaryOperator_Sub:
		return poly_add(lifter, left, right, -1);
	case CXBinaryOperator_Mul:
		return poly_mul(lifter, left, right);
	default:
		return NULL;
	}
}

static struct poly *delta_of(struct lifter *lifter, CXCursor cursor, CXCursor decl, CXCursor loop);

/* The number of iterations of a simple inner loop. */
static struct poly *quiet_trip(struct lifter *lifter, CXCursor cursor, CXCursor loop)
{
	const struct clauses clause = find_clauses(lifter, cursor);
	struct poly *lo, *hi, *step;
	enum CXBinaryOperatorKind op;
	CXCursor *child, counter, left;
	int64_t one;
	int n;

	if (clang_Cursor_isNull(clause.init) || clang_Cursor_isNull(clause.cond) || clang_Cursor_isNull(clause.step) ||
	    clang_getCursorKind(clause.cond) != CXCursor_BinaryOperator)
		return NULL;
	child = cursor_children(lifter->arena, clause.cond, &n);
	op = clang_getCursorBinaryOperatorKind(clause.cond);
	if (!cursor_variable(lifter->arena, child[0], &counter) || (op != CXBinaryOperator_LT && op != CXBinaryOperator_LE))
		return NULL;
	hi = quiet_poly(lifter, child[1], loop);
	child = cursor_children(lifter->arena, clause.init, &n);
	if (n == 2 && is_assignment(clause.init) && cursor_variable(lifter->arena, child[0], &left) &&
	    clang_equalCursors(left, counter))
		lo = quiet_poly(lifter, child[1], loop);
	else if (n == 1 && clang_equalCursors(child[0], counter) &&
		 !clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(child[0])))
		lo = quiet_poly(lifter, clang_Cursor_getVarDeclInitializer(child[0]), loop);
	else
		return NULL;
	step = delta_of(lifter, clause.step, counter, loop);
	if (!lo || !hi || !step || !poly_is_const(step, &one) || one != 1 || assigns(lifter, clause.body, counter))
		return NULL;
	hi = poly_add(lifter, hi, lo, -1);
	return op == CXBinaryOperator_LE ? poly_add(lifter, hi, poly_const(lifter, 1), 1) : hi;
}

/* What the assignment "cursor" adds to the variable "decl". */
static struct poly *assignment_delta(struct lifter *lifter, CXCursor cursor, CXCursor decl, CXCursor loop)
{
	CXCursor *child, value, inner;
	struct poly *by;
	int n;

	if (clang_getCursorKind(cursor) == CXCursor_UnaryOperator) {
		const enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);

		return poly_const(lifter, kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PreInc ? 1 : -1);
	}
	child = cursor_children(lifter->arena, cursor, &n);
	value = cursor_peel(lifter->arena, child[n - 1], true);
	if (clang_getCursorKind(cursor) == CXCursor_CompoundAssignOperator) {
		const enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);

		if (kind != CXBinaryOperator_AddAssign && kind != CXBinaryOperator_SubAssign)
			return NULL;
		by = quiet_poly(lifter, value, loop);
		return by ? poly_add(lifter, poly_const(lifter, 0), by, kind == CXBinaryOperator_AddAssign ? 1 : -1) : NULL;
	}
	if (clang_getCursorKind(value) != CXCursor_BinaryOperator)
		return NULL;
	child = cursor_children(lifter->arena, value, &n);
	if (n != 2 || !cursor_variable(lifter->arena, child[0], &inner) || !clang_equalCursors(inner, decl))
		return NULL;
	by = quiet_poly(lifter, child[1], loop);
	switch (clang_getCursorBinaryOperatorKind(value)) {
	case CXBinaryOperator_Add:
		return by;
	case CXBinaryOperator_Sub:
		return by ? poly_add(lifter, poly_const(lifter, 0), by, -1) : NULL;
	default:
		return NULL;
	}
}

/* How much one execution of "cursor" adds to the variable "decl"; NULL when that is not the same each time. */
static struct poly *delta_of(struct lifter *lifter, CXCursor cursor, CXCursor decl, CXCursor loop)
{
	const enum CXCursorKind kind = clang_getCursorKind(cursor);
	struct poly *sum = poly_const(lifter, 0), *part, *trip;
	CXCursor *child, target;
	int n;

	if (clang_Cursor_isNull(cursor) || !assigns(lifter, cursor, decl))
		return sum;
	child = cursor_children(lifter->arena, cursor, &n);
	if (is_assignment(cursor) && cursor_variable(lifter->arena, child[0], &target) && clang_equalCursors(target, decl))
		return assignment_delta(lifter, cursor, decl, loop);
	if (kind == CXCursor_ForStmt) {
		if (assigns(lifter, find_clauses(lifter, cursor).init, decl))
			return NULL;
		part = delta_of(lifter, find_clauses(lifter, cursor).body, decl, loop);
		if (part && assigns(lifter, find_clauses(lifter, cursor).step, decl)) {
			struct poly *const step = delta_of(lifter, find_clauses(lifter, cursor).step, decl, loop);

			part = step ? poly_add(lifter, part, step, 1) : NULL;
		}
		trip = part ? quiet_trip(lifter, cursor, loop) : NULL;
		return trip ? poly_mul(lifter, part, trip) : NULL;
	}
	if (kind == CXCursor_IfStmt || kind == CXCursor_ConditionalOperator || kind == CXCursor_WhileStmt ||
	    kind == CXCursor_DoStmt || kind == CXCursor_SwitchStmt)
		return NULL;
	if (kind == CXCursor_BinaryOperator && (clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_LAnd ||
						clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_LOr))
		return NULL;
	for (int i = 0; i < n; i++) {
		part = delta_of(lifter, child[i], decl, loop);
		if (!part)
			return NULL;
		sum = poly_add(lifter, sum, part, 1);
	}
	return sum;
}

/* The same for the body of a loop. */
static struct poly *body_delta(struct lifter *lifter, const struct clauses *clause, CXCursor decl, CXCursor loop)
{
	struct poly *sum = poly_const(lifter, 0);

	for (int i = 0; i < clause->n_part && sum; i++) {
		struct poly *const part = delta_of(lifter, clause->part[i], decl, loop);

		sum = part ? poly_add(lifter, sum, part, 1) : NULL;
	}
	return sum;
}

/* ---- head ---- */

/* The integer variable that the third clause steps and the condition tests. */
static struct symbol *find_counter(struct lifter *lifter, const struct loop *loop)
{
	struct targets targets = {0};
	struct symbol *found = NULL;
	CXCursor *side;
	int n;

	if (clang_Cursor_isNull(loop->clause.cond))
		lift_refuse(lifter, REFUSAL_LOOP_FORM, loop->cursor, "it has no condition");
	if (loop->clause.is_countdown)
		return symbol_get(lifter, loop->clause.counted);
	collect_targets(lifter, loop->clause.step, &targets);
	side = cursor_children(lifter->arena, cursor_peel(lifter->arena, loop->clause.cond, true), &n);
	for (int i = 0; i < targets.n && !found; i++) {
		enum type type;

		for (int j = 0; j < n && !found; j++)
			if (liveness_mentions(side[j], targets.decl[i]) && type_of(clang_getCursorType(targets.decl[i]), &type) &&
			    type_is_integer(type))
				found = symbol_get(lifter, targets.decl[i]);
	}
	if (!found)
		lift_refuse(lifter, REFUSAL_LOOP_FORM, loop->cursor, "no counter is stepped and tested in its head");
	return found;
}

static bool is_affine(const struct lifter *lifter, const struct poly *poly)
{
	for (int i = 0; i < poly->n; i++)
		for (int j = 0; j < poly->term[i].n; j++)
			if (poly->term[i].n > 1 && !lifter->atom[poly->term[i].atom[j]].is_param)
				return false;
	return true;
}

/* "expr" mentions "var": a callback for list_walk over statements that write it. */
static bool writes_bound(struct node *node, void *context)
{
	const struct expr *const bound = context;

	if (node->kind != NODE_STMT)
		return true;
	return !expr_mentions(bound, node->target->var);
}

bool expr_mentions(const struct expr *expr, const struct var *var)
{
	if (expr->kind == EXPR_REF && expr->var == var)
		return true;
	for (int i = 0; i < expr->n; i++)
		if (expr_mentions(expr->arg[i], var))
			return true;
	return false;
}

/* The bound as a value that is fixed before the loop begins. */
static struct poly *freeze_bound(struct lifter *lifter, struct loop *loop, struct poly *bound)
{
	struct value value;

	if (poly_is_frozen(lifter, bound))
		return bound;
	if (poly_uses(bound, loop->atom))
		lift_refuse(lifter, REFUSAL_LOOP_BOUND, loop->clause.cond, "'%s'", cursor_text(lifter, loop->clause.cond));
	loop->frozen_bound = poly_expr(lifter, bound, TYPE_I64);
	value = value_freeze(lifter, value_of_poly(lifter, bound, poly_type(lifter, bound)),
			     arena_printf(lifter->arena, "%s_end", loop->counter->path), loop->clause.cond);
	return value.poly;
}

static enum CXBinaryOperatorKind mirrored(enum CXBinaryOperatorKind op)
{
	switch (op) {
	case CXBinaryOperator_LT:
		return CXBinaryOperator_GT;
	case CXBinaryOperator_LE:
		return CXBinaryOperator_GE;
	case CXBinaryOperator_GT:
		return CXBinaryOperator_LT;
	case CXBinaryOperator_GE:
		return CXBinaryOperator_LE;
	default:
		return op;
	}
}

/* Read the condition as "i op bound". */
static struct poly *find_bound(struct lifter *lifter, struct loop *loop, enum CXBinaryOperatorKind *op)
{
	const CXCursor cond = cursor_peel(lifter->arena, loop->clause.cond, true);
	struct poly *difference, *slope, *rest;
	CXCursor *child;
	int64_t sign;
	int n;

	child = cursor_children(lifter->arena, cond, &n);
	*op = clang_getCursorKind(cond) == CXCursor_BinaryOperator ? clang_getCursorBinaryOperatorKind(cond) :
								     CXBinaryOperator_Invalid;
	if (*op < CXBinaryOperator_LT || *op > CXBinaryOperator_NE || *op == CXBinaryOperator_EQ)
		lift_refuse(lifter, REFUSAL_LOOP_FORM, cond, "its condition is '%s'", cursor_text(lifter, cond));
	difference = expr_lift_index(lifter, child[0]);
	difference = poly_add(lifter, difference, expr_lift_index(lifter, child[1]), -1);
	if (!poly_split(lifter, difference, loop->atom, &slope, &rest) || !poly_is_const(slope, &sign) ||
	    (sign != 1 && sign != -1))
		lift_refuse(lifter, REFUSAL_LOOP_FORM, cond, "its condition is '%s'", cursor_text(lifter, cond));
	if (sign < 0)
		*op = mirrored(*op);
	return freeze_bound(lifter, loop, poly_add(lifter, poly_const(lifter, 0), rest, -sign));
}

static void need_not_empty(struct lifter *lifter, struct loop *loop, struct poly *trip)
{
	if (!range_assume(lifter, trip, lifter->around, lifter->n_around))
		lift_refuse(lifter, REFUSAL_LOOP_FORM, loop->clause.cond, "'%s' may never become false",
			    cursor_text(lifter, loop->clause.cond));
}

/* Take from "poly" what it needs of the counter itself. */
static struct poly *take_needs(struct lifter *lifter, struct loop *loop, const struct poly *poly)
{
	struct poly *const result = poly_add(lifter, poly, poly_const(lifter, 0), 1);

	result->n_need = 0;
	for (int i = 0; i < poly->n_need; i++) {
		if (!poly_uses(poly->need[i], loop->atom))
			result->need[result->n_need++] = poly->need[i];
		else if (loop->n_need < 8)
			loop->need[loop->n_need++] = poly->need[i];
	}
	return result;
}

/* Choose iter so that it counts up: from start to the bound, or from 0 where i counts down or start is not affine. */
static void normalize(struct lifter *lifter, struct loop *loop, struct poly *bound, enum CXBinaryOperatorKind op)
{
	struct poly *const one = poly_const(lifter, 1);
	const bool is_inclusive = op == CXBinaryOperator_LE || op == CXBinaryOperator_GE;
	const bool is_up = loop->step > 0;
	const int64_t size = is_up ? loop->step : -loop->step;
	struct poly *distance;

	if (op == CXBinaryOperator_NE ? size != 1 : is_up != (op == CXBinaryOperator_LT || op == CXBinaryOperator_LE))
		lift_refuse(lifter, REFUSAL_LOOP_FORM, loop->clause.cond, "'%s' does not fit its step",
			    cursor_text(lifter, loop->clause.cond));
	if (is_inclusive)
		bound = poly_add(lifter, bound, one, is_up ? 1 : -1);
	bound = take_needs(lifter, loop, bound);
	distance = is_up ? poly_add(lifter, bound, loop->start, -1) : poly_add(lifter, loop->start, bound, -1);
	if (op == CXBinaryOperator_NE)
		need_not_empty(lifter, loop, distance);
	if (is_up && is_affine(lifter, loop->start)) {
		loop->lo = loop->start;
		loop->hi = bound;
	} else {
		loop->lo = poly_const(lifter, 0);
		loop->hi = distance;
		loop->offset = is_up ? 1 : -1;
	}
	if (size == 1) {
		loop->trip = distance;
		loop->last = poly_need(lifter, bound, distance);
	}
	loop->step = size;
}

/* Settle what the condition needs of the counter, in the loop. */
static void settle_counter(struct lifter *lifter, struct loop *loop, int atom)
{
	bool holds = loop->n_need < 8;

	lifter->around[lifter->n_around] = (struct around){NULL, loop->iter, loop->lo, loop->hi};
	for (int i = 0; i < loop->n_need && holds; i++) {
		struct poly *slope, *rest, *need = NULL;

		if (poly_split(lifter, loop->need[i], atom, &slope, &rest))
			need = poly_mul(lifter, slope, loop->index);
		holds = need && range_assume(lifter, poly_add(lifter, rest, need, 1), lifter->around, lifter->n_around + 1);
	}
	if (!holds)
		lift_refuse(lifter, REFUSAL_UNSIGNED, loop->clause.cond, "'%s' may wrap around",
			    cursor_text(lifter, loop->clause.cond));
}

static void settle_head(struct lifter *lifter, struct loop *loop, CXCursor where)
{
	loop->lo = range_settle(lifter, loop->lo, where);
	loop->hi = range_settle(lifter, loop->hi, where);
}

static bool is_around(const struct lifter *lifter, const struct var *iter)
{
	for (int i = 0; i < lifter->n_around; i++)
		if (lifter->around[i].iter == iter)
			return true;
	return false;
}

/* Take the iterator of the counter's name and of "type"; loops that do not stand in each other share it. */
static void set_iterator(struct lifter *lifter, struct loop *loop, enum type type)
{
	const struct nest *const nest = lifter->nest;
	const size_t n = strlen(loop->counter->path);

	loop->iter = NULL;
	for (int i = 0; i < nest->n_var && !loop->iter; i++) {
		struct var *const var = nest->var[i];

		if (var->kind == VAR_ITER && var->type == type && strncmp(var->name, loop->counter->path, n) == 0 &&
		    strspn(var->name + n, "0123456789") == strlen(var->name + n) && !is_around(lifter, var))
			loop->iter = var;
	}
	if (!loop->iter)
		loop->iter = nest_add_var(lifter->nest, VAR_ITER, type, loop->counter->path, 0, NULL);
	loop->atom = atom_of_var(lifter, loop->iter, true);
}

/* A counter of 8 or 16 bits must be able to pass its bound. */
static void check_narrow(struct lifter *lifter, struct loop *loop)
{
	struct poly *limit;

	if (type_size(loop->type) >= 4)
		return;
	limit = poly_const(lifter, loop->type == TYPE_I8 ? INT8_MAX : loop->type == TYPE_U8 ? UINT8_MAX :
				   loop->type == TYPE_I16 ? INT16_MAX : UINT16_MAX);
	limit = poly_add(lifter, limit, poly_const(lifter, loop->step - 1), -1);
	if (!loop->offset && !range_assume(lifter, poly_add(lifter, limit, loop->hi, -1), lifter->around, lifter->n_around))
		lift_refuse(lifter, REFUSAL_UNSIGNED, loop->clause.cond, "'%s' may wrap around",
			    cursor_text(lifter, loop->clause.cond));
}

/* while (n--): iter counts up to the first value of n, which is that minus 1 minus iter in the body. What it is afterwards is
 * not said. */
static void lift_countdown(struct lifter *lifter, struct loop *loop)
{
	struct symbol *const counter = loop->counter;
	const struct value value = value_freeze(lifter, symbol_read(lifter, counter, loop->cursor), counter->path, loop->cursor);

	if (loop->was_kept || type_size(value.expr->type) < 4)
		lift_refuse(lifter, REFUSAL_LOOP_COUNTER, loop->clause.cond, "what '%s' is after the loop is not simple", counter->path);
	loop->type = value.expr->type;
	loop->start = loop->trip = loop->hi = value.poly;
	loop->lo = poly_const(lifter, 0);
	loop->step = 1;
	if (loop->clause.until_zero)
		need_not_empty(lifter, loop, loop->start);
	settle_head(lifter, loop, loop->clause.cond);
	set_iterator(lifter, loop, type_size(loop->type) == 8 || poly_type(lifter, loop->hi) == TYPE_I64 ? TYPE_I64 : TYPE_I32);
	loop->index = poly_add(lifter, poly_add(lifter, loop->hi, poly_const(lifter, 1), -1), poly_atom(lifter, loop->atom), -1);
}

static void lift_head(struct lifter *lifter, struct loop *loop)
{
	struct symbol *const counter = loop->counter;
	struct poly *const step = delta_of(lifter, loop->clause.step, counter->decl, loop->cursor);
	enum CXBinaryOperatorKind op;
	struct poly *bound;
	struct value value;
	int atom;

	if (!step || !poly_is_const(step, &loop->step) || loop->step == 0)
		lift_refuse(lifter, REFUSAL_LOOP_FORM, loop->clause.step, "it steps by '%s'", cursor_text(lifter, loop->clause.step));
	value = value_freeze(lifter, symbol_read(lifter, counter, loop->cursor), counter->path, loop->cursor);
	loop->start = value.poly;
	loop->type = value.expr->type;
	set_iterator(lifter, loop, type_size(loop->type) == 8 || loop->type == TYPE_U32 ? TYPE_I64 : TYPE_I32);
	counter->value = value_of_poly(lifter, poly_atom(lifter, loop->atom), loop->type);
	bound = find_bound(lifter, loop, &op);
	refuse_effects(lifter, loop->clause.cond);
	if (!type_is_signed(loop->type) && loop->step < 0 && op == CXBinaryOperator_GE) {
		int64_t zero;

		if (poly_is_const(bound, &zero) && zero <= 0)
			lift_refuse(lifter, REFUSAL_UNSIGNED, loop->clause.cond, "'%s' is always true",
				    cursor_text(lifter, loop->clause.cond));
	}
	atom = loop->atom;
	normalize(lifter, loop, bound, op);
	settle_head(lifter, loop, loop->clause.cond);
	if (poly_type(lifter, loop->lo) == TYPE_I64 ||
	    poly_type(lifter, loop->hi) == TYPE_I64)
		set_iterator(lifter, loop, TYPE_I64);
	loop->index = poly_atom(lifter, loop->atom);
	if (loop->offset)
		loop->index = poly_add(lifter, loop->start, loop->index, loop->offset);
	settle_counter(lifter, loop, atom);
	check_narrow(lifter, loop);
}

/* ---- variables that move along with the loop ---- */

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

/* Set up what each variable that the loop assigns is worth in its body. */
static void start_moving(struct lifter *lifter, struct loop *loop)
{
	struct targets targets = {0};

	collect_body_targets(lifter, &loop->clause, &targets);
	if (targets_have(&targets, loop->counter->decl))
		lift_refuse(lifter, REFUSAL_LOOP_COUNTER, loop->cursor, "'%s' is changed in the body", loop->counter->path);
	collect_targets(lifter, loop->clause.step, &targets);
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
		body = body_delta(lifter, &loop->clause, symbol->decl, loop->cursor);
		step = delta_of(lifter, loop->clause.step, symbol->decl, loop->cursor);
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

/* Check that the body moved each variable as foreseen. */
static void check_moving(struct lifter *lifter, struct loop *loop)
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

/* What the variables are worth after the loop. */
static void finish_moving(struct lifter *lifter, struct loop *loop)
{
	struct targets targets = {0};

	collect_body_targets(lifter, &loop->clause, &targets);
	collect_targets(lifter, loop->clause.step, &targets);
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

/* The counter after the loop: its last value, given that the loop is not passed over backwards. */
static void finish_counter(struct lifter *lifter, struct loop *loop)
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

/* ---- the whole ---- */

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
	counter = loop->counter = find_counter(lifter, loop);
	loop->was_kept = !counter->is_tracked;
	if (loop->was_kept) {
		counter->value = assigns(lifter, loop->clause.init, counter->decl) ?
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
	start_moving(lifter, loop);
	stmts_lift(lifter, loop->clause.part, loop->clause.n_part);
	symbols_forget(lifter, n_symbol);
	loop->counter->has_value = true;
	if (!clang_Cursor_isNull(loop->clause.step))
		expr_lift_effects(lifter, loop->clause.step);
	flush_effects(lifter);
	check_moving(lifter, loop);
	lifter->out = out;
	lifter->n_around--;
}

void loop_lift(struct lifter *lifter, CXCursor cursor)
{
	struct loop *const loop = ARENA_NEW(lifter->arena, struct loop);
	const int n_symbol = lifter->n_symbol;
	struct node *node;

	loop->cursor = cursor;
	loop->clause = find_clauses(lifter, cursor);
	start_counter(lifter, loop);
	if (loop->clause.is_countdown)
		lift_countdown(lifter, loop);
	else
		lift_head(lifter, loop);
	node = node_loop(lifter->arena, loop->iter, poly_expr(lifter, loop->lo, loop->iter->type),
			 poly_expr(lifter, loop->hi, loop->iter->type), loop->step);
	node->line = cursor_line(cursor);
	lift_body(lifter, loop, node);
	if (loop->frozen_bound && !list_walk(&node->body, writes_bound, loop->frozen_bound))
		lift_refuse(lifter, REFUSAL_LOOP_BOUND, loop->clause.cond, "'%s' may change in the body",
			    cursor_text(lifter, loop->clause.cond));
	list_add(lifter->arena, lifter->out, node);
	finish_moving(lifter, loop);
	finish_counter(lifter, loop);
	symbols_forget(lifter, n_symbol);
}
