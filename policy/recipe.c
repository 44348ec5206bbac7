#include "recipe.h"

#include "rewriting.h"

static const double SHARE_MIN = 2e-4; /* of the work that a band must have to be rewritten */

struct recipe recipe_first(enum split split)
{
	return (struct recipe){ .split = split };
}

/* Rewrite the band of "label" by "*choice", or by the next one that is not refused. */
static void rewrite_band(struct draft *draft, int label, unsigned char *choice, int *choices)
{
	struct band band;
	*choices = 0;
	if (!band_find(draft, label, &band) || band_is_done(draft, &band))
		return;
	*choices = rewriting_choices(draft, &band);
	if (*choice == CHOICE_LEAVE)
		return;
	for (int i = 0; i < *choices; i++) {
		int at = (*choice + i) % *choices;
		if (rewriting_apply(draft, &band, at)) {
			*choice = (unsigned char)at;
			return;
		}
	}
	*choice = CHOICE_LEAVE;
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
	split_apply(&draft, recipe->split);
	recipe->n = band_list(&draft, SHARE_MIN, band, RECIPE_BANDS);
	for (int b = 0; b < recipe->n; b++) {
		recipe->weight[b] = band[b].weight / draft.shape->weight;
		rewrite_band(&draft, band[b].label, &recipe->choice[b], &recipe->choices[b]);
	}
	return legal_plan(&draft);
}
