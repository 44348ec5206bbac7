#include "nest_random.h"

#include <stddef.h>

/* The nest being made: "size" the params N and M; iter[d] runs within [0, size[bound[d]]). */
struct nest_maker {
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

static int random_below(struct nest_maker *maker, int n)
{
	return (int)rng_below(maker->rng, (uint64_t)n);
}

static bool random_chance(struct nest_maker *maker, int percent)
{
	return random_below(maker, 100) < percent;
}

static struct expr *random_constant(struct nest_maker *maker, int64_t value)
{
	return expr_int(maker->arena, value, TYPE_I32);
}

static struct expr *random_scalar(struct nest_maker *maker, struct var *var)
{
	return expr_scalar(maker->arena, var);
}

static struct expr *random_binary(struct nest_maker *maker, enum op op, struct expr *left, struct expr *right)
{
	return expr_binary(maker->arena, op, left, right);
}

/* A subscript within [0, size + 2): an iterator of that size with 0, 1 or 2 added, or a small constant. */
static struct expr *random_subscript(struct nest_maker *maker, int size)
{
	int first = maker->depth ? random_below(maker, maker->depth) : 0;

	for (int k = 0; k < maker->depth; k++) {
		int d = (first + k) % maker->depth;

		if (maker->bound[d] == size)
			return random_binary(maker, OP_ADD, random_scalar(maker, maker->iter[d]),
				      random_constant(maker, random_chance(maker, 60) ? 0 : random_below(maker, 3)));
	}
	return random_constant(maker, random_below(maker, 3));
}

static struct expr *random_access(struct nest_maker *maker, int a)
{
	struct var *array = maker->array[a];
	struct expr *subscript[2];

	for (int d = 0; d < array->rank; d++)
		subscript[d] = random_subscript(maker, maker->dimension[a][d]);
	return expr_ref(maker->arena, array, array->rank, subscript);
}

static struct expr *random_real(struct nest_maker *maker, int depth);
static struct expr *random_integer(struct nest_maker *maker, int depth);

static struct expr *random_condition(struct nest_maker *maker, int depth)
{
	static const enum op comparisons[] = { OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE };
	enum op op = comparisons[random_below(maker, 6)];
	struct expr *left;

	if (depth > 0 && random_chance(maker, 20))
		return random_binary(maker, random_chance(maker, 50) ? OP_LAND : OP_LOR, random_condition(maker, depth - 1),
			      random_condition(maker, depth - 1));
	if (maker->depth == 0 || random_chance(maker, 40))
		return random_binary(maker, op, random_real(maker, 1), random_real(maker, 1));
	left = random_scalar(maker, maker->iter[random_below(maker, maker->depth)]);
	if (random_chance(maker, 50))
		return random_binary(maker, op, left, random_scalar(maker, maker->iter[random_below(maker, maker->depth)]));
	return random_binary(maker, op, left, random_constant(maker, random_below(maker, 6)));
}

static struct expr *random_leaf(struct nest_maker *maker)
{
	switch (random_below(maker, 8)) {
	case 0:
		return expr_float(maker->arena, (random_below(maker, 33) - 16) / 8.0, maker->type, NULL);
	case 1:
		return random_scalar(maker, maker->coefficient);
	case 2:
		return maker->local ? random_scalar(maker, maker->local) : random_access(maker, random_below(maker, 4));
	default:
		return random_access(maker, random_below(maker, 4));
	}
}

static struct expr *random_call(struct nest_maker *maker, int depth)
{
	static const char *const names[][2] = { { "fabsf", "fabs" }, { "fmaxf", "fmax" }, { "fminf", "fmin" } };
	int which = random_below(maker, 3);
	struct expr *arg[2] = { random_real(maker, depth - 1), NULL };

	if (which > 0)
		arg[1] = random_real(maker, depth - 1);
	return expr_call(maker->arena, maker->type, names[which][maker->type == TYPE_F64], which > 0 ? 2 : 1, arg);
}

static struct expr *random_real(struct nest_maker *maker, int depth)
{
	static const enum op ops[] = { OP_ADD, OP_SUB, OP_MUL, OP_MUL, OP_ADD };

