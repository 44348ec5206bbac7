#include "effects.h"

#include <stdbool.h>
#include <string.h>

#include "lift_internal.h"

enum { functions_most = 64 };

/* The functions looked into so far. */
struct search {
	struct arena *arena;
	int n;
	CXCursor function[functions_most];
	const char *why;
};

/* Functions of the C library that touch nothing but what they are given; memory they make is the caller's. */
static bool is_harmless(const char *name)
{
	static const char *const harmless[] = {
		"memcpy", "memmove", "memset", "memcmp", "memchr", "strlen", "strnlen", "strcmp", "strncmp", "strchr", "malloc",
		"calloc", "realloc", "free", "aligned_alloc", "posix_memalign", "_mm_malloc", "_mm_free", "qsort", "bsearch",
		"abort", "__assert_fail", "nextafter", "nextafterf", "ldexp", "ldexpf", "frexp", "frexpf", "modf", "modff", "lrint",
		"lrintf", "lround", "lroundf",
	};

	if (strncmp(name, "__builtin_", 10) == 0)
		return true;
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		if (strcmp(name, harmless[i]) == 0)
			return true;
	return is_library_function(name);
}

static enum CXChildVisitResult look(CXCursor cursor, CXCursor parent, CXClientData data);

static void look_into(struct search *search, CXCursor function)
{
	for (int i = 0; i < search->n; i++)
		if (clang_equalCursors(search->function[i], function))
			return;
	if (search->n == functions_most) {
		search->why = "it calls very many functions";
		return;
	}
	search->function[search->n++] = function;
	clang_visitChildren(function, look, search);
}

static void look_at_call(struct search *search, CXCursor call)
{
	const CXCursor callee = clang_getCursorReferenced(call), definition = clang_getCursorDefinition(callee);
	const char *name;

	if (clang_Cursor_isNull(callee) || clang_getCursorKind(callee) != CXCursor_FunctionDecl) {
		search->why = "it calls through a pointer";
		return;
	}
	name = cursor_name(search->arena, callee);
	if (!clang_Cursor_isNull(definition))
		look_into(search, definition);
	else if (!is_harmless(name))
		search->why = arena_printf(search->arena, "it calls '%s', which is not in its file", name);
}

/* Tables of constants may be read; other variables that outlive the call may not be used. */
static void look_at_variable(struct search *search, CXCursor decl)
{
	CXType type;

	if (clang_getCursorKind(decl) != CXCursor_VarDecl || clang_Cursor_hasVarDeclGlobalStorage(decl) != 1)
		return;
	type = clang_getCanonicalType(clang_getCursorType(decl));
	while (type_is_array(type))
		type = clang_getCanonicalType(clang_getArrayElementType(type));
	if (!clang_isConstQualifiedType(type) || clang_Cursor_hasVarDeclExternalStorage(decl) == 1)
		search->why = arena_printf(search->arena, "'%s' outlives its calls", cursor_name(search->arena, decl));
}

static enum CXChildVisitResult look(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct search *const search = data;

	(void)parent;
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_CallExpr:
		look_at_call(search, cursor);
		break;
	case CXCursor_DeclRefExpr:
		look_at_variable(search, clang_getCursorReferenced(cursor));
		break;
	case CXCursor_AsmStmt:
	case CXCursor_MSAsmStmt:
		search->why = "it has inline assembly";
		break;
	default:
		break;
	}
	return search->why ? CXChildVisit_Break : CXChildVisit_Recurse;
}

const char *effects_find(struct arena *arena, CXCursor function)
{
	struct search search = {.arena = arena};

	look_into(&search, function);
	return search.why;
}
