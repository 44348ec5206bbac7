#include "judge_internal.h"

#include <stdlib.h>
#include <string.h>

#include "support/file.h"
#include "support/memory.h"
#include "support/process.h"

#include "admission.h"
#include "compare.h"
#include "races.h"
#include "sandbox.h"
#include "sanitize.h"
#include "starve.h"

/* Timed runs are checked where the original takes at most this long, in seconds. */
static const double most_checked = 0.2;
/* Arrays up to this size are widened to count operations. */
static const size_t counted_bytes = (size_t)32 << 20;

struct runner *judge_spawn(const struct judge *judge, const struct program *program, struct diag *diag)
{
	return runner_spawn(program, 0, judge->job->memory, TO_JUDGE, diag);
}

/* Let the compiler read all that the user can: the original's build may need files that its command does not name. */
static void free_compiler(struct judge *judge)
{
	struct job *job = ARENA_NEW(judge->arena, struct job);

	*job = *judge->job;
	job->is_compiler_free = true;
	judge->job = job;
}

/* Build the original both ways; a compile error makes the region untestable. */
static enum status build_original(struct judge *judge, struct verdict *admission, struct diag *diag)
{
	struct text text = {0};
	const char *error = NULL;
	enum status status;

	outline_print(judge->setting.outline, "", NULL, 0, &text);
	status = build_pair(judge->arena, judge->job, "original", text_string(&text), text.size, &judge->judged,
			    &judge->timed, &error, diag);
	if (status == STATUS_OK && !judge->timed && !judge->job->is_compiler_free && !sandbox_is_demanded()) {
		free_compiler(judge);
		status = build_pair(judge->arena, judge->job, "original", text_string(&text), text.size, &judge->judged,
				    &judge->timed, &error, diag);
	}
	text_free(&text);
	if (status == STATUS_OK && !judge->timed)
		*admission =
			(struct verdict){VERDICT_UNTESTABLE,
					 arena_printf(judge->arena, "the outlined original does not build: %s", error)};
	return status;
}

/* Add a definition of the object that the loader misses, as its message tells; false when it misses none, or one that
 * was added before. */
static bool define_missing(struct judge *judge, const char *message)
{
	static const char mark[] = "undefined symbol: ";
	const char *at = strstr(message, mark);
	char *definition, *name;

	if (!at)
		return false;
	at += sizeof(mark) - 1;
	name = arena_strndup(judge->arena, at, strcspn(at, " ,\n"));
	definition = arena_printf(judge->arena, "__typeof__(%s) %s;\n", name, name);
	if (strstr(judge->outline->definitions, definition))
		return false;
	judge->outline->definitions = arena_printf(judge->arena, "%s%s", judge->outline->definitions, definition);
	return true;
}

/* Ask the original how large its records and array objects are; "*loads" is false when it cannot be loaded, with why in
 * "reply". */
static enum status ask_layout(struct judge *judge, bool *loads, struct wire_reply *reply, struct diag *diag)
{
	struct runner *runner = judge_spawn(judge, judge->judged, diag);

	if (!runner)
		return STATUS_FAILED;
	*loads = runner_call(runner, WIRE_LAYOUT, 0, NULL, 10, reply) == CALL_ANSWERED && reply->status == WIRE_DONE;
	if (*loads)
		memcpy(judge->setting.size, reply->size, sizeof(reply->size));
	runner_stop(runner);
	return STATUS_OK;
}

/* Build the original and see that it loads. Functions of other files may stay undefined, objects may not: they are
 * defined here. */
static enum status prepare_original(struct judge *judge, struct verdict *admission, struct diag *diag)
{
	struct wire_reply reply = {0};
	bool loads = false;
	int attempt;

