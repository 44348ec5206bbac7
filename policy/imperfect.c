#include <string.h>

#include "rewriting.h"
#include "tile.h"

/* Sums into a row whose loops do not nest perfectly: a local is set between the reduction and the loop along the row.
 *   column, reduction, row   depths; row is -1 when no loop shares what moves along the columns */
struct parts {
	int column, reduction, row;
};

/* One way: the reduction in blocks of "block" steps (0: whole), "rows" and "steps" of the reduction jammed, and "vectors" of sums
 * in registers (0: sums stay in memory). */
static const struct way {
	int block, rows, steps, vectors;
} ways[] = {
	{ 64, 4, 1, 4 }, { 64, 8, 1, 2 }, { 64, 4, 4, 0 }, { 0, 4, 4, 0 }, { 0, 8, 1, 0 }, { 32, 8, 1, 3 }, { 128, 4, 1, 4 },
	{ 0, 1, 4, 0 }, { 0, 4, 1, 0 }, { 0, 1, 8, 0 }, { 64, 6, 1, 4 }, { 0, 1, 1, 0 },
};

static bool moves_and_stands(const struct band *band, int row, int column)
{
	return !band->loop[row].reduces && band->loop[row].trip >= 4 && roles_shared_load(band, row, column) != NULL;
}

static bool find_parts(const struct band *band, struct parts *parts)
{
	*parts = (struct parts){ .column = band->n - 1, .reduction = -1, .row = -1 };
	for (int d = band->first - 1; d >= 0; d--) {
		if (parts->reduction < 0 && band->loop[d].reduces && band->loop[d].trip > 1)
			parts->reduction = d;
		if (parts->row < 0 && moves_and_stands(band, d, parts->column))
			parts->row = d;
	}
	return parts->reduction >= 0 && band->stmt->accumulates && band->first == parts->column &&
	       band->loop[parts->column].is_unit && !band->loop[parts->column].reduces &&
	       band->loop[parts->column].trip >= band->lanes;
}

static bool imperfect_matches(const struct draft *draft, const struct band *band)
{
	struct parts parts;
	(void)draft;
	return find_parts(band, &parts);
}

static int imperfect_choices(const struct draft *draft, const struct band *band)
{
	(void)draft;
	(void)band;
	return (int)(sizeof ways / sizeof *ways);
}

static const struct node *loop_node(const struct draft *draft, const char *iter, int label)
{
	const struct shape *shape = draft->shape;
	const struct stmt_shape *stmt = &shape->stmt[shape_find_stmt(shape, label)];
	for (int d = 0; d < stmt->depth; d++)
		if (strcmp(shape->loop[stmt->loop[d]].node->iter->name, iter) == 0)
			return shape->loop[stmt->loop[d]].node;
	return NULL;
}

/* Give each iteration of the reduction its own locals and take its statements apart. */
static bool take_apart(struct draft *draft, const char *iter, int label)
{
	const struct node *node = loop_node(draft, iter, label);
	for (int i = 0; i < node->body.n; i++) {
		const struct node *child = node->body.node[i];
		if (child->kind == NODE_STMT && child->declares && !draft_try(draft, "privatize(%s)", child->target->var->name))
			return false;
	}
	return draft_try(draft, "distribute(%s)", draft_loop(draft, iter, label));
}

/* Put the loops that reduce outside the others, of those from the outermost to that of "last" that nest perfectly: what a block
 * of the reduction loads is then used by all rows. */
static void blocks_outside(struct draft *draft, int label, const char *last)
{
	struct band band;
	const char *outside = "", *inside = "";
	if (!band_find(draft, label, &band))
		return;
	for (int d = 0; d < band.n; d++) {
		const char **loops = band.loop[d].reduces ? &outside : &inside;
		*loops = draft_add_loop(draft, *loops, band.loop[d].iter, label);
		if (strcmp(band.loop[d].iter, last) == 0)
			break;
	}
	if (*outside && *inside)
		draft_try(draft, "order(%s, %s)", outside, inside);
}

static bool jam(struct draft *draft, const char *iter, int label, int size)
{
	return size < 2 || draft_try(draft, "jam(%s:%d)", draft_loop(draft, iter, label), size);
}

/* Keep the sums of a few vectors in registers while the block of the reduction runs. */
static bool hold_sums(struct draft *draft, const struct band *band, const struct parts *parts, int columns)
{
	const char *column = band->loop[parts->column].iter, *reduction = band->loop[parts->reduction].iter, *loops = "";
	const struct var *sums = band->stmt->node->target->var;
	int label = band->label;
	if (!draft_try(draft, "tile(%s:%d)", draft_loop(draft, column, label), columns))
		return false;
	loops = draft_add_loop(draft, loops, draft_parent(draft, column, label), label);
	loops = draft_add_loop(draft, loops, reduction, label);
	if (parts->row >= 0)
		loops = draft_add_loop(draft, loops, band->loop[parts->row].iter, label);
	loops = draft_add_loop(draft, loops, column, label);
	return draft_try(draft, "order(%s)", loops) &&
	       draft_try(draft, "promote(%s, %s)", sums->name, draft_loop(draft, reduction, label));
}

static bool vectorize(struct draft *draft, const struct band *band, const char *column, bool is_tiled)
{
	const char *loop = draft_loop(draft, column, band->label);
	if (band->lanes > 1 && !draft_try(draft, "vectorize(%s:%d)", loop, band->lanes))
		return false;
	if (is_tiled)
		draft_try(draft, "unroll(%s)", loop);
	return true;
}

static bool imperfect_apply(struct draft *draft, const struct band *band, int choice)
{
	const struct way *way = &ways[choice];
	struct draft trial = *draft;
	struct parts parts;
	const char *reduction, *column;
	int label = band->label;
	if (!find_parts(band, &parts) || (way->rows > 1 && parts.row < 0))
		return false;
	reduction = band->loop[parts.reduction].iter;
	column = band->loop[parts.column].iter;
	if (way->block && band->loop[parts.reduction].trip >= way->block) {
		if (!draft_try(&trial, "tile(%s:%d)", draft_loop(&trial, reduction, label), way->block))
			return false;
	}
	if (way->vectors && !take_apart(&trial, reduction, label))
		return false;
	if (way->rows > 1 && !jam(&trial, band->loop[parts.row].iter, label, way->rows))
		return false;
	if (way->block && band->loop[parts.reduction].trip >= way->block)
		blocks_outside(&trial, label, draft_parent(&trial, reduction, label));
	if (!jam(&trial, reduction, label, way->steps))
		return false;
	if (way->vectors && !hold_sums(&trial, band, &parts, way->vectors * band->lanes))
		return false;
	if (!vectorize(&trial, band, column, way->vectors > 0))
		return false;
	*draft = trial;
	return true;
}

const struct rewriting rewriting_imperfect = {
	.name = "imperfect",
	.matches = imperfect_matches,
	.choices = imperfect_choices,
	.apply = imperfect_apply,
};
