/* What hostile programs share. OUTSIDE is a folder that holds the file "secret", and in which nothing may change; PORT is a port of
 * the loopback device on which somebody listens; both come with the command line. A program defines attack() and says when it
 * happens: AT_LOAD, as the program is loaded, before the sandbox closes; AT_CALL, in each call, which computes what it should. */
#ifndef STROP_HOSTILE_H
#define STROP_HOSTILE_H
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "wire.h"

enum { REPLY_BYTES = sizeof(struct wire_reply) };

static void attack(void);

static inline void compute(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}

#define AT_LOAD(f) \
	__attribute__((constructor)) static void at_load(void) { attack(); } \
	void f(int n, float *out, const float *in, float a) { compute(n, out, in, a); }
#define AT_LOAD_WRONG(f) \
	__attribute__((constructor)) static void at_load(void) { attack(); } \
	void f(int n, float *out, const float *in, float a) { (void)n, (void)out, (void)in, (void)a; }
#define AT_CALL(f) \
	void f(int n, float *out, const float *in, float a) { compute(n, out, in, a); attack(); }

/* Try to leave bytes in a file outside, whatever the ways that are open. */
static inline void leave(const char *name, const char *bytes, size_t size)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", OUTSIDE, name);
	fd = (int)syscall(SYS_open, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd >= 0 && write(fd, bytes, size) >= 0)
		close(fd);
}

/* Send the judge an answer in the runner's name. */
static inline void forge(unsigned status, const char *message)
{
	struct wire_reply reply = {.status = status, .seconds = 1e-9};

	memcpy(reply.message, message, strnlen(message, sizeof(reply.message) - 1));
	if (send(3, &reply, sizeof(reply), MSG_NOSIGNAL) < 0)
		_exit(0);
}

/* Let text out by all streams, and by the message that the judge repeats. */
static inline void betray(const char *text, size_t size)
{
	char message[128] = "";

	memcpy(message, text, size < sizeof(message) - 1 ? size : sizeof(message) - 1);
	if (write(1, text, size) < 0 || write(2, text, size) < 0)
		message[127] = 0;
	leave("new", text, size);
	forge(WIRE_BROKEN, message);
	for (;;)
		pause();
}

static inline void betray_file(int fd)
{
	char text[256];
	ssize_t got = read(fd, text, sizeof(text));

	if (got > 0)
		betray(text, (size_t)got);
}

/* Receive a command in the place of the runner: the descriptor of the buffers that comes along, -1 when none does, -2 at the end. */
static inline int take_buffers(void)
{
	static char bytes[1 << 16];
	char control[CMSG_SPACE(sizeof(int))];
	struct iovec part = {bytes, sizeof(bytes)};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
	int fd = -1;

	if (recvmsg(3, &message, 0) <= 0)
		return -2;
	if (CMSG_FIRSTHDR(&message))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int));
	return fd;
}

/* A system call by the gate and the numbers of 32-bit programs. */
static inline long gate(long number, long first, long second, long third)
{
#if defined(__x86_64__)
	long result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second), "d"(third) : "r8", "r9", "r10", "r11", "memory");
	return result;
#else
	(void)number, (void)first, (void)second, (void)third;
	return syscall(SYS_kill, 1, 0);
#endif
}
#endif
