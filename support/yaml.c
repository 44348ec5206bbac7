#include "yaml.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

enum { DEPTH_LIMIT = 64, KEYS_LIMIT = 4096 };

/* A parse under way: the event source, where results go, and what to call the text in messages. */
struct reader {
	yaml_parser_t parser;
	struct arena *arena;
	const char *name;
	struct diag *diag;
};

static struct data *refuse(struct reader *reader, size_t line, const char *problem)
{
	diag_set(reader->diag, EXIT_INPUT, "%s:%zu: %s", reader->name, line + 1, problem);
	return NULL;
}

static bool next(struct reader *reader, yaml_event_t *event)
{
	if (yaml_parser_parse(&reader->parser, event))
		return true;
	refuse(reader, reader->parser.problem_mark.line, reader->parser.problem ? reader->parser.problem : "not YAML");
	return false;
}

static bool is_null(const char *word)
{
	return !*word || strcmp(word, "~") == 0 || strcmp(word, "null") == 0;
}

/* The value of a plain scalar by the core schema; NULL for a number beyond a double. */
static struct data *plain(struct arena *arena, const char *word)
{
	char *end;
	long long integer;
	double real;

	if (is_null(word))
		return data_string(arena, NULL);
	if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
		return data_bool(arena, word[0] == 't');
	if (!strchr("+-.0123456789", word[0]) || strpbrk(word, "xXpPnNiI_"))
		return data_string(arena, word);
	errno = 0;
	integer = strtoll(word, &end, 10);
	if (!*end && errno == 0)
		return data_integer(arena, integer);
	real = strtod(word, &end);
	if (*end)
		return data_string(arena, word);
	return isfinite(real) ? data_real(arena, real) : NULL;
}

static struct data *scalar(struct reader *reader, const yaml_event_t *event)
{
	const char *value = (const char *)event->data.scalar.value;
	struct data *data;

	if (event->data.scalar.tag)
		return refuse(reader, event->start_mark.line, "tags are not supported");
	if (strlen(value) != event->data.scalar.length)
		return refuse(reader, event->start_mark.line, "a string with a NUL byte");
	if (event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
		return data_string(reader->arena, value);
	data = plain(reader->arena, value);
	return data ? data : refuse(reader, event->start_mark.line, "a number is too large");
}

static struct data *value(struct reader *reader, yaml_event_t *event, int depth);

static struct data *sequence(struct reader *reader, int depth)
{
	struct data *list = data_list(reader->arena);
	yaml_event_t event;

	for (;;) {
		struct data *item;

		if (!next(reader, &event))
			return NULL;
		if (event.type == YAML_SEQUENCE_END_EVENT) {
			yaml_event_delete(&event);
			return list;
		}
		item = value(reader, &event, depth + 1);
		if (!item)
			return NULL;
		data_add(reader->arena, list, item);
	}
}

/* The key that "event" holds, in the arena; NULL and a sentence when "map" cannot have it. */
static const char *key_of(struct reader *reader, const struct data *map, const yaml_event_t *event)
{
	const char *key, *problem = NULL;

	if (event->type != YAML_SCALAR_EVENT) {
		refuse(reader, event->start_mark.line, "a key must be a word");
		return NULL;
	}
	key = (const char *)event->data.scalar.value;
	if (strlen(key) != event->data.scalar.length)
		problem = "a key with a NUL byte";
	else if (data_find(map, key))
		problem = "a key stands twice";
	else if (map->n == KEYS_LIMIT)
		problem = "more than 4096 keys";
	if (problem)
		refuse(reader, event->start_mark.line, problem);
	return problem ? NULL : arena_strdup(reader->arena, key);
}

static struct data *mapping(struct reader *reader, int depth)
{
	struct data *map = data_map(reader->arena);
	yaml_event_t event;

	for (;;) {
		struct data *item;
		const char *key;
		bool is_end;

		if (!next(reader, &event))
			return NULL;
		is_end = event.type == YAML_MAPPING_END_EVENT;
		key = is_end ? NULL : key_of(reader, map, &event);
		yaml_event_delete(&event);
		if (is_end)
			return map;
		if (!key || !next(reader, &event))
			return NULL;
		item = value(reader, &event, depth + 1);
		if (!item)
			return NULL;
		data_put(reader->arena, map, key, item);
	}
}

/* The value that starts with "event", which is consumed. */
static struct data *value(struct reader *reader, yaml_event_t *event, int depth)
{
	size_t line = event->start_mark.line;
	yaml_event_type_t type = event->type;
	struct data *result = NULL;

	if (type == YAML_SCALAR_EVENT)
		result = scalar(reader, event);
	yaml_event_delete(event);
	if (type == YAML_SCALAR_EVENT)
		return result;
	if (depth > DEPTH_LIMIT)
		return refuse(reader, line, "nested too deeply");
	if (type == YAML_SEQUENCE_START_EVENT)
		return sequence(reader, depth);
	if (type == YAML_MAPPING_START_EVENT)
		return mapping(reader, depth);
	return refuse(reader, line, "aliases are not supported");
}

static struct data *document(struct reader *reader)
{
	yaml_event_t event;

