#include "isl_access.h"

/* The statements at both ends of a relation { [x] -> [y] }, of the original nest. */
struct sides {
	struct world *world;
	const struct placed *from, *to;
};

/* Whether "a" and "b" multiply dimensions by the same factors, in order. */
static bool is_same_shape(const struct bilinear *a, const struct bilinear *b)
{
	if (!a || !b || a->n != b->n)
		return false;
	for (int i = 0; i < a->n; i++)
		if (!affine_equal(a->product[i].factor, b->product[i].factor))
			return false;
	return true;
}

/* { [x] -> [y] : left(x) - right(y) >= 0 } or, with "is_equal", = 0, for instances of both sides. */
static isl_map *compare(const struct sides *sides, bool is_equal, const struct affine *left, const struct affine *right)
{
	return world_compare(sides->world, is_equal, sides->from->depth, left, sides->to->depth, right);
}

/* The bound of the loop at "dim" around "stmt", if it is a linear form over params; else NULL. */
static const struct affine *loop_bound(const struct sides *sides, const struct placed *stmt, int dim, bool is_upper)
{
	const struct frame *loop = stmt->loop[dim];
	const struct place place = { sides->world, loop->outer, NULL };
	const struct affine *form = place_affine(&place, is_upper ? loop->node->hi : loop->node->lo);

	return form && affine_is_param(form) ? form : NULL;
}

/* By how much, at most, b's last product exceeds a's where its factor is not negative; NULL when that is not known. */
static const struct affine *product_limit(const struct sides *sides, const struct affine_product *a,
					  const struct affine_product *b)
{
	struct arena *arena = sides->world->arena;
	const struct affine *lo = loop_bound(sides, sides->from, a->dim, false);
	const struct affine *hi = loop_bound(sides, sides->to, b->dim, true);
	const struct affine *most = affine_add(arena, affine_add(arena, hi, -1, lo), -1, affine_constant(arena, 1));

	return most ? affine_multiply(arena, most, a->factor) : NULL;
}

/* The part of "map" in which the dimension that a's last product multiplies is smaller than that of b's, all others being
 * equal. Where the factor p is not negative, a's rest must then be larger than b's by at least p, and at most by what the
 * dimension's range allows. */
static isl_map *smaller_part(const struct sides *sides, const isl_map *map, const struct bilinear *a,
			     const struct bilinear *b)
{
	struct arena *arena = sides->world->arena;
	const struct affine_product *x = a->product + a->n - 1, *y = b->product + b->n - 1;
	const struct affine *zero = affine_constant(arena, 0), *limit = product_limit(sides, x, y);
	const struct affine *least = affine_add(arena, a->rest, -1, x->factor);
	const struct affine *most = affine_add(arena, limit, -1, a->rest), *minus = affine_add(arena, zero, -1, b->rest);
	isl_map *part = isl_map_order_lt(isl_map_copy((isl_map *)map), isl_dim_in, x->dim, isl_dim_out, y->dim);
	isl_map *positive = compare(sides, false, x->factor, zero);
	isl_map *negative = isl_map_subtract(isl_map_copy(part), isl_map_copy(positive));

	part = isl_map_intersect(part, positive);
	if (least)
		part = isl_map_intersect(part, compare(sides, false, least, b->rest));
	if (most && minus)
		part = isl_map_intersect(part, compare(sides, false, most, minus));
	return isl_map_union(part, negative);
}

/* The part of "map" (given), in which all multiplied dimensions are equal. A range that holds one is not empty, so that the
 * limit is not negative unless the factor is. */
static isl_map *equal_part(const struct sides *sides, isl_map *map, const struct bilinear *a, const struct bilinear *b)
{
	struct arena *arena = sides->world->arena;
	const struct affine *zero = affine_constant(arena, 0), *factor = a->product[a->n - 1].factor;
	const struct affine *limit = product_limit(sides, a->product + a->n - 1, b->product + b->n - 1);

	map = isl_map_intersect(map, compare(sides, true, a->rest, b->rest));
	if (!limit)
		return map;
	return isl_map_intersect(map, isl_map_union(compare(sides, false, limit, zero),
						    compare(sides, false, affine_constant(arena, -1), factor)));
}

/* The same with a's dimension the larger one. */
static isl_map *larger_part(const struct sides *sides, const isl_map *map, const struct bilinear *a, const struct bilinear *b)
{
	const struct sides swapped = { sides->world, sides->to, sides->from };
	isl_map *reversed = isl_map_reverse(isl_map_copy((isl_map *)map));
	isl_map *part = smaller_part(&swapped, reversed, b, a);

	isl_map_free(reversed);
	return isl_map_reverse(part);
}

/* "conflicts" (given), less those that differ in a subscript which is "a" on one side and "b" on the other: where all multiplied
 * dimensions are equal the products cancel. */
static isl_map *refine(const struct sides *sides, isl_map *conflicts, const struct bilinear *a, const struct bilinear *b)
{
	isl_map *sum, *equal;

	if (!is_same_shape(a, b))
		return conflicts;
	sum = isl_map_empty(isl_map_get_space(conflicts));
	for (int i = 0; i + 1 < a->n; i++) {
		equal = isl_map_equate(isl_map_copy(conflicts), isl_dim_in, a->product[i].dim, isl_dim_out,
				       b->product[i].dim);
		sum = isl_map_union(sum, isl_map_subtract(conflicts, isl_map_copy(equal)));
		conflicts = equal;
	}
	sum = isl_map_union(sum, smaller_part(sides, conflicts, a, b));
	sum = isl_map_union(sum, larger_part(sides, conflicts, a, b));
	conflicts = isl_map_equate(conflicts, isl_dim_in, a->product[a->n - 1].dim, isl_dim_out,
				   b->product[a->n - 1].dim);
	return isl_map_union(sum, equal_part(sides, conflicts, a, b));
}

isl_map *conflicts_of(struct world *world, const struct placed *from, const struct access *source, const struct placed *to,
		      const struct access *target)
{
	const struct sides sides = { world, from, to };
	isl_map *conflicts = isl_map_apply_range(isl_map_copy(source->map), isl_map_reverse(isl_map_copy(target->map)));

	for (int i = 0; i < source->ref->n; i++)
		conflicts = refine(&sides, conflicts, source->product[i], target->product[i]);
	return conflicts;
}
