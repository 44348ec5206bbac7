#include "isl_ast.h"
#include "action_sum.h"

#include <isl/id.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { MADE_MAX = 512 };

/* A loop of isl's code as it was made, for dimension "depth" of the schedule. */
struct made {
	struct node *loop;
	int depth;
	bool is_main;
};

/* The value of an iterator of isl's code. */
struct binding {
	const char *name;
	struct expr *value;
};

/* Reading under way. "type" is that of the new iterators; "failure" says what could not be read. */
struct reader {
	struct rewrite *rewrite;
	const struct dependences *all;
	const struct ast_bands *bands;
	enum type type;
	int n_binding, n_made;
	struct binding binding[PATH_MAX_LOOPS];
	struct made made[MADE_MAX];
	const char *failure;
};

static struct arena *reader_arena(const struct reader *reader)
{
	return reader->rewrite->arena;
}

static struct expr *fail_expr(struct reader *reader, const char *failure)
{
	reader->failure = failure;
	return expr_int(reader_arena(reader), 0, reader->type);
}

static struct expr *read_name(struct reader *reader, const char *name)
{
	const struct var *var;

	for (int i = reader->n_binding - 1; i >= 0; i--)
		if (!strcmp(reader->binding[i].name, name))
			return reader->binding[i].value;
	var = nest_find_var(reader->rewrite->nest, name);
	if (!var || var->rank || var->kind != VAR_PARAM)
		return fail_expr(reader, "a bound is a product of sizes");
	return expr_cast(reader_arena(reader), reader->type, expr_scalar(reader_arena(reader), (struct var *)var));
}

static struct expr *read_expr(struct reader *reader, isl_ast_expr *ast);

static struct expr *read_argument(struct reader *reader, isl_ast_expr *ast, int at)
{
	return read_expr(reader, isl_ast_expr_get_op_arg(ast, at));
}

/* Fold all arguments by "op". */
static struct expr *read_folded(struct reader *reader, isl_ast_expr *ast, enum op op)
{
	struct expr *result = read_argument(reader, ast, 0);

	for (int i = 1; i < isl_ast_expr_get_op_n_arg(ast); i++)
		result = expr_binary(reader_arena(reader), op, result, read_argument(reader, ast, i));
	return result;
}

/* Divisions by constants: rounded down, or exact and remainders of what is not negative. */
static struct expr *read_divided(struct reader *reader, isl_ast_expr *ast, enum op op)
{
	struct expr *left = read_argument(reader, ast, 0), *right = read_argument(reader, ast, 1);

	if (right->kind != EXPR_INT || right->integer <= 0)
		return fail_expr(reader, "a bound is divided by a size");
	return expr_binary(reader_arena(reader), op, left, right);
}

static struct expr *read_select(struct reader *reader, isl_ast_expr *ast)
{
	struct expr *cond = read_argument(reader, ast, 0), *yes = read_argument(reader, ast, 1);

	return expr_select(reader_arena(reader), cond, yes, read_argument(reader, ast, 2));
}

