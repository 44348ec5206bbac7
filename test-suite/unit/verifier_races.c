#include "verifier_support.h"

#include <sched.h>

#include "verifier/symbols.h"

/* A sum of integers, which threads may add up in any order. */
static const char sum_source[] =
	"#include <pthread.h>\n"
	"#include <threads.h>\n"
	"#include <omp.h>\n"
	"void f(int *s, const int *x, int n)\n"
	"{\n"
	"	/* BEGIN */\n"
	"	for (int i = 0; i < n; i++)\n"
	"		s[0] += x[i] & 255;\n"
	"	/* END */\n"
	"}\n"
	"int main(void) { return 0; }\n";

static const struct given sum = {
	.source = sum_source,
	.nest = "region sum(i32 s[1], i32 x[n] in; i32 n)\n"
		"for i in 0..n\n"
		"  S0: s[0] += x[i] & 255\n",
	.local = { { "s", "int *s", NULL, true }, { "x", "const int *x", NULL, true }, { "n", "int n", NULL, false } },
	.flag = { "-O2", "-fopenmp" },
};

/* What precedes each version: the way for buffers that share memory. */
#define APART "if (n <= 0) return;\n" "if (s >= x && s < x + n) { for (int i = 0; i < n; i++) s[0] += x[i] & 255; return; }\n"

/* Versions, and what must come of them where races can be looked for. */
static const struct version {
	const char *helpers, *body;
	enum verdict_kind kind;
	const char *witness;
} versions[] = {
	{ "", APART "_Pragma(\"omp parallel for reduction(+:s[:1])\") for (int i = 0; i < n; i++) s[0] += x[i] & 255;", VERDICT_EQUAL, "" },
	{ "", APART "int all = 0;\n#pragma omp parallel\n{ int t = 0;\n#pragma omp for schedule(dynamic, 3) nowait\n"
		    "for (int i = 0; i < n; i++) t += x[i] & 255;\n#pragma omp critical\nall += t;\n#pragma omp barrier\n"
		    "#pragma omp single\ns[0] += all; }\n",
	  VERDICT_EQUAL, "" },
	{ "", APART "int all = 0;\n#pragma omp parallel\n{ int t = 0;\n#pragma omp for schedule(dynamic, 3) nowait\n"
		    "for (int i = 0; i < n; i++) t += x[i] & 255;\n#pragma omp critical\nall += t;\n"
		    "#pragma omp single\ns[0] += all; }\n",
	  VERDICT_UNDEFINED, "data race: " },
	{ "static int part(const int *x, int n)\n{\n\tint low = 0, high = 0;\n\tif (n < 40) { for (int i = 0; i < n; i++) low += x[i] & 255; return low; }\n"
	  "#pragma omp task shared(low)\n\tlow = part(x, n / 2);\n\thigh = part(x + n / 2, n - n / 2);\n#pragma omp taskwait\n\treturn low + high;\n}\n",
	  APART "int all = s[0];\n#pragma omp parallel\n#pragma omp single\nall += part(x, n);\ns[0] = all;\n", VERDICT_EQUAL, "" },
	{ "static void *nothing(void *of) { (*(int *)of)++; return 0; }\nstatic int tally;\n",
	  APART "pthread_t other; tally = 0;\nif (pthread_create(&other, 0, nothing, &tally) != 0) return;\n"
		"for (int i = 0; i < n; i++) s[0] += x[i] & 255;\ntally = 0; pthread_join(other, 0);\n",
	  VERDICT_UNDEFINED, "of a variable that outlives its function" },
	{ "", APART "int first = s[0];\n#pragma omp parallel\ns[0] = first;\nfor (int i = 0; i < n; i++) s[0] += x[i] & 255;",
	  VERDICT_UNDEFINED, "of s[0]" },
	{ "", APART "int all = s[0];\n#pragma omp teams distribute parallel for reduction(+:all)\n"
		    "for (int i = 0; i < n; i++) all += x[i] & 255;\ns[0] = all;\n",
	  VERDICT_UNTESTABLE, "not checked for races: it calls GOMP_teams" },
};

