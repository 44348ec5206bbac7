/* A loop while it is lifted: its parts, its head, and the variables that move along with it. Internal to lifting. */
#ifndef STROP_PLUGIN_LIFT_LOOP_INTERNAL_H
#define STROP_PLUGIN_LIFT_LOOP_INTERNAL_H

#include "lift_internal.h"

/* The parts of a loop; a clause that is not there is a null cursor. "part" (n_part of them) are the statements of the body,
 * without the last one where that is the step. "counted": the variable that "while (n--)" counts down, whose condition is true
 * until it was 0 ("until_zero") or no more positive. */
struct clauses {
	CXCursor init, cond, step, body, counted;
	bool is_countdown, until_zero;
	int n_part;
	CXCursor *part;
};

/* A loop being lifted: i runs from "start" by "step"; "iter" is the nest's iterator, of which "index" is the value of i.
 * "lo" and "hi" bound iter, "trip" is the number of iterations where step allows to say it, "last" the value of i after the
 * loop. */
struct loop {
	CXCursor cursor;
	struct clauses clause;
	struct symbol *counter;
	enum type type;
	bool was_kept;
	struct var *iter;
	int atom;
	int64_t step;
	int offset; /* i is iter (0), start + iter (1) or start - iter (-1) */
	struct poly *start, *lo, *hi, *index, *trip, *last;
	struct expr *frozen_bound;
	int n_need;
	struct poly *need[8];
	int n_moving;
	struct moving {
		struct symbol *symbol;
		struct value entry;
		struct poly *delta;
	} *moving;
};

/* ---- parts (lift_clauses.c) ---- */

/* The parts of the for or while loop "cursor"; refuses loops that have others. */
struct clauses clauses_find(struct lifter *lifter, CXCursor cursor);
/* Where "cursor" begins in its file. */
unsigned cursor_offset(CXCursor cursor);

/* ---- assignments (lift_delta.c) ---- */

/* Variables that a piece of source assigns. */
struct targets {
	struct lifter *lifter;
	int n;
	CXCursor decl[128];
};

/* Add the variables that "cursor" (perhaps null), or the body of the loop, assigns. */
void targets_collect(struct lifter *lifter, CXCursor cursor, struct targets *targets);
void targets_collect_body(struct lifter *lifter, const struct clauses *clause, struct targets *targets);
bool targets_have(const struct targets *targets, CXCursor decl);
/* Whether "cursor" (perhaps null) assigns "decl". */
bool cursor_assigns(struct lifter *lifter, CXCursor cursor, CXCursor decl);
/* How much one execution of "cursor" adds to the variable "decl"; NULL when that is not the same each time. */
struct poly *cursor_delta(struct lifter *lifter, CXCursor cursor, CXCursor decl, CXCursor loop);
/* The same for the body of a loop. */
struct poly *clauses_delta(struct lifter *lifter, const struct clauses *clause, CXCursor decl, CXCursor loop);

/* ---- head (lift_head.c) ---- */

/* The integer variable that the third clause steps and the condition tests. */
struct symbol *counter_find(struct lifter *lifter, const struct loop *loop);
/* while (n--): iter counts up to the first value of n, which is that minus 1 minus iter in the body. What it is afterwards is
 * not said. */
void countdown_lift(struct lifter *lifter, struct loop *loop);
/* The head of any other loop: "start", "step" and the bounds of its iterator. */
void head_lift(struct lifter *lifter, struct loop *loop);

/* ---- variables that move along (lift_moving.c) ---- */

/* Set up what each variable that the loop assigns is worth in its body. */
void moving_start(struct lifter *lifter, struct loop *loop);
/* Check that the body moved each variable as foreseen. */
void moving_check(struct lifter *lifter, struct loop *loop);
/* What the variables are worth after the loop. */
void moving_finish(struct lifter *lifter, struct loop *loop);
/* The counter after the loop: its last value, given that the loop is not passed over backwards. */
void counter_finish(struct lifter *lifter, struct loop *loop);

#endif
