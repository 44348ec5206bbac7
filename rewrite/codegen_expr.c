#include "codegen_internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

void int_write(struct text *text, int64_t value, enum type type, int precedence)
{
	const char *suffix = type == TYPE_U32 ? "u" : type == TYPE_I64 ? "ll" : type == TYPE_U64 ? "ull" : "";
	bool is_open = value < 0 && type != TYPE_U64 && precedence > PRECEDENCE_UNARY;

	if (type == TYPE_U64)
		text_printf(text, "%" PRIu64 "ull", (uint64_t)value);
	else if (value == INT64_MIN)
		text_append(text, "(-9223372036854775807ll - 1)");
	else if (value == INT32_MIN && type == TYPE_I32)
		text_append(text, "(-2147483647 - 1)");
	else
		text_printf(text, "%s%" PRId64 "%s%s", is_open ? "(" : "", value, suffix, is_open ? ")" : "");
}

/* Whether "source" needs no parentheses under any operator: a name, or members, calls and subscripts of one. */
static bool is_primary_text(const char *source)
{
	int depth = 0;

	for (const char *c = source; *c; c++) {
		if (*c == '(' || *c == '[')
			depth++;
		else if (*c == ')' || *c == ']')
			depth--;
		else if (*c == '-' && c[1] == '>')
			c++;
		else if (depth == 0 && !isalnum((unsigned char)*c) && *c != '_' && *c != '.')
			return false;
	}
	return true;
}

static void source_write(struct text *text, const char *source, int precedence)
{
	if (precedence == 0 || is_primary_text(source))
		text_append(text, source);
	else
		text_printf(text, "(%s)", source);
}

static void name_write(struct codegen *cg, struct text *text, const struct var *var, int precedence)
{
	if (cg->by_source && var->source)
		source_write(text, var->source, precedence);
	else
		text_append(text, codegen_name(cg, var));
}

static void open(struct text *text, bool needed)
{
	if (needed)
		text_append_char(text, '(');
}

static void close(struct text *text, bool needed)
{
	if (needed)
		text_append_char(text, ')');
}

/* Behind the name of a vector's variable, when one lane is written: which. */
static void lane_write(struct codegen *cg, struct text *text, const struct var *var)
{
	if (cg->gather >= 0 && local_varies(cg, var))
		text_printf(text, "[%d]", cg->gather);
}

/* A scalar; iterators are declared long, so an unsigned or narrow one is converted back to its type. */
static void scalar_write(struct codegen *cg, struct text *text, const struct var *var, int precedence)
{
	bool is_converted = var->kind == VAR_ITER && !(type_is_signed(var->type) && type_size(var->type) >= 4);

	if (is_converted) {
		open(text, precedence > PRECEDENCE_UNARY);
		text_printf(text, "(%s)%s", type_c_name(var->type), codegen_name(cg, var));
		close(text, precedence > PRECEDENCE_UNARY);
	} else {
		name_write(cg, text, var, precedence);
	}
	lane_write(cg, text, var);
}

struct expr *element_offset(struct arena *arena, const struct var *var, struct expr **subscript)
{
	struct expr *offset = expr_cast(arena, TYPE_I64, subscript[0]);

	for (int d = 1; d < var->rank; d++) {
		offset = expr_binary(arena, OP_MUL, offset, expr_cast(arena, TYPE_I64, var->extent[d]));
		offset = expr_binary(arena, OP_ADD, offset, expr_cast(arena, TYPE_I64, subscript[d]));
	}
	return expr_simplify(arena, offset);
}

void element_write(struct codegen *cg, struct text *text, struct var *var, struct expr **subscript)
{
	if (var->rank == 0) {
		text_append_char(text, '*');
		name_write(cg, text, var, PRECEDENCE_PRIMARY);
		return;
	}
	name_write(cg, text, var, PRECEDENCE_PRIMARY);
	if (var->kind == VAR_ARRAY && !var->is_native) {
		text_append_char(text, '[');
		index_write(cg, text, element_offset(cg->arena, var, subscript), 0);
		text_append_char(text, ']');
		return;
	}
	for (int d = 0; d < var->rank; d++) {
		text_append_char(text, '[');
		index_write(cg, text, subscript[d], 0);
		text_append_char(text, ']');
	}
}

static bool is_bitwise(enum op op)
{
	return op == OP_AND || op == OP_OR || op == OP_XOR || op == OP_SHL || op == OP_SHR;
}

