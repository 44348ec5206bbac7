#include "options.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void usage_print(const struct usage *usage)
{
	int i;

	printf("usage: %s\n\n%s\n", usage->call, usage->about);
	if (usage->n_option)
		printf("\noptions:\n");
	for (i = 0; i < usage->n_option; i++) {
		const struct option *option = &usage->option[i];
		char call[64];

		snprintf(call, sizeof(call), "%s%s%s", option->name, option->value ? " " : "",
			 option->value ? option->value : "");
		printf("  %-22s %s\n", call, option->sentence);
	}
	printf("  %-22s %s\n\nexample:\n  %s\n", "--help", "this page", usage->example);
}

static const struct option *find(const struct usage *usage, const char *word, size_t size)
{
	int i;

	for (i = 0; i < usage->n_option; i++)
		if (strlen(usage->option[i].name) == size && strncmp(usage->option[i].name, word, size) == 0)
			return &usage->option[i];
	return NULL;
}

static enum status set(const struct option *option, const char *value, struct diag *diag)
{
	struct option_list *list = option->target;
	char *end;

	switch (option->kind) {
	case OPTION_FLAG:
		*(bool *)option->target = true;
		break;
	case OPTION_STRING:
		*(const char **)option->target = value;
		break;
	case OPTION_INTEGER:
		errno = 0;
		*(int64_t *)option->target = strtoll(value, &end, 10);
		if (errno || end == value || *end)
			return diag_set(diag, EXIT_INPUT, "%s takes a whole number, not '%s'", option->name, value);
		break;
	case OPTION_LIST:
		if (list->n == OPTION_LIST_MAX)
			return diag_set(diag, EXIT_INPUT, "%s is given more than %d times", option->name, list->n);
		list->value[list->n++] = value;
		break;
	}
	return STATUS_OK;
}

/* Handle the option at argv[*at], advancing over a separate value. */
static enum status parse_option(const struct usage *usage, int argc, char **argv, int *at, struct diag *diag)
{
	const char *word = argv[*at], *equals = word[1] == '-' ? strchr(word, '=') : NULL;
	const struct option *option = find(usage, word, equals ? (size_t)(equals - word) : strlen(word));

	if (!option)
		return diag_set(diag, EXIT_INPUT, "there is no option '%s' (see --help)", word);
	if (option->kind == OPTION_FLAG) {
		if (equals)
			return diag_set(diag, EXIT_INPUT, "%s takes no value", option->name);
		return set(option, NULL, diag);
	}
	if (equals)
		return set(option, equals + 1, diag);
	if (*at + 1 >= argc)
		return diag_set(diag, EXIT_INPUT, "%s needs a value: %s", option->name, option->value);
	return set(option, argv[++*at], diag);
}

enum status options_parse(const struct usage *usage, int argc, char **argv, struct arguments *arguments,
			  struct diag *diag)
{
	int i, kept = 0;

	memset(arguments, 0, sizeof(*arguments));
	arguments->file = argv;
	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") == 0) {
			arguments->has_rest = true;
			arguments->rest = argv + i + 1;
			arguments->n_rest = argc - i - 1;
			break;
		}
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			usage_print(usage);
			arguments->help = true;
			return STATUS_OK;
		}
		if (argv[i][0] != '-' || !argv[i][1])
			argv[kept++] = argv[i];
		else if (parse_option(usage, argc, argv, &i, diag) != STATUS_OK)
			return STATUS_FAILED;
	}
	arguments->n_file = kept;
	return STATUS_OK;
}
