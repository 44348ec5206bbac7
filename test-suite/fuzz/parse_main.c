/* Runs a target without libFuzzer: over each file of its corpus, then over a fixed number of mutations of them, which
 * depend on the seed only.
 *
 * usage: parse_NAME CORPUS [MUTATIONS [SEED]]. When the target dies, the input is in parse-crash in the working folder. */
#include "parse.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/file.h"
#include "support/memory.h"
#include "support/rng.h"

enum { SEED_MAX = 512, INPUT_LIMIT = 1 << 16 };

/* The files of a corpus, sorted by name. */
struct corpus {
	int n;
	char *name[SEED_MAX];
	struct text text[SEED_MAX];
};

/* What the target is at; written out when it dies. */
static const struct text *running;

static void save_input(int number)
{
	int fd = open("parse-crash", O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (fd >= 0 && running && write(fd, text_string(running), running->size) < 0)
		_exit(1);
	signal(number, SIG_DFL);
	raise(number);
}

static void run(const struct text *input)
{
	running = input;
	LLVMFuzzerTestOneInput((const uint8_t *)text_string(input), input->size);
	running = NULL;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void load_corpus(const char *folder, struct corpus *corpus)
{
	struct arena *arena = arena_new();
	struct diag diag = { 0 };
	DIR *directory = opendir(folder);

	parse_require(directory != NULL, "there is no such corpus");
	for (struct dirent *entry; (entry = readdir(directory)) && corpus->n < SEED_MAX;)
		if (entry->d_name[0] != '.')
			corpus->name[corpus->n++] = memory_strdup(entry->d_name);
	closedir(directory);
	parse_require(corpus->n > 0, "the corpus is empty");
	qsort(corpus->name, (size_t)corpus->n, sizeof(*corpus->name), compare_names);
	for (int i = 0; i < corpus->n; i++)
		parse_require(file_read(path_join(arena, folder, corpus->name[i]), &corpus->text[i], &diag) == STATUS_OK,
			      diag.message);
	arena_free(arena);
}

/* ---- mutations ---- */

static const char *const hard[] = {
	"0", "-1", "64", "2147483647", "2147483648", "-2147483648", "9223372036854775807", "9223372036854775808",
	"-9223372036854775808", "18446744073709551616", "1e999", "-1e-999", "0x1p9999", "nan", "(", ")", "[", "]", "{", "}",
	"\"", "\\", "'", "\n", "  ", "\t", "=", ":", ",", ";", "@", "#", "-", "%s%n", "\xff", "\xc3\xa9", "\\u0000",
};

/* Replace "drop" bytes at "at" of "text" by the "size" at "bytes", as far as the limit allows. */
static void replace(struct text *text, size_t at, size_t drop, const char *bytes, size_t size)
{
	struct text changed;

	text_init(&changed, INPUT_LIMIT);
	text_append_bytes(&changed, text_string(text), at);
	text_append_bytes(&changed, bytes, size);
	text_append_bytes(&changed, text_string(text) + at + drop, text->size - at - drop);
	text_free(text);
	*text = changed;
}

static size_t below(struct rng *rng, size_t n)
{
	return n ? (size_t)rng_below(rng, n) : 0;
}

/* Repeat a byte of the text, or a hard piece, so often that what nests, nests deep. */
static void repeat(struct text *text, struct rng *rng)
{
	const char *piece = hard[below(rng, sizeof(hard) / sizeof(*hard))];
	size_t at = below(rng, text->size + 1);
	struct text many = { 0 };
	char one[2] = { 0 };

	if (text->size && rng_below(rng, 2)) {
		one[0] = text_string(text)[below(rng, text->size)];
		piece = one;
	}
	text_repeat(&many, piece, 1 << rng_below(rng, 13));
	replace(text, at, 0, text_string(&many), many.size);
	text_free(&many);
}

static void mutate(struct text *text, const struct corpus *corpus, struct rng *rng)
{
	const struct text *other = &corpus->text[below(rng, (size_t)corpus->n)];
	const char *piece = hard[below(rng, sizeof(hard) / sizeof(*hard))];
	size_t at = below(rng, text->size + 1), length = below(rng, text->size - at + 1);
	size_t from = below(rng, other->size + 1), near = length < 8 ? length : 8;
	char byte = (char)rng_next(rng);

	switch (rng_below(rng, 8)) {
	case 0:
		replace(text, at, at < text->size, &byte, 1);
		break;
	case 1:
		replace(text, at, 0, &byte, 1);
		break;
	case 2:
		replace(text, at, rng_below(rng, 2) ? length : near, "", 0);
		break;
	case 3:
	case 4:
		replace(text, at, below(rng, near + 1), piece, strlen(piece));
		break;
	case 5:
		replace(text, at, near, text_string(other) + from, below(rng, other->size - from + 1));
		break;
	case 6:
		replace(text, at, length, text_string(other) + from, other->size - from);
		break;
	default:
		repeat(text, rng);
	}
}

static void run_mutation(const struct corpus *corpus, struct rng *rng)
{
	const struct text *seed = &corpus->text[below(rng, (size_t)corpus->n)];
	struct text text = { 0 };

	text_append_bytes(&text, text_string(seed), seed->size);
	for (uint64_t i = 0, n = 1 + rng_below(rng, 4); i < n; i++)
		mutate(&text, corpus, rng);
	run(&text);
	text_free(&text);
}

int main(int argc, char **argv)
{
	static const int deaths[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL };
	long mutations = argc > 2 ? atol(argv[2]) : 0;
	struct corpus corpus = { 0 };
	struct rng rng;

	if (argc < 2) {
		fprintf(stderr, "usage: %s CORPUS [MUTATIONS [SEED]]\n", argv[0]);
		return 2;
	}
	for (size_t i = 0; i < sizeof(deaths) / sizeof(*deaths); i++)
		signal(deaths[i], save_input);
	load_corpus(argv[1], &corpus);
	rng_seed(&rng, argc > 3 ? strtoull(argv[3], NULL, 10) : 1);
	for (int i = 0; i < corpus.n; i++)
		run(&corpus.text[i]);
	for (long i = 0; i < mutations; i++)
		run_mutation(&corpus, &rng);
	printf("%d seeds, %ld mutations\n", corpus.n, mutations);
	for (int i = 0; i < corpus.n; i++) {
		text_free(&corpus.text[i]);
		free(corpus.name[i]);
	}
	return 0;
}
