/* Unified diffs, by E. Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1 (1986). */
#include "splice.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/hash.h"
#include "support/memory.h"

#define CONTEXT 3
/* Beyond this many differing lines the middle of the files is shown as one change, to bound time and memory. */
#define DIFFERENCE_LIMIT 4000

/* A line with its end ("\n", "\r\n" or, for the last, none). */
struct line {
	const char *bytes;
	size_t size;
	uint64_t hash;
};

struct lines {
	int n;
	struct line *line;
};

/* Lines [a, a_end) of the old file become [b, b_end) of the new one. */
struct change {
	int a, a_end, b, b_end;
};

struct script {
	int n, capacity;
	struct change *change;
};

static struct lines lines_split(const char *bytes, size_t size)
{
	struct lines lines = {0};
	size_t n = 1;

	for (size_t i = 0; i < size; i++)
		n += bytes[i] == '\n';
	lines.line = memory_alloc(sizeof(*lines.line) * n);
	while (size > 0) {
		const char *const end = memchr(bytes, '\n', size);
		const size_t length = end ? (size_t)(end - bytes) + 1 : size;

		lines.line[lines.n++] = (struct line){bytes, length, hash_64(bytes, length)};
		bytes += length;
		size -= length;
	}
	return lines;
}

static bool line_equal(const struct line *a, const struct line *b)
{
	return a->hash == b->hash && a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

/* Add a change in front of those there; one that touches it is widened instead. */
static void script_add_before(struct script *script, struct change change)
{
	struct change *const last = script->n ? &script->change[script->n - 1] : NULL;

	if (last && last->a == change.a_end && last->b == change.b_end) {
		last->a = change.a;
		last->b = change.b;
		return;
	}
	if (script->n == script->capacity) {
		script->capacity = script->capacity ? 2 * script->capacity : 16;
		script->change = memory_resize(script->change, sizeof(*script->change) * (size_t)script->capacity);
	}
	script->change[script->n++] = change;
}

/* The furthest x on each diagonal k = x - y, -d <= k <= d, after d differences: row[d][k + d]. */
struct trace {
	int n_row;
	int *row[DIFFERENCE_LIMIT + 1];
};

/* Is the step to diagonal "k" with "d" differences an insertion (down from k + 1), rather than a deletion? "before" is the
 * row of d - 1. */
static bool is_down(const int *before, int d, int k)
{
	return k == -d || (k != d && before[k + d - 2] < before[k + d]);
}

/* Where the step to diagonal "k" starts on it, before it follows equal lines. */
static int step_begin(const int *before, int d, int k)
{
	if (!before)
		return 0;
	return is_down(before, d, k) ? before[k + d] : before[k + d - 2] + 1;
}

/* Advance with "d" differences; return true when both ends are reached. */
static bool trace_extend(struct trace *trace, int d, const struct line *a, int n, const struct line *b, int m)
{
	const int *const before = d > 0 ? trace->row[d - 1] : NULL;

	trace->row[d] = memory_alloc(sizeof(int) * (size_t)(2 * d + 1));
	trace->n_row = d + 1;
	for (int i = 0; i <= d; i++) {
		const int k = 2 * i - d;
		int x = step_begin(before, d, k);

		while (x < n && x - k < m && line_equal(&a[x], &b[x - k]))
			x++;
		trace->row[d][k + d] = x;
		if (x >= n && x - k >= m)
			return true;
	}
	return false;
}

/* Collect the changes on the path found, last first; "skip" lines precede both ranges. */
static void trace_collect(const struct trace *trace, int n, int m, int skip, struct script *script)
{
	int k = n - m;

	for (int d = trace->n_row - 1; d > 0; d--) {
		const int *const before = trace->row[d - 1];
		const int x = skip + step_begin(before, d, k), y = x - k;

		if (is_down(before, d, k)) {
			script_add_before(script, (struct change){x, x, y - 1, y});
			k++;
		} else {
			script_add_before(script, (struct change){x - 1, x, y, y});
			k--;
		}
	}
}

static void script_find(const struct lines *a, const struct lines *b, struct script *script)
{
	struct trace *const trace = memory_alloc(sizeof(*trace));
	int head = 0, tail = 0, n, m;
	bool is_found = false;

	while (head < a->n && head < b->n && line_equal(&a->line[head], &b->line[head]))
		head++;
	while (tail < a->n - head && tail < b->n - head &&
	       line_equal(&a->line[a->n - 1 - tail], &b->line[b->n - 1 - tail]))
		tail++;
	n = a->n - head - tail;
	m = b->n - head - tail;
	for (int d = 0; d <= DIFFERENCE_LIMIT && !is_found; d++)
		is_found = trace_extend(trace, d, a->line + head, n, b->line + head, m);
	if (is_found)
		trace_collect(trace, n, m, head, script);
	else
		script_add_before(script, (struct change){head, head + n, head, head + m});
	for (int d = 0; d < trace->n_row; d++)
		free(trace->row[d]);
	free(trace);
}

static void print_lines(char mark, const struct lines *lines, int from, int to, struct text *out)
{
	for (int i = from; i < to; i++) {
		const struct line *const line = &lines->line[i];

		text_append_char(out, mark);
		text_append_bytes(out, line->bytes, line->size);
		if (line->bytes[line->size - 1] != '\n')
			text_append(out, "\n\\ No newline at end of file\n");
	}
}

/* Print ",count" and the line before it, as hunk headers count: an empty range is named by the line before it. */
static void print_range(char mark, int from, int to, struct text *out)
{
	text_printf(out, "%c%d", mark, from + (to > from));
	if (to - from != 1)
		text_printf(out, ",%d", to - from);
}

/* Print changes [first, last], which run from the end of the script to its start, as one hunk. */
static void print_hunk(const struct lines *a, const struct lines *b, const struct script *script, int first, int last,
		       struct text *out)
{
	const struct change *const head = &script->change[first], *const tail = &script->change[last];
	const int before = head->a < CONTEXT ? head->a : CONTEXT;
	const int after = a->n - tail->a_end < CONTEXT ? a->n - tail->a_end : CONTEXT;
	int at = head->a - before;

	text_append(out, "@@ ");
	print_range('-', at, tail->a_end + after, out);
	text_append_char(out, ' ');
	print_range('+', head->b - before, tail->b_end + after, out);
	text_append(out, " @@\n");
	for (int i = first; i >= last; i--) {
		const struct change *const change = &script->change[i];

		print_lines(' ', a, at, change->a, out);
		print_lines('-', a, change->a, change->a_end, out);
		print_lines('+', b, change->b, change->b_end, out);
		at = change->a_end;
	}
	print_lines(' ', a, at, at + after, out);
}

/* Print "prefix/path" as patch and git read it: quoted like a C string when it holds odd bytes, closed by a tab when it
 * holds a space. */
static void print_name(const char *header, const char *prefix, const char *path, struct text *out)
{
	bool is_odd = false;

	while (*path == '/')
		path++;
	for (const char *p = path; *p; p++)
		is_odd |= *p == '"' || *p == '\\' || (unsigned char)*p < 32 || (unsigned char)*p > 126;
	text_append(out, header);
	text_append(out, is_odd ? "\"" : "");
	text_append(out, prefix);
	for (const char *p = path; *p; p++) {
		if (*p == '"' || *p == '\\')
			text_printf(out, "\\%c", *p);
		else if ((unsigned char)*p < 32 || (unsigned char)*p > 126)
			text_printf(out, "\\%03o", (unsigned char)*p);
		else
			text_append_char(out, *p);
	}
	text_append(out, is_odd ? "\"\n" : strchr(path, ' ') ? "\t\n" : "\n");
}

void diff_unified(const char *path, const char *before, size_t before_size, const char *after, size_t after_size,
		  struct text *out)
{
	struct lines a, b;
	struct script script = {0};

	if (before_size == after_size && (!before_size || !memcmp(before, after, before_size)))
		return;
	a = lines_split(before, before_size);
	b = lines_split(after, after_size);
	script_find(&a, &b, &script);
	print_name("--- ", "a/", path, out);
	print_name("+++ ", "b/", path, out);
	for (int first = script.n - 1, last; first >= 0; first = last - 1) {
		last = first;
		while (last > 0 && script.change[last - 1].a - script.change[last].a_end <= 2 * CONTEXT)
			last--;
		print_hunk(&a, &b, &script, first, last, out);
	}
	free(script.change);
	free(a.line);
	free(b.line);
}
