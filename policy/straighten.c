#include "straighten.h"

static bool is_innermost(const struct shape *shape, int loop)
{
	for (int inner = 0; inner < shape->n_loop; inner++)
		if (shape->loop[inner].parent == loop)
			return false;
	return shape->loop[loop].node->body.n > 1 && shape->loop[loop].label >= 0;
}

static bool has_lanes(const struct draft *draft, const char *loop)
{
	struct draft trial = *draft;
	return draft_try(&trial, "vectorize(%s:2)", loop);
}

/* Whether sorting the body of "loop" lets it have lanes; the draft with that in "*result". */
static bool sorted(const struct draft *draft, const char *loop, struct draft *result)
{
	*result = *draft;
	return draft_try(result, "sort(%s)", loop) && has_lanes(result, loop);
}

/* Load what stands in the way of sorting the body of "loop", where sorting alone will not do. */
static void load(struct draft *draft, const char *loop)
{
	struct draft trial, loaded = *draft;
	if (!sorted(draft, loop, &trial) && draft_try(&loaded, "load(%s)", loop) &&
	    (has_lanes(&loaded, loop) || sorted(&loaded, loop, &trial)))
		*draft = loaded;
}

static void sort(struct draft *draft, const char *loop)
{
	struct draft result;
	if (sorted(draft, loop, &result))
		*draft = result;
}

void straighten_apply(struct draft *draft)
{
	static void (*const step[])(struct draft *draft, const char *loop) = { load, sort };
	const struct shape *shape = draft->shape;
	for (int s = 0; s < 2; s++)
		for (int loop = 0; loop < shape->n_loop; loop++)
			if (is_innermost(shape, loop) && !has_lanes(draft, shape->loop[loop].name))
				step[s](draft, shape->loop[loop].name);
}
