#include "place.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/splice.h"
#include "support/hash.h"
#include "support/memory.h"

/* The first offset from "from" at which "needle" stands in the text, or SIZE_MAX. */
static size_t find_bytes(const char *text, size_t size, const char *needle, size_t from)
{
	const char *at = memmem(text + from, size - from, needle, strlen(needle));

	return at ? (size_t)(at - text) : SIZE_MAX;
}

/* Find the region of "decision" in clean text: its bytes, behind a function head that hashes to the same. */
static size_t find_original(const struct decision *decision, const char *text, size_t size)
{
	size_t at = 0, prefix = (size_t)decision->prefix_size;
	char hex[33];

	for (;; at++) {
		at = find_bytes(text, size, decision->original, at);
		if (at == SIZE_MAX)
			return SIZE_MAX;
		if (at < prefix)
			continue;
		hash_bytes(text + at - prefix, prefix, hex);
		if (strcmp(hex, decision->prefix) == 0)
			return at;
	}
}

/* Find an applied variant: its body, and its helpers before it. */
static bool find_variant(const struct decision *decision, const char *text, size_t size, size_t *helpers, size_t *body)
{
	*body = decision->body ? find_bytes(text, size, decision->body, 0) : SIZE_MAX;
	*helpers = decision->helpers ? find_bytes(text, size, decision->helpers, 0) : 0;
	return *body != SIZE_MAX && *helpers != SIZE_MAX && (!decision->helpers || *helpers < *body);
}

enum status place_revert(const char *before, size_t size, int n, const struct decision *const *decisions,
			 struct text *after, int *reverted, struct diag *diag)
{
	struct edit *edits = memory_alloc(sizeof(*edits) * 2 * (size_t)(n + 1));
	int i, n_edit = 0;
	enum status status;

	*reverted = 0;
	for (i = 0; i < n; i++) {
		size_t helpers, body;

		if (!find_variant(decisions[i], before, size, &helpers, &body))
			continue;
		if (decisions[i]->helpers)
			edits[n_edit++] = (struct edit){ helpers, helpers + strlen(decisions[i]->helpers), "" };
		edits[n_edit++] = (struct edit){ body, body + strlen(decisions[i]->body), decisions[i]->original };
		++*reverted;
	}
	status = splice(before, size, n_edit, edits, after, diag);
	free(edits);
	return status;
}

static enum status apply_clean(const struct text *clean, int n, const struct decision *const *decisions,
			       struct text *after, int *applied, struct text *stale, struct diag *diag)
{
	struct edit *edits = memory_alloc(sizeof(*edits) * 2 * (size_t)(n + 1));
	int i, n_edit = 0;
	enum status status;

	for (i = 0; i < n; i++) {
		const struct decision *decision = decisions[i];
		size_t at;

		if (!decision->accepted)
			continue;
		at = find_original(decision, text_string(clean), clean->size);
		if (at == SIZE_MAX) {
			text_printf(stale, "%s%s", stale->size ? ", " : "", decision->id);
			continue;
		}
		if (decision->helpers)
			edits[n_edit++] = (struct edit){ at - (size_t)decision->prefix_size,
							 at - (size_t)decision->prefix_size, decision->helpers };
		edits[n_edit++] = (struct edit){ at, at + strlen(decision->original), decision->body };
		++*applied;
	}
	status = splice(text_string(clean), clean->size, n_edit, edits, after, diag);
	free(edits);
	return status;
}

enum status place_apply(const char *before, size_t size, int n, const struct decision *const *decisions,
			struct text *after, int *applied, struct text *stale, struct diag *diag)
{
	struct text clean = { 0 };
	int reverted;
	enum status status = place_revert(before, size, n, decisions, &clean, &reverted, diag);

	*applied = 0;
	if (status == STATUS_OK)
		status = apply_clean(&clean, n, decisions, after, applied, stale, diag);
	text_free(&clean);
	return status;
}

bool place_is_inside(const char *text, size_t size, int n, const struct decision *const *decisions, size_t at)
{
	int i;

	for (i = 0; i < n; i++) {
		size_t helpers, body;

		if (!find_variant(decisions[i], text, size, &helpers, &body))
			continue;
		if (at >= body && at < body + strlen(decisions[i]->body))
			return true;
		if (decisions[i]->helpers && at >= helpers && at < helpers + strlen(decisions[i]->helpers))
			return true;
	}
	return false;
}
