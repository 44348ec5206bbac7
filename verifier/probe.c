#include "probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

#include "judge_internal.h"

/* What all arrays together may take, in bytes; what a run may take, in seconds; the elements that the search begins with. */
static const size_t bytes_most = (size_t)256 << 20;
static const double most_seconds = 2;
static const int64_t first_extent = 4096;

enum { findings_most = 8, known_most = 128, products_most = 256, degree_most = 4 };

/* Extents found at a shape: by var. */
struct finding {
	int64_t *value, *extent;
};

/* "array" are the vars that are arrays; "finding" is what extents are predicted from, "known" all
 * that was found. */
struct probe {
	struct arena *arena;
	const struct setting *setting;
	const struct nest *nest;
	const struct program *program;
	struct runner *runner;
	size_t n_var;
	int n_array, *array;
	int n_finding;
	struct finding finding[findings_most];
	int n_known;
	struct sized known[known_most];
};

/* The sets of values with which extents are found. */
static const struct values {
	enum distribution distribution;
	uint64_t seed;
} values[] = {{DIST_NORMAL, 1}, {DIST_SIGNS, 2}};
enum { n_values = sizeof(values) / sizeof(values[0]) };

/* How a run ended: "var" (an index) was touched at "offset" elements, which it does not have. */
enum end { END_DONE, END_FAULT, END_OTHER };
struct run {
	enum end end;
	int var;
	int64_t offset;
	double seconds;
	const char *why;
};

struct probe *probe_new(struct arena *arena, const struct setting *setting, const struct program *program)
{
	const struct nest *nest = setting->job->nest;
	struct probe *probe;
	int v;

	if (!nest_is_opaque(nest))
		return NULL;
	probe = memory_alloc(sizeof(*probe));
	probe->arena = arena;
	probe->setting = setting;
	probe->nest = nest;
	probe->program = program;
	probe->n_var = (size_t)nest->n_var;
	probe->array = ARENA_ARRAY(arena, int, nest->n_var + 1);
	for (v = 0; v < nest->n_var; v++)
		if (nest->var[v]->kind == VAR_ARRAY)
			probe->array[probe->n_array++] = v;
	return probe;
}

struct probe *probe_free(struct probe *probe)
{
	if (!probe)
		return NULL;
	runner_stop(probe->runner);
	free(probe);
	return NULL;
}

static bool fail(struct extent_failure *failure, const struct var *var, const char *why)
{
	memset(failure, 0, sizeof(*failure));
	snprintf(failure->why, sizeof(failure->why), var ? "%s '%s'" : "%s", why, var ? var->name : "");
	return false;
}

static bool has_runner(struct probe *probe)
{
	struct diag ignored = {0};

	if (probe->runner && probe->runner->is_alive)
		return true;
	runner_stop(probe->runner);
	probe->runner = runner_spawn(probe->program, 0, probe->setting->job->memory, TO_JUDGE, &ignored);
	return probe->runner != NULL;
}

/* Run the original with the boxes of "sized". */
static struct run run(struct probe *probe, struct sized *sized, const struct values *with, enum fence fence)
{
	struct run run = {.end = END_OTHER, .why = "memory is short"};
	struct diag ignored = {0};
	struct trial *trial = trial_new(probe->setting, sized, with->distribution, fence, NULL, NULL, with->seed, &ignored);
	struct verdict verdict;

	if (!trial || !has_runner(probe)) {
		trial_free(trial);
		return run;
	}
	verdict = trial_run(probe->arena, probe->runner, trial, most_seconds);
	run.seconds = trial->found_seconds;
	run.why = verdict.witness;
	run.end = verdict.kind == VERDICT_EQUAL ? END_DONE : END_OTHER;
	if (trial->fault_binding >= 0) {
		run.end = END_FAULT;
		run.var = nest_var_index(probe->nest, probe->setting->outline->binding[trial->fault_binding].var);
		run.offset = trial->fault_offset;
	}
	trial_free(trial);
	return run;
}

static void set_extent(struct sized *sized, int v, int64_t extent)
{
	sized->box[v] = (struct box){0, extent - 1};
}

static size_t count_bytes(const struct probe *probe, const struct sized *sized)
{
	size_t bytes = 0;
	int a;

	for (a = 0; a < probe->n_array; a++)
		bytes += (size_t)(sized->box[probe->array[a]].hi + 1) *
			 (size_t)type_size(probe->nest->var[probe->array[a]]->type);
	return bytes;
}

