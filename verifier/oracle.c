#include "oracle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

/* The largest share of elements that may take another path than the oracle's where the path depends on rounding. */
static const double stray_share = 0.02;

static bool depends_on_path(struct expr *expr, void *context)
{
	bool *found = context;
	static const char *const steps[] = {"floor", "ceil", "trunc", "round", "rint", "nearbyint", "fmod"};
	size_t i;

	if (expr->kind == EXPR_CAST && type_is_integer(expr->type) && type_is_float(expr->arg[0]->type))
		*found = true;
	if (expr->kind == EXPR_OP && expr->op >= OP_LT && expr->op <= OP_NE && type_is_float(expr->arg[0]->type))
		*found = true;
	for (i = 0; expr->kind == EXPR_CALL && i < sizeof(steps) / sizeof(steps[0]); i++)
		if (!strncmp(expr->name, steps[i], strlen(steps[i])))
			*found = true;
	return true;
}

static bool look_in_root(struct expr *expr, void *context)
{
	return expr_walk(expr, depends_on_path, context);
}

static bool look_in_node(struct node *node, void *context)
{
	return node_exprs(node, look_in_root, context);
}

static bool count_loop(struct node *node, void *context)
{
	*(int *)context += node->kind == NODE_LOOP;
	return true;
}

enum status oracle_new(struct arena *arena, const struct setting *setting, struct oracle **result, const char **why,
		       struct diag *diag)
{
	struct text text = {0};
	struct program *program = NULL;
	const char *unknown = NULL, *error = NULL;
	struct oracle *oracle;
	enum status status = STATUS_OK;
	bool depends = false;

	*result = NULL;
	if (!oracle_emit(setting->outline, &text, &unknown))
		*why = arena_printf(arena, "the oracle does not know %s()", unknown);
	else
		status =
			build_own(arena, setting->job, "oracle", text_string(&text), text.size, &program, &error, diag);
	text_free(&text);
	if (error)
		*why = arena_printf(arena, "the oracle does not build: %s", error);
	if (status != STATUS_OK || !program)
		return status;
	oracle = memory_alloc(sizeof(*oracle));
	oracle->setting = setting;
	oracle->program = program;
	list_walk(&setting->job->nest->body, count_loop, &oracle->n_loop);
	list_walk(&setting->job->nest->body, look_in_node, &depends);
	oracle->is_continuous = !depends;
	*result = oracle;
	return STATUS_OK;
}

struct oracle *oracle_free(struct oracle *oracle)
{
	if (!oracle)
		return NULL;
	runner_stop(oracle->runner);
	free(oracle);
	return NULL;
}

static size_t wide_bytes(enum type type)
{
	if (type == TYPE_F32)
		return sizeof(struct wide_f32);
	return type == TYPE_F64 ? sizeof(struct wide_f64) : (size_t)type_size(type);
}

static const struct var *part_var(const struct trial *trial, int p)
{
	return trial->setting->outline->binding[trial->part[p].binding].var;
}

/* The distance in bytes between wide elements of a part; cells hold any type. */
static size_t wide_stride(const struct trial *trial, int p)
{
	if (trial->part[p].kind == BLOCK_SCALARS)
		return sizeof(struct wide_f64);
	if (trial->part[p].kind == BLOCK_TABLE)
		return sizeof(uint64_t);
	return trial->part[p].kind == BLOCK_ARRAY ? wide_bytes(part_var(trial, p)->type) : 1;
}

static void widen(enum type type, const void *from, void *to)
{
	double value = element_real(type, from);

	if (type == TYPE_F32)
		*(struct wide_f32 *)to = (struct wide_f32){value, fabs(value), 0};
	else if (type == TYPE_F64)
		*(struct wide_f64 *)to = (struct wide_f64){value, fabs(value), 0};
	else
		memcpy(to, from, (size_t)type_size(type));
}

static struct wide_f64 wide_get(enum type type, const void *wide)
{
	const struct wide_f32 *narrow = wide;

	if (type == TYPE_F64)
		return *(const struct wide_f64 *)wide;
	return (struct wide_f64){narrow->v, narrow->m, narrow->c};
}

static void narrow(enum type type, const void *from, void *to)
{
	if (type == TYPE_F32)
		*(float *)to = (float)((const struct wide_f32 *)from)->v;
	else if (type == TYPE_F64)
		*(double *)to = (double)((const struct wide_f64 *)from)->v;
	else
		memcpy(to, from, (size_t)type_size(type));
}

