/* Generated C, as text against test-suite/codegen/NAME.expected.c (STROP_REFRESH=1 rewrites them) and by meaning: each
 * rewritten nest is compiled with every compiler at hand and run beside plain loops of the original on random data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rewrite_codegen_program.h"

/* "tolerance" 0: bit for bit; sums in another order are equal up to a relative error. The original's path is taken only below size
 * "least". */
struct golden {
	const char *name;
	const char *tolerance;
	int least;
};

static const struct golden goldens[] = {
	{ "activations", "0", 0 }, { "columns", "0", 0 },  { "dot", "1e-5", 0 },     { "gather", "0", 0 },
	{ "gemm", "0", 0 },        { "matvec", "0", 0 },   { "maximum", "0", 0 },    { "pixels", "0", 0 },
	{ "rows", "0", 1 },        { "saxpy", "0", 0 },       { "syrk", "0", 0 },     { "transpose", "0", 0 },  { "window", "0", 0 },
	{ "triangle", "0", 0 },    { "recurrence", "0", 0 }, { "logistic", "0", 0 },
	{ "gelu", "1e-6", 0 },     { "linear", "1e-5", 0 },
	{ "tiles_back", "0", 32 },
};
enum { GOLDENS = sizeof(goldens) / sizeof(goldens[0]) };

static const char *const compilers[] = { "gcc", "clang-22", "clang" };

static enum fp_mode mode_of(const struct golden *golden)
{
	return strcmp(golden->tolerance, "0") == 0 ? FP_ORDERED : FP_REASSOC;
}

/* ---- text ---- */

static void check_golden(struct arena *arena, const struct golden *golden)
{
	const char *name = golden->name;
	const struct nest *original = load(arena, name, ".nest"), *rewritten = load(arena, name, ".rewritten.nest");
	struct variant variant = generate(arena, original, rewritten, name, 0, "original();", COMPILER_GCC, 64, mode_of(golden));
	struct variant again = generate(arena, original, rewritten, name, 0, "original();", COMPILER_GCC, 64, mode_of(golden));
	const char *path = arena_printf(arena, "%s/codegen/%s.expected.c", TEST_SUITE, name);
	const char *text = arena_printf(arena, "%svoid %s(void)\n{\n\t%s\n}\n", variant.helpers, name, variant.body);
	struct text expected = { 0 };

	assert_string_equal(variant.helpers, again.helpers);
	assert_string_equal(variant.body, again.body);
	if (getenv("STROP_REFRESH"))
		assert_int_equal(file_replace(path, text, strlen(text), NULL), STATUS_OK);
	assert_int_equal(file_read(path, &expected, NULL), STATUS_OK);
	assert_string_equal(text, text_string(&expected));
	text_free(&expected);
}

static void text_is_as_expected(void **state)
{
	(void)state;
	for (int i = 0; i < GOLDENS; i++) {
		struct arena *arena = arena_new();

		check_golden(arena, &goldens[i]);
		arena_free(arena);
	}
}

/* ---- meaning ---- */

static bool has_compiler(const char *compiler)
{
	const char *const argv[] = { compiler, "--version", NULL };
	struct process process = { .argv = argv, .seconds = 60 };
	struct process_end end = { 0 };

	return process_run(&process, &end, NULL) == STATUS_OK && end.status == 0 && !end.signal;
}

static void check_meaning(struct arena *arena, const struct golden *golden, const char *compiler, const char *folder)
{
	enum compiler kind = strncmp(compiler, "clang", 5) == 0 ? COMPILER_CLANG : COMPILER_GCC;
	const struct nest *original = load(arena, golden->name, ".nest");
	const struct nest *rewritten = load(arena, golden->name, ".rewritten.nest");
	struct variant plain = generate(arena, original, original, "plain", 0, "if (smallest > 0) abort();", kind, 0, FP_ORDERED);
	struct variant variant = generate(arena, original, rewritten, golden->name, 0, "fell_back++;", kind, 64, mode_of(golden));

	check_program(arena, compiler, folder, golden->name, true,
		      program_text(arena, original, &plain, 1, &variant, golden->tolerance, &golden->least));
}

static void variants_mean_the_same(void **state)
{
	struct arena *arena = arena_new();
	const char *folder = folder_make_scratch(arena, NULL);
	int tried = 0;

	(void)state;
	for (size_t c = 0; c < sizeof(compilers) / sizeof(compilers[0]); c++) {
		if (!has_compiler(compilers[c]))
			continue;
		tried++;
		for (int i = 0; i < GOLDENS; i++)
			check_meaning(arena, &goldens[i], compilers[c], folder);
	}
	assert_true(tried > 0);
	if (!getenv("STROP_KEEP"))
		folder_remove(folder);
	arena_free(arena);
}

#if defined(__x86_64__)
static void check_probe(int argc, const char *const *argv, const struct target *expected, bool is_fast_expected)
{
	struct target target;
	struct diag diag = { 0 };
	bool is_fast;

	if (target_probe(NULL, argc, argv, &target, &is_fast, &diag) != STATUS_OK)
		fail_msg("%s", diag.message);
	assert_int_equal(target.compiler, expected->compiler);
	assert_int_equal(target.vector_bytes, expected->vector_bytes);
	assert_int_equal(target.has_fma, expected->has_fma);
	assert_int_equal(target.has_openmp, expected->has_openmp);
	assert_int_equal(is_fast, is_fast_expected);
}

