#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/file.h"

#include "record_internal.h"

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

/* Add "VARIABLE=recorder VALUE" for a variable that names a compiler, when it is set; the recorder is found on PATH. */
static void compiler_redirect(const char *variable, struct arguments *environment)
{
	const char *const value = getenv(variable);

	if (value && *value)
		arguments_add(environment, arena_printf(environment->arena, "%s=strop-record-cc %s", variable, value));
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
	compiler_redirect("CC", &environment);
	compiler_redirect("CXX", &environment);
	process.environment = environment.argv;
	status = scripts_write(arena, shims, strop, path, diag);
	if (status == STATUS_OK)
		status = process_run(&process, end, diag);
	arena_free(arena);
	return status;
}