/* Call "visit" on each element of part "p" that has a type: its index, type, its place in native data and in wide
 * data. */
struct element {
	int part;
	int64_t index;
	enum type type;
	size_t native, wide;
	bool is_written;
};
typedef void element_visit(void *context, const struct trial *trial, const struct element *element);

static void visit_cells(const struct trial *trial, element_visit *visit, void *context)
{
	const struct outline *outline = trial->setting->outline;
	int k;

	for (k = 0; k < outline->n_binding; k++) {
		const struct var *var = outline->binding[k].var;
		struct element element = {0, trial->cell_of[k], var->type, 0, 0, var->is_live_out};

		if (element.index < 0)
			continue;
		element.native = (size_t)element.index * cell_bytes;
		element.wide = (size_t)element.index * sizeof(struct wide_f64);
		visit(context, trial, &element);
	}
}

static void visit_elements(const struct trial *trial, element_visit *visit, void *context)
{
	int p;

	visit_cells(trial, visit, context);
	for (p = 1; p < trial->n_part; p++) {
		const struct part *part = &trial->part[p];
		struct element element = {.part = p, .is_written = part->is_written};
		size_t stride = wide_stride(trial, p);

		if (part->kind != BLOCK_ARRAY)
			continue;
		element.type = part_var(trial, p)->type;
		for (; element.index < part->count; element.index++) {
			element.native = (size_t)element.index * (size_t)type_size(element.type);
			element.wide = (size_t)element.index * stride;
			visit(context, trial, &element);
		}
	}
}

static void widen_element(void *context, const struct trial *trial, const struct element *element)
{
	struct image *image = context;

	widen(element->type, trial->part[element->part].initial + element->native,
	      (unsigned char *)image_data(image, element->part) + element->wide);
}

/* An image of wide elements in the order of the trial's parts, and a last block for the mode. */
static struct image *make_image(const struct trial *trial, int64_t mutation, struct diag *diag)
{
	int n = trial->n_part + 1, p;
	size_t *bytes = memory_alloc(sizeof(*bytes) * (size_t)n), *stride = memory_alloc(sizeof(*stride) * (size_t)n);
	struct image *image;

	for (p = 0; p < trial->n_part; p++) {
		stride[p] = wide_stride(trial, p);
		bytes[p] = trial->part[p].kind == BLOCK_RECORD ? 0 : stride[p] * (size_t)trial->part[p].count;
	}
	stride[trial->n_part] = bytes[trial->n_part] = sizeof(struct oracle_mode);
	image = image_new(n, bytes, stride, NULL, FENCE_ALIGNED, trial->setting->outline->n_binding + 1, 1, false, diag);
	if (image) {
		trial_set_slots(trial, image, stride);
		image->slot[image->n_slot - 1] = image_address(image, trial->n_part);
		((struct oracle_mode *)image_data(image, trial->n_part))->mutation = mutation;
		visit_elements(trial, widen_element, image);
	}
	free(bytes);
	free(stride);
	return image;
}

/* Run the oracle's program on "image". */
static bool run(struct oracle *oracle, struct image *image, double seconds, const char **why, struct diag *diag)
{
	struct wire_reply reply;
	enum call_end end;

	if (!oracle->runner || !oracle->runner->is_alive) {
		runner_stop(oracle->runner);
		oracle->runner = runner_spawn(oracle->program, 0, 0, TO_JUDGE, diag);
		if (!oracle->runner)
			return false;
	}
	end = runner_call(oracle->runner, WIRE_TEST, 1, image, seconds, &reply);
	if (end == CALL_TIMEOUT)
		*why = "the oracle takes too long";
	else if (end == CALL_ANSWERED && reply.status == WIRE_FAULT)
		*why = "the nest leaves the memory that it should touch";
	else if (end != CALL_ANSWERED || reply.status != WIRE_DONE)
		*why = "the oracle crashes";
	return end == CALL_ANSWERED && reply.status == WIRE_DONE;
}

struct answer *answer_new(const struct trial *trial)
{
	struct answer *answer = memory_alloc(sizeof(*answer));
	size_t n = (size_t)trial->n_part;
	int p;

	answer->n_part = trial->n_part;
	answer->wide = memory_alloc(sizeof(*answer->wide) * n);
	answer->ratio = memory_alloc(sizeof(*answer->ratio) * n);
	answer->cap = memory_alloc(sizeof(*answer->cap) * n);
	for (p = 0; p < trial->n_part; p++)
		answer->cap[p] = INFINITY;
	return answer;
}

