#include "nest.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fold.h"

struct nest *nest_new(struct arena *arena, const char *name)
{
	struct nest *nest = ARENA_NEW(arena, struct nest);

	nest->arena = arena;
	nest->name = arena_strdup(arena, name);
	return nest;
}

/* A copy of the "n" pointers at "from" in the arena. */
static void *copy_pointers(struct arena *arena, const void *from, int n)
{
	void *copy = ARENA_ARRAY(arena, void *, n);

	if (n)
		memcpy(copy, from, sizeof(void *) * (size_t)n);
	return copy;
}

static struct list copy_list(struct arena *arena, const struct list *list)
{
	return (struct list){ list->n, copy_pointers(arena, list->node, list->n) };
}

struct nest *nest_copy(const struct nest *nest)
{
	struct nest *copy = ARENA_NEW(nest->arena, struct nest);

	*copy = *nest;
	copy->var = copy_pointers(nest->arena, nest->var, nest->n_var);
	copy->body = copy_list(nest->arena, &nest->body);
	copy->assumption = copy_pointers(nest->arena, nest->assumption, nest->n_assumption);
	return copy;
}

struct var *nest_find_var(const struct nest *nest, const char *name)
{
	for (int i = 0; i < nest->n_var; i++)
		if (strcmp(nest->var[i]->name, name) == 0)
			return nest->var[i];
	return NULL;
}

/* "name", or name0, name1, .. if it is taken. */
static const char *unique_name(const struct nest *nest, const char *name)
{
	const char *unique = arena_strdup(nest->arena, name);

	for (int i = 0; nest_find_var(nest, unique); i++)
		unique = arena_printf(nest->arena, "%s%d", name, i);
	return unique;
}

/* A new array of the "n" pointers of "old" and "item". */
static void *append_pointer(struct arena *arena, const void *old, int n, void *item)
{
	void **grown = ARENA_ARRAY(arena, void *, n + 1);

	if (n)
		memcpy(grown, old, sizeof(void *) * (size_t)n);
	grown[n] = item;
	return grown;
}

struct var *nest_add_var(struct nest *nest, enum var_kind kind, enum type type, const char *name, int rank,
			 struct expr **extent)
{
	struct var *var = ARENA_NEW(nest->arena, struct var);

	var->kind = kind;
	var->type = type;
	var->name = unique_name(nest, name);
	var->ctype = type_c_name(type);
	var->rank = rank;
	if (rank && extent)
		var->extent = copy_pointers(nest->arena, extent, rank);
	else if (rank)
		var->extent = ARENA_ARRAY(nest->arena, struct expr *, rank);
	nest->var = append_pointer(nest->arena, nest->var, nest->n_var, var);
	nest->n_var++;
	return var;
}

void nest_assume(struct nest *nest, struct expr *condition)
{
	for (int i = 0; i < nest->n_assumption; i++)
		if (expr_equal(nest->assumption[i], condition))
			return;
	nest->assumption = append_pointer(nest->arena, nest->assumption, nest->n_assumption, condition);
	nest->n_assumption++;
}

/* Set the origins below "list", around which stand the loops with the "depth" iterators of "iter". */
static void set_origins(struct arena *arena, struct list *list, struct expr **iter, int depth)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];

		if (node->kind == NODE_LOOP) {
			struct expr **inner = append_pointer(arena, iter, depth, expr_scalar(arena, node->iter));

			set_origins(arena, &node->body, inner, depth + 1);
		} else if (node->kind == NODE_IF) {
			set_origins(arena, &node->body, iter, depth);
			set_origins(arena, &node->orelse, iter, depth);
		} else {
			node->n_origin = depth;
			node->origin = copy_pointers(arena, iter, depth);
		}
	}
}

void nest_set_origins(struct nest *nest)
{
	set_origins(nest->arena, &nest->body, NULL, 0);
}

static struct expr *expr_new(struct arena *arena, enum expr_kind kind, enum type type, int n, struct expr **arg)
{
	struct expr *expr = ARENA_NEW(arena, struct expr);

	expr->kind = kind;
	expr->type = type;
	expr->n = n;
	expr->arg = n ? copy_pointers(arena, arg, n) : NULL;
	return expr;
}

struct expr *expr_int(struct arena *arena, int64_t value, enum type type)
{
	struct expr *expr = expr_new(arena, EXPR_INT, type, 0, NULL);

	assert(type_is_integer(type));
	expr->integer = value;
	return expr;
}

/* Whether "spelling" is a C literal of just this value and type. */
static bool spells(const char *spelling, double value, enum type type)
{
	char *end;
	double read;

	if (!spelling || !*spelling)
		return false;
	read = type == TYPE_F32 ? (double)strtof(spelling, &end) : strtod(spelling, &end);
	if (end == spelling || memcmp(&read, &value, sizeof(read)) != 0 ||
	    !strpbrk(spelling, strpbrk(spelling, "xX") ? "pP" : ".eE"))
		return false;
	return type == TYPE_F32 ? (*end == 'f' || *end == 'F') && !end[1] : !*end;
}

