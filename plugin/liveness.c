#include "liveness.h"

#include "lift_internal.h"

struct mention {
	CXCursor decl;
	bool found;
};

static enum CXChildVisitResult find_mention(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct mention *const mention = data;

	(void)parent;
	if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr &&
	    clang_equalCursors(clang_getCursorReferenced(cursor), mention->decl)) {
		mention->found = true;
		return CXChildVisit_Break;
	}
	return CXChildVisit_Recurse;
}

bool liveness_mentions(CXCursor cursor, CXCursor decl)
{
	struct mention mention = {.decl = decl};

	find_mention(cursor, cursor, &mention);
	if (!mention.found)
		clang_visitChildren(cursor, find_mention, &mention);
	return mention.found;
}

static enum CXChildVisitResult find_jump(CXCursor cursor, CXCursor parent, CXClientData data)
{
	const enum CXCursorKind kind = clang_getCursorKind(cursor);

	(void)parent;
	if (kind == CXCursor_BreakStmt || kind == CXCursor_ContinueStmt || kind == CXCursor_GotoStmt ||
	    kind == CXCursor_IndirectGotoStmt || kind == CXCursor_LabelStmt || kind == CXCursor_SwitchStmt) {
		*(bool *)data = true;
		return CXChildVisit_Break;
	}
	return CXChildVisit_Recurse;
}

static bool has_jump(CXCursor cursor)
{
	bool found = false;

	find_jump(cursor, cursor, &found);
	if (!found)
		clang_visitChildren(cursor, find_jump, &found);
	return found;
}

static bool is_label_user(CXCursor cursor)
{
	const enum CXCursorKind kind = clang_getCursorKind(cursor);

	return kind == CXCursor_GotoStmt || kind == CXCursor_IndirectGotoStmt || kind == CXCursor_LabelStmt ||
	       kind == CXCursor_AddrLabelExpr;
}

static enum CXChildVisitResult find_label(CXCursor cursor, CXCursor parent, CXClientData data)
{
	(void)parent;
	if (is_label_user(cursor)) {
		*(bool *)data = true;
		return CXChildVisit_Break;
	}
	return CXChildVisit_Recurse;
}

static enum first_use first_use(struct arena *arena, CXCursor cursor, CXCursor decl);

static enum first_use use_in_order(struct arena *arena, const CXCursor *stmt, int n, CXCursor decl)
{
	bool may_jump = false;

	for (int i = 0; i < n; i++) {
		const enum first_use use = first_use(arena, stmt[i], decl);

		if (use == USE_READ || (use == USE_KILLED && !may_jump))
			return use;
		may_jump = may_jump || has_jump(stmt[i]);
	}
	return USE_NONE;
}

/* "a = b": the value, then the target. */
static enum first_use use_in_assignment(struct arena *arena, CXCursor cursor, CXCursor decl)
{
	CXCursor target;
	int n;
	CXCursor *const child = cursor_children(arena, cursor, &n);

	if (n != 2 || !cursor_variable(arena, child[0], &target) || !clang_equalCursors(target, decl))
		return liveness_mentions(cursor, decl) ? USE_READ : USE_NONE;
	return liveness_mentions(child[1], decl) ? USE_READ : USE_KILLED;
}

/* Both branches of an if, after its condition. */
static enum first_use use_in_if(struct arena *arena, CXCursor cursor, CXCursor decl)
{
	enum first_use yes, no = USE_NONE;
	int n;
	CXCursor *const child = cursor_children(arena, cursor, &n);

	if (n < 2 || liveness_mentions(child[0], decl))
		return liveness_mentions(cursor, decl) ? USE_READ : USE_NONE;
	yes = first_use(arena, child[1], decl);
	if (n > 2)
		no = first_use(arena, child[2], decl);
	if (yes == USE_READ || no == USE_READ)
		return USE_READ;
	return yes == USE_KILLED && no == USE_KILLED ? USE_KILLED : USE_NONE;
}

/* A for whose first clause overwrites the variable kills it; otherwise the body may not run. */
static enum first_use use_in_for(struct arena *arena, CXCursor cursor, CXCursor decl)
{
	int n;
	CXCursor *const child = cursor_children(arena, cursor, &n);
	const enum first_use init = n == 4 ? first_use(arena, child[0], decl) : USE_NONE;

	if (init != USE_NONE)
		return init;
	if (n == 4 && !liveness_mentions(child[1], decl)) {
		const enum first_use body = first_use(arena, child[3], decl);

		if (body == USE_READ)
			return USE_READ;
		if (body == USE_KILLED && !has_jump(child[3]))
			return USE_NONE;
		return body == USE_NONE && liveness_mentions(child[2], decl) ? USE_READ : USE_NONE;
	}
	return liveness_mentions(cursor, decl) ? USE_READ : USE_NONE;
}

