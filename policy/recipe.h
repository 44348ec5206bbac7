/* A recipe: how to split the nest, and a choice for each band that results. Points of a small space in which the heuristic
 * lists and the search moves; each gives one plan. */
#ifndef STROP_POLICY_RECIPE_H
#define STROP_POLICY_RECIPE_H

#include "split.h"

/* The share of the work from which on a band's choice matters. */
#define RECIPE_SHARE 0.04

enum { RECIPE_BANDS = 32, CHOICE_LEAVE = 255 };

/* "choice[b]" belongs to the b-th band in text order, CHOICE_LEAVE to leave it as it is; "choices[b]" is how many there are,
 * "weight[b]" the band's share of the work. "n", "choices" and "weight" are filled in by recipe_plan().
 * "is_uniform": choice[0] is meant for all bands that matter, the first choice for the others. */
struct recipe {
	enum split split;
	bool is_uniform;
	int n;
	unsigned char choice[RECIPE_BANDS];
	int choices[RECIPE_BANDS];
	double weight[RECIPE_BANDS];
};

/* The recipe with "choice" for each band that matters. */
struct recipe recipe_uniform(enum split split, int choice);
/* The canonical plan that "recipe" gives for "task". Choices count those that are not refused; a choice past the last of its
 * band is corrected to the last. NULL when nothing is left to do or the whole is not legal. */
const char *recipe_plan(struct arena *arena, const struct task *task, struct recipe *recipe);

#endif
