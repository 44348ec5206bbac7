/* What the programs of operators share: each times its kernel, or compares it with double precision. Numbers are floats unless "real" says otherwise. Built as it is, a program prints
 * the least time of a call in seconds; with -DCHECK=1 it prints whether what the kernel left is right. */
#ifndef OPS_H
#define OPS_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef BLAS
#include <cblas.h>
#endif

#ifndef real
#define real float
#endif

#ifndef CHECK
#define CHECK 0
#endif
/* Not known when compiling, so that no compiler drops a kernel whose result is only checked. */
static volatile bool is_check = CHECK;

static inline double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* "n" numbers within (-1, 1). */
static inline real *draw(size_t n, unsigned seed)
{
	real *x = malloc(n * sizeof(*x));

	if (!x) {
		fputs("out of memory\n", stderr);
		exit(2);
	}
	for (size_t i = 0; i < n; i++) {
		seed = seed * 1664525u + 1013904223u;
		x[i] = (real)(seed >> 8) / 8388608 - 1;
	}
	return x;
}

static inline void copy(real *to, const real *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = from[i];
}

/* Whether a value is that of double precision, but for rounding where "magnitude" is the size of what was added up. */
static inline bool is_close(double value, double exact, double magnitude)
{
	return fabs(value - exact) <= 1e-5 * (magnitude + fabs(exact));
}

/* Print the verdict or the least time. */
static inline int report(bool is_right, double least)
{
	if (is_check)
		puts(is_right ? "right" : "wrong");
	else
		printf("%.6f\n", least);
	return is_check && !is_right;
}

/* Time "call" often enough that the least means something. */
#define LEAST_TIME(call)                                                                 \
	({                                                                               \
		double least = 1e9, begun = now();                                       \
		for (int k = 0; k < 3 || (!is_check && now() - begun < 0.5); k++) {      \
			double start = now(), took;                                      \
			call;                                                            \
			took = now() - start;                                            \
			least = took < least ? took : least;                             \
		}                                                                        \
		least;                                                                   \
	})

#endif
