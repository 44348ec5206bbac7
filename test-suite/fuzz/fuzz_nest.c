#include "fuzz_nest.h"

#include <string.h>

enum { SIZES = 3, ARRAYS = 6, DEPTH = 4, FIXED = 8, LOCALS = 8 };

/* What a dimension or a loop spans: 0..size[s], 0..size[s]+size[t], 0..2*size[s] or 0..FIXED; extents have 4 to spare. */
enum span_kind { SPAN_SIZE, SPAN_SUM, SPAN_TWICE, SPAN_FIXED };
struct span {
	enum span_kind kind;
	int s, t;
};

/* The nest being made. iter[d] lies in the span bound[d] (SPAN_SIZE or SPAN_FIXED), and not below least[d]; the locals in scope
 * are the last "n_local". */
struct maker {
	struct arena *arena;
	struct rng *rng;
	struct nest *nest;
	enum type type;
	struct var *size[SIZES];
	int n_size;
	struct var *coefficient, *sum, *count;
	struct var *array[ARRAYS], *index;
	int n_array;
	struct span dim[ARRAYS][3];
	struct var *iter[DEPTH + 2];
	struct span bound[DEPTH + 2];
	int least[DEPTH + 2];
	int depth, depth_max, statements;
	struct var *local[LOCALS];
	int n_local;
};

static int below(struct maker *m, int n)
{
	return (int)rng_below(m->rng, (uint64_t)n);
}

static bool chance(struct maker *m, int percent)
{
	return below(m, 100) < percent;
}

static struct expr *number(struct maker *m, int64_t value)
{
	return expr_int(m->arena, value, TYPE_I32);
}

static struct expr *scalar(struct maker *m, struct var *var)
{
	return expr_scalar(m->arena, var);
}

static struct expr *binary(struct maker *m, enum op op, struct expr *left, struct expr *right)
{
	return expr_binary(m->arena, op, left, right);
}

static struct expr *as_index(struct maker *m, struct var *var)
{
	return expr_cast(m->arena, TYPE_I32, scalar(m, var));
}

static struct expr *plus(struct maker *m, struct expr *expr, int64_t value)
{
	return value < 0 ? binary(m, OP_SUB, expr, number(m, -value)) : binary(m, OP_ADD, expr, number(m, value));
}

/* ---- subscripts ---- */

/* The depth of a loop over size "s" in scope, any of them; -1 for none. */
static int find_iter(struct maker *m, int s)
{
	int first = m->depth ? below(m, m->depth) : 0;

	for (int k = 0; k < m->depth; k++) {
		int d = (first + k) % m->depth;

		if (m->bound[d].kind == SPAN_SIZE && m->bound[d].s == s)
			return d;
	}
	return -1;
}

static int find_fixed(struct maker *m)
{
	for (int d = m->depth - 1; d >= 0; d--)
		if (m->bound[d].kind == SPAN_FIXED)
			return d;
	return -1;
}

static struct expr *subscript_of_iter(struct maker *m, int d, int s)
{
	struct expr *iter = as_index(m, m->iter[d]);

	if (chance(m, 4))
		return binary(m, OP_SUB, plus(m, scalar(m, m->size[s]), -1), iter);
	if (chance(m, 3))
		return binary(m, OP_DIV, iter, number(m, 2));
	if (m->least[d] > 0 && chance(m, 40))
		return plus(m, iter, -1 - below(m, m->least[d]));
	return plus(m, iter, chance(m, 70) ? 0 : below(m, 4));
}

static struct expr *subscript(struct maker *m, struct span span)
{
	int d = find_iter(m, span.s), e = span.kind == SPAN_SUM ? find_iter(m, span.t) : -1;

	if (m->index && m->depth && chance(m, 5)) {
		int at = find_iter(m, 0);

		if (at >= 0)
			return expr_ref(m->arena, m->index, 1, (struct expr *[]){ plus(m, as_index(m, m->iter[at]), below(m, 2)) });
	}
	if (span.kind == SPAN_FIXED)
		return (d = find_fixed(m)) >= 0 && chance(m, 85) ? as_index(m, m->iter[d]) : number(m, below(m, FIXED));
	if (span.kind == SPAN_SUM && d >= 0 && e >= 0 && d != e)
		return plus(m, binary(m, OP_ADD, as_index(m, m->iter[d]), as_index(m, m->iter[e])), chance(m, 70) ? 0 : below(m, 3));
	if (span.kind == SPAN_TWICE && d >= 0)
		return plus(m, binary(m, OP_MUL, number(m, 2), as_index(m, m->iter[d])), below(m, 3));
	if (d >= 0 && span.kind == SPAN_SIZE)
		return subscript_of_iter(m, d, span.s);
	return number(m, below(m, 2));
}

