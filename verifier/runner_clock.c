#include "runner_clock.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

enum { CALIBRATIONS = 64, EMPTY_REPEATS = 256, NEAR_MOST = 16 << 20, LINE = 64 };
/* Shorter runs are timed by the wall clock, which needs no system call. */
static const double SHORT_SECONDS = 5e-5;

/* What timing costs, in seconds: of a whole batch in CPU and in wall time, of each call in it, and of a short run alone. */
static struct {
	double batch_cpu, batch_wall, call, alone;
} cost;

static double now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* What the clocks saw of a batch. */
struct batch {
	double cpu, wall;
	bool is_shared;
};

static struct batch time_batch(const struct clocked *clocked, uint32_t repeats)
{
	void (*const run)(void *const *slot) = clocked->run;
	double cpu = now(CLOCK_THREAD_CPUTIME_ID), process = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
	uint32_t i;

	for (i = 0; i < repeats; i++)
		run(clocked->slot);
	wall = now(CLOCK_MONOTONIC) - wall;
	process = now(CLOCK_PROCESS_CPUTIME_ID) - process;
	cpu = now(CLOCK_THREAD_CPUTIME_ID) - cpu;
	return (struct batch){cpu, wall, process > 1.05 * cpu + 1e-5};
}

static double time_alone(const struct clocked *clocked)
{
	double start = now(CLOCK_MONOTONIC);

	clocked->run(clocked->slot);
	return now(CLOCK_MONOTONIC) - start;
}

static __attribute__((noinline)) void run_nothing(void *const *slot)
{
	__asm__ volatile("" : : "r"(slot) : "memory");
}

/* The least of many counts: no more is taken off than timing costs at least, so that what is left of it in both sides of a
 * comparison moves the ratio towards one. */
void clock_calibrate(void)
{
	const struct clocked nothing = {.run = run_nothing};
	double many = 1;
	int i;

	cost.batch_cpu = cost.batch_wall = cost.alone = 1;
	for (i = 0; i < CALIBRATIONS; i++) {
		struct batch none = time_batch(&nothing, 0), batch = time_batch(&nothing, EMPTY_REPEATS);

		cost.batch_cpu = fmin(cost.batch_cpu, none.cpu);
		cost.batch_wall = fmin(cost.batch_wall, none.wall);
		cost.alone = fmin(cost.alone, time_alone(&nothing));
		many = fmin(many, batch.wall);
	}
	cost.call = fmax(0, many - cost.batch_wall) / EMPTY_REPEATS;
}

static double time_together(const struct clocked *clocked, uint32_t repeats)
{
	struct batch batch = time_batch(clocked, repeats);
	double seconds = batch.is_shared ? batch.wall - cost.batch_wall : batch.cpu - cost.batch_cpu;

	return fmax(0, seconds - repeats * cost.call);
}

double clock_runs(const struct clocked *clocked, uint32_t repeats)
{
	double total = 0, last = 1;
	uint32_t i;

	if (!clocked->prepare)
		return time_together(clocked, repeats);
	for (i = 0; i < repeats; i++) {
		clocked->prepare();
		last = last > SHORT_SECONDS ? time_together(clocked, 1) : fmax(0, time_alone(clocked) - cost.alone);
		total += last;
	}
	return total;
}

#if defined(__x86_64__)
void clock_evict(const void *start, size_t bytes)
{
	const char *at = start;
	size_t i;

	for (i = 0; i < bytes; i += LINE)
		__builtin_ia32_clflush(at + i);
	__builtin_ia32_mfence();
}
#else
void clock_evict(const void *start, size_t bytes)
{
	(void)start;
	(void)bytes;
}
#endif

void clock_evict_near(void)
{
	static volatile char other[NEAR_MOST];
	long size = 2 * sysconf(_SC_LEVEL2_CACHE_SIZE);
	long bytes = size > 0 && size < NEAR_MOST ? size : NEAR_MOST, i;

	for (i = 0; i < bytes; i += LINE)
		other[i]++;
}
