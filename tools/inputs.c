#include "inputs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/file.h"

int fail(const struct diag *diag)
{
	fflush(stdout);
	fprintf(stderr, "strop: %s\n", diag->message);
	return diag->code;
}

/* The folder of the nearest compile_commands.json: ".", "build", then upwards; NULL if there is none. */
static const char *find_build(struct arena *arena)
{
	char *folder = path_absolute(arena, NULL, ".");

	for (;;) {
		if (file_exists(path_join(arena, folder, "compile_commands.json")))
			return folder;
		if (file_exists(path_join(arena, folder, "build/compile_commands.json")))
			return path_join(arena, folder, "build");
		if (strcmp(folder, "/") == 0)
			return NULL;
		folder = path_folder(arena, folder);
	}
}

enum status inputs_commands(struct arena *arena, const char *build, const struct arguments *arguments,
			    struct command_list *list, struct diag *diag)
{
	if (build && arguments->has_rest)
		return diag_set(diag, EXIT_INPUT, "give either -p BUILD or flags after --, not both");
	if (!arguments->has_rest && !build)
		build = find_build(arena);
	if (build)
		return command_load(arena, build, arguments->n_file, arguments->file, list, diag);
	if (arguments->n_file == 0)
		return diag_set(diag, EXIT_INPUT,
				"no files given and no compile_commands.json found; say FILE.c -- FLAGS, or -p BUILD");
	return command_make(arena, arguments->n_file, arguments->file, arguments->n_rest, arguments->rest, list, diag);
}

/* Work shared by the scanning threads: "next" is the command to take. */
struct scan_work {
	const struct command_list *list;
	struct unit **units;
	struct diag *diags;
	atomic_int next;
};

static void *scan_some(void *context)
{
	struct scan_work *work = context;
	int i;

	while ((i = atomic_fetch_add(&work->next, 1)) < work->list->n)
		work->units[i] = unit_scan(&work->list->command[i], &work->diags[i]);
	return NULL;
}

void inputs_scan(const struct command_list *list, struct unit **units, struct diag *diags)
{
	struct scan_work work = { .list = list, .units = units, .diags = diags };
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t thread[64];
	int i, n = 0;

	libclang_version(&diags[0]);
	for (i = 1; i < cores && i < list->n && n < 64; i++)
		if (pthread_create(&thread[n], NULL, scan_some, &work) == 0)
			n++;
	scan_some(&work);
	for (i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}
