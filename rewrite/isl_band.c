#include "isl_band.h"

#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/options.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

/* Tiling under way: the sizes, and what was tiled. */
struct tiling {
	int n;
	const int64_t *size;
	int n_loops, first;
};

static const char *statement_name(const struct dependences *all, const struct placed *stmt, char name[16])
{
	snprintf(name, 16, "S%d", (int)(stmt - all->tree->placed));
	return name;
}

isl_set *band_domain(const struct dependences *all, int p)
{
	isl_set *set = isl_set_copy(all->tree->placed[p].domain);
	char name[16];

	set = isl_set_intersect_params(set, isl_set_params(isl_set_copy(all->tree->context)));
	return isl_set_set_tuple_name(set, statement_name(all, all->tree->placed + p, name));
}

static isl_union_set *named_domains(const struct dependences *all)
{
	isl_union_set *domains = isl_union_set_from_set(isl_set_empty(isl_space_copy(all->world->params)));

	for (int p = 0; p < all->tree->n; p++)
		domains = isl_union_set_union(domains, isl_union_set_from_set(band_domain(all, p)));
	return domains;
}

/* The dependences to keep, or the flow alone. */
static isl_union_map *named_dependences(const struct dependences *all, bool only_flow)
{
	isl_union_map *result = isl_union_map_empty(isl_space_copy(all->world->params));
	char name[16];

	for (int i = 0; i < all->n; i++) {
		const struct dependence *dependence = all->dependence + i;
		isl_map *map;

		if (dependence->is_exempt || (only_flow && !(dependence->kinds & DEPENDENCE_FLOW)))
			continue;
		map = isl_map_copy(dependence->map);
		map = isl_map_set_tuple_name(map, isl_dim_in, statement_name(all, dependence->from->stmt, name));
		map = isl_map_set_tuple_name(map, isl_dim_out, statement_name(all, dependence->to->stmt, name));
		result = isl_union_map_union(result, isl_union_map_from_map(map));
	}
	return isl_union_map_coalesce(result);
}

isl_schedule *band_schedule(const struct dependences *all)
{
	isl_union_map *kept = named_dependences(all, false);
	isl_schedule_constraints *constraints = isl_schedule_constraints_on_domain(named_domains(all));

	isl_options_set_schedule_maximize_band_depth(all->world->ctx, 1);
	constraints = isl_schedule_constraints_set_coincidence(constraints, isl_union_map_copy(kept));
	constraints = isl_schedule_constraints_set_validity(constraints, kept);
	constraints = isl_schedule_constraints_set_proximity(constraints, named_dependences(all, true));
	return isl_schedule_constraints_compute_schedule(constraints);
}

bool band_is_tileable(isl_schedule_node *node)
{
	return isl_schedule_node_get_type(node) == isl_schedule_node_band && isl_schedule_node_band_n_member(node) > 1 &&
	       isl_schedule_node_band_get_permutable(node) == isl_bool_true;
}

static bool has_tileable_ancestor(isl_schedule_node *node)
{
	isl_schedule_node *at = isl_schedule_node_copy(node);
	bool found = false;

	while (!found && isl_schedule_node_has_parent(at) == isl_bool_true) {
		at = isl_schedule_node_parent(at);
		found = band_is_tileable(at);
	}
	isl_schedule_node_free(at);
	return found;
}

static int64_t size_of(const struct tiling *tiling, int d)
{
	return tiling->size[d < tiling->n ? d : tiling->n - 1];
}

/* The dimensions of a band's code: "prefix" loops around, then "n" tile loops, then "n" point loops. */
struct layout {
	int prefix, n;
};

static isl_set *tiles_of(const struct layout *layout, isl_set *points)
{
	return isl_set_project_out(points, isl_dim_set, layout->prefix + layout->n, layout->n);
}

/* "set" (given) where coordinate "d" of the point lies within its tile. */
static isl_set *within_tile(const struct layout *layout, const struct tiling *tiling, isl_set *set, int d)
{
	const int tile = layout->prefix + d, point = tile + layout->n;

	for (int end = 0; end < 2; end++) {
		isl_local_space *space = isl_local_space_from_space(isl_set_get_space(set));
		isl_constraint *constraint = isl_constraint_alloc_inequality(space);

		constraint = isl_constraint_set_coefficient_si(constraint, isl_dim_set, point, end ? -1 : 1);
		constraint = isl_constraint_set_coefficient_si(constraint, isl_dim_set, tile, end ? 1 : -1);
		constraint = isl_constraint_set_constant_si(constraint, end ? (int)size_of(tiling, d) - 1 : 0);
		set = isl_set_add_constraint(set, constraint);
	}
	return set;
}

