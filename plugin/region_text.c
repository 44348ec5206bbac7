#include "region_internal.h"

#include <ctype.h>
#include <string.h>

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

/* The offset of the first byte at or after "at" that is neither white space nor in a comment. */
static size_t skip_blank(const char *text, size_t size, size_t at)
{
	while (at < size) {
		if (is_space(text[at])) {
			at++;
		} else if (at + 1 < size && text[at] == '/' && text[at + 1] == '/') {
			while (at < size && text[at] != '\n')
				at++;
		} else if (at + 1 < size && text[at] == '/' && text[at + 1] == '*') {
			at += 2;
			while (at + 1 < size && !(text[at] == '*' && text[at + 1] == '/'))
				at++;
			at += 2;
		} else {
			break;
		}
	}
	return at < size ? at : size;
}

bool text_in_macro(CXCursor cursor)
{
	const CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(cursor));
	CXFile spelled = NULL, expanded = NULL;
	unsigned spelled_at = 0, expanded_at = 0;

	clang_getSpellingLocation(start, &spelled, NULL, NULL, &spelled_at);
	clang_getExpansionLocation(start, &expanded, NULL, NULL, &expanded_at);
	return spelled_at != expanded_at || (spelled && expanded && !clang_File_isEqual(spelled, expanded));
}

/* NOTE: an argument of a macro that ends the last statement is where its end seems to be: what closes the call follows. */
bool text_range(const struct scanner *scanner, CXCursor first, CXCursor last, size_t *begin, size_t *end)
{
	CXFile file = NULL, end_file = NULL;
	unsigned line;
	size_t at;

	if (!parsed_place(clang_getRangeStart(clang_getCursorExtent(first)), &file, &line, begin) ||
	    !parsed_place(clang_getRangeEnd(clang_getCursorExtent(last)), &end_file, &line, end) ||
	    !clang_File_isEqual(file, scanner->file) || !clang_File_isEqual(end_file, scanner->file) || *begin >= *end ||
	    *end > scanner->size)
		return false;
	if (scanner->text[*end - 1] == '}' || scanner->text[*end - 1] == ';')
		return true;
	at = skip_blank(scanner->text, scanner->size, *end);
	while (at < scanner->size && scanner->text[at] == ')')
		at = skip_blank(scanner->text, scanner->size, at + 1);
	if (at >= scanner->size || scanner->text[at] != ';')
		return false;
	*end = at + 1;
	return true;
}

/* Skip a string or character literal that begins at "at". */
static size_t skip_literal(const char *text, size_t end, size_t at)
{
	const char quote = text[at++];

	while (at < end && text[at] != quote && text[at] != '\n')
		at += text[at] == '\\' ? 2 : 1;
	return at + 1;
}

static bool is_line_start(const char *text, size_t at)
{
	while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
		at--;
	return at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r';
}

static bool is_directive(const char *text, size_t end, size_t at)
{
	if (text[at] != '#' && !(at + 1 < end && text[at] == '%' && text[at + 1] == ':'))
		return false;
	return is_line_start(text, at);
}

enum refusal text_check(const struct scanner *scanner, size_t begin, size_t end)
{
	const char *const text = scanner->text;
	int depth = 0, parentheses = 0;

	if (scanner->is_multiple)
		return REFUSAL_INCLUDED_TWICE;
	for (size_t at = skip_blank(text, end, begin); at < end; at = skip_blank(text, end, at)) {
		if (is_directive(text, end, at))
			return REFUSAL_DIRECTIVE;
		if (text[at] == '"' || text[at] == '\'') {
			at = skip_literal(text, end, at);
			continue;
		}
		depth += (text[at] == '{') - (text[at] == '}');
		parentheses += (text[at] == '(') - (text[at] == ')');
		if (depth < 0 || parentheses < 0)
			return REFUSAL_MACRO;
		at++;
	}
	return depth || parentheses ? REFUSAL_MACRO : REFUSAL_NONE;
}

