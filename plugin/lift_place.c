#include "lift_internal.h"

#include <string.h>

static CXType element_type(CXType type, int *n_dim, CXType *dim)
{
	*n_dim = 0;
	for (;;) {
		const CXType canonical = clang_getCanonicalType(type);

		if (!type_is_array(canonical) || *n_dim == LIFT_RANK)
			return type;
		dim[(*n_dim)++] = canonical;
		type = type_is_array(type) && type.kind != CXType_Elaborated && type.kind != CXType_Typedef ?
			       clang_getArrayElementType(type) : clang_getArrayElementType(canonical);
	}
}

/* The sizes in brackets of a declaration that has variable ones: libclang gives them innermost first. */
static struct poly *variable_dim(struct lifter *lifter, struct symbol *symbol, int from_inside, CXCursor where)
{
	struct poly *size;
	CXCursor *child;
	int n, seen = 0;

	if (symbol->is_path)
		lift_refuse(lifter, REFUSAL_TYPE, where, "'%s' has variable dimensions", symbol->path);
	child = cursor_children(lifter->arena, symbol->decl, &n);
	for (int i = 0; i < n; i++) {
		if (!clang_isExpression(clang_getCursorKind(child[i])))
			continue;
		if (seen++ == from_inside) {
			size = expr_lift_index(lifter, child[i]);
			if (!poly_is_param(lifter, size))
				lift_refuse(lifter, REFUSAL_TYPE, where, "a dimension of '%s' changes", symbol->path);
			return size;
		}
	}
	lift_refuse(lifter, REFUSAL_TYPE, where, "the dimensions of '%s' are not known", symbol->path);
}

static void base_dims(struct lifter *lifter, struct base *base, struct symbol *symbol, int n, const CXType *dim, CXCursor where)
{
	for (int i = 0; i < n; i++) {
		const int64_t size = clang_getArraySize(dim[i]);

		base->dim[i] = size >= 0 ? poly_const(lifter, size) : variable_dim(lifter, symbol, n - 1 - i, where);
	}
	base->n_dim = n;
}

static const char *base_name(struct lifter *lifter, const char *path)
{
	char *const name = ARENA_ARRAY(lifter->arena, char, strlen(path) + 2);
	size_t n = 0;

	for (; *path; path++) {
		const bool is_word = strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *path);

		if (is_word)
			name[n++] = *path;
		else if (n && name[n - 1] != '_')
			name[n++] = '_';
	}
	while (n > 1 && name[n - 1] == '_')
		n--;
	name[n] = '\0';
	return name;
}

static void refuse_element(struct lifter *lifter, CXType type, const char *path, CXCursor where)
{
	const CXType canonical = clang_getCanonicalType(type);
	const enum CXCursorKind kind = clang_getCursorKind(clang_getTypeDeclaration(canonical));

	if (clang_isVolatileQualifiedType(canonical))
		lift_refuse(lifter, REFUSAL_VOLATILE, where, "'%s' points to volatile memory", path);
	if (kind == CXCursor_UnionDecl)
		lift_refuse(lifter, REFUSAL_UNION, where, "'%s' holds unions", path);
	if (kind == CXCursor_StructDecl)
		lift_refuse(lifter, REFUSAL_STRUCT, where, "'%s' holds structures", path);
	if (canonical.kind == CXType_Pointer)
		lift_refuse(lifter, REFUSAL_POINTER, where, "'%s' holds pointers", path);
	lift_refuse(lifter, REFUSAL_TYPE, where, "'%s' holds elements of type %s", path,
		    parsed_string(lifter->arena, clang_getTypeSpelling(type)));
}

/* Whether "type" is a pointer to numbers. */
static bool points_to_scalar(CXType type)
{
	const CXType canonical = clang_getCanonicalType(type);
	enum type element;

	return canonical.kind == CXType_Pointer && type_of(clang_getPointeeType(canonical), &element);
}

struct base *base_of_symbol(struct lifter *lifter, struct symbol *symbol, CXCursor where)
{
	CXType type = symbol->type, dim[LIFT_RANK];
	const bool is_array = type_is_array(type) && clang_getCursorKind(symbol->decl) != CXCursor_ParmDecl;
	struct base *base = symbol->base;
	enum type element = TYPE_I32;
	int n_dim, first = 0;
	bool is_rows;

