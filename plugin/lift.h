/* Lift a run of sibling statements to a nest. */
#ifndef STROP_PLUGIN_LIFT_H
#define STROP_PLUGIN_LIFT_H

#include "ir/nest.h"
#include "ir/signature.h"

#include "libclang_internal.h"
#include "region.h"
#include "unit_internal.h"

/* The statements [0, n) of "stmt", siblings within "function" (a definition); "parent" holds the statements from the
 * function's body down to the one whose child stmt[0] is, outermost first (n_parent of them). */
struct lift_input {
	const struct parsed *parsed;
	CXCursor function;
	const char *function_name;
	int n_parent;
	const CXCursor *parent;
	int n;
	const CXCursor *stmt;
};

/* What came of it: "nest" and "facts", or "refusal" with "detail", the place "line" of the culprit and the index of the
 * statement that holds it. */
struct lift_result {
	struct nest *nest;
	int n_fact;
	struct fact *fact;
	enum refusal refusal;
	const char *detail;
	int line;
	int at;
};

struct lift_result lift_run(struct arena *arena, const struct lift_input *input);

#endif
