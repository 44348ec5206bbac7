/* OpenMP on POSIX threads, as far as gcc calls it, compiled along with a program whose races are looked for: the library that does it
 * otherwise is not built for that, so that its barriers would not be seen.
 *
 * The text itself is not instrumented. So what it does with semaphores, barriers and mutexes is seen as order between threads, and
 * what it does with atomics and plain memory is not; the former is used where OpenMP promises order (fork, join, barrier, critical,
 * ordered, locks, tasks that wait), the latter everywhere else. What a team may leave open is decided so that races show on a single
 * processor too: each thread gets every n-th chunk of a dynamic loop and every n-th section, threads take turns in being the single
 * one, tasks have threads of their own. There are four threads unless the program asks for another number. Parallel regions within
 * parallel regions have one thread. */
#include "races_internal.h"

#include <stddef.h>

static const char head[] =
	"#include <pthread.h>\n"
	"#include <sched.h>\n"
	"#include <semaphore.h>\n"
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"#include <time.h>\n"
	"#include <unistd.h>\n"
	"#define UNCHECKED \"" RACES_UNCHECKED "\"\n"
	/* Loops of a kind whose chunks have the length "chunk", which may be an argument ("GIVEN") or 1. */
	"#define GIVEN(type) , type chunk\n"
	"#define ONE(type)\n"
	"#define LOOP(kind, more, chunk, is_ordered) "
	"_Bool GOMP_loop_##kind##_start(long start, long end, long step more(long), long *from, long *to)"
	"{ loop_start(loop_of(start, end, step, chunk), is_ordered); return loop_next_long(from, to); } "
	"_Bool GOMP_loop_##kind##_next(long *from, long *to) { return loop_next_long(from, to); } "
	"_Bool GOMP_loop_ull_##kind##_start(_Bool up, ull start, ull end, ull step more(ull), ull *from, ull *to)"
	"{ loop_start(loop_of_ull(up, start, end, step, chunk), is_ordered); return loop_next(from, to); } "
	"_Bool GOMP_loop_ull_##kind##_next(ull *from, ull *to) { return loop_next(from, to); }\n"
	"#define PARALLEL_LOOP(kind, more, chunk) LOOP(kind, more, chunk, 0) "
	"void GOMP_parallel_loop_##kind(void (*run)(void *), void *data, unsigned n, long start, long end, long step more(long), unsigned flags)"
	"{ struct loop loop = loop_of(start, end, step, chunk); (void)flags; parallel(run, data, n, &loop, 0); }\n"
	"#define TASKLOOP(name, type, trips) "
	"void name(void (*run)(void *), void *data, void (*copy)(void *, void *), long size, long align, unsigned flags, unsigned long n, "
	"int priority, type start, type end, type step)"
	"{ ull trip = trips; (void)priority; taskloop(run, data, copy, size, align, flags, n, trip, (ull)start, (ull)step); }\n";

