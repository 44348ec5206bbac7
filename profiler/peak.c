#include "peak.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Peaks are of optimized code even in a build that is not. */
#if defined(__GNUC__) && !defined(__clang__)
#define HOT __attribute__((optimize("O3"), noinline))
#else
#define HOT __attribute__((noinline))
#endif

enum { CHAINS = 12, RUNS = 5 };
static const double RUN_SECONDS = 0.02;

static double thread_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* CHAINS independent multiply-adds per step: as many as hide the latency and fit into 16 registers. The sum comes back
 * so that nothing is left out. */
#define MULTIPLY_ADD(name, features, scalar, width)                                                                       \
	HOT __attribute__((target(features))) static double name(int64_t steps)                                           \
	{                                                                                                                  \
		typedef scalar vector __attribute__((vector_size(width)));                                                 \
		vector x0 = {0}, x1 = x0 + 1, x2 = x0 + 2, x3 = x0 + 3, x4 = x0 + 4, x5 = x0 + 5;                             \
		vector x6 = x0 + 6, x7 = x0 + 7, x8 = x0 + 8, x9 = x0 + 9, x10 = x0 + 10, x11 = x0 + 11;                      \
		vector a = x0 + (scalar)0.999, b = x0 + (scalar)0.001;                                                     \
		for (int64_t i = 0; i < steps; i++) {                                                                      \
			x0 = x0 * a + b, x1 = x1 * a + b, x2 = x2 * a + b, x3 = x3 * a + b;                                   \
			x4 = x4 * a + b, x5 = x5 * a + b, x6 = x6 * a + b, x7 = x7 * a + b;                                   \
			x8 = x8 * a + b, x9 = x9 * a + b, x10 = x10 * a + b, x11 = x11 * a + b;                               \
			__asm__ volatile("" : "+v"(a), "+v"(b));                                                           \
		}                                                                                                          \
		x0 += x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + x10 + x11;                                                \
		return (double)x0[0];                                                                                      \
	}

/* "n" elements, a multiple of 64 bytes' worth; the arrays are aligned to 64 bytes. */
#define TRIAD(name, features, width)                                                                                      \
	HOT __attribute__((target(features))) static void name(size_t n, double *a, const double *b, const double *c)    \
	{                                                                                                                  \
		typedef double vector __attribute__((vector_size(width)));                                                 \
		enum { LANES = (width) / sizeof(double) };                                                                 \
		for (size_t i = 0; i < n; i += LANES)                                                                      \
			*(vector *)(a + i) = *(const vector *)(b + i) + 1.5 * *(const vector *)(c + i);                    \
	}

#if defined(__x86_64__)
MULTIPLY_ADD(fma_f64_64, "avx512f", double, 64)
MULTIPLY_ADD(fma_f32_64, "avx512f", float, 64)
MULTIPLY_ADD(fma_f64_32, "avx2,fma", double, 32)
MULTIPLY_ADD(fma_f32_32, "avx2,fma", float, 32)
MULTIPLY_ADD(fma_f64_16, "sse2", double, 16)
MULTIPLY_ADD(fma_f32_16, "sse2", float, 16)
TRIAD(triad_64, "avx512f", 64)
TRIAD(triad_32, "avx2,fma", 32)
TRIAD(triad_16, "sse2", 16)

int peak_vector_bytes(void)
{
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx512f"))
		return 64;
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 32 : 16;
}
#else
#error "machine peaks are written for x86-64 only"
#endif

typedef double (*flops_loop)(int64_t steps);
typedef void (*triad_loop)(size_t n, double *a, const double *b, const double *c);

static volatile double sink;

/* The best of RUNS runs of at least RUN_SECONDS, in steps per second. */
static double steps_per_second(flops_loop loop)
{
	int64_t steps = 1 << 14;
	double best = 0;
	for (int run = 0; run < RUNS;) {
		double start = thread_seconds(), seconds;
		sink = loop(steps);
		seconds = thread_seconds() - start;
		if (seconds < RUN_SECONDS) {
			steps *= 2;
			continue;
		}
		best = (double)steps / seconds > best ? (double)steps / seconds : best;
		run++;
	}
	return best;
}

double peak_flops_f64(int vector_bytes)
{
	flops_loop loop = vector_bytes == 64 ? fma_f64_64 : vector_bytes == 32 ? fma_f64_32 : fma_f64_16;
	return steps_per_second(loop) * 2 * CHAINS * vector_bytes / (double)sizeof(double);
}

double peak_flops_f32(int vector_bytes)
{
	flops_loop loop = vector_bytes == 64 ? fma_f32_64 : vector_bytes == 32 ? fma_f32_32 : fma_f32_16;
	return steps_per_second(loop) * 2 * CHAINS * vector_bytes / (double)sizeof(float);
}

double peak_bandwidth(int vector_bytes, size_t bytes)
{
	triad_loop loop = vector_bytes == 64 ? triad_64 : vector_bytes == 32 ? triad_32 : triad_16;
	size_t part = bytes / 3 / 4096 * 4096, n = part / sizeof(double), repeats = 1;
	void *memory = part ? aligned_alloc(4096, 3 * part + 2 * 4096) : NULL;
	double *a = memory, best = 0;
	if (!memory)
		return 0;
	memset(memory, 0, 3 * part + 2 * 4096);
	for (int run = 0; run < RUNS;) {
		double start = thread_seconds(), seconds;
		for (size_t r = 0; r < repeats; r++)
			loop(n, a, a + n + 64, a + 2 * n + 128);
		seconds = thread_seconds() - start;
		if (seconds < RUN_SECONDS) {
			repeats *= 2;
			continue;
		}
		best = 3.0 * (double)part * (double)repeats / seconds > best ? 3.0 * (double)part * (double)repeats / seconds : best;
		run++;
	}
	free(memory);
	return best;
}
