/* Random nests under random plans: what a legal plan's code leaves in memory is compared with what the plain nest does.
 *
 * fuzz_plans SECONDS [SEED [BATCHES]] runs until the time is over or BATCHES batches are done; fuzz_plans interpret SECONDS
 * [SEED [NESTS]] only interprets the rewritten nests, which compiles nothing; fuzz_plans arm SECONDS [SEED [BATCHES]] compiles for a
 * 64-bit Arm processor and runs under an emulator, exit code 77 where there is no such compiler or emulator; fuzz_plans replay FILE..
 * runs cases that were printed before. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rewrite/validate.h"
#include "support/file.h"
#include "support/process.h"

#include "fuzz_draw.h"
#include "fuzz_edit.h"
#include "fuzz_interpret.h"
#include "fuzz_nest.h"
#include "fuzz_program.h"
#include "fuzz_shrink.h"

enum { SHRINKS_MAX = 12, EDITS = 12 };

/* All that a run of the fuzzer counts. */
struct fuzzer {
	struct fuzz_builder builder;
	struct fuzz_tally tally;
	uint64_t seed, next;
	int nests, cases, failures, runs, fallbacks, edits, edits_legal;
	bool is_interpreting;
};

/* The ways in which programs are compiled; each batch takes the next. */
static const char *const builds[][6] = {
	{ "-O1", "-ffp-contract=off", NULL },
	{ "-O2", "-march=native", "-ffp-contract=off", NULL },
	{ "-O1", "-fopenmp", "-ffp-contract=off", NULL },
	{ "-O1", "-march=native", "-ffp-contract=off", NULL },
	{ "-O1", "-fsanitize=undefined", "-fno-sanitize-recover", "-ffp-contract=off", NULL },
	{ "-O2", "-fopenmp", "-mavx2", "-ffp-contract=off", NULL },
};
static const char *const arm_builds[][6] = {
	{ "-O1", "-ffp-contract=off", "-static", NULL },
	{ "-O2", "-fopenmp", "-ffp-contract=off", "-static", NULL },
	{ "-O2", "-ffp-contract=off", "-static", NULL },
};
enum { BUILDS = sizeof(builds) / sizeof(builds[0]), ARM_BUILDS = sizeof(arm_builds) / sizeof(arm_builds[0]), EXIT_SKIP = 77 };
static const char arm_compiler[] = "aarch64-linux-gnu-gcc", arm_emulator[] = "qemu-aarch64";

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- failures ---- */

static const char *end_name(enum fuzz_end end)
{
	static const char *const names[] = { "equal", "different", "crash", "timeout", "no-compile" };

	return names[end];
}

static void trial_show(const struct fuzz_trial *trial, const struct fuzz_result *result, const char *title)
{
	struct text text = { 0 };

	fuzz_case_print(trial, &text);
	printf("---- %s: seed %llu, plan from %s: %s: %.2000s\n%s", title, (unsigned long long)trial->seed, trial->from,
	       end_name(result->end), result->detail, text_string(&text));
	text_clear(&text);
	nest_print(trial->rewritten, &text);
	printf("becomes\n%s%s\t%s\n", text_string(&text), trial->variant.helpers, trial->variant.body);
	text_free(&text);
}

static void fail(struct fuzzer *fuzzer, struct arena *arena, const struct fuzz_trial *trial, struct fuzz_result *result)
{
	struct fuzz_trial small;

	if (++fuzzer->failures > SHRINKS_MAX)
		return;
	trial_show(trial, result, "FAILURE");
	fflush(stdout);
	small = fuzz_shrink(arena, &fuzzer->builder, trial, result);
	trial_show(&small, result, "SHRUNK");
	fflush(stdout);
}

/* A rewritten nest that does something else when it is interpreted. */
static void fail_interpreted(struct fuzzer *fuzzer, struct arena *arena, const struct fuzz_trial *trial, const char *difference)
{
	struct fuzz_result result = { END_DIFFERENT, difference, 0, 0 };
	struct fuzz_trial small = *trial;

	if (++fuzzer->failures > SHRINKS_MAX)
		return;
	trial_show(trial, &result, "INTERPRETED");
	small = fuzz_shrink(arena, NULL, trial, &result);
	trial_show(&small, &result, "SHRUNK");
	fflush(stdout);
}

static void fail_unrun(struct fuzzer *fuzzer, const struct fuzz_trial *trial)
{
	struct text text = { 0 };

	if (++fuzzer->failures > SHRINKS_MAX)
		return;
	fuzz_case_print(trial, &text);
	printf("---- BROKEN: seed %llu, plan from %s: %s\n%s", (unsigned long long)trial->seed, trial->from, trial->broken,
	       text_string(&text));
	text_free(&text);
}

