#include "sanitize.h"

#include <signal.h>
#include <string.h>

#include "sanitize_internal.h"

/* How long the original may take on a trial that is run, and on all of them, in seconds. */
static const double most_seconds = 0.05, all_seconds = 0.5;
/* How much longer than usual a program may take. */
static const double slowness = 10;

/* "text" without the addresses in it, which are others each time. */
static const char *without_addresses(char *text)
{
	char *to = text;
	const char *from;

	for (from = text; *from; from++) {
		if (!strncmp(from, " 0x", 3)) {
			from += 2;
			from += strspn(from + 1, "0123456789abcdef");
			continue;
		}
		*to++ = *from;
	}
	*to = '\0';
	return text;
}

/* What they wrote last: the text behind "runtime error: " or "AddressSanitizer: ", up to the end of its line. */
static const char *first_finding(struct arena *arena, const char *text)
{
	static const char *const marks[] = {"runtime error: ", "AddressSanitizer: "};
	char *found;
	size_t i;

	for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		const char *at = strstr(text, marks[i]), *end;

		if (!at)
			continue;
		at += strlen(marks[i]);
		end = strstr(at, " on address");
		if (!end || memchr(at, '\n', (size_t)(end - at)))
			end = at + strcspn(at, "\n");
		found = arena_strndup(arena, at, (size_t)(end - at));
		string_make_printable(found);
		return without_addresses(found);
	}
	return NULL;
}

/* What they found, or that the program ended otherwise: it may have closed the stream on which it would be told. */
static const char *find(struct arena *arena, const struct runner *runner, struct trial *trial, const struct verdict *verdict,
			const char *text)
{
	const char *finding = first_finding(arena, text);

	(void)runner;
	(void)trial;
	return finding ? finding : arena_printf(arena, "an end without a word: %s", verdict->witness);
}

static const struct sanitizer addresses = {BUILD_SANITIZED, IMAGE_BASE, 0, find};

/* Run the program on "trial", which is freed; a finding, or NULL. */
static const char *run_trial(struct judge *judge, const struct sanitizer *sanitizer, struct runner *runner, struct trial *trial,
			     double patience)
{
	const char *finding = NULL;
	struct verdict verdict;
	char text[8192];

	if (!trial)
		return NULL;
	verdict = trial_run(judge->arena, runner, trial, slowness * patience);
	if (verdict.kind != VERDICT_EQUAL) {
		runner_errors(runner, text, sizeof(text));
		finding = sanitizer->find(judge->arena, runner, trial, &verdict, text);
	}
	if (finding)
		finding = arena_printf(judge->arena, "%s (%s)", finding, trial_print(judge->arena, trial));
	trial_free(trial);
	return finding;
}

/* Run the program on inputs of the shape and kind of "like": on fresh ones, but where arrays share memory, since the original may write
 * over its own indices there, and is known not to on these. */
static const char *run_like(struct judge *judge, const struct sanitizer *sanitizer, const struct setting *setting,
			    struct runner *runner, const struct trial *like, struct diag *diag)
{
	const uint64_t seed = like->overlap.guest < 0 ? rng_derive(like->seed, "sanitizers") : like->seed;

	return run_trial(judge, sanitizer, runner,
			 trial_new(setting, like->sized, like->distribution, like->fence, &like->overlap, like->sample, seed, diag),
			 trial_patience(judge, like));
}

/* Run the program on inputs like those for timing. */
static const char *run_timing(struct judge *judge, const struct sanitizer *sanitizer, const struct setting *setting,
			      struct runner *runner, struct diag *diag)
{
	return run_trial(judge, sanitizer, runner,
			 trial_new(setting, judge->timing, DIST_NORMAL, FENCE_ALIGNED, NULL, NULL,
				   rng_derive(judge->job->seed, "sanitizers"), diag),
			 1 + 20 * judge->timing_seconds);
}

/* The small trials are at the end, and come first. */
enum status sanitize_run(struct judge *judge, const struct sanitizer *sanitizer, const struct program *program,
			 const char **finding, struct diag *diag)
{
	struct runner *runner = runner_spawn(program, 0, 0, TO_JUDGE, diag);
	struct setting setting = judge->setting;
	double seconds = 0;
	int i;

	*finding = NULL;
	if (!runner)
		return STATUS_FAILED;
	setting.base = sanitizer->base;
	for (i = judge->n_trial - 1; i >= 0 && seconds < all_seconds && runner->is_alive && !*finding; i--) {
		if (judge->trial[i]->seconds > most_seconds)
			continue;
		*finding = run_like(judge, sanitizer, &setting, runner, judge->trial[i], diag);
		seconds += judge->trial[i]->seconds;
	}
	if (!*finding && runner->is_alive && judge->timing_seconds < sanitizer->timing_seconds)
		*finding = run_timing(judge, sanitizer, &setting, runner, diag);
	runner_stop(runner);
	return STATUS_OK;
}

enum status sanitize_build(struct judge *judge, const struct sanitizer *sanitizer, const char *name, const struct text *source,
			   struct program **program, const char **error, struct diag *diag)
{
	const char *preload = build_runtime(judge->arena, judge->job, sanitizer->kind);

	*program = NULL;
	*error = NULL;
	if (!preload)
		return STATUS_OK;
	if (build_program(judge->arena, judge->job, name, source->bytes, source->size, sanitizer->kind, program, error, diag) !=
	    STATUS_OK)
		return STATUS_FAILED;
	if (*program)
		(*program)->preload = preload;
	return STATUS_OK;
}

/* Build and run "source" as "name"; "*ran" is false when it cannot be built so. */
static enum status check(struct judge *judge, const char *name, const struct text *source, bool *ran, const char **finding,
			 struct diag *diag)
{
	struct program *program;
	const char *error;

	*ran = false;
	*finding = NULL;
	if (sanitize_build(judge, &addresses, name, source, &program, &error, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (!program)
		return STATUS_OK;
	*ran = true;
	return sanitize_run(judge, &addresses, program, finding, diag);
}

/* See once whether the original gives reason to complain. */
static enum status check_original(struct judge *judge, struct diag *diag)
{
	struct text text = {0};
	const char *finding;
	enum status status;
	bool ran;

	outline_print(judge->setting.outline, "", NULL, 0, &text);
	status = check(judge, "original-sanitized", &text, &ran, &finding, diag);
	text_free(&text);
	if (!ran)
		judge->sanitized = "not run: the compiler has none";
	else if (finding)
		judge->sanitized = arena_printf(judge->arena, "not run: the original has %s", finding);
	else
		judge->sanitized = "addresses, undefined behaviour";
	judge->is_sanitizable = ran && !finding;
	return status;
}

enum status sanitize_check(struct judge *judge, const struct text *source, struct verdict *verdict, struct diag *diag)
{
	const char *finding;
	bool ran;

	if (!judge->sanitized && check_original(judge, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (!judge->is_sanitizable)
		return STATUS_OK;
	if (check(judge, "candidate-sanitized", source, &ran, &finding, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (finding)
		*verdict = (struct verdict){VERDICT_UNDEFINED, finding};
	return STATUS_OK;
}
