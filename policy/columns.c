#include "rewriting.h"
#include "tile.h"

static bool find_columns(const struct band *band, struct roles *roles)
{
	bool found = roles_find(band, roles) && roles->n_packed == 0;
	roles->row = -1;
	return found;
}

static bool columns_matches(const struct draft *draft, const struct band *band)
{
	struct roles roles;
	(void)draft;
	return find_columns(band, &roles);
}

enum { COLUMNS_CHOICES = 6 };

static int columns_choices(const struct draft *draft, const struct band *band)
{
	(void)draft;
	(void)band;
	return COLUMNS_CHOICES;
}

/* Walk the rows of memory, "jam" of them together (1: singly), each adding to the whole vector. */
static bool sweep_apply(struct draft *draft, const struct band *band, const struct roles *roles, int jam)
{
	struct draft trial = *draft;
	const char *column = band->loop[roles->column].iter, *loops = "";
	const char *reduction = band->loop[roles->reduction[roles->n_reduction - 1]].iter;
	for (int d = band->first; d < band->n; d++)
		if (d != roles->column)
			loops = draft_add_loop(&trial, loops, band->loop[d].iter, band->label);
	loops = draft_add_loop(&trial, loops, column, band->label);
	if (roles->column != band->n - 1 && !draft_try(&trial, "order(%s)", loops))
		return false;
	if (jam > 1 && !draft_try(&trial, "jam(%s:%d)", draft_loop(&trial, reduction, band->label), jam))
		return false;
	if (band->lanes > 1 && !draft_try(&trial, "vectorize(%s:%d)", draft_loop(&trial, column, band->label), band->lanes))
		return false;
	*draft = trial;
	return true;
}

/* Whether what the band reads in all outgrows the second-level cache, so that walking memory in order matters more than
 * keeping sums in registers. */
static bool is_streaming(const struct draft *draft, const struct band *band)
{
	double bytes = band->element_size;
	size_t l2 = draft->task->machine && draft->task->machine->l2 ? draft->task->machine->l2 : 1 << 20;
	for (int d = band->first; d < band->n; d++)
		if (band->loop[d].reuse < band->stmt->n_access - 1)
			bytes *= band->loop[d].trip;
	return bytes > (double)l2;
}

static bool columns_apply(struct draft *draft, const struct band *band, int choice)
{
	static const struct tiling wide = { .rows = 1, .vectors = 8 }, narrow = { .rows = 1, .vectors = 4 };
	struct roles roles;
	if (!find_columns(band, &roles))
		return false;
	if (!is_streaming(draft, band))
		choice = (choice + 2) % COLUMNS_CHOICES;
	switch (choice) {
	case 0:
		return sweep_apply(draft, band, &roles, 4);
	case 1:
		return sweep_apply(draft, band, &roles, 8);
	case 2:
		return tile_roles(draft, band, &roles, &wide);
	case 3:
		return tile_roles(draft, band, &roles, &narrow);
	case 4:
		return sweep_apply(draft, band, &roles, 1);
	default:
		return sweep_apply(draft, band, &roles, 2);
	}
}

const struct rewriting rewriting_columns = {
	.name = "columns",
	.matches = columns_matches,
	.choices = columns_choices,
	.apply = columns_apply,
};
