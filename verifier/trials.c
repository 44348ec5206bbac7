#include "judge_internal.h"
#include "shrink.h"

#include <math.h>
#include <string.h>

#include "support/text.h"

/* What small trials may cost, in instances and bytes, and how long the original may take for all of a kind together. */
static const struct effort small_effort = {1e6, (size_t)8 << 20};
static const double quick_seconds = 0.15, thorough_seconds = 3.0;
/* How long the original may take on a large trial, and on one at the timing sizes. */
static const double large_seconds = 5e-3, most_repeated = 5.0;
/* How long a region should run when strop chooses the sizes itself. */
static const double least_timing = 1e-3, good_timing = 8e-3, most_timing = 50e-3;

/* How arrays share memory: OVERLAP_PARTIAL and OVERLAP_EXACT stand for one trial per pair of arrays. */
enum overlap_kind { OVERLAP_NONE, OVERLAP_PARTIAL, OVERLAP_EXACT };
/* When a kind of trial is held: on every candidate, with new values in the places of the trial before it (for programs
 * that remember addresses), or on winners only; THOROUGH_CHANGED: with one element changed in the places of the trial before it. */
enum occasion { QUICK, QUICK_AGAIN, THOROUGH, THOROUGH_CHANGED };
/* "most" bounds the work, drawn from "least" on by its logarithm; 0: what the kind of shape allows. */
static const struct recipe {
	enum shape_kind shape;
	enum distribution distribution;
	enum fence fence;
	enum overlap_kind overlap;
	enum occasion occasion;
	double least, most;
} recipes[] = {
	{SHAPE_PRIME, DIST_NORMAL, FENCE_END, OVERLAP_NONE, QUICK, 0, 0},
	{SHAPE_PRIME, DIST_SIGNS, FENCE_END, OVERLAP_NONE, QUICK_AGAIN, 0, 0},
	{SHAPE_TAIL, DIST_ZEROS, FENCE_START, OVERLAP_NONE, QUICK, 0, 0},
	{SHAPE_ONE, DIST_SIGNS, FENCE_END, OVERLAP_NONE, QUICK, 0, 0},
	{SHAPE_ZERO, DIST_NORMAL, FENCE_END, OVERLAP_NONE, QUICK, 0, 0},
	{SHAPE_SMALL, DIST_WIDE, FENCE_SHIFTED, OVERLAP_NONE, QUICK, 0, 0},
	{SHAPE_TAIL, DIST_OFFSET, FENCE_END, OVERLAP_NONE, QUICK, 0, 0},
	{SHAPE_TAIL, DIST_NORMAL, FENCE_END, OVERLAP_PARTIAL, QUICK, 0, 0},
	{SHAPE_LARGE, DIST_NORMAL, FENCE_END, OVERLAP_NONE, QUICK, 1e3, 5e4},
	{SHAPE_LARGE, DIST_NORMAL, FENCE_ALIGNED, OVERLAP_NONE, QUICK, 0, 0},
	{SHAPE_TAIL, DIST_RISING, FENCE_END, OVERLAP_NONE, QUICK, 0, 0},
	{SHAPE_TAIL, DIST_FALLING, FENCE_END, OVERLAP_NONE, QUICK, 0, 0},
	{SHAPE_TAIL, DIST_UNITY, FENCE_END, OVERLAP_NONE, QUICK, 0, 0},
	{SHAPE_PRIME, DIST_LIMITS, FENCE_START, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_TAIL, DIST_LIMITS, FENCE_END, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_SMALL, DIST_LIMITS, FENCE_END, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_TAIL, DIST_NAN, FENCE_END, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_PRIME, DIST_DENORMAL, FENCE_SHIFTED, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_LARGE, DIST_NORMAL, FENCE_START, OVERLAP_NONE, THOROUGH, 2e3, 1e4},
	{SHAPE_LARGE, DIST_NORMAL, FENCE_START, OVERLAP_NONE, THOROUGH_CHANGED, 0, 0},
	{SHAPE_LARGE, DIST_NORMAL, FENCE_START, OVERLAP_NONE, THOROUGH_CHANGED, 0, 0},
	{SHAPE_LARGE, DIST_NORMAL, FENCE_START, OVERLAP_NONE, THOROUGH_CHANGED, 0, 0},
	{SHAPE_ROUND, DIST_SIGNS, FENCE_ALIGNED, OVERLAP_NONE, THOROUGH, 1e3, 3e4},
	{SHAPE_ROUND, DIST_NORMAL, FENCE_ALIGNED, OVERLAP_NONE, THOROUGH, 3e4, 3e5},
	{SHAPE_LARGE, DIST_WIDE, FENCE_END, OVERLAP_NONE, THOROUGH, 1e3, 3e5},
	{SHAPE_TAIL, DIST_SIGNS, FENCE_START, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_PRIME, DIST_WIDE, FENCE_END, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_SMALL, DIST_ZEROS, FENCE_END, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_TAIL, DIST_SPARSE, FENCE_END, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_TAIL, DIST_SPARSE, FENCE_START, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_PRIME, DIST_SPARSE, FENCE_END, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_SMALL, DIST_SPARSE, FENCE_END, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_TAIL, DIST_SPARSE, FENCE_SHIFTED, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_TAIL, DIST_SPARSE, FENCE_END, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_TAIL, DIST_NORMAL, FENCE_SHIFTED, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_TAIL, DIST_NORMAL, FENCE_ALIGNED, OVERLAP_EXACT, THOROUGH, 0, 0},
	{SHAPE_TAIL, DIST_SIGNS, FENCE_END, OVERLAP_PARTIAL, THOROUGH, 0, 0},
	{SHAPE_PRIME, DIST_NORMAL, FENCE_START, OVERLAP_PARTIAL, THOROUGH, 0, 0},
	{SHAPE_PRIME, DIST_NORMAL, FENCE_END, OVERLAP_PARTIAL, THOROUGH, 0, 0},
	{SHAPE_TAIL, DIST_NORMAL, FENCE_END, OVERLAP_PARTIAL, THOROUGH, 0, 0},
	{SHAPE_LARGE, DIST_SIGNS, FENCE_END, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_LARGE, DIST_OFFSET, FENCE_START, OVERLAP_NONE, THOROUGH, 0, 0},
	{SHAPE_LARGE, DIST_NORMAL, FENCE_ALIGNED, OVERLAP_PARTIAL, THOROUGH, 0, 0},
	{SHAPE_LARGE, DIST_NORMAL, FENCE_ALIGNED, OVERLAP_EXACT, THOROUGH, 0, 0},
	{SHAPE_GIVEN, DIST_NORMAL, FENCE_ALIGNED, OVERLAP_NONE, THOROUGH, 0, 0},
};
enum { n_recipe = sizeof(recipes) / sizeof(recipes[0]) };

