/* The plan language: what parses, how it prints, and what is wrong with what does not parse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rewrite/plan.h"

/* A plan, its canonical text, or else the beginning of the complaint. */
static const struct plan_case {
	const char *text, *canonical, *complaint;
} cases[] = {
	{ "", "", NULL },
	{ " ; ", NULL, "plan, column 2: an action is missing" },
	{ "tile(i:64)", "tile(i:64)", NULL },
	{ " tile ( i : 64 , j:16 ) ;\n order([i.1,j.1,i,j]) ; ", "tile(i:64, j:16); order(i.1, j.1, i, j)", NULL },
	{ "fuse(i@S0,i@S12)", "fuse(i@S0, i@S12)", NULL },
	{ "tile(i.1@S3:4)", "tile(i.1@S3:4)", NULL },
	{ "pack(B, k.1, [j.2, k, j])", "pack(B, k.1, [j.2, k, j])", NULL },
	{ "promote(A.p, k)", "promote(A.p, k)", NULL },
	{ "distribute(i, S2)", "distribute(i, S2)", NULL },
	{ "edge(j, mask); unroll(i); vectorize(j:8); unroll(i:4)", "unroll(i); unroll(i:4); vectorize(j:8); edge(j, mask)", NULL },
	{ "vectorize(j:8); tile(i:4); unroll(a)", "vectorize(j:8); tile(i:4); unroll(a)", NULL },
	{ "tile(i:64", NULL, "plan, column 10: ',' or ')' is missing at the end" },
	{ "tile(i:)", NULL, "plan, column 8: a number is missing" },
	{ "tile(i:99999999999)", NULL, "plan, column 18: a number is too large" },
	{ "shuffle(i)", NULL, "plan, column 1: there is no action \"shuffle\"" },
	{ "tile(i:2) tile(j:2)", NULL, "plan, column 11: ';' is missing" },
	{ "fuse(i@3, j)", NULL, "plan, column 8: a label such as S0 is missing" },
	{ "order([i, [j]])", NULL, "plan, column 11: a list within a list" },
	{ "tile(i:2)\n\x01\x1b[2J", NULL, "plan, column 11: ';' is missing before \"??[2J\"" },
	{ "tile", NULL, "plan, column 5: '(' is missing" },
};

static void check_case(const struct plan_case *each)
{
	struct arena *arena = arena_new();
	struct diag diag = { 0 };
	struct plan *plan = plan_parse(arena, each->text, &diag);
	struct text text = { 0 };

	if (each->canonical) {
		assert_non_null(plan);
		plan_print(plan, &text);
		assert_string_equal(text_string(&text), each->canonical);
	} else {
		assert_null(plan);
		assert_int_equal(strncmp(diag.message, each->complaint, strlen(each->complaint)), 0);
	}
	text_free(&text);
	arena_free(arena);
}

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(&cases[i]);
}

/* The canonical text is a fixed point, and plans that differ in the order of marks alone print alike. */
static void test_canonical(void **state)
{
	static const char *const plans[] = { "unroll(i); vectorize(j:8); parallel(k)", "parallel(k); vectorize(j:8); unroll(i)" };
	struct arena *arena = arena_new();
	struct text first = { 0 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct text text = { 0 }, again = { 0 };

		plan_print(plan_parse(arena, plans[i], NULL), &text);
		plan_print(plan_parse(arena, text_string(&text), NULL), &again);
		assert_string_equal(text_string(&text), text_string(&again));
		if (i == 0)
			text_append(&first, text_string(&text));
		assert_string_equal(text_string(&text), text_string(&first));
		text_free(&text);
		text_free(&again);
	}
	text_free(&first);
	arena_free(arena);
}

/* Whatever is made of plan-like pieces either parses to a plan whose text is a fixed point, or is refused with a sentence. */
static void test_noise(void **state)
{
	static const char *const pieces[] = { "tile", "order", "(", ")", "[", "]", ",", ";", ":", "@", "S1", "i", "i.1", "8", ".", " ", "-",
					      "\xff", "99999999999" };
	uint32_t seed = 1;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		struct arena *arena = arena_new();
		struct text noise = { 0 }, once = { 0 }, twice = { 0 };
		struct diag diag = { 0 };
		struct plan *plan;

		for (int i = 0; i < 2 + round % 12; i++) {
			seed = seed * 1664525u + 1013904223u;
			text_append(&noise, pieces[(seed >> 16) % (sizeof(pieces) / sizeof(pieces[0]))]);
		}
		plan = plan_parse(arena, text_string(&noise), &diag);
		if (plan) {
			plan_print(plan, &once);
			plan = plan_parse(arena, text_string(&once), &diag);
			assert_non_null(plan);
			plan_print(plan, &twice);
			assert_string_equal(text_string(&once), text_string(&twice));
		} else {
			assert_true(diag.message[0] != '\0');
		}
		text_free(&noise);
		text_free(&once);
		text_free(&twice);
		arena_free(arena);
	}
}

static void test_table(void **state)
{
	(void)state;
	for (int i = 0; i < ACTION_COUNT; i++) {
		const struct action_info *info = action_info((enum action_kind)i);

		assert_true(info->name[0] && info->arguments[0] && info->sentence[0]);
		assert_true(info->targets[0] == 'c');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_canonical),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
