/* plugin/record_load.c: what a recorded run left: the counts of a process, and in the second part a sampled call. */
#include "parse.h"

#include "plugin/record_internal.h"
#include "support/hash.h"

static const struct region region = { .id = "a.c:f:0", .file = "/a.c", .function = "f" };

/* Let the sanitizers see each byte, and the numbers be in order. */
static void check_record(const struct record *record)
{
	char hex[33];

	for (int i = 0; i < record->n_size; i++)
		parse_require(record->size_name[i] != NULL, "a size has no name");
	for (int t = 0; t < record->n_tuple; t++) {
		hash_bytes(record->tuple[t].value, sizeof(int64_t) * (size_t)record->n_size, hex);
		parse_require(t == 0 || record->tuple[t].seconds <= record->tuple[t - 1].seconds, "tuples are not sorted");
	}
	for (int s = 0; s < record->n_sample; s++) {
		const struct record_sample *sample = &record->sample[s];

		parse_require(sample->n_size == record->n_size, "a sample has other sizes");
		for (int i = 0; i < sample->n_value; i++)
			hash_bytes(sample->value[i].data, sample->value[i].bytes, hex);
	}
}

static void read_record(struct arena *arena, const char *bytes, size_t size)
{
	const struct record *record;
	struct parse_part part[2];
	char key[33];

	parse_split(arena, bytes, size, part);
	record_key(&region, key);
	parse_file(arena, arena_printf(arena, "%s.1.2.json", key), part[0].bytes, part[0].size);
	parse_file(arena, arena_printf(arena, "%s.0.sample", key), part[1].bytes, part[1].size);
	record = record_load(arena, parse_folder(), &region);
	if (record)
		check_record(record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_alone(data, size, read_record);
	return 0;
}
