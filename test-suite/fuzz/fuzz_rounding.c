#include "fuzz_rounding.h"

#include <float.h>
#include <math.h>

/* The unit roundoff of a float type. */
static double unit_of(enum type type)
{
	return type == TYPE_F32 ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
}

struct rounding rounding_none(double value)
{
	return (struct rounding){ 0, fabs(value), 0, isfinite(value) && value == floor(value) };
}

/* One more operation in "type". */
static struct rounding round_once(enum type type, double operations, double magnitude, double unit, bool is_whole)
{
	double own = unit_of(type);

	return (struct rounding){ operations + 1, magnitude, unit > own ? unit : own, is_whole && magnitude <= 1 / own };
}

/* The magnitude m with which c e m bounds the error of a / b. With errors of at most d_a and d_b <= |b| / 2 it is at most
 * 2 (d_a + |a / b| d_b) / |b|; where b may be off by more, nothing is known. */
static double quotient(double a, const struct rounding *of_a, double b, const struct rounding *of_b)
{
	if (2 * rounding_error(of_b) >= fabs(b))
		return INFINITY;
	return 2 * (of_a->magnitude + fabs(a / b) * of_b->magnitude) / fabs(b);
}

struct rounding rounding_binary(enum op op, enum type type, double a, const struct rounding *of_a, double b,
				const struct rounding *of_b)
{
	double operations = of_a->operations + of_b->operations, unit = of_a->unit > of_b->unit ? of_a->unit : of_b->unit;
	bool is_whole = of_a->is_whole && of_b->is_whole;

	switch (op) {
	case OP_MUL:
		return round_once(type, operations, of_a->magnitude * of_b->magnitude, unit, is_whole);
	case OP_DIV:
		return round_once(type, operations, quotient(a, of_a, b, of_b), unit, false);
	default:
		return round_once(type, operations, of_a->magnitude + of_b->magnitude, unit, is_whole);
	}
}

/* sqrt(a + d) is within |d| / sqrt(a) of sqrt(a). */
struct rounding rounding_sqrt(enum type type, double a, const struct rounding *of_a)
{
	double error = rounding_error(of_a);

	if (error >= a && error > 0)
		return round_once(type, of_a->operations, INFINITY, of_a->unit, false);
	return round_once(type, of_a->operations, a > 0 ? of_a->magnitude / sqrt(a) : 0, of_a->unit, false);
}

struct rounding rounding_convert(enum type type, const struct rounding *of_a)
{
	return round_once(type, of_a->operations, of_a->magnitude, of_a->unit, of_a->is_whole);
}

struct rounding rounding_either(const struct rounding *a, const struct rounding *b)
{
	return (struct rounding){ fmax(a->operations, b->operations), fmax(a->magnitude, b->magnitude), fmax(a->unit, b->unit),
				  a->is_whole && b->is_whole };
}

double rounding_error(const struct rounding *rounding)
{
	double share = rounding->operations * rounding->unit;
	double least = rounding->unit > DBL_EPSILON ? FLT_TRUE_MIN : DBL_TRUE_MIN;

	if (rounding->is_whole || rounding->operations == 0)
		return 0;
	return share < 1 ? share / (1 - share) * rounding->magnitude + rounding->operations * least : INFINITY;
}
