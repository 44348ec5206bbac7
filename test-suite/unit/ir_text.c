/* The printed nest: each form parses back, random nests too, and text that is no nest is refused with a sentence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ir/nest.h"
#include "support/rng.h"

#include "../support/nest_random.c"

/* Printed forms that must come back to the letter. */
static const char *const forms[] = {
	"region gemm(f32 C[M,N], f32 A[M,K] in, f32 B[K,N] in; i32 M, N, K; f32 alpha)\n"
	"for i in 0..M\n"
	"  for k in 0..K\n"
	"    let a: f32 = alpha * A[i,k]\n"
	"    for j in 0..N\n"
	"      S0: C[i,j] += a * B[k,j]\n",

	"region axpy(f32 y[n], f32 x[n] in; i64 n; f32 a)\n"
	"  where y: source \"l->y\", ctype \"real\"\n"
	"  where x: native, object, const\n"
	"  where n: source \"l->n * 2\", ctype \"size_t\"\n"
	"  assume n >= 0\n"
	"for i: i64 in 0..n\n"
	"  S0: y[i] = a * x[i] + y[i]\n",

	"region marks(f64 A[?,n + 2]; i32 n)\n"
	"for i.1 in 0..n step 32 parallel\n"
	"  for i in i.1..min(n, i.1 + 32) vector(8) unroll(4) edge(mask)\n"
	"    for j in 0..n unroll(full) edge(pad)\n"
	"      S0[i, j + 1]: A[i,j] *= 2.0\n"
	"      S1[-]: A[j,i] = -A[i,j]\n",

	"region scalars(u8 a[n] in; i32 n; f64 s inout, t out, u in, v temp)\n"
	"  local f32 buffer[16,4]\n"
	"S0: buffer[0,1] = 1.0f\n"
	"for i in 0..n\n"
	"  let w: f64 = f64(a[i]) + f64(buffer[i % 16,2])\n"
	"  S1: s += w\n"
	"  let z: i32\n"
	"  S4: z = i32(a[i])\n"
	"  S5: z <<= 3\n"
	"  if z > 3 && w < 1.0\n"
	"    S2: t = sqrt(w) + f64(sqrtf(f32(w)))\n"
	"  else\n"
	"    S3: v = u < 0.5 ? -1e-300 : f64(abs(z))\n",

	"region packed(f32 B[K,N] in; i32 K, N)\n"
	"let B.p: f32[256,32]\n"
	"for k in 0..256\n"
	"  for j in 0..32\n"
	"    S3[-]: B.p[k,j] = B[k,j]\n",

	"region types(u64 a[8], i64 b[8], u32 c[8], i16 d[8], i8 e[8])\n"
	"S0: a[0] = 18446744073709551615u64\n"
	"S1: b[0] = -9223372036854775808\n"
	"S2: c[1] = c[0] + 1 << 2\n"
	"S3: d[0] = 7\n"
	"S4: e[0] = i8(d[0] / 2) & -1\n"
	"S5: b[1] = 3i64 * 4i64 ^ b[2]\n"
	"S6: b[2] = -(3i64) + ~b[1] | b[1] % 2\n"
	"S7: b[3] = floordiv(b[1], 8) - max(b[1], 2)\n"
	"S8: b[4] >>= 2\n",

	"region \"outer::f<int>\"(f32 a[4], f64 b[4])\n"
	"S0: a[0] = 0x1.8p+1f\n"
	"S1: a[1] = -(a[0] * (a[1] + .5f))\n"
	"S2: a[2] = a[0] - (a[1] - -1.f)\n"
	"S3: a[3] = __builtin_inff()\n"
	"S4: b[0] = -__builtin_inf()\n"
	"S5: a[1] = f32:special(a[0], b[0])\n"
	"S6: b[2] = (b[0] < b[1] ? b[1] : b[2]) * 2.0\n"
	"S7: a[0] = -(1.0f)\n",

	"region keywords(f32 in[step] in, f32 out[step] out; i32 step)\n"
	"for let in 0..step step 2\n"
	"  S0: out[let] = in[let]\n",

	"region empty()\n",
};

static void round_trip(const char *form)
{
	struct arena *arena = arena_new();
	struct text text = { 0 };
	struct diag diag = { 0 };
	struct nest *nest = nest_parse(arena, form, &diag);

	if (!nest)
		fail_msg("%s in:\n%s", diag.message, form);
	nest_print(nest, &text);
	assert_string_equal(text_string(&text), form);
	text_free(&text);
	arena_free(arena);
}

