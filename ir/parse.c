#include "nest.h"

#include <string.h>

#include "lexer.h"
#include "parse_expr.h"
#include "spell.h"

/* Bounds on what is parsed: the nesting of loops and conditions, subscripts, numbers in marks, and how many nodes, variables,
 * assumptions or "where" lines there may be. */
enum { MAX_NESTING = 64, MAX_RANK = 16, MAX_MARK = 1 << 20, MAX_COUNT = 4000 };

/* A place to come back to: extents and "where" lines may name what is declared further on. */
struct mark {
	struct lexer at;
	struct var *var;
};

struct marks {
	int n;
	struct mark *mark;
};

struct parser {
	struct lexer lexer;
	struct nest *nest;
	struct marks extents, wheres;
	int depth;
	struct expr *iter[MAX_NESTING]; /* of the loops around what is parsed */
	int n_iter;
	int n_node;
};

/* There is room for the next power of two. */
static void mark_add(struct marks *marks, const struct lexer *at, struct var *var)
{
	if ((marks->n & (marks->n - 1)) == 0) {
		struct mark *grown = ARENA_ARRAY(at->arena, struct mark, marks->n ? 2 * marks->n : 1);

		if (marks->n)
			memcpy(grown, marks->mark, sizeof(*grown) * (size_t)marks->n);
		marks->mark = grown;
	}
	marks->mark[marks->n++] = (struct mark){ *at, var };
}

/* Call "parse" at each mark, and come back. */
static void visit_marks(struct parser *parser, const struct marks *marks,
			void (*parse)(struct parser *parser, struct var *var))
{
	struct lexer after = parser->lexer;

	for (int i = 0; i < marks->n && !parser->lexer.failed; i++) {
		parser->lexer = marks->mark[i].at;
		parse(parser, marks->mark[i].var);
	}
	if (!parser->lexer.failed)
		parser->lexer = after;
}

static enum type parse_type(struct lexer *lexer)
{
	const char *name = lexer_name(lexer);
	enum type type = TYPE_I32;

	if (!type_find(name, &type))
		lexer_fail(lexer, "'%.40s' is no type", name);
	return type;
}

/* A new variable, of a name not yet taken; it is used as most of its kind are. */
static struct var *declare(struct parser *parser, enum var_kind kind, enum type type, const char *name, int rank)
{
	struct var *var;

	if (nest_find_var(parser->nest, name))
		lexer_fail(&parser->lexer, "'%.40s' is declared twice", name);
	if (parser->nest->n_var == MAX_COUNT)
		lexer_fail(&parser->lexer, "more than %d variables", MAX_COUNT);
	var = nest_add_var(parser->nest, kind, type, name, rank, NULL);
	var->is_read = true;
	var->is_written = kind == VAR_ARRAY || kind == VAR_LOCAL;
	if (kind == VAR_PARAM || kind == VAR_ARRAY)
		var->source = var->name;
	return var;
}

static void parse_extents(struct parser *parser, struct var *var)
{
	for (int d = 0; d < var->rank; d++) {
		if (d)
			lexer_expect(&parser->lexer, ",");
		if (!lexer_accept(&parser->lexer, "?"))
			var->extent[d] = expr_parse(&parser->lexer, parser->nest, TYPE_I32);
	}
	lexer_expect(&parser->lexer, "]");
}

/* Behind '[': pass the extents; return how many there are. */
static int skip_extents(struct lexer *lexer)
{
	int rank = 1, depth = 0;

	for (; !lexer->failed; lexer_next(lexer)) {
		if (lexer->token.kind == TOKEN_NEWLINE || lexer->token.kind == TOKEN_END)
			lexer_fail(lexer, "']' expected at the end of the line");
		else if (lexer_is(lexer, "(") || lexer_is(lexer, "["))
			depth++;
		else if (depth && (lexer_is(lexer, ")") || lexer_is(lexer, "]")))
			depth--;
		else if (lexer_is(lexer, "]"))
			break;
		else if (!depth && lexer_is(lexer, ","))
			rank++;
	}
	lexer_expect(lexer, "]");
	if (rank > MAX_RANK)
		lexer_fail(lexer, "an array of more than %d dimensions", MAX_RANK);
	return lexer->failed ? 1 : rank;
}

