/* The nest: the loop IR in which a region is analysed, rewritten and printed.
 *
 * A nest is a tree of loops, conditions and statements over typed expressions and array accesses, together with the
 * variables that they use. Everything lives in the arena of its region and is never freed singly. Expressions are
 * immutable and shared; a transformation copies the nodes that it changes and leaves its input usable.
 *
 * C's semantics are made explicit by the lifter: each implicit conversion is an EXPR_CAST, so that the operands of an
 * arithmetic operator have the type of the operator; loops count upwards by a constant step; bounds are half open.
 * Nothing here knows of libclang, isl or CUDA. */
#ifndef STROP_IR_NEST_H
#define STROP_IR_NEST_H

#include <stdbool.h>
#include <stdint.h>

#include "support/arena.h"
#include "support/diag.h"
#include "support/text.h"

#include "type.h"

struct expr;

enum var_kind {
	VAR_PARAM,  /* a scalar that the region only reads: sizes, strides, coefficients; constant while it runs */
	VAR_SCALAR, /* a scalar that lives outside and is written inside (live-in, live-out or both: see the flags) */
	VAR_ARRAY,  /* memory that lives outside: a pointer or an array object */
	VAR_LOCAL,  /* a scalar (rank 0) or array (rank > 0, constant extents) declared inside the region */
	VAR_ITER,   /* the iterator of a loop */
};

/* One name of a nest. "name" is unique within the nest and is a C identifier, except that names which actions make
 * carry dots ("i.1", "B.p", "C.r"); code generation turns dots into underscores.
 *
 * "rank" is the number of subscripts of each access, "extent[d]" the size of dimension d in elements, over params and
 * constants; extent[0] may be NULL, "not known". Element A[s0, s1, ..] lies at the row-major offset
 * (s0 * extent[1] + s1) * extent[2] + ..; in bounds means 0 <= s_d < extent[d] for each d > 0, which the lifter has
 * proved or has put among the nest's assumptions.
 *
 * "source" is the C expression that yields the value or the base pointer where the region stands ("n", "l->out_w",
 * "A", "out + 3"); NULL for locals and iterators. "ctype" is the C spelling of the element's type that pointers to
 * it must use ("float", "long", "uint8_t", "real"); "is_native" says that C subscripts it as A[i][j] rather than
 * flattened, "is_object" that it is an array object (static or global storage: its address is fixed). "is_rows" (rank 2, native): the
 * source is a table of pointers to rows, float **A; each row has room for extent[1] elements wherever it lies. */
struct var {
	enum var_kind kind;
	enum type type;
	const char *name;
	const char *source;
	const char *ctype;
	int rank;
	struct expr **extent;
	bool is_read, is_written; /* inside the region; for VAR_SCALAR: read before it is written */
	bool is_live_out;         /* VAR_SCALAR: its value is used after the region */
	bool is_native, is_object, is_rows;
	bool is_const;            /* the pointee is const-qualified in the source */
};

enum op {
	OP_NONE,
	OP_NEG, OP_NOT, OP_BITNOT,
	OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD,
	OP_SHL, OP_SHR, OP_AND, OP_OR, OP_XOR,
	OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE, /* operands of one type, result i32 */
	OP_LAND, OP_LOR,                          /* result i32, short-circuit */
	OP_MIN, OP_MAX, OP_FLOORDIV,              /* of integers: bounds that actions make; FLOORDIV by a positive constant */
	OP_COUNT
};

enum expr_kind { EXPR_INT, EXPR_FLOAT, EXPR_REF, EXPR_OP, EXPR_SELECT, EXPR_CAST, EXPR_CALL };

/* "type" is the type of the value. Meaning of the rest by kind:
 *   EXPR_INT     integer
 *   EXPR_FLOAT   real, and its C spelling (printing must give the same value back)
 *   EXPR_REF     var[arg[0], .., arg[n-1]]; n == var->rank; a scalar, iterator or element
 *   EXPR_OP      op over arg[0] (unary) or arg[0], arg[1]
 *   EXPR_SELECT  arg[0] ? arg[1] : arg[2]; only the chosen side is evaluated
 *   EXPR_CAST    (type)arg[0]
 *   EXPR_CALL    name(arg[0], .., arg[n-1]), a function of math.h, stdlib.h's abs, or one of ours; pure */
