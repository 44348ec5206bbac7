/* Runs nests without a compiler, to compare a rewritten nest with its original many times a second.
 *
 * Strict where C is not: a subscript outside its extent, a value that was never set and a signed overflow are faults. Loops
 * marked parallel run backwards, vector loops of plain statements in steps of lanes, statement by statement. */
#ifndef STROP_FUZZ_INTERPRET_H
#define STROP_FUZZ_INTERPRET_H

#include "ir/nest.h"
#include "rewrite/fp.h"

/* Run "original" and "rewritten" on data of several sizes drawn from "seed"; NULL when they agree (bit for bit, unless "mode" is
 * FP_REASSOC: then within the bound of fuzz_rounding.h), else a sentence. "*faulty" becomes true when it is the original that cannot be run: a mistake of its maker. */
const char *fuzz_interpret(struct arena *arena, const struct nest *original, const struct nest *rewritten, enum fp_mode mode,
			   uint64_t seed, bool *faulty);

#endif
