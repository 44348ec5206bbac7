#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/file.h"

#include "command_internal.h"
#include "record_internal.h"

/* A source on the command line and its instrumented copy, which stands in "folder" under the same name. */
struct swap {
	int word;
	const char *source, *folder;
};

/* One compilation: the expanded words of its command, the sources swapped in it, and flags that these need. */
struct shim {
	struct arena *arena;
	const char *directory, *scratch;
	struct arguments list, quote;
	int n_swap;
	struct swap *swap;
};

/* Does "word" make the compiler do anything else than compile for an ordinary program? */
static bool is_refused(const char *word)
{
	static const char *const table[] = {"-E", "-S", "-M", "-MM", "-fsyntax-only", "-", "-ffreestanding", "-nostdlib",
					    "-nodefaultlibs", "-###", "--version", "-v", "-dumpversion", "-dumpmachine"};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (!strcmp(word, table[i]))
			return true;
	return !strncmp(word, "-print", 6) || !strncmp(word, "--help", 6) || !strncmp(word, "-x", 2);
}

static bool is_source(const char *word)
{
	const enum language language = language_find(word);

	return word[0] != '-' && (language == LANGUAGE_C || language == LANGUAGE_CXX) && file_exists(word);
}

/* Write the instrumented copy of the source that is word "word", when it has regions. */
static void swap_add(struct shim *shim, int word)
{
	const char *const source = shim->list.argv[word];
	struct command command;
	struct text text = {0};
	struct unit *unit = NULL;
	const char *folder;

	if (!command_fill(shim->arena, &shim->list, shim->directory,
			  path_resolve(shim->arena, path_absolute(shim->arena, NULL, source)), &command))
		return;
	unit = unit_scan(&command, NULL);
	folder = arena_printf(shim->arena, "%s/%d", shim->scratch, shim->n_swap);
	if (unit && folder_make(folder, NULL) == STATUS_OK && record_instrument(unit, source, folder, &text) > 0 &&
	    file_write(path_join(shim->arena, folder, path_base(source)), text_string(&text), text.size, NULL) == STATUS_OK) {
		record_quote_flags(unit, &shim->quote);
		shim->swap[shim->n_swap++] = (struct swap){word, source, folder};
	}
	unit_free(unit);
	text_free(&text);
}

static const struct swap *swap_find(const struct shim *shim, int word)
{
	for (int i = 0; i < shim->n_swap; i++)
		if (shim->swap[i].word == word)
			return &shim->swap[i];
	return NULL;
}

/* Compile the copies; return whether it worked. What the compiler says of them is nobody's concern. */
static bool copies_compile(const struct shim *shim)
{
	struct arguments list = {.arena = shim->arena};
	struct text output = {0};
	struct process_end end;
	struct process process = {.output = &output, .errors = &output};
	bool is_done;

	arguments_add(&list, shim->list.argv[0]);
	for (int i = 0; i < shim->quote.argc; i++)
		arguments_add(&list, shim->quote.argv[i]);
	for (int i = 1; i < shim->list.argc; i++) {
		const char *const word = shim->list.argv[i];
		const struct swap *const swap = swap_find(shim, i);

		if (swap)
			arguments_add(&list, path_join(shim->arena, swap->folder, path_base(word)));
		else if (strncmp(word, "-Werror", 7) && strcmp(word, "-pedantic-errors"))
			arguments_add(&list, word);
	}
	arguments_add(&list, "-w");
	process.argv = list.argv;
	is_done = process_run(&process, &end, NULL) == STATUS_OK && !end.status && !end.signal;
	text_free(&output);
	return is_done;
}

