/* Lifting: from the statements of a region, as libclang sees them, to a nest.
 *
 * The lifter executes the region symbolically. An integer that is a polynomial of iterators and params ("bt = b * T + t"),
 * and every pointer ("row = A + i * n"), is tracked: its value replaces its uses. All other scalars become variables of the
 * nest, assigned by statements. When tracking fails midway (the branches of an if disagree, an update has no closed form)
 * the variable is noted as one to be kept in a statement and lifting starts again. What cannot be lifted ends in
 * lift_refuse(), which does not return to its caller but to lift_run(). */
#ifndef STROP_PLUGIN_LIFT_INTERNAL_H
#define STROP_PLUGIN_LIFT_INTERNAL_H

#include <setjmp.h>

#include "ir/nest.h"
#include "ir/signature.h"

#include "lift.h"
#include "liveness.h"
#include "unit_internal.h"

enum { LIFT_DEPTH = 24, LIFT_RANK = 8, LIFT_FACTORS = 8 };

/* coef * product of the n atoms (sorted by number, repeated for powers). */
struct term {
	int64_t coef;
	int n;
	int atom[LIFT_FACTORS];
};

/* A polynomial over atoms: the mathematical value of an integer expression. It is the value that C computes provided that
 * each polynomial in "need" is >= 0 (no unsigned wrap). "is_wide": some step of C's computation was in 64 bits. */
struct poly {
	int n;
	struct term *term;
	bool is_wide;
	int n_need;
	struct poly **need;
};

/* What polynomials are made of. "var" for a scalar of the nest, else any integer expression ("idx[i]", "i % 3").
 *   is_param   fixed while the region runs
 *   is_frozen  fixed from here to the end of its scope: params, iterators, locals that are assigned once */
struct atom {
	struct expr *expr;
	struct var *var;
	bool is_param, is_frozen;
};

/* Memory with a name: what a pointer points into. "key" is its C expression; "n_dim" native dimensions beyond the first
 * ("dim"), each a polynomial. "is_array": an array object, whose address is fixed. */
struct base {
	struct var *var;
	const char *key;
	CXType element;
	int n_dim;
	struct poly *dim[LIFT_RANK];
	struct poly *size; /* of the first dimension, where declared */
	bool is_array, is_rows; /* is_rows: a table of pointers to rows, n_dim 1, dim[0] NULL */
};

/* A place within "base": subscripts given so far; for a pointer the last one counts the pointee. */
struct place {
	struct base *base;
	int n;
	struct poly *sub[LIFT_RANK];
	bool moved; /* pointer arithmetic was done on the last subscript of a row */
};

enum value_kind { VALUE_VOID, VALUE_SCALAR, VALUE_POINTER };

/* The value of an expression. A scalar has "expr", an integer also "poly"; a pointer has "place"; "type" of pointers is the
 * pointee, canonical. "is_null": the constant NULL. */
struct value {
	enum value_kind kind;
	int n_yes, n_no; /* polynomials that are >= 0 when the value is not, or is, 0 */
	struct poly *yes[8], *no[8];
	struct expr *expr;
	struct poly *poly;
	struct place place;
	CXType pointee;
	bool is_null;
};

/* A variable of the source. "path" is its C expression for fields and globals reached by an invariant path, else its name.
 * "alias": the path that a parameter or local, which is a structure or a pointer to one, stands for.
 * Tracked: "value" holds its value now. Kept: "var" is its variable in the nest. */
struct symbol {
	CXCursor decl;
	const char *path, *alias;
	CXType type;
	bool is_outside, is_path;
	bool is_assigned, is_assigned_once, has_address;
	bool is_tracked, is_touched;
	bool has_value;
	struct value value;
	struct var *var;
	struct base *base;
	CXCursor where;
};

/* A loop that stands around the current point: for iter in lo .. hi (exclusive). */
struct around {
	struct node *node;
	struct var *iter;
	struct poly *lo, *hi;
};

