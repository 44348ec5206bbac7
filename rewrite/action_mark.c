#include <string.h>

#include "action_internal.h"
#include "action_sum.h"

enum { LANES_MAX = 64, UNROLL_MAX = 64 };

/* The loop that the first of "n" arguments names; NULL and a reason when there is another number of arguments. */
static struct node *marked_loop(struct rewrite *rewrite, const struct action *action, int n, const char *example)
{
	if (action->n != n) {
		refuse(rewrite, "%s is called as in %s", action_info(action->kind)->name, example);
		return NULL;
	}
	return rewrite_find_loop(rewrite, &action->arg[0]);
}

/* Whether the iterations of "loop", now marked, may run at once. */
static enum status check_concurrent(struct rewrite *rewrite, struct node *loop)
{
	if (made_statements_meet(rewrite, loop, loop->iter, loop, loop->iter))
		return refuse(rewrite, "iterations of %s share memory through statements that an action made", loop->iter->name);
	return legal_check(rewrite, loop);
}

/* Whether the iterations of "loop", now a vector, may run at once, or together statement by statement; the loop is then marked. */
static enum status check_lanes(struct rewrite *rewrite, struct node *loop)
{
	struct rewrite quiet = *rewrite;
	struct diag ignored = { 0 };

	if (check_concurrent(rewrite, loop) == STATUS_OK)
		return STATUS_OK;
	loop->marks.staged = true;
	quiet.why = &ignored;
	return check_concurrent(&quiet, loop);
}

static bool is_power_of_two(int64_t n)
{
	return n > 0 && (n & (n - 1)) == 0;
}

enum status action_vectorize(struct rewrite *rewrite, const struct action *action)
{
	struct node *loop = marked_loop(rewrite, action, 1, "vectorize(i:8)");
	int64_t lanes;

	if (!loop)
		return STATUS_FAILED;
	lanes = action->arg[0].size;
	if (lanes < 2 || lanes > LANES_MAX || !is_power_of_two(lanes))
		return refuse(rewrite, "vectorize needs a power of two from 2 to %d, as in vectorize(%s:8)", LANES_MAX,
			      loop->iter->name);
	loop->marks.vector = (int)lanes;
	return check_lanes(rewrite, loop);
}

enum status action_unroll(struct rewrite *rewrite, const struct action *action)
{
	struct node *loop = marked_loop(rewrite, action, 1, "unroll(i) or unroll(i:4)");
	int64_t copies, trip;

	if (!loop)
		return STATUS_FAILED;
	copies = action->arg[0].size;
	if (copies < 0) {
		trip = loop_trip_max(loop);
		if (trip < 0 || trip > UNROLL_MAX)
			return refuse(rewrite, "%s has no constant number of iterations up to %d; give a number, as in unroll(%s:4)",
				      loop->iter->name, UNROLL_MAX, loop->iter->name);
		loop->marks.unroll = UNROLL_FULL;
		return STATUS_OK;
	}
	if (copies < 2 || copies > UNROLL_MAX)
		return refuse(rewrite, "unroll takes 2 to %d copies", UNROLL_MAX);
	loop->marks.unroll = (int)copies;
	return STATUS_OK;
}

enum status action_parallel(struct rewrite *rewrite, const struct action *action)
{
	struct node *loop = marked_loop(rewrite, action, 1, "parallel(i)");

	if (!loop)
		return STATUS_FAILED;
	loop->marks.parallel = true;
	return check_concurrent(rewrite, loop);
}

enum status action_edge(struct rewrite *rewrite, const struct action *action)
{
	static const char *const words[] = { [EDGE_PEEL] = "peel", [EDGE_MASK] = "mask", [EDGE_PAD] = "pad", [EDGE_BACK] = "back" };
	struct node *loop = marked_loop(rewrite, action, 2, "edge(i, peel)");

	if (!loop)
		return STATUS_FAILED;
	for (int edge = EDGE_PEEL; edge <= EDGE_BACK; edge++) {
		if (action->arg[1].kind != ARG_NAME || strcmp(action->arg[1].name, words[edge]) != 0)
			continue;
		loop->marks.edge = (enum edge)edge;
		return STATUS_OK;
	}
	return refuse(rewrite, "an edge is done by peel, mask, pad or back");
}
