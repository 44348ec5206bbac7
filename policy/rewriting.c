#include "rewriting.h"

#include <stddef.h>

static const struct rewriting *const rewritings[] = {
	&rewriting_contraction, &rewriting_columns, &rewriting_dot, &rewriting_stream,
};

const struct rewriting *rewriting_find(const struct draft *draft, const struct band *band)
{
	size_t i = 0;
	while (!rewritings[i]->matches(draft, band))
		i++;
	return rewritings[i];
}
