/* The judge's memory map, environment and descriptors are read.
 * verdict: equal; needs: landlock */
#include "hostile.h"
static void attack(void)
{
	static const char *const names[] = {"environ", "maps", "mem", "fd/3", "cwd/secret", "root/etc/passwd"};
	char path[64];

	for (int i = 0; i < 6; i++) {
		snprintf(path, sizeof(path), "/proc/%d/%s", (int)getppid(), names[i]);
		int fd = open(path, O_RDONLY);
		if (fd >= 0)
			betray_file(fd);
	}
}
AT_LOAD(f)