static struct expr *access(struct maker *m, int a)
{
	struct expr *at[3];

	for (int d = 0; d < m->array[a]->rank; d++)
		at[d] = subscript(m, m->dim[a][d]);
	return expr_ref(m->arena, m->array[a], m->array[a]->rank, at);
}

/* ---- values ---- */

static struct expr *value(struct maker *m, enum type type, int depth);

static bool is_wrapping(enum type type)
{
	return type == TYPE_U32 || type == TYPE_U64;
}

/* The type in which C computes with values of "type". */
static enum type promoted(enum type type)
{
	return !type_is_float(type) && type_size(type) < 4 ? TYPE_I32 : type;
}

/* "expr" as a "type": floats are clamped first, so that the conversion is defined. */
static struct expr *converted(struct maker *m, enum type type, struct expr *expr)
{
	bool is_f32 = expr->type == TYPE_F32;

	if (type_is_float(expr->type) && type_is_integer(type)) {
		expr = expr_call(m->arena, expr->type, is_f32 ? "fmaxf" : "fmax", 2,
				 (struct expr *[]){ expr, expr_float(m->arena, 0, expr->type, NULL) });
		expr = expr_call(m->arena, expr->type, is_f32 ? "fminf" : "fmin", 2,
				 (struct expr *[]){ expr, expr_float(m->arena, 100, expr->type, NULL) });
	}
	if (is_wrapping(expr->type) && !is_wrapping(type) && type_is_integer(type))
		expr = binary(m, OP_AND, expr, expr_int(m->arena, 255, expr->type));
	return expr_cast(m->arena, type, expr);
}

static struct expr *masked(struct maker *m, struct expr *expr, int64_t mask)
{
	if (type_is_float(expr->type) || is_wrapping(expr->type) || expr->kind == EXPR_INT)
		return expr;
	return binary(m, OP_AND, expr, expr_int(m->arena, mask, expr->type));
}

static struct expr *constant(struct maker *m, enum type type)
{
	if (type_is_float(type))
		return expr_float(m->arena, (below(m, 33) - 16) / 8.0, type, NULL);
	return expr_int(m->arena, below(m, 9), type);
}

/* An element, of "type" if there is such an array in a few attempts, else converted. */
static struct expr *element(struct maker *m, enum type type)
{
	int a = below(m, m->n_array);

	for (int i = 0; i < 4 && m->array[a]->type != type; i++)
		a = below(m, m->n_array);
	return converted(m, type, masked(m, expr_cast(m->arena, promoted(m->array[a]->type), access(m, a)), 255));
}

static struct expr *local_value(struct maker *m, enum type type)
{
	struct var *local = m->local[below(m, m->n_local)];

	return converted(m, type, masked(m, scalar(m, local), 255));
}

static struct expr *leaf(struct maker *m, enum type type)
{
	switch (below(m, 12)) {
	case 0:
		return constant(m, type);
	case 1:
		return converted(m, type, scalar(m, m->coefficient));
	case 2:
		return m->depth ? expr_cast(m->arena, type, scalar(m, m->iter[below(m, m->depth)])) : constant(m, type);
	case 3: case 4:
		return m->n_local ? local_value(m, type) : element(m, type);
	default:
		return element(m, type);
	}
}

static struct expr *affine_condition(struct maker *m)
{
	static const enum op comparisons[] = { OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE };
	enum op op = comparisons[below(m, 6)];
	struct expr *left = as_index(m, m->iter[below(m, m->depth)]);

	switch (below(m, 5)) {
	case 0:
		return binary(m, op, left, plus(m, as_index(m, m->iter[below(m, m->depth)]), below(m, 3)));
	case 1:
		return binary(m, op, left, number(m, below(m, 9)));
	case 2:
		return binary(m, op, binary(m, OP_ADD, left, as_index(m, m->iter[below(m, m->depth)])),
			      scalar(m, m->size[below(m, m->n_size)]));
	case 3:
		return binary(m, OP_EQ, binary(m, OP_MOD, left, number(m, 2 + below(m, 3))), number(m, below(m, 2)));
	default:
		return binary(m, op, left, plus(m, scalar(m, m->size[below(m, m->n_size)]), -below(m, 5)));
	}
}

