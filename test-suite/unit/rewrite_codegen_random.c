/* Random plans: whatever legal plan comes, the generated C compiles cleanly and leaves the same values behind. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rewrite/plan.h"
#include "support/rng.h"

#include "rewrite_codegen_program.h"

enum { PLANS = 10, ACTIONS = 7, NAMES_MAX = 64 };

/* Names that an action may be given: of loops, with a statement inside to be clear, and of arrays. */
struct names {
	struct arena *arena;
	int n_loop, n_array;
	const char *loop[NAMES_MAX], *array[NAMES_MAX];
};

static bool find_label(struct node *node, void *context)
{
	int *label = context;

	if (node->kind == NODE_STMT && node->label >= 0 && node->origin)
		*label = node->label;
	return *label < 0;
}

static bool add_loop(struct node *node, void *context)
{
	struct names *names = context;
	int label = -1;

	if (node->kind != NODE_LOOP || names->n_loop == NAMES_MAX)
		return true;
	list_walk(&node->body, find_label, &label);
	names->loop[names->n_loop++] = label < 0 ? node->iter->name
						 : arena_printf(names->arena, "%s@S%d", node->iter->name, label);
	return true;
}

static struct names find_names(struct arena *arena, const struct nest *nest)
{
	struct names names = { .arena = arena };

	list_walk(&nest->body, add_loop, &names);
	for (int i = 0; i < nest->n_var; i++)
		if ((nest->var[i]->kind == VAR_ARRAY || nest->var[i]->kind == VAR_LOCAL) && names.n_array < NAMES_MAX)
			names.array[names.n_array++] = nest->var[i]->name;
	return names;
}

static const char *pick(struct rng *rng, int n, const char *const *name)
{
	return n ? name[rng_below(rng, (uint64_t)n)] : "none";
}

/* One random action as text; most of them will be refused. */
static const char *draw_action(struct arena *arena, struct rng *rng, const struct nest *nest)
{
	static const int sizes[] = { 2, 3, 4, 8, 8, 16 };
	struct names names = find_names(arena, nest);
	const char *loop = pick(rng, names.n_loop, names.loop), *other = pick(rng, names.n_loop, names.loop);
	const char *array = pick(rng, names.n_array, names.array);
	int size = sizes[rng_below(rng, 6)];

	switch (rng_below(rng, 15)) {
	case 0: case 1: case 2:
		return arena_printf(arena, "tile(%s:%d)", loop, size);
	case 3: case 4:
		return arena_printf(arena, "order(%s, %s)", loop, other);
	case 5:
		return arena_printf(arena, "jam(%s:%d)", loop, size);
	case 6: case 7:
		return arena_printf(arena, "vectorize(%s:%d)", loop, size);
	case 8:
		return arena_printf(arena, "unroll(%s)", loop);
	case 9:
		return arena_printf(arena, "unroll(%s:%d)", loop, size);
	case 10: case 11:
		return arena_printf(arena, "promote(%s, %s)", array, loop);
	case 12:
		return arena_printf(arena, "split_reduction(%s:%d)", loop, size);
	case 13:
		return arena_printf(arena, "edge(%s, back)", loop);
	default:
		return rng_below(rng, 2) ? arena_printf(arena, "distribute(%s)", loop)
					 : arena_printf(arena, "privatize(%s)", array);
	}
}

/* A random plan of some actions that each apply, and that the validator accepts; NULL when none came up. "*text" is the plan. */
static const struct nest *draw_nest(struct arena *arena, struct rng *rng, struct workspace *workspace, const char **text)
{
	const struct nest *nest = workspace_nest(workspace);
	int n = 0, wanted = 1 + (int)rng_below(rng, ACTIONS);
	struct plan *plan;

	*text = "";
	for (int tries = 0; tries < 60 && n < wanted; tries++) {
		const char *action = draw_action(arena, rng, nest);
		const struct nest *next;

		plan = plan_parse(arena, action, NULL);
		next = plan ? action_apply(workspace, nest, &plan->action[0], NULL) : NULL;
		if (!next)
			continue;
		nest = next;
		*text = arena_printf(arena, "%s%s%s", *text, n++ ? "; " : "", action);
	}
	plan = plan_parse(arena, *text, NULL);
	return plan && n ? plan_apply(workspace, plan, NULL) : NULL;
}

static void check_random(const char *name, const char *compiler, const char *folder, uint64_t seed)
{
	struct arena *arena = arena_new();
	const struct nest *original = load(arena, name, ".nest");
	struct workspace *workspace = workspace_new(arena, original, FP_REASSOC, NULL);
	enum compiler kind = strncmp(compiler, "clang", 5) == 0 ? COMPILER_CLANG : COMPILER_GCC;
	struct variant plain = generate(arena, original, original, "plain", 0, "abort();", kind, 0, FP_ORDERED), variant[PLANS];
	struct rng rng;
	int least[PLANS], n = 0;

	assert_non_null(workspace);
	rng_seed(&rng, rng_derive(seed, name));
	for (int tries = 0; tries < 3 * PLANS && n < PLANS; tries++) {
		const char *plan;
		const struct nest *nest = draw_nest(arena, &rng, workspace, &plan);
		int bytes = (const int[]){ 64, 32, 16, 0 }[rng_below(&rng, 4)];

		if (!nest)
			continue;
		variant[n] = generate(arena, original, nest, name, n, "fell_back++;", kind, bytes, FP_REASSOC);
		variant[n].helpers = arena_printf(arena, "/* %d: %s */\n%s", n, plan, variant[n].helpers);
		least[n++] = strstr(plan, "edge(") ? INT_MAX : 0;
	}
	assert_true(n > 0);
	check_program(arena, compiler, folder, name, false,
		      program_text(arena, original, &plain, n, variant, "1e-4", least));
	workspace_free(workspace);
	arena_free(arena);
}

static void random_plans_mean_the_same(void **state)
{
	static const char *const names[] = { "gemm", "dot", "saxpy", "matvec", "pixels", "activations", "gather", "syrk",
					     "columns", "maximum", "window", "triangle", "recurrence", "transpose", "tiles_back" };
	const char *compiler = getenv("STROP_CC") ? getenv("STROP_CC") : "gcc";
	uint64_t seed = getenv("STROP_SEED") ? strtoull(getenv("STROP_SEED"), NULL, 10) : 1;
	struct arena *arena = arena_new();
	const char *folder = folder_make_scratch(arena, NULL);

	(void)state;
	print_message("seed %llu, in %s\n", (unsigned long long)seed, folder);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		check_random(names[i], compiler, folder, seed);
	folder_remove(folder);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_plans_mean_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