/* How many statement instances are quick enough to be timed again and again, and how many still are to be borne. */
static const double shrunk_work = 1e8, bearable_work = 2e9;

/* What each size is once while the others are small: nothing, one, too little for a border, and beside the lengths of blocks. */
static const int64_t edges[] = {0, 1, 2, 3, 63, 65};

/* Choosing under way: "runner" holds the original; "spent" is what the original took so far; "least" says how many
 * trials are taken whatever they cost. */
struct choice {
	struct judge *judge;
	struct runner *runner, *trapping;
	struct rng rng;
	double spent, budget;
	bool is_quick;
	double large_work;
	struct verdict failure;
	struct diag *diag;
};

double trial_patience(const struct judge *judge, const struct trial *trial)
{
	double patience = 1 + 20 * trial->seconds;

	return judge->job->seconds > 0 && patience > judge->job->seconds ? judge->job->seconds : patience;
}

static double first_patience(const struct judge *judge)
{
	return judge->job->seconds > 0 ? judge->job->seconds : 60;
}

/* Keep the place for "trial" among the judge's. */
static void keep(struct choice *choice, struct trial *trial)
{
	struct judge *judge = choice->judge;

	judge->trial[judge->n_trial++] = trial;
	judge->n_quick += choice->is_quick;
	choice->spent += trial->seconds;
}

/* Where the nest is opaque nobody can tell which values are for it: a trial on which its arithmetic is undefined is dropped. */
static enum status try_trapping(struct choice *choice, struct trial *trial, bool *kept)
{
	struct judge *judge = choice->judge;

	*kept = true;
	if (!judge->trapping)
		return STATUS_OK;
	if (!choice->trapping || !choice->trapping->is_alive) {
		runner_stop(choice->trapping);
		choice->trapping = judge_spawn(judge, judge->trapping, choice->diag);
		if (!choice->trapping)
			return STATUS_FAILED;
	}
	*kept = trial_run(judge->arena, choice->trapping, trial, first_patience(judge)).kind == VERDICT_EQUAL;
	return STATUS_OK;
}

