/* Processes that run programs for the judge: started, told what to run on which image, and given up when they hang. */
#ifndef STROP_VERIFIER_RUNNER_INTERNAL_H
#define STROP_VERIFIER_RUNNER_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "support/diag.h"

#include "build.h"
#include "image.h"
#include "runner.h"
#include "wire.h"

/* The judge's end of a runner's process; "errors" is what a sanitized program writes to standard error, -1 for others. For timing:
 * "is_cold" is what the next command asks for, "command_seconds" is what one run may take, "seed" that of its
 * inputs, "check" (may be NULL) tells whether what the process left in its buffers after the first timed runs is
 * right. */
struct runner {
	pid_t process;
	int socket, errors;
	bool is_alive, is_cold;
	double command_seconds;
	uint64_t seed;
	bool (*check)(struct runner *runner, void *context);
	void *context;
};

/* How a command ended: answered (see the reply), the process ended without an answer, or it was killed for time. */
enum call_end { CALL_ANSWERED, CALL_DIED, CALL_TIMEOUT };

/* What a process is for. In one that judges, memory that the program takes and does not give back can be counted; that makes malloc
 * slower, which one that times must not be. */
enum purpose { TO_JUDGE, TO_TIME };
/* The variable of the environment by which the C library is told so; the process removes it before the program is there. */
#define RUNNER_TUNABLES "GLIBC_TUNABLES"

/* Start a process that loads "program"; "cpu_seconds" and "memory" limit its whole life (0: no limit). */
struct runner *runner_spawn(const struct program *program, double cpu_seconds, size_t memory, enum purpose purpose, struct diag *diag);
/* What the process wrote to standard error, up to "size" - 1 bytes; "" when nothing is kept. */
void runner_errors(struct runner *runner, char *text, size_t size);
/* Send a command for "image" (NULL: none) and wait for the reply while the process uses at most "seconds" of CPU time,
 * and is silent for at most about ten times as long. */
enum call_end runner_call(struct runner *runner, enum wire_op op, uint32_t repeats, const struct image *image,
			  double seconds, struct wire_reply *reply);

#endif