	if (base)
		return base;
	if (lifter->n_base == (int)(sizeof(lifter->base) / sizeof(lifter->base[0])))
		lift_refuse(lifter, REFUSAL_TOO_LARGE, where, "too many arrays");
	if (!type_is_array(type))
		type = clang_getPointeeType(type.kind == CXType_Pointer ? type : clang_getCanonicalType(type));
	else
		first = 1;
	type = element_type(type, &n_dim, dim);
	is_rows = n_dim == 0 && !is_array && points_to_scalar(type);
	if (is_rows && !clang_isVolatileQualifiedType(clang_getCanonicalType(type)))
		type = clang_getPointeeType(clang_getCanonicalType(type));
	if (clang_isVolatileQualifiedType(clang_getCanonicalType(type)) || !type_of(type, &element))
		refuse_element(lifter, type, symbol->path, where);
	base = ARENA_NEW(lifter->arena, struct base);
	base->key = symbol->path;
	base->element = type;
	base->is_array = is_array;
	base->is_rows = is_rows;
	base->var = nest_add_var(lifter->nest, symbol->is_outside ? VAR_ARRAY : VAR_LOCAL, element,
				 base_name(lifter, symbol->path), 1, NULL);
	base->var->source = symbol->is_outside ? symbol->path : NULL;
	base->var->ctype = type_spelling(lifter->arena, type);
	base->var->is_object = symbol->is_outside && is_array;
	base->var->is_const = clang_isConstQualifiedType(clang_getCanonicalType(type));
	base_dims(lifter, base, symbol, n_dim - first, dim + first, where);
	base->n_dim += is_rows;
	if (first && is_array)
		base->size = clang_getArraySize(dim[0]) >= 0 ? poly_const(lifter, clang_getArraySize(dim[0])) :
			     dim[0].kind == CXType_VariableArray ? variable_dim(lifter, symbol, n_dim - 1, where) : NULL;
	symbol->base = base;
	lifter->base[lifter->n_base++] = base;
	return base;
}

static const char *index_path(struct lifter *lifter, CXCursor cursor)
{
	const struct value value = expr_lift(lifter, cursor);
	const char *source = NULL;

	if (value.kind == VALUE_SCALAR && value.poly && poly_is_param(lifter, value.poly))
		source = expr_source(lifter, poly_expr(lifter, value.poly, poly_type(lifter, value.poly)));
	return source;
}

/* The path of a field; "(&x)->f" is "x.f", "(*x).f" is "x->f". */
static const char *member_path(struct lifter *lifter, const char *record, bool is_pointer, const char *field)
{
	const int n = (int)strlen(record);

	if (n > 3 && strncmp(record, is_pointer ? "(&" : "(*", 2) == 0 && record[n - 1] == ')')
		return arena_printf(lifter->arena, "%.*s%s%s", n - 3, record + 2, is_pointer ? "." : "->", field);
	return arena_printf(lifter->arena, "%s%s%s", record, is_pointer ? "->" : ".", field);
}

static bool is_union_member(CXCursor cursor)
{
	return clang_getCursorKind(clang_getCursorSemanticParent(clang_getCursorReferenced(cursor))) == CXCursor_UnionDecl;
}

/* The path of "*operand" or "&operand". */
static bool path_of_operator(struct lifter *lifter, CXCursor cursor, CXCursor operand, const char **path)
{
	const enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);
	const char *inner;

	if ((kind != CXUnaryOperator_Deref && kind != CXUnaryOperator_AddrOf) || !path_lift(lifter, operand, &inner))
		return false;
	if (kind == CXUnaryOperator_AddrOf)
		*path = arena_printf(lifter->arena, "(&%s)", inner);
	else if (strncmp(inner, "(&", 2) == 0)
		*path = arena_printf(lifter->arena, "%.*s", (int)strlen(inner) - 3, inner + 2);
	else
		*path = arena_printf(lifter->arena, "(*%s)", inner);
	return kind == CXUnaryOperator_Deref || type_points_to_record(clang_getCursorType(cursor));
}