static void probe_reads_the_flags(void **state)
{
	static const char *const plain[] = { "gcc", "-c", "nowhere.c", "-o", "nowhere.o", "-I", "include" };
	static const char *const wide[] = { "gcc", "-march=skylake-avx512", "-fopenmp", "-MMD", "-MF", "x.d", "nowhere.c" };
	static const char *const fast[] = { "gcc", "-mavx2", "-mfma", "-Ofast", "nowhere.c" };
	static const char *const wrong[] = { "gcc", "-mno-such-machine", "nowhere.c" };
	struct diag diag = { 0 };
	struct target target;
	bool is_fast;

	(void)state;
	check_probe(7, plain, &(struct target){ .vector_bytes = 16 }, false);
	check_probe(7, wide, &(struct target){ .vector_bytes = 64, .has_fma = true, .has_openmp = true }, false);
	check_probe(5, fast, &(struct target){ .vector_bytes = 32, .has_fma = true }, true);
	assert_int_equal(target_probe(NULL, 3, wrong, &target, &is_fast, &diag), STATUS_FAILED);
	assert_non_null(strstr(diag.message, "gcc"));
}
#else
static void probe_reads_the_flags(void **state)
{
	static const char *const openmp[] = { "gcc", "-fopenmp", "nowhere.c" };
	struct target target;
	bool is_fast;

	(void)state;
	assert_int_equal(target_probe(NULL, 3, openmp, &target, &is_fast, NULL), STATUS_OK);
	assert_true(target.has_openmp);
}
#endif

/* Names that the helper makes up keep clear of the region's words, and text in the original's indentation of its own. */
static void names_and_indentation_follow_the_source(void **state)
{
	struct arena *arena = arena_new();
	const struct nest *original = load(arena, "saxpy", ".nest"), *rewritten = load(arena, "saxpy", ".rewritten.nest");
	struct site site = { .function = "f", .number = 3, .indent = "  ", .in_header = true,
			     .original = "for (int i = 0; i < n; i++)\r\n      y[i] += a * x[i] * i_full;" };
	struct target target = { .compiler = COMPILER_GCC, .vector_bytes = 64 };
	struct variant variant;

	(void)state;
	assert_int_equal(codegen_c(arena, original, rewritten, &site, &target, &variant, NULL), STATUS_OK);
	assert_non_null(strstr(variant.helpers, "static __attribute__((noinline, unused)) void f_strop3("));
	assert_non_null(strstr(variant.helpers, "\n    const long i_full_0 = "));
	assert_null(strstr(variant.helpers, "\t"));
	assert_non_null(strstr(variant.body, "} else {\n      for (int i = 0; i < n; i++)\r\n          y[i] += a * x[i] * i_full;\n  }"));
	arena_free(arena);
}

/* What continues a line of the original or speaks to the preprocessor keeps its column. */
static void the_else_is_indented(void **state)
{
	struct arena *arena = arena_new();
	const struct nest *original = load(arena, "saxpy", ".nest"), *rewritten = load(arena, "saxpy", ".rewritten.nest");
	struct site site = { .function = "f", .indent = "\t",
			     .original = "for (;;)\n\t\tputs(\"a\\\n b\");\n\n#ifdef X\n\tg();\n#endif" };
	struct target target = { .compiler = COMPILER_GCC, .vector_bytes = 64 };
	struct variant variant;

	(void)state;
	assert_int_equal(codegen_c(arena, original, rewritten, &site, &target, &variant, NULL), STATUS_OK);
	assert_non_null(strstr(variant.body, "} else {\n\t\tfor (;;)\n\t\t\tputs(\"a\\\n b\");\n\n#ifdef X\n\t\tg();\n#endif\n\t}"));
	arena_free(arena);
}

/* An indirect access to an array of unknown extent may overlap anything: that is refused with a reason. */
static void unknown_extents_are_refused(void **state)
{
	struct arena *arena = arena_new();
	struct diag why = { 0 };
	const struct nest *nest = nest_parse(arena, "region f(f32 y[?], f32 x[n] in, i32 p[n] in; i32 n)\n"
						    "for i in 0..n\n  S0: y[p[i]] = x[i]\n", &why);
	struct site site = { .function = "f", .original = "original();", .indent = "" };
	struct target target = { .compiler = COMPILER_GCC, .vector_bytes = 64 };
	struct variant variant;

	(void)state;
	if (!nest)
		fail_msg("%s", why.message);
	assert_int_equal(codegen_c(arena, nest, nest, &site, &target, &variant, &why), STATUS_FAILED);
	assert_non_null(strstr(why.message, "overlaps"));
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(probe_reads_the_flags),
		cmocka_unit_test(names_and_indentation_follow_the_source),
		cmocka_unit_test(the_else_is_indented),
		cmocka_unit_test(unknown_extents_are_refused),
		cmocka_unit_test(text_is_as_expected),
		cmocka_unit_test(variants_mean_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