	if (depth <= 0 || random_chance(maker, 30))
		return random_leaf(maker);
	switch (random_below(maker, 12)) {
	case 0:
		return expr_unary(maker->arena, OP_NEG, random_real(maker, depth - 1));
	case 1:
		return random_call(maker, depth);
	case 2:
		return expr_select(maker->arena, random_condition(maker, depth - 1), random_real(maker, depth - 1),
				   random_real(maker, depth - 1));
	case 3:
		return maker->options->is_wild ? expr_cast(maker->arena, maker->type, random_integer(maker, depth - 1))
					       : random_leaf(maker);
	default:
		return random_binary(maker, ops[random_below(maker, 5)], random_real(maker, depth - 1), random_real(maker, depth - 1));
	}
}

/* Any integer operator over constants, params, iterators and indirect reads. */
static struct expr *random_integer(struct nest_maker *maker, int depth)
{
	enum op op = (enum op)(OP_ADD + random_below(maker, OP_COUNT - OP_ADD));

	if (depth <= 0)
		switch (random_below(maker, 4)) {
		case 0:
			return random_constant(maker, random_below(maker, 200) - 100);
		case 1:
			return maker->depth ? random_scalar(maker, maker->iter[random_below(maker, maker->depth)])
					    : random_scalar(maker, maker->size[0]);
		case 2:
			return expr_ref(maker->arena, maker->index, 1, (struct expr *[]){ random_subscript(maker, 0) });
		default:
			return random_scalar(maker, maker->size[random_below(maker, 2)]);
		}
	if (random_chance(maker, 10))
		return expr_unary(maker->arena, (enum op)(OP_NEG + random_below(maker, 3)), random_integer(maker, depth - 1));
	if (random_chance(maker, 10))
		return expr_cast(maker->arena, TYPE_I32, expr_cast(maker->arena, (enum type)random_below(maker, TYPE_COUNT),
								    random_integer(maker, depth - 1)));
	if (op == OP_FLOORDIV)
		return random_binary(maker, op, random_integer(maker, depth - 1), random_constant(maker, 1 + random_below(maker, 9)));
	return random_binary(maker, op, random_integer(maker, depth - 1), random_integer(maker, depth - 1));
}

static void random_add(struct nest_maker *maker, struct list *list, struct expr *target, enum op op, struct expr *value)
{
	list_add(maker->arena, list, node_stmt(maker->arena, maker->nest->n_label++, target, op, value));
	maker->statements--;
}

static void random_assignment(struct nest_maker *maker, struct list *list)
{
	static const enum op ops[] = { OP_NONE, OP_NONE, OP_ADD, OP_ADD, OP_SUB, OP_MUL };

	if (random_chance(maker, 15))
		random_add(maker, list, random_scalar(maker, maker->sum), OP_ADD, random_real(maker, 2));
	else if (maker->local && random_chance(maker, 15))
		random_add(maker, list, random_scalar(maker, maker->local), OP_ADD, random_real(maker, 2));
	else if (maker->options->is_wild && random_chance(maker, 20))
		random_add(maker, list,
			 expr_ref(maker->arena, maker->index, 1, (struct expr *[]){ random_subscript(maker, 0) }),
			 random_chance(maker, 50) ? OP_NONE : OP_XOR, random_integer(maker, 3));
	else
		random_add(maker, list, random_access(maker, random_below(maker, 2)), ops[random_below(maker, 6)],
			   random_real(maker, 3));
}

static void random_list(struct nest_maker *maker, struct list *list);

static void random_declaration(struct nest_maker *maker, struct list *list)
{
	struct expr *value = random_real(maker, 2);
	struct var *local = nest_add_var(maker->nest, VAR_LOCAL, maker->type, "t", 0, NULL);

	random_add(maker, list, random_scalar(maker, local), OP_NONE, value);
	list->node[list->n - 1]->declares = true;
	maker->local = local;
}

static void random_marks(struct nest_maker *maker, struct loop_marks *marks)
{
	if (random_chance(maker, 30))
		marks->vector = 4 << random_below(maker, 3);
	if (random_chance(maker, 30))
		marks->unroll = random_below(maker, 8);
	marks->parallel = random_chance(maker, 20);
	marks->edge = (enum edge)random_below(maker, 5);
}

/* A loop within [0, size): all of it, without its ends, from or up to an outer iterator of the same size. */
static void random_loop(struct nest_maker *maker, struct list *list)
{
	static const char *const names[] = { "i", "j", "k", "l", "m", "n", "o", "p" };
	int size = random_below(maker, 2), d = maker->depth;
	struct expr *lo = random_constant(maker, 0), *hi = random_scalar(maker, maker->size[size]);
	struct var *iter = nest_add_var(maker->nest, VAR_ITER, TYPE_I32, names[d], 0, NULL);
	struct expr *outer = NULL;
	struct node *loop;

	if (d && maker->bound[d - 1] == size)
		outer = random_binary(maker, OP_ADD, random_scalar(maker, maker->iter[d - 1]),
				      random_constant(maker, random_below(maker, 2)));
	if (outer && random_chance(maker, 30))
		lo = outer;
	else if (outer && random_chance(maker, 30))
		hi = outer;
	else if (random_chance(maker, 20))
		lo = random_constant(maker, 1);
	else if (random_chance(maker, 20))
		hi = random_binary(maker, OP_SUB, hi, random_constant(maker, 1));
	loop = node_loop(maker->arena, iter, lo, hi, random_chance(maker, 10) ? 2 : 1);
	if (maker->options->is_wild)
		random_marks(maker, &loop->marks);
	maker->iter[d] = iter;
	maker->bound[d] = size;
	maker->depth++;
	random_list(maker, &loop->body);
	maker->depth--;
	list_add(maker->arena, list, loop);
}

static void random_if(struct nest_maker *maker, struct list *list)
{
	struct node *node = node_if(maker->arena, random_condition(maker, 1));

	random_list(maker, &node->body);
	if (random_chance(maker, 40))
		random_list(maker, &node->orelse);
	list_add(maker->arena, list, node);
}

static void random_list(struct nest_maker *maker, struct list *list)
{
	struct var *outer_local = maker->local;

	do {
		if (maker->depth < maker->options->depth && random_chance(maker, maker->depth ? 55 : 90))
			random_loop(maker, list);
		else if (random_chance(maker, 15))
			random_if(maker, list);
		else if (random_chance(maker, 20))
			random_declaration(maker, list);
		else
			random_assignment(maker, list);
	} while (maker->statements > 0 && random_chance(maker, 45));
	maker->local = outer_local;
}

static void random_variables(struct nest_maker *maker)
{
	static const char *const names[] = { "A", "B", "C", "D" };
	struct nest *nest = maker->nest;

	maker->size[0] = nest_add_var(nest, VAR_PARAM, TYPE_I32, "N", 0, NULL);
	maker->size[1] = nest_add_var(nest, VAR_PARAM, TYPE_I32, "M", 0, NULL);
	maker->coefficient = nest_add_var(nest, VAR_PARAM, maker->type, "alpha", 0, NULL);
	maker->sum = nest_add_var(nest, VAR_SCALAR, maker->type, "sum", 0, NULL);
	maker->sum->is_read = maker->sum->is_written = maker->sum->is_live_out = true;
	for (int a = 0; a < 4; a++) {
		int rank = 1 + random_below(maker, 2);
		struct expr *extent[2];

		for (int d = 0; d < rank; d++) {
			maker->dimension[a][d] = random_below(maker, 2);
			extent[d] = random_binary(maker, OP_ADD, random_scalar(maker, maker->size[maker->dimension[a][d]]),
					   random_constant(maker, 2));
		}
		maker->array[a] = nest_add_var(nest, VAR_ARRAY, maker->type, names[a], rank, extent);
		maker->array[a]->is_read = true;
		maker->array[a]->is_written = a < 2;
	}
	for (int i = 0; i < nest->n_var; i++)
		nest->var[i]->is_read = true, nest->var[i]->source = nest->var[i]->name;
}

static void make_wild_variables(struct nest_maker *maker)
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
	nest_assume(nest, random_binary(maker, OP_GT, random_scalar(maker, maker->size[0]), random_constant(maker, 0)));
}

/* Give some statements an origin that is not the iterators around them, or none. */
static bool random_origin(struct node *node, void *context)
{
	struct nest_maker *maker = context;

	if (node->kind != NODE_STMT)
		return true;
	if (random_chance(maker, 15)) {
		node->origin = NULL;
		node->n_origin = 0;
	}
	for (int i = 0; i < node->n_origin; i++)
		if (random_chance(maker, 20))
			node->origin[i] = random_binary(maker, OP_ADD, node->origin[i], random_constant(maker, 1 + random_below(maker, 3)));
	return true;
}

struct nest *nest_random(struct arena *arena, struct rng *rng, const struct nest_random_options *options)
{
	struct nest_maker maker = { .arena = arena, .rng = rng, .options = options, .nest = nest_new(arena, "random") };

	maker.statements = options->statements;
	maker.type = random_chance(&maker, 50) ? TYPE_F32 : TYPE_F64;
	random_variables(&maker);
	if (options->is_wild)
		make_wild_variables(&maker);
	random_list(&maker, &maker.nest->body);
	nest_set_origins(maker.nest);
	if (options->is_wild)
		list_walk(&maker.nest->body, random_origin, &maker);
	return maker.nest;
}
