#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "support/data.h"
#include "support/file.h"
#include "support/hash.h"
#include "support/yaml.h"

#include "folders.h"
#include "version.h"

static const char header[] = "# Decisions of strop on this tree. Commit this file; 'strop explain' reads it for you.\n";

/* The fields of a decision that are strings. */
#define DECISION_STRINGS(STRING) \
	STRING(id) STRING(file) STRING(function) STRING(anchor) STRING(key) STRING(fp) STRING(sizes) STRING(setup) \
	STRING(reason) STRING(sentence) STRING(plan) STRING(bound) STRING(timing) STRING(original) STRING(helpers) STRING(body) \
	STRING(prefix)

static const char *copy(struct arena *arena, const char *string)
{
	return string ? arena_strdup(arena, string) : NULL;
}

static void read_decision(struct arena *arena, const struct data *map, struct decision *decision)
{
#define STRING(field) decision->field = copy(arena, data_find_string(map, #field, NULL));
	DECISION_STRINGS(STRING)
#undef STRING
	decision->line = (int)data_find_integer(map, "line", 0);
	decision->accepted = strcmp(data_find_string(map, "outcome", ""), "accept") == 0;
	decision->speedup = data_find_real(map, "speedup", 0);
	decision->low = data_find_real(map, "low", 0);
	decision->high = data_find_real(map, "high", 0);
	decision->seconds = data_find_real(map, "seconds", 0);
	decision->share = data_find_real(map, "share", -1);
	decision->candidates = (int)data_find_integer(map, "candidates", 0);
	decision->prefix_size = data_find_integer(map, "prefix_size", 0);
}

static bool has_text(const char *string)
{
	return string && *string;
}

static bool is_whole(const struct decision *decision)
{
	if (!decision->id || !decision->file || !decision->anchor || !decision->fp || !decision->reason)
		return false;
	return !decision->accepted || (has_text(decision->original) && has_text(decision->body) && decision->prefix &&
				       decision->prefix_size >= 0);
}

/* The hash of the texts that go into sources: a lock that was cut short may still be YAML. */
static const char *hash_texts(struct arena *arena, const struct decision *decision)
{
	struct text text = { 0 };
	char hex[33];

	text_printf(&text, "%s%c%s%c%s", decision->original, '\0', decision->helpers ? decision->helpers : "", '\0', decision->body);
	hash_bytes(text.bytes, text.size, hex);
	text_free(&text);
	return arena_strdup(arena, hex);
}

/* Whether the texts of "decision" are those that were written. */
static bool is_intact(struct arena *arena, const struct data *map, const struct decision *decision)
{
	return !decision->accepted || strcmp(data_find_string(map, "texts", ""), hash_texts(arena, decision)) == 0;
}

static enum status read_decisions(struct lock *lock, const struct data *root, struct diag *diag)
{
	const struct data *list = data_find(root, "decisions");
	int64_t version = data_find_integer(root, "version", -1);
	int i;

	if (version > LOCK_VERSION)
		return diag_set(diag, EXIT_INPUT, "%s: written by a newer strop (lock version %lld, this one knows %d)",
				lock->path, (long long)version, LOCK_VERSION);
	if (version < 1 || !list || list->kind != DATA_LIST)
		return diag_set(diag, EXIT_INPUT, "%s: not a strop.lock", lock->path);
	for (i = 0; i < list->n; i++) {
		struct decision decision = { 0 };

		read_decision(lock->arena, list->item[i], &decision);
		if (!is_whole(&decision))
			return diag_set(diag, EXIT_INPUT, "%s: decision %d is incomplete", lock->path, i + 1);
		if (!is_intact(lock->arena, list->item[i], &decision))
			return diag_set(diag, EXIT_INPUT, "%s: the code of %s is not what strop judged; take it out and tune again",
					lock->path, decision.id);
		lock_set(lock, &decision);
	}
	return STATUS_OK;
}

struct lock *lock_load(const char *path, struct diag *diag)
{
	struct arena *arena = arena_new();
	struct lock *lock = ARENA_NEW(arena, struct lock);
	struct text text = { 0 };
	struct data *root;
	enum status status = STATUS_OK;

	lock->arena = arena;
	lock->path = path_absolute(arena, NULL, path);
	if (!file_exists(lock->path))
		return lock;
	status = file_read(lock->path, &text, diag);
	if (status == STATUS_OK) {
		root = yaml_read(arena, path, text_string(&text), text.size, diag);
		status = root ? read_decisions(lock, root, diag) : STATUS_FAILED;
	}
	text_free(&text);
	return status == STATUS_OK ? lock : lock_free(lock);
}

