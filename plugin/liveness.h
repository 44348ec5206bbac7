/* What happens to a variable after a run of statements, on paths through the rest of its function. Conservative: "true"
 * when in doubt. */
#ifndef STROP_PLUGIN_LIVENESS_H
#define STROP_PLUGIN_LIVENESS_H

#include <stdbool.h>

#include "lift.h"

/* How a variable is met first: not at all, its value used, or overwritten on every path. */
enum first_use { USE_NONE, USE_READ, USE_KILLED };

/* Whether "cursor" or something in it names "decl". */
bool liveness_mentions(CXCursor cursor, CXCursor decl);
enum first_use liveness_first_use(struct arena *arena, const CXCursor *stmt, int n, CXCursor decl);
/* Whether the value that the variable "decl" has after the statements of "input" may be used. */
bool liveness_is_live_out(struct arena *arena, const struct lift_input *input, CXCursor decl);
/* Whether "decl" is mentioned anywhere after the statements (or before them in a loop around them). */
bool liveness_is_mentioned(struct arena *arena, const struct lift_input *input, CXCursor decl);

#endif