/* ---- batches ---- */

struct batch {
	struct arena *arena;
	int n;
	struct fuzz_trial trial[FUZZ_BATCH];
};

static void count_words(struct arena *arena, const char *text, struct fuzz_tally *tally)
{
	const struct plan *plan = plan_parse(arena, text, NULL);

	for (int i = 0; plan && i < plan->n; i++)
		tally->used[plan->action[i].kind]++;
}

static void add_plan(struct fuzzer *fuzzer, struct batch *batch, struct fuzz_trial trial, const char *from, const char *plan)
{
	struct diag why = { 0 };
	const char *difference;
	bool is_faulty;

	if (!plan || batch->n == FUZZ_BATCH)
		return;
	trial.from = from;
	trial.plan = plan;
	if (getenv("STROP_VERBOSE"))
		fprintf(stderr, "%llu %s %s\n", (unsigned long long)trial.seed, from, plan);
	switch (fuzz_case_make(batch->arena, &trial, batch->n, &why)) {
	case MADE_CODE:
		fuzzer->tally.legal++;
		count_words(batch->arena, plan, &fuzzer->tally);
		difference = fuzz_interpret(batch->arena, trial.nest, trial.rewritten, trial.mode, trial.seed, &is_faulty);
		if (trial.broken)
			fail_unrun(fuzzer, &trial);
		else if (difference && is_faulty)
			printf("---- FAULTY NEST: seed %llu: %s\n", (unsigned long long)trial.seed, difference);
		else if (difference)
			fail_interpreted(fuzzer, batch->arena, &trial, difference);
		else if (!fuzzer->is_interpreting)
			batch->trial[batch->n++] = trial;
		break;
	case MADE_ILLEGAL: fuzzer->tally.illegal++; break;
	case MADE_NO_CODE: fuzzer->tally.no_code++; break;
	}
}

/* Random edits of "nest": those that the validator accepts must change nothing. */
static void try_edits(struct fuzzer *fuzzer, struct arena *arena, const struct fuzz_trial *trial, struct rng *rng)
{
	struct dependences *dependences = dependences_new(trial->nest, trial->mode, NULL);

	for (int i = 0; i < EDITS && dependences; i++) {
		const char *names, *difference;
		struct nest *edited = fuzz_edit(arena, rng, trial->nest, 1 + (int)rng_below(rng, 3), &names);
		struct fuzz_trial shown = *trial;
		bool is_faulty;

		if (!edited)
			continue;
		fuzzer->edits++;
		if (!validate(dependences, edited, &(struct diag){ 0 }))
			continue;
		fuzzer->edits_legal++;
		difference = fuzz_interpret(arena, trial->nest, edited, trial->mode, trial->seed, &is_faulty);
		if (!difference || is_faulty || ++fuzzer->failures > SHRINKS_MAX)
			continue;
		shown.plan = names;
		shown.rewritten = edited;
		shown.variant = (struct variant){ "", "" };
		trial_show(&shown, &(struct fuzz_result){ END_DIFFERENT, difference, 0, 0 }, "VALIDATED EDIT");
		fflush(stdout);
	}
	dependences_free(dependences);
}

/* One random nest, in one mode, with plans from each source. */
static void add_nest(struct fuzzer *fuzzer, struct batch *batch, bool has_openmp)
{
	uint64_t seed = rng_derive(fuzzer->seed, arena_printf(batch->arena, "nest %llu", (unsigned long long)fuzzer->next++));
	struct fuzz_trial trial = { .seed = seed, .target = { .compiler = COMPILER_GCC, .has_fma = true, .has_openmp = has_openmp } };
	const char *plan[2];
	struct rng rng;
	int n;

	rng_seed(&rng, seed);
	trial.nest = fuzz_nest(batch->arena, &rng);
	trial.mode = rng_below(&rng, 2) ? FP_REASSOC : FP_ORDERED;
	trial.target.mode = trial.mode;
	trial.target.vector_bytes = (const int[]){ 64, 32, 16, 0 }[rng_below(&rng, 4)];
	fuzzer->nests++;
	n = fuzz_policy_plans(batch->arena, "heuristic", &trial, 1, plan);
	for (int i = 0; i < n; i++)
		add_plan(fuzzer, batch, trial, "heuristic", plan[i]);
	n = fuzz_policy_plans(batch->arena, "random", &trial, 1, plan);
	for (int i = 0; i < n; i++)
		add_plan(fuzzer, batch, trial, "random", plan[i]);
	for (int i = 0; i < 3; i++)
		add_plan(fuzzer, batch, trial, "drawn", fuzz_draw_plan(batch->arena, &rng, &trial, &fuzzer->tally));
	try_edits(fuzzer, batch->arena, &trial, &rng);
}

