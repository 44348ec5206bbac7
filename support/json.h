/* JSON in and out of plain data (through jansson). */
#ifndef STROP_SUPPORT_JSON_H
#define STROP_SUPPORT_JSON_H

#include "data.h"
#include "diag.h"
#include "text.h"

/* Parse one JSON value; NULL and a sentence with line and column when it is malformed. "name" stands for the text. */
struct data *json_read(struct arena *arena, const char *name, const char *bytes, size_t size, struct diag *diag);
/* Append "data" as JSON: on one line, or indented by two spaces with "pretty". Reals keep 17 digits; NaN and
 * infinities become null. Deterministic. */
void json_write(const struct data *data, bool pretty, struct text *text);

#endif
