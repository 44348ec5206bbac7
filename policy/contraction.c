#include "rewriting.h"
#include "tile.h"

/* Vector registers that a target has, by the width of its vectors. */
enum { REGISTERS_WIDE = 31, REGISTERS_NARROW = 16, ROWS_MAX = 14, VECTORS_MAX = 8, SHAPES_MAX = 64 };

static bool contraction_matches(const struct draft *draft, const struct band *band)
{
	struct roles roles;
	(void)draft;
	return roles_find(band, &roles) && roles.row >= 0;
}

static bool count_products(struct expr *expr, void *context)
{
	*(int *)context += expr->kind == EXPR_OP && expr->op == OP_MUL;
	return true;
}

/* Whether what moves along the rows is more than a load: it is computed and broadcast in registers for each row, where a load
 * would be broadcast on its way. */
static bool is_scaled(const struct band *band)
{
	int products = 0;
	expr_walk(band->stmt->node->value, count_products, &products);
	return products > 1;
}

/* The part of "trip" that a tile of "size" leaves over. */
static double tail_share(double trip, int size)
{
	double tail = trip - size * (double)(long long)(trip / size);
	return trip > 0 ? tail / trip : 0;
}

/* How much work there is with tiles that step back, of that without. */
static double repeated_share(double trip, int size)
{
	double tail = tail_share(trip, size);
	return tail > 0 ? 1 - tail + size / trip : 1;
}

/* What a multiply-add costs in a tile of "rows" x "vectors", relative to the others: half a cycle for itself; what a row's value
 * costs to broadcast, which all vectors share; what loading a vector of the columns costs, which all rows share; tails cost six
 * times as much, unless tiles step back. The weights were fitted to matrix products on a machine with two vector units of 64 bytes. */
static double tile_cost(const struct band *band, const struct roles *roles, int rows, int vectors)
{
	double cost = 0.5 + (is_scaled(band) ? 1.3 : 1.0) / vectors + 2.0 / rows;
	double row = band->loop[roles->row].trip, column = band->loop[roles->column].trip;
	int columns = vectors * band->lanes;
	if (tile_steps_back(band, roles))
		return cost * repeated_share(row, rows) * repeated_share(column, columns);
	return cost * (1 + 6 * tail_share(column, columns) + 6 * tail_share(row, rows));
}

/* The register tiles that fit, cheapest first; return their number. */
static int rank_tiles(const struct draft *draft, const struct band *band, const struct roles *roles, struct tiling *tiling)
{
	int registers = draft->task->target->vector_bytes >= 64 ? REGISTERS_WIDE : REGISTERS_NARROW, n = 0;
	double cost[SHAPES_MAX];
	for (int rows = 2; rows <= ROWS_MAX && rows <= band->loop[roles->row].trip; rows++)
		for (int vectors = 1; vectors <= VECTORS_MAX; vectors++) {
			double here = tile_cost(band, roles, rows, vectors);
			int at;
			if (rows * vectors < 8 || (rows + 1) * vectors + 1 > registers || n == SHAPES_MAX ||
			    vectors * band->lanes > band->loop[roles->column].trip)
				continue;
			for (at = n++; at > 0 && cost[at - 1] > here; at--) {
				cost[at] = cost[at - 1];
				tiling[at] = tiling[at - 1];
			}
			cost[at] = here;
			tiling[at] = (struct tiling){ .rows = rows, .vectors = vectors };
		}
	return n;
}

/* One way beyond the shape of the tile, which comes from the ranking: the reduction in blocks of "depth" steps (0: whole),
 * columns packed, rows outside columns. */
static const struct way {
	int rank, depth;
	bool is_packed, rows_outside;
} ways[] = {
	{ 0, 0, false, false }, { 1, 0, false, false }, { 0, 0, true, false }, { 2, 0, false, false }, { 0, 256, false, false },
	{ 0, 256, true, false }, { 0, 0, false, true }, { 3, 0, false, false }, { 4, 0, false, false }, { 0, 256, false, true },
	{ 0, 0, true, true }, { 6, 0, false, false }, { 9, 0, false, false },
};

static int contraction_choices(const struct draft *draft, const struct band *band)
{
	(void)draft;
	(void)band;
	return (int)(sizeof ways / sizeof *ways);
}

static bool contraction_apply(struct draft *draft, const struct band *band, int choice)
{
	const struct way *way = &ways[choice];
	struct tiling tiling[SHAPES_MAX];
	struct roles roles;
	if (!roles_find(band, &roles) || way->rank >= rank_tiles(draft, band, &roles, tiling))
		return false;
	tiling[way->rank].depth = way->depth;
	tiling[way->rank].is_packed = way->is_packed;
	tiling[way->rank].rows_outside = way->rows_outside;
	return tile_roles(draft, band, &roles, &tiling[way->rank]);
}

const struct rewriting rewriting_contraction = {
	.name = "contraction",
	.matches = contraction_matches,
	.choices = contraction_choices,
	.apply = contraction_apply,
};
