#include "nest_random.h"

#include <stddef.h>

/* The nest being made: "size" the params N and M; iter[d] runs within [0, size[bound[d]]). */
struct maker {
	struct arena *arena;
	struct rng *rng;
	const struct nest_random_options *options;
	struct nest *nest;
	enum type type;
	struct var *size[2];
	struct var *coefficient, *sum;
	struct var *array[4];
	int dimension[4][2]; /* of array[a], dimension d: which size */
	struct var *index;   /* an integer array, of wild nests */
	struct var *iter[8];
	int bound[8];
	int depth, statements;
	struct var *local; /* in scope, or NULL */
};

static int below(struct maker *maker, int n)
{
	return (int)rng_below(maker->rng, (uint64_t)n);
}

static bool chance(struct maker *maker, int percent)
{
	return below(maker, 100) < percent;
}

static struct expr *integer(struct maker *maker, int64_t value)
{
	return expr_int(maker->arena, value, TYPE_I32);
}

static struct expr *scalar(struct maker *maker, struct var *var)
{
	return expr_scalar(maker->arena, var);
}

static struct expr *binary(struct maker *maker, enum op op, struct expr *left, struct expr *right)
{
	return expr_binary(maker->arena, op, left, right);
}

/* A subscript within [0, size + 2): an iterator of that size with 0, 1 or 2 added, or a small constant. */
static struct expr *make_subscript(struct maker *maker, int size)
{
	int first = maker->depth ? below(maker, maker->depth) : 0;

	for (int k = 0; k < maker->depth; k++) {
		int d = (first + k) % maker->depth;

		if (maker->bound[d] == size)
			return binary(maker, OP_ADD, scalar(maker, maker->iter[d]),
				      integer(maker, chance(maker, 60) ? 0 : below(maker, 3)));
	}
	return integer(maker, below(maker, 3));
}

static struct expr *make_access(struct maker *maker, int a)
{
	struct var *array = maker->array[a];
	struct expr *subscript[2];

	for (int d = 0; d < array->rank; d++)
		subscript[d] = make_subscript(maker, maker->dimension[a][d]);
	return expr_ref(maker->arena, array, array->rank, subscript);
}

static struct expr *make_real(struct maker *maker, int depth);
static struct expr *make_integer(struct maker *maker, int depth);

static struct expr *make_condition(struct maker *maker, int depth)
{
	static const enum op comparisons[] = { OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE };
	enum op op = comparisons[below(maker, 6)];
	struct expr *left;

	if (depth > 0 && chance(maker, 20))
		return binary(maker, chance(maker, 50) ? OP_LAND : OP_LOR, make_condition(maker, depth - 1),
			      make_condition(maker, depth - 1));
	if (maker->depth == 0 || chance(maker, 40))
		return binary(maker, op, make_real(maker, 1), make_real(maker, 1));
	left = scalar(maker, maker->iter[below(maker, maker->depth)]);
	if (chance(maker, 50))
		return binary(maker, op, left, scalar(maker, maker->iter[below(maker, maker->depth)]));
	return binary(maker, op, left, integer(maker, below(maker, 6)));
}

static struct expr *make_leaf(struct maker *maker)
{
	switch (below(maker, 8)) {
	case 0:
		return expr_float(maker->arena, (below(maker, 33) - 16) / 8.0, maker->type, NULL);
	case 1:
		return scalar(maker, maker->coefficient);
	case 2:
		return maker->local ? scalar(maker, maker->local) : make_access(maker, below(maker, 4));
	default:
		return make_access(maker, below(maker, 4));
	}
}

static struct expr *make_call(struct maker *maker, int depth)
{
	static const char *const names[][2] = { { "fabsf", "fabs" }, { "fmaxf", "fmax" }, { "fminf", "fmin" } };
	int which = below(maker, 3);
	struct expr *arg[2] = { make_real(maker, depth - 1), NULL };

	if (which > 0)
		arg[1] = make_real(maker, depth - 1);
	return expr_call(maker->arena, maker->type, names[which][maker->type == TYPE_F64], which > 0 ? 2 : 1, arg);
}

static struct expr *make_real(struct maker *maker, int depth)
{
	static const enum op ops[] = { OP_ADD, OP_SUB, OP_MUL, OP_MUL, OP_ADD };

	if (depth <= 0 || chance(maker, 30))
		return make_leaf(maker);
	switch (below(maker, 12)) {
	case 0:
		return expr_unary(maker->arena, OP_NEG, make_real(maker, depth - 1));
	case 1:
		return make_call(maker, depth);
	case 2:
		return expr_select(maker->arena, make_condition(maker, depth - 1), make_real(maker, depth - 1),
				   make_real(maker, depth - 1));
	case 3:
		return maker->options->is_wild ? expr_cast(maker->arena, maker->type, make_integer(maker, depth - 1))
					       : make_leaf(maker);
	default:
		return binary(maker, ops[below(maker, 5)], make_real(maker, depth - 1), make_real(maker, depth - 1));
	}
}

