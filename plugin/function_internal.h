/* What the readings of a function share. */
#ifndef STROP_PLUGIN_FUNCTION_INTERNAL_H
#define STROP_PLUGIN_FUNCTION_INTERNAL_H

#include "function.h"
#include "libclang_internal.h"

/* Let "function" stand for a call of definition "decl" whose loops are not known: a nest of its params and its result, without
 * statements. Fails (EXIT_INCONCLUSIVE) when a parameter is neither a number nor a pointer to numbers, or the function does more
 * than compute from its parameters. */
enum status function_read_whole(struct arena *arena, const struct unit *unit, CXCursor decl, struct function *function,
				struct diag *diag);

#endif
