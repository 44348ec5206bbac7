#include "shape.h"

#include <string.h>

#include "rewrite/reduction.h"

enum { UNKNOWN_SIZE = 1000, ACCESSES_MAX = 256, LOCALS_MAX = 256 };

/* What is walked: "path" holds the numbers of the loops around the place, "moved" the loop whose iterator is taken one
 * further than its middle (with those that it is a tile loop of), -1 for none, "condition" the one that a single statement stands under, "local" the locals declared so far with the number of loops around each. */
struct walk {
	struct arena *arena;
	const struct nest *nest;
	int n_size;
	const struct size *size;
	struct shape *shape;
	int depth;
	int path[SHAPE_DEPTH];
	int moved;
	const struct expr *condition;
	int n_local;
	const struct var *local[LOCALS_MAX];
	int local_depth[LOCALS_MAX];
};

/* Whether "outer" is the iterator of a tile loop of "inner": "i.1" of "i", or of "i.2" within it. */
static bool is_tile_of(const struct var *outer, const struct var *inner)
{
	size_t base = strcspn(inner->name, ".");
	return outer != inner && strncmp(outer->name, inner->name, base) == 0 && outer->name[base] == '.';
}

/* Whether the iterator of loop "number" is one further than its middle: it, or a tile loop of it, is the loop moved. */
static bool has_moved(const struct walk *walk, int number)
{
	const struct loop_shape *loop = walk->shape->loop;
	return number == walk->moved || (walk->moved >= 0 && walk->moved < number &&
					 is_tile_of(loop[walk->moved].node->iter, loop[number].node->iter));
}

/* The value of a param by its size, of an iterator by its middle. */
static bool walk_value(const struct var *var, int64_t *result, void *context)
{
	const struct walk *walk = context;
	if (var->kind == VAR_ITER) {
		for (int d = walk->depth - 1; d >= 0; d--) {
			const struct loop_shape *loop = &walk->shape->loop[walk->path[d]];
			if (loop->node->iter == var) {
				*result = loop->middle + has_moved(walk, walk->path[d]);
				return true;
			}
		}
		return false;
	}
	if (var->kind != VAR_PARAM || !type_is_integer(var->type))
		return false;
	for (int i = 0; i < walk->n_size; i++)
		if (strcmp(walk->size[i].name, var->name) == 0) {
			*result = walk->size[i].value;
			return true;
		}
	*result = UNKNOWN_SIZE;
	return true;
}

static bool walk_evaluate(struct walk *walk, const struct expr *expr, int64_t *result)
{
	return expr_evaluate(expr, walk_value, walk, result);
}

/* The row-major offset in elements of "ref"; false when it is not known. */
static bool walk_offset(struct walk *walk, const struct expr *ref, int64_t *offset)
{
	*offset = 0;
	for (int d = 0; d < ref->n; d++) {
		int64_t extent = UNKNOWN_SIZE, subscript;
		if (!walk_evaluate(walk, ref->arg[d], &subscript))
			return false;
		if (d > 0 && ref->var->extent[d] && !walk_evaluate(walk, ref->var->extent[d], &extent))
			extent = UNKNOWN_SIZE;
		*offset = *offset * (d > 0 ? extent : 1) + subscript;
	}
	return true;
}

static bool ref_uses(const struct expr *ref, const struct var *var)
{
	for (int d = 0; d < ref->n; d++)
		if (expr_uses(ref->arg[d], var))
			return true;
	return false;
}

static void access_fill(struct walk *walk, struct access_shape *access)
{
	for (int d = 0; d < walk->depth; d++) {
		int64_t here, there;
		bool is_known = walk_offset(walk, access->ref, &here);
		walk->moved = walk->path[d];
		is_known = is_known && walk_offset(walk, access->ref, &there);
		walk->moved = -1;
		if (is_known)
			access->stride[d] = there - here;
		else
			access->stride[d] = ref_uses(access->ref, walk->shape->loop[walk->path[d]].node->iter) ? STRIDE_UNKNOWN : 0;
	}
}