struct lock *lock_free(struct lock *lock)
{
	if (lock)
		arena_free(lock->arena);
	return NULL;
}

static struct data *decision_data(struct arena *arena, const struct decision *decision)
{
	struct data *map = data_map(arena);

#define STRING(field) \
	if (decision->field) \
	data_set_string(arena, map, #field, decision->field)
	STRING(id);
	STRING(file);
	STRING(function);
	data_set_integer(arena, map, "line", decision->line);
	data_set_string(arena, map, "outcome", decision->accepted ? "accept" : "leave");
	STRING(reason);
	STRING(sentence);
	STRING(plan);
	if (decision->speedup > 0) {
		data_set_real(arena, map, "speedup", decision->speedup);
		data_set_real(arena, map, "low", decision->low);
		data_set_real(arena, map, "high", decision->high);
	}
	if (decision->seconds > 0)
		data_set_real(arena, map, "seconds", decision->seconds);
	if (decision->share >= 0)
		data_set_real(arena, map, "share", decision->share);
	STRING(bound);
	STRING(timing);
	data_set_integer(arena, map, "candidates", decision->candidates);
	STRING(fp);
	STRING(sizes);
	STRING(setup);
	STRING(anchor);
	STRING(key);
	STRING(prefix);
	if (decision->prefix)
		data_set_integer(arena, map, "prefix_size", decision->prefix_size);
	if (decision->accepted)
		data_set_string(arena, map, "texts", hash_texts(arena, decision));
	STRING(original);
	STRING(helpers);
	STRING(body);
#undef STRING
	return map;
}

enum status lock_save(const struct lock *lock, struct diag *diag)
{
	struct arena *arena = arena_new();
	struct data *root = data_map(arena), *list = data_list(arena);
	struct text text = { 0 };
	enum status status;
	int i;

	data_set_integer(arena, root, "version", LOCK_VERSION);
	data_set_string(arena, root, "strop", "strop " STROP_VERSION);
	for (i = 0; i < lock->n; i++)
		data_add(arena, list, decision_data(arena, &lock->decision[i]));
	data_set(arena, root, "decisions", list);
	text_append(&text, header);
	yaml_write(root, &text);
	status = file_replace(lock->path, text.bytes, text.size, diag);
	text_free(&text);
	arena_free(arena);
	return status;
}

static int find(const struct lock *lock, const char *id)
{
	int i;

	for (i = 0; i < lock->n; i++)
		if (strcmp(lock->decision[i].id, id) == 0)
			return i;
	return -1;
}

const struct decision *lock_find(const struct lock *lock, const char *id)
{
	int at = find(lock, id);

	return at >= 0 ? &lock->decision[at] : NULL;
}

static struct decision copy_decision(struct arena *arena, const struct decision *from)
{
	struct decision to = *from;

#define STRING(field) to.field = copy(arena, from->field);
	DECISION_STRINGS(STRING)
#undef STRING
	return to;
}

void lock_set(struct lock *lock, const struct decision *decision)
{
	int at = find(lock, decision->id);

	if (at < 0 && lock->n == lock->capacity) {
		int capacity = lock->capacity ? lock->capacity * 2 : 16;
		struct decision *grown = ARENA_ARRAY(lock->arena, struct decision, capacity);

		if (lock->n)
			memcpy(grown, lock->decision, sizeof(*grown) * (size_t)lock->n);
		lock->decision = grown;
		lock->capacity = capacity;
	}
	if (at < 0)
		at = lock->n++;
	lock->decision[at] = copy_decision(lock->arena, decision);
}

const char *lock_file_path(const struct lock *lock, const struct decision *decision)
{
	return path_absolute(lock->arena, path_folder(lock->arena, lock->path), decision->file);
}

enum status lock_claim(const char *path, struct diag *diag)
{
	struct arena *arena = arena_new();
	const char *absolute = path_absolute(arena, NULL, path), *folder = folders_cache(arena);
	char hex[33], *claim;
	int fd;

	hash_bytes(absolute, strlen(absolute), hex);
	claim = arena_printf(arena, "%s/claims/%s", folder, hex);
	if (folder_make(path_folder(arena, claim), diag) != STATUS_OK) {
		arena_free(arena);
		return STATUS_FAILED;
	}
	fd = open(claim, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		diag_set(diag, EXIT_MACHINE, "%s: cannot claim: %s", path, strerror(errno));
	else if (flock(fd, LOCK_EX | LOCK_NB) != 0)
		diag_set(diag, EXIT_INPUT, "another strop is at work on %s; wait for it or stop it", path);
	arena_free(arena);
	return diag->message[0] ? STATUS_FAILED : STATUS_OK;
}