/* The text in the parentheses after "word" in the line; NULL if it is not there. */
static const char *argument(const struct scanner *scanner, const char *line, size_t size, const char *word)
{
	const size_t n = strlen(word);

	for (size_t i = 0; i + n < size; i++) {
		size_t from = i + n + 1, to;
		int depth = 1;

		if (strncmp(line + i, word, n) != 0 || line[i + n] != '(' || (i && (isalnum((unsigned char)line[i - 1]))))
			continue;
		for (to = from; to < size && depth; to++)
			depth += (line[to] == '(') - (line[to] == ')');
		return arena_strndup(scanner->arena, line + from, to - from - (depth == 0));
	}
	return NULL;
}

static bool has_word(const char *line, size_t size, const char *word)
{
	const size_t n = strlen(word);

	for (size_t i = 0; i + n <= size; i++)
		if (strncmp(line + i, word, n) == 0 && (i == 0 || !isalnum((unsigned char)line[i - 1])) &&
		    (i + n == size || !isalnum((unsigned char)line[i + n])))
			return true;
	return false;
}

/* "#pragma strop ..." and "#pragma omp ..." */
static void read_pragma(const struct scanner *scanner, const char *line, size_t size, struct hints *hints)
{
	const char *found;

	hints->has_directive = true;
	if (!has_word(line, size, "pragma"))
		return;
	if (has_word(line, size, "omp"))
		hints->is_openmp = true;
	if (!has_word(line, size, "strop"))
		return;
	if (has_word(line, size, "off"))
		hints->is_off = true;
	if (has_word(line, size, "on"))
		hints->is_off = false;
	if ((found = argument(scanner, line, size, "fp")))
		hints->mode = found;
	if ((found = argument(scanner, line, size, "sizes")))
		hints->sizes = found;
	if ((found = argument(scanner, line, size, "inputs")))
		hints->inputs = found;
}

struct hints text_hints(const struct scanner *scanner, size_t begin, size_t end)
{
	const char *const text = scanner->text;
	struct hints hints = {0};

	for (size_t at = begin; at < end;) {
		size_t stop = at;

		while (stop < end && text[stop] != '\n')
			stop++;
		for (size_t i = at; i < stop; i++) {
			if (is_space(text[i]))
				continue;
			if (text[i] == '#')
				read_pragma(scanner, text + i, stop - i, &hints);
			break;
		}
		for (size_t i = at; i + 10 <= stop; i++)
			if (strncmp(text + i, "strop: off", 10) == 0)
				hints.is_off = true;
		at = stop + 1;
	}
	return hints;
}

static size_t line_start(const char *text, size_t at)
{
	while (at > 0 && text[at - 1] != '\n')
		at--;
	return at;
}

const char *text_indent(const struct scanner *scanner, size_t begin)
{
	const size_t start = line_start(scanner->text, begin);
	size_t stop = start;

	while (stop < begin && (scanner->text[stop] == ' ' || scanner->text[stop] == '\t'))
		stop++;
	return arena_strndup(scanner->arena, scanner->text + start, stop - start);
}

/* NOTE: attributes may stand in a conditional of the preprocessor just before the function; a helper goes above it. */
size_t text_function_begin(const struct scanner *scanner, CXCursor function)
{
	const char *const text = scanner->text;
	size_t begin = 0, name = 0, start;
	CXFile file = NULL;
	unsigned line;
	bool is_conditional = false;

	parsed_place(clang_getRangeStart(clang_getCursorExtent(function)), &file, &line, &begin);
	parsed_place(clang_getCursorLocation(function), &file, &line, &name);
	start = line_start(text, begin);
	for (size_t at = start; at < name; at++)
		is_conditional = is_conditional || is_directive(text, name, at);
	while (is_conditional && start > 0 && strncmp(text + start, "#if", 3) != 0)
		start = line_start(text, start - 1);
	return start;
}

void text_index_lines(struct scanner *scanner)
{
	int n = 0;

	for (size_t i = 0; i < scanner->size; i++)
		n += scanner->text[i] == '\n';
	scanner->line_end = ARENA_ARRAY(scanner->arena, size_t, n + 1);
	scanner->n_line = 0;
	for (size_t i = 0; i < scanner->size; i++)
		if (scanner->text[i] == '\n')
			scanner->line_end[scanner->n_line++] = i;
}

int text_line(const struct scanner *scanner, size_t at)
{
	int low = 0, high = scanner->n_line;

	while (low < high) {
		const int middle = low + (high - low) / 2;

		if (scanner->line_end[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low + 1;
}