struct expr {
	enum expr_kind kind;
	enum type type;
	enum op op;
	int64_t integer;
	double real;
	const char *name; /* EXPR_CALL: the function; EXPR_FLOAT: the spelling */
	struct var *var;
	int n;
	struct expr **arg;
};

/* A sequence of nodes. */
struct list {
	int n;
	struct node **node;
};

enum node_kind { NODE_LOOP, NODE_IF, NODE_STMT };

enum edge { EDGE_DEFAULT, EDGE_PEEL, EDGE_MASK, EDGE_PAD, EDGE_BACK };

/* How the code of a loop is to be written; none of it changes which instances run.
 *   vector    lanes of the vector loop, 0 for none: the loop's instances run "vector" at a time
 *   staged    of a vector loop: lanes wait for what an earlier statement did in other lanes, so that they have to go through the
 *             body together, statement by statement
 *   unroll    copies of the body, 0 or 1 for none; UNROLL_FULL for all (constant trip count up to 64)
 *   parallel  iterations may run on different threads
 *   edge      what to do with the tail that does not fill a vector, an unrolled step or, of a tile loop, the tile; EDGE_BACK: the last
 *             tile begins earlier, where what it does may be done twice */
#define UNROLL_FULL (-1)
struct loop_marks {
	int vector;
	int unroll;
	bool staged;
	bool parallel;
	enum edge edge;
};

/* One node of the tree.
 *
 * NODE_LOOP: for iter in lo..hi step "step" (step > 0; iter takes lo, lo + step, .. < hi) { body }. The bounds are
 *   integer expressions over params, outer iterators and locals that are not assigned in the loop.
 * NODE_IF: if cond { body } else { orelse }. cond may be affine in iterators and params, or depend on data.
 * NODE_STMT: S<label>: target = value, or target op= value when "op" is not OP_NONE (ADD, SUB, MUL, DIV, AND, OR, XOR,
 *   SHL, SHR; computed in the type of the target, which is also the type of value). "declares" says that target is a
 *   VAR_LOCAL that comes into being here and is visible in the rest of its list; value may then be NULL (not yet set).
 *   "origin" (n_origin entries) gives, outermost first, the iterators of the loops that surrounded the statement in the
 *   original nest as expressions of the loops that surround it now; NULL for a statement that an action made (copies of
 *   promote, partial sums), which stands for no original instance. A fresh nest has origin = its own iterators. For a
 *   statement that no loop surrounded, origin is not NULL and n_origin is 0.
 *   "is_settled": the statement folds into one of several partial extremes, and what an action put behind them makes up for the
 *   order of its terms. It is not printed.
 *   Copies of one statement (peeled, unrolled) share its label; a declaration may have none, label -1. A local array is
 *   declared by its name without subscripts (target->n == 0) and no value. A local that no statement declares belongs to
 *   the region as a whole. */
struct node {
	enum node_kind kind;
	int line; /* in the source file; 0 when made by an action */

	struct var *iter;
	struct expr *lo, *hi;
	int64_t step;
	struct loop_marks marks;

	struct expr *cond;
	struct list body, orelse;

	int label;
	bool declares, is_settled;
	struct expr *target, *value;
	enum op op;
	int n_origin;
	struct expr **origin;
};

/* A lifted region. "original" is the nest whose iterations the origins of statements name; NULL where that is the nest as it was
 * lifted. "assumption" are conditions over params that must hold for the nest to mean what the source does
 * (0 <= j < n of a delinearised subscript, no wrap of an unsigned counter, a constant sign of a step); each is an i32
 * expression, evaluated by the guard before the variant may run. "n_label" is one more than the largest label. */
struct nest {
	struct arena *arena;
	const char *name;
	const struct nest *original;
	int n_var;
	struct var **var;
	struct list body;
	int n_assumption;
	struct expr **assumption;
	int n_label;
};

/* ---- construction (build.c); each returns a new object in "arena" ---- */

struct nest *nest_new(struct arena *arena, const char *name);
/* A copy that shares variables, expressions and nodes with "nest" but whose top list and var table may be changed. */
struct nest *nest_copy(const struct nest *nest);
/* Add a variable; "name" is made unique by a number if it is taken. Return it. */
struct var *nest_add_var(struct nest *nest, enum var_kind kind, enum type type, const char *name, int rank,
			 struct expr **extent);
