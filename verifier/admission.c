#include "admission.h"

#include <math.h>
#include <string.h>

#include "sensitivity.h"

/* The most instances that the oracle runs: for a trial where its bound is the measure, where it only checks the
 * lifting, and for the one trial of a nest whose sizes are constants; and for how long. */
static const double bound_work = 3e7, check_work = 3e6, only_work = 3e8, oracle_seconds = 30;

static bool holds_indices(const struct job *job, const struct var *var)
{
	int i;

	for (i = 0; i < job->signature->n_fact; i++)
		if (job->signature->fact[i].var == var && job->signature->fact[i].kind == FACT_INDEX)
			return true;
	return false;
}

/* Whether indices share memory with another array: once they are written over they point anywhere, and the nest no longer says
 * what the original does. */
static bool has_stray_indices(const struct judge *judge, const struct trial *trial)
{
	const struct binding *binding = judge->setting.outline->binding;

	return trial->overlap.guest >= 0 && (holds_indices(judge->job, binding[trial->overlap.guest].var) ||
					     holds_indices(judge->job, binding[trial->overlap.host].var));
}

static bool answer(struct judge *judge, struct trial *trial, double most, const char **why, struct diag *diag)
{
	const char *failure = NULL;
	bool is_chaotic;

	if (trial->answer || trial->is_chaotic || trial_blows_up(trial) || trial->sized->work > most || has_stray_indices(judge, trial))
		return true;
	if (nest_is_opaque(judge->job->nest)) {
		*why = "the original cannot be run on other inputs";
		return sensitivity_answer(judge, trial, diag) == STATUS_OK;
	}
	trial->answer = oracle_answer(judge->oracle, trial, 0, oracle_seconds, &failure, diag);
	if (!trial->answer) {
		*why = failure ? failure : "the oracle cannot be run";
		return false;
	}
	if (answer_check(judge->arena, judge->oracle, trial, trial->answer, why))
		return true;
	is_chaotic = trial->overlap.guest >= 0 && answer_is_open(trial->answer, trial);
	if (is_chaotic || (sensitivity_is_chaotic(judge, trial, &is_chaotic, diag) == STATUS_OK && is_chaotic)) {
		trial->is_chaotic = true;
		trial->answer = answer_free(trial->answer);
		return true;
	}
	*why = arena_printf(judge->arena, "%s (%s)", *why, trial_print(judge->arena, trial));
	return false;
}

bool admission_answer(struct judge *judge, struct trial *trial, const char **why, struct diag *diag)
{
	return answer(judge, trial, judge->job->strictness == STRICT_REASSOC ? bound_work : check_work, why, diag);
}

/* Controls that need no program: each writes what a lazy program would leave behind. */
enum control { CONTROL_ZERO, CONTROL_UNCHANGED, CONTROL_CONSTANT, CONTROL_FLOAT, CONTROL_COUNT };
static const char *const control_names[] = {"all zero", "unchanged outputs", "constant outputs", "float for double"};

/* The first element everywhere; a lone one becomes a number that has nothing to do with the inputs. */
static void store_constant(unsigned char *data, const unsigned char *expected, int64_t count, size_t size)
{
	size_t i;

	for (i = 0; i < (size_t)count; i++)
		memcpy(data + i * size, expected, size);
	for (i = 0; count == 1 && i < size; i++)
		data[i] = i + 1 == size ? 0x3f : 0;
}

static void store_float(double *data, const double *expected, int64_t count)
{
	int64_t i;

	for (i = 0; i < count; i++)
		data[i] = (double)(float)expected[i];
}

static void store_control(enum control control, enum type type, unsigned char *data, const unsigned char *expected,
			  const unsigned char *initial, int64_t count)
{
	size_t size = (size_t)type_size(type);

	if (control == CONTROL_ZERO)
		memset(data, 0, size * (size_t)count);
	else if (control == CONTROL_UNCHANGED)
		memcpy(data, initial, size * (size_t)count);
	else if (control == CONTROL_CONSTANT)
		store_constant(data, expected, count, size);
	else if (control == CONTROL_FLOAT && type == TYPE_F64)
		store_float((double *)data, (const double *)expected, count);
	else
		memcpy(data, expected, size * (size_t)count);
}

/* Put the answers of the original, or what a control makes of them, into the trial's image. */
static void fake(struct trial *trial, enum control control)
{
	const struct outline *outline = trial->setting->outline;
	int k, p;

	trial_reset(trial);
	for (p = 1; p < trial->n_part; p++) {
		const struct part *part = &trial->part[p];

		if (part->kind == BLOCK_RECORD)
			memcpy(image_data(trial->image, p), part->expected, (size_t)part->count);
		else if (part->is_written && part->count > 0)
			store_control(control, outline->binding[part->binding].var->type, image_data(trial->image, p),
				      part->expected, part->initial, part->count);
	}
	for (k = 0; k < outline->n_binding; k++) {
		size_t at = (size_t)trial->cell_of[k] * cell_bytes;

		if (outline->binding[k].var->kind == VAR_SCALAR)
			store_control(control, outline->binding[k].var->type,
				      (unsigned char *)image_data(trial->image, 0) + at, trial->part[0].expected + at,
				      trial->part[0].initial + at, 1);
	}
}

