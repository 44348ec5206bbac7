/* strop verify: judge any two versions of a function. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plugin/function.h"
#include "profiler/measure.h"
#include "rewrite/codegen.h"
#include "rewrite/fp.h"
#include "support/data.h"
#include "support/file.h"
#include "support/json.h"
#include "support/options.h"
#include "support/process.h"
#include "support/rng.h"
#include "verifier/judge.h"

#include "config.h"
#include "inputs.h"
#include "measured.h"
#include "tools.h"
#include "tuner.h"

/* What the user asked for, and the judge that answers. */
struct verify {
	struct arena *arena;
	const char *function_name, *mode, *sizes;
	int64_t seed;
	bool time, json;
	int n_new;
	struct unit *unit;
	struct function *function;
	struct job job;
	struct judge *judge;
	struct data *results;
};

static const double run_seconds = 60;
static const size_t run_memory = (size_t)8 << 30;

/* A seed that nobody can guess, unless the user gave one. */
static uint64_t choose_seed(int64_t given)
{
	struct timespec now;

	if (given >= 0)
		return (uint64_t)given;
	clock_gettime(CLOCK_REALTIME, &now);
	return rng_derive((uint64_t)now.tv_nsec ^ ((uint64_t)getpid() << 32), "verify");
}

static enum status choose_mode(struct verify *verify, struct diag *diag)
{
	static const enum strictness strictness[FP_MODE_COUNT] = {
		[FP_ORDERED] = STRICT_ORDERED, [FP_REASSOC] = STRICT_REASSOC, [FP_EXACT] = STRICT_EXACT,
	};
	const char *name = verify->mode ? verify->mode : verify->function->mode;
	const struct command *command = verify->unit->command;
	bool is_fast_math = false;
	struct target target;
	enum fp_mode mode;

	if (target_probe(command->directory, command->argc, command->argv, &target, &is_fast_math, diag) != STATUS_OK)
		return STATUS_FAILED;
	mode = is_fast_math ? FP_REASSOC : FP_ORDERED;
	if (name && !fp_mode_find(name, &mode))
		return diag_set(diag, EXIT_INPUT, "there is no fp mode '%s': ordered, reassoc, exact", name);
	verify->job.strictness = strictness[mode];
	return STATUS_OK;
}

/* Keep the sizes that name integer params. */
static enum status choose_sizes(struct verify *verify, struct diag *diag)
{
	const char *text = verify->sizes ? verify->sizes : verify->function->sizes;
	struct size *size;
	int n;

	if (!text)
		return STATUS_OK;
	if (sizes_parse(verify->arena, text, &n, &size, diag) != STATUS_OK)
		return STATUS_FAILED;
	verify->job.size = size;
	for (int i = 0; i < n; i++)
		if (nest_find_var(verify->function->nest, size[i].name))
			size[verify->job.n_size++] = size[i];
	return STATUS_OK;
}

static enum status fill_job(struct verify *verify, struct diag *diag)
{
	const struct command *command = verify->unit->command;
	const struct function *function = verify->function;

	verify->job = (struct job){
		.id = function->name,
		.file = command->file,
		.main_file = command->file,
		.text = function->text,
		.text_size = function->size,
		.begin = function->begin,
		.end = function->end,
		.function_begin = function->function_begin,
		.directory = command->directory,
		.argc = command->argc,
		.argv = command->argv,
		.source = command->source,
		.nest = function->nest,
		.signature = function->signature,
		.scratch = folder_make_scratch(verify->arena, diag),
		.seconds = run_seconds,
		.memory = run_memory,
		.seed = choose_seed(verify->seed),
	};
	if (!verify->job.scratch || choose_mode(verify, diag) != STATUS_OK)
		return STATUS_FAILED;
	return choose_sizes(verify, diag);
}

/* One line, or an entry of the JSON, for the version in "path". */
static void report(struct verify *verify, const char *path, const struct verdict *verdict, const struct measurement *measurement)
{
	struct data *entry = data_map(verify->arena);
	const char *witness = verdict->witness ? verdict->witness : "", *sanitizers = judge_sanitizers(verify->judge);
	const char *races = judge_races(verify->judge);

	if (!verify->json) {
		printf("%s: %s%s%s\n", path, verdict_name(verdict->kind), *witness ? ": " : "", witness);
		if (measurement)
			printf("  %s: %s\n", outcome_name(measurement->outcome), measured_sentence(verify->arena, measurement));
		if (sanitizers && strncmp(sanitizers, "not run", 7) == 0)
			printf("  sanitizers %s\n", sanitizers);
		if (races && strncmp(races, "not run", 7) == 0)
			printf("  search for races %s\n", races);
		fflush(stdout);
		return;
	}
	data_set_string(verify->arena, entry, "file", path);
	data_set_string(verify->arena, entry, "verdict", verdict_name(verdict->kind));
	data_set_string(verify->arena, entry, "witness", witness);
	data_set_string(verify->arena, entry, "sanitizers", sanitizers);
	data_set_string(verify->arena, entry, "races", races);
	if (measurement)
		data_set(verify->arena, entry, "measurement", measured_data(verify->arena, measurement));
	data_add(verify->arena, verify->results, entry);
}

