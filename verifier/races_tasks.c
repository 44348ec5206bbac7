/* Tasks of OpenMP and the threads of C11, for races_shim.c. Each deferred task has a thread of its own, as long as there are not too many,
 * and whoever waits for its end (its parent, its group, the team, tasks that depend on it) does so at a semaphore of its own, so that no
 * other order is seen than the one that was asked for. */
#include "races_internal.h"

const char races_tasks[] = RACES_TEXT(
	enum { FINAL = 2, DEPEND = 8, GRAINSIZE = 512, IF = 1024, NOGROUP = 2048, REDUCTION = 4096, DETACH = 8192, LIVE = 48, OFTEN = 256, RARELY = 64 };
	enum { PARENT, GROUP, NEXT, TEAM, WAITERS };

	/* "before" are the tasks that it depends on; "is_seen" tells for whom its end has been waited for. */
	struct task {
		struct task *next; struct member member; const struct member *parent; struct group *group; void (*run)(void *);
		void *data; void *memory; sem_t done[WAITERS]; _Bool is_seen[WAITERS];
		size_t n_out; size_t n_address; void **address; size_t n_before; struct task **before;
	};

	static void see_end(struct task *task, int as)
	{
		if (as != NEXT && task->is_seen[as])
			return;
		await(&task->done[as]);
		task->is_seen[as] = 1;
		if (as == NEXT)
			sem_post(&task->done[as]);
	}

	static struct task *all_tasks(struct team *team)
	{
		return __atomic_load_n(&team->tasks, __ATOMIC_ACQUIRE);
	}

	static void finish_tasks(struct team *team)
	{
		struct task *done = NULL;
		struct task *last;
		while ((last = all_tasks(team)) != done) {
			for (struct task *task = last; task != done; task = task->next)
				see_end(task, TEAM);
			done = last;
		}
	}

	static void free_tasks(struct team *team)
	{
		struct task *next;
		for (struct task *task = team->tasks; task; task = next) {
			next = task->next;
			for (int i = 0; i < WAITERS; i++)
				sem_destroy(&task->done[i]);
			free(task->address);
			free(task->before);
			free(task->memory);
			free(task);
		}
		team->tasks = NULL;
	}

	static void *perform(void *of)
	{
		struct task *const task = of;
		struct team *const team = task->member.team;
		self = &task->member;
		for (size_t i = 0; i < task->n_before; i++)
			see_end(task->before[i], NEXT);
		task->run(task->data);
		__atomic_fetch_sub(&team->live, 1, __ATOMIC_ACQ_REL);
		for (int i = 0; i < WAITERS; i++)
			sem_post(&task->done[i]);
		return NULL;
	}

	static _Bool is_before(const struct task *one, const struct task *other)
	{
		for (size_t i = 0; i < one->n_address; i++)
			for (size_t k = 0; k < other->n_address; k++)
				if (one->address[i] == other->address[k] && (i < one->n_out || k < other->n_out))
					return 1;
		return 0;
	}

	/* Note what the new task depends on: "depend" holds the number of addresses, that of those which are written, and these. */
	static void find_before(struct task *task, void **depend)
	{
		if (!depend[0])
			give_up("it has task dependences of a new kind");
		task->n_address = (size_t)depend[0];
		task->n_out = (size_t)depend[1];
		task->address = malloc(task->n_address * sizeof(void *));
		for (size_t i = 0; i < task->n_address; i++)
			task->address[i] = depend[2 + i];
		for (struct task *one = all_tasks(task->member.team); one; one = one->next)
			if (one->parent == task->parent && is_before(one, task)) {
				task->before = realloc(task->before, (task->n_before + 1) * sizeof(struct task *));
				task->before[task->n_before++] = one;
			}
	}

	static void perform_here(struct task *task, struct member *own)
	{
		struct member inner = task->member;
		for (size_t i = 0; i < task->n_before; i++)
			see_end(task->before[i], NEXT);
		self = &inner;
		task->run(task->data);
		self = own;
		free(task->address);
		free(task->before);
		free(task->memory);
		free(task);
	}

	static void perform_apart(struct task *task)
	{
		struct team *const team = task->member.team;
		pthread_attr_t attributes;
		pthread_t thread;
		__atomic_fetch_add(&team->live, 1, __ATOMIC_ACQ_REL);
		for (int i = 0; i < WAITERS; i++)
			sem_init(&task->done[i], 0, 0);
		task->next = all_tasks(team);
		while (!__atomic_compare_exchange_n(&team->tasks, &task->next, task, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			;
		pthread_attr_init(&attributes);
		pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
		if (pthread_create(&thread, &attributes, perform, task) != 0)
			give_up("no more threads");
		pthread_attr_destroy(&attributes);
	}

	/* Whether the next task gets a thread: not when many have one, and of many tasks only some do. */
	static _Bool has_room(struct team *team)
	{
		const int number = __atomic_fetch_add(&team->deferred, 1, __ATOMIC_ACQ_REL);
		return __atomic_load_n(&team->live, __ATOMIC_ACQUIRE) < LIVE && (number < OFTEN || number % RARELY == 0);
	}

	static void task_new(void (*run)(void *), const void *data, void (*copy)(void *, void *), long size, long align, _Bool is_deferred,
			     unsigned flags, void **depend, const ull *range)
	{
		struct member *const own = me();
		struct task *const task = calloc(1, sizeof(*task));
		const size_t to = align > 0 ? (size_t)align : 1;
		if (flags & REDUCTION)
			give_up("it has task reductions");
		if (flags & DETACH)
			give_up("it has detached tasks");
		task->memory = malloc((size_t)size + to);
		task->data = (void *)(((size_t)task->memory + to - 1) / to * to);
		if (copy)
			copy(task->data, (void *)data);
		else
			memcpy(task->data, data, (size_t)size);
		if (range)
			memcpy(task->data, range, 2 * sizeof(*range));
		task->run = run;
		task->parent = own;
		task->group = own->group;
		task->member = (struct member){ .team = own->team, .number = own->number, .is_parallel = own->is_parallel,
						.is_final = own->is_final || (flags & FINAL), .group = own->group };
		if (flags & DEPEND)
			find_before(task, depend);
		if (is_deferred && own->team->n > 1 && !task->member.is_final && has_room(own->team))
			perform_apart(task);
		else
			perform_here(task, own);
	}

	void GOMP_task(void (*run)(void *), void *data, void (*copy)(void *, void *), long size, long align, _Bool is_deferred,
		       unsigned flags, void **depend, int priority, void *detach)
	{
		(void)priority;
		(void)detach;
		task_new(run, data, copy, size, align, is_deferred, flags, depend, NULL);
	}

	void GOMP_taskwait(void)
	{
		struct member *const own = me();
		for (struct task *task = all_tasks(own->team); task; task = task->next)
			if (task->parent == own)
				see_end(task, PARENT);
	}

	void GOMP_taskyield(void)
	{
		sched_yield();
	}

	void GOMP_taskgroup_start(void)
	{
		struct group *const group = malloc(sizeof(*group));
		group->outer = me()->group;
		me()->group = group;
	}

	void GOMP_taskgroup_end(void)
	{
		struct member *const own = me();
		struct group *const group = own->group;
		struct task *done = NULL;
		struct task *last;
		while ((last = all_tasks(own->team)) != done) {
			for (struct task *task = last; task != done; task = task->next)
				if (task->group == group)
					see_end(task, GROUP);
			done = last;
		}
		own->group = group->outer;
		free(group);
	}

	static void taskloop(void (*run)(void *), void *data, void (*copy)(void *, void *), long size, long align, unsigned flags,
			     ull n, ull trips, ull start, ull step)
	{
		if (flags & GRAINSIZE)
			n = trips / (n ? n : 1);
		else if (!n)
			n = (ull)me()->team->n;
		n = n > trips ? trips : n ? n : 1;
		if (!(flags & NOGROUP))
			GOMP_taskgroup_start();
		for (ull i = 0; trips && i < n; i++) {
			const ull range[2] = { start + trips * i / n * step, start + trips * (i + 1) / n * step };
			task_new(run, data, copy, size, align, !!(flags & IF), flags & (FINAL | REDUCTION), NULL, range);
		}
		if (!(flags & NOGROUP))
			GOMP_taskgroup_end();
	}

	TASKLOOP(GOMP_taskloop, long, loop_of(start, end, step, 1).n)
	TASKLOOP(GOMP_taskloop_ull, ull, loop_of_ull(!!(flags & 256), start, end, step, 1).n)
);

/* The C library's own <threads.h> calls the insides of its POSIX threads, past what looks for races. */
const char races_threads[] = RACES_TEXT(
	enum { SUCCESS, BUSY, ERROR, NO_MEMORY, TIMED_OUT };
	struct begin { int (*run)(void *); void *data; };

	static int answer(int number)
	{
		return number == 0 ? SUCCESS : number == 16 ? BUSY : number == 12 ? NO_MEMORY : number == 110 ? TIMED_OUT : ERROR;
	}

	static void *begin(void *of)
	{
		const struct begin given = *(struct begin *)of;
		free(of);
		return (void *)(long)given.run(given.data);
	}

	int thrd_create(pthread_t *thread, int (*run)(void *), void *data)
	{
		struct begin *const given = malloc(sizeof(*given));
		*given = (struct begin){ run, data };
		return answer(pthread_create(thread, NULL, begin, given));
	}

	int thrd_join(pthread_t thread, int *result)
	{
		void *value = NULL;
		const int number = pthread_join(thread, &value);
		if (result)
			*result = (int)(long)value;
		return answer(number);
	}

	int thrd_detach(pthread_t thread) { return answer(pthread_detach(thread)); }
	void thrd_exit(int result) { pthread_exit((void *)(long)result); }
	void thrd_yield(void) { sched_yield(); }
	int mtx_init(pthread_mutex_t *mutex, int kind)
	{
		pthread_mutexattr_t attributes;
		pthread_mutexattr_init(&attributes);
		pthread_mutexattr_settype(&attributes, kind & 1 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
		return answer(pthread_mutex_init(mutex, &attributes));
	}
	void mtx_destroy(pthread_mutex_t *mutex) { pthread_mutex_destroy(mutex); }
	int mtx_lock(pthread_mutex_t *mutex) { return answer(pthread_mutex_lock(mutex)); }
	int mtx_trylock(pthread_mutex_t *mutex) { return answer(pthread_mutex_trylock(mutex)); }
	int mtx_unlock(pthread_mutex_t *mutex) { return answer(pthread_mutex_unlock(mutex)); }
	int cnd_init(pthread_cond_t *condition) { return answer(pthread_cond_init(condition, NULL)); }
	void cnd_destroy(pthread_cond_t *condition) { pthread_cond_destroy(condition); }
	int cnd_signal(pthread_cond_t *condition) { return answer(pthread_cond_signal(condition)); }
	int cnd_broadcast(pthread_cond_t *condition) { return answer(pthread_cond_broadcast(condition)); }
	int cnd_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) { return answer(pthread_cond_wait(condition, mutex)); }
	void call_once(pthread_once_t *flag, void (*run)(void)) { pthread_once(flag, run); }
);