/* Whether what the image holds is told from the original's answers by "accept". */
static bool is_noticed(struct judge *judge, const struct trial *trial, element_accept *accept)
{
	return trial_compare(judge->arena, trial, accept).kind != VERDICT_EQUAL;
}

/* Whether some trial rejects the control. Rounding to float is no error where all answers are whole numbers or the like, which
 * float holds as well. */
static bool control_is_rejected(struct judge *judge, enum control control)
{
	bool differs = control != CONTROL_FLOAT;
	int i;

	for (i = 0; i < judge->n_quick; i++) {
		if (!judge->trial[i]->answer)
			continue;
		fake(judge->trial[i], control);
		if (is_noticed(judge, judge->trial[i], answer_accept))
			return true;
		differs |= is_noticed(judge, judge->trial[i], NULL);
	}
	return !differs;
}

static bool has_double_output(const struct judge *judge)
{
	const struct outline *outline = judge->setting.outline;
	int k;

	for (k = 0; k < outline->n_binding; k++)
		if (outline->binding[k].var->is_written && outline->binding[k].var->type == TYPE_F64)
			return true;
	return false;
}

static const char *surviving_control(struct judge *judge)
{
	int control;

	for (control = 0; control < CONTROL_COUNT; control++) {
		if (control == CONTROL_FLOAT && (!has_double_output(judge) || !judge->is_continuous))
			continue;
		if (!control_is_rejected(judge, (enum control)control))
			return control_names[control];
	}
	return NULL;
}

/* What came of leaving out an iteration: noticed on some trial, without any effect on the oracle's own answers, or
 * neither. */
enum mutation_end { MUTATION_NOTICED, MUTATION_IDLE, MUTATION_SURVIVED };

static enum mutation_end try_mutation(struct judge *judge, int64_t mutation, struct diag *diag)
{
	enum mutation_end end = MUTATION_IDLE;
	int i;

	for (i = 0; i < judge->n_quick && end != MUTATION_NOTICED; i++) {
		struct trial *trial = judge->trial[i];
		const char *why = NULL;
		struct answer *answer =
			trial->answer ? oracle_answer(judge->oracle, trial, mutation, oracle_seconds, &why, diag)
				      : NULL;

		if (!answer)
			continue;
		fake(trial, CONTROL_COUNT);
		answer_store(answer, trial);
		if (is_noticed(judge, trial, answer_accept))
			end = MUTATION_NOTICED;
		else if (!answer_equal(answer, trial->answer, trial))
			end = MUTATION_SURVIVED;
		answer_free(answer);
	}
	return end;
}

/* Loops in text order, as the oracle counts them: which are outermost, and which are innermost around an
 * accumulation. */
struct loops {
	int n;
	bool outermost[64], accumulates[64];
};

static bool has_accumulation(const struct list *list)
{
	int i;

	for (i = 0; i < list->n; i++)
		if (list->node[i]->kind == NODE_STMT && list->node[i]->op != OP_NONE)
			return true;
	return false;
}

static void list_loops(const struct list *list, bool outermost, struct loops *loops)
{
	int i;

	for (i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];

		if (node->kind == NODE_LOOP && loops->n < 64) {
			loops->outermost[loops->n] = outermost;
			loops->accumulates[loops->n++] = has_accumulation(&node->body);
			list_loops(&node->body, false, loops);
		} else if (node->kind == NODE_IF) {
			list_loops(&node->body, outermost, loops);
			list_loops(&node->orelse, outermost, loops);
		}
	}
}

/* Leave out what "drop" says of a loop; where its last iteration does nothing, as in a factorization whose last pivot has no
 * rows below, the one before it goes as well. */
static enum mutation_end try_drop(struct judge *judge, int loop, enum drop drop, struct diag *diag)
{
	enum mutation_end end = try_mutation(judge, oracle_mutation(loop, drop), diag);

	if (end == MUTATION_IDLE && drop == DROP_LAST)
		end = try_mutation(judge, oracle_mutation(loop, DROP_LAST_TWO), diag);
	return end;
}

/* Try to drop iterations of each loop that "is_meant". At least one must be noticed where there are any; and "*survived"
 * tells whether one had an effect that nobody noticed. */
static bool some_is_noticed(struct judge *judge, const struct loops *loops, const bool *is_meant, enum drop drop,
			    bool *survived, struct diag *diag)
{
	bool noticed = false, any = false;
	int loop;

	*survived = false;
	for (loop = 0; loop < loops->n; loop++) {
		enum mutation_end end;

		if (!is_meant[loop])
			continue;
		any = true;
		end = try_drop(judge, loop, drop, diag);
		noticed |= end == MUTATION_NOTICED;
		*survived |= end == MUTATION_SURVIVED;
	}
	return noticed || !any;
}

