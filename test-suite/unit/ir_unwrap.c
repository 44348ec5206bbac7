/* Wrap-around scalars that vanish, and those that must not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ir/unwrap.h"

static const struct {
	const char *name, *before, *after; /* "after" is NULL when nothing changes */
} cases[] = {
	{ "the iteration before",
	  "region r(f64 A[n], f64 B[n] in; i32 n; i32 w in)\n"
	  "for i in 0..n\n"
	  "  S0: A[i] = B[i] + B[w]\n"
	  "  S1: w = i\n",
	  "region r(f64 A[n], f64 B[n] in; i32 n, w)\n"
	  "for i in 0..min(1, n)\n"
	  "  S0: A[i] = B[i] + B[w]\n"
	  "for i in 1..n\n"
	  "  S1: A[i] = B[i] + B[i - 1]\n" },
	{ "two iterations before, and an element",
	  "region r(f64 A[9], f64 B[9] in; i32 w in, v in)\n"
	  "for i in 0..9\n"
	  "  S0: A[i] = B[w] + B[v]\n"
	  "  S1: v = w\n"
	  "  S2: w = i\n",
	  "region r(f64 A[9], f64 B[9] in; i32 w, v)\n"
	  "for i in 0..1\n"
	  "  S0: A[i] = B[w] + B[v]\n"
	  "for i in 1..2\n"
	  "  S1: A[i] = B[i - 1] + B[w]\n"
	  "for i in 2..9\n"
	  "  S2: A[i] = B[i - 1] + B[i - 2]\n" },
	{ "an element, by steps, with a local and a use behind",
	  "region r(f64 A[n], f64 B[n] in; i32 n; f64 x in)\n"
	  "for i in 2..n step 3\n"
	  "  S0: let s: f64 = B[i] * 2.0\n"
	  "  S1: A[i] = s + x\n"
	  "  S2: x = B[i]\n"
	  "  S3: A[i] += x\n",
	  "region r(f64 A[n], f64 B[n] in; i32 n; f64 x)\n"
	  "for i in 2..min(5, n) step 3\n"
	  "  S0: let s: f64 = B[i] * 2.0\n"
	  "  S1: A[i] = s + x\n"
	  "  S2: A[i] += B[i]\n"
	  "for i in 5..n step 3\n"
	  "  S3: let s0: f64 = B[i] * 2.0\n"
	  "  S4: A[i] = s0 + B[i - 3]\n"
	  "  S5: A[i] += B[i]\n" },
	{ "an array that the loop writes",
	  "region r(f64 A[n], f64 B[n]; i32 n; f64 x in)\n"
	  "for i in 0..n\n"
	  "  S0: A[i] = x\n"
	  "  S1: x = B[i]\n"
	  "  S2: B[i] = 0.0\n",
	  NULL },
	{ "floating-point arithmetic is not done twice",
	  "region r(f64 A[n], f64 B[n] in; i32 n; f64 x in)\n"
	  "for i in 0..n\n"
	  "  S0: A[i] = x\n"
	  "  S1: x = B[i] * 2.0\n",
	  NULL },
	{ "a recurrence",
	  "region r(f64 A[n]; i32 n; i32 w in)\n"
	  "for i in 0..n\n"
	  "  S0: A[i] = f64(w)\n"
	  "  S1: w = w + i\n",
	  NULL },
	{ "set twice",
	  "region r(f64 A[n]; i32 n; i32 w in)\n"
	  "for i in 0..n\n"
	  "  S0: A[i] = f64(w)\n"
	  "  S1: w = i\n"
	  "  if A[i] > 0.0\n"
	  "    S2: w = 3\n",
	  NULL },
	{ "used afterwards",
	  "region r(f64 A[n]; i32 n; i32 w inout)\n"
	  "for i in 0..n\n"
	  "  S0: A[i] = f64(w)\n"
	  "  S1: w = i\n",
	  NULL },
};

static const char *print(struct arena *arena, const struct nest *nest)
{
	struct text text = { 0 };
	const char *copy;

	nest_print(nest, &text);
	copy = arena_strdup(arena, text_string(&text));
	text_free(&text);
	return copy;
}

static void scalars_are_unwrapped(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		struct diag diag = { 0 };
		struct nest *before = nest_parse(arena, cases[i].before, &diag), *after;

		if (!before)
			fail_msg("%s: %s", cases[i].name, diag.message);
		after = nest_unwrap(before);
		if (!nest_check(after, &diag))
			fail_msg("%s: %s", cases[i].name, diag.message);
		assert_string_equal(print(arena, after), cases[i].after ? cases[i].after : cases[i].before);
		arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(scalars_are_unwrapped) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
