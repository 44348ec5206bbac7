#include "lift_internal.h"

#include <string.h>

struct children {
	CXCursor *cursor;
	int n, max;
	struct arena *arena;
};

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct children *const list = data;

	(void)parent;
	if (list->n == list->max) {
		CXCursor *const grown = ARENA_ARRAY(list->arena, CXCursor, 2 * list->max + 4);

		if (list->n)
			memcpy(grown, list->cursor, sizeof(*grown) * (size_t)list->n);
		list->cursor = grown;
		list->max = 2 * list->max + 4;
	}
	list->cursor[list->n++] = cursor;
	return CXChildVisit_Continue;
}

CXCursor *cursor_children(struct arena *arena, CXCursor cursor, int *n)
{
	struct children list = {.arena = arena};

	clang_visitChildren(cursor, collect, &list);
	*n = list.n;
	return list.cursor;
}

CXCursor cursor_peel(struct arena *arena, CXCursor cursor, bool casts)
{
	for (;;) {
		const enum CXCursorKind kind = clang_getCursorKind(cursor);
		CXCursor *child;
		int n;

		if (kind != CXCursor_ParenExpr && !(casts && kind == CXCursor_UnexposedExpr))
			return cursor;
		child = cursor_children(arena, cursor, &n);
		if (n != 1)
			return cursor;
		cursor = child[0];
	}
}

const char *cursor_name(struct arena *arena, CXCursor cursor)
{
	return parsed_string(arena, clang_getCursorSpelling(cursor));
}

bool cursor_variable(struct arena *arena, CXCursor cursor, CXCursor *decl)
{
	enum CXCursorKind kind;

	cursor = cursor_peel(arena, cursor, true);
	if (clang_getCursorKind(cursor) != CXCursor_DeclRefExpr)
		return false;
	*decl = clang_getCursorReferenced(cursor);
	kind = clang_getCursorKind(*decl);
	return kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl;
}

int cursor_line(CXCursor cursor)
{
	unsigned line = 0;

	clang_getFileLocation(clang_getCursorLocation(cursor), NULL, &line, NULL, NULL);
	return (int)line;
}

const char *cursor_text(struct lifter *lifter, CXCursor cursor)
{
	const CXSourceRange range = clang_getCursorExtent(cursor);
	CXFile file = NULL, end_file = NULL;
	unsigned begin = 0, end = 0;
	size_t size;
	const char *text;

	clang_getFileLocation(clang_getRangeStart(range), &file, NULL, NULL, &begin);
	clang_getFileLocation(clang_getRangeEnd(range), &end_file, NULL, NULL, &end);
	text = file ? parsed_text(lifter->parsed, file, &size) : NULL;
	if (!text || !end_file || !clang_File_isEqual(file, end_file) || begin >= end || end > size)
		return "";
	if (end - begin > 60)
		return arena_printf(lifter->arena, "%.57s...", arena_strndup(lifter->arena, text + begin, 57));
	return arena_strndup(lifter->arena, text + begin, end - begin);
}

bool cursor_constant(CXCursor cursor, int64_t *value)
{
	const CXEvalResult result = clang_Cursor_Evaluate(cursor);
	bool is_int = result && clang_EvalResult_getKind(result) == CXEval_Int;

	if (is_int)
		*value = clang_EvalResult_isUnsignedInt(result) ? (int64_t)clang_EvalResult_getAsUnsigned(result) :
								   clang_EvalResult_getAsLongLong(result);
	if (result)
		clang_EvalResult_dispose(result);
	return is_int;
}

bool cursor_real(CXCursor cursor, double *value)
{
	const CXEvalResult result = clang_Cursor_isNull(cursor) ? NULL : clang_Cursor_Evaluate(cursor);
	bool is_float = result && clang_EvalResult_getKind(result) == CXEval_Float;

	if (is_float)
		*value = clang_EvalResult_getAsDouble(result);
	if (result)
		clang_EvalResult_dispose(result);
	return is_float;
}
