#include "lift_internal.h"

#include <stdlib.h>
#include <string.h>

#include "ir/type.h"

static struct poly *soft(struct lifter *lifter, const struct poly *poly)
{
	return poly_wide(lifter, poly);
}

enum type expr_type(struct lifter *lifter, CXCursor cursor)
{
	const CXType type = clang_getCursorType(cursor);
	enum type result = TYPE_I32;

	if (!type_of(type, &result))
		lift_refuse(lifter, REFUSAL_TYPE, cursor, "'%s' has type %s", cursor_text(lifter, cursor),
			    parsed_string(lifter->arena, clang_getTypeSpelling(type)));
	return result;
}

static int64_t type_max(enum type type)
{
	switch (type) {
	case TYPE_I8:
		return INT8_MAX;
	case TYPE_U8:
		return UINT8_MAX;
	case TYPE_I16:
		return INT16_MAX;
	case TYPE_U16:
		return UINT16_MAX;
	case TYPE_I32:
		return INT32_MAX;
	case TYPE_U32:
		return UINT32_MAX;
	default:
		return INT64_MAX;
	}
}

/* The polynomial of a value of type "from" seen in type "to": equal, given what it needs; NULL if it is rather not. */
static struct poly *convert_poly(struct lifter *lifter, struct poly *poly, enum type from, enum type to)
{
	struct poly *result = poly;

	if (type_size(to) < 4 && type_size(to) <= type_size(from) && !poly_is_frozen(lifter, poly))
		return NULL;
	if (type_size(to) == 8)
		result = poly_wide(lifter, result);
	if (!type_is_signed(to) && type_is_signed(from))
		result = poly_need(lifter, result, type_size(to) == 8 ? soft(lifter, poly) : poly);
	if (type_size(to) < type_size(from) || (type_size(to) == type_size(from) && type_is_signed(to) && !type_is_signed(from))) {
		struct poly *const limit = poly_const(lifter, type_max(to));
		struct poly *need = poly_add(lifter, limit, poly, -1);

		need->is_wide = type_size(to) == 8;
		result = poly_need(lifter, result, need);
		if (type_is_signed(to) && type_is_signed(from)) {
			need = poly_add(lifter, limit, poly, 1);
			result = poly_need(lifter, result, need);
		}
	}
	return result;
}

struct value value_convert(struct lifter *lifter, struct value value, enum type type, CXCursor where)
{
	enum type from;
	struct expr *expr;

	if (value.kind != VALUE_SCALAR)
		lift_refuse(lifter, REFUSAL_POINTER, where, "'%s' uses a pointer as a number", cursor_text(lifter, where));
	from = value.expr->type;
	if (from == type)
		return value;
	if (type_is_float(type) && value.expr->kind == EXPR_INT && value.expr->integer >= -(1 << 24) &&
	    value.expr->integer <= 1 << 24)
		return value_scalar(lifter, expr_float(lifter->arena, (double)value.expr->integer, type, NULL), NULL);
	if (type_is_float(type) && value.expr->kind == EXPR_FLOAT)
		return value_scalar(lifter, expr_float(lifter->arena, type == TYPE_F32 ? (double)(float)value.expr->real : value.expr->real,
						       type, NULL), NULL);
	expr = expr_cast(lifter->arena, type, value.expr);
	if (!type_is_integer(type) || !type_is_integer(from))
		return value_scalar(lifter, expr, NULL);
	return value_scalar(lifter, expr, convert_poly(lifter, value.poly, from, type));
}

/* A pointer that the region does not move is null or not for as long as it runs: a param, whose value the judge lets the
 * program compute. */
static struct value pointer_truth(struct lifter *lifter, struct value value, CXCursor where)
{
	struct base *const base = value.place.base;
	struct var *var = NULL;
	const char *source;
	int64_t zero;

	if (value.is_null)
		return value_scalar(lifter, expr_int(lifter->arena, 0, TYPE_I32), NULL);
	if (base->is_array)
		return value_scalar(lifter, expr_int(lifter->arena, 1, TYPE_I32), NULL);
	if (value.place.n != 1 || !poly_is_const(value.place.sub[0], &zero) || zero)
		lift_refuse(lifter, REFUSAL_POINTER, where, "'%s' tests a moving pointer", cursor_text(lifter, where));
	source = arena_printf(lifter->arena, "%s != 0", base->key);
	for (int i = 0; i < lifter->nest->n_var && !var; i++)
		if (lifter->nest->var[i]->source && strcmp(lifter->nest->var[i]->source, source) == 0)
			var = lifter->nest->var[i];
	if (!var) {
		var = nest_add_var(lifter->nest, VAR_PARAM, TYPE_I32, arena_printf(lifter->arena, "has_%s", base->var->name), 0,
				   NULL);
		var->source = source;
		var->is_read = true;
	}
	atom_of_var(lifter, var, true);
	return value_scalar(lifter, expr_scalar(lifter->arena, var), NULL);
}

