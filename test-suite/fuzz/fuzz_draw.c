#include "fuzz_draw.h"

#include <string.h>

#include "policy/policy.h"

enum { NAMES_MAX = 64, ACTIONS_MAX = 9, TRIES = 40 };

/* Names that an action may be given: of loops, with a statement inside to be clear, of arrays and of locals. */
struct names {
	struct arena *arena;
	int n_loop, n_array, n_label;
	const char *loop[NAMES_MAX], *array[NAMES_MAX];
	int label[NAMES_MAX];
};

static bool find_label(struct node *node, void *context)
{
	int *label = context;

	if (node->kind == NODE_STMT && node->label >= 0 && node->origin)
		*label = node->label;
	return *label < 0;
}

static bool add_name(struct node *node, void *context)
{
	struct names *names = context;
	int label = -1;

	if (node->kind == NODE_STMT && node->label >= 0 && node->origin && names->n_label < NAMES_MAX)
		names->label[names->n_label++] = node->label;
	if (node->kind != NODE_LOOP || names->n_loop == NAMES_MAX)
		return true;
	list_walk(&node->body, find_label, &label);
	names->loop[names->n_loop++] = label < 0 ? node->iter->name : arena_printf(names->arena, "%s@S%d", node->iter->name, label);
	return true;
}

static struct names find_names(struct arena *arena, const struct nest *nest)
{
	struct names names = { .arena = arena };

	list_walk(&nest->body, add_name, &names);
	for (int i = 0; i < nest->n_var && names.n_array < NAMES_MAX; i++)
		if (nest->var[i]->kind != VAR_ITER && nest->var[i]->kind != VAR_PARAM)
			names.array[names.n_array++] = nest->var[i]->name;
	return names;
}

static const char *pick(struct rng *rng, int n, const char *const *name)
{
	return n ? name[rng_below(rng, (uint64_t)n)] : "none";
}

/* Two to four loops that stand in one another, outermost first, then shuffled. */
static const char *draw_loops(struct rng *rng, const struct names *names)
{
	int n = 2 + (int)rng_below(rng, 3), first, last;
	const char *loop[4], *result;

	first = names->n_loop ? (int)rng_below(rng, (uint64_t)names->n_loop) : 0;
	last = first + n > names->n_loop ? names->n_loop : first + n;
	n = 0;
	for (int i = first; i < last; i++)
		loop[n++] = names->loop[i];
	for (int i = n - 1; i > 0; i--) {
		int j = (int)rng_below(rng, (uint64_t)i + 1);
		const char *swapped = loop[i];

		loop[i] = loop[j];
		loop[j] = swapped;
	}
	result = n ? loop[0] : "none";
	for (int i = 1; i < n; i++)
		result = arena_printf(names->arena, "%s, %s", result, loop[i]);
	return result;
}

/* What a walk for two loops side by side has found: "n" pairs, of which the one numbered "wanted" is kept. */
struct siblings {
	int n, wanted;
	const struct node *first, *second;
};

static void find_siblings(struct siblings *siblings, const struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];

		if (node->kind == NODE_LOOP && i + 1 < list->n && list->node[i + 1]->kind == NODE_LOOP &&
		    siblings->n++ == siblings->wanted) {
			siblings->first = node;
			siblings->second = list->node[i + 1];
		}
		find_siblings(siblings, &node->body);
		find_siblings(siblings, &node->orelse);
	}
}

static const char *loop_name(struct arena *arena, const struct node *loop)
{
	int label = -1;

	list_walk(&loop->body, find_label, &label);
	return label < 0 ? loop->iter->name : arena_printf(arena, "%s@S%d", loop->iter->name, label);
}

static const char *draw_siblings(struct rng *rng, const struct names *names, const struct nest *nest)
{
	struct siblings siblings = { .wanted = -1 };

	find_siblings(&siblings, &nest->body);
	if (!siblings.n)
		return "none, none";
	siblings = (struct siblings){ .wanted = (int)rng_below(rng, (uint64_t)siblings.n) };
	find_siblings(&siblings, &nest->body);
	return arena_printf(names->arena, "%s, %s", loop_name(names->arena, siblings.first),
			    loop_name(names->arena, siblings.second));
}

/* How often each action is drawn: those that are seldom accepted more often. */
static enum action_kind draw_kind(struct rng *rng)
{
	static const unsigned char weight[ACTION_COUNT] = {
		[ACTION_order] = 4, [ACTION_tile] = 3, [ACTION_tile_band] = 4, [ACTION_skew] = 4, [ACTION_fuse] = 4, [ACTION_distribute] = 4,
		[ACTION_load] = 4, [ACTION_sort] = 4, [ACTION_jam] = 4,
		[ACTION_split_reduction] = 5, [ACTION_promote] = 4, [ACTION_pack] = 4, [ACTION_privatize] = 3,
		[ACTION_vectorize] = 4, [ACTION_unroll] = 1, [ACTION_parallel] = 2, [ACTION_edge] = 1,
	};
	int total = 0, at, kind = 0;

