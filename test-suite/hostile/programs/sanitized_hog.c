/* Memory without end where the sanitizers, whose address space has no limit, are at work.
 * verdict: undefined */
#include "hostile.h"
static void attack(void)
{
#ifdef __SANITIZE_ADDRESS__
	for (;;)
		memset((void *)syscall(SYS_mmap, NULL, 1L << 26, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L), 1, 1 << 26);
#endif
}
AT_LOAD(f)
