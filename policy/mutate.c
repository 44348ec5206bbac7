#include "mutate.h"

#include <string.h>

#include "menu.h"

enum { ATTEMPTS = 24 };

static const struct loop_shape *random_loop(const struct shape *shape, struct rng *rng)
{
	const struct loop_shape *loop = &shape->loop[rng_below(rng, (uint64_t)shape->n_loop)];
	return loop->label < 0 ? NULL : loop;
}

/* A vector's worth of some scalar type, or a small multiple. */
static int random_lanes(const struct task *task, struct rng *rng)
{
	int lanes = task->target->vector_bytes / (int)(rng_below(rng, 2) ? 8 : 4);
	return lanes << rng_below(rng, 3);
}

/* The perfectly nested loops from "loop" inwards, shuffled, as arguments of order(); NULL when there is only one. */
static const char *random_order(const struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	const char *names[SHAPE_DEPTH], *loops;
	const struct node *node = loop->node;
	int n = 0;
	for (;;) {
		names[n++] = draft->shape->loop[shape_find(draft->shape, node)].name;
		if (n == SHAPE_DEPTH || node->body.n != 1 || node->body.node[0]->kind != NODE_LOOP)
			break;
		node = node->body.node[0];
	}
	if (n < 2)
		return NULL;
	for (int i = n - 1; i > 0; i--) {
		int j = (int)rng_below(rng, (uint64_t)i + 1);
		const char *swapped = names[i];
		names[i] = names[j];
		names[j] = swapped;
	}
	loops = names[0];
	for (int i = 1; i < n; i++)
		loops = arena_printf(draft->arena, "%s, %s", loops, names[i]);
	return loops;
}

/* An array that a random statement within "loop" uses. */
static const struct var *random_array(const struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	const struct shape *shape = draft->shape;
	const struct stmt_shape *stmt = &shape->stmt[rng_below(rng, (uint64_t)shape->n_stmt)];
	if (!stmt->n_access || !shape_is_within(shape, (int)(stmt - shape->stmt), (int)(loop - shape->loop)))
		return NULL;
	return stmt->access[rng_below(rng, (uint64_t)stmt->n_access)].ref->var;
}

static bool try_order(struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	const char *loops = random_order(draft, loop, rng);
	return loops && draft_try(draft, "order(%s)", loops);
}

static bool try_tile(struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	return draft_try(draft, "tile(%s:%d)", loop->name, menu_pick(menu_tiles, rng));
}

static bool try_fuse(struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	const struct loop_shape *other = random_loop(draft->shape, rng);
	return other && other != loop && other->parent == loop->parent &&
	       draft_try(draft, "fuse(%s, %s)", loop->name, other->name);
}

static bool try_distribute(struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	(void)rng;
	return draft_try(draft, "distribute(%s)", loop->name);
}

static bool try_jam(struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	return draft_try(draft, "jam(%s:%d)", loop->name, menu_pick(menu_factors, rng));
}

static bool try_split_reduction(struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	return draft_try(draft, "split_reduction(%s:%d)", loop->name, random_lanes(draft->task, rng));
}

static bool try_promote(struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	const struct var *var = random_array(draft, loop, rng);
	return var && draft_try(draft, "promote(%s, %s)", var->name, loop->name);
}

static bool try_pack(struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	const struct var *var = random_array(draft, loop, rng);
	return var && draft_try(draft, "pack(%s, %s)", var->name, loop->name);
}

/* A local declared anywhere: loops are not what is privatised. */
static bool try_privatize(struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	const struct shape *shape = draft->shape;
	const struct stmt_shape *stmt = &shape->stmt[rng_below(rng, (uint64_t)shape->n_stmt)];
	(void)loop;
	return stmt->node->declares && draft_try(draft, "privatize(%s)", stmt->node->target->var->name);
}

static bool try_vectorize(struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	int lanes = random_lanes(draft->task, rng);
	return lanes > 1 && draft_try(draft, "vectorize(%s:%d)", loop->name, lanes);
}

static bool try_unroll(struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	return draft_try(draft, "unroll(%s:%d)", loop->name, menu_pick(menu_factors, rng));
}

static bool try_parallel(struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	(void)rng;
	return draft->task->target->has_openmp && draft_try(draft, "parallel(%s)", loop->name);
}

static bool try_tile_band(struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	(void)loop;
	return !*draft->text && draft_try(draft, "tile_band(%d)", menu_pick(menu_tiles, rng));
}

