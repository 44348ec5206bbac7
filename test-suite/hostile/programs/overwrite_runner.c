/* All that the runner's own program can write is overwritten.
 * verdict: crash|side-effect|timeout|different */
#include "hostile.h"
#include <link.h>
static int overwrite(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		char *at = (char *)info->dlpi_addr + part->p_vaddr;

		if (part->p_type == PT_LOAD && (part->p_flags & PF_W))
			for (size_t k = part->p_filesz; k < part->p_memsz; k++)
				at[k] = 0x5a;
	}
	return 1;
}
static void attack(void) { dl_iterate_phdr(overwrite, NULL); }
AT_CALL(f)
