#include "codegen_internal.h"

#include <stdarg.h>
#include <string.h>

static const int64_t heap_bytes = 64 << 10;

/* Where to break "text" so that at most "width" bytes stay before: after an operator or comma outside all subscripts, as far
 * out and as far right as can be, not among the first "from" bytes; 0 for nowhere. */
static size_t break_place(const char *text, size_t from, size_t width)
{
	size_t place = 0;
	int depth = 0, subscripts = 0, least = 0;

	for (size_t i = 0; i < width; i++) {
		depth += (text[i] == '(' || text[i] == '{') - (text[i] == ')' || text[i] == '}');
		subscripts += (text[i] == '[') - (text[i] == ']');
		if (i > from && text[i] == ' ' && strchr(",|+-*/&{=?:<>", text[i - 1]) && subscripts == 0 &&
		    (!place || depth <= least)) {
			place = i;
			least = depth;
		}
	}
	return place;
}

void line(struct codegen *cg, const char *format, ...)
{
	size_t indent = (size_t)cg->depth * (cg->unit[0] == '\t' ? 8 : strlen(cg->unit));
	size_t width = indent + 48 < CODEGEN_WIDTH ? CODEGEN_WIDTH - indent : 48, place = 0;
	const char *text;
	va_list args;

	va_start(args, format);
	text = arena_vprintf(cg->arena, format, args);
	va_end(args);
	text_repeat(&cg->out, cg->unit, cg->depth);
	while (text[0] != '#' && strlen(text) > width) {
		place = break_place(text, width / 2, width);
		for (size_t most = width; !place && most < strlen(text); most++)
			place = break_place(text, 8, most);
		if (!place)
			break;
		text_append_bytes(&cg->out, text, place);
		text_append_char(&cg->out, '\n');
		text_repeat(&cg->out, cg->unit, cg->depth + 2);
		text += place + 1;
	}
	text_append(&cg->out, text);
	text_append_char(&cg->out, '\n');
}

int64_t local_bytes(const struct var *var)
{
	int64_t bytes = var->rank ? type_size(var->type) : 0;

	for (int d = 0; d < var->rank; d++)
		if (!var->extent[d] || var->extent[d]->kind != EXPR_INT ||
		    __builtin_mul_overflow(bytes, var->extent[d]->integer, &bytes))
			return -1;
	return bytes;
}

bool local_is_on_heap(const struct codegen *cg, const struct var *var)
{
	return !vector_local_lanes(cg, var) && local_bytes(var) > heap_bytes;
}

void local_write(struct codegen *cg, struct text *text, const struct var *var)
{
	int lanes = vector_local_lanes(cg, var);

	if (lanes) {
		text_printf(text, "%s %s", codegen_vector_type(cg, var->type, lanes), codegen_name(cg, var));
		return;
	}
	text_printf(text, "%s %s", var_c_type(var), codegen_name(cg, var));
	for (int d = 0; d < var->rank; d++) {
		text_append_char(text, '[');
		index_write(cg, text, var->extent[d], 0);
		text_append_char(text, ']');
	}
}

static bool is_not_reassigned(struct node *node, void *context)
{
	return node->kind != NODE_STMT || node->declares || node->target->var != context;
}

bool local_is_constant(const struct codegen *cg, const struct node *stmt)
{
	return stmt->value && list_walk(&cg->nest->body, is_not_reassigned, stmt->target->var);
}

/* Append the value of a bound; min and max of simple things as a condition. */
static void bound_write(struct codegen *cg, struct text *text, struct expr *bound)
{
	bool is_extreme;

	while (bound->kind == EXPR_CAST && type_is_integer(bound->type) && type_size(bound->type) >= 4)
		bound = bound->arg[0];
	is_extreme = bound->kind == EXPR_OP && (bound->op == OP_MIN || bound->op == OP_MAX);
	if (!is_extreme || !expr_is_simple(bound->arg[0]) || !expr_is_simple(bound->arg[1])) {
		index_write(cg, text, bound, 0);
		return;
	}
	index_write(cg, text, bound->arg[0], op_precedence(OP_LT));
	text_append(text, bound->op == OP_MIN ? " < " : " > ");
	index_write(cg, text, bound->arg[1], op_precedence(OP_LT) + 1);
	text_append(text, " ? ");
	index_write(cg, text, bound->arg[0], PRECEDENCE_SELECT + 1);
	text_append(text, " : ");
	index_write(cg, text, bound->arg[1], PRECEDENCE_SELECT + 1);
}

