#include "arguments_internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "support/file.h"
#include "support/text.h"

#define RESPONSE_DEPTH 16
#define RESPONSE_FILES 2000
#define RESPONSE_LIMIT ((size_t)16 << 20)

/* What one word may still be expanded to. */
struct allowance {
	int files;
	size_t bytes;
};

void arguments_add(struct arguments *list, const char *word)
{
	if (list->argc + 2 > list->capacity) {
		const int capacity = list->capacity ? 2 * list->capacity : 32;
		const char **const grown = ARENA_ARRAY(list->arena, const char *, capacity);

		if (list->argc)
			memcpy(grown, list->argv, sizeof(*grown) * (size_t)list->argc);
		list->argv = grown;
		list->capacity = capacity;
	}
	list->argv[list->argc++] = word;
	list->argv[list->argc] = NULL;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

/* Does the backslash at "p" quote what follows it? "quote" is the quote that it stands in, or 0. */
static bool is_escape(const char *p, char quote, bool is_shell)
{
	if (*p != '\\' || !p[1])
		return false;
	if (!is_shell || !quote)
		return true;
	return quote == '"' && strchr("\"\\$`\n", p[1]);
}

/* Append the word at "p", which is no white space, to "word"; return where it ends. */
static const char *word_read(const char *p, bool is_shell, struct text *word)
{
	char quote = 0;

	for (; *p && (quote || !is_space(*p)); p++) {
		if (is_escape(p, quote, is_shell))
			text_append_char(word, *++p);
		else if (quote ? *p == quote : *p == '\'' || *p == '"')
			quote = quote ? 0 : *p;
		else
			text_append_char(word, *p);
	}
	return p;
}

static void split(struct arguments *list, const char *text, bool is_shell)
{
	struct text word = {0};

	for (;;) {
		while (is_space(*text))
			text++;
		if (!*text)
			break;
		text_clear(&word);
		text = word_read(text, is_shell, &word);
		arguments_add(list, arena_strdup(list->arena, text_string(&word)));
	}
	text_free(&word);
}

void arguments_split_shell(struct arguments *list, const char *text)
{
	split(list, text, true);
}

void arguments_split_response(struct arguments *list, const char *text)
{
	split(list, text, false);
}

/* Append the file that "word" names to "text"; false when it names none that can be read or that is allowed. */
static bool response_read(struct arena *arena, const char *directory, const char *word, struct allowance *allowance,
			  struct text *text)
{
	if (word[0] != '@' || !allowance->files || !allowance->bytes)
		return false;
	text_init(text, allowance->bytes);
	if (file_read(path_join(arena, directory, word + 1), text, NULL) != STATUS_OK)
		return false;
	allowance->files--;
	allowance->bytes -= text->size;
	return true;
}

static void add_expanded(struct arguments *list, const char *directory, const char *word, int depth,
			 struct allowance *allowance)
{
	struct arguments words = {.arena = list->arena};
	struct text text = {0};

	if (depth < RESPONSE_DEPTH && response_read(list->arena, directory, word, allowance, &text)) {
		arguments_split_response(&words, text_string(&text));
		for (int i = 0; i < words.argc; i++)
			add_expanded(list, directory, words.argv[i], depth + 1, allowance);
	} else {
		arguments_add(list, word);
	}
	text_free(&text);
}

void arguments_add_expanded(struct arguments *list, const char *directory, const char *word)
{
	struct allowance allowance = {RESPONSE_FILES, RESPONSE_LIMIT};

	add_expanded(list, directory, word, 0, &allowance);
}

const char *path_resolve(struct arena *arena, const char *path)
{
	char real[PATH_MAX];

	if (realpath(path, real))
		return arena_strdup(arena, real);
	return path_absolute(arena, NULL, path);
}
