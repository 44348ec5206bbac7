/* ir/parse.c: the printed nest. What it accepts also passes nest_check() and keeps its key. */
#include "parse.h"

#include <string.h>

#include "ir/nest.h"

static bool reprint_nest(struct arena *arena, const char *bytes, size_t size, struct text *out, struct diag *diag)
{
	const struct nest *nest = nest_parse(arena, bytes, diag), *again;
	char key[33], key_again[33];

	(void)size;
	if (!nest)
		return false;
	nest_print(nest, out);
	again = nest_parse(arena, text_string(out), diag);
	parse_require(again != NULL, diag->message);
	nest_key(nest, "ordered", key);
	nest_key(again, "ordered", key_again);
	parse_require(strcmp(key, key_again) == 0, "a printed nest has another key");
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_round_trip(data, size, reprint_nest);
	return 0;
}