/* [extents] of "name", or nothing: a scalar. The extents themselves are parsed when all names are known. */
static struct var *parse_dimensions(struct parser *parser, enum var_kind kind, enum type type, const char *name)
{
	struct lexer here;
	struct var *var;

	if (!lexer_accept(&parser->lexer, "["))
		return declare(parser, kind, type, name, 0);
	here = parser->lexer;
	var = declare(parser, kind, type, name, skip_extents(&parser->lexer));
	mark_add(&parser->extents, &here, var);
	return var;
}

static void parse_array(struct parser *parser)
{
	struct lexer *lexer = &parser->lexer;
	enum type type = parse_type(lexer);
	struct var *var = parse_dimensions(parser, VAR_ARRAY, type, lexer_name(lexer));

	if (var->rank == 0)
		lexer_fail(lexer, "'%.40s' stands among the arrays but has no extents", var->name);
	else if (lexer_accept(lexer, "in"))
		var->is_written = false;
	else if (lexer_accept(lexer, "out"))
		var->is_read = false;
	else if (lexer_accept(lexer, "unused"))
		var->is_read = var->is_written = false;
}

/* A param, or with its usage behind it a scalar that the region writes. */
static void parse_scalar(struct parser *parser, enum type type)
{
	struct lexer *lexer = &parser->lexer;
	struct var *var = declare(parser, VAR_PARAM, type, lexer_name(lexer), 0);
	bool is_in = lexer_is(lexer, "in") || lexer_is(lexer, "inout");
	bool is_out = lexer_is(lexer, "out") || lexer_is(lexer, "inout");

	if (!is_in && !is_out && !lexer_is(lexer, "temp"))
		return;
	lexer_next(lexer);
	var->kind = VAR_SCALAR;
	var->is_read = is_in;
	var->is_live_out = is_out;
	var->is_written = true;
}

static void parse_head(struct parser *parser)
{
	struct lexer *lexer = &parser->lexer;

	lexer_expect(lexer, "region");
	parser->nest->name = lexer->token.kind == TOKEN_STRING ? lexer_string(lexer) : lexer_name(lexer);
	lexer_expect(lexer, "(");
	if (!lexer_is(lexer, ";") && !lexer_is(lexer, ")"))
		do
			parse_array(parser);
		while (lexer_accept(lexer, ","));
	while (lexer_accept(lexer, ";")) {
		enum type type = parse_type(lexer);

		do
			parse_scalar(parser, type);
		while (lexer_accept(lexer, ","));
	}
	lexer_expect(lexer, ")");
	lexer_end_line(lexer);
}

static void parse_local(struct parser *parser)
{
	enum type type = parse_type(&parser->lexer);

	parse_dimensions(parser, VAR_LOCAL, type, lexer_name(&parser->lexer));
	lexer_end_line(&parser->lexer);
}

/* Behind "where". */
static void parse_where(struct parser *parser, struct var *unused)
{
	struct lexer *lexer = &parser->lexer;
	const char *name = lexer_name(lexer), *source;
	struct var *var = nest_find_var(parser->nest, name);

	(void)unused;
	if (!var) {
		lexer_fail(lexer, "there is no '%.40s'", name);
		return;
	}
	lexer_expect(lexer, ":");
	do {
		if (lexer_accept(lexer, "source")) {
			source = lexer_string(lexer);
			var->source = *source ? source : NULL;
		} else if (lexer_accept(lexer, "ctype")) {
			var->ctype = lexer_string(lexer);
		} else if (lexer_accept(lexer, "native")) {
			var->is_native = true;
		} else if (lexer_accept(lexer, "rows")) {
			var->is_native = var->is_rows = true;
		} else if (lexer_accept(lexer, "object")) {
			var->is_object = true;
		} else {
			lexer_expect(lexer, "const");
			var->is_const = true;
		}
	} while (lexer_accept(lexer, ","));
	lexer_end_line(lexer);
}

