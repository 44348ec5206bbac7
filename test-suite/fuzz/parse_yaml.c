/* support/yaml.c: all YAML that strop reads. What is written also holds the same data, which JSON tells. */
#include "parse.h"

#include <stdio.h>
#include <string.h>

#include "support/json.h"
#include "support/yaml.h"

static void require_equal(const struct data *data, const struct data *again)
{
	struct text json = { 0 }, json_again = { 0 };

	json_write(data, false, &json);
	json_write(again, false, &json_again);
	if (strcmp(text_string(&json), text_string(&json_again)) != 0)
		fprintf(stderr, "read:    %s\nwritten: %s\n", text_string(&json), text_string(&json_again));
	parse_require(strcmp(text_string(&json), text_string(&json_again)) == 0, "what is written holds other data");
	text_free(&json);
	text_free(&json_again);
}

static bool reprint_yaml(struct arena *arena, const char *bytes, size_t size, struct text *out, struct diag *diag)
{
	const struct data *data = yaml_read(arena, "text", bytes, size, diag), *again;

	if (!data)
		return false;
	yaml_write(data, out);
	again = yaml_read(arena, "written", text_string(out), out->size, diag);
	parse_require(again != NULL, diag->message);
	require_equal(data, again);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_round_trip(data, size, reprint_yaml);
	return 0;
}