/* A shortest decimal literal of "value", without exponent if that is a moderate integer. */
static const char *spell(struct arena *arena, double value, enum type type)
{
	const char *suffix = type == TYPE_F32 ? "f" : "";
	char digits[64];

	if (isinf(value))
		return arena_printf(arena, "%s__builtin_inf%s()", value < 0 ? "-" : "", suffix);
	if (isnan(value))
		return arena_printf(arena, "__builtin_nan%s(\"\")", suffix);
	if (value == floor(value) && fabs(value) < 1e7)
		return arena_printf(arena, "%.1f%s", value, suffix);
	for (int precision = 1; precision <= 17; precision++) {
		double read;

		snprintf(digits, sizeof(digits), "%.*g", precision, value);
		read = type == TYPE_F32 ? (double)strtof(digits, NULL) : strtod(digits, NULL);
		if (read == value)
			break;
	}
	return arena_printf(arena, "%s%s%s", digits, strpbrk(digits, ".e") ? "" : ".0", suffix);
}

struct expr *expr_float(struct arena *arena, double value, enum type type, const char *spelling)
{
	struct expr *expr = expr_new(arena, EXPR_FLOAT, type, 0, NULL);

	assert(type_is_float(type));
	expr->real = type == TYPE_F32 ? (double)(float)value : value;
	expr->name = spells(spelling, expr->real, type) ? arena_strdup(arena, spelling) : spell(arena, expr->real, type);
	return expr;
}

struct expr *expr_ref(struct arena *arena, struct var *var, int n, struct expr **subscript)
{
	struct expr *expr = expr_new(arena, EXPR_REF, var->type, n, subscript);

	expr->var = var;
	return expr;
}

struct expr *expr_scalar(struct arena *arena, struct var *var)
{
	return expr_ref(arena, var, 0, NULL);
}

static bool is_comparison(enum op op)
{
	return (op >= OP_LT && op <= OP_NE) || op == OP_LAND || op == OP_LOR;
}

static struct expr *operation(struct arena *arena, enum op op, enum type type, struct expr *left, struct expr *right)
{
	struct expr *expr = expr_new(arena, EXPR_OP, type, right ? 2 : 1, (struct expr *[]){ left, right });

	expr->op = op;
	return expr;
}

/* "left op right" of integers where one side is a constant that leaves the other, or a constant, behind; else NULL. */
static struct expr *simplify(struct arena *arena, enum op op, struct expr *left, struct expr *right)
{
	switch (op) {
	case OP_ADD:
		return expr_is_int(right, 0) ? left : expr_is_int(left, 0) ? right : NULL;
	case OP_SUB:
		return expr_is_int(right, 0) ? left : NULL;
	case OP_MUL:
		if (expr_is_int(left, 0) || expr_is_int(right, 0))
			return expr_int(arena, 0, left->type);
		return expr_is_int(right, 1) ? left : expr_is_int(left, 1) ? right : NULL;
	case OP_DIV:
	case OP_FLOORDIV:
		return expr_is_int(right, 1) ? left : NULL;
	case OP_MOD:
		return expr_is_int(right, 1) ? expr_int(arena, 0, left->type) : NULL;
	case OP_MIN:
	case OP_MAX:
		return expr_equal(left, right) ? left : NULL;
	default:
		return NULL;
	}
}

/* The constant that "expr" adds to something, as in x + 3 or x - 3. */
static bool addend(const struct expr *expr, int64_t *constant)
{
	if (expr->kind != EXPR_OP || (expr->op != OP_ADD && expr->op != OP_SUB) || expr->arg[1]->kind != EXPR_INT ||
	    !fold_fits(expr->type, expr->arg[1]->integer))
		return false;
	*constant = expr->op == OP_ADD ? expr->arg[1]->integer : -expr->arg[1]->integer;
	return expr->arg[1]->integer > INT32_MIN && expr->arg[1]->integer <= INT32_MAX;
}

/* x + c or x - c of a signed type, with c > 0 and the constants of (x + c1) + c2 taken together; else NULL. */
static struct expr *add_constant(struct arena *arena, enum op op, struct expr *left, struct expr *right)
{
	int64_t constant, inner;

	if (!type_is_signed(left->type) || (op != OP_ADD && op != OP_SUB) || right->kind != EXPR_INT ||
	    right->integer <= INT32_MIN || right->integer > INT32_MAX)
		return NULL;
	constant = op == OP_ADD ? right->integer : -right->integer;
	if (addend(left, &inner) && fold_fits(left->type, constant + inner) && constant + inner > INT32_MIN) {
		left = left->arg[0];
		constant += inner;
	} else if (right->integer > 0) {
		return NULL;
	}
	if (constant == 0)
		return left;
	return operation(arena, constant > 0 ? OP_ADD : OP_SUB, left->type, left,
			 expr_int(arena, constant > 0 ? constant : -constant, left->type));
}

