#include "symbols.h"

#include <elf.h>
#include <string.h>

#include "support/file.h"
#include "support/text.h"

/* The part of the file that a section says it has, or NULL when the file is shorter. */
static const void *section_bytes(const struct text *file, const Elf64_Shdr *section)
{
	if (section->sh_offset > file->size || section->sh_size > file->size - section->sh_offset)
		return NULL;
	return file->bytes + section->sh_offset;
}

/* The sections of the file, "*n" of them; NULL when it is no 64-bit object. */
static const Elf64_Shdr *find_sections(const struct text *file, size_t *n)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)file->bytes;

	if (file->size < sizeof(*head) || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
	    head->e_shentsize != sizeof(Elf64_Shdr) || head->e_shoff % _Alignof(Elf64_Shdr) != 0 || head->e_shoff > file->size ||
	    head->e_shnum > (file->size - head->e_shoff) / sizeof(Elf64_Shdr))
		return NULL;
	*n = head->e_shnum;
	return (const Elf64_Shdr *)(file->bytes + head->e_shoff);
}

/* The first wanted name among the undefined symbols of the table "symbols", whose names are in "names". */
static const char *find_undefined(struct arena *arena, const struct text *file, const Elf64_Shdr *symbols, const Elf64_Shdr *names,
				  bool (*is_wanted)(const char *name))
{
	const Elf64_Sym *symbol = section_bytes(file, symbols);
	const char *text = section_bytes(file, names);
	size_t i;

	if (!symbol || symbols->sh_offset % _Alignof(Elf64_Sym) != 0 || !text || names->sh_size == 0 || text[names->sh_size - 1] != '\0')
		return NULL;
	for (i = 0; i < symbols->sh_size / sizeof(*symbol); i++)
		if (symbol[i].st_shndx == SHN_UNDEF && symbol[i].st_name < names->sh_size && is_wanted(text + symbol[i].st_name))
			return arena_strdup(arena, text + symbol[i].st_name);
	return NULL;
}

enum status symbols_find(struct arena *arena, const char *path, bool (*is_wanted)(const char *name), const char **name,
			 struct diag *diag)
{
	struct text file = {0};
	const Elf64_Shdr *section;
	enum status status = file_read(path, &file, diag);
	size_t n = 0, i;

	*name = NULL;
	section = status == STATUS_OK ? find_sections(&file, &n) : NULL;
	for (i = 0; section && i < n && !*name; i++)
		if (section[i].sh_type == SHT_DYNSYM && section[i].sh_link < n)
			*name = find_undefined(arena, &file, &section[i], &section[section[i].sh_link], is_wanted);
	text_free(&file);
	return status;
}
