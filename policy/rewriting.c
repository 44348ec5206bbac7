#include "rewriting.h"

#include <stddef.h>

static const struct rewriting *const rewritings[] = {
	&rewriting_contraction, &rewriting_imperfect, &rewriting_columns, &rewriting_dot, &rewriting_stream,
};
enum { REWRITINGS = sizeof rewritings / sizeof *rewritings };

int rewriting_choices(const struct draft *draft, const struct band *band)
{
	int n = 0;
	for (int i = 0; i < REWRITINGS; i++)
		n += rewritings[i]->matches(draft, band) ? rewritings[i]->choices(draft, band) : 0;
	return n;
}

bool rewriting_apply(struct draft *draft, const struct band *band, int choice)
{
	for (int i = 0; i < REWRITINGS; i++) {
		int n = rewritings[i]->matches(draft, band) ? rewritings[i]->choices(draft, band) : 0;
		if (choice < n)
			return rewritings[i]->apply(draft, band, choice);
		choice -= n;
	}
	return false;
}
