/* What runs `strop verify` on a hostile program and sees what gets out of it: witness SECONDS REPORT COMMAND...
 * It listens on a port of the loopback device (STROP_HOSTILE_PORT in the command is replaced by it), counts the signals that reach
 * it, kills the command after SECONDS, and writes a line "NAME VALUE" for each thing that it saw to REPORT. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* All descendants inherit this setting of the environment: it finds those that stay behind. */
static char mark[64];
static volatile sig_atomic_t signals;

static void count_signal(int number)
{
	(void)number;
	signals++;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int listen_on_loopback(int *port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, 8) != 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &size) != 0)
		return -1;
	*port = ntohs(address.sin_port);
	return fd;
}

/* The argument with the port in the place of its name. */
static char *put_port(char *argument, int port)
{
	static const char name[] = "STROP_HOSTILE_PORT";
	char *at = strstr(argument, name), *text = argument;

	if (at && asprintf(&text, "%.*s%d%s", (int)(at - argument), argument, port, at + sizeof(name) - 1) < 0)
		exit(2);
	return text;
}

static pid_t start(char **argv)
{
	pid_t child = fork();

	if (child == 0) {
		signal(SIGURG, SIG_DFL);
		setpgid(0, 0);
		putenv(mark);
		execvp(argv[0], argv);
		_exit(127);
	}
	return child;
}

/* Wait for "child" up to "seconds"; what it ended with, or -1 where it had to be killed. */
static int wait_for(pid_t child, double seconds)
{
	double end = now() + seconds;
	int status = -1;

	while (waitpid(child, &status, WNOHANG) != child) {
		if (now() > end) {
			kill(-child, SIGKILL);
			kill(child, SIGKILL);
			waitpid(child, &status, 0);
			return -1;
		}
		poll(NULL, 0, 20);
	}
	return status;
}

static int has_mark(const char *path)
{
	static char text[1 << 16];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, text, sizeof(text)) : 0;

	if (fd >= 0)
		close(fd);
	return got > 0 && memmem(text, (size_t)got, mark, strlen(mark)) != NULL;
}

/* How many processes carry the mark; they are ended. */
static int end_leftovers(void)
{
	glob_t found = {0};
	int n = 0;
	size_t i;

	if (glob("/proc/[0-9]*/environ", 0, NULL, &found) != 0)
		return 0;
	for (i = 0; i < found.gl_pathc; i++) {
		pid_t process = atoi(found.gl_pathv[i] + 6);

		if (process == getpid() || !has_mark(found.gl_pathv[i]))
			continue;
		kill(process, SIGKILL);
		n++;
	}
	globfree(&found);
	return n;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = count_signal, .sa_flags = SA_RESTART};
	struct rusage all;
	int port = 0, listener = listen_on_loopback(&port), status, i;
	FILE *report;

	if (argc < 4 || listener < 0)
		return 2;
	snprintf(mark, sizeof(mark), "OMP_STROP_HOSTILE=%ld", (long)getpid());
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigaction(SIGURG, &action, NULL);
	for (i = 3; i < argc; i++)
		argv[i] = put_port(argv[i], port);
	status = wait_for(start(argv + 3), atof(argv[1]));
	poll(NULL, 0, 50);
	getrusage(RUSAGE_CHILDREN, &all);
	report = fopen(argv[2], "w");
	if (!report)
		return 2;
	fprintf(report, "ended %s\n", status < 0 ? "late" : WIFSIGNALED(status) ? "killed" : "itself");
	fprintf(report, "connected %d\n", accept(listener, NULL, NULL) >= 0);
	fprintf(report, "signals %d\n", (int)signals);
	fprintf(report, "leftovers %d\n", end_leftovers());
	fprintf(report, "megabytes %ld\n", all.ru_maxrss >> 10);
	return fclose(report) != 0;
}