static bool is_truth(const struct expr *expr)
{
	if (expr->kind == EXPR_INT)
		return expr->integer == 0 || expr->integer == 1;
	if (expr->kind == EXPR_CAST && type_is_integer(expr->type))
		return is_truth(expr->arg[0]);
	return expr->kind == EXPR_OP && ((expr->op >= OP_LT && expr->op <= OP_LOR) || expr->op == OP_NOT);
}

struct value value_truth(struct lifter *lifter, struct value value, CXCursor where)
{
	struct expr *zero;

	if (value.kind == VALUE_POINTER)
		return pointer_truth(lifter, value, where);
	if (is_truth(value.expr))
		return value;
	zero = type_is_integer(value.expr->type) ? expr_int(lifter->arena, 0, value.expr->type) :
						   expr_float(lifter->arena, 0.0, value.expr->type, NULL);
	if (value.poly && value.expr->kind == EXPR_CAST)
		return value_binary(lifter, OP_NE, value, value_scalar(lifter, zero, NULL), where);
	return value_scalar(lifter, expr_binary(lifter->arena, OP_NE, value.expr, zero), NULL);
}

static bool is_comparison(enum op op)
{
	return op >= OP_LT && op <= OP_NE;
}

/* A comparison of unsigned values as one of polynomials, where wrapping is excluded; NULL where it cannot be. */
static struct expr *compare_polys(struct lifter *lifter, enum op op, const struct value *left, const struct value *right)
{
	const int n_assumption = lifter->nest->n_assumption;
	struct poly *const side[2] = {left->poly, right->poly};
	enum type type;

	for (int i = 0; i < 2; i++) {
		for (int j = 0; j < side[i]->n_need; j++) {
			if (!range_assume(lifter, side[i]->need[j], lifter->around, lifter->n_around)) {
				lifter->nest->n_assumption = n_assumption;
				return NULL;
			}
		}
	}
	type = poly_type(lifter, side[0]) == TYPE_I64 || poly_type(lifter, side[1]) == TYPE_I64 ? TYPE_I64 : TYPE_I32;
	return expr_binary(lifter->arena, op, poly_expr(lifter, side[0], type), poly_expr(lifter, side[1], type));
}

/* a / b or a % b; a divisor that may be zero is only divided by where C would. */
static struct value divide(struct lifter *lifter, enum op op, struct value left, struct value right)
{
	struct expr *expr = expr_binary(lifter->arena, op, left.expr, right.expr);
	struct poly *quotient;
	int64_t constant;

	if (poly_is_const(right.poly, &constant) && constant > 0) {
		const struct term divisor = {.coef = constant};

		if (poly_divide(lifter, left.poly, &divisor, &quotient))
			return value_scalar(lifter, expr,
					    op == OP_DIV ? quotient : poly_const(lifter, 0));
	} else if (expr_source(lifter, expr)) {
		struct expr *const zero = expr_int(lifter->arena, 0, expr->type);

		if (lifter->n_around || lifter->branch || lifter->conditional)
			expr = expr_select(lifter->arena, expr_binary(lifter->arena, OP_NE, right.expr, zero), expr, zero);
	}
	return value_scalar(lifter, expr, NULL);
}

/* What a sum, difference or product in type "type" needs so as not to wrap. */
static struct poly *guard_wrap(struct lifter *lifter, struct poly *poly, enum op op, enum type type)
{
	struct poly *result = type_size(type) == 8 ? poly_wide(lifter, poly) : poly;

	if (type_is_signed(type))
		return result;
	if (op == OP_SUB)
		result = poly_need(lifter, result, type == TYPE_U64 ? soft(lifter, poly) : poly);
	if (type == TYPE_U32 && op != OP_SUB)
		result = poly_need(lifter, result, poly_add(lifter, poly_const(lifter, UINT32_MAX), poly, -1));
	return result;
}

static struct value integer_binary(struct lifter *lifter, enum op op, struct value left, struct value right)
{
	const enum type type = left.expr->type;
	struct poly *poly = NULL;
	int64_t shift;

