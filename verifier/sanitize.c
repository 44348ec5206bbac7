#include "sanitize.h"

#include <signal.h>
#include <string.h>

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

/* Run the program on inputs of the shape and kind of "like"; a finding, or NULL. They are fresh ones, but where arrays share memory,
 * since the original may write over its own indices there, and is known not to on these. A program that ends otherwise is a finding, though
 * it may have closed the stream on which it would be told. */
static const char *run_like(struct judge *judge, struct runner *runner, const struct trial *like, struct diag *diag)
{
	const uint64_t seed = like->overlap.guest < 0 ? rng_derive(like->seed, "sanitizers") : like->seed;
	struct trial *trial = trial_new(&judge->setting, like->sized, like->distribution, like->fence, &like->overlap,
					like->sample, seed, diag);
	const char *finding = NULL;
	struct verdict verdict;
	char text[8192];

	if (!trial)
		return NULL;
	verdict = trial_run(judge->arena, runner, trial, slowness * trial_patience(judge, like));
	if (verdict.kind != VERDICT_EQUAL) {
		runner_errors(runner, text, sizeof(text));
		finding = first_finding(judge->arena, text);
	}
	if (!finding && verdict.kind != VERDICT_EQUAL)
		finding = arena_printf(judge->arena, "an end without a word: %s", verdict.witness);
	if (finding)
		finding = arena_printf(judge->arena, "%s (%s)", finding, trial_print(judge->arena, trial));
	trial_free(trial);
	return finding;
}

/* Run the program on inputs like those of the trials, the small ones at the end first, until something is found; "*finding" is NULL
 * when nothing is. */
static enum status run_trials(struct judge *judge, const struct program *program, const char **finding, struct diag *diag)
{
	struct runner *runner = runner_spawn(program, 0, 0, diag);
	double seconds = 0;
	int i;

	*finding = NULL;
	if (!runner)
		return STATUS_FAILED;
	for (i = judge->n_trial - 1; i >= 0 && seconds < all_seconds && runner->is_alive && !*finding; i--) {
		if (judge->trial[i]->seconds > most_seconds)
			continue;
		*finding = run_like(judge, runner, judge->trial[i], diag);
		seconds += judge->trial[i]->seconds;
	}
	runner_stop(runner);
	return STATUS_OK;
}

/* Build and run "source" as "name"; "*ran" is false when it cannot be built so. */
static enum status check(struct judge *judge, const char *name, const struct text *source, bool *ran, const char **finding,
			 struct diag *diag)
{
	struct program *program = NULL;
	const char *error = NULL, *preload = build_sanitizer(judge->arena, judge->job);

	*ran = false;
	*finding = NULL;
	if (!preload)
		return STATUS_OK;
	if (build_program(judge->arena, judge->job, name, source->bytes, source->size, BUILD_SANITIZED, &program, &error, diag) !=
	    STATUS_OK)
		return STATUS_FAILED;
	if (!program)
		return STATUS_OK;
	program->preload = preload;
	*ran = true;
	return run_trials(judge, program, finding, diag);
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
