/* What the files of code generation share: linear forms, names, the writer of expressions and of nodes.
 *
 * A nest is first lowered (codegen_tile.c, codegen_lower.c, codegen_register.c): copies of loop bodies are written out,
 * full tiles are separated from partial ones, and small local arrays become variables. In a lowered nest
 *   marks.vector > 1   a lane loop: exactly "vector" iterations from lo, written as one vector operation each
 *   marks.vector == 1  a plain loop whose iterations are independent, which the compiler is told
 *   marks.unroll > 1   a loop of so many iterations that the compiler is asked to unroll
 * Then it is written as text (codegen_expr.c, codegen_vector.c, codegen_node.c) within a function and a guard. */
#ifndef STROP_REWRITE_CODEGEN_INTERNAL_H
#define STROP_REWRITE_CODEGEN_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/nest.h"
#include "ir/spell.h"
#include "support/text.h"

#include "codegen.h"

/* ---- linear forms (codegen_linear.c) ---- */

enum { LINEAR_MAX = 16 };

/* constant + sum of factor * atom; an atom is a scalar or any expression that is not a sum; no factor is 0.
 * "is_valid" is false when the form would have too many terms or overflow. */
struct linear {
	bool is_valid;
	int64_t constant;
	int n;
	struct linear_term {
		struct expr *atom;
		int64_t factor;
	} term[LINEAR_MAX];
};

struct linear linear_from(struct arena *arena, struct expr *expr);
/* left + factor * right */
struct linear linear_add(const struct linear *left, int64_t factor, const struct linear *right);
/* The factor of "var"; "*is_linear" turns false when "var" also occurs within another atom. */
int64_t linear_factor(const struct linear *form, const struct var *var, bool *is_linear);
/* An expression of integer type "type" with this value, constant last. */
struct expr *linear_expr(struct arena *arena, const struct linear *form, enum type type);
/* "expr" with the integer sums in it in normal form, so that i.1 + 3 - i.1 is 3, and min(x, x + 1) is x. */
struct expr *expr_simplify(struct arena *arena, struct expr *expr);
/* Whether a - b is a constant, which goes to "*difference". */
bool expr_difference(struct arena *arena, struct expr *a, struct expr *b, int64_t *difference);

/* Call "visit" on each expression of the node itself and all within them, until it returns false; return false then. */
bool node_every_expr(struct node *node, bool (*visit)(struct expr *expr, void *context), void *context);

/* ---- the state of one generation ---- */

enum { MATH_FUNCTIONS_MAX = 8, ROLLED_MAX = 32 };

struct name {
	const struct var *var;
	const char *text;
};

/* A local that is a vector: a var of rank 1 with "lanes" elements. */
struct vector_local {
	const struct var *var;
	int lanes;
};

/* What the two sides of a condition are, in a few words. */
struct note {
	const struct node *node;
	const char *body, *orelse;
};

/*   nest      the lowered nest
 *   out       the helper's text so far; "depth" levels of "unit" indent its lines
 *   lane      the lane loop being written, or NULL; "lanes" its width
 *   gather    the lane of which an expression is being written as a scalar, or -1
 *   varying   locals that differ from lane to lane in that loop
 *   rolled    loops around what is looked at that the compiler unrolls, outermost first
 *   is_rolled loops are being lowered that stay loops, for there would be too many copies to read
 *   is_packing  a loop that packs an array is being written
 *   by_source scalars are written as var->source: the text stands in the user's function, not in the helper
 *   used      vector types that the text names: used[type] is the sum of their lanes, powers of two */
struct codegen {
	struct arena *arena;
	const struct site *site;
	const struct target *target;
	struct nest *nest;
	struct text out;
	int depth;
	const char *unit;
	int n_name;
	struct name *name;
	const struct node *lane;
	int lanes;
	int gather;
	int n_varying;
	const struct var **varying;
	int n_vector_local;
	struct vector_local *vector_local;
	int n_note;
	struct note *note;
	int n_rolled;
	const struct node *rolled[ROLLED_MAX];
	bool is_rolled, is_packing, by_source;
	unsigned used[TYPE_COUNT];
	bool uses_function[OP_COUNT];
	unsigned used_math[MATH_FUNCTIONS_MAX];
	struct diag *why;
};

/* ---- names (codegen_name.c) ---- */

