/* Policies on nests as they come from real programs: what they propose is canonical, legal and new each time, has the
 * shape that pays on such nests, and is the same for the same seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "policy/policy.h"

static const char gemm[] =
	"region gemm(f64 C[NI,NJ], f64 A[NI,NK] in, f64 B[NK,NJ] in; i32 NI, NJ, NK; f64 alpha, beta)\n"
	"for i in 0..NI\n"
	"  for j in 0..NJ\n"
	"    S0: C[i,j] *= beta\n"
	"  for k in 0..NK\n"
	"    for j in 0..NJ\n"
	"      S1: C[i,j] += alpha * A[i,k] * B[k,j]\n";

static const char gemm_fixed[] =
	"region gemm(f64 C[1000,1100], f64 A[1000,1200] in, f64 B[1200,1100] in; f64 alpha, beta)\n"
	"for i in 0..1000\n"
	"  for j in 0..1100\n"
	"    S0: C[i,j] *= beta\n"
	"  for k in 0..1200\n"
	"    for j in 0..1100\n"
	"      S1: C[i,j] += alpha * A[i,k] * B[k,j]\n";

static const char two_mm[] =
	"region two_mm(f64 tmp[NI,NJ], f64 A[NI,NK] in, f64 B[NK,NJ] in, f64 C[NJ,NL] in, f64 D[NI,NL]; i32 NI, NJ, NK, NL; "
	"f64 alpha, beta)\n"
	"for i in 0..NI\n"
	"  for j in 0..NJ\n"
	"    S0: tmp[i,j] = 0.0\n"
	"    for k in 0..NK\n"
	"      S1: tmp[i,j] += alpha * A[i,k] * B[k,j]\n"
	"for i in 0..NI\n"
	"  for j in 0..NL\n"
	"    S2: D[i,j] *= beta\n"
	"    for k in 0..NJ\n"
	"      S3: D[i,j] += tmp[i,k] * C[k,j]\n";

static const char mvt[] =
	"region mvt(f64 x1[N], f64 x2[N], f64 y1[N] in, f64 y2[N] in, f64 A[N,N] in; i32 N)\n"
	"for i in 0..N\n"
	"  for j in 0..N\n"
	"    S0: x1[i] = x1[i] + A[i,j] * y1[j]\n"
	"for i in 0..N\n"
	"  for j in 0..N\n"
	"    S1: x2[i] = x2[i] + A[j,i] * y2[j]\n";

static const char jacobi[] =
	"region jacobi(f64 A[N,N], f64 B[N,N]; i32 N, T)\n"
	"for t in 0..T\n"
	"  for i in 1..N - 1\n"
	"    for j in 1..N - 1\n"
	"      S0: B[i,j] = 0.2 * (A[i,j] + A[i,j - 1] + A[i,1 + j] + A[1 + i,j] + A[i - 1,j])\n"
	"  for i in 1..N - 1\n"
	"    for j in 1..N - 1\n"
	"      S1: A[i,j] = 0.2 * (B[i,j] + B[i,j - 1] + B[i,1 + j] + B[1 + i,j] + B[i - 1,j])\n";

static const char matmul[] =
	"region matmul_forward(f32 out[B,T,OC], f32 inp[B,T,C] in, f32 weight[OC,C] in, f32 bias[OC] in; i32 B, T, C, OC)\n"
	"for b in 0..B\n"
	"  for t in 0..T\n"
	"    for o in 0..OC\n"
	"      let val: f32 = bias[o]\n"
	"      for i in 0..C\n"
	"        S0: val += inp[b,t,i] * weight[o,i]\n"
	"      S1: out[b,t,o] = val\n";

static const char syrk[] =
	"region syrk(f64 C[1200,1200], f64 A[1200,1000] in; f64 alpha, beta)\n"
	"for i in 0..1200\n"
	"  for j in 0..i + 1\n"
	"    S0: C[i,j] *= beta\n"
	"  for k in 0..1000\n"
	"    for j in 0..i + 1\n"
	"      S1: C[i,j] += alpha * A[i,k] * A[j,k]\n";

static const char backward[] =
	"region matmul_backward(f32 dout[B,T,OC] in, f32 dinp[B,T,C], f32 weight[OC,C] in; i32 B, T, OC, C)\n"
	"for b in 0..B\n"
	"  for t in 0..T\n"
	"    for o in 0..OC\n"
	"      S0: let d: f32 = dout[b,t,o]\n"
	"      for i in 0..C\n"
	"        S1: dinp[b,t,i] += weight[o,i] * d\n";

static const struct size sizes[] = {
	{ "NI", 1000 }, { "NJ", 1100 }, { "NK", 1200 }, { "NL", 900 }, { "N", 2000 }, { "T", 100 }, { "B", 4 }, { "C", 768 },
	{ "OC", 3072 },
};
static const struct machine machine = {
	.name = "example", .cores = 1, .vector_bytes = 64, .l1 = 48 << 10, .l2 = 2 << 20, .l3 = 32 << 20,
};
static const struct target target = { .compiler = COMPILER_GCC, .vector_bytes = 64, .has_fma = true };

enum { PROPOSALS_MAX = 16 };

/* A policy's run on one nest: the first proposals, each told that it was equal and how fast by "speedup". */
struct run {
	struct arena *arena;
	struct workspace *workspace;
	int n;
	const char *plan[PROPOSALS_MAX];
};

