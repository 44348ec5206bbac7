#include "source.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

size_t source_identifier(const char *text)
{
	size_t n = 0;

	if (isdigit((unsigned char)*text))
		return 0;
	while (is_word(text[n]))
		n++;
	return n;
}

/* Behind the bracket that closes the one at "text", or the text's end. */
static const char *skip_brackets(const char *text)
{
	int depth = 0;

	for (; *text; text++) {
		depth += *text == '(' || *text == '[';
		depth -= *text == ')' || *text == ']';
		if (depth == 0)
			return text + 1;
	}
	return text;
}

static const char *skip_spaces(const char *text)
{
	return text + strspn(text, " \t\n");
}

/* Behind "->w", ".w" or "[..]" at "text"; NULL when there is none. */
static const char *skip_suffix(const char *text)
{
	size_t dots = !strncmp(text, "->", 2) ? 2 : *text == '.';

	if (*text == '[')
		return skip_spaces(skip_brackets(text));
	text = skip_spaces(text + dots);
	return dots && source_identifier(text) ? skip_spaces(text + source_identifier(text)) : NULL;
}

bool source_is_place(const char *source)
{
	const char *at = skip_spaces(source), *next;

	if (strpbrk(source, "?{"))
		return false;
	while (*at == '*')
		at = skip_spaces(at + 1);
	if (*at == '(')
		at = skip_spaces(skip_brackets(at));
	else if (source_identifier(at))
		at = skip_spaces(at + source_identifier(at));
	else
		return false;
	while ((next = skip_suffix(at)))
		at = next;
	return *at == '\0';
}

/* Behind the path that begins with the word at "text": fields, but no subscripts. */
static const char *path_end(const char *text)
{
	const char *end = text + source_identifier(text), *next;

	for (next = end; next && *skip_spaces(next) != '['; next = skip_suffix(skip_spaces(next)))
		end = next;
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	return end;
}

const char *source_find_path(const char *text, size_t *size)
{
	const char *end;

	while (*text) {
		if (isdigit((unsigned char)*text)) {
			while (is_word(*text) || *text == '.')
				text++;
			continue;
		}
		if (!source_identifier(text)) {
			text++;
			continue;
		}
		end = path_end(text);
		*size = (size_t)(end - text);
		if (*skip_spaces(end) != '[' && *skip_spaces(end) != '(')
			return text;
		text = end;
	}
	return NULL;
}