bool path_lift(struct lifter *lifter, CXCursor cursor, const char **path)
{
	const char *inner, *index;
	struct symbol *symbol;
	CXCursor *child, decl;
	int n;

	cursor = cursor_peel(lifter->arena, cursor, true);
	child = cursor_children(lifter->arena, cursor, &n);
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_DeclRefExpr:
		decl = clang_getCursorReferenced(cursor);
		if (clang_getCursorKind(decl) != CXCursor_VarDecl && clang_getCursorKind(decl) != CXCursor_ParmDecl)
			return false;
		symbol = symbol_get(lifter, decl);
		*path = symbol->alias ? symbol->alias : symbol->path;
		return (symbol->is_outside || symbol->alias) && !symbol->is_assigned;
	case CXCursor_MemberRefExpr:
		if (n < 1 || !path_lift(lifter, child[0], &inner))
			return false;
		if (is_union_member(cursor))
			lift_refuse(lifter, REFUSAL_UNION, cursor, "'%s'", cursor_text(lifter, cursor));
		*path = member_path(lifter, inner, type_is_pointer(clang_getCursorType(child[0])), cursor_name(lifter->arena, cursor));
		return true;
	case CXCursor_ArraySubscriptExpr:
		if (n != 2 || !path_lift(lifter, child[0], &inner))
			return false;
		index = index_path(lifter, child[1]);
		*path = arena_printf(lifter->arena, "%s[%s]", inner, index ? index : "");
		return index != NULL;
	case CXCursor_UnaryOperator:
		return n == 1 && path_of_operator(lifter, cursor, child[0], path);
	default:
		return false;
	}
}

static struct value pointer_to(struct lifter *lifter, struct base *base, CXCursor cursor)
{
	struct value value = {.kind = VALUE_POINTER, .place = {.base = base, .n = 1}};
	const CXType type = clang_getCanonicalType(clang_getCursorType(cursor));

	value.place.sub[0] = poly_const(lifter, 0);
	value.pointee = type_is_array(type) ? clang_getArrayElementType(type) : clang_getPointeeType(type);
	return value;
}

/* The pointer to a row that a table of such holds at "cursor". */
static bool row_lift(struct lifter *lifter, CXCursor cursor, struct value *row)
{
	if (!points_to_scalar(clang_getCursorType(cursor)))
		return false;
	row->kind = VALUE_POINTER;
	row->place = place_lift(lifter, cursor);
	if (!row->place.base->is_rows || row->place.n != 1)
		return false;
	row->place.sub[row->place.n++] = poly_const(lifter, 0);
	row->pointee = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(cursor)));
	return true;
}

/* A name or field that holds or is memory. */
static struct value named_pointer(struct lifter *lifter, CXCursor cursor)
{
	CXCursor decl;
	const char *path;
	struct value row = {0};

	if (cursor_variable(lifter->arena, cursor, &decl)) {
		struct symbol *const symbol = symbol_get(lifter, decl);

		if (symbol->is_tracked)
			return symbol_read(lifter, symbol, cursor);
		return pointer_to(lifter, base_of_symbol(lifter, symbol, cursor), cursor);
	}
	if (!path_lift(lifter, cursor, &path)) {
		if (clang_getCursorKind(cursor) != CXCursor_MemberRefExpr && row_lift(lifter, cursor, &row))
			return row;
		lift_refuse(lifter, REFUSAL_POINTER, cursor, "the pointer '%s' is loaded in the loop", cursor_text(lifter, cursor));
	}
	return pointer_to(lifter, base_of_symbol(lifter, symbol_path(lifter, path, clang_getCursorType(cursor), cursor), cursor),
			  cursor);
}

static struct value pointer_add(struct lifter *lifter, struct value pointer, const struct poly *by, int64_t scale)
{
	struct place *const place = &pointer.place;

	place->sub[place->n - 1] = poly_add(lifter, place->sub[place->n - 1], poly_wide(lifter, by), scale);
	place->moved = place->moved || place->n > 1;
	return pointer;
}

static struct value pointer_arithmetic(struct lifter *lifter, CXCursor cursor, const CXCursor *child)
{
	const enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
	const bool left = type_is_pointer(clang_getCursorType(child[0])) || type_is_array(clang_getCursorType(child[0]));
	struct value pointer;

	if (kind != CXBinaryOperator_Add && kind != CXBinaryOperator_Sub)
		lift_refuse(lifter, REFUSAL_POINTER, cursor, "'%s'", cursor_text(lifter, cursor));
	pointer = expr_lift(lifter, child[left ? 0 : 1]);
	if (pointer.kind != VALUE_POINTER || pointer.is_null)
		lift_refuse(lifter, REFUSAL_POINTER, cursor, "'%s'", cursor_text(lifter, cursor));
	return pointer_add(lifter, pointer, expr_lift_index(lifter, child[left ? 1 : 0]), kind == CXBinaryOperator_Add ? 1 : -1);
}

/* An array decays to a pointer to its first element, which for a row is one subscript more. */
static struct value decay(struct lifter *lifter, struct place place, CXType array)
{
	struct value value = {.kind = VALUE_POINTER, .place = place};