/* See by a second run whether the original leaves memory behind. */
static void note_kept_memory(struct choice *choice, struct trial *trial)
{
	struct judge *judge = choice->judge;

	if (judge->n_trial > 0 || trial->seconds > large_seconds || judge->setting.keeps_memory)
		return;
	judge->setting.keeps_memory =
		trial_run(judge->arena, choice->runner, trial, first_patience(judge)).kind == VERDICT_SIDE_EFFECT;
}

/* Run the original on "trial" and keep its answers. A trial on which it crashes is dropped: its inputs were not for it.
 * One on which it leaves the memory that its nest touches is a failure, unless arrays share memory (writing over indices is
 * nothing that it was made for) or its nest is opaque, so that its extents are what some values told. */
static enum status try_original(struct choice *choice, struct trial *trial, bool *kept)
{
	struct judge *judge = choice->judge;
	struct verdict verdict;

	*kept = false;
	if (!choice->runner->is_alive) {
		choice->runner = runner_stop(choice->runner);
		choice->runner = judge_spawn(judge, judge->judged, choice->diag);
		if (!choice->runner)
			return STATUS_FAILED;
	}
	verdict = trial_run(judge->arena, choice->runner, trial, first_patience(judge));
	trial->seconds = trial->found_seconds;
	if (verdict.kind == VERDICT_EQUAL) {
		trial_keep(trial);
		note_kept_memory(choice, trial);
		return try_trapping(choice, trial, kept);
	}
	if (choice->failure.kind == VERDICT_EQUAL && verdict.kind != VERDICT_CRASH && trial->overlap.guest < 0 &&
	    !nest_is_opaque(judge->job->nest)) {
		choice->failure.kind = VERDICT_UNTESTABLE;
		choice->failure.witness = arena_printf(judge->arena, "the original itself fails: %s (%s)",
						       verdict.witness, trial_print(judge->arena, trial));
	}
	return STATUS_OK;
}

/* Whether a trial of the same shape, distribution and fence is there already; sixteen where the nest is opaque, whose conditions
 * nobody knows. */
static bool is_repeated(const struct judge *judge, const struct sized *sized, const struct recipe *recipe,
			const struct overlap *overlap)
{
	int i, n = 0;

	for (i = 0; i < judge->n_trial; i++) {
		const struct trial *trial = judge->trial[i];

		if (shape_equal(&trial->sized->shape, &sized->shape) && trial->distribution == recipe->distribution &&
		    trial->fence == recipe->fence && trial->overlap.guest == overlap->guest &&
		    trial->overlap.host == overlap->host && trial->overlap.shift == overlap->shift)
			n++;
	}
	return n >= (nest_is_opaque(judge->job->nest) ? 16 : 1);
}

/* Keep "trial" (given; NULL: memory was short) if the original survives it. */
static enum status take_trial(struct choice *choice, struct trial *trial)
{
	bool kept = false;
	enum status status = trial ? try_original(choice, trial, &kept) : STATUS_FAILED;

	if (kept)
		keep(choice, trial);
	else
		trial_free(trial);
	return status;
}

static enum status add_trial(struct choice *choice, const struct sized *sized, const struct recipe *recipe,
			     const struct overlap *overlap)
{
	struct judge *judge = choice->judge;

	if (judge->n_trial == trials_most || is_repeated(judge, sized, recipe, overlap))
		return STATUS_OK;
	return take_trial(choice, trial_new(&judge->setting, sized, recipe->distribution, recipe->fence, overlap, NULL,
					    rng_next(&choice->rng), choice->diag));
}

/* Add the trial before once more, with an element changed. */
static enum status add_changed(struct choice *choice)
{
	struct judge *judge = choice->judge;
	const struct trial *before = judge->n_trial > 0 ? judge->trial[judge->n_trial - 1] : NULL;
	struct trial *trial;

	if (!before || judge->n_trial == trials_most || before->sample || before->overlap.guest >= 0)
		return STATUS_OK;
	trial = trial_new(&judge->setting, before->sized, before->distribution, before->fence, NULL, NULL, before->seed,
			  choice->diag);
	if (trial)
		trial_change(trial, &choice->rng);
	return take_trial(choice, trial);
}

