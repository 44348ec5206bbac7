#include "policy.h"

#include <string.h>

extern const struct policy_class policy_heuristic, policy_random, policy_search;

static const struct policy_class *const classes[] = { &policy_heuristic, &policy_search, &policy_random };

const struct policy_class *policy_get(int n)
{
	return n >= 0 && n < (int)(sizeof classes / sizeof *classes) ? classes[n] : NULL;
}

const struct policy_class *policy_find(const char *name)
{
	const struct policy_class *found;
	for (int n = 0; (found = policy_get(n)); n++)
		if (strcmp(found->name, name) == 0)
			return found;
	return NULL;
}
