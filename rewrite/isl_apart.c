#include "isl_apart.h"

static const struct placed *find_placed(const struct tree *tree, const struct node *node)
{
	for (int i = 0; i < tree->n; i++)
		if (tree->placed[i].node == node)
			return tree->placed + i;
	return NULL;
}

/* { [x] -> [e] }: the elements that instances of the statement reach through the reference. */
static isl_map *reached(struct world *world, const struct placed *stmt, const struct expr *reference)
{
	const struct place place = { world, stmt->frame, NULL };
	bool exact = true;

	return isl_map_intersect_domain(place_map(&place, reference->n, reference->arg, &exact), isl_set_copy(stmt->domain));
}

/* Whether the two never meet in one iteration of the "depth" loops around both. */
static bool never_meet(struct world *world, const struct tree *tree, int depth, const struct site_of_ref *a,
		       const struct site_of_ref *b)
{
	const struct placed *left = find_placed(tree, a->node), *right = find_placed(tree, b->node);
	isl_map *meets;

	if (!left || !right)
		return false;
	meets = isl_map_apply_range(reached(world, left, a->reference), isl_map_reverse(reached(world, right, b->reference)));
	for (int i = 0; i < depth; i++)
		meets = isl_map_equate(meets, isl_dim_in, i, isl_dim_out, i);
	return map_is_empty(meets);
}

/* "set" (given) of the points [x, e], with e_d not below (not above, with "is_upper") "bound", of which x are the outer iterators. */
static isl_set *bounded(const struct place *place, isl_set *set, int d, const struct expr *bound, bool is_upper)
{
	isl_pw_aff *value = bound ? place_value(place, bound) : NULL, *element;
	const int depth = place_depth(place);

	if (!value)
		return set;
	value = isl_pw_aff_add_dims(value, isl_dim_in, (unsigned)(isl_set_dim(set, isl_dim_set) - depth));
	element = isl_pw_aff_var_on_domain(isl_local_space_from_space(isl_set_get_space(set)), isl_dim_set, (unsigned)(depth + d));
	return isl_set_intersect(set, is_upper ? isl_pw_aff_le_set(element, value) : isl_pw_aff_ge_set(element, value));
}

static bool never_enters(struct world *world, const struct tree *tree, int depth, const struct subscript_box *box,
			 const struct site_of_ref *site)
{
	const struct placed *stmt = find_placed(tree, site->node);
	const struct place outside = { world, stmt && depth ? stmt->loop[depth - 1] : NULL, NULL };
	isl_set *meets;
	bool is_empty;

	if (!stmt)
		return false;
	meets = isl_set_flatten(isl_map_wrap(reached(world, stmt, site->reference)));
	meets = isl_set_project_out(meets, isl_dim_set, (unsigned)depth, (unsigned)(stmt->depth - depth));
	for (int d = 0; d < site->reference->n; d++) {
		meets = bounded(&outside, meets, d, box->least[d], false);
		meets = bounded(&outside, meets, d, box->most[d], true);
	}
	is_empty = isl_set_is_empty(meets) == isl_bool_true;
	isl_set_free(meets);
	return is_empty;
}

/* A question that needs the tree of a nest: "box" or "a" against "b". */
static bool ask(const struct dependences *dependences, const struct nest *nest, int depth, const struct subscript_box *box,
		const struct site_of_ref *a, const struct site_of_ref *b)
{
	struct arena *arena = arena_new();
	struct world world = *dependences->world;
	struct tree *tree;
	bool is_apart;

	world.arena = arena;
	world.params = isl_space_copy(dependences->world->params);
	isl_ctx_reset_operations(world.ctx);
	isl_ctx_reset_error(world.ctx);
	tree = tree_new(&world, nest, false);
	is_apart = tree && (box ? never_enters(&world, tree, depth, box, b) : never_meet(&world, tree, depth, a, b)) &&
		   isl_ctx_last_error(world.ctx) == isl_error_none;
	tree_free(tree);
	isl_space_free(world.params);
	arena_free(arena);
	return is_apart;
}

bool references_are_apart(const struct dependences *dependences, const struct nest *nest, int depth,
			  const struct site_of_ref *a, const struct site_of_ref *b)
{
	return ask(dependences, nest, depth, NULL, a, b);
}

bool reference_leaves_box(const struct dependences *dependences, const struct nest *nest, int depth,
			  const struct subscript_box *box, const struct site_of_ref *site)
{
	return ask(dependences, nest, depth, box, NULL, site);
}
