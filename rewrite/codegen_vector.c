#include "codegen_internal.h"

#include <math.h>
#include <string.h>

/* ---- what varies ---- */

int vector_local_lanes(const struct codegen *cg, const struct var *var)
{
	for (int i = 0; i < cg->n_vector_local; i++)
		if (cg->vector_local[i].var == var)
			return cg->vector_local[i].lanes;
	return 0;
}

bool local_varies(const struct codegen *cg, const struct var *var)
{
	for (int i = 0; i < cg->n_varying; i++)
		if (cg->varying[i] == var)
			return true;
	return false;
}

bool expr_varies(const struct codegen *cg, struct expr *expr)
{
	if (!cg->lane)
		return false;
	if (expr->kind == EXPR_REF && (expr->var == cg->lane->iter || local_varies(cg, expr->var)))
		return true;
	for (int i = 0; i < expr->n; i++)
		if (expr_varies(cg, expr->arg[i]))
			return true;
	return false;
}

struct finding {
	struct codegen *cg;
	bool is_changed;
};

static bool find_varying(struct node *node, void *context)
{
	struct finding *finding = context;
	struct codegen *cg = finding->cg;
	const struct var *var = node->kind == NODE_STMT ? node->target->var : NULL;
	const struct var **grown;

	if (!var || var->rank > 0 || var->kind == VAR_ARRAY || !node->value || local_varies(cg, var) ||
	    !expr_varies(cg, node->value))
		return true;
	grown = ARENA_ARRAY(cg->arena, const struct var *, cg->n_varying + 1);
	if (cg->n_varying)
		memcpy(grown, cg->varying, sizeof(*grown) * (size_t)cg->n_varying);
	grown[cg->n_varying++] = var;
	cg->varying = grown;
	return finding->is_changed = true;
}

void lane_enter(struct codegen *cg, const struct node *loop)
{
	struct finding finding = { cg, true };

	cg->lane = loop;
	cg->lanes = loop->marks.vector;
	cg->n_varying = 0;
	while (finding.is_changed) {
		finding.is_changed = false;
		list_walk(&loop->body, find_varying, &finding);
	}
}

void lane_leave(struct codegen *cg)
{
	cg->lane = NULL;
	cg->n_varying = 0;
}

enum stride reference_stride(struct codegen *cg, struct expr *ref)
{
	struct linear form;
	bool is_linear = true;
	int64_t factor;

	for (int i = 0; i < ref->n - 1; i++)
		if (expr_varies(cg, ref->arg[i]))
			return STRIDE_OTHER;
	if (ref->n == 0 || !expr_varies(cg, ref->arg[ref->n - 1]))
		return STRIDE_ZERO;
	form = linear_from(cg->arena, ref->arg[ref->n - 1]);
	if (!form.is_valid)
		return STRIDE_OTHER;
	for (int i = 0; i < form.n; i++)
		if (form.term[i].atom->var != cg->lane->iter && expr_varies(cg, form.term[i].atom))
			return STRIDE_OTHER;
	factor = linear_factor(&form, cg->lane->iter, &is_linear);
	return is_linear && factor == 1 ? STRIDE_ONE : STRIDE_OTHER;
}

/* ---- writing ---- */

/* The signed integer type as wide as "type": what comparisons of it give. */
static enum type mask_type(enum type type)
{
	switch (type_size(type)) {
	case 1: return TYPE_I8;
	case 2: return TYPE_I16;
	case 4: return TYPE_I32;
	default: return TYPE_I64;
	}
}

static const char *vector_type(struct codegen *cg, enum type type)
{
	return codegen_vector_type(cg, type, cg->lanes);
}

/* "expr" for lane "lane": its iterator is lo + lane. */
static struct expr *lane_expr(struct codegen *cg, struct expr *expr, int lane)
{
	const struct node *loop = cg->lane;
	struct expr *by = expr_binary(cg->arena, OP_ADD, loop->lo, expr_int(cg->arena, lane, loop->lo->type));

	return expr_replace(cg->arena, expr, loop->iter, expr_cast(cg->arena, loop->iter->type, by));
}

/* The reference "ref" of lane "lane" with its subscripts in normal form. */
static struct expr *lane_ref(struct codegen *cg, struct expr *ref, int lane)
{
	struct expr *copy = ARENA_NEW(cg->arena, struct expr);

	*copy = *ref;
	copy->arg = ARENA_ARRAY(cg->arena, struct expr *, ref->n);
	for (int i = 0; i < ref->n; i++)
		copy->arg[i] = expr_simplify(cg->arena, lane_expr(cg, ref->arg[i], lane));
	return copy;
}

