/* strop explain: what was decided on a region, and why. */
#include <stdio.h>
#include <string.h>

#include "support/options.h"

#include "inputs.h"
#include "lock.h"
#include "tools.h"

static void explain(const struct decision *decision)
{
	printf("%s (%s:%d, in %s)\n", decision->id, decision->file, decision->line,
	       decision->function ? decision->function : "?");
	printf("  %s: %s: %s\n", decision->accepted ? "accepted" : "left alone", decision->reason,
	       decision->sentence ? decision->sentence : "");
	if (decision->speedup > 0)
		printf("  measured  %.2fx, interval [%.2f, %.2f]\n", decision->speedup, decision->low, decision->high);
	if (decision->seconds > 0)
		printf("  original  %.3g ms a call%s%s\n", decision->seconds * 1e3, decision->bound ? "; " : "",
		       decision->bound ? decision->bound : "");
	if (decision->timing)
		printf("  timed     %s\n", decision->timing);
	if (decision->share >= 0)
		printf("  share     %.1f %% of the program's time\n", decision->share * 100);
	if (decision->sizes)
		printf("  sizes     %s\n", *decision->sizes ? decision->sizes : "fixed in the source");
	if (decision->plan)
		printf("  plan      %s\n", decision->plan);
	printf("  fp        %s\n  asked     %s; %d candidates judged\n", decision->fp,
	       decision->setup ? decision->setup : "?", decision->candidates);
}

/* Whether "word" names the decision: its id, the end of its id, its function, or FILE:LINE within it. */
static bool is_named(const struct decision *decision, const char *word)
{
	size_t size = strlen(word), id = strlen(decision->id);

	return (id >= size && strcmp(decision->id + id - size, word) == 0) || strstr(decision->id, word) ||
	       (decision->function && strcmp(decision->function, word) == 0);
}

static int explain_all(const struct lock *lock, const struct arguments *arguments)
{
	struct diag diag = { 0 };
	int i, k, n = 0;

	for (i = 0; i < lock->n; i++) {
		bool wanted = arguments->n_file == 0;

		for (k = 0; k < arguments->n_file; k++)
			wanted = wanted || is_named(&lock->decision[i], arguments->file[k]);
		if (wanted)
			explain(&lock->decision[i]);
		n += wanted;
	}
	if (n)
		return EXIT_FINE;
	diag_set(&diag, EXIT_INPUT, "no decision matches%s%s; strop scan says why loops were not lifted",
		 arguments->n_file ? " " : "", arguments->n_file ? arguments->file[0] : "");
	return fail(&diag);
}

int explain_main(int argc, char **argv)
{
	const char *path = "strop.lock";
	const struct option table[] = { { "--lock", OPTION_STRING, &path, "FILE", "the lock (strop.lock)" } };
	const struct usage usage = {
		"strop explain [REGION...] [--lock FILE]",
		"Say what was decided on each region (all, or those whose id or function is given): the reason, the\n"
		"measurement, what bounds it, the sizes, and the plan.",
		"strop explain matmul", 1, table,
	};
	struct arguments arguments;
	struct diag diag = { 0 };
	struct lock *lock;
	int code;

	if (options_parse(&usage, argc, argv, &arguments, &diag) != STATUS_OK)
		return fail(&diag);
	if (arguments.help)
		return EXIT_FINE;
	lock = lock_load(path, &diag);
	if (!lock)
		return fail(&diag);
	code = explain_all(lock, &arguments);
	lock_free(lock);
	return code;
}
