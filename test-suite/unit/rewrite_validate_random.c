/* Random edits of random nests: what the validator accepts must compute the same, bit for bit, when it is run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rewrite/validate.h"

#include "../support/nest_random.c"
#include "../support/nest_run.c"

enum { NESTS = 1000, RUNS = 6 };

/* An edit under way: a list of the nest, chosen at random, and the random place in it. */
struct edit {
	struct arena *arena;
	struct rng *rng;
	struct nest *nest;
	struct list *list;
	int at;
};

static int pick(struct edit *edit, int n)
{
	return (int)rng_below(edit->rng, (uint64_t)n);
}

static struct node *here(const struct edit *edit)
{
	return edit->list->node[edit->at];
}

static struct node *copy(struct edit *edit, const struct node *node)
{
	return node_copy_deep(edit->arena, node);
}

static bool edit_swap(struct edit *edit)
{
	struct node *first = here(edit);

	if (edit->at + 1 == edit->list->n)
		return false;
	edit->list->node[edit->at] = edit->list->node[edit->at + 1];
	edit->list->node[edit->at + 1] = first;
	return true;
}

static bool edit_interchange(struct edit *edit)
{
	struct node *outer = here(edit), *inner, saved;

	if (outer->kind != NODE_LOOP || outer->body.n != 1 || outer->body.node[0]->kind != NODE_LOOP)
		return false;
	inner = outer->body.node[0];
	saved = *outer;
	outer->iter = inner->iter, outer->lo = inner->lo, outer->hi = inner->hi, outer->step = inner->step;
	inner->iter = saved.iter, inner->lo = saved.lo, inner->hi = saved.hi, inner->step = saved.step;
	return true;
}

static bool edit_reverse(struct edit *edit)
{
	struct node *loop = here(edit);
	struct expr *mirrored;

	if (loop->kind != NODE_LOOP || loop->step != 1)
		return false;
	mirrored = expr_binary(edit->arena, OP_ADD, loop->lo,
			       expr_binary(edit->arena, OP_SUB, loop->hi, expr_int(edit->arena, 1, TYPE_I32)));
	mirrored = expr_binary(edit->arena, OP_SUB, mirrored, expr_scalar(edit->arena, loop->iter));
	for (int i = 0; i < loop->body.n; i++)
		node_replace(edit->arena, loop->body.node[i], loop->iter, mirrored);
	return true;
}

static bool edit_tile(struct edit *edit)
{
	struct node *loop = here(edit), *tiles;
	const int64_t size = loop->step * (2 + pick(edit, 3));
	struct expr *start;
	struct var *iter;

	if (loop->kind != NODE_LOOP)
		return false;
	iter = nest_add_var(edit->nest, VAR_ITER, TYPE_I32, arena_printf(edit->arena, "%s.1", loop->iter->name), 0, NULL);
	start = expr_scalar(edit->arena, iter);
	tiles = node_loop(edit->arena, iter, loop->lo, loop->hi, size);
	loop->lo = start;
	loop->hi = expr_binary(edit->arena, OP_MIN,
			       expr_binary(edit->arena, OP_ADD, start, expr_int(edit->arena, size, TYPE_I32)), loop->hi);
	list_add(edit->arena, &tiles->body, loop);
	edit->list->node[edit->at] = tiles;
	return true;
}

static bool edit_distribute(struct edit *edit)
{
	struct node *loop = here(edit), *rest;
	int at;

	if (loop->kind != NODE_LOOP || loop->body.n < 2)
		return false;
	at = 1 + pick(edit, loop->body.n - 1);
	rest = copy(edit, loop);
	while (loop->body.n > at)
		list_remove(&loop->body, at);
	for (int i = 0; i < at; i++)
		list_remove(&rest->body, 0);
	list_insert(edit->arena, edit->list, edit->at + 1, rest);
	return true;
}

