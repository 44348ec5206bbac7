/* strop scan: the regions found, and why other loops were left alone. */
#include <stdio.h>
#include <string.h>

#include "support/data.h"
#include "support/file.h"
#include "support/json.h"
#include "support/memory.h"

#include "inputs.h"
#include "tools.h"

struct scan_options {
	const char *build;
	bool json, nests, strict;
};

/* Totals over all units. */
struct scan_count {
	int lifted, left, failed;
};

static void print_region(const struct region *region, bool nests)
{
	struct text text = { 0 };

	if (region->nest) {
		printf("%s  lines %d-%d  %d statements\n", region->id, region->line, region->end_line,
		       region->nest->n_label);
		if (nests) {
			nest_print(region->nest, &text);
			fputs(text_string(&text), stdout);
			text_free(&text);
		}
		return;
	}
	printf("%s  line %d: left alone (%s): %s\n", region->id, region->line, refusal_name(region->refusal),
	       region->detail ? region->detail : refusal_sentence(region->refusal));
}

static struct data *region_data(struct arena *arena, const struct region *region)
{
	struct data *map = data_map(arena);
	struct text text = { 0 };

	data_set_string(arena, map, "id", region->id);
	data_set_string(arena, map, "file", region->file);
	data_set_string(arena, map, "function", region->function);
	data_set_integer(arena, map, "line", region->line);
	data_set_integer(arena, map, "end_line", region->end_line);
	data_set_bool(arena, map, "lifted", region->nest != NULL);
	if (region->nest) {
		nest_print(region->nest, &text);
		data_set_string(arena, map, "nest", text_string(&text));
		data_set_string(arena, map, "key", region->key);
		data_set_string(arena, map, "anchor", region->anchor);
		text_free(&text);
	} else {
		data_set_string(arena, map, "reason", refusal_name(region->refusal));
		data_set_string(arena, map, "sentence",
				region->detail ? region->detail : refusal_sentence(region->refusal));
		data_set_integer(arena, map, "reason_line", region->refusal_line);
	}
	return map;
}

static void count_unit(const struct unit *unit, struct scan_count *count)
{
	int i;

	for (i = 0; i < unit->n_region; i++) {
		if (unit->region[i].nest)
			count->lifted++;
		else
			count->left++;
	}
}

static void report_text(const struct command_list *list, struct unit **units, const struct diag *diags, bool nests)
{
	int i, k;

	for (i = 0; i < list->n; i++) {
		if (!units[i]) {
			fflush(stdout);
			fprintf(stderr, "strop: %s\n", diags[i].message);
		}
		for (k = 0; units[i] && k < units[i]->n_region; k++)
			print_region(&units[i]->region[k], nests);
	}
}

static void report_json(const struct command_list *list, struct unit **units, const struct diag *diags)
{
	struct arena *arena = arena_new();
	struct data *root = data_map(arena), *regions = data_list(arena), *errors = data_list(arena);
	struct text text = { 0 };
	int i, k;

	for (i = 0; i < list->n; i++) {
		if (!units[i])
			data_add(arena, errors, data_string(arena, diags[i].message));
		for (k = 0; units[i] && k < units[i]->n_region; k++)
			data_add(arena, regions, region_data(arena, &units[i]->region[k]));
	}
	data_set(arena, root, "regions", regions);
	data_set(arena, root, "errors", errors);
	json_write(root, true, &text);
	puts(text_string(&text));
	text_free(&text);
	arena_free(arena);
}

static int report(const struct command_list *list, struct unit **units, const struct diag *diags,
		  const struct scan_options *options)
{
	struct scan_count count = { 0 };
	int i;

	for (i = 0; i < list->n; i++) {
		if (units[i])
			count_unit(units[i], &count);
		else
			count.failed++;
	}
	if (options->json)
		report_json(list, units, diags);
	else
		report_text(list, units, diags, options->nests);
	if (!options->json)
		printf("%d region%s lifted, %d loop%s left alone, in %d file%s\n", count.lifted,
		       count.lifted == 1 ? "" : "s", count.left, count.left == 1 ? "" : "s", list->n - count.failed,
		       list->n - count.failed == 1 ? "" : "s");
	if (count.failed)
		return EXIT_INPUT;
	return options->strict && count.left ? EXIT_GATE : EXIT_FINE;
}

int scan_main(int argc, char **argv)
{
	struct scan_options options = { 0 };
	const struct option table[] = {
		{ "-p", OPTION_STRING, &options.build, "BUILD", "folder with compile_commands.json" },
		{ "--nests", OPTION_FLAG, &options.nests, NULL, "print each region's nest" },
		{ "--json", OPTION_FLAG, &options.json, NULL, "print JSON" },
		{ "--strict", OPTION_FLAG, &options.strict, NULL, "exit with 1 when a loop was left alone" },
	};
	const struct usage usage = {
		"strop scan [FILES | -p BUILD] [-- FLAGS]",
		"Find the loop nests that strop can rewrite, and say for each other loop why it was left alone.",
		"strop scan --nests gemm.c -- gcc -O3 -march=native", 4, table,
	};
	struct arguments arguments;
	struct command_list list = { 0 };
	struct arena *arena = arena_new();
	struct diag diag = { 0 };
	struct unit **units;
	struct diag *diags;
	int i, code;

	if (options_parse(&usage, argc, argv, &arguments, &diag) != STATUS_OK ||
	    (!arguments.help && inputs_commands(arena, options.build, &arguments, &list, &diag) != STATUS_OK)) {
		arena_free(arena);
		return fail(&diag);
	}
	if (arguments.help) {
		arena_free(arena);
		return EXIT_FINE;
	}
	units = ARENA_ARRAY(arena, struct unit *, list.n);
	diags = ARENA_ARRAY(arena, struct diag, list.n);
	inputs_scan(&list, units, diags);
	code = report(&list, units, diags, &options);
	for (i = 0; i < list.n; i++)
		unit_free(units[i]);
	arena_free(arena);
	return code;
}