/* The answer that the oracle's program left in "image". */
static struct answer *read_answer(const struct trial *trial, const struct image *image)
{
	struct answer *answer = answer_new(trial);
	int p;

	for (p = 0; p < trial->n_part; p++) {
		if (!trial->part[p].is_written || trial->part[p].kind == BLOCK_RECORD)
			continue;
		answer->wide[p] = memory_alloc(image->block[p].bytes + 1);
		memcpy(answer->wide[p], image_data(image, p), image->block[p].bytes);
	}
	return answer;
}

struct answer *oracle_answer(struct oracle *oracle, const struct trial *trial, int64_t mutation, double seconds,
			     const char **why, struct diag *diag)
{
	struct image *image = make_image(trial, mutation, diag);
	struct answer *answer = NULL;

	if (image && run(oracle, image, seconds, why, diag))
		answer = read_answer(trial, image);
	image_free(image);
	return answer;
}

struct answer *answer_free(struct answer *answer)
{
	int p;

	if (!answer)
		return NULL;
	for (p = 0; p < answer->n_part; p++)
		free(answer->wide[p]);
	free(answer->wide);
	free(answer->ratio);
	free(answer->cap);
	free(answer);
	return NULL;
}

bool oracle_count(struct oracle *oracle, const struct trial *trial, double *flops, struct diag *diag)
{
	struct image *image = make_image(trial, -1, diag);
	const char *why;
	bool counted = image && run(oracle, image, 20, &why, diag);

	if (counted)
		*flops = ((struct oracle_mode *)image_data(image, trial->n_part))->flops;
	image_free(image);
	return counted;
}

double roundoff(enum type type)
{
	return type == TYPE_F32 ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
}

static double type_tiny(enum type type)
{
	return type == TYPE_F32 ? FLT_MIN : DBL_MIN;
}

static double type_huge(enum type type)
{
	return type == TYPE_F32 ? FLT_MAX : DBL_MAX;
}

/* The check of the original against the oracle. */
struct check {
	struct answer *answer;
	bool is_continuous;
	int64_t strays, checked;
	struct element stray;
};

/* Whether the value lies where the type has numbers of full precision: neither overflow nor underflow decides it. */
static bool is_ordinary(enum type type, const struct wide_f64 *wide)
{
	return isfinite(wide->m) && wide->m < type_huge(type) / 4 && isfinite((double)wide->v);
}

static void note_stray(struct check *check, const struct element *element)
{
	if (check->strays++ == 0)
		check->stray = *element;
}

static void check_element(void *context, const struct trial *trial, const struct element *element)
{
	struct check *check = context;
	const void *expected, *bytes;
	struct wide_f64 wide;
	double error, unit;

	if (!element->is_written)
		return;
	check->checked++;
	expected = trial->part[element->part].expected + element->native;
	bytes = check->answer->wide[element->part] + element->wide;
	if (type_is_integer(element->type)) {
		if (!element_equal(element->type, expected, bytes))
			note_stray(check, element);
		return;
	}
	wide = wide_get(element->type, bytes);
	if (!is_ordinary(element->type, &wide))
		return;
	unit = roundoff(element->type) * wide.m;
	error = (double)fabsl((long double)element_real(element->type, expected) - wide.v) -
		4 * type_tiny(element->type);
	if (!(error <= (16 + 2 * wide.c) * unit))
		note_stray(check, element);
	else if (error > check->answer->ratio[element->part] * unit)
		check->answer->ratio[element->part] = error / unit;
}

/* Magnitudes far beyond all values of a large array are artefacts of long recurrences: they are cut off. */
static void set_caps(const struct trial *trial, struct answer *answer)
{
	int p;

	for (p = 1; p < trial->n_part; p++)
		if (trial->part[p].most > 0 && trial->part[p].count >= 16)
			answer->cap[p] = 64 * trial->part[p].most;
}

/* Where the original errs by more than half of what the cap leaves it, the magnitude had a meaning: let the cap grow until it
 * is half. It stays below m, since the original errs by at most r in units of e * m. */
