/* The words and signs of the printed nest, for its printer and its parser. */
#ifndef STROP_IR_SPELL_H
#define STROP_IR_SPELL_H

#include "nest.h"

/* How tightly operators bind, as in C; a larger number binds tighter. */
enum {
	PRECEDENCE_SELECT = 1,
	PRECEDENCE_UNARY = 12,
	PRECEDENCE_PRIMARY = 13,
};

/* The sign of an operator, or the word of one that is written as a function (min, max, floordiv). */
const char *op_sign(enum op op);
/* Of a binary operator that is written between its operands; 0 for all others. */
int op_precedence(enum op op);
bool op_is_function(enum op op);
bool op_is_comparison(enum op op); /* its operands are of one type, its result is an i32 */
bool op_is_logic(enum op op);      /* && || !: operands of any integer type, its result is an i32 */
bool op_is_shift(enum op op);
bool op_is_assignment(enum op op); /* may stand before '=' in a statement */

const char *edge_word(enum edge edge); /* "peel" .., NULL for EDGE_DEFAULT */

/* The type that a call of "name" has unless it is written out, as math.h has it: sqrtf f32, sqrt f64, abs i32. */
enum type call_type(const char *name);

/* Whether "name" followed by arguments is something else than a call: a cast, min, max or floordiv, infinity or
 * not-a-number. */
bool call_is_reserved(const char *name);
/* Whether "name" is one of the builtins that stand for infinity and not-a-number. */
bool name_is_special(const char *name);

/* Whether "name" is a C identifier, or several joined by dots of which all but the first may be numbers. */
bool name_is_valid(const char *name);
/* Length of the longest such name that "text" starts with; 0 for none. */
int name_length(const char *text);

#endif