static const char teams[] = RACES_TEXT(
	typedef unsigned long long ull;
	enum { USUAL = 4, MOST = 64 };

	/* Trips [0, n) in chunks, of which the one after the next to do is "at"; "first" is the ticket of chunk 0 among all ordered
	 * chunks of the team. */
	struct loop { ull start; ull end; ull step; ull n; ull chunk; ull at; ull first; _Bool is_ordered; _Bool is_begun; };
	struct group { struct group *outer; };
	struct team { int n; ull region; pthread_barrier_t in; pthread_barrier_t out; void *copied; ull turn; struct task *tasks; int live; int deferred; };
	struct member {
		struct team *team; int number; _Bool is_parallel; _Bool is_final; ull singles; ull tickets; int section; int sections;
		struct loop loop; struct group *group;
	};
	struct worker { pthread_t thread; sem_t start; sem_t done; void (*run)(void *); void *data; struct member member; };

	static struct worker worker[MOST];
	static int n_worker = 1; static int is_taken; static int wanted = USUAL; static ull regions;
	static struct team alone = { .n = 1 };
	static __thread struct member *self; static __thread struct member solo;

	static void finish_tasks(struct team *team);
	static void free_tasks(struct team *team);

	static void give_up(const char *what)
	{
		if (write(2, UNCHECKED, strlen(UNCHECKED)) < 0 || write(2, what, strlen(what)) < 0 || write(2, "\n", 1) < 0)
			_exit(8);
		_exit(9);
	}

	static void await(sem_t *semaphore)
	{
		while (sem_wait(semaphore) != 0)
			;
	}

	static struct member *me(void)
	{
		if (!self) {
			solo.team = &alone;
			self = &solo;
		}
		return self;
	}

	static void hold(int *lock)
	{
		while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
			sched_yield();
	}

	static void release(int *lock)
	{
		__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
	}

	/* Let others come first now and then. */
	static void dawdle(void)
	{
		static __thread unsigned state = 1;
		state = state * 1664525 + 1013904223;
		if (state >> 30 == 0)
			sched_yield();
	}

	static void *work(void *of)
	{
		struct worker *const own = of;
		for (;;) {
			await(&own->start);
			self = &own->member;
			own->run(own->data);
			sem_post(&own->done);
		}
		return NULL;
	}

	static void hire(int n)
	{
		for (; n_worker < n; n_worker++) {
			struct worker *const next = &worker[n_worker];
			sem_init(&next->start, 0, 0);
			sem_init(&next->done, 0, 0);
			if (pthread_create(&next->thread, NULL, work, next) != 0)
				give_up("no more threads");
		}
	}

	static struct member member_of(struct team *team, int number, const struct loop *loop, int sections)
	{
		struct member member = { .team = team, .number = number, .is_parallel = 1, .section = number, .sections = sections };
		if (loop)
			member.loop = *loop;
		member.loop.at = (ull)number;
		return member;
	}

	static void parallel(void (*run)(void *), void *data, unsigned asked, const struct loop *loop, int sections)
	{
		struct member *const outer = me();
		int n = asked ? (int)asked : wanted;
		n = n > MOST ? MOST : n;
		if (n > 1 && (outer->is_parallel || __atomic_exchange_n(&is_taken, 1, __ATOMIC_ACQUIRE)))
			n = 1;
		struct team team = { .n = n };
		struct member own = member_of(&team, 0, loop, sections);
		own.is_parallel = n > 1 || outer->is_parallel;
		if (n > 1) {
			team.region = regions++;
			hire(n);
			pthread_barrier_init(&team.in, NULL, (unsigned)n);
			pthread_barrier_init(&team.out, NULL, (unsigned)n);
		}
		for (int i = 1; i < n; i++) {
			struct worker *const next = &worker[1 + (i + team.region) % (ull)(n - 1)];
			next->run = run;
			next->data = data;
			next->member = member_of(&team, (int)(next - worker), loop, sections);
			sem_post(&next->start);
		}
		for (ull i = 0; n > 1 && i < team.region % 3; i++)
			sched_yield();
		self = &own;
		run(data);
		for (int i = 1; i < n; i++)
			await(&worker[i].done);
		finish_tasks(&team);
		free_tasks(&team);
		self = outer;
		if (n > 1) {
			pthread_barrier_destroy(&team.in);
			pthread_barrier_destroy(&team.out);
			release(&is_taken);
		}
	}

	/* Two barriers, so that who leaves late does not wait for what others did since. */
	static void barrier(void)
	{
		struct member *const own = me();
		if (own->team->n == 1) {
			finish_tasks(own->team);
			return;
		}
		pthread_barrier_wait(&own->team->in);
		if (own->number == 0)
			finish_tasks(own->team);
		pthread_barrier_wait(&own->team->out);
	}

	void GOMP_parallel(void (*run)(void *), void *data, unsigned n, unsigned flags)
	{
		(void)flags;
		parallel(run, data, n, NULL, 0);
	}

	void GOMP_parallel_sections(void (*run)(void *), void *data, unsigned n, unsigned count, unsigned flags)
	{
		(void)flags;
		parallel(run, data, n, NULL, (int)count);
	}

	void GOMP_barrier(void)
	{
		barrier();
	}

	_Bool GOMP_barrier_cancel(void)
	{
		barrier();
		return 0;
	}

	_Bool GOMP_cancel(int which, _Bool wanted_so)
	{
		(void)which;
		(void)wanted_so;
		return 0;
	}

	_Bool GOMP_cancellation_point(int which)
	{
		(void)which;
		return 0;
	}
);