/* The lines between the head and the body. */
static void parse_preamble(struct parser *parser)
{
	struct lexer *lexer = &parser->lexer;

	for (;;) {
		if (lexer_accept(lexer, "local")) {
			parse_local(parser);
		} else if (lexer_accept(lexer, "where")) {
			mark_add(&parser->wheres, lexer, NULL);
			lexer_skip_line(lexer);
		} else if (lexer_accept(lexer, "assume")) {
			struct expr *condition = expr_parse(lexer, parser->nest, TYPE_I32);

			nest_assume(parser->nest, condition);
			lexer_end_line(lexer);
		} else if (lexer->token.kind == TOKEN_NEWLINE) {
			lexer_next(lexer);
		} else {
			break;
		}
		if (parser->nest->n_assumption == MAX_COUNT || parser->wheres.n == MAX_COUNT)
			lexer_fail(lexer, "more than %d assumptions or where lines", MAX_COUNT);
	}
}

static void parse_marks(struct lexer *lexer, struct loop_marks *marks)
{
	while (lexer->token.kind == TOKEN_NAME) {
		if (lexer_accept(lexer, "parallel")) {
			marks->parallel = true;
			continue;
		}
		if (lexer_accept(lexer, "staged")) {
			marks->staged = true;
			continue;
		}
		if (lexer_accept(lexer, "vector")) {
			lexer_expect(lexer, "(");
			marks->vector = (int)lexer_int(lexer, MAX_MARK);
		} else if (lexer_accept(lexer, "unroll")) {
			lexer_expect(lexer, "(");
			marks->unroll = lexer_accept(lexer, "full") ? UNROLL_FULL : (int)lexer_int(lexer, MAX_MARK);
		} else {
			lexer_expect(lexer, "edge");
			lexer_expect(lexer, "(");
			for (enum edge edge = EDGE_PEEL; edge <= EDGE_BACK; edge++)
				if (lexer_is(lexer, edge_word(edge)))
					marks->edge = edge;
			lexer_next(lexer);
		}
		lexer_expect(lexer, ")");
	}
}

/* The iterator "name", which other loops may have had before. */
static struct var *find_iterator(struct parser *parser, const char *name, enum type type)
{
	struct var *var = nest_find_var(parser->nest, name);

	if (!var)
		return declare(parser, VAR_ITER, type, name, 0);
	if (var->kind != VAR_ITER || var->type != type)
		lexer_fail(&parser->lexer, "'%.40s' is something else already", name);
	return var;
}

static void parse_block(struct parser *parser, struct list *list, int outside);

/* Behind "for". */
static struct node *parse_loop(struct parser *parser, int indent)
{
	struct lexer *lexer = &parser->lexer;
	const char *name = lexer_name(lexer);
	enum type type = lexer_accept(lexer, ":") ? parse_type(lexer) : TYPE_I32;
	struct expr *lo, *hi;
	struct node *node;
	int64_t step = 1;

	lexer_expect(lexer, "in");
	lo = expr_parse(lexer, parser->nest, type);
	lexer_expect(lexer, "..");
	hi = expr_parse(lexer, parser->nest, type);
	if (lexer_accept(lexer, "step"))
		step = lexer_int(lexer, INT64_MAX);
	if (step == 0)
		lexer_fail(lexer, "a step of 0");
	node = node_loop(lexer->arena, find_iterator(parser, name, type), lo, hi, step ? step : 1);
	parse_marks(lexer, &node->marks);
	lexer_end_line(lexer);
	parser->iter[parser->n_iter++] = expr_scalar(lexer->arena, node->iter);
	parse_block(parser, &node->body, indent);
	parser->n_iter--;
	return node;
}

