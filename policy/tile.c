#include "tile.h"

#include <string.h>

/* Tile the loop with iterator "iter" and return the iterator of the tile loop; NULL when that is refused or when the loop
 * has no more than "size" iterations. */
static const char *tile_one(struct draft *draft, const char *iter, int label, int size)
{
	if (size < 2 || !draft_try(draft, "tile(%s:%d)", draft_loop(draft, iter, label), size))
		return NULL;
	return draft_parent(draft, iter, label);
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
	loops = draft_add_loop(draft, loops, p->reduction_tile, label);
	if (!tiling->rows_outside)
		loops = draft_add_loop(draft, loops, p->column_tile, label);
	for (int d = band->first; d < band->n; d++)
		if (d != roles->row && d != roles->column && !band->loop[d].reduces)
			loops = draft_add_loop(draft, loops, band->loop[d].iter, label);
	loops = draft_add_loop(draft, loops, row_tile, label);
	if (tiling->rows_outside)
		loops = draft_add_loop(draft, loops, p->column_tile, label);
	for (int i = 0; i < roles->n_reduction; i++)
		loops = draft_add_loop(draft, loops, band->loop[roles->reduction[i]].iter, label);
	if (p->rows > 1)
		loops = draft_add_loop(draft, loops, p->row, label);
	return draft_add_loop(draft, loops, p->column, label);
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

/* The arrays to pack: those that must be, or the one that rows share. */
static int arrays_to_pack(const struct band *band, const struct roles *roles, const struct var **var)
{
	const struct access_shape *access;
	for (int i = 0; i < roles->n_packed; i++)
		var[i] = roles->packed[i];
	if (roles->n_packed || roles->row < 0)
		return roles->n_packed;
	access = roles_shared_load(band, roles->row, roles->column);
	var[0] = access ? access->ref->var : NULL;
	return access && !access->ref->var->is_written;
}

/* The iterator of the loop that stands at "depth" around the statement "label"; NULL when there are fewer. */
static const char *iter_at(const struct draft *draft, int label, int depth)
{
	const struct shape *shape = draft->shape;
	const struct stmt_shape *stmt = &shape->stmt[shape_find_stmt(shape, label)];
	return depth < stmt->depth ? shape->loop[stmt->loop[depth]].node->iter->name : NULL;
}

static int depth_of(const struct draft *draft, int label, const char *iter)
{
	int depth = 0;
	while (iter_at(draft, label, depth) && strcmp(iter_at(draft, label, depth), iter) != 0)
		depth++;
	return depth;
}

/* Copy "var" once per column tile, or all of it before the loops of the band when there is one column tile, rows run outside
 * columns or that is refused, laid out as the tile reads it. */
static bool pack_array(struct draft *draft, const struct band *band, const struct roles *roles, const struct pieces *p,
		       const struct var *var, bool rows_outside)
{
	int label = band->label, column_depth = p->column_tile ? depth_of(draft, label, p->column_tile) : -1;
	const char *inside = column_depth < 0 ? NULL : iter_at(draft, label, column_depth + 1);
	const char *outermost = iter_at(draft, label, band->first), *whole, *layout = "";
	const char *panels = draft_add_loop(draft, "", p->column_tile, label);
	panels = draft_add_loop(draft, panels, p->reduction_tile, label);
	for (int i = 0; i < roles->n_reduction; i++)
		layout = draft_add_loop(draft, layout, band->loop[roles->reduction[i]].iter, label);
	layout = draft_add_loop(draft, layout, p->column, label);
	whole = arena_printf(draft->arena, "pack(%s, %s, [%s%s%s])", var->name, draft_loop(draft, outermost, label), panels,
			     *panels ? ", " : "", layout);
	if (!inside || rows_outside)
		return draft_try(draft, "%s", whole);
	return draft_try(draft, "pack(%s, %s, [%s])", var->name, draft_loop(draft, inside, label), layout) ||
	       draft_try(draft, "%s", whole);
}

static bool pack_columns(struct draft *draft, const struct band *band, const struct roles *roles, const struct pieces *p,
			 bool rows_outside)
{
	const struct var *var[ROLES_PACKED];
	int n = arrays_to_pack(band, roles, var);
	for (int i = 0; i < n; i++)
		if (!pack_array(draft, band, roles, p, var[i], rows_outside))
			return false;
	return n > 0;
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
	p->rows = tiling->rows;
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
	if ((tiling->is_packed || roles->n_packed) && !pack_columns(&trial, band, roles, &p, tiling->rows_outside))
		return false;
	reduction = draft_loop(&trial, p.reduction, label);
	if (!draft_try(&trial, "promote(%s, %s)", accumulator(&trial, label)->name, reduction) && band->stmt->private_depth == 0)
		return false;
	if (!mark_tile(&trial, band, &p))
		return false;
	*draft = trial;
	return true;
}

/* Let the last of the tiles that the loop "iter" was cut into begin earlier instead of being cut short. */
static void step_back(struct draft *draft, const struct band *band, const char *iter)
{
	const struct shape *shape = draft->shape;
	const struct stmt_shape *stmt = &shape->stmt[shape_find_stmt(shape, band->label)];
	const struct node *point = NULL;
	for (int d = stmt->depth - 1; iter && d >= 0; d--) {
		const struct node *loop = shape->loop[stmt->loop[d]].node;
		if (!point && strcmp(loop->iter->name, iter) == 0)
			point = loop;
		else if (point && expr_uses(point->lo, loop->iter)) {
			draft_try(draft, "edge(%s, back)", draft_loop(draft, loop->iter->name, band->label));
			return;
		}
	}
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
	p.column_tile = draft_parent(&trial, p.column, band->label);
	if (roles->n_packed && !pack_columns(&trial, band, roles, &p, false))
		return false;
	if (p.lanes > 1 && !draft_try(&trial, "vectorize(%s:%d)", draft_loop(&trial, p.column, band->label), p.lanes))
		return false;
	step_back(&trial, band, p.row);
	step_back(&trial, band, p.column);
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

bool tile_steps_back(const struct band *band, const struct roles *roles)
{
	return !is_perfect(band, roles);
}

bool tile_roles(struct draft *draft, const struct band *band, const struct roles *roles, const struct tiling *tiling)
{
	return is_perfect(band, roles) ? tile_apply(draft, band, roles, tiling) : jam_apply(draft, band, roles, tiling);
}
