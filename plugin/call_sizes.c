/* What the unit's own calls of a function say of its sizes: constants in calls such as kernel(1000, 4, a), or variables that are
 * initialised with constants. They are hints of what to time, no more. */
#include <string.h>

#include "lift_internal.h"
#include "region_internal.h"

/* The walk: the calls of "function", of which the one with the largest sizes so far is "best". */
struct search {
	struct scanner *scanner;
	CXCursor function;
	double most;
	const char *best;
};

/* The value of an argument, if it is a constant or a variable that starts as one. */
static bool argument_value(struct scanner *scanner, CXCursor argument, int64_t *value)
{
	CXCursor variable;

	if (cursor_constant(argument, value))
		return true;
	if (!cursor_variable(scanner->arena, argument, &variable) || clang_getCursorKind(variable) != CXCursor_VarDecl)
		return false;
	variable = clang_Cursor_getVarDeclInitializer(variable);
	return !clang_Cursor_isNull(variable) && cursor_constant(variable, value);
}

/* Keep the sizes of "call" when their product is the largest so far; those that are not positive do not count. */
static void note_call(struct search *search, CXCursor call)
{
	struct arena *const arena = search->scanner->arena;
	const int n = clang_Cursor_getNumArguments(search->function);
	const char *sizes = NULL;
	double product = 1;

	if (clang_Cursor_getNumArguments(call) != n)
		return;
	for (int i = 0; i < n; i++) {
		const CXCursor param = clang_Cursor_getArgument(search->function, (unsigned)i);
		enum type type;
		int64_t value;

		if (!type_of(clang_getCursorType(param), &type) || !type_is_integer(type) ||
		    !argument_value(search->scanner, clang_Cursor_getArgument(call, (unsigned)i), &value) || value <= 0)
			continue;
		product *= (double)value;
		sizes = arena_printf(arena, "%s%s%s=%lld", sizes ? sizes : "", sizes ? "," : "", cursor_name(arena, param), (long long)value);
	}
	if (sizes && product > search->most) {
		search->most = product;
		search->best = sizes;
	}
}

static enum CXChildVisitResult visit_call(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct search *const search = data;

	(void)parent;
	if (clang_getCursorKind(cursor) == CXCursor_CallExpr &&
	    clang_equalCursors(clang_getCanonicalCursor(clang_getCursorReferenced(cursor)), clang_getCanonicalCursor(search->function)))
		note_call(search, cursor);
	return CXChildVisit_Recurse;
}

static enum CXChildVisitResult visit_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
	(void)parent;
	if (clang_getCursorKind(cursor) == CXCursor_FunctionDecl && clang_isCursorDefinition(cursor) &&
	    clang_Location_isFromMainFile(clang_getCursorLocation(cursor)))
		clang_visitChildren(cursor, visit_call, data);
	return CXChildVisit_Continue;
}

/* Whether "name" stands more than once in the main file: a walk over the unit would be in vain otherwise. */
static bool is_named_again(const struct scanner *scanner, const char *name)
{
	size_t size = 0;
	const char *const text = parsed_text(scanner->parsed, scanner->parsed->file, &size);
	const char *at = text ? memmem(text, size, name, strlen(name)) : NULL;

	return at && memmem(at + 1, size - (size_t)(at + 1 - text), name, strlen(name));
}

const char *call_sizes(struct scanner *scanner, CXCursor function)
{
	struct search search = {.scanner = scanner, .function = function};

	if (clang_Cursor_getNumArguments(function) > 0 && is_named_again(scanner, cursor_name(scanner->arena, function)))
		clang_visitChildren(clang_getTranslationUnitCursor(scanner->parsed->unit), visit_function, &search);
	return search.best;
}