static struct expr *condition(struct maker *m, int depth)
{
	if (depth > 0 && chance(m, 15))
		return binary(m, chance(m, 50) ? OP_LAND : OP_LOR, condition(m, depth - 1), condition(m, depth - 1));
	if (depth > 0 && chance(m, 5))
		return expr_unary(m->arena, OP_NOT, condition(m, depth - 1));
	if (m->depth && chance(m, 55))
		return affine_condition(m);
	return binary(m, chance(m, 50) ? OP_LT : OP_GE, value(m, promoted(m->type), 1), value(m, promoted(m->type), 0));
}

static struct expr *call(struct maker *m, enum type type, int depth)
{
	static const char *const names[][2] = { { "fabsf", "fabs" }, { "fmaxf", "fmax" }, { "fminf", "fmin" }, { "sqrtf", "sqrt" } };
	int which = below(m, 4);
	bool is_f64 = type == TYPE_F64;
	struct expr *arg[2] = { value(m, type, depth - 1), NULL };

	if (which == 1 || which == 2)
		arg[1] = value(m, type, depth - 1);
	if (which == 3)
		arg[0] = expr_call(m->arena, type, names[0][is_f64], 1, arg);
	return expr_call(m->arena, type, names[which][is_f64], arg[1] ? 2 : 1, arg);
}

static struct expr *operation(struct maker *m, enum type type, int depth)
{
	static const enum op bits[] = { OP_AND, OP_OR, OP_XOR, OP_SHR };
	enum op op;

	if (type_is_float(type) || chance(m, 75)) {
		op = (const enum op[]){ OP_ADD, OP_SUB, OP_MUL, OP_MUL, OP_ADD }[below(m, 5)];
		if (op == OP_MUL)
			return binary(m, op, masked(m, value(m, type, depth - 1), 15), masked(m, value(m, type, depth - 1), 15));
		return binary(m, op, value(m, type, depth - 1), value(m, type, depth - 1));
	}
	op = bits[below(m, 4)];
	if (op == OP_SHR)
		return binary(m, op, value(m, type, depth - 1), expr_int(m->arena, 1 + below(m, 4), type));
	if (chance(m, 10))
		return binary(m, chance(m, 50) ? OP_DIV : OP_MOD, value(m, type, depth - 1), expr_int(m->arena, 2 + below(m, 6), type));
	return binary(m, op, value(m, type, depth - 1), value(m, type, depth - 1));
}

/* A value of "type" that is no narrow integer; if it is a signed one, of at most a few thousands. */
static struct expr *wide_value(struct maker *m, enum type type, int depth)
{
	if (depth <= 0 || chance(m, 25))
		return leaf(m, type);
	switch (below(m, 12)) {
	case 0:
		return expr_unary(m->arena, OP_NEG, value(m, type, depth - 1));
	case 1:
		return type_is_float(type) ? call(m, type, depth) : operation(m, type, depth);
	case 2:
		return expr_select(m->arena, condition(m, depth - 1), value(m, type, depth - 1), value(m, type, depth - 1));
	default:
		return operation(m, type, depth);
	}
}

static struct expr *value(struct maker *m, enum type type, int depth)
{
	return converted(m, type, wide_value(m, promoted(type), depth));
}

/* ---- statements ---- */

static void add(struct maker *m, struct list *list, struct expr *target, enum op op, struct expr *what)
{
	list_add(m->arena, list, node_stmt(m->arena, m->nest->n_label++, target, op, what));
	m->statements--;
}

static struct var *declare(struct maker *m, struct list *list, enum type type, const char *name, struct expr *what)
{
	struct var *local = nest_add_var(m->nest, VAR_LOCAL, type, name, 0, NULL);

	add(m, list, scalar(m, local), OP_NONE, what);
	list->node[list->n - 1]->declares = true;
	if (m->n_local < LOCALS)
		m->local[m->n_local++] = local;
	return local;
}

/* An operator that may stand before '=' without overflow. */
static enum op update_op(struct maker *m, enum type type)
{
	static const enum op floats[] = { OP_NONE, OP_NONE, OP_NONE, OP_ADD, OP_ADD, OP_SUB, OP_MUL };
	static const enum op signeds[] = { OP_NONE, OP_NONE, OP_ADD, OP_ADD, OP_SUB, OP_XOR, OP_OR, OP_AND };
	static const enum op unsigneds[] = { OP_NONE, OP_NONE, OP_ADD, OP_ADD, OP_SUB, OP_MUL, OP_XOR };

