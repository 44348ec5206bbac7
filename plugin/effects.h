/* What a function does besides computing its result and what its pointers lead to. */
#ifndef STROP_PLUGIN_EFFECTS_H
#define STROP_PLUGIN_EFFECTS_H

#include "support/arena.h"

#include "libclang_internal.h"

/* Why a call of "function" (a definition) may leave or find something that its arguments do not lead to: a variable that
 * outlives the call, a function whose body is not in the unit, inline assembly. It looks into the functions that it calls. NULL
 * when there is nothing of the kind; else a sentence about the function, in "arena". */
const char *effects_find(struct arena *arena, CXCursor function);

#endif
