#include "codegen_internal.h"

#include <string.h>

/* Largest array that may become variables, in bytes and in variables: beyond the registers there is no gain. */
enum { BYTES_MAX = 16 << 10, VARIABLES_MAX = 128, RANK_MAX = 8 };

/* How the elements of "array" are named. "lanes" 0: each by constant subscripts; else the last subscript is often the lane of
 * a lane loop. "has_rolled": some subscripts are constant once the compiler has unrolled the loops around them, so that the array
 * must stay one. "has_dynamic": some elements are named in no such way, or, with "whole_vectors", alone. */
struct usage {
	struct codegen *cg;
	const struct var *array;
	const struct node *lane; /* the lane loop around what is looked at */
	int lanes;
	bool whole_vectors, has_constant, has_rolled, has_dynamic, is_mixed, is_written;
};

static bool is_rolled(const struct node *node)
{
	return node->kind == NODE_LOOP && node->marks.unroll > 1;
}

/* "subscript" in the first iteration of the loops around that the compiler unrolls. */
static struct expr *first_subscript(struct codegen *cg, struct expr *subscript)
{
	for (int i = cg->n_rolled - 1; i >= 0; i--)
		subscript = expr_replace(cg->arena, subscript, cg->rolled[i]->iter, cg->rolled[i]->lo);
	return expr_simplify(cg->arena, subscript);
}

static void enter(struct codegen *cg, const struct node *node)
{
	if (is_rolled(node) && cg->n_rolled < ROLLED_MAX)
		cg->rolled[cg->n_rolled++] = node;
}

static void leave(struct codegen *cg, const struct node *node)
{
	cg->n_rolled -= cg->n_rolled > 0 && cg->rolled[cg->n_rolled - 1] == node;
}

/* The constant c when "subscript" is iterator - lo + c of the lane loop and c is a multiple of its lanes; "first" tells to
 * take the loops around that are unrolled by the compiler in their first iteration. */
static bool lane_offset(struct codegen *cg, struct expr *subscript, const struct node *lane, bool first, int64_t *c)
{
	struct arena *arena = cg->arena;
	struct expr *index = expr_binary(arena, OP_SUB, expr_scalar(arena, lane->iter), lane->lo);
	struct expr *gap = expr_binary(arena, OP_SUB, subscript, index);

	return expr_difference(arena, first ? first_subscript(cg, gap) : gap, expr_int(arena, 0, gap->type), c) && *c >= 0 &&
	       *c % lane->marks.vector == 0;
}

/* Whether "subscript" is a constant, perhaps once loops around it are unrolled, which is noted. */
static bool is_static(struct usage *usage, struct expr *subscript)
{
	bool is_constant = subscript->kind == EXPR_INT;

	if (!is_constant && first_subscript(usage->cg, subscript)->kind != EXPR_INT)
		return false;
	usage->has_rolled |= !is_constant;
	return true;
}

static void note_reference(struct usage *usage, struct expr *ref)
{
	struct expr *last = ref->arg[ref->n - 1];
	int64_t c;

	for (int d = 0; d < ref->n - 1; d++)
		if (!is_static(usage, ref->arg[d])) {
			usage->has_dynamic = true;
			return;
		}
	if (usage->lane && lane_offset(usage->cg, last, usage->lane, true, &c)) {
		usage->is_mixed |= usage->lanes && usage->lanes != usage->lane->marks.vector;
		usage->lanes = usage->lane->marks.vector;
		usage->has_rolled |= !lane_offset(usage->cg, last, usage->lane, false, &c);
	} else if (!usage->whole_vectors && is_static(usage, last)) {
		usage->has_constant |= last->kind == EXPR_INT;
	} else {
		usage->has_dynamic = true;
	}
}

static bool note_expr(struct expr *expr, void *context)
{
	struct usage *usage = context;

	if (expr->kind == EXPR_REF && expr->var == usage->array && expr->n > 0)
		note_reference(usage, expr);
	return true;
}

static void note_list(struct usage *usage, const struct list *list);

