#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/memory.h"

static const unsigned char canary = 0xb5;
static const size_t page = 4096;

static size_t round_up(size_t bytes, size_t to)
{
	return (bytes + to - 1) / to * to;
}

/* How many bytes behind its page's start block "b" begins, where it does not end with a page. Aligned blocks are staggered by cache
 * lines, so that they do not all compete for the same sets. */
static size_t find_lead(int b, size_t element, size_t slack, enum fence fence)
{
	const size_t line = 64, staggered = line * (size_t)(1 + b % 8);

	switch (fence) {
	case FENCE_ALIGNED:
		return staggered;
	case FENCE_SHIFTED:
		return line + element;
	case FENCE_HEAP:
		return staggered + (16 + slack) % line;
	case FENCE_END:
	case FENCE_START:
		break;
	}
	return 0;
}

/* Place block "b" at "*at", which moves past its pages and the guard behind them. */
static void place_block(struct image *image, int b, size_t bytes, size_t lead, size_t gap, enum fence fence, size_t *at)
{
	struct block *block = &image->block[b];
	size_t pages;

	pages = round_up(bytes + lead, page);
	if (pages == 0)
		pages = page;
	block->begin = *at;
	block->end = *at + pages;
	block->bytes = bytes;
	block->data = fence == FENCE_END ? block->end - bytes : block->begin + lead;
	image->guard[image->n_guard++] = (struct wire_range){block->end, gap};
	block->gap = gap;
	*at = block->end + gap;
}

/* Sealed: a program to which the descriptor is sent could make the memory shorter under the judge's hands, or fill the machine's. */
static enum status map(struct image *image, struct diag *diag)
{
	image->fd = memfd_create("strop", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (image->fd < 0 || ftruncate(image->fd, (off_t)image->bytes) != 0 ||
	    fcntl(image->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
		return diag_set(diag, EXIT_MACHINE, "cannot make %zu bytes of shared memory: %s", image->bytes,
				strerror(errno));
	image->map = mmap(NULL, image->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, image->fd, 0);
	if (image->map == MAP_FAILED) {
		image->map = NULL;
		return diag_set(diag, EXIT_MACHINE, "cannot map %zu bytes: %s", image->bytes, strerror(errno));
	}
	return STATUS_OK;
}

void image_mend(struct image *image)
{
	int b;

	for (b = 0; image->has_canary && b < image->n_block; b++) {
		const struct block *block = &image->block[b];

		memset(image->map + block->begin, canary, block->data - block->begin);
		memset(image->map + block->data + block->bytes, canary, block->end - block->data - block->bytes);
	}
}

struct image *image_new(int n, const size_t *bytes, const size_t *element, const size_t *slack, enum fence fence, int n_slot, int n_size,
			bool has_canary, struct diag *diag)
{
	struct image *image = memory_alloc(sizeof(*image));
	size_t at = page;
	int b;

	image->fd = -1;
	image->base = IMAGE_BASE;
	image->n_block = n;
	image->block = memory_alloc(sizeof(*image->block) * (size_t)(n + 1));
	image->guard = memory_alloc(sizeof(*image->guard) * (size_t)(n + 1));
	image->is_restored = memory_alloc((size_t)n + 1);
	image->slot = memory_alloc(sizeof(*image->slot) * (size_t)(n_slot + 1));
	image->size = memory_alloc(sizeof(*image->size) * (size_t)(n_size + 1));
	image->n_slot = n_slot;
	image->n_size = n_size;
	image->guard[image->n_guard++] = (struct wire_range){0, page};
	for (b = 0; b < n; b++)
		place_block(image, b, bytes[b], find_lead(b, element[b], slack ? slack[b] : 0, fence),
			    page + round_up(slack ? slack[b] + (b + 1 < n ? slack[b + 1] : 0) : 0, page), fence, &at);
	image->bytes = at;
	if (map(image, diag) != STATUS_OK)
		return image_free(image);
	image->has_canary = has_canary;
	image_mend(image);
	return image;
}

struct image *image_free(struct image *image)
{
	if (!image)
		return NULL;
	if (image->map)
		munmap(image->map, image->bytes);
	if (image->fd >= 0)
		close(image->fd);
	free(image->block);
	free(image->guard);
	free(image->is_restored);
	free(image->slot);
	free(image->size);
	free(image);
	return NULL;
}

void *image_data(const struct image *image, int b)
{
	return image->map + image->block[b].data;
}

uint64_t image_address(const struct image *image, int b)
{
	return image->base + image->block[b].data;
}

static bool is_canary(const unsigned char *at, const unsigned char *end)
{
	for (; at < end; at++)
		if (*at != canary)
			return false;
	return true;
}

int image_find_damage(const struct image *image)
{
	int b;

	for (b = 0; image->has_canary && b < image->n_block; b++) {
		const struct block *block = &image->block[b];

		if (!is_canary(image->map + block->begin, image->map + block->data) ||
		    !is_canary(image->map + block->data + block->bytes, image->map + block->end))
			return b;
	}
	return -1;
}

int image_find_block(const struct image *image, uint64_t address, int64_t *offset)
{
	int b;

	if (address < image->base || address >= image->base + image->bytes)
		return -1;
	for (b = 0; b < image->n_block; b++) {
		const struct block *block = &image->block[b];

		if (address - image->base < block->end + block->gap) {
			*offset = (int64_t)(address - image->base) - (int64_t)block->data;
			return b;
		}
	}
	return -1;
}
