/* A growing, always terminated piece of text with a maximum size, and an indentation-aware way to write it. */
#ifndef STROP_SUPPORT_TEXT_H
#define STROP_SUPPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* "bytes" holds "size" bytes and a terminator, or is NULL when empty. Once "limit" would be passed, nothing more is
 * added and "overflowed" stays true. A zeroed struct text is valid with a limit of 64 MiB. */
struct text {
	char *bytes;
	size_t size, capacity, limit;
	bool overflowed;
};

void text_init(struct text *text, size_t limit);
/* Free the bytes and leave "text" empty, ready for use. */
void text_free(struct text *text);
void text_clear(struct text *text);

void text_append(struct text *text, const char *string);
void text_append_bytes(struct text *text, const char *bytes, size_t size);
void text_append_char(struct text *text, char c);
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Append "count" times "string". */
void text_repeat(struct text *text, const char *string, int count);
/* The text as a C string, "" when empty; valid until the next change. */
const char *text_string(const struct text *text);

/* Put '?' in the place of each control character and byte beyond ASCII of "string": what others wrote may be shown on a terminal. */
void string_make_printable(char *string);

#endif
