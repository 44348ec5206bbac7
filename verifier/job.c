#include "job.h"

#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/file.h"
#include "support/json.h"
#include "support/text.h"

/* A folder holds job.json, nest.txt, region.src (the file with the region), main.src (when the main file is another
 * one), and one file per recorded value. Bounds of facts are expressions over the nest: they travel as the extents of
 * unused arrays at the end of the printed nest, which are taken off again when it is loaded. */
static const int format_version = 1;
static const char *const strictness_names[] = {"ordered", "reassoc", "exact"};
static const char *const fact_names[] = {"index", "range", "nonzero", "positive", "spd", "dominant"};

static void set_strings(struct arena *arena, struct data *map, const char *key, int n, const char *const *strings)
{
	struct data *list = data_list(arena);
	int i;

	for (i = 0; i < n; i++)
		data_add(arena, list, data_string(arena, strings[i]));
	data_set(arena, map, key, list);
}

static struct data *sizes_data(struct arena *arena, int n, const struct size *size)
{
	struct data *map = data_map(arena);
	int i;

	for (i = 0; i < n; i++)
		data_set_integer(arena, map, size[i].name, size[i].value);
	return map;
}

static struct data *local_data(struct arena *arena, const struct local *local)
{
	struct data *map = data_map(arena);

	data_set_string(arena, map, "name", local->name);
	data_set_string(arena, map, "declaration", local->declaration);
	data_set_string(arena, map, "pointee", local->pointee);
	data_set_bool(arena, map, "pointer", local->is_pointer);
	return map;
}

static struct data *fact_data(struct arena *arena, const struct fact *fact)
{
	struct data *map = data_map(arena);

	data_set_string(arena, map, "kind", fact_names[fact->kind]);
	data_set_string(arena, map, "of", fact->var->name);
	data_set_bool(arena, map, "has_lo", fact->lo != NULL);
	data_set_bool(arena, map, "has_hi", fact->hi != NULL);
	data_set_bool(arena, map, "inferred", fact->is_inferred);
	return map;
}

static struct data *signature_data(struct arena *arena, const struct signature *signature)
{
	struct data *map = data_map(arena), *locals = data_list(arena), *facts = data_list(arena);
	int i;

	for (i = 0; i < signature->n_local; i++)
		data_add(arena, locals, local_data(arena, &signature->local[i]));
	for (i = 0; i < signature->n_fact; i++)
		data_add(arena, facts, fact_data(arena, &signature->fact[i]));
	data_set_string(arena, map, "function", signature->function);
	data_set(arena, map, "locals", locals);
	data_set(arena, map, "facts", facts);
	return map;
}

static const char *value_file(struct arena *arena, int sample, int value)
{
	return arena_printf(arena, "sample-%d-%d.bin", sample, value);
}

/* Describe sample "s" and write its bytes into "folder"; NULL on failure. */
static struct data *save_sample(struct arena *arena, const struct sample *sample, int s, const char *folder,
				struct diag *diag)
{
	struct data *map = data_map(arena), *values = data_list(arena);
	int i;

	for (i = 0; i < sample->n_value; i++) {
		const struct sample_value *value = &sample->value[i];
		struct data *entry = data_map(arena);
		const char *path = path_join(arena, folder, value_file(arena, s, i));

		data_set_string(arena, entry, "name", value->name);
		data_set_bool(arena, entry, "recorded", value->data != NULL);
		data_add(arena, values, entry);
		if (value->data && file_write(path, value->data, value->bytes, diag) != STATUS_OK)
			return NULL;
	}
	data_set(arena, map, "sizes", sizes_data(arena, sample->n_size, sample->size));
	data_set(arena, map, "values", values);
	return map;
}

static enum status save_samples(struct arena *arena, const struct job *job, const char *folder, struct data *map,
				struct diag *diag)
{
	struct data *samples = data_list(arena);
	int s;

	for (s = 0; s < job->n_sample; s++) {
		struct data *sample = save_sample(arena, &job->sample[s], s, folder, diag);

		if (!sample)
			return STATUS_FAILED;
		data_add(arena, samples, sample);
	}
	data_set(arena, map, "samples", samples);
	return STATUS_OK;
}

