#include "parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/file.h"
#include "support/memory.h"

void parse_require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "parse: %s\n", what);
	abort();
}

void parse_require_sentence(const struct diag *diag)
{
	parse_require(diag->message[0] != '\0', "something was refused without a sentence");
	for (const char *at = diag->message; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f) {
			fprintf(stderr, "message: %s\n", diag->message);
			parse_require(false, "a sentence has control characters");
		}
}

static void fail_round_trip(const char *what, const char *once, const char *twice)
{
	fprintf(stderr, "---- printed once\n%s\n---- printed twice\n%s\n", once, twice);
	parse_require(false, what);
}

/* Parse what was printed once. */
static void check_again(struct arena *arena, const struct text *once, reprint reprint)
{
	struct text twice = { 0 };
	struct diag diag = { 0 };

	if (!reprint(arena, text_string(once), once->size, &twice, &diag))
		fail_round_trip("what is printed does not parse", text_string(once), diag.message);
	if (once->size != twice.size || memcmp(text_string(once), text_string(&twice), once->size) != 0)
		fail_round_trip("what is printed parses to something else", text_string(once), text_string(&twice));
	text_free(&twice);
}

/* "data" with a 0 behind it, in memory of its own size. */
static char *terminate(const uint8_t *data, size_t size)
{
	char *bytes = memory_alloc(size + 1);

	if (size)
		memcpy(bytes, data, size);
	return bytes;
}

void parse_alone(const uint8_t *data, size_t size, void (*read)(struct arena *arena, const char *bytes, size_t size))
{
	struct arena *arena = arena_new();
	char *bytes = terminate(data, size);

	read(arena, bytes, size);
	free(bytes);
	arena_free(arena);
}

void parse_round_trip(const uint8_t *data, size_t size, reprint reprint)
{
	struct arena *arena = arena_new();
	char *bytes = terminate(data, size);
	struct text once = { 0 };
	struct diag diag = { 0 };

	if (reprint(arena, bytes, size, &once, &diag))
		check_again(arena, &once, reprint);
	else
		parse_require_sentence(&diag);
	text_free(&once);
	free(bytes);
	arena_free(arena);
}

static char folder[64];

static void remove_folder(void)
{
	folder_remove(folder);
}

const char *parse_folder(void)
{
	const char *above = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";

	if (folder[0])
		return folder;
	snprintf(folder, sizeof(folder), "%s/strop-parse-XXXXXX", above);
	parse_require(mkdtemp(folder) != NULL, "no scratch folder");
	atexit(remove_folder);
	return folder;
}

const char *parse_file(struct arena *arena, const char *name, const char *bytes, size_t size)
{
	const char *path = path_join(arena, parse_folder(), name);
	struct diag diag = { 0 };

	parse_require(file_write(path, bytes, size, &diag) == STATUS_OK, diag.message);
	return path;
}

void parse_read_back(struct arena *arena, const char *name, struct text *out)
{
	struct diag diag = { 0 };

	parse_require(file_read(path_join(arena, parse_folder(), name), out, &diag) == STATUS_OK, diag.message);
}

void parse_split(struct arena *arena, const char *bytes, size_t size, struct parse_part part[2])
{
	static const char bar[] = "\n====\n";
	const char *at = memmem(bytes, size, bar, strlen(bar));
	size_t first = at ? (size_t)(at - bytes) + 1 : size;

	part[0] = (struct parse_part){ arena_strndup(arena, bytes, first), first };
	part[1] = (struct parse_part){ NULL, 0 };
	if (!at)
		return;
	at += strlen(bar);
	part[1].size = size - (size_t)(at - bytes);
	part[1].bytes = arena_strndup(arena, at, part[1].size);
}