static void note_node(struct usage *usage, struct node *node)
{
	const struct node *around = usage->lane;

	node_every_expr(node, note_expr, usage);
	if (node->kind == NODE_STMT && node->target->var == usage->array && !node->declares)
		usage->is_written = true;
	if (node->kind == NODE_LOOP && node->marks.vector > 1)
		usage->lane = node;
	enter(usage->cg, node);
	note_list(usage, &node->body);
	note_list(usage, &node->orelse);
	leave(usage->cg, node);
	usage->lane = around;
}

static void note_list(struct usage *usage, const struct list *list)
{
	for (int i = 0; i < list->n; i++)
		note_node(usage, list->node[i]);
}

static struct usage node_usage(struct codegen *cg, struct node *node, const struct var *array, bool whole_vectors)
{
	struct usage usage = { .cg = cg, .array = array, .whole_vectors = whole_vectors };

	note_node(&usage, node);
	return usage;
}

static struct usage list_usage(struct codegen *cg, const struct list *list, const struct var *array, bool whole_vectors)
{
	struct usage usage = { .cg = cg, .array = array, .whole_vectors = whole_vectors };

	note_list(&usage, list);
	return usage;
}

/* ---- the variables ---- */

/* The variables of an array: row-major over its leading dimensions and the vectors of its last. */
struct registers {
	struct usage usage;
	int n, last; /* how many, and how many along the last dimension */
	struct var *var[VARIABLES_MAX];
};

static bool registers_count(struct registers *registers)
{
	const struct var *array = registers->usage.array;
	int lanes = registers->usage.lanes ? registers->usage.lanes : 1;
	int64_t n = 1, last = (array->extent[array->rank - 1]->integer + lanes - 1) / lanes;

	for (int d = 0; d < array->rank - 1; d++)
		n *= array->extent[d]->integer;
	registers->n = (int)(n * last);
	registers->last = (int)last;
	return n * last > 0 && n * last <= VARIABLES_MAX;
}

static const char *register_name(struct codegen *cg, const struct registers *registers, int number)
{
	const struct var *array = registers->usage.array;
	const char *name = "";

	if (registers->n == 1)
		return array->name;
	if (registers->last > 1)
		name = arena_printf(cg->arena, ".%d", number % registers->last);
	number /= registers->last;
	for (int d = array->rank - 2; d >= 0; d--) {
		int64_t extent = array->extent[d]->integer;

		if (extent > 1)
			name = arena_printf(cg->arena, ".%d%s", (int)(number % extent), name);
		number /= (int)extent;
	}
	return arena_printf(cg->arena, "%s%s", array->name, name);
}

static struct var *registers_var(struct codegen *cg, struct registers *registers, int number)
{
	const struct usage *usage = &registers->usage;
	struct expr *extent = expr_int(cg->arena, usage->lanes, TYPE_I32);
	struct vector_local *grown;
	struct var *var = registers->var[number];

	if (var)
		return var;
	var = nest_add_var(cg->nest, VAR_LOCAL, usage->array->type, register_name(cg, registers, number),
			   usage->lanes ? 1 : 0, usage->lanes ? &extent : NULL);
	var->name = register_name(cg, registers, number);
	registers->var[number] = var;
	if (usage->lanes) {
		grown = ARENA_ARRAY(cg->arena, struct vector_local, cg->n_vector_local + 1);
		if (cg->n_vector_local)
			memcpy(grown, cg->vector_local, sizeof(*grown) * (size_t)cg->n_vector_local);
		grown[cg->n_vector_local++] = (struct vector_local){ var, usage->lanes };
		cg->vector_local = grown;
	}
	return var;
}

/* The reference that stands for "ref". */
static struct expr *registers_ref(struct codegen *cg, struct registers *registers, struct expr *ref)
{
	int lanes = registers->usage.lanes ? registers->usage.lanes : 1;
	struct expr *last = ref->arg[ref->n - 1], *subscript;
	int64_t number = 0, c = 0;

