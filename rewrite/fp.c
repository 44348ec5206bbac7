#include "fp.h"

#include <string.h>

static const char *const names[FP_MODE_COUNT] = {
	[FP_ORDERED] = "ordered",
	[FP_REASSOC] = "reassoc",
	[FP_EXACT] = "exact",
};

const char *fp_mode_name(enum fp_mode mode)
{
	return names[mode];
}

bool fp_mode_find(const char *name, enum fp_mode *mode)
{
	for (int i = 0; i < FP_MODE_COUNT; i++)
		if (!strcmp(names[i], name)) {
			*mode = i;
			return true;
		}
	return false;
}
