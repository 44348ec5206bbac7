/* Command-line options from one table per command, which also makes its --help. */
#ifndef STROP_SUPPORT_OPTIONS_H
#define STROP_SUPPORT_OPTIONS_H

#include <stdbool.h>

#include "diag.h"

/* What an option's value becomes: "target" points to a bool, a const char *, an int64_t, or for OPTION_LIST to a struct
 * option_list with room for LIST_MAX strings. */
enum option_kind { OPTION_FLAG, OPTION_STRING, OPTION_INTEGER, OPTION_LIST };
enum { OPTION_LIST_MAX = 64 };
struct option_list {
	int n;
	const char *value[OPTION_LIST_MAX];
};

/* "name" is "--budget" or "-p"; "value" the placeholder in the help, NULL for flags. */
struct option {
	const char *name;
	enum option_kind kind;
	void *target;
	const char *value, *sentence;
};

/* A command for --help: how it is called, what it does (one paragraph), and an example with real arguments. */
struct usage {
	const char *call, *about, *example;
	int n_option;
	const struct option *option;
};

/* What is left after the options: "file" (n of them), and what stood after "--" ("rest", n_rest). "help" was asked for and
 * has been printed. */
struct arguments {
	int n_file, n_rest;
	char **file, **rest;
	bool has_rest, help;
};

/* Parse argv[1..]; "--name=value" and "--name value" both work. Words are compacted to the front of argv. */
enum status options_parse(const struct usage *usage, int argc, char **argv, struct arguments *arguments,
			  struct diag *diag);
void usage_print(const struct usage *usage);

#endif
