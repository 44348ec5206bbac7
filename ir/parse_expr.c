#include "parse_expr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "spell.h"

/* Bounds on what is parsed, so that no walk over it recurses too deep: nesting, and operators in one expression. */
enum { MAX_DEPTH = 200, MAX_OPERATORS = 4000, MAX_ARGS = 64 };

struct parser {
	struct lexer *lexer;
	const struct nest *nest;
	int depth, operators;
};

static struct expr *parse(struct parser *parser, int precedence);

static struct arena *arena_of(const struct parser *parser)
{
	return parser->lexer->arena;
}

/* An expression as it stands. */
static struct expr *make(struct parser *parser, enum expr_kind kind, enum type type, int n, struct expr **arg)
{
	struct expr *expr = ARENA_NEW(arena_of(parser), struct expr);

	if (++parser->operators > MAX_OPERATORS)
		lexer_fail(parser->lexer, "an expression is too long");
	expr->kind = kind;
	expr->type = type;
	expr->n = n;
	expr->arg = n ? ARENA_ARRAY(arena_of(parser), struct expr *, n) : NULL;
	if (n)
		memcpy(expr->arg, arg, sizeof(*arg) * (size_t)n);
	return expr;
}

static struct expr *nothing(struct parser *parser)
{
	return expr_int(arena_of(parser), 0, TYPE_I32);
}

/* Literals that name no type take that of their neighbour: until then, their "op" is OP_COUNT. */
static bool is_open(const struct expr *expr)
{
	return expr->kind == EXPR_INT && expr->op == OP_COUNT;
}

static struct expr *settle(struct expr *expr, enum type type)
{
	if (is_open(expr)) {
		expr->type = type_is_integer(type) ? type : TYPE_I32;
		expr->op = OP_NONE;
	}
	return expr;
}

static void settle_pair(struct expr *left, struct expr *right)
{
	enum type type = is_open(left) ? (right->kind == EXPR_INT ? TYPE_I32 : right->type)
				       : (left->kind == EXPR_INT ? TYPE_I32 : left->type);

	settle(left, type);
	settle(right, type);
}

static struct expr *parse_int(struct parser *parser, bool is_negative)
{
	struct lexer *lexer = parser->lexer;
	uint64_t magnitude = lexer->token.magnitude;
	struct expr *expr = nothing(parser);

	if (!*lexer->token.suffix)
		expr->op = OP_COUNT;
	else if (!type_find(lexer->token.suffix, &expr->type))
		lexer_fail(lexer, "'%.40s' is no type", lexer->token.suffix);
	expr->integer = is_negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
	if (magnitude > (uint64_t)INT64_MAX + is_negative && expr->type != TYPE_U64)
		lexer_fail(lexer, "an integer is too large");
	lexer_next(lexer);
	return expr;
}

static struct expr *parse_float(struct parser *parser, bool is_negative)
{
	struct lexer *lexer = parser->lexer;
	const char *spelling = lexer->token.text;
	size_t length = strlen(spelling);
	bool is_single = (spelling[length - 1] == 'f' || spelling[length - 1] == 'F');
	char *end;
	double value = is_single ? (double)strtof(spelling, &end) : strtod(spelling, &end);

	if (*end && !(is_single && !end[1]))
		lexer_fail(lexer, "'%.40s' is no number", spelling);
	if (is_negative)
		spelling = arena_printf(lexer->arena, "-%s", spelling);
	lexer_next(lexer);
	return expr_float(lexer->arena, is_negative ? -value : value, is_single ? TYPE_F32 : TYPE_F64, spelling);
}

/* Infinity or not-a-number, of which "name" is the builtin. */
static struct expr *parse_special(struct parser *parser, const char *name, bool is_negative)
{
	struct lexer *lexer = parser->lexer;
	double value = strstr(name, "nan") ? (double)NAN : (double)INFINITY;
	bool is_single = strcmp(name, "__builtin_inff") == 0 || strcmp(name, "__builtin_nanf") == 0;

	lexer_expect(lexer, "(");
	if (lexer->token.kind == TOKEN_STRING)
		lexer_next(lexer);
	lexer_expect(lexer, ")");
	return expr_float(lexer->arena, is_negative ? -value : value, is_single ? TYPE_F32 : TYPE_F64, NULL);
}

/* Expressions up to "close", into "arg"; each literal that names no type is an i32. Return their number. */
static int parse_args(struct parser *parser, const char *close, struct expr **arg)
{
	int n = 0;

	if (lexer_accept(parser->lexer, close))
		return 0;
	do {
		if (n == MAX_ARGS) {
			lexer_fail(parser->lexer, "too many arguments");
			return 0;
		}
		arg[n++] = settle(parse(parser, 0), TYPE_I32);
	} while (lexer_accept(parser->lexer, ","));
	lexer_expect(parser->lexer, close);
	return n;
}

static struct expr *make_op(struct parser *parser, enum op op, struct expr *left, struct expr *right)
{
	bool is_truth = op_is_comparison(op) || op_is_logic(op);
	struct expr *expr;

	if (right && !op_is_logic(op) && !op_is_shift(op))
		settle_pair(left, right);
	settle(left, TYPE_I32);
	if (right)
		settle(right, TYPE_I32);
	expr = make(parser, EXPR_OP, is_truth ? TYPE_I32 : left->type, right ? 2 : 1, (struct expr *[]){ left, right });
	expr->op = op;
	return expr;
}

/* min(left, right) and the like: unlike other arguments, these are operands of one type. */
static struct expr *parse_function(struct parser *parser, enum op op)
{
	struct expr *left, *right;

	left = parse(parser, 0);
	lexer_expect(parser->lexer, ",");
	right = parse(parser, 0);
	lexer_expect(parser->lexer, ")");
	return make_op(parser, op, left, right);
}

