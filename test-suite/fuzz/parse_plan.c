/* rewrite/plan.c: the text of a plan, which a policy or a person writes. */
#include "parse.h"

#include "rewrite/plan.h"

static bool reprint_plan(struct arena *arena, const char *bytes, size_t size, struct text *out, struct diag *diag)
{
	const struct plan *plan = plan_parse(arena, bytes, diag);

	(void)size;
	if (plan)
		plan_print(plan, out);
	return plan != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_round_trip(data, size, reprint_plan);
	return 0;
}
