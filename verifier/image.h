/* Images: memory shared with a runner's process that holds all buffers of one run, each between fences. */
#ifndef STROP_VERIFIER_IMAGE_H
#define STROP_VERIFIER_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/diag.h"

#include "wire.h"

/* Where a block's data lies within the pages between its two guards: against the guard behind it, against the guard
 * before it, at a multiple of 64 bytes, one element beyond such a multiple, or as in an array that malloc made: its first element,
 * which "slack" counts to, is 16 bytes beyond a multiple of 64, where glibc and others put all large arrays. */
enum fence { FENCE_END, FENCE_START, FENCE_ALIGNED, FENCE_SHIFTED, FENCE_HEAP };

/* A block of memory: "data" is the offset of its "bytes" in the image; [begin, end) are its pages, all else of which is
 * canary; "gap" bytes behind them may not be touched. */
struct block {
	size_t data, bytes, begin, end, gap;
};

/* Where a process maps images that say nothing else, far from where systems and the sanitizers of addresses put things; and where
 * the sanitizer of races knows memory of programs, below what it keeps for itself. */
#define IMAGE_BASE ((uint64_t)0x200000000000u)
#define IMAGE_BASE_RACES ((uint64_t)0x2000000000u)

/* "map" is the judge's view; the process sees it at "base". "slot" holds addresses in the process. "is_restored" tells
 * which blocks each timed run must find as they were; "must_restore" that timed runs need it. */
struct image {
	int fd;
	unsigned char *map;
	size_t bytes;
	uint64_t base;
	int n_block;
	struct block *block;
	int n_slot;
	uint64_t *slot;
	int n_size;
	uint64_t *size;
	int n_guard;
	struct wire_range *guard;
	bool *is_restored;
	bool must_restore, has_canary;
};

/* An image of n blocks of bytes[i] bytes each, of elements of element[i] bytes, placed by "fence"; all else is canary
 * when "has_canary" is set. Blocks are so far apart that slack[i] bytes more before and behind each would not meet (NULL: none). NULL and a sentence when memory is short. Free with image_free(). */
struct image *image_new(int n, const size_t *bytes, const size_t *element, const size_t *slack, enum fence fence, int n_slot, int n_size,
			bool has_canary, struct diag *diag);
struct image *image_free(struct image *image);
/* The judge's view of block "b", and its address in the process. */
void *image_data(const struct image *image, int b);
uint64_t image_address(const struct image *image, int b);
/* The block around which a canary died, or -1 (also when there are none). */
int image_find_damage(const struct image *image);
/* Bring all canaries back to life. */
void image_mend(struct image *image);
/* The block in or beside which the process's "address" lies, or -1; "*offset" is the distance from its first byte. */
int image_find_block(const struct image *image, uint64_t address, int64_t *offset);

#endif
