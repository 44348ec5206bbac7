#include "evidence.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/database.h"
#include "support/file.h"
#include "support/hash.h"
#include "support/json.h"
#include "support/memory.h"

/* "line" holds the parsed lines of the journal in a replay; else "journal" is open for writing (or NULL). */
struct evidence {
	struct arena *arena;
	struct database *cache;
	FILE *journal;
	bool is_replay;
	struct data *line;
};

static void write_line(struct evidence *evidence, const struct data *data)
{
	struct text text = { 0 };

	if (!evidence->journal)
		return;
	json_write(data, false, &text);
	fprintf(evidence->journal, "%s\n", text_string(&text));
	fflush(evidence->journal);
	text_free(&text);
}

static enum status open_journal(struct evidence *evidence, const char *journal, struct diag *diag)
{
	if (folder_make(path_folder(evidence->arena, journal), diag) != STATUS_OK)
		return STATUS_FAILED;
	evidence->journal = fopen(journal, "we");
	if (!evidence->journal)
		return diag_set(diag, EXIT_MACHINE, "%s: cannot create the journal: %s", journal, strerror(errno));
	return STATUS_OK;
}

static struct evidence *evidence_new(void)
{
	struct evidence *evidence = memory_alloc(sizeof(*evidence));

	evidence->arena = arena_new();
	return evidence;
}

struct evidence *evidence_open(const char *cache_folder, const char *journal, const struct data *start,
			       struct diag *diag)
{
	struct evidence *evidence = evidence_new();

	if (folder_make(cache_folder, diag) != STATUS_OK)
		return evidence_close(evidence);
	evidence->cache = database_open(path_join(evidence->arena, cache_folder, "evidence.db"), diag);
	if (!evidence->cache || (journal && open_journal(evidence, journal, diag) != STATUS_OK))
		return evidence_close(evidence);
	write_line(evidence, start);
	return evidence;
}

/* Parse each line of the journal; a torn last line (a crash while writing) is dropped. */
static enum status read_lines(struct evidence *evidence, const char *journal, struct text *text, struct diag *diag)
{
	const char *at = text_string(text), *end;
	int number = 1;

	for (; (end = strchr(at, '\n')); at = end + 1, number++) {
		char *name = arena_printf(evidence->arena, "%s line %d", journal, number);
		struct data *line = json_read(evidence->arena, name, at, (size_t)(end - at), diag);

		if (!line)
			return STATUS_FAILED;
		data_add(evidence->arena, evidence->line, line);
	}
	return STATUS_OK;
}

struct evidence *evidence_replay(const char *journal, const struct data **start, struct diag *diag)
{
	struct evidence *evidence = evidence_new();
	struct text text = { 0 };
	enum status status = file_read(journal, &text, diag);

	evidence->is_replay = true;
	evidence->line = data_list(evidence->arena);
	if (status == STATUS_OK)
		status = read_lines(evidence, journal, &text, diag);
	text_free(&text);
	if (status == STATUS_OK &&
	    (evidence->line->n == 0 ||
	     strcmp(data_find_string(evidence->line->item[0], "kind", ""), "start") != 0))
		status = diag_set(diag, EXIT_INPUT, "%s: not a journal of strop", journal);
	if (status != STATUS_OK)
		return evidence_close(evidence);
	*start = evidence->line->item[0];
	return evidence;
}

struct evidence *evidence_close(struct evidence *evidence)
{
	if (!evidence)
		return NULL;
	database_close(evidence->cache);
	if (evidence->journal)
		fclose(evidence->journal);
	arena_free(evidence->arena);
	free(evidence);
	return NULL;
}

bool evidence_is_replay(const struct evidence *evidence)
{
	return evidence->is_replay;
}

static bool matches(const struct data *line, const char *field, const char *value)
{
	return strcmp(data_find_string(line, field, ""), value ? value : "") == 0;
}

static const struct data *find_line(const struct evidence *evidence, const struct evidence_key *key)
{
	int i;

	for (i = 0; i < evidence->line->n; i++) {
		const struct data *line = evidence->line->item[i];

		if (matches(line, "region", key->region) && matches(line, "kind", key->kind) &&
		    matches(line, "plan", key->plan))
			return data_find(line, "result");
	}
	return NULL;
}

static char *cache_key(struct arena *arena, const struct evidence_key *key)
{
	char hex[33];

	hash_bytes(key->plan ? key->plan : "", key->plan ? strlen(key->plan) : 0, hex);
	return arena_printf(arena, "%s %s %s", key->scope, key->kind, hex);
}

static void journal_add(struct evidence *evidence, const struct evidence_key *key, const struct data *result)
{
	struct arena *arena = arena_new();
	struct data *line = data_map(arena);

	data_set_string(arena, line, "region", key->region);
	data_set_string(arena, line, "kind", key->kind);
	data_set_string(arena, line, "plan", key->plan ? key->plan : "");
	data_set_string(arena, line, "scope", key->scope);
	data_set(arena, line, "result", (struct data *)result);
	write_line(evidence, line);
	arena_free(arena);
}

const struct data *evidence_find(struct evidence *evidence, struct arena *arena, const struct evidence_key *key)
{
	const char *value;
	struct data *result;

	if (evidence->is_replay)
		return find_line(evidence, key);
	value = database_find(evidence->cache, arena, cache_key(arena, key));
	result = value ? json_read(arena, "cache", value, strlen(value), NULL) : NULL;
	if (result)
		journal_add(evidence, key, result);
	return result;
}

void evidence_add(struct evidence *evidence, const struct evidence_key *key, const struct data *result)
{
	struct arena *arena = arena_new();
	struct text text = { 0 };

	if (!evidence->is_replay) {
		json_write(result, false, &text);
		database_set(evidence->cache, cache_key(arena, key), text_string(&text));
		journal_add(evidence, key, result);
	}
	text_free(&text);
	arena_free(arena);
}
