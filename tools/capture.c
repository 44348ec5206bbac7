#include "capture.h"

#include <stdlib.h>
#include <string.h>

#include "plugin/record.h"
#include "support/file.h"
#include "support/hash.h"
#include "support/memory.h"

#include "folders.h"
#include "progress.h"

static const double run_limit = 60;

/* "folder" is where records lie. */
struct capture {
	struct arena *arena;
	const char *folder;
};

const char *capture_folder(struct arena *arena)
{
	const char *here = path_absolute(arena, NULL, ".");
	char hex[33];

	hash_bytes(here, strlen(here), hex);
	return arena_printf(arena, "%s/records/%s", folders_cache(arena), hex);
}

static bool has_records(const struct unit *unit, const char *folder)
{
	struct arena *arena = arena_new();
	bool found = false;
	int i;

	for (i = 0; i < unit->n_region && !found; i++)
		found = unit->region[i].nest && record_load(arena, folder, &unit->region[i]);
	arena_free(arena);
	return found;
}

/* Build and run the program of units[at], whose records go to "folder". */
static void run_program(int n, struct unit *const *units, int at, const char *folder)
{
	const struct unit **parts = memory_alloc(sizeof(*parts) * (size_t)n);
	struct record_program program = { .unit = parts, .folder = folder, .seconds = run_limit };
	struct process_end end;
	int i;

	for (i = 0; i < n; i++)
		if (units[i] && (i == at || !units[i]->has_main))
			parts[program.n_unit++] = units[i];
	progress_show(0, 1, "recording a run of %s", path_base(units[at]->command->file));
	record_build_and_run(&program, &end, NULL);
	free(parts);
}

struct capture *capture_units(int n, struct unit *const *units, const char *scratch, const char *folder)
{
	struct capture *capture = memory_alloc(sizeof(*capture));
	bool recorded = false;
	int i;

	capture->arena = arena_new();
	for (i = 0; i < n && !recorded; i++)
		recorded = units[i] && has_records(units[i], folder);
	if (recorded) {
		capture->folder = arena_strdup(capture->arena, folder);
	} else if (scratch) {
		capture->folder = path_join(capture->arena, scratch, "record");
		if (folder_make(capture->folder, NULL) != STATUS_OK)
			return capture;
		for (i = 0; i < n; i++)
			if (units[i] && units[i]->has_main)
				run_program(n, units, i, capture->folder);
	}
	return capture;
}

struct capture *capture_free(struct capture *capture)
{
	if (capture)
		arena_free(capture->arena);
	free(capture);
	return NULL;
}

static void fill_samples(struct arena *arena, const struct record *record, struct tune_region *input)
{
	struct sample *sample = ARENA_ARRAY(arena, struct sample, record->n_sample + 1);
	int i, k;

	for (i = 0; i < record->n_sample; i++) {
		const struct record_sample *from = &record->sample[i];

		sample[i].n_size = from->n_size;
		sample[i].size = ARENA_ARRAY(arena, struct size, from->n_size + 1);
		for (k = 0; k < from->n_size; k++)
			sample[i].size[k] = (struct size){ from->size[k].name, from->size[k].value };
		sample[i].n_value = from->n_value;
		sample[i].value = ARENA_ARRAY(arena, struct sample_value, from->n_value + 1);
		for (k = 0; k < from->n_value; k++)
			sample[i].value[k] = (struct sample_value){ from->value[k].name, from->value[k].bytes,
								    from->value[k].data };
	}
	input->sample = sample;
	input->n_sample = record->n_sample;
}

static void fill_sizes(struct arena *arena, const struct record *record, struct tune_region *input)
{
	struct size *size = ARENA_ARRAY(arena, struct size, record->n_size + 1);
	int i;

	for (i = 0; i < record->n_size; i++)
		size[i] = (struct size){ record->size_name[i], record->tuple[0].value[i] };
	input->size = size;
	input->n_size = record->n_size;
	if (record->tuple[0].calls > 0)
		input->in_place = (struct in_place){ record->tuple[0].fastest,
						     record->tuple[0].seconds / (double)record->tuple[0].calls };
}

void capture_fill(const struct capture *capture, struct arena *arena, const struct region *region,
		  struct tune_region *input)
{
	const struct record *record = capture->folder ? record_load(arena, capture->folder, region) : NULL;

	if (!record)
		return;
	if (record->program_seconds > 0)
		input->share = record->seconds / record->program_seconds;
	if (record->n_tuple)
		fill_sizes(arena, record, input);
	fill_samples(arena, record, input);
}

struct data *capture_data(struct arena *arena, const struct tune_region *input)
{
	struct data *map = data_map(arena), *sizes = data_map(arena);
	int i;

	data_set_real(arena, map, "share", input->share);
	for (i = 0; i < input->n_size; i++)
		data_set_integer(arena, sizes, input->size[i].name, input->size[i].value);
	data_set(arena, map, "sizes", sizes);
	data_set_real(arena, map, "fastest", input->in_place.fastest);
	data_set_real(arena, map, "mean", input->in_place.mean);
	return map;
}

void capture_read(const struct data *data, struct arena *arena, struct tune_region *input)
{
	input->share = data_find_real(data, "share", -1);
	input->in_place = (struct in_place){ data_find_real(data, "fastest", 0), data_find_real(data, "mean", 0) };
	input->size = sizes_read(arena, data_find(data, "sizes"), &input->n_size);
}
