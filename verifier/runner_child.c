#include "runner_internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runner_clock.h"
#include "sandbox.h"

/* How long threads that have ended may take to go. */
static const double ending_seconds = 0.05;

/* All state of a runner's process. "image" is mapped at "base"; "spare" holds what the restored ranges were loaded
 * with. */
static struct child {
	int socket;
	char *image;
	uint64_t base, bytes;
	struct wire_command command;
	void *slot[WIRE_SLOTS];
	unsigned long size[WIRE_SLOTS];
	struct wire_range guard[WIRE_RANGES], restore[WIRE_RANGES];
	char *spare;
	void (*layout)(unsigned long *size);
	void (*bind)(void *const *slot, const unsigned long *size);
	void (*derive)(void *const *slot, long long *value);
	void (*run)(void *const *slot);
	void (*unbind)(void *const *slot, const unsigned long *size);
} child;

static void reply(const struct wire_reply *message)
{
	if (send(child.socket, message, sizeof(*message), MSG_NOSIGNAL) != (ssize_t)sizeof(*message))
		_exit(3);
}

static void reply_broken(const char *message)
{
	struct wire_reply answer = {.status = WIRE_BROKEN};

	snprintf(answer.message, sizeof(answer.message), "%s", message);
	reply(&answer);
	_exit(4);
}

/* Tell how the program died, as far as the handler can know, and end. */
static void on_signal(int number, siginfo_t *info, void *context)
{
	static struct wire_reply answer;
	uint64_t address = (uint64_t)(uintptr_t)info->si_addr;

	(void)context;
	answer.status = WIRE_SIGNAL;
	answer.number = (uint32_t)number;
	answer.address = address;
	if (number == SIGSYS) {
		answer.status = WIRE_SYSCALL;
		answer.number = (uint32_t)info->si_syscall;
	} else if ((number == SIGSEGV || number == SIGBUS) && address >= child.base &&
		   address < child.base + child.bytes) {
		answer.status = WIRE_FAULT;
	}
	reply(&answer);
	_exit(5);
}

static void catch_signals(void)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGXFSZ};
	static char stack[1 << 16];
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	size_t i;

	sigaltstack(&alternate, NULL);
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
}

static void *find(void *library, const char *name)
{
	void *symbol = dlsym(library, name);

	if (!symbol)
		reply_broken(dlerror());
	return symbol;
}

static void load_program(const char *path)
{
	void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);

	if (!library)
		reply_broken(dlerror());
	child.layout = (void (*)(unsigned long *))find(library, "strop_layout");
	child.bind = (void (*)(void *const *, const unsigned long *))find(library, "strop_bind");
	child.derive = (void (*)(void *const *, long long *))dlsym(library, "strop_derive");
	child.run = (void (*)(void *const *))find(library, "strop_run");
	child.unbind = (void (*)(void *const *, const unsigned long *))find(library, "strop_unbind");
}

static double clock_now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The folders in /proc that list the threads and descriptors of this process, opened before the sandbox closes. */
static struct listing {
	int threads, descriptors;
} listing;

static void open_listing(void)
{
	listing.threads = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	listing.descriptors = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* How many entries the folder has; -1 when it cannot be read. */
static int count_entries(int folder)
{
	char buffer[4096];
	long got;
	int n = 0;

	if (lseek(folder, 0, SEEK_SET) != 0)
		return -1;
	while ((got = syscall(SYS_getdents64, folder, buffer, sizeof(buffer))) > 0)
		for (long at = 0; at < got; n++)
			at += *(unsigned short *)(buffer + at + 16);
	return got < 0 ? -1 : n;
}

/* What a region must leave as it found it. "environment" and "signals" are hashes. */
struct surroundings {
	int threads, descriptors, rounding;
	unsigned control, old_control;
	uint64_t environment, signals;
};

static unsigned float_control(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_stmxcsr() & ~0x3fu;
#else
	return 0;
#endif
}

/* The control word of the x87 unit. */
static unsigned old_float_control(void)
{
#if defined(__x86_64__)
	unsigned short control;

	__asm__ volatile("fnstcw %0" : "=m"(control));
	return control;
#else
	return 0;
#endif
}

static uint64_t hash_add(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * 0x100000001b3u;
}

static uint64_t hash_environment(void)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (char **entry = environ; entry && *entry; entry++)
		for (const char *at = *entry; *at; at++)
			hash = hash_add(hash, (unsigned char)*at);
	return hash;
}

