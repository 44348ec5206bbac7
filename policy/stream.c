#include <string.h>

#include "menu.h"
#include "rewriting.h"

/* One way to run loops whose iterations stand for themselves: "vectors" vectors at a time along the innermost loop (0: none),
 * "jam" iterations of the loop outside together, the nest blocked by "tile". "outside": vectors lie along the deepest outer
 * loop that has them, whose iterations run together, for recurrences along the inner one. */
struct streaming {
	int vectors, jam, tile;
	bool keeps_order, outside;
};

static const struct streaming streamings[] = {
	{ 1, 1, 0, false, false }, { 1, 1, 0, true, false }, { 2, 1, 0, false, true }, { 0, 4, 0, true, false },
	{ 1, 2, 0, false, false }, { 4, 1, 0, false, true }, { 2, 1, 0, false, false }, { 0, 8, 0, true, false },
	{ 1, 1, 64, false, false }, { 4, 1, 0, false, false }, { 0, 1, 0, false, false }, { 0, 2, 0, true, false },
	{ 1, 4, 0, false, false }, { 1, 1, 0, false, true },
};

static bool stream_matches(const struct draft *draft, const struct band *band)
{
	(void)draft;
	(void)band;
	return true;
}

static int stream_choices(const struct draft *draft, const struct band *band)
{
	(void)draft;
	(void)band;
	return (int)(sizeof streamings / sizeof *streamings);
}

/* The loop to run innermost: one along which vectors lie if there is any, the cheapest by memory traffic. Ties leave the
 * loops as they are. */
static int find_innermost(const struct band *band)
{
	int best = band->n - 1;
	for (int d = band->n - 2; d >= band->first; d--) {
		const struct band_loop *loop = &band->loop[d], *so_far = &band->loop[best];
		if (loop->trip < 2)
			continue;
		if (loop->is_unit != so_far->is_unit ? loop->is_unit : loop->cost < so_far->cost)
			best = d;
	}
	return best;
}

/* The perfectly nested loops with depth "innermost" last, the others by falling traffic when "by_cost", else as they
 * are. */
static const char *stream_order(const struct draft *draft, const struct band *band, int innermost, bool by_cost)
{
	int depth[SHAPE_DEPTH], n = 0;
	const char *loops = "";
	for (int d = band->first; d < band->n; d++) {
		int at = n++;
		if (d == innermost) {
			n--;
			continue;
		}
		for (; by_cost && at > 0 && band->loop[depth[at - 1]].cost < band->loop[d].cost; at--)
			depth[at] = depth[at - 1];
		depth[at] = d;
	}
	depth[n++] = innermost;
	for (int i = 0; i < n; i++)
		loops = arena_printf(draft->arena, "%s%s%s", loops, i ? ", " : "",
				     draft_loop(draft, band->loop[depth[i]].iter, band->label));
	return loops;
}

/* Bring depth "innermost" innermost, the others into the best order that is legal. */
static bool reorder(struct draft *draft, const struct band *band, int innermost)
{
	const char *order = stream_order(draft, band, innermost, true), *as_is = stream_order(draft, band, band->n - 1, false);
	if (band->n - band->first < 2 || strcmp(order, as_is) == 0)
		return true;
	return draft_try(draft, "order(%s)", order) || innermost == band->n - 1 ||
	       draft_try(draft, "order(%s)", stream_order(draft, band, innermost, false));
}

static bool jam_outside(struct draft *draft, const struct band *band, int innermost, int jam)
{
	for (int d = band->n - 1; d >= 0; d--)
		if (d != innermost && band->loop[d].trip >= 2)
			return draft_try(draft, "jam(%s:%d)", draft_loop(draft, band->loop[d].iter, band->label),
					 menu_divisor(band->loop[d].trip, jam));
	return false;
}

static bool vectorize(struct draft *draft, const struct band *band, int depth, int vectors)
{
	const char *loop = draft_loop(draft, band->loop[depth].iter, band->label);
	int lanes = band->lanes * vectors;
	while (lanes > band->lanes && lanes > band->loop[depth].trip)
		lanes /= 2;
	return lanes > 1 && band->loop[depth].is_unit && lanes <= band->loop[depth].trip && draft_try(draft, "vectorize(%s:%d)", loop, lanes);
}

/* Block the two innermost loops, the blocks of each outside all. */
static bool block(struct draft *draft, const struct band *band, int size)
{
	const char *inner = band->loop[band->n - 1].iter, *outer;
	if (band->n - band->first < 2 || band->loop[band->n - 1].trip <= 2 * size)
		return false;
	outer = band->loop[band->n - 2].iter;
	return draft_try(draft, "tile(%s:%d)", draft_loop(draft, inner, band->label), size) &&
	       draft_try(draft, "tile(%s:%d)", draft_loop(draft, outer, band->label), size) &&
	       draft_try(draft, "order(%s, %s, %s, %s)", draft_loop(draft, arena_printf(draft->arena, "%s.1", outer), band->label),
			 draft_loop(draft, arena_printf(draft->arena, "%s.1", inner), band->label),
			 draft_loop(draft, outer, band->label), draft_loop(draft, inner, band->label));
}

/* Run vectors along an outer loop. */
static bool vectorize_outside(struct draft *draft, const struct band *band, int vectors)
{
	for (int d = band->n - 2; d >= 0; d--) {
		const char *iter = band->loop[d].iter;
		if (!band->loop[d].is_unit || band->lanes < 2 || band->loop[d].trip < vectors * band->lanes)
			continue;
		return draft_try(draft, "jam(%s:%d)", draft_loop(draft, iter, band->label), vectors * band->lanes) &&
		       draft_try(draft, "vectorize(%s:%d)", draft_loop(draft, iter, band->label), band->lanes);
	}
	return false;
}

static bool stream_apply(struct draft *draft, const struct band *band, int choice)
{
	const struct streaming *streaming = &streamings[choice];
	struct draft trial = *draft;
	int innermost = streaming->keeps_order ? band->n - 1 : find_innermost(band);
	if (streaming->outside) {
		if (!vectorize_outside(&trial, band, streaming->vectors))
			return false;
		*draft = trial;
		return true;
	}
	if (!streaming->keeps_order && !reorder(&trial, band, innermost))
		return false;
	if (streaming->tile && (innermost != band->n - 1 || !block(&trial, band, streaming->tile)))
		return false;
	if (streaming->jam > 1 && !jam_outside(&trial, band, innermost, streaming->jam))
		return false;
	if (streaming->vectors && !vectorize(&trial, band, innermost, streaming->vectors))
		return false;
	*draft = trial;
	return true;
}

const struct rewriting rewriting_stream = {
	.name = "stream",
	.matches = stream_matches,
	.choices = stream_choices,
	.apply = stream_apply,
};