/* Run all of "batch"; false when it could not be. */
static bool run_batch(struct fuzzer *fuzzer, struct batch *batch)
{
	const struct fuzz_trial *pointer[FUZZ_BATCH];
	struct fuzz_result result[FUZZ_BATCH];
	struct diag diag = { 0 };

	for (int i = 0; i < batch->n; i++)
		pointer[i] = &batch->trial[i];
	if (fuzz_run(batch->arena, &fuzzer->builder, batch->n, pointer, result, &diag) != STATUS_OK) {
		fprintf(stderr, "fuzz_plans: %s\n", diag.message);
		return false;
	}
	for (int i = 0; i < batch->n; i++) {
		fuzzer->cases++;
		fuzzer->runs += result[i].runs;
		fuzzer->fallbacks += result[i].fallbacks;
		if (result[i].end != END_EQUAL)
			fail(fuzzer, batch->arena, &batch->trial[i], &result[i]);
	}
	return true;
}

static bool fuzz_batch(struct fuzzer *fuzzer, int number, double until)
{
	const bool is_arm = fuzzer->builder.emulator != NULL;
	struct batch batch = { .arena = arena_new() };
	bool has_openmp = false, is_good;

	fuzzer->builder.flags = is_arm ? arm_builds[number % ARM_BUILDS] : builds[number % BUILDS];
	for (const char *const *flag = fuzzer->builder.flags; *flag; flag++)
		has_openmp |= strcmp(*flag, "-fopenmp") == 0;
	while (batch.n + 5 <= FUZZ_BATCH && now() < until)
		add_nest(fuzzer, &batch, has_openmp);
	is_good = run_batch(fuzzer, &batch);
	arena_free(batch.arena);
	return is_good;
}

/* Nests whose plans are only interpreted. */
static void interpret_nests(struct fuzzer *fuzzer, double until, int most)
{
	fuzzer->is_interpreting = true;
	while (now() < until && (most == 0 || fuzzer->nests < most)) {
		struct batch batch = { .arena = arena_new() };

		add_nest(fuzzer, &batch, fuzzer->next % 2);
		arena_free(batch.arena);
	}
}

static void summary(const struct fuzzer *fuzzer)
{
	const struct fuzz_tally *tally = &fuzzer->tally;

	for (int i = 0; i < ACTION_COUNT; i++)
		printf("%-16s drawn: accepted %d, refused %d; in legal plans %d\n", action_info((enum action_kind)i)->name,
		       tally->accepted[i], tally->refused[i], tally->used[i]);
	printf("edits: %d, of which the validator accepted %d\n", fuzzer->edits, fuzzer->edits_legal);
	printf("seed %llu: %d nests, %d cases run (%d runs, %d of them by the original), plans legal %d, illegal %d, without code %d, "
	       "failures %d\n", (unsigned long long)fuzzer->seed, fuzzer->nests, fuzzer->cases, fuzzer->runs, fuzzer->fallbacks,
	       tally->legal, tally->illegal, tally->no_code, fuzzer->failures);
}

/* ---- cases from files ---- */

static bool replay(struct fuzzer *fuzzer, const char *path, bool is_shown)
{
	struct arena *arena = arena_new();
	struct text text = { 0 };
	struct diag diag = { 0 };
	struct fuzz_trial trial;
	bool is_read = file_read(path, &text, &diag) == STATUS_OK &&
		       fuzz_case_read(arena, text_string(&text), &trial, &diag) == STATUS_OK;

	text_free(&text);
	if (!is_read) {
		fprintf(stderr, "fuzz_plans: %s: %s\n", path, diag.message);
		arena_free(arena);
		return false;
	}
	if (fuzz_case_make(arena, &trial, 0, &diag) != MADE_CODE) {
		printf("%s: refused: %s\n", path, diag.message);
		fuzzer->tally.illegal++;
	} else {
		bool is_faulty;
		const char *difference = fuzz_interpret(arena, trial.nest, trial.rewritten, trial.mode, 1, &is_faulty);

		if (trial.broken)
			fail_unrun(fuzzer, &trial);
		if (difference)
			trial_show(&trial, &(struct fuzz_result){ END_DIFFERENT, difference, 0, 0 }, path);
		fuzzer->failures += difference != NULL;
		for (int b = 0; b < BUILDS; b++) {
			const struct fuzz_trial *pointer = &trial;
			struct fuzz_result result;
			bool has_openmp = strcmp(builds[b][1], "-fopenmp") == 0;

			if (has_openmp != trial.target.has_openmp)
				continue;
			fuzzer->builder.flags = builds[b];
			if (fuzz_run(arena, &fuzzer->builder, 1, &pointer, &result, &diag) != STATUS_OK)
				break;
			fuzzer->cases++;
			fuzzer->failures += result.end != END_EQUAL;
			if (result.end != END_EQUAL)
				trial_show(&trial, &result, path);
			else if (is_shown)
				printf("%s: %s %s: equal\n", path, builds[b][0], builds[b][1]);
		}
	}
	arena_free(arena);
	return !diag.message[0] || fuzzer->tally.illegal;
}