struct expr *expr_binary(struct arena *arena, enum op op, struct expr *left, struct expr *right)
{
	enum type type = is_comparison(op) ? TYPE_I32 : left->type;
	bool is_integer = type_is_integer(left->type) && type_is_integer(right->type);
	struct expr *simple = NULL;
	int64_t value;

	if (is_integer && left->kind == EXPR_INT && right->kind == EXPR_INT &&
	    fold_fits(right->type, right->integer) && fold_binary(left->type, op, left->integer, right->integer, &value))
		return expr_int(arena, value, type);
	if (is_integer)
		simple = simplify(arena, op, left, right);
	if (is_integer && !simple)
		simple = add_constant(arena, op, left, right);
	return simple ? simple : operation(arena, op, type, left, right);
}

struct expr *expr_unary(struct arena *arena, enum op op, struct expr *arg)
{
	enum type type = op == OP_NOT ? TYPE_I32 : arg->type;
	int64_t value;

	if (arg->kind == EXPR_INT && fold_unary(arg->type, op, arg->integer, &value))
		return expr_int(arena, value, type);
	return operation(arena, op, type, arg, NULL);
}

struct expr *expr_select(struct arena *arena, struct expr *cond, struct expr *yes, struct expr *no)
{
	if (cond->kind == EXPR_INT)
		return cond->integer ? yes : no;
	return expr_new(arena, EXPR_SELECT, yes->type, 3, (struct expr *[]){ cond, yes, no });
}

struct expr *expr_cast(struct arena *arena, enum type type, struct expr *arg)
{
	if (arg->type == type)
		return arg;
	if (arg->kind == EXPR_INT && type_is_integer(type) && fold_fits(arg->type, arg->integer) &&
	    fold_fits(type, arg->integer))
		return expr_int(arena, arg->integer, type);
	return expr_new(arena, EXPR_CAST, type, 1, &arg);
}

struct expr *expr_call(struct arena *arena, enum type type, const char *name, int n, struct expr **arg)
{
	struct expr *expr = expr_new(arena, EXPR_CALL, type, n, arg);

	expr->name = arena_strdup(arena, name);
	return expr;
}

struct node *node_loop(struct arena *arena, struct var *iter, struct expr *lo, struct expr *hi, int64_t step)
{
	struct node *node = ARENA_NEW(arena, struct node);

	assert(step > 0);
	node->kind = NODE_LOOP;
	node->iter = iter;
	node->lo = lo;
	node->hi = hi;
	node->step = step;
	return node;
}

struct node *node_if(struct arena *arena, struct expr *cond)
{
	struct node *node = ARENA_NEW(arena, struct node);

	node->kind = NODE_IF;
	node->cond = cond;
	return node;
}

struct node *node_stmt(struct arena *arena, int label, struct expr *target, enum op op, struct expr *value)
{
	struct node *node = ARENA_NEW(arena, struct node);

	node->kind = NODE_STMT;
	node->label = label;
	node->target = target;
	node->op = op;
	node->value = value;
	return node;
}

struct node *node_copy(struct arena *arena, const struct node *node)
{
	struct node *copy = ARENA_NEW(arena, struct node);

	*copy = *node;
	copy->body = copy_list(arena, &node->body);
	copy->orelse = copy_list(arena, &node->orelse);
	if (node->origin)
		copy->origin = copy_pointers(arena, node->origin, node->n_origin);
	return copy;
}

static void deepen(struct arena *arena, struct list *list)
{
	for (int i = 0; i < list->n; i++)
		list->node[i] = node_copy_deep(arena, list->node[i]);
}

struct node *node_copy_deep(struct arena *arena, const struct node *node)
{
	struct node *copy = node_copy(arena, node);

	deepen(arena, &copy->body);
	deepen(arena, &copy->orelse);
	return copy;
}

void list_insert(struct arena *arena, struct list *list, int at, struct node *node)
{
	struct node **grown = ARENA_ARRAY(arena, struct node *, list->n + 1);

	assert(at >= 0 && at <= list->n);
	if (at)
		memcpy(grown, list->node, sizeof(*grown) * (size_t)at);
	grown[at] = node;
	if (at < list->n)
		memcpy(grown + at + 1, list->node + at, sizeof(*grown) * (size_t)(list->n - at));
	list->node = grown;
	list->n++;
}

void list_add(struct arena *arena, struct list *list, struct node *node)
{
	list_insert(arena, list, list->n, node);
}

void list_remove(struct list *list, int at)
{
	assert(at >= 0 && at < list->n);
	memmove(list->node + at, list->node + at + 1, sizeof(struct node *) * (size_t)(list->n - at - 1));
	list->n--;
}