static enum status write_in(struct arena *arena, const char *folder, const char *name, const char *bytes, size_t size,
			    struct diag *diag)
{
	return file_write(path_join(arena, folder, name), bytes, size, diag);
}

/* Write the nest, with an unused array of extents [lo, hi] per fact behind its own. */
static enum status save_nest(struct arena *arena, const struct job *job, const char *folder, struct diag *diag)
{
	struct nest *nest = nest_copy(job->nest);
	struct text text = {0};
	enum status status;
	int i;

	for (i = 0; i < job->signature->n_fact; i++) {
		const struct fact *fact = &job->signature->fact[i];
		struct expr *extent[2] = {fact->lo ? fact->lo : expr_int(nest->arena, 0, TYPE_I32),
					  fact->hi ? fact->hi : expr_int(nest->arena, 0, TYPE_I32)};

		nest_add_var(nest, VAR_ARRAY, TYPE_I8, "strop_fact", 2, extent)->source = "strop_fact";
	}
	nest_print(nest, &text);
	status = write_in(arena, folder, "nest.txt", text_string(&text), text.size, diag);
	text_free(&text);
	return status;
}

static bool has_other_main(const struct job *job)
{
	return job->main_file && strcmp(job->main_file, job->file) != 0;
}

static enum status save_texts(struct arena *arena, const struct job *job, const char *folder, struct diag *diag)
{
	struct text text = {0};
	enum status status = write_in(arena, folder, "region.src", job->text, job->text_size, diag);

	if (status != STATUS_OK || !has_other_main(job))
		return status;
	status = file_read(job->main_file, &text, diag);
	if (status == STATUS_OK)
		status = write_in(arena, folder, "main.src", text_string(&text), text.size, diag);
	text_free(&text);
	return status;
}

static struct data *job_data(struct arena *arena, const struct job *job)
{
	struct data *map = data_map(arena);

	data_set_integer(arena, map, "version", format_version);
	data_set_string(arena, map, "id", job->id);
	data_set_string(arena, map, "file", job->file);
	data_set_string(arena, map, "main_file", job->main_file);
	data_set_integer(arena, map, "begin", (int64_t)job->begin);
	data_set_integer(arena, map, "end", (int64_t)job->end);
	data_set_integer(arena, map, "function_begin", (int64_t)job->function_begin);
	data_set_string(arena, map, "directory", job->directory);
	set_strings(arena, map, "command", job->argc, job->argv);
	data_set_integer(arena, map, "source", job->source);
	data_set(arena, map, "signature", signature_data(arena, job->signature));
	data_set_string(arena, map, "mode", strictness_names[job->strictness]);
	data_set(arena, map, "sizes", sizes_data(arena, job->n_size, job->size));
	data_set_integer(arena, map, "may_shrink", job->may_shrink);
	data_set_real(arena, map, "seconds", job->seconds);
	data_set_integer(arena, map, "memory", (int64_t)job->memory);
	data_set_string(arena, map, "seed", arena_printf(arena, "%llx", (unsigned long long)job->seed));
	return map;
}

enum status job_save(const struct job *job, const char *folder, struct diag *diag)
{
	struct arena *arena = arena_new();
	struct data *map = job_data(arena, job);
	struct text text = {0};
	enum status status = folder_make(folder, diag);

	if (status == STATUS_OK)
		status = save_texts(arena, job, folder, diag);
	if (status == STATUS_OK)
		status = save_nest(arena, job, folder, diag);
	if (status == STATUS_OK)
		status = save_samples(arena, job, folder, map, diag);
	if (status == STATUS_OK) {
		json_write(map, true, &text);
		status = write_in(arena, folder, "job.json", text_string(&text), text.size, diag);
	}
	text_free(&text);
	arena_free(arena);
	return status;
}

static int find_name(const char *name, int n, const char *const *names)
{
	int i;

	for (i = 0; i < n; i++)
		if (name && !strcmp(name, names[i]))
			return i;
	return -1;
}