static struct expr *read_op(struct reader *reader, isl_ast_expr *ast)
{
	switch (isl_ast_expr_get_op_type(ast)) {
	case isl_ast_op_and: case isl_ast_op_and_then: return read_folded(reader, ast, OP_LAND);
	case isl_ast_op_or: case isl_ast_op_or_else: return read_folded(reader, ast, OP_LOR);
	case isl_ast_op_max: return read_folded(reader, ast, OP_MAX);
	case isl_ast_op_min: return read_folded(reader, ast, OP_MIN);
	case isl_ast_op_add: return read_folded(reader, ast, OP_ADD);
	case isl_ast_op_sub: return read_folded(reader, ast, OP_SUB);
	case isl_ast_op_mul: return read_folded(reader, ast, OP_MUL);
	case isl_ast_op_eq: return read_folded(reader, ast, OP_EQ);
	case isl_ast_op_le: return read_folded(reader, ast, OP_LE);
	case isl_ast_op_lt: return read_folded(reader, ast, OP_LT);
	case isl_ast_op_ge: return read_folded(reader, ast, OP_GE);
	case isl_ast_op_gt: return read_folded(reader, ast, OP_GT);
	case isl_ast_op_minus: return expr_unary(reader_arena(reader), OP_NEG, read_argument(reader, ast, 0));
	case isl_ast_op_select: case isl_ast_op_cond: return read_select(reader, ast);
	case isl_ast_op_div: case isl_ast_op_fdiv_q: case isl_ast_op_pdiv_q: return read_divided(reader, ast, OP_FLOORDIV);
	case isl_ast_op_pdiv_r: case isl_ast_op_zdiv_r: return read_divided(reader, ast, OP_MOD);
	default: return fail_expr(reader, "its code has an operator that nests lack");
	}
}

/* "ast" (given) as an expression of the iterators' type. */
static struct expr *read_expr(struct reader *reader, isl_ast_expr *ast)
{
	struct expr *result;
	isl_id *id;
	isl_val *val;

	switch (isl_ast_expr_get_type(ast)) {
	case isl_ast_expr_id:
		id = isl_ast_expr_get_id(ast);
		result = read_name(reader, isl_id_get_name(id));
		isl_id_free(id);
		break;
	case isl_ast_expr_int:
		val = isl_ast_expr_get_val(ast);
		result = expr_int(reader_arena(reader), isl_val_get_num_si(val), reader->type);
		isl_val_free(val);
		break;
	case isl_ast_expr_op:
		result = read_op(reader, ast);
		break;
	default:
		result = fail_expr(reader, "isl made no code for it");
	}
	isl_ast_expr_free(ast);
	return result;
}

static void read_node(struct reader *reader, isl_ast_node *ast, struct list *list);

static void read_block(struct reader *reader, isl_ast_node *ast, struct list *list)
{
	isl_ast_node_list *children = isl_ast_node_block_get_children(ast);

	for (int i = 0; i < isl_ast_node_list_n_ast_node(children); i++)
		read_node(reader, isl_ast_node_list_get_ast_node(children, i), list);
	isl_ast_node_list_free(children);
}

static void read_if(struct reader *reader, isl_ast_node *ast, struct list *list)
{
	struct node *node = node_if(reader_arena(reader), read_expr(reader, isl_ast_node_if_get_cond(ast)));

	read_node(reader, isl_ast_node_if_get_then(ast), &node->body);
	if (isl_ast_node_if_has_else(ast) == isl_bool_true)
		read_node(reader, isl_ast_node_if_get_else(ast), &node->orelse);
	list_add(reader_arena(reader), list, node);
}

/* "end" + 1, the one within minima. */
static struct expr *plus_one(struct reader *reader, struct expr *end)
{
	struct arena *arena = reader_arena(reader);
	struct expr *sum = expr_binary(arena, OP_ADD, end, expr_int(arena, 1, reader->type));
	struct bound bound;

	return end->kind == EXPR_OP && end->op == OP_MIN && bound_of(sum, true, &bound) ?
		       bound_expr(arena, &bound, true, reader->type) : sum;
}

/* The first iteration that the condition of the loop (given) excludes. */
static struct expr *read_end(struct reader *reader, isl_ast_expr *condition)
{
	const enum isl_ast_expr_op_type type = isl_ast_expr_get_type(condition) == isl_ast_expr_op ?
						       isl_ast_expr_get_op_type(condition) : isl_ast_op_error;
	struct expr *end;

	if (type != isl_ast_op_le && type != isl_ast_op_lt) {
		isl_ast_expr_free(condition);
		return fail_expr(reader, "a loop of its code has several ends");
	}
	end = read_argument(reader, condition, 1);
	isl_ast_expr_free(condition);
	return type == isl_ast_op_lt ? end : plus_one(reader, end);
}

