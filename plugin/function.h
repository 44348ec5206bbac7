/* Whole functions as regions: a file with a call of the function behind its last line, and the nest that the call stands for. */
#ifndef STROP_PLUGIN_FUNCTION_H
#define STROP_PLUGIN_FUNCTION_H

#include "region.h"

/* "text" is the file and, appended to it, a function with one statement, the call in bytes [begin, end). "nest" and "signature" are
 * those of the call: all params of the function are locals, and so is what takes its result. Where the function is more than one
 * lifted region between constants and a returned sum, the nest has no statements (nest_is_opaque()). */
struct function {
	const char *name;
	const char *text, *call;
	size_t size, begin, end, function_begin;
	const char *mode, *sizes;
	struct nest *nest;
	struct signature *signature;
};

/* Find "name" in the main file of "command", of which "unit" is the scan. NULL and a sentence when there is no such function
 * (EXIT_INPUT), or when a call of it cannot be judged (EXIT_INCONCLUSIVE). */
struct function *function_find(struct arena *arena, const struct unit *unit, const char *name, struct diag *diag);

#endif
