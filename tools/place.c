#include "place.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/splice.h"
#include "support/hash.h"
#include "support/memory.h"

static bool has_helpers(const struct decision *decision)
{
	return decision->helpers && *decision->helpers;
}

/* The first offset from "from" at which "needle" stands in the text, or SIZE_MAX. */
static size_t find_bytes(const char *text, size_t size, const char *needle, size_t from)
{
	const char *at = from <= size ? memmem(text + from, size - from, needle, strlen(needle)) : NULL;

	return at ? (size_t)(at - text) : SIZE_MAX;
}

/* Where "needle" ends in the text if it stands at "at", else SIZE_MAX. Each of its line ends may be CR LF in the text, as
 * splice() may have put it there. */
static size_t match_lines(const char *text, size_t size, size_t at, const char *needle)
{
	for (; *needle; needle++, at++) {
		if (*needle == '\n' && at + 1 < size && text[at] == '\r')
			at++;
		if (at >= size || text[at] != *needle)
			return SIZE_MAX;
	}
	return at;
}

/* Find "needle", which is not empty, so in the text; "range" is where it stands. */
static bool find_lines(const char *text, size_t size, const char *needle, struct edit *range)
{
	size_t at = 0, end;
	const char *found;

	for (; at < size && (found = memchr(text + at, *needle, size - at)); at++) {
		at = (size_t)(found - text);
		end = match_lines(text, size, at, needle);
		if (end == SIZE_MAX)
			continue;
		*range = (struct edit){ .begin = at, .end = end, .text = "" };
		return true;
	}
	return false;
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

/* The bytes of the first line of "text", its end included. */
static size_t line_size(const char *text)
{
	size_t size = strcspn(text, "\n");

	return size + (text[size] == '\n');
}

/* The bytes of the definitions of types that "helpers" begins with, and of the empty line after them; 0 when
 * nothing follows. */
static size_t types_size(const char *helpers)
{
	size_t size = 0;

	while (strncmp(helpers + size, "typedef ", 8) == 0)
		size += line_size(helpers + size);
	if (size)
		size += strspn(helpers + size, "\r\n");
	return helpers[size] ? size : 0;
}

/* Where the line before "at" begins. */
static size_t line_before(const char *text, size_t at)
{
	if (at > 0)
		at--;
	while (at > 0 && text[at - 1] != '\n')
		at--;
	return at;
}

/* Whether the line of "length" bytes at "line" is one of those of "types" ("size" bytes), whatever its end. */
static bool has_line(const char *types, size_t size, const char *line, size_t length)
{
	size_t at, end;

	while (length && strchr("\r\n", line[length - 1]))
		length--;
	for (at = 0; at < size; at = end + 1) {
		end = at + strcspn(types + at, "\r\n");
		if (end - at == length && memcmp(types + at, line, length) == 0)
			return true;
	}
	return false;
}

/* Where the definitions of types begin that stand before "at" with an empty line between, all of them among the "size" bytes
 * of "types"; "at" itself when there are none. */
static size_t types_begin(const char *text, size_t at, const char *types, size_t size)
{
	size_t line = line_before(text, at), begin;
	const bool is_empty = line < at && strspn(text + line, "\r\n") >= at - line;

	for (begin = is_empty ? line : at; begin > 0; begin = line) {
		line = line_before(text, begin);
		if (strncmp(text + line, "typedef ", 8) != 0 || !has_line(types, size, text + line, begin - line))
			break;
	}
	return is_empty && begin == line_before(text, at) ? at : begin;
}

/* Find an applied variant: its body, and its helpers before it, whose types may stand further up. */
static bool find_variant(const struct decision *decision, const char *text, size_t size, struct edit *helpers,
			 struct edit *body)
{
	const char *own = has_helpers(decision) ? decision->helpers + types_size(decision->helpers) : NULL;

	*helpers = (struct edit){ .text = "" };
	if (!decision->body || !*decision->body || !find_lines(text, size, decision->body, body))
		return false;
	if (!own)
		return true;
	if (!find_lines(text, size, own, helpers) || helpers->begin > body->begin)
		return false;
	helpers->begin = types_begin(text, helpers->begin, decision->helpers, (size_t)(own - decision->helpers));
	return true;
}

enum status place_revert(const char *before, size_t size, int n, const struct decision *const *decisions,
			 struct text *after, int *reverted, struct diag *diag)
{
	struct edit *edits = memory_alloc(sizeof(*edits) * 2 * (size_t)(n + 1));
	int i, n_edit = 0;
	enum status status;

	*reverted = 0;
	for (i = 0; i < n; i++) {
		struct edit helpers, body;

		if (!find_variant(decisions[i], before, size, &helpers, &body))
			continue;
		if (has_helpers(decisions[i]))
			edits[n_edit++] = helpers;
		body.text = decisions[i]->original;
		body.is_verbatim = true;
		edits[n_edit++] = body;
		++*reverted;
	}
	status = splice(before, size, n_edit, edits, after, diag);
	free(edits);
	return status;
}

/* Where helpers go for a function that begins at "at": before the comment that stands directly above it. */
static size_t insertion_place(const char *text, size_t at)
{
	size_t line = line_before(text, at), end = at;
	const char *open;

	while (end > line && strchr(" \t\r\n", text[end - 1]))
		end--;
	if (line == at || text[at - 1] != '\n')
		return at;
	if (end - line >= 2 && strncmp(text + end - 2, "*/", 2) == 0) {
		for (open = text + end - 2; open > text && strncmp(open, "/*", 2) != 0;)
			open--;
		return open == text || open[-1] == '\n' ? (size_t)(open - text) : at;
	}
	while (line < at && strncmp(text + line, "//", 2) == 0) {
		at = line;
		line = line_before(text, at);
	}
	return at;
}

/* Whether lines between two places ask the preprocessor to leave something out. */
static bool has_condition_between(const char *text, size_t begin, size_t end)
{
	for (const char *at = text + begin; (at = memchr(at, '#', (size_t)(text + end - at)));) {
		at += 1 + strspn(at + 1, " \t");
		if (strncmp(at, "if", 2) == 0 || strncmp(at, "el", 2) == 0 || strncmp(at, "end", 3) == 0)
			return true;
	}
	return false;
}

/* One decision on its way into the file: where its region and its helpers go. */
struct placing {
	const struct decision *decision;
	size_t region, helpers;
	struct text text;
};

/* Whether the line of "size" bytes stands among the types of helpers that come before those of "placing", always seen with
 * them. */
static bool is_defined_before(const char *clean, const struct placing *all, int n, const struct placing *placing,
			      const char *line, size_t size)
{
	for (int i = 0; i < n; i++) {
		const struct placing *other = all + i;

		if (!has_helpers(other->decision) || other->helpers > placing->helpers ||
		    (other->helpers == placing->helpers && other >= placing))
			continue;
		if (memmem(other->decision->helpers, types_size(other->decision->helpers), line, size) &&
		    !has_condition_between(clean, other->helpers, placing->helpers))
			return true;
	}
	return false;
}

/* The helpers of "placing" without the types that helpers before them define. */
static void add_helpers(const char *clean, const struct placing *all, int n, struct placing *placing)
{
	const char *at = placing->decision->helpers, *rest = at + types_size(at);

	while (at < rest && strncmp(at, "typedef ", 8) == 0) {
		size_t size = line_size(at);

		if (!is_defined_before(clean, all, n, placing, at, size))
			text_append_bytes(&placing->text, at, size);
		at += size;
	}
	if (placing->text.size)
		text_append_bytes(&placing->text, at, (size_t)(rest - at));
	text_append(&placing->text, rest);
}

static enum status apply_clean(const struct text *clean, int n, const struct decision *const *decisions,
			       struct text *after, int *applied, struct text *stale, struct diag *diag)
{
	struct edit *edits = memory_alloc(sizeof(*edits) * 2 * (size_t)(n + 1));
	struct placing *placing = memory_alloc(sizeof(*placing) * (size_t)(n + 1));
	int i, n_edit = 0, n_placing = 0;
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
		placing[n_placing++] = (struct placing){
			.decision = decision, .region = at,
			.helpers = insertion_place(text_string(clean), at - (size_t)decision->prefix_size),
		};
	}
	for (i = 0; i < n_placing; i++) {
		const struct decision *decision = placing[i].decision;

		if (has_helpers(decision)) {
			add_helpers(text_string(clean), placing, n_placing, placing + i);
			edits[n_edit++] = (struct edit){ .begin = placing[i].helpers, .end = placing[i].helpers,
							 .text = text_string(&placing[i].text) };
		}
		edits[n_edit++] = (struct edit){ .begin = placing[i].region, .text = decision->body,
						 .end = placing[i].region + strlen(decision->original) };
		++*applied;
	}
	status = splice(text_string(clean), clean->size, n_edit, edits, after, diag);
	for (i = 0; i < n_placing; i++)
		text_free(&placing[i].text);
	free(placing);
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
		struct edit helpers, body;

		if (!find_variant(decisions[i], text, size, &helpers, &body))
			continue;
		if (at >= body.begin && at < body.end)
			return true;
		if (at >= helpers.begin && at < helpers.end)
			return true;
	}
	return false;
}
