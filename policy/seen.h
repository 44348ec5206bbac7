/* The plans that were proposed, by canonical text, so that none is proposed twice. */
#ifndef STROP_POLICY_SEEN_H
#define STROP_POLICY_SEEN_H

#include <stdbool.h>

#include "support/arena.h"

/* A zeroed struct is empty. */
struct seen {
	int n, capacity;
	const char **plan;
};

/* Add "plan", which must outlive "seen"; false when it is there already. */
bool seen_add(struct arena *arena, struct seen *seen, const char *plan);

#endif
