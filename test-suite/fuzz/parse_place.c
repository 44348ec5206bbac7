/* tools/place.c: a source, and in the second part a decision's variant (body, then helpers), which is put in and out again. */
#include "parse.h"

#include <string.h>

#include "support/hash.h"
#include "tools/place.h"

/* Where the region is taken from the source: after the function's head, or the middle. */
static void cut_region(struct arena *arena, const char *source, struct decision *decision)
{
	const char *open = strchr(source, '{');
	size_t size = strlen(source), begin = open ? (size_t)(open + 1 - source) : size / 2, end = begin + (size - begin) / 2;
	char *hex = arena_alloc(arena, 33);

	decision->original = arena_strndup(arena, source + begin, end - begin);
	decision->prefix_size = (int64_t)begin;
	hash_bytes(source, begin, hex);
	decision->prefix = hex;
}

/* "text" without carriage returns, which follow the lines around. */
static const char *without_returns(struct arena *arena, const char *text)
{
	char *copy = arena_strdup(arena, text), *to = copy;

	for (; *text; text++)
		if (*text != '\r')
			*to++ = *text;
	*to = '\0';
	return copy;
}

static int count(const char *at, const char *piece)
{
	int n = 0;

	for (; *piece && (at = strstr(at, piece)); at++)
		n++;
	return n;
}

/* What follows the types, if any, that "helpers" begins with, and the empty line after them: that by which they are found. ""
 * when that is not their form. */
static const char *behind_types(const char *helpers)
{
	const char *at = helpers;

	while (strncmp(at, "typedef ", 8) == 0 && strchr(at, '\n'))
		at = strchr(at, '\n') + 1;
	if (at > helpers)
		at = *at == '\n' ? at + 1 : "";
	return at;
}

/* Whether "piece" stands but once in "lines" and is as strop writes it: it begins with no line's end, which could be that of
 * the line before it. */
static bool stands_once(const char *lines, const char *piece)
{
	return *piece && *piece != '\n' && count(lines, piece) == 1;
}

/* Whether the variant can be told from all else in "with" when it is sought by its text. */
static bool is_single(struct arena *arena, const char *source, const struct decision *decision, const struct text *with)
{
	const char *lines = without_returns(arena, text_string(with)), *body = without_returns(arena, decision->body);
	const char *helpers = decision->helpers;

	if (!stands_once(lines, body) || strstr(without_returns(arena, source), body))
		return false;
	return !helpers || (stands_once(lines, behind_types(helpers)) && !strchr(helpers, '\r') && !strstr(source, "typedef "));
}

/* What was put in comes out without a trace. */
static void revert(struct arena *arena, const char *source, const struct decision *decision, const struct text *with)
{
	struct text without = { 0 };
	struct diag diag = { 0 };
	int reverted;

	if (place_revert(text_string(with), with->size, 1, &decision, &without, &reverted, &diag) != STATUS_OK) {
		parse_require_sentence(&diag);
	} else if (is_single(arena, source, decision, with)) {
		parse_require(reverted == 1, "a variant is not found again");
		parse_require(strcmp(text_string(&without), source) == 0, "a variant leaves traces");
	}
	text_free(&without);
}

static void apply_and_revert(struct arena *arena, const char *source, const struct decision *decision)
{
	size_t size = strlen(source);
	struct text with = { 0 }, stale = { 0 };
	struct diag diag = { 0 };
	int applied;

	if (place_apply(source, size, 1, &decision, &with, &applied, &stale, &diag) != STATUS_OK)
		parse_require_sentence(&diag);
	else if (applied)
		revert(arena, source, decision, &with);
	for (size_t at = 0; at < with.size; at += 1 + with.size / 8)
		place_is_inside(text_string(&with), with.size, 1, &decision, at);
	text_free(&with);
	text_free(&stale);
}

static void read_place(struct arena *arena, const char *bytes, size_t size)
{
	struct decision decision = { .id = "a.c:f:0", .file = "a.c", .function = "f", .accepted = true };
	struct parse_part part[2], variant[2];

	parse_split(arena, bytes, size, part);
	parse_split(arena, part[1].bytes ? part[1].bytes : "", part[1].size, variant);
	decision.body = variant[0].bytes;
	decision.helpers = variant[1].bytes;
	cut_region(arena, part[0].bytes, &decision);
	if (*decision.original && *decision.body)
		apply_and_revert(arena, part[0].bytes, &decision);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_alone(data, size, read_place);
	return 0;
}