struct var *nest_find_var(const struct nest *nest, const char *name);
/* The index of "var", which is one of the nest's, in its table. */
int nest_var_index(const struct nest *nest, const struct var *var);
/* Whether the nest has no statements: it then names the inputs and outputs of code that was not lifted. */
bool nest_is_opaque(const struct nest *nest);
/* Add an assumption unless an equal one is there. */
void nest_assume(struct nest *nest, struct expr *condition);
/* Give each statement of a fresh nest its origin: the iterators of the loops around it. */
void nest_set_origins(struct nest *nest);

struct expr *expr_int(struct arena *arena, int64_t value, enum type type);
struct expr *expr_float(struct arena *arena, double value, enum type type, const char *spelling);
struct expr *expr_ref(struct arena *arena, struct var *var, int n, struct expr **subscript);
struct expr *expr_scalar(struct arena *arena, struct var *var);
/* Integer constants fold, x + 0, x * 1 and the like vanish; the type is that of "left", or i32 for comparisons. */
struct expr *expr_binary(struct arena *arena, enum op op, struct expr *left, struct expr *right);
struct expr *expr_unary(struct arena *arena, enum op op, struct expr *arg);
struct expr *expr_select(struct arena *arena, struct expr *cond, struct expr *yes, struct expr *no);
struct expr *expr_cast(struct arena *arena, enum type type, struct expr *arg); /* "arg" itself if it has that type */
struct expr *expr_call(struct arena *arena, enum type type, const char *name, int n, struct expr **arg);

struct node *node_loop(struct arena *arena, struct var *iter, struct expr *lo, struct expr *hi, int64_t step);
struct node *node_if(struct arena *arena, struct expr *cond);
struct node *node_stmt(struct arena *arena, int label, struct expr *target, enum op op, struct expr *value);
struct node *node_copy(struct arena *arena, const struct node *node); /* shallow, but with lists of its own */
struct node *node_copy_deep(struct arena *arena, const struct node *node);
void list_add(struct arena *arena, struct list *list, struct node *node);
void list_insert(struct arena *arena, struct list *list, int at, struct node *node);
void list_remove(struct list *list, int at);

/* ---- questions and walks (walk.c) ---- */

bool expr_equal(const struct expr *a, const struct expr *b);
bool expr_is_int(const struct expr *expr, int64_t value);
bool expr_uses(const struct expr *expr, const struct var *var);
/* "expr" with each scalar reference to "var" replaced by "by"; shares what does not change. */
struct expr *expr_replace(struct arena *arena, struct expr *expr, const struct var *var, struct expr *by);
/* Call "visit" on "expr" and each expression within it, outside in, until it returns false; return false then. */
bool expr_walk(struct expr *expr, bool (*visit)(struct expr *expr, void *context), void *context);
/* Call "visit" on each node below "list" in text order, parents first, until it returns false; return false then. */
bool list_walk(const struct list *list, bool (*visit)(struct node *node, void *context), void *context);
/* Call "visit" on each expression root of the node itself (bounds, condition, target, value), not of its children. */
bool node_exprs(struct node *node, bool (*visit)(struct expr *expr, void *context), void *context);
/* Replace scalar references to "var" by "by" throughout the node and below, in place (origins included); the nodes
 * must be the caller's own copies. */
void node_replace(struct arena *arena, struct node *node, const struct var *var, struct expr *by);
/* The loops around "node" in "nest", outermost first, into "loop" (at most "max"); return their number, -1 if "node" is
 * not in the nest. */
int nest_path(const struct nest *nest, const struct node *node, struct node **loop, int max);
/* Evaluate an integer expression; "value" gives each scalar (return false from it: unknown). Return false if it cannot
 * be evaluated or overflows 64 bits. */
bool expr_evaluate(const struct expr *expr, bool (*value)(const struct var *var, int64_t *result, void *context),
		   void *context, int64_t *result);

/* ---- text and identity ---- */

/* Append the printed form (docs/ir.md), which parses back to an equal nest. Deterministic. */
void nest_print(const struct nest *nest, struct text *text);
void expr_print(const struct expr *expr, struct text *text);
/* Parse a printed nest; NULL and a line-numbered sentence in "diag" when it is malformed. */
struct nest *nest_parse(struct arena *arena, const char *string, struct diag *diag);
/* Verify every invariant above; false and a sentence when one is broken. */
bool nest_check(const struct nest *nest, struct diag *diag);
/* The nest key: a hash (32 hex digits) of the normalised nest, types and "mode"; names do not matter. */
void nest_key(const struct nest *nest, const char *mode, char key[33]);

#endif