	for (int d = 0; d < ref->n - 1; d++)
		number = number * registers->usage.array->extent[d]->integer + ref->arg[d]->integer;
	if (last->kind == EXPR_INT)
		c = last->integer;
	else
		lane_offset(cg, last, registers->usage.lane, false, &c);
	number = number * registers->last + c / lanes;
	if (number < 0 || number >= registers->n)
		return ref;
	if (!registers->usage.lanes)
		return expr_scalar(cg->arena, registers_var(cg, registers, (int)number));
	subscript = last->kind == EXPR_INT ? expr_int(cg->arena, c % lanes, TYPE_I32)
					   : expr_binary(cg->arena, OP_SUB, last, expr_int(cg->arena, c, last->type));
	return expr_ref(cg->arena, registers_var(cg, registers, (int)number), 1, &subscript);
}

static struct expr *replace_expr(struct codegen *cg, struct registers *registers, struct expr *expr)
{
	struct expr *copy;

	if (!expr || !expr_uses(expr, registers->usage.array) || (expr->kind == EXPR_REF && expr->n == 0))
		return expr;
	if (expr->kind == EXPR_REF && expr->var == registers->usage.array)
		return registers_ref(cg, registers, expr);
	copy = ARENA_NEW(cg->arena, struct expr);
	*copy = *expr;
	copy->arg = ARENA_ARRAY(cg->arena, struct expr *, expr->n);
	for (int i = 0; i < expr->n; i++)
		copy->arg[i] = replace_expr(cg, registers, expr->arg[i]);
	return copy;
}

static void replace_list(struct codegen *cg, struct registers *registers, struct list *list)
{
	const struct node *around = registers->usage.lane;

	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];

		node->lo = replace_expr(cg, registers, node->lo);
		node->hi = replace_expr(cg, registers, node->hi);
		node->cond = replace_expr(cg, registers, node->cond);
		node->value = replace_expr(cg, registers, node->value);
		if (node->target)
			node->target = replace_expr(cg, registers, node->target);
		if (node->kind == NODE_LOOP && node->marks.vector > 1)
			registers->usage.lane = node;
		replace_list(cg, registers, &node->body);
		replace_list(cg, registers, &node->orelse);
		registers->usage.lane = around;
	}
}

static bool is_declaration_of(const struct node *node, const struct var *var)
{
	return node->kind == NODE_STMT && node->declares && node->target->var == var && !node->value;
}

/* The statement within "node" that sets all of "var", a vector when "lanes", and does nothing else; NULL when it is no such
 * node. */
static struct node *initialisation(struct node *node, const struct var *var, int lanes)
{
	if (lanes && (node->kind != NODE_LOOP || node->marks.vector != lanes || node->body.n != 1))
		return NULL;
	if (lanes)
		node = node->body.node[0];
	if (node->kind != NODE_STMT || node->declares || node->target->var != var || node->op != OP_NONE || !node->value ||
	    expr_uses(node->value, var) || (lanes && node->target->arg[0]->kind == EXPR_INT))
		return NULL;
	return node;
}

struct mention {
	const struct var *var;
	bool is_found;
};

static bool find_mention(struct expr *expr, void *context)
{
	struct mention *mention = context;

	mention->is_found |= expr->kind == EXPR_REF && expr->var == mention->var;
	return !mention->is_found;
}

static bool find_mention_in(struct node *node, void *context)
{
	return node_every_expr(node, find_mention, context);
}

/* Declare "var" where children from "at" on first set it, or else at "at"; whether a declaration was inserted. */
static bool declare_register(struct codegen *cg, struct var *var, struct list *list, int at)
{
	struct mention mention = { var, false };
	struct node *stmt;

	for (int i = at; i < list->n; i++) {
		struct list one = { 1, list->node + i };

		stmt = initialisation(list->node[i], var, vector_local_lanes(cg, var));
		if (stmt) {
			stmt->declares = true;
			return false;
		}
		list_walk(&one, find_mention_in, &mention);
		if (mention.is_found)
			break;
	}
	stmt = node_stmt(cg->arena, -1, expr_scalar(cg->arena, var), OP_NONE, NULL);
	stmt->declares = true;
	list_insert(cg->arena, list, at, stmt);
	return true;
}