static void run_policy(struct run *run, const char *name, const char *text, enum fp_mode mode, uint64_t seed)
{
	const struct policy_class *class = policy_find(name);
	struct diag diag = { 0 };
	struct task task = { .target = &target, .machine = &machine, .n_size = sizeof sizes / sizeof *sizes, .size = sizes,
			     .seed = seed, .budget = PROPOSALS_MAX };
	struct policy *policy;
	run->arena = arena_new();
	run->n = 0;
	task.nest = nest_parse(run->arena, text, &diag);
	assert_non_null(task.nest);
	task.workspace = run->workspace = workspace_new(run->arena, task.nest, mode, &diag);
	assert_non_null(run->workspace);
	policy = class->start(run->arena, &task);
	while (run->n < PROPOSALS_MAX) {
		const char *plan = class->propose(policy);
		struct observation seen = { .is_legal = true, .verdict = { VERDICT_EQUAL, NULL },
					    .measurement = { .speedup = 1 + 0.1 * (run->n % 5), .pairs = 10 } };
		if (!plan)
			break;
		run->plan[run->n++] = plan;
		class->observe(policy, plan, &seen);
	}
	class->finish(policy);
}

static void end_run(struct run *run)
{
	workspace_free(run->workspace);
	arena_free(run->arena);
}

static void assert_plans_are_good(const struct run *run)
{
	for (int i = 0; i < run->n; i++) {
		struct diag why = { 0 };
		struct plan *plan = plan_parse(run->arena, run->plan[i], &why);
		struct text text = { 0 };
		assert_non_null(plan);
		plan_print(plan, &text);
		assert_string_equal(text_string(&text), run->plan[i]);
		text_free(&text);
		if (!plan_apply(run->workspace, plan, &why))
			fail_msg("%s: %s", run->plan[i], why.message);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(run->plan[i], run->plan[j]);
	}
}

/* Whether one of the first "n" plans has all of the words, which are separated by spaces. */
static bool some_plan_has(const struct run *run, int n, const char *words)
{
	for (int i = 0; i < n && i < run->n; i++) {
		char copy[256], *rest = copy, *word;
		bool has_all = true;
		strncpy(copy, words, sizeof copy - 1);
		copy[sizeof copy - 1] = '\0';
		while ((word = strsep(&rest, " ")))
			has_all = has_all && strstr(run->plan[i], word);
		if (has_all)
			return true;
	}
	return false;
}