/* Any integer operator over constants, params, iterators and indirect reads. */
static struct expr *make_integer(struct maker *maker, int depth)
{
	enum op op = (enum op)(OP_ADD + below(maker, OP_COUNT - OP_ADD));

	if (depth <= 0)
		switch (below(maker, 4)) {
		case 0:
			return integer(maker, below(maker, 200) - 100);
		case 1:
			return maker->depth ? scalar(maker, maker->iter[below(maker, maker->depth)])
					    : scalar(maker, maker->size[0]);
		case 2:
			return expr_ref(maker->arena, maker->index, 1, (struct expr *[]){ make_subscript(maker, 0) });
		default:
			return scalar(maker, maker->size[below(maker, 2)]);
		}
	if (chance(maker, 10))
		return expr_unary(maker->arena, (enum op)(OP_NEG + below(maker, 3)), make_integer(maker, depth - 1));
	if (chance(maker, 10))
		return expr_cast(maker->arena, TYPE_I32, expr_cast(maker->arena, (enum type)below(maker, TYPE_COUNT),
								    make_integer(maker, depth - 1)));
	if (op == OP_FLOORDIV)
		return binary(maker, op, make_integer(maker, depth - 1), integer(maker, 1 + below(maker, 9)));
	return binary(maker, op, make_integer(maker, depth - 1), make_integer(maker, depth - 1));
}

static void add_stmt(struct maker *maker, struct list *list, struct expr *target, enum op op, struct expr *value)
{
	list_add(maker->arena, list, node_stmt(maker->arena, maker->nest->n_label++, target, op, value));
	maker->statements--;
}

static void make_assignment(struct maker *maker, struct list *list)
{
	static const enum op ops[] = { OP_NONE, OP_NONE, OP_ADD, OP_ADD, OP_SUB, OP_MUL };

	if (chance(maker, 15))
		add_stmt(maker, list, scalar(maker, maker->sum), OP_ADD, make_real(maker, 2));
	else if (maker->local && chance(maker, 15))
		add_stmt(maker, list, scalar(maker, maker->local), OP_ADD, make_real(maker, 2));
	else if (maker->options->is_wild && chance(maker, 20))
		add_stmt(maker, list,
			 expr_ref(maker->arena, maker->index, 1, (struct expr *[]){ make_subscript(maker, 0) }),
			 chance(maker, 50) ? OP_NONE : OP_XOR, make_integer(maker, 3));
	else
		add_stmt(maker, list, make_access(maker, below(maker, 2)), ops[below(maker, 6)], make_real(maker, 3));
}

static void make_list(struct maker *maker, struct list *list);

static void make_declaration(struct maker *maker, struct list *list)
{
	struct expr *value = make_real(maker, 2);
	struct var *local = nest_add_var(maker->nest, VAR_LOCAL, maker->type, "t", 0, NULL);

	add_stmt(maker, list, scalar(maker, local), OP_NONE, value);
	list->node[list->n - 1]->declares = true;
	maker->local = local;
}

static void make_marks(struct maker *maker, struct loop_marks *marks)
{
	if (chance(maker, 30))
		marks->vector = 4 << below(maker, 3);
	if (chance(maker, 30))
		marks->unroll = below(maker, 8);
	marks->parallel = chance(maker, 20);
	marks->edge = (enum edge)below(maker, 4);
}

/* A loop within [0, size): all of it, without its ends, from or up to an outer iterator of the same size. */
static void make_loop(struct maker *maker, struct list *list)
{
	static const char *const names[] = { "i", "j", "k", "l", "m", "n", "o", "p" };
	int size = below(maker, 2), d = maker->depth;
	struct expr *lo = integer(maker, 0), *hi = scalar(maker, maker->size[size]);
	struct var *iter = nest_add_var(maker->nest, VAR_ITER, TYPE_I32, names[d], 0, NULL);
	struct node *loop;

	if (d && maker->bound[d - 1] == size && chance(maker, 30))
		lo = binary(maker, OP_ADD, scalar(maker, maker->iter[d - 1]), integer(maker, below(maker, 2)));
	else if (d && maker->bound[d - 1] == size && chance(maker, 30))
		hi = binary(maker, OP_ADD, scalar(maker, maker->iter[d - 1]), integer(maker, below(maker, 2)));
	else if (chance(maker, 20))
		lo = integer(maker, 1);
	else if (chance(maker, 20))
		hi = binary(maker, OP_SUB, hi, integer(maker, 1));
	loop = node_loop(maker->arena, iter, lo, hi, chance(maker, 10) ? 2 : 1);
	if (maker->options->is_wild)
		make_marks(maker, &loop->marks);
	maker->iter[d] = iter;
	maker->bound[d] = size;
	maker->depth++;
	make_list(maker, &loop->body);
	maker->depth--;
	list_add(maker->arena, list, loop);
}