	for (attempt = 0; attempt < 16; attempt++) {
		if (build_original(judge, admission, diag) != STATUS_OK)
			return STATUS_FAILED;
		if (admission->kind != VERDICT_EQUAL)
			return STATUS_OK;
		if (ask_layout(judge, &loads, &reply, diag) != STATUS_OK)
			return STATUS_FAILED;
		if (loads)
			return STATUS_OK;
		if (!define_missing(judge, reply.message))
			break;
	}
	*admission = (struct verdict){
		VERDICT_UNTESTABLE,
		arena_printf(judge->arena, "the outlined original cannot be loaded: %s", reply.message)};
	return STATUS_OK;
}

/* The quick trial that runs the most instances. */
static const struct trial *largest_quick(const struct judge *judge)
{
	const struct trial *largest = judge->trial[0];
	int i;

	for (i = 1; i < judge->n_quick; i++)
		if (judge->trial[i]->sized->work > largest->sized->work)
			largest = judge->trial[i];
	return largest;
}

static double count_bytes(const struct judge *judge)
{
	const struct nest *nest = judge->job->nest;
	double bytes = 0;
	int v;

	for (v = 0; v < nest->n_var; v++)
		if (nest->var[v]->kind == VAR_ARRAY)
			bytes += (double)(judge->timing->box[v].hi - judge->timing->box[v].lo + 1) *
				 type_size(nest->var[v]->type) * (nest->var[v]->is_read + nest->var[v]->is_written);
	return bytes;
}

/* Count what the answers need and move at the timing sizes; where the oracle's image would be large, operations are
 * counted at smaller sizes and scaled. */
static void count_work(struct judge *judge, struct diag *diag)
{
	const struct trial *trial = largest_quick(judge);
	struct trial *timing = NULL;

	judge->bytes = count_bytes(judge);
	if (!judge->oracle)
		return;
	if (judge->timing->bytes < counted_bytes)
		timing = trial_new(&judge->setting, judge->timing, DIST_NORMAL, judge->timing_fence, NULL, NULL,
				   judge->job->seed, diag);
	if (timing)
		trial = timing;
	if (oracle_count(judge->oracle, trial, &judge->flops, diag) && trial->sized->work > 0)
		judge->flops *= judge->timing->work / trial->sized->work;
	trial_free(timing);
}

/* Build what tells of an opaque nest where a lifted one would; what cannot be built so is done without. */
static enum status prepare_opaque(struct judge *judge, struct diag *diag)
{
	struct text text = {0};
	const char *error;
	enum status status;

	judge->probe = probe_new(judge->arena, &judge->setting, judge->judged);
	if (!judge->probe)
		return STATUS_OK;
	outline_print(judge->setting.outline, "", NULL, 0, &text);
	status = build_program(judge->arena, judge->job, "original-trapping", text_string(&text), text.size, BUILD_TRAPPING,
			       &judge->trapping, &error, diag);
	if (status == STATUS_OK && build_has_float(judge->job))
		status = build_program(judge->arena, judge->job, "original-free", text_string(&text), text.size, BUILD_FREE,
				       &judge->free, &error, diag);
	text_free(&text);
	return status;
}