static enum first_use first_use(struct arena *arena, CXCursor cursor, CXCursor decl)
{
	int n;
	CXCursor *child;

	switch (clang_getCursorKind(cursor)) {
	case CXCursor_DeclStmt:
		child = cursor_children(arena, cursor, &n);
		for (int i = 0; i < n; i++)
			if (clang_equalCursors(child[i], decl))
				return USE_KILLED;
		break;
	case CXCursor_CompoundStmt:
		child = cursor_children(arena, cursor, &n);
		return use_in_order(arena, child, n, decl);
	case CXCursor_CaseStmt:
	case CXCursor_DefaultStmt:
		child = cursor_children(arena, cursor, &n);
		return n ? first_use(arena, child[n - 1], decl) : USE_NONE;
	case CXCursor_BinaryOperator:
		if (clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign)
			return use_in_assignment(arena, cursor, decl);
		if (clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Comma) {
			child = cursor_children(arena, cursor, &n);
			return use_in_order(arena, child, n, decl);
		}
		break;
	case CXCursor_IfStmt:
		return use_in_if(arena, cursor, decl);
	case CXCursor_ForStmt:
		return use_in_for(arena, cursor, decl);
	case CXCursor_ReturnStmt:
		return liveness_mentions(cursor, decl) ? USE_READ : USE_KILLED;
	default:
		break;
	}
	return liveness_mentions(cursor, decl) ? USE_READ : USE_NONE;
}

enum first_use liveness_first_use(struct arena *arena, const CXCursor *stmt, int n, CXCursor decl)
{
	return use_in_order(arena, stmt, n, decl);
}

static bool is_loop(CXCursor cursor)
{
	const enum CXCursorKind kind = clang_getCursorKind(cursor);

	return kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt;
}

static bool function_has_labels(CXCursor function)
{
	bool found = false;

	clang_visitChildren(function, find_label, &found);
	return found;
}

/* The index of "of" among the children of "parent"; -1 when it is none of them. */
static int child_index(const CXCursor *child, int n, CXCursor of)
{
	for (int i = 0; i < n; i++)
		if (clang_equalCursors(child[i], of))
			return i;
	return -1;
}

/* What the next iteration of "loop" does first with the variable: for's third clause, condition, body. */
static enum first_use use_in_next_round(struct arena *arena, CXCursor loop, const CXCursor *child, int n, CXCursor decl)
{
	if (clang_getCursorKind(loop) == CXCursor_ForStmt && n == 4)
		return use_in_order(arena, (CXCursor[]){child[2], child[1], child[3]}, 3, decl);
	if (clang_getCursorKind(loop) == CXCursor_ForStmt)
		return liveness_mentions(loop, decl) ? USE_READ : USE_NONE;
	return use_in_order(arena, child, n, decl);
}

/* Whether some statement after child "last" of "parent" reads the variable first. Sets "*killed" when all paths through
 * them overwrite it. */
static bool read_after(struct arena *arena, CXCursor parent, CXCursor last, CXCursor decl, bool *killed)
{
	int n, at;
	CXCursor *const child = cursor_children(arena, parent, &n);
	enum first_use use;

	*killed = false;
	if (is_loop(parent))
		return use_in_next_round(arena, parent, child, n, decl) == USE_READ;
	if (clang_getCursorKind(parent) != CXCursor_CompoundStmt)
		return false;
	at = child_index(child, n, last);
	use = use_in_order(arena, child + at + 1, n - at - 1, decl);
	*killed = use == USE_KILLED;
	return use == USE_READ;
}

bool liveness_is_mentioned(struct arena *arena, const struct lift_input *input, CXCursor decl)
{
	CXCursor last = input->stmt[input->n - 1];

	for (int i = input->n_parent - 1; i >= 0; i--) {
		int n, at;
		CXCursor *const child = cursor_children(arena, input->parent[i], &n);

		at = is_loop(input->parent[i]) ? -1 : child_index(child, n, last);
		for (int j = at + 1; j < n; j++)
			if (!is_loop(input->parent[i]) || !clang_equalCursors(child[j], last))
				if (liveness_mentions(child[j], decl))
					return true;
		last = input->parent[i];
	}
	return false;
}

bool liveness_is_live_out(struct arena *arena, const struct lift_input *input, CXCursor decl)
{
	CXCursor last = input->stmt[input->n - 1];

	if (clang_Cursor_hasVarDeclGlobalStorage(decl) == 1)
		return true;
	if (function_has_labels(input->function))
		return true;
	for (int i = input->n_parent - 1; i >= 0; i--) {
		bool killed;

		if (read_after(arena, input->parent[i], last, decl, &killed))
			return true;
		if (killed)
			return false;
		last = input->parent[i];
	}
	return false;
}