	switch (op) {
	case OP_ADD:
	case OP_SUB:
		poly = poly_add(lifter, left.poly, right.poly, op == OP_ADD ? 1 : -1);
		break;
	case OP_MUL:
		poly = poly_mul(lifter, left.poly, right.poly);
		break;
	case OP_SHL:
		if (poly_is_const(right.poly, &shift) && shift >= 0 && shift < 31)
			poly = poly_mul(lifter, left.poly, poly_const(lifter, (int64_t)1 << shift));
		break;
	case OP_DIV:
	case OP_MOD:
		return divide(lifter, op, left, right);
	default:
		break;
	}
	if (poly)
		poly = guard_wrap(lifter, poly, op, type);
	return value_scalar(lifter, expr_binary(lifter->arena, op, left.expr, right.expr), poly);
}

struct value value_binary(struct lifter *lifter, enum op op, struct value left, struct value right, CXCursor where)
{
	enum type type;

	if (left.kind != VALUE_SCALAR || right.kind != VALUE_SCALAR)
		lift_refuse(lifter, REFUSAL_POINTER, where, "'%s' computes with pointers", cursor_text(lifter, where));
	if (op == OP_SHL || op == OP_SHR) {
		left = value_convert(lifter, left, type_promote(left.expr->type), where);
		right = value_convert(lifter, right, left.expr->type, where);
		return integer_binary(lifter, op, left, right);
	}
	type = type_common(left.expr->type, right.expr->type);
	left = value_convert(lifter, left, type, where);
	right = value_convert(lifter, right, type, where);
	if (is_comparison(op)) {
		struct expr *expr = NULL;
		struct value result;

		if (type_is_integer(type) && !type_is_signed(type))
			expr = compare_polys(lifter, op, &left, &right);
		result = value_scalar(lifter, expr ? expr : expr_binary(lifter->arena, op, left.expr, right.expr), NULL);
		known_compare(lifter, &result, op, &left, &right);
		return result;
	}
	if (type_is_integer(type))
		return integer_binary(lifter, op, left, right);
	return value_scalar(lifter, expr_binary(lifter->arena, op, left.expr, right.expr), NULL);
}

static enum op binary_op(enum CXBinaryOperatorKind kind)
{
	switch (kind) {
	case CXBinaryOperator_Mul:
	case CXBinaryOperator_MulAssign:
		return OP_MUL;
	case CXBinaryOperator_Div:
	case CXBinaryOperator_DivAssign:
		return OP_DIV;
	case CXBinaryOperator_Rem:
	case CXBinaryOperator_RemAssign:
		return OP_MOD;
	case CXBinaryOperator_Add:
	case CXBinaryOperator_AddAssign:
		return OP_ADD;
	case CXBinaryOperator_Sub:
	case CXBinaryOperator_SubAssign:
		return OP_SUB;
	case CXBinaryOperator_Shl:
	case CXBinaryOperator_ShlAssign:
		return OP_SHL;
	case CXBinaryOperator_Shr:
	case CXBinaryOperator_ShrAssign:
		return OP_SHR;
	case CXBinaryOperator_And:
	case CXBinaryOperator_AndAssign:
		return OP_AND;
	case CXBinaryOperator_Or:
	case CXBinaryOperator_OrAssign:
		return OP_OR;
	case CXBinaryOperator_Xor:
	case CXBinaryOperator_XorAssign:
		return OP_XOR;
	case CXBinaryOperator_LT:
		return OP_LT;
	case CXBinaryOperator_LE:
		return OP_LE;
	case CXBinaryOperator_GT:
		return OP_GT;
	case CXBinaryOperator_GE:
		return OP_GE;
	case CXBinaryOperator_EQ:
		return OP_EQ;
	case CXBinaryOperator_NE:
		return OP_NE;
	default:
		return OP_NONE;
	}
}

/* p == NULL, p != NULL */
static struct value compare_pointers(struct lifter *lifter, enum op op, struct value left, struct value right, CXCursor where)
{
	struct value truth;

	if ((op != OP_EQ && op != OP_NE) || left.kind != VALUE_POINTER || right.kind != VALUE_POINTER ||
	    (!left.is_null && !right.is_null))
		lift_refuse(lifter, REFUSAL_POINTER, where, "'%s' compares pointers", cursor_text(lifter, where));
	truth = value_truth(lifter, left.is_null ? right : left, where);
	if (op == OP_NE)
		return truth;
	return value_scalar(lifter, expr_unary(lifter->arena, OP_NOT, truth.expr), NULL);
}

