#include "arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* A block of "size" usable bytes after the header, of which "used" are taken. */
struct block {
	struct block *next;
	size_t size, used;
	alignas(max_align_t) unsigned char bytes[];
};

struct arena {
	struct block *blocks;
};

static const size_t block_size = 64 * 1024;

struct arena *arena_new(void)
{
	return memory_alloc(sizeof(struct arena));
}

struct arena *arena_free(struct arena *arena)
{
	struct block *block, *next;

	if (!arena)
		return NULL;
	for (block = arena->blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	free(arena);
	return NULL;
}

static struct block *block_new(size_t size)
{
	struct block *block = memory_alloc(sizeof(*block) + size);

	block->size = size;
	return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	size_t rounded = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	struct block *block = arena->blocks;
	void *result;

	if (!block || block->size - block->used < rounded) {
		block = block_new(rounded > block_size ? rounded : block_size);
		block->next = arena->blocks;
		arena->blocks = block;
	}
	result = block->bytes + block->used;
	block->used += rounded;
	return result;
}

char *arena_strndup(struct arena *arena, const char *bytes, size_t size)
{
	char *copy = arena_alloc(arena, size + 1);

	memcpy(copy, bytes, size);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *string)
{
	return arena_strndup(arena, string, strlen(string));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
	va_list again;
	char *result;
	int size;

	va_copy(again, args);
	size = vsnprintf(NULL, 0, format, again);
	va_end(again);
	result = arena_alloc(arena, (size_t)size + 1);
	vsnprintf(result, (size_t)size + 1, format, args);
	return result;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;
	char *result;

	va_start(args, format);
	result = arena_vprintf(arena, format, args);
	va_end(args);
	return result;
}