	for (;;) {
		if (!next(reader, &event))
			return NULL;
		if (event.type == YAML_STREAM_END_EVENT) {
			yaml_event_delete(&event);
			return data_map(reader->arena);
		}
		if (event.type != YAML_STREAM_START_EVENT && event.type != YAML_DOCUMENT_START_EVENT)
			return value(reader, &event, 0);
		yaml_event_delete(&event);
	}
}

struct data *yaml_read(struct arena *arena, const char *name, const char *bytes, size_t size, struct diag *diag)
{
	struct reader reader = { .arena = arena, .name = name, .diag = diag };
	struct data *data;

	if (!yaml_parser_initialize(&reader.parser)) {
		diag_set(diag, EXIT_MACHINE, "%s: no memory for the YAML parser", name);
		return NULL;
	}
	yaml_parser_set_input_string(&reader.parser, (const unsigned char *)bytes, size);
	data = document(&reader);
	yaml_parser_delete(&reader.parser);
	return data;
}

static int append(void *context, unsigned char *bytes, size_t size)
{
	text_append_bytes(context, (const char *)bytes, size);
	return 1;
}

static void emit_scalar(yaml_emitter_t *emitter, const char *word, yaml_scalar_style_t style)
{
	yaml_event_t event;

	yaml_scalar_event_initialize(&event, NULL, NULL, (const unsigned char *)word, -1, 1, 1, style);
	yaml_emitter_emit(emitter, &event);
}

/* Quote what plain() would not read back as the same string. */
static yaml_scalar_style_t string_style(const char *string)
{
	if (strchr(string, '\n'))
		return YAML_LITERAL_SCALAR_STYLE;
	if (is_null(string) || strcmp(string, "true") == 0 || strcmp(string, "false") == 0 ||
	    strchr("+-.0123456789", string[0]))
		return YAML_DOUBLE_QUOTED_SCALAR_STYLE;
	return YAML_ANY_SCALAR_STYLE;
}

static void emit_real(yaml_emitter_t *emitter, double real)
{
	char word[64];
	int digits;

	if (!isfinite(real)) {
		emit_scalar(emitter, "null", YAML_PLAIN_SCALAR_STYLE);
		return;
	}
	for (digits = 1; digits < 17; digits++) {
		snprintf(word, sizeof(word), "%.*g", digits, real);
		if (strtod(word, NULL) == real)
			break;
	}
	snprintf(word, sizeof(word), "%.*g", digits, real);
	if (!strpbrk(word, ".en"))
		strcat(word, ".0");
	emit_scalar(emitter, word, YAML_PLAIN_SCALAR_STYLE);
}

static void emit(yaml_emitter_t *emitter, const struct data *data)
{
	yaml_event_t event;
	char word[32];
	int i;

	switch (data->kind) {
	case DATA_NULL:
		emit_scalar(emitter, "null", YAML_PLAIN_SCALAR_STYLE);
		break;
	case DATA_BOOL:
		emit_scalar(emitter, data->boolean ? "true" : "false", YAML_PLAIN_SCALAR_STYLE);
		break;
	case DATA_INTEGER:
		snprintf(word, sizeof(word), "%lld", (long long)data->integer);
		emit_scalar(emitter, word, YAML_PLAIN_SCALAR_STYLE);
		break;
	case DATA_REAL:
		emit_real(emitter, data->real);
		break;
	case DATA_STRING:
		emit_scalar(emitter, data->string, string_style(data->string));
		break;
	case DATA_LIST:
		yaml_sequence_start_event_initialize(&event, NULL, NULL, 1,
						     data->n ? YAML_BLOCK_SEQUENCE_STYLE : YAML_FLOW_SEQUENCE_STYLE);
		yaml_emitter_emit(emitter, &event);
		for (i = 0; i < data->n; i++)
			emit(emitter, data->item[i]);
		yaml_sequence_end_event_initialize(&event);
		yaml_emitter_emit(emitter, &event);
		break;
	case DATA_MAP:
		yaml_mapping_start_event_initialize(&event, NULL, NULL, 1,
						    data->n ? YAML_BLOCK_MAPPING_STYLE : YAML_FLOW_MAPPING_STYLE);
		yaml_emitter_emit(emitter, &event);
		for (i = 0; i < data->n; i++) {
			emit_scalar(emitter, data->key[i], YAML_ANY_SCALAR_STYLE);
			emit(emitter, data->item[i]);
		}
		yaml_mapping_end_event_initialize(&event);
		yaml_emitter_emit(emitter, &event);
		break;
	}
}

void yaml_write(const struct data *data, struct text *text)
{
	yaml_emitter_t emitter;
	yaml_event_t event;

	yaml_emitter_initialize(&emitter);
	yaml_emitter_set_output(&emitter, append, text);
	yaml_emitter_set_unicode(&emitter, 1);
	yaml_emitter_set_width(&emitter, -1);
	yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING);
	yaml_emitter_emit(&emitter, &event);
	yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1);
	yaml_emitter_emit(&emitter, &event);
	emit(&emitter, data);
	yaml_document_end_event_initialize(&event, 1);
	yaml_emitter_emit(&emitter, &event);
	yaml_stream_end_event_initialize(&event);
	yaml_emitter_emit(&emitter, &event);
	yaml_emitter_delete(&emitter);
}