static struct value lift_logical(struct lifter *lifter, enum op op, const CXCursor *child)
{
	const struct value left = value_truth(lifter, expr_lift(lifter, child[0]), child[0]);
	const int n_known = known_push(lifter, &left, op == OP_LAND);
	struct value right, result;

	lifter->conditional++;
	right = value_truth(lifter, expr_lift(lifter, child[1]), child[1]);
	lifter->conditional--;
	known_forget(lifter, n_known);
	result = value_scalar(lifter, expr_binary(lifter->arena, op, left.expr, right.expr), NULL);
	known_combine(&result, op, &left, &right);
	return result;
}

static struct value lift_binary(struct lifter *lifter, CXCursor cursor)
{
	const enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
	struct value left, right;
	CXCursor *child;
	int n;

	child = cursor_children(lifter->arena, cursor, &n);
	if (n != 2)
		lift_refuse(lifter, REFUSAL_EXPRESSION, cursor, "'%s'", cursor_text(lifter, cursor));
	if (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr)
		return lift_logical(lifter, kind == CXBinaryOperator_LAnd ? OP_LAND : OP_LOR, child);
	if (kind == CXBinaryOperator_Comma) {
		expr_lift_effects(lifter, child[0]);
		return expr_lift(lifter, child[1]);
	}
	if (kind == CXBinaryOperator_Assign)
		return assign_lift(lifter, cursor, true);
	if (binary_op(kind) == OP_NONE)
		lift_refuse(lifter, REFUSAL_EXPRESSION, cursor, "'%s'", cursor_text(lifter, cursor));
	left = expr_lift(lifter, child[0]);
	right = expr_lift(lifter, child[1]);
	if (left.kind == VALUE_POINTER && right.kind == VALUE_POINTER)
		return compare_pointers(lifter, binary_op(kind), left, right, cursor);
	return value_binary(lifter, binary_op(kind), left, right, cursor);
}

/* ++ and --: the value before or after, and the assignment. */
static struct value lift_step(struct lifter *lifter, CXCursor cursor, CXCursor operand, enum CXUnaryOperatorKind kind)
{
	const bool is_post = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec;
	struct value before, after;
	CXCursor decl;

	if (lifter->conditional)
		lift_refuse(lifter, REFUSAL_SIDE_EFFECT, cursor, "'%s'", cursor_text(lifter, cursor));
	if (!cursor_variable(lifter->arena, operand, &decl) || !symbol_get(lifter, decl)->is_tracked) {
		struct list *const out = lifter->out;

		if (!is_post)
			return assign_lift(lifter, cursor, true);
		before = expr_lift(lifter, operand);
		lifter->out = &lifter->after;
		assign_lift(lifter, cursor, false);
		lifter->out = out;
		return before;
	}
	before = symbol_read(lifter, symbol_get(lifter, decl), cursor);
	after = assign_lift(lifter, cursor, true);
	return is_post ? before : after;
}

static struct value negate(struct lifter *lifter, struct value value, CXCursor where)
{
	const enum type type = type_promote(value.expr->type);

	if (value.expr->kind == EXPR_FLOAT)
		return value_scalar(lifter, expr_float(lifter->arena, -value.expr->real, type, NULL), NULL);
	value = value_convert(lifter, value, type, where);
	return value_scalar(lifter, expr_unary(lifter->arena, OP_NEG, value.expr),
			    type_is_integer(type) && type_is_signed(type) ?
				    poly_add(lifter, poly_const(lifter, 0), value.poly, -1) : NULL);
}

static struct value lift_unary(struct lifter *lifter, CXCursor cursor)
{
	const enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);
	struct value value, negated;
	CXCursor *child;
	int n;

	child = cursor_children(lifter->arena, cursor, &n);
	if (n != 1)
		lift_refuse(lifter, REFUSAL_EXPRESSION, cursor, "'%s'", cursor_text(lifter, cursor));
	switch (kind) {
	case CXUnaryOperator_PostInc:
	case CXUnaryOperator_PostDec:
	case CXUnaryOperator_PreInc:
	case CXUnaryOperator_PreDec:
		return lift_step(lifter, cursor, child[0], kind);
	case CXUnaryOperator_Extension:
	case CXUnaryOperator_Plus:
		value = expr_lift(lifter, child[0]);
		return kind == CXUnaryOperator_Plus ?
			       value_convert(lifter, value, type_promote(value.expr->type), cursor) : value;
	case CXUnaryOperator_Minus:
		return negate(lifter, expr_lift(lifter, child[0]), cursor);
	case CXUnaryOperator_Not:
		value = expr_lift(lifter, child[0]);
		value = value_convert(lifter, value, type_promote(expr_type(lifter, child[0])), cursor);
		return value_scalar(lifter, expr_unary(lifter->arena, OP_BITNOT, value.expr), NULL);
	case CXUnaryOperator_LNot:
		value = value_truth(lifter, expr_lift(lifter, child[0]), child[0]);
		negated = value_scalar(lifter, expr_unary(lifter->arena, OP_NOT, value.expr), NULL);
		known_negate(&negated, &value);
		return negated;
	default:
		lift_refuse(lifter, REFUSAL_EXPRESSION, cursor, "'%s'", cursor_text(lifter, cursor));
	}
}