/* The whole of FOLDER/NAME in "arena"; NULL and a sentence when it cannot be read. */
static char *read_in(struct arena *arena, const char *folder, const char *name, size_t *size, struct diag *diag)
{
	struct text text = {0};
	char *bytes = NULL;

	if (file_read(path_join(arena, folder, name), &text, diag) == STATUS_OK) {
		bytes = arena_alloc(arena, text.size + 1);
		memcpy(bytes, text_string(&text), text.size);
		*size = text.size;
	}
	text_free(&text);
	return bytes;
}

static struct size *load_sizes(struct arena *arena, const struct data *map, int *n)
{
	struct size *size;
	int i;

	*n = map && map->kind == DATA_MAP ? map->n : 0;
	size = ARENA_ARRAY(arena, struct size, *n + 1);
	for (i = 0; i < *n; i++)
		size[i] = (struct size){map->key[i], map->item[i]->integer};
	return size;
}

static int list_count(const struct data *list)
{
	return list && list->kind == DATA_LIST ? list->n : 0;
}

static void load_command(struct arena *arena, const struct data *list, struct job *job)
{
	const char **argv = ARENA_ARRAY(arena, const char *, list_count(list) + 1);

	for (job->argc = 0; job->argc < list_count(list); job->argc++)
		argv[job->argc] = list->item[job->argc]->string ? list->item[job->argc]->string : "";
	job->argv = argv;
}

/* Set what is known of fact "i" from its description; its bounds are the extents of "carrier". */
static bool load_fact(const struct data *map, const struct nest *nest, const struct var *carrier, struct fact *fact)
{
	int kind = find_name(data_find_string(map, "kind", NULL), 6, fact_names);

	fact->var = nest_find_var(nest, data_find_string(map, "of", ""));
	if (kind < 0 || !fact->var || carrier->rank != 2 || !carrier->extent[0])
		return false;
	fact->kind = (enum fact_kind)kind;
	fact->lo = data_find_bool(map, "has_lo", false) ? carrier->extent[0] : NULL;
	fact->hi = data_find_bool(map, "has_hi", false) ? carrier->extent[1] : NULL;
	fact->is_inferred = data_find_bool(map, "inferred", false);
	return true;
}

/* Take the arrays that carry facts out of the nest's table, in order. */
static int take_carriers(struct nest *nest, int most, struct var **carrier)
{
	int v, kept = 0, taken = 0;

	for (v = 0; v < nest->n_var; v++) {
		struct var *var = nest->var[v];

		if (var->kind == VAR_ARRAY && !strncmp(var->name, "strop_fact", 10) && taken < most)
			carrier[taken++] = var;
		else
			nest->var[kept++] = var;
	}
	nest->n_var = kept;
	return taken;
}

static bool load_signature(struct arena *arena, const struct data *map, struct nest *nest, struct job *job)
{
	struct signature *signature = ARENA_NEW(arena, struct signature);
	const struct data *locals = data_find(map, "locals"), *facts = data_find(map, "facts");
	struct var **carrier = ARENA_ARRAY(arena, struct var *, list_count(facts) + 1);
	int i;

	signature->function = data_find_string(map, "function", "");
	signature->n_local = list_count(locals);
	signature->local = ARENA_ARRAY(arena, struct local, signature->n_local + 1);
	for (i = 0; i < signature->n_local; i++)
		signature->local[i] = (struct local){data_find_string(locals->item[i], "name", ""),
						     data_find_string(locals->item[i], "declaration", ""),
						     data_find_string(locals->item[i], "pointee", NULL),
						     data_find_bool(locals->item[i], "pointer", false)};
	signature->n_fact = list_count(facts);
	signature->fact = ARENA_ARRAY(arena, struct fact, signature->n_fact + 1);
	if (take_carriers(nest, signature->n_fact, carrier) != signature->n_fact)
		return false;
	for (i = 0; i < signature->n_fact; i++)
		if (!load_fact(facts->item[i], nest, carrier[i], &signature->fact[i]))
			return false;
	job->signature = signature;
	return true;
}

static enum status load_samples(struct arena *arena, const struct data *list, const char *folder, struct job *job,
				struct diag *diag)
{
	struct sample *sample = ARENA_ARRAY(arena, struct sample, list_count(list) + 1);
	int s, i;