static const char *root_declaration(const struct binding *binding)
{
	return binding->local ? binding->local->declaration : "";
}

/* Whether two arrays may legally share memory: of one type, pointers not declared restrict, and one of them written. */
static bool may_overlap(const struct binding *a, const struct binding *b)
{
	return a->var->kind == VAR_ARRAY && b->var->kind == VAR_ARRAY && !a->var->is_object && !b->var->is_object &&
	       a->var->type == b->var->type && (a->var->is_written || b->var->is_written) &&
	       !strstr(root_declaration(a), "restrict") && !strstr(root_declaration(b), "restrict");
}

static int64_t box_count(const struct judge *judge, const struct sized *sized, const struct binding *binding)
{
	const int v = nest_var_index(judge->job->nest, binding->var);

	return sized->box[v].hi - sized->box[v].lo + 1;
}

/* By how many of "count" elements arrays are shifted that share memory: by one, where what is loaded early goes wrong, by a few, or
 * by any number, for conditions that know a wrong end. */
static int64_t draw_shift(struct rng *rng, int64_t count)
{
	const uint64_t way = rng_below(rng, 4);

	if (way == 0)
		return 1;
	return 1 + (int64_t)rng_below(rng, (uint64_t)(way == 1 && count > 64 ? 63 : count - 1));
}

/* Add trials in which each pair of arrays shares memory; for partial overlap the shift is drawn within the guest. */
static enum status add_overlaps(struct choice *choice, const struct sized *sized, const struct recipe *recipe)
{
	const struct outline *outline = choice->judge->setting.outline;
	const int shifts = choice->is_quick || recipe->overlap == OVERLAP_EXACT ? 1 : 3;
	int host, guest, s, left = choice->is_quick ? 2 : 12;

	for (host = 0; host < outline->n_binding && left > 0; host++)
		for (guest = 0; guest < outline->n_binding && left > 0; guest++) {
			struct overlap overlap = {guest, host, 0};
			int64_t count;

			if (guest == host || !may_overlap(&outline->binding[host], &outline->binding[guest]) ||
			    (recipe->overlap == OVERLAP_EXACT && guest < host))
				continue;
			count = box_count(choice->judge, sized, &outline->binding[host]);
			if (count < 2)
				continue;
			for (s = 0; s < shifts && left > 0; s++, left--) {
				if (recipe->overlap == OVERLAP_PARTIAL)
					overlap.shift = draw_shift(&choice->rng, count);
				if (add_trial(choice, sized, recipe, &overlap) != STATUS_OK)
					return STATUS_FAILED;
			}
		}
	return STATUS_OK;
}

static struct wish wish_of(const struct judge *judge, enum shape_kind kind, struct effort most)
{
	return (struct wish){.job = judge->job, .derivation = judge->derivation, .probe = judge->probe, .kind = kind, .most = most};
}

static struct wish wish_given(const struct judge *judge, enum shape_kind kind, int n_given, const struct size *given,
			      struct effort most)
{
	struct wish wish = wish_of(judge, kind, most);

	wish.n_given = n_given;
	wish.given = given;
	return wish;
}

static enum status follow_recipe(struct choice *choice, const struct recipe *recipe)
{
	static const struct overlap none = {-1, -1, 0};
	struct judge *judge = choice->judge;
	struct wish wish = wish_of(judge, recipe->shape, small_effort);
	struct extent_failure failure;
	const struct sized *sized;

	if (recipe->occasion == THOROUGH_CHANGED)
		return add_changed(choice);
	if (!distribution_is_defined(judge->job, recipe->distribution))
		return STATUS_OK;
	if (recipe->shape == SHAPE_LARGE || recipe->shape == SHAPE_ROUND) {
		wish.most.work = choice->large_work;
		wish.most.bytes = (size_t)16 << 20;
	}
	if (recipe->most > 0)
		wish.most.work = fmin(wish.most.work,
				      recipe->least * pow(recipe->most / recipe->least, rng_uniform(&choice->rng)));
	if (recipe->shape == SHAPE_GIVEN)
		sized = judge->timing_seconds < most_repeated ? judge->timing : NULL;
	else if (recipe->occasion == QUICK_AGAIN && judge->n_trial > 0)
		sized = judge->trial[judge->n_trial - 1]->sized;
	else
		sized = shape_draw(judge->arena, &wish, &choice->rng, &failure);
	if (!sized)
		return STATUS_OK;
	if (recipe->overlap != OVERLAP_NONE)
		return add_overlaps(choice, sized, recipe);
	return add_trial(choice, sized, recipe, &none);
}

