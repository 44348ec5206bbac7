/* The machine model: measured peaks of this machine, cached, and what they say bounds a region. */
#ifndef STROP_PROFILER_MACHINE_H
#define STROP_PROFILER_MACHINE_H

#include <stddef.h>

#include "support/diag.h"

/* Peak flops per second and core in double and float; bandwidth in bytes per second from each level for one core; sizes of the
 * caches in bytes; vector registers' width in bytes. */
struct machine {
	char name[128];
	int cores;
	int vector_bytes;
	double flops_f64, flops_f32;
	double bandwidth_l1, bandwidth_l2, bandwidth_l3, bandwidth_memory;
	size_t l1, l2, l3;
};
/* Measure (about two seconds), or read what "cache_folder" (may be NULL) holds of an earlier measurement on this machine. */
enum status machine_get(const char *cache_folder, struct machine *machine, struct diag *diag);
/* The bytes that one core can count on in the last level of cache: its share, and at most 32 MiB. */
size_t machine_cache_share(void);
/* One sentence: what bounds work of "flops" and "bytes" that takes "seconds" ("compute: 43 % of 84 GF/s"). */
void machine_bound(const struct machine *machine, double flops, double bytes, double seconds, int float_size, char *sentence,
		   size_t size);

#endif
