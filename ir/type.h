/* The scalar types of a nest: C's arithmetic types by width, never by name. */
#ifndef STROP_IR_TYPE_H
#define STROP_IR_TYPE_H

#include <stdbool.h>

enum type {
	TYPE_I8, TYPE_U8, TYPE_I16, TYPE_U16, TYPE_I32, TYPE_U32, TYPE_I64, TYPE_U64,
	TYPE_F32, TYPE_F64,
	TYPE_COUNT
};

/* "i8", "u8" ... "f64", as the printed nest spells it. */
const char *type_name(enum type type);
/* Set "*type" to the type that "name" spells; return false if none does. */
bool type_find(const char *name, enum type *type);
/* A C spelling that needs no header: "signed char", "int", "long long", "float" ... */
const char *type_c_name(enum type type);
int type_size(enum type type);
bool type_is_float(enum type type);
bool type_is_integer(enum type type);
bool type_is_signed(enum type type);

#endif
