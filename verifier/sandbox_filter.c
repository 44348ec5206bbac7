#include "sandbox_internal.h"

#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define SANDBOX_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define SANDBOX_ARCH AUDIT_ARCH_AARCH64
#else
#define SANDBOX_ARCH 0
#endif

/* Names of system calls that the headers of older systems lack, and that only some processors have. */
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif
#define ARG_LOW(n) (unsigned)(offsetof(struct seccomp_data, args) + 8 * (n))
#define ARG_HIGH(n) (ARG_LOW(n) + 4)

/* A filter in the making. Filters name what is allowed: a call that nobody thought of raises SIGSYS. */
enum { INSTRUCTIONS_MOST = 1024 };
struct code {
	struct sock_filter at[INSTRUCTIONS_MOST];
	unsigned short n;
};

static void emit(struct code *code, unsigned short op, unsigned value, unsigned char yes, unsigned char no)
{
	if (code->n == INSTRUCTIONS_MOST)
		abort();
	code->at[code->n++] = (struct sock_filter){op, yes, no, value};
}

static void load(struct code *code, unsigned offset)
{
	emit(code, BPF_LD | BPF_W | BPF_ABS, offset, 0, 0);
}

static void give(struct code *code, unsigned action)
{
	emit(code, BPF_RET | BPF_K, action, 0, 0);
}

/* Calls of another architecture, whose numbers mean other things (a 64-bit program can reach the gate of 32-bit ones), and of
 * x32 raise SIGSYS. Leaves the number loaded. */
static void begin(struct code *code)
{
	load(code, offsetof(struct seccomp_data, arch));
	emit(code, BPF_JMP | BPF_JEQ | BPF_K, SANDBOX_ARCH, 1, 0);
	give(code, SECCOMP_RET_TRAP);
	load(code, offsetof(struct seccomp_data, nr));
	emit(code, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
	give(code, SECCOMP_RET_TRAP);
}

/* What becomes of all calls of a number. */
static void decide(struct code *code, const int *numbers, size_t n, unsigned action)
{
	size_t i;

	for (i = 0; i < n; i++) {
		emit(code, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)numbers[i], 0, 1);
		give(code, action);
	}
}
#define DECIDE(code, numbers, action) decide(code, numbers, sizeof(numbers) / sizeof((numbers)[0]), action)

/* Allow the call "number" when the lower half of its argument "arg" is one of the values. */
static void allow_values(struct code *code, int number, int arg, const unsigned *value, size_t n)
{
	size_t i;

	emit(code, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, (unsigned char)(2 * n + 2));
	load(code, ARG_LOW(arg));
	for (i = 0; i < n; i++) {
		emit(code, BPF_JMP | BPF_JEQ | BPF_K, value[i], 0, 1);
		give(code, SECCOMP_RET_ALLOW);
	}
	give(code, SECCOMP_RET_TRAP);
}

/* Allow the call "number" when all "bits" of the lower half of its argument "arg" are as in "wanted". */
static void allow_bits(struct code *code, int number, int arg, unsigned bits, unsigned wanted)
{
	emit(code, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 5);
	load(code, ARG_LOW(arg));
	emit(code, BPF_ALU | BPF_AND | BPF_K, bits, 0, 0);
	emit(code, BPF_JMP | BPF_JEQ | BPF_K, wanted, 0, 1);
	give(code, SECCOMP_RET_ALLOW);
	give(code, SECCOMP_RET_TRAP);
}

