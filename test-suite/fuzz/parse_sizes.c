/* support/options.c and tools/tuner.c: the words of a command line of strop, one of them sizes such as N=64,M=8. */
#include "parse.h"

#include <string.h>

#include "support/options.h"
#include "tools/tuner.h"

enum { WORD_MAX = 64 };

/* Cut "line" at its blanks. */
static int cut_words(char *line, char **word)
{
	int n = 0;

	word[n++] = "strop";
	for (char *at = strtok(line, " "); at && n < WORD_MAX; at = strtok(NULL, " "))
		word[n++] = at;
	return n;
}

static bool print_sizes(struct arena *arena, const char *sizes, struct text *out, struct diag *diag)
{
	struct size *size;
	int n;

	if (sizes_parse(arena, sizes, &n, &size, diag) != STATUS_OK)
		return false;
	text_append(out, "--sizes=");
	for (int i = 0; i < n; i++)
		text_printf(out, "%s%s=%lld", i ? "," : "", size[i].name, (long long)size[i].value);
	return true;
}

static bool reprint_words(struct arena *arena, const char *bytes, size_t size, struct text *out, struct diag *diag)
{
	bool is_quick = false;
	const char *sizes = "", *word[WORD_MAX];
	int64_t seed = 0;
	struct option_list list = { 0 };
	const struct option options[] = {
		{ "--quick", OPTION_FLAG, &is_quick, NULL, "" },   { "--sizes", OPTION_STRING, &sizes, "N=1", "" },
		{ "--seed", OPTION_INTEGER, &seed, "N", "" },	   { "-p", OPTION_LIST, &list, "BUILD", "" },
	};
	const struct usage usage = { "strop", "", "", 4, options };
	struct arguments arguments;
	int n = cut_words(arena_strndup(arena, bytes, size), (char **)word);

	if (options_parse(&usage, n, (char **)word, &arguments, diag) != STATUS_OK)
		return false;
	parse_require(arguments.help || arguments.n_file + arguments.n_rest + list.n < n, "there are more words than were given");
	return print_sizes(arena, sizes, out, diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_round_trip(data, size, reprint_words);
	return 0;
}
