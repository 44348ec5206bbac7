/* How far rounding can move a value when its sums and products are evaluated in another order.
 *
 * A value that took c operations, of magnitude m when each of its terms is taken by its absolute value, is off by at most
 * c e m / (1 - c e) in any order (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 3.1 and section 4.2), e the unit
 * roundoff. Two orders differ by at most the sum of both. Whole numbers that stay below 1 / e are never rounded. */
#ifndef STROP_FUZZ_ROUNDING_H
#define STROP_FUZZ_ROUNDING_H

#include <stdbool.h>

#include "ir/nest.h"

/* c, m and e; "is_whole": a whole number, and so are all that it was made of, and no order can make one that is rounded. */
struct rounding {
	double operations, magnitude, unit;
	bool is_whole;
};

/* That of a value as it stands: nothing was computed. */
struct rounding rounding_none(double value);
/* That of a op b, for OP_ADD, OP_SUB, OP_MUL and OP_DIV in "type". */
struct rounding rounding_binary(enum op op, enum type type, double a, const struct rounding *of_a, double b,
				const struct rounding *of_b);
struct rounding rounding_sqrt(enum type type, double a, const struct rounding *of_a);
/* That of a value converted to the float "type". */
struct rounding rounding_convert(enum type type, const struct rounding *of_a);
/* That of one of two values, whichever it is. */
struct rounding rounding_either(const struct rounding *a, const struct rounding *b);
/* How far any order of evaluation can be from the exact value; infinite when nothing can be said. */
double rounding_error(const struct rounding *rounding);

#endif
