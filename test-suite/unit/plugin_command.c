#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "plugin/command.h"
#include "support/file.h"

/* A scratch folder, with an arena; "$" in written text stands for the folder. */
struct place {
	struct arena *arena;
	char *folder;
};

static int place_open(void **state)
{
	struct place *const place = calloc(1, sizeof(*place));

	place->arena = arena_new();
	place->folder = folder_make_scratch(place->arena, NULL);
	*state = place;
	return place->folder ? 0 : -1;
}

static int place_close(void **state)
{
	struct place *const place = *state;

	folder_remove(place->folder);
	arena_free(place->arena);
	free(place);
	return 0;
}

static char *in(const struct place *place, const char *name)
{
	return path_join(place->arena, place->folder, name);
}

static void put(const struct place *place, const char *name, const char *string)
{
	struct text text = {0};

	for (const char *p = string; *p; p++) {
		if (*p == '$')
			text_append(&text, place->folder);
		else
			text_append_char(&text, *p);
	}
	assert_int_equal(folder_make(path_folder(place->arena, in(place, name)), NULL), STATUS_OK);
	assert_int_equal(file_write(in(place, name), text_string(&text), text.size, NULL), STATUS_OK);
	text_free(&text);
}

/* The command of "file" in the database "json". */
static struct command load_one(const struct place *place, const char *json, const char *file)
{
	char *const files[] = {in(place, file)};
	struct command_list list;
	struct diag diag = {0};

	put(place, "compile_commands.json", json);
	if (command_load(place->arena, place->folder, 1, files, &list, &diag) != STATUS_OK)
		fail_msg("%s", diag.message);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.command[0].file, in(place, file));
	return list.command[0];
}

static void check_words(const struct command *command, const char *const *words)
{
	int n = 0;

	for (; words[n]; n++) {
		assert_true(n < command->argc);
		assert_string_equal(command->argv[n], words[n]);
	}
	assert_int_equal(command->argc, n);
}
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void both_forms_are_read(void **state)
{
	const struct place *const place = *state;
	struct command command;

	put(place, "a.c", "int a;\n");
	command = load_one(place, "[{\"directory\": \"$\", \"file\": \"a.c\","
				  " \"arguments\": [\"gcc\", \"-DX=\\\"a b\\\"\", \"-c\", \"a.c\", \"-o\", \"a.o\"]}]", "a.c");
	check_words(&command, WORDS("gcc", "-DX=\"a b\"", "-c", "a.c", "-o", "a.o"));
	assert_int_equal(command.source, 3);
	assert_string_equal(command.directory, place->folder);
	assert_false(command.is_cuda);
	command = load_one(place, "[{\"directory\": \"$\", \"file\": \"$/a.c\", \"command\":"
				  " \"ccache gcc -DX=\\\\\\\"a\\\\ b\\\\\\\" '-DY=c \\\\d' -I\\\"e f\\\" -c ./a.c\"}]", "a.c");
	check_words(&command, WORDS("gcc", "-DX=\"a b\"", "-DY=c \\d", "-Ie f", "-c", "./a.c"));
	assert_int_equal(command.source, 5);
}

static void relative_folders_start_at_the_database(void **state)
{
	const struct place *const place = *state;
	struct command command;

	put(place, "src/a.c", "int a;\n");
	put(place, "build/keep", "");
	command = load_one(place, "[{\"directory\": \"build/..//build\", \"file\": \"../src/a.c\","
				  " \"command\": \"gcc -I. -c ../src/a.c\"}]", "src/a.c");
	assert_string_equal(command.directory, in(place, "build"));
	assert_int_equal(command.source, 3);
}

static void response_files_are_expanded(void **state)
{
	const struct place *const place = *state;
	struct command command;

	put(place, "a.c", "int a;\n");
	put(place, "b/one.rsp", "-DA=1\n@two.rsp '-DB=x y'\r\n-DC=\\\"q\\\"");
	put(place, "b/two.rsp", "-DTWO @missing.rsp @two-empty.rsp");
	put(place, "b/two-empty.rsp", "");
	put(place, "b/loop.rsp", "-DL @loop.rsp");
	command = load_one(place, "[{\"directory\": \"$/b\", \"file\": \"../a.c\", \"command\": \"gcc @one.rsp -c ../a.c\"}]",
			   "a.c");
	check_words(&command, WORDS("gcc", "-DA=1", "-DTWO", "@missing.rsp", "-DB=x y", "-DC=\"q\"", "-c", "../a.c"));
	command = load_one(place, "[{\"directory\": \"$/b\", \"file\": \"../a.c\", \"command\": \"gcc @loop.rsp -c ../a.c\"}]",
			   "a.c");
	assert_int_equal(command.argc, 4 + 16);
}

