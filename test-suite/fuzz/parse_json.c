/* support/json.c: all JSON that strop reads. */
#include "parse.h"

#include "support/json.h"

static bool reprint_json(struct arena *arena, const char *bytes, size_t size, struct text *out, struct diag *diag)
{
	const struct data *data = json_read(arena, "text", bytes, size, diag);

	if (data)
		json_write(data, false, out);
	return data != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_round_trip(data, size, reprint_json);
	return 0;
}
