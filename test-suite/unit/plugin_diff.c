#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "plugin/splice.h"
#include "support/file.h"
#include "support/process.h"
#include "support/rng.h"

static void check_text(const char *before, const char *after, const char *expected)
{
	struct text out = {0};

	diff_unified("src/a.c", before, strlen(before), after, strlen(after), &out);
	assert_string_equal(text_string(&out), expected);
	text_free(&out);
}

static void hunks_are_as_patch_expects(void **state)
{
	(void)state;
	check_text("same\n", "same\n", "");
	check_text("a\nb\n", "a\nc\n", "--- a/src/a.c\n+++ b/src/a.c\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
	check_text("a", "b", "--- a/src/a.c\n+++ b/src/a.c\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n"
			     "+b\n\\ No newline at end of file\n");
	check_text("a\nb", "a\nb\n", "--- a/src/a.c\n+++ b/src/a.c\n@@ -1,2 +1,2 @@\n a\n-b\n"
				     "\\ No newline at end of file\n+b\n");
	check_text("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n3\n4\n5\n6\n7\n8\n8\n9\n",
		   "--- a/src/a.c\n+++ b/src/a.c\n@@ -1,9 +1,9 @@\n 1\n-2\n 3\n 4\n 5\n 6\n 7\n+8\n 8\n 9\n");
	check_text("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\n3\n4\n5\n6\n7\n8\n9\ny\n",
		   "--- a/src/a.c\n+++ b/src/a.c\n@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -7,3 +7,4 @@\n 7\n 8\n 9\n+y\n");
}

static void run(const char *folder, const char *const *argv)
{
	struct text output = {0};
	struct process_end end;
	struct diag diag = {0};
	const struct process process = {.argv = argv, .directory = folder, .output = &output, .errors = &output,
					.seconds = 60};

	assert_int_equal(process_run(&process, &end, &diag), STATUS_OK);
	if (end.status)
		fail_msg("%s: %s", argv[0], text_string(&output));
	text_free(&output);
}

/* Write "before" as "name" in a fresh folder, apply the diff by "argv", and compare with "after". */
static void check_applies(const char *name, const struct text *before, const struct text *after,
			  const char *const *argv)
{
	struct arena *const arena = arena_new();
	struct diag diag = {0};
	struct text patch = {0}, result = {0};
	const char *const folder = folder_make_scratch(arena, &diag);
	const char *const path = path_join(arena, folder, name);

	assert_non_null(folder);
	diff_unified(name, text_string(before), before->size, text_string(after), after->size, &patch);
	assert_int_equal(file_write(path, text_string(before), before->size, &diag), STATUS_OK);
	assert_int_equal(file_write(path_join(arena, folder, "p.diff"), text_string(&patch), patch.size, &diag),
			 STATUS_OK);
	if (patch.size)
		run(folder, argv);
	assert_int_equal(file_read(path, &result, &diag), STATUS_OK);
	assert_int_equal(result.size, after->size);
	assert_memory_equal(text_string(&result), text_string(after), after->size);
	folder_remove(folder);
	text_free(&patch);
	text_free(&result);
	arena_free(arena);
}

static const char *const by_patch[] = {"patch", "-p1", "--binary", "-s", "-i", "p.diff", NULL};
static const char *const by_git[] = {"git", "apply", "--whitespace=nowarn", "p.diff", NULL};

static void odd_files_survive_patch_and_git(void **state)
{
	static const struct { const char *name, *before, *after; } table[] = {
		{"crlf.c", "a\r\nb\r\nc\r\n", "a\r\nx\r\nc\r\n"},
		{"bom.c", "\xef\xbb\xbfint a;\nint b;\n", "\xef\xbb\xbfint a;\nint c;\n"},
		{"end.c", "a\nb", "a\nb\nc"},
		{"with space.c", "a\nb\n", "b\n"},
		{"quote\"\\.c", "a\n", "b\n"},
		{"\xc3\xbc.c", "a\n", "b\n"},
		{"start.c", "b\n", "a\nb\n"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct text before = {0}, after = {0};

		text_append(&before, table[i].before);
		text_append(&after, table[i].after);
		check_applies(table[i].name, &before, &after, by_patch);
		check_applies(table[i].name, &before, &after, by_git);
		text_free(&before);
		text_free(&after);
	}
}

/* Up to 60 lines of few kinds, the last one at times without its end. */
static void random_lines(struct rng *rng, struct text *text)
{
	const int n = 1 + (int)rng_below(rng, 60);

	for (int i = 0; i < n; i++)
		text_printf(text, "%c%s", 'a' + (char)rng_below(rng, 4), rng_below(rng, 5) ? "\n" : "\r\n");
	if (rng_below(rng, 3) == 0)
		text_append(text, "end");
}

static void random_diffs_apply(void **state)
{
	struct rng rng;

	(void)state;
	rng_seed(&rng, 20);
	for (int i = 0; i < 40; i++) {
		struct text before = {0}, after = {0};

		random_lines(&rng, &before);
		random_lines(&rng, &after);
		check_applies("f.c", &before, &after, i % 2 ? by_patch : by_git);
		text_free(&before);
		text_free(&after);
	}
}

static void large_differences_are_one_change(void **state)
{
	struct text before = {0}, after = {0};

	(void)state;
	for (int i = 0; i < 5000; i++) {
		text_printf(&before, "old %d\n", i);
		text_printf(&after, "new %d\n", i);
	}
	check_applies("f.c", &before, &after, by_patch);
	text_free(&before);
	text_free(&after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hunks_are_as_patch_expects),
		cmocka_unit_test(odd_files_survive_patch_and_git),
		cmocka_unit_test(random_diffs_apply),
		cmocka_unit_test(large_differences_are_one_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
