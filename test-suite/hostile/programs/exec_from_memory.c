/* A program in memory is run.
 * verdict: side-effect */
#include "hostile.h"
static void attack(void)
{
	char *argv[] = {"sh", "-c", "echo got out >" OUTSIDE "/new", NULL};
	int from = open("/bin/sh", O_RDONLY), to = (int)syscall(SYS_memfd_create, "sh", 0);
	char buffer[4096];
	ssize_t got;

	while ((got = read(from, buffer, sizeof(buffer))) > 0)
		if (write(to, buffer, (size_t)got) != got)
			return;
	syscall(SYS_execveat, to, "", argv, NULL, AT_EMPTY_PATH);
}
AT_LOAD(f)
