#include "menu.h"
#include "rewriting.h"
#include "tile.h"

enum { WRITTEN_OUT_MAX = 16 };

/* One way to run sums along a row: "rows" (and "columns" of a second loop outside) at a time, and with "vectors" of partial
 * sums each; 0 vectors keeps the order of each sum. */
struct sums {
	int rows, columns, vectors;
};

/* Partial sums come first: where the order of a sum matters they are refused and the others follow. */
static const struct sums sums_menu[] = {
	{ 4, 4, 1 }, { 4, 1, 1 }, { 1, 1, 4 }, { 4, 4, 0 }, { 8, 1, 0 }, { 4, 1, 0 }, { 16, 1, 0 }, { 2, 1, 2 }, { 8, 1, 1 },
	{ 4, 2, 0 }, { 1, 1, 2 }, { 3, 4, 0 },
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
static int outer_depth(const struct band *band, int below, int reduction)
{
	for (int d = below - 1; d >= 0; d--)
		if (d != reduction && !band->loop[d].reduces && band->loop[d].trip >= 2)
			return d;
	return -1;
}

/* Whether the loops inside the reduction are so short that they can be written out, and the loads lie side by side along the
 * reduction: several sums that the source itself runs together. */
static bool is_written_out(const struct band *band, int reduction)
{
	bool is_contiguous = false;
	for (int d = reduction + 1; d < band->n; d++)
		if (band->loop[d].trip > WRITTEN_OUT_MAX)
			return false;
	for (int a = 0; a < band->stmt->n_access; a++) {
		int64_t stride = band->stmt->access[a].stride[reduction];
		if (stride != 0 && stride != 1)
			return false;
		is_contiguous |= stride == 1;
	}
	return is_contiguous;
}

/* Sums whose loop is innermost, or could be brought there. */
static bool dot_matches(const struct draft *draft, const struct band *band)
{
	int reduction = reduction_depth(band);
	struct roles roles;
	(void)draft;
	if (!band->stmt->accumulates || reduction < 0)
		return false;
	if (reduction < band->first && is_written_out(band, reduction))
		return true;
	return reduction == band->n - 1 || (reduction >= band->first && (!roles_find(band, &roles) || roles.n_packed));
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

/* Bring the reduction innermost. */
static bool turn(struct draft *draft, const struct band *band, int reduction)
{
	const char *loops = "";
	if (reduction == band->n - 1 || reduction < band->first)
		return true;
	for (int d = band->first; d < band->n; d++)
		if (d != reduction)
			loops = draft_add_loop(draft, loops, band->loop[d].iter, band->label);
	loops = draft_add_loop(draft, loops, band->loop[reduction].iter, band->label);
	return draft_try(draft, "order(%s)", loops);
}

/* A register tile of single sums: two loops that nest perfectly around the reduction. */
static bool grid(struct draft *draft, const struct band *band, int reduction, const struct sums *sums)
{
	struct tiling tiling = { .rows = sums->rows, .vectors = sums->columns, .rows_outside = true };
	struct roles roles = { .n_reduction = 1, .reduction = { reduction } };
	struct band scalar = *band;
	roles.column = outer_depth(band, band->n, reduction);
	roles.row = outer_depth(band, roles.column, reduction);
	scalar.lanes = 1;
	return roles.row >= band->first && tile_roles(draft, &scalar, &roles, &tiling);
}

/* The sums that the source runs together in lanes, for a quarter of "rows" iterations of the loop outside. */
static bool written_out_apply(struct draft *draft, const struct band *band, int reduction, const struct sums *sums)
{
	struct draft trial = *draft;
	int outside = outer_depth(band, reduction, reduction), rows = sums->rows / 4;
	if (!sums->vectors || sums->columns > 1 || (rows > 1 && !jam_loop(&trial, band, outside, rows)))
		return false;
	if (!split_sum(&trial, band, band->loop[reduction].iter, sums->vectors))
		return false;
	for (int d = reduction + 1; d < band->n; d++)
		draft_try(&trial, "unroll(%s)", draft_loop(&trial, band->loop[d].iter, band->label));
	*draft = trial;
	return true;
}

static bool dot_apply(struct draft *draft, const struct band *band, int choice)
{
	const struct sums *sums = &sums_menu[choice];
	struct draft trial = *draft;
	int reduction = reduction_depth(band), inner = outer_depth(band, band->n, reduction);
	int outer = outer_depth(band, inner, reduction);
	if (reduction < band->first)
		return written_out_apply(draft, band, reduction, sums);
	if (sums->columns > 1 && !sums->vectors && grid(draft, band, reduction, sums))
		return true;
	if (!turn(&trial, band, reduction))
		return false;
	if (sums->vectors && band->loop[reduction].trip < 2.0 * band->lanes * sums->vectors)
		return false;
	if (sums->columns > 1 && !jam_loop(&trial, band, outer, sums->columns))
		return false;
	if (sums->rows > 1 && !jam_loop(&trial, band, inner, sums->rows))
		return false;
	if (sums->vectors && !split_sum(&trial, band, band->loop[reduction].iter, sums->vectors))
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
