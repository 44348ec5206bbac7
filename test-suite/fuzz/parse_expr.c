/* ir/parse_expr.c: expressions of a nest, each as the value of a statement within a fixed nest. */
#include "parse.h"

#include <string.h>

#include "ir/nest.h"

static const char head[] = "region f(f32 A[n,m], f64 B[n], i32 at[n] in, u8 c[n]; i32 n, m; i64 k; u64 u; f32 a; f64 x inout)\n"
			   "for i in 0..n\n"
			   "  for j: i64 in 0..k\n"
			   "    S0: B[i] = f64(";
static const char tail[] = ")\n";

static bool reprint_expr(struct arena *arena, const char *bytes, size_t size, struct text *out, struct diag *diag)
{
	const struct nest *nest;
	struct text text = { 0 };

	(void)size;
	nest = nest_parse(arena, arena_printf(arena, "%s%.*s%s", head, (int)strcspn(bytes, "\n"), bytes, tail), diag);
	if (!nest)
		return false;
	nest_print(nest, &text);
	parse_require(text.size > strlen(head) + strlen(tail), "the nest lost its head");
	parse_require(strncmp(text.bytes, head, strlen(head)) == 0, "the nest's head has changed");
	text_append_bytes(out, text.bytes + strlen(head), text.size - strlen(head) - strlen(tail));
	text_free(&text);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_round_trip(data, size, reprint_expr);
	return 0;
}
