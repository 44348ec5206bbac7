/* Lifting against golden files: test-suite/extract/x.c is lifted, and what comes out must be x.nest. STROP_REFRESH=1 in the
 * environment writes the .nest files anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "plugin/command.h"
#include "plugin/region.h"
#include "support/file.h"

static const char *const fact_names[] = {"index", "range", "nonzero", "positive", "spd", "dominant"};

static void print_facts(const struct region *region, struct text *text)
{
	for (int i = 0; i < region->signature->n_fact; i++) {
		const struct fact *const fact = &region->signature->fact[i];

		text_printf(text, "; %s %s", fact_names[fact->kind], fact->var->name);
		if (fact->lo && fact->hi) {
			text_append(text, " ");
			expr_print(fact->lo, text);
			text_append(text, "..");
			expr_print(fact->hi, text);
		}
		text_append(text, fact->is_inferred ? "\n" : " (said by the source)\n");
	}
}

static void print_region(const struct region *region, struct text *text)
{
	text_printf(text, "; %s lines %d-%d%s", region->id, region->line, region->end_line, region->is_openmp ? " openmp" : "");
	if (region->mode)
		text_printf(text, " fp %s", region->mode);
	if (region->sizes)
		text_printf(text, " sizes %s", region->sizes);
	text_append(text, "\n");
	for (int i = 0; i < region->signature->n_local; i++) {
		const struct local *const local = &region->signature->local[i];

		text_printf(text, "; %s", local->declaration);
		if (local->pointee)
			text_printf(text, " (%s %s)", local->is_pointer ? "points to" : "is a", local->pointee);
		text_append(text, "\n");
	}
	print_facts(region, text);
	nest_print(region->nest, text);
	text_append(text, "\n");
}

static void print_unit(const struct unit *unit, struct text *text)
{
	for (int i = 0; i < unit->n_region; i++) {
		const struct region *const region = &unit->region[i];

		if (region->nest)
			print_region(region, text);
		else
			text_printf(text, "; %s line %d: %s (line %d): %s\n\n", region->id, region->line,
				    refusal_name(region->refusal), region->refusal_line, region->detail);
	}
}

static struct unit *scan(struct arena *arena, const char *name)
{
	char *const file = arena_printf(arena, "%s/extract/%s.c", TEST_SUITE, name);
	char *const flags[] = {"cc", "-O2"};
	struct command_list *const list = ARENA_NEW(arena, struct command_list);
	struct diag diag = {0};
	struct unit *unit;

	if (command_make(arena, 1, &file, 2, flags, list, &diag) != STATUS_OK)
		fail_msg("%s", diag.message);
	list->command[0].directory = arena_printf(arena, "%s/extract", TEST_SUITE);
	unit = unit_scan(&list->command[0], &diag);
	if (!unit)
		fail_msg("%s", diag.message);
	return unit;
}

static void check_golden(void **state)
{
	struct arena *const arena = arena_new();
	const char *const name = *state;
	const char *const path = arena_printf(arena, "%s/extract/%s.nest", TEST_SUITE, name);
	struct unit *const unit = scan(arena, name);
	struct text text = {0};
	struct diag diag = {0};

	print_unit(unit, &text);
	if (getenv("STROP_REFRESH")) {
		assert_int_equal(file_write(path, text_string(&text), text.size, &diag), STATUS_OK);
	} else {
		struct text expected = {0};

		if (file_read(path, &expected, &diag) != STATUS_OK)
			fail_msg("%s", diag.message);
		assert_string_equal(text_string(&text), text_string(&expected));
		text_free(&expected);
	}
	text_free(&text);
	unit_free(unit);
	arena_free(arena);
}

/* What is printed of a lifted nest parses back to a nest with the same key. */
static void check_round_trip(void **state)
{
	struct arena *const arena = arena_new();
	struct unit *const unit = scan(arena, *state);

	for (int i = 0; i < unit->n_region; i++) {
		const struct region *const region = &unit->region[i];
		struct text text = {0};
		struct diag diag = {0};
		struct nest *parsed;
		char key[33];

		if (!region->nest)
			continue;
		nest_print(region->nest, &text);
		parsed = nest_parse(arena, text_string(&text), &diag);
		if (!parsed)
			fail_msg("%s: %s", region->id, diag.message);
		nest_key(parsed, "", key);
		assert_string_equal(key, region->key);
		text_free(&text);
	}
	unit_free(unit);
	arena_free(arena);
}

/* The bytes of each region hold a loop and end with ';' or '}', and two scans agree. */
static void check_places(void **state)
{
	struct arena *const arena = arena_new();
	struct unit *const first = scan(arena, *state), *const second = scan(arena, *state);

	assert_int_equal(first->n_region, second->n_region);
	for (int i = 0; i < first->n_region; i++) {
		const struct region *const region = &first->region[i];
		const struct unit_file *const file = unit_find_file(first, region->file);

		assert_non_null(file);
		assert_string_equal(region->anchor, second->region[i].anchor);
		if (!region->nest)
			continue;
		assert_non_null(strstr(file->text + region->begin, "for"));
		assert_true(file->text[region->end - 1] == ';' || file->text[region->end - 1] == '}');
		assert_true(region->function_begin == 0 || file->text[region->function_begin - 1] == '\n');
		assert_true(region->function_begin < region->begin);
	}
	unit_free(second);
	unit_free(first);
	arena_free(arena);
}

int main(void)
{
	static const char *const names[] = {"affine", "constants", "control", "flat", "header", "helpers", "indirect", "matrix", "pragmas", "records", "refusals",
					    "rows", "scalars", "structs", "types", "walk", "while"};
	enum { N = sizeof(names) / sizeof(names[0]) };
	struct CMUnitTest tests[3 * N];

	if (chdir(TEST_SUITE "/extract") != 0)
		return 1;
	for (int i = 0; i < N; i++) {
		void *const name = (void *)names[i];

		tests[3 * i] = (struct CMUnitTest){names[i], check_golden, NULL, NULL, name};
		tests[3 * i + 1] = (struct CMUnitTest){names[i], check_round_trip, NULL, NULL, name};
		tests[3 * i + 2] = (struct CMUnitTest){names[i], check_places, NULL, NULL, name};
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
