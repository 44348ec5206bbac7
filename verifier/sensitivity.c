#include "sensitivity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

#include "compare.h"

/* How many nudged inputs are tried, and how many others of the same kind. */
enum { NUDGES = 6, OTHERS = 6 };

/* What was seen of one part, a floating-point array or the scalars: how far each element moved, and the largest distance of the two
 * builds in units of e times the element's magnitude. */
struct moves {
	double *moved, ratio;
};

/* A runner of each build; "free" is NULL where the original has no second one. */
struct builds {
	struct runner *judged, *free;
};

static const struct var *float_array(const struct trial *trial, int p)
{
	const struct part *part = &trial->part[p];
	const struct var *var = part->kind == BLOCK_ARRAY ? trial->setting->outline->binding[part->binding].var : NULL;

	return var && type_is_float(var->type) ? var : NULL;
}

static void nudge(enum type type, unsigned char *element, struct rng *rng)
{
	const uint64_t way = rng_below(rng, 3);

	if (way == 2 || element_real(type, element) == 0)
		return;
	if (type == TYPE_F32)
		*(float *)element = nextafterf(*(float *)element, way ? INFINITY : -INFINITY);
	else
		*(double *)element = nextafter(*(double *)element, way ? INFINITY : -INFINITY);
}

/* Move all inputs by at most a unit in the last place. */
static void nudge_all(struct trial *trial, uint64_t seed)
{
	const struct outline *outline = trial->setting->outline;
	struct rng rng;
	int64_t i;
	int k, p;

	rng_seed(&rng, seed);
	for (k = 0; k < outline->n_binding; k++)
		if (trial->cell_of[k] >= 0 && type_is_float(outline->binding[k].var->type))
			nudge(outline->binding[k].var->type, trial->part[0].initial + cell_bytes * trial->cell_of[k], &rng);
	for (p = 1; p < trial->n_part; p++) {
		const struct var *var = float_array(trial, p);

		for (i = 0; var && i < trial->part[p].count; i++)
			nudge(var->type, trial->part[p].initial + i * type_size(var->type), &rng);
	}
}

/* The distance of two results; 0 where one at least is no number, which no bound says anything of. */
static double distance(enum type type, const void *a, const void *b)
{
	const double distance = fabs(element_real(type, a) - element_real(type, b));

	return isfinite(distance) ? distance : 0;
}

static double magnitude(enum type type, const void *value, double moved)
{
	return fabs(element_real(type, value)) + moved / roundoff(type);
}

/* Call "visit" on each floating-point element of part "p": its type, its index among the elements or cells, its place in bytes. */
typedef void element_note(void *context, enum type type, int64_t index, int64_t at);

static void each_real(const struct trial *trial, int p, element_note *visit, void *context)
{
	const struct outline *outline = trial->setting->outline;
	const struct var *var = p ? float_array(trial, p) : NULL;
	int64_t i;
	int k;

	for (i = 0; var && i < trial->part[p].count; i++)
		visit(context, var->type, i, i * type_size(var->type));
	for (k = 0; p == 0 && k < outline->n_binding; k++)
		if (trial->cell_of[k] >= 0 && type_is_float(outline->binding[k].var->type))
			visit(context, outline->binding[k].var->type, trial->cell_of[k], (int64_t)cell_bytes * trial->cell_of[k]);
}

/* Two results of a part under comparison. */
struct pair {
	const unsigned char *from, *found;
	struct moves *moves;
};

static void note_move(void *context, enum type type, int64_t index, int64_t at)
{
	const struct pair *pair = context;

	pair->moves->moved[index] = fmax(pair->moves->moved[index], distance(type, pair->from + at, pair->found + at));
}

static void note_ratio(void *context, enum type type, int64_t index, int64_t at)
{
	const struct pair *pair = context;
	const double m = magnitude(type, pair->from + at, pair->moves->moved[index]);

	if (m > 0 && isfinite(m))
		pair->moves->ratio = fmax(pair->moves->ratio, distance(type, pair->from + at, pair->found + at) / (roundoff(type) * m));
}

static bool run(struct judge *judge, struct runner *runner, const struct trial *like, struct trial *sample)
{
	return runner && runner->is_alive &&
	       trial_run(judge->arena, runner, sample, trial_patience(judge, like)).kind == VERDICT_EQUAL;
}

/* Note how far results on "sample", nudged inputs, lie from those of "trial". */
static void note_moves(struct judge *judge, const struct builds *builds, const struct trial *trial, struct trial *sample,
		       struct moves *moves)
{
	int p;

	if (!run(judge, builds->judged, trial, sample))
		return;
	for (p = 0; p < trial->n_part; p++) {
		struct pair pair = {trial->part[p].expected, image_data(sample->image, p), &moves[p]};

		if (pair.from)
			each_real(trial, p, note_move, &pair);
	}
}

/* Note how far apart the builds are on "sample". */
static void note_ratios(struct judge *judge, const struct builds *builds, const struct trial *trial, struct trial *sample,
			struct moves *moves)
{
	int p;

	if (!builds->free || !run(judge, builds->judged, trial, sample))
		return;
	trial_keep(sample);
	if (!run(judge, builds->free, trial, sample))
		return;
	for (p = 0; p < trial->n_part; p++) {
		struct pair pair = {sample->part[p].expected, image_data(sample->image, p), &moves[p]};

		if (pair.from)
			each_real(trial, p, note_ratio, &pair);
	}
}