/* How tightly "arg" must bind under "op" so that neither C nor a compiler's warning reads it otherwise. */
static int operand_precedence(enum op op, const struct expr *arg, bool is_right)
{
	bool is_binary = arg->kind == EXPR_OP && arg->n == 2;

	if (is_binary && arg->op != op && (is_bitwise(op) || (op == OP_LOR && arg->op == OP_LAND)))
		return PRECEDENCE_PRIMARY;
	if (is_binary && op_is_comparison(op) && op_is_comparison(arg->op))
		return PRECEDENCE_PRIMARY;
	return op_precedence(op) + is_right;
}

const char *codegen_function(struct codegen *cg, enum op op)
{
	cg->uses_function[op] = true;
	return arena_printf(cg->arena, "%s_%s%d", cg->site->function, op_sign(op), cg->site->number);
}

typedef void write_fn(struct codegen *cg, struct text *text, struct expr *expr, int precedence);

/* min, max or floordiv as a call of a small function of the helper's. */
static void function_write(struct codegen *cg, struct text *text, struct expr *expr, write_fn *write)
{
	text_printf(text, "%s(", codegen_function(cg, expr->op));
	write(cg, text, expr->arg[0], 0);
	text_append(text, ", ");
	write(cg, text, expr->arg[1], 0);
	text_append_char(text, ')');
}

static void binary_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence, write_fn *write)
{
	int own = op_precedence(expr->op);

	open(text, precedence > own);
	write(cg, text, expr->arg[0], operand_precedence(expr->op, expr->arg[0], false));
	text_printf(text, " %s ", op_sign(expr->op));
	write(cg, text, expr->arg[1], operand_precedence(expr->op, expr->arg[1], true));
	close(text, precedence > own);
}

static void unary_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence, write_fn *write)
{
	const struct expr *arg = expr->arg[0];
	bool is_minus = arg->kind == EXPR_INT || arg->kind == EXPR_FLOAT || arg->kind == EXPR_OP;

	open(text, precedence > PRECEDENCE_UNARY);
	text_append(text, op_sign(expr->op));
	write(cg, text, expr->arg[0], is_minus ? PRECEDENCE_PRIMARY : PRECEDENCE_UNARY);
	close(text, precedence > PRECEDENCE_UNARY);
}

bool expr_is_plain(const struct expr *expr)
{
	if (!type_is_integer(expr->type))
		return false;
	for (int i = 0; i < expr->n; i++)
		if (!expr_is_plain(expr->arg[i]))
			return false;
	switch (expr->kind) {
	case EXPR_INT:
		return true;
	case EXPR_REF:
		return expr->n == 0 && (expr->var->kind == VAR_PARAM || expr->var->kind == VAR_ITER ||
					(expr->var->kind == VAR_LOCAL && expr->var->rank == 0 && type_is_signed(expr->type)));
	case EXPR_CAST:
		return type_size(expr->type) >= 4;
	case EXPR_OP:
		return op_precedence(expr->op) >= op_precedence(OP_ADD) || op_is_function(expr->op) || expr->op == OP_NEG;
	default:
		return false;
	}
}

/* Whether C computes the plain "expr" in long rather than int as index_write() writes it. */
static bool is_wide(const struct expr *expr)
{
	if (expr->kind == EXPR_REF)
		return expr->var->kind == VAR_ITER || !type_is_signed(expr->var->type) || type_size(expr->var->type) > 4;
	if (expr->kind == EXPR_OP && op_is_function(expr->op))
		return true;
	for (int i = 0; i < expr->n; i++)
		if (is_wide(expr->arg[i]))
			return true;
	return false;
}

static void product_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence)
{
	int own = op_precedence(expr->op);
	bool is_narrow = expr->arg[0]->kind != EXPR_INT && expr->arg[1]->kind != EXPR_INT && !is_wide(expr->arg[0]) &&
			 !is_wide(expr->arg[1]);

	open(text, precedence > own);
	if (is_narrow)
		text_append(text, "(long)");
	index_write(cg, text, expr->arg[0], is_narrow ? PRECEDENCE_PRIMARY : own);
	text_append(text, " * ");
	index_write(cg, text, expr->arg[1], own + 1);
	close(text, precedence > own);
}