static bool edit_fuse(struct edit *edit)
{
	struct node *first = here(edit), *second;

	if (edit->at + 1 == edit->list->n || first->kind != NODE_LOOP)
		return false;
	second = edit->list->node[edit->at + 1];
	if (second->kind != NODE_LOOP || second->step != first->step)
		return false;
	if (second->iter != first->iter)
		node_replace(edit->arena, second, second->iter, expr_scalar(edit->arena, first->iter));
	for (int i = 0; i < second->body.n; i++)
		list_add(edit->arena, &first->body, second->body.node[i]);
	list_remove(edit->list, edit->at + 1);
	return true;
}

static bool edit_vector(struct edit *edit)
{
	struct node *loop = here(edit);

	if (loop->kind != NODE_LOOP || !run_is_straight(&loop->body))
		return false;
	loop->marks.vector = 4;
	return true;
}

static bool edit_parallel(struct edit *edit)
{
	if (here(edit)->kind != NODE_LOOP)
		return false;
	here(edit)->marks.parallel = true;
	return true;
}

static bool edit_unroll(struct edit *edit)
{
	struct node *loop = here(edit), *test, *second;
	struct expr *next;

	if (loop->kind != NODE_LOOP)
		return false;
	next = expr_binary(edit->arena, OP_ADD, expr_scalar(edit->arena, loop->iter),
			   expr_int(edit->arena, loop->step, TYPE_I32));
	test = node_if(edit->arena, expr_binary(edit->arena, OP_LT, next, loop->hi));
	second = copy(edit, loop);
	for (int i = 0; i < second->body.n; i++) {
		node_replace(edit->arena, second->body.node[i], loop->iter, next);
		list_add(edit->arena, &test->body, second->body.node[i]);
	}
	list_add(edit->arena, &loop->body, test);
	loop->step *= 2;
	return true;
}

static bool edit_bound(struct edit *edit)
{
	struct node *loop = here(edit);
	struct expr *one = expr_int(edit->arena, 1, TYPE_I32);

	if (loop->kind != NODE_LOOP)
		return false;
	if (pick(edit, 2))
		loop->hi = expr_binary(edit->arena, OP_SUB, loop->hi, one);
	else
		loop->lo = expr_binary(edit->arena, OP_ADD, loop->lo, one);
	return true;
}

static bool edit_drop(struct edit *edit)
{
	list_remove(edit->list, edit->at);
	return true;
}

static bool edit_repeat(struct edit *edit)
{
	list_insert(edit->arena, edit->list, edit->at + 1, copy(edit, here(edit)));
	return true;
}

static bool edit_branches(struct edit *edit)
{
	struct node *node = here(edit);
	struct list body = node->body;

	if (node->kind != NODE_IF || !node->orelse.n)
		return false;
	node->body = node->orelse;
	node->orelse = body;
	return true;
}

static bool edit_split_condition(struct edit *edit)
{
	struct node *node = here(edit), *rest;

	if (node->kind != NODE_IF || node->body.n < 2)
		return false;
	rest = copy(edit, node);
	node->orelse.n = 0;
	while (node->body.n > 1)
		list_remove(&node->body, 1);
	list_remove(&rest->body, 0);
	list_insert(edit->arena, edit->list, edit->at + 1, rest);
	return true;
}

static const struct {
	const char *name;
	bool (*apply)(struct edit *edit);
	bool can_be_legal;
} edits[] = {
	{ "swap", edit_swap, true },
	{ "interchange", edit_interchange, true },
	{ "reverse", edit_reverse, true },
	{ "tile", edit_tile, true },
	{ "distribute", edit_distribute, true },
	{ "fuse", edit_fuse, true },
	{ "vector", edit_vector, true },
	{ "parallel", edit_parallel, true },
	{ "unroll", edit_unroll, true },
	{ "split condition", edit_split_condition, true },
	{ "bound", edit_bound, false },
	{ "drop", edit_drop, false },
	{ "repeat", edit_repeat, false },
	{ "branches", edit_branches, false },
};
enum { EDITS = sizeof(edits) / sizeof(edits[0]) };

/* The lists of a nest. */
struct lists {
	struct list *list[256];
	int n;
};

static void add_list(struct lists *lists, struct list *list)
{
	if (list->n && lists->n < (int)(sizeof(lists->list) / sizeof(lists->list[0])))
		lists->list[lists->n++] = list;
}

static bool visit_lists(struct node *node, void *context)
{
	add_list(context, &node->body);
	add_list(context, &node->orelse);
	return true;
}

