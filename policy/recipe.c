#include "recipe.h"

#include <string.h>

#include "rewriting.h"

enum { CHOICES_MAX = 64 };

static const double SHARE_MIN = 2e-4; /* of the work that a band must have to be rewritten */

struct recipe recipe_uniform(enum split split, int choice)
{
	return (struct recipe){ .split = split, .is_uniform = true, .choice = { (unsigned char)choice } };
}

/* Spell out the choice of each band of a uniform recipe. */
static void spell_out(struct recipe *recipe)
{
	unsigned char choice = recipe->choice[0];
	for (int b = 0; recipe->is_uniform && b < recipe->n; b++)
		recipe->choice[b] = recipe->weight[b] >= RECIPE_SHARE ? choice : 0;
	recipe->is_uniform = false;
}

/* The drafts that the choices for "band" lead to, without those that are refused or lead to the same plan as an earlier
 * one; return their number. A light band may not jam: that would reach into the bands around it. */
static int band_drafts(const struct draft *draft, const struct band *band, bool is_light, struct draft *result)
{
	int choices = rewriting_choices(draft, band), n = 0;
	for (int choice = 0; choice < choices && n < CHOICES_MAX; choice++) {
		bool is_new = true;
		result[n] = *draft;
		if (!rewriting_apply(&result[n], band, choice) ||
		    (is_light && strstr(result[n].text + strlen(draft->text), "jam(")))
			continue;
		for (int i = 0; i < n; i++)
			is_new = is_new && strcmp(result[i].text, result[n].text) != 0;
		n += is_new && strcmp(result[n].text, draft->text) != 0;
	}
	return n;
}

/* Rewrite the band of "label" by "*choice", or by its last one when it has fewer. */
static void rewrite_band(struct draft *draft, int label, bool is_light, unsigned char *choice, int *choices)
{
	struct draft drafts[CHOICES_MAX];
	struct band band;
	*choices = 0;
	if (!band_find(draft, label, &band) || band_is_done(draft, &band))
		return;
	*choices = band_drafts(draft, &band, is_light, drafts);
	if (*choice == CHOICE_LEAVE || *choices == 0)
		return;
	if (*choice >= *choices)
		*choice = (unsigned char)(*choices - 1);
	*draft = drafts[*choice];
}

/* The numbers of the bands, heaviest first: what is done to one may stand in the way of another. */
static void by_weight(const struct recipe *recipe, int *order)
{
	for (int b = 0; b < recipe->n; b++) {
		int at = b;
		for (; at > 0 && recipe->weight[order[at - 1]] < recipe->weight[b]; at--)
			order[at] = order[at - 1];
		order[at] = b;
	}
}

/* Whether the band of "label" was rewritten already: copies of its statement are left as they are. */
static bool is_copy(const struct band *band, const int *order, int i)
{
	for (int before = 0; before < i; before++)
		if (band[order[before]].label == band[order[i]].label)
			return true;
	return false;
}

/* The plan that "draft" stands for, if the validator accepts it. */
static const char *legal_plan(const struct draft *draft)
{
	struct diag why = { 0 };
	const char *text = draft_plan(draft);
	struct plan *plan = plan_parse(draft->arena, text, &why);
	return plan && plan->n && plan_apply(draft->task->workspace, plan, &why) ? text : NULL;
}

const char *recipe_plan(struct arena *arena, const struct task *task, struct recipe *recipe)
{
	struct draft draft = draft_new(arena, task);
	struct band band[RECIPE_BANDS];
	int order[RECIPE_BANDS];
	split_apply(&draft, recipe->split);
	recipe->n = band_list(&draft, SHARE_MIN, band, RECIPE_BANDS);
	for (int b = 0; b < recipe->n; b++)
		recipe->weight[b] = band[b].weight / draft.shape->weight;
	spell_out(recipe);
	by_weight(recipe, order);
	for (int i = 0; i < recipe->n; i++)
		if (!is_copy(band, order, i))
			rewrite_band(&draft, band[order[i]].label, recipe->weight[order[i]] < RECIPE_SHARE,
				     &recipe->choice[order[i]], &recipe->choices[order[i]]);
	return legal_plan(&draft);
}