	if (type_is_float(type))
		return floats[below(m, 7)];
	return is_wrapping(type) ? unsigneds[below(m, 7)] : signeds[below(m, 8)];
}

static void put_assignment(struct maker *m, struct list *list)
{
	int a = below(m, m->n_array > 2 ? 2 : m->n_array);
	enum type type = m->array[a]->type;

	if (m->n_local && chance(m, 15)) {
		struct var *local = m->local[below(m, m->n_local)];

		add(m, list, scalar(m, local), type_is_float(local->type) || is_wrapping(local->type) ? OP_ADD : OP_NONE,
		    value(m, local->type, 2));
	} else if (chance(m, 10)) {
		add(m, list, scalar(m, m->sum), OP_ADD, value(m, m->sum->type, 2));
	} else if (chance(m, 4)) {
		add(m, list, scalar(m, m->count), OP_ADD, number(m, 1));
	} else {
		add(m, list, access(m, a), update_op(m, type), value(m, type, 3));
	}
}

static void put_list(struct maker *m, struct list *list);

static struct var *new_iter(struct maker *m)
{
	static const char *const names[] = { "i", "j", "k", "l", "p", "q" };
	enum type type = chance(m, 10) ? TYPE_I64 : TYPE_I32;

	return nest_add_var(m->nest, VAR_ITER, type, names[m->depth], 0, NULL);
}

/* Open a loop in "list"; statements are added to its body until close_loop(). */
static struct node *open_loop(struct maker *m, struct list *list, struct span bound, struct expr *lo, struct expr *hi, int step,
			      int least)
{
	struct var *iter = new_iter(m);
	struct node *loop = node_loop(m->arena, iter, expr_cast(m->arena, iter->type, lo), expr_cast(m->arena, iter->type, hi), step);

	list_add(m->arena, list, loop);
	m->iter[m->depth] = iter;
	m->bound[m->depth] = bound;
	m->least[m->depth++] = least;
	return loop;
}

static void close_loop(struct maker *m)
{
	m->depth--;
}

static struct span size_span(struct maker *m)
{
	return (struct span){ SPAN_SIZE, below(m, m->n_size), 0 };
}

static struct node *open_full(struct maker *m, struct list *list, int s)
{
	return open_loop(m, list, (struct span){ SPAN_SIZE, s, 0 }, number(m, 0), scalar(m, m->size[s]), 1, 0);
}

/* A loop over a size: all of it, without its ends, triangular, banded, stepped, or a constant one. */
static struct node *open_any(struct maker *m, struct list *list)
{
	struct span span = size_span(m);
	struct expr *lo = number(m, 0), *hi = scalar(m, m->size[span.s]);
	int outer = find_iter(m, span.s), step = chance(m, 6) ? 2 + below(m, 2) : 1, least = 0;

	if (chance(m, 12))
		return open_loop(m, list, (struct span){ SPAN_FIXED, 0, 0 }, number(m, 0), number(m, 1 + below(m, FIXED)), 1, 0);
	if (outer >= 0 && chance(m, 45)) {
		struct expr *iter = as_index(m, m->iter[outer]);

		switch (below(m, 6)) {
		case 0: lo = iter; break;
		case 1: lo = plus(m, iter, 1), least = 1; break;
		case 2: hi = iter; break;
		case 3: hi = plus(m, iter, 1); break;
		case 4:
			lo = binary(m, OP_MAX, number(m, 0), plus(m, iter, -2));
			hi = binary(m, OP_MIN, hi, plus(m, iter, 3));
			break;
		default: hi = iter, lo = number(m, 1), least = 1;
		}
	} else if (chance(m, 20)) {
		least = 1 + below(m, 2);
		lo = number(m, least);
	} else if (chance(m, 15)) {
		hi = plus(m, hi, -1 - below(m, 2));
	}
	return open_loop(m, list, span, lo, hi, step, least);
}

static void put_loop(struct maker *m, struct list *list)
{
	struct node *loop = open_any(m, list);
	int locals = m->n_local;

	put_list(m, &loop->body);
	m->n_local = locals;
	close_loop(m);
}