/* Append a value; signed sums of iterators are computed in long anyway, and need no conversions. */
static void value_write(struct codegen *cg, struct text *text, struct expr *value)
{
	if (type_is_signed(value->type) && expr_is_plain(value))
		bound_write(cg, text, value);
	else
		expr_write(cg, text, value, 0);
}

static void declaration_write(struct codegen *cg, const struct node *stmt)
{
	const struct var *var = stmt->target->var;
	struct text text = { 0 };

	if (local_is_on_heap(cg, var))
		return;
	if (local_is_constant(cg, stmt))
		text_append(&text, "const ");
	local_write(cg, &text, var);
	if (stmt->value) {
		text_append(&text, " = ");
		value_write(cg, &text, stmt->value);
	}
	line(cg, "%s;", text_string(&text));
	text_free(&text);
}

void statement_write(struct codegen *cg, const struct node *stmt)
{
	struct text text = { 0 };

	if (stmt->declares) {
		declaration_write(cg, stmt);
		return;
	}
	expr_write(cg, &text, stmt->target, 0);
	text_printf(&text, " %s= ", op_sign(stmt->op));
	value_write(cg, &text, stmt->value);
	line(cg, "%s;", text_string(&text));
	text_free(&text);
}

/* A bound as it stands in the loop's head: itself, or a constant named after the iterator that is computed before. */
static const char *bound_text(struct codegen *cg, struct expr *bound, const struct var *iter, const char *suffix)
{
	struct text text = { 0 };
	const char *result;

	bound_write(cg, &text, bound);
	result = arena_strdup(cg->arena, text_string(&text));
	text_free(&text);
	if (expr_is_simple(bound))
		return result;
	text_append(&text, codegen_fresh_name(cg, arena_printf(cg->arena, "%s_%s", iter->name, suffix)));
	line(cg, "const long %s = %s;", text_string(&text), result);
	result = arena_strdup(cg->arena, text_string(&text));
	text_free(&text);
	return result;
}

static bool is_no_call(struct expr *expr, void *context)
{
	(void)context;
	return expr->kind != EXPR_CALL;
}

static bool is_easy(struct node *node, void *context)
{
	return node->kind == NODE_STMT && node_every_expr(node, is_no_call, context);
}

static bool is_no_loop(struct node *node, void *context)
{
	(void)context;
	return node->kind != NODE_LOOP;
}

/* Tell the compiler that the iterations of an innermost loop are independent; clang complains of loops that it then cannot
 * vectorize, so it hears of simple ones only. */
static void independence_write(struct codegen *cg, const struct node *loop)
{
	if (cg->target->compiler == COMPILER_GCC && list_walk(&loop->body, is_no_loop, NULL))
		line(cg, "#pragma GCC ivdep");
	else if (cg->target->compiler == COMPILER_CLANG && list_walk(&loop->body, is_easy, NULL))
		line(cg, "#pragma clang loop vectorize(assume_safety)");
}

static void loop_write(struct codegen *cg, const struct node *loop)
{
	const char *lo = bound_text(cg, loop->lo, loop->iter, "begin");
	const char *hi = bound_text(cg, loop->hi, loop->iter, "end");
	const char *iter = codegen_name(cg, loop->iter);
	const char *step = loop->step == 1 ? arena_printf(cg->arena, "%s++", iter)
					   : arena_printf(cg->arena, "%s += %lld", iter, (long long)loop->step);

	if (loop->marks.parallel && cg->target->has_openmp)
		line(cg, "#pragma omp parallel for");
	else if (loop->marks.vector == 1)
		independence_write(cg, loop);
	else if (loop->marks.unroll > 1)
		line(cg, "#pragma GCC unroll %d", loop->marks.unroll);
	line(cg, "for (long %s = %s; %s < %s; %s) {", iter, lo, iter, hi, step);
	cg->depth++;
	list_write(cg, &loop->body);
	cg->depth--;
	line(cg, "}");
}

