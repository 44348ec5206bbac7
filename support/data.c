#include "data.h"

#include <string.h>

static struct data *new(struct arena *arena, enum data_kind kind)
{
	struct data *data = ARENA_NEW(arena, struct data);

	data->kind = kind;
	return data;
}

struct data *data_map(struct arena *arena)
{
	return new(arena, DATA_MAP);
}

struct data *data_list(struct arena *arena)
{
	return new(arena, DATA_LIST);
}

struct data *data_string(struct arena *arena, const char *string)
{
	struct data *data = new(arena, string ? DATA_STRING : DATA_NULL);

	if (string)
		data->string = arena_strdup(arena, string);
	return data;
}

struct data *data_integer(struct arena *arena, int64_t value)
{
	struct data *data = new(arena, DATA_INTEGER);

	data->integer = value;
	return data;
}

struct data *data_real(struct arena *arena, double value)
{
	struct data *data = new(arena, DATA_REAL);

	data->real = value;
	return data;
}

struct data *data_bool(struct arena *arena, bool value)
{
	struct data *data = new(arena, DATA_BOOL);

	data->boolean = value;
	return data;
}

static void grow(struct arena *arena, struct data *data)
{
	int capacity = data->capacity ? data->capacity * 2 : 8;
	struct data **item = ARENA_ARRAY(arena, struct data *, capacity);
	const char **key = ARENA_ARRAY(arena, const char *, capacity);

	if (data->n) {
		memcpy(item, data->item, sizeof(*item) * (size_t)data->n);
		memcpy(key, data->key, sizeof(*key) * (size_t)data->n);
	}
	data->item = item;
	data->key = key;
	data->capacity = capacity;
}

static void append(struct arena *arena, struct data *data, const char *key, struct data *item)
{
	if (data->n == data->capacity)
		grow(arena, data);
	data->key[data->n] = key ? arena_strdup(arena, key) : NULL;
	data->item[data->n++] = item;
}

void data_add(struct arena *arena, struct data *list, struct data *item)
{
	append(arena, list, NULL, item);
}

static int find(const struct data *map, const char *key)
{
	int i;

	if (!map || map->kind != DATA_MAP)
		return -1;
	for (i = 0; i < map->n; i++)
		if (strcmp(map->key[i], key) == 0)
			return i;
	return -1;
}

void data_set(struct arena *arena, struct data *map, const char *key, struct data *item)
{
	int at = find(map, key);

	if (at >= 0)
		map->item[at] = item;
	else
		append(arena, map, key, item);
}

void data_put(struct arena *arena, struct data *map, const char *key, struct data *item)
{
	append(arena, map, key, item);
}

void data_set_string(struct arena *arena, struct data *map, const char *key, const char *value)
{
	data_set(arena, map, key, data_string(arena, value));
}

void data_set_integer(struct arena *arena, struct data *map, const char *key, int64_t value)
{
	data_set(arena, map, key, data_integer(arena, value));
}

void data_set_real(struct arena *arena, struct data *map, const char *key, double value)
{
	data_set(arena, map, key, data_real(arena, value));
}

void data_set_bool(struct arena *arena, struct data *map, const char *key, bool value)
{
	data_set(arena, map, key, data_bool(arena, value));
}

const struct data *data_find(const struct data *map, const char *key)
{
	int at = find(map, key);

	return at >= 0 ? map->item[at] : NULL;
}

const char *data_find_string(const struct data *map, const char *key, const char *otherwise)
{
	const struct data *item = data_find(map, key);

	return item && item->kind == DATA_STRING ? item->string : otherwise;
}

int64_t data_find_integer(const struct data *map, const char *key, int64_t otherwise)
{
	const struct data *item = data_find(map, key);

	return item && item->kind == DATA_INTEGER ? item->integer : otherwise;
}

int data_find_choice(const struct data *map, const char *key, int n, int otherwise)
{
	int64_t value = data_find_integer(map, key, otherwise);

	return value >= 0 && value < n ? (int)value : otherwise;
}

double data_find_real(const struct data *map, const char *key, double otherwise)
{
	const struct data *item = data_find(map, key);

	if (item && item->kind == DATA_INTEGER)
		return (double)item->integer;
	return item && item->kind == DATA_REAL ? item->real : otherwise;
}

bool data_find_bool(const struct data *map, const char *key, bool otherwise)
{
	const struct data *item = data_find(map, key);

	return item && item->kind == DATA_BOOL ? item->boolean : otherwise;
}
