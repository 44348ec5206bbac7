/* The validator: hand-written rewrites of small nests, legal and not, must be told apart, and for the right reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ir/nest.h"
#include "rewrite/validate.h"

/* "after" is a rewrite of the nest under "head" and "before"; NULL "reason" when it is legal, else a part of the sentence. */
struct rewrite {
	const char *name, *head, *before, *after;
	enum fp_mode mode;
	const char *reason;
};

static struct nest *parse(struct arena *arena, const char *head, const char *body, const char *name)
{
	struct diag diag = { 0 };
	struct nest *nest = nest_parse(arena, arena_printf(arena, "%s%s", head, body), &diag);

	if (!nest)
		fail_msg("%s: %s", name, diag.message);
	return nest;
}

static void check(const struct rewrite *rewrite)
{
	struct arena *arena = arena_new();
	struct diag diag = { 0 };
	const struct nest *before = parse(arena, rewrite->head, rewrite->before, rewrite->name);
	const struct nest *after = parse(arena, rewrite->head, rewrite->after, rewrite->name);
	struct dependences *dependences = dependences_new(before, rewrite->mode, &diag);
	bool is_valid;

	assert_non_null(dependences);
	is_valid = validate(dependences, after, &diag);
	if (is_valid != !rewrite->reason)
		fail_msg("%s: %s", rewrite->name, is_valid ? "accepted" : diag.message);
	if (rewrite->reason && !strstr(diag.message, rewrite->reason))
		fail_msg("%s: refused because %s", rewrite->name, diag.message);
	dependences_free(dependences);
	arena_free(arena);
}

#define CHECK_ALL(cases) \
	for (size_t i = 0; i < sizeof(cases) / sizeof((cases)[0]); i++) \
		check((cases) + i)

#define GEMM "region gemm(f64 C[M,N], f64 A[M,K] in, f64 B[K,N] in; i32 M, N, K)\n"
#define GEMM_SIZES GEMM "  assume M >= 0\n  assume N >= 0\n"
#define GEMM_BODY "for i in 0..M\n" \
		  "  for j in 0..N\n" \
		  "    for k in 0..K\n" \
		  "      S0: C[i,j] += A[i,k] * B[k,j]\n"

/* Iteration k of the tile that is k.1 tiles before the last one. */
#define BACKWARDS "(floordiv(K + 31, 32) - 1 - k.1) * 32 + k"

