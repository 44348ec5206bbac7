#include "runner_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/memory.h"
#include "support/process.h"
#include "support/text.h"

extern char **environ;

enum { child_socket = 3, prefix_most = 8 };
#define ASK_PERSONALITY 0xffffffff
static const char *prefix[prefix_most + 1] = {"/proc/self/exe", "runner", NULL};

void runner_set_program(const char *const argv_prefix[])
{
	int i;

	for (i = 0; i < prefix_most && argv_prefix[i]; i++)
		prefix[i] = argv_prefix[i];
	prefix[i] = NULL;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The parts of the environment that a program may see: nothing that could tell it of the judge, nor what binds threads to
 * processors, since a filter cannot tell a thread of its own from another process. */
static bool is_passed_on(const char *entry)
{
	static const char *const passed[] = {
		"PATH=", "OMP_", "GOMP_", "KMP_", "LD_LIBRARY_PATH=", "ASAN_OPTIONS=", "UBSAN_OPTIONS="};
	static const char *const binding[] = {"OMP_PROC_BIND=", "OMP_PLACES=", "GOMP_CPU_AFFINITY=", "KMP_AFFINITY="};
	bool is_passed = false;
	size_t i;

	for (i = 0; i < sizeof(passed) / sizeof(passed[0]); i++)
		is_passed |= !strncmp(entry, passed[i], strlen(passed[i]));
	for (i = 0; i < sizeof(binding) / sizeof(binding[0]); i++)
		is_passed &= strncmp(entry, binding[i], strlen(binding[i])) != 0;
	return is_passed;
}

static char **make_environment(char *preload, enum purpose purpose)
{
	static char asan_options[] = "ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:"
				     "handle_abort=0:use_sigaltstack=0:symbolize=0:abort_on_error=1:verify_asan_link_order=0";
	static char ubsan_options[] = "UBSAN_OPTIONS=symbolize=0:abort_on_error=1:halt_on_error=1";
	static char tsan_options[] = "TSAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0:"
				     "use_sigaltstack=0:symbolize=0:abort_on_error=1:halt_on_error=1:history_size=7:"
				     "detect_deadlocks=0:report_signal_unsafe=0:report_thread_leaks=0";
	static char static_tls[] = RUNNER_TUNABLES "=glibc.rtld.optional_static_tls=65536";
	static char one_arena[] = RUNNER_TUNABLES "=glibc.malloc.arena_max=1:glibc.malloc.tcache_count=0";
	size_t n = 0, kept = 0, i;
	char **environment;

	while (environ[n])
		n++;
	environment = memory_alloc((n + 6) * sizeof(*environment));
	for (i = 0; i < n; i++)
		if (is_passed_on(environ[i]))
			environment[kept++] = environ[i];
	if (preload) {
		environment[kept++] = preload;
		environment[kept++] = asan_options;
		environment[kept++] = ubsan_options;
		environment[kept++] = tsan_options;
		environment[kept++] = static_tls;
	} else if (purpose == TO_JUDGE) {
		environment[kept++] = one_arena;
	}
	return environment;
}

/* Start the process with its end of the socket as descriptor 3 and nothing else but /dev/null, or "errors" (-1: none) for standard
 * error; "preload" is a setting of the environment, or NULL. With "is_laid_out" the system puts things where it does by default, as a
 * runtime demands that has places of its own. Return 0 or an errno. */
static int spawn(pid_t *process, int socket_end, int errors, char *preload, enum purpose purpose, bool is_laid_out, char *const *argv)
{
	const int usual = personality(ASK_PERSONALITY);
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	char **environment = make_environment(preload, purpose);
	int failed;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	if (errors < 0)
		posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	else
		posix_spawn_file_actions_adddup2(&actions, errors, 2);
	posix_spawn_file_actions_adddup2(&actions, socket_end, child_socket);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setsigmask(&attributes, &none);
	if (is_laid_out)
		personality((unsigned long)usual | ADDR_NO_RANDOMIZE);
	failed = posix_spawn(process, argv[0], &actions, &attributes, argv, environment);
	if (is_laid_out)
		personality((unsigned long)usual);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	free(environment);
	return failed;
}

/* Move "fd" to 10 or above, so that it cannot be in the way of the child's descriptors. */
static int move_up(int fd)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, 10);

	close(fd);
	return moved;
}