	value.place.moved = false;
	value.place.sub[value.place.n++] = poly_const(lifter, 0);
	value.pointee = clang_getArrayElementType(clang_getCanonicalType(array));
	return value;
}

static bool type_is_untyped(CXType type)
{
	return type_is_pointer(type) && clang_getCanonicalType(clang_getPointeeType(clang_getCanonicalType(type))).kind == CXType_Void;
}

/* A void pointer that the region does not move, seen as memory of one type. */
static struct value typed_pointer(struct lifter *lifter, CXCursor cursor, CXCursor inner)
{
	const CXType to = clang_getCursorType(cursor);
	struct symbol *symbol;
	const char *path;
	enum type element;

	if (!path_lift(lifter, inner, &path))
		lift_refuse(lifter, REFUSAL_POINTER, cursor, "'%s' is no fixed pointer", cursor_text(lifter, inner));
	symbol = symbol_path(lifter, path, to, cursor);
	if (type_is_untyped(to) || !type_of(clang_getPointeeType(clang_getCanonicalType(to)), &element) ||
	    (symbol->base && symbol->base->var->type != element))
		lift_refuse(lifter, REFUSAL_REINTERPRET, cursor, "'%s' reinterprets memory", cursor_text(lifter, cursor));
	return pointer_to(lifter, base_of_symbol(lifter, symbol, cursor), cursor);
}

/* Casts may drop const and change the sign of the element, but not look at memory as another type. */
static struct value cast_pointer(struct lifter *lifter, CXCursor cursor, CXCursor inner)
{
	const CXType to = clang_getCanonicalType(clang_getCursorType(cursor));
	const CXType inner_type = clang_getCanonicalType(clang_getCursorType(inner));
	struct value value;
	enum type from_element, to_element;

	if (!type_is_pointer(inner_type) && !type_is_array(inner_type))
		lift_refuse(lifter, REFUSAL_POINTER, cursor, "'%s' makes a pointer of a number", cursor_text(lifter, cursor));
	if (type_is_untyped(inner_type))
		return typed_pointer(lifter, cursor, inner);
	value = expr_lift(lifter, inner);
	if (type_is_array(to) || value.is_null || value.kind != VALUE_POINTER)
		return value;
	if (value.place.base->is_rows && value.place.n == 1) {
		if (!points_to_scalar(clang_getPointeeType(to)) ||
		    !type_of(clang_getPointeeType(clang_getCanonicalType(clang_getPointeeType(to))), &to_element) ||
		    to_element != value.place.base->var->type)
			lift_refuse(lifter, REFUSAL_REINTERPRET, cursor, "'%s' reinterprets memory", cursor_text(lifter, cursor));
	} else if (type_of(clang_getPointeeType(to), &to_element)) {
		if (!type_of(value.pointee, &from_element) || from_element != to_element)
			lift_refuse(lifter, REFUSAL_REINTERPRET, cursor, "'%s' reinterprets memory", cursor_text(lifter, cursor));
	} else if (clang_getPointeeType(to).kind == CXType_Void || clang_getPointeeType(to).kind == CXType_Record) {
		lift_refuse(lifter, REFUSAL_REINTERPRET, cursor, "'%s' reinterprets memory", cursor_text(lifter, cursor));
	}
	value.pointee = clang_getPointeeType(to);
	return value;
}

static struct value address_of(struct lifter *lifter, CXCursor cursor, CXCursor operand)
{
	struct value value = {.kind = VALUE_POINTER};

	operand = cursor_peel(lifter->arena, operand, false);
	if (clang_getCursorKind(operand) != CXCursor_ArraySubscriptExpr &&
	    !(clang_getCursorKind(operand) == CXCursor_UnaryOperator &&
	      clang_getCursorUnaryOperatorKind(operand) == CXUnaryOperator_Deref))
		lift_refuse(lifter, REFUSAL_ADDRESS, cursor, "'%s'", cursor_text(lifter, cursor));
	value.place = place_lift(lifter, operand);
	value.pointee = clang_getCanonicalType(clang_getCursorType(operand));
	return value;
}

struct value pointer_lift(struct lifter *lifter, CXCursor cursor)
{
	const CXType type = clang_getCursorType(cursor);
	CXCursor *child;
	int n;