/* Behind "if". */
static struct node *parse_if(struct parser *parser, int indent)
{
	struct lexer *lexer = &parser->lexer;
	struct node *node = node_if(lexer->arena, expr_parse(lexer, parser->nest, TYPE_I32));

	lexer_end_line(lexer);
	parse_block(parser, &node->body, indent);
	if (lexer->indent == indent && lexer_accept(lexer, "else")) {
		lexer_end_line(lexer);
		parse_block(parser, &node->orelse, indent);
	}
	return node;
}

/* Behind '[' of a label: the origin, or "-" for none. */
static void parse_origin(struct parser *parser, struct node *node)
{
	struct lexer *lexer = &parser->lexer, ahead = *lexer;
	struct expr *origin[MAX_NESTING];
	int n = 0;

	node->origin = NULL;
	node->n_origin = 0;
	if (lexer_accept(&ahead, "-") && lexer_accept(&ahead, "]")) {
		*lexer = ahead;
		return;
	}
	if (!lexer_is(lexer, "]"))
		do {
			if (n == MAX_NESTING)
				lexer_fail(lexer, "too many loops of origin");
			else
				origin[n++] = expr_parse(lexer, parser->nest, TYPE_I32);
		} while (lexer_accept(lexer, ","));
	lexer_expect(lexer, "]");
	node->n_origin = n;
	node->origin = ARENA_ARRAY(lexer->arena, struct expr *, n);
	for (int i = 0; i < n; i++)
		node->origin[i] = origin[i];
}

/* S3: or S3[origin]: or, with no number, S[origin]: */
static void parse_label(struct parser *parser, struct node *node)
{
	struct lexer *lexer = &parser->lexer;
	const char *name = lexer_name(lexer);
	int label = 0;

	if (name[0] != 'S' || strspn(name + 1, "0123456789") != strlen(name + 1) || strlen(name) > 7) {
		lexer_fail(lexer, "for, if, let or a label S0, S1, .. expected, not '%.40s'", name);
		return;
	}
	for (const char *digit = name + 1; *digit; digit++)
		label = label * 10 + (*digit - '0');
	node->label = name[1] ? label : -1;
	if (lexer_accept(lexer, "["))
		parse_origin(parser, node);
	lexer_expect(lexer, ":");
}

/* name: type[extents], of a local that may have been declared elsewhere too. */
static struct expr *parse_declaration(struct parser *parser)
{
	struct lexer *lexer = &parser->lexer;
	const char *name = lexer_name(lexer);
	struct var *var = nest_find_var(parser->nest, name);
	enum type type;
	int rank = 0;

	lexer_expect(lexer, ":");
	type = parse_type(lexer);
	if (!var)
		return expr_scalar(lexer->arena, parse_dimensions(parser, VAR_LOCAL, type, name));
	if (lexer_accept(lexer, "["))
		rank = skip_extents(lexer);
	if (var->kind != VAR_LOCAL || var->type != type || var->rank != rank)
		lexer_fail(lexer, "'%.40s' is something else already", name);
	return expr_scalar(lexer->arena, var);
}

static void parse_assignment(struct parser *parser, struct node *node)
{
	struct lexer *lexer = &parser->lexer;
	enum type type = node->target->type;
	enum op op = OP_NONE;

	for (enum op each = OP_ADD; each <= OP_XOR; each++)
		if (op_is_assignment(each) && lexer_is(lexer, arena_printf(lexer->arena, "%s=", op_sign(each))))
			op = each;
	if (op)
		lexer_next(lexer);
	else
		lexer_expect(lexer, "=");
	node->op = op;
	node->value = expr_parse(lexer, parser->nest,
				 type_is_integer(type) && !op_is_shift(op) ? type : TYPE_I32);
}

