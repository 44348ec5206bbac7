/* Golden cases: nests, plans, and what the plans make of them.
 *
 * Each file of test-suite/rewrite/ is a printed nest followed by blocks. A block begins with "=== MODE PLAN" and holds the
 * rewritten nest, without its header, or "refused: REASON". The pages of docs/actions/ hold an example each: a nest, a mode, a
 * plan, and the result. STROP_UPDATE=1 in the environment rewrites both from what comes out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/plan.h"
#include "support/memory.h"

enum { FILES_MAX = 256 };

static char *read_all(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct text text = { 0 };
	char buffer[4096], *copy;
	size_t size;

	assert_non_null(file);
	while ((size = fread(buffer, 1, sizeof(buffer), file)) > 0)
		text_append_bytes(&text, buffer, size);
	fclose(file);
	copy = memory_strdup(text_string(&text));
	text_free(&text);
	return copy;
}

/* Append the printed nest from its first node or local on, without "region" and what belongs to it. */
static void print_body(const struct nest *nest, struct text *out)
{
	struct text text = { 0 };
	const char *at;

	nest_print(nest, &text);
	at = strchr(text_string(&text), '\n');
	while (at && at[1] == ' ')
		at = strchr(at + 1, '\n');
	text_append(out, at ? at + 1 : "");
	text_free(&text);
}

/* Append what "plan_text" makes of "nest" in the mode named "mode". */
static void apply(const struct nest *nest, const char *mode_name, const char *plan_text, struct text *out)
{
	struct arena *arena = arena_new();
	struct diag diag = { 0 };
	enum fp_mode mode = FP_ORDERED;
	struct workspace *workspace;
	struct plan *plan;
	struct nest *result = NULL;

	assert_true(fp_mode_find(mode_name, &mode));
	workspace = workspace_new(arena, nest, mode, &diag);
	assert_non_null(workspace);
	plan = plan_parse(arena, plan_text, &diag);
	if (plan)
		result = plan_apply(workspace, plan, &diag);
	if (result && !nest_check(result, &diag))
		result = NULL;
	if (result)
		print_body(result, out);
	else
		text_printf(out, "refused: %s\n", diag.message);
	workspace_free(workspace);
	arena_free(arena);
}

/* Append the whole file as it should be: "source" with each block's content made anew. */
static void remake(char *source, struct text *out)
{
	struct arena *arena = arena_new();
	struct diag diag = { 0 };
	char *block = strstr(source, "\n=== ");
	struct nest *nest;

	assert_non_null(block);
	text_append_bytes(out, source, (size_t)(block - source) + 1);
	nest = nest_parse(arena, arena_strndup(arena, source, (size_t)(block - source) + 1), &diag);
	if (!nest)
		fail_msg("%s", diag.message);
	while (block) {
		char *line = block + 1, *end = strchr(line, '\n');
		char mode[32];
		int skip = 0;

		block = strstr(end, "\n=== ");
		assert_int_equal(sscanf(line, "=== %31s %n", mode, &skip), 1);
		text_append_bytes(out, line, (size_t)(end - line) + 1);
		apply(nest, mode, arena_strndup(arena, line + skip, (size_t)(end - line - skip)), out);
	}
	arena_free(arena);
}

/* Compare "path" with what "make" makes of its content, or write that when updating. */
static void check_file(const char *path, void (*make)(char *source, struct text *out))
{
	char *source = read_all(path);
	struct text text = { 0 };

	make(source, &text);
	if (getenv("STROP_UPDATE")) {
		FILE *file = fopen(path, "wb");

		assert_non_null(file);
		fputs(text_string(&text), file);
		assert_int_equal(fclose(file), 0);
	} else if (strcmp(source, text_string(&text)) != 0) {
		fail_msg("%s gives another result:\n%s", path, text_string(&text));
	}
	text_free(&text);
	free(source);
}

/* The text between "begin" and the next "end" after "*at", which moves behind it. */
static const char *cut(struct arena *arena, char **at, const char *begin, const char *end)
{
	char *from = strstr(*at, begin), *to;

	assert_non_null(from);
	from += strlen(begin);
	to = strstr(from, end);
	assert_non_null(to);
	*at = to + strlen(end);
	return arena_strndup(arena, from, (size_t)(to - from));
}

/* Append the page of an action with the result of its example made anew. */
static void remake_page(char *source, struct text *out)
{
	struct arena *arena = arena_new();
	struct diag diag = { 0 };
	char *at = source;
	const char *before = cut(arena, &at, "```nest\n", "```"), *mode = cut(arena, &at, "\n`", "`:");
	const char *plan = cut(arena, &at, "```plan\n", "\n```");
	struct nest *nest = nest_parse(arena, before, &diag);

	if (!nest)
		fail_msg("%s", diag.message);
	cut(arena, &at, "\n```", "nest\n");
	text_append_bytes(out, source, (size_t)(at - source));
	apply(nest, mode, plan, out);
	assert_null(strstr(text_string(out), "refused:"));
	at = strstr(at, "```");
	assert_non_null(at);
	text_append(out, at);
	arena_free(arena);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void test_golden(void **state)
{
	DIR *folder = opendir(TEST_SUITE "/rewrite");
	struct arena *arena = arena_new();
	struct dirent *entry;
	char *path[FILES_MAX];
	int n = 0;

	(void)state;
	assert_non_null(folder);
	while ((entry = readdir(folder)) && n < FILES_MAX)
		if (strstr(entry->d_name, ".plans"))
			path[n++] = arena_printf(arena, "%s/rewrite/%s", TEST_SUITE, entry->d_name);
	closedir(folder);
	assert_true(n > 0);
	qsort(path, (size_t)n, sizeof(*path), compare_names);
	for (int i = 0; i < n; i++)
		check_file(path[i], remake);
	arena_free(arena);
}

/* Each action has its page, and the page's example is true. */
static void test_pages(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	for (int i = 0; i < ACTION_COUNT; i++)
		check_file(arena_printf(arena, "%s/../docs/actions/%s.md", TEST_SUITE, action_info((enum action_kind)i)->name),
			   remake_page);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_golden), cmocka_unit_test(test_pages) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
