/* What tune found, for people and as JSON. */
#ifndef STROP_TOOLS_REPORT_H
#define STROP_TOOLS_REPORT_H

#include "plugin/region.h"

#include "lock.h"
#include "usertest.h"

/* A line for each region of the units, the geomean over all of them (one left alone counts 1.0), and what the user's
 * benchmark said. NULL units are those that did not parse. */
void report_table(const struct lock *lock, int n, struct unit *const *units, const struct usertest *trial);
void report_json(const struct lock *lock, int n, struct unit *const *units, const struct usertest *trial);

#endif
