#include <string.h>

#include "menu.h"
#include "rewriting.h"

/* The parts of a contraction's loops, as depths of the band: "column" is the loop along which vectors lie, "row" another
 * that reuses what moves along columns (-1 for none), and the reductions. "packed" is the array whose rows are not
 * contiguous along the columns and must be copied, NULL for none. */
struct roles {
	int column, row;
	int n_reduction, reduction[SHAPE_DEPTH];
	const struct var *packed;
};

/* One way to tile: "rows" x "vectors" accumulators; reductions in blocks of "depth" steps (0: whole); copy what moves along
 * the columns; columns outside rows or the reverse. */
struct tiling {
	int rows, vectors, depth;
	bool is_packed, rows_outside;
};

/* For 32 vector registers and for 16. */
static const struct tiling wide_tilings[] = {
	{ 8, 2, 0, false, false }, { 8, 2, 0, true, false }, { 6, 4, 0, false, false }, { 8, 3, 0, true, false },
	{ 8, 2, 256, true, false }, { 4, 4, 0, false, false }, { 8, 2, 256, false, true }, { 4, 2, 0, false, false },
	{ 4, 1, 0, false, false }, { 12, 2, 0, false, false },
};
static const struct tiling narrow_tilings[] = {
	{ 4, 2, 0, false, false }, { 4, 2, 0, true, false }, { 6, 2, 0, false, false }, { 4, 3, 0, true, false },
	{ 4, 2, 256, true, false }, { 2, 4, 0, false, false }, { 4, 2, 256, false, true }, { 4, 1, 0, false, false },
};

static const struct access_shape *load_that_stands(const struct band *band, int row, int column)
{
	for (int a = 0; a < band->stmt->n_access; a++) {
		const struct access_shape *access = &band->stmt->access[a];
		if (!access->is_write && access->stride[row] == 0 && access->stride[column] != 0)
			return access;
	}
	return NULL;
}

/* Whether rows of a tile share what moves along "column", and columns what moves along "row". */
static bool is_row(const struct band *band, int row, int column)
{
	return row != column && !band->loop[row].reduces && band->loop[row].trip >= 2 && load_that_stands(band, row, column) &&
	       load_that_stands(band, column, row);
}

/* The one array that keeps "column" from being unit: read only, and moving along a reduction by one. */
static const struct var *array_to_pack(const struct band *band, int column)
{
	const struct var *found = NULL;
	for (int a = 0; a < band->stmt->n_access; a++) {
		const struct access_shape *access = &band->stmt->access[a];
		int64_t stride = access->stride[column];
		if (stride == 0 || stride == 1)
			continue;
		if (access->is_write || stride == STRIDE_UNKNOWN || access->ref->var->is_written ||
		    (found && found != access->ref->var))
			return NULL;
		found = access->ref->var;
	}
	return found;
}

/* The deepest loop whose lanes make whole vectors; when there is none, the deepest that would if one array were packed and
 * that has rows to amortise the packing. */
static bool find_column(const struct band *band, struct roles *roles)
{
	for (int d = band->n - 1; d >= 0; d--)
		if (!band->loop[d].reduces && band->loop[d].is_unit && band->loop[d].trip >= band->lanes) {
			roles->column = d;
			return true;
		}
	for (int d = band->n - 1; d >= 0; d--) {
		roles->packed = array_to_pack(band, d);
		if (!band->loop[d].reduces && band->loop[d].is_store_unit && roles->packed && band->loop[d].trip >= band->lanes) {
			roles->column = d;
			return true;
		}
	}
	return false;
}

/* The loop with the most reuse and iterations to be rows. */
static int find_row(const struct band *band, int column)
{
	int best = -1;
	for (int d = band->n - 1; d >= 0; d--)
		if (is_row(band, d, column) && (best < 0 || band->loop[d].reuse > band->loop[best].reuse))
			best = d;
	return best;
}

static bool find_roles(const struct band *band, struct roles *roles)
{
	*roles = (struct roles){ .row = -1 };
	for (int d = 0; d < band->n; d++)
		if (band->loop[d].reduces && band->loop[d].trip > 1)
			roles->reduction[roles->n_reduction++] = d;
	if (!band->stmt->accumulates || roles->n_reduction == 0 || !find_column(band, roles))
		return false;
	roles->row = find_row(band, roles->column);
	return roles->row >= 0 || !roles->packed;
}

