/* What a real run of the program tells about a unit's regions: sizes, hotness, sample inputs. */
#ifndef STROP_TOOLS_CAPTURE_H
#define STROP_TOOLS_CAPTURE_H

#include "plugin/region.h"

#include "tuner.h"

struct capture;

/* Recordings of earlier "strop record" runs in "cache" for the unit; else, when the unit has a main and "scratch" is not NULL,
 * build it instrumented there and run it without arguments. Never fails: without a recording it is empty. */
struct capture *capture_unit(const struct unit *unit, const char *scratch, const char *cache);
struct capture *capture_free(struct capture *capture);
/* Fill in "input"'s share, samples and, when the user names none, sizes of "region". */
void capture_fill(const struct capture *capture, struct arena *arena, const struct region *region,
		  struct tune_region *input);

#endif