/* Where threads take turns races seldom show in results, and the search is what finds them. */
static void stay_on_one_core(void)
{
	cpu_set_t allowed, one;

	CPU_ZERO(&one);
	for (int i = 0; sched_getaffinity(0, sizeof(allowed), &allowed) == 0 && i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &allowed)) {
			CPU_SET(i, &one);
			break;
		}
	sched_setaffinity(0, sizeof(one), &one);
}

static void races_are_found(void **state)
{
	struct opened *opened;

	(void)state;
	stay_on_one_core();
	opened = open_given(&sum);
	assert_int_equal(opened->admission.kind, VERDICT_EQUAL);
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		const struct version *version = &versions[i];
		struct verdict verdict;
		const char *races;

		assert_int_equal(judge_candidate(opened->judge, version->helpers, version->body, true, &verdict, &opened->diag), STATUS_OK);
		races = judge_races(opened->judge);
		if ((races && strncmp(races, "not run", 7) == 0) ||
		    (version->kind == VERDICT_UNDEFINED && verdict.kind == VERDICT_NONDETERMINISTIC))
			continue;
		if (verdict.kind != version->kind || !strstr(verdict.witness, version->witness))
			fail_msg("version %zu: %s: %s", i, verdict_name(verdict.kind), verdict.witness);
		assert_string_equal(races, version->kind == VERDICT_EQUAL ? "none found" : verdict.witness);
	}
	close_given(opened);
}

static void versions_without_threads_are_not_searched(void **state)
{
	struct opened *opened = open_given(&sum);
	struct verdict verdict;

	(void)state;
	assert_int_equal(judge_candidate(opened->judge, "", "for (int i = 0; i < n; i++) *s += x[i] & 255;", true, &verdict, &opened->diag),
			 STATUS_OK);
	assert_int_equal(verdict.kind, VERDICT_EQUAL);
	assert_null(judge_races(opened->judge));
	close_given(opened);
}

static bool is_strlen(const char *name)
{
	return strcmp(name, "strlen") == 0;
}

static bool is_fopen(const char *name)
{
	return strcmp(name, "fopen") == 0;
}

/* What an object takes from others is found, in one that is cut short nothing, and nothing is read beside it. */
static void missing_symbols_are_found(void **state)
{
	static const char source[] = "#include <string.h>\n__attribute__((visibility(\"default\"))) unsigned long f(const char *s) { return strlen(s); }\n";
	struct arena *arena = arena_new();
	struct diag diag = { 0 };
	const char *folder = folder_make_scratch(arena, &diag), *name;
	const char *path = path_join(arena, folder, "a.so");
	struct text bytes = { 0 };

	(void)state;
	assert_int_equal(file_write(path_join(arena, folder, "a.c"), source, sizeof(source) - 1, &diag), STATUS_OK);
	assert_int_equal(system(arena_printf(arena, "cd '%s' && gcc -O1 -fPIC -fno-builtin -shared -o a.so a.c", folder)), 0);
	assert_int_equal(symbols_find(arena, path, is_strlen, &name, &diag), STATUS_OK);
	assert_string_equal(name, "strlen");
	assert_int_equal(symbols_find(arena, path, is_fopen, &name, &diag), STATUS_OK);
	assert_null(name);
	assert_int_equal(file_read(path, &bytes, &diag), STATUS_OK);
	for (size_t size = 0; size < bytes.size; size += 1 + bytes.size / 200) {
		assert_int_equal(file_write(path, bytes.bytes, size, &diag), STATUS_OK);
		assert_int_equal(symbols_find(arena, path, is_strlen, &name, &diag), STATUS_OK);
		assert_null(name);
	}
	text_free(&bytes);
	assert_int_equal(symbols_find(arena, path_join(arena, folder, "none.so"), is_strlen, &name, &diag), STATUS_FAILED);
	folder_remove(folder);
	arena_free(arena);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(races_are_found),
	cmocka_unit_test(versions_without_threads_are_not_searched),
	cmocka_unit_test(missing_symbols_are_found),
};
RUN_TESTS(tests)