/* The dimension of the schedule that an iterator runs over: isl calls them c0, c1, .. */
static int dimension_named(const char *name)
{
	return name[0] == 'c' ? (int)strtol(name + 1, NULL, 10) : -1;
}

static struct node *make_loop(struct reader *reader, isl_ast_node *ast, const char *name)
{
	struct var *iter = nest_add_var(reader->rewrite->nest, VAR_ITER, reader->type, "x", 0, NULL);
	struct expr *lo = read_expr(reader, isl_ast_node_for_get_init(ast));
	struct expr *hi = read_end(reader, isl_ast_node_for_get_cond(ast));
	struct expr *step = read_expr(reader, isl_ast_node_for_get_inc(ast));
	struct node *loop;

	if (step->kind != EXPR_INT || step->integer <= 0)
		step = fail_expr(reader, "a loop of its code counts down");
	loop = node_loop(reader_arena(reader), iter, lo, hi, step->integer);
	if (reader->n_made == MADE_MAX)
		reader->failure = "its code is too long";
	else
		reader->made[reader->n_made++] = (struct made){ .loop = loop, .depth = dimension_named(name) };
	return loop;
}

static void read_for(struct reader *reader, isl_ast_node *ast, struct list *list)
{
	isl_ast_expr *iterator = isl_ast_node_for_get_iterator(ast);
	isl_id *id = isl_ast_expr_get_id(iterator);
	struct binding binding = { .name = isl_id_get_name(id) };
	struct node *loop = NULL;

	if (reader->n_binding == PATH_MAX_LOOPS)
		reader->failure = "its code nests too many loops";
	if (!reader->failure && isl_ast_node_for_is_degenerate(ast) == isl_bool_true) {
		binding.value = read_expr(reader, isl_ast_node_for_get_init(ast));
	} else if (!reader->failure) {
		loop = make_loop(reader, ast, binding.name);
		list_add(reader_arena(reader), list, loop);
		binding.value = expr_scalar(reader_arena(reader), loop->iter);
	}
	if (!reader->failure) {
		reader->binding[reader->n_binding++] = binding;
		read_node(reader, isl_ast_node_for_get_body(ast), loop ? &loop->body : list);
		reader->n_binding--;
	}
	isl_id_free(id);
	isl_ast_expr_free(iterator);
}

/* A statement: its place in the tree is the number in its name, its arguments are the original iterators. */
static void read_user(struct reader *reader, isl_ast_node *ast, struct list *list)
{
	isl_ast_expr *call = isl_ast_node_user_get_expr(ast), *name = isl_ast_expr_get_op_arg(call, 0);
	isl_id *id = isl_ast_expr_get_id(name);
	const struct placed *before = reader->all->tree->placed + label_parse(isl_id_get_name(id));
	struct arena *arena = reader_arena(reader);
	struct node *node = node_copy(arena, before->node);

	node->n_origin = before->depth;
	node->origin = ARENA_ARRAY(arena, struct expr *, before->depth + 1);
	for (int i = 0; i < before->depth; i++) {
		const struct var *iter = before->loop[i]->node->iter;
		struct expr *value = expr_cast(arena, iter->type, read_argument(reader, call, i + 1));

		node->origin[i] = value;
		node->target = expr_replace(arena, node->target, iter, value);
		node->value = node->value ? expr_replace(arena, node->value, iter, value) : NULL;
	}
	list_add(arena, list, node);
	isl_id_free(id);
	isl_ast_expr_free(name);
	isl_ast_expr_free(call);
}

/* Append what "ast" (given) stands for to "list". */
static void read_node(struct reader *reader, isl_ast_node *ast, struct list *list)
{
	switch (reader->failure ? isl_ast_node_error : isl_ast_node_get_type(ast)) {
	case isl_ast_node_for: read_for(reader, ast, list); break;
	case isl_ast_node_if: read_if(reader, ast, list); break;
	case isl_ast_node_block: read_block(reader, ast, list); break;
	case isl_ast_node_mark: read_node(reader, isl_ast_node_mark_get_node(ast), list); break;
	case isl_ast_node_user: read_user(reader, ast, list); break;
	default: break;
	}
	isl_ast_node_free(ast);
}

