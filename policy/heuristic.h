/* The heuristic's list of recipes, which the search starts from. */
#ifndef STROP_POLICY_HEURISTIC_H
#define STROP_POLICY_HEURISTIC_H

#include "recipe.h"

/* The recipe at place "at" of the list, best guesses first; false past the end. */
bool heuristic_recipe(int at, struct recipe *recipe);

#endif
