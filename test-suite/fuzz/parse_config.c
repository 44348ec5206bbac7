/* tools/config.c: .strop.yaml. */
#include "parse.h"

#include <unistd.h>

#include "support/yaml.h"
#include "tools/config.h"

static void set(struct arena *arena, struct data *map, const char *key, const char *value)
{
	if (value)
		data_set_string(arena, map, key, value);
}

static void print_config(struct arena *arena, const struct config *config, struct text *out)
{
	struct data *map = data_map(arena);

	set(arena, map, "fp", config->fp);
	set(arena, map, "policy", config->policy);
	set(arena, map, "budget", config->budget);
	set(arena, map, "sizes", config->sizes);
	set(arena, map, "check", config->check);
	set(arena, map, "bench", config->bench);
	set(arena, map, "lock", config->lock);
	set(arena, map, "sandbox", config->sandbox);
	set(arena, map, "cache", config->cache);
	data_set_integer(arena, map, "seed", config->seed);
	yaml_write(map, out);
}

static bool reprint_config(struct arena *arena, const char *bytes, size_t size, struct text *out, struct diag *diag)
{
	struct config config;

	parse_file(arena, ".strop.yaml", bytes, size);
	parse_require(chdir(parse_folder()) == 0, "the scratch folder cannot be entered");
	if (config_load(arena, &config, diag) != STATUS_OK)
		return false;
	print_config(arena, &config, out);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_round_trip(data, size, reprint_config);
	return 0;
}
