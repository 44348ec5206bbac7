#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

void process_interrupt(void)
{
	interrupted = 1;
}

bool process_is_interrupted(void)
{
	return interrupted != 0;
}

enum status process_finish(enum status status, struct diag *diag)
{
	return interrupted ? diag_set(diag, EXIT_INTERRUPTED, "interrupted") : status;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void change_environment(const char *const *environment)
{
	for (; environment && *environment; environment++) {
		const char *equals = strchr(*environment, '=');

		if (equals)
			putenv((char *)*environment);
		else
			unsetenv(*environment);
	}
}

static void connect_stream(int pipe_end, int stream, bool inherit)
{
	int fd = pipe_end;

	if (fd < 0 && inherit)
		return;
	if (fd < 0)
		fd = open("/dev/null", O_WRONLY);
	dup2(fd, stream);
}

static void become(const struct process *process, int output, int errors)
{
	struct rlimit limit = { process->memory, process->memory }, size = { process->file_size, process->file_size };
	int null = open("/dev/null", O_RDONLY);

	if (!process->inherit) {
		setpgid(0, 0);
		dup2(null, 0);
	}
	connect_stream(output, 1, process->inherit);
	connect_stream(errors, 2, process->inherit);
	if (process->directory && chdir(process->directory) != 0)
		_exit(126);
	if (process->file_size)
		setrlimit(RLIMIT_FSIZE, &size);
	change_environment(process->environment);
	if (process->confine)
		process->confine(process->context);
	signal(SIGINT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	if (process->memory)
		setrlimit(RLIMIT_AS, &limit);
	execvp(process->argv[0], (char *const *)process->argv);
	_exit(127);
}

/* Read what the pipes bring until both end, time is up, or an interrupt comes; return whether it ended by itself. */
static bool collect(struct pollfd *fd, struct text **text, double deadline)
{
	char buffer[1 << 15];
	int i;

	while (fd[0].fd >= 0 || fd[1].fd >= 0) {
		double left = deadline > 0 ? deadline - now() : 1e9;
		int ready;

		if (left <= 0 || interrupted)
			return false;
		ready = poll(fd, 2, left > 0.1 ? 100 : (int)(left * 1000) + 1);
		if (ready < 0 && errno != EINTR)
			return false;
		for (i = 0; i < 2 && ready > 0; i++) {
			ssize_t got;

			if (fd[i].fd < 0 || !fd[i].revents)
				continue;
			got = read(fd[i].fd, buffer, sizeof(buffer));
			if (got > 0)
				text_append_bytes(text[i], buffer, (size_t)got);
			else if (got == 0 || errno != EINTR) {
				close(fd[i].fd);
				fd[i].fd = -1;
			}
		}
	}
	return true;
}

/* Wait for "child" until "deadline"; return false when it must be killed. */
static bool wait_until(pid_t child, int *status, double deadline)
{
	struct timespec pause = { 0, 200 * 1000 };

	for (;;) {
		pid_t got = waitpid(child, status, WNOHANG);

		if (got == child)
			return true;
		if (got < 0 && errno != EINTR)
			return true;
		if (interrupted || (deadline > 0 && now() >= deadline))
			return false;
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < 5 * 1000 * 1000)
			pause.tv_nsec += pause.tv_nsec / 4;
	}
}

static void close_pipe(int *ends)
{
	if (ends[0] >= 0)
		close(ends[0]);
	if (ends[1] >= 0)
		close(ends[1]);
}

enum status process_run(const struct process *process, struct process_end *end, struct diag *diag)
{
	int output[2] = { -1, -1 }, errors[2] = { -1, -1 }, status = 0;
	bool joined = process->errors && process->errors == process->output;
	struct text *text[2] = { process->output, process->errors };
	double start = now(), deadline = process->seconds > 0 ? start + process->seconds : 0;
	struct pollfd fd[2];
	bool ended;
	pid_t child;

	memset(end, 0, sizeof(*end));
	if (interrupted)
		return diag_set(diag, EXIT_INTERRUPTED, "interrupted");
	if ((process->output && pipe2(output, O_CLOEXEC) != 0) ||
	    (process->errors && !joined && pipe2(errors, O_CLOEXEC) != 0)) {
		close_pipe(output);
		return diag_set(diag, EXIT_MACHINE, "cannot make a pipe: %s", strerror(errno));
	}
	child = fork();
	if (child == 0)
		become(process, output[1], joined ? output[1] : errors[1]);
	if (child < 0) {
		close_pipe(output);
		close_pipe(errors);
		return diag_set(diag, EXIT_MACHINE, "cannot start %s: %s", process->argv[0], strerror(errno));
	}
	if (!process->inherit)
		setpgid(child, child);
	if (output[1] >= 0)
		close(output[1]);
	if (errors[1] >= 0)
		close(errors[1]);
	fd[0] = (struct pollfd){ output[0], POLLIN, 0 };
	fd[1] = (struct pollfd){ errors[0], POLLIN, 0 };
	ended = collect(fd, text, deadline) && wait_until(child, &status, deadline);
	if (!ended) {
		if (!process->inherit)
			kill(-child, SIGKILL);
		kill(child, SIGKILL);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
	}
	if (fd[0].fd >= 0)
		close(fd[0].fd);
	if (fd[1].fd >= 0)
		close(fd[1].fd);
	end->seconds = now() - start;
	end->timed_out = !ended && !interrupted;
	end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	return process_finish(STATUS_OK, diag);
}