static void raise_cap(void *context, const struct trial *trial, const struct element *element)
{
	struct answer *answer = context;
	const int p = element->part;
	struct wide_f64 wide;
	double error, units, cap;

	if (!element->is_written || !type_is_float(element->type))
		return;
	wide = wide_get(element->type, answer->wide[p] + element->wide);
	if (!is_ordinary(element->type, &wide) || wide.m <= answer->cap[p])
		return;
	error = (double)fabsl((long double)element_real(element->type, trial->part[p].expected + element->native) - wide.v);
	units = fmax(4 + sqrt(wide.c), 2 * answer->ratio[p]);
	cap = fmin(2 * error / (units * roundoff(element->type)), wide.m);
	if (cap > answer->cap[p])
		answer->cap[p] = cap;
}

static int binding_of_cell(const struct trial *trial, int64_t cell)
{
	int k = 0;

	while (trial->cell_of[k] != cell)
		k++;
	return k;
}

bool answer_check(struct arena *arena, const struct oracle *oracle, const struct trial *trial, struct answer *answer,
		  const char **witness)
{
	struct check check = {.answer = answer, .is_continuous = oracle->is_continuous};
	const struct element *stray = &check.stray;
	const struct part *part;
	const void *found;
	int64_t allowed;

	visit_elements(trial, check_element, &check);
	set_caps(trial, answer);
	visit_elements(trial, raise_cap, answer);
	allowed = check.is_continuous ? 0 : 1 + (int64_t)(stray_share * (double)check.checked);
	if (check.strays <= allowed)
		return true;
	part = &trial->part[stray->part];
	found = part->expected + stray->native;
	*witness = arena_printf(
		arena, "%s is %s, but %.17g by the nest",
		element_name(arena, trial,
			     part->kind == BLOCK_SCALARS ? binding_of_cell(trial, stray->index) : part->binding,
			     part->first + stray->index),
		element_print(arena, stray->type, found),
		type_is_float(stray->type) ? (double)wide_get(stray->type, answer->wide[stray->part] + stray->wide).v
					   : element_real(stray->type, answer->wide[stray->part] + stray->wide));
	return false;
}

/* The magnitude that differences are measured by where there is no oracle. */
static double scale_of(const struct trial *trial, int p, double expected)
{
	return trial->part[p].kind == BLOCK_ARRAY ? trial->part[p].most : fabs(expected);
}

/* Where there is no oracle: as far from the original as sums of a hundred million terms may be, or as the original's other
 * build is. */
static bool is_near(const struct trial *trial, int p, enum type type, double expected, double found)
{
	double units = trial->drift ? fmax(1e4, 2 * trial->drift[p]) : 1e4;

	if (!isfinite(expected))
		return !isfinite(found);
	return fabs(found - expected) <= units * roundoff(type) * scale_of(trial, p, expected);
}

/* The magnitude of an element that its bound counts with. */
static double magnitude_of(const struct answer *answer, int p, const struct wide_f64 *wide)
{
	double magnitude = wide->m < answer->cap[p] ? wide->m : answer->cap[p];

	return isfinite(magnitude) ? magnitude : 64 * fabs((double)wide->v);
}

/* Whether two results of which one at least overflowed did so in the same way. Which of an infinity and a NaN comes of terms that
 * overflow depends on their order; the sign of an infinity does not. */
static bool overflows_alike(double expected, double found)
{
	if (isfinite(expected) || isfinite(found))
		return false;
	return isnan(expected) || isnan(found) || (expected > 0) == (found > 0);
}

bool answer_accept(const struct trial *trial, int p, int64_t index, enum type type, const void *expected,
		   const void *found)
{
	const struct answer *answer = trial->answer;
	double value = element_real(type, found), bound, units, ratio;
	struct wide_f64 wide;

	if (type_is_integer(type))
		return false;
	if (!answer)
		return is_near(trial, p, type, element_real(type, expected), value);
	if (!answer->wide[p])
		return false;
	wide = wide_get(type, answer->wide[p] + (size_t)index * wide_stride(trial, p));
	if (!(fabsl(wide.v) < type_huge(type) / 4) && !(isfinite(element_real(type, expected)) && isfinite(value)))
		return overflows_alike(element_real(type, expected), value);
	ratio = trial->drift ? fmax(answer->ratio[p], trial->drift[p]) : answer->ratio[p];
	units = fmax(4 + sqrt(wide.c), 2 * ratio);
	bound = units * roundoff(type) * magnitude_of(answer, p, &wide) + 4 * type_tiny(type);
	return fabsl((long double)value - wide.v) <= bound;
}

