/* plugin/command.c: compile_commands.json. The second part of the input is a response file, "args.rsp". */
#include "parse.h"

#include <unistd.h>

#include "plugin/command_internal.h"
#include "support/file.h"
#include "support/json.h"

static struct data *command_data(struct arena *arena, const struct command *command)
{
	struct data *map = data_map(arena), *words = data_list(arena);

	for (int i = 0; i < command->argc; i++)
		data_add(arena, words, data_string(arena, command->argv[i]));
	data_set_string(arena, map, "directory", command->directory);
	data_set_string(arena, map, "file", command->file);
	data_set(arena, map, "arguments", words);
	return map;
}

static void check_command(struct arena *arena, const struct command *command)
{
	struct arguments list = { .arena = arena };

	parse_require(command->directory[0] == '/' && command->file[0] == '/', "a path of a command is not absolute");
	parse_require(command->source > 0 && command->source < command->argc, "a command lacks its source");
	command_parse_arguments(command, "/resource", &list);
	for (int i = 0; i < list.argc; i++)
		parse_require(list.argv[i] != NULL, "a word of libclang's command line is missing");
}

static bool reprint_commands(struct arena *arena, const char *bytes, size_t size, struct text *out, struct diag *diag)
{
	struct data *entries = data_list(arena);
	struct command_list list;
	struct parse_part part[2];

	parse_split(arena, bytes, size, part);
	parse_file(arena, "compile_commands.json", part[0].bytes, part[0].size);
	if (part[1].bytes)
		parse_file(arena, "args.rsp", part[1].bytes, part[1].size);
	else
		unlink(path_join(arena, parse_folder(), "args.rsp"));
	if (command_load(arena, parse_folder(), 0, NULL, &list, diag) != STATUS_OK)
		return false;
	for (int i = 0; i < list.n; i++) {
		check_command(arena, &list.command[i]);
		data_add(arena, entries, command_data(arena, &list.command[i]));
	}
	json_write(entries, false, out);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_round_trip(data, size, reprint_commands);
	return 0;
}
