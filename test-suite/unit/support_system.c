/* Files, paths, processes, text, the database and the random generator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/database.h"
#include "support/file.h"
#include "support/options.h"
#include "support/process.h"
#include "support/rng.h"

static void test_paths(void **state)
{
	static const struct { const char *directory, *path, *expected; } cases[] = {
		{ "/a/b", "c.c", "/a/b/c.c" }, { "/a/b", "../c.c", "/a/c.c" }, { "/a", "/x//y/./z", "/x/y/z" },
		{ "/", "../..", "/" }, { "/a/", "b/", "/a/b" },
	};
	struct arena *arena = arena_new();
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(path_absolute(arena, cases[i].directory, cases[i].path), cases[i].expected);
	assert_string_equal(path_relative("/a/b/c", "/a"), "b/c");
	assert_string_equal(path_relative("/ab/c", "/a"), "/ab/c");
	assert_string_equal(path_folder(arena, "/a"), "/");
	arena_free(arena);
}

static void test_replace_keeps_mode_and_link(void **state)
{
	struct arena *arena = arena_new();
	struct diag diag = { 0 };
	char *folder = folder_make_scratch(arena, &diag);
	char *path = path_join(arena, folder, "file"), *link = path_join(arena, folder, "link");
	struct text text = { 0 };
	struct stat status;

	(void)state;
	assert_int_equal(file_write(path, "old", 3, &diag), STATUS_OK);
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(symlink("file", link), 0);
	assert_int_equal(file_replace(link, "new!", 4, &diag), STATUS_OK);
	assert_int_equal(file_read(path, &text, &diag), STATUS_OK);
	assert_string_equal(text_string(&text), "new!");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0640);
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(file_replace(path_join(arena, folder, "no/such"), "x", 1, &diag), STATUS_FAILED);
	assert_non_null(strstr(diag.message, "no/such"));
	folder_remove(folder);
	assert_false(file_exists(folder));
	text_free(&text);
	arena_free(arena);
}

static struct process_end run(const char *script, double seconds, struct text *output)
{
	const char *const argv[] = { "sh", "-c", script, NULL };
	const struct process process = { .argv = argv, .seconds = seconds, .output = output, .errors = output };
	struct process_end end;
	struct diag diag = { 0 };

	assert_int_equal(process_run(&process, &end, &diag), STATUS_OK);
	return end;
}

static void test_process(void **state)
{
	struct text output = { 0 };
	struct process_end end;

	(void)state;
	end = run("echo out; echo err >&2; exit 3", 60, &output);
	assert_int_equal(end.status, 3);
	assert_string_equal(text_string(&output), "out\nerr\n");
	end = run("kill -SEGV $$", 60, &output);
	assert_int_equal(end.signal, SIGSEGV);
	end = run("sleep 30", 0.05, &output);
	assert_true(end.timed_out);
	text_free(&output);
}

static void test_database_survives_damage(void **state)
{
	struct arena *arena = arena_new();
	struct diag diag = { 0 };
	char *folder = folder_make_scratch(arena, &diag), *path = path_join(arena, folder, "d.db");
	struct database *database = database_open(path, &diag);

	(void)state;
	assert_non_null(database);
	database_set(database, "a", "1");
	database_set(database, "a", "2");
	assert_string_equal(database_find(database, arena, "a"), "2");
	assert_null(database_find(database, arena, "b"));
	database_close(database);
	assert_int_equal(file_write(path, "this is no database, nor was it ever one at all", 47, &diag), STATUS_OK);
	database = database_open(path, &diag);
	assert_non_null(database);
	assert_null(database_find(database, arena, "a"));
	database_close(database);
	folder_remove(folder);
	arena_free(arena);
}

static void test_options(void **state)
{
	bool flag = false;
	int64_t number = 0;
	const char *word = NULL;
	const struct option table[] = {
		{ "--flag", OPTION_FLAG, &flag, NULL, "" },
		{ "--number", OPTION_INTEGER, &number, "N", "" },
		{ "-w", OPTION_STRING, &word, "W", "" },
	};
	const struct usage usage = { "", "", "", 3, table };
	char *good[] = { "x", "a.c", "--flag", "--number=7", "-w", "v", "b.c", "--", "-O2" };
	char *bad[][3] = { { "x", "--number", "7x" }, { "x", "--other", "" }, { "x", "y", "-w" } };
	struct arguments arguments;
	struct diag diag = { 0 };
	int i;

	(void)state;
	assert_int_equal(options_parse(&usage, 9, good, &arguments, &diag), STATUS_OK);
	assert_true(flag);
	assert_int_equal(number, 7);
	assert_string_equal(word, "v");
	assert_int_equal(arguments.n_file, 2);
	assert_string_equal(arguments.file[1], "b.c");
	assert_int_equal(arguments.n_rest, 1);
	for (i = 0; i < 3; i++) {
		diag_clear(&diag);
		assert_int_equal(options_parse(&usage, 3, bad[i], &arguments, &diag), STATUS_FAILED);
		assert_int_equal(diag.code, EXIT_INPUT);
	}
}

static void test_text_limit(void **state)
{
	struct text text;

	(void)state;
	text_init(&text, 8);
	text_append(&text, "12345678");
	assert_false(text.overflowed);
	text_append_char(&text, '9');
	assert_true(text.overflowed);
	assert_string_equal(text_string(&text), "12345678");
	text_free(&text);
}

static void test_rng(void **state)
{
	struct rng a, b;
	double sum = 0, squares = 0;
	int i;

	(void)state;
	rng_seed(&a, 7);
	rng_seed(&b, 7);
	for (i = 0; i < 20000; i++) {
		double x = rng_normal(&a);

		assert_true(x == rng_normal(&b));
		sum += x;
		squares += x * x;
	}
	assert_true(sum / 20000 < 0.05 && sum / 20000 > -0.05);
	assert_true(squares / 20000 < 1.05 && squares / 20000 > 0.95);
	assert_true(rng_derive(1, "a") != rng_derive(1, "b"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_replace_keeps_mode_and_link),
		cmocka_unit_test(test_process),
		cmocka_unit_test(test_database_survives_damage),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_text_limit),
		cmocka_unit_test(test_rng),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
