#include "derive.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

#include "runner_internal.h"
#include "source.h"

struct derivation {
	const struct setting *setting;
	const struct program *program;
	struct runner *runner;
	struct sized empty;
	struct trial *trial;
	bool *reads; /* [v * n_var + base] */
	int n_var;
	bool is_settled;
	struct shape last;
	const struct var *last_null;
};

static bool is_derived(const struct var *var)
{
	return var->kind == VAR_PARAM && type_is_integer(var->type) && var->source && !source_is_place(var->source);
}

/* Whether "path" (size bytes) is how "var" is reached; of "out + 3" that is "out". */
static bool is_path_of(const struct var *var, const char *path, size_t size)
{
	const char *source = var->source;

	if (!source || strncmp(source, path, size) != 0)
		return false;
	source += size;
	source += strspn(source, " ");
	return !*source || (var->kind == VAR_ARRAY && (*source == '+' || (*source == '-' && source[1] != '>')));
}

static int find_base(const struct nest *nest, const char *path, size_t size)
{
	int v;

	for (v = 0; v < nest->n_var; v++)
		if (is_path_of(nest->var[v], path, size))
			return v;
	return -1;
}

static bool has_local_root(const struct signature *signature, const char *path)
{
	size_t size = source_identifier(path);
	int i;

	for (i = 0; i < signature->n_local; i++)
		if (strlen(signature->local[i].name) == size && !memcmp(signature->local[i].name, path, size))
			return true;
	return false;
}

/* Add the bases of "source" that the nest lacks. Names at file scope keep the values that the file gives them. */
static void add_bases(struct nest *nest, const struct signature *signature, const char *source)
{
	const char *path;
	size_t size;

	for (path = source; (path = source_find_path(path, &size)); path += size) {
		char *name, *at;
		struct var *base;

		if (find_base(nest, path, size) >= 0 || !has_local_root(signature, path))
			continue;
		name = arena_strndup(nest->arena, path, size);
		for (at = name; *at; at++)
			if (strchr("->. \t\n", *at))
				*at = '_';
		base = nest_add_var(nest, VAR_PARAM, TYPE_I64, name, 0, NULL);
		base->source = arena_strndup(nest->arena, path, size);
		base->ctype = base_ctype;
		base->is_read = true;
	}
}

const struct job *derive_job(struct arena *arena, const struct job *job)
{
	struct nest *nest = nest_copy(job->nest);
	struct job *copy = ARENA_NEW(arena, struct job);
	int v;

	for (v = 0; v < job->nest->n_var; v++)
		if (is_derived(job->nest->var[v]))
			add_bases(nest, job->signature, job->nest->var[v]->source);
	if (nest->n_var == job->nest->n_var)
		return job;
	*copy = *job;
	copy->nest = nest;
	return copy;
}

static void note_bases(struct derivation *derivation, const struct nest *nest, int v)
{
	const char *path;
	size_t size;
	int base;

	for (path = nest->var[v]->source; (path = source_find_path(path, &size)); path += size) {
		base = find_base(nest, path, size);
		if (base >= 0)
			derivation->reads[v * nest->n_var + base] = true;
	}
}

/* A shape in which no array has elements. */
static void make_empty(struct derivation *derivation, const struct nest *nest)
{
	struct sized *empty = &derivation->empty;
	size_t n = (size_t)nest->n_var + 1;
	int v;

	empty->shape.n = derivation->last.n = nest->n_var;
	empty->shape.value = memory_alloc(n * sizeof(*empty->shape.value));
	empty->shape.is_known = memory_alloc(n * sizeof(*empty->shape.is_known));
	derivation->last.value = memory_alloc(n * sizeof(*derivation->last.value));
	empty->box = memory_alloc(n * sizeof(*empty->box));
	empty->has_mark = memory_alloc(n * sizeof(*empty->has_mark));
	for (v = 0; v < nest->n_var; v++) {
		empty->shape.is_known[v] = nest->var[v]->kind == VAR_PARAM && type_is_integer(nest->var[v]->type);
		empty->box[v] = (struct box){0, -1};
	}
}

struct derivation *derivation_new(const struct setting *setting, const struct program *program)
{
	const struct nest *nest = setting->job->nest;
	struct derivation *derivation;
	bool any = false;
	int v;

	for (v = 0; v < nest->n_var; v++)
		any |= is_derived(nest->var[v]);
	if (!any)
		return NULL;
	derivation = memory_alloc(sizeof(*derivation));
	derivation->setting = setting;
	derivation->program = program;
	derivation->n_var = nest->n_var;
	derivation->reads = memory_alloc((size_t)nest->n_var * (size_t)nest->n_var * sizeof(bool));
	make_empty(derivation, nest);
	for (v = 0; v < nest->n_var; v++)
		if (is_derived(nest->var[v]))
			note_bases(derivation, nest, v);
	return derivation;
}

