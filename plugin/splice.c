#include "splice.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

/* An edit and its place among those given, which decides between insertions at one offset. */
struct placed {
	const struct edit *edit;
	int rank;
};

static int order(size_t a, size_t b)
{
	return a < b ? -1 : a > b;
}

/* By begin; an insertion stands before a replacement that begins there. */
static int compare(const void *left, const void *right)
{
	const struct placed *const a = left, *const b = right;
	const bool a_replaces = a->edit->end > a->edit->begin, b_replaces = b->edit->end > b->edit->begin;
	int result = order(a->edit->begin, b->edit->begin);

	if (!result)
		result = (int)a_replaces - (int)b_replaces;
	return result ? result : a->rank - b->rank;
}

static enum status edits_check(size_t size, int n, const struct placed *placed, struct diag *diag)
{
	for (int i = 0; i < n; i++) {
		const struct edit *const edit = placed[i].edit;

		if (edit->begin > edit->end || edit->end > size)
			return diag_set(diag, EXIT_INPUT, "the edit of bytes %zu to %zu lies outside the file of %zu bytes",
					edit->begin, edit->end, size);
		if (i > 0 && edit->begin < placed[i - 1].edit->end)
			return diag_set(diag, EXIT_INPUT, "the edits of bytes %zu to %zu and %zu to %zu overlap",
					placed[i - 1].edit->begin, placed[i - 1].edit->end, edit->begin, edit->end);
	}
	return STATUS_OK;
}

/* Does the line at "at", or the one before if it is the last, end in CR LF? */
static bool is_crlf(const char *source, size_t size, size_t at)
{
	const char *end = memchr(source + at, '\n', size - at);

	if (!end)
		end = memrchr(source, '\n', at);
	return end && end > source && end[-1] == '\r';
}

static void text_append_lines(struct text *out, const char *string, bool with_cr)
{
	for (size_t i = 0; string[i]; i++) {
		if (with_cr && string[i] == '\n' && (i == 0 || string[i - 1] != '\r'))
			text_append_char(out, '\r');
		text_append_char(out, string[i]);
	}
}

enum status splice(const char *source, size_t size, int n, const struct edit *edits, struct text *out, struct diag *diag)
{
	struct placed *const placed = memory_alloc(sizeof(*placed) * (size_t)(n + 1));
	enum status status;
	size_t at = 0;

	for (int i = 0; i < n; i++)
		placed[i] = (struct placed){.edit = &edits[i], .rank = i};
	qsort(placed, (size_t)n, sizeof(*placed), compare);
	status = edits_check(size, n, placed, diag);
	for (int i = 0; i < n && status == STATUS_OK; i++) {
		const struct edit *const edit = placed[i].edit;

		text_append_bytes(out, source + at, edit->begin - at);
		text_append_lines(out, edit->text, !edit->is_verbatim && is_crlf(source, size, edit->begin));
		at = edit->end;
	}
	if (status == STATUS_OK)
		text_append_bytes(out, source + at, size - at);
	if (status == STATUS_OK && out->overflowed)
		status = diag_set(diag, EXIT_INPUT, "the edited file would be too large");
	free(placed);
	return status;
}