/* Whether a declaration is at hand, and not a variable that is called "let". */
static bool is_let(const struct lexer *lexer)
{
	struct lexer ahead = *lexer;

	return lexer_accept(&ahead, "let") && ahead.token.kind == TOKEN_NAME;
}

static struct node *parse_stmt(struct parser *parser)
{
	struct lexer *lexer = &parser->lexer;
	struct node *node = node_stmt(lexer->arena, -1, NULL, OP_NONE, NULL);

	node->n_origin = parser->n_iter;
	node->origin = ARENA_ARRAY(lexer->arena, struct expr *, parser->n_iter);
	for (int i = 0; i < parser->n_iter; i++)
		node->origin[i] = parser->iter[i];
	if (!is_let(lexer))
		parse_label(parser, node);
	node->declares = is_let(lexer);
	if (node->declares) {
		lexer_next(lexer);
		node->target = parse_declaration(parser);
	} else {
		node->target = expr_parse(lexer, parser->nest, TYPE_I32);
	}
	if (!node->declares || lexer->token.kind != TOKEN_NEWLINE)
		parse_assignment(parser, node);
	lexer_end_line(lexer);
	if (node->label >= parser->nest->n_label)
		parser->nest->n_label = node->label + 1;
	return node;
}

static struct node *parse_node(struct parser *parser, int indent)
{
	if (++parser->n_node > MAX_COUNT)
		lexer_fail(&parser->lexer, "more than %d loops, conditions and statements", MAX_COUNT);
	if (lexer_accept(&parser->lexer, "for"))
		return parse_loop(parser, indent);
	if (lexer_accept(&parser->lexer, "if"))
		return parse_if(parser, indent);
	return parse_stmt(parser);
}

static void skip_empty_lines(struct lexer *lexer)
{
	while (lexer->token.kind == TOKEN_NEWLINE)
		lexer_next(lexer);
}

/* Add "node" to a list that has room for the next power of two. */
static void grow(struct arena *arena, struct list *list, struct node *node)
{
	if ((list->n & (list->n - 1)) == 0) {
		struct node **grown = ARENA_ARRAY(arena, struct node *, list->n ? 2 * list->n : 1);

		if (list->n)
			memcpy(grown, list->node, sizeof(*grown) * (size_t)list->n);
		list->node = grown;
	}
	list->node[list->n++] = node;
}

/* The nodes whose lines are indented further than "outside", all of them alike. */
static void parse_block(struct parser *parser, struct list *list, int outside)
{
	struct lexer *lexer = &parser->lexer;
	int indent;

	skip_empty_lines(lexer);
	indent = lexer->indent;
	if (++parser->depth >= MAX_NESTING)
		lexer_fail(lexer, "loops and conditions are nested too deep");
	while (lexer->token.kind != TOKEN_END && lexer->indent == indent && indent > outside) {
		grow(lexer->arena, list, parse_node(parser, indent));
		skip_empty_lines(lexer);
	}
	if (lexer->token.kind != TOKEN_END && lexer->indent > outside)
		lexer_fail(lexer, "a line is indented like none before it");
	parser->depth--;
}

struct nest *nest_parse(struct arena *arena, const char *string, struct diag *diag)
{
	struct parser parser = { .nest = nest_new(arena, "") };
	struct diag ignored = { 0 };

	lexer_init(&parser.lexer, arena, string, diag ? diag : &ignored);
	skip_empty_lines(&parser.lexer);
	parse_head(&parser);
	parse_preamble(&parser);
	parse_block(&parser, &parser.nest->body, -1);
	visit_marks(&parser, &parser.extents, parse_extents);
	visit_marks(&parser, &parser.wheres, parse_where);
	if (parser.lexer.failed || !nest_check(parser.nest, diag))
		return NULL;
	return parser.nest;
}
