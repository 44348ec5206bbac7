/* What generated programs are linked with: runs each case on data of many sizes and compares what its functions leave behind.
 *
 * fuzz_runtime.c and the programs are compiled by the fuzzer; they know nothing of the rest of strop. */
#ifndef STROP_FUZZ_RUNTIME_H
#define STROP_FUZZ_RUNTIME_H

enum { FUZZ_SLOTS = 24 };

/* A variable: kind 'p'aram, 's'calar or 'a'rray; its type as enum type counts them. "any_zero": zeros of both signs are equal, for the
 * nest calls fmin or fmax, which may return either of them (C17 F.10.9). */
struct fuzz_slot {
	const char *name;
	char kind, type, is_index, any_zero, is_written;
};

/* A case. Each function works on v[slot]: where the variable's values lie. "count" sets the elements of each array and
 * returns the least extent of any dimension.
 *   plain     the original, printed plainly
 *   wide      the same in wider floats; NULL when all must be equal bit for bit
 *   nest      the rewritten nest, printed plainly
 *   variant   the generated code
 * "sizes": params get values up to it. */
struct fuzz_case {
	int number, n_slot;
	const struct fuzz_slot *slot;
	long (*count)(void *const *v, long *count);
	void (*plain)(void *const *v);
	void (*wide)(void *const *v);
	void (*nest)(void *const *v);
	void (*variant)(void *const *v);
	int sizes;
	unsigned long seed;
};

extern const struct fuzz_case *const fuzz_cases[];
extern const int fuzz_n;
/* Set by a variant whose guard sent it to the original. */
extern int fuzz_fell_back;

long fuzz_floordiv(long long a, long long b);

#endif