	for (s = 0; s < list_count(list); s++) {
		const struct data *values = data_find(list->item[s], "values");

		sample[s].size = load_sizes(arena, data_find(list->item[s], "sizes"), &sample[s].n_size);
		sample[s].n_value = list_count(values);
		sample[s].value = ARENA_ARRAY(arena, struct sample_value, sample[s].n_value + 1);
		for (i = 0; i < sample[s].n_value; i++) {
			struct sample_value *value = &sample[s].value[i];

			value->name = data_find_string(values->item[i], "name", "");
			if (!data_find_bool(values->item[i], "recorded", false))
				continue;
			value->data = read_in(arena, folder, value_file(arena, s, i), &value->bytes, diag);
			if (!value->data)
				return STATUS_FAILED;
		}
	}
	job->n_sample = list_count(list);
	job->sample = sample;
	return STATUS_OK;
}

/* The files' paths as they were, where they are still there; else the copies in the folder. */
static void load_paths(struct arena *arena, const struct data *map, const char *folder, struct job *job)
{
	job->file = data_find_string(map, "file", "");
	job->main_file = data_find_string(map, "main_file", NULL);
	if (has_other_main(job) && !file_exists(job->main_file))
		job->main_file = path_join(arena, folder, "main.src");
	job->directory = data_find_string(map, "directory", folder);
	if (!file_is_folder(job->directory))
		job->directory = folder;
	job->scratch = path_join(arena, folder, "scratch");
}

static bool load_scalars(struct arena *arena, const struct data *map, struct job *job)
{
	int strictness = find_name(data_find_string(map, "mode", NULL), 3, strictness_names);

	job->id = data_find_string(map, "id", "");
	job->begin = (size_t)data_find_integer(map, "begin", 0);
	job->end = (size_t)data_find_integer(map, "end", 0);
	job->function_begin = (size_t)data_find_integer(map, "function_begin", 0);
	load_command(arena, data_find(map, "command"), job);
	job->source = data_find_choice(map, "source", job->argc, 0);
	job->size = load_sizes(arena, data_find(map, "sizes"), &job->n_size);
	job->may_shrink = data_find_integer(map, "may_shrink", 0) != 0;
	job->seconds = data_find_real(map, "seconds", 0);
	job->memory = (size_t)data_find_integer(map, "memory", 0);
	job->seed = strtoull(data_find_string(map, "seed", "0"), NULL, 16);
	job->strictness = (enum strictness)(strictness < 0 ? 0 : strictness);
	return strictness >= 0 && job->source > 0 &&
	       job->begin <= job->end && job->end <= job->text_size && job->function_begin <= job->begin;
}

static enum status load_all(struct arena *arena, const char *folder, const struct data *map, struct job *job,
			    struct diag *diag)
{
	size_t size = 0;
	const char *nest_text = read_in(arena, folder, "nest.txt", &size, diag);
	struct nest *nest = nest_text ? nest_parse(arena, nest_text, diag) : NULL;

	job->text = read_in(arena, folder, "region.src", &job->text_size, diag);
	if (!nest || !job->text)
		return STATUS_FAILED;
	if (data_find_integer(map, "version", 0) > format_version)
		return diag_set(diag, EXIT_INPUT, "%s: the job was written by a newer version", folder);
	if (!load_scalars(arena, map, job) || !load_signature(arena, data_find(map, "signature"), nest, job))
		return diag_set(diag, EXIT_INPUT, "%s: the job is broken", folder);
	job->nest = nest;
	load_paths(arena, map, folder, job);
	if (folder_make(job->scratch, diag) != STATUS_OK)
		return STATUS_FAILED;
	return load_samples(arena, data_find(map, "samples"), folder, job, diag);
}

struct job *job_load(struct arena *arena, const char *folder, struct diag *diag)
{
	struct job *job = ARENA_NEW(arena, struct job);
	const char *absolute = path_absolute(arena, NULL, folder);
	size_t size = 0;
	const char *text = read_in(arena, absolute, "job.json", &size, diag);
	const struct data *map = text ? json_read(arena, "job.json", text, size, diag) : NULL;

	if (!map || load_all(arena, absolute, map, job, diag) != STATUS_OK)
		return NULL;
	return job;
}
