/* What can be told of the C text of a var's source without a parser. */
#ifndef STROP_VERIFIER_SOURCE_H
#define STROP_VERIFIER_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the identifier at "text", 0 if there is none. */
size_t source_identifier(const char *text);
/* Whether "source" is a place that can be assigned such that the region sees it ("n", "l->w", "*p", "a[3]"), not an
 * expression over places. */
bool source_is_place(const char *source);
/* The first path ("n", "l->w", "im.data") at or behind "text", without subscripts, and its length; NULL when there is
 * none. Words that are called or subscripted are passed over. */
const char *source_find_path(const char *text, size_t *size);

#endif