/* What "points" would be if the range of each coordinate did not depend on the others. */
static isl_set *bounding_box(const struct layout *layout, const struct tiling *tiling, isl_set *points)
{
	const int first = layout->prefix + layout->n;
	isl_set *box = isl_set_universe(isl_set_get_space(points));

	for (int d = 0; d < layout->n; d++) {
		isl_set *range = isl_set_copy(points);

		range = isl_set_project_out(range, isl_dim_set, first + d + 1, layout->n - d - 1);
		range = isl_set_project_out(range, isl_dim_set, layout->prefix, layout->n + d);
		range = isl_set_insert_dims(range, isl_dim_set, layout->prefix, layout->n + d);
		range = isl_set_insert_dims(range, isl_dim_set, first + d + 1, layout->n - d - 1);
		box = isl_set_intersect(box, isl_set_from_basic_set(isl_set_simple_hull(range)));
		box = within_tile(layout, tiling, box, d);
	}
	return box;
}

/* "tiles" (given), and those that would be among them at other sizes: so that tiles cut short at an end are like their
 * neighbours. */
static isl_set *at_any_size(isl_set *tiles)
{
	return isl_set_eliminate(tiles, isl_dim_param, 0, (unsigned)isl_set_dim(tiles, isl_dim_param));
}

/* A statement's part of a band: where its instances are ("map", to the dimensions of the code), the tiles that hold any, and those
 * that it fills. */
struct share {
	isl_map *map;
	isl_set *tiles, *full;
};

struct shares {
	struct layout layout;
	const struct tiling *tiling;
	int n;
	struct share *share;
};

static isl_stat add_share(isl_map *map, void *user)
{
	struct shares *shares = user;
	struct share *share = shares->share + shares->n++;
	isl_set *points = isl_map_range(isl_map_copy(map)), *missing;

	share->map = map;
	share->tiles = tiles_of(&shares->layout, isl_set_copy(points));
	missing = isl_set_subtract(bounding_box(&shares->layout, shares->tiling, points), points);
	share->full = isl_set_subtract(isl_set_copy(share->tiles), at_any_size(tiles_of(&shares->layout, missing)));
	return isl_stat_ok;
}

/* Whether as many loops as the code has are around the statement, so that none of them runs it at a single iteration. */
static bool is_deep(const struct shares *shares, int s)
{
	return isl_map_dim(shares->share[s].map, isl_dim_in) >= shares->layout.prefix + shares->layout.n;
}

/* The instances of share "s" in tiles that it fills and in which no other statement has any. */
static isl_union_set *instances_alone(const struct shares *shares, int s)
{
	isl_set *alone = isl_set_copy(shares->share[s].full);
	isl_map *map = isl_map_copy(shares->share[s].map);

	for (int i = 0; i < shares->n; i++) {
		isl_set *tiles = i == s ? NULL : isl_set_copy(shares->share[i].tiles);

		if (tiles)
			alone = isl_set_subtract(alone, is_deep(shares, i) ? at_any_size(tiles) : tiles);
	}
	alone = isl_set_add_dims(isl_set_coalesce(alone), isl_dim_set, shares->layout.n);
	return isl_union_set_from_set(isl_set_coalesce(isl_map_domain(isl_map_intersect_range(map, alone))));
}

/* The instances of each statement that fills tiles (and is in as many loops as these), then all the others. */
static isl_union_set_list *split_instances(const struct shares *shares, isl_union_set *all)
{
	isl_union_set_list *list = isl_union_set_list_alloc(isl_union_set_get_ctx(all), shares->n + 1);

	for (int s = 0; s < shares->n; s++) {
		isl_union_set *alone = instances_alone(shares, s);

		if (is_deep(shares, s) && isl_union_set_is_empty(alone) == isl_bool_false) {
			all = isl_union_set_subtract(all, isl_union_set_copy(alone));
			list = isl_union_set_list_add(list, alone);
		} else {
			isl_union_set_free(alone);
		}
	}
	return isl_union_set_list_add(list, all);
}

