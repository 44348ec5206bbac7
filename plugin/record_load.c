#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/file.h"
#include "support/hash.h"
#include "support/json.h"

#include "record_internal.h"

/* More than any sample holds. */
#define SAMPLE_LIMIT ((size_t)RECORD_BYTES + (1 << 20))

/* A record while it grows; "pid" and "program" are the process of the last file and the most time it has used so far. */
struct loading {
	struct arena *arena;
	struct record *record;
	int capacity;
	const char *pid;
	double program;
};

void record_key(const struct region *region, char key[33])
{
	struct text text = {0};
	const char *const number = strrchr(region->id, ':');

	text_printf(&text, "%s\n%s\n%s\n%s\n", region->file, region->function, number ? number : "", region->key);
	hash_bytes(text_string(&text), text.size, key);
	text_free(&text);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool ends_in(const char *name, const char *ending)
{
	const size_t n = strlen(name), m = strlen(ending);

	return n >= m && !strcmp(name + n - m, ending);
}

/* The names in "folder" that start with "key." and end in "ending", sorted. */
static struct arguments names_list(struct arena *arena, const char *folder, const char *key, const char *ending)
{
	struct arguments names = {.arena = arena};
	DIR *const handle = opendir(folder);
	const size_t n = strlen(key);

	for (struct dirent *entry; handle && (entry = readdir(handle)) != NULL;)
		if (!strncmp(entry->d_name, key, n) && entry->d_name[n] == '.' && ends_in(entry->d_name, ending))
			arguments_add(&names, arena_strdup(arena, entry->d_name));
	if (handle)
		closedir(handle);
	if (names.argc)
		qsort(names.argv, (size_t)names.argc, sizeof(*names.argv), compare_names);
	return names;
}

static int item_count(const struct data *list)
{
	return list && list->kind == DATA_LIST ? list->n : 0;
}

/* Take the names from the first file; false if those of "data" are others. */
static bool sizes_agree(struct loading *loading, const struct data *data)
{
	struct record *const record = loading->record;
	const struct data *const sizes = data_find(data, "sizes");
	const int n = item_count(sizes);

	if (!record->size_name) {
		record->n_size = n;
		record->size_name = ARENA_ARRAY(loading->arena, const char *, n + 1);
		for (int i = 0; i < n; i++)
			record->size_name[i] = sizes->item[i]->string ? sizes->item[i]->string : "";
	}
	for (int i = 0; i < n; i++)
		if (n != record->n_size || !sizes->item[i]->string ||
		    strcmp(record->size_name[i], sizes->item[i]->string))
			return false;
	return n == record->n_size;
}

/* The tuple of "record" with the values of "list", added when it is new. */
static struct record_tuple *tuple_get(struct loading *loading, const struct data *list)
{
	struct record *const record = loading->record;
	int64_t *const value = ARENA_ARRAY(loading->arena, int64_t, record->n_size + 1);

	for (int i = 0; i < record->n_size && i < item_count(list); i++)
		value[i] = list->item[i]->integer;
	for (int i = 0; i < record->n_tuple; i++)
		if (!memcmp(record->tuple[i].value, value, sizeof(*value) * (size_t)record->n_size))
			return &record->tuple[i];
	if (record->n_tuple == loading->capacity) {
		struct record_tuple *const old = record->tuple;

		loading->capacity = 2 * loading->capacity + RECORD_TUPLES;
		record->tuple = ARENA_ARRAY(loading->arena, struct record_tuple, loading->capacity);
		if (old)
			memcpy(record->tuple, old, sizeof(*old) * (size_t)record->n_tuple);
	}
	record->tuple[record->n_tuple].value = value;
	return &record->tuple[record->n_tuple++];
}

static double seconds_find(const struct data *data, const char *key)
{
	return 1e-9 * (double)data_find_integer(data, key, 0);
}

/* Add the count under "key" to "sum", which stays at the most that it can hold. */
static void count_add(int64_t *sum, const struct data *data, const char *key)
{
	const int64_t more = data_find_integer(data, key, 0);

	if (more > 0 && __builtin_add_overflow(*sum, more, sum))
		*sum = INT64_MAX;
}

/* Add what "data", the counts of one unit in process "pid", says. */
static void counts_add(struct loading *loading, const struct data *data, const char *pid)
{
	struct record *const record = loading->record;
	const struct data *const tuples = data_find(data, "tuples");
	const double program = seconds_find(data, "program_nanoseconds");

	if (!sizes_agree(loading, data))
		return;
	count_add(&record->calls, data, "calls");
	record->seconds += seconds_find(data, "nanoseconds");
	if (!loading->pid || strcmp(loading->pid, pid))
		loading->program = 0;
	if (program > loading->program) {
		record->program_seconds += program - loading->program;
		loading->program = program;
	}
	loading->pid = pid;
	for (int i = 0; i < item_count(tuples); i++) {
		struct record_tuple *const tuple = tuple_get(loading, data_find(tuples->item[i], "values"));

		const double fastest = seconds_find(tuples->item[i], "fastest");

		if (!tuple->calls || fastest < tuple->fastest)
			tuple->fastest = fastest;
		count_add(&tuple->calls, tuples->item[i], "calls");
		tuple->seconds += seconds_find(tuples->item[i], "nanoseconds");
	}
}

/* By seconds, longest first; equals by calls, then values, so that the order is one. */
static int compare_tuples(const void *left, const void *right, void *context)
{
	const struct record_tuple *const a = left, *const b = right;
	const int n = *(const int *)context;

	if (a->seconds != b->seconds)
		return a->seconds > b->seconds ? -1 : 1;
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	for (int i = 0; i < n; i++)
		if (a->value[i] != b->value[i])
			return a->value[i] < b->value[i] ? -1 : 1;
	return 0;
}

/* Fill "sample" from the file's "bytes"; false when it is cut short or not ours. */
static bool sample_read(struct loading *loading, const char *bytes, size_t size, struct record_sample *sample)
{
	struct arena *const arena = loading->arena;
	const struct record *const record = loading->record;
	const char *const line = memchr(bytes, '\n', size);
	const struct data *const head =
		line ? json_read(arena, "sample", bytes, (size_t)(line - bytes), NULL) : NULL;
	const struct data *const sizes = data_find(head, "sizes"), *const values = data_find(head, "values");
	size_t at = line ? (size_t)(line - bytes) + 1 : 0;

	if (!head || item_count(sizes) != record->n_size)
		return false;
	sample->n_size = record->n_size;
	sample->size = ARENA_ARRAY(arena, struct record_size, record->n_size + 1);
	for (int i = 0; i < record->n_size; i++)
		sample->size[i] = (struct record_size){record->size_name[i], sizes->item[i]->integer};
	sample->value = ARENA_ARRAY(arena, struct record_value, item_count(values) + 1);
	for (int i = 0; i < item_count(values); i++) {
		const char *const name = data_find_string(values->item[i], "name", "");
		const int64_t n = data_find_integer(values->item[i], "bytes", 0);
		void *data;

		if (n <= 0)
			continue;
		if ((uint64_t)n > size - at)
			return false;
		data = arena_alloc(arena, (size_t)n);
		memcpy(data, bytes + at, (size_t)n);
		at += (size_t)n;
		sample->value[sample->n_value++] = (struct record_value){name, (size_t)n, data};
	}
	return true;
}

static void samples_add(struct loading *loading, const char *folder, const char *key)
{
	const struct arguments names = names_list(loading->arena, folder, key, ".sample");
	struct record *const record = loading->record;
	struct text text;

	text_init(&text, SAMPLE_LIMIT);
	record->sample = ARENA_ARRAY(loading->arena, struct record_sample, names.argc + 1);
	for (int i = 0; i < names.argc; i++) {
		struct record_sample sample = {0};

		text_clear(&text);
		if (file_read(path_join(loading->arena, folder, names.argv[i]), &text, NULL) == STATUS_OK &&
		    sample_read(loading, text_string(&text), text.size, &sample))
			record->sample[record->n_sample++] = sample;
	}
	text_free(&text);
}

struct record *record_load(struct arena *arena, const char *folder, const struct region *region)
{
	char key[33];
	struct arguments names;
	struct loading loading = {.arena = arena, .record = ARENA_NEW(arena, struct record)};
	struct record *const record = loading.record;
	struct text text = {0};

	record_key(region, key);
	names = names_list(arena, folder, key, ".json");
	for (int i = 0; i < names.argc; i++) {
		const char *const rest = names.argv[i] + strlen(key) + 1;
		const char *const pid = arena_strndup(arena, rest, strcspn(rest, "."));
		const struct data *data = NULL;

		text_clear(&text);
		if (file_read(path_join(arena, folder, names.argv[i]), &text, NULL) == STATUS_OK)
			data = json_read(arena, names.argv[i], text_string(&text), text.size, NULL);
		if (data && data->kind == DATA_MAP)
			counts_add(&loading, data, pid);
	}
	text_free(&text);
	if (!record->size_name)
		return NULL;
	if (record->n_tuple)
		qsort_r(record->tuple, (size_t)record->n_tuple, sizeof(*record->tuple), compare_tuples, &record->n_size);
	samples_add(&loading, folder, key);
	return record;
}