struct derivation *derivation_free(struct derivation *derivation)
{
	if (!derivation)
		return NULL;
	runner_stop(derivation->runner);
	trial_free(derivation->trial);
	free(derivation->empty.shape.value);
	free(derivation->empty.shape.is_known);
	free(derivation->empty.box);
	free(derivation->empty.has_mark);
	free(derivation->last.value);
	free(derivation->reads);
	free(derivation);
	return NULL;
}

bool derivation_has(const struct derivation *derivation, int v)
{
	return derivation && is_derived(derivation->setting->job->nest->var[v]);
}

bool derivation_reads(const struct derivation *derivation, int v, int base)
{
	return derivation && derivation->reads[v * derivation->n_var + base];
}

const struct var *derivation_nullable(const struct derivation *derivation, int n)
{
	int v, base;

	for (base = 0; derivation && base < derivation->n_var; base++) {
		const struct var *var = derivation->setting->job->nest->var[base];
		bool is_tested = false;

		for (v = 0; v < derivation->n_var; v++)
			is_tested |= derivation_reads(derivation, v, base);
		if (is_tested && var->kind == VAR_ARRAY && !var->is_object && source_is_place(var->source) && n-- == 0)
			return var;
	}
	return NULL;
}

/* Have a process and an image for it. */
static bool prepare(struct derivation *derivation)
{
	struct diag diag;

	if (!derivation->trial)
		derivation->trial = trial_new(derivation->setting, &derivation->empty, DIST_ZEROS, FENCE_ALIGNED, NULL,
					      NULL, 1, &diag);
	if (derivation->runner && derivation->runner->is_alive)
		return derivation->trial != NULL;
	runner_stop(derivation->runner);
	derivation->runner = runner_spawn(derivation->program, 0, derivation->setting->job->memory, TO_JUDGE, &diag);
	return derivation->runner && derivation->trial;
}

/* Put the values of "shape" into the trial's cells and the address of "null" out of its slots. */
static void load(const struct derivation *derivation, const struct shape *shape, const struct var *null)
{
	struct trial *trial = derivation->trial;
	const struct outline *outline = derivation->setting->outline;
	unsigned char *cells;
	int k;

	trial_reset(trial);
	cells = image_data(trial->image, 0);
	for (k = 0; k < outline->n_binding; k++) {
		const struct var *var = outline->binding[k].var;
		int v = nest_var_index(derivation->setting->job->nest, var);

		if (trial->cell_of[k] >= 0 && shape->is_known[v])
			memcpy(cells + cell_bytes * trial->cell_of[k], &shape->value[v], sizeof(shape->value[v]));
		else if (trial->cell_of[k] < 0)
			trial->image->slot[k] = var == null ? 0 : image_address(trial->image, trial->part_of[k]);
	}
}

static void store(const struct derivation *derivation, const struct wire_reply *reply, struct shape *shape)
{
	const struct outline *outline = derivation->setting->outline;
	int k;

	for (k = 0; k < outline->n_binding; k++)
		if (outline->binding[k].kind == BIND_DERIVED)
			shape->value[nest_var_index(derivation->setting->job->nest, outline->binding[k].var)] =
				(int64_t)reply->size[outline_derived(outline, k)];
}

static bool ask(struct derivation *derivation, struct shape *shape, const struct var *null)
{
	struct wire_reply reply;

	if (!prepare(derivation))
		return false;
	load(derivation, shape, null);
	if (runner_call(derivation->runner, WIRE_DERIVE, 0, derivation->trial->image, 2, &reply) != CALL_ANSWERED ||
	    reply.status != WIRE_DONE)
		return false;
	store(derivation, &reply, shape);
	return true;
}

static bool is_same(const struct derivation *derivation, const struct shape *shape)
{
	return !memcmp(derivation->last.value, shape->value, sizeof(*shape->value) * (size_t)shape->n);
}

bool derivation_settle(struct derivation *derivation, struct shape *shape, const struct var *null)
{
	if (!derivation || (derivation->is_settled && derivation->last_null == null && is_same(derivation, shape)))
		return true;
	derivation->is_settled = ask(derivation, shape, null);
	derivation->last_null = null;
	memcpy(derivation->last.value, shape->value, sizeof(*shape->value) * (size_t)shape->n);
	return derivation->is_settled;
}
