/* What looks at C text without libclang: plugin/region_text.c, plugin/site.c, verifier/source.c. */
#include "parse.h"

#include <string.h>

#include "plugin/region_internal.h"
#include "plugin/site.h"

static void read_source(struct arena *arena, const char *bytes, size_t size)
{
	struct scanner scanner = { .arena = arena, .text = bytes, .size = size };
	size_t begin = 0, end = 0, length = strlen(bytes);

	text_check(&scanner, 0, size);
	text_index_lines(&scanner);
	for (size_t at = 0; at <= length; at += 1 + length / 8) {
		const struct site site = site_find(bytes, 0, at);

		parse_require(site.begin <= at, "a site begins behind its statement");
		parse_require(text_line(&scanner, at) == line_of(bytes, at), "a line has two numbers");
		text_indent(&scanner, at);
	}
	if (include_find(bytes, size, "a.h", &begin, &end))
		parse_require(begin < end && end <= size, "a header's name lies outside of the text");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_alone(data, size, read_source);
	return 0;
}
