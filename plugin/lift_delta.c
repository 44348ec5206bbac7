#include "lift_loop_internal.h"

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

void targets_collect(struct lifter *lifter, CXCursor cursor, struct targets *targets)
{
	targets->lifter = lifter;
	if (clang_Cursor_isNull(cursor))
		return;
	find_targets(cursor, cursor, targets);
	clang_visitChildren(cursor, find_targets, targets);
}

void targets_collect_body(struct lifter *lifter, const struct clauses *clause, struct targets *targets)
{
	for (int i = 0; i < clause->n_part; i++)
		targets_collect(lifter, clause->part[i], targets);
}

bool targets_have(const struct targets *targets, CXCursor decl)
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

bool cursor_assigns(struct lifter *lifter, CXCursor cursor, CXCursor decl)
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
		unsigned at = cursor_offset(decl), from = cursor_offset(loop);

		if (at >= from || cursor_assigns(lifter, loop, decl) || !type_of(clang_getCursorType(decl), &type) || !type_is_integer(type))
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

/* The number of iterations of a simple inner loop. */
static struct poly *quiet_trip(struct lifter *lifter, CXCursor cursor, CXCursor loop)
{
	const struct clauses clause = clauses_find(lifter, cursor);
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
	step = cursor_delta(lifter, clause.step, counter, loop);
	if (!lo || !hi || !step || !poly_is_const(step, &one) || one != 1 || cursor_assigns(lifter, clause.body, counter))
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

struct poly *cursor_delta(struct lifter *lifter, CXCursor cursor, CXCursor decl, CXCursor loop)
{
	const enum CXCursorKind kind = clang_getCursorKind(cursor);
	struct poly *sum = poly_const(lifter, 0), *part, *trip;
	CXCursor *child, target;
	int n;

	if (clang_Cursor_isNull(cursor) || !cursor_assigns(lifter, cursor, decl))
		return sum;
	child = cursor_children(lifter->arena, cursor, &n);
	if (is_assignment(cursor) && cursor_variable(lifter->arena, child[0], &target) && clang_equalCursors(target, decl))
		return assignment_delta(lifter, cursor, decl, loop);
	if (kind == CXCursor_ForStmt) {
		if (cursor_assigns(lifter, clauses_find(lifter, cursor).init, decl))
			return NULL;
		part = cursor_delta(lifter, clauses_find(lifter, cursor).body, decl, loop);
		if (part && cursor_assigns(lifter, clauses_find(lifter, cursor).step, decl)) {
			struct poly *const step = cursor_delta(lifter, clauses_find(lifter, cursor).step, decl, loop);

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
		part = cursor_delta(lifter, child[i], decl, loop);
		if (!part)
			return NULL;
		sum = poly_add(lifter, sum, part, 1);
	}
	return sum;
}

struct poly *clauses_delta(struct lifter *lifter, const struct clauses *clause, CXCursor decl, CXCursor loop)
{
	struct poly *sum = poly_const(lifter, 0);

	for (int i = 0; i < clause->n_part && sum; i++) {
		struct poly *const part = cursor_delta(lifter, clause->part[i], decl, loop);

		sum = part ? poly_add(lifter, sum, part, 1) : NULL;
	}
	return sum;
}
