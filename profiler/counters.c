#include "counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/memory.h"

/* Descriptors, -1 where there is none; "error" is why the first that is missing is missing. */
struct counters {
	int fd[COUNTER_COUNT];
	int error;
};

#define CACHE_MISS(cache) ((cache) | PERF_COUNT_HW_CACHE_OP_READ << 8 | PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

static const struct {
	uint32_t type;
	uint64_t config;
} events[COUNTER_COUNT] = {
	[COUNTER_CYCLES] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	[COUNTER_INSTRUCTIONS] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	[COUNTER_L1_MISSES] = { PERF_TYPE_HW_CACHE, CACHE_MISS(PERF_COUNT_HW_CACHE_L1D) },
	[COUNTER_LLC_MISSES] = { PERF_TYPE_HW_CACHE, CACHE_MISS(PERF_COUNT_HW_CACHE_LL) },
	[COUNTER_BRANCH_MISSES] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	[COUNTER_PAGE_FAULTS] = { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
};

const char *counter_name(enum counter counter)
{
	static const char *const names[COUNTER_COUNT] = {
#define COUNTER(name, spelling) [COUNTER_##name] = spelling,
		COUNTER_TABLE(COUNTER)
#undef COUNTER
	};
	return names[counter];
}

static int open_event(enum counter counter, pid_t process)
{
	struct perf_event_attr attributes = {
		.type = events[counter].type,
		.size = sizeof attributes,
		.config = events[counter].config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.inherit = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	return (int)syscall(SYS_perf_event_open, &attributes, process, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

struct counters *counters_open(pid_t process)
{
	struct counters *counters = memory_alloc(sizeof *counters);

	counters->error = 0;
	for (int i = 0; i < COUNTER_COUNT; i++) {
		counters->fd[i] = open_event((enum counter)i, process);
		if (counters->fd[i] < 0 && !counters->error)
			counters->error = errno;
	}
	return counters;
}

struct counters *counters_close(struct counters *counters)
{
	if (!counters)
		return NULL;
	for (int i = 0; i < COUNTER_COUNT; i++)
		if (counters->fd[i] >= 0)
			close(counters->fd[i]);
	free(counters);
	return NULL;
}

/* An event's count, negative when it was never on the processor. */
static double read_event(int fd)
{
	struct {
		uint64_t value, enabled, running;
	} event;

	if (fd < 0 || read(fd, &event, sizeof event) != (ssize_t)sizeof event)
		return -1;
	if (event.running == 0)
		return event.enabled == 0 ? 0 : -1;
	return (double)event.value * ((double)event.enabled / (double)event.running);
}

struct counts counters_read(const struct counters *counters)
{
	struct counts counts;

	for (int i = 0; i < COUNTER_COUNT; i++)
		counts.value[i] = read_event(counters->fd[i]);
	return counts;
}

void counters_describe(char *sentence, size_t size)
{
	struct counters *counters = counters_open(0);
	size_t used = 0;

	sentence[0] = '\0';
	for (int i = 0; i < COUNTER_COUNT; i++)
		if (counters->fd[i] >= 0 && used < size)
			used += (size_t)snprintf(sentence + used, size - used, "%s%s", used ? ", " : "", counter_name((enum counter)i));
	if (counters->error && used < size)
		snprintf(sentence + used, size - used, "%sno others (%s)", used ? "; " : "", strerror(counters->error));
	counters_close(counters);
}
