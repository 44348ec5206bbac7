/* The layers of the sandbox, a file each. Each function returns false when the system has no such thing. */
#ifndef STROP_VERIFIER_SANDBOX_INTERNAL_H
#define STROP_VERIFIER_SANDBOX_INTERNAL_H

#include "sandbox.h"

/* seccomp: which system calls raise SIGSYS; a second filter comes on top once the program is loaded (sandbox_filter.c). */
bool filter_enter(void);
bool filter_close(void);
/* Landlock: no file system at all, and no network (sandbox_spaces.c). */
bool files_close(void);
/* Landlock: of the file system only the programs and libraries of the system and what lies beneath the paths "readable"
 * (NULL-terminated; those that do not exist are passed over) can be read, and only what lies beneath "writable" (NULL: nothing) be
 * written; no network. */
bool files_enter(const char *const *readable, const char *writable);
/* Namespaces: users, network, System V objects and host names of its own. */
bool spaces_enter(void);

#endif
