#include "spell.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const struct {
	const char *sign;
	int precedence;
} ops[OP_COUNT] = {
	[OP_NONE] = { "", 0 },
	[OP_NEG] = { "-", 0 },      [OP_NOT] = { "!", 0 },      [OP_BITNOT] = { "~", 0 },
	[OP_LOR] = { "||", 2 },     [OP_LAND] = { "&&", 3 },    [OP_OR] = { "|", 4 },
	[OP_XOR] = { "^", 5 },      [OP_AND] = { "&", 6 },      [OP_EQ] = { "==", 7 },
	[OP_NE] = { "!=", 7 },      [OP_LT] = { "<", 8 },       [OP_LE] = { "<=", 8 },
	[OP_GT] = { ">", 8 },       [OP_GE] = { ">=", 8 },      [OP_SHL] = { "<<", 9 },
	[OP_SHR] = { ">>", 9 },     [OP_ADD] = { "+", 10 },     [OP_SUB] = { "-", 10 },
	[OP_MUL] = { "*", 11 },     [OP_DIV] = { "/", 11 },     [OP_MOD] = { "%", 11 },
	[OP_MIN] = { "min", 0 },    [OP_MAX] = { "max", 0 },    [OP_FLOORDIV] = { "floordiv", 0 },
};

const char *op_sign(enum op op)
{
	return ops[op].sign;
}

int op_precedence(enum op op)
{
	return ops[op].precedence;
}

bool op_is_function(enum op op)
{
	return op == OP_MIN || op == OP_MAX || op == OP_FLOORDIV;
}

bool op_is_comparison(enum op op)
{
	return op >= OP_LT && op <= OP_NE;
}

bool op_is_logic(enum op op)
{
	return op == OP_LAND || op == OP_LOR || op == OP_NOT;
}

bool op_is_shift(enum op op)
{
	return op == OP_SHL || op == OP_SHR;
}

bool op_is_assignment(enum op op)
{
	switch (op) {
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_DIV: case OP_AND: case OP_OR: case OP_XOR: case OP_SHL: case OP_SHR:
		return true;
	default:
		return false;
	}
}

const char *edge_word(enum edge edge)
{
	static const char *const words[] = { NULL, "peel", "mask", "pad", "back" };

	return words[edge];
}

enum type call_type(const char *name)
{
	size_t length = strlen(name);

	if (strcmp(name, "abs") == 0)
		return TYPE_I32;
	if (strcmp(name, "labs") == 0 || strcmp(name, "llabs") == 0)
		return TYPE_I64;
	return length > 1 && name[length - 1] == 'f' && strcmp(name, "erf") != 0 ? TYPE_F32 : TYPE_F64;
}

bool name_is_special(const char *name)
{
	return strcmp(name, "__builtin_inf") == 0 || strcmp(name, "__builtin_inff") == 0 ||
	       strcmp(name, "__builtin_nan") == 0 || strcmp(name, "__builtin_nanf") == 0;
}

bool call_is_reserved(const char *name)
{
	enum type type;

	for (enum op op = OP_MIN; op <= OP_FLOORDIV; op++)
		if (strcmp(name, op_sign(op)) == 0)
			return true;
	return type_find(name, &type) || name_is_special(name);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

int name_length(const char *text)
{
	int n = 0;

	if (!is_word(text[0]) || isdigit((unsigned char)text[0]))
		return 0;
	while (is_word(text[n]) || (text[n] == '.' && is_word(text[n + 1])))
		n++;
	return n;
}

bool name_is_valid(const char *name)
{
	int n = name_length(name);

	return n > 0 && !name[n];
}
