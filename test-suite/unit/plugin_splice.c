#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "plugin/splice.h"

/* Splice "n" edits into "source" and compare; "expected" NULL: must be refused. */
static void check(const char *source, int n, const struct edit *edits, const char *expected)
{
	struct text out = {0};
	struct diag diag = {0};
	const enum status status = splice(source, strlen(source), n, edits, &out, &diag);

	if (expected) {
		assert_int_equal(status, STATUS_OK);
		assert_string_equal(text_string(&out), expected);
	} else {
		assert_int_equal(status, STATUS_FAILED);
		assert_true(diag.message[0]);
	}
	text_free(&out);
}

static void edits_apply_in_any_order(void **state)
{
	(void)state;
	check("abcdef", 0, NULL, "abcdef");
	check("abcdef", 1, (struct edit[]){{0, 6, "", false}}, "");
	check("abcdef", 2, (struct edit[]){{4, 5, "E", false}, {1, 3, "-", false}}, "a-dEf");
	check("abcdef", 3, (struct edit[]){{2, 2, "1", false}, {2, 2, "2", false}, {2, 2, "3", false}}, "ab123cdef");
	check("abcdef", 2, (struct edit[]){{2, 4, "X", false}, {2, 2, "<", false}}, "ab<Xef");
	check("abcdef", 2, (struct edit[]){{2, 4, "X", false}, {4, 4, ">", false}}, "abX>ef");
	check("", 1, (struct edit[]){{0, 0, "new\n", false}}, "new\n");
}

static void bad_edits_are_refused(void **state)
{
	(void)state;
	check("abcdef", 2, (struct edit[]){{1, 4, "", false}, {3, 5, "", false}}, NULL);
	check("abcdef", 2, (struct edit[]){{1, 4, "", false}, {2, 2, "x", false}}, NULL);
	check("abcdef", 1, (struct edit[]){{5, 7, "", false}}, NULL);
	check("abcdef", 1, (struct edit[]){{4, 3, "", false}}, NULL);
}

static void line_ends_follow_the_source(void **state)
{
	(void)state;
	check("a\r\nb\r\n", 1, (struct edit[]){{3, 3, "x\ny\n", false}}, "a\r\nx\r\ny\r\nb\r\n");
	check("a\r\nb", 1, (struct edit[]){{3, 4, "x\ny", false}}, "a\r\nx\r\ny");
	check("a\r\nb\r\n", 1, (struct edit[]){{3, 4, "x\r\ny", false}}, "a\r\nx\r\ny\r\n");
	check("a\nb\r\nc\n", 2, (struct edit[]){{0, 0, "1\n", false}, {2, 2, "2\n", false}}, "1\na\n2\r\nb\r\nc\n");
	check("\xef\xbb\xbf" "a\nb\n", 1, (struct edit[]){{5, 6, "c\n", false}}, "\xef\xbb\xbf" "a\nc\n\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edits_apply_in_any_order),
		cmocka_unit_test(bad_edits_are_refused),
		cmocka_unit_test(line_ends_follow_the_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
