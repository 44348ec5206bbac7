/* The strop command: finds the subcommand and hands over. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/diag.h"
#include "support/process.h"

#include "tools.h"
#include "version.h"

struct command_entry {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *sentence;
};

static const struct command_entry commands[] = {
#define COMMAND(name, function, sentence) { name, function, sentence },
#define HIDDEN(name, function) { name, function, NULL },
#include "commands.def"
#undef COMMAND
#undef HIDDEN
};

static void print_overview(FILE *stream)
{
	size_t i;

	fprintf(stream, "strop sharpens the hot loops you already have.\n\nusage: strop COMMAND [ARGUMENTS]\n\n");
	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (commands[i].sentence)
			fprintf(stream, "  %-8s  %s\n", commands[i].name, commands[i].sentence);
	fprintf(stream, "\n'strop COMMAND --help' explains a command with an example.\n"
			"exit codes: 0 fine, 1 gate failed, 2 usage or input error, 3 inconclusive,\n"
			"            4 an accepted rewrite is wrong, 5 the machine lacks something\n");
}

static void on_interrupt(int signal)
{
	(void)signal;
	process_interrupt();
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_interrupt };
	const char *name = argc > 1 ? argv[1] : "--help";
	size_t i;

	if (strcmp(name, "--version") == 0) {
		printf("strop %s\n", STROP_VERSION);
		return EXIT_FINE;
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "help") == 0 || strcmp(name, "-h") == 0) {
		print_overview(argc > 1 ? stdout : stderr);
		return argc > 1 ? EXIT_FINE : EXIT_INPUT;
	}
	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (strcmp(name, commands[i].name) != 0)
			continue;
		if (commands[i].sentence) {
			sigaction(SIGINT, &action, NULL);
			sigaction(SIGTERM, &action, NULL);
			signal(SIGPIPE, SIG_IGN);
		}
		return commands[i].run(argc - 1, argv + 1);
	}
	fprintf(stderr, "strop: there is no command '%s' (see strop --help)\n", name);
	return EXIT_INPUT;
}
