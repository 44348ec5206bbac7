#include "tuner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "profiler/rule.h"
#include "support/file.h"
#include "support/hash.h"
#include "support/process.h"
#include "support/rng.h"

#include "evaluate.h"
#include "measured.h"
#include "progress.h"

static const double run_seconds = 60;
static const size_t run_memory = (size_t)8 << 30;

/* A candidate that screened well. */
struct finalist {
	const char *plan;
	struct variant variant;
	double speedup;
};

/* One region's tuning under way. "best" holds up to RULE_FINALISTS, fastest first; "lost" is the plan that came closest
 * without being one. */
struct tuner {
	struct arena *arena;
	const struct tune_region *input;
	const struct tune_settings *settings;
	struct evidence *evidence;
	struct decision *decision;
	enum fp_mode mode;
	struct target target;
	struct job job;
	struct workspace *workspace;
	struct evaluator *evaluator;
	struct admission admission;
	struct finalist best[RULE_FINALISTS];
	int n_best, n_equal, n_judged, n_illegal;
	const char *last_why;
};

enum status sizes_parse(struct arena *arena, const char *text, int *n, struct size **size, struct diag *diag)
{
	const char *at = text;

	*size = ARENA_ARRAY(arena, struct size, strlen(text) / 2 + 1);
	for (*n = 0; *at; ++*n) {
		const char *equals = strchr(at, '=');
		char *end;
		long long value = equals ? strtoll(equals + 1, &end, 10) : 0;

		if (!equals || equals == at || end == equals + 1 || (*end && *end != ','))
			return diag_set(diag, EXIT_INPUT, "sizes are written N=1024,M=8, not '%s'", text);
		(*size)[*n] = (struct size){ arena_strndup(arena, at, (size_t)(equals - at)), value };
		at = *end ? end + 1 : end;
	}
	return STATUS_OK;
}

static const char *sizes_print(struct arena *arena, int n, const struct size *size)
{
	struct text text = { 0 };
	const char *result;
	int i;

	for (i = 0; i < n; i++)
		text_printf(&text, "%s%s=%lld", i ? "," : "", size[i].name, (long long)size[i].value);
	result = arena_strdup(arena, text_string(&text));
	text_free(&text);
	return result;
}

void decision_init(struct arena *arena, const struct region *region, const struct tune_settings *settings,
		   const char *mode, struct decision *decision)
{
	memset(decision, 0, sizeof(*decision));
	decision->id = region->id;
	decision->file = region->file;
	decision->function = region->function;
	decision->line = region->line;
	decision->anchor = arena_strdup(arena, region->anchor);
	decision->key = region->nest ? arena_strdup(arena, region->key) : NULL;
	decision->fp = mode;
	decision->share = -1;
	decision->setup = arena_printf(arena, "policy %s, budget %d, seed %llu%s%s%s%s", settings->policy->name,
				       settings->budget, (unsigned long long)settings->seed,
				       settings->sizes ? ", sizes " : "", settings->sizes ? settings->sizes : "",
				       settings->cache != CACHE_AUTO ? ", cache " : "",
				       settings->cache != CACHE_AUTO ? cache_name(settings->cache) : "");
}

static void leave(struct tuner *tuner, const char *reason, const char *sentence)
{
	tuner->decision->accepted = false;
	tuner->decision->reason = reason;
	tuner->decision->sentence = sentence;
}

/* Keep the sizes that name integer params of the nest: those asked for, else those of a recorded run, else those of a call in the
 * source, which may be made smaller. */
static enum status choose_sizes(struct tuner *tuner, struct diag *diag)
{
	const struct region *region = tuner->input->region;
	const char *text = tuner->settings->sizes ? tuner->settings->sizes : region->sizes;
	struct size *size;
	int i, n;

	tuner->job.may_shrink = !text && !tuner->input->n_size;
	if (tuner->job.may_shrink)
		text = region->call_sizes;
	if (!text) {
		tuner->job.n_size = tuner->input->n_size;
		tuner->job.size = tuner->input->size;
		return STATUS_OK;
	}
	if (sizes_parse(tuner->arena, text, &n, &size, diag) != STATUS_OK)
		return STATUS_FAILED;
	tuner->job.size = size;
	for (i = 0; i < n; i++)
		if (nest_find_var(region->nest, size[i].name))
			size[tuner->job.n_size++] = size[i];
	return STATUS_OK;
}

static enum status fill_job(struct tuner *tuner, struct diag *diag)
{
	static const enum strictness strictness[FP_MODE_COUNT] = {
		[FP_ORDERED] = STRICT_ORDERED, [FP_REASSOC] = STRICT_REASSOC, [FP_EXACT] = STRICT_EXACT,
	};
	const struct region *region = tuner->input->region;
	const struct command *command = tuner->input->unit->command;
	const struct unit_file *file = unit_find_file(tuner->input->unit, region->file);