struct runner *runner_spawn(const struct program *program, double cpu_seconds, size_t memory, enum purpose purpose, struct diag *diag)
{
	struct runner *runner = memory_alloc(sizeof(*runner));
	const char *argv[prefix_most + 5];
	char socket_text[16], seconds_text[32], memory_text[32];
	int ends[2], pipes[2] = {-1, -1}, n = 0, failed;
	char preload[4096];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
		diag_set(diag, EXIT_MACHINE, "cannot make a socket: %s", strerror(errno));
		free(runner);
		return NULL;
	}
	if (program->preload && pipe2(pipes, O_CLOEXEC | O_NONBLOCK) == 0) {
		pipes[0] = move_up(pipes[0]);
		pipes[1] = move_up(pipes[1]);
	}
	ends[0] = move_up(ends[0]);
	ends[1] = move_up(ends[1]);
	snprintf(socket_text, sizeof(socket_text), "%d", child_socket);
	snprintf(seconds_text, sizeof(seconds_text), "%.0f", cpu_seconds);
	snprintf(memory_text, sizeof(memory_text), "%zu", memory);
	for (n = 0; prefix[n]; n++)
		argv[n] = prefix[n];
	argv[n++] = socket_text;
	argv[n++] = program->path;
	argv[n++] = seconds_text;
	argv[n++] = memory_text;
	argv[n] = NULL;
	snprintf(preload, sizeof(preload), "LD_PRELOAD=%s", program->preload ? program->preload : "");
	failed = spawn(&runner->process, ends[1], pipes[1], program->preload ? preload : NULL, purpose,
		       program->kind == BUILD_RACES, (char *const *)argv);
	close(ends[1]);
	if (pipes[1] >= 0)
		close(pipes[1]);
	runner->socket = ends[0];
	runner->errors = pipes[0];
	runner->is_alive = !failed;
	if (failed) {
		diag_set(diag, EXIT_MACHINE, "cannot start %s: %s", prefix[0], strerror(failed));
		return runner_stop(runner);
	}
	return runner;
}

static void bury(struct runner *runner)
{
	int status;

	if (!runner->is_alive)
		return;
	runner->is_alive = false;
	kill(-runner->process, SIGKILL);
	kill(runner->process, SIGKILL);
	while (waitpid(runner->process, &status, 0) < 0 && errno == EINTR)
		;
}

struct runner *runner_stop(struct runner *runner)
{
	if (!runner)
		return NULL;
	bury(runner);
	close(runner->socket);
	if (runner->errors >= 0)
		close(runner->errors);
	free(runner);
	return NULL;
}

void runner_errors(struct runner *runner, char *text, size_t size)
{
	ssize_t got = runner->errors >= 0 ? read(runner->errors, text, size - 1) : 0;

	text[got > 0 ? got : 0] = '\0';
}

static bool send_all(int socket_end, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size > 0) {
		ssize_t put = send(socket_end, at, size, MSG_NOSIGNAL);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		at += put;
		size -= (size_t)put;
	}
	return true;
}

/* Send the head of a command, and a descriptor along with it unless "fd" is -1. */
static bool send_head(int socket_end, const struct wire_command *command, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = {0};
	struct iovec part = {(void *)command, sizeof(*command)};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

	if (fd >= 0) {
		struct cmsghdr *header;

		message.msg_control = control;
		message.msg_controllen = sizeof(control);
		header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(header), &fd, sizeof(int));
	}
	return sendmsg(socket_end, &message, MSG_NOSIGNAL) == (ssize_t)sizeof(*command);
}

static bool send_command(struct runner *runner, enum wire_op op, uint32_t repeats, const struct image *image)
{
	struct wire_command command = {.op = op, .repeats = repeats, .is_cold = runner->is_cold};
	struct wire_range restore[WIRE_RANGES];
	int b;

	if (!image)
		return send_head(runner->socket, &command, -1);
	command.base = image->base;
	command.bytes = image->bytes;
	command.n_slot = (uint32_t)image->n_slot;
	command.n_size = (uint32_t)image->n_size;
	command.n_guard = (uint32_t)image->n_guard;
	for (b = 0; b < image->n_block; b++)
		if (image->is_restored[b])
			restore[command.n_restore++] = (struct wire_range){image->block[b].data, image->block[b].bytes};
	return send_head(runner->socket, &command, image->fd) &&
	       send_all(runner->socket, image->slot, sizeof(*image->slot) * command.n_slot) &&
	       send_all(runner->socket, image->size, sizeof(*image->size) * command.n_size) &&
	       send_all(runner->socket, image->guard, sizeof(*image->guard) * command.n_guard) &&
	       send_all(runner->socket, restore, sizeof(*restore) * command.n_restore);
}

