/* From a rewritten nest to C that a maintainer would accept. */
#ifndef STROP_REWRITE_CODEGEN_H
#define STROP_REWRITE_CODEGEN_H

#include <stdbool.h>

#include "ir/nest.h"
#include "support/arena.h"
#include "support/diag.h"

#include "fp.h"

enum compiler { COMPILER_GCC, COMPILER_CLANG };

/* What the build offers: bytes of a vector register (16, 32, 64; 0: none), FMA, OpenMP, and the compiler. */
struct target {
	enum compiler compiler;
	int vector_bytes;
	bool has_fma;
	bool has_openmp;
	enum fp_mode mode;
};

/* Where the text goes: the enclosing function's name (names of helpers derive from it: "gemm_strop0"), a number that makes
 * them unique in the file, the region's verbatim text and indentation (tabs or spaces are kept), and whether it stands
 * in a header (helpers then are static inline). */
struct site {
	const char *function;
	int number;
	const char *original;
	const char *indent;
	bool in_header;
};

/* "helpers": text at file scope to insert before the enclosing function; "body": what replaces the region: the guard, the
 * call of the helper, and the original in the else. Neither contains anything that depends on time or machine. */
struct variant {
	const char *helpers;
	const char *body;
};

/* Write "rewritten", made from "original", as a variant. Fails with the reason when the nest has no C form here. */
enum status codegen_c(struct arena *arena, const struct nest *original, const struct nest *rewritten,
		      const struct site *site, const struct target *target, struct variant *variant, struct diag *why);
/* What the compile flags in argv say: -march, -mavx2, -fopenmp, -ffast-math..., asking the compiler itself
 * (cc -dM -E with those flags). "is_fast_math" tells whether the user's flags imply reassociation. */
enum status target_probe(const char *directory, int argc, const char *const *argv, struct target *target,
			 bool *is_fast_math, struct diag *diag);

#endif
