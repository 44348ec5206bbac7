#include "races.h"

#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "races_internal.h"
#include "sanitize_internal.h"
#include "symbols.h"

/* The inputs for timing are run where the original takes at most so many seconds on them: some versions use threads only there. */
static const double most_timing = 0.1;

#if defined(__SANITIZE_ADDRESS__)
static const bool is_sanitized = true;
#else
static const bool is_sanitized = false;
#endif

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Whether a program that uses the name uses threads. */
static bool makes_threads(const char *name)
{
	return begins(name, "GOMP_") || begins(name, "__kmpc_") || !strcmp(name, "pthread_create") || !strcmp(name, "thrd_create");
}

/* Whether a name that is not defined beside the program is of a library whose threads and locks the search cannot follow, or tells the
 * runtime what to overlook. */
static bool is_unknown(const char *name)
{
	static const char *const first[] = {"GOMP_", "__kmpc_", "omp_", "thrd_", "mtx_", "cnd_", "Annotate"};
	size_t i;

	for (i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		if (begins(name, first[i]))
			return true;
	return false;
}

/* The rest of the line at "at", up to the words "until", and no more than fits on a line of ours. */
static const char *words(struct arena *arena, const char *at, const char *until)
{
	const size_t size = strcspn(at, "\n"), most = 400;
	char *text = arena_strndup(arena, at, size < most ? size : most), *end = strstr(text, until);

	if (end)
		*end = '\0';
	string_make_printable(text);
	return text;
}

/* What lies at "address", as far as trial and report tell: an element, or where it is stored. */
static const char *find_place(struct arena *arena, const struct trial *trial, uint64_t address, const char *report)
{
	static const char mark[] = "Location is ";
	const char *location = strstr(report, mark);
	int64_t offset = 0;
	int p = image_find_block(trial->image, address, &offset);
	const struct part *part = p >= 0 ? &trial->part[p] : NULL;

	if (part && part->kind == BLOCK_ARRAY)
		return element_name(arena, trial, part->binding,
				    part->first + offset / type_size(trial->setting->outline->binding[part->binding].var->type));
	if (part)
		return "a scalar or a record";
	if (!location)
		return "memory of its own";
	location += strlen(mark);
	if (begins(location, "stack"))
		return "a variable on a stack";
	return begins(location, "heap") ? "memory that it took" : "a variable that outlives its function";
}

/* "data race: write of size 8, another thread's read of size 8, of c[3]": from a report whose first access is told at "at". */
static const char *print_race(struct arena *arena, const struct trial *trial, const char *at)
{
	static const char mark[] = "Previous ", place[] = " at 0x";
	const char *first = at + strspn(at, " "), *address = strstr(first, place), *second = strstr(first, mark);

	if (!address || !second)
		return "data race";
	return arena_printf(arena, "data race: %c%s, another thread's %s, of %s", *first | 0x20, words(arena, first + 1, place),
			    words(arena, second + strlen(mark), place),
			    find_place(arena, trial, strtoull(address + strlen(place), NULL, 16), first));
}

/* What the report says; what a program does that cannot be followed begins with RACES_UNCHECKED. A program that only left something
 * behind was judged for that before. */
static const char *find(struct arena *arena, const struct runner *runner, struct trial *trial, const struct verdict *verdict,
			const char *text)
{
	static const char mark[] = "ThreadSanitizer: ", race[] = "data race";
	const char *unchecked = strstr(text, RACES_UNCHECKED), *report = strstr(text, mark);

	if (report && begins(report + strlen(mark), race))
		return print_race(arena, trial, report + strcspn(report, "\n") + 1);
	if (report)
		return words(arena, report + strlen(mark), " (");
	if (unchecked)
		return words(arena, unchecked, "\n");
	if (verdict->kind == VERDICT_TIMEOUT)
		return arena_printf(arena, RACES_UNCHECKED "%s", verdict->witness);
	if (verdict->kind == VERDICT_SIDE_EFFECT && runner->is_alive)
		return NULL;
	return arena_printf(arena, "an end without a word: %s", verdict->witness);
}

static const struct sanitizer races = {BUILD_RACES, IMAGE_BASE_RACES, most_timing, find};

/* Build and run "source" as "name"; "*finding" begins with RACES_UNCHECKED where that is not possible. */
static enum status check(struct judge *judge, const char *name, const struct text *source, const char **finding, struct diag *diag)
{
	struct program *program;
	const char *error, *unknown = NULL;

	if (sanitize_build(judge, &races, name, source, &program, &error, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (program && symbols_find(judge->arena, program->path, is_unknown, &unknown, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (program && !unknown)
		return sanitize_run(judge, &races, program, finding, diag);
	*finding = arena_printf(judge->arena, RACES_UNCHECKED "it %s %s", program ? "calls" : "does not build so:",
				program ? words(judge->arena, unknown, "\n") : error);
	return STATUS_OK;
}

/* See once whether the search can be run: not without a runtime, nor where the original gives reason to complain itself. An original
 * that cannot be followed says nothing of versions that can. */
static enum status check_original(struct judge *judge, struct diag *diag)
{
	struct text text = {0};
	const char *finding = NULL;
	enum status status = STATUS_OK;

	judge->is_raced = true;
	if (is_sanitized || !build_runtime(judge->arena, judge->job, BUILD_RACES)) {
		judge->no_races = is_sanitized ? "not run: strop itself is built with sanitizers"
					       : "not run: the compiler has none that can be preloaded";
		return STATUS_OK;
	}
	outline_print(judge->setting.outline, "", NULL, 0, &text);
	status = check(judge, "original-races", &text, &finding, diag);
	text_free(&text);
	if (finding && !begins(finding, RACES_UNCHECKED))
		judge->no_races = arena_printf(judge->arena, "not run: the original has %s", finding);
	return status;
}

enum status races_check(struct judge *judge, const struct text *source, const struct program *program, struct verdict *verdict,
			struct diag *diag)
{
	const char *name = NULL, *finding = NULL;

	if (symbols_find(judge->arena, program->path, makes_threads, &name, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (!name)
		return STATUS_OK;
	if (!judge->is_raced && check_original(judge, diag) != STATUS_OK)
		return STATUS_FAILED;
	judge->races = judge->no_races ? judge->no_races : "none found";
	if (judge->no_races)
		return STATUS_OK;
	if (check(judge, "candidate-races", source, &finding, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (finding)
		*verdict = (struct verdict){begins(finding, RACES_UNCHECKED) ? VERDICT_UNTESTABLE : VERDICT_UNDEFINED, finding};
	if (finding)
		judge->races = finding;
	return STATUS_OK;
}
