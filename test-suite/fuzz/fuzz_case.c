#include "fuzz_case.h"

#include <stdio.h>
#include <string.h>

static const char *nest_text(struct arena *arena, const struct nest *nest)
{
	struct text text = { 0 };
	const char *result;

	nest_print(nest, &text);
	result = arena_strdup(arena, text_string(&text));
	text_free(&text);
	return result;
}

static const char *plan_text(struct arena *arena, const struct plan *plan)
{
	struct text text = { 0 };
	const char *result;

	plan_print(plan, &text);
	result = arena_strdup(arena, text_string(&text));
	text_free(&text);
	return result;
}

/* What is wrong with the printed form of "plan", or NULL. */
static const char *find_plan_fault(struct arena *arena, const struct plan *plan)
{
	const char *text = plan_text(arena, plan);
	struct diag diag = { 0 };
	const struct plan *again = plan_parse(arena, text, &diag);

	if (!again)
		return arena_printf(arena, "the printed plan '%s' does not parse: %s", text, diag.message);
	if (strcmp(text, plan_text(arena, again)) != 0)
		return arena_printf(arena, "the printed plan '%s' prints as '%s'", text, plan_text(arena, again));
	return NULL;
}

static const char *find_nest_fault(struct arena *arena, const struct nest *nest)
{
	const char *text = nest_text(arena, nest);
	struct diag diag = { 0 };
	const struct nest *again;
	char key[2][33];

	if (!nest_check(nest, &diag))
		return arena_printf(arena, "the nest is broken: %s", diag.message);
	again = nest_parse(arena, text, &diag);
	if (!again)
		return arena_printf(arena, "the printed nest does not parse: %s\n%s", diag.message, text);
	if (strcmp(text, nest_text(arena, again)) != 0)
		return arena_printf(arena, "the printed nest prints otherwise:\n%s\n%s", text, nest_text(arena, again));
	nest_key(nest, "ordered", key[0]);
	nest_key(again, "ordered", key[1]);
	return strcmp(key[0], key[1]) == 0 ? NULL : arena_printf(arena, "the printed nest has another key:\n%s", text);
}

static enum made make(struct arena *arena, struct fuzz_trial *trial, const struct plan *plan, int number, struct diag *why)
{
	struct site site = { .function = arena_printf(arena, "case%d", number), .number = number, .original = "fell_back = 1;",
			     .indent = "\t" };
	struct workspace *workspace = workspace_new(arena, trial->nest, trial->mode, why);
	enum made made = MADE_CODE;

	trial->rewritten = workspace ? plan_apply(workspace, plan, why) : NULL;
	if (!trial->rewritten)
		made = MADE_ILLEGAL;
	else if (codegen_c(arena, trial->nest, trial->rewritten, &site, &trial->target, &trial->variant, why) != STATUS_OK)
		made = MADE_NO_CODE;
	workspace_free(workspace);
	return made;
}

static bool is_equal_trial(struct arena *arena, const struct fuzz_trial *a, const struct fuzz_trial *b)
{
	return strcmp(nest_text(arena, a->rewritten), nest_text(arena, b->rewritten)) == 0 &&
	       strcmp(a->variant.helpers, b->variant.helpers) == 0 && strcmp(a->variant.body, b->variant.body) == 0;
}

enum made fuzz_case_make(struct arena *arena, struct fuzz_trial *trial, int number, struct diag *why)
{
	const struct plan *plan = plan_parse(arena, trial->plan, why);
	struct fuzz_trial again = *trial;
	struct diag ignored = { 0 };
	enum made made;

	trial->broken = NULL;
	if (!plan)
		return MADE_ILLEGAL;
	made = make(arena, trial, plan, number, why);
	if (made != MADE_CODE)
		return made;
	trial->broken = find_plan_fault(arena, plan);
	if (!trial->broken)
		trial->broken = find_nest_fault(arena, trial->rewritten);
	if (!trial->broken && (make(arena, &again, plan, number, &ignored) != MADE_CODE || !is_equal_trial(arena, trial, &again)))
		trial->broken = "made again, it is another";
	return made;
}

void fuzz_case_print(const struct fuzz_trial *trial, struct text *text)
{
	nest_print(trial->nest, text);
	text_printf(text, "=== mode %s\n=== vector %d\n=== openmp %d\n=== plan %s\n", fp_mode_name(trial->mode),
		    trial->target.vector_bytes, trial->target.has_openmp, trial->plan);
}

enum status fuzz_case_read(struct arena *arena, const char *bytes, struct fuzz_trial *trial, struct diag *diag)
{
	const char *end = strstr(bytes, "=== mode ");
	char mode[16], plan[4096] = "";
	int vector, openmp;

	*trial = (struct fuzz_trial){ .from = "file", .target = { .compiler = COMPILER_GCC, .has_fma = true } };
	if (!end || sscanf(end, "=== mode %15s\n=== vector %d\n=== openmp %d\n=== plan %4095[^\n]", mode, &vector, &openmp, plan) < 3 ||
	    !fp_mode_find(mode, &trial->mode))
		return diag_set(diag, EXIT_INPUT, "no '=== mode', '=== vector', '=== openmp' and '=== plan' lines");
	trial->target.vector_bytes = vector;
	trial->target.has_openmp = openmp;
	trial->target.mode = trial->mode;
	trial->plan = arena_strdup(arena, plan);
	trial->nest = nest_parse(arena, arena_strndup(arena, bytes, (size_t)(end - bytes)), diag);
	return trial->nest ? STATUS_OK : STATUS_FAILED;
}