/* Judge the version in "path"; "*code" becomes EXIT_GATE when it is not equal. */
static enum status verify_file(struct verify *verify, const char *path, int *code, struct diag *diag)
{
	const struct measure_options options = {
		.effort = MEASURE_ACCEPT, .contenders = verify->n_new, .seed = verify->job.seed,
	};
	struct text text = { 0 };
	struct verdict verdict;
	struct measurement measurement;
	enum status status = file_read(path, &text, diag);
	bool is_timed = false;

	if (status == STATUS_OK && !strstr(text_string(&text), verify->function_name))
		status = diag_set(diag, EXIT_INPUT, "%s defines no function '%s'", path, verify->function_name);
	if (status == STATUS_OK)
		status = judge_file(verify->judge, text_string(&text), text.size, &verdict, diag);
	if (status == STATUS_OK && verify->time && verdict.kind == VERDICT_EQUAL) {
		status = measure_pair(verify->judge, judge_original(verify->judge), judge_last(verify->judge), &options,
				      &measurement, diag);
		is_timed = status == STATUS_OK;
	}
	status = process_finish(status, diag);
	if (status == STATUS_OK) {
		report(verify, path, &verdict, is_timed ? &measurement : NULL);
		if (verdict.kind != VERDICT_EQUAL)
			*code = EXIT_GATE;
	}
	text_free(&text);
	return status;
}

static enum status verify_all(struct verify *verify, const struct arguments *arguments, int *code, struct diag *diag)
{
	struct verdict admission;

	verify->judge = judge_open(verify->arena, &verify->job, &admission, diag);
	if (!verify->judge)
		return process_finish(STATUS_FAILED, diag);
	if (admission.kind != VERDICT_EQUAL)
		return diag_set(diag, EXIT_INCONCLUSIVE, "%s: %s: %s", verify->function_name, verdict_name(admission.kind),
				admission.witness ? admission.witness : "");
	verify->n_new = arguments->n_file - 1;
	for (int i = 1; i < arguments->n_file; i++)
		if (verify_file(verify, arguments->file[i], code, diag) != STATUS_OK)
			return STATUS_FAILED;
	return STATUS_OK;
}

static enum status verify_run(struct verify *verify, struct arguments *arguments, int *code, struct diag *diag)
{
	struct arguments old = *arguments;
	struct command_list list;
	struct config config;

	if (!verify->function_name || arguments->n_file < 2)
		return diag_set(diag, EXIT_INPUT, "verify needs an old and a new file, and --function F");
	if (config_load(verify->arena, &config, diag) != STATUS_OK || config_demand_sandbox(&config, diag) != STATUS_OK)
		return STATUS_FAILED;
	old.n_file = 1;
	if (inputs_commands(verify->arena, NULL, &old, &list, diag) != STATUS_OK)
		return STATUS_FAILED;
	verify->unit = unit_scan(&list.command[0], diag);
	verify->function = verify->unit ? function_find(verify->arena, verify->unit, verify->function_name, diag) : NULL;
	if (!verify->function || fill_job(verify, diag) != STATUS_OK)
		return STATUS_FAILED;
	return verify_all(verify, arguments, code, diag);
}

static void print_results(const struct verify *verify)
{
	struct text text = { 0 };

	if (!verify->json)
		return;
	json_write(verify->results, true, &text);
	puts(text_string(&text));
	text_free(&text);
}

int verify_main(int argc, char **argv)
{
	struct verify verify = { .seed = -1 };
	const struct option table[] = {
		{ "--function", OPTION_STRING, &verify.function_name, "F", "the function to judge" },
		{ "--fp", OPTION_STRING, &verify.mode, "MODE", "ordered, reassoc or exact (as tune chooses it)" },
		{ "--sizes", OPTION_STRING, &verify.sizes, "N=V,..", "sizes to judge and time at, besides others" },
		{ "--seed", OPTION_INTEGER, &verify.seed, "N", "make the inputs from this seed (a fresh one)" },
		{ "--time", OPTION_FLAG, &verify.time, NULL, "time the versions that are equal" },
		{ "--json", OPTION_FLAG, &verify.json, NULL, "print JSON" },
	};
	const struct usage usage = {
		"strop verify OLD NEW... --function F [options] [-- FLAGS]",
		"Judge other versions of a function: each file, compiled alone with FLAGS, must make F do what OLD's does, on many\n"
		"shapes and values. A line per NEW: the verdict and its witness. Exit code 0: all equal; 1: one is not; 3: F cannot be\n"
		"judged.",
		"strop verify old.c new.c --function dot --fp reassoc -- gcc -O3 -march=native", 6, table,
	};
	struct arguments arguments;
	struct diag diag = { 0 };
	int code = EXIT_FINE;

	if (options_parse(&usage, argc, argv, &arguments, &diag) != STATUS_OK)
		return fail(&diag);
	if (arguments.help)
		return EXIT_FINE;
	verify.arena = arena_new();
	verify.results = data_list(verify.arena);
	if (verify_run(&verify, &arguments, &code, &diag) != STATUS_OK)
		code = fail(&diag);
	else
		print_results(&verify);
	judge_close(verify.judge);
	if (verify.job.scratch)
		folder_remove(verify.job.scratch);
	unit_free(verify.unit);
	arena_free(verify.arena);
	return code;
}
