/* Measurements as data: how evidence and JSON hold them. */
#ifndef STROP_TOOLS_MEASURED_H
#define STROP_TOOLS_MEASURED_H

#include "profiler/measure.h"
#include "support/data.h"

struct data *measured_data(struct arena *arena, const struct measurement *measurement);
/* What measured_data() made; UNCLEAR of zero pairs when "map" is NULL. */
struct measurement measured_read(const struct data *map);
/* For people: "1.08x [1.05, 1.11], warm cache, 24 pairs of 6 processes", and why when it is unclear. */
const char *measured_sentence(struct arena *arena, const struct measurement *measurement);

#endif