static uint64_t hash_signals(void)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (int number = 1; number < 32; number++) {
		struct sigaction action;

		if (sigaction(number, NULL, &action) == 0)
			hash = hash_add(hash, (uint64_t)(uintptr_t)action.sa_sigaction);
	}
	return hash;
}

static struct surroundings look_around(void)
{
	return (struct surroundings){
		.threads = count_entries(listing.threads),
		.descriptors = count_entries(listing.descriptors),
		.rounding = fegetround(),
		.control = float_control(),
		.old_control = old_float_control(),
		.environment = hash_environment(),
		.signals = hash_signals(),
	};
}

static unsigned changes(const struct surroundings *before, const struct surroundings *after)
{
	unsigned changed = 0;

	if (after->threads > before->threads || after->threads < 0)
		changed |= CHANGE_THREADS;
	if (after->descriptors != before->descriptors)
		changed |= CHANGE_DESCRIPTORS;
	if (after->rounding != before->rounding || after->control != before->control ||
	    after->old_control != before->old_control)
		changed |= CHANGE_ROUNDING;
	if (after->environment != before->environment)
		changed |= CHANGE_ENVIRONMENT;
	if (after->signals != before->signals)
		changed |= CHANGE_SIGNALS;
	return changed;
}

static bool read_all(void *bytes, size_t size)
{
	char *at = bytes;

	while (size > 0) {
		ssize_t got = recv(child.socket, at, size, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		size -= (size_t)got;
	}
	return true;
}

/* Receive the first bytes of a command, and the descriptor that comes along, if any. */
static ssize_t receive_head(struct wire_command *command, int *fd)
{
	char control[CMSG_SPACE(sizeof(int))];
	struct iovec part = {command, sizeof(*command)};
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
	ssize_t got;
	struct cmsghdr *header;

	*fd = -1;
	do
		got = recvmsg(child.socket, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
	while (got < 0 && errno == EINTR);
	header = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	if (header && header->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(header), sizeof(int));
	return got;
}

/* Receive one command with all that follows it; false when the judge is gone. */
static bool receive(int *fd)
{
	struct wire_command *command = &child.command;
	uint64_t slot[WIRE_SLOTS], size[WIRE_SLOTS];
	uint32_t i;

	if (receive_head(command, fd) != (ssize_t)sizeof(*command))
		return false;
	if (command->n_slot > WIRE_SLOTS || command->n_size > WIRE_SLOTS || command->n_guard > WIRE_RANGES ||
	    command->n_restore > WIRE_RANGES)
		return false;
	if (!read_all(slot, command->n_slot * sizeof(slot[0])) || !read_all(size, command->n_size * sizeof(size[0])) ||
	    !read_all(child.guard, command->n_guard * sizeof(child.guard[0])) ||
	    !read_all(child.restore, command->n_restore * sizeof(child.restore[0])))
		return false;
	for (i = 0; i < command->n_slot; i++)
		child.slot[i] = (void *)(uintptr_t)slot[i];
	for (i = 0; i < command->n_size; i++)
		child.size[i] = size[i];
	return true;
}

static void unmap_image(void)
{
	if (child.image)
		munmap(child.image, child.bytes);
	free(child.spare);
	child.image = child.spare = NULL;
}

/* Map memory of the command's size at the command's base: the image itself ("fd"), or private memory when it is -1. */
static void map_image(int fd)
{
	const struct wire_command *command = &child.command;
	int flags = MAP_FIXED_NOREPLACE | (fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED);
	void *at;

	unmap_image();
	at = mmap((void *)(uintptr_t)command->base, command->bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
	if (at == MAP_FAILED)
		reply_broken("cannot map the buffers");
	child.image = at;
	child.base = command->base;
	child.bytes = command->bytes;
}

static void protect_guards(void)
{
	uint32_t i;

	for (i = 0; i < child.command.n_guard; i++)
		mprotect(child.image + child.guard[i].offset, child.guard[i].bytes, PROT_NONE);
}

/* What the C library holds for the program, in bytes: exactly that where all threads take memory from one arena and keep none of what
 * they give back, as runner_spawn() asks for. */
static size_t memory_held(void)
{
	const struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

/* Whether the last command was a test with the same buffers. */
static bool is_repeated(void)
{
	static struct wire_command last;
	static void *last_slot[WIRE_SLOTS];
	const size_t slots = child.command.n_slot * sizeof(last_slot[0]);
	const bool repeated = last.op == WIRE_TEST && !memcmp(&last, &child.command, sizeof(last)) &&
			      !memcmp(last_slot, child.slot, slots);

	last = child.command;
	memcpy(last_slot, child.slot, slots);
	return repeated;
}

enum { SOILED_BYTES = 1 << 16 };

/* Leave "value" on the stack that the next function gets. */
static __attribute__((noinline)) void soil_stack(int value)
{
	unsigned char room[SOILED_BYTES];

	memset(room, value, sizeof(room));
	__asm__ volatile("" : : "r"(room) : "memory");
}

static __attribute__((noinline)) void run_program(void)
{
	child.run(child.slot);
	__asm__ volatile("" : : : "memory");
}

/* Run the program on a stack that begins elsewhere each time, stack and heap holding other garbage, so that results which depend on
 * any of it do not repeat. */
static __attribute__((noinline)) void run_shifted(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15u;

	state = state * 6364136223846793005u + 1442695040888963407u;
	{
		unsigned char room[16 + ((state >> 33) & 0xfff0)];

		__asm__ volatile("" : : "r"(room) : "memory");
		soil_stack((int)(state >> 56));
		mallopt(M_PERTURB, 1 + (int)(state >> 57));
		run_program();
	}
}

/* Read and write a byte of each page between the guards: a program must not take its caller's memory away. */
static void touch_buffers(void)
{
	uint64_t at = 0, end;
	uint32_t i;

	for (i = 0; i <= child.command.n_guard; i++) {
		end = i < child.command.n_guard ? child.guard[i].offset : child.bytes;
		for (; at < end; at += 4096)
			*(volatile char *)(child.image + at) = *(volatile char *)(child.image + at);
		at = i < child.command.n_guard ? end + child.guard[i].bytes : end;
	}
}

/* A hash of all that lies between the guards. */
static uint64_t hash_buffers(void)
{
	uint64_t hash = 0xcbf29ce484222325u, at = 0, end;
	uint32_t i;

	for (i = 0; i <= child.command.n_guard; i++) {
		end = i < child.command.n_guard ? child.guard[i].offset : child.bytes;
		for (; at + 8 <= end; at += 8)
			hash = hash_add(hash, *(volatile uint64_t *)(child.image + at));
		at = i < child.command.n_guard ? end + child.guard[i].bytes : end;
	}
	return hash;
}

/* How many threads there are once those that have ended are gone: who waits for a thread is told before the system takes it off its
 * list. More than "before" where some still run, or have written to the buffers meanwhile. */
static int await_threads(int before)
{
	const double start = clock_now(CLOCK_MONOTONIC);
	const uint64_t hash = hash_buffers();
	int threads;

	do {
		sched_yield();
		threads = count_entries(listing.threads);
	} while (threads > before && clock_now(CLOCK_MONOTONIC) - start < ending_seconds);
	return hash == hash_buffers() ? threads : before + 1;
}

/* Whether more memory is held than "before", once the other of "threads" have given back theirs: those of OpenMP free a task after they
 * have told of its end. */
static bool is_memory_left(size_t before, int threads)
{
	const double start = clock_now(CLOCK_MONOTONIC);

	while (memory_held() > before) {
		if (threads < 2 || clock_now(CLOCK_MONOTONIC) - start >= ending_seconds)
			return true;
		sched_yield();
	}
	return false;
}

static void test(int fd)
{
	struct wire_reply answer = {.status = WIRE_DONE};
	const bool repeated = is_repeated();
	struct surroundings before, after;
	size_t held;
	double start;
	uint32_t i;

	map_image(fd);
	close(fd);
	protect_guards();
	child.bind(child.slot, child.size);
	before = look_around();
	held = memory_held();
	start = clock_now(CLOCK_MONOTONIC);
	for (i = 0; i < child.command.repeats; i++)
		run_shifted();
	answer.seconds = clock_now(CLOCK_MONOTONIC) - start;
	after = look_around();
	answer.number = repeated && is_memory_left(held, after.threads) ? CHANGE_MEMORY : 0;
	touch_buffers();
	child.unbind(child.slot, child.size);
	if (after.threads > before.threads)
		after.threads = await_threads(before.threads);
	answer.number |= changes(&before, &after);
	if (answer.number)
		answer.status = WIRE_CHANGED;
	reply(&answer);
}

static uint64_t restore_bytes(void)
{
	uint64_t bytes = 0;
	uint32_t i;

	for (i = 0; i < child.command.n_restore; i++)
		bytes += child.restore[i].bytes;
	return bytes;
}

/* Copy the restored ranges to the spare memory, or back from it. */
static void copy_spare(uint32_t n_restore, bool back)
{
	char *at = child.spare;
	uint32_t i;

	for (i = 0; i < n_restore; i++) {
		char *live = child.image + child.restore[i].offset;

		if (back)
			memcpy(live, at, child.restore[i].bytes);
		else
			memcpy(at, live, child.restore[i].bytes);
		at += child.restore[i].bytes;
	}
}

static bool read_image(int fd)
{
	uint64_t done = 0;

	while (done < child.bytes) {
		ssize_t got = pread(fd, child.image + done, child.bytes - done, (off_t)done);

		if (got <= 0)
			return false;
		done += (uint64_t)got;
	}
	return true;
}

static uint32_t loaded_restores, loaded_guards;
static bool must_restore;

static void load(int fd)
{
	struct wire_reply answer = {.status = WIRE_DONE};

	map_image(-1);
	madvise(child.image, child.bytes, MADV_HUGEPAGE);
	if (!read_image(fd))
		reply_broken("cannot read the buffers");
	close(fd);
	protect_guards();
	loaded_restores = child.command.n_restore;
	loaded_guards = child.command.n_guard;
	must_restore = child.command.repeats != 0;
	child.spare = malloc(restore_bytes() + 1);
	if (!child.spare)
		reply_broken("no memory for the buffers");
	copy_spare(loaded_restores, false);
	child.bind(child.slot, child.size);
	clock_calibrate();
	reply(&answer);
}

static void restore(void)
{
	copy_spare(loaded_restores, true);
	child.bind(child.slot, child.size);
}

/* Put what lies between the guards out of the caches. */
static void evict(void)
{
	uint64_t at = 0;
	uint32_t i;

	for (i = 0; i <= loaded_guards; i++) {
		uint64_t end = i < loaded_guards ? child.guard[i].offset : child.bytes;

		if (end > at)
			clock_evict(child.image + at, end - at);
		at = i < loaded_guards ? end + child.guard[i].bytes : end;
	}
	clock_evict_near();
}

static void restore_and_evict(void)
{
	if (must_restore)
		restore();
	evict();
}

static void time_runs(void)
{
	struct wire_reply answer = {.status = WIRE_DONE};
	struct clocked clocked = {.run = child.run, .slot = child.slot, .prepare = must_restore ? restore : NULL};
	uint32_t repeats = child.command.repeats ? child.command.repeats : 1;

	if (!child.image)
		reply_broken("timed before it was loaded");
	if (child.command.is_cold)
		clocked.prepare = restore_and_evict;
	answer.seconds = clock_runs(&clocked, repeats) / repeats;
	reply(&answer);
}

/* Copy what lies between the guards back to the image "fd". */
static void show(int fd)
{
	struct wire_reply answer = {.status = WIRE_DONE};
	uint64_t at = 0;
	uint32_t i;
	char *image;

	child.unbind(child.slot, child.size);
	image = mmap(NULL, child.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (image == MAP_FAILED)
		reply_broken("cannot map the buffers");
	for (i = 0; i <= child.command.n_guard; i++) {
		uint64_t end = i < child.command.n_guard ? child.guard[i].offset : child.bytes;

		if (end > at)
			memcpy(image + at, child.image + at, end - at);
		at = i < child.command.n_guard ? end + child.guard[i].bytes : end;
	}
	munmap(image, child.bytes);
	reply(&answer);
}

static void tell_layout(void)
{
	struct wire_reply answer = {.status = WIRE_DONE};
	unsigned long size[WIRE_SLOTS] = {0};
	int i;

	child.layout(size);
	for (i = 0; i < WIRE_SIZES; i++)
		answer.size[i] = size[i];
	reply(&answer);
}

static void derive(int fd)
{
	struct wire_reply answer = {.status = WIRE_DONE};
	long long value[WIRE_SIZES] = {0};
	int i;

	if (!child.derive)
		reply_broken("there is nothing to derive");
	map_image(fd);
	close(fd);
	protect_guards();
	child.bind(child.slot, child.size);
	child.derive(child.slot, value);
	for (i = 0; i < WIRE_SIZES; i++)
		answer.size[i] = (uint64_t)value[i];
	reply(&answer);
}

static void serve(void)
{
	int fd;

	while (receive(&fd)) {
		switch ((enum wire_op)child.command.op) {
		case WIRE_LAYOUT:
			tell_layout();
			break;
		case WIRE_DERIVE:
			derive(fd);
			break;
		case WIRE_TEST:
			test(fd);
			break;
		case WIRE_LOAD:
			load(fd);
			break;
		case WIRE_TIME:
			time_runs();
			break;
		case WIRE_SHOW:
			show(fd);
			break;
		}
	}
}

/* The parts of a list of paths, as in LD_LIBRARY_PATH, behind those that "path" holds already. */
static void split_paths(const char *list, const char **path, int n, int most)
{
	char *copy = list ? strdup(list) : NULL, *part;

	for (part = copy ? strtok(copy, ":") : NULL; part && n + 1 < most; part = strtok(NULL, ":"))
		path[n++] = part;
	path[n] = NULL;
}

int runner_main(int argc, char **argv)
{
	enum { PATHS_MOST = 64 };
	const char *readable[PATHS_MOST];
	struct sandbox sandbox;

	if (argc != 5)
		return 2;
	child.socket = atoi(argv[1]);
	sandbox.seconds = atof(argv[3]);
	sandbox.memory = (size_t)strtoull(argv[4], NULL, 10);
	readable[0] = argv[2];
	split_paths(getenv("LD_LIBRARY_PATH"), readable, 1, PATHS_MOST);
	sandbox.readable = readable;
	unsetenv(RUNNER_TUNABLES);
	catch_signals();
	if (!sandbox_enter(&sandbox))
		reply_broken("cannot enter the sandbox");
	open_listing();
	load_program(argv[2]);
	sandbox_close();
	serve();
	return 0;
}
