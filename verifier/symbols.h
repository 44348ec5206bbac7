/* What a shared object takes from others, as its own table of symbols says. */
#ifndef STROP_VERIFIER_SYMBOLS_H
#define STROP_VERIFIER_SYMBOLS_H

#include <stdbool.h>

#include "support/arena.h"
#include "support/diag.h"

/* Give the first name that the 64-bit object in "path" uses without defining it and for which "is_wanted" answers yes; NULL where there
 * is none, or the file is no such object. Fails when the file cannot be read. */
enum status symbols_find(struct arena *arena, const char *path, bool (*is_wanted)(const char *name), const char **name,
			 struct diag *diag);

#endif
