/* Plain data through JSON and YAML and back; what is malformed is refused with a line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/data.h"
#include "support/json.h"
#include "support/yaml.h"

static struct data *sample(struct arena *arena)
{
	static const char *const strings[][2] = {
		{ "plain", "gemm" }, { "number-like", "12" }, { "empty", "" }, { "lines", "one\n  two\n\tthree\n" },
		{ "no newline", "one\ntwo" }, { "colon", "a: b # c" }, { "minus", "- x" }, { "crlf", "a\r\nb\r\n" },
	};
	struct data *map = data_map(arena), *list = data_list(arena);
	size_t i;

	for (i = 0; i < sizeof(strings) / sizeof(*strings); i++)
		data_set_string(arena, map, strings[i][0], strings[i][1]);
	data_set_integer(arena, map, "integer", INT64_MIN);
	data_set_real(arena, map, "real", 0.1);
	data_set_real(arena, map, "whole", 3.0);
	data_set_bool(arena, map, "yes", true);
	data_add(arena, list, data_integer(arena, 1));
	data_add(arena, list, data_map(arena));
	data_add(arena, list, data_list(arena));
	data_set(arena, map, "list", list);
	return map;
}

typedef struct data *reader(struct arena *, const char *, const char *, size_t, struct diag *);

static void write_json(const struct data *data, struct text *text)
{
	json_write(data, true, text);
}

static void check_round_trip(reader *read, void (*write)(const struct data *, struct text *))
{
	struct arena *arena = arena_new();
	struct text first = { 0 }, second = { 0 };
	struct diag diag = { 0 };
	struct data *back;

	write(sample(arena), &first);
	back = read(arena, "t", first.bytes, first.size, &diag);
	assert_non_null(back);
	write(back, &second);
	assert_string_equal(first.bytes, second.bytes);
	assert_string_equal(data_find_string(back, "number-like", NULL), "12");
	assert_string_equal(data_find_string(back, "lines", NULL), "one\n  two\n\tthree\n");
	assert_string_equal(data_find_string(back, "crlf", NULL), "a\r\nb\r\n");
	assert_true(data_find_real(back, "real", 0) == 0.1);
	assert_true(data_find_integer(back, "integer", 0) == INT64_MIN);
	assert_int_equal(data_find(back, "whole")->kind, DATA_REAL);
	text_free(&first);
	text_free(&second);
	arena_free(arena);
}

static void test_yaml_round_trip(void **state)
{
	(void)state;
	check_round_trip(yaml_read, yaml_write);
}

static void test_json_round_trip(void **state)
{
	(void)state;
	check_round_trip(json_read, write_json);
}

static void refuse_all(reader *read, size_t n, const char *const *bad)
{
	struct arena *arena = arena_new();
	size_t i;

	for (i = 0; i < n; i++) {
		struct diag diag = { 0 };

		assert_null(read(arena, "t", bad[i], strlen(bad[i]), &diag));
		assert_int_equal(strncmp(diag.message, "t:", 2), 0);
	}
	arena_free(arena);
}

static void test_malformed(void **state)
{
	static const char *const yaml[] = { "a: [", "a: 1\na: 2", "? [x]\n: 1", "a: *b", "a: !t 1", "\t- x",
					   "a: \"b\\0c\"", "- 1e999", "\"a\\0\": 1" };
	static const char *const json[] = { "", "{", "{\"a\":1,\"a\":2}", "[1,]", "nan" };

	(void)state;
	refuse_all(yaml_read, sizeof(yaml) / sizeof(*yaml), yaml);
	refuse_all(json_read, sizeof(json) / sizeof(*json), json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_yaml_round_trip),
		cmocka_unit_test(test_json_round_trip),
		cmocka_unit_test(test_malformed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
