/* Timing within a runner's process: runs back to back or one by one, less what the timing itself costs, with warm or
 * cold caches. What it says is checked from outside (see runner_time()), since a program could reach these clocks. */
#ifndef STROP_VERIFIER_RUNNER_CLOCK_H
#define STROP_VERIFIER_RUNNER_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "run" is called with "slot". "prepare", when it is not NULL, puts everything back as it was before each run, which then
 * are timed one by one. */
struct clocked {
	void (*run)(void *const *slot);
	void *const *slot;
	void (*prepare)(void);
};

/* Learn what timing costs, by timing a function that does nothing along the same paths. Call once before clock_runs(). */
void clock_calibrate(void);
/* Seconds that "repeats" (> 0) runs took in all: CPU time of this thread, or wall time where other threads worked too. */
double clock_runs(const struct clocked *clocked, uint32_t repeats);
/* Put "bytes" at "start" out of all caches, or as far out as this processor allows. */
void clock_evict(const void *start, size_t bytes);
/* Put what the caches close to the core hold out of them, by reading twice as much as the second level holds. */
void clock_evict_near(void);

#endif
