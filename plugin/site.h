/* Where in a text a statement stands: lines, and what stands before it. */
#ifndef STROP_PLUGIN_SITE_H
#define STROP_PLUGIN_SITE_H

#include <stdbool.h>
#include <stddef.h>

/* The 1-based line that holds byte "offset" of "text". */
int line_of(const char *text, size_t offset);

/* The place of a statement.
 *   begin          where text can be put before it: its first byte, or the start of the first line of the pragmas that
 *                  stand directly above it and belong to it
 *   has_pragma     there are such pragmas
 *   is_substatement  it is the body of an if, else, loop or do without braces: what is put before it needs braces */
struct site {
	size_t begin;
	bool has_pragma;
	bool is_substatement;
};

/* Look at the statement at "begin" in "text", reading from "from", which is outside of comments and literals. */
struct site site_find(const char *text, size_t from, size_t begin);

/* Find the #include directives of "text" ("size" bytes) for a file whose name, without folders, is "base". Return how many
 * there are, and set [*begin, *end) to the header name of the last, with its quotes or brackets. */
int include_find(const char *text, size_t size, const char *base, size_t *begin, size_t *end);

#endif