	child = cursor_children(lifter->arena, cursor, &n);
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_ParenExpr:
	case CXCursor_UnexposedExpr:
	case CXCursor_CStyleCastExpr:
		if (n)
			return cast_pointer(lifter, cursor, child[n - 1]);
		break;
	case CXCursor_DeclRefExpr:
	case CXCursor_MemberRefExpr:
		return named_pointer(lifter, cursor);
	case CXCursor_ArraySubscriptExpr:
		if (type_is_array(type))
			return decay(lifter, place_lift(lifter, cursor), type);
		return named_pointer(lifter, cursor);
	case CXCursor_BinaryOperator:
		return pointer_arithmetic(lifter, cursor, child);
	case CXCursor_UnaryOperator:
		if (clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_AddrOf)
			return address_of(lifter, cursor, child[0]);
		if (type_is_array(type))
			return decay(lifter, place_lift(lifter, cursor), type);
		return named_pointer(lifter, cursor);
	default:
		break;
	}
	lift_refuse(lifter, REFUSAL_POINTER, cursor, "'%s'", cursor_text(lifter, cursor));
}

struct place place_lift(struct lifter *lifter, CXCursor cursor)
{
	struct value pointer;
	CXCursor *child;
	int n;

	cursor = cursor_peel(lifter->arena, cursor, false);
	child = cursor_children(lifter->arena, cursor, &n);
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_ArraySubscriptExpr: {
		const bool left = n == 2 && !type_is_pointer(clang_getCursorType(child[1])) &&
				  !type_is_array(clang_getCursorType(child[1]));
		struct poly *sub;

		pointer = expr_lift(lifter, child[left ? 0 : 1]);
		if (pointer.kind != VALUE_POINTER || pointer.is_null)
			break;
		sub = expr_lift_index(lifter, child[left ? 1 : 0]);
		pointer.place.sub[pointer.place.n - 1] = poly_add(lifter, pointer.place.sub[pointer.place.n - 1], sub, 1);
		return pointer.place;
	}
	case CXCursor_UnaryOperator:
		if (clang_getCursorUnaryOperatorKind(cursor) != CXUnaryOperator_Deref)
			break;
		pointer = expr_lift(lifter, child[0]);
		if (pointer.kind != VALUE_POINTER || pointer.is_null)
			break;
		return pointer.place;
	case CXCursor_MemberRefExpr:
		if (is_union_member(cursor))
			lift_refuse(lifter, REFUSAL_UNION, cursor, "'%s'", cursor_text(lifter, cursor));
		lift_refuse(lifter, REFUSAL_STRUCT, cursor, "'%s' is a field that the loop writes", cursor_text(lifter, cursor));
	default:
		break;
	}
	lift_refuse(lifter, REFUSAL_EXPRESSION, cursor, "'%s'", cursor_text(lifter, cursor));
}

/* Drop from "poly" what 64-bit addresses do not need, and settle the rest. */
static struct poly *settle_subscript(struct lifter *lifter, const struct poly *poly, CXCursor where)
{
	struct poly *const result = poly_add(lifter, poly, poly_const(lifter, 0), 1);

	result->n_need = 0;
	for (int i = 0; i < poly->n_need; i++)
		if (!poly->need[i]->is_wide)
			result->need[result->n_need++] = poly->need[i];
	return range_settle(lifter, result, where);
}

struct expr *place_access(struct lifter *lifter, struct place place, bool is_write, CXCursor where)
{
	struct access *access;
	struct expr *number;

	if (place.n != place.base->n_dim + 1)
		lift_refuse(lifter, REFUSAL_EXPRESSION, where, "'%s' is not one element", cursor_text(lifter, where));
	for (int i = 0; i < place.n; i++)
		place.sub[i] = settle_subscript(lifter, place.sub[i], where);
	lifter->access = lift_grow(lifter, lifter->access, lifter->n_access, &lifter->max_access, sizeof(*access));
	access = &lifter->access[lifter->n_access];
	number = expr_int(lifter->arena, lifter->n_access++, TYPE_I32);
	*access = (struct access){
		.ref = expr_ref(lifter->arena, place.base->var, 1, &number),
		.place = place,
		.n_around = lifter->n_around,
		.around = ARENA_ARRAY(lifter->arena, struct around, lifter->n_around + 1),
		.is_write = is_write,
		.where = where,
	};
	access->known = ARENA_ARRAY(lifter->arena, struct poly *, lifter->n_known + 1);
	memcpy(access->known, lifter->known, sizeof(struct poly *) * (size_t)lifter->n_known);
	access->n_known = lifter->n_known;
	memcpy(access->around, lifter->around, sizeof(struct around) * (size_t)lifter->n_around);
	return access->ref;
}
