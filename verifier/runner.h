/* A runner: one fresh, limited process that holds one program and runs it when told; used by judge and stopwatch. */
#ifndef STROP_VERIFIER_RUNNER_H
#define STROP_VERIFIER_RUNNER_H

#include "support/diag.h"

#include "judge.h"

struct runner;
/* Start a process for "program" at the judge's timing sizes with fresh inputs drawn from "seed". */
struct runner *runner_start(const struct judge *judge, const struct program *program, uint64_t seed, struct diag *diag);
struct runner *runner_stop(struct runner *runner);
/* Run the region "repeats" times back to back (restoring inputs that it changes outside the timed part when it must)
 * and set "*seconds" to the CPU time of one repeat in seconds (thread CPU clock; wall clock when the region is
 * parallel), "*wall" to the judge's own wall clock for the whole command. False when the process died, or when the first
 * timed runs left wrong results. */
bool runner_time(struct runner *runner, int repeats, double *seconds, double *wall);

/* The main function of a runner's process: argv is "runner", then what runner_start() passes. The program that uses the
 * judge calls it, as early as it can, when it is started under the prefix below. */
int runner_main(int argc, char **argv);
/* The command line's beginning that starts a runner's process, NULL-terminated; the default is { "/proc/self/exe",
 * "runner" }, which leads to a call of runner_main(argc - 1, argv + 1). "argv_prefix" must outlive all runners. */
void runner_set_program(const char *const argv_prefix[]);

#endif