/* Add a trial that replays a recorded call; it is a quick one as long as it is cheap. */
static enum status add_sample(struct choice *choice, const struct sample *sample)
{
	struct judge *judge = choice->judge;
	struct extent_failure failure;
	struct wish wish = wish_given(judge, SHAPE_GIVEN, sample->n_size, sample->size, small_effort);
	struct sized *sized = shape_draw(judge->arena, &wish, &choice->rng, &failure);

	if (!sized || !sized->is_exact || judge->n_trial == trials_most || (sized->bytes > small_effort.bytes) == choice->is_quick)
		return STATUS_OK;
	return take_trial(choice, trial_new(&judge->setting, sized, DIST_NORMAL, FENCE_END, NULL, sample,
					    rng_next(&choice->rng), choice->diag));
}

/* Add trials in which one size at a time has each of the "n" values, the others being small; where that is a long one, arrays also
 * share memory if "overlaps". */
static enum status add_edges(struct choice *choice, int n, const int64_t *value, bool overlaps)
{
	static const struct recipe recipe = {SHAPE_EDGE, DIST_NORMAL, FENCE_END, OVERLAP_NONE, THOROUGH, 0, 0};
	static const struct recipe overlapping = {SHAPE_EDGE, DIST_NORMAL, FENCE_END, OVERLAP_PARTIAL, THOROUGH, 0, 0};
	static const struct overlap none = {-1, -1, 0};
	struct judge *judge = choice->judge;
	struct wish wish = wish_of(judge, recipe.shape, small_effort);
	struct extent_failure failure;
	int v, i;

	for (v = 0; v < judge->job->nest->n_var; v++) {
		/* Indices below nothing are none: only loops may be empty. */
		const int64_t least = shape_is_size(judge->job->nest, judge->job->nest->var[v]) ? 0 : 1;

		wish.edge = v;
		for (i = 0; i < n && shape_is_length(judge->job, judge->job->nest->var[v]); i++) {
			struct sized *sized;

			wish.edge_size = value[i];
			sized = value[i] >= least ? shape_draw(judge->arena, &wish, &choice->rng, &failure) : NULL;
			if (sized && add_trial(choice, sized, &recipe, &none) != STATUS_OK)
				return STATUS_FAILED;
			if (sized && overlaps && value[i] > 32 && add_overlaps(choice, sized, &overlapping) != STATUS_OK)
				return STATUS_FAILED;
		}
	}
	return STATUS_OK;
}

enum status trials_add_edges(struct judge *judge, int n, const int64_t *value, struct diag *diag)
{
	struct choice choice = {.judge = judge, .failure = {VERDICT_EQUAL, NULL}, .diag = diag};
	enum status status;

	rng_seed(&choice.rng, rng_derive(judge->job->seed, "edges"));
	choice.runner = judge_spawn(judge, judge->judged, diag);
	if (!choice.runner)
		return STATUS_FAILED;
	status = add_edges(&choice, n, value, false);
	runner_stop(choice.runner);
	runner_stop(choice.trapping);
	return status;
}

/* Add a trial for each array that may be NULL, at small sizes. */
static enum status add_nulls(struct choice *choice)
{
	static const struct recipe recipe = {SHAPE_TAIL, DIST_NORMAL, FENCE_END, OVERLAP_NONE, QUICK, 0, 0};
	static const struct overlap none = {-1, -1, 0};
	struct judge *judge = choice->judge;
	struct wish wish = wish_of(judge, recipe.shape, small_effort);
	struct extent_failure failure;
	int i;

	for (i = 0; (wish.null = derivation_nullable(judge->derivation, i)); i++) {
		struct sized *sized = shape_draw(judge->arena, &wish, &choice->rng, &failure);

		if (sized && add_trial(choice, sized, &recipe, &none) != STATUS_OK)
			return STATUS_FAILED;
	}
	return STATUS_OK;
}

/* How often the recipes are gone through: several times where nobody knows the conditions of a nest and no size varies. */
static int count_rounds(const struct job *job)
{
	int v;

	for (v = 0; v < job->nest->n_var; v++)
		if (shape_is_size(job->nest, job->nest->var[v]))
			return 1;
	return nest_is_opaque(job->nest) ? 4 : 1;
}

