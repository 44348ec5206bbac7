/* Edits by byte offset: everything outside an edit stays byte-identical; files are only ever replaced atomically. */
#ifndef STROP_PLUGIN_SPLICE_H
#define STROP_PLUGIN_SPLICE_H

#include <stdbool.h>
#include <stddef.h>

#include "support/diag.h"
#include "support/text.h"

/* Replace bytes [begin, end) by "text"; "is_verbatim": with the line ends that it has. */
struct edit {
	size_t begin, end;
	const char *text;
	bool is_verbatim;
};

/* Append "source" (size bytes) with the n edits applied; they may come in any order, must not overlap; several
 * insertions at one place keep their order. Line ends of inserted text follow the source's (CRLF), but for
 * verbatim ones. */
enum status splice(const char *source, size_t size, int n, const struct edit *edits, struct text *out, struct diag *diag);
/* Append a unified diff (3 lines of context, names "a/PATH" and "b/PATH") that patch and git apply take; nothing when
 * equal. */
void diff_unified(const char *path, const char *before, size_t before_size, const char *after, size_t after_size,
		  struct text *out);

#endif