/* Allow prlimit64 to ask for limits of its own. */
static void allow_asking_limits(struct code *code)
{
	emit(code, BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 8);
	load(code, ARG_LOW(0));
	emit(code, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 4);
	load(code, ARG_LOW(2));
	emit(code, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2);
	load(code, ARG_HIGH(2));
	emit(code, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
	give(code, SECCOMP_RET_TRAP);
	give(code, SECCOMP_RET_ALLOW);
}

/* Allow what asks or sets an attribute of a descriptor, but who gets signals for it, and seals. */
static void allow_fcntl(struct code *code)
{
	static const unsigned commands[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL};

	allow_values(code, SYS_fcntl, 1, commands, sizeof(commands) / sizeof(commands[0]));
}

/* What computing needs: memory and threads of its own, clocks, the streams that it has. Nothing here reaches another process, names a
 * file, or makes a descriptor of something new. */
static const int computing[] = {
	SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_lseek, SYS_close, SYS_fstat, SYS_dup, SYS_dup3,
	SYS_getdents64, SYS_ppoll, SYS_recvfrom, SYS_recvmsg, SYS_sendto,
	SYS_munmap, SYS_mremap, SYS_brk, SYS_madvise, SYS_mincore, SYS_mbind, SYS_get_mempolicy, SYS_set_mempolicy,
	SYS_futex, SYS_set_robust_list, SYS_set_tid_address, SYS_exit, SYS_exit_group, SYS_restart_syscall, SYS_sched_yield,
	SYS_sched_getaffinity, SYS_sched_getparam, SYS_sched_getscheduler, SYS_sched_get_priority_max,
	SYS_sched_get_priority_min, SYS_getcpu, SYS_membarrier,
	SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigsuspend, SYS_rt_sigtimedwait,
	SYS_sigaltstack,
	SYS_gettid, SYS_getpid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getpgid, SYS_getsid,
	SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_times,
	SYS_getrandom, SYS_getrusage, SYS_sysinfo, SYS_uname,
#ifdef SYS_rseq
	SYS_rseq,
#endif
#ifdef SYS_open
	SYS_dup2, SYS_poll, SYS_time, SYS_getrlimit, SYS_pause, SYS_getpgrp, SYS_arch_prctl,
#endif
};

/* What looks at files by name: allowed while the program is loaded, refused afterwards. */
static const int looking[] = {
	SYS_newfstatat, SYS_readlinkat, SYS_faccessat, SYS_getcwd, SYS_statfs, SYS_fstatfs,
#ifdef SYS_statx
	SYS_statx,
#endif
#ifdef SYS_open
	SYS_stat, SYS_lstat, SYS_readlink, SYS_access,
#endif
};

/* Said not to exist. clone3, openat2 and the like hide what they do from a filter; libraries that know them do without. */
static const int hidden[] = {
	435 /* clone3 */, 437 /* openat2 */, 439 /* faccessat2 */, 449 /* futex_waitv */, 453 /* map_shadow_stack */,
	454 /* futex_wake */, 455 /* futex_wait */, 456 /* futex_requeue */, 462 /* mseal */,
};

static const unsigned nobody = 0;

/* What is allowed in both states. */
static void allow_computing(struct code *code)
{
	static const unsigned terminals[] = {TCGETS, TIOCGWINSZ};
	const unsigned self = (unsigned)getpid();

	DECIDE(code, computing, SECCOMP_RET_ALLOW);
	DECIDE(code, hidden, SECCOMP_RET_ERRNO | ENOSYS);
	allow_bits(code, SYS_clone, 0, CLONE_THREAD, CLONE_THREAD);
	allow_values(code, SYS_tgkill, 0, &self, 1);
	allow_values(code, SYS_sched_setaffinity, 0, &nobody, 1);
	allow_values(code, SYS_ioctl, 1, terminals, 2);
	allow_asking_limits(code);
	allow_fcntl(code);
}

static bool install(struct code *code)
{
	struct sock_fprog program = {.filter = code->at};

	give(code, SECCOMP_RET_TRAP);
	program.len = code->n;
	return SANDBOX_ARCH != 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* NOTE: whatever runs while the program is loaded (constructors, resolvers of indirect functions) can keep the sandbox from
 * closing, by threads, by changing the runner's code, or by never returning. So this filter is the one that must hold against
 * everything; the other one takes back what loading needs. */
bool filter_enter(void)
{
	static const unsigned options[] = {PR_SET_NAME, PR_GET_NAME, PR_SET_VMA, PR_SET_SECCOMP};
	static const int closing[] = {444 /* landlock_create_ruleset */, 446 /* landlock_restrict_self */, SYS_mmap, SYS_mprotect};
	const unsigned writing = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
	static struct code code;

	code.n = 0;
	begin(&code);
	allow_computing(&code);
	DECIDE(&code, looking, SECCOMP_RET_ALLOW);
	DECIDE(&code, closing, SECCOMP_RET_ALLOW);
	allow_values(&code, SYS_prctl, 0, options, sizeof(options) / sizeof(options[0]));
	allow_bits(&code, SYS_openat, 2, writing, O_RDONLY);
#ifdef SYS_open
	allow_bits(&code, SYS_open, 1, writing, O_RDONLY);
#endif
	return install(&code);
}

bool filter_close(void)
{
	static const unsigned options[] = {PR_SET_NAME, PR_GET_NAME, PR_SET_VMA};
	static const int opening[] = {
		SYS_openat,
#ifdef SYS_open
		SYS_open,
#endif
	};
	static struct code code;

	code.n = 0;
	begin(&code);
	allow_computing(&code);
	DECIDE(&code, looking, SECCOMP_RET_ERRNO | EACCES);
	DECIDE(&code, opening, SECCOMP_RET_ERRNO | EACCES);
	allow_values(&code, SYS_prctl, 0, options, sizeof(options) / sizeof(options[0]));
	allow_bits(&code, SYS_mmap, 2, PROT_EXEC, 0);
	allow_bits(&code, SYS_mprotect, 2, PROT_EXEC, 0);
	return install(&code);
}
