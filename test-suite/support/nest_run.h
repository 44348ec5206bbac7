/* Running nests in the test itself: a plain interpreter, for tests that compare what nests do.
 *
 * A test includes nest_run.c. Arithmetic is that of the nest's types for floats, and 64-bit for integers that stay small. A
 * loop marked parallel runs backwards; one marked vector, over statements alone, runs its lanes statement by statement. */
#ifndef TEST_SUPPORT_NEST_RUN_H
#define TEST_SUPPORT_NEST_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/nest.h"

/* The values of a nest's variables, by name; an element's place is its offset in an array of "size" (per dimension) elements.
 *   n, name, at   variable "name" starts at value[at]
 *   value         numbers; integers are held exactly */
enum { NEST_RUN_SIZE = 16, NEST_RUN_VARS = 64, NEST_RUN_LANES = 16 };
struct nest_memory {
	int n;
	const char *name[NEST_RUN_VARS];
	int at[NEST_RUN_VARS];
	int used;
	double value[1 << 15];
	bool failed; /* an access out of bounds, or something that cannot be run */
};

/* Room for the variables of "nest", filled by a formula from "seed"; params get values within [lo, hi). */
void nest_memory_init(struct nest_memory *memory, const struct nest *nest, uint64_t seed, int lo, int hi);
/* Run "nest", whose variables are those that "memory" was made for, and locals and iterators of its own. */
void nest_run(struct nest_memory *memory, const struct nest *nest);
/* Whether the arrays, scalars and params of "nest" hold the same in "a" and "b", bit for bit. */
bool nest_memory_equal(const struct nest_memory *a, const struct nest_memory *b, const struct nest *nest);

#endif
