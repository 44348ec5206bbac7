#include "lift_loop_internal.h"

unsigned cursor_offset(CXCursor cursor)
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
	if (!n || !text || !find_semicolons(text, size, cursor_offset(cursor), semicolon))
		lift_refuse(lifter, REFUSAL_LOOP_FORM, cursor, "'%s'", cursor_text(lifter, cursor));
	clause.body = child[n - 1];
	for (int i = 0; i + 1 < n; i++) {
		const unsigned at = cursor_offset(child[i]);

		if (at < semicolon[0])
			clause.init = child[i];
		else if (at < semicolon[1])
			clause.cond = child[i];
		else
			clause.step = child[i];
	}
	return clause;
}

struct clauses clauses_find(struct lifter *lifter, CXCursor cursor)
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
