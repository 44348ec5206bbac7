/* Plain data: a tree of maps, lists and scalars, which json.h and yaml.h read and write. Lives in an arena. */
#ifndef STROP_SUPPORT_DATA_H
#define STROP_SUPPORT_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"

enum data_kind { DATA_NULL, DATA_BOOL, DATA_INTEGER, DATA_REAL, DATA_STRING, DATA_LIST, DATA_MAP };

/* "n" items; "key" names them in a map (insertion order is kept). */
struct data {
	enum data_kind kind;
	bool boolean;
	int64_t integer;
	double real;
	const char *string;
	int n, capacity;
	const char **key;
	struct data **item;
};

struct data *data_map(struct arena *arena);
struct data *data_list(struct arena *arena);
struct data *data_string(struct arena *arena, const char *string); /* NULL gives DATA_NULL */
struct data *data_integer(struct arena *arena, int64_t value);
struct data *data_real(struct arena *arena, double value);
struct data *data_bool(struct arena *arena, bool value);

void data_add(struct arena *arena, struct data *list, struct data *item);
/* Set "key" of "map", replacing what was there. */
void data_set(struct arena *arena, struct data *map, const char *key, struct data *item);
/* The same for a key that "map" is known not to have; it need not be looked for. */
void data_put(struct arena *arena, struct data *map, const char *key, struct data *item);
void data_set_string(struct arena *arena, struct data *map, const char *key, const char *value);
void data_set_integer(struct arena *arena, struct data *map, const char *key, int64_t value);
void data_set_real(struct arena *arena, struct data *map, const char *key, double value);
void data_set_bool(struct arena *arena, struct data *map, const char *key, bool value);

/* The item under "key", NULL when "map" is no map or has none. */
const struct data *data_find(const struct data *map, const char *key);
/* The value under "key" if it has the kind (an integer will do for a real), else "otherwise". */
const char *data_find_string(const struct data *map, const char *key, const char *otherwise);
int64_t data_find_integer(const struct data *map, const char *key, int64_t otherwise);
/* The integer under "key" if it is one of 0 .. n - 1, else "otherwise": the value of an enum that outside text may have. */
int data_find_choice(const struct data *map, const char *key, int n, int otherwise);
double data_find_real(const struct data *map, const char *key, double otherwise);
bool data_find_bool(const struct data *map, const char *key, bool otherwise);

#endif