/* Follow all recipes for quick (or thorough) trials until the budget is spent, but at least one. Each has random
 * numbers of its own, so that none depends on how long others took. */
static enum status choose(struct choice *choice, bool is_quick)
{
	const int n = n_recipe * count_rounds(choice->judge->job);
	int i, before = choice->judge->n_trial;

	choice->is_quick = is_quick;
	choice->budget = is_quick ? quick_seconds : thorough_seconds;
	choice->spent = 0;
	for (i = 0; i < choice->judge->job->n_sample; i++)
		if (add_sample(choice, &choice->judge->job->sample[i]) != STATUS_OK)
			return STATUS_FAILED;
	for (i = 0; i < n; i++) {
		const struct recipe *recipe = &recipes[i % n_recipe];

		rng_seed(&choice->rng, rng_derive(choice->judge->job->seed, "trials") + (uint64_t)i);
		if ((recipe->occasion < THOROUGH) == is_quick &&
		    (choice->spent < choice->budget || choice->judge->n_trial == before) &&
		    follow_recipe(choice, recipe) != STATUS_OK)
			return STATUS_FAILED;
	}
	rng_seed(&choice->rng, rng_derive(choice->judge->job->seed, is_quick ? "null" : "edge"));
	return is_quick ? add_nulls(choice) : add_edges(choice, sizeof(edges) / sizeof(edges[0]), edges, true);
}

/* How long the original takes at "sized", by one run where timing will be after a first one that warms up; negative when it does
 * not run. */
static enum status measure_once(struct choice *choice, const struct sized *sized, double *seconds)
{
	struct judge *judge = choice->judge;
	struct trial *trial = trial_new(&judge->setting, sized, DIST_NORMAL, judge->timing_fence, NULL, NULL,
					rng_next(&choice->rng), choice->diag);
	enum status status = STATUS_FAILED;
	bool kept = false;
	int i;

	for (i = 0; trial && i < 2; i++) {
		status = try_original(choice, trial, &kept);
		if (status != STATUS_OK || !kept || trial->seconds > most_timing)
			break;
	}
	*seconds = kept && trial ? trial->seconds : -1;
	trial_free(trial);
	return status;
}

/* The same; an original that wants its arrays at whole vectors gets them so from now on. */
static enum status measure(struct choice *choice, const struct sized *sized, double *seconds)
{
	enum status status = measure_once(choice, sized, seconds);

	if (status != STATUS_OK || *seconds >= 0 || choice->judge->timing_fence != FENCE_HEAP)
		return status;
	choice->judge->timing_fence = FENCE_ALIGNED;
	return measure_once(choice, sized, seconds);
}

/* Choose sizes at which the region runs 1 to 50 ms; where constants make it long from the start, those that there are. */
static enum status choose_sizes(struct choice *choice)
{
	struct judge *judge = choice->judge;
	struct effort effort = {1e5, (size_t)512 << 20};
	int attempt;

	for (attempt = 0; attempt < 8; attempt++) {
		struct extent_failure failure;
		struct wish wish = wish_given(judge, SHAPE_LARGE, judge->n_given, judge->given, effort);
		struct sized *sized = shape_draw(judge->arena, &wish, &choice->rng, &failure);
		double seconds, factor;

		if (!sized && !judge->timing && effort.work < shrunk_work) {
			effort.work = shrunk_work;
			continue;
		}
		if (!sized) {
			choice->failure = (struct verdict){VERDICT_UNTESTABLE, arena_strdup(judge->arena, failure.why)};
			return STATUS_OK;
		}
		if (measure(choice, sized, &seconds) != STATUS_OK)
			return STATUS_FAILED;
		if (seconds < 0)
			return STATUS_OK;
		if (judge->timing && judge->timing->work == sized->work)
			return STATUS_OK;
		judge->timing = sized;
		judge->timing_seconds = seconds;
		if (seconds >= least_timing && seconds <= most_timing)
			return STATUS_OK;
		factor = good_timing / (seconds > 1e-7 ? seconds : 1e-7);
		effort.work = sized->work * (factor > 64 ? 64 : factor);
	}
	return STATUS_OK;
}

static enum status take_sizes(struct choice *choice)
{
	struct judge *judge = choice->judge;
	struct wish wish = wish_given(judge, SHAPE_GIVEN, judge->n_given, judge->given,
				      (struct effort){1e18, (size_t)8 << 30});
	struct extent_failure failure;
	double seconds;

