#include "subject.h"

#include <stdlib.h>
#include <string.h>

#include "support/file.h"

enum { SIZES_MOST = 8 };

struct unit *subjects_scan(struct arena *arena, const char *file, int n_flag, char *const *flags, struct diag *diag)
{
	char *const files[] = { (char *)file };
	struct command_list *list = ARENA_NEW(arena, struct command_list);

	if (command_make(arena, 1, files, n_flag, flags, list, diag) != STATUS_OK)
		return NULL;
	return unit_scan(&list->command[0], diag);
}

/* The sizes that the region's pragma names. */
static void fill_sizes(struct arena *arena, const struct region *region, struct job *job)
{
	struct size *size = ARENA_ARRAY(arena, struct size, SIZES_MOST);
	const char *at = region->sizes ? region->sizes : "";

	job->size = size;
	while (job->n_size < SIZES_MOST && strchr(at, '=')) {
		const char *equals = strchr(at, '=');
		size[job->n_size].name = arena_strndup(arena, at, (size_t)(equals - at));
		size[job->n_size++].value = atoll(equals + 1);
		at = equals + strcspn(equals, ",");
		at += *at == ',';
	}
}

static void fill_job(const struct unit *unit, const struct region *region, uint64_t seed, struct subject *subject)
{
	const struct command *command = unit->command;
	const struct unit_file *file = unit_find_file(unit, region->file);

	subject->job = (struct job){
		.id = region->id,
		.file = region->file,
		.main_file = command->file,
		.text = file->text,
		.text_size = file->size,
		.begin = region->begin,
		.end = region->end,
		.function_begin = region->function_begin,
		.directory = command->directory,
		.argc = command->argc,
		.argv = command->argv,
		.source = command->source,
		.nest = region->nest,
		.signature = region->signature,
		.strictness = STRICT_ORDERED,
		.seconds = 60,
		.memory = (size_t)8 << 30,
		.seed = seed,
	};
	subject->text = arena_strndup(subject->arena, file->text + region->begin, region->end - region->begin);
	fill_sizes(subject->arena, region, &subject->job);
}

enum status subject_open(const struct unit *unit, int index, uint64_t seed, struct subject *subject, struct diag *diag)
{
	const struct region *region = &unit->region[index];
	struct verdict admission = { VERDICT_EQUAL, NULL };

	*subject = (struct subject){ .arena = arena_new(), .id = region->id };
	if (!region->nest)
		return diag_set(diag, EXIT_INPUT, "%s: not lifted: %s", region->id, refusal_name(region->refusal));
	fill_job(unit, region, seed, subject);
	subject->job.scratch = folder_make_scratch(subject->arena, diag);
	if (!subject->job.scratch)
		return STATUS_FAILED;
	subject->judge = judge_open(subject->arena, &subject->job, &admission, diag);
	if (!subject->judge)
		return STATUS_FAILED;
	if (admission.kind != VERDICT_EQUAL)
		return diag_set(diag, EXIT_INPUT, "%s: not admitted: %s", region->id, admission.witness);
	return STATUS_OK;
}

void subject_close(struct subject *subject)
{
	judge_close(subject->judge);
	if (subject->job.scratch)
		folder_remove(subject->job.scratch);
	arena_free(subject->arena);
}