/* The C name of "var" in the helper: dots become underscores, and nothing that the region's text mentions is hidden. */
const char *codegen_name(struct codegen *cg, const struct var *var);
/* A C name starting with "base" that nothing else in the helper has. */
const char *codegen_fresh_name(struct codegen *cg, const char *base);
/* The name of the vector type of "lanes" elements of "type", noted as used: "f32x16". */
const char *codegen_vector_type(struct codegen *cg, enum type type, int lanes);
/* Append the definitions of all vector types used. */
void codegen_vector_types(struct codegen *cg, struct text *text);
/* The C spelling of the type of a scalar or element. */
const char *var_c_type(const struct var *var);

/* ---- expressions (codegen_expr.c) ---- */

/* Precedences are those of ir/spell.h; 0 takes anything but a comma. */

/* Append "expr", in parentheses when it binds looser than "precedence". Inside a lane loop an expression that varies is
 * written as a vector of "lanes" elements of its type. */
void expr_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence);
/* The same for subscripts and bounds, where values are known not to wrap: all arithmetic is signed and wide. */
void index_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence);
/* The name of the helper's own function for "op" (min, max, floordiv), noted as used. */
const char *codegen_function(struct codegen *cg, enum op op);
/* Whether "expr" is arithmetic of constants, params, iterators and signed locals: what bounds and subscripts are made of. */
bool expr_is_plain(const struct expr *expr);
/* Append the element "ref" as an lvalue with the given subscripts: C[i][j] or C[i * n + j]. */
void element_write(struct codegen *cg, struct text *text, struct var *var, struct expr **subscript);
/* Row-major offset of an element of a flattened array. */
struct expr *element_offset(struct arena *arena, const struct var *var, struct expr **subscript);
void int_write(struct text *text, int64_t value, enum type type, int precedence);

/* ---- what vectors can express (codegen_check.c) ---- */

/* Whether the independent iterations of "loop" can be written with vectors of marks.vector elements. */
bool loop_has_vector_form(struct codegen *cg, const struct node *loop);
/* Make choices of conditions below "list" that hold one assignment, where writing the old value back does no harm. */
void list_convert_conditions(struct arena *arena, struct list *list);
/* Calls of fmax, fmin and the like; of fabs. */
bool is_minmax_call(const char *name);
bool is_abs_call(const char *name);

/* ---- vectors (codegen_vector.c) ---- */

/* Whether "var" is a scalar local that differs from lane to lane. */
bool local_varies(const struct codegen *cg, const struct var *var);
/* Whether "expr" differs from lane to lane in the lane loop being written. */
bool expr_varies(const struct codegen *cg, struct expr *expr);
/* Enter a lane loop: set cg->lane and find its varying locals. */
void lane_enter(struct codegen *cg, const struct node *loop);
void lane_leave(struct codegen *cg);
/* Append the varying "expr" as a vector. */
void vector_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence);
/* Append "expr", varying or not, as a vector. */
void vector_write_full(struct codegen *cg, struct text *text, struct expr *expr, int precedence);
/* How the address of an element moves from lane to lane in the lane loop being written. */
enum stride { STRIDE_ZERO, STRIDE_ONE, STRIDE_OTHER };
enum stride reference_stride(struct codegen *cg, struct expr *ref);
/* Lanes of "var" when it is a vector local, else 0. */
int vector_local_lanes(const struct codegen *cg, const struct var *var);

/* ---- vector math (codegen_math.c) ---- */

/* Whether "call" has a vector form of our own: in the mode that allows errors as small as those of reordering, in lanes that
 * fill no more than a register. */
bool math_has_vector_form(const struct codegen *cg, const struct expr *call);
/* The name of the helper's own function for "call" in the lane loop being written, noted as used. */
const char *math_vector_name(struct codegen *cg, const struct expr *call);
/* Append the functions used. */
void math_functions_write(struct codegen *cg, struct text *text);

/* ---- lowering ---- */

/* Let loops that index a local array as marked loops do have the same marks (codegen_copy.c). */
void lower_copies(struct codegen *cg);
/* Let the last tile of loops that are marked so begin earlier instead of being cut short, where that is right (codegen_back.c). Return what
 * must hold of params for it, NULL for nothing. */