/* Write "expr", already for one lane, as a scalar. */
static void lane_scalar_write(struct codegen *cg, struct text *text, struct expr *expr, int lane)
{
	const struct node *loop = cg->lane;

	cg->lane = NULL;
	cg->gather = lane;
	expr_write(cg, text, expr, 0);
	cg->gather = -1;
	cg->lane = loop;
}

static void gather_write(struct codegen *cg, struct text *text, struct expr *ref, int precedence)
{
	bool is_open = precedence > PRECEDENCE_UNARY;

	text_printf(text, "%s(%s){", is_open ? "(" : "", vector_type(cg, ref->type));
	for (int lane = 0; lane < cg->lanes; lane++) {
		text_append(text, lane ? ", " : " ");
		lane_scalar_write(cg, text, lane_ref(cg, ref, lane), lane);
	}
	text_printf(text, " }%s", is_open ? ")" : "");
}

/* The vector at "ref", whose elements are consecutive. */
static void contiguous_write(struct codegen *cg, struct text *text, struct expr *ref, bool is_target, int precedence)
{
	struct expr *first = lane_ref(cg, ref, 0);
	bool is_open = precedence > PRECEDENCE_UNARY;

	if (vector_local_lanes(cg, ref->var)) {
		text_append(text, codegen_name(cg, ref->var));
		return;
	}
	text_printf(text, "%s*(%s%s *)&", is_open ? "(" : "", is_target ? "" : "const ", vector_type(cg, ref->type));
	element_write(cg, text, first->var, first->arg);
	text_append(text, is_open ? ")" : "");
}

static void iterator_write(struct codegen *cg, struct text *text, int precedence)
{
	enum type type = cg->lane->iter->type;
	bool is_open = precedence > op_precedence(OP_ADD);

	text_printf(text, "%s(%s)(", is_open ? "(" : "", type_c_name(type));
	index_write(cg, text, cg->lane->lo, 0);
	text_printf(text, ") + (%s){", vector_type(cg, type));
	for (int lane = 0; lane < cg->lanes; lane++)
		text_printf(text, "%s%d", lane ? ", " : " ", lane);
	text_printf(text, " }%s", is_open ? ")" : "");
}

static void reference_write(struct codegen *cg, struct text *text, struct expr *ref, int precedence)
{
	if (ref->var == cg->lane->iter)
		iterator_write(cg, text, precedence);
	else if (ref->n == 0)
		text_append(text, codegen_name(cg, ref->var));
	else if (reference_stride(cg, ref) == STRIDE_ONE)
		contiguous_write(cg, text, ref, false, precedence);
	else
		gather_write(cg, text, ref, precedence);
}

/* The scalar "expr" in all lanes: adding or subtracting zero keeps every value and every sign. */
static void broadcast_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence)
{
	bool is_open = precedence > op_precedence(OP_SUB);

	if (expr->kind == EXPR_FLOAT && expr->real == 0.0 && !signbit(expr->real)) {
		text_printf(text, "(%s){ 0 }", vector_type(cg, expr->type));
		return;
	}
	text_append(text, is_open ? "(" : "");
	if (type_is_integer(expr->type))
		text_printf(text, "(%s)", type_c_name(expr->type));
	expr_write(cg, text, expr, type_is_integer(expr->type) ? PRECEDENCE_UNARY : op_precedence(OP_SUB));
	text_printf(text, " - (%s){ 0 }%s", vector_type(cg, expr->type), is_open ? ")" : "");
}

void vector_write_full(struct codegen *cg, struct text *text, struct expr *expr, int precedence)
{
	if (expr_varies(cg, expr))
		vector_write(cg, text, expr, precedence);
	else
		broadcast_write(cg, text, expr, precedence);
}

/* An operand of a vector operator: a vector, or a scalar of the elements' type. */
static void operand_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence)
{
	bool is_converted = !expr_varies(cg, expr) && type_is_integer(expr->type) && expr->kind != EXPR_INT;

	if (is_converted)
		text_printf(text, "(%s)", type_c_name(expr->type));
	expr_write(cg, text, expr, is_converted ? PRECEDENCE_UNARY : precedence);
}

/* Name the vector "expr" by a constant that is written before the statement; its name. */
static const char *hoist(struct codegen *cg, struct expr *expr)
{
	const char *name = codegen_fresh_name(cg, "lanes");
	struct text text = { 0 };

	vector_write_full(cg, &text, expr, 0);
	line(cg, "const %s %s = %s;", vector_type(cg, expr->type), name, text_string(&text));
	text_free(&text);
	return name;
}

static void mask_write(struct codegen *cg, struct text *text, struct expr *cond, enum type type);

/* Append "text", a mask as wide as "from", as one as wide as "to". */
static void mask_convert(struct codegen *cg, struct text *text, const char *mask, enum type from, enum type to)
{
	if (type_size(from) == type_size(to))
		text_append(text, mask);
	else
		text_printf(text, "__builtin_convertvector(%s, %s)", mask, vector_type(cg, mask_type(to)));
}