static struct value lift_conditional(struct lifter *lifter, CXCursor cursor)
{
	const enum type type = expr_type(lifter, cursor);
	struct value cond, yes, no;
	CXCursor *child;
	int n, n_known;

	child = cursor_children(lifter->arena, cursor, &n);
	if (n != 3)
		lift_refuse(lifter, REFUSAL_EXPRESSION, cursor, "'%s'", cursor_text(lifter, cursor));
	cond = value_truth(lifter, expr_lift(lifter, child[0]), child[0]);
	if (cond.expr->kind == EXPR_INT)
		return value_convert(lifter, expr_lift(lifter, child[cond.expr->integer ? 1 : 2]), type, cursor);
	lifter->conditional++;
	n_known = known_push(lifter, &cond, true);
	yes = value_convert(lifter, expr_lift(lifter, child[1]), type, cursor);
	known_forget(lifter, n_known);
	known_push(lifter, &cond, false);
	no = value_convert(lifter, expr_lift(lifter, child[2]), type, cursor);
	known_forget(lifter, n_known);
	lifter->conditional--;
	return value_scalar(lifter, expr_select(lifter->arena, cond.expr, yes.expr, no.expr), NULL);
}

/* The literal as it is spelled, if it does not come from a macro. */
static const char *literal_spelling(struct lifter *lifter, CXCursor cursor)
{
	const char *const text = cursor_text(lifter, cursor);

	return *text >= '0' && *text <= '9' ? text : *text == '.' ? text : NULL;
}

static struct value lift_floating(struct lifter *lifter, CXCursor cursor)
{
	const enum type type = expr_type(lifter, cursor);
	const CXEvalResult result = clang_Cursor_Evaluate(cursor);
	double value;

	if (!result || clang_EvalResult_getKind(result) != CXEval_Float) {
		if (result)
			clang_EvalResult_dispose(result);
		lift_refuse(lifter, REFUSAL_EXPRESSION, cursor, "'%s'", cursor_text(lifter, cursor));
	}
	value = clang_EvalResult_getAsDouble(result);
	clang_EvalResult_dispose(result);
	return value_scalar(lifter, expr_float(lifter->arena, value, type, literal_spelling(lifter, cursor)), NULL);
}

static struct value lift_constant(struct lifter *lifter, CXCursor cursor)
{
	const enum type type = expr_type(lifter, cursor);
	int64_t value;

	if (!cursor_constant(cursor, &value))
		lift_refuse(lifter, REFUSAL_EXPRESSION, cursor, "'%s'", cursor_text(lifter, cursor));
	return value_scalar(lifter, expr_int(lifter->arena, value, type), NULL);
}

/* NULL in its spellings: 0 or (void *)0 converted to a pointer. */
static bool is_null(struct lifter *lifter, CXCursor cursor)
{
	CXCursor inner = cursor_peel(lifter->arena, cursor, true);
	int64_t value;

	while (clang_getCursorKind(inner) == CXCursor_CStyleCastExpr) {
		int n;
		CXCursor *const child = cursor_children(lifter->arena, inner, &n);

		if (!n)
			return false;
		inner = cursor_peel(lifter->arena, child[n - 1], true);
	}
	return clang_getCursorKind(inner) == CXCursor_IntegerLiteral && cursor_constant(inner, &value) && value == 0;
}

/* An explicit or implicit conversion of the last child. */
static struct value lift_cast(struct lifter *lifter, CXCursor cursor)
{
	const CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
	struct value value;
	CXCursor *child;
	int n;