static void test_order_and_tile(void **state)
{
	static const struct rewrite cases[] = {
		{ "identity", GEMM, GEMM_BODY, GEMM_BODY, FP_ORDERED, NULL },
		{ "interchange keeps the order of k", GEMM, GEMM_BODY,
		  "for k in 0..K\n"
		  "  for i in 0..M\n"
		  "    for j in 0..N\n"
		  "      S0[i, j, k]: C[i,j] += A[i,k] * B[k,j]\n", FP_ORDERED, NULL },
		{ "five tile loops", GEMM, GEMM_BODY,
		  "for j.1 in 0..N step 512\n"
		  "  for k.1 in 0..K step 256\n"
		  "    for i.1 in 0..M step 96\n"
		  "      for j.2 in j.1..min(j.1 + 512, N) step 32\n"
		  "        for i.2 in i.1..min(i.1 + 96, M) step 8\n"
		  "          for k in k.1..min(k.1 + 256, K)\n"
		  "            for i in i.2..min(i.2 + 8, min(i.1 + 96, M))\n"
		  "              for j in j.2..min(j.2 + 32, min(j.1 + 512, N)) vector(16)\n"
		  "                S0[i, j, k]: C[i,j] += A[i,k] * B[k,j]\n", FP_ORDERED, NULL },
		{ "tiles of k run backwards", GEMM, GEMM_BODY,
		  "for k.1 in 0..floordiv(K + 31, 32)\n"
		  "  for i in 0..M\n"
		  "    for j in 0..N\n"
		  "      for k in 0..min(32, K - (floordiv(K + 31, 32) - 1 - k.1) * 32)\n"
		  "        S0[i, j, " BACKWARDS "]: C[i,j] += A[i," BACKWARDS "] * B[" BACKWARDS ",j]\n", FP_ORDERED,
		  "S0 must run before S0 uses C" },
		{ "tiles of k run backwards, reassociated", GEMM, GEMM_BODY,
		  "for k.1 in 0..floordiv(K + 31, 32)\n"
		  "  for i in 0..M\n"
		  "    for j in 0..N\n"
		  "      for k in 0..min(32, K - (floordiv(K + 31, 32) - 1 - k.1) * 32)\n"
		  "        S0[i, j, " BACKWARDS "]: C[i,j] += A[i," BACKWARDS "] * B[" BACKWARDS ",j]\n", FP_REASSOC, NULL },
		{ "k in lanes", GEMM, GEMM_BODY,
		  "for i in 0..M\n"
		  "  for j in 0..N\n"
		  "    for k in 0..K vector(8)\n"
		  "      S0: C[i,j] += A[i,k] * B[k,j]\n", FP_ORDERED, "S0 must run before S0 uses C" },
		{ "k in lanes, reassociated", GEMM, GEMM_BODY,
		  "for i in 0..M\n"
		  "  for j in 0..N\n"
		  "    for k in 0..K vector(8)\n"
		  "      S0: C[i,j] += A[i,k] * B[k,j]\n", FP_REASSOC, NULL },
		{ "k on threads", GEMM, GEMM_BODY,
		  "for i in 0..M\n"
		  "  for j in 0..N\n"
		  "    for k in 0..K parallel\n"
		  "      S0: C[i,j] += A[i,k] * B[k,j]\n", FP_REASSOC, "S0 must run before S0 uses C" },
		{ "i on threads", GEMM, GEMM_BODY,
		  "for i in 0..M parallel\n"
		  "  for k in 0..K\n"
		  "    for j in 0..N vector(8)\n"
		  "      S0[i, j, k]: C[i,j] += A[i,k] * B[k,j]\n", FP_ORDERED, NULL },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void test_threads(void **state)
{
	static const struct rewrite cases[] = {
		{ "each thread packs a buffer of its own", GEMM, GEMM_BODY,
		  "for k in 0..K\n"
		  "  for i in 0..M parallel\n"
		  "    let B.p: f64[64]\n"
		  "    for j in 0..N\n"
		  "      S0[-]: B.p[j] = B[k,j]\n"
		  "    for j in 0..N\n"
		  "      S0[i, j, k]: C[i,j] += A[i,k] * B.p[j]\n", FP_ORDERED, NULL },
		{ "all threads pack one buffer", GEMM, GEMM_BODY,
		  "for k in 0..K\n"
		  "  let B.p: f64[64]\n"
		  "  for i in 0..M parallel\n"
		  "    for j in 0..N\n"
		  "      S0[-]: B.p[j] = B[k,j]\n"
		  "    for j in 0..N\n"
		  "      S0[i, j, k]: C[i,j] += A[i,k] * B.p[j]\n", FP_ORDERED, "threads would meet in S0, through B.p" },
		{ "a copy of each thread is stored back", GEMM, GEMM_BODY,
		  "for i in 0..M parallel\n"
		  "  for j in 0..N\n"
		  "    let C.r: f64 = C[i,j]\n"
		  "    for k in 0..K\n"
		  "      S0: C.r += A[i,k] * B[k,j]\n"
		  "    S0[-]: C[i,j] = C.r\n", FP_ORDERED, NULL },
		{ "partial sums of each thread, added up by all of them", GEMM, GEMM_BODY,
		  "for i in 0..M\n"
		  "  for j in 0..N\n"
		  "    for k in 0..K parallel\n"
		  "      let C.p: f64 = 0.0\n"
		  "      S0: C.p += A[i,k] * B[k,j]\n"
		  "      S0[-]: C[i,j] += C.p\n", FP_REASSOC, "threads would meet in S0, through C" },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void test_cover(void **state)
{
	static const struct rewrite cases[] = {
		{ "last iteration dropped", GEMM, GEMM_BODY,
		  "for i in 0..M - 1\n"
		  "  for j in 0..N\n"
		  "    for k in 0..K\n"
		  "      S0: C[i,j] += A[i,k] * B[k,j]\n", FP_ORDERED, "S0 would not run for some iteration" },
		{ "one too many", GEMM, GEMM_BODY,
		  "for i in 0..M + 1\n"
		  "  for j in 0..N\n"
		  "    for k in 0..K\n"
		  "      S0: C[i,j] += A[i,k] * B[k,j]\n", FP_ORDERED, "iterations that the original does not have" },
		{ "shifted", GEMM, GEMM_BODY,
		  "for i in 0..M\n"
		  "  for j in 0..N\n"
		  "    for k in 0..K\n"
		  "      S0[i, j, k + 1]: C[i,j] += A[i,k + 1] * B[k + 1,j]\n", FP_ORDERED,
		  "iterations that the original does not have" },
		{ "the tail of the tiles is lost", GEMM, GEMM_BODY,
		  "for i.1 in 0..floordiv(M, 8) * 8 step 8\n"
		  "  for i in i.1..i.1 + 8\n"
		  "    for j in 0..N\n"
		  "      for k in 0..K\n"
		  "        S0[i, j, k]: C[i,j] += A[i,k] * B[k,j]\n", FP_ORDERED, "S0 would not run" },
		{ "the tail is peeled", GEMM_SIZES, GEMM_BODY,
		  "for i.1 in 0..floordiv(M, 8) * 8 step 8\n"
		  "  for i in i.1..i.1 + 8\n"
		  "    for j in 0..N\n"
		  "      for k in 0..K\n"
		  "        S0[i, j, k]: C[i,j] += A[i,k] * B[k,j]\n"
		  "for i in floordiv(M, 8) * 8..M\n"
		  "  for j in 0..N\n"
		  "    for k in 0..K\n"
		  "      S0: C[i,j] += A[i,k] * B[k,j]\n", FP_ORDERED, NULL },
		{ "tiles overlap", GEMM, GEMM_BODY,
		  "for i.1 in 0..M step 8\n"
		  "  for i in i.1..min(i.1 + 9, M)\n"
		  "    for j in 0..N\n"
		  "      for k in 0..K\n"
		  "        S0[i, j, k]: C[i,j] += A[i,k] * B[k,j]\n", FP_ORDERED, "S0 would run more than once" },
		{ "masked by a condition", GEMM, GEMM_BODY,
		  "for i.1 in 0..M step 8\n"
		  "  for i in i.1..i.1 + 8\n"
		  "    if i < M\n"
		  "      for j in 0..N\n"
		  "        for k in 0..K\n"
		  "          S0[i, j, k]: C[i,j] += A[i,k] * B[k,j]\n", FP_ORDERED, NULL },
		{ "the tail is peeled, but a negative size would run it", GEMM, GEMM_BODY,
		  "for i.1 in 0..floordiv(M, 8) * 8 step 8\n"
		  "  for i in i.1..i.1 + 8\n"
		  "    for j in 0..N\n"
		  "      for k in 0..K\n"
		  "        S0[i, j, k]: C[i,j] += A[i,k] * B[k,j]\n"
		  "for i in floordiv(M, 8) * 8..M\n"
		  "  for j in 0..N\n"
		  "    for k in 0..K\n"
		  "      S0: C[i,j] += A[i,k] * B[k,j]\n", FP_ORDERED, "iterations that the original does not have" },
		{ "unrolled by two", GEMM_SIZES, GEMM_BODY,
		  "for i in 0..M\n"
		  "  for j in 0..floordiv(N, 2) * 2 step 2\n"
		  "    for k in 0..K\n"
		  "      S0[i, j, k]: C[i,j] += A[i,k] * B[k,j]\n"
		  "      S0[i, j + 1, k]: C[i,j + 1] += A[i,k] * B[k,j + 1]\n"
		  "  for j in floordiv(N, 2) * 2..N\n"
		  "    for k in 0..K\n"
		  "      S0: C[i,j] += A[i,k] * B[k,j]\n", FP_ORDERED, NULL },
		{ "unrolled by two, both copies the same", GEMM_SIZES, GEMM_BODY,
		  "for i in 0..M\n"
		  "  for j in 0..floordiv(N, 2) * 2 step 2\n"
		  "    for k in 0..K\n"
		  "      S0[i, j, k]: C[i,j] += A[i,k] * B[k,j]\n"
		  "      S0[i, j, k]: C[i,j] += A[i,k] * B[k,j]\n"
		  "  for j in floordiv(N, 2) * 2..N\n"
		  "    for k in 0..K\n"
		  "      S0: C[i,j] += A[i,k] * B[k,j]\n", FP_ORDERED, "S0 would run more than once" },
		{ "a statement is gone", GEMM, GEMM_BODY, "", FP_ORDERED, "S0 would not run" },
		{ "a statement from nowhere", GEMM, GEMM_BODY, GEMM_BODY
		  "for i in 0..M\n"
		  "  S7: C[i,0] = 0.0\n", FP_ORDERED, "S7 stands for no statement" },
		{ "what actions add is ignored", GEMM, GEMM_BODY,
		  "for i in 0..M\n"
		  "  for j in 0..N\n"
		  "    let C.r: f64\n"
		  "    S0[-]: C.r = C[i,j]\n"
		  "    for k in 0..K\n"
		  "      S0: C.r += A[i,k] * B[k,j]\n"
		  "    S0[-]: C[i,j] = C.r\n", FP_ORDERED, NULL },
	};

	(void)state;
	CHECK_ALL(cases);
}

#define SEIDEL "region seidel(f64 A[n,n]; i32 T, n)\n"
#define SEIDEL_WORK(j) "A[i," j "] = A[i - 1," j " - 1] + A[i - 1," j " + 1] + A[i," j " - 1] + A[i + 1," j "]"
#define SEIDEL_BODY "for t in 0..T\n" \
		    "  for i in 1..n - 1\n" \
		    "    for j in 1..n - 1\n" \
		    "      S0: " SEIDEL_WORK("j") "\n"
#define JACOBI "region jacobi(f64 A[n], f64 B[n]; i32 T, n)\n"
#define JACOBI_BODY "for t in 0..T\n" \
		    "  for i in 1..n - 1\n" \
		    "    S0: B[i] = A[i - 1] + A[i] + A[i + 1]\n" \
		    "  for i in 1..n - 1\n" \
		    "    S1: A[i] = B[i - 1] + B[i] + B[i + 1]\n"

static void test_stencils(void **state)
{
	static const struct rewrite cases[] = {
		{ "seidel interchanged", SEIDEL, SEIDEL_BODY,
		  "for t in 0..T\n"
		  "  for j in 1..n - 1\n"
		  "    for i in 1..n - 1\n"
		  "      S0[t, i, j]: " SEIDEL_WORK("j") "\n", FP_REASSOC, "S0 must run before S0 uses A" },
		{ "seidel, j outermost after skewing", SEIDEL, SEIDEL_BODY,
		  "for t in 0..T\n"
		  "  for w in 2 + 1..2 * n - 4 + n - 1\n"
		  "    for i in max(1, floordiv(w - n + 3, 2))..min(n - 1, floordiv(w - 1, 2) + 1)\n"
		  "      S0[t, i, w - 2 * i]: " SEIDEL_WORK("w - 2 * i") "\n", FP_ORDERED, NULL },
		{ "seidel, wavefront on threads after skewing", SEIDEL, SEIDEL_BODY,
		  "for t in 0..T\n"
		  "  for w in 2 + 1..2 * n - 4 + n - 1\n"
		  "    for i in max(1, floordiv(w - n + 3, 2))..min(n - 1, floordiv(w - 1, 2) + 1) parallel\n"
		  "      S0[t, i, w - 2 * i]: " SEIDEL_WORK("w - 2 * i") "\n", FP_ORDERED, NULL },
		{ "seidel, rows on threads", SEIDEL, SEIDEL_BODY,
		  "for t in 0..T\n"
		  "  for i in 1..n - 1 parallel\n"
		  "    for j in 1..n - 1\n"
		  "      S0: " SEIDEL_WORK("j") "\n", FP_ORDERED, "S0 must run before S0 uses A" },
		{ "seidel, wavefront with too little skew", SEIDEL, SEIDEL_BODY,
		  "for t in 0..T\n"
		  "  for w in 2..2 * n - 3\n"
		  "    for i in max(1, w - n + 2)..min(n - 1, w) parallel\n"
		  "      S0[t, i, w - i]: " SEIDEL_WORK("w - i") "\n", FP_ORDERED, "S0 must run before S0 uses A" },
		{ "jacobi fused", JACOBI, JACOBI_BODY,
		  "for t in 0..T\n"
		  "  for i in 1..n - 1\n"
		  "    S0: B[i] = A[i - 1] + A[i] + A[i + 1]\n"
		  "    S1: A[i] = B[i - 1] + B[i] + B[i + 1]\n", FP_ORDERED, "must run before" },
		{ "jacobi fused with a shift of two", JACOBI, JACOBI_BODY,
		  "for t in 0..T\n"
		  "  for i in 1..n + 1\n"
		  "    if i < n - 1\n"
		  "      S0[t, i]: B[i] = A[i - 1] + A[i] + A[i + 1]\n"
		  "    if i >= 3\n"
		  "      S1[t, i - 2]: A[i - 2] = B[i - 3] + B[i - 2] + B[i - 1]\n", FP_ORDERED, NULL },
		{ "jacobi in lanes", JACOBI, JACOBI_BODY,
		  "for t in 0..T\n"
		  "  for i in 1..n - 1 vector(8)\n"
		  "    S0: B[i] = A[i - 1] + A[i] + A[i + 1]\n"
		  "  for i in 1..n - 1 vector(8)\n"
		  "    S1: A[i] = B[i - 1] + B[i] + B[i + 1]\n", FP_ORDERED, NULL },
		{ "time in lanes", JACOBI, JACOBI_BODY,
		  "for t in 0..T vector(4)\n"
		  "  for i in 1..n - 1\n"
		  "    S0: B[i] = A[i - 1] + A[i] + A[i + 1]\n"
		  "  for i in 1..n - 1\n"
		  "    S1: A[i] = B[i - 1] + B[i] + B[i + 1]\n", FP_ORDERED, "must run before" },
	};

	(void)state;
	CHECK_ALL(cases);
}

#define CHAIN "region chain(f64 A[n], f64 B[n]; i32 n)\n"
#define BACKWARD "for i in 1..n\n" \
		 "  S0: A[i] = B[i - 1]\n" \
		 "  S1: B[i] = A[i]\n"
#define FORWARD "for i in 1..n\n" \
		"  S0: A[i] = 1.0\n" \
		"  S1: B[i] = A[i - 1]\n"

static void test_distribution(void **state)
{
	static const struct rewrite cases[] = {
		{ "split against a backward dependence", CHAIN, BACKWARD,
		  "for i in 1..n\n"
		  "  S0: A[i] = B[i - 1]\n"
		  "for i in 1..n\n"
		  "  S1: B[i] = A[i]\n", FP_ORDERED, "S1 must run before S0 uses B" },
		{ "lanes against a backward dependence", CHAIN, BACKWARD,
		  "for i in 1..n vector(4)\n"
		  "  S0: A[i] = B[i - 1]\n"
		  "  S1: B[i] = A[i]\n", FP_ORDERED, "S1 must run before S0 uses B" },
		{ "split along a forward dependence", CHAIN, FORWARD,
		  "for i in 1..n\n"
		  "  S0: A[i] = 1.0\n"
		  "for i in 1..n\n"
		  "  S1: B[i] = A[i - 1]\n", FP_ORDERED, NULL },
		{ "lanes along a forward dependence", CHAIN, FORWARD,
		  "for i in 1..n vector(4)\n"
		  "  S0: A[i] = 1.0\n"
		  "  S1: B[i] = A[i - 1]\n", FP_ORDERED, NULL },
		{ "threads along a forward dependence", CHAIN, FORWARD,
		  "for i in 1..n parallel\n"
		  "  S0: A[i] = 1.0\n"
		  "  S1: B[i] = A[i - 1]\n", FP_ORDERED, "S0 must run before S1 uses A" },
		{ "lanes that read what a later lane writes", CHAIN,
		  "for i in 1..n - 1\n"
		  "  S0: A[i] = A[i + 1]\n",
		  "for i in 1..n - 1 vector(4)\n"
		  "  S0: A[i] = A[i + 1]\n", FP_ORDERED, NULL },
		{ "lanes that read what an earlier lane writes", CHAIN,
		  "for i in 1..n\n"
		  "  S0: A[i] = A[i - 1]\n",
		  "for i in 1..n vector(4)\n"
		  "  S0: A[i] = A[i - 1]\n", FP_ORDERED, "S0 must run before S0 uses A" },
	};

	(void)state;
	CHECK_ALL(cases);
}

#define TRIANGLE "region triangle(f64 A[n,n], f64 x[n]; i32 n)\n"
#define TRIANGLE_BODY "for i in 0..n\n" \
		      "  for j in 0..i\n" \
		      "    S0: x[i] -= A[i,j] * x[j]\n" \
		      "  S1: x[i] = x[i] / A[i,i]\n"

static void test_triangles(void **state)
{
	static const struct rewrite cases[] = {
		{ "solve, by columns", TRIANGLE, TRIANGLE_BODY,
		  "for j in 0..n\n"
		  "  S1[j]: x[j] = x[j] / A[j,j]\n"
		  "  for i in j + 1..n\n"
		  "    S0[i, j]: x[i] -= A[i,j] * x[j]\n", FP_ORDERED, NULL },
		{ "solve, by columns in lanes", TRIANGLE, TRIANGLE_BODY,
		  "for j in 0..n\n"
		  "  S1[j]: x[j] = x[j] / A[j,j]\n"
		  "  for i in j + 1..n vector(8)\n"
		  "    S0[i, j]: x[i] -= A[i,j] * x[j]\n", FP_ORDERED, NULL },
		{ "solve, rows on threads", TRIANGLE, TRIANGLE_BODY,
		  "for i in 0..n parallel\n"
		  "  for j in 0..i\n"
		  "    S0: x[i] -= A[i,j] * x[j]\n"
		  "  S1: x[i] = x[i] / A[i,i]\n", FP_REASSOC, "must run before" },
		{ "solve, divided too early", TRIANGLE, TRIANGLE_BODY,
		  "for i in 0..n\n"
		  "  S1: x[i] = x[i] / A[i,i]\n"
		  "  for j in 0..i\n"
		  "    S0: x[i] -= A[i,j] * x[j]\n", FP_REASSOC, "S0 must run before S1 uses x" },
		{ "solve, by columns without the triangle", TRIANGLE, TRIANGLE_BODY,
		  "for j in 0..n\n"
		  "  S1[j]: x[j] = x[j] / A[j,j]\n"
		  "  for i in 0..n\n"
		  "    S0[i, j]: x[i] -= A[i,j] * x[j]\n", FP_ORDERED, "iterations that the original does not have" },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void test_work(void **state)
{
	static const struct rewrite cases[] = {
		{ "other operands", GEMM, GEMM_BODY,
		  "for i in 0..M\n"
		  "  for j in 0..N\n"
		  "    for k in 0..K\n"
		  "      S0: C[i,j] += A[i,k] * B[j,k]\n", FP_ORDERED, "S0 computes something else" },
		{ "operands swapped", GEMM, GEMM_BODY,
		  "for i in 0..M\n"
		  "  for j in 0..N\n"
		  "    for k in 0..K\n"
		  "      S0: C[i,j] += B[k,j] * A[i,k]\n", FP_ORDERED, "S0 computes something else" },
		{ "another element set", GEMM, GEMM_BODY,
		  "for i in 0..M\n"
		  "  for j in 0..N\n"
		  "    for k in 0..K\n"
		  "      S0: C[i,i] += A[i,k] * B[k,j]\n", FP_ORDERED, "S0 computes something else" },
		{ "a subscript written otherwise", GEMM, GEMM_BODY,
		  "for i in 0..M\n"
		  "  for j in 0..N\n"
		  "    for k in 0..K\n"
		  "      S0: C[i,j] += A[2 * i - i,k + 1 - 1] * B[k,j]\n", FP_ORDERED, NULL },
		{ "the origin is that of another copy", GEMM_SIZES, GEMM_BODY,
		  "for i in 0..M\n"
		  "  for j in 0..floordiv(N, 2) * 2 step 2\n"
		  "    for k in 0..K\n"
		  "      S0[i, j + 1, k]: C[i,j] += A[i,k] * B[k,j]\n"
		  "      S0[i, j, k]: C[i,j + 1] += A[i,k] * B[k,j + 1]\n"
		  "  for j in floordiv(N, 2) * 2..N\n"
		  "    for k in 0..K\n"
		  "      S0: C[i,j] += A[i,k] * B[k,j]\n", FP_ORDERED, "S0 computes something else" },
	};

	(void)state;
	CHECK_ALL(cases);
}

#define SUM "region sum(f64 x[n] in, u32 y[n] in, i32 z[n] in; i32 n; f64 s inout; u32 u inout; i32 m inout)\n"

static void test_reductions(void **state)
{
	static const struct rewrite cases[] = {
		{ "sum backwards", SUM, "for i in 0..n\n  S0: s += x[i]\n",
		  "for i in 0..n\n  S0[n - 1 - i]: s += x[n - 1 - i]\n", FP_ORDERED, "S0 must run before S0 uses s" },
		{ "sum backwards, reassociated", SUM, "for i in 0..n\n  S0: s += x[i]\n",
		  "for i in 0..n\n  S0[n - 1 - i]: s += x[n - 1 - i]\n", FP_REASSOC, NULL },
		{ "long form backwards, reassociated", SUM, "for i in 0..n\n  S0: s = x[i] + s\n",
		  "for i in 0..n\n  S0[n - 1 - i]: s = x[n - 1 - i] + s\n", FP_REASSOC, NULL },
		{ "recurrence backwards", SUM, "for i in 0..n\n  S0: s = s + s * x[i]\n",
		  "for i in 0..n\n  S0[n - 1 - i]: s = s + s * x[n - 1 - i]\n", FP_REASSOC,
		  "S0 must run before S0 uses s" },
		{ "unsigned sum backwards", SUM, "for i in 0..n\n  S0: u += y[i]\n",
		  "for i in 0..n\n  S0[n - 1 - i]: u += y[n - 1 - i]\n", FP_ORDERED, NULL },
		{ "unsigned sum on threads", SUM, "for i in 0..n\n  S0: u += y[i]\n",
		  "for i in 0..n parallel\n  S0: u += y[i]\n", FP_ORDERED, "S0 must run before S0 uses u" },
		{ "signed sum backwards", SUM, "for i in 0..n\n  S0: m += z[i]\n",
		  "for i in 0..n\n  S0[n - 1 - i]: m += z[n - 1 - i]\n", FP_ORDERED, "S0 must run before S0 uses m" },
		{ "signed maximum backwards", SUM, "for i in 0..n\n  S0: m = z[i] > m ? z[i] : m\n",
		  "for i in 0..n\n  S0[n - 1 - i]: m = z[n - 1 - i] > m ? z[n - 1 - i] : m\n", FP_ORDERED, NULL },
		{ "float maximum backwards", SUM, "for i in 0..n\n  S0: s = x[i] > s ? x[i] : s\n",
		  "for i in 0..n\n  S0[n - 1 - i]: s = x[n - 1 - i] > s ? x[n - 1 - i] : s\n", FP_ORDERED,
		  "S0 must run before S0 uses s" },
		{ "conditional maximum backwards", SUM, "for i in 0..n\n  if z[i] > m\n    S0: m = z[i]\n",
		  "for i in 0..n\n  if z[n - 1 - i] > m\n    S0[n - 1 - i]: m = z[n - 1 - i]\n", FP_ORDERED, NULL },
		{ "use moved before the sum", SUM, "for i in 0..n\n  S0: s += x[i]\nS1: s = s / 2.0\n",
		  "S1: s = s / 2.0\nfor i in 0..n\n  S0: s += x[i]\n", FP_REASSOC, "S0 must run before S1 uses s" },
	};

	(void)state;
	CHECK_ALL(cases);
}

#define LOCALS "region locals(f64 A[n,n], f64 B[n,n]; i32 n)\n  assume n >= 0\n"
#define LOCALS_BODY "for i in 0..n\n" \
		    "  for j in 0..n\n" \
		    "    S0: let t: f64 = A[i,j]\n" \
		    "    S1: t *= 2.0\n" \
		    "    S2: B[i,j] = t\n"
#define HOISTED "for i in 0..n\n" \
		"  for k in 0..n\n" \
		"    let a: f64 = A[i,k] * 3.0\n" \
		"    for j in 0..n\n" \
		"      S0: B[k,j] += a\n"

static void test_locals(void **state)
{
	static const struct rewrite cases[] = {
		{ "each iteration has its own", LOCALS, LOCALS_BODY,
		  "for j in 0..n\n"
		  "  for i in 0..n parallel\n"
		  "    S0[i, j]: let t: f64 = A[i,j]\n"
		  "    S1[i, j]: t *= 2.0\n"
		  "    S2[i, j]: B[i,j] = t\n", FP_ORDERED, NULL },
		{ "used before it is changed", LOCALS, LOCALS_BODY,
		  "for i in 0..n\n"
		  "  for j in 0..n\n"
		  "    S0: let t: f64 = A[i,j]\n"
		  "    S2: B[i,j] = t\n"
		  "    S1: t *= 2.0\n", FP_ORDERED, "S1 must run before S2 uses t" },
		{ "copies with their own names", LOCALS, LOCALS_BODY,
		  "for i in 0..floordiv(n, 2) * 2 step 2\n"
		  "  for j in 0..n\n"
		  "    S0[i, j]: let t: f64 = A[i,j]\n"
		  "    S0[i + 1, j]: let t.1: f64 = A[i + 1,j]\n"
		  "    S1[i, j]: t *= 2.0\n"
		  "    S1[i + 1, j]: t.1 *= 2.0\n"
		  "    S2[i, j]: B[i,j] = t\n"
		  "    S2[i + 1, j]: B[i + 1,j] = t.1\n"
		  "for i in floordiv(n, 2) * 2..n\n"
		  "  for j in 0..n\n"
		  "    S0[i, j]: let t: f64 = A[i,j]\n"
		  "    S1[i, j]: t *= 2.0\n"
		  "    S2[i, j]: B[i,j] = t\n", FP_ORDERED, NULL },
		{ "copies that mix their names up", LOCALS, LOCALS_BODY,
		  "for i in 0..floordiv(n, 2) * 2 step 2\n"
		  "  for j in 0..n\n"
		  "    S0[i, j]: let t: f64 = A[i,j]\n"
		  "    S0[i + 1, j]: let t.1: f64 = A[i + 1,j]\n"
		  "    S1[i, j]: t.1 *= 2.0\n"
		  "    S1[i + 1, j]: t *= 2.0\n"
		  "    S2[i, j]: B[i,j] = t\n"
		  "    S2[i + 1, j]: B[i + 1,j] = t.1\n"
		  "for i in floordiv(n, 2) * 2..n\n"
		  "  for j in 0..n\n"
		  "    S0[i, j]: let t: f64 = A[i,j]\n"
		  "    S1[i, j]: t *= 2.0\n"
		  "    S2[i, j]: B[i,j] = t\n", FP_ORDERED, "S1 would see another iteration's t" },
		{ "an element for each iteration", LOCALS, LOCALS_BODY,
		  "for i in 0..n\n"
		  "  for j.1 in 0..n step 8\n"
		  "    let t.p: f64[8]\n"
		  "    for j in j.1..min(j.1 + 8, n)\n"
		  "      S0[i, j]: t.p[j - j.1] = A[i,j]\n"
		  "    for j in j.1..min(j.1 + 8, n)\n"
		  "      S1[i, j]: t.p[j - j.1] *= 2.0\n"
		  "      S2[i, j]: B[i,j] = t.p[j - j.1]\n", FP_ORDERED, NULL },
		{ "an element for two iterations", LOCALS, LOCALS_BODY,
		  "for i in 0..n\n"
		  "  for j.1 in 0..n step 8\n"
		  "    let t.p: f64[8]\n"
		  "    for j in j.1..min(j.1 + 8, n)\n"
		  "      S0[i, j]: t.p[floordiv(j - j.1, 2)] = A[i,j]\n"
		  "    for j in j.1..min(j.1 + 8, n)\n"
		  "      S1[i, j]: t.p[floordiv(j - j.1, 2)] *= 2.0\n"
		  "      S2[i, j]: B[i,j] = t.p[floordiv(j - j.1, 2)]\n", FP_ORDERED, "would see another iteration's t" },
		{ "another element than was set", LOCALS, LOCALS_BODY,
		  "for i in 0..n\n"
		  "  for j.1 in 0..n step 8\n"
		  "    let t.p: f64[8]\n"
		  "    for j in j.1..min(j.1 + 8, n)\n"
		  "      S0[i, j]: t.p[j - j.1] = A[i,j]\n"
		  "    for j in j.1..min(j.1 + 8, n)\n"
		  "      S1[i, j]: t.p[7 - j + j.1] *= 2.0\n"
		  "      S2[i, j]: B[i,j] = t.p[j - j.1]\n", FP_ORDERED, "would see another iteration's t" },
		{ "an element set too late", LOCALS, LOCALS_BODY,
		  "for i in 0..n\n"
		  "  for j.1 in 0..n step 8\n"
		  "    let t.p: f64[8]\n"
		  "    for j in j.1..min(j.1 + 8, n)\n"
		  "      S1[i, j]: t.p[j - j.1] *= 2.0\n"
		  "    for j in j.1..min(j.1 + 8, n)\n"
		  "      S0[i, j]: t.p[j - j.1] = A[i,j]\n"
		  "      S2[i, j]: B[i,j] = t.p[j - j.1]\n", FP_ORDERED, "must run before" },
		{ "a constant local is computed again in each tile", LOCALS, HOISTED,
		  "for i in 0..n\n"
		  "  for j.1 in 0..n step 32\n"
		  "    for k in 0..n\n"
		  "      S[i, k]: let a: f64 = A[i,k] * 3.0\n"
		  "      for j in j.1..min(j.1 + 32, n)\n"
		  "        S0[i, k, j]: B[k,j] += a\n", FP_ORDERED, NULL },
		{ "a constant local of another iteration", LOCALS, HOISTED,
		  "for i in 0..n\n"
		  "  for k in 0..n\n"
		  "    S[i, n - 1 - k]: let a: f64 = A[i,n - 1 - k] * 3.0\n"
		  "    for j in 0..n\n"
		  "      S0[i, k, j]: B[k,j] += a\n", FP_ORDERED, "S0 would see another iteration's a" },
	};

	(void)state;
	CHECK_ALL(cases);
}

#define DATA "region data(f64 A[n], f64 B[n], i32 p[n] in, i32 c[n]; i32 n; f64 s inout)\n"
#define DATA_BODY "for i in 0..n\n" \
		  "  if A[i] > 0.0\n" \
		  "    if B[i] > A[i]\n" \
		  "      S0: A[i] = 0.0\n" \
		  "    else\n" \
		  "      S1: B[i] = 1.0\n"

static void test_data(void **state)
{
	static const struct rewrite cases[] = {
		{ "the same conditions", DATA, DATA_BODY,
		  "for i in 0..n vector(4)\n"
		  "  if A[i] > 0.0\n"
		  "    if B[i] > A[i]\n"
		  "      S0: A[i] = 0.0\n"
		  "    else\n"
		  "      S1: B[i] = 1.0\n", FP_ORDERED, NULL },
		{ "conditions backwards", DATA, DATA_BODY,
		  "for i in 0..n\n"
		  "  if A[n - 1 - i] > 0.0\n"
		  "    if B[n - 1 - i] > A[n - 1 - i]\n"
		  "      S0[n - 1 - i]: A[n - 1 - i] = 0.0\n"
		  "    else\n"
		  "      S1[n - 1 - i]: B[n - 1 - i] = 1.0\n", FP_ORDERED, NULL },
		{ "branches swapped", DATA, DATA_BODY,
		  "for i in 0..n\n"
		  "  if A[i] > 0.0\n"
		  "    if B[i] > A[i]\n"
		  "      S1: B[i] = 1.0\n"
		  "    else\n"
		  "      S0: A[i] = 0.0\n", FP_ORDERED, "runs under other conditions" },
		{ "a condition dropped", DATA, DATA_BODY,
		  "for i in 0..n\n"
		  "  if B[i] > A[i]\n"
		  "    S0: A[i] = 0.0\n"
		  "  else\n"
		  "    S1: B[i] = 1.0\n", FP_ORDERED, "runs under other conditions" },
		{ "the condition of another iteration", DATA, DATA_BODY,
		  "for i in 0..n\n"
		  "  if A[i] > 0.0\n"
		  "    if B[n - 1 - i] > A[i]\n"
		  "      S0: A[i] = 0.0\n"
		  "    else\n"
		  "      S1: B[i] = 1.0\n", FP_ORDERED, "runs under other conditions" },
		{ "split although the first part changes the condition of the second", DATA, DATA_BODY,
		  "for i in 0..n\n"
		  "  if A[i] > 0.0\n"
		  "    if B[i] > A[i]\n"
		  "      S0: A[i] = 0.0\n"
		  "for i in 0..n\n"
		  "  if A[i] > 0.0\n"
		  "    if !(B[i] > A[i])\n"
		  "      S1: B[i] = 1.0\n", FP_ORDERED, "must run before" },
		{ "scatter in lanes", DATA, "for i in 0..n\n  S0: A[p[i]] = B[i]\n",
		  "for i in 0..n vector(4)\n  S0: A[p[i]] = B[i]\n", FP_ORDERED, "S0 must run before S0 uses A" },
		{ "gather in lanes", DATA, "for i in 0..n\n  S0: A[i] = B[p[i]]\n",
		  "for i in 0..n vector(4)\n  S0: A[i] = B[p[i]]\n", FP_ORDERED, NULL },
		{ "rows of data-dependent length", DATA,
		  "for i in 0..n\n  let m: i32 = p[i]\n  for k in 0..m\n    S0: A[i] = A[i] + B[k]\n",
		  "for i in 0..n vector(4)\n  let m: i32 = p[i]\n  for k in 0..m\n    S0: A[i] = A[i] + B[k]\n", FP_ORDERED, NULL },
		{ "rows of another length", DATA,
		  "for i in 0..n\n  let m: i32 = p[i]\n  for k in 0..m\n    S0: A[i] = A[i] + B[k]\n",
		  "for i in 0..n\n  let m: i32 = p[i]\n  for k in 0..m - 1\n    S0: A[i] = A[i] + B[k]\n", FP_ORDERED,
		  "runs under other conditions" },
		{ "data-dependent rows out of order", DATA,
		  "for i in 0..n\n  let m: i32 = p[i]\n  for k in 0..m\n    S0: s = s * B[k]\n",
		  "for i in 0..n parallel\n  let m: i32 = p[i]\n  for k in 0..m\n    S0: s = s * B[k]\n", FP_ORDERED,
		  "S0 must run before S0 uses s" },
	};

	(void)state;
	CHECK_ALL(cases);
}

#define FLAT "region flat(f64 A[?], f64 x[n] in; i32 n, m)\n"
#define FLAT_BODY "for h in 0..m\n" \
		  "  for k in 0..n\n" \
		  "    for i in 0..n\n" \
		  "      S0: A[h * n + i] += x[k]\n"

static void test_flattened(void **state)
{
	static const struct rewrite cases[] = {
		{ "rows in lanes", FLAT, FLAT_BODY,
		  "for h in 0..m\n"
		  "  for i in 0..n vector(8)\n"
		  "    for k in 0..n\n"
		  "      S0[h, k, i]: A[h * n + i] += x[k]\n", FP_ORDERED, NULL },
		{ "rows on threads", FLAT, FLAT_BODY,
		  "for h in 0..m parallel\n"
		  "  for k in 0..n\n"
		  "    for i in 0..n\n"
		  "      S0: A[h * n + i] += x[k]\n", FP_ORDERED, NULL },
		{ "two rows at a time", FLAT, FLAT_BODY,
		  "for h in 0..m step 2\n"
		  "  for k in 0..n\n"
		  "    for i in 0..n\n"
		  "      S0[h, k, i]: A[h * n + i] += x[k]\n"
		  "      if h + 1 < m\n"
		  "        S0[h + 1, k, i]: A[(h + 1) * n + i] += x[k]\n", FP_ORDERED, NULL },
		{ "two rows at a time, one of them twice", FLAT, FLAT_BODY,
		  "for h in 0..m step 2\n"
		  "  for k in 0..n\n"
		  "    for i in 0..n\n"
		  "      S0[h, k, i]: A[h * n + i] += x[k]\n"
		  "      if h + 1 < m\n"
		  "        S0[h + 1, k, i]: A[h * n + i] += x[k]\n", FP_ORDERED, "S0 computes something else" },
		{ "terms of the sums on threads", FLAT, FLAT_BODY,
		  "for h in 0..m\n"
		  "  for k in 0..n parallel\n"
		  "    for i in 0..n\n"
		  "      S0: A[h * n + i] += x[k]\n", FP_REASSOC, "S0 must run before S0 uses A" },
	};

	(void)state;
	CHECK_ALL(cases);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_and_tile),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_cover),
		cmocka_unit_test(test_stencils),
		cmocka_unit_test(test_distribution),
		cmocka_unit_test(test_triangles),
		cmocka_unit_test(test_work),
		cmocka_unit_test(test_reductions),
		cmocka_unit_test(test_locals),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_flattened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
