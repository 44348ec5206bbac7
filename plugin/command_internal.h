/* What libclang must be told to see a file as its compiler does. */
#ifndef STROP_PLUGIN_COMMAND_INTERNAL_H
#define STROP_PLUGIN_COMMAND_INTERNAL_H

#include "arguments_internal.h"
#include "command.h"

enum language { LANGUAGE_NONE, LANGUAGE_C, LANGUAGE_CXX, LANGUAGE_CUDA };

/* The language that the ending of "path" says it is in; LANGUAGE_NONE for anything but sources. */
enum language language_find(const char *path);

/* Append to "list" the full command line, "clang" first and the source file last, that makes libclang parse the unit of
 * "command" as its compiler would: what changes the meaning of the text is kept (macros, include paths, language,
 * target, floating point and sign modes), all else is dropped, for clang does not know much of what gcc and nvcc take. The
 * pragmas of OpenMP stay pragmas: -fopenmp is dropped, but _OPENMP is defined and omp.h found. */
void command_parse_arguments(const struct command *command, const char *resource_dir, struct arguments *list);

/* Make "command" of the words "list", which run in "directory" and compile "file" (absolute, resolved); false if none of
 * them is "file". */
bool command_fill(struct arena *arena, const struct arguments *list, const char *directory, const char *file,
		  struct command *command);

#endif