/* Let extents grow until the original runs. */
static bool find_enough(struct probe *probe, struct sized *sized, const struct values *with, struct extent_failure *failure)
{
	for (;;) {
		struct run found = run(probe, sized, with, FENCE_END);
		int64_t extent;

		if (found.end == END_DONE)
			return true;
		if (found.end == END_OTHER)
			return fail(failure, NULL, found.why);
		if (found.offset < 0)
			return fail(failure, probe->nest->var[found.var], "it touches memory before");
		extent = 2 * (sized->box[found.var].hi + 1);
		set_extent(sized, found.var, found.offset >= extent ? found.offset + 1 : extent);
		if (count_bytes(probe, sized) > bytes_most)
			return fail(failure, probe->nest->var[found.var], "it touches memory without end behind");
	}
}

/* Whether the original runs when array "v" has "extent" elements; its box is left as it was. */
static bool suffices(struct probe *probe, struct sized *sized, const struct values *with, int v, int64_t extent)
{
	const struct box kept = sized->box[v];
	bool runs;

	set_extent(sized, v, extent);
	runs = run(probe, sized, with, FENCE_END).end == END_DONE;
	sized->box[v] = kept;
	return runs;
}

/* The least extent of array "v" with which the original runs. */
static int64_t find_least(struct probe *probe, struct sized *sized, const struct values *with, int v)
{
	int64_t low = 0, high = sized->box[v].hi + 1;

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		if (suffices(probe, sized, with, v, middle))
			high = middle;
		else
			low = middle + 1;
	}
	return high;
}

/* The products of up to degree_most integer params, with repetition; 1 is the first. Return their number. Factors come in the order
 * of vars: "first" is the one that may come next. */
static int list_products(const struct probe *probe, const int64_t *value, int64_t *product)
{
	int first[products_most] = {0}, n = 1, degree, from = 0, v;

	product[0] = 1;
	for (degree = 0; degree < degree_most; degree++) {
		const int end = n;

		for (; from < end; from++)
			for (v = first[from]; v < probe->nest->n_var && n < products_most; v++)
				if (probe->nest->var[v]->kind == VAR_PARAM && type_is_integer(probe->nest->var[v]->type)) {
					first[n] = v;
					__builtin_mul_overflow(product[from], value[v], &product[n++]);
				}
	}
	return n;
}

/* Whether extent = slope * product[i] + constant holds for all findings of array "v"; they are at least three. */
static bool fits(const struct probe *probe, int v, int i, int64_t *slope, int64_t *constant)
{
	int64_t product[findings_most][products_most];
	int r, other = 0;

	for (r = 0; r < probe->n_finding; r++)
		list_products(probe, probe->finding[r].value, product[r]);
	for (r = 1; r < probe->n_finding && !other; r++)
		if (product[r][i] != product[0][i])
			other = r;
	if (!other || probe->n_finding < 3)
		return false;
	*slope = (probe->finding[other].extent[v] - probe->finding[0].extent[v]) / (product[other][i] - product[0][i]);
	*constant = probe->finding[0].extent[v] - *slope * product[0][i];
	for (r = 0; r < probe->n_finding; r++)
		if (probe->finding[r].extent[v] != *slope * product[r][i] + *constant)
			return false;
	return *slope != 0;
}

/* The extent of array "v" that earlier shapes suggest, or -1. */
static int64_t predict(const struct probe *probe, const struct sized *sized, int v)
{
	int64_t product[products_most], slope, constant;
	const int n = list_products(probe, sized->shape.value, product);
	int i;

	for (i = 1; i < n; i++)
		if (fits(probe, v, i, &slope, &constant))
			return slope * product[i] + constant;
	return -1;
}

/* Take the extents that earlier shapes suggest, if they are right: enough, and none can be spared. */
static bool take_predicted(struct probe *probe, struct sized *sized, double *seconds)
{
	struct run found;
	int a, i;

	for (a = 0; a < probe->n_array; a++) {
		const int64_t extent = predict(probe, sized, probe->array[a]);

		if (extent < 0)
			return false;
		set_extent(sized, probe->array[a], extent);
	}
	if (count_bytes(probe, sized) > bytes_most)
		return false;
	for (i = 0; i < n_values; i++) {
		found = run(probe, sized, &values[i], FENCE_END);
		if (found.end != END_DONE)
			return false;
	}
	*seconds = found.seconds;
	for (a = 0; a < probe->n_array; a++)
		if (sized->box[probe->array[a]].hi >= 0 &&
		    suffices(probe, sized, &values[0], probe->array[a], sized->box[probe->array[a]].hi))
			return false;
	return true;
}

