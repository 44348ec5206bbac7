#include "seen.h"

#include <string.h>

bool seen_add(struct arena *arena, struct seen *seen, const char *plan)
{
	for (int i = 0; i < seen->n; i++)
		if (strcmp(seen->plan[i], plan) == 0)
			return false;
	if (seen->n == seen->capacity) {
		const char **old = seen->plan;
		seen->capacity = seen->capacity ? 2 * seen->capacity : 64;
		seen->plan = ARENA_ARRAY(arena, const char *, seen->capacity);
		if (seen->n)
			memcpy(seen->plan, old, sizeof *old * (size_t)seen->n);
	}
	seen->plan[seen->n++] = plan;
	return true;
}
