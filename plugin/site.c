#include "site.h"

#include <ctype.h>
#include <string.h>

int line_of(const char *text, size_t offset)
{
	int line = 1;

	for (size_t i = 0; i < offset; i++)
		line += text[i] == '\n';
	return line;
}

/* Just past the comment, string or character constant at "at", as far as it goes if it is not closed; "at" itself when there
 * is none. */
static size_t quoted_end(const char *text, size_t at, size_t end)
{
	const char quote = text[at];

	if (text[at] == '/' && text[at + 1] == '*') {
		for (at += 2; at < end && !(text[at] == '*' && text[at + 1] == '/'); at++)
			;
		return at + 2;
	}
	if (text[at] == '/' && text[at + 1] == '/') {
		while (at < end && (text[at] != '\n' || text[at - 1] == '\\'))
			at++;
		return at;
	}
	if (quote != '"' && quote != '\'')
		return at;
	for (at++; at < end && text[at] != quote && text[at] != '\n'; at++)
		at += text[at] == '\\';
	return at + 1;
}

/* The same, but not past "end". */
static size_t skip_quoted(const char *text, size_t at, size_t end)
{
	const size_t past = quoted_end(text, at, end);

	return past < end ? past : end;
}

/* Just past the directive at "at": its lines, continued ones included. */
static size_t skip_directive(const char *text, size_t at, size_t end)
{
	while (at < end && text[at] != '\n') {
		const size_t past = skip_quoted(text, at, end);

		if (past > at)
			at = past;
		else if (text[at] == '\\' && (text[at + 1] == '\n' || (text[at + 1] == '\r' && text[at + 2] == '\n')))
			at += text[at + 1] == '\r' ? 3 : 2;
		else
			at++;
	}
	return at;
}

/* The name of the directive at "text", which points at its '#'. */
static const char *directive_name(const char *text)
{
	do
		text++;
	while (*text == ' ' || *text == '\t');
	return text;
}

static size_t line_begin(const char *text, size_t at)
{
	while (at > 0 && text[at - 1] != '\n')
		at--;
	return at;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Does the word that ends before "end" read "word"? */
static bool word_is(const char *text, size_t end, const char *word)
{
	const size_t n = strlen(word);

	return end >= n && !strncmp(text + end - n, word, n) && (end == n || !is_word(text[end - n - 1]));
}

/* The directives since the last token: "depth" conditionals are open, the outermost since "outermost". */
struct run {
	int depth;
	size_t outermost;
};

/* Note the directive at "at". A pragma belongs to the statement that follows; with it all of the conditional around it. */
static void run_add(struct run *run, const char *text, size_t at, struct site *site)
{
	const char *const name = directive_name(text + at);

	if (!strncmp(name, "if", 2)) {
		if (run->depth++ == 0)
			run->outermost = line_begin(text, at);
	} else if (!strncmp(name, "pragma", 6) && !site->has_pragma) {
		site->has_pragma = true;
		site->begin = run->depth ? run->outermost : line_begin(text, at);
	} else if (run->depth == 0 && !strncmp(name, "el", 2)) {
		site->has_pragma = false;
	} else if (!strncmp(name, "endif", 5) && run->depth-- == 0) {
		run->depth = 0;
		site->has_pragma = false;
	}
}

struct site site_find(const char *text, size_t from, size_t begin)
{
	struct site site = {0};
	struct run run = {0};
	size_t at = from, last = 0; /* "last": just past the last token */
	bool is_line_start = true;

	while (at < begin) {
		const size_t past = skip_quoted(text, at, begin);

		if (text[at] == '#' && is_line_start) {
			run_add(&run, text, at, &site);
			at = skip_directive(text, at, begin);
		} else if (past > at && text[at] == '/') {
			at = past;
		} else if (isspace((unsigned char)text[at])) {
			is_line_start |= text[at++] == '\n';
		} else {
			at = past > at ? past : at + 1;
			last = at;
			is_line_start = false;
			site.has_pragma = false;
			run.depth = 0;
		}
	}
	if (!site.has_pragma)
		site.begin = begin;
	site.is_substatement = last > 0 && (text[last - 1] == ')' || word_is(text, last, "else") || word_is(text, last, "do"));
	return site;
}

/* Does the directive at "at" include "base"? Then set [*begin, *end) to the header name. */
static bool is_include_of(const char *text, size_t at, const char *base, size_t *begin, size_t *end)
{
	const char *p = directive_name(text + at);
	const char *name, *close;

	if (strncmp(p, "include", 7))
		return false;
	for (p += 7; *p == ' ' || *p == '\t'; p++)
		;
	close = *p == '"' || *p == '<' ? strpbrk(p + 1, *p == '<' ? ">\n" : "\"\n") : NULL;
	if (!close || *close == '\n')
		return false;
	for (name = close; name[-1] != '/' && name - 1 > p; name--)
		;
	if ((size_t)(close - name) != strlen(base) || strncmp(name, base, strlen(base)))
		return false;
	*begin = (size_t)(p - text);
	*end = (size_t)(close - text) + 1;
	return true;
}

int include_find(const char *text, size_t size, const char *base, size_t *begin, size_t *end)
{
	bool is_line_start = true;
	int n = 0;

	for (size_t at = 0; at < size;) {
		const size_t past = skip_quoted(text, at, size);

		if (text[at] == '#' && is_line_start) {
			n += is_include_of(text, at, base, begin, end);
			at = skip_directive(text, at, size);
		} else if (past > at) {
			at = past;
		} else {
			is_line_start = text[at] == '\n' || (is_line_start && isspace((unsigned char)text[at]));
			at++;
		}
	}
	return n;
}
