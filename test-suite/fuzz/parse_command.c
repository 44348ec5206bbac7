/* plugin/arguments.c and plugin/command_parse.c: a command line as the shell and response files write it. */
#include "parse.h"

#include <unistd.h>

#include "plugin/command_internal.h"

/* Print "word" in quotes, as the shell or a response file reads it. */
static void print_word(const char *word, bool is_shell, struct text *out)
{
	text_append_char(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			text_append(out, is_shell ? "'\\''" : "\\'");
		else if (*word == '\\' && !is_shell)
			text_append(out, "\\\\");
		else
			text_append_char(out, *word);
	}
	text_append(out, "' ");
}

/* Split the input as the shell does, and what came of it as a response file; the words must be the same. */
static void check_response(struct arena *arena, const struct arguments *words)
{
	struct arguments again = { .arena = arena };
	struct text text = { 0 };

	for (int i = 0; i < words->argc; i++)
		print_word(words->argv[i], false, &text);
	arguments_split_response(&again, text_string(&text));
	parse_require(again.argc == words->argc, "a response file splits into other words");
	text_free(&text);
}

/* The words as flags of a command. */
static void check_flags(struct arena *arena, const struct arguments *words)
{
	char *file = (char *)parse_file(arena, "a.c", "", 0);
	struct command_list list;
	struct arguments known = { .arena = arena };
	struct diag diag = { 0 };

	parse_require(chdir(parse_folder()) == 0, "the scratch folder cannot be entered");
	if (command_make(arena, 1, &file, words->argc, (char *const *)words->argv, &list, &diag) != STATUS_OK) {
		parse_require_sentence(&diag);
		return;
	}
	command_parse_arguments(&list.command[0], NULL, &known);
	for (int i = 0; i < known.argc; i++)
		parse_require(known.argv[i] != NULL, "a word of libclang's command line is missing");
}

static bool reprint_command(struct arena *arena, const char *bytes, size_t size, struct text *out, struct diag *diag)
{
	struct arguments words = { .arena = arena };

	(void)size;
	(void)diag;
	arguments_split_shell(&words, bytes);
	check_response(arena, &words);
	check_flags(arena, &words);
	for (int i = 0; i < words.argc; i++)
		print_word(words.argv[i], true, out);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_round_trip(data, size, reprint_command);
	return 0;
}
