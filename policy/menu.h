/* Menus: the sizes that plans are made from. */
#ifndef STROP_POLICY_MENU_H
#define STROP_POLICY_MENU_H

#include "support/rng.h"

/* Sizes for tiles, and for jams, unrolling and rows; each ascending and ended by 0. */
extern const int menu_tiles[];
extern const int menu_factors[];

/* "wanted", or where a tail would weigh (trips below 32 times as many) three quarters or half of it, whichever first divides
 * "trip" evenly; never above "trip". */
int menu_divisor(double trip, int wanted);
/* The neighbour of "size" in the menu that it comes from, up or down by "direction" (1 or -1); "size" itself at the end. */
int menu_neighbour(const int *menu, int size, int direction);
/* A random entry. */
int menu_pick(const int *menu, struct rng *rng);

#endif