struct collect {
	int n;
	const struct expr *ref[ACCESSES_MAX];
};

static bool collect_ref(struct expr *expr, void *context)
{
	struct collect *collect = context;
	if (expr->kind == EXPR_REF && expr->n > 0 && collect->n < ACCESSES_MAX)
		collect->ref[collect->n++] = expr;
	return true;
}

static bool equals_target(const struct node *node, const struct expr *expr)
{
	return expr->kind == EXPR_REF && expr_equal(expr, node->target);
}

struct look {
	const struct node *node;
	bool found;
};

static bool look_for_target(struct expr *expr, void *context)
{
	struct look *look = context;
	look->found = look->found || equals_target(look->node, expr);
	return !look->found;
}

static bool stmt_accumulates(const struct node *node, const struct expr *condition)
{
	struct look look = { .node = node };
	if (node->op != OP_NONE || (condition && reduction_op(node, condition) != OP_NONE))
		return true;
	if (node->value)
		expr_walk(node->value, look_for_target, &look);
	return look.found;
}

static void stmt_accesses(struct walk *walk, struct stmt_shape *stmt)
{
	const struct node *node = stmt->node;
	struct collect collect = { 0 };
	bool is_array = node->target->kind == EXPR_REF && node->target->n > 0;
	if (is_array)
		collect.ref[collect.n++] = node->target;
	for (int d = 0; is_array && d < node->target->n; d++)
		expr_walk(node->target->arg[d], collect_ref, &collect);
	if (node->value)
		expr_walk(node->value, collect_ref, &collect);
	stmt->n_access = collect.n;
	stmt->access = ARENA_ARRAY(walk->arena, struct access_shape, collect.n + 1);
	for (int i = 0; i < collect.n; i++) {
		stmt->access[i].ref = collect.ref[i];
		stmt->access[i].is_write = is_array && i == 0;
		access_fill(walk, &stmt->access[i]);
	}
}

static void note_local(struct walk *walk, const struct var *var)
{
	if (walk->n_local == LOCALS_MAX)
		return;
	walk->local[walk->n_local] = var;
	walk->local_depth[walk->n_local++] = walk->depth;
}

static int private_depth(const struct walk *walk, const struct var *var)
{
	for (int i = walk->n_local - 1; i >= 0; i--)
		if (walk->local[i] == var)
			return walk->local_depth[i];
	return 0;
}

static void walk_stmt(struct walk *walk, const struct node *node)
{
	struct stmt_shape *stmt;
	if (node->declares)
		note_local(walk, node->target->var);
	stmt = &walk->shape->stmt[walk->shape->n_stmt++];
	stmt->node = node;
	stmt->depth = walk->depth;
	memcpy(stmt->loop, walk->path, sizeof stmt->loop);
	stmt->weight = 1;
	for (int d = 0; d < walk->depth; d++)
		stmt->weight *= walk->shape->loop[walk->path[d]].trip;
	walk->shape->weight += stmt->weight;
	stmt->accumulates = stmt_accumulates(node, walk->condition);
	stmt->private_depth = private_depth(walk, node->target->var);
	stmt_accesses(walk, stmt);
}

static void walk_list(struct walk *walk, const struct list *list);

static void walk_loop(struct walk *walk, const struct node *node)
{
	struct shape *shape = walk->shape;
	struct loop_shape *loop;
	int64_t lo = 0, hi = 0;
	if (walk->depth == SHAPE_DEPTH)
		return;
	loop = &shape->loop[shape->n_loop];
	*loop = (struct loop_shape){ .node = node, .depth = walk->depth };
	loop->parent = walk->depth ? walk->path[walk->depth - 1] : -1;
	if (walk_evaluate(walk, node->lo, &lo) && walk_evaluate(walk, node->hi, &hi))
		loop->trip = hi > lo ? (double)((hi - lo + node->step - 1) / node->step) : 0;
	else
		loop->trip = UNKNOWN_SIZE;
	loop->middle = lo + (int64_t)(loop->trip / 2) * node->step;
	walk->path[walk->depth++] = shape->n_loop++;
	walk->condition = NULL;
	walk_list(walk, &node->body);
	walk->depth--;
}

