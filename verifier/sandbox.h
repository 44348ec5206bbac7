/* Limits that a runner's process puts on itself before it loads a program that nobody trusts. */
#ifndef STROP_VERIFIER_SANDBOX_H
#define STROP_VERIFIER_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/* Seconds of CPU time and bytes of address space for the whole life of the process (0: no limit). */
struct sandbox {
	double seconds;
	size_t memory;
};

/* Enter the sandbox: no new privileges, no core files, no files written, few descriptors, death with the parent, and
 * no forbidden system calls (these raise SIGSYS). Returns false when a limit cannot be set. */
bool sandbox_enter(const struct sandbox *sandbox);
/* Close it behind the program, once that is loaded: no file is opened any more (EACCES), no code is mapped, and what belongs to
 * the process as a whole (its folder, mask, timers and limits) stays as it is; trying to change it raises SIGSYS. False when the
 * system has no filters. */
bool sandbox_close(void);

#endif