/* The trial's inputs once more, or others of its kind under "seed". */
static struct trial *make_sample(struct judge *judge, const struct trial *trial, uint64_t seed, struct diag *diag)
{
	struct trial *sample = trial_new(&judge->setting, trial->sized, trial->distribution, trial->fence, &trial->overlap,
					 trial->sample, seed, diag);
	int p;

	for (p = 0; sample && seed == trial->seed && p < sample->n_part; p++)
		memcpy(sample->part[p].initial, trial->part[p].initial, sample->image->block[p].bytes);
	return sample;
}

/* Run one sample: nudged ones come first, since distances are measured by magnitudes that these tell. */
static enum status run_sample(struct judge *judge, const struct builds *builds, const struct trial *trial, int number,
			      struct moves *moves, struct diag *diag)
{
	const bool is_nudged = number < NUDGES, is_other = number > NUDGES;
	const uint64_t seed = rng_derive(trial->seed, "sensitivity") + (uint64_t)number;
	struct trial *sample = make_sample(judge, trial, is_other ? seed : trial->seed, diag);

	if (!sample)
		return STATUS_FAILED;
	if (is_nudged) {
		nudge_all(sample, seed);
		note_moves(judge, builds, trial, sample, moves);
	} else {
		note_ratios(judge, builds, trial, sample, moves);
	}
	trial_free(sample);
	return STATUS_OK;
}

/* The answer under construction for one part. */
struct writing {
	const unsigned char *expected;
	const struct moves *moves;
	unsigned char *wide;
	size_t stride;
};

static void write_element(void *context, enum type type, int64_t index, int64_t at)
{
	const struct writing *writing = context;
	const double value = element_real(type, writing->expected + at);
	const double m = magnitude(type, writing->expected + at, writing->moves->moved[index]);
	void *wide = writing->wide + (size_t)index * writing->stride;

	if (type == TYPE_F32)
		*(struct wide_f32 *)wide = (struct wide_f32){.v = value, .m = m};
	else
		*(struct wide_f64 *)wide = (struct wide_f64){.v = value, .m = m};
}

static void answer_part(const struct trial *trial, int p, const struct moves *moves, struct answer *answer)
{
	const struct var *var = p ? float_array(trial, p) : NULL;
	struct writing writing = {.expected = trial->part[p].expected, .moves = moves};

	if (!writing.expected || (p && !var))
		return;
	writing.stride = var && var->type == TYPE_F32 ? sizeof(struct wide_f32) : sizeof(struct wide_f64);
	writing.wide = memory_alloc(writing.stride * (size_t)trial->part[p].count + 1);
	each_real(trial, p, write_element, &writing);
	answer->wide[p] = writing.wide;
	answer->ratio[p] = 2 * moves->ratio;
}

static enum status start(struct judge *judge, struct builds *builds, struct diag *diag)
{
	builds->judged = judge_spawn(judge, judge->judged, diag);
	builds->free = builds->judged && judge->free ? judge_spawn(judge, judge->free, diag) : NULL;
	return builds->judged && (builds->free || !judge->free) ? STATUS_OK : STATUS_FAILED;
}

static void free_moves(struct moves *moves, int n)
{
	int p;

	for (p = 0; p < n; p++)
		free(moves[p].moved);
	free(moves);
}

/* Run all samples; free the moves, one for each part, with free_moves(). NULL when the world fails. */
static struct moves *run_samples(struct judge *judge, const struct trial *trial, struct diag *diag)
{
	struct moves *moves = memory_alloc(sizeof(*moves) * (size_t)trial->n_part);
	struct builds builds = {0};
	enum status status = start(judge, &builds, diag);
	int number, p;

	for (p = 0; p < trial->n_part; p++)
		moves[p].moved = memory_alloc(sizeof(double) * ((size_t)trial->part[p].count + 1));
	for (number = 0; number <= NUDGES + OTHERS && status == STATUS_OK; number++)
		status = run_sample(judge, &builds, trial, number, moves, diag);
	runner_stop(builds.judged);
	runner_stop(builds.free);
	if (status == STATUS_OK)
		return moves;
	free_moves(moves, trial->n_part);
	return NULL;
}

enum status sensitivity_answer(struct judge *judge, struct trial *trial, struct diag *diag)
{
	struct moves *moves = run_samples(judge, trial, diag);
	int p;

	if (!moves)
		return STATUS_FAILED;
	trial->answer = answer_new(trial);
	for (p = 0; p < trial->n_part; p++)
		answer_part(trial, p, &moves[p], trial->answer);
	free_moves(moves, trial->n_part);
	return STATUS_OK;
}

enum status sensitivity_is_chaotic(struct judge *judge, const struct trial *trial, bool *is_chaotic, struct diag *diag)
{
	struct moves *moves = run_samples(judge, trial, diag);
	int64_t i;
	int p;

	*is_chaotic = false;
	if (!moves)
		return STATUS_FAILED;
	for (p = 1; p < trial->n_part; p++)
		for (i = 0; i < trial->part[p].count; i++)
			*is_chaotic |= moves[p].moved[i] > 0.1 * trial->part[p].most && trial->part[p].most > 0;
	free_moves(moves, trial->n_part);
	return STATUS_OK;
}
