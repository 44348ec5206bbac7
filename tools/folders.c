#include "folders.h"

#include <stdlib.h>

const char *folders_cache(struct arena *arena)
{
	const char *own = getenv("STROP_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (own && *own)
		return arena_strdup(arena, own);
	if (xdg && xdg[0] == '/')
		return arena_printf(arena, "%s/strop", xdg);
	return arena_printf(arena, "%s/.cache/strop", home && *home ? home : "/tmp");
}