static void make_if(struct maker *maker, struct list *list)
{
	struct node *node = node_if(maker->arena, make_condition(maker, 1));

	make_list(maker, &node->body);
	if (chance(maker, 40))
		make_list(maker, &node->orelse);
	list_add(maker->arena, list, node);
}

static void make_list(struct maker *maker, struct list *list)
{
	struct var *outer_local = maker->local;

	do {
		if (maker->depth < maker->options->depth && chance(maker, maker->depth ? 55 : 90))
			make_loop(maker, list);
		else if (chance(maker, 15))
			make_if(maker, list);
		else if (chance(maker, 20))
			make_declaration(maker, list);
		else
			make_assignment(maker, list);
	} while (maker->statements > 0 && chance(maker, 45));
	maker->local = outer_local;
}

static void make_variables(struct maker *maker)
{
	static const char *const names[] = { "A", "B", "C", "D" };
	struct nest *nest = maker->nest;

	maker->size[0] = nest_add_var(nest, VAR_PARAM, TYPE_I32, "N", 0, NULL);
	maker->size[1] = nest_add_var(nest, VAR_PARAM, TYPE_I32, "M", 0, NULL);
	maker->coefficient = nest_add_var(nest, VAR_PARAM, maker->type, "alpha", 0, NULL);
	maker->sum = nest_add_var(nest, VAR_SCALAR, maker->type, "sum", 0, NULL);
	maker->sum->is_read = maker->sum->is_written = maker->sum->is_live_out = true;
	for (int a = 0; a < 4; a++) {
		int rank = 1 + below(maker, 2);
		struct expr *extent[2];

		for (int d = 0; d < rank; d++) {
			maker->dimension[a][d] = below(maker, 2);
			extent[d] = binary(maker, OP_ADD, scalar(maker, maker->size[maker->dimension[a][d]]),
					   integer(maker, 2));
		}
		maker->array[a] = nest_add_var(nest, VAR_ARRAY, maker->type, names[a], rank, extent);
		maker->array[a]->is_read = true;
		maker->array[a]->is_written = a < 2;
	}
	for (int i = 0; i < nest->n_var; i++)
		nest->var[i]->is_read = true, nest->var[i]->source = nest->var[i]->name;
}

static void make_wild_variables(struct maker *maker)
{
	struct nest *nest = maker->nest;

	maker->index = nest_add_var(nest, VAR_ARRAY, TYPE_I32, "index", 1, (struct expr *[]){ NULL });
	maker->index->is_read = maker->index->is_written = true;
	maker->index->source = "l->index";
	maker->index->ctype = "int32_t";
	maker->array[2]->name = "B.p";
	maker->array[2]->is_native = true;
	maker->array[3]->is_object = maker->array[3]->is_const = true;
	maker->coefficient->source = "\"odd\\source\"";
	nest_assume(nest, binary(maker, OP_GT, scalar(maker, maker->size[0]), integer(maker, 0)));
}

/* Give some statements an origin that is not the iterators around them, or none. */
static bool disturb_origin(struct node *node, void *context)
{
	struct maker *maker = context;

	if (node->kind != NODE_STMT)
		return true;
	if (chance(maker, 15)) {
		node->origin = NULL;
		node->n_origin = 0;
	}
	for (int i = 0; i < node->n_origin; i++)
		if (chance(maker, 20))
			node->origin[i] = binary(maker, OP_ADD, node->origin[i], integer(maker, 1 + below(maker, 3)));
	return true;
}

struct nest *nest_random(struct arena *arena, struct rng *rng, const struct nest_random_options *options)
{
	struct maker maker = { .arena = arena, .rng = rng, .options = options, .nest = nest_new(arena, "random") };

	maker.statements = options->statements;
	maker.type = chance(&maker, 50) ? TYPE_F32 : TYPE_F64;
	make_variables(&maker);
	if (options->is_wild)
		make_wild_variables(&maker);
	make_list(&maker, &maker.nest->body);
	nest_set_origins(maker.nest);
	if (options->is_wild)
		list_walk(&maker.nest->body, disturb_origin, &maker);
	return maker.nest;
}
