/* The arena of the fuzzed parsers: each piece is an allocation of its own, so that AddressSanitizer sees what passes its
 * end. It stands in for support/arena.c, whose pieces lie side by side in blocks. */
#include "support/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

/* The pieces, "n" of them, with room for "capacity". */
struct arena {
	void **piece;
	size_t n, capacity;
};

struct arena *arena_new(void)
{
	return memory_alloc(sizeof(struct arena));
}

struct arena *arena_free(struct arena *arena)
{
	if (!arena)
		return NULL;
	for (size_t i = 0; i < arena->n; i++)
		free(arena->piece[i]);
	free(arena->piece);
	free(arena);
	return NULL;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	if (arena->n == arena->capacity) {
		arena->capacity = 2 * arena->capacity + 64;
		arena->piece = memory_resize(arena->piece, arena->capacity * sizeof(*arena->piece));
	}
	return arena->piece[arena->n++] = memory_alloc(size);
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
	char *text, *copy;
	int size = vasprintf(&text, format, args);

	if (size < 0)
		abort();
	copy = arena_strndup(arena, text, (size_t)size);
	free(text);
	return copy;
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