/* One access to an array: the reference to be completed, its place and the loops around it. */
struct access {
	int n_known;
	struct poly **known; /* >= 0 whenever the access is made */
	struct expr *ref;
	struct place place;
	int n_around;
	struct around *around;
	bool is_write;
	CXCursor where;
};

struct assigned {
	CXCursor decl;
	int n_assign;
	bool has_address;
	bool is_used_again; /* assigned within a loop that it is declared outside of */
};

struct lifter {
	struct arena *arena;
	const struct parsed *parsed;
	const struct lift_input *input;
	struct nest *nest;
	jmp_buf escape;
	enum refusal refusal;
	const char *detail;
	CXCursor culprit;
	bool must_restart;

	int n_kept;
	CXCursor kept[256];
	int n_assigned, max_assigned;
	struct assigned *assigned;

	int n_symbol, max_symbol;
	struct symbol **symbol;
	int n_base;
	struct base *base[256];
	int n_atom, max_atom;
	struct atom *atom;
	int n_access, max_access;
	struct access *access;
	int n_around;
	struct around around[LIFT_DEPTH];
	int n_assumed;
	struct poly *assumed[64]; /* >= 0 by an assumption, and the number of that */
	int assumed_at[64];
	int n_known;
	struct poly *known[64]; /* >= 0 where the lifter stands */
	int n_fact;
	struct fact fact[64];

	struct list *out;
	struct list after; /* side effects of the current statement */
	int conditional;   /* > 0: evaluating what C evaluates only sometimes */
	int branch;        /* > 0: inside an if */
	int inlining;
	CXCursor inlined[8];
	int line;
};

/* ---- lift.c ---- */

