#include "evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profiler/rule.h"
#include "support/hash.h"
#include "support/memory.h"
#include "support/process.h"
#include "support/rng.h"

#include "measured.h"

/* In the recorder, calls shorter than this are not timed finely enough to be compared, in seconds. */
static const double in_place_least = 2e-5;

/* "judge" is NULL until it is needed; "scope" identifies all that results depend on; "cache" is what admission found to be
 * timed. */
struct evaluator {
	struct arena *arena;
	struct job job;
	struct evidence *evidence;
	struct timing_context context;
	struct baseline baseline;
	enum cache_state cache;
	struct judge *judge;
	char scope[33];
};

static void append_field(struct text *text, const char *field)
{
	text_append_bytes(text, field ? field : "", field ? strlen(field) + 1 : 1);
}

/* Hash everything that may change a verdict or a measurement. */
static void scope_hash(const struct job *job, const struct timing_context *context, char scope[33])
{
	struct text text = { 0 };
	int i;

	append_field(&text, context->salt);
	text_printf(&text, "%d ", (int)context->cache);
	text_append_bytes(&text, job->text, job->text_size);
	text_printf(&text, "%zu %zu %d %.3f %zu", job->begin, job->end, (int)job->strictness, job->seconds, job->memory);
	for (i = 0; i < job->argc; i++)
		append_field(&text, job->argv[i]);
	for (i = 0; i < job->n_size; i++) {
		append_field(&text, job->size[i].name);
		text_printf(&text, "%lld ", (long long)job->size[i].value);
	}
	text_printf(&text, "%d %d", job->n_sample, job->may_shrink);
	nest_print(job->nest, &text);
	hash_bytes(text.bytes, text.size, scope);
	text_free(&text);
}

struct evaluator *evaluator_open(const struct job *job, const struct timing_context *context, struct evidence *evidence)
{
	struct evaluator *evaluator = memory_alloc(sizeof(*evaluator));

	evaluator->arena = arena_new();
	evaluator->job = *job;
	evaluator->evidence = evidence;
	evaluator->context = *context;
	evaluator->cache = context->cache;
	evaluator->baseline = BASELINE_NONE;
	scope_hash(job, context, evaluator->scope);
	return evaluator;
}

struct evaluator *evaluator_close(struct evaluator *evaluator)
{
	if (!evaluator)
		return NULL;
	judge_close(evaluator->judge);
	arena_free(evaluator->arena);
	free(evaluator);
	return NULL;
}

static struct evidence_key key_of(const struct evaluator *evaluator, const char *kind, const char *plan)
{
	return (struct evidence_key){ evaluator->scope, evaluator->job.id, kind, plan };
}

static struct data *observation_data(struct arena *arena, const struct observation *observation)
{
	struct data *map = data_map(arena);

	data_set_integer(arena, map, "verdict", observation->verdict.kind);
	data_set_string(arena, map, "verdict_name", verdict_name(observation->verdict.kind));
	data_set_string(arena, map, "witness", observation->verdict.witness);
	if (observation->races)
		data_set_string(arena, map, "races", observation->races);
	if (observation->verdict.kind == VERDICT_EQUAL)
		data_set(arena, map, "measurement", measured_data(arena, &observation->measurement));
	return map;
}

static struct observation read_observation(const struct data *map)
{
	return (struct observation){
		.is_legal = true,
		.verdict = { (enum verdict_kind)data_find_choice(map, "verdict", VERDICT_COUNT, VERDICT_UNTESTABLE),
			     data_find_string(map, "witness", NULL) },
		.races = data_find_string(map, "races", NULL),
		.measurement = measured_read(data_find(map, "measurement")),
	};
}

static enum status missing(const struct evidence_key *key, struct diag *diag)
{
	return diag_set(diag, EXIT_INPUT, "%s: the journal has no %s for plan '%s'; it is not of these sources", key->region,
			key->kind, key->plan ? key->plan : "");
}

/* ---- admission ---- */

static struct data *sizes_data(struct arena *arena, int n, const struct size *size)
{
	struct data *map = data_map(arena);
	int i;

	for (i = 0; i < n; i++)
		data_set_integer(arena, map, size[i].name, size[i].value);
	return map;
}

static struct data *admission_data(struct arena *arena, const struct admission *admission)
{
	struct data *map = data_map(arena);

