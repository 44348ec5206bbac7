#include "lift_internal.h"

#include <string.h>

static enum type integer_of(CXType type, bool is_signed)
{
	switch (clang_Type_getSizeOf(type)) {
	case 1:
		return is_signed ? TYPE_I8 : TYPE_U8;
	case 2:
		return is_signed ? TYPE_I16 : TYPE_U16;
	case 4:
		return is_signed ? TYPE_I32 : TYPE_U32;
	default:
		return is_signed ? TYPE_I64 : TYPE_U64;
	}
}

bool type_of(CXType type, enum type *result)
{
	type = clang_getCanonicalType(type);
	switch (type.kind) {
	case CXType_Enum:
		return type_of(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type)), result);
	case CXType_Bool:
	case CXType_Char_U:
	case CXType_UChar:
	case CXType_UShort:
	case CXType_UInt:
	case CXType_ULong:
	case CXType_ULongLong:
		*result = integer_of(type, false);
		return true;
	case CXType_Char_S:
	case CXType_SChar:
	case CXType_Short:
	case CXType_Int:
	case CXType_Long:
	case CXType_LongLong:
		*result = integer_of(type, true);
		return true;
	case CXType_Float:
		*result = TYPE_F32;
		return true;
	case CXType_Double:
		*result = TYPE_F64;
		return true;
	default:
		return false;
	}
}

bool type_is_pointer(CXType type)
{
	return clang_getCanonicalType(type).kind == CXType_Pointer;
}

bool type_is_array(CXType type)
{
	const enum CXTypeKind kind = clang_getCanonicalType(type).kind;

	return kind == CXType_ConstantArray || kind == CXType_VariableArray || kind == CXType_IncompleteArray;
}

bool type_is_record(CXType type)
{
	return clang_getCanonicalType(type).kind == CXType_Record;
}

bool type_points_to_record(CXType type)
{
	return type_is_pointer(type) && type_is_record(clang_getPointeeType(clang_getCanonicalType(type)));
}

static bool is_identifier(const char *name)
{
	return strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(name);
}

const char *type_spelling(struct arena *arena, CXType type)
{
	const CXType plain = clang_getUnqualifiedType(type);
	const char *const name = parsed_string(arena, clang_getTypeSpelling(plain));
	const CXCursor decl = clang_getTypeDeclaration(plain);

	if (is_identifier(name) && clang_getCursorKind(decl) == CXCursor_TypedefDecl &&
	    clang_getCursorKind(clang_getCursorSemanticParent(decl)) == CXCursor_TranslationUnit)
		return name;
	return parsed_string(arena, clang_getTypeSpelling(clang_getUnqualifiedType(clang_getCanonicalType(type))));
}

enum type type_promote(enum type type)
{
	return type_is_integer(type) && type_size(type) < 4 ? TYPE_I32 : type;
}

enum type type_common(enum type a, enum type b)
{
	a = type_promote(a);
	b = type_promote(b);
	if (a == TYPE_F64 || b == TYPE_F64)
		return TYPE_F64;
	if (a == TYPE_F32 || b == TYPE_F32)
		return TYPE_F32;
	if (type_size(a) != type_size(b))
		return type_size(a) > type_size(b) ? a : b;
	return type_is_signed(a) ? b : a;
}
