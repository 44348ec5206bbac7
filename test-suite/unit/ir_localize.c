/* Temporaries that become locals, and those that must not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ir/localize.h"

#define HEAD "region r(f64 A[n], f64 B[n]; i32 n; f64 w temp, s out)\n"
#define HEAD_LOCAL "region r(f64 A[n], f64 B[n]; i32 n; f64 s out)\n"

static const struct {
	const char *name, *before, *after; /* "after" is NULL when nothing changes */
} cases[] = {
	{ "set in each iteration",
	  HEAD "for i in 0..n\n"
	       "  S0: w = A[i]\n"
	       "  for j in 0..i\n"
	       "    S1: w -= A[j]\n"
	       "  S2: B[i] = w\n",
	  HEAD_LOCAL "for i in 0..n\n"
		     "  S0: let w: f64 = A[i]\n"
		     "  for j in 0..i\n"
		     "    S1: w -= A[j]\n"
		     "  S2: B[i] = w\n" },
	{ "one for each place that sets it",
	  HEAD "for i in 0..n\n"
	       "  S0: w = A[i]\n"
	       "  S1: B[i] = w\n"
	       "  S2: w = B[0]\n"
	       "  S3: B[i] = w * w\n"
	       "for i in 0..n\n"
	       "  if A[i] > 0.0\n"
	       "    S4: w = A[i]\n"
	       "    S5: A[i] = w + 1.0\n",
	  HEAD_LOCAL "for i in 0..n\n"
		     "  S0: let w: f64 = A[i]\n"
		     "  S1: B[i] = w\n"
		     "  S2: let w0: f64 = B[0]\n"
		     "  S3: B[i] = w0 * w0\n"
		     "for i in 0..n\n"
		     "  if A[i] > 0.0\n"
		     "    S4: let w1: f64 = A[i]\n"
		     "    S5: A[i] = w1 + 1.0\n" },
	{ "carried from iteration to iteration, within one that sets it",
	  HEAD "for i in 0..n\n"
	       "  S0: w = 0.0\n"
	       "  for j in 0..n\n"
	       "    S1: B[j] = w\n"
	       "    S2: w = A[j]\n",
	  HEAD_LOCAL "for i in 0..n\n"
		     "  S0: let w: f64 = 0.0\n"
		     "  for j in 0..n\n"
		     "    S1: B[j] = w\n"
		     "    S2: w = A[j]\n" },
	{ "used behind the loop that sets it",
	  HEAD "for i in 0..n\n"
	       "  S0: w = A[i]\n"
	       "S1: B[0] = w\n",
	  NULL },
	{ "set in one branch only",
	  HEAD "for i in 0..n\n"
	       "  if A[i] > 0.0\n"
	       "    S0: w = A[i]\n"
	       "  S1: B[i] = w\n",
	  NULL },
	{ "used by a condition before it is set",
	  HEAD "for i in 0..n\n"
	       "  if A[i] > w\n"
	       "    S0: w = A[i]\n",
	  NULL },
	{ "used after the region",
	  HEAD_LOCAL "for i in 0..n\n"
		     "  S0: s = A[i]\n"
		     "  S1: B[i] = s\n",
	  NULL },
};

static void test_localize(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		struct diag diag = { 0 };
		struct nest *before = nest_parse(arena, cases[i].before, &diag), *after;
		struct text text = { 0 };

		if (!before)
			fail_msg("%s: %s", cases[i].name, diag.message);
		after = nest_localize(before);
		if (!nest_check(after, &diag))
			fail_msg("%s: %s", cases[i].name, diag.message);
		nest_print(after, &text);
		assert_string_equal(text_string(&text), cases[i].after ? cases[i].after : cases[i].before);
		text_clear(&text);
		nest_print(before, &text);
		assert_string_equal(text_string(&text), cases[i].before);
		text_free(&text);
		arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_localize),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
