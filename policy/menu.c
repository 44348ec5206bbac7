#include "menu.h"

const int menu_tiles[] = { 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 1024, 0 };
const int menu_factors[] = { 2, 3, 4, 6, 8, 12, 16, 0 };

int menu_divisor(double trip, int wanted)
{
	const int sizes[] = { wanted, wanted * 3 / 4, wanted / 2 };
	if (trip <= wanted)
		return trip < 1 ? 1 : (int)trip;
	for (int i = 0; i < 3 && trip < 32.0 * wanted; i++)
		if (sizes[i] > 1 && (long long)trip % sizes[i] == 0)
			return sizes[i];
	return wanted;
}

int menu_neighbour(const int *menu, int size, int direction)
{
	int at = 0;
	while (menu[at] && menu[at] < size)
		at++;
	if (direction < 0)
		return at ? menu[at - 1] : size;
	if (menu[at] == size)
		at++;
	return menu[at] ? menu[at] : size;
}

static int menu_size(const int *menu)
{
	int n = 0;
	while (menu[n])
		n++;
	return n;
}

int menu_pick(const int *menu, struct rng *rng)
{
	return menu[rng_below(rng, (uint64_t)menu_size(menu))];
}