/* The steps of opening, each of which may fail or refuse. */
static enum status open_steps(struct judge *judge, struct verdict *admission, struct diag *diag)
{
	judge->setting.job = judge->job;
	judge->setting.base = IMAGE_BASE;
	judge->setting.outline = judge->outline = outline_new(judge->arena, judge->job, diag);
	if (!judge->outline)
		return STATUS_FAILED;
	if (outline_slots(judge->outline) > WIRE_SLOTS || judge->outline->n_record > WIRE_SIZES / 2 ||
	    outline_derived(judge->outline, judge->outline->n_binding) > WIRE_SIZES) {
		*admission = (struct verdict){VERDICT_UNTESTABLE, "the region uses too many names"};
		return STATUS_OK;
	}
	if (prepare_original(judge, admission, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (admission->kind == VERDICT_EQUAL && prepare_opaque(judge, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (admission->kind == VERDICT_EQUAL)
		judge->derivation = derivation_new(&judge->setting, judge->judged);
	if (admission->kind == VERDICT_EQUAL && trials_choose(judge, admission, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (admission->kind == VERDICT_EQUAL && admission_decide(judge, admission, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (process_finish(STATUS_OK, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (admission->kind == VERDICT_EQUAL)
		count_work(judge, diag);
	return STATUS_OK;
}

struct judge *judge_open(struct arena *arena, const struct job *job, struct verdict *admission, struct diag *diag)
{
	struct judge *judge = memory_alloc(sizeof(*judge));

	judge->arena = arena;
	judge->job = derive_job(arena, job);
	judge->n_own = job->nest->n_var;
	judge->inputs = memory_alloc(sizeof(*judge->inputs));
	*admission = (struct verdict){VERDICT_EQUAL, ""};
	if (open_steps(judge, admission, diag) != STATUS_OK)
		return judge_close(judge);
	return judge;
}

struct judge *judge_close(struct judge *judge)
{
	int i;

	if (!judge)
		return NULL;
	for (i = 0; i < judge->n_trial; i++) {
		answer_free(judge->trial[i]->answer);
		trial_free(judge->trial[i]);
	}
	oracle_free(judge->oracle);
	derivation_free(judge->derivation);
	probe_free(judge->probe);
	trial_free(judge->inputs->trial);
	free(judge->inputs);
	free(judge);
	return NULL;
}

/* How one program is judged: "accept" NULL for bit for bit; "repeats" for running each trial twice. */
struct measure {
	element_accept *accept;
	bool repeats;
};

/* Run once more and compare with what the first run left, bit for bit. */
static struct verdict judge_again(struct judge *judge, struct runner *runner, struct trial *trial)
{
	size_t bytes = trial->image->bytes;
	unsigned char *first = memory_alloc(bytes);
	struct verdict verdict;

	memcpy(first, trial->image->map, bytes);
	verdict = trial_run(judge->arena, runner, trial, trial_patience(judge, trial));
	if (verdict.kind == VERDICT_EQUAL && memcmp(first, trial->image->map, bytes) != 0)
		verdict = (struct verdict){VERDICT_NONDETERMINISTIC,
					   "a second run on the same inputs left other results"};
	free(first);
	return verdict;
}

/* Run the candidate on one trial and compare. With "again", a second run must leave the same. */
static struct verdict judge_trial(struct judge *judge, struct runner *runner, struct trial *trial,
				  const struct measure *measure, bool again)
{
	struct verdict verdict = trial_run(judge->arena, runner, trial, trial_patience(judge, trial));

	if (verdict.kind == VERDICT_EQUAL)
		verdict = trial_compare(judge->arena, trial, measure->accept);
	if (verdict.kind == VERDICT_EQUAL && again)
		verdict = judge_again(judge, runner, trial);
	if (verdict.kind != VERDICT_EQUAL)
		verdict.witness =
			arena_printf(judge->arena, "%s (%s)", verdict.witness, trial_print(judge->arena, trial));
	return verdict;
}

/* Judge by the trials from "first" up to "n". */
static struct verdict judge_range(struct judge *judge, struct runner *runner, int first, int n, const struct measure *measure,
				  struct diag *diag)
{
	struct verdict verdict = {VERDICT_EQUAL, ""};
	int i;

	for (i = first; i < n && verdict.kind == VERDICT_EQUAL; i++) {
		struct trial *trial = judge->trial[i];
		const char *why = NULL;

		if (measure->accept && (trial->is_chaotic || trial_blows_up(trial)))
			continue;
		if (measure->accept && !admission_answer(judge, trial, &why, diag))
			return (struct verdict){VERDICT_UNTESTABLE, why};
		verdict = judge_trial(judge, runner, trial, measure, measure->repeats || i == 0);
	}
	return verdict;
}

static enum status judge_program(struct judge *judge, const struct program *program, int n,
				 const struct measure *measure, struct verdict *verdict, struct diag *diag)
{
	struct runner *runner = judge_spawn(judge, program, diag);

	if (!runner)
		return STATUS_FAILED;
	*verdict = judge_range(judge, runner, 0, n, measure, diag);
	runner_stop(runner);
	return process_finish(STATUS_OK, diag);
}

/* Note what contraction did to the original in "trial", which its timed build has just run. A bound that not even the original
 * keeps to says nothing about others. */
static void note_drift(struct judge *judge, struct trial *trial)
{
	answer_note_drift(trial);
	if (trial_compare(judge->arena, trial, answer_accept).kind != VERDICT_EQUAL)
		trial->is_chaotic = true;
}

/* See how far the original's timed build strays on the quick trials: what contraction does to the original it may do to a
 * candidate. */
static enum status note_drifts(struct judge *judge, struct diag *diag)
{
	struct runner *runner;
	int i;

	if (judge->n_quick == 0 || judge->trial[0]->drift)
		return STATUS_OK;
	runner = judge_spawn(judge, judge->timed, diag);
	if (!runner)
		return STATUS_FAILED;
	for (i = 0; i < judge->n_quick && runner->is_alive; i++) {
		struct trial *trial = judge->trial[i];

		if (trial_run(judge->arena, runner, trial, trial_patience(judge, trial)).kind == VERDICT_EQUAL)
			note_drift(judge, trial);
	}
	runner_stop(runner);
	return STATUS_OK;
}

/* The integers from 4 to a million that "text" spells, the first CONSTANTS_MOST of them; return their number. */
enum { CONSTANTS_MOST = 12 };
static int find_constants(const char *text, int64_t *constant)
{
	static const char word[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.";
	int n = 0, i;

	while (*(text += strcspn(text, word)) && n < CONSTANTS_MOST) {
		const size_t size = strspn(text, word);
		char *end = (char *)text;
		const int64_t value = *text >= '0' && *text <= '9' ? strtoll(text, &end, 0) : 0;
		bool is_new = value >= 4 && value <= 1000000 && strspn(end, "uUlL") == (size_t)(text + size - end);

		for (i = 0; i < n; i++)
			is_new &= constant[i] != value;
		if (is_new)
			constant[n++] = value;
		text += size;
	}
	return n;
}

static void drop_trials(struct judge *judge, int kept)
{
	while (judge->n_trial > kept) {
		struct trial *trial = judge->trial[--judge->n_trial];

		answer_free(trial->answer);
		trial_free(trial);
	}
}

/* Judge a winner at sizes beside the numbers in its own text, where its cases end: thresholds, lengths of blocks and of buffers. The
 * trials stay for what else looks at it. */
static enum status judge_constants(struct judge *judge, const struct program *judged, const char *text,
				   const struct measure *measure, struct verdict *verdict, struct diag *diag)
{
	int64_t constant[CONSTANTS_MOST], value[3 * CONSTANTS_MOST];
	const int n = find_constants(text, constant), kept = judge->n_trial;
	struct runner *runner;
	enum status status;
	int i;

	for (i = 0; i < 3 * n; i++)
		value[i] = constant[i / 3] + i % 3 - 1;
	status = trials_add_edges(judge, 3 * n, value, diag);
	runner = status == STATUS_OK ? judge_spawn(judge, judged, diag) : NULL;
	if (runner)
		*verdict = judge_range(judge, runner, kept, judge->n_trial, measure, diag);
	runner_stop(runner);
	return runner ? STATUS_OK : STATUS_FAILED;
}

/* Judge a winner once more with a pattern in the locals that it does not initialise, where the compiler can do that: these are often
 * zero by luck. */
static enum status judge_pattern(struct judge *judge, const struct program *judged, const struct measure *measure,
				 struct verdict *verdict, struct diag *diag)
{
	struct program *program = NULL;
	struct text text = {0};
	const char *error;
	enum status status = file_read(judged->source, &text, diag);

	if (status == STATUS_OK)
		status = build_program(judge->arena, judge->job, "candidate-pattern", text_string(&text), text.size, BUILD_PATTERN,
				       &program, &error, diag);
	text_free(&text);
	if (status != STATUS_OK || !program)
		return status;
	return judge_program(judge, program, judge->n_quick, measure, verdict, diag);
}

/* Judge the two builds of a candidate. The timed one may contract products and sums where the judged one may not; of
 * a winner it is checked that it does not err by more than the original does under the same liberty. "own" is the text that the
 * candidate's author wrote. */
static enum status judge_builds(struct judge *judge, const struct program *judged, const struct program *timed,
				const char *own, bool thorough, struct verdict *verdict, struct diag *diag)
{
	struct measure exact = {judge->job->strictness == STRICT_REASSOC ? answer_accept : NULL, thorough};
	struct measure loose = {answer_accept, false};
	int n = thorough ? judge->n_trial : judge->n_quick;

	if (judge_program(judge, judged, n, &exact, verdict, diag) != STATUS_OK)
		return STATUS_FAILED;
	exact.repeats = false;
	if (verdict->kind == VERDICT_EQUAL && thorough && judge_constants(judge, judged, own, &exact, verdict, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (verdict->kind == VERDICT_EQUAL && thorough && judge_pattern(judge, judged, &exact, verdict, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (verdict->kind != VERDICT_EQUAL || !thorough || judged == timed || !judge->is_continuous)
		return STATUS_OK;
	if (note_drifts(judge, diag) != STATUS_OK)
		return STATUS_FAILED;
	return judge_program(judge, timed, judge->n_quick, &loose, verdict, diag);
}

/* Whether some quick trial says something about the timed build. */
static bool has_steady_trial(const struct judge *judge)
{
	int i;

	for (i = 0; i < judge->n_quick; i++)
		if (!judge->trial[i]->is_chaotic)
			return true;
	return false;
}

/* Whether a candidate that is tried first may be judged by its timed build alone, within the bound that a winner's timed
 * build is held to: where the builds differ and the oracle can tell that bound. */
static enum status judges_timed(struct judge *judge, bool *alone, struct diag *diag)
{
	*alone = judge->judged != judge->timed && judge->is_continuous;
	if (*alone && note_drifts(judge, diag) != STATUS_OK)
		return STATUS_FAILED;
	*alone = *alone && has_steady_trial(judge);
	return STATUS_OK;
}

/* Build "text" as "name" and judge it, by its timed build "alone" or by both. "*timed" is NULL when it does not build. */
static enum status judge_text(struct judge *judge, const char *name, const struct text *text, const char *own, bool alone,
			      bool thorough, struct program **timed, struct verdict *verdict, struct diag *diag)
{
	static const struct measure loose = {answer_accept, false};
	const char *source = text_string(text), *error = NULL;
	struct program *judged = NULL;
	enum status status;

	if (alone)
		status = build_program(judge->arena, judge->job, name, source, text->size, BUILD_TIMED, timed, &error,
				       diag);
	else
		status = build_pair(judge->arena, judge->job, name, source, text->size, &judged, timed, &error, diag);
	if (status != STATUS_OK)
		return STATUS_FAILED;
	if (!*timed) {
		*verdict = (struct verdict){VERDICT_NO_COMPILE, error};
		return STATUS_OK;
	}
	if (alone)
		return judge_program(judge, *timed, judge->n_quick, &loose, verdict, diag);
	return judge_builds(judge, judged, *timed, own, thorough, verdict, diag);
}

/* Judge what was outlined; "text" is freed. */
static enum status judge_outlined(struct judge *judge, struct text *text, const char *own, bool thorough,
				  struct verdict *verdict, struct diag *diag)
{
	const char *name = arena_printf(judge->arena, "candidate-%d", judge->builds++ % 2);
	struct program *timed = NULL;
	enum status status = STATUS_OK;
	const int kept = judge->n_trial;
	bool alone = false;

	judge->last = NULL;
	if (!thorough)
		status = judges_timed(judge, &alone, diag);
	if (status == STATUS_OK)
		status = judge_text(judge, name, text, own, alone, thorough, &timed, verdict, diag);
	if (status == STATUS_OK && thorough && verdict->kind == VERDICT_EQUAL)
		status = sanitize_check(judge, text, verdict, diag);
	if (status == STATUS_OK && thorough && verdict->kind == VERDICT_EQUAL)
		status = starve_check(judge, text, timed, verdict, diag);
	judge->races = NULL;
	if (status == STATUS_OK && thorough && verdict->kind == VERDICT_EQUAL)
		status = races_check(judge, text, timed, verdict, diag);
	drop_trials(judge, kept);
	text_free(text);
	if (status == STATUS_OK && verdict->kind == VERDICT_EQUAL)
		judge->last = timed;
	return status;
}

const char *judge_sanitizers(const struct judge *judge)
{
	return judge->sanitized;
}

const char *judge_races(const struct judge *judge)
{
	return judge->races;
}

enum status judge_candidate(struct judge *judge, const char *helpers, const char *body, bool thorough,
			    struct verdict *verdict, struct diag *diag)
{
	const char *own = arena_printf(judge->arena, "%s%s", helpers ? helpers : "", body);
	struct text text = {0};

	outline_print(judge->setting.outline, helpers ? helpers : "", body, 0, &text);
	return judge_outlined(judge, &text, own, thorough, verdict, diag);
}

/* The text of a file from where it first names the function on, and then what stands before. */
static const char *own_text(const struct judge *judge, const char *file, size_t size)
{
	char *const whole = arena_strndup(judge->arena, file, size);
	char *const at = strstr(whole, arena_printf(judge->arena, "%s(", judge->job->id));

	return at ? arena_printf(judge->arena, "%s %.*s", at, (int)(at - whole), whole) : whole;
}

enum status judge_file(struct judge *judge, const char *file, size_t size, struct verdict *verdict, struct diag *diag)
{
	struct text text = {0};

	outline_print_file(judge->setting.outline, file, size, &text);
	return judge_outlined(judge, &text, own_text(judge, file, size), true, verdict, diag);
}

const struct program *judge_original(const struct judge *judge)
{
	return judge->timed;
}

const struct program *judge_last(const struct judge *judge)
{
	return judge->last;
}

const struct program *judge_twin(struct judge *judge, int number, struct diag *diag)
{
	const char *error = NULL, *name = arena_printf(judge->arena, "twin-%d", number);
	struct program *program = NULL;
	struct text text = {0};
	enum status status;

	outline_print(judge->setting.outline, "", NULL, 3 + 5 * number, &text);
	status = build_program(judge->arena, judge->job, name, text_string(&text), text.size, BUILD_TIMED, &program,
			       &error, diag);
	text_free(&text);
	if (status == STATUS_OK && !program)
		diag_set(diag, EXIT_MACHINE, "the original does not build a second time: %s", error);
	return program;
}

const struct program *judge_layout(struct judge *judge, const struct program *program, int number, struct diag *diag)
{
	struct program *known = (struct program *)program, *built = NULL;

	if (number == 0)
		return program;
	if (known->layout[number - 1])
		return known->layout[number - 1];
	if (build_layout(judge->arena, judge->job, known, number, &built, diag) != STATUS_OK)
		return NULL;
	known->layout[number - 1] = built;
	return built;
}

int judge_sizes(const struct judge *judge, const struct size **size, bool *is_chosen)
{
	*size = judge->size;
	*is_chosen = judge->is_chosen;
	return judge->n_size;
}

void judge_work(const struct judge *judge, double *flops, double *bytes)
{
	*flops = judge->flops;
	*bytes = judge->bytes;
}

/* The recorded call at the sizes that are timed, or NULL. */
static const struct sample *find_sample(const struct judge *judge)
{
	const struct job *job = judge->job;
	int s, i, v;

	for (s = 0; s < job->n_sample; s++) {
		bool fits = job->sample[s].n_size > 0;

		for (i = 0; i < job->sample[s].n_size; i++)
			for (v = 0; v < judge->n_size; v++)
				if (!strcmp(judge->size[v].name, job->sample[s].size[i].name))
					fits &= judge->size[v].value == job->sample[s].size[i].value;
		if (fits)
			return &job->sample[s];
	}
	return NULL;
}

/* Run a build of the original on the inputs for timing. */
static enum status run_timing(const struct judge *judge, const struct program *program, struct trial *trial, bool *ran,
			      struct diag *diag)
{
	struct runner *runner = judge_spawn(judge, program, diag);

	if (!runner)
		return STATUS_FAILED;
	*ran = trial_run(judge->arena, runner, trial, 10 + 20 * judge->timing_seconds).kind == VERDICT_EQUAL;
	runner_stop(runner);
	return STATUS_OK;
}

/* Have the original's answers to the inputs for timing, where it is quick: timed runs are checked against them. */
static enum status answer_timing(const struct judge *judge, struct trial *trial, struct diag *diag)
{
	bool ran = false;

	if (judge->timing_seconds > most_checked || !judge->is_continuous)
		return STATUS_OK;
	if (run_timing(judge, judge->timed, trial, &ran, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (ran)
		trial_keep(trial);
	if (ran && judge->timed != judge->judged) {
		if (run_timing(judge, judge->judged, trial, &ran, diag) != STATUS_OK)
			return STATUS_FAILED;
		if (ran)
			answer_note_drift(trial);
	}
	trial_reset(trial);
	return STATUS_OK;
}

/* The inputs for timing under "seed"; made anew when the seed is not the last one. */
static struct trial *timing_inputs(const struct judge *judge, uint64_t seed, struct diag *diag)
{
	struct timing_inputs *inputs = judge->inputs;

	if (inputs->trial && inputs->seed == seed)
		return inputs->trial;
	trial_free(inputs->trial);
	inputs->seed = seed;
	inputs->trial = trial_new(&judge->setting, judge->timing, DIST_NORMAL, judge->timing_fence, NULL, find_sample(judge),
				  judge->job->seed ^ rng_derive(seed, "timing"), diag);
	if (inputs->trial && answer_timing(judge, inputs->trial, diag) != STATUS_OK)
		inputs->trial = trial_free(inputs->trial);
	return inputs->trial;
}

/* Whether what a runner holds after timed runs is near the original's answers. */
static bool check_timed(struct runner *runner, void *context)
{
	const struct judge *judge = context;
	struct trial *trial = judge->inputs->trial;
	struct wire_reply reply;
	bool right;

	if (judge->inputs->seed != runner->seed || !trial->part[0].expected || trial->is_chaotic)
		return true;
	right = runner_call(runner, WIRE_SHOW, 0, trial->image, 60, &reply) == CALL_ANSWERED &&
		reply.status == WIRE_DONE &&
		trial_compare(judge->arena, trial, answer_accept).kind == VERDICT_EQUAL;
	trial_reset(trial);
	return right;
}

struct runner *runner_start(const struct judge *judge, const struct program *program, uint64_t seed, struct diag *diag)
{
	struct trial *trial = timing_inputs(judge, seed, diag);
	struct runner *runner = trial ? runner_spawn(program, 0, judge->job->memory, TO_TIME, diag) : NULL;
	struct wire_reply reply;

	if (!runner)
		return NULL;
	if (runner_call(runner, WIRE_LOAD, trial->image->must_restore, trial->image, 60, &reply) != CALL_ANSWERED ||
	    reply.status != WIRE_DONE) {
		if (process_finish(STATUS_OK, diag) == STATUS_OK)
			diag_set(diag, EXIT_MACHINE, "a program cannot be loaded for timing: %s", reply.message);
		return runner_stop(runner);
	}
	runner->command_seconds = 1 + 30 * judge->timing_seconds;
	runner->seed = seed;
	runner->check = check_timed;
	runner->context = (void *)judge;
	return runner;
}