/* ---- names ---- */

static const struct expr *without_cast(const struct expr *expr)
{
	return expr->kind == EXPR_CAST ? expr->arg[0] : expr;
}

/* Of the statements in a loop, the one in the most loops that has the loop's iterator in its origin. */
struct user_search {
	const struct nest *nest;
	const struct var *iter;
	int depth;
	const struct node *found;
};

static bool visit_user(struct node *node, void *context)
{
	struct user_search *search = context;
	struct path path;
	bool uses = false;

	if (node->kind != NODE_STMT)
		return true;
	for (int i = 0; i < node->n_origin; i++)
		uses = uses || expr_uses(node->origin[i], search->iter);
	path = nest_find_path(search->nest, node);
	if (uses && path.n > search->depth) {
		search->depth = path.n;
		search->found = node;
	}
	return true;
}

static const struct placed *placed_of(const struct dependences *all, const struct node *node)
{
	int i = 0;

	while (all->tree->placed[i].node->label != node->label)
		i++;
	return all->tree->placed + i;
}

/* The original iterator that "loop" runs over, be it shifted or skewed; NULL for tile loops. */
static const struct var *iterator_of(const struct reader *reader, struct node *loop)
{
	struct user_search search = { .nest = reader->rewrite->nest, .iter = loop->iter };
	int first = -1;

	list_walk(&loop->body, visit_user, &search);
	for (int i = 0; search.found && i < search.found->n_origin; i++) {
		const struct expr *origin = without_cast(search.found->origin[i]);

		if (origin->kind == EXPR_REF && origin->var == loop->iter)
			return placed_of(reader->all, search.found)->loop[i]->node->iter;
		if (first < 0 && expr_uses(origin, loop->iter))
			first = i;
	}
	return first < 0 ? NULL : placed_of(reader->all, search.found)->loop[first]->node->iter;
}

/* What the loops at "depth" run over, told from any loop there, or from the point loops of tile loops. */
static const struct var *iterator_at(const struct reader *reader, int depth)
{
	const struct ast_bands *bands = reader->bands;
	const bool is_tile = depth >= bands->first && depth < bands->first + bands->n;

	for (int i = 0; i < reader->n_made; i++) {
		const struct var *var = reader->made[i].depth == depth + (is_tile ? bands->n + bands->apart : 0) ?
						iterator_of(reader, reader->made[i].loop) : NULL;

		if (var)
			return var;
	}
	return NULL;
}

/* The loops around the deepest copy of the p-th statement of the tree. */
static struct path deepest_path(const struct reader *reader, int p)
{
	const struct node *copy = nest_find_statement(reader->rewrite->nest, reader->all->tree->placed[p].node->label);

	return copy ? nest_find_path(reader->rewrite->nest, copy) : (struct path){ 0 };
}

/* Mark the loops around the statements that have a copy deeper than all others: they fill tiles. */
static void mark_main(struct reader *reader)
{
	int most = 0;

	for (int p = 0; p < reader->all->tree->n; p++)
		if (deepest_path(reader, p).n > most)
			most = deepest_path(reader, p).n;
	for (int p = 0; p < reader->all->tree->n; p++) {
		const struct path path = deepest_path(reader, p);

		for (int i = 0; path.n == most && i < path.n; i++)
			for (int m = 0; m < reader->n_made; m++)
				reader->made[m].is_main |= reader->made[m].loop == path.loop[i];
	}
}

static bool runs_elsewhere(struct node *node, void *context)
{
	return node->kind != NODE_LOOP || node->iter != context;
}

