#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"

static void *check(void *memory, size_t size)
{
	if (!memory) {
		fprintf(stderr, "strop: out of memory asking for %zu bytes; nothing was changed\n", size);
		_Exit(EXIT_MACHINE);
	}
	return memory;
}

void *memory_alloc(size_t size)
{
	return check(calloc(1, size ? size : 1), size);
}

void *memory_resize(void *old, size_t size)
{
	return check(realloc(old, size ? size : 1), size);
}

char *memory_strdup(const char *string)
{
	size_t size = strlen(string) + 1;

	return memcpy(memory_alloc(size), string, size);
}