static void plain_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence)
{
	switch (expr->kind) {
	case EXPR_INT:
		int_write(text, expr->integer, TYPE_I32, precedence);
		break;
	case EXPR_REF:
		if (expr->var->kind == VAR_PARAM && !type_is_signed(expr->var->type)) {
			open(text, precedence > PRECEDENCE_UNARY);
			text_append(text, "(long)");
			name_write(cg, text, expr->var, PRECEDENCE_PRIMARY);
			close(text, precedence > PRECEDENCE_UNARY);
		} else {
			name_write(cg, text, expr->var, precedence);
			lane_write(cg, text, expr->var);
		}
		break;
	case EXPR_CAST:
		index_write(cg, text, expr->arg[0], precedence);
		break;
	default:
		if (op_is_function(expr->op))
			function_write(cg, text, expr, index_write);
		else if (expr->op == OP_MUL)
			product_write(cg, text, expr, precedence);
		else if (expr->n == 1)
			unary_write(cg, text, expr, precedence, index_write);
		else
			binary_write(cg, text, expr, precedence, index_write);
	}
}

/* Whether a sum can be written part by part as a subscript, though some parts read data. */
static bool is_signed_sum(const struct expr *expr)
{
	return expr->kind == EXPR_OP && type_is_integer(expr->type) && type_is_signed(expr->type) &&
	       (expr->op == OP_ADD || expr->op == OP_SUB);
}

void index_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence)
{
	if (expr_is_plain(expr))
		plain_write(cg, text, expr, precedence);
	else if (is_signed_sum(expr))
		binary_write(cg, text, expr, precedence, index_write);
	else if (expr->kind == EXPR_CAST && expr->type == TYPE_I64 && type_is_integer(expr->arg[0]->type) &&
		 type_size(expr->arg[0]->type) <= 4)
		index_write(cg, text, expr->arg[0], precedence);
	else
		expr_write(cg, text, expr, precedence);
}

static void operation_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence)
{
	bool is_index = op_is_comparison(expr->op) && type_is_signed(expr->arg[0]->type) && expr_is_plain(expr->arg[0]) &&
			expr_is_plain(expr->arg[1]);

	if (expr->n == 1)
		unary_write(cg, text, expr, precedence, expr_write);
	else if (op_is_function(expr->op))
		function_write(cg, text, expr, expr_write);
	else
		binary_write(cg, text, expr, precedence, is_index ? index_write : expr_write);
}

static void call_write(struct codegen *cg, struct text *text, struct expr *expr)
{
	text_printf(text, "%s(", expr->name);
	for (int i = 0; i < expr->n; i++) {
		text_append(text, i ? ", " : "");
		expr_write(cg, text, expr->arg[i], 0);
	}
	text_append_char(text, ')');
}

static void select_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence)
{
	open(text, precedence > PRECEDENCE_SELECT);
	expr_write(cg, text, expr->arg[0], PRECEDENCE_SELECT + 1);
	text_append(text, " ? ");
	expr_write(cg, text, expr->arg[1], PRECEDENCE_SELECT);
	text_append(text, " : ");
	expr_write(cg, text, expr->arg[2], PRECEDENCE_SELECT);
	close(text, precedence > PRECEDENCE_SELECT);
}

void expr_write(struct codegen *cg, struct text *text, struct expr *expr, int precedence)
{
	if (cg->lane && expr_varies(cg, expr)) {
		vector_write(cg, text, expr, precedence);
		return;
	}
	switch (expr->kind) {
	case EXPR_INT:
		int_write(text, expr->integer, expr->type, precedence);
		break;
	case EXPR_FLOAT:
		open(text, expr->name[0] == '-' && precedence > PRECEDENCE_UNARY);
		text_append(text, expr->name);
		close(text, expr->name[0] == '-' && precedence > PRECEDENCE_UNARY);
		break;
	case EXPR_REF:
		if (expr->n == 0 && (expr->var->kind != VAR_ARRAY || expr->var->rank > 0))
			scalar_write(cg, text, expr->var, precedence);
		else
			element_write(cg, text, expr->var, expr->arg);
		break;
	case EXPR_OP:
		operation_write(cg, text, expr, precedence);
		break;
	case EXPR_SELECT:
		select_write(cg, text, expr, precedence);
		break;
	case EXPR_CAST:
		open(text, precedence > PRECEDENCE_UNARY);
		text_printf(text, "(%s)", type_c_name(expr->type));
		expr_write(cg, text, expr->arg[0], PRECEDENCE_UNARY);
		close(text, precedence > PRECEDENCE_UNARY);
		break;
	case EXPR_CALL:
		call_write(cg, text, expr);
		break;
	}
}