/* By the names of statements, so that the order does not depend on hashes. */
static int by_name(const void *a, const void *b)
{
	const struct share *left = a, *right = b;

	return strcmp(isl_map_get_tuple_name(left->map, isl_dim_in), isl_map_get_tuple_name(right->map, isl_dim_in));
}

/* "node", a tile band, with the instances in full tiles of their own apart from others within each tile. */
static isl_schedule_node *separate_full(isl_schedule_node *node, const struct tiling *tiling, int n)
{
	isl_schedule_node *inside = isl_schedule_node_child(isl_schedule_node_child(isl_schedule_node_copy(node), 0), 0);
	isl_union_set *all = isl_schedule_node_get_domain(inside);
	isl_union_map *prefix = isl_schedule_node_get_prefix_schedule_union_map(inside);
	struct shares shares = {
		.layout = { isl_schedule_node_get_schedule_depth(node), n },
		.tiling = tiling,
	};
	isl_union_set_list *list;

	isl_schedule_node_free(inside);
	prefix = isl_union_map_intersect_domain(prefix, isl_union_set_copy(all));
	shares.share = memory_alloc(sizeof(*shares.share) * (size_t)(isl_union_map_n_map(prefix) + 1));
	isl_union_map_foreach_map(prefix, add_share, &shares);
	isl_union_map_free(prefix);
	qsort(shares.share, (size_t)shares.n, sizeof(*shares.share), by_name);
	list = split_instances(&shares, all);
	for (int s = 0; s < shares.n; s++) {
		isl_map_free(shares.share[s].map);
		isl_set_free(shares.share[s].tiles);
		isl_set_free(shares.share[s].full);
	}
	free(shares.share);
	for (int d = 0; d < n; d++)
		node = isl_schedule_node_band_member_set_ast_loop_type(node, d, isl_ast_loop_separate);
	node = isl_schedule_node_insert_sequence(isl_schedule_node_child(node, 0), list);
	return isl_schedule_node_parent(node);
}

static isl_schedule_node *tile_node(isl_schedule_node *node, void *user)
{
	struct tiling *tiling = user;
	isl_multi_val *sizes;
	int n;

	if (!band_is_tileable(node) || has_tileable_ancestor(node))
		return node;
	n = isl_schedule_node_band_n_member(node);
	sizes = isl_multi_val_zero(isl_schedule_node_band_get_space(node));
	for (int d = 0; d < n; d++)
		sizes = isl_multi_val_set_val(
			sizes, d, isl_val_int_from_si(isl_schedule_node_get_ctx(node), size_of(tiling, d)));
	tiling->n_loops = n;
	tiling->first = isl_schedule_node_get_schedule_depth(node);
	return separate_full(isl_schedule_node_band_tile(node, sizes), tiling, n);
}

static void set_options(isl_ctx *ctx)
{
	isl_options_set_tile_scale_tile_loops(ctx, 1);
	isl_options_set_tile_shift_point_loops(ctx, 0);
	isl_options_set_ast_build_detect_min_max(ctx, 1);
}

isl_ast_node *band_ast(const struct dependences *dependences, int n, const int64_t *size, int *n_loops, int *first,
		       struct diag *why)
{
	isl_ctx *ctx = dependences->world->ctx;
	struct tiling tiling = { .n = n, .size = size };
	isl_schedule *schedule;
	isl_ast_build *build;
	isl_ast_node *ast = NULL;

	isl_ctx_reset_operations(ctx);
	isl_ctx_reset_error(ctx);
	set_options(ctx);
	schedule = isl_schedule_map_schedule_node_bottom_up(band_schedule(dependences), tile_node, &tiling);
	if (tiling.n_loops) {
		build = isl_ast_build_from_context(isl_set_params(isl_set_copy(dependences->tree->context)));
		ast = isl_ast_build_node_from_schedule(build, isl_schedule_copy(schedule));
		isl_ast_build_free(build);
	}
	isl_schedule_free(schedule);
	if (isl_ctx_last_error(ctx) != isl_error_none) {
		diag_set(why, EXIT_INPUT, "a new order of %s is too complex to compute", dependences->nest->name);
		ast = isl_ast_node_free(ast);
	} else if (!ast) {
		diag_set(why, EXIT_INPUT, "no two loops of %s can be tiled together", dependences->nest->name);
	}
	*n_loops = tiling.n_loops;
	*first = tiling.first;
	return ast;
}