/* left OP right, or value != 0 when "right" is NULL, as a mask as wide as "type". */
static void comparison_write(struct codegen *cg, struct text *text, enum op op, struct expr *left, struct expr *right,
			     enum type type)
{
	struct text mask = { 0 };

	text_printf(&mask, "(%s)(", vector_type(cg, mask_type(left->type)));
	operand_write(cg, &mask, left, op_precedence(op) + 1);
	text_printf(&mask, " %s ", op_sign(op));
	if (right)
		operand_write(cg, &mask, right, op_precedence(op) + 1);
	else
		text_append_char(&mask, '0');
	text_append_char(&mask, ')');
	mask_convert(cg, text, text_string(&mask), left->type, type);
	text_free(&mask);
}

/* Append the varying condition "cond" as a mask (all ones, or zero) for elements as wide as "type"; binds as a unary. */
static void mask_write(struct codegen *cg, struct text *text, struct expr *cond, enum type type)
{
	if (!expr_varies(cg, cond)) {
		text_printf(text, "((%s){ 0 } - (%s)(", vector_type(cg, mask_type(type)), type_c_name(mask_type(type)));
		expr_write(cg, text, cond, op_precedence(OP_NE));
		text_append(text, " != 0))");
	} else if (cond->kind == EXPR_OP && op_is_comparison(cond->op)) {
		comparison_write(cg, text, cond->op, cond->arg[0], cond->arg[1], type);
	} else if (cond->kind == EXPR_OP && (cond->op == OP_LAND || cond->op == OP_LOR)) {
		text_append_char(text, '(');
		mask_write(cg, text, cond->arg[0], type);
		text_append(text, cond->op == OP_LAND ? " & " : " | ");
		mask_write(cg, text, cond->arg[1], type);
		text_append_char(text, ')');
	} else if (cond->kind == EXPR_OP && cond->op == OP_NOT) {
		text_append_char(text, '~');
		mask_write(cg, text, cond->arg[0], type);
	} else {
		comparison_write(cg, text, OP_NE, cond, NULL, type);
	}
}

/* mask ? yes : no, bit by bit; yes and no are full vectors as text that binds as a unary. */
static void blend_write(struct codegen *cg, struct text *text, enum type type, const char *mask, const char *yes,
			const char *no, int precedence)
{
	const char *bits = vector_type(cg, mask_type(type));
	bool is_integer = mask_type(type) == type;

	if (is_integer)
		text_printf(text, "((%s & %s) | (~%s & %s))", mask, yes, mask, no);
	else
		text_printf(text, "%s(%s)((%s & (%s)%s) | (~%s & (%s)%s))%s", precedence > PRECEDENCE_UNARY ? "(" : "",
			    vector_type(cg, type), mask, bits, yes, mask, bits, no,
			    precedence > PRECEDENCE_UNARY ? ")" : "");
}

static const char *mask_hoist(struct codegen *cg, struct expr *cond, enum type type)
{
	const char *name = codegen_fresh_name(cg, "mask");
	struct text text = { 0 };

	mask_write(cg, &text, cond, type);
	line(cg, "const %s %s = %s;", vector_type(cg, mask_type(type)), name, text_string(&text));
	text_free(&text);
	return name;
}

/* "expr" as a full vector that binds as a unary; a choice within a choice is named first, to stay readable. */
static const char *full_text(struct codegen *cg, struct expr *expr)
{
	struct text text = { 0 };
	const char *result;

	if (expr->kind == EXPR_SELECT && expr_varies(cg, expr))
		return hoist(cg, expr);
	vector_write_full(cg, &text, expr, PRECEDENCE_UNARY);
	result = arena_strdup(cg->arena, text_string(&text));
	text_free(&text);
	return result;
}

static void select_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence)
{
	const char *mask = mask_hoist(cg, expr->arg[0], expr->type);

	blend_write(cg, text, expr->type, mask, full_text(cg, expr->arg[1]), full_text(cg, expr->arg[2]), precedence);
}

/* fmax and fmin as the C library has them on this machine: the other argument when one is not a number, the second when
 * they are equal. */
static void minmax_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence)
{
	const char *x = hoist(cg, expr->arg[0]), *y = hoist(cg, expr->arg[1]);
	const char *mask = codegen_fresh_name(cg, "mask");
	const char *type = vector_type(cg, mask_type(expr->type));

	line(cg, "const %s %s = (%s)(%s %s %s) | (%s)(%s != %s);", type, mask, type, x, expr->name[2] == 'a' ? ">" : "<", y,
	     type, y, y);
	blend_write(cg, text, expr->type, mask, x, y, precedence);
}