	judge->timing = shape_draw(judge->arena, &wish, &choice->rng, &failure);
	if (!judge->timing) {
		choice->failure = (struct verdict){VERDICT_UNTESTABLE, arena_strdup(judge->arena, failure.why)};
		return STATUS_OK;
	}
	if (measure(choice, judge->timing, &seconds) != STATUS_OK)
		return STATUS_FAILED;
	if (seconds < 0)
		judge->timing = NULL;
	judge->timing_seconds = seconds;
	return STATUS_OK;
}

/* The job's sizes are all that decides how long the region runs, or strop must choose the rest. */
static bool has_all_sizes(const struct job *job)
{
	int v, i;

	for (v = 0; v < job->nest->n_var; v++) {
		bool given = false;

		if (!shape_is_size(job->nest, job->nest->var[v]))
			continue;
		for (i = 0; i < job->n_size; i++)
			given |= !strcmp(job->size[i].name, job->nest->var[v]->name);
		if (!given)
			return false;
	}
	return true;
}

/* The sizes of a call in the source, made smaller until the region takes a fraction of a second by its work; none where they cannot be
 * had. */
static void shrink_sizes(struct choice *choice)
{
	struct judge *judge = choice->judge;
	const int n = judge->job->n_size;
	struct size *size = ARENA_ARRAY(judge->arena, struct size, n + 1);
	struct wish wish = wish_given(judge, SHAPE_GIVEN, n, size, (struct effort){1e18, (size_t)8 << 30});
	double work = 0;
	int i;

	judge->n_given = 0;
	for (i = 0; i < n; i++)
		size[i] = judge->job->size[i];
	do {
		struct extent_failure failure;
		struct sized *sized = shape_draw(judge->arena, &wish, &choice->rng, &failure);

		if (!sized || !sized->is_exact)
			return;
		work = sized->work;
	} while (work > shrunk_work && sizes_shrink(judge->job->nest, n, size));
	if (work > bearable_work)
		return;
	judge->n_given = n;
	judge->given = size;
}

static void publish_sizes(struct judge *judge)
{
	const struct nest *nest = judge->job->nest;
	int v;

	judge->size = ARENA_ARRAY(judge->arena, struct size, nest->n_var + 1);
	for (v = 0; v < judge->n_own; v++)
		if (judge->timing->shape.is_known[v])
			judge->size[judge->n_size++] = (struct size){nest->var[v]->name, judge->timing->shape.value[v]};
}

static void refuse(struct choice *choice, struct verdict *admission)
{
	*admission = choice->failure;
	if (admission->kind == VERDICT_EQUAL)
		*admission = (struct verdict){VERDICT_UNTESTABLE, "the original fails on all inputs that were tried"};
}

enum status trials_choose(struct judge *judge, struct verdict *admission, struct diag *diag)
{
	struct choice choice = {.judge = judge, .failure = {VERDICT_EQUAL, NULL}, .diag = diag};
	enum status status = STATUS_FAILED;

	rng_seed(&choice.rng, rng_derive(judge->job->seed, "sizes"));
	choice.runner = judge_spawn(judge, judge->judged, diag);
	if (!choice.runner)
		return STATUS_FAILED;
	judge->timing_fence = FENCE_HEAP;
	judge->n_given = judge->job->n_size;
	judge->given = judge->job->size;
	judge->is_chosen = !has_all_sizes(judge->job);
	if (judge->job->may_shrink) {
		shrink_sizes(&choice);
		judge->is_chosen = judge->is_chosen || judge->n_given == 0;
	}
	status = judge->is_chosen ? choose_sizes(&choice) : take_sizes(&choice);
	if (status != STATUS_OK || !judge->timing)
		goto done;
	publish_sizes(judge);
	choice.large_work = judge->timing->work;
	if (judge->timing_seconds > large_seconds)
		choice.large_work *= large_seconds / judge->timing_seconds;
	status = choose(&choice, true);
	if (status == STATUS_OK)
		status = choose(&choice, false);
done:
	runner_stop(choice.runner);
	runner_stop(choice.trapping);
	if (status == STATUS_OK && (judge->n_quick == 0 || choice.failure.kind != VERDICT_EQUAL))
		refuse(&choice, admission);
	return status;
}