static void declare_registers(struct codegen *cg, const struct registers *registers, struct list *list, int at)
{
	for (int i = 0; i < registers->n; i++)
		if (registers->var[i] && declare_register(cg, registers->var[i], list, at))
			at++;
}

/* ---- elements named in other ways ---- */

/* Whether children that name elements of "array" dynamically stand apart from those that run in lanes, so that copying the
 * array to memory around them costs little: they share no loop body, or one in which lanes run in a loop of their own. */
static bool can_spill(struct codegen *cg, const struct list *list, const struct usage *whole, bool is_inside)
{
	bool has_lanes = false, has_lane_loop = false, has_dynamic = false;

	for (int i = 0; i < list->n; i++) {
		struct usage usage = node_usage(cg, list->node[i], whole->array, whole->whole_vectors);

		if (usage.has_dynamic && usage.lanes) {
			struct node *node = list->node[i];
			bool is_loop = node->kind == NODE_LOOP, is_able = true;

			enter(cg, node);
			is_able = node->kind != NODE_STMT && !(is_loop && node->marks.vector > 1) &&
				  can_spill(cg, &node->body, whole, is_inside || is_loop) &&
				  can_spill(cg, &node->orelse, whole, is_inside || is_loop);
			leave(cg, node);
			if (!is_able)
				return false;
		} else if (usage.has_dynamic) {
			has_dynamic = true;
		}
		has_lanes |= usage.lanes != 0;
		has_lane_loop |= usage.lanes != 0 && list->node[i]->kind == NODE_LOOP && list->node[i]->marks.vector <= 1;
	}
	return !(is_inside && has_lanes && !has_lane_loop && has_dynamic);
}

/* to[..] = from[..] for all elements, as lowered loops. */
static struct list array_copy(struct codegen *cg, struct var *to, struct var *from, int lanes)
{
	struct arena *arena = cg->arena;
	struct expr *subscript[RANK_MAX];
	struct node *inner = NULL;
	struct list list = { 0 };

	for (int d = 0; d < to->rank; d++) {
		struct var *iter = nest_add_var(cg->nest, VAR_ITER, TYPE_I32, d == to->rank - 1 ? "lane" : "row", 0, NULL);
		struct node *loop = node_loop(arena, iter, expr_int(arena, 0, TYPE_I32),
					      expr_int(arena, to->extent[d]->integer, TYPE_I32), 1);

		loop->marks = (struct loop_marks){ .unroll = UNROLL_FULL, .vector = d == to->rank - 1 ? lanes : 0 };
		subscript[d] = expr_scalar(arena, iter);
		list_add(arena, inner ? &inner->body : &list, loop);
				inner = loop;
	}
	list_add(arena, &inner->body, node_stmt(arena, -1, expr_ref(arena, to, to->rank, subscript), OP_NONE,
						expr_ref(arena, from, from->rank, subscript)));
	lower_list(cg, &list);
	return list;
}

static int insert_all(struct arena *arena, struct list *list, int at, const struct list *inserted)
{
	for (int i = 0; i < inserted->n; i++)
		list_insert(arena, list, at++, inserted->node[i]);
	return at;
}

/* Let children first .. last of "list" work on a copy of "array" in memory; return the place of the last of them now. */
static int spill_children(struct codegen *cg, struct list *list, int first, int last, struct var *array, int lanes,
			  bool is_written)
{
	struct list part = { last - first + 1, list->node + first }, load, store;
	struct var *copy = nest_add_var(cg->nest, VAR_LOCAL, array->type, arena_printf(cg->arena, "%s.lanes", array->name),
					array->rank, array->extent);
	struct node *declaration = node_stmt(cg->arena, -1, expr_scalar(cg->arena, copy), OP_NONE, NULL);
	int at = first;

	list_rename(cg->arena, &part, array, copy);
	load = array_copy(cg, copy, array, lanes);
	store = array_copy(cg, array, copy, lanes);
	declaration->declares = true;
	list_insert(cg->arena, list, at++, declaration);
	at = insert_all(cg->arena, list, at, &load) + last - first + 1;
	if (is_written)
		at = insert_all(cg->arena, list, at, &store);
	return at - 1;
}

