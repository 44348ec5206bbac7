/* The real compile command of a file: where it runs and which arguments it has. */
#ifndef STROP_PLUGIN_COMMAND_H
#define STROP_PLUGIN_COMMAND_H

#include <stdbool.h>

#include "support/arena.h"
#include "support/diag.h"

/* "file" and "directory" are absolute; argv[0] is the compiler; response files are expanded; the source file's own
 * argument is argv[source]; "-c" and "-o X" are kept as they are. "is_cuda" for .cu files or -x cu. */
struct command {
	const char *directory;
	const char *file;
	int argc;
	const char **argv;
	int source;
	bool is_cuda;
};

struct command_list {
	int n;
	struct command *command;
};

/* The commands for "files" (n of them; all entries of C, C++ and CUDA sources when n is 0) from the
 * compile_commands.json in "build". Each file once. Fails with a sentence when the database is missing or broken, or
 * does not list a file. */
enum status command_load(struct arena *arena, const char *build, int n, char *const *files, struct command_list *list,
			 struct diag *diag);
/* Commands made of "files" and the flags after "--" (compiler: flags[0] if it does not start with '-', else $CC or cc). */
enum status command_make(struct arena *arena, int n, char *const *files, int n_flag, char *const *flags,
			 struct command_list *list, struct diag *diag);

#endif
