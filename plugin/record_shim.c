#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/file.h"

#include "command_internal.h"
#include "record_internal.h"

/* A source on the command line and its instrumented copy, which stands in "folder" under the same name. */
struct swap {
	int word;
	const char *source, *folder;
};

/* One compilation: the expanded words of its command, and the sources swapped in it. */
struct shim {
	struct arena *arena;
	const char *directory, *scratch;
	struct arguments list;
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

	if (!command_fill(shim->arena, &shim->list, shim->directory,
			  path_resolve(shim->arena, path_absolute(shim->arena, NULL, source)), &command))
		return;
	unit = unit_scan(&command, NULL);
	if (unit && record_instrument(unit, command.file, source, &text) > 0) {
		const char *const folder = arena_printf(shim->arena, "%s/%d", shim->scratch, shim->n_swap);

		if (folder_make(folder, NULL) == STATUS_OK &&
		    file_write(path_join(shim->arena, folder, path_base(source)), text_string(&text), text.size, NULL) ==
			    STATUS_OK)
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
	for (int i = 0; i < shim->n_swap; i++) {
		arguments_add(&list, "-iquote");
		arguments_add(&list, path_folder(shim->arena, shim->swap[i].source));
	}
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
		slash = strrchr(found->source, '/');
		text_append_bytes(&repaired, found->source, slash ? (size_t)(slash - found->source) + 1 : 0);
		p += strlen(found->folder) + 1;
		n++;
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
	shim.list.arena = shim.arena;
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
	if (shim_compile(argc, argv))
		return 0;
	execvp(argv[0], argv);
	fprintf(stderr, "strop: %s: cannot be started\n", argv[0]);
	return 127;
}

/* Is "name" that of a C or C++ compiler, with or without the triple of a target in front and a version behind? */
static bool is_compiler(const char *name)
{
	static const char *const table[] = {"cc", "gcc", "clang", "c89", "c99", "c++", "g++", "clang++"};
	const char *const triple = strstr(name, "-gnu-");
	const char *const base = triple ? triple + 5 : name;

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		const size_t n = strlen(table[i]);

		if (!strncmp(base, table[i], n) &&
		    (!base[n] || (base[n] == '-' && isdigit((unsigned char)base[n + 1]) &&
				  !base[n + 1 + strspn(base + n + 1, "0123456789.")])))
			return true;
	}
	return false;
}

/* Append "word" quoted for sh. */
static void quote(const char *word, struct text *out)
{
	text_append_char(out, '\'');
	for (const char *p = word; *p; p++) {
		if (*p == '\'')
			text_append(out, "'\\''");
		else
			text_append_char(out, *p);
	}
	text_append_char(out, '\'');
}

/* Write the script "path" that passes its arguments to "strop cc-record COMPILER" (without COMPILER when it is NULL). */
static enum status script_write(const char *path, const char *strop, const char *compiler, struct diag *diag)
{
	struct text text = {0};
	enum status status;

	text_append(&text, "#!/bin/sh\nexec ");
	quote(strop, &text);
	text_append(&text, " cc-record ");
	if (compiler)
		quote(compiler, &text);
	text_append(&text, " \"$@\"\n");
	status = file_write(path, text_string(&text), text.size, diag);
	text_free(&text);
	if (status == STATUS_OK && chmod(path, 0755) != 0)
		status = diag_set(diag, EXIT_MACHINE, "%s: cannot be made executable", path);
	return status;
}

/* Write a script for each compiler in "folder" that has none yet. */
static enum status scripts_write_for(struct arena *arena, const char *shims, const char *strop, const char *folder,
				     struct diag *diag)
{
	DIR *const handle = opendir(folder);
	enum status status = STATUS_OK;

	for (struct dirent *entry; handle && status == STATUS_OK && (entry = readdir(handle)) != NULL;) {
		const char *const script = path_join(arena, shims, entry->d_name);
		const char *const compiler = path_join(arena, folder, entry->d_name);

		if (is_compiler(entry->d_name) && !file_exists(script) && access(compiler, X_OK) == 0)
			status = script_write(script, strop, compiler, diag);
	}
	if (handle)
		closedir(handle);
	return status;
}

/* Write the scripts that stand in for the compilers on "path". */
static enum status scripts_write(struct arena *arena, const char *shims, const char *strop, const char *path,
				 struct diag *diag)
{
	if (folder_make(shims, diag) != STATUS_OK ||
	    script_write(path_join(arena, shims, "strop-record-cc"), strop, NULL, diag) != STATUS_OK)
		return STATUS_FAILED;
	while (*path) {
		const size_t n = strcspn(path, ":");
		const char *const folder = arena_strndup(arena, path, n);

		if (n && scripts_write_for(arena, shims, strop, folder, diag) != STATUS_OK)
			return STATUS_FAILED;
		path += n + (path[n] == ':');
	}
	return STATUS_OK;
}

/* Add "VARIABLE=recorder VALUE" for a variable that names a compiler, when it is set. */
static void compiler_redirect(const char *variable, const char *shims, struct arguments *environment)
{
	const char *const value = getenv(variable);

	if (value && *value)
		arguments_add(environment,
			      arena_printf(environment->arena, "%s=%s/strop-record-cc %s", variable, shims, value));
}

enum status record_command(const char *strop, char *const *command, const char *folder, double seconds,
			   struct process_end *end, struct diag *diag)
{
	struct arena *const arena = arena_new();
	const char *const path = getenv("PATH") ? getenv("PATH") : "/usr/local/bin:/usr/bin:/bin";
	const char *const records = path_absolute(arena, NULL, folder);
	const char *const shims = path_join(arena, records, "shims");
	struct arguments environment = {.arena = arena};
	struct process process = {.argv = (const char *const *)command, .seconds = seconds, .inherit = true};
	enum status status;

	arguments_add(&environment, arena_printf(arena, "PATH=%s:%s", shims, path));
	arguments_add(&environment, arena_printf(arena, "STROP_RECORD_PATH=%s", path));
	arguments_add(&environment, arena_printf(arena, "STROP_RECORD_DIR=%s", records));
	compiler_redirect("CC", shims, &environment);
	compiler_redirect("CXX", shims, &environment);
	process.environment = environment.argv;
	status = scripts_write(arena, shims, strop, path, diag);
	if (status == STATUS_OK)
		status = process_run(&process, end, diag);
	arena_free(arena);
	return status;
}
