/* strop actions: the table of actions. */
#include <stdio.h>

#include "rewrite/plan.h"
#include "support/data.h"
#include "support/json.h"
#include "support/options.h"

#include "inputs.h"
#include "tools.h"

static void print_json(void)
{
	struct arena *arena = arena_new();
	struct data *list = data_list(arena);
	struct text text = { 0 };
	int kind;

	for (kind = 0; kind < ACTION_COUNT; kind++) {
		const struct action_info *info = action_info((enum action_kind)kind);
		struct data *map = data_map(arena);

		data_set_string(arena, map, "name", info->name);
		data_set_string(arena, map, "arguments", info->arguments);
		data_set_string(arena, map, "targets", info->targets);
		data_set_string(arena, map, "sentence", info->sentence);
		data_add(arena, list, map);
	}
	json_write(list, true, &text);
	puts(text_string(&text));
	text_free(&text);
	arena_free(arena);
}

static void print_table(void)
{
	int kind;

	for (kind = 0; kind < ACTION_COUNT; kind++) {
		const struct action_info *info = action_info((enum action_kind)kind);

		printf("%-16s %-28s %s\n", info->name, info->arguments, info->sentence);
	}
}

int actions_main(int argc, char **argv)
{
	bool json = false;
	const struct option table[] = { { "--json", OPTION_FLAG, &json, NULL, "print JSON" } };
	const struct usage usage = {
		"strop actions [--json]",
		"List the actions that plans are made of: name, arguments, and what each does. docs/actions/ has a page\n"
		"for each.",
		"strop actions", 1, table,
	};
	struct arguments arguments;
	struct diag diag = { 0 };

	if (options_parse(&usage, argc, argv, &arguments, &diag) != STATUS_OK)
		return fail(&diag);
	if (arguments.help)
		return EXIT_FINE;
	if (json)
		print_json();
	else
		print_table();
	return EXIT_FINE;
}