static void put_if(struct maker *m, struct list *list)
{
	struct node *node = node_if(m->arena, condition(m, 1));
	int locals = m->n_local;

	put_list(m, &node->body);
	m->n_local = locals;
	if (chance(m, 35))
		put_list(m, &node->orelse);
	m->n_local = locals;
	list_add(m->arena, list, node);
}

/* let acc = 0; for k: acc += ..; A[..] = acc */
static void put_dot(struct maker *m, struct list *list)
{
	int a = below(m, 2), outside = m->depth;
	enum type type = promoted(m->array[a]->type);
	struct var *acc = declare(m, list, type, "acc", constant(m, type));
	struct node *loop = open_any(m, list);

	if (chance(m, 25))
		loop = open_any(m, &loop->body);
	add(m, &loop->body, scalar(m, acc), OP_ADD, masked(m, value(m, type, 2), 255));
	m->depth = outside;
	add(m, list, access(m, a), chance(m, 70) ? OP_NONE : OP_ADD,
	    converted(m, m->array[a]->type, binary(m, OP_ADD, scalar(m, acc), value(m, type, 0))));
}

/* for i, j, k in any order: X[..] += Y[..] * Z[..] */
static void put_contraction(struct maker *m, struct list *list)
{
	struct list *inner = list;
	int n = 0, a = below(m, 2), perm = below(m, m->n_size);
	enum type type;

	while (m->depth < m->depth_max && n < m->n_size) {
		inner = &open_full(m, inner, (perm + n++) % m->n_size)->body;
		if (chance(m, 10))
			put_assignment(m, inner);
	}
	type = m->array[a]->type;
	add(m, inner, access(m, a), OP_ADD,
	    converted(m, type, binary(m, OP_MUL, masked(m, value(m, promoted(type), 1), 15),
				      masked(m, value(m, promoted(type), 1), 15))));
	m->depth -= n;
}

/* A maximum or minimum as a call, a selection or a condition. */
static void put_extreme(struct maker *m, struct list *list)
{
	enum type type = m->sum->type;
	struct expr *best = scalar(m, m->sum), *what = value(m, type, 1);
	struct node *node;

	if (type_is_float(type) && chance(m, 40)) {
		add(m, list, best, OP_NONE, expr_call(m->arena, type, type == TYPE_F32 ? "fmaxf" : "fmax", 2,
						      (struct expr *[]){ best, what }));
	} else if (chance(m, 50)) {
		add(m, list, best, OP_NONE, expr_select(m->arena, binary(m, OP_LT, best, what), what, best));
	} else {
		node = node_if(m->arena, binary(m, OP_GT, what, best));
		add(m, &node->body, best, OP_NONE, what);
		if (m->depth && chance(m, 50))
			add(m, &node->body, scalar(m, m->count), OP_NONE, as_index(m, m->iter[m->depth - 1]));
		list_add(m->arena, list, node);
	}
}

/* let from = index[i]; let to = index[i+1]; for k in from..to: .. */
static void put_sparse_row(struct maker *m, struct list *list)
{
	int at = find_iter(m, 0);
	struct var *from, *to;
	struct expr *target, *what;
	struct node *loop;
	int locals = m->n_local;

	if (!m->index || at < 0) {
		put_assignment(m, list);
		return;
	}
	from = declare(m, list, TYPE_I32, "from", expr_ref(m->arena, m->index, 1, (struct expr *[]){ as_index(m, m->iter[at]) }));
	to = declare(m, list, TYPE_I32, "to",
		     expr_ref(m->arena, m->index, 1, (struct expr *[]){ plus(m, as_index(m, m->iter[at]), 1) }));
	m->n_local = locals;
	target = chance(m, 50) ? access(m, 0) : scalar(m, m->sum);
	/* The span is one that no dimension has: only the index array is as long. */
	loop = open_loop(m, list, (struct span){ SPAN_SUM, 0, 0 }, scalar(m, from), scalar(m, to), 1, 0);
	what = expr_ref(m->arena, m->index, 1, (struct expr *[]){ as_index(m, m->iter[m->depth - 1]) });
	add(m, &loop->body, target, OP_ADD, converted(m, target->type, masked(m, what, 255)));
	close_loop(m);
}