/* What the first proposals of the heuristic must contain. */
static const struct {
	const char *name, *nest;
	enum fp_mode mode;
	int within;
	const char *words;
} shapes[] = {
	{ "gemm splits", gemm, FP_ORDERED, 1, "distribute(i" },
	{ "gemm tiles registers", gemm, FP_ORDERED, 1, "tile(i@S1: tile(j@S1: promote(C vectorize(j@S1:8) unroll(i@S1)" },
	{ "gemm packs", gemm_fixed, FP_ORDERED, 12, "pack(B promote(C" },
	{ "2mm tiles both products", two_mm, FP_ORDERED, 1, "promote(tmp promote(D vectorize(j@S1:8) vectorize(j@S3:8)" },
	{ "mvt turns the second sweep", mvt, FP_ORDERED, 1, "order(j@S1, vectorize(i@S1:8)" },
	{ "mvt interleaves the first", mvt, FP_ORDERED, 1, "jam(i@S0:" },
	{ "mvt sums in lanes when it may", mvt, FP_REASSOC, 1, "split_reduction(j@S0: vectorize(j@S0:" },
	{ "jacobi is a vector loop", jacobi, FP_ORDERED, 1, "vectorize(j@S0:8) vectorize(j@S1:8)" },
	{ "matmul interleaves rows and outputs", matmul, FP_ORDERED, 1, "jam(t:4) jam(o:4)" },
	{ "matmul sums in lanes when it may", matmul, FP_REASSOC, 3, "jam(t:4) jam(o:4) split_reduction(i:16) vectorize(i:16)" },
	{ "syrk transposes into panels", syrk, FP_ORDERED, 1, "pack(A promote(C vectorize(j@S1:8)" },
	{ "backward product takes its loops apart", backward, FP_ORDERED, 1, "privatize(d) promote(dinp vectorize(i:16)" },
};

static void proposals_have_the_shape_that_pays(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		struct run run;
		run_policy(&run, "heuristic", shapes[i].nest, shapes[i].mode, 1);
		if (!some_plan_has(&run, shapes[i].within, shapes[i].words))
			fail_msg("%s: not among the first %d, such as %s", shapes[i].name, shapes[i].within,
				 run.n ? run.plan[0] : "nothing");
		end_run(&run);
	}
}

static const char *const nests[] = { gemm, two_mm, mvt, jacobi, matmul, backward };

static void proposals_are_canonical_legal_and_new(void **state)
{
	static const char *const names[] = { "heuristic", "search", "random" };
	(void)state;
	for (size_t i = 0; i < sizeof nests / sizeof *nests; i++)
		for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
			struct run run;
			run_policy(&run, names[j], nests[i], j % 2 ? FP_REASSOC : FP_ORDERED, 3);
			assert_true(run.n > 0);
			assert_plans_are_good(&run);
			end_run(&run);
		}
}

static void same_seed_gives_the_same_proposals(void **state)
{
	static const char *const names[] = { "search", "random" };
	(void)state;
	for (size_t j = 0; j < 2; j++) {
		struct run first, second;
		run_policy(&first, names[j], mvt, FP_ORDERED, 11);
		run_policy(&second, names[j], mvt, FP_ORDERED, 11);
		assert_int_equal(first.n, second.n);
		for (int i = 0; i < first.n; i++)
			assert_string_equal(first.plan[i], second.plan[i]);
		end_run(&first);
		end_run(&second);
	}
}

static void search_goes_beyond_the_list(void **state)
{
	struct run list, search;
	(void)state;
	run_policy(&list, "heuristic", jacobi, FP_ORDERED, 1);
	run_policy(&search, "search", jacobi, FP_ORDERED, 1);
	assert_true(search.n > list.n || search.n == PROPOSALS_MAX);
	assert_string_equal(list.plan[0], search.plan[0]);
	end_run(&list);
	end_run(&search);
}

static void classes_are_found_by_name(void **state)
{
	int n = 0;
	(void)state;
	for (; policy_get(n); n++)
		assert_ptr_equal(policy_find(policy_get(n)->name), policy_get(n));
	assert_int_equal(n, 3);
	assert_null(policy_find("oracle"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(proposals_have_the_shape_that_pays),
		cmocka_unit_test(proposals_are_canonical_legal_and_new),
		cmocka_unit_test(same_seed_gives_the_same_proposals),
		cmocka_unit_test(search_goes_beyond_the_list),
		cmocka_unit_test(classes_are_found_by_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
