#include "isl_skew.h"

#include <isl/ast_build.h>
#include <isl/options.h>
#include <isl/schedule_node.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>

#include "isl_band.h"

/* The first two dimensions of isl's schedule; "column" is the third plus the first, NULL where turns are taken over rows. */
struct skewing {
	isl_union_pw_aff *time, *row, *column;
};

/* The band that is the root of the schedule, if it can be tiled; else NULL. */
static isl_schedule_node *root_band(isl_schedule *schedule)
{
	isl_schedule_node *node = isl_schedule_node_child(isl_schedule_get_root(schedule), 0);

	return band_is_tileable(node) ? node : isl_schedule_node_free(node);
}

/* The distance of any dependence along each dimension of a band is not negative, so that along a sum of two it is positive where it
 * is along one of them: instances of different steps that meet in one row and column do not depend on each other. */
static bool find_skewing(const struct dependences *all, bool by_column, struct skewing *skewing)
{
	isl_schedule *schedule = band_schedule(all);
	isl_schedule_node *node = root_band(schedule);
	isl_multi_union_pw_aff *partial = node ? isl_schedule_node_band_get_partial_schedule(node) : NULL;
	const bool is_deep = partial && isl_multi_union_pw_aff_size(partial) > 1 + by_column;

	if (is_deep) {
		skewing->time = isl_multi_union_pw_aff_get_union_pw_aff(partial, 0);
		skewing->row = isl_multi_union_pw_aff_get_union_pw_aff(partial, 1);
	}
	if (is_deep && by_column)
		skewing->column = isl_union_pw_aff_add(isl_multi_union_pw_aff_get_union_pw_aff(partial, 2),
						       isl_union_pw_aff_copy(skewing->time));
	isl_multi_union_pw_aff_free(partial);
	isl_schedule_node_free(node);
	isl_schedule_free(schedule);
	return is_deep;
}

/* "map" (given) with "value" (given) as one more dimension of its range. */
static isl_map *with_dimension(isl_map *map, isl_pw_aff *value)
{
	return isl_map_flat_range_product(map, isl_map_from_pw_aff(value));
}

static isl_map *with_constant(isl_map *map, isl_set *domain, int constant)
{
	isl_local_space *space = isl_local_space_from_space(isl_set_get_space(domain));
	isl_aff *aff = isl_aff_set_constant_si(isl_aff_zero_on_domain(space), constant);

	return with_dimension(map, isl_pw_aff_from_aff(aff));
}

static isl_pw_aff *part_of(isl_union_pw_aff *whole, isl_set *domain)
{
	isl_space *space = isl_space_add_dims(isl_space_from_domain(isl_set_get_space(domain)), isl_dim_out, 1);

	space = isl_space_align_params(space, isl_union_pw_aff_get_space(whole));
	return isl_union_pw_aff_extract_pw_aff(whole, space);
}

/* size * floor(time / size), of "time" (given). */
static isl_pw_aff *tile_of(isl_pw_aff *time, int64_t size)
{
	isl_ctx *ctx = isl_pw_aff_get_ctx(time);

	time = isl_pw_aff_floor(isl_pw_aff_scale_down_val(time, isl_val_int_from_si(ctx, size)));
	return isl_pw_aff_scale_val(time, isl_val_int_from_si(ctx, size));
}

/* Append where the p-th statement stands in the original: a place in the text and an iterator for each loop around, and its own
 * place, followed by zeros up to "depth" loops. */
static isl_map *with_original_order(const struct dependences *all, int p, int depth, isl_set *domain, isl_map *map)
{
	const struct placed *placed = all->tree->placed + p;

	for (int d = 0; d < depth; d++) {
		isl_local_space *space = isl_local_space_from_space(isl_set_get_space(domain));
		const int index = d < placed->depth ? placed->loop[d]->index : d == placed->depth ? placed->index : 0;

		map = with_constant(map, domain, index);
		if (d < placed->depth)
			map = with_dimension(map, isl_pw_aff_from_aff(isl_aff_var_on_domain(isl_local_space_copy(space), isl_dim_set,
											  (unsigned)d)));
		else
			map = with_constant(map, domain, 0);
		isl_local_space_free(space);
	}
	return with_constant(map, domain, placed->depth == depth ? placed->index : 0);
}