/* Whether "array" is declared in "list" and no child from "at" on mentions it. */
static bool is_dead_from(const struct list *list, int at, const struct var *array)
{
	struct mention mention = { array, false };
	struct list rest = { list->n - at, list->node + at };

	list_walk(&rest, find_mention_in, &mention);
	for (int i = 0; i < at && !mention.is_found; i++)
		if (is_declaration_of(list->node[i], array))
			return true;
	return false;
}

/* Whether "node" is a condition that does not itself look at "array". */
static bool is_choice(const struct node *node, const struct var *array)
{
	return node->kind == NODE_IF && !expr_uses(node->cond, array);
}

static void spill_list(struct codegen *cg, struct list *list, const struct usage *whole, struct var *array);

static void spill_within(struct codegen *cg, struct node *node, const struct usage *whole, struct var *array)
{
	enter(cg, node);
	spill_list(cg, &node->body, whole, array);
	spill_list(cg, &node->orelse, whole, array);
	leave(cg, node);
}

static void spill_list(struct codegen *cg, struct list *list, const struct usage *whole, struct var *array)
{
	for (int i = 0; i < list->n; i++) {
		struct usage usage = node_usage(cg, list->node[i], array, whole->whole_vectors), next;
		int last = i;

		if (usage.has_dynamic && usage.lanes) {
			spill_within(cg, list->node[i], whole, array);
		} else if (usage.has_dynamic) {
			while (last + 1 < list->n) {
				next = node_usage(cg, list->node[last + 1], array, whole->whole_vectors);
				if (next.lanes || !next.has_dynamic)
					break;
				usage.is_written |= next.is_written;
				last++;
			}
			if (last == i && is_choice(list->node[i], array)) {
				spill_within(cg, list->node[i], whole, array);
				continue;
			}
			i = spill_children(cg, list, i, last, array, whole->lanes,
					   usage.is_written && !is_dead_from(list, last + 1, array));
		}
	}
}

/* ---- the pass ---- */

/* The list that declares "array", and where; NULL when none does. */
static struct list *find_declaration(struct list *list, const struct var *array, int *at)
{
	for (int i = 0; i < list->n; i++) {
		struct list *found;

		if (is_declaration_of(list->node[i], array)) {
			*at = i;
			return list;
		}
		found = find_declaration(&list->node[i]->body, array, at);
		if (!found)
			found = find_declaration(&list->node[i]->orelse, array, at);
		if (found)
			return found;
	}
	return NULL;
}

static void replace_array(struct codegen *cg, struct var *array)
{
	struct registers registers = { .usage = list_usage(cg, &cg->nest->body, array, false) };
	struct usage *usage = &registers.usage;
	int64_t last = array->extent[array->rank - 1]->integer;
	struct list *list;
	int at = 0;

	if (usage->has_rolled && usage->lanes)
		*usage = list_usage(cg, &cg->nest->body, array, true);
	if (usage->is_mixed || (!usage->lanes && (usage->has_dynamic || !usage->has_constant)) || !registers_count(&registers))
		return;
	if (usage->has_dynamic &&
	    (last % usage->lanes != 0 || !can_spill(cg, &cg->nest->body, usage, false)))
		return;
	if (usage->has_dynamic) {
		spill_list(cg, &cg->nest->body, usage, array);
		*usage = list_usage(cg, &cg->nest->body, array, false);
	}
	if (usage->has_rolled)
		return;
	replace_list(cg, &registers, &cg->nest->body);
	list = find_declaration(&cg->nest->body, array, &at);
	if (list) {
		list_remove(list, at);
		declare_registers(cg, &registers, list, at);
	}
}

void lower_registers(struct codegen *cg)
{
	int n = cg->nest->n_var;

	for (int i = 0; i < n; i++) {
		struct var *var = cg->nest->var[i];
		int64_t bytes = local_bytes(var);

		if (var->kind == VAR_LOCAL && var->rank > 0 && var->rank <= RANK_MAX && bytes > 0 && bytes <= BYTES_MAX)
			replace_array(cg, var);
	}
}