	for (int i = 0; i < ACTION_COUNT; i++)
		total += weight[i];
	at = (int)rng_below(rng, (uint64_t)total);
	while (at >= weight[kind])
		at -= weight[kind++];
	return (enum action_kind)kind;
}

static const char *draw_action(struct arena *arena, struct rng *rng, const struct nest *nest, enum action_kind kind)
{
	static const int sizes[] = { 2, 3, 4, 8, 8, 16, 5, 32 };
	struct names names = find_names(arena, nest);
	const char *loop = pick(rng, names.n_loop, names.loop), *array = pick(rng, names.n_array, names.array);
	int size = sizes[rng_below(rng, 8)];
	bool is_short = rng_below(rng, 2);

	switch (kind) {
	case ACTION_order: return arena_printf(arena, "order(%s)", draw_loops(rng, &names));
	case ACTION_tile: return arena_printf(arena, "tile(%s:%d)", loop, size);
	case ACTION_tile_band: return arena_printf(arena, "tile_band(%d)", size);
	case ACTION_skew: return arena_printf(arena, "skew(%d)", size);
	case ACTION_fuse: return arena_printf(arena, "fuse(%s)", draw_siblings(rng, &names, nest));
	case ACTION_distribute:
		if (is_short || !names.n_label)
			return arena_printf(arena, "distribute(%s)", loop);
		return arena_printf(arena, "distribute(%s, S%d)", loop, names.label[rng_below(rng, (uint64_t)names.n_label)]);
	case ACTION_load: return arena_printf(arena, "load(%s)", loop);
	case ACTION_sort: return arena_printf(arena, "sort(%s)", loop);
	case ACTION_jam: return arena_printf(arena, "jam(%s:%d)", loop, size);
	case ACTION_split_reduction:
		if (is_short || !names.n_label)
			return arena_printf(arena, "split_reduction(%s:%d)", loop, size);
		return arena_printf(arena, "split_reduction(%s:%d, S%d)", loop, size,
				    names.label[rng_below(rng, (uint64_t)names.n_label)]);
	case ACTION_promote: return arena_printf(arena, "promote(%s, %s)", array, loop);
	case ACTION_pack: return arena_printf(arena, "pack(%s, %s)", array, loop);
	case ACTION_privatize: return arena_printf(arena, "privatize(%s)", array);
	case ACTION_vectorize: return arena_printf(arena, "vectorize(%s:%d)", loop, 2 << rng_below(rng, 4));
	case ACTION_unroll: return is_short ? arena_printf(arena, "unroll(%s)", loop) : arena_printf(arena, "unroll(%s:%d)", loop, size);
	case ACTION_parallel: return arena_printf(arena, "parallel(%s)", loop);
	default:
		return arena_printf(arena, "edge(%s, %s)", loop, (const char *const[]){ "peel", "mask", "pad", "back" }[rng_below(rng, 4)]);
	}
}

const char *fuzz_draw_plan(struct arena *arena, struct rng *rng, const struct fuzz_trial *trial, struct fuzz_tally *tally)
{
	struct workspace *workspace = workspace_new(arena, trial->nest, trial->mode, NULL);
	const struct nest *nest = workspace ? workspace_nest(workspace) : NULL;
	int n = 0, wanted = 1 + (int)rng_below(rng, ACTIONS_MAX);
	const char *text = "";

	for (int tries = 0; nest && tries < TRIES && n < wanted; tries++) {
		enum action_kind kind = draw_kind(rng);
		const char *action = draw_action(arena, rng, nest, kind);
		const struct plan *plan = plan_parse(arena, action, NULL);
		const struct nest *next = plan ? action_apply(workspace, nest, &plan->action[0], NULL) : NULL;

		if (!next) {
			tally->refused[kind]++;
			continue;
		}
		tally->accepted[kind]++;
		nest = next;
		text = arena_printf(arena, "%s%s%s", text, n++ ? "; " : "", action);
	}
	workspace_free(workspace);
	return n ? text : NULL;
}

int fuzz_policy_plans(struct arena *arena, const char *name, const struct fuzz_trial *trial, int most, const char **plan)
{
	static const struct machine machine = { .name = "fuzz", .cores = 1, .vector_bytes = 64, .l1 = 48 << 10, .l2 = 2 << 20,
						.l3 = 32 << 20 };
	static const struct size sizes[] = { { "N", 256 }, { "M", 256 }, { "K", 256 } };
	const struct policy_class *class = policy_find(name);
	struct task task = { .workspace = workspace_new(arena, trial->nest, trial->mode, NULL), .nest = trial->nest,
			     .target = &trial->target, .machine = &machine, .n_size = 3, .size = sizes, .seed = trial->seed,
			     .budget = most };
	const struct observation seen = { .is_legal = true };
	struct policy *policy;
	int n = 0;

	if (!task.workspace)
		return 0;
	policy = class->start(arena, &task);
	while (n < most && (plan[n] = class->propose(policy)))
		class->observe(policy, plan[n++], &seen);
	class->finish(policy);
	workspace_free(task.workspace);
	return n;
}