void codegen_note(struct codegen *cg, const struct node *node, const char *body, const char *orelse)
{
	struct note *grown = ARENA_ARRAY(cg->arena, struct note, cg->n_note + 1);

	if (cg->n_note)
		memcpy(grown, cg->note, sizeof(*grown) * (size_t)cg->n_note);
	grown[cg->n_note++] = (struct note){ node, body, orelse };
	cg->note = grown;
}

static void note_write(struct codegen *cg, const struct node *node, bool is_else)
{
	for (int i = 0; i < cg->n_note; i++) {
		const char *note = is_else ? cg->note[i].orelse : cg->note[i].body;

		if (cg->note[i].node == node && note)
			line(cg, "/* %s */", note);
	}
}

static void if_write(struct codegen *cg, const struct node *node, const char *before)
{
	struct text text = { 0 };

	expr_write(cg, &text, node->cond, 0);
	line(cg, "%sif (%s) {", before, text_string(&text));
	text_free(&text);
	cg->depth++;
	note_write(cg, node, false);
	list_write(cg, &node->body);
	cg->depth--;
	if (node->orelse.n == 1 && node->orelse.node[0]->kind == NODE_IF) {
		if_write(cg, node->orelse.node[0], "} else ");
		return;
	}
	if (node->orelse.n) {
		line(cg, "} else {");
		cg->depth++;
		note_write(cg, node, true);
		list_write(cg, &node->orelse);
		cg->depth--;
	}
	line(cg, "}");
}

static void node_write(struct codegen *cg, const struct node *node)
{
	if (node->kind == NODE_IF) {
		if_write(cg, node, "");
	} else if (node->kind == NODE_STMT) {
		if (cg->lane)
			lane_statement_write(cg, node);
		else
			statement_write(cg, node);
	} else if (node->marks.vector > 1) {
		lane_enter(cg, node);
		list_write(cg, &node->body);
		lane_leave(cg);
	} else {
		loop_write(cg, node);
	}
}

/* What the walk over the statements of a loop that packs an array has seen. */
struct packing {
	const struct var *from, *to;
};

static bool is_packing(struct node *node, void *context)
{
	struct packing *packing = context;
	const struct var *to = node->kind == NODE_STMT ? node->target->var : NULL, *from;
	size_t size;

	if (!to)
		return node->kind == NODE_LOOP;
	if (to->kind != VAR_LOCAL || to->rank == 0 || !node->value || node->value->kind != EXPR_REF || node->op != OP_NONE)
		return false;
	from = node->value->var;
	size = strlen(from->name);
	if (from->kind != VAR_ARRAY || strncmp(to->name, from->name, size) != 0 || strcmp(to->name + size, ".p") != 0 ||
	    (packing->to && packing->to != to))
		return false;
	packing->from = from;
	packing->to = to;
	return true;
}

/* The array that "node", a loop, packs into a local copy and does nothing else; NULL when it is no such node. */
static const struct var *packed_array(const struct node *node)
{
	struct packing packing = { 0 };

	if (node->kind != NODE_LOOP || !list_walk(&node->body, is_packing, &packing))
		return NULL;
	return packing.from;
}

void list_write(struct codegen *cg, const struct list *list)
{
	const struct var *before = NULL;

	for (int i = 0; i < list->n; i++) {
		const struct var *packed = packed_array(list->node[i]);

		if (packed && packed != before && !cg->is_packing)
			line(cg, "/* %s in the order in which it is read */", codegen_name(cg, packed));
		before = packed;
		cg->is_packing |= packed != NULL;
		node_write(cg, list->node[i]);
		cg->is_packing &= packed == NULL;
	}
}
