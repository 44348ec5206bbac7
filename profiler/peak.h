/* The loops that measure a machine's peaks: multiply-adds in registers and the triad a[i] = b[i] + s * c[i], compiled for
 * each width of vector registers and chosen at run time. */
#ifndef STROP_PROFILER_PEAK_H
#define STROP_PROFILER_PEAK_H

#include <stddef.h>

/* The width in bytes of the vector registers that this processor and its system offer: 64, 32 (with fused
 * multiply-add) or 16. */
int peak_vector_bytes(void);
/* Flops per second of this thread in registers: the best of a few runs of some milliseconds. A fused
 * multiply-add counts as two. */
double peak_flops_f64(int vector_bytes);
double peak_flops_f32(int vector_bytes);
/* Bytes per second of a triad over three arrays of "bytes" bytes in all: two reads and a write per element. 0 when there
 * is no memory for it. */
double peak_bandwidth(int vector_bytes, size_t bytes);

#endif
