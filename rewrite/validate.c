#include "validate.h"

#include "isl_check.h"

static bool check_all(const struct dependences *dependences, struct world *world, const struct nest *rewritten,
		      struct diag *why)
{
	struct tree *now = tree_new(world, rewritten, true);
	struct instances *instances = now ? instances_new(dependences, now, why) : NULL;
	const bool is_valid = instances && check_cover(instances, why) && check_scopes(instances, why) &&
			      check_order(instances, why) && check_races(instances, why);

	instances_free(instances);
	tree_free(now);
	return is_valid;
}

bool validate(const struct dependences *dependences, const struct nest *rewritten, struct diag *why)
{
	struct arena *arena = arena_new();
	struct world world = *dependences->world;
	struct diag finding = { 0 };
	bool is_valid;

	world.arena = arena;
	world.params = isl_space_copy(dependences->world->params);
	isl_ctx_reset_operations(world.ctx);
	isl_ctx_reset_error(world.ctx);
	is_valid = check_all(dependences, &world, rewritten, &finding);
	if (isl_ctx_last_error(world.ctx) != isl_error_none) {
		diag_set(why, EXIT_INPUT, "the plan is too complex to be proved legal");
		is_valid = false;
	} else if (!is_valid) {
		diag_set(why, EXIT_INPUT, "%s", finding.message[0] ? finding.message : "the plan nests too many conditions");
	}
	isl_space_free(world.params);
	arena_free(arena);
	return is_valid;
}
