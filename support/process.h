/* Running other programs: bounded in time, output and memory, in a process group of their own unless they share our
 * terminal. */
#ifndef STROP_SUPPORT_PROCESS_H
#define STROP_SUPPORT_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"
#include "text.h"

/* What to run: argv ends with NULL; argv[0] is looked up on PATH. "directory" NULL: the working directory. "environment"
 * (NULL-terminated "NAME=value" strings, may be NULL) is added to ours; "NAME" alone removes it. "seconds" of wall time (0:
 * no limit), "memory" bytes of address space and "file_size" bytes of each file that is written (0: no limit). "output" and "errors" collect standard output and
 * error when not NULL (both may be the same text), else they go to /dev/null, or are inherited with "inherit". "confine" (may be NULL) is
 * called with "context" in the new process, in its directory, before the program starts there. */
struct process {
	const char *const *argv;
	const char *directory;
	const char *const *environment;
	double seconds;
	size_t memory, file_size;
	struct text *output, *errors;
	bool inherit;
	bool (*confine)(const void *context);
	const void *context;
};

/* How it ended: exit status (127: not found), or the signal; "timed_out" when it was killed for time. */
struct process_end {
	int status;
	int signal;
	bool timed_out;
	double seconds;
};

/* Run to the end. STATUS_FAILED only when the process cannot be started or an interrupt (process_interrupt) came. */
enum status process_run(const struct process *process, struct process_end *end, struct diag *diag);

/* Ask running and future process_run() calls to end (async-signal-safe); for Ctrl-C. */
void process_interrupt(void);
bool process_is_interrupted(void);

/* "status" as it is, or STATUS_FAILED with EXIT_INTERRUPTED once an interrupt came: waits are cut short then, and what a step made
 * of that, be it a failure or a result, is not so. */
enum status process_finish(enum status status, struct diag *diag);

#endif