static bool contraction_matches(const struct draft *draft, const struct band *band)
{
	struct roles roles;
	(void)draft;
	return find_roles(band, &roles) && roles.row >= 0;
}

static const struct tiling *tilings(const struct draft *draft, int *n)
{
	bool is_wide = draft->task->target->vector_bytes >= 64;
	*n = is_wide ? (int)(sizeof wide_tilings / sizeof *wide_tilings) : (int)(sizeof narrow_tilings / sizeof *narrow_tilings);
	return is_wide ? wide_tilings : narrow_tilings;
}

static int contraction_choices(const struct draft *draft, const struct band *band)
{
	int n;
	(void)band;
	tilings(draft, &n);
	return n;
}

/* Append the loop with iterator "iter" around "label" to the list "loops". */
static const char *add_loop(const struct draft *draft, const char *loops, const char *iter, int label)
{
	const char *name = iter ? draft_loop(draft, iter, label) : NULL;
	if (!name)
		return loops;
	return *loops ? arena_printf(draft->arena, "%s, %s", loops, name) : name;
}

/* The iterator of the loop directly around that of "iter" at "label". */
static const char *parent_iter(const struct draft *draft, const char *iter, int label)
{
	const struct shape *shape = draft->shape;
	const struct stmt_shape *stmt = &shape->stmt[shape_find_stmt(shape, label)];
	for (int d = 1; d < stmt->depth; d++)
		if (strcmp(shape->loop[stmt->loop[d]].node->iter->name, iter) == 0)
			return shape->loop[stmt->loop[d - 1]].node->iter->name;
	return NULL;
}

/* Tile the loop with iterator "iter" and return the iterator of the tile loop; NULL when that is refused or when the loop
 * has no more than "size" iterations. */
static const char *tile_one(struct draft *draft, const char *iter, int label, int size)
{
	if (size < 2 || !draft_try(draft, "tile(%s:%d)", draft_loop(draft, iter, label), size))
		return NULL;
	return parent_iter(draft, iter, label);
}

/* What a register tile is made of, by iterators; NULL for what there is not. */
struct pieces {
	const char *row, *row_tile, *column, *column_tile, *reduction, *reduction_tile;
	int rows, columns, lanes;
};

/* The order from the outside in: loops that play no part, tile loops, reductions, rows, columns. */
static const char *tile_order(const struct draft *draft, const struct band *band, const struct roles *roles,
			      const struct tiling *tiling, const struct pieces *p)
{
	const char *loops = "", *row_tile = p->row_tile ? p->row_tile : p->rows == 1 ? p->row : NULL;
	int label = band->label;
	loops = add_loop(draft, loops, p->reduction_tile, label);
	if (!tiling->rows_outside)
		loops = add_loop(draft, loops, p->column_tile, label);
	for (int d = band->first; d < band->n; d++)
		if (d != roles->row && d != roles->column && !band->loop[d].reduces)
			loops = add_loop(draft, loops, band->loop[d].iter, label);
	loops = add_loop(draft, loops, row_tile, label);
	if (tiling->rows_outside)
		loops = add_loop(draft, loops, p->column_tile, label);
	for (int i = 0; i < roles->n_reduction; i++)
		if (roles->reduction[i] >= band->first)
			loops = add_loop(draft, loops, band->loop[roles->reduction[i]].iter, label);
	if (p->rows > 1)
		loops = add_loop(draft, loops, p->row, label);
	return add_loop(draft, loops, p->column, label);
}

static const struct var *accumulator(const struct draft *draft, int label)
{
	const struct stmt_shape *stmt = &draft->shape->stmt[shape_find_stmt(draft->shape, label)];
	return stmt->node->target->var;
}

/* Mark the point loops: vectors along columns, both written out. */
static bool mark_tile(struct draft *draft, const struct band *band, const struct pieces *p)
{
	const char *column = draft_loop(draft, p->column, band->label);
	if (p->lanes > 1 && !draft_try(draft, "vectorize(%s:%d)", column, p->lanes))
		return false;
	if (p->columns > p->lanes)
		draft_try(draft, "unroll(%s)", column);
	if (p->rows > 1)
		draft_try(draft, "unroll(%s)", draft_loop(draft, p->row, band->label));
	return true;
}

