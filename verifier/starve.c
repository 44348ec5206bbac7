#include "starve.h"

#include <string.h>

#include "admission.h"
#include "build.h"
#include "compare.h"
#include "oracle.h"
#include "support/process.h"
#include "symbols.h"

static bool takes_memory(const char *name)
{
	size_t i;

	for (i = 0; build_wrapped[i]; i++)
		if (!strcmp(name, build_wrapped[i]))
			return true;
	return false;
}

#define STAND_IN(type, name, given, none, passed) \
	"extern " type " __real_" name given ";\n" \
	"__attribute__((externally_visible, used)) " type " __wrap_" name given "\n" \
	"{\n\treturn strop_is_short() ? " none " : __real_" name passed ";\n}\n"
/* What BUILD_STARVED has in the place of the functions that give memory: the first requests of a process all fail, later ones by the bits
 * of their number. */
static const char stand_ins[] =
	"\n#line 1 \"starved\"\n"
	"static int strop_is_short(void)\n"
	"{\n"
	"	static unsigned asked;\n"
	"	const unsigned number = __atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED);\n"
	"	return number < 64 || (number * 2654435761u) >> 31;\n"
	"}\n"
	STAND_IN("void *", "malloc", "(__SIZE_TYPE__ a)", "(void *)0", "(a)")
	STAND_IN("void *", "calloc", "(__SIZE_TYPE__ a, __SIZE_TYPE__ b)", "(void *)0", "(a, b)")
	STAND_IN("void *", "realloc", "(void *p, __SIZE_TYPE__ a)", "(void *)0", "(p, a)")
	STAND_IN("void *", "aligned_alloc", "(__SIZE_TYPE__ a, __SIZE_TYPE__ b)", "(void *)0", "(a, b)")
	STAND_IN("void *", "memalign", "(__SIZE_TYPE__ a, __SIZE_TYPE__ b)", "(void *)0", "(a, b)")
	STAND_IN("void *", "valloc", "(__SIZE_TYPE__ a)", "(void *)0", "(a)")
	STAND_IN("int", "posix_memalign", "(void **p, __SIZE_TYPE__ a, __SIZE_TYPE__ b)", "12", "(p, a, b)");

/* Build "source" as BUILD_STARVED; NULL in "*program" and a verdict where it does not build so, which takes names that are reserved. */
static enum status build(struct judge *judge, const struct text *source, struct program **program, struct verdict *verdict,
			 struct diag *diag)
{
	struct text text = {0};
	const char *error = NULL;
	enum status status;

	text_append_bytes(&text, source->bytes, source->size);
	text_append(&text, stand_ins);
	status = build_program(judge->arena, judge->job, "candidate-starved", text.bytes, text.size, BUILD_STARVED, program, &error, diag);
	text_free(&text);
	if (status == STATUS_OK && !*program)
		*verdict = (struct verdict){VERDICT_NO_COMPILE,
					    arena_printf(judge->arena, "with functions that give no memory: %s", error)};
	return status;
}

/* Whether a trial can tell: its answer bounds what is compared by it. */
static bool is_telling(struct judge *judge, struct trial *trial, element_accept *accept, struct diag *diag)
{
	const char *why;

	return !accept || (!trial->is_chaotic && !trial_blows_up(trial) && admission_answer(judge, trial, &why, diag));
}

static enum status run_trials(struct judge *judge, const struct program *program, struct verdict *verdict, struct diag *diag)
{
	element_accept *accept = judge->job->strictness == STRICT_REASSOC ? answer_accept : NULL;
	struct runner *runner = NULL;
	int i;

	for (i = 0; i < judge->n_quick && verdict->kind == VERDICT_EQUAL; i++) {
		struct trial *trial = judge->trial[i];

		if (!is_telling(judge, trial, accept, diag))
			continue;
		if (!runner)
			runner = judge_spawn(judge, program, diag);
		if (!runner)
			return STATUS_FAILED;
		if (trial_run(judge->arena, runner, trial, trial_patience(judge, trial)).kind == VERDICT_EQUAL)
			*verdict = trial_compare(judge->arena, trial, accept);
		else
			runner = runner_stop(runner);
		if (verdict->kind != VERDICT_EQUAL)
			verdict->witness = arena_printf(judge->arena, "%s when it gets no memory (%s)", verdict->witness,
							trial_print(judge->arena, trial));
	}
	runner_stop(runner);
	return STATUS_OK;
}

enum status starve_check(struct judge *judge, const struct text *source, const struct program *program, struct verdict *verdict,
			 struct diag *diag)
{
	const char *own = NULL, *originals = NULL;
	struct program *starved = NULL;

	if (symbols_find(judge->arena, program->path, takes_memory, &own, diag) != STATUS_OK ||
	    symbols_find(judge->arena, judge->judged->path, takes_memory, &originals, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (!own || originals)
		return STATUS_OK;
	if (build(judge, source, &starved, verdict, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (starved && run_trials(judge, starved, verdict, diag) != STATUS_OK)
		return STATUS_FAILED;
	return process_finish(STATUS_OK, diag);
}