/* Let the dependency file "path" name the sources where it names their copies. */
static void dependencies_repair(const struct shim *shim, const char *path)
{
	struct text text = {0}, repaired = {0};
	int n = 0;

	if (!file_exists(path) || file_read(path, &text, NULL) != STATUS_OK)
		goto done;
	for (const char *p = text_string(&text); *p;) {
		const struct swap *found = NULL;
		const char *slash;

		for (int i = 0; i < shim->n_swap && !found; i++)
			if (!strncmp(p, shim->swap[i].folder, strlen(shim->swap[i].folder)))
				found = &shim->swap[i];
		if (!found) {
			text_append_char(&repaired, *p++);
			continue;
		}
		p += strlen(found->folder) + 1;
		n++;
		if (!strncmp(p, RECORD_ROOT "/", strlen(RECORD_ROOT "/"))) {
			p += strlen(RECORD_ROOT);
		} else {
			slash = strrchr(found->source, '/');
			text_append_bytes(&repaired, found->source, slash ? (size_t)(slash - found->source) + 1 : 0);
		}
	}
	if (n)
		file_replace(path, text_string(&repaired), repaired.size, NULL);
done:
	text_free(&text);
	text_free(&repaired);
}

/* "path" with ".d" for what follows its last dot. */
static const char *dependency_name(struct arena *arena, const char *path)
{
	const char *const dot = strrchr(path_base(path), '.');

	return arena_printf(arena, "%.*s.d", (int)(dot ? dot - path : (long)strlen(path)), path);
}

/* Repair the dependency files wherever gcc and clang may have put them. */
static void dependencies_repair_all(const struct shim *shim)
{
	const char *const *const argv = shim->list.argv;

	for (int i = 1; i < shim->list.argc; i++) {
		if (!strcmp(argv[i], "-MF") && i + 1 < shim->list.argc)
			dependencies_repair(shim, argv[i + 1]);
		else if (!strncmp(argv[i], "-MF", 3))
			dependencies_repair(shim, argv[i] + 3);
		else if (!strcmp(argv[i], "-o") && i + 1 < shim->list.argc)
			dependencies_repair(shim, dependency_name(shim->arena, argv[i + 1]));
		else if (!strncmp(argv[i], "-Wp,-M", 6) && strrchr(argv[i], ','))
			dependencies_repair(shim, strrchr(argv[i], ',') + 1);
	}
	for (int i = 0; i < shim->n_swap; i++)
		dependencies_repair(shim, dependency_name(shim->arena, path_base(shim->swap[i].source)));
}

/* Compile with recorders; false when there is nothing to record or it did not work. */
static bool shim_compile(int argc, char **argv)
{
	struct shim shim = {.arena = arena_new()};
	bool is_done = false, is_refusing = false;

	shim.directory = path_absolute(shim.arena, NULL, ".");
	shim.list.arena = shim.quote.arena = shim.arena;
	for (int i = 0; i < argc; i++)
		arguments_add_expanded(&shim.list, shim.directory, argv[i]);
	for (int i = 1; i < shim.list.argc; i++)
		is_refusing |= is_refused(shim.list.argv[i]);
	shim.scratch = is_refusing ? NULL : folder_make_scratch(shim.arena, NULL);
	if (!shim.scratch)
		goto done;
	shim.swap = ARENA_ARRAY(shim.arena, struct swap, shim.list.argc);
	for (int i = 1; i < shim.list.argc; i++)
		if (is_source(shim.list.argv[i]) && strcmp(shim.list.argv[i - 1], "-o"))
			swap_add(&shim, i);
	is_done = shim.n_swap > 0 && copies_compile(&shim);
	if (is_done)
		dependencies_repair_all(&shim);
	folder_remove(shim.scratch);
done:
	arena_free(shim.arena);
	return is_done;
}

int record_shim(int argc, char **argv)
{
	const char *const path = getenv("STROP_RECORD_PATH");

	if (argc < 1)
		return 2;
	if (path)
		setenv("PATH", path, 1);
	if (getenv("STROP_RECORD_DIR") && shim_compile(argc, argv))
		return 0;
	execvp(argv[0], argv);
	fprintf(stderr, "strop: %s: cannot be started\n", argv[0]);
	return 127;
}
