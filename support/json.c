#include "json.h"

#include <math.h>
#include <stdlib.h>

#include <jansson.h>

static struct data *convert(struct arena *arena, json_t *json)
{
	struct data *data;
	const char *key;
	json_t *item;
	size_t i;

	switch (json_typeof(json)) {
	case JSON_OBJECT:
		data = data_map(arena);
		json_object_foreach(json, key, item)
			data_put(arena, data, key, convert(arena, item));
		return data;
	case JSON_ARRAY:
		data = data_list(arena);
		json_array_foreach(json, i, item)
			data_add(arena, data, convert(arena, item));
		return data;
	case JSON_STRING:
		return data_string(arena, json_string_value(json));
	case JSON_INTEGER:
		return data_integer(arena, json_integer_value(json));
	case JSON_REAL:
		return data_real(arena, json_real_value(json));
	case JSON_TRUE:
	case JSON_FALSE:
		return data_bool(arena, json_is_true(json));
	default:
		return data_string(arena, NULL);
	}
}

struct data *json_read(struct arena *arena, const char *name, const char *bytes, size_t size, struct diag *diag)
{
	json_error_t error;
	json_t *json = json_loadb(bytes, size, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &error);
	struct data *data;

	if (!json) {
		diag_set(diag, EXIT_INPUT, "%s:%d:%d: not JSON: %s", name, error.line, error.column, error.text);
		return NULL;
	}
	data = convert(arena, json);
	json_decref(json);
	return data;
}

static json_t *unconvert(const struct data *data)
{
	json_t *json = NULL;
	int i;

	switch (data->kind) {
	case DATA_NULL:
		return json_null();
	case DATA_BOOL:
		return json_boolean(data->boolean);
	case DATA_INTEGER:
		return json_integer(data->integer);
	case DATA_REAL:
		return isfinite(data->real) ? json_real(data->real) : json_null();
	case DATA_STRING:
		json = json_string(data->string);
		return json ? json : json_string("(not UTF-8)");
	case DATA_LIST:
		json = json_array();
		for (i = 0; i < data->n; i++)
			json_array_append_new(json, unconvert(data->item[i]));
		return json;
	case DATA_MAP:
		json = json_object();
		for (i = 0; i < data->n; i++)
			json_object_set_new(json, data->key[i], unconvert(data->item[i]));
		return json;
	}
	return json;
}

void json_write(const struct data *data, bool pretty, struct text *text)
{
	json_t *json = unconvert(data);
	char *string = json_dumps(json, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17) | (pretty ? JSON_INDENT(2) : 0));

	if (string)
		text_append(text, string);
	free(string);
	json_decref(json);
}
