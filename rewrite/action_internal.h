/* What the actions share: the copy of a nest under rewriting, finding things in it, and the cheap legality of an order.
 *
 * Each action is a function that edits "rewrite->nest", a deep copy of its own, and returns STATUS_OK, or STATUS_FAILED with
 * the reason in "rewrite->why"; a copy that failed is thrown away. */
#ifndef STROP_REWRITE_ACTION_INTERNAL_H
#define STROP_REWRITE_ACTION_INTERNAL_H

#include <stdbool.h>

#include "ir/nest.h"
#include "support/diag.h"

#include "plan.h"
#include "validate.h"

/* "restated" are workspaces of the same region put in other words, the last one made first. */
struct workspace {
	struct arena *arena;
	const struct nest *original;
	enum fp_mode mode;
	struct dependences *dependences;
	int n_vector;
	const struct dependence_vector *vector;
	struct workspace *restated, *next;
};

/* The workspace that "nest" is to be judged in: "workspace", or the restated one that its origins belong to. */
struct workspace *workspace_of(struct workspace *workspace, const struct nest *nest);
/* Make "nest", which does what the original does statement by statement, the original of a workspace of its own, unless an equal
 * one has been made before. The nest to go on with; NULL and the reason. */
struct nest *workspace_restate(struct workspace *workspace, const struct nest *nest, struct diag *why);

/* One application of an action. "arena" is the nest's. */
struct rewrite {
	const struct workspace *workspace;
	struct arena *arena;
	struct nest *nest;
	struct diag *why;
};