/* Where and when instances of the p-th statement run. */
static isl_map *place_statement(const struct dependences *all, const struct skewing *skewing, int64_t size, int p, int depth)
{
	isl_set *domain = band_domain(all, p);
	isl_pw_aff *time = part_of(skewing->time, domain), *row = part_of(skewing->row, domain);
	isl_map *map = isl_map_from_pw_aff(tile_of(isl_pw_aff_copy(time), size));

	map = with_dimension(map, row);
	if (skewing->column)
		map = with_dimension(map, part_of(skewing->column, domain));
	map = with_dimension(map, time);
	map = with_original_order(all, p, depth, domain, map);
	return isl_map_intersect_domain(map, domain);
}

static isl_union_map *place_all(const struct dependences *all, const struct skewing *skewing, int64_t size)
{
	isl_union_map *result = isl_union_map_empty(isl_space_copy(all->world->params));
	int depth = 0;

	for (int p = 0; p < all->tree->n; p++)
		depth = all->tree->placed[p].depth > depth ? all->tree->placed[p].depth : depth;
	for (int p = 0; p < all->tree->n; p++)
		result = isl_union_map_union(result, isl_union_map_from_map(place_statement(all, skewing, size, p, depth)));
	return result;
}

/* "build" (given) told to keep one loop for each of the first "n" dimensions, with conditions inside: rows are long. */
static isl_ast_build *keep_loops_whole(isl_ast_build *build, const isl_union_map *schedule, int n)
{
	isl_union_set *range = isl_union_map_range(isl_union_map_copy((isl_union_map *)schedule));
	isl_ctx *ctx = isl_ast_build_get_ctx(build);
	isl_union_map *options = isl_union_map_empty_ctx(ctx);

	for (int d = 0; d < n; d++) {
		isl_set *atomic = isl_set_universe(isl_space_set_alloc(ctx, 0, 1));

		atomic = isl_set_fix_si(isl_set_set_tuple_name(atomic, "atomic"), isl_dim_set, 0, d);
		options = isl_union_map_union(options, isl_union_map_from_domain_and_range(isl_union_set_copy(range),
											   isl_union_set_from_set(atomic)));
	}
	isl_union_set_free(range);
	return isl_ast_build_set_options(build, options);
}

isl_ast_node *skew_ast(const struct dependences *all, int64_t size, bool by_column, struct diag *why)
{
	isl_ctx *ctx = all->world->ctx;
	struct skewing skewing = { 0 };
	isl_ast_node *ast = NULL;

	isl_ctx_reset_operations(ctx);
	isl_ctx_reset_error(ctx);
	isl_options_set_ast_build_detect_min_max(ctx, 1);
	if (find_skewing(all, by_column, &skewing)) {
		isl_ast_build *build = isl_ast_build_from_context(isl_set_params(isl_set_copy(all->tree->context)));
		isl_union_map *schedule = place_all(all, &skewing, size);

		build = keep_loops_whole(build, schedule, by_column ? 4 : 3);
		ast = isl_ast_build_node_from_schedule_map(build, schedule);
		isl_ast_build_free(build);
	}
	isl_union_pw_aff_free(skewing.time);
	isl_union_pw_aff_free(skewing.row);
	isl_union_pw_aff_free(skewing.column);
	if (isl_ctx_last_error(ctx) != isl_error_none) {
		diag_set(why, EXIT_INPUT, "a skewed order of %s is too complex to compute", all->nest->name);
		ast = isl_ast_node_free(ast);
	} else if (!ast) {
		diag_set(why, EXIT_INPUT, "no %s loops of %s can be tiled together", by_column ? "three" : "two", all->nest->name);
	}
	return ast;
}
