/* Limits that a runner's process puts on itself before it loads a program that nobody trusts. */
#ifndef STROP_VERIFIER_SANDBOX_H
#define STROP_VERIFIER_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/* Seconds of CPU time and bytes of address space for the whole life of the process (0: no limit), and what may be
 * read while the program is loaded, besides the system's own libraries (NULL-terminated). */
struct sandbox {
	double seconds;
	size_t memory;
	const char *const *readable;
};

/* What it is made of, each of which holds by itself. */
enum sandbox_layer { LAYER_LIMITS, LAYER_PRIVILEGES, LAYER_FILTER, LAYER_FILES, LAYER_SPACES, LAYER_COUNT };
const char *sandbox_layer_name(enum sandbox_layer layer);
const char *sandbox_layer_sentence(enum sandbox_layer layer);
/* Whether this system lets a process enter the layer; tried in a process of its own. */
bool sandbox_has(enum sandbox_layer layer);

/* From now on nothing that is not trusted runs outside the sandbox, compilers included, even where it cannot be used otherwise. */
void sandbox_demand(void);
bool sandbox_is_demanded(void);

/* Enter the sandbox: limits, no new privileges, death with the parent, namespaces, and no forbidden system calls (these raise
 * SIGSYS). Layers that the system lacks are left out, but for the first two: false when one of these cannot be had. */
bool sandbox_enter(const struct sandbox *sandbox);
/* Close it behind the program, once that is loaded: no file is opened any more (EACCES), no code is mapped, and what belongs to
 * the process as a whole (its folder, mask, timers and limits) stays as it is; trying to change it raises SIGSYS. */
void sandbox_close(void);
/* What holds a compiler, which reads texts that nobody trusts: it reads "readable" and the system's own files, writes beneath
 * "writable", and reaches no network. False when the system has no such thing. */
bool sandbox_confine(const char *const *readable, const char *writable);

#endif