struct expr *lower_back(struct codegen *cg);
/* Separate full tiles, whose marked loops have constant trip counts, from partial ones (codegen_tile.c). */
void lower_tiles(struct codegen *cg);
/* Write out unrolled and vector loops, or leave them to the compiler where that would take many lines (codegen_lower.c). */
void lower_loops(struct codegen *cg);
void lower_list(struct codegen *cg, struct list *list);
/* Turn small local arrays with constant or lane subscripts into scalar or vector variables (codegen_register.c). */
void lower_registers(struct codegen *cg);
/* Replace "from", scalar or array, by "to" below "list". */
void list_rename(struct arena *arena, struct list *list, const struct var *from, struct var *to);
/* Give what "list" declares, at any depth, variables of its own; scalars may go on sharing them when scopes differ. */
void list_own_locals(struct codegen *cg, struct list *list, bool arrays_only);
/* Append to "list" the declaration of a constant named after "iter" with the integer value "value"; a reference to it. */
struct expr *list_add_constant(struct codegen *cg, struct list *list, const struct var *iter, const char *suffix,
			       struct expr *value);
/* Whether "expr" has no min, max, select or call in it. */
bool expr_is_simple(const struct expr *expr);
struct list list_copy_deep(struct arena *arena, const struct list *list);
/* Bring bounds and subscripts below "list" into normal form. */
void list_simplify(struct arena *arena, struct list *list);
/* Whether the trip count of "loop" is a constant, which goes to "*trips". */
bool loop_trips(struct arena *arena, const struct node *loop, int64_t *trips);
/* Whether "loop" may run "trips" times or more, for all that its bounds say (codegen_full.c). */
bool loop_has_room(struct arena *arena, const struct node *loop, int64_t trips);

/* ---- long lines (codegen.c) ---- */

/* "list" after "head", which begins at "column", broken between its items so that lines stay narrow; "indent" begins further lines. */
void wrapped_write(struct text *text, size_t column, const char *head, const char *list, const char *separator, const char *indent);

/* ---- nodes (codegen_node.c) ---- */

/* Columns that lines of generated code should keep to, a tab counting 8. */
enum { CODEGEN_WIDTH = 120 };

/* Let comments say what the sides of the condition "node" are. */
void codegen_note(struct codegen *cg, const struct node *node, const char *body, const char *orelse);
/* Append an indented line, broken after operators when it is too long. */
void line(struct codegen *cg, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Append the declaration of a local without its ';'. */
void local_write(struct codegen *cg, struct text *text, const struct var *var);
void list_write(struct codegen *cg, const struct list *list);
/* A statement outside lane loops, or one in them that is the same in all lanes. */
void statement_write(struct codegen *cg, const struct node *stmt);
/* A statement of the lane loop being written (codegen_vector.c). */
void lane_statement_write(struct codegen *cg, const struct node *stmt);
/* Whether the local that "stmt" declares and sets is never set again. */
bool local_is_constant(const struct codegen *cg, const struct node *stmt);
/* Whether a local array is too large for the stack. */
bool local_is_on_heap(const struct codegen *cg, const struct var *var);
/* Bytes of a local array; 0 for scalars, -1 when its extents are no constants. */
int64_t local_bytes(const struct var *var);

/* ---- the guard (guard.c) ---- */

/* Conditions, as C text over the sources of variables, under which "original" may be replaced: its assumptions, and that no
 * array that it writes overlaps another. One per entry; "functions" (may be NULL) are what they call. Fails when a range cannot be told. */
struct guard {
	int n;
	const char **condition;
	const char *functions;
};
enum status guard_make(struct codegen *cg, const struct nest *original, struct guard *guard);
/* Add one more condition over params. */
void guard_add(struct codegen *cg, struct guard *guard, struct expr *condition);
/* Add one more as text. */
void guard_add_text(struct codegen *cg, struct guard *guard, const char *condition);
/* The elements of an array's first dimension that "nest" touches, lo .. hi - 1, both over params; what that relies on goes to the guard. */
enum status guard_find_range(struct codegen *cg, struct guard *guard, const struct nest *nest, const struct var *array, struct expr **lo,
			     struct expr **hi);
/* base + first * (size of a row), as C text of a pointer, to char with "is_bytes". */
const char *guard_pointer(struct codegen *cg, const struct var *array, struct expr *first, bool is_bytes);
/* Add what arrays that are tables of pointers to rows need (guard_rows.c). */
enum status guard_add_rows(struct codegen *cg, struct guard *guard, const struct nest *nest);

#endif