static void all_sources_are_listed_once(void **state)
{
	const struct place *const place = *state;
	struct command_list list;

	put(place, "compile_commands.json",
	    "[{\"directory\": \"$\", \"file\": \"a.c\", \"command\": \"gcc -DFIRST -c a.c\"},"
	    " {\"directory\": \"$\", \"file\": \"a.s\", \"command\": \"gcc -c a.s\"},"
	    " {\"directory\": \"$\", \"file\": \"./a.c\", \"command\": \"gcc -DSECOND -c ./a.c\"},"
	    " {\"directory\": \"$\", \"file\": \"k.cu\", \"command\": \"nvcc -gencode arch=compute_90,code=sm_90 -dc k.cu\"}]");
	assert_int_equal(command_load(place->arena, in(place, "compile_commands.json"), 0, NULL, &list, NULL), STATUS_OK);
	assert_int_equal(list.n, 2);
	check_words(&list.command[0], WORDS("gcc", "-DFIRST", "-c", "a.c"));
	assert_true(list.command[1].is_cuda);
}

static void check_fails(const struct place *place, const char *json, const char *file, const char *part)
{
	char *const files[] = {in(place, file ? file : "")};
	struct command_list list;
	struct diag diag = {0};

	if (json)
		put(place, "compile_commands.json", json);
	assert_int_equal(command_load(place->arena, place->folder, file != NULL, files, &list, &diag), STATUS_FAILED);
	assert_int_equal(diag.code, EXIT_INPUT);
	if (!strstr(diag.message, part))
		fail_msg("\"%s\" lacks \"%s\"", diag.message, part);
}

static void bad_databases_are_told_plainly(void **state)
{
	const struct place *const place = *state;

	put(place, "a.c", "int a;\n");
	put(place, "b.c", "int b;\n");
	unlink(in(place, "compile_commands.json"));
	check_fails(place, NULL, "a.c", "compile_commands.json does not exist");
	check_fails(place, "[{\"directory\": ", "a.c", "compile_commands.json");
	check_fails(place, "{}", "a.c", "no list");
	check_fails(place, "[]", NULL, "empty");
	check_fails(place, "[{\"directory\": \"$\", \"command\": \"gcc -c a.c\"}]", "a.c", "lacks \"file\"");
	check_fails(place, "[{\"directory\": \"$\", \"file\": \"a.c\", \"command\": \"gcc -c b.c\"}]", "a.c",
		    "does not compile it");
	check_fails(place, "[{\"directory\": \"$\", \"file\": \"a.c\", \"command\": \"gcc -c a.c\"}]", "b.c", "not listed");
	check_fails(place, NULL, "missing.c", "does not exist");
	check_fails(place, "[{\"directory\": \"$\", \"file\": \"a.s\", \"command\": \"gcc -c a.s\"}]", NULL, "no C");
}

static void commands_are_made_of_flags(void **state)
{
	const struct place *const place = *state;
	struct command_list list;
	char *const files[] = {in(place, "a.c"), in(place, "a.c"), in(place, "k.cu")};
	char *const flags[] = {"clang-22", "-O2", "-DX"};

	put(place, "a.c", "int a;\n");
	put(place, "k.cu", "int a;\n");
	assert_int_equal(command_make(place->arena, 2, files, 3, flags, &list, NULL), STATUS_OK);
	assert_int_equal(list.n, 1);
	check_words(&list.command[0], WORDS("clang-22", "-O2", "-DX", "-c", files[0]));
	setenv("CC", "strop-cc gcc -m64", 1);
	assert_int_equal(command_make(place->arena, 1, files, 2, flags + 1, &list, NULL), STATUS_OK);
	check_words(&list.command[0], WORDS("gcc", "-m64", "-O2", "-DX", "-c", files[0]));
	unsetenv("CUDACXX");
	assert_int_equal(command_make(place->arena, 1, files + 2, 0, NULL, &list, NULL), STATUS_OK);
	check_words(&list.command[0], WORDS("nvcc", "-c", files[2]));
	assert_true(list.command[0].is_cuda);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_forms_are_read),
		cmocka_unit_test(relative_folders_start_at_the_database),
		cmocka_unit_test(response_files_are_expanded),
		cmocka_unit_test(all_sources_are_listed_once),
		cmocka_unit_test(bad_databases_are_told_plainly),
		cmocka_unit_test(commands_are_made_of_flags),
	};

	return cmocka_run_group_tests(tests, place_open, place_close);
}
