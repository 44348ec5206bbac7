#include "command.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/data.h"
#include "support/file.h"
#include "support/json.h"

#include "command_internal.h"

/* Compilers are started through these at times; the compiler is the word behind. */
static const char *const launcher[] = {"ccache", "sccache", "distcc", "icecc", "strop-cc"};

/* A compile_commands.json in memory. "name" is its path, for messages. */
struct database {
	struct arena *arena;
	const char *name;
	const struct data *entries;
};

static bool is_launcher(const char *word)
{
	for (size_t i = 0; i < sizeof(launcher) / sizeof(*launcher); i++)
		if (!strcmp(path_base(word), launcher[i]))
			return true;
	return false;
}

/* Does "flag" take the next word as its value, so that this word is no source? */
static bool takes_value(const char *flag)
{
	static const char *const table[] = {"-o", "-include", "-imacros", "-I", "-D", "-U", "-MF", "-MT", "-MQ", "-x",
					    "-isystem", "-iquote", "-idirafter", "-ccbin", "-Xcompiler"};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (!strcmp(flag, table[i]))
			return true;
	return false;
}

/* The index of the argument that names "file" (resolved) when read in "directory"; -1 without one. */
static int source_find(struct arena *arena, const struct arguments *list, const char *directory, const char *file)
{
	for (int i = list->argc - 1; i > 0; i--) {
		const char *const word = list->argv[i];

		if (word[0] == '-' || takes_value(list->argv[i - 1]) ||
		    strcmp(path_base(word), path_base(file)))
			continue;
		if (!strcmp(path_resolve(arena, path_join(arena, directory, word)), file))
			return i;
	}
	for (int i = list->argc - 1; i > 0; i--)
		if (list->argv[i][0] != '-' && !takes_value(list->argv[i - 1]) &&
		    !strcmp(path_resolve(arena, path_join(arena, directory, list->argv[i])), file))
			return i;
	return -1;
}

static bool is_cuda(const struct command *command)
{
	for (int i = 1; i < command->source; i++)
		if (!strcmp(command->argv[i], "-xcu") ||
		    (!strcmp(command->argv[i], "-x") && !strncmp(command->argv[i + 1], "cu", 2)))
			return true;
	return language_find(command->file) == LANGUAGE_CUDA;
}

bool command_fill(struct arena *arena, const struct arguments *list, const char *directory, const char *file,
		  struct command *command)
{
	int skip = 0;

	while (skip + 1 < list->argc && is_launcher(list->argv[skip]))
		skip++;
	command->directory = directory;
	command->file = file;
	command->source = source_find(arena, list, directory, file) - skip;
	command->argc = list->argc - skip;
	command->argv = list->argv + skip;
	if (command->source <= 0)
		return false;
	command->is_cuda = is_cuda(command);
	return true;
}

/* Set "directory" and "file", absolute and resolved, to those of "entry". */
static enum status entry_place(const struct database *database, const struct data *entry, const char **directory,
			       const char **file, struct diag *diag)
{
	struct arena *const arena = database->arena;
	const char *const base = path_folder(arena, database->name);
	const char *const in = data_find_string(entry, "directory", NULL);
	const char *const name = data_find_string(entry, "file", NULL);

	if (!in || !name)
		return diag_set(diag, EXIT_INPUT, "%s: an entry lacks \"%s\"; make the build system write it again",
				database->name, in ? "file" : "directory");
	*directory = path_absolute(arena, base, in);
	*file = path_resolve(arena, path_join(arena, *directory, name));
	return STATUS_OK;
}

/* Append the words of "entry", whichever of its two forms it has. */
static void entry_words(const struct database *database, const struct data *entry, const char *directory,
			struct arguments *list)
{
	const struct data *const words = data_find(entry, "arguments");
	struct arguments raw = {.arena = database->arena};

	for (int i = 0; words && i < words->n; i++)
		if (words->item[i]->kind == DATA_STRING)
			arguments_add(&raw, words->item[i]->string);
	if (!raw.argc)
		arguments_split_shell(&raw, data_find_string(entry, "command", ""));
	for (int i = 0; i < raw.argc; i++)
		arguments_add_expanded(list, directory, raw.argv[i]);
}

static enum status entry_read(const struct database *database, const struct data *entry, struct command *command,
			      struct diag *diag)
{
	struct arguments list = {.arena = database->arena};
	const char *directory, *file;

	if (entry_place(database, entry, &directory, &file, diag) != STATUS_OK)
		return STATUS_FAILED;
	entry_words(database, entry, directory, &list);
	if (list.argc && command_fill(database->arena, &list, directory, file, command))
		return STATUS_OK;
	return diag_set(diag, EXIT_INPUT, "%s: the command for %s does not compile it; make the build system write it again",
			database->name, file);
}

static enum status database_open(struct arena *arena, const char *build, struct database *database, struct diag *diag)
{
	struct text text = {0};
	const bool is_file = file_exists(build) && !file_is_folder(build);
	const char *const folder = is_file ? path_folder(arena, build) : build;
	enum status status = STATUS_FAILED;

	database->arena = arena;
	database->name = path_absolute(arena, NULL, path_join(arena, folder, "compile_commands.json"));
	if (!file_exists(database->name))
		return diag_set(diag, EXIT_INPUT,
				"%s does not exist; configure with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or use bear",
				database->name);
	if (file_read(database->name, &text, diag) != STATUS_OK)
		goto done;
	database->entries = json_read(arena, database->name, text_string(&text), text.size, diag);
	if (!database->entries)
		goto done;
	if (database->entries->kind != DATA_LIST)
		diag_set(diag, EXIT_INPUT, "%s is no list of commands", database->name);
	else if (!database->entries->n)
		diag_set(diag, EXIT_INPUT, "%s is empty; it lists no file", database->name);
	else
		status = STATUS_OK;
done:
	text_free(&text);
	return status;
}