static const char sharing[] = RACES_TEXT(
	static struct loop loop_of_ull(_Bool up, ull start, ull end, ull step, ull chunk)
	{
		struct loop loop = { .start = start, .end = end, .step = step };
		if (up && start < end)
			loop.n = (end - start - 1) / step + 1;
		else if (!up && start > end)
			loop.n = (start - end - 1) / -step + 1;
		loop.chunk = chunk ? chunk : (loop.n + (ull)me()->team->n - 1) / (ull)me()->team->n;
		return loop;
	}

	static struct loop loop_of(long start, long end, long step, long chunk)
	{
		struct loop loop = { .start = (ull)start, .end = (ull)end, .step = (ull)step };
		if (step > 0 && start < end)
			loop.n = ((ull)end - (ull)start - 1) / (ull)step + 1;
		else if (step < 0 && start > end)
			loop.n = ((ull)start - (ull)end - 1) / -(ull)step + 1;
		loop.chunk = chunk > 0 ? (ull)chunk : (loop.n + (ull)me()->team->n - 1) / (ull)me()->team->n;
		return loop;
	}

	static void loop_start(struct loop loop, _Bool is_ordered)
	{
		struct member *const own = me();
		own->loop = loop;
		own->loop.is_ordered = is_ordered;
		own->loop.at = (ull)own->number;
		own->loop.first = own->tickets;
		if (is_ordered && loop.n)
			own->tickets += (loop.n - 1) / loop.chunk + 1;
	}

	static void await_turn(struct member *own)
	{
		const ull ticket = own->loop.first + own->loop.at - (ull)own->team->n;
		while (__atomic_load_n(&own->team->turn, __ATOMIC_ACQUIRE) != ticket)
			sched_yield();
	}

	static void pass_turn(struct member *own)
	{
		if (!own->loop.is_ordered || !own->loop.is_begun)
			return;
		await_turn(own);
		own->loop.is_begun = 0;
		__atomic_fetch_add(&own->team->turn, 1, __ATOMIC_RELEASE);
	}

	static _Bool loop_next(ull *from, ull *to)
	{
		struct member *const own = me();
		struct loop *const loop = &own->loop;
		pass_turn(own);
		if (loop->n == 0 || loop->at > (loop->n - 1) / loop->chunk)
			return 0;
		const ull begin = loop->at * loop->chunk;
		*from = loop->start + begin * loop->step;
		*to = loop->n - begin <= loop->chunk ? loop->end : *from + loop->chunk * loop->step;
		loop->at += (ull)own->team->n;
		loop->is_begun = 1;
		return 1;
	}

	static _Bool loop_next_long(long *from, long *to)
	{
		ull begin;
		ull end;
		if (!loop_next(&begin, &end))
			return 0;
		*from = (long)begin;
		*to = (long)end;
		return 1;
	}

	PARALLEL_LOOP(static, GIVEN, chunk)
	PARALLEL_LOOP(dynamic, GIVEN, chunk)
	PARALLEL_LOOP(guided, GIVEN, chunk)
	PARALLEL_LOOP(nonmonotonic_dynamic, GIVEN, chunk)
	PARALLEL_LOOP(nonmonotonic_guided, GIVEN, chunk)
	PARALLEL_LOOP(runtime, ONE, 1)
	PARALLEL_LOOP(nonmonotonic_runtime, ONE, 1)
	PARALLEL_LOOP(maybe_nonmonotonic_runtime, ONE, 1)
	LOOP(ordered_static, GIVEN, chunk, 1)
	LOOP(ordered_dynamic, GIVEN, chunk, 1)
	LOOP(ordered_guided, GIVEN, chunk, 1)
	LOOP(ordered_runtime, ONE, 1, 1)

	void GOMP_loop_end_nowait(void)
	{
		pass_turn(me());
	}

	void GOMP_loop_end(void)
	{
		pass_turn(me());
		barrier();
	}

	_Bool GOMP_loop_end_cancel(void)
	{
		GOMP_loop_end();
		return 0;
	}

	static pthread_mutex_t in_order = PTHREAD_MUTEX_INITIALIZER;

	void GOMP_ordered_start(void)
	{
		if (me()->loop.is_ordered && me()->loop.is_begun)
			await_turn(me());
		pthread_mutex_lock(&in_order);
	}

	void GOMP_ordered_end(void)
	{
		pthread_mutex_unlock(&in_order);
	}

	unsigned GOMP_sections_next(void)
	{
		struct member *const own = me();
		const int section = own->section;
		if (section >= own->sections)
			return 0;
		own->section += own->team->n;
		return (unsigned)section + 1;
	}

	unsigned GOMP_sections_start(unsigned count)
	{
		me()->section = me()->number;
		me()->sections = (int)count;
		return GOMP_sections_next();
	}

	void GOMP_sections_end(void)
	{
		barrier();
	}

	_Bool GOMP_sections_end_cancel(void)
	{
		barrier();
		return 0;
	}

	void GOMP_sections_end_nowait(void)
	{
	}

	_Bool GOMP_single_start(void)
	{
		struct member *const own = me();
		return (own->team->region + own->singles++) % (ull)own->team->n == (ull)own->number;
	}

	void *GOMP_single_copy_start(void)
	{
		if (GOMP_single_start())
			return NULL;
		barrier();
		return me()->team->copied;
	}

	void GOMP_single_copy_end(void *data)
	{
		me()->team->copied = data;
		barrier();
	}
);