/* The distance of "found" from the original's and the oracle's value, and in "*unit" what it is measured by. */
static double distance(const struct trial *trial, const struct element *element, double found, double expected,
		       double *unit)
{
	const struct answer *answer = trial->answer;
	double distance = fabs(found - expected);
	struct wide_f64 wide;

	*unit = roundoff(element->type) * scale_of(trial, element->part, expected);
	if (!answer || !answer->wide[element->part])
		return distance;
	wide = wide_get(element->type, answer->wide[element->part] + element->wide);
	if (!(fabsl(wide.v) < type_huge(element->type) / 4))
		return 0;
	*unit = roundoff(element->type) * magnitude_of(answer, element->part, &wide);
	return fmax(distance, (double)fabsl((long double)found - wide.v));
}

/* The noting of drift: "most" by part is the largest magnitude among the elements that the original changed. */
struct drift_note {
	struct trial *trial;
	double *most;
};

/* Whether the element is a floating-point result that the original changed; its value is then in "*expected". */
static bool is_changed(const struct trial *trial, const struct element *element, double *expected)
{
	const struct part *part = &trial->part[element->part];

	if (!element->is_written || !type_is_float(element->type) || !part->expected ||
	    element_equal(element->type, part->expected + element->native, part->initial + element->native))
		return false;
	*expected = element_real(element->type, part->expected + element->native);
	return true;
}

static void note_most(void *context, const struct trial *trial, const struct element *element)
{
	double *most = &((struct drift_note *)context)->most[element->part], expected;

	if (element->part > 0 && is_changed(trial, element, &expected) && isfinite(expected))
		*most = fmax(*most, fabs(expected));
}

static void note_drift(void *context, const struct trial *trial, const struct element *element)
{
	const struct drift_note *note = context;
	double found, expected, unit, error, scale;

	if (!is_changed(trial, element, &expected))
		return;
	found = element_real(element->type,
			     (const unsigned char *)image_data(trial->image, element->part) + element->native);
	if (!isfinite(expected) || !isfinite(found)) {
		note->trial->is_chaotic |= isfinite(expected) != isfinite(found);
		return;
	}
	scale = element->part > 0 ? note->most[element->part] : fabs(expected);
	note->trial->is_chaotic |= fabs(found - expected) > 0.1 * scale;
	error = distance(trial, element, found, expected, &unit) - 4 * type_tiny(element->type);
	if (unit > 0 && error > trial->drift[element->part] * unit)
		trial->drift[element->part] = error / unit;
}

void answer_note_drift(struct trial *trial)
{
	struct drift_note note = {.trial = trial};

	if (!trial->drift)
		trial->drift = memory_alloc(sizeof(*trial->drift) * (size_t)trial->n_part);
	note.most = memory_alloc(sizeof(*note.most) * (size_t)trial->n_part);
	visit_elements(trial, note_most, &note);
	visit_elements(trial, note_drift, &note);
	free(note.most);
}

static void store_element(void *context, const struct trial *trial, const struct element *element)
{
	const struct answer *answer = context;

	if (element->is_written)
		narrow(element->type, answer->wide[element->part] + element->wide,
		       (unsigned char *)image_data(trial->image, element->part) + element->native);
}

void answer_store(const struct answer *answer, const struct trial *trial)
{
	visit_elements(trial, store_element, (void *)answer);
}

/* Two answers under comparison. */
struct pair {
	const struct answer *a, *b;
	bool equal;
};

static void compare_element(void *context, const struct trial *trial, const struct element *element)
{
	struct pair *pair = context;
	unsigned char a[16] = {0}, b[16] = {0};

	(void)trial;
	if (!element->is_written || !pair->equal)
		return;
	narrow(element->type, pair->a->wide[element->part] + element->wide, a);
	narrow(element->type, pair->b->wide[element->part] + element->wide, b);
	pair->equal = element_equal(element->type, a, b);
}

bool answer_equal(const struct answer *a, const struct answer *b, const struct trial *trial)
{
	struct pair pair = {a, b, true};

	visit_elements(trial, compare_element, &pair);
	return pair.equal;
}

/* The search for a result of which nothing is known. */
struct open_search {
	const struct answer *answer;
	bool found;
};

static void look_for_open(void *context, const struct trial *trial, const struct element *element)
{
	struct open_search *search = context;

	(void)trial;
	if (element->is_written && type_is_float(element->type))
		search->found |= !isfinite(wide_get(element->type, search->answer->wide[element->part] + element->wide).m);
}

bool answer_is_open(const struct answer *answer, const struct trial *trial)
{
	struct open_search search = {answer, false};

	visit_elements(trial, look_for_open, &search);
	return search.found;
}
