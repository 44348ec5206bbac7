/* plugin/region_text.c and plugin/signature.c: the pragmas and comments above a region, and what inputs(...) says. */
#include "parse.h"

#include "ir/nest.h"
#include "plugin/region_internal.h"

static const char nest_text[] = "region f(f32 A[n,m], f64 B[n], i32 at[n] in; i32 n, m; f32 a; f64 x inout)\n"
				"for i in 0..n\n"
				"  S0: B[i] = x\n";

static void require_bound(const struct nest *nest, struct expr *bound)
{
	struct nest copy = *nest;
	struct diag diag = { 0 };

	if (!bound)
		return;
	nest_assume(&copy, expr_binary(nest->arena, OP_GE, bound, expr_int(nest->arena, 0, bound->type)));
	parse_require(nest_check(&copy, &diag), diag.message);
}

static void read_pragma(struct arena *arena, const char *bytes, size_t size)
{
	const struct scanner scanner = { .arena = arena, .text = bytes, .size = size };
	const struct nest *nest = nest_parse(arena, nest_text, NULL);
	const struct hints hints = text_hints(&scanner, 0, size);
	struct signature signature = { 0 };

	if (!hints.inputs)
		return;
	signature_add_inputs(arena, &signature, nest, hints.inputs);
	for (int i = 0; i < signature.n_fact; i++) {
		parse_require(signature.fact[i].var != NULL, "a fact is of nothing");
		require_bound(nest, signature.fact[i].lo);
		require_bound(nest, signature.fact[i].hi);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_alone(data, size, read_pragma);
	return 0;
}