static const char locks[] = RACES_TEXT(
	enum { LOCKS = 16384, NAMES = 256 };
	static pthread_mutex_t unnamed = PTHREAD_MUTEX_INITIALIZER;
	static pthread_mutex_t atomics = PTHREAD_MUTEX_INITIALIZER;
	static pthread_mutex_t by_name[NAMES];
	static int n_name;
	static struct lock { pthread_mutex_t mutex; int depth; } lock[LOCKS];
	static int n_lock;

	void GOMP_critical_start(void)
	{
		dawdle();
		pthread_mutex_lock(&unnamed);
	}

	void GOMP_critical_end(void)
	{
		pthread_mutex_unlock(&unnamed);
	}

	/* Mutexes that are in place from the start: nobody's first use of one is another's. */
	static pthread_mutex_t *named(void **name)
	{
		size_t number = (size_t)__atomic_load_n(name, __ATOMIC_ACQUIRE);
		void *none = NULL;
		if (number == 0) {
			number = (size_t)__atomic_add_fetch(&n_name, 1, __ATOMIC_ACQ_REL);
			if (!__atomic_compare_exchange_n(name, &none, (void *)number, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
				number = (size_t)none;
		}
		if (number >= NAMES)
			give_up("it has too many critical sections");
		return &by_name[number];
	}

	void GOMP_critical_name_start(void **name)
	{
		dawdle();
		pthread_mutex_lock(named(name));
	}

	void GOMP_critical_name_end(void **name)
	{
		pthread_mutex_unlock(named(name));
	}

	void GOMP_atomic_start(void)
	{
		dawdle();
		pthread_mutex_lock(&atomics);
	}

	void GOMP_atomic_end(void)
	{
		pthread_mutex_unlock(&atomics);
	}

	/* A mutex that nobody had before: between its users of then and now there would be no order. */
	static void lock_new(int *number, int kind)
	{
		pthread_mutexattr_t attributes;
		const int i = __atomic_fetch_add(&n_lock, 1, __ATOMIC_ACQ_REL);
		if (i >= LOCKS)
			give_up("it makes too many locks");
		pthread_mutexattr_init(&attributes);
		pthread_mutexattr_settype(&attributes, kind);
		pthread_mutex_init(&lock[i].mutex, &attributes);
		*number = i;
	}

	void omp_init_lock(int *number)
	{
		lock_new(number, PTHREAD_MUTEX_NORMAL);
	}

	void omp_init_nest_lock(int *number)
	{
		lock_new(number, PTHREAD_MUTEX_RECURSIVE);
	}

	void omp_destroy_lock(int *number)
	{
		pthread_mutex_destroy(&lock[*number].mutex);
	}

	void omp_destroy_nest_lock(int *number)
	{
		omp_destroy_lock(number);
	}

	void omp_set_lock(int *number)
	{
		dawdle();
		pthread_mutex_lock(&lock[*number].mutex);
	}

	void omp_unset_lock(int *number)
	{
		pthread_mutex_unlock(&lock[*number].mutex);
	}

	int omp_test_lock(int *number)
	{
		return pthread_mutex_trylock(&lock[*number].mutex) == 0;
	}

	void omp_set_nest_lock(int *number)
	{
		omp_set_lock(number);
		lock[*number].depth++;
	}

	void omp_unset_nest_lock(int *number)
	{
		lock[*number].depth--;
		omp_unset_lock(number);
	}

	int omp_test_nest_lock(int *number)
	{
		return omp_test_lock(number) ? ++lock[*number].depth : 0;
	}
);

static const char questions[] = RACES_TEXT(
	int omp_get_thread_num(void) { return me()->number; }
	int omp_get_num_threads(void) { return me()->team->n; }
	int omp_get_max_threads(void) { return wanted; }
	int omp_get_num_procs(void) { return USUAL; }
	int omp_get_thread_limit(void) { return MOST; }
	int omp_in_parallel(void) { return me()->is_parallel; }
	int omp_in_final(void) { return me()->is_final; }
	int omp_get_dynamic(void) { return 0; }
	int omp_get_nested(void) { return 0; }
	int omp_get_max_active_levels(void) { return 1; }
	int omp_get_cancellation(void) { return 0; }
	void omp_set_dynamic(int on) { (void)on; }
	void omp_set_nested(int on) { (void)on; }
	void omp_set_max_active_levels(int n) { (void)n; }
	void omp_set_schedule(int kind, int chunk) { (void)kind; (void)chunk; }
	void omp_set_num_threads(int n) { wanted = n > 0 ? n : 1; }
	double omp_get_wtick(void) { return 1e-9; }

	double omp_get_wtime(void)
	{
		struct timespec time;
		clock_gettime(CLOCK_MONOTONIC, &time);
		return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
	}
);

static const char delays[] = RACES_TEXT(
	enum { PLACES = 4096, DELAYS = 2000, NANOSECONDS = 50000 };

	/* Called at each branch of the program: wait where it comes for the 1st, 2nd, 4th, ... time and now and then, so that others come
	 * to where they may only be first. Waits bring no order, nor do counts that threads may lose. */
	__attribute__((visibility("hidden"))) void __sanitizer_cov_trace_pc(void)
	{
		static unsigned visits[PLACES];
		static int left = DELAYS;
		static __thread unsigned state = 1;
		const struct timespec while_ = { .tv_nsec = NANOSECONDS };
		const unsigned long place = (unsigned long)__builtin_return_address(0);
		unsigned visit;
		if (!__atomic_load_n(&is_taken, __ATOMIC_RELAXED))
			return;
		visit = ++visits[(place ^ place >> 12) % PLACES];
		state = state * 1664525 + 1013904223;
		if (((visit & (visit - 1)) == 0 || state >> 20 == 0) && left > 0) {
			left--;
			nanosleep(&while_, NULL);
		}
	}
);

const char *const races_shim[] = {head, teams, delays, sharing, locks, races_tasks, questions, races_threads, NULL};