static void test_forms_round_trip(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		round_trip(forms[i]);
}

/* What is written otherwise and comes back in the one form. */
static void test_other_writings(void **state)
{
	static const struct {
		const char *written, *printed;
	} cases[] = {
		{ "a[0] = ((a[0])) + (1)", "a[0] = a[0] + 1" },
		{ "a[0] = a[0] - (a[1] + 1)", "a[0] = a[0] - (a[1] + 1)" },
		{ "a[0] = (a[0] - a[1]) + 1", "a[0] = a[0] - a[1] + 1" },
		{ "a[0] = (a[0] * 2) << (a[1] + 1)", "a[0] = a[0] * 2 << a[1] + 1" },
		{ "a[0] = 1i32", "a[0] = 1" },
		{ "a[0] = --a[1]", "a[0] = --a[1]" },
		{ "a[0] = a[1] ? a[2] : (a[3] ? 1 : 2)", "a[0] = a[1] ? a[2] : a[3] ? 1 : 2" },
		{ "a[0]=a[1]<a[2]", "a[0] = a[1] < a[2]" },
		{ "a[0] = -(5) + - -5 + ~(5) + !5", "a[0] = -(5) + --5 + ~5 + !5" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		struct text text = { 0 };
		struct diag diag = { 0 };
		struct nest *nest = nest_parse(arena, arena_printf(arena, "\nregion r(i32 a[4])\n\n  S0: %s \n\n",
								   cases[i].written), &diag);

		assert_string_equal(diag.message, "");
		assert_non_null(nest);
		nest_print(nest, &text);
		assert_string_equal(text_string(&text),
				    arena_printf(arena, "region r(i32 a[4])\nS0: %s\n", cases[i].printed));
		text_free(&text);
		arena_free(arena);
	}
}

static void test_malformed_is_refused(void **state)
{
	static const struct {
		const char *text, *sentence;
	} cases[] = {
		{ "", "line 1: 'region' expected at the end of the line" },
		{ "region f(\n", "line 1: a name expected at the end of the line" },
		{ "region f(f32 a[n])\n", "line 1: there is no 'n'" },
		{ "region f(f32 a[1], f32 a[1])\n", "line 1: 'a' is declared twice" },
		{ "region f(f32 a)\n", "line 1: 'a' stands among the arrays but has no extents" },
		{ "region f(real a[1])\n", "line 1: 'real' is no type" },
		{ "region f(f32 a[1])\nS0: b[0] = 1.0f\n", "line 2: there is no 'b'" },
		{ "region f(f32 a[1])\nS0: a[0,0] = 1.0f\n", "line 2: 'a' takes 1 subscripts, not 2" },
		{ "region f(f32 a[1])\nS0: a[0] = 1.0\n", "S0 assigns an f64 to a, an f32" },
		{ "region f(f32 a[1])\nS0: a[0] = 1.0f +\n", "line 2: an expression expected before ''" },
		{ "region f(f32 a[1] in)\nS0: a[0] = 1.0f\n", "S0 writes a, which counts as not written" },
		{ "region f(; i32 n)\nfor i in 0..n step 0\n", "line 2: a step of 0" },
		{ "region f(; i32 n)\nfor n in 0..n\n", "line 2: 'n' is something else already" },
		{ "region f(f32 a[9])\nfor i in 0..9\n    S0: a[i] = 1.0f\n  S1: a[i] = 1.0f\n",
		  "line 4: a line is indented like none before it" },
		{ "region f(f32 a[9])\nfor i in -9223372036854775807..9 unroll(full)\n  S0: a[0] = 1.0f\n",
		  "the loop i is too long to unroll in full" },
		{ "region f(f64 a[9])\nS0: a[0] = f64:min(1, 2)\n", "a call of no function" },
		{ "region f(f64 a[9])\nS0: a[0] = f64:__builtin_inf(2)\n", "a call of no function" },
		{ "region f(f32 a[9])\na[0] = 1.0f\n",
		  "line 2: for, if, let or a label S0, S1, .. expected, not 'a'" },
		{ "region f(i32 a[9])\nS0: a[0] = 99999999999999999999\n", "line 2: an integer is too large" },
		{ "region f(f32 a[9])\n  where a: source \"x\n", "line 2: a string does not end" },
		{ "region f(f32 a[9])\nfor i in 0..9\n  S0: a[i] = 1.0f\nS1: a[i] = 1.0f\n",
		  "i is used where it is not in scope" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		struct diag diag = { 0 };

		assert_null(nest_parse(arena, cases[i].text, &diag));
		assert_string_equal(diag.message, cases[i].sentence);
		arena_free(arena);
	}
}

static void check_random(uint64_t seed, bool is_wild)
{
	const struct nest_random_options options = { 4, 12, is_wild };
	struct arena *arena = arena_new();
	struct text first = { 0 }, second = { 0 };
	struct diag diag = { 0 };
	struct nest *nest, *again;
	struct rng rng;
	char key[2][33];

	rng_seed(&rng, seed);
	nest = nest_random(arena, &rng, &options);
	nest_print(nest, &first);
	if (!nest_check(nest, &diag))
		fail_msg("seed %llu: %s in:\n%s", (unsigned long long)seed, diag.message, text_string(&first));
	again = nest_parse(arena, text_string(&first), &diag);
	if (!again)
		fail_msg("seed %llu: %s in:\n%s", (unsigned long long)seed, diag.message, text_string(&first));
	nest_print(again, &second);
	assert_string_equal(text_string(&first), text_string(&second));
	nest_key(nest, "ordered", key[0]);
	nest_key(again, "ordered", key[1]);
	assert_string_equal(key[0], key[1]);
	text_free(&first);
	text_free(&second);
	arena_free(arena);
}

static void test_random_round_trip(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 400; seed++) {
		check_random(seed, false);
		check_random(seed, true);
	}
}

/* Change "text" in a few places: other bytes, pieces left out or doubled. */
static void damage(struct rng *rng, char *text, size_t size)
{
	static const char bytes[] = "()[]{}.,:;+-*/%<>=!?&|^~\"\\ \n\t0123456789abfinuSlet\x80\xff";

	for (int n = 1 + (int)rng_below(rng, 4); n > 0; n--) {
		size_t at = rng_below(rng, size), length = rng_below(rng, size - at < 40 ? size - at : 40);

		if (rng_below(rng, 2))
			text[at] = bytes[rng_below(rng, sizeof(bytes) - 1)];
		else
			memmove(text + rng_below(rng, size - length), text + at, length);
	}
}

/* Whatever the text, parsing ends, and what it takes for a nest prints and parses again. */
static void test_garbage_never_crashes(void **state)
{
	struct rng rng;
	int accepted = 0, refused = 0;

	(void)state;
	rng_seed(&rng, 7);
	for (int round = 0; round < 6000; round++) {
		struct arena *arena = arena_new();
		char *text = arena_strdup(arena, forms[rng_below(&rng, sizeof(forms) / sizeof(forms[0]))]);
		struct diag diag = { 0 };
		struct nest *nest;

		damage(&rng, text, strlen(text));
		nest = nest_parse(arena, text, &diag);
		if (nest) {
			struct text printed = { 0 };

			nest_print(nest, &printed);
			round_trip(text_string(&printed));
			text_free(&printed);
			accepted++;
		} else {
			assert_string_not_equal(diag.message, "");
			refused++;
		}
		arena_free(arena);
	}
	assert_true(accepted > 100 && refused > 1000);
}

static void refuse(const char *text, const char *sentence)
{
	struct arena *arena = arena_new();
	struct diag diag = { 0 };

	assert_null(nest_parse(arena, text, &diag));
	assert_string_equal(diag.message, sentence);
	arena_free(arena);
}

static void test_depth_is_bounded(void **state)
{
	struct text text = { 0 };

	(void)state;
	text_append(&text, "region f(i32 a[1])\nS0: a[0] = ");
	text_repeat(&text, "(", 100000);
	refuse(text_string(&text), "line 2: an expression is nested too deep");
	text_clear(&text);
	text_append(&text, "region f(i32 a[1])\nS0: a[0] = ");
	text_repeat(&text, "-", 100000);
	refuse(text_string(&text), "line 2: an expression is nested too deep");
	text_clear(&text);
	text_append(&text, "region f(i32 a[1])\nS0: a[0] = 1");
	text_repeat(&text, " + 1", 100000);
	refuse(text_string(&text), "line 2: an expression is too long");
	text_clear(&text);
	text_append(&text, "region f(i32 a[1])\n");
	for (int depth = 0; depth < 1000; depth++) {
		text_repeat(&text, " ", depth);
		text_append(&text, "if 1\n");
	}
	refuse(text_string(&text), "line 65: loops and conditions are nested too deep");
	text_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms_round_trip),    cmocka_unit_test(test_other_writings),
		cmocka_unit_test(test_malformed_is_refused), cmocka_unit_test(test_random_round_trip),
		cmocka_unit_test(test_garbage_never_crashes), cmocka_unit_test(test_depth_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