	child = cursor_children(lifter->arena, cursor, &n);
	if (n == 0)
		return lift_constant(lifter, cursor);
	if (type.kind == CXType_Void) {
		expr_lift(lifter, child[n - 1]);
		return (struct value){.kind = VALUE_VOID};
	}
	if (type_is_pointer(type) || type_is_array(type))
		return pointer_lift(lifter, cursor);
	value = expr_lift(lifter, child[n - 1]);
	if (type.kind == CXType_Bool)
		value = value_truth(lifter, value, cursor);
	return value_convert(lifter, value, expr_type(lifter, cursor), cursor);
}

/* The value in the element or field that an lvalue denotes. */
static struct value lift_load(struct lifter *lifter, CXCursor cursor)
{
	const struct place place = place_lift(lifter, cursor);

	return value_scalar(lifter, place_access(lifter, place, false, cursor), NULL);
}

static struct value lift_member(struct lifter *lifter, CXCursor cursor)
{
	const char *path;
	const CXType type = clang_getCursorType(cursor);

	if (clang_Cursor_isBitField(clang_getCursorReferenced(cursor)))
		lift_refuse(lifter, REFUSAL_TYPE, cursor, "'%s' is a bit-field", cursor_text(lifter, cursor));
	if (!path_lift(lifter, cursor, &path))
		lift_refuse(lifter, REFUSAL_STRUCT, cursor, "'%s' is a field of a structure that changes in the loop",
			    cursor_text(lifter, cursor));
	return symbol_read(lifter, symbol_path(lifter, path, type, cursor), cursor);
}

static struct value lift_name(struct lifter *lifter, CXCursor cursor)
{
	const CXCursor decl = clang_getCursorReferenced(cursor);
	const enum CXCursorKind kind = clang_getCursorKind(decl);

	if (kind == CXCursor_EnumConstantDecl)
		return value_scalar(lifter, expr_int(lifter->arena, clang_getEnumConstantDeclValue(decl),
						     expr_type(lifter, cursor)), NULL);
	if (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl)
		lift_refuse(lifter, REFUSAL_EXPRESSION, cursor, "'%s'", cursor_text(lifter, cursor));
	return symbol_read(lifter, symbol_get(lifter, decl), cursor);
}

struct value expr_lift(struct lifter *lifter, CXCursor cursor)
{
	const CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
	CXCursor *child;
	int n;

	if (clang_isVolatileQualifiedType(type))
		lift_refuse(lifter, REFUSAL_VOLATILE, cursor, "'%s' is volatile", cursor_text(lifter, cursor));
	if (type_is_pointer(type) && is_null(lifter, cursor))
		return (struct value){.kind = VALUE_POINTER, .is_null = true};
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_ParenExpr:
		child = cursor_children(lifter->arena, cursor, &n);
		return expr_lift(lifter, child[0]);
	case CXCursor_UnexposedExpr:
	case CXCursor_CStyleCastExpr:
		return lift_cast(lifter, cursor);
	case CXCursor_CallExpr:
		return call_lift(lifter, cursor);
	case CXCursor_CompoundAssignOperator:
		return assign_lift(lifter, cursor, true);
	default:
		break;
	}
	if ((type_is_pointer(type) || type_is_array(type)) && !is_assignment(cursor))
		return pointer_lift(lifter, cursor);
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_IntegerLiteral:
	case CXCursor_CharacterLiteral:
	case CXCursor_UnaryExpr:
		return lift_constant(lifter, cursor);
	case CXCursor_FloatingLiteral:
		return lift_floating(lifter, cursor);
	case CXCursor_DeclRefExpr:
		return lift_name(lifter, cursor);
	case CXCursor_MemberRefExpr:
		return lift_member(lifter, cursor);
	case CXCursor_ArraySubscriptExpr:
		return lift_load(lifter, cursor);
	case CXCursor_BinaryOperator:
		return lift_binary(lifter, cursor);
	case CXCursor_ConditionalOperator:
		return lift_conditional(lifter, cursor);
	case CXCursor_UnaryOperator:
		if (clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_Deref)
			return lift_load(lifter, cursor);
		return lift_unary(lifter, cursor);
	default:
		lift_refuse(lifter, REFUSAL_EXPRESSION, cursor, "'%s'", cursor_text(lifter, cursor));
	}
}

struct poly *expr_lift_index(struct lifter *lifter, CXCursor cursor)
{
	const struct value value = expr_lift(lifter, cursor);

	if (value.kind != VALUE_SCALAR || !value.poly)
		lift_refuse(lifter, REFUSAL_EXPRESSION, cursor, "'%s' is no integer", cursor_text(lifter, cursor));
	return value.poly;
}