static void abs_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence)
{
	bool is_open = precedence > PRECEDENCE_UNARY;

	text_printf(text, "%s(%s)((%s)", is_open ? "(" : "", vector_type(cg, expr->type),
		    vector_type(cg, mask_type(expr->type)));
	vector_write(cg, text, expr->arg[0], PRECEDENCE_UNARY);
	text_printf(text, " & %s)%s", type_size(expr->type) == 4 ? "0x7fffffff" : "0x7fffffffffffffffll", is_open ? ")" : "");
}

static void math_write(struct codegen *cg, struct text *text, struct expr *expr)
{
	text_printf(text, "%s(", math_vector_name(cg, expr));
	vector_write(cg, text, expr->arg[0], 0);
	text_append_char(text, ')');
}

static void cast_write(struct codegen *cg, struct text *text, struct expr *expr)
{
	text_append(text, "__builtin_convertvector(");
	vector_write(cg, text, expr->arg[0], 0);
	text_printf(text, ", %s)", vector_type(cg, expr->type));
}

/* A condition used as a number: 0 or 1 in each lane. */
static void truth_write(struct codegen *cg, struct text *text, struct expr *expr)
{
	text_append_char(text, '(');
	mask_write(cg, text, expr, TYPE_I32);
	text_append(text, " & 1)");
}

static void operation_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence)
{
	int own = expr->n == 1 ? PRECEDENCE_UNARY : op_precedence(expr->op);
	int least = expr->op == OP_MUL || expr->op == OP_DIV || expr->op == OP_ADD || expr->op == OP_SUB ? own
													  : PRECEDENCE_UNARY;

	if (op_is_comparison(expr->op) || op_is_logic(expr->op)) {
		truth_write(cg, text, expr);
		return;
	}
	text_append(text, precedence > own ? "(" : "");
	if (expr->n == 1) {
		text_append(text, op_sign(expr->op));
		operand_write(cg, text, expr->arg[0], PRECEDENCE_PRIMARY);
	} else {
		operand_write(cg, text, expr->arg[0], least);
		text_printf(text, " %s ", op_sign(expr->op));
		operand_write(cg, text, expr->arg[1], least == own ? own + 1 : least);
	}
	text_append(text, precedence > own ? ")" : "");
}

void vector_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence)
{
	switch (expr->kind) {
	case EXPR_REF:
		reference_write(cg, text, expr, precedence);
		break;
	case EXPR_SELECT:
		select_write(cg, text, expr, precedence);
		break;
	case EXPR_CAST:
		cast_write(cg, text, expr);
		break;
	case EXPR_CALL:
		if (is_minmax_call(expr->name))
			minmax_write(cg, text, expr, precedence);
		else if (is_abs_call(expr->name))
			abs_write(cg, text, expr, precedence);
		else
			math_write(cg, text, expr);
		break;
	default:
		operation_write(cg, text, expr, precedence);
	}
}

/* ---- statements ---- */

/* Elements that do not lie side by side are stored lane by lane. */
static void scatter_write(struct codegen *cg, const struct node *stmt)
{
	const char *value = hoist(cg, stmt->value);

	for (int lane = 0; lane < cg->lanes; lane++) {
		struct text text = { 0 };

		lane_scalar_write(cg, &text, lane_ref(cg, stmt->target, lane), lane);
		line(cg, "%s %s= %s[%d];", text_string(&text), op_sign(stmt->op), value, lane);
		text_free(&text);
	}
}

static void assignment_write(struct codegen *cg, const struct node *stmt)
{
	const struct var *var = stmt->target->var;
	struct text text = { 0 };

	if (stmt->declares)
		text_printf(&text, "%s%s ", local_is_constant(cg, stmt) ? "const " : "", vector_type(cg, var->type));
	if (stmt->target->n > 0)
		contiguous_write(cg, &text, stmt->target, true, 0);
	else
		text_append(&text, codegen_name(cg, var));
	if (stmt->value) {
		text_printf(&text, " %s= ", op_sign(stmt->op));
		if (stmt->op == OP_NONE)
			vector_write_full(cg, &text, stmt->value, 0);
		else
			operand_write(cg, &text, stmt->value, 0);
	}
	line(cg, "%s;", text_string(&text));
	text_free(&text);
}

void lane_statement_write(struct codegen *cg, const struct node *stmt)
{
	bool is_element = stmt->target->n > 0 || stmt->target->var->kind == VAR_ARRAY;

	if (is_element ? reference_stride(cg, stmt->target) == STRIDE_ZERO : !local_varies(cg, stmt->target->var))
		statement_write(cg, stmt);
	else if (is_element && reference_stride(cg, stmt->target) == STRIDE_OTHER)
		scatter_write(cg, stmt);
	else
		assignment_write(cg, stmt);
}
