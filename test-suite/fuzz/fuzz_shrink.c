#include "fuzz_shrink.h"

#include <string.h>

#include "fuzz_interpret.h"
#include "fuzz_nest.h"

enum { ROUNDS_MAX = 60, SMALL_BATCH = 16 };

/* Makes the changes to a nest one after the other: the one whose turn comes at "left" == 0 is made. */
struct change {
	struct nest *nest;
	int left;
	bool is_made;
};

static bool is_turn(struct change *change)
{
	if (change->is_made || change->left-- > 0)
		return false;
	change->is_made = true;
	return true;
}

/* Put the nodes of "by" in the place of the one at "at". */
static void splice(struct arena *arena, struct list *list, int at, const struct list *by)
{
	list_remove(list, at);
	for (int i = 0; i < by->n; i++)
		list_insert(arena, list, at + i, by->node[i]);
}

static void unroll_once(struct arena *arena, struct list *list, int at)
{
	struct node *loop = list->node[at];

	for (int i = 0; i < loop->body.n; i++)
		node_replace(arena, loop->body.node[i], loop->iter, loop->lo);
	splice(arena, list, at, &loop->body);
}

/* Replace "*expr", or something in it, by one of its operands or by 1; masks stay, since they keep signed values small. */
static void change_expr(struct change *change, struct expr **expr)
{
	struct arena *arena = change->nest->arena;
	struct expr *old = *expr, *copy;

	if (old->kind == EXPR_INT || old->kind == EXPR_FLOAT)
		return;
	if (old->kind == EXPR_OP && old->op == OP_AND && old->arg[1]->kind == EXPR_INT) {
		copy = ARENA_NEW(arena, struct expr);
		*copy = *old;
		copy->arg = ARENA_ARRAY(arena, struct expr *, 2);
		memcpy(copy->arg, old->arg, 2 * sizeof(*copy->arg));
		*expr = copy;
		change_expr(change, &copy->arg[0]);
		return;
	}
	if (is_turn(change)) {
		*expr = type_is_float(old->type) ? expr_float(arena, 1, old->type, NULL) : expr_int(arena, 1, old->type);
		return;
	}
	for (int i = 0; i < old->n && old->kind != EXPR_REF; i++)
		if (old->arg[i]->type == old->type && is_turn(change)) {
			*expr = old->arg[i];
			return;
		}
	copy = ARENA_NEW(arena, struct expr);
	*copy = *old;
	copy->arg = ARENA_ARRAY(arena, struct expr *, old->n);
	for (int i = 0; i < old->n; i++)
		copy->arg[i] = old->arg[i];
	*expr = copy;
	for (int i = 0; i < copy->n && !change->is_made; i++)
		change_expr(change, &copy->arg[i]);
}

static void change_list(struct change *change, struct list *list);

static void change_node(struct change *change, struct list *list, int at)
{
	struct arena *arena = change->nest->arena;
	struct node *node = list->node[at];

	if (is_turn(change)) {
		list_remove(list, at);
	} else if (node->kind == NODE_LOOP) {
		if (is_turn(change))
			unroll_once(arena, list, at);
		else if (!expr_is_int(node->lo, 0) && is_turn(change))
			node->lo = expr_int(arena, 0, node->lo->type);
		else if (node->step != 1 && is_turn(change))
			node->step = 1;
		else
			change_list(change, &node->body);
	} else if (node->kind == NODE_IF) {
		if (is_turn(change))
			splice(arena, list, at, &node->body);
		else if (node->orelse.n && is_turn(change))
			node->orelse.n = 0;
		else
			change_expr(change, &node->cond);
		if (!change->is_made)
			change_list(change, &node->body);
		if (!change->is_made)
			change_list(change, &node->orelse);
	} else if (node->value) {
		if (node->op != OP_NONE && is_turn(change))
			node->op = OP_NONE;
		else
			change_expr(change, &node->value);
	}
}

static void change_list(struct change *change, struct list *list)
{
	for (int i = 0; i < list->n && !change->is_made; i++)
		change_node(change, list, i);
}

/* The nest printed as "text" with change number "turn"; NULL when there are not that many. It may be broken. */
static struct nest *changed_nest(struct arena *arena, const char *text, int turn)
{
	struct change change = { nest_parse(arena, text, NULL), turn, false };

