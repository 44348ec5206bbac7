#include "tree.h"

#include <stdlib.h>
#include <string.h>

#include "plugin/splice.h"
#include "support/file.h"
#include "support/memory.h"

#include "place.h"

int tree_decisions(const struct lock *lock, const char *path, const struct decision **decisions, int max)
{
	int i, n = 0;

	for (i = 0; i < lock->n && n < max; i++)
		if (lock->decision[i].body && strcmp(lock_file_path(lock, &lock->decision[i]), path) == 0)
			decisions[n++] = &lock->decision[i];
	return n;
}

/* What to do with one file's text. */
enum change_kind { CHANGE_APPLY, CHANGE_REVERT, CHANGE_DIFF };

static enum status change_text(enum change_kind kind, const char *path, const struct text *before, int n,
			       const struct decision *const *decisions, struct tree_change *change,
			       struct text *after, struct diag *diag)
{
	int count = 0;
	enum status status;

	if (kind == CHANGE_REVERT)
		status = place_revert(text_string(before), before->size, n, decisions, after, &count, diag);
	else
		status = place_apply(text_string(before), before->size, n, decisions, after, &count, &change->stale, diag);
	change->rewrites += count;
	if (status != STATUS_OK || kind == CHANGE_DIFF)
		return status;
	if (before->size == after->size && memcmp(text_string(before), text_string(after), after->size) == 0)
		return STATUS_OK;
	change->files++;
	return file_replace(path, text_string(after), after->size, diag);
}

/* Append the diff between the file without rewrites and "after". */
static enum status add_diff(const char *path, const struct text *before, int n,
			    const struct decision *const *decisions, const struct text *after, struct text *patch,
			    struct diag *diag)
{
	struct arena *arena = arena_new();
	struct text clean = { 0 };
	int reverted;
	enum status status = place_revert(text_string(before), before->size, n, decisions, &clean, &reverted, diag);

	if (status == STATUS_OK)
		diff_unified(path_relative(path, path_absolute(arena, NULL, ".")), text_string(&clean), clean.size,
			     text_string(after), after->size, patch);
	text_free(&clean);
	arena_free(arena);
	return status;
}

static enum status change_file(const struct lock *lock, enum change_kind kind, const char *path,
			       struct tree_change *change, struct text *patch, struct diag *diag)
{
	const struct decision **decisions = memory_alloc(sizeof(*decisions) * (size_t)lock->n);
	int n = tree_decisions(lock, path, decisions, lock->n);
	struct text before = { 0 }, after = { 0 };
	enum status status = file_read(path, &before, diag);

	if (status == STATUS_OK)
		status = change_text(kind, path, &before, n, decisions, change, &after, diag);
	if (status == STATUS_OK && patch)
		status = add_diff(path, &before, n, decisions, &after, patch, diag);
	text_free(&before);
	text_free(&after);
	free(decisions);
	return status;
}

/* Whether an earlier decision is on the same file. */
static bool is_repeated(const struct lock *lock, int at)
{
	int i;

	for (i = 0; i < at; i++)
		if (lock->decision[i].body && strcmp(lock->decision[i].file, lock->decision[at].file) == 0)
			return true;
	return false;
}

static enum status change_all(const struct lock *lock, enum change_kind kind, struct tree_change *change,
			      struct text *patch, struct diag *diag)
{
	int i;

	memset(change, 0, sizeof(*change));
	for (i = 0; i < lock->n; i++) {
		if (!lock->decision[i].body || is_repeated(lock, i))
			continue;
		if (change_file(lock, kind, lock_file_path(lock, &lock->decision[i]), change, patch, diag) != STATUS_OK)
			return STATUS_FAILED;
	}
	return STATUS_OK;
}

enum status tree_apply(const struct lock *lock, struct tree_change *change, struct diag *diag)
{
	return change_all(lock, CHANGE_APPLY, change, NULL, diag);
}

enum status tree_revert(const struct lock *lock, struct tree_change *change, struct diag *diag)
{
	return change_all(lock, CHANGE_REVERT, change, NULL, diag);
}

enum status tree_diff(const struct lock *lock, struct text *patch, struct tree_change *change, struct diag *diag)
{
	return change_all(lock, CHANGE_DIFF, change, patch, diag);
}
