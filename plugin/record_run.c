#include <string.h>

#include "support/file.h"

#include "record_internal.h"

/* Seconds for a compiler to do its work on one file. */
#define COMPILE_SECONDS 300

static bool starts_with(const char *word, const char *start)
{
	return !strncmp(word, start, strlen(start));
}

/* How many words from "argv" on do not belong into the compilation of a copy: the kind of output, its place, dependency
 * files, and what makes errors of warnings. */
static int words_dropped(int argc, const char *const *argv)
{
	static const char *const valued[] = {"-o", "-MF", "-MT", "-MQ"};
	static const char *const single[] = {"-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "-pedantic-errors"};

	for (size_t i = 0; i < sizeof(valued) / sizeof(*valued); i++)
		if (starts_with(argv[0], valued[i]))
			return argv[0][strlen(valued[i])] || argc < 2 ? 1 : 2;
	for (size_t i = 0; i < sizeof(single) / sizeof(*single); i++)
		if (!strcmp(argv[0], single[i]))
			return 1;
	return starts_with(argv[0], "-Werror") || starts_with(argv[0], "-Wp,-M");
}

void record_compile_flags(const struct command *command, struct arguments *list)
{
	for (int i = 1; i < command->argc;) {
		const int n = i == command->source ? 1 : words_dropped(command->argc - i, command->argv + i);

		if (!n)
			arguments_add(list, command->argv[i]);
		i += n ? n : 1;
	}
}

/* Run "list" in "directory"; fails with the first line of what it said when it does. "what" completes the sentence. */
static enum status compiler_run(const struct arguments *list, const char *directory, const char *what, struct diag *diag)
{
	struct text output = {0};
	struct process_end end;
	const struct process process = {.argv = list->argv, .directory = directory, .output = &output, .errors = &output,
					.seconds = COMPILE_SECONDS};
	enum status status = process_run(&process, &end, diag);

	if (status == STATUS_OK && (end.status || end.signal)) {
		const char *const error = strstr(text_string(&output), "error");
		const char *line = error ? error : text_string(&output);

		while (line > text_string(&output) && line[-1] != '\n')
			line--;
		status = diag_set(diag, end.status == 127 ? EXIT_MACHINE : EXIT_INPUT, "%s: %s %s: %.*s", list->argv[0],
				  "does not", what, (int)strcspn(line, "\n"), line);
	}
	text_free(&output);
	return status;
}

/* Compile "unit", instrumented where it has regions, in the folder "folder"/NUMBER; set "*object" to what it gives. */
static enum status unit_build(struct arena *arena, const struct unit *unit, const char *folder, int number,
			      const char **object, struct diag *diag)
{
	const struct command *const command = unit->command;
	const char *const source = command->argv[command->source];
	const char *const unit_folder = path_join(arena, folder, arena_printf(arena, "%d", number));
	const char *copy = source;
	struct arguments list = {.arena = arena};
	struct text text = {0};
	enum status status = folder_make(unit_folder, diag);

	if (record_instrument(unit, source, unit_folder, &text) > 0) {
		copy = path_join(arena, unit_folder, path_base(source));
		if (status == STATUS_OK)
			status = file_write(copy, text_string(&text), text.size, diag);
	}
	text_free(&text);
	*object = path_join(arena, unit_folder, "copy.o");
	arguments_add(&list, command->argv[0]);
	record_quote_flags(unit, &list);
	record_compile_flags(command, &list);
	arguments_add(&list, "-w");
	arguments_add(&list, "-c");
	arguments_add(&list, copy);
	arguments_add(&list, "-o");
	arguments_add(&list, *object);
	if (status == STATUS_OK)
		status = compiler_run(&list, command->directory,
				      arena_printf(arena, "compile %s with a recorder", command->file), diag);
	return status;
}

/* The unit that defines main; NULL and a sentence without one. */
static const struct unit *main_find(const struct record_program *program, struct diag *diag)
{
	for (int i = 0; i < program->n_unit; i++)
		if (program->unit[i]->has_main)
			return program->unit[i];
	diag_set(diag, EXIT_INPUT, "none of the files has a main; use strop record -- COMMAND");
	return NULL;
}

/* Build "program"; set "*binary". */
static enum status program_build(struct arena *arena, const struct record_program *program, const struct unit *main,
				 const char **binary, struct diag *diag)
{
	struct arguments list = {.arena = arena};
	const char *object;

	arguments_add(&list, main->command->argv[0]);
	for (int i = 0; i < program->n_unit; i++) {
		if (unit_build(arena, program->unit[i], program->folder, i, &object, diag) != STATUS_OK)
			return STATUS_FAILED;
		arguments_add(&list, object);
	}
	record_compile_flags(main->command, &list);
	*binary = path_join(arena, program->folder, "program");
	arguments_add(&list, "-lm");
	arguments_add(&list, "-o");
	arguments_add(&list, *binary);
	return compiler_run(&list, main->command->directory,
			    arena_printf(arena, "link %s as a program of its own", main->command->file), diag);
}

enum status record_build_and_run(const struct record_program *program, struct process_end *end, struct diag *diag)
{
	struct arena *const arena = arena_new();
	const struct unit *const main = main_find(program, diag);
	struct arguments list = {.arena = arena};
	const char *environment[] = {
		arena_printf(arena, "STROP_RECORD_DIR=%s", path_absolute(arena, NULL, program->folder)), NULL};
	struct process process = {.environment = environment, .seconds = program->seconds, .output = program->output,
				  .errors = program->output};
	enum status status = STATUS_FAILED;
	const char *binary;

	if (!main || program_build(arena, program, main, &binary, diag) != STATUS_OK)
		goto done;
	arguments_add(&list, path_absolute(arena, NULL, binary));
	for (int i = 0; program->arguments && program->arguments[i]; i++)
		arguments_add(&list, program->arguments[i]);
	process.argv = list.argv;
	process.directory = program->directory ? program->directory : main->command->directory;
	status = process_run(&process, end, diag);
done:
	arena_free(arena);
	return status;
}
