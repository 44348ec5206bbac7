/* YAML in and out of plain data (through libyaml): what .strop.yaml and strop.lock need. */
#ifndef STROP_SUPPORT_YAML_H
#define STROP_SUPPORT_YAML_H

#include "data.h"
#include "diag.h"
#include "text.h"

/* Parse the first document; plain scalars become null, booleans, integers or reals where they look so (YAML 1.2 core
 * schema). Anchors, aliases and tags are refused. NULL and a sentence with the line when it is malformed. */
struct data *yaml_read(struct arena *arena, const char *name, const char *bytes, size_t size, struct diag *diag);
/* Append "data" as block YAML; strings of several lines as literal blocks, NaN and infinities as null.
 * Deterministic. */
void yaml_write(const struct data *data, struct text *text);

#endif
