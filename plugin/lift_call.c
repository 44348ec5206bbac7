#include "lift_internal.h"

#include <string.h>

/* The pure functions of the C library that a nest may call; the type of the value is that of the call. */
static const char *const known[] = {
	"sqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow", "sin", "cos", "tan", "asin", "acos", "atan",
	"atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "floor", "ceil", "round", "trunc", "rint",
	"nearbyint", "fabs", "fmin", "fmax", "fmod", "cbrt", "hypot", "copysign", "fma", "fdim", "tgamma", "lgamma",
};

static const char *const known_integer[] = {"abs", "labs", "llabs"};

bool is_library_function(const char *name)
{
	const size_t size = strlen(name);

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const size_t n = strlen(known[i]);

		if (strncmp(name, known[i], n) == 0 && (n == size || (n + 1 == size && name[n] == 'f')))
			return true;
	}
	for (size_t i = 0; i < sizeof(known_integer) / sizeof(known_integer[0]); i++)
		if (strcmp(name, known_integer[i]) == 0)
			return true;
	return false;
}

static struct value lift_library(struct lifter *lifter, CXCursor cursor, const char *name)
{
	const int n = clang_Cursor_getNumArguments(cursor);
	struct expr *arg[4];

	if (n < 1 || n > 3)
		lift_refuse(lifter, REFUSAL_CALL, cursor, "it calls '%s'", name);
	if (strncmp(name, "__builtin_", 10) == 0)
		name += 10;
	for (int i = 0; i < n; i++)
		arg[i] = expr_lift(lifter, clang_Cursor_getArgument(cursor, (unsigned)i)).expr;
	return value_scalar(lifter, expr_call(lifter->arena, expr_type(lifter, cursor), name, n, arg), NULL);
}

/* Whether the body is a single return. */
static bool is_expression(struct lifter *lifter, CXCursor body)
{
	int n;
	CXCursor *const child = cursor_children(lifter->arena, body, &n);

	return n == 1 && clang_getCursorKind(child[0]) == CXCursor_ReturnStmt;
}

/* Structures, and pointers to them, are bound by the path that leads to them. */
static bool is_record_parameter(CXCursor parameter)
{
	const CXType type = clang_getCursorType(parameter);

	return type_is_record(type) || type_points_to_record(type);
}

static void bind_parameters(struct lifter *lifter, CXCursor call, CXCursor function, bool is_pure)
{
	const int n = clang_Cursor_getNumArguments(function);
	CXCursor parameter[16], argument[16];
	struct value value[16];

	if (n > 16 || n != clang_Cursor_getNumArguments(call))
		lift_refuse(lifter, REFUSAL_HELPER, call, "'%s'", cursor_text(lifter, call));
	for (int i = 0; i < n; i++) {
		parameter[i] = clang_Cursor_getArgument(function, (unsigned)i);
		argument[i] = clang_Cursor_getArgument(call, (unsigned)i);
		if (!is_record_parameter(parameter[i]))
			value[i] = expr_lift(lifter, argument[i]);
	}
	for (int i = 0; i < n; i++) {
		if (!is_record_parameter(parameter[i]))
			symbol_bind(lifter, parameter[i], value[i], is_pure, call);
		else if (!symbol_alias(lifter, parameter[i], argument[i]))
			lift_refuse(lifter, REFUSAL_STRUCT, call, "'%s' is a structure that changes in the loop",
				    cursor_text(lifter, argument[i]));
	}
}

static struct value lift_body(struct lifter *lifter, const CXCursor *stmt, int n, CXCursor call);

static struct value lift_return(struct lifter *lifter, CXCursor cursor, CXCursor call)
{
	const struct value value = expr_lift(lifter, cursor);

	if (value.kind != VALUE_SCALAR)
		return value;
	return value_convert(lifter, value, expr_type(lifter, call), call);
}

/* "return;", in braces or not */
static bool is_plain_return(struct lifter *lifter, CXCursor cursor)
{
	int n;
	CXCursor *const child = cursor_children(lifter->arena, cursor, &n);

	if (clang_getCursorKind(cursor) == CXCursor_CompoundStmt)
		return n == 1 && is_plain_return(lifter, child[0]);
	return clang_getCursorKind(cursor) == CXCursor_ReturnStmt && n == 0;
}

/* "if (c) return a; rest": a choice between the two values. */
static struct value lift_early_return(struct lifter *lifter, CXCursor cursor, const CXCursor *rest, int n_rest, CXCursor call)
{
	struct value cond, yes, no;
	CXCursor *child;
	int n, n_known;

	child = cursor_children(lifter->arena, cursor, &n);
	cond = value_truth(lifter, expr_lift(lifter, child[0]), child[0]);
	if (clang_getCanonicalType(clang_getCursorType(call)).kind == CXType_Void) {
		if (n > 2 || !is_plain_return(lifter, child[1]))
			lift_refuse(lifter, REFUSAL_HELPER, call, "'%s'", cursor_text(lifter, call));
		unless_lift(lifter, &cond, rest, n_rest, cursor);
		return (struct value){.kind = VALUE_VOID};
	}
	lifter->conditional++;
	n_known = known_push(lifter, &cond, true);
	yes = lift_body(lifter, &child[1], 1, call);
	known_forget(lifter, n_known);
	known_push(lifter, &cond, false);
	no = n > 2 ? lift_body(lifter, &child[2], 1, call) : lift_body(lifter, rest, n_rest, call);
	known_forget(lifter, n_known);
	lifter->conditional--;
	if (yes.kind != VALUE_SCALAR || no.kind != VALUE_SCALAR)
		lift_refuse(lifter, REFUSAL_HELPER, call, "'%s'", cursor_text(lifter, call));
	return value_scalar(lifter, expr_select(lifter->arena, cond.expr, yes.expr, no.expr), NULL);
}

