#include "menu.h"
#include "rewriting.h"

/* One way to run sums along a row: "rows" (and "columns" of a second loop outside) at a time, and with "vectors" of partial
 * sums each; 0 vectors keeps the order of each sum. */
struct sums {
	int rows, columns, vectors;
};

/* Partial sums come first: where the order of a sum matters they are refused and the others follow. */
static const struct sums sums_menu[] = {
	{ 4, 1, 1 }, { 1, 1, 4 }, { 4, 4, 1 }, { 8, 1, 0 }, { 4, 1, 0 }, { 16, 1, 0 }, { 4, 4, 0 }, { 2, 1, 2 }, { 8, 1, 1 },
	{ 4, 2, 0 }, { 1, 1, 2 },
};

/* The depth of the deepest loop that reduces, -1 for none. */
static int reduction_depth(const struct band *band)
{
	for (int d = band->n - 1; d >= 0; d--)
		if (band->loop[d].reduces && band->loop[d].trip > 1)
			return d;
	return -1;
}

/* The depth of the deepest loop above "below" that does not reduce, -1 for none. */
static int outer_depth(const struct band *band, int below)
{
	for (int d = below - 1; d >= 0; d--)
		if (!band->loop[d].reduces && band->loop[d].trip >= 2)
			return d;
	return -1;
}

static bool dot_matches(const struct draft *draft, const struct band *band)
{
	(void)draft;
	return band->stmt->accumulates && reduction_depth(band) == band->n - 1;
}

static int dot_choices(const struct draft *draft, const struct band *band)
{
	(void)draft;
	(void)band;
	return (int)(sizeof sums_menu / sizeof *sums_menu);
}

static bool jam_loop(struct draft *draft, const struct band *band, int depth, int size)
{
	int cut = depth < 0 ? 1 : menu_divisor(band->loop[depth].trip, size);
	return cut > 1 && draft_try(draft, "jam(%s:%d)", draft_loop(draft, band->loop[depth].iter, band->label), cut);
}

/* Give the sum along "iter" partial sums and run them as vectors. */
static bool split_sum(struct draft *draft, const struct band *band, const char *iter, int vectors)
{
	int lanes = band->lanes, label = band->label;
	if (lanes < 2)
		return draft_try(draft, "split_reduction(%s:%d)", draft_loop(draft, iter, label), 4 * vectors);
	return draft_try(draft, "split_reduction(%s:%d)", draft_loop(draft, iter, label), lanes * vectors) &&
	       draft_try(draft, "vectorize(%s:%d)", draft_loop(draft, iter, label), lanes * vectors);
}

static bool dot_apply(struct draft *draft, const struct band *band, int choice)
{
	const struct sums *sums = &sums_menu[choice];
	struct draft trial = *draft;
	int reduction = reduction_depth(band), inner = outer_depth(band, reduction), outer = outer_depth(band, inner);
	const char *iter = band->loop[reduction].iter;
	if (sums->vectors && band->loop[reduction].trip < 2.0 * band->lanes * sums->vectors)
		return false;
	if (sums->vectors && !split_sum(&trial, band, iter, sums->vectors))
		return false;
	if (sums->columns > 1 && !jam_loop(&trial, band, outer, sums->columns))
		return false;
	if (sums->rows > 1 && !jam_loop(&trial, band, inner, sums->rows))
		return false;
	*draft = trial;
	return true;
}

const struct rewriting rewriting_dot = {
	.name = "dot",
	.matches = dot_matches,
	.choices = dot_choices,
	.apply = dot_apply,
};