/* The name of the array behind the loads that move along the columns by one and that rows share. */
static const struct var *shared_array(const struct band *band, const struct roles *roles)
{
	const struct access_shape *access;
	if (roles->packed || roles->row < 0)
		return roles->packed;
	access = load_that_stands(band, roles->row, roles->column);
	return access && !access->ref->var->is_written ? access->ref->var : NULL;
}

/* Copy the shared array once per column tile, laid out as the tile reads it. */
static bool pack_columns(struct draft *draft, const struct band *band, const struct roles *roles, const struct pieces *p)
{
	const struct var *var = shared_array(band, roles);
	const char *layout = "";
	if (!var || !p->column_tile)
		return false;
	for (int i = 0; i < roles->n_reduction; i++)
		layout = add_loop(draft, layout, band->loop[roles->reduction[i]].iter, band->label);
	layout = add_loop(draft, layout, p->column, band->label);
	return draft_try(draft, "pack(%s, %s, [%s])", var->name, draft_loop(draft, p->column_tile, band->label), layout);
}

/* Cut the tile to what the loops have. */
static void cut_tile(const struct band *band, const struct roles *roles, const struct tiling *tiling, struct pieces *p)
{
	double columns = band->loop[roles->column].trip;
	int vectors = tiling->vectors;
	p->lanes = band->lanes;
	while (vectors > 1 && vectors * p->lanes > columns)
		vectors--;
	p->columns = vectors * p->lanes;
	p->rows = roles->row < 0 ? 1 : menu_divisor(band->loop[roles->row].trip, tiling->rows);
}

static bool tile_apply(struct draft *draft, const struct band *band, const struct roles *roles, const struct tiling *tiling)
{
	struct draft trial = *draft;
	int label = band->label, outer = roles->reduction[0];
	struct pieces p = { .column = band->loop[roles->column].iter, .reduction = band->loop[outer].iter };
	const char *loops, *reduction;
	cut_tile(band, roles, tiling, &p);
	if (roles->row >= 0)
		p.row = band->loop[roles->row].iter;
	if (tiling->depth && band->loop[outer].trip > 1.5 * tiling->depth)
		p.reduction_tile = tile_one(&trial, p.reduction, label, tiling->depth);
	if (p.rows > 1 && band->loop[roles->row].trip > p.rows)
		p.row_tile = tile_one(&trial, p.row, label, p.rows);
	if (p.columns > 1 && band->loop[roles->column].trip > p.columns)
		p.column_tile = tile_one(&trial, p.column, label, p.columns);
	loops = tile_order(&trial, band, roles, tiling, &p);
	if (!draft_try(&trial, "order(%s)", loops))
		return false;
	if ((tiling->is_packed || roles->packed) && !pack_columns(&trial, band, roles, &p))
		return false;
	reduction = draft_loop(&trial, p.reduction, label);
	if (!draft_try(&trial, "promote(%s, %s)", accumulator(&trial, label)->name, reduction) && band->stmt->private_depth == 0)
		return false;
	if (!mark_tile(&trial, band, &p))
		return false;
	*draft = trial;
	return true;
}

/* Where loops do not nest perfectly (a local accumulator is set before and stored after the sum): run rows and columns
 * together, which carries the statements around the sum along. */
static bool jam_apply(struct draft *draft, const struct band *band, const struct roles *roles, const struct tiling *tiling)
{
	struct draft trial = *draft;
	struct pieces p = { .column = band->loop[roles->column].iter };
	cut_tile(band, roles, tiling, &p);
	if (roles->row >= 0 && p.rows > 1) {
		p.row = band->loop[roles->row].iter;
		if (!draft_try(&trial, "jam(%s:%d)", draft_loop(&trial, p.row, band->label), p.rows))
			return false;
	}
	if (!draft_try(&trial, "jam(%s:%d)", draft_loop(&trial, p.column, band->label), p.columns))
		return false;
	p.column_tile = parent_iter(&trial, p.column, band->label);
	if (roles->packed && !pack_columns(&trial, band, roles, &p))
		return false;
	if (p.lanes > 1 && !draft_try(&trial, "vectorize(%s:%d)", draft_loop(&trial, p.column, band->label), p.lanes))
		return false;
	*draft = trial;
	return true;
}