/* Apply edit "kind" somewhere; false when there was no place for it. */
static bool edit_apply(struct edit *edit, int kind)
{
	for (int i = 0; i < 8; i++) {
		struct lists lists = { .n = 0 };

		add_list(&lists, &edit->nest->body);
		list_walk(&edit->nest->body, visit_lists, &lists);
		if (!lists.n)
			return false;
		edit->list = lists.list[pick(edit, lists.n)];
		edit->at = pick(edit, edit->list->n);
		if (edits[kind].apply(edit))
			return true;
	}
	return false;
}

static struct nest *copy_whole(struct arena *arena, const struct nest *nest)
{
	struct nest *result = nest_copy(nest);

	result->body.n = 0;
	result->body.node = NULL;
	for (int i = 0; i < nest->body.n; i++)
		list_add(arena, &result->body, node_copy_deep(arena, nest->body.node[i]));
	return result;
}

static bool is_same_once(const struct nest *before, const struct nest *after, uint64_t seed)
{
	struct nest_memory *a = malloc(sizeof(*a)), *b = malloc(sizeof(*b));
	bool is_same;

	nest_memory_init(a, before, seed, 1, 9);
	nest_memory_init(b, before, seed, 1, 9);
	nest_run(a, before);
	nest_run(b, after);
	assert_false(a->failed);
	is_same = !b->failed && nest_memory_equal(a, b, before);
	free(a);
	free(b);
	return is_same;
}

/* Whether both nests leave the same in memory, from all starting points tried. */
static bool is_same_result(const struct nest *before, const struct nest *after)
{
	for (uint64_t seed = 1; seed <= RUNS; seed++)
		if (!is_same_once(before, after, seed))
			return false;
	return true;
}

static void fail_with(const struct nest *before, const struct nest *after, const char *what, uint64_t seed)
{
	struct text text = { 0 };

	nest_print(before, &text);
	text_append(&text, "becomes\n");
	nest_print(after, &text);
	fail_msg("seed %llu, after %s:\n%s", (unsigned long long)seed, what, text_string(&text));
}

/* One random nest with one or two random edits; count per edit what was accepted. */
static void try_one(uint64_t seed, int *accepted)
{
	const struct nest_random_options options = { 3, 6, false };
	struct arena *arena = arena_new();
	struct rng rng;
	struct nest *before, *after;
	struct edit edit = { .arena = arena, .rng = &rng };
	struct dependences *dependences;
	struct diag diag = { 0 };
	int kind = 0, n;
	const char *what = "";

	rng_seed(&rng, seed);
	before = nest_random(arena, &rng, &options);
	after = edit.nest = copy_whole(arena, before);
	n = 1 + pick(&edit, 2);
	for (int i = 0; i < n; i++) {
		kind = pick(&edit, EDITS);
		if (!edit_apply(&edit, kind)) {
			arena_free(arena);
			return;
		}
		what = arena_printf(arena, "%s%s%s", what, i ? ", " : "", edits[kind].name);
	}
	if (nest_check(after, &diag)) {
		dependences = dependences_new(before, FP_ORDERED, &diag);
		assert_non_null(dependences);
		if (validate(dependences, after, &diag)) {
			accepted[kind] += n == 1;
			if (!is_same_result(before, after))
				fail_with(before, after, what, seed);
		} else if (getenv("STROP_SHOW_REFUSED") && is_same_result(before, after)) {
			struct text text = { 0 };

			nest_print(before, &text);
			text_append(&text, "becomes\n");
			nest_print(after, &text);
			print_message("%s\nrefused after %s: %s\n\n", text_string(&text), what, diag.message);
			text_free(&text);
		}
		dependences_free(dependences);
	}
	arena_free(arena);
}

static void test_random_edits(void **state)
{
	int accepted[EDITS] = { 0 };

	(void)state;
	for (uint64_t seed = 1; seed <= NESTS; seed++)
		try_one(seed, accepted);
	for (int i = 0; i < EDITS; i++)
		if (edits[i].can_be_legal && !accepted[i])
			fail_msg("no %s was accepted", edits[i].name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_edits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
