/* strop record: run a program instrumented; and the compiler shim behind it. */
#include "plugin/record.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/data.h"
#include "support/file.h"
#include "support/json.h"
#include "support/options.h"

#include "capture.h"
#include "inputs.h"
#include "tools.h"

/* One region in the summary. */
struct seen {
	const char *id;
	int64_t calls;
	double seconds, program_seconds;
};

struct summary {
	int n;
	struct seen seen[512];
};

static void add_seen(struct summary *summary, struct arena *arena, const struct data *data)
{
	const char *id = data_find_string(data, "id", "?");
	struct seen *seen = NULL;
	int i;

	for (i = 0; i < summary->n && !seen; i++)
		if (strcmp(summary->seen[i].id, id) == 0)
			seen = &summary->seen[i];
	if (!seen) {
		if (summary->n == (int)(sizeof(summary->seen) / sizeof(*summary->seen)))
			return;
		seen = &summary->seen[summary->n++];
		seen->id = arena_strdup(arena, id);
	}
	if (__builtin_add_overflow(seen->calls, data_find_integer(data, "calls", 0), &seen->calls))
		seen->calls = INT64_MAX;
	seen->seconds += 1e-9 * data_find_real(data, "nanoseconds", 0);
	seen->program_seconds += 1e-9 * data_find_real(data, "program_nanoseconds", 0);
}

static void read_counts(struct summary *summary, struct arena *arena, const char *folder)
{
	DIR *directory = opendir(folder);
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		struct text text = { 0 };
		struct data *data = NULL;
		const char *dot = strrchr(entry->d_name, '.');

		if (!dot || strcmp(dot, ".json") != 0)
			continue;
		if (file_read(path_join(arena, folder, entry->d_name), &text, NULL) == STATUS_OK)
			data = json_read(arena, entry->d_name, text_string(&text), text.size, NULL);
		if (data)
			add_seen(summary, arena, data);
		text_free(&text);
	}
	if (directory)
		closedir(directory);
}

static int slower_first(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? 1 : -1;
	return strcmp(x->id, y->id);
}

static int print_summary(const char *folder)
{
	struct arena *arena = arena_new();
	struct summary *summary = ARENA_NEW(arena, struct summary);
	int i;

	read_counts(summary, arena, folder);
	qsort(summary->seen, (size_t)summary->n, sizeof(*summary->seen), slower_first);
	fflush(stdout);
	for (i = 0; i < summary->n; i++) {
		const struct seen *seen = &summary->seen[i];
		double share = seen->program_seconds > 0 ? 100 * seen->seconds / seen->program_seconds : 0;

		fprintf(stderr, "%5.1f %%  %10.3f ms  %9lld call%s  %s\n", share, seen->seconds * 1e3,
			(long long)seen->calls, seen->calls == 1 ? " " : "s", seen->id);
	}
	if (!summary->n)
		fprintf(stderr, "strop: no region ran: was anything compiled while recording? rebuild within the command\n");
	i = summary->n;
	arena_free(arena);
	return i ? EXIT_FINE : EXIT_INCONCLUSIVE;
}

static int record(struct arena *arena, char *const *command, int64_t seconds)
{
	const char *folder = capture_folder(arena);
	char self[4096];
	ssize_t size = readlink("/proc/self/exe", self, sizeof(self) - 1);
	struct process_end end;
	struct diag diag = { 0 };

	self[size > 0 ? size : 0] = '\0';
	folder_remove(folder);
	if (folder_make(folder, &diag) != STATUS_OK ||
	    record_command(self, command, folder, (double)seconds, &end, &diag) != STATUS_OK)
		return fail(&diag);
	if (end.status || end.signal || end.timed_out) {
		diag_set(&diag, EXIT_INPUT, "'%s' %s %d", command[0],
			 end.timed_out ? "was stopped after the limit of seconds:" :
			 end.signal    ? "died of signal" : "ended with status",
			 end.timed_out ? (int)seconds : end.signal ? end.signal : end.status);
		return fail(&diag);
	}
	return print_summary(folder);
}

int record_main(int argc, char **argv)
{
	int64_t seconds = 0;
	const struct option table[] = {
		{ "--seconds", OPTION_INTEGER, &seconds, "N", "stop the command after N seconds (no limit)" },
	};
	const struct usage usage = {
		"strop record [OPTIONS] -- COMMAND",
		"Run COMMAND, which builds and runs your program, with compilers that put a recorder around each region:\n"
		"sizes, calls, share of time and a few real inputs. strop tune in the same folder then uses them.",
		"strop record -- sh -c 'make clean app && ./app input.txt'", 1, table,
	};
	struct arguments arguments;
	struct diag diag = { 0 };
	struct arena *arena;
	int code;

	if (options_parse(&usage, argc, argv, &arguments, &diag) != STATUS_OK)
		return fail(&diag);
	if (arguments.help)
		return EXIT_FINE;
	if (!arguments.n_rest || arguments.n_file) {
		diag_set(&diag, EXIT_INPUT, "say what to run: strop record -- COMMAND");
		return fail(&diag);
	}
	arena = arena_new();
	code = record(arena, arguments.rest, seconds);
	arena_free(arena);
	return code;
}

int cc_record_main(int argc, char **argv)
{
	return record_shim(argc - 1, argv + 1);
}