/* The least product of params that is at least "extent"; "extent" itself when none is. */
static int64_t round_to_product(const struct probe *probe, const struct sized *sized, int64_t extent)
{
	int64_t product[products_most], best = INT64_MAX;
	const int n = list_products(probe, sized->shape.value, product);
	int i;

	for (i = 0; i < n; i++)
		if (product[i] >= extent && product[i] < best)
			best = product[i];
	return best == INT64_MAX ? extent : best;
}

/* Find all extents by bisection; "*depends" when values decide about one. */
static bool search(struct probe *probe, struct sized *sized, bool *depends, double *seconds, struct extent_failure *failure)
{
	int64_t *const least = ARENA_ARRAY(probe->arena, int64_t, probe->nest->n_var + 1);
	int a, i;

	*depends = false;
	for (i = 0; i < n_values; i++) {
		for (a = 0; a < probe->n_array; a++)
			set_extent(sized, probe->array[a], i ? sized->box[probe->array[a]].hi + 1 : first_extent);
		if (!find_enough(probe, sized, &values[i], failure))
			return false;
		for (a = 0; a < probe->n_array; a++) {
			const int v = probe->array[a];
			const int64_t extent = find_least(probe, sized, &values[i], v);

			if (i && extent != least[v]) {
				*depends = true;
				sized->has_mark[v] = type_is_integer(probe->nest->var[v]->type);
				least[v] = round_to_product(probe, sized, extent > least[v] ? extent : least[v]);
			} else if (!i) {
				least[v] = extent;
			}
		}
	}
	for (a = 0; a < probe->n_array; a++)
		set_extent(sized, probe->array[a], least[probe->array[a]]);
	*seconds = run(probe, sized, &values[0], FENCE_END).seconds;
	return true;
}

static void note(struct probe *probe, const struct sized *sized)
{
	const int n = probe->nest->n_var;
	struct finding *finding = &probe->finding[probe->n_finding];
	int a;

	if (probe->n_finding == findings_most)
		return;
	finding->value = ARENA_ARRAY(probe->arena, int64_t, n + 1);
	finding->extent = ARENA_ARRAY(probe->arena, int64_t, n + 1);
	memcpy(finding->value, sized->shape.value, sizeof(*finding->value) * (size_t)n);
	for (a = 0; a < probe->n_array; a++)
		finding->extent[probe->array[a]] = sized->box[probe->array[a]].hi + 1;
	probe->n_finding++;
}

/* Take over what was found at the same shape before. */
static bool take_known(const struct probe *probe, struct sized *sized)
{
	int i;

	for (i = 0; i < probe->n_known; i++) {
		const struct sized *known = &probe->known[i];

		if (memcmp(known->shape.value, sized->shape.value, probe->n_var * sizeof(*sized->shape.value)) != 0)
			continue;
		memcpy(sized->box, known->box, probe->n_var * sizeof(*sized->box));
		memcpy(sized->has_mark, known->has_mark, probe->n_var * sizeof(*sized->has_mark));
		sized->work = known->work;
		return true;
	}
	return false;
}

static void *copy(struct arena *arena, const void *from, size_t bytes)
{
	return memcpy(ARENA_ARRAY(arena, unsigned char, bytes + 1), from, bytes);
}

static void keep(struct probe *probe, const struct sized *sized)
{
	struct sized *known = &probe->known[probe->n_known];

	if (probe->n_known == known_most)
		return;
	known->shape.value = copy(probe->arena, sized->shape.value, probe->n_var * sizeof(*sized->shape.value));
	known->box = copy(probe->arena, sized->box, probe->n_var * sizeof(*sized->box));
	known->has_mark = copy(probe->arena, sized->has_mark, probe->n_var * sizeof(*sized->has_mark));
	known->work = sized->work;
	probe->n_known++;
}

bool probe_boxes(struct probe *probe, struct sized *sized, struct extent_failure *failure)
{
	bool depends = false;
	double seconds = 0;
	int v;

	if (take_known(probe, sized))
		return true;
	for (v = 0; v < probe->nest->n_var; v++) {
		sized->box[v] = (struct box){0, -1};
		sized->has_mark[v] = false;
	}
	if (!take_predicted(probe, sized, &seconds)) {
		if (!search(probe, sized, &depends, &seconds, failure))
			return false;
		if (!depends)
			note(probe, sized);
	}
	if (run(probe, sized, &values[0], FENCE_START).end == END_FAULT)
		return fail(failure, NULL, "it touches memory before one of its arrays");
	sized->work = 1 + 1e9 * seconds;
	keep(probe, sized);
	return true;
}