/* let buffer[FIXED]; for c: buffer[c] = ..; for c: .. buffer[c] .. */
static void put_buffer(struct maker *m, struct list *list)
{
	enum type type = promoted(m->array[0]->type);
	struct expr *extent = number(m, FIXED);
	struct var *buffer = nest_add_var(m->nest, VAR_LOCAL, type, "buffer", 1, &extent);
	struct expr *whole = ARENA_NEW(m->arena, struct expr);
	struct node *loop;

	*whole = (struct expr){ .kind = EXPR_REF, .type = type, .var = buffer };
	add(m, list, whole, OP_NONE, NULL);
	list->node[list->n - 1]->declares = true;
	for (int pass = 0; pass < 2; pass++) {
		struct expr *at;

		loop = open_loop(m, list, (struct span){ SPAN_FIXED, 0, 0 }, number(m, 0), number(m, FIXED - pass * below(m, 4)), 1, 0);
		at = as_index(m, m->iter[m->depth - 1]);
		if (pass == 0)
			add(m, &loop->body, expr_ref(m->arena, buffer, 1, &at), OP_NONE, value(m, type, 2));
		else
			add(m, &loop->body, access(m, 0), OP_ADD,
			    converted(m, m->array[0]->type,
				      binary(m, OP_ADD, masked(m, expr_ref(m->arena, buffer, 1, &at), 255), value(m, type, 1))));
		close_loop(m);
	}
}

static void put_declaration(struct maker *m, struct list *list)
{
	enum type type = chance(m, 80) ? promoted(m->type) : chance(m, 50) ? TYPE_I32 : TYPE_F64;

	declare(m, list, type, "t", value(m, type, 2));
}

/* Loops over the same range side by side, each with statements of its own: what fusing and splitting are for. */
static void put_siblings(struct maker *m, struct list *list)
{
	int s = below(m, m->n_size), n = 2 + below(m, 2), locals = m->n_local;

	for (int i = 0; i < n; i++) {
		struct node *loop = open_full(m, list, s);

		do
			if (chance(m, 20))
				put_list(m, &loop->body);
			else
				put_assignment(m, &loop->body);
		while (chance(m, 40));
		m->n_local = locals;
		close_loop(m);
	}
}

static void put_idiom(struct maker *m, struct list *list)
{
	switch (below(m, 15)) {
	case 12: case 13: case 14: put_siblings(m, list); break;
	case 0: case 1: case 2: put_dot(m, list); break;
	case 3: case 4: case 5: put_contraction(m, list); break;
	case 6: case 7: put_extreme(m, list); break;
	case 8: put_sparse_row(m, list); break;
	case 9: put_buffer(m, list); break;
	default: put_declaration(m, list); put_assignment(m, list);
	}
}

static void put_list(struct maker *m, struct list *list)
{
	int locals = m->n_local;

	do {
		if (m->depth < m->depth_max && chance(m, m->depth ? 45 : 85))
			put_loop(m, list);
		else if (m->depth < m->depth_max && chance(m, 40))
			put_idiom(m, list);
		else if (chance(m, 15))
			put_if(m, list);
		else if (chance(m, 15))
			put_declaration(m, list);
		else
			put_assignment(m, list);
	} while (m->statements > 0 && chance(m, 42));
	m->n_local = locals;
}

/* ---- variables ---- */

static struct expr *extent_of(struct maker *m, struct span span)
{
	struct expr *size = span.kind == SPAN_FIXED ? NULL : scalar(m, m->size[span.s]);

	switch (span.kind) {
	case SPAN_FIXED: return number(m, FIXED);
	case SPAN_SUM: return plus(m, binary(m, OP_ADD, size, scalar(m, m->size[span.t])), 4);
	case SPAN_TWICE: return plus(m, binary(m, OP_MUL, number(m, 2), size), 4);
	default: return plus(m, size, 4);
	}
}

static struct span any_dim(struct maker *m)
{
	struct span span = size_span(m);

	if (chance(m, 8))
		span.kind = SPAN_FIXED;
	else if (chance(m, 8))
		span.kind = SPAN_TWICE;
	else if (m->n_size > 1 && chance(m, 10))
		span = (struct span){ SPAN_SUM, span.s, (span.s + 1) % m->n_size };
	return span;
}

