#include "type.h"

#include <string.h>

static const struct {
	const char *name, *c_name;
	int size;
	bool is_float, is_signed;
} types[TYPE_COUNT] = {
	[TYPE_I8] = { "i8", "signed char", 1, false, true },
	[TYPE_U8] = { "u8", "unsigned char", 1, false, false },
	[TYPE_I16] = { "i16", "short", 2, false, true },
	[TYPE_U16] = { "u16", "unsigned short", 2, false, false },
	[TYPE_I32] = { "i32", "int", 4, false, true },
	[TYPE_U32] = { "u32", "unsigned int", 4, false, false },
	[TYPE_I64] = { "i64", "long long", 8, false, true },
	[TYPE_U64] = { "u64", "unsigned long long", 8, false, false },
	[TYPE_F32] = { "f32", "float", 4, true, true },
	[TYPE_F64] = { "f64", "double", 8, true, true },
};

const char *type_name(enum type type)
{
	return types[type].name;
}

bool type_find(const char *name, enum type *type)
{
	for (int t = 0; t < TYPE_COUNT; t++)
		if (strcmp(types[t].name, name) == 0) {
			*type = (enum type)t;
			return true;
		}
	return false;
}

const char *type_c_name(enum type type)
{
	return types[type].c_name;
}

int type_size(enum type type)
{
	return types[type].size;
}

bool type_is_float(enum type type)
{
	return types[type].is_float;
}

bool type_is_integer(enum type type)
{
	return !types[type].is_float;
}

bool type_is_signed(enum type type)
{
	return types[type].is_signed;
}
