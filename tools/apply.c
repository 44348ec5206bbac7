/* strop apply, revert and diff: the accepted rewrites into the tree, out of it, and as a patch. */
#include <stdio.h>

#include "support/options.h"

#include "inputs.h"
#include "tools.h"
#include "tree.h"

/* Parse the options that the three share and load the lock; NULL when there is nothing more to do ("*code" says why). */
static struct lock *open_lock(const struct usage *usage, const char **path, int argc, char **argv, int *code)
{
	struct arguments arguments;
	struct diag diag = { 0 };
	struct lock *lock = NULL;

	*code = EXIT_FINE;
	if (options_parse(usage, argc, argv, &arguments, &diag) != STATUS_OK) {
		*code = fail(&diag);
		return NULL;
	}
	if (arguments.help)
		return NULL;
	if (arguments.n_file)
		diag_set(&diag, EXIT_INPUT, "'%s' is not expected here (see --help)", arguments.file[0]);
	else
		lock = lock_load(*path, &diag);
	if (lock && lock->n == 0) {
		diag_set(&diag, EXIT_INPUT, "%s holds no decisions; run strop tune first", *path);
		lock = lock_free(lock);
	}
	if (!lock)
		*code = fail(&diag);
	return lock;
}

static void warn_stale(const struct tree_change *change)
{
	fflush(stdout);
	if (change->stale.size)
		fprintf(stderr, "strop: the sources have changed since these were tuned, so they are left out: %s\n",
			text_string(&change->stale));
}

static int change_tree(const struct usage *usage, const char **path, int argc, char **argv,
		       enum status (*change_all)(const struct lock *, struct tree_change *, struct diag *),
		       const char *sentence)
{
	struct tree_change change = { 0 };
	struct diag diag = { 0 };
	int code;
	struct lock *lock = open_lock(usage, path, argc, argv, &code);

	if (!lock)
		return code;
	if (lock_claim(*path, &diag) != STATUS_OK || change_all(lock, &change, &diag) != STATUS_OK)
		code = fail(&diag);
	else
		printf(sentence, change.rewrites, change.rewrites == 1 ? "" : "s", change.files,
		       change.files == 1 ? "" : "s");
	warn_stale(&change);
	text_free(&change.stale);
	lock_free(lock);
	return code;
}

int apply_main(int argc, char **argv)
{
	const char *path = "strop.lock";
	const struct option table[] = { { "--lock", OPTION_STRING, &path, "FILE", "the lock (strop.lock)" } };
	const struct usage usage = {
		"strop apply [--lock FILE]",
		"Put the accepted rewrites of strop.lock into the sources. What is in already stays; a rewrite whose\n"
		"place has changed since it was tuned is left out and named.",
		"strop apply", 1, table,
	};

	return change_tree(&usage, &path, argc, argv, tree_apply, "%d rewrite%s in place, %d file%s changed\n");
}

int revert_main(int argc, char **argv)
{
	const char *path = "strop.lock";
	const struct option table[] = { { "--lock", OPTION_STRING, &path, "FILE", "the lock (strop.lock)" } };
	const struct usage usage = {
		"strop revert [--lock FILE]",
		"Take every rewrite of strop.lock out of the sources again: they are byte for byte as before.",
		"strop revert", 1, table,
	};

	return change_tree(&usage, &path, argc, argv, tree_revert, "%d rewrite%s taken out, %d file%s changed\n");
}

int diff_main(int argc, char **argv)
{
	const char *path = "strop.lock";
	const struct option table[] = { { "--lock", OPTION_STRING, &path, "FILE", "the lock (strop.lock)" } };
	const struct usage usage = {
		"strop diff [--lock FILE]",
		"Print the accepted rewrites as a patch against the sources without them; patch -p1 and git apply\n"
		"take it.",
		"strop diff | git apply", 1, table,
	};
	struct tree_change change = { 0 };
	struct text patch = { 0 };
	struct diag diag = { 0 };
	int code;
	struct lock *lock = open_lock(&usage, &path, argc, argv, &code);

	if (!lock)
		return code;
	if (tree_diff(lock, &patch, &change, &diag) != STATUS_OK)
		code = fail(&diag);
	else
		fwrite(text_string(&patch), 1, patch.size, stdout);
	warn_stale(&change);
	text_free(&change.stale);
	text_free(&patch);
	lock_free(lock);
	return code;
}
