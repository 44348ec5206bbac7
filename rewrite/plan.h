/* Plans: ordered lists of actions as text, and their application to a nest. */
#ifndef STROP_REWRITE_PLAN_H
#define STROP_REWRITE_PLAN_H

#include "ir/nest.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/text.h"

#include "fp.h"

/* The actions, one line each in actions.def: ACTION(name, arguments, targets, sentence). */
enum action_kind {
#define ACTION(name, arguments, targets, sentence) ACTION_##name,
#include "actions.def"
#undef ACTION
	ACTION_COUNT
};
struct action_info {
	const char *name, *arguments, *targets, *sentence;
};
const struct action_info *action_info(enum action_kind kind);

/* One argument: i, i.1, i:64, i@S3, S2, A, peel, 8, [i, j]. By kind:
 *   ARG_NAME  "name" (a loop, array, label or word), "label" the number after @S or -1, "size" the number after ':' or -1
 *   ARG_INT   "size"
 *   ARG_LIST  "n" items in "item" */
enum arg_kind { ARG_NAME, ARG_INT, ARG_LIST };
struct arg {
	enum arg_kind kind;
	const char *name;
	int label;
	int64_t size;
	int n;
	struct arg *item;
};
struct action {
	enum action_kind kind;
	int n;
	struct arg *arg;
};
struct plan {
	int n;
	struct action *action;
};

/* Parse "text"; NULL and a sentence with the column when it is not a plan, or one of more than 1000 actions. */
struct plan *plan_parse(struct arena *arena, const char *text, struct diag *diag);
/* Append the canonical text: it parses back, and equal plans give equal text. */
void plan_print(const struct plan *plan, struct text *text);

/* A nest under rewriting: the original (with its dependences, computed once), and the fp mode that decides whether
 * reductions may be reordered. */
struct workspace;
struct workspace *workspace_new(struct arena *arena, const struct nest *original, enum fp_mode mode, struct diag *diag);
struct workspace *workspace_free(struct workspace *workspace);
const struct nest *workspace_nest(const struct workspace *workspace);

/* Apply one action to "nest" (left usable); NULL and the reason in "why" when it may not or cannot be applied. Cheap:
 * uses direction vectors. */
struct nest *action_apply(struct workspace *workspace, const struct nest *nest, const struct action *action,
			  struct diag *why);
/* Whether action_apply() would likely accept; microseconds; no allocation that outlives the call. */
bool action_may_apply(struct workspace *workspace, const struct nest *nest, const struct action *action);
/* Apply all of "plan" to the original and validate the result with isl. NULL and the reason otherwise. */
struct nest *plan_apply(struct workspace *workspace, const struct plan *plan, struct diag *why);

#endif