	tuner->job = (struct job){
		.id = region->id,
		.file = region->file,
		.main_file = command->file,
		.text = file->text,
		.text_size = file->size,
		.begin = region->begin,
		.end = region->end,
		.function_begin = region->function_begin,
		.directory = command->directory,
		.argc = command->argc,
		.argv = command->argv,
		.source = command->source,
		.nest = region->nest,
		.signature = region->signature,
		.strictness = strictness[tuner->mode],
		.n_sample = tuner->input->n_sample,
		.sample = tuner->input->sample,
		.scratch = path_join(tuner->arena, tuner->settings->scratch, region->anchor),
		.seconds = run_seconds,
		.memory = run_memory,
		.seed = tuner->settings->seed,
	};
	if (folder_make(tuner->job.scratch, diag) != STATUS_OK)
		return STATUS_FAILED;
	return choose_sizes(tuner, diag);
}

static enum status choose_mode(struct tuner *tuner, struct diag *diag)
{
	const struct command *command = tuner->input->unit->command;
	const char *mode = tuner->settings->mode ? tuner->settings->mode : tuner->input->region->mode;
	bool is_fast_math = false;

	if (target_probe(command->directory, command->argc, command->argv, &tuner->target, &is_fast_math, diag) !=
	    STATUS_OK)
		return STATUS_FAILED;
	tuner->mode = is_fast_math ? FP_REASSOC : FP_ORDERED;
	if (mode && !fp_mode_find(mode, &tuner->mode))
		return diag_set(diag, EXIT_INPUT, "there is no fp mode '%s': ordered, reassoc, exact", mode);
	tuner->target.mode = tuner->mode;
	return STATUS_OK;
}

/* The text of helpers or body with the line ends of the file that they go into. */
static const char *with_line_ends(struct arena *arena, const char *string, const char *original)
{
	struct text text = { 0 };
	const char *result;

	if (!string || !strstr(original, "\r\n"))
		return string;
	for (; *string; string++) {
		if (*string == '\n' && (!text.size || text.bytes[text.size - 1] != '\r'))
			text_append_char(&text, '\r');
		text_append_char(&text, *string);
	}
	result = arena_strdup(arena, text_string(&text));
	text_free(&text);
	return result;
}

/* Turn plan text into a variant; false with the reason in "why" when it has none. */
static bool make_variant(struct tuner *tuner, const char *plan_text, struct variant *variant, struct diag *why)
{
	const struct region *region = tuner->input->region;
	const char *original = arena_strndup(tuner->arena, tuner->job.text + region->begin, region->end - region->begin);
	const struct site site = {
		.function = region->function,
		.number = tuner->input->number,
		.original = original,
		.indent = region->indent,
		.in_header = strcmp(region->file, tuner->job.main_file) != 0,
	};
	struct plan *plan = plan_parse(tuner->arena, plan_text, why);
	struct nest *nest = plan ? plan_apply(tuner->workspace, plan, why) : NULL;

	if (!nest || codegen_c(tuner->arena, region->nest, nest, &site, &tuner->target, variant, why) != STATUS_OK)
		return false;
	variant->helpers = with_line_ends(tuner->arena, variant->helpers, original);
	variant->body = with_line_ends(tuner->arena, variant->body, original);
	return true;
}

static void keep_finalist(struct tuner *tuner, const char *plan, const struct variant *variant, double speedup)
{
	int at = tuner->n_best < RULE_FINALISTS ? tuner->n_best++ : RULE_FINALISTS - 1;

	if (at == RULE_FINALISTS - 1 && tuner->best[at].plan && tuner->best[at].speedup >= speedup)
		return;
	for (; at > 0 && tuner->best[at - 1].speedup < speedup; at--)
		tuner->best[at] = tuner->best[at - 1];
	tuner->best[at] = (struct finalist){ plan, *variant, speedup };
}

/* Try one proposal and tell what came of it. */
static enum status try_plan(struct tuner *tuner, const char *plan, struct observation *observation, struct diag *diag)
{
	struct variant variant = { 0 };
	struct diag why = { 0 };