	if (!change.nest)
		return NULL;
	change_list(&change, &change.nest->body);
	if (!change.is_made)
		return NULL;
	nest_set_origins(change.nest);
	fuzz_nest_set_uses(change.nest);
	return change.nest;
}

/* "plan" without its action number "drop"; NULL when it has no such one. */
static const char *shorter_plan(struct arena *arena, const char *text, int drop)
{
	struct plan *plan = plan_parse(arena, text, NULL);
	struct text shorter = { 0 };
	const char *result;

	if (!plan || drop >= plan->n)
		return NULL;
	for (int i = drop; i + 1 < plan->n; i++)
		plan->action[i] = plan->action[i + 1];
	plan->n--;
	plan_print(plan, &shorter);
	result = arena_strdup(arena, text_string(&shorter));
	text_free(&shorter);
	return result;
}

/* Set "candidate" to change number "turn" of "now" (actions first); false when there are no more. */
static bool candidate_get(struct arena *arena, const struct fuzz_trial *now, const char *text, int turn, struct fuzz_trial *candidate)
{
	const struct plan *plan = plan_parse(arena, now->plan, NULL);

	*candidate = *now;
	if (turn < plan->n)
		candidate->plan = shorter_plan(arena, now->plan, turn);
	else
		candidate->nest = changed_nest(arena, text, turn - plan->n);
	return candidate->plan && candidate->nest;
}

static bool is_runnable(struct arena *arena, struct fuzz_trial *candidate, int number)
{
	struct diag diag = { 0 };

	return nest_check(candidate->nest, &diag) && fuzz_case_make(arena, candidate, number, &diag) == MADE_CODE &&
	       !candidate->broken;
}

static enum status run_all(struct arena *arena, const struct fuzz_builder *builder, int n, const struct fuzz_trial *const *trial,
			   struct fuzz_result *result)
{
	if (builder)
		return fuzz_run(arena, builder, n, trial, result, NULL);
	for (int i = 0; i < n; i++) {
		bool is_faulty;
		const char *difference = fuzz_interpret(arena, trial[i]->nest, trial[i]->rewritten, trial[i]->mode, trial[i]->seed,
							&is_faulty);

		result[i] = (struct fuzz_result){ difference && !is_faulty ? END_DIFFERENT : END_EQUAL, difference, 0, 0 };
	}
	return STATUS_OK;
}

/* Try the changes of "now" from "*turn" on, a batch at a time; true, "now" and "result" set, when one fails in the same way. */
static bool shrink_once(struct arena *arena, const struct fuzz_builder *builder, struct fuzz_trial *now, struct fuzz_result *result,
			int *turn)
{
	struct text text = { 0 };
	const char *printed;
	bool is_more = true;

	nest_print(now->nest, &text);
	printed = arena_strdup(arena, text_string(&text));
	text_free(&text);
	while (is_more) {
		struct fuzz_trial candidate[SMALL_BATCH];
		const struct fuzz_trial *pointer[SMALL_BATCH];
		struct fuzz_result results[SMALL_BATCH];
		int n = 0, turns[SMALL_BATCH];

		while (n < SMALL_BATCH && (is_more = candidate_get(arena, now, printed, *turn, &candidate[n]))) {
			turns[n] = *turn;
			pointer[n] = &candidate[n];
			n += is_runnable(arena, &candidate[n], n);
			++*turn;
		}
		if (n && run_all(arena, builder, n, pointer, results) != STATUS_OK)
			return false;
		for (int i = 0; i < n; i++)
			if (results[i].end == result->end) {
				*now = candidate[i];
				*result = results[i];
				*turn = turns[i];
				return true;
			}
	}
	return false;
}

struct fuzz_trial fuzz_shrink(struct arena *arena, const struct fuzz_builder *builder, const struct fuzz_trial *trial,
			      struct fuzz_result *result)
{
	struct fuzz_trial now = *trial;
	int turn = 0;
	bool is_smaller = false;

	for (int round = 0; round < ROUNDS_MAX; round++) {
		if (shrink_once(arena, builder, &now, result, &turn)) {
			is_smaller = true;
			continue;
		}
		if (!is_smaller)
			break;
		is_smaller = false;
		turn = 0;
	}
	return now;
}