/* Record why an action may not be applied; STATUS_FAILED. */
enum status refuse(struct rewrite *rewrite, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A copy of "nest" in "arena" whose nodes are its own, each statement of the original labelled: declarations that have no label
 * are numbered after the others, in text order. */
struct nest *nest_copy_whole(struct arena *arena, const struct nest *nest);
/* The same rewriting on another copy of its nest, with its reasons going to "why", to try something out. */
struct rewrite rewrite_fork(const struct rewrite *rewrite, struct diag *why);

/* ---- the actions ---- */

#define ACTION(name, arguments, targets, sentence) \
	enum status action_##name(struct rewrite *rewrite, const struct action *action);
#include "actions.def"
#undef ACTION

/* ---- finding (action_find.c) ---- */

enum { PATH_MAX_LOOPS = 32 };

/* Where a node stands: list->node[at] in the list of "parent" (NULL: the nest's own). */
struct spot {
	struct node *parent;
	struct list *list;
	int at;
};

/* The loops around a node, outermost first. */
struct path {
	int n;
	struct node *loop[PATH_MAX_LOOPS];
};

/* The only loop that "arg" names; NULL and a reason when none or several do. A name without "@" counts only loops around
 * statements of the original, so that copies which actions made do not get in the way. */
struct node *rewrite_find_loop(struct rewrite *rewrite, const struct arg *arg);
/* The statement with the label, of several copies the one in the most loops; NULL when there is none. */
struct node *nest_find_statement(const struct nest *nest, int label);
/* The number after S in "S12", or -1. */
int label_parse(const char *name);
struct spot nest_find_spot(struct nest *nest, const struct node *node);
struct path nest_find_path(const struct nest *nest, const struct node *node);
/* The node of "copy", a deep copy of "nest", that stands where "node" stands in "nest". */
struct node *nest_find_copy(const struct nest *nest, const struct node *node, const struct nest *copy);
/* Whether the nest is the original still. */
bool rewrite_is_fresh(const struct rewrite *rewrite);
/* Whether "inner" is "node" or stands below it. */
bool node_holds(const struct node *node, const struct node *inner);
bool list_holds(const struct list *list, const struct node *inner);
/* Whether a statement of the original stands at or below "node". */
bool node_has_origin(const struct node *node);
/* The first statement at or below "node" in text order; NULL when there is none. */
struct node *first_statement(struct node *node);
/* A name for messages: the loop's iterator with its first statement, "i@S2"; "S3"; or "the condition above S3". */
const char *node_name(struct rewrite *rewrite, struct node *node);
/* Whether the expressions at or below "node" mention / the statements at or below it write "var". */
bool node_mentions(struct node *node, const struct var *var);
bool node_writes(struct node *node, const struct var *var);
/* ---- making (action_made.c) ---- */

/* A new local named "base" + "." + "suffix", numbered when taken. */
struct var *derived_var(struct rewrite *rewrite, const struct var *base, const char *suffix, enum type type, int rank,
			struct expr **extent);
/* A new iterator named in the same way. */
struct var *derived_iterator(struct rewrite *rewrite, const struct var *base, const char *suffix, enum type type);
/* A statement that an action makes: no origin, a label of its own. */
struct node *made_statement(struct rewrite *rewrite, struct expr *target, enum op op, struct expr *value);
struct node *made_declaration(struct rewrite *rewrite, struct var *local);
/* Replace each reference to "from" at or below "node" by what "make" makes of it; the subscripts within it are replaced already. */
struct replacement {
	struct rewrite *rewrite;
	const struct var *from;
	struct expr *(*make)(const struct replacement *replacement, struct expr *reference);
	const void *context;
};
void node_replace_refs(const struct replacement *replacement, struct node *node);
/* Make sure that "at" is reached only when it has an iteration, by a condition as far out as it may stand, unless that is so
 * already. What stands in the list of "at" may move into the condition. */
void require_entered(struct rewrite *rewrite, struct node *at);

/* ---- legality (action_legal.c) ---- */

/* Whether the order of the statements at or below "within" (NULL: of the nest) keeps each dependence of the original between them,
 * judged by direction vectors, and each mark there is allowed by them; a reason naming the statements otherwise. What changed
 * must lie within. Errs on the side of refusing. */
enum status legal_check(struct rewrite *rewrite, const struct node *within);
/* Whether statement "label" is an extreme whose terms may be taken in any order in every mode where the order is settled
 * afterwards (reduction_is_selection). */
bool reduction_is_settled(const struct workspace *workspace, int label);
/* Verify that locals are declared before they are used and the like, after an edit that moved statements. */
enum status scope_check(struct rewrite *rewrite);
/* Whether statement "label" is a reduction whose terms the fp mode lets be taken in any order. */
bool reduction_is_free(const struct workspace *workspace, int label);

/* Whether "statement" runs several times for an iteration of the original: a loop around it runs over none of its iterators. Only
 * declarations of constants may. */
bool statement_is_repeated(const struct nest *nest, struct node *statement);
/* The dependences of statements that actions made are not known. Whether such a statement at or below "a" and any statement at
 * or below "b", or the reverse, touch the same memory, one of them writing it, other than in the same iteration of "a_iter"
 * and "b_iter" (NULL: at all); locals declared below do not count (action_meet.c). */
bool made_statements_meet(struct rewrite *rewrite, struct node *a, const struct var *a_iter, struct node *b,
			  const struct var *b_iter);
/* Whether a statement at or below "node" declares "var". */
bool node_declares(const struct node *node, const struct var *var);

/* ---- pieces of actions that other actions use ---- */

/* Strip-mine "loop" by "size" iterations; return the new tile loop around it (action_tile.c). */
struct node *tile_loop(struct rewrite *rewrite, struct node *loop, int64_t size);
/* Give the local "var", declared in the body of "loop", one copy per iteration of it (action_privatize.c). */
enum status privatize_local(struct rewrite *rewrite, struct node *loop, struct var *var);
/* Replace the local "var", declared in "list" inside "loop", by an array with one element per iteration of "loop" and return
 * the array, which is not declared yet; NULL and a reason. */
struct var *expand_local(struct rewrite *rewrite, struct node *loop, struct list *list, struct var *var);
/* Split "loop" before body child "at"; return the second loop, which stands after it (action_distribute.c). */
struct node *split_loop(struct rewrite *rewrite, struct node *loop, int at);

#endif