	memset(observation, 0, sizeof(*observation));
	if (!make_variant(tuner, plan, &variant, &why)) {
		observation->why = tuner->last_why = arena_strdup(tuner->arena, why.message);
		tuner->n_illegal++;
		evaluator_refused(tuner->evaluator, plan, observation->why);
		return STATUS_OK;
	}
	tuner->n_judged++;
	if (evaluator_candidate(tuner->evaluator, plan, &variant, observation, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (observation->verdict.kind == VERDICT_EQUAL) {
		tuner->n_equal++;
		keep_finalist(tuner, plan, &variant, observation->measurement.speedup);
	} else {
		tuner->last_why = observation->verdict.witness;
	}
	return STATUS_OK;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void show_progress(const struct tuner *tuner, int tried, const char *what)
{
	const struct tune_region *input = tuner->input;
	double best = tuner->n_best ? tuner->best[0].speedup : 1;

	progress_show(input->done + (double)tried / (tuner->settings->budget + 1), input->total, "%s: %s, %d tried, best %.2fx",
		      input->region->id, what, tried, best);
}

/* Ask the policy until budget, time or its ideas are used up. Illegal plans cost a tenth of a candidate. */
static enum status search(struct tuner *tuner, struct diag *diag)
{
	const struct policy_class *class = tuner->settings->policy;
	const struct task task = {
		.workspace = tuner->workspace,
		.nest = tuner->input->region->nest,
		.target = &tuner->target,
		.machine = tuner->settings->machine,
		.n_size = tuner->admission.n_size,
		.size = tuner->admission.size,
		.seed = rng_derive(tuner->settings->seed, tuner->input->region->anchor),
		.budget = tuner->settings->budget,
	};
	struct policy *policy = class->start(tuner->arena, &task);
	double end = now() + tuner->settings->seconds;
	enum status status = STATUS_OK;
	int tried;

	for (tried = 0; tried < tuner->settings->budget && tuner->n_illegal < 10 * tuner->settings->budget;
	     tried = tuner->n_judged) {
		struct observation observation;
		const char *plan;

		show_progress(tuner, tried, "searching");
		if (process_is_interrupted()) {
			status = diag_set(diag, EXIT_INTERRUPTED, "interrupted; what was decided so far is kept");
			break;
		}
		if (tuner->settings->seconds > 0 && now() >= end && !evidence_is_replay(tuner->evidence))
			break;
		plan = class->propose(policy);
		if (!plan)
			break;
		status = try_plan(tuner, plan, &observation, diag);
		if (status != STATUS_OK)
			break;
		class->observe(policy, plan, &observation);
	}
	class->finish(policy);
	return status;
}

static void accept(struct tuner *tuner, const struct finalist *winner, const struct measurement *measurement)
{
	struct decision *decision = tuner->decision;
	const struct region *region = tuner->input->region;
	const char *head = tuner->job.text + region->function_begin;
	char hex[33];

	hash_bytes(head, region->begin - region->function_begin, hex);
	decision->accepted = true;
	decision->reason = "faster";
	decision->sentence = arena_printf(tuner->arena, "equal on all inputs and %.2fx faster [%.2f, %.2f]",
					  measurement->speedup, measurement->low, measurement->high);
	decision->plan = winner->plan;
	decision->helpers = winner->variant.helpers && *winner->variant.helpers ? winner->variant.helpers : NULL;
	decision->body = winner->variant.body;
	decision->original = arena_strndup(tuner->arena, tuner->job.text + region->begin, region->end - region->begin);
	decision->prefix = arena_strdup(tuner->arena, hex);
	decision->prefix_size = (int64_t)(region->begin - region->function_begin);
}

static void note_measurement(struct tuner *tuner, const struct measurement *measurement)
{
	tuner->decision->speedup = measurement->speedup;
	tuner->decision->low = measurement->low;
	tuner->decision->high = measurement->high;
	tuner->decision->seconds = measurement->original_seconds;
}

/* Give the finalists their thorough trial, fastest first; the first to pass is accepted. */
static enum status final(struct tuner *tuner, struct diag *diag)
{
	int i;

	for (i = 0; i < tuner->n_best && tuner->best[i].speedup > 1.02; i++) {
		const struct finalist *finalist = &tuner->best[i];
		struct observation observation;

		show_progress(tuner, tuner->settings->budget, "final trial");
		if (evaluator_winner(tuner->evaluator, finalist->plan, &finalist->variant, &observation, diag) != STATUS_OK)
			return STATUS_FAILED;
		if (observation.verdict.kind != VERDICT_EQUAL) {
			leave(tuner, verdict_name(observation.verdict.kind),
			      arena_printf(tuner->arena, "the fastest candidate failed the thorough trial: %s",
					   observation.verdict.witness ? observation.verdict.witness : ""));
			tuner->decision->plan = finalist->plan;
			continue;
		}
		note_measurement(tuner, &observation.measurement);
		if (measurement_clears(&observation.measurement, &tuner->admission.control)) {
			accept(tuner, finalist, &observation.measurement);
			return STATUS_OK;
		}
		leave(tuner, "no-gain", arena_printf(tuner->arena, "the best candidate is not clearly faster: %s",
						     measured_sentence(tuner->arena, &observation.measurement)));
		tuner->decision->plan = finalist->plan;
	}
	return STATUS_OK;
}

/* The default outcome, before finalists are tried. */
static void explain_search(struct tuner *tuner)
{
	if (tuner->n_best) {
		leave(tuner, "no-gain", arena_printf(tuner->arena, "no candidate was faster; the best of %d reached %.2fx",
						     tuner->n_judged, tuner->best[0].speedup));
		tuner->decision->plan = tuner->best[0].plan;
	} else if (tuner->n_judged) {
		leave(tuner, "none-equal", arena_printf(tuner->arena, "none of %d candidates was right: %s", tuner->n_judged,
							tuner->last_why ? tuner->last_why : ""));
	} else {
		leave(tuner, "no-plan", arena_printf(tuner->arena, "no legal plan was proposed%s%s",
						     tuner->last_why ? ": " : "", tuner->last_why ? tuner->last_why : ""));
	}
}

static void note_bound(struct tuner *tuner)
{
	char sentence[256];
	int i, size = 8;

	for (i = 0; i < tuner->job.nest->n_var; i++)
		if (tuner->job.nest->var[i]->kind == VAR_ARRAY && tuner->job.nest->var[i]->type == TYPE_F32)
			size = 4;
	if (tuner->admission.control.original_seconds <= 0)
		return;
	machine_bound(tuner->settings->machine, tuner->admission.flops, tuner->admission.bytes,
		      tuner->admission.control.original_seconds, size, sentence, sizeof(sentence));
	tuner->decision->bound = arena_strdup(tuner->arena, sentence);
	tuner->decision->seconds = tuner->admission.control.original_seconds;
}

/* How the region was timed, and how that compares with calls in the program. */
static void note_timing(struct tuner *tuner)
{
	const struct admission *admission = &tuner->admission;
	const char *cache = cache_sentence(admission->control.cache);
	double ratio = admission->in_place;

	if (ratio == 0)
		tuner->decision->timing = cache;
	else if (ratio > 0.95 && ratio < 1.05)
		tuner->decision->timing = arena_printf(tuner->arena, "%s; outlined as fast as in place", cache);
	else
		tuner->decision->timing = arena_printf(tuner->arena, "%s; outlined %.0f %% %s than in place", cache,
						       100 * fabs(ratio - 1), ratio < 1 ? "faster" : "slower");
}

static enum status run(struct tuner *tuner, struct diag *diag)
{
	struct diag why = { 0 };

	const bool is_recorded = tuner->job.size == tuner->input->size;
	const struct timing_context context = {
		.salt = tuner->settings->salt,
		.cache = tuner->settings->cache,
		.in_place = is_recorded ? tuner->input->in_place : (struct in_place){ 0 },
	};

	tuner->evaluator = evaluator_open(&tuner->job, &context, tuner->evidence);
	show_progress(tuner, 0, "admission");
	if (evaluator_admit(tuner->evaluator, &tuner->admission, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (tuner->admission.verdict.kind != VERDICT_EQUAL) {
		leave(tuner, verdict_name(tuner->admission.verdict.kind),
		      arena_strdup(tuner->arena, tuner->admission.verdict.witness ? tuner->admission.verdict.witness :
										    "not admitted"));
		return STATUS_OK;
	}
	tuner->decision->sizes = sizes_print(tuner->arena, tuner->admission.n_size, tuner->admission.size);
	if (tuner->job.may_shrink && !tuner->admission.is_chosen)
		tuner->decision->sizes = arena_printf(tuner->arena, "%s (after a call in the source)", tuner->decision->sizes);
	if (tuner->admission.is_chosen)
		tuner->decision->sizes = arena_printf(tuner->arena, "%s (chosen by strop)", tuner->decision->sizes);
	note_bound(tuner);
	note_timing(tuner);
	tuner->workspace = workspace_new(tuner->arena, tuner->input->region->nest, tuner->mode, &why);
	if (!tuner->workspace) {
		leave(tuner, "no-dependences", arena_strdup(tuner->arena, why.message));
		return STATUS_OK;
	}
	if (search(tuner, diag) != STATUS_OK)
		return STATUS_FAILED;
	explain_search(tuner);
	tuner->decision->candidates = tuner->n_judged;
	return final(tuner, diag);
}

enum status tune_one(struct arena *arena, const struct tune_region *region, const struct tune_settings *settings,
		     struct evidence *evidence, struct decision *decision, struct diag *diag)
{
	struct tuner tuner = {
		.arena = arena, .input = region, .settings = settings, .evidence = evidence, .decision = decision,
	};
	enum status status = choose_mode(&tuner, diag);

	if (status == STATUS_OK) {
		decision_init(arena, region->region, settings, fp_mode_name(tuner.mode), decision);
		decision->share = region->share;
		status = fill_job(&tuner, diag);
	}
	if (status == STATUS_OK)
		status = run(&tuner, diag);
	workspace_free(tuner.workspace);
	evaluator_close(tuner.evaluator);
	if (tuner.job.scratch)
		folder_remove(tuner.job.scratch);
	return status;
}