	data_set_integer(arena, map, "verdict", admission->verdict.kind);
	data_set_string(arena, map, "witness", admission->verdict.witness);
	data_set(arena, map, "sizes", sizes_data(arena, admission->n_size, admission->size));
	data_set_bool(arena, map, "chosen", admission->is_chosen);
	data_set_real(arena, map, "flops", admission->flops);
	data_set_real(arena, map, "bytes", admission->bytes);
	data_set(arena, map, "control", measured_data(arena, &admission->control));
	data_set_integer(arena, map, "cache", admission->cache);
	data_set_real(arena, map, "in_place", admission->in_place);
	return map;
}

struct size *sizes_read(struct arena *arena, const struct data *map, int *n)
{
	struct size *size;

	*n = map && map->kind == DATA_MAP ? map->n : 0;
	size = ARENA_ARRAY(arena, struct size, *n + 1);
	for (int i = 0; i < *n; i++)
		size[i] = (struct size){ map->key[i], map->item[i]->integer };
	return size;
}

static void read_admission(struct arena *arena, const struct data *map, struct admission *admission)
{
	admission->verdict.kind = (enum verdict_kind)data_find_choice(map, "verdict", VERDICT_COUNT, VERDICT_UNTESTABLE);
	admission->verdict.witness = data_find_string(map, "witness", NULL);
	admission->size = sizes_read(arena, data_find(map, "sizes"), &admission->n_size);
	admission->is_chosen = data_find_bool(map, "chosen", false);
	admission->flops = data_find_real(map, "flops", 0);
	admission->bytes = data_find_real(map, "bytes", 0);
	admission->control = measured_read(data_find(map, "control"));
	admission->cache = (enum cache_state)data_find_choice(map, "cache", CACHE_COUNT, CACHE_AUTO);
	admission->in_place = data_find_real(map, "in_place", 0);
}

static enum status open_judge(struct evaluator *evaluator, struct verdict *verdict, struct diag *diag)
{
	if (evaluator->judge)
		return STATUS_OK;
	evaluator->judge = judge_open(evaluator->arena, &evaluator->job, verdict, diag);
	return evaluator->judge ? STATUS_OK : STATUS_FAILED;
}

/* Measure the original against another build of itself. */
static enum status control(struct evaluator *evaluator, enum cache_state cache, struct measurement *measurement, struct diag *diag)
{
	const struct program *twin = judge_twin(evaluator->judge, 1, diag);
	const struct measure_options options = {
		.effort = MEASURE_SCREEN,
		.cache = cache,
		.contenders = 1,
		.seed = rng_derive(evaluator->job.seed, "control"),
	};

	if (!twin)
		return STATUS_FAILED;
	return measure_pair(evaluator->judge, judge_original(evaluator->judge), twin, &options, measurement, diag);
}

/* How many times longer "seconds" is than calls in place, see struct admission. */
static double in_place_ratio(const struct in_place *in_place, double seconds)
{
	if (in_place->fastest <= 0 || seconds <= 0)
		return 0;
	if (seconds < in_place->fastest)
		return seconds / in_place->fastest;
	return seconds > in_place->mean ? seconds / in_place->mean : 1;
}

/* See how the outlined original compares with its calls in place. Where it is clearly faster with warm caches than in the
 * program, and closer to that with cold ones, the program sees it cold: then that is what is timed. */
static enum status compare_in_place(struct evaluator *evaluator, struct admission *admission, struct diag *diag)
{
	const struct in_place *in_place = &evaluator->context.in_place;
	struct measurement cold;
	double warm = in_place_ratio(in_place, admission->control.original_seconds), ratio;

	if (admission->is_chosen || in_place->fastest < in_place_least)
		return STATUS_OK;
	admission->in_place = warm;
	if (evaluator->context.cache != CACHE_AUTO || admission->control.cache != CACHE_WARM || warm == 0 || warm > 0.95)
		return STATUS_OK;
	if (control(evaluator, CACHE_COLD, &cold, diag) != STATUS_OK)
		return STATUS_FAILED;
	ratio = in_place_ratio(in_place, cold.original_seconds);
	if (ratio == 0 || fabs(log(ratio)) >= fabs(log(warm)))
		return STATUS_OK;
	admission->cache = CACHE_COLD;
	admission->control = cold;
	admission->in_place = ratio;
	return STATUS_OK;
}

static enum status admit_live(struct evaluator *evaluator, struct admission *admission, struct diag *diag)
{
	const struct size *size;
	int i;