static bool try_skew(struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	(void)loop;
	return !*draft->text && draft_try(draft, "skew(%d)", menu_pick(menu_tiles, rng));
}

static bool try_edge(struct draft *draft, const struct loop_shape *loop, struct rng *rng)
{
	static const char *const ways[] = { "peel", "mask", "pad", "back" };
	return draft_try(draft, "edge(%s, %s)", loop->name, ways[rng_below(rng, 4)]);
}

/* One random instance of each action on a loop; those that most nests want stand twice. */
static bool (*const tries[])(struct draft *draft, const struct loop_shape *loop, struct rng *rng) = {
	try_order, try_tile, try_fuse, try_distribute, try_jam, try_split_reduction, try_promote, try_pack, try_privatize,
	try_vectorize, try_unroll, try_parallel, try_edge, try_order, try_vectorize,
	try_tile_band, try_skew,
};

bool mutate_add(struct draft *draft, struct rng *rng)
{
	for (int i = 0; i < ATTEMPTS && draft->shape->n_loop && draft->shape->n_stmt; i++) {
		uint64_t kind = rng_below(rng, sizeof tries / sizeof *tries);
		const struct loop_shape *loop = random_loop(draft->shape, rng);
		if (loop && tries[kind](draft, loop, rng))
			return true;
	}
	return false;
}

/* The menu that sizes of "kind" come from; NULL where they follow the vector registers. */
static const int *size_menu(enum action_kind kind)
{
	switch (kind) {
	case ACTION_tile:
	case ACTION_tile_band:
	case ACTION_skew:
		return menu_tiles;
	case ACTION_jam:
	case ACTION_unroll:
		return menu_factors;
	default:
		return NULL;
	}
}

/* Move one size of "action" to its neighbour; vectors double or halve. */
static bool resize(struct action *action, struct rng *rng)
{
	const int *menu = size_menu(action->kind);
	bool up = rng_below(rng, 2);
	struct arg *arg;
	int64_t old;
	if (!action->n)
		return false;
	arg = &action->arg[rng_below(rng, (uint64_t)action->n)];
	old = arg->size;
	if (old < 2)
		return false;
	arg->size = menu ? menu_neighbour(menu, (int)old, up ? 1 : -1) : up ? 2 * old : old / 2;
	return arg->size != old && arg->size > 1;
}

static void drop(struct plan *plan, int at)
{
	memmove(&plan->action[at], &plan->action[at + 1], sizeof *plan->action * (size_t)(plan->n - at - 1));
	plan->n--;
}

static bool swap(struct plan *plan, int at)
{
	struct action first = plan->action[at];
	if (at + 1 >= plan->n)
		return false;
	plan->action[at] = plan->action[at + 1];
	plan->action[at + 1] = first;
	return true;
}

/* Change one thing of "plan", which is the caller's own. */
static bool change(struct plan *plan, struct rng *rng)
{
	int at = plan->n ? (int)rng_below(rng, (uint64_t)plan->n) : 0;
	if (!plan->n)
		return false;
	switch (rng_below(rng, 6)) {
	case 0:
		drop(plan, at);
		return true;
	case 1:
		return swap(plan, at);
	default:
		return resize(&plan->action[at], rng);
	}
}

static const char *print(struct arena *arena, const struct plan *plan)
{
	struct text text = { 0 };
	const char *copy;
	plan_print(plan, &text);
	copy = arena_strdup(arena, text_string(&text));
	text_free(&text);
	return copy;
}

/* "plan" with one random action more; NULL when none was accepted. */
static const char *grow(struct arena *arena, const struct task *task, const char *plan, struct rng *rng)
{
	struct draft draft = draft_new(arena, task);
	if ((*plan && !draft_try(&draft, "%s", plan)) || !mutate_add(&draft, rng))
		return NULL;
	return draft_plan(&draft);
}

static const char *neighbour(struct arena *arena, const struct task *task, const char *plan, struct rng *rng)
{
	struct diag why = { 0 };
	struct plan *changed;
	if (rng_below(rng, 5) == 0)
		return grow(arena, task, plan, rng);
	changed = plan_parse(arena, plan, &why);
	return changed && change(changed, rng) ? print(arena, changed) : NULL;
}

const char *mutate_plan(struct arena *arena, const struct task *task, const char *plan, struct rng *rng)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		struct diag why = { 0 };
		const char *text = neighbour(arena, task, plan, rng);
		struct plan *parsed = text && *text ? plan_parse(arena, text, &why) : NULL;
		if (parsed && plan_apply(task->workspace, parsed, &why))
			return text;
	}
	return NULL;
}
