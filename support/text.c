#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static const size_t default_limit = (size_t)64 << 20;

void text_init(struct text *text, size_t limit)
{
	memset(text, 0, sizeof(*text));
	text->limit = limit;
}

void text_free(struct text *text)
{
	size_t limit = text->limit;

	free(text->bytes);
	text_init(text, limit);
}

void text_clear(struct text *text)
{
	text->size = 0;
	text->overflowed = false;
	if (text->bytes)
		text->bytes[0] = '\0';
}

/* Make room for "more" bytes and a terminator; return false when the limit forbids it. */
static bool reserve(struct text *text, size_t more)
{
	size_t limit = text->limit ? text->limit : default_limit;
	size_t needed = text->size + more + 1;

	if (text->overflowed || more > limit || text->size + more > limit) {
		text->overflowed = true;
		return false;
	}
	if (needed > text->capacity) {
		text->capacity = needed < 256 ? 256 : needed * 2;
		text->bytes = memory_resize(text->bytes, text->capacity);
	}
	return true;
}

void text_append_bytes(struct text *text, const char *bytes, size_t size)
{
	if (!reserve(text, size))
		return;
	if (size)
		memcpy(text->bytes + text->size, bytes, size);
	text->size += size;
	text->bytes[text->size] = '\0';
}

void text_append(struct text *text, const char *string)
{
	text_append_bytes(text, string, strlen(string));
}

void text_append_char(struct text *text, char c)
{
	text_append_bytes(text, &c, 1);
}

void text_printf(struct text *text, const char *format, ...)
{
	va_list args;
	int size;

	va_start(args, format);
	size = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (!reserve(text, (size_t)size))
		return;
	va_start(args, format);
	vsnprintf(text->bytes + text->size, (size_t)size + 1, format, args);
	va_end(args);
	text->size += (size_t)size;
}

void text_repeat(struct text *text, const char *string, int count)
{
	for (; count > 0; count--)
		text_append(text, string);
}

const char *text_string(const struct text *text)
{
	return text->bytes ? text->bytes : "";
}

void string_make_printable(char *string)
{
	for (; *string; string++)
		if (*string < ' ' || *string > '~')
			*string = '?';
}
