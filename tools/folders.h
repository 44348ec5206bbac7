/* Where strop keeps what is its own, by the XDG rules. */
#ifndef STROP_TOOLS_FOLDERS_H
#define STROP_TOOLS_FOLDERS_H

#include "support/arena.h"

/* $STROP_CACHE_DIR, else $XDG_CACHE_HOME/strop, else ~/.cache/strop. Nothing is created. */
const char *folders_cache(struct arena *arena);

#endif