static void walk_list(struct walk *walk, const struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];
		switch (node->kind) {
		case NODE_LOOP:
			walk_loop(walk, node);
			break;
		case NODE_IF:
			walk->condition = node->body.n == 1 && !node->orelse.n ? node->cond : NULL;
			walk_list(walk, &node->body);
			walk->condition = NULL;
			walk_list(walk, &node->orelse);
			break;
		case NODE_STMT:
			walk_stmt(walk, node);
			break;
		}
	}
}

/* The label of the first statement of the original in "list", -1 when there is none. */
static int first_label(const struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];
		int label = node->kind != NODE_STMT ? first_label(&node->body) : node->origin ? node->label : -1;
		if (label < 0 && node->kind == NODE_IF)
			label = first_label(&node->orelse);
		if (label >= 0)
			return label;
	}
	return -1;
}

/* Give each loop the name by which plans refer to it: only loops around statements of the original count. */
static void name_loops(struct walk *walk)
{
	struct shape *shape = walk->shape;
	for (int i = 0; i < shape->n_loop; i++)
		shape->loop[i].label = first_label(&shape->loop[i].node->body);
	for (int i = 0; i < shape->n_loop; i++) {
		struct loop_shape *loop = &shape->loop[i];
		bool is_unique = true;
		for (int j = 0; j < shape->n_loop; j++)
			is_unique = is_unique && (i == j || shape->loop[j].label < 0 ||
						  strcmp(shape->loop[j].node->iter->name, loop->node->iter->name) != 0);
		loop->name = is_unique || loop->label < 0 ? loop->node->iter->name :
			arena_printf(walk->arena, "%s@S%d", loop->node->iter->name, loop->label);
	}
}

/* Count the loops and statements below "list". */
static void count_nodes(const struct list *list, int *loops, int *stmts)
{
	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];
		*loops += node->kind == NODE_LOOP;
		*stmts += node->kind == NODE_STMT;
		count_nodes(&node->body, loops, stmts);
		count_nodes(&node->orelse, loops, stmts);
	}
}

struct shape *shape_new(struct arena *arena, const struct nest *nest, int n_size, const struct size *size)
{
	struct shape *shape = ARENA_NEW(arena, struct shape);
	struct walk walk = { .arena = arena, .nest = nest, .n_size = n_size, .size = size, .shape = shape, .moved = -1 };
	int loops = 0, stmts = 0;
	count_nodes(&nest->body, &loops, &stmts);
	shape->loop = ARENA_ARRAY(arena, struct loop_shape, loops + 1);
	shape->stmt = ARENA_ARRAY(arena, struct stmt_shape, stmts + 1);
	walk_list(&walk, &nest->body);
	name_loops(&walk);
	return shape;
}

int shape_find(const struct shape *shape, const struct node *node)
{
	for (int i = 0; i < shape->n_loop; i++)
		if (shape->loop[i].node == node)
			return i;
	return -1;
}

int shape_find_stmt(const struct shape *shape, int label)
{
	int found = -1;
	for (int i = 0; i < shape->n_stmt; i++)
		if (shape->stmt[i].node->label == label && (found < 0 || shape->stmt[i].depth > shape->stmt[found].depth))
			found = i;
	return found;
}

bool stmt_reduces(const struct stmt_shape *stmt, int depth)
{
	bool is_array = stmt->n_access > 0 && stmt->access[0].is_write;
	return stmt->accumulates && depth >= stmt->private_depth && (!is_array || stmt->access[0].stride[depth] == 0);
}

bool shape_is_within(const struct shape *shape, int stmt, int loop)
{
	int depth = shape->loop[loop].depth;
	return depth < shape->stmt[stmt].depth && shape->stmt[stmt].loop[depth] == loop;
}

double shape_weight(const struct shape *shape, int loop)
{
	double weight = 0;
	for (int s = 0; s < shape->n_stmt; s++)
		if (shape_is_within(shape, s, loop))
			weight += shape->stmt[s].weight;
	return weight;
}