	if (open_judge(evaluator, &admission->verdict, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (admission->verdict.kind != VERDICT_EQUAL)
		return STATUS_OK;
	admission->n_size = judge_sizes(evaluator->judge, &size, &admission->is_chosen);
	admission->size = ARENA_ARRAY(evaluator->arena, struct size, admission->n_size + 1);
	for (i = 0; i < admission->n_size; i++)
		admission->size[i] = size[i];
	judge_work(evaluator->judge, &admission->flops, &admission->bytes);
	admission->cache = evaluator->context.cache;
	if (control(evaluator, admission->cache, &admission->control, diag) != STATUS_OK)
		return STATUS_FAILED;
	return compare_in_place(evaluator, admission, diag);
}

enum status evaluator_admit(struct evaluator *evaluator, struct admission *admission, struct diag *diag)
{
	const struct evidence_key key = key_of(evaluator, "admission", NULL);
	const struct data *known = evidence_find(evaluator->evidence, evaluator->arena, &key);

	memset(admission, 0, sizeof(*admission));
	if (known) {
		read_admission(evaluator->arena, known, admission);
		evaluator->cache = admission->cache;
		return STATUS_OK;
	}
	if (evidence_is_replay(evaluator->evidence))
		return missing(&key, diag);
	if (process_finish(admit_live(evaluator, admission, diag), diag) != STATUS_OK)
		return STATUS_FAILED;
	evaluator->cache = admission->cache;
	evidence_add(evaluator->evidence, &key, admission_data(evaluator->arena, admission));
	return STATUS_OK;
}

/* ---- candidates ---- */

static enum status try_live(struct evaluator *evaluator, const struct variant *variant, bool thorough,
			    struct observation *observation, struct diag *diag)
{
	struct verdict admitted = { VERDICT_EQUAL, NULL };
	const struct measure_options options = {
		.effort = thorough ? MEASURE_ACCEPT : MEASURE_SCREEN,
		.cache = evaluator->cache,
		.contenders = RULE_FINALISTS,
		.seed = rng_derive(evaluator->job.seed, thorough ? "winner" : "screen"),
		.baseline = &evaluator->baseline,
	};
	enum status status;

	if (open_judge(evaluator, &admitted, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (admitted.kind != VERDICT_EQUAL) {
		observation->verdict = admitted;
		return STATUS_OK;
	}
	status = judge_candidate(evaluator->judge, variant->helpers ? variant->helpers : "", variant->body, thorough,
				 &observation->verdict, diag);
	observation->races = thorough ? judge_races(evaluator->judge) : NULL;
	if (status != STATUS_OK || observation->verdict.kind != VERDICT_EQUAL)
		return status;
	return measure_pair(evaluator->judge, judge_original(evaluator->judge), judge_last(evaluator->judge), &options,
			    &observation->measurement, diag);
}

static enum status try(struct evaluator *evaluator, const char *kind, const char *plan, const struct variant *variant,
		       struct observation *observation, struct diag *diag)
{
	const struct evidence_key key = key_of(evaluator, kind, plan);
	const struct data *known = evidence_find(evaluator->evidence, evaluator->arena, &key);

	memset(observation, 0, sizeof(*observation));
	observation->is_legal = true;
	if (known) {
		*observation = read_observation(known);
		return STATUS_OK;
	}
	if (evidence_is_replay(evaluator->evidence))
		return missing(&key, diag);
	if (process_finish(try_live(evaluator, variant, strcmp(kind, "winner") == 0, observation, diag), diag) != STATUS_OK)
		return STATUS_FAILED;
	evidence_add(evaluator->evidence, &key, observation_data(evaluator->arena, observation));
	return STATUS_OK;
}

enum status evaluator_candidate(struct evaluator *evaluator, const char *plan, const struct variant *variant,
				struct observation *observation, struct diag *diag)
{
	return try(evaluator, "candidate", plan, variant, observation, diag);
}

enum status evaluator_winner(struct evaluator *evaluator, const char *plan, const struct variant *variant,
			     struct observation *observation, struct diag *diag)
{
	return try(evaluator, "winner", plan, variant, observation, diag);
}

void evaluator_refused(struct evaluator *evaluator, const char *plan, const char *why)
{
	const struct evidence_key key = key_of(evaluator, "illegal", plan);
	struct data *result = data_map(evaluator->arena);

	data_set_string(evaluator->arena, result, "why", why);
	evidence_add(evaluator->evidence, &key, result);
}