static bool list_has(const struct command_list *list, const char *file)
{
	for (int i = 0; i < list->n; i++)
		if (!strcmp(list->command[i].file, file))
			return true;
	return false;
}

/* Add every source that "database" lists, once. */
static enum status database_load_all(const struct database *database, struct command_list *list, struct diag *diag)
{
	const char *directory, *file;

	list->command = ARENA_ARRAY(database->arena, struct command, database->entries->n);
	for (int i = 0; i < database->entries->n; i++) {
		const struct data *const entry = database->entries->item[i];

		if (entry_place(database, entry, &directory, &file, diag) != STATUS_OK)
			return STATUS_FAILED;
		if (language_find(file) == LANGUAGE_NONE || list_has(list, file))
			continue;
		if (entry_read(database, entry, &list->command[list->n], diag) != STATUS_OK)
			return STATUS_FAILED;
		list->n++;
	}
	if (!list->n)
		return diag_set(diag, EXIT_INPUT, "%s lists no C, C++ or CUDA source", database->name);
	return STATUS_OK;
}

/* Set "file" to the absolute, resolved path of "path", which must be readable. */
static enum status source_resolve(struct arena *arena, const char *path, const char **file, struct diag *diag)
{
	*file = path_resolve(arena, path_absolute(arena, NULL, path));
	if (!file_exists(*file))
		return diag_set(diag, EXIT_INPUT, "%s does not exist", path);
	if (file_is_folder(*file))
		return diag_set(diag, EXIT_INPUT, "%s is a folder; name the files, or use -p BUILD", path);
	if (access(*file, R_OK) != 0)
		return diag_set(diag, EXIT_INPUT, "%s cannot be read", path);
	return STATUS_OK;
}

/* Fill "command" with the first entry for "file"; entries for other files are never bent to fit it. */
static enum status database_load_file(const struct database *database, const char *file, struct command *command,
				      struct diag *diag)
{
	const char *directory, *listed;

	for (int i = 0; i < database->entries->n; i++) {
		const struct data *const entry = database->entries->item[i];

		if (entry_place(database, entry, &directory, &listed, diag) != STATUS_OK)
			return STATUS_FAILED;
		if (!strcmp(file, listed))
			return entry_read(database, entry, command, diag);
	}
	return diag_set(diag, EXIT_INPUT, "%s is not listed in %s; build it once, or give its flags after --", file,
			database->name);
}

enum status command_load(struct arena *arena, const char *build, int n, char *const *files, struct command_list *list,
			 struct diag *diag)
{
	struct database database;
	const char *file;

	memset(list, 0, sizeof(*list));
	if (database_open(arena, build, &database, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (!n)
		return database_load_all(&database, list, diag);
	list->command = ARENA_ARRAY(arena, struct command, n);
	for (int i = 0; i < n; i++) {
		if (source_resolve(arena, files[i], &file, diag) != STATUS_OK)
			return STATUS_FAILED;
		if (list_has(list, file))
			continue;
		if (database_load_file(&database, file, &list->command[list->n], diag) != STATUS_OK)
			return STATUS_FAILED;
		list->n++;
	}
	return STATUS_OK;
}

/* Append the compiler that a build of "language" would use by itself. */
static void compiler_add(enum language language, struct arguments *list)
{
	static const struct { const char *variable, *otherwise; } table[] = {
		[LANGUAGE_NONE] = {"CC", "cc"}, [LANGUAGE_C] = {"CC", "cc"}, [LANGUAGE_CXX] = {"CXX", "c++"},
		[LANGUAGE_CUDA] = {"CUDACXX", "nvcc"},
	};
	const char *const chosen = getenv(table[language].variable);

	arguments_split_shell(list, chosen && *chosen ? chosen : table[language].otherwise);
	if (!list->argc)
		arguments_add(list, table[language].otherwise);
}

/* Append the words of the command "compiler flags -c file". */
static void words_make(const char *directory, const char *file, int n_flag, char *const *flags, struct arguments *list)
{
	bool has_action = false;

	if (!n_flag || flags[0][0] == '-' || flags[0][0] == '@')
		compiler_add(language_find(file), list);
	for (int i = 0; i < n_flag; i++)
		arguments_add_expanded(list, directory, flags[i]);
	for (int i = 1; i < list->argc; i++)
		has_action |= !strcmp(list->argv[i], "-c") || !strcmp(list->argv[i], "-dc");
	if (!has_action)
		arguments_add(list, "-c");
	arguments_add(list, file);
}

enum status command_make(struct arena *arena, int n, char *const *files, int n_flag, char *const *flags,
			 struct command_list *list, struct diag *diag)
{
	const char *const directory = path_absolute(arena, NULL, ".");
	const char *file;

	memset(list, 0, sizeof(*list));
	list->command = ARENA_ARRAY(arena, struct command, n);
	for (int i = 0; i < n; i++) {
		struct arguments words = {.arena = arena};

		if (source_resolve(arena, files[i], &file, diag) != STATUS_OK)
			return STATUS_FAILED;
		if (list_has(list, file))
			continue;
		words_make(directory, files[i], n_flag, flags, &words);
		if (!command_fill(arena, &words, directory, file, &list->command[list->n]))
			return diag_set(diag, EXIT_INPUT, "%s: no compiler among the flags after --", files[i]);
		list->n++;
	}
	return STATUS_OK;
}