_Noreturn void lift_refuse(struct lifter *lifter, enum refusal refusal, CXCursor culprit, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Keep "symbol" in a variable of the nest, and start again. */
_Noreturn void lift_restart_keeping(struct lifter *lifter, struct symbol *symbol);
/* Note the variables that "cursor" assigns. */
void scan_assigned(struct lifter *lifter, CXCursor cursor);
bool lift_is_kept(const struct lifter *lifter, CXCursor decl);
void *lift_grow(struct lifter *lifter, void *old, int n, int *max, size_t size);

/* ---- lift_cursor.c: libclang's tree made convenient ---- */

/* The children of "cursor" in the arena; "*n" their number. */
CXCursor *cursor_children(struct arena *arena, CXCursor cursor, int *n);
/* "cursor" without parentheses and, if "casts", without implicit conversions. */
CXCursor cursor_peel(struct arena *arena, CXCursor cursor, bool casts);
const char *cursor_name(struct arena *arena, CXCursor cursor);
/* The declaration of the variable that "cursor" names, parentheses and conversions peeled; false if it names none. */
bool cursor_variable(struct arena *arena, CXCursor cursor, CXCursor *decl);
const char *cursor_text(struct lifter *lifter, CXCursor cursor);
int cursor_line(CXCursor cursor);
/* Evaluate a constant integer expression. */
bool cursor_constant(CXCursor cursor, int64_t *value);
/* Evaluate a constant floating-point expression; false for no cursor. */
bool cursor_real(CXCursor cursor, double *value);

/* ---- lift_type.c ---- */

/* The arithmetic type behind "type"; false if strop does not model it. */
bool type_of(CXType type, enum type *result);
bool type_is_pointer(CXType type);
bool type_is_array(CXType type);
/* A structure or union, or a pointer to one. */
bool type_is_record(CXType type);
bool type_points_to_record(CXType type);
/* The C spelling of an element of "type" that is good at file scope, qualifiers dropped. */
const char *type_spelling(struct arena *arena, CXType type);
enum type type_promote(enum type type);
enum type type_common(enum type a, enum type b);

/* ---- lift_poly.c ---- */

struct poly *poly_const(struct lifter *lifter, int64_t value);
struct poly *poly_atom(struct lifter *lifter, int atom);
struct poly *poly_add(struct lifter *lifter, const struct poly *a, const struct poly *b, int64_t scale); /* a + scale * b */
struct poly *poly_mul(struct lifter *lifter, const struct poly *a, const struct poly *b); /* NULL: too large */
struct poly *poly_wide(struct lifter *lifter, const struct poly *a);
struct poly *poly_need(struct lifter *lifter, const struct poly *a, struct poly *need);
bool poly_is_const(const struct poly *poly, int64_t *value);
bool poly_equal(const struct poly *a, const struct poly *b);
bool poly_uses(const struct poly *poly, int atom);
/* poly == *quotient * divisor exactly, for a divisor of one term. */
bool poly_divide(struct lifter *lifter, const struct poly *poly, const struct term *divisor, struct poly **quotient);
/* Divide with remainder: poly == *quotient * divisor + *rest; what is not a multiple of the divisor's leading term rests. */
void poly_divide_rest(struct lifter *lifter, const struct poly *poly, const struct poly *divisor, struct poly **quotient,
		      struct poly **rest);
/* poly == (*slope) * atom + *rest with neither using "atom". */
bool poly_split(struct lifter *lifter, const struct poly *poly, int atom, struct poly **slope, struct poly **rest);
bool poly_is_param(const struct lifter *lifter, const struct poly *poly);
bool poly_is_frozen(const struct lifter *lifter, const struct poly *poly);
int atom_of_var(struct lifter *lifter, struct var *var, bool is_frozen);
int atom_of_expr(struct lifter *lifter, struct expr *expr);
/* The expression of "poly" in "type". */
struct expr *poly_expr(struct lifter *lifter, const struct poly *poly, enum type type);
/* The narrowest of i32 and i64 in which "poly" may be computed. */
enum type poly_type(const struct lifter *lifter, const struct poly *poly);
/* The C text of an expression over params; NULL for any other. */
const char *expr_source(struct lifter *lifter, const struct expr *expr);

/* ---- lift_known.c: what conditions tell of the values within them ---- */

/* "left op right" of integers: note in "value" what is known when it holds, and when not. */
void known_compare(struct lifter *lifter, struct value *value, enum op op, const struct value *left, const struct value *right);
/* The same for "left && right", "left || right" and "!arg". */
void known_combine(struct value *value, enum op op, const struct value *left, const struct value *right);
void known_negate(struct value *value, const struct value *arg);
/* Take for granted that "condition" holds (or not); return how much was known before, for known_forget(). */
int known_push(struct lifter *lifter, const struct value *condition, bool holds);
void known_forget(struct lifter *lifter, int n);

/* ---- lift_range.c: what values a polynomial takes over the loops around it ---- */

/* The largest (sign > 0) or smallest value of "poly" over the "n" loops, as a polynomial of params; NULL if not known.
 * Params that must not be negative for it are appended to the assumptions if "assume". */
struct poly *range_bound(struct lifter *lifter, const struct poly *poly, const struct around *around, int n, int sign);
/* Whether poly >= 0 over the "n" loops: proved, or put among the assumptions; false if neither can be done. */
bool range_assume(struct lifter *lifter, const struct poly *poly, const struct around *around, int n);
/* Whether poly >= 0 follows from what is known at "access", is proved, or can be assumed. */
bool range_assume_at(struct lifter *lifter, const struct poly *poly, const struct access *access);
/* Whether it is proved without assumptions. */
bool range_is_proved(struct lifter *lifter, const struct poly *poly, const struct around *around, int n);
/* Drop the assumptions that others imply. */
void range_drop_implied(struct lifter *lifter);
/* Do so for all that "poly" needs, else refuse. Return "poly" without needs. */
struct poly *range_settle(struct lifter *lifter, const struct poly *poly, CXCursor where);

/* ---- lift_symbol.c ---- */

struct symbol *symbol_get(struct lifter *lifter, CXCursor decl);
struct symbol *symbol_find_path(struct lifter *lifter, const char *path);
struct symbol *symbol_path(struct lifter *lifter, const char *path, CXType type, CXCursor where);
struct symbol *symbol_declare(struct lifter *lifter, CXCursor decl);
/* A parameter or local that stands for the structure, or the pointer to one, that "from" denotes; NULL when that is not
 * fixed while the region runs. */
struct symbol *symbol_alias(struct lifter *lifter, CXCursor decl, CXCursor from);
/* The value of "symbol" here. */
struct value symbol_read(struct lifter *lifter, struct symbol *symbol, CXCursor where);
/* Assign "value" (converted to the symbol's type). Emits a statement unless the symbol is tracked. */
void symbol_write(struct lifter *lifter, struct symbol *symbol, struct value value, CXCursor where);
bool symbol_is_trackable(struct lifter *lifter, const struct symbol *symbol);
struct value value_scalar(struct lifter *lifter, struct expr *expr, struct poly *poly);
/* "value" as it stays true when variables change later: what is not frozen is saved in locals. */
struct value value_freeze(struct lifter *lifter, struct value value, const char *name, CXCursor where);
bool value_equal(const struct value *a, const struct value *b);
struct value value_of_poly(struct lifter *lifter, struct poly *poly, enum type type);
/* Bind a parameter of an inlined helper; forget the symbols from number "n" on that are not declared outside. */
void symbol_bind(struct lifter *lifter, CXCursor parameter, struct value value, bool is_pure, CXCursor where);
void symbols_forget(struct lifter *lifter, int n);
void symbols_finish(struct lifter *lifter);

/* ---- lift_expr.c ---- */

struct value expr_lift(struct lifter *lifter, CXCursor cursor);
struct value value_convert(struct lifter *lifter, struct value value, enum type type, CXCursor where);
struct value value_binary(struct lifter *lifter, enum op op, struct value left, struct value right, CXCursor where);
struct value value_truth(struct lifter *lifter, struct value value, CXCursor where);
struct poly *expr_lift_index(struct lifter *lifter, CXCursor cursor);
/* "type" of an arithmetic expression, or refuse. */
enum type expr_type(struct lifter *lifter, CXCursor cursor);

/* ---- lift_place.c ---- */

/* The place that an lvalue or pointer expression denotes. */
struct place place_lift(struct lifter *lifter, CXCursor cursor);
struct value pointer_lift(struct lifter *lifter, CXCursor cursor);
bool path_lift(struct lifter *lifter, CXCursor cursor, const char **path);
struct base *base_of_symbol(struct lifter *lifter, struct symbol *symbol, CXCursor where);
struct expr *place_access(struct lifter *lifter, struct place place, bool is_write, CXCursor where);
/* Give "base", whose accesses have one flat subscript, the dimensions that its strides suggest, if any hold. */
void delinearize(struct lifter *lifter, struct base *base);
/* Choose the dimensions of each base and complete all references. */
void accesses_finish(struct lifter *lifter);

/* ---- lift_stmt.c, lift_loop.c, lift_call.c ---- */

/* Whether "name" is a pure function of the C library that a nest may call. */
bool is_library_function(const char *name);
void stmt_lift(struct lifter *lifter, CXCursor cursor);
void stmts_lift(struct lifter *lifter, const CXCursor *cursor, int n);
/* Lift =, op=, ++ or --; the value of the target afterwards if "is_used". */
struct value assign_lift(struct lifter *lifter, CXCursor cursor, bool is_used);
bool is_assignment(CXCursor cursor);
void expr_lift_effects(struct lifter *lifter, CXCursor cursor);
/* Execute the statements unless "cond". */
void unless_lift(struct lifter *lifter, const struct value *cond, const CXCursor *stmt, int n, CXCursor where);
struct node *emit(struct lifter *lifter, struct expr *target, enum op op, struct expr *value, CXCursor where);
/* Emit the side effects of post-increments that the last statement left. */
void flush_effects(struct lifter *lifter);
/* Refuse such effects in an expression that is evaluated before a statement of its own. */
void refuse_effects(struct lifter *lifter, CXCursor where);
bool expr_mentions(const struct expr *expr, const struct var *var);
void loop_lift(struct lifter *lifter, CXCursor cursor);
struct value call_lift(struct lifter *lifter, CXCursor cursor);
void fact_add(struct lifter *lifter, enum fact_kind kind, struct var *var, struct expr *lo, struct expr *hi);
void facts_infer(struct lifter *lifter);

#endif