static const char *surviving_mutation(struct judge *judge, struct diag *diag)
{
	struct loops loops = {0};
	bool survived;

	list_loops(&judge->job->nest->body, true, &loops);
	if (!some_is_noticed(judge, &loops, loops.outermost, DROP_LAST, &survived, diag) || survived)
		return "the last iteration of an outermost loop dropped";
	if (some_is_noticed(judge, &loops, loops.outermost, DROP_FIRST, &survived, diag) ||
	    some_is_noticed(judge, &loops, loops.accumulates, DROP_LAST, &survived, diag))
		return NULL;
	return "one term left out";
}

/* Run the original on "trial" with the size of binding "k", "value", one less. */
static bool run_smaller(struct judge *judge, struct runner *runner, struct trial *trial, int k, int64_t value)
{
	unsigned char *cell = trial->part[0].initial + cell_bytes * trial->cell_of[k];
	const size_t size = (size_t)type_size(judge->setting.outline->binding[k].var->type);
	struct verdict verdict;

	value--;
	memcpy(cell, &value, size);
	verdict = trial_run(judge->arena, runner, trial, trial_patience(judge, trial));
	value++;
	memcpy(cell, &value, size);
	memcpy((char *)image_data(trial->image, 0) + cell_bytes * trial->cell_of[k], &value, size);
	return verdict.kind == VERDICT_EQUAL;
}

/* What came of running the original with a size that is one less. */
static enum mutation_end try_size(struct judge *judge, struct runner *runner, int k)
{
	enum mutation_end end = MUTATION_IDLE;
	const int v = nest_var_index(judge->job->nest, judge->setting.outline->binding[k].var);
	int i;

	for (i = 0; i < judge->n_quick && end != MUTATION_NOTICED && runner->is_alive; i++) {
		struct trial *trial = judge->trial[i];
		const int64_t value = trial->sized->shape.value[v];

		if (value < 2 || !trial->answer || !run_smaller(judge, runner, trial, k, value))
			continue;
		if (is_noticed(judge, trial, answer_accept))
			end = MUTATION_NOTICED;
		else if (is_noticed(judge, trial, NULL))
			end = MUTATION_SURVIVED;
	}
	return end;
}

/* What stands for dropped iterations where the loops are not known: a result for other sizes must not pass. Sizes that change
 * nothing, such as the distance between rows of which there is one, are excused as long as another is noticed. */
static const char *surviving_size(struct judge *judge, struct diag *diag)
{
	const struct outline *outline = judge->setting.outline;
	bool noticed = false, survived = false;
	int k, n = 0;

	for (k = 0; k < outline->n_binding; k++) {
		struct runner *runner;
		enum mutation_end end;

		if (!shape_is_size(judge->job->nest, outline->binding[k].var))
			continue;
		runner = judge_spawn(judge, judge->judged, diag);
		if (!runner)
			return "a process cannot be made";
		end = try_size(judge, runner, k);
		runner_stop(runner);
		noticed |= end == MUTATION_NOTICED;
		survived |= end == MUTATION_SURVIVED;
		n++;
	}
	return survived || (n && !noticed) ? "a size one less" : NULL;
}

/* Give answers to the quick trials; those that are thorough get theirs when they are first needed. */
static bool answer_quick(struct judge *judge, const char **why, struct diag *diag)
{
	int i, answered = 0, least = 0;

	for (i = 0; i < judge->n_quick; i++) {
		if (!admission_answer(judge, judge->trial[i], why, diag))
			return false;
		answered += judge->trial[i]->answer != NULL;
		if (judge->trial[i]->sized->work < judge->trial[least]->sized->work)
			least = i;
	}
	if (answered == 0 && !answer(judge, judge->trial[least], only_work, why, diag))
		return false;
	*why = "the nest is too large for the oracle";
	return judge->trial[least]->answer != NULL;
}

enum status admission_decide(struct judge *judge, struct verdict *admission, struct diag *diag)
{
	const char *why = NULL, *survivor;

	bool is_opaque = nest_is_opaque(judge->job->nest);

	if (!is_opaque && oracle_new(judge->arena, &judge->setting, &judge->oracle, &why, diag) != STATUS_OK)
		return STATUS_FAILED;
	judge->is_continuous = is_opaque || (judge->oracle && judge->oracle->is_continuous);
	if ((!is_opaque && !judge->oracle) || !answer_quick(judge, &why, diag)) {
		*admission = (struct verdict){VERDICT_UNTESTABLE, arena_printf(judge->arena, "no oracle: %s", why)};
		return STATUS_OK;
	}
	survivor = surviving_control(judge);
	if (!survivor)
		survivor = is_opaque ? surviving_size(judge, diag) : surviving_mutation(judge, diag);
	if (survivor)
		*admission = (struct verdict){VERDICT_UNTESTABLE,
					      arena_printf(judge->arena, "a wrong answer would pass: %s", survivor)};
	return STATUS_OK;
}
