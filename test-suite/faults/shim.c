/* Faults on order, for the process it is preloaded into: STROP_FAULT=KIND:N lets the N-th call of a kind (from 1) go wrong.
 *
 *   alloc    malloc, calloc or realloc finds no memory, once
 *   create   a file cannot be made: no space, from then on
 *   write    a write to a file finds the disk full, from then on
 *   short    a write to a file takes half of what it is given, once
 *   fsync, rename   fail with an I/O error, once
 *   fork, spawn     no process can be made, once
 *   clock    clocks jump an hour ahead, and back at the next call
 *   kill-write, kill-fsync, kill-rename, killed-rename   the process is killed before (after) the call
 *
 * "count" instead of KIND:N writes how many calls of each kind there were to STROP_FAULT_COUNT. Processes that the program starts
 * are left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum kind { ALLOC, CREATE, WRITE, SHORT, FSYNC, RENAME, FORK, SPAWN, CLOCK, KILL_WRITE, KILL_FSYNC, KILL_RENAME, KILLED_RENAME, KINDS };
static const char *const names[KINDS] = {
	"alloc", "create", "write", "short", "fsync", "rename", "fork", "spawn", "clock", "kill-write", "kill-fsync", "kill-rename",
	"killed-rename",
};

static bool is_armed;
static int wanted = -1;
static long number, calls[KINDS];

/* Whether this call of "kind" is the one that goes wrong, or one behind it where "stays". */
static bool strikes(enum kind kind, bool stays)
{
	long n;

	if (!is_armed)
		return false;
	n = __atomic_add_fetch(&calls[kind], 1, __ATOMIC_RELAXED);
	return wanted == (int)kind && (n == number || (stays && n > number));
}

__attribute__((constructor)) static void arm(void)
{
	const char *fault = getenv("STROP_FAULT"), *colon = fault ? strchr(fault, ':') : NULL;

	for (int k = 0; colon && k < KINDS; k++)
		if (strlen(names[k]) == (size_t)(colon - fault) && !strncmp(names[k], fault, (size_t)(colon - fault)))
			wanted = k;
	number = colon ? atol(colon + 1) : 0;
	is_armed = fault != NULL;
	unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void tell(void)
{
	const char *path = getenv("STROP_FAULT_COUNT");
	FILE *file;

	is_armed = false;
	file = path ? fopen(path, "w") : NULL;
	for (int k = 0; file && k < KINDS; k++)
		fprintf(file, "%s %ld\n", names[k], calls[k]);
	if (file)
		fclose(file);
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static bool lacks_memory(void)
{
	if (!strikes(ALLOC, false))
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size) { return lacks_memory() ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return lacks_memory() ? NULL : __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { return lacks_memory() ? NULL : __libc_realloc(old, size); }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static bool is_file(int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

static int no(int error)
{
	errno = error;
	return -1;
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	if (!is_file(fd))
		return REAL(write)(fd, bytes, size);
	if (strikes(KILL_WRITE, false))
		raise(SIGKILL);
	if (strikes(WRITE, true))
		return no(ENOSPC);
	if (strikes(SHORT, false) && size > 1)
		size /= 2;
	return REAL(write)(fd, bytes, size);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at)
{
	return is_file(fd) && strikes(WRITE, true) ? no(ENOSPC) : REAL(pwrite64)(fd, bytes, size, at);
}

int open(const char *path, int flags, ...)
{
	va_list list;
	mode_t mode;

	va_start(list, flags);
	mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
	va_end(list);
	return (flags & O_CREAT) && strikes(CREATE, true) ? no(ENOSPC) : REAL(open)(path, flags, mode);
}

int mkstemp(char *template)
{
	return strikes(CREATE, true) ? no(ENOSPC) : REAL(mkstemp)(template);
}

int fsync(int fd)
{
	if (strikes(KILL_FSYNC, false))
		raise(SIGKILL);
	return strikes(FSYNC, false) ? no(EIO) : REAL(fsync)(fd);
}

int rename(const char *from, const char *to)
{
	int result;

	if (strikes(KILL_RENAME, false))
		raise(SIGKILL);
	if (strikes(RENAME, false))
		return no(EIO);
	result = REAL(rename)(from, to);
	if (strikes(KILLED_RENAME, false))
		raise(SIGKILL);
	return result;
}

pid_t fork(void)
{
	return strikes(FORK, false) ? no(EAGAIN) : REAL(fork)();
}

int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
		char *const argv[], char *const environment[])
{
	return strikes(SPAWN, false) ? EAGAIN : REAL(posix_spawn)(process, path, actions, attributes, argv, environment);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	const int result = REAL(clock_gettime)(clock, time);

	if (strikes(CLOCK, false))
		time->tv_sec += 3600;
	return result;
}
