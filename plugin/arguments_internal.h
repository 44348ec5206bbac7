/* A growing list of command line words, and how files and shells spell them. */
#ifndef STROP_PLUGIN_ARGUMENTS_INTERNAL_H
#define STROP_PLUGIN_ARGUMENTS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "support/arena.h"

/* "argv" holds "argc" words and, after each call below, a NULL behind them. Zeroed but for "arena" it is empty. */
struct arguments {
	struct arena *arena;
	int argc, capacity;
	const char **argv;
};

/* Append "word" itself (no copy). */
void arguments_add(struct arguments *list, const char *word);

/* Append the words of "text" as POSIX sh splits a plain command line: white space separates, ' and " and \ quote; no
 * expansions. */
void arguments_split_shell(struct arguments *list, const char *text);
/* Append the words of "text" as gcc reads a response file: as above, but a backslash quotes whatever follows it, within
 * quotes too. */
void arguments_split_response(struct arguments *list, const char *text);

/* Append "word", or if it is "@FILE" and FILE (relative to "directory") can be read, the words of that file, expanded in
 * turn; what nests deeper than 16 stays as it is, as do files that cannot be read (gcc does the same), and those beyond 2000
 * files or 16 MiB in all. */
void arguments_add_expanded(struct arguments *list, const char *directory, const char *word);

/* The absolute "path" with symbolic links resolved; when it does not exist, with "." and ".." taken out; in "arena". */
const char *path_resolve(struct arena *arena, const char *path);

#endif