/* What follows "name(": a cast, an operator that is written as a function, or a call. */
static struct expr *parse_call(struct parser *parser, const char *name, bool is_typed, enum type type)
{
	struct expr *arg[MAX_ARGS], *call;
	bool is_cast = !is_typed && type_find(name, &type);
	int n;

	for (enum op op = OP_MIN; !is_typed && op <= OP_FLOORDIV; op++)
		if (strcmp(name, op_sign(op)) == 0)
			return parse_function(parser, op);
	n = parse_args(parser, ")", arg);
	if (is_cast && n != 1)
		lexer_fail(parser->lexer, "a cast takes one argument");
	if (parser->lexer->failed)
		return nothing(parser);
	call = make(parser, is_cast ? EXPR_CAST : EXPR_CALL, is_cast || is_typed ? type : call_type(name), n, arg);
	if (!is_cast)
		call->name = name;
	return call;
}

static struct expr *parse_ref(struct parser *parser, const char *name)
{
	struct var *var = nest_find_var(parser->nest, name);
	struct expr *subscript[MAX_ARGS], *ref;
	int n = lexer_accept(parser->lexer, "[") ? parse_args(parser, "]", subscript) : 0;

	if (!var)
		lexer_fail(parser->lexer, "there is no '%.40s'", name);
	else if (n != var->rank)
		lexer_fail(parser->lexer, "'%.40s' takes %d subscripts, not %d", name, var->rank, n);
	if (parser->lexer->failed)
		return nothing(parser);
	ref = make(parser, EXPR_REF, var->type, n, subscript);
	ref->var = var;
	return ref;
}

static struct expr *parse_named(struct parser *parser, bool is_negative)
{
	const char *name = lexer_name(parser->lexer);
	enum type type = TYPE_I32;

	if (name_is_special(name))
		return parse_special(parser, name, is_negative);
	if (type_find(name, &type) && lexer_accept(parser->lexer, ":")) {
		name = lexer_name(parser->lexer);
		lexer_expect(parser->lexer, "(");
		return parse_call(parser, name, true, type);
	}
	if (lexer_accept(parser->lexer, "("))
		return parse_call(parser, name, false, type);
	return parse_ref(parser, name);
}

static struct expr *parse_primary(struct parser *parser)
{
	struct lexer *lexer = parser->lexer;
	struct expr *expr;

	if (lexer->token.kind == TOKEN_INT)
		return parse_int(parser, false);
	if (lexer->token.kind == TOKEN_FLOAT)
		return parse_float(parser, false);
	if (lexer->token.kind == TOKEN_NAME)
		return parse_named(parser, false);
	if (!lexer_accept(lexer, "(")) {
		lexer_fail(lexer, "an expression expected before '%.40s'",
			   lexer->token.kind == TOKEN_NEWLINE ? "" : lexer->token.text);
		return nothing(parser);
	}
	expr = parse(parser, 0);
	lexer_expect(lexer, ")");
	return expr;
}

static struct expr *parse_unary(struct parser *parser)
{
	struct lexer *lexer = parser->lexer;
	struct expr *expr;

	if (++parser->depth > MAX_DEPTH)
		lexer_fail(lexer, "an expression is nested too deep");
	if (lexer_accept(lexer, "-")) {
		if (lexer->token.kind == TOKEN_INT)
			expr = parse_int(parser, true);
		else if (lexer->token.kind == TOKEN_FLOAT)
			expr = parse_float(parser, true);
		else if (lexer->token.kind == TOKEN_NAME && name_is_special(lexer->token.text))
			expr = parse_named(parser, true);
		else
			expr = make_op(parser, OP_NEG, parse_unary(parser), NULL);
	} else if (lexer_accept(lexer, "!")) {
		expr = make_op(parser, OP_NOT, parse_unary(parser), NULL);
	} else if (lexer_accept(lexer, "~")) {
		expr = make_op(parser, OP_BITNOT, parse_unary(parser), NULL);
	} else {
		expr = parse_primary(parser);
	}
	parser->depth--;
	return expr;
}

/* The binary operator at hand, OP_NONE if there is none. */
static enum op binary_op(const struct lexer *lexer)
{
	for (enum op op = OP_ADD; op < OP_COUNT; op++)
		if (op_precedence(op) && lexer_is(lexer, op_sign(op)))
			return op;
	return OP_NONE;
}

static struct expr *parse_binary(struct parser *parser, int precedence)
{
	struct expr *left = parse_unary(parser);
	enum op op;

	while ((op = binary_op(parser->lexer)) != OP_NONE && op_precedence(op) >= precedence) {
		lexer_next(parser->lexer);
		left = make_op(parser, op, left, parse_binary(parser, op_precedence(op) + 1));
	}
	return left;
}

static struct expr *parse(struct parser *parser, int precedence)
{
	struct expr *cond, *yes, *no;

	if (++parser->depth > MAX_DEPTH) {
		lexer_fail(parser->lexer, "an expression is nested too deep");
		return nothing(parser);
	}
	cond = parse_binary(parser, precedence);
	if (lexer_accept(parser->lexer, "?")) {
		settle(cond, TYPE_I32);
		yes = parse(parser, PRECEDENCE_SELECT);
		lexer_expect(parser->lexer, ":");
		no = parse(parser, PRECEDENCE_SELECT);
		settle_pair(yes, no);
		cond = make(parser, EXPR_SELECT, yes->type, 3, (struct expr *[]){ cond, yes, no });
	}
	parser->depth--;
	return cond;
}

struct expr *expr_parse(struct lexer *lexer, const struct nest *nest, enum type literal)
{
	struct parser parser = { lexer, nest, 0, 0 };

	return settle(parse(&parser, 0), literal);
}
