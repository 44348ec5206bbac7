/* What a real run of the program tells about a unit's regions: sizes, hotness, sample inputs. */
#ifndef STROP_TOOLS_CAPTURE_H
#define STROP_TOOLS_CAPTURE_H

#include "plugin/region.h"
#include "support/data.h"

#include "tuner.h"

struct capture;

/* The folder in the cache where "strop record" leaves what it saw when run from the working directory. */
const char *capture_folder(struct arena *arena);

/* The recordings in "folder" for the units (NULL ones are skipped); without any, and when "scratch" is not NULL, each unit with
 * a main is built instrumented there, together with all units without one, and run without arguments for at most a
 * minute. Never fails: without a recording it is empty. */
struct capture *capture_units(int n, struct unit *const *units, const char *scratch, const char *folder);
struct capture *capture_free(struct capture *capture);
/* Fill in "input"'s share, samples and sizes of "region"; what is not known stays as it is. */
void capture_fill(const struct capture *capture, struct arena *arena, const struct region *region,
		  struct tune_region *input);

/* What of it decisions depend on, as data, and back. */
struct data *capture_data(struct arena *arena, const struct tune_region *input);
void capture_read(const struct data *data, struct arena *arena, struct tune_region *input);

#endif