/* ---- main ---- */

static int run_random(struct fuzzer *fuzzer, double seconds, int batches)
{
	double until = now() + seconds;

	for (int i = 0; now() < until && (batches == 0 || i < batches); i++)
		if (!fuzz_batch(fuzzer, i, until))
			return EXIT_MACHINE;
	summary(fuzzer);
	return fuzzer->failures ? EXIT_GATE : EXIT_FINE;
}

static int run_interpreted(struct fuzzer *fuzzer, int n, char **word)
{
	fuzzer->seed = n > 1 ? strtoull(word[1], NULL, 10) : 1;
	interpret_nests(fuzzer, now() + (n > 0 ? atof(word[0]) : 60), n > 2 ? atoi(word[2]) : 0);
	summary(fuzzer);
	return fuzzer->failures ? EXIT_GATE : EXIT_FINE;
}

static int run_files(struct fuzzer *fuzzer, int n, char **path)
{
	for (int i = 0; i < n; i++)
		if (!replay(fuzzer, path[i], true))
			return EXIT_INPUT;
	printf("%d cases run, %d refused, %d failures\n", fuzzer->cases, fuzzer->tally.illegal, fuzzer->failures);
	return fuzzer->failures ? EXIT_GATE : EXIT_FINE;
}

/* Whether a program of that name is on PATH. */
static bool is_installed(const char *name)
{
	const char *const argv[] = { name, "--version", NULL };
	struct text output = { 0 };
	const struct process process = { .argv = argv, .seconds = 10, .output = &output, .errors = &output };
	struct process_end end = { 0 };
	struct diag diag = { 0 };
	const bool is_there = process_run(&process, &end, &diag) == STATUS_OK && end.status == 0;

	text_free(&output);
	return is_there;
}

int main(int argc, char **argv)
{
	const bool is_arm = argc > 1 && strcmp(argv[1], "arm") == 0;
	char **const word = argv + 1 + is_arm;
	const int words = argc - 1 - is_arm;
	struct fuzzer fuzzer = { .seed = words > 1 ? strtoull(word[1], NULL, 10) : 1 };
	struct arena *arena = arena_new();
	struct diag diag = { 0 };
	int code = EXIT_INPUT;

	if (words < 1) {
		fputs("usage: fuzz_plans SECONDS [SEED [BATCHES]] | interpret SECONDS [SEED [NESTS]] | arm SECONDS [SEED [BATCHES]] | replay FILE..\n", stderr);
		return EXIT_INPUT;
	}
	if (is_arm && (!is_installed(arm_compiler) || !is_installed(arm_emulator))) {
		printf("skipped: needs %s and %s\n", arm_compiler, arm_emulator);
		arena_free(arena);
		return EXIT_SKIP;
	}
	fuzzer.builder.compiler = is_arm ? arm_compiler : "gcc";
	fuzzer.builder.emulator = is_arm ? arm_emulator : NULL;
	fuzzer.builder.folder = folder_make_scratch(arena, &diag);
	if (!fuzzer.builder.folder || fuzz_runtime_build(arena, &fuzzer.builder, &diag) != STATUS_OK)
		fprintf(stderr, "fuzz_plans: %s\n", diag.message);
	else if (strcmp(word[0], "replay") == 0)
		code = run_files(&fuzzer, words - 1, word + 1);
	else if (strcmp(word[0], "interpret") == 0)
		code = run_interpreted(&fuzzer, words - 1, word + 1);
	else
		code = run_random(&fuzzer, atof(word[0]), words > 2 ? atoi(word[2]) : 0);
	if (fuzzer.builder.folder)
		folder_remove(fuzzer.builder.folder);
	arena_free(arena);
	return code;
}