static bool contains_return(struct lifter *lifter, CXCursor cursor)
{
	CXCursor *child;
	int n;

	if (clang_getCursorKind(cursor) == CXCursor_ReturnStmt)
		return true;
	child = cursor_children(lifter->arena, cursor, &n);
	for (int i = 0; i < n; i++)
		if (contains_return(lifter, child[i]))
			return true;
	return false;
}

static bool contains_loop(struct lifter *lifter, CXCursor cursor)
{
	const enum CXCursorKind kind = clang_getCursorKind(cursor);
	CXCursor *child;
	int n;

	if (kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt)
		return true;
	child = cursor_children(lifter->arena, cursor, &n);
	for (int i = 0; i < n; i++)
		if (contains_loop(lifter, child[i]))
			return true;
	return false;
}

/* The value that a sequence of statements returns. */
static struct value lift_body(struct lifter *lifter, const CXCursor *stmt, int n, CXCursor call)
{
	CXCursor *child;
	int n_child;

	for (int i = 0; i < n; i++) {
		child = cursor_children(lifter->arena, stmt[i], &n_child);
		switch (clang_getCursorKind(stmt[i])) {
		case CXCursor_ReturnStmt:
			if (!n_child)
				return (struct value){.kind = VALUE_VOID};
			return lift_return(lifter, child[0], call);
		case CXCursor_CompoundStmt:
			if (contains_return(lifter, stmt[i]))
				return lift_body(lifter, child, n_child, call);
			stmt_lift(lifter, stmt[i]);
			break;
		case CXCursor_IfStmt:
			if (contains_return(lifter, stmt[i]))
				return lift_early_return(lifter, stmt[i], stmt + i + 1, n - i - 1, call);
			stmt_lift(lifter, stmt[i]);
			break;
		default:
			stmt_lift(lifter, stmt[i]);
		}
	}
	return (struct value){.kind = VALUE_VOID};
}

static struct value lift_helper(struct lifter *lifter, CXCursor cursor, CXCursor function)
{
	const int n_symbol = lifter->n_symbol;
	const struct list after = lifter->after;
	struct value value;
	CXCursor *child;
	int n;

	for (int i = 0; i < lifter->inlining; i++)
		if (clang_equalCursors(lifter->inlined[i], function))
			lift_refuse(lifter, REFUSAL_RECURSION, cursor, "'%s' calls itself", cursor_name(lifter->arena, function));
	if (lifter->inlining == (int)(sizeof(lifter->inlined) / sizeof(lifter->inlined[0])))
		lift_refuse(lifter, REFUSAL_RECURSION, cursor, "'%s' is nested too deep", cursor_name(lifter->arena, function));
	lifter->after = (struct list){0};
	scan_assigned(lifter, function);
	child = cursor_children(lifter->arena, function, &n);
	if (contains_loop(lifter, child[n - 1]))
		lift_refuse(lifter, REFUSAL_HELPER, cursor, "'%s' has loops of its own", cursor_name(lifter->arena, function));
	bind_parameters(lifter, cursor, function, is_expression(lifter, child[n - 1]));
	lifter->inlined[lifter->inlining++] = function;
	value = lift_body(lifter, &child[n - 1], 1, cursor);
	lifter->inlining--;
	symbols_forget(lifter, n_symbol);
	if (lifter->after.n)
		lift_refuse(lifter, REFUSAL_HELPER, cursor, "'%s' changes its variables while it returns",
			    cursor_name(lifter->arena, function));
	lifter->after = after;
	return value;
}

/* Whether the helper is the user's own: not from a system header, with a body of moderate size. */
static bool is_helper(struct lifter *lifter, CXCursor function)
{
	CXCursor *child;
	int n;

	if (clang_Cursor_isNull(function) || clang_getCursorKind(function) != CXCursor_FunctionDecl ||
	    clang_Location_isInSystemHeader(clang_getCursorLocation(function)) || clang_Cursor_isVariadic(function))
		return false;
	child = cursor_children(lifter->arena, function, &n);
	return n && clang_getCursorKind(child[n - 1]) == CXCursor_CompoundStmt;
}

struct value call_lift(struct lifter *lifter, CXCursor cursor)
{
	const CXCursor callee = clang_getCursorReferenced(cursor);
	const char *const name = cursor_name(lifter->arena, callee);
	const char *const plain = strncmp(name, "__builtin_", 10) == 0 ? name + 10 : name;
	CXCursor definition;

	if (clang_Cursor_isNull(callee) || clang_getCursorKind(callee) != CXCursor_FunctionDecl)
		lift_refuse(lifter, REFUSAL_CALL, cursor, "it calls through a pointer: '%s'", cursor_text(lifter, cursor));
	definition = clang_getCursorDefinition(callee);
	if (is_library_function(plain) && clang_Cursor_isNull(definition))
		return lift_library(lifter, cursor, name);
	if (strcmp(plain, "huge_val") == 0 || strcmp(plain, "inf") == 0 || strcmp(plain, "inff") == 0 ||
	    strcmp(plain, "huge_valf") == 0) {
		const enum type type = expr_type(lifter, cursor);

		return value_scalar(lifter, expr_float(lifter->arena, __builtin_inf(), type, NULL), NULL);
	}
	if (strcmp(name, "__builtin_expect") == 0)
		return expr_lift(lifter, clang_Cursor_getArgument(cursor, 0));
	if (!is_helper(lifter, definition))
		lift_refuse(lifter, REFUSAL_CALL, cursor, "it calls '%s'", *name ? name : cursor_text(lifter, cursor));
	return lift_helper(lifter, cursor, definition);
}
