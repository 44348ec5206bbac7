/* strop tune: the main job: extract, ask, verify, time, decide. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/file.h"
#include "support/hash.h"
#include "support/json.h"
#include "support/process.h"

#include "capture.h"
#include "config.h"
#include "folders.h"
#include "inputs.h"
#include "progress.h"
#include "report.h"
#include "tools.h"
#include "place.h"
#include "tree.h"
#include "usertest.h"
#include "tuner.h"
#include "version.h"

static const double cold_share = 0.01;

/* The words of the command line, after .strop.yaml has filled in what they leave open. */
struct tune_options {
	const char *build, *fp, *policy, *budget, *sizes, *check, *bench, *lock, *cache, *journal, *replay;
	struct option_list only;
	int64_t seed;
	bool apply, again, json, no_diff;
};

/* A run of tune: what it works on and with. */
struct tune_run {
	struct arena *arena;
	struct tune_options options;
	struct tune_settings settings;
	struct command_list commands;
	struct unit **units;
	struct evidence *evidence;
	struct lock *lock;
	struct machine machine;
	int n_region, done, failed_units;
};

static enum status read_budget(const char *text, struct tune_settings *settings, struct diag *diag)
{
	char *end;
	double value = strtod(text, &end);

	settings->budget = 32;
	if (strcmp(end, "s") == 0 && value > 0 && value < 1e6) {
		settings->seconds = value;
		settings->budget = 4096;
	} else if (!*end && value >= 1 && value <= 1e6 && value == floor(value)) {
		settings->budget = (int)value;
	} else {
		return diag_set(diag, EXIT_INPUT, "--budget is a number of candidates (32) or seconds (60s) per region, not '%s'",
				text);
	}
	return STATUS_OK;
}

static const char *or(const char *first, const char *second, const char *third)
{
	return first ? first : second ? second : third;
}

/* Let .strop.yaml, then defaults, fill in what the command line leaves open. */
static enum status complete_options(struct tune_run *run, struct diag *diag)
{
	struct tune_options *options = &run->options;
	struct config config;
	enum fp_mode mode;

	if (config_load(run->arena, &config, diag) != STATUS_OK || config_demand_sandbox(&config, diag) != STATUS_OK)
		return STATUS_FAILED;
	options->fp = or(options->fp, config.fp, NULL);
	options->policy = or(options->policy, config.policy, "search");
	options->budget = or(options->budget, config.budget, "32");
	options->sizes = or(options->sizes, config.sizes, NULL);
	options->check = or(options->check, config.check, NULL);
	options->bench = or(options->bench, config.bench, NULL);
	options->lock = or(options->lock, config.lock, "strop.lock");
	options->cache = or(options->cache, config.cache, "auto");
	options->seed = options->seed ? options->seed : config.seed ? config.seed : 1;
	if (options->fp && !fp_mode_find(options->fp, &mode))
		return diag_set(diag, EXIT_INPUT, "there is no fp mode '%s': ordered, reassoc, exact", options->fp);
	return STATUS_OK;
}

/* A hash of the running program: another build may judge and time otherwise. */
static const char *build_hash(struct arena *arena)
{
	struct text text = { 0 };
	char hex[33];

	file_read("/proc/self/exe", &text, NULL);
	hash_bytes(text_string(&text), text.size, hex);
	text_free(&text);
	return arena_strdup(arena, hex);
}

/* What results depend on beyond sources and flags: this build of strop, the machine, and the compiler's first words. */
static const char *make_salt(struct tune_run *run)
{
	const char *const argv[] = { run->commands.n ? run->commands.command[0].argv[0] : "cc", "--version", NULL };
	struct text output = { 0 };
	const struct process process = { .argv = argv, .seconds = 10, .output = &output };
	struct process_end end;
	const char *salt;

	process_run(&process, &end, NULL);
	salt = arena_printf(run->arena, "%s; %s; %.*s", build_hash(run->arena), run->machine.name,
			    (int)strcspn(text_string(&output), "\n"), text_string(&output));
	text_free(&output);
	return salt;
}

static enum status complete_settings(struct tune_run *run, struct diag *diag)
{
	const struct tune_options *options = &run->options;
	struct tune_settings *settings = &run->settings;

