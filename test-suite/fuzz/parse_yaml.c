/* support/yaml.c: all YAML that strop reads. */
#include "parse.h"

#include "support/yaml.h"

static bool reprint_yaml(struct arena *arena, const char *bytes, size_t size, struct text *out, struct diag *diag)
{
	const struct data *data = yaml_read(arena, "text", bytes, size, diag);

	if (data)
		yaml_write(data, out);
	return data != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_round_trip(data, size, reprint_yaml);
	return 0;
}