/* Whether "loop" may run over "var": no loop around it or inside it does. */
static bool is_free(const struct nest *nest, const struct node *loop, struct var *var)
{
	const struct path path = nest_find_path(nest, loop);

	for (int i = 0; i < path.n; i++)
		if (path.loop[i]->iter == var)
			return false;
	return list_walk(&loop->body, runs_elsewhere, var);
}

/* Let "loop" run over an iterator called "base" and a number not below "number" (0: the name alone). */
static void rename_loop(struct reader *reader, struct node *loop, const char *base, int number)
{
	struct nest *nest = reader->rewrite->nest;
	struct arena *arena = reader_arena(reader);

	for (;; number++) {
		const char *name = number ? arena_printf(arena, "%s.%d", base, number) : base;
		struct var *var = nest_find_var(nest, name), *old = loop->iter;

		if (!var)
			var = nest_add_var(nest, VAR_ITER, reader->type, name, 0, NULL);
		if (var->kind != VAR_ITER || var->type != reader->type || !is_free(nest, loop, var))
			continue;
		node_replace(arena, loop, old, expr_scalar(arena, var));
		loop->iter = var;
		return;
	}
}

/* Name the loops: those around deepest copies first, as plans will call them; the others are called "ix". */
static void rename_loops(struct reader *reader)
{
	const struct ast_bands *bands = reader->bands;
	const char *base[MADE_MAX];

	mark_main(reader);
	for (int i = 0; i < reader->n_made; i++) {
		const struct var *var = iterator_at(reader, reader->made[i].depth);

		base[i] = var ? var->name : "t";
	}
	for (int is_main = 1; is_main >= 0; is_main--)
		for (int i = 0; i < reader->n_made; i++) {
			const int depth = reader->made[i].depth;
			const bool is_tile = depth >= bands->first && depth < bands->first + bands->n;

			if (reader->made[i].is_main == (bool)is_main)
				rename_loop(reader, reader->made[i].loop,
					    is_main ? base[i] : arena_printf(reader_arena(reader), "%sx", base[i]), is_tile);
		}
}

/* Forget the iterators that loops had before they were renamed. */
static void drop_unused(struct reader *reader, int before)
{
	struct nest *nest = reader->rewrite->nest;
	int kept = before;

	for (int i = before; i < nest->n_var; i++)
		if (!list_walk(&nest->body, runs_elsewhere, nest->var[i]))
			nest->var[kept++] = nest->var[i];
	nest->n_var = kept;
}

/* The one type that holds all iterators and sizes; false when a counter is unsigned, for which sums of iterators may wrap. */
static bool choose_type(struct reader *reader)
{
	const struct nest *nest = reader->rewrite->nest;

	reader->type = TYPE_I32;
	for (int i = 0; i < nest->n_var; i++) {
		const struct var *var = nest->var[i];

		if (var->kind == VAR_ITER && !type_is_signed(var->type))
			return false;
		if ((var->kind == VAR_ITER || (var->kind == VAR_PARAM && !type_is_float(var->type))) && type_size(var->type) > 4)
			reader->type = TYPE_I64;
	}
	return true;
}

enum status ast_to_nest(struct rewrite *rewrite, const struct dependences *dependences, isl_ast_node *ast,
			const struct ast_bands *bands)
{
	struct reader *reader = ARENA_NEW(rewrite->arena, struct reader);
	const int n_var = rewrite->nest->n_var;

	*reader = (struct reader){ .rewrite = rewrite, .all = dependences, .bands = bands };
	if (!choose_type(reader))
		return refuse(rewrite, "a loop counts in an unsigned type");
	rewrite->nest->body = (struct list){ 0 };
	read_node(reader, isl_ast_node_copy(ast), &rewrite->nest->body);
	if (reader->failure)
		return refuse(rewrite, "%s", reader->failure);
	rename_loops(reader);
	drop_unused(reader, n_var);
	return STATUS_OK;
}