static bool is_perfect(const struct band *band, const struct roles *roles)
{
	int outermost = roles->column;
	if (roles->row >= 0 && roles->row < outermost)
		outermost = roles->row;
	if (roles->reduction[0] < outermost)
		outermost = roles->reduction[0];
	return outermost >= band->first;
}

static bool roles_apply(struct draft *draft, const struct band *band, const struct roles *roles, const struct tiling *tiling)
{
	return is_perfect(band, roles) ? tile_apply(draft, band, roles, tiling) : jam_apply(draft, band, roles, tiling);
}

static bool contraction_apply(struct draft *draft, const struct band *band, int choice)
{
	struct roles roles;
	int n;
	const struct tiling *tiling = tilings(draft, &n);
	return find_roles(band, &roles) && choice < n && roles_apply(draft, band, &roles, &tiling[choice]);
}

const struct rewriting rewriting_contraction = {
	.name = "contraction",
	.matches = contraction_matches,
	.choices = contraction_choices,
	.apply = contraction_apply,
};

/* ---- sums into a vector, without rows ---- */

static bool columns_matches(const struct draft *draft, const struct band *band)
{
	struct roles roles;
	(void)draft;
	return find_roles(band, &roles) && roles.row < 0;
}

enum { COLUMNS_CHOICES = 6 };

static int columns_choices(const struct draft *draft, const struct band *band)
{
	(void)draft;
	(void)band;
	return COLUMNS_CHOICES;
}

/* Walk the rows of memory, "jam" of them together (1: singly), each adding to the whole vector. */
static bool sweep_apply(struct draft *draft, const struct band *band, const struct roles *roles, int jam)
{
	struct draft trial = *draft;
	const char *column = band->loop[roles->column].iter, *loops = "";
	const char *reduction = band->loop[roles->reduction[roles->n_reduction - 1]].iter;
	for (int d = band->first; d < band->n; d++)
		if (d != roles->column)
			loops = add_loop(&trial, loops, band->loop[d].iter, band->label);
	loops = add_loop(&trial, loops, column, band->label);
	if (roles->column != band->n - 1 && !draft_try(&trial, "order(%s)", loops))
		return false;
	if (jam > 1 && !draft_try(&trial, "jam(%s:%d)", draft_loop(&trial, reduction, band->label), jam))
		return false;
	if (band->lanes > 1 && !draft_try(&trial, "vectorize(%s:%d)", draft_loop(&trial, column, band->label), band->lanes))
		return false;
	*draft = trial;
	return true;
}

/* Whether what the band reads in all outgrows the second-level cache, so that walking memory in order matters more than
 * keeping sums in registers. */
static bool is_streaming(const struct draft *draft, const struct band *band)
{
	double bytes = band->element_size;
	size_t l2 = draft->task->machine && draft->task->machine->l2 ? draft->task->machine->l2 : 1 << 20;
	for (int d = band->first; d < band->n; d++)
		if (band->loop[d].reuse < band->stmt->n_access - 1)
			bytes *= band->loop[d].trip;
	return bytes > (double)l2;
}

static bool columns_apply(struct draft *draft, const struct band *band, int choice)
{
	static const struct tiling wide = { .rows = 1, .vectors = 8 }, narrow = { .rows = 1, .vectors = 4 };
	struct roles roles;
	if (!find_roles(band, &roles))
		return false;
	if (!is_streaming(draft, band))
		choice = (choice + 2) % COLUMNS_CHOICES;
	switch (choice) {
	case 0:
		return sweep_apply(draft, band, &roles, 4);
	case 1:
		return sweep_apply(draft, band, &roles, 8);
	case 2:
		return roles_apply(draft, band, &roles, &wide);
	case 3:
		return roles_apply(draft, band, &roles, &narrow);
	case 4:
		return sweep_apply(draft, band, &roles, 1);
	default:
		return sweep_apply(draft, band, &roles, 2);
	}
}

const struct rewriting rewriting_columns = {
	.name = "columns",
	.matches = columns_matches,
	.choices = columns_choices,
	.apply = columns_apply,
};