static void make_array(struct maker *m, int a)
{
	static const char *const names[] = { "A", "B", "C", "D", "E", "F" };
	enum type type = chance(m, 75) ? m->type : (enum type)below(m, TYPE_COUNT);
	int rank = 1 + below(m, 3) % (1 + below(m, 3));
	struct expr *extent[3];

	for (int d = 0; d < rank; d++) {
		m->dim[a][d] = any_dim(m);
		extent[d] = extent_of(m, m->dim[a][d]);
	}
	m->array[a] = nest_add_var(m->nest, VAR_ARRAY, type, names[a], rank, extent);
	m->array[a]->is_native = chance(m, 25);
	m->array[a]->is_rows = m->array[a]->is_native && rank == 2 && chance(m, 50);
	m->n_array++;
}

static void make_variables(struct maker *m)
{
	static const char *const sizes[] = { "N", "M", "K" };
	static const enum type types[] = { TYPE_F32, TYPE_F32, TYPE_F32, TYPE_F64, TYPE_F64, TYPE_I32, TYPE_U32, TYPE_I16, TYPE_U8, TYPE_I64 };
	int arrays = 2 + below(m, ARRAYS - 1);
	struct expr *extent;

	m->type = types[below(m, 10)];
	m->n_size = 1 + below(m, SIZES);
	for (int s = 0; s < m->n_size; s++)
		m->size[s] = nest_add_var(m->nest, VAR_PARAM, TYPE_I32, sizes[s], 0, NULL);
	m->coefficient = nest_add_var(m->nest, VAR_PARAM, promoted(m->type), "alpha", 0, NULL);
	m->sum = nest_add_var(m->nest, VAR_SCALAR, promoted(m->type), "sum", 0, NULL);
	m->count = nest_add_var(m->nest, VAR_SCALAR, TYPE_I32, "count", 0, NULL);
	for (int a = 0; a < arrays; a++)
		make_array(m, a);
	if (chance(m, 30)) {
		extent = extent_of(m, (struct span){ SPAN_SIZE, 0, 0 });
		m->index = nest_add_var(m->nest, VAR_ARRAY, TYPE_I32, "index", 1, &extent);
	}
	if (chance(m, 10))
		nest_assume(m->nest, binary(m, OP_GT, scalar(m, m->size[0]), number(m, 0)));
}

/* ---- use ---- */

static bool note_read(struct expr *expr, void *context)
{
	(void)context;
	if (expr->kind == EXPR_REF)
		expr->var->is_read = true;
	return true;
}

static bool note_use(struct node *node, void *context)
{
	if (node->kind == NODE_LOOP)
		return expr_walk(node->lo, note_read, context) && expr_walk(node->hi, note_read, context);
	if (node->kind == NODE_IF)
		return expr_walk(node->cond, note_read, context);
	for (int i = 0; i < node->target->n; i++)
		expr_walk(node->target->arg[i], note_read, context);
	node->target->var->is_written = true;
	if (node->op != OP_NONE)
		node->target->var->is_read = true;
	return !node->value || expr_walk(node->value, note_read, context);
}

void fuzz_nest_set_uses(struct nest *nest)
{
	for (int i = 0; i < nest->n_var; i++) {
		struct var *var = nest->var[i];

		var->is_read = var->kind == VAR_PARAM;
		var->is_written = false;
	}
	list_walk(&nest->body, note_use, NULL);
	for (int i = 0; i < nest->n_var; i++)
		if (nest->var[i]->kind == VAR_SCALAR)
			nest->var[i]->is_read = nest->var[i]->is_live_out = nest->var[i]->is_written = true;
}

static int list_depth(const struct list *list)
{
	int deepest = 0;

	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];
		int body = list_depth(&node->body), orelse = list_depth(&node->orelse);

		body = (body > orelse ? body : orelse) + (node->kind == NODE_LOOP);
		deepest = body > deepest ? body : deepest;
	}
	return deepest;
}

int fuzz_nest_depth(const struct nest *nest)
{
	return list_depth(&nest->body);
}

struct nest *fuzz_nest(struct arena *arena, struct rng *rng)
{
	struct maker m = { .arena = arena, .rng = rng, .nest = nest_new(arena, "fuzz") };

	m.statements = 1 + below(&m, 6);
	m.depth_max = 1 + below(&m, DEPTH);
	make_variables(&m);
	put_list(&m, &m.nest->body);
	for (int i = 0; i < m.nest->n_var; i++)
		if (m.nest->var[i]->kind != VAR_ITER && m.nest->var[i]->kind != VAR_LOCAL)
			m.nest->var[i]->source = m.nest->var[i]->name;
	nest_set_origins(m.nest);
	fuzz_nest_set_uses(m.nest);
	return m.nest;
}
