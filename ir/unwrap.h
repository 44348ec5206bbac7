/* Scalars that a loop carries from one iteration to the next, and that are known from the iteration alone. */
#ifndef STROP_IR_UNWRAP_H
#define STROP_IR_UNWRAP_H

#include "nest.h"

/* A nest, fresh from lifting as "nest" is, that does the same without its wrap-around scalars: in
 *
 *   for i in 0..n: { a[i] = b[i] + b[last]; last = i }
 *
 * "last" is i - 1 from the second iteration on. The first one becomes a loop of its own, which alone sees the scalar. What a
 * scalar is set to must be an integer of the iterator and of what the loop leaves alone, or an element of an array that the loop
 * does not write. Loops that hold loops or many statements stay, and so do scalars that are used after the loop. */
struct nest *nest_unwrap(const struct nest *nest);

#endif
