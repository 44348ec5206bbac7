#include "rewriting.h"
#include "tile.h"

/* For 32 vector registers and for 16. */
static const struct tiling wide_tilings[] = {
	{ 8, 2, 0, false, false }, { 8, 2, 0, true, false }, { 6, 4, 0, false, false }, { 8, 3, 0, true, false },
	{ 8, 2, 256, true, false }, { 4, 4, 0, false, false }, { 8, 2, 256, false, true }, { 4, 2, 0, false, false },
	{ 4, 1, 0, false, false }, { 12, 2, 0, false, false },
};
static const struct tiling narrow_tilings[] = {
	{ 4, 2, 0, false, false }, { 4, 2, 0, true, false }, { 6, 2, 0, false, false }, { 4, 3, 0, true, false },
	{ 4, 2, 256, true, false }, { 2, 4, 0, false, false }, { 4, 2, 256, false, true }, { 4, 1, 0, false, false },
};

static bool contraction_matches(const struct draft *draft, const struct band *band)
{
	struct roles roles;
	(void)draft;
	return roles_find(band, &roles) && roles.row >= 0;
}

static const struct tiling *tilings(const struct draft *draft, int *n)
{
	bool is_wide = draft->task->target->vector_bytes >= 64;
	*n = is_wide ? (int)(sizeof wide_tilings / sizeof *wide_tilings) : (int)(sizeof narrow_tilings / sizeof *narrow_tilings);
	return is_wide ? wide_tilings : narrow_tilings;
}

static int contraction_choices(const struct draft *draft, const struct band *band)
{
	int n;
	(void)band;
	tilings(draft, &n);
	return n;
}

static bool contraction_apply(struct draft *draft, const struct band *band, int choice)
{
	struct roles roles;
	int n;
	const struct tiling *tiling = tilings(draft, &n);
	return roles_find(band, &roles) && choice < n && tile_roles(draft, band, &roles, &tiling[choice]);
}

const struct rewriting rewriting_contraction = {
	.name = "contraction",
	.matches = contraction_matches,
	.choices = contraction_choices,
	.apply = contraction_apply,
};