/* CPU time that the runner's process has used so far, in seconds. */
static double cpu_used(const struct runner *runner)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(runner->process, &clock) != 0 || clock_gettime(clock, &time) != 0)
		return 0;
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* What a process may hold of the machine, whatever it does to its own limits: threads and resident bytes. Programs with
 * sanitizers have no limit of address space. */
enum { THREADS_MOST = 1024 };
static const size_t resident_most = (size_t)8 << 30;

/* Whether the process takes more of the machine than it may, as the system tells; false where it does not tell. */
static bool takes_too_much(const struct runner *runner)
{
	char path[64], text[1024];
	unsigned long threads = 0, pages = 0;
	const char *at;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)runner->process);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	got = fd >= 0 ? read(fd, text, sizeof(text) - 1) : 0;
	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = '\0';
	at = strrchr(text, ')');
	if (!at || sscanf(at, ") %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lu %*s %*s %*s %lu",
			  &threads, &pages) != 2)
		return false;
	return threads > THREADS_MOST || pages > resident_most / (size_t)sysconf(_SC_PAGESIZE);
}

/* Wait for the whole reply for "seconds" of the process's CPU time, and as long by the clock, which is less for several threads. On a
 * busy machine it may be much longer by the clock, but a process that sleeps is given up as well. */
static enum call_end receive_reply(struct runner *runner, double seconds, struct wire_reply *reply)
{
	const double start = now(), deadline = start + 10 * seconds + 5, cpu_deadline = cpu_used(runner) + seconds;
	char *at = (char *)reply;
	size_t left = sizeof(*reply);

	while (left > 0) {
		struct pollfd fd = {runner->socket, POLLIN, 0};
		int ready;
		ssize_t got;

		if (now() > deadline || (now() > start + seconds && cpu_used(runner) > cpu_deadline) || process_is_interrupted())
			return CALL_TIMEOUT;
		ready = poll(&fd, 1, 100);
		if (ready == 0 && takes_too_much(runner))
			return CALL_DIED;
		if (ready <= 0)
			continue;
		got = recv(runner->socket, at, left, MSG_DONTWAIT);
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got <= 0)
			return CALL_DIED;
		at += got;
		left -= (size_t)got;
	}
	return CALL_ANSWERED;
}

enum call_end runner_call(struct runner *runner, enum wire_op op, uint32_t repeats, const struct image *image,
			  double seconds, struct wire_reply *reply)
{
	enum call_end end = CALL_DIED;

	memset(reply, 0, sizeof(*reply));
	if (runner->is_alive && send_command(runner, op, repeats, image))
		end = receive_reply(runner, seconds, reply);
	else if (runner->is_alive)
		end = receive_reply(runner, 1, reply);
	reply->message[sizeof(reply->message) - 1] = '\0';
	string_make_printable(reply->message);
	if (end != CALL_ANSWERED || (reply->status != WIRE_DONE && reply->status != WIRE_CHANGED))
		bury(runner);
	return end;
}

void runner_limit(struct runner *runner, double seconds)
{
	runner->command_seconds = seconds;
}

pid_t runner_process(const struct runner *runner)
{
	return runner->process;
}

bool runner_time(struct runner *runner, int repeats, bool is_cold, struct timing *timing)
{
	struct wire_reply reply;
	double start = now(), cpu = cpu_used(runner);
	double limit = runner->command_seconds * (repeats > 0 ? repeats : 1) + 1;
	bool (*check)(struct runner * runner, void *context) = runner->check;
	enum call_end end;

	runner->is_cold = is_cold;
	end = runner_call(runner, WIRE_TIME, (uint32_t)repeats, NULL, limit, &reply);
	*timing = (struct timing){reply.seconds, cpu_used(runner) - cpu, now() - start};
	if (end != CALL_ANSWERED || reply.status != WIRE_DONE)
		return false;
	runner->check = NULL;
	if (!check || check(runner, runner->context))
		return true;
	bury(runner);
	return false;
}
