#include "config.h"

#include <string.h>

#include "support/data.h"
#include "support/file.h"
#include "support/yaml.h"
#include "verifier/sandbox.h"

static const char *find_config(struct arena *arena)
{
	char *folder = path_absolute(arena, NULL, ".");

	for (;; folder = path_folder(arena, folder)) {
		char *path = path_join(arena, folder, ".strop.yaml");

		if (file_exists(path))
			return path;
		if (strcmp(folder, "/") == 0)
			return NULL;
	}
}

static enum status set(struct arena *arena, struct config *config, const char *key, const struct data *item,
		       struct diag *diag)
{
	static const char *const names[] = { "fp", "policy", "budget", "sizes", "check", "bench", "lock", "sandbox", "cache" };
	const char **const fields[] = { &config->fp,	&config->policy, &config->budget, &config->sizes,
					&config->check, &config->bench,	 &config->lock,	  &config->sandbox,
					&config->cache };
	size_t i;

	if (strcmp(key, "seed") == 0 && item->kind == DATA_INTEGER) {
		config->seed = item->integer;
		return STATUS_OK;
	}
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(key, names[i]) != 0)
			continue;
		if (item->kind == DATA_STRING)
			*fields[i] = item->string;
		else if (item->kind == DATA_INTEGER)
			*fields[i] = arena_printf(arena, "%lld", (long long)item->integer);
		else
			return diag_set(diag, EXIT_INPUT, "%s: %s has no such value", config->path, key);
		return STATUS_OK;
	}
	return diag_set(diag, EXIT_INPUT,
			"%s: unknown key '%s'; known: fp, policy, budget, seed, sizes, check, bench, lock, sandbox, cache", config->path, key);
}

enum status config_load(struct arena *arena, struct config *config, struct diag *diag)
{
	struct text text = { 0 };
	struct data *root;
	enum status status;
	int i;

	memset(config, 0, sizeof(*config));
	config->path = find_config(arena);
	if (!config->path)
		return STATUS_OK;
	status = file_read(config->path, &text, diag);
	root = status == STATUS_OK ? yaml_read(arena, config->path, text_string(&text), text.size, diag) : NULL;
	text_free(&text);
	if (!root)
		return STATUS_FAILED;
	if (root->kind != DATA_MAP)
		return diag_set(diag, EXIT_INPUT, "%s: expected keys with values", config->path);
	for (i = 0; i < root->n; i++)
		if (set(arena, config, root->key[i], root->item[i], diag) != STATUS_OK)
			return STATUS_FAILED;
	if (config->lock)
		config->lock = path_absolute(arena, path_folder(arena, config->path), config->lock);
	return STATUS_OK;
}

enum status config_demand_sandbox(const struct config *config, struct diag *diag)
{
	if (!config->sandbox || strcmp(config->sandbox, "available") == 0)
		return STATUS_OK;
	if (strcmp(config->sandbox, "strict") != 0)
		return diag_set(diag, EXIT_INPUT, "%s: sandbox is 'strict' or 'available', not '%s'", config->path, config->sandbox);
	for (enum sandbox_layer layer = 0; layer < LAYER_COUNT; layer++)
		if (!sandbox_has(layer))
			return diag_set(diag, EXIT_MACHINE, "%s demands a strict sandbox, and this system lacks %s", config->path,
					sandbox_layer_name(layer));
	sandbox_demand();
	return STATUS_OK;
}
