#include "usertest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/process.h"

#include "progress.h"
#include "tree.h"

enum { BENCH_RUNS = 5 };

/* Run "command" through the shell; its seconds, negative on failure with the end of its output in "tail". */
static double run(const char *command, struct text *tail, struct diag *diag)
{
	const char *const argv[] = { "sh", "-c", command, NULL };
	struct text output;
	const struct process process = { .argv = argv, .output = &output, .errors = &output };
	struct process_end end;
	double seconds = -1;

	text_init(&output, (size_t)16 << 20);
	if (process_run(&process, &end, diag) == STATUS_OK) {
		if (end.status == 0 && end.signal == 0)
			seconds = end.seconds;
		else
			text_append(tail, text_string(&output) + (output.size > 300 ? output.size - 300 : 0));
	}
	text_free(&output);
	return seconds;
}

static enum status must_pass(const char *command, enum exit_code code, const char *when, struct diag *diag)
{
	struct text tail = { 0 };

	progress_show(0, 1, "running '%s' %s", command, when);
	if (run(command, &tail, diag) < 0)
		diag_set(diag, code, "'%s' fails %s: %s", command, when, text_string(&tail));
	text_free(&tail);
	return diag->message[0] ? STATUS_FAILED : STATUS_OK;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static enum status set_tree(const struct lock *lock, bool rewritten, struct diag *diag)
{
	struct tree_change change;
	enum status status = rewritten ? tree_apply(lock, &change, diag) : tree_revert(lock, &change, diag);

	text_free(&change.stale);
	return status;
}

/* One timed run after an untimed one, which may have to build. */
static double bench_once(const struct lock *lock, const char *bench, bool rewritten, struct diag *diag)
{
	struct text tail = { 0 };
	double seconds = -1;

	if (set_tree(lock, rewritten, diag) == STATUS_OK && run(bench, &tail, diag) >= 0)
		seconds = run(bench, &tail, diag);
	if (seconds < 0)
		diag_set(diag, EXIT_INPUT, "'%s' fails: %s", bench, text_string(&tail));
	text_free(&tail);
	return seconds;
}

static enum status run_bench(const struct lock *lock, const char *bench, struct usertest *trial, struct diag *diag)
{
	double before[BENCH_RUNS], after[BENCH_RUNS];
	int i;

	for (i = 0; i < BENCH_RUNS; i++) {
		progress_show(i, BENCH_RUNS, "running '%s', without and with the rewrites", bench);
		before[i] = bench_once(lock, bench, false, diag);
		after[i] = before[i] < 0 ? -1 : bench_once(lock, bench, true, diag);
		if (after[i] < 0)
			return STATUS_FAILED;
	}
	qsort(before, BENCH_RUNS, sizeof(*before), compare);
	qsort(after, BENCH_RUNS, sizeof(*after), compare);
	trial->before = before[BENCH_RUNS / 2];
	trial->after = after[BENCH_RUNS / 2];
	trial->runs = BENCH_RUNS;
	return STATUS_OK;
}

static enum status run_all(const struct lock *lock, const char *check, const char *bench, struct usertest *trial,
			   struct diag *diag)
{
	if (check && (set_tree(lock, false, diag) != STATUS_OK ||
		      must_pass(check, EXIT_INPUT, "without the rewrites already", diag) != STATUS_OK))
		return STATUS_FAILED;
	if (set_tree(lock, true, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (check && must_pass(check, EXIT_WRONG, "with the rewrites, which are taken out again", diag) != STATUS_OK)
		return STATUS_FAILED;
	return bench ? run_bench(lock, bench, trial, diag) : STATUS_OK;
}

enum status usertest_run(const struct lock *lock, const char *check, const char *bench, bool keep, struct usertest *trial,
		      struct diag *diag)
{
	struct diag ignored = { 0 };
	enum status status;

	memset(trial, 0, sizeof(*trial));
	status = run_all(lock, check, bench, trial, diag);
	if (status != STATUS_OK || !keep)
		set_tree(lock, false, &ignored);
	progress_clear();
	return status;
}
