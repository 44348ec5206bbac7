/* A runner: one fresh, limited process that holds one program and runs it when told; used by judge and stopwatch. */
#ifndef STROP_VERIFIER_RUNNER_H
#define STROP_VERIFIER_RUNNER_H

#include <stdbool.h>
#include <sys/types.h>

#include "support/diag.h"

#include "judge.h"

struct runner;
/* Start a process for "program" at the judge's timing sizes with fresh inputs drawn from "seed". */
struct runner *runner_start(const struct judge *judge, const struct program *program, uint64_t seed, struct diag *diag);
struct runner *runner_stop(struct runner *runner);
/* What one command to time took, per repeat: "seconds" by the runner's own clock (CPU time of its thread, or wall time when
 * other threads worked too), with what timing costs taken off. For the whole command: "cpu" by the process's CPU clock, all
 * threads of it, and "wall", both read by the judge, where no program can reach them; they include restoring inputs. */
struct timing {
	double seconds, cpu, wall;
};
/* Run the region "repeats" times back to back, restoring inputs that it changes outside the timed part when it must; with
 * "is_cold" each run finds its arrays in no cache. False when the process died, or when the first timed runs left wrong
 * results. */
bool runner_time(struct runner *runner, int repeats, bool is_cold, struct timing *timing);
/* Let a single run take at most "seconds" from now on; longer ones end the process. */
void runner_limit(struct runner *runner, double seconds);
/* Its process. */
pid_t runner_process(const struct runner *runner);

/* The main function of a runner's process: argv is "runner", then what runner_start() passes. The program that uses the
 * judge calls it, as early as it can, when it is started under the prefix below. */
int runner_main(int argc, char **argv);
/* The command line's beginning that starts a runner's process, NULL-terminated; the default is { "/proc/self/exe",
 * "runner" }, which leads to a call of runner_main(argc - 1, argv + 1). "argv_prefix" must outlive all runners. */
void runner_set_program(const char *const argv_prefix[]);

#endif
