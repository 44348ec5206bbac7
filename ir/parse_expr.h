/* Expressions of the printed nest. */
#ifndef STROP_IR_PARSE_EXPR_H
#define STROP_IR_PARSE_EXPR_H

#include "lexer.h"
#include "nest.h"

/* Parse an expression over the variables of "nest", just as it stands, without simplifying it; a literal alone that names
 * no type is a "literal". Never NULL: when the lexer fails, something of no meaning. */
struct expr *expr_parse(struct lexer *lexer, const struct nest *nest, enum type literal);

#endif
