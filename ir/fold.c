#include "fold.h"

bool fold_fits(enum type type, int64_t value)
{
	int bits = type_size(type) * 8;

	if (!type_is_signed(type))
		return value >= 0 && (bits == 64 || value < (int64_t)1 << bits);
	return bits == 64 || (value >= -((int64_t)1 << (bits - 1)) && value < (int64_t)1 << (bits - 1));
}

int64_t fold_floordiv(int64_t left, int64_t right)
{
	int64_t quotient = left / right;

	return left % right < 0 ? quotient - 1 : quotient;
}

static bool divide(enum op op, int64_t left, int64_t right, int64_t *result)
{
	if (right == 0 || (left == INT64_MIN && right == -1) || (op == OP_FLOORDIV && right < 0))
		return false;
	*result = op == OP_DIV ? left / right : op == OP_MOD ? left % right : fold_floordiv(left, right);
	return true;
}

static bool shift(enum type type, enum op op, int64_t left, int64_t right, int64_t *result)
{
	if (left < 0 || right < 0 || right >= type_size(type) * 8)
		return false;
	if (op == OP_SHR) {
		*result = left >> right;
		return true;
	}
	return !__builtin_mul_overflow(left, right < 63 ? (int64_t)1 << right : INT64_MAX, result);
}

static bool compute(enum type type, enum op op, int64_t left, int64_t right, int64_t *result)
{
	switch (op) {
	case OP_ADD: return !__builtin_add_overflow(left, right, result);
	case OP_SUB: return !__builtin_sub_overflow(left, right, result);
	case OP_MUL: return !__builtin_mul_overflow(left, right, result);
	case OP_DIV:
	case OP_MOD:
	case OP_FLOORDIV: return divide(op, left, right, result);
	case OP_SHL:
	case OP_SHR: return shift(type, op, left, right, result);
	case OP_AND: *result = left & right; return true;
	case OP_OR: *result = left | right; return true;
	case OP_XOR: *result = left ^ right; return true;
	case OP_LT: *result = left < right; return true;
	case OP_LE: *result = left <= right; return true;
	case OP_GT: *result = left > right; return true;
	case OP_GE: *result = left >= right; return true;
	case OP_EQ: *result = left == right; return true;
	case OP_NE: *result = left != right; return true;
	case OP_LAND: *result = left && right; return true;
	case OP_LOR: *result = left || right; return true;
	case OP_MIN: *result = left < right ? left : right; return true;
	case OP_MAX: *result = left > right ? left : right; return true;
	default: return false;
	}
}

bool fold_binary(enum type type, enum op op, int64_t left, int64_t right, int64_t *result)
{
	int64_t value;

	if (!fold_fits(type, left) || !compute(type, op, left, right, &value) || !fold_fits(type, value))
		return false;
	*result = value;
	return true;
}

bool fold_unary(enum type type, enum op op, int64_t arg, int64_t *result)
{
	int64_t value;

	if (!fold_fits(type, arg))
		return false;
	switch (op) {
	case OP_NEG:
		if (__builtin_sub_overflow((int64_t)0, arg, &value))
			return false;
		break;
	case OP_NOT:
		value = !arg;
		break;
	case OP_BITNOT:
		value = ~arg;
		break;
	default:
		return false;
	}
	if (!fold_fits(type, value))
		return false;
	*result = value;
	return true;
}