	settings->policy = policy_find(options->policy);
	if (!settings->policy)
		return diag_set(diag, EXIT_INPUT, "there is no policy '%s': heuristic, random, search", options->policy);
	if (read_budget(options->budget, settings, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (!cache_find(options->cache, &settings->cache))
		return diag_set(diag, EXIT_INPUT, "there is no cache state '%s': auto, warm, cold", options->cache);
	settings->mode = options->fp;
	settings->seed = (uint64_t)options->seed;
	settings->sizes = options->sizes;
	settings->machine = &run->machine;
	settings->salt = make_salt(run);
	settings->scratch = folder_make_scratch(run->arena, diag);
	return settings->scratch ? STATUS_OK : STATUS_FAILED;
}

/* What the journal begins with: all that a replay needs to make the same decisions. */
static struct data *start_data(struct tune_run *run)
{
	const struct tune_options *options = &run->options;
	struct data *map = data_map(run->arena), *machine = data_map(run->arena);

	data_set_string(run->arena, map, "kind", "start");
	data_set_string(run->arena, map, "strop", STROP_VERSION);
	data_set_string(run->arena, map, "fp", options->fp);
	data_set_string(run->arena, map, "policy", options->policy);
	data_set_string(run->arena, map, "budget", options->budget);
	data_set_string(run->arena, map, "sizes", options->sizes);
	data_set_string(run->arena, map, "cache", options->cache);
	data_set_integer(run->arena, map, "seed", options->seed);
	data_set_string(run->arena, machine, "name", run->machine.name);
	data_set_integer(run->arena, machine, "cores", run->machine.cores);
	data_set_integer(run->arena, machine, "vector_bytes", run->machine.vector_bytes);
	data_set_real(run->arena, machine, "flops_f64", run->machine.flops_f64);
	data_set_real(run->arena, machine, "flops_f32", run->machine.flops_f32);
	data_set_real(run->arena, machine, "bandwidth_l1", run->machine.bandwidth_l1);
	data_set_real(run->arena, machine, "bandwidth_l2", run->machine.bandwidth_l2);
	data_set_real(run->arena, machine, "bandwidth_l3", run->machine.bandwidth_l3);
	data_set_real(run->arena, machine, "bandwidth_memory", run->machine.bandwidth_memory);
	data_set_integer(run->arena, machine, "l1", (int64_t)run->machine.l1);
	data_set_integer(run->arena, machine, "l2", (int64_t)run->machine.l2);
	data_set_integer(run->arena, machine, "l3", (int64_t)run->machine.l3);
	data_set(run->arena, map, "machine", machine);
	return map;
}

/* Take options and machine from the journal that is replayed. */
static void read_start(struct tune_run *run, const struct data *start)
{
	const struct data *machine = data_find(start, "machine");
	struct tune_options *options = &run->options;

	options->fp = data_find_string(start, "fp", NULL);
	options->policy = data_find_string(start, "policy", "search");
	options->budget = data_find_string(start, "budget", "32");
	options->sizes = data_find_string(start, "sizes", NULL);
	options->cache = data_find_string(start, "cache", "auto");
	options->seed = data_find_integer(start, "seed", 1);
	snprintf(run->machine.name, sizeof(run->machine.name), "%s", data_find_string(machine, "name", ""));
	run->machine.cores = (int)data_find_integer(machine, "cores", 1);
	run->machine.vector_bytes = (int)data_find_integer(machine, "vector_bytes", 16);
	run->machine.flops_f64 = data_find_real(machine, "flops_f64", 0);
	run->machine.flops_f32 = data_find_real(machine, "flops_f32", 0);
	run->machine.bandwidth_l1 = data_find_real(machine, "bandwidth_l1", 0);
	run->machine.bandwidth_l2 = data_find_real(machine, "bandwidth_l2", 0);
	run->machine.bandwidth_l3 = data_find_real(machine, "bandwidth_l3", 0);
	run->machine.bandwidth_memory = data_find_real(machine, "bandwidth_memory", 0);
	run->machine.l1 = (size_t)data_find_integer(machine, "l1", 0);
	run->machine.l2 = (size_t)data_find_integer(machine, "l2", 0);
	run->machine.l3 = (size_t)data_find_integer(machine, "l3", 0);
}

/* Where this run's journal goes: as asked, else a fresh file in the cache folder. */
static const char *journal_path(const struct tune_run *run, const char *cache)
{
	struct timespec now;

	if (run->options.journal)
		return run->options.journal;
	clock_gettime(CLOCK_REALTIME, &now);
	return arena_printf(run->arena, "%s/journal/%lld-%d.jsonl", cache, (long long)now.tv_sec, (int)getpid());
}

static enum status open_evidence(struct tune_run *run, struct diag *diag)
{
	const char *cache = folders_cache(run->arena);
	const struct data *start;

	if (run->options.replay) {
		run->evidence = evidence_replay(run->options.replay, &start, diag);
		if (run->evidence)
			read_start(run, start);
		return run->evidence ? STATUS_OK : STATUS_FAILED;
	}
	progress_show(0, 1, "measuring the machine");
	if (machine_get(cache, &run->machine, diag) != STATUS_OK)
		return STATUS_FAILED;
	run->evidence = evidence_open(cache, journal_path(run, cache), start_data(run), diag);
	return run->evidence ? STATUS_OK : STATUS_FAILED;
}

/* Whether region is among those asked for by --only. */
static bool is_wanted(const struct tune_run *run, const struct region *region)
{
	const struct option_list *only = &run->options.only;
	int i;

	for (i = 0; i < only->n; i++)
		if (strstr(region->id, only->value[i]))
			return true;
	return only->n == 0;
}

/* Whether the region is text that an applied rewrite put there. */
static bool is_ours(const struct tune_run *run, const struct unit *unit, const struct region *region)
{
	const struct unit_file *file = unit_find_file(unit, region->file);
	const struct decision **decisions = ARENA_ARRAY(run->arena, const struct decision *, run->lock->n + 1);
	int n = tree_decisions(run->lock, region->file, decisions, run->lock->n);

	return file && n && place_is_inside(file->text, file->size, n, decisions, region->begin);
}

static enum status keep_decision(struct tune_run *run, struct decision *decision, struct diag *diag)
{
	decision->file = path_relative(decision->file, path_folder(run->arena, run->lock->path));
	lock_set(run->lock, decision);
	return lock_save(run->lock, diag);
}

/* Whether the lock has an answer for the same text, asked in the same way. */
static bool is_decided(const struct tune_run *run, const struct region *region, const struct decision *fresh)
{
	const struct decision *known = lock_find(run->lock, region->id);

	return known && !run->options.again && !run->options.replay && strcmp(known->anchor, fresh->anchor) == 0 &&
	       (!run->settings.mode || strcmp(known->fp, run->settings.mode) == 0) && known->setup &&
	       strcmp(known->setup, fresh->setup) == 0;
}

/* Fill in what a run of the program told of the region, and note it in the journal; in a replay the journal tells. */
static enum status fill_input(struct tune_run *run, const struct capture *capture, struct arena *arena,
			      struct tune_region *input, struct diag *diag)
{
	const struct region *region = input->region;
	const struct evidence_key key = { region->anchor, region->id, "capture", NULL };
	const struct data *known;

	if (!evidence_is_replay(run->evidence)) {
		capture_fill(capture, arena, region, input);
		evidence_add(run->evidence, &key, capture_data(arena, input));
		return STATUS_OK;
	}
	known = evidence_find(run->evidence, arena, &key);
	if (!known)
		return diag_set(diag, EXIT_INPUT, "%s: the journal does not know this region; it is not of these sources",
				region->id);
	capture_read(known, arena, input);
	return STATUS_OK;
}

static enum status tune_region(struct tune_run *run, const struct unit *unit, int index, const struct capture *capture,
			       struct diag *diag)
{
	const struct region *region = &unit->region[index];
	struct tune_region input = { .unit = unit, .region = region, .number = index, .share = -1,
				     .done = run->done, .total = run->n_region };
	struct decision decision;
	struct arena *arena;
	enum status status;

	decision_init(run->arena, region, &run->settings, run->settings.mode ? run->settings.mode : "ordered", &decision);
	if (is_decided(run, region, &decision))
		return STATUS_OK;
	if (region->is_off) {
		decision.reason = "off";
		decision.sentence = "the source says strop: off";
		return keep_decision(run, &decision, diag);
	}
	arena = arena_new();
	if (fill_input(run, capture, arena, &input, diag) != STATUS_OK) {
		arena_free(arena);
		return STATUS_FAILED;
	}
	if (input.share >= 0 && input.share < cold_share) {
		decision.reason = "cold";
		decision.share = input.share;
		decision.sentence = arena_printf(arena, "it takes %.2f %% of the program's time", input.share * 100);
		status = keep_decision(run, &decision, diag);
	} else {
		status = tune_one(arena, &input, &run->settings, run->evidence, &decision, diag);
		if (status == STATUS_OK)
			status = keep_decision(run, &decision, diag);
	}
	arena_free(arena);
	return status;
}

static enum status tune_unit(struct tune_run *run, const struct unit *unit, const struct capture *capture,
			     struct diag *diag)
{
	enum status status = STATUS_OK;
	int i;

	for (i = 0; i < unit->n_region && status == STATUS_OK; i++) {
		const struct region *region = &unit->region[i];

		if (!region->nest || !is_wanted(run, region) || is_ours(run, unit, region))
			continue;
		status = tune_region(run, unit, i, capture, diag);
		run->done++;
	}
	return status;
}

static enum status scan_all(struct tune_run *run, struct diag *diag)
{
	struct diag *diags = ARENA_ARRAY(run->arena, struct diag, run->commands.n);
	int i, k;

	run->units = ARENA_ARRAY(run->arena, struct unit *, run->commands.n);
	inputs_scan(&run->commands, run->units, diags);
	for (i = 0; i < run->commands.n; i++) {
		if (!run->units[i]) {
			progress_clear();
			fprintf(stderr, "strop: %s\n", diags[i].message);
			run->failed_units++;
			continue;
		}
		for (k = 0; k < run->units[i]->n_region; k++)
			run->n_region += run->units[i]->region[k].nest && is_wanted(run, &run->units[i]->region[k]);
	}
	if (run->failed_units == run->commands.n)
		return diag_set(diag, diags[0].code ? diags[0].code : EXIT_INPUT, "no file could be parsed");
	return STATUS_OK;
}

static enum status tune_all(struct tune_run *run, struct diag *diag)
{
	enum status status = scan_all(run, diag);
	bool may_run = !run->settings.sizes && !run->options.replay;
	struct capture *capture;
	int i;

	if (status != STATUS_OK)
		return status;
	capture = capture_units(run->commands.n, run->units, may_run ? run->settings.scratch : NULL,
				capture_folder(run->arena));
	for (i = 0; i < run->commands.n && status == STATUS_OK; i++)
		if (run->units[i])
			status = tune_unit(run, run->units[i], capture, diag);
	capture_free(capture);
	progress_clear();
	return status == STATUS_OK ? lock_save(run->lock, diag) : status;
}

/* Put the rewrites in as asked, with the user's own test and benchmark around, and show what came of all. */
static enum status conclude(struct tune_run *run, struct diag *diag)
{
	const struct tune_options *options = &run->options;
	struct tree_change change = { 0 };
	struct text patch = { 0 };
	struct usertest trial = { 0 };
	enum status status = STATUS_OK;

	if (options->apply || options->check || options->bench)
		status = usertest_run(run->lock, options->check, options->bench, options->apply, &trial, diag);
	if (status == STATUS_OK && !options->json)
		report_table(run->lock, run->commands.n, run->units, &trial);
	if (status == STATUS_OK && options->json)
		report_json(run->lock, run->commands.n, run->units, &trial);
	if (status == STATUS_OK && !options->json && !options->no_diff && !options->apply) {
		status = tree_diff(run->lock, &patch, &change, diag);
		if (patch.size)
			printf("\n%s", text_string(&patch));
	}
	if (status == STATUS_OK && options->apply && !options->json)
		printf("\nthe rewrites are in the tree; strop revert takes them out\n");
	text_free(&change.stale);
	text_free(&patch);
	return status;
}

static enum status prepare(struct tune_run *run, const struct arguments *arguments, struct diag *diag)
{
	if (complete_options(run, diag) != STATUS_OK ||
	    inputs_commands(run->arena, run->options.build, arguments, &run->commands, diag) != STATUS_OK)
		return STATUS_FAILED;
	run->lock = lock_load(run->options.lock, diag);
	if (!run->lock || lock_claim(run->options.lock, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (open_evidence(run, diag) != STATUS_OK)
		return STATUS_FAILED;
	return complete_settings(run, diag);
}

static int tune(struct tune_run *run, const struct arguments *arguments)
{
	struct diag diag = { 0 };
	int i, code = EXIT_FINE;

	if (prepare(run, arguments, &diag) != STATUS_OK || tune_all(run, &diag) != STATUS_OK ||
	    conclude(run, &diag) != STATUS_OK) {
		progress_clear();
		code = fail(&diag);
	} else if (run->failed_units) {
		code = EXIT_INPUT;
	}
	if (run->settings.scratch)
		folder_remove(run->settings.scratch);
	for (i = 0; run->units && i < run->commands.n; i++)
		unit_free(run->units[i]);
	evidence_close(run->evidence);
	lock_free(run->lock);
	return code;
}

int tune_main(int argc, char **argv)
{
	struct tune_run run = { .arena = arena_new() };
	struct tune_options *o = &run.options;
	const struct option table[] = {
		{ "-p", OPTION_STRING, &o->build, "BUILD", "folder with compile_commands.json" },
		{ "--apply", OPTION_FLAG, &o->apply, NULL, "put what is accepted into the sources" },
		{ "--only", OPTION_LIST, &o->only, "WORD", "only regions whose id contains WORD (repeatable)" },
		{ "--budget", OPTION_STRING, &o->budget, "N|60s", "candidates, or seconds, per region (32)" },
		{ "--fp", OPTION_STRING, &o->fp, "MODE", "ordered, reassoc or exact (what the flags imply)" },
		{ "--policy", OPTION_STRING, &o->policy, "P", "heuristic, random or search (search)" },
		{ "--sizes", OPTION_STRING, &o->sizes, "N=1024,..", "time at these sizes" },
		{ "--cache", OPTION_STRING, &o->cache, "STATE", "time with caches warm, cold, or auto: as the program does (auto)" },
		{ "--seed", OPTION_INTEGER, &o->seed, "N", "of policy and inputs (1)" },
		{ "--check", OPTION_STRING, &o->check, "CMD", "your test, run without and with the rewrites" },
		{ "--bench", OPTION_STRING, &o->bench, "CMD", "your benchmark, timed without and with them" },
		{ "--lock", OPTION_STRING, &o->lock, "FILE", "where decisions are kept (strop.lock)" },
		{ "--again", OPTION_FLAG, &o->again, NULL, "decide afresh what the lock has decided" },
		{ "--journal", OPTION_STRING, &o->journal, "FILE", "where the journal goes (cache folder)" },
		{ "--replay", OPTION_STRING, &o->replay, "FILE", "decide from this journal, measuring nothing" },
		{ "--no-diff", OPTION_FLAG, &o->no_diff, NULL, "print no diff" },
		{ "--json", OPTION_FLAG, &o->json, NULL, "print JSON" },
	};
	const struct usage usage = {
		"strop tune [FILES | -p BUILD] [OPTIONS] [-- FLAGS]",
		"Find faster versions of the hot loops, prove each equal to the original by differential testing, time\n"
		"both, keep the decisions in strop.lock and print a diff. An interrupted run resumes where it was.",
		"strop tune --apply gemm.c -- gcc -O3 -march=native", sizeof(table) / sizeof(*table), table,
	};
	struct arguments arguments;
	struct diag diag = { 0 };
	int code = EXIT_FINE;

	if (options_parse(&usage, argc, argv, &arguments, &diag) != STATUS_OK)
		code = fail(&diag);
	else if (!arguments.help)
		code = tune(&run, &arguments);
	arena_free(run.arena);
	return code;
}
