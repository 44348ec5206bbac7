/* The processor's event counters for another process, where the system has them: read from outside, so that a program
 * can neither see nor change them. */
#ifndef STROP_PROFILER_COUNTERS_H
#define STROP_PROFILER_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* COUNTER(NAME, "name") of everything counted, in user mode. */
#define COUNTER_TABLE(COUNTER)                                                                                             \
	COUNTER(CYCLES, "cycles")                                                                                          \
	COUNTER(INSTRUCTIONS, "instructions")                                                                              \
	COUNTER(L1_MISSES, "l1_misses")                                                                                    \
	COUNTER(LLC_MISSES, "llc_misses")                                                                                  \
	COUNTER(BRANCH_MISSES, "branch_misses")                                                                            \
	COUNTER(PAGE_FAULTS, "page_faults")

enum counter {
#define COUNTER(name, spelling) COUNTER_##name,
	COUNTER_TABLE(COUNTER)
#undef COUNTER
	COUNTER_COUNT
};
const char *counter_name(enum counter counter);

/* Events by counter; negative where the machine does not count them. */
struct counts {
	double value[COUNTER_COUNT];
};

struct counters;
/* Count "process" (0: this one), all threads that it starts from now on. Never NULL: what cannot be counted is not. */
struct counters *counters_open(pid_t process);
struct counters *counters_close(struct counters *counters);
/* What was counted since opening. Scaled where the processor had to take turns. */
struct counts counters_read(const struct counters *counters);

/* One sentence for people: which of them this machine has, and why it lacks the others. */
void counters_describe(char *sentence, size_t size);

#endif
