#include "sandbox_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define SANDBOX_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define SANDBOX_ARCH AUDIT_ARCH_AARCH64
#else
#define SANDBOX_ARCH 0
#endif

#define ARG_LOW(n) (unsigned)(offsetof(struct seccomp_data, args) + 8 * (n))
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)(field))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
/* Trap when the system call is "number". */
#define FORBID(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), RETURN(SECCOMP_RET_TRAP)

/* Processes, programs, sockets, other processes' memory and files under write are forbidden; threads are not. clone3
 * hides its flags from a filter: it is said not to exist, so that clone is used. */
static struct sock_filter filter[] = {
	LOAD(offsetof(struct seccomp_data, arch)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SANDBOX_ARCH, 1, 0),
	RETURN(SECCOMP_RET_ALLOW),
	LOAD(offsetof(struct seccomp_data, nr)),
#ifdef SYS_fork
	FORBID(SYS_fork),
	FORBID(SYS_vfork),
	FORBID(SYS_unlink),
	FORBID(SYS_rename),
	FORBID(SYS_creat),
#endif
	FORBID(SYS_execve),
	FORBID(SYS_execveat),
	FORBID(SYS_socket),
	FORBID(SYS_ptrace),
	FORBID(SYS_process_vm_writev),
	FORBID(SYS_unlinkat),
	FORBID(SYS_renameat2),
	FORBID(SYS_kill),
	FORBID(SYS_memfd_create),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
	RETURN(SECCOMP_RET_ERRNO | ENOSYS),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
	LOAD(ARG_LOW(0)),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
	RETURN(SECCOMP_RET_ALLOW),
	RETURN(SECCOMP_RET_TRAP),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
	LOAD(ARG_LOW(2)),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1),
	RETURN(SECCOMP_RET_TRAP),
	RETURN(SECCOMP_RET_ALLOW),
};

/* Fail with EACCES when the system call is "number". */
#define REFUSE(number) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), RETURN(SECCOMP_RET_ERRNO | EACCES)
/* Trap when the system call is "number" and asks for executable memory. */
#define FORBID_CODE(number) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 4), LOAD(ARG_LOW(2)), \
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), RETURN(SECCOMP_RET_TRAP), RETURN(SECCOMP_RET_ALLOW)

/* What the program must not do once it is loaded. */
static struct sock_filter closing[] = {
	LOAD(offsetof(struct seccomp_data, arch)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SANDBOX_ARCH, 1, 0),
	RETURN(SECCOMP_RET_ALLOW),
	LOAD(offsetof(struct seccomp_data, nr)),
#ifdef SYS_open
	REFUSE(SYS_open),
	FORBID(SYS_alarm),
	FORBID(SYS_chmod),
	FORBID(SYS_mkdir),
	FORBID(SYS_rmdir),
	FORBID(SYS_link),
	FORBID(SYS_symlink),
#endif
	REFUSE(SYS_openat),
	REFUSE(SYS_openat2),
	FORBID(SYS_chdir),
	FORBID(SYS_fchdir),
	FORBID(SYS_umask),
	FORBID(SYS_setitimer),
	FORBID(SYS_timer_create),
	FORBID(SYS_timerfd_create),
	FORBID(SYS_setrlimit),
	FORBID(SYS_personality),
	FORBID(SYS_chroot),
	FORBID(SYS_mount),
	FORBID(SYS_unshare),
	FORBID(SYS_setns),
	FORBID(SYS_bpf),
	FORBID(SYS_perf_event_open),
	FORBID(SYS_userfaultfd),
	FORBID(SYS_io_uring_setup),
	FORBID(SYS_process_vm_readv),
	FORBID(SYS_tkill),
	FORBID(SYS_rt_sigqueueinfo),
	FORBID(SYS_shmget),
	FORBID(SYS_msgget),
	FORBID(SYS_semget),
	FORBID(SYS_setpriority),
	FORBID(SYS_clock_settime),
	FORBID(SYS_socketpair),
	FORBID(SYS_bind),
	FORBID(SYS_connect),
	FORBID_CODE(SYS_mprotect),
	FORBID_CODE(SYS_pkey_mprotect),
	FORBID_CODE(SYS_mmap),
	RETURN(SECCOMP_RET_ALLOW),
};

static bool install(struct sock_filter *instructions, size_t n)
{
	struct sock_fprog program = {(unsigned short)n, instructions};

	return SANDBOX_ARCH != 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool filter_enter(void)
{
	return install(filter, sizeof(filter) / sizeof(filter[0]));
}

bool filter_close(void)
{
	return install(closing, sizeof(closing) / sizeof(closing[0]));
}
