#include "lexer.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "spell.h"

void lexer_fail(struct lexer *lexer, const char *format, ...)
{
	va_list args;

	if (!lexer->failed) {
		va_start(args, format);
		diag_set(lexer->diag, EXIT_INPUT, "line %d: %s", lexer->line,
			 arena_vprintf(lexer->arena, format, args));
		va_end(args);
	}
	lexer->failed = true;
	lexer->at = "";
	lexer->token = (struct token){ TOKEN_END, "", 0, "" };
}

static void take(struct lexer *lexer, enum token_kind kind, int size)
{
	lexer->token = (struct token){ kind, arena_strndup(lexer->arena, lexer->at, (size_t)size), 0, "" };
	lexer->at += size;
}

static int digits(const char *text)
{
	int n = 0;

	while (isdigit((unsigned char)text[n]))
		n++;
	return n;
}

/* Length of the C literal, with a point, an exponent or an f, that "text" starts with; 0 if it starts with none. */
static int float_length(const char *text)
{
	bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X'), is_float = is_hex;
	int n = is_hex ? 2 : 0;

	for (;; n++) {
		char lower = (char)tolower((unsigned char)text[n]);
		bool is_exponent = is_hex ? lower == 'p' : lower == 'e';

		if (is_exponent || (lower == '.' && text[n + 1] != '.'))
			is_float = true;
		else if (!(is_hex ? isxdigit((unsigned char)lower) : isdigit((unsigned char)lower)))
			break;
		if (is_exponent && (text[n + 1] == '+' || text[n + 1] == '-'))
			n++;
	}
	if (text[n] == 'f' || text[n] == 'F')
		return n + 1;
	return is_float ? n : 0;
}

static void take_int(struct lexer *lexer)
{
	const char *text = lexer->at;
	int n = digits(text), size = n;
	uint64_t value = 0;

	for (int i = 0; i < n; i++)
		if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value)) {
			lexer_fail(lexer, "an integer is too large");
			return;
		}
	if (text[n] == 'i' || text[n] == 'u')
		size += 1 + digits(text + n + 1);
	take(lexer, TOKEN_INT, size);
	lexer->token.magnitude = value;
	lexer->token.suffix = lexer->token.text + n;
}

/* A quoted string: \" \\ and \n stand for the character meant. */
static void take_string(struct lexer *lexer)
{
	const char *from = lexer->at + 1;
	char *to, *text;
	size_t length = 0;

	while (from[length] && from[length] != '"' && from[length] != '\n')
		length += from[length] == '\\' && from[length + 1] && from[length + 1] != '\n' ? 2 : 1;
	text = to = arena_alloc(lexer->arena, length + 1);

	for (; *from && *from != '"' && *from != '\n'; from++) {
		if (*from == '\\' && from[1] && from[1] != '\n')
			*to++ = *++from == 'n' ? '\n' : *from;
		else
			*to++ = *from;
	}
	if (*from != '"') {
		lexer_fail(lexer, "a string does not end");
		return;
	}
	lexer->token = (struct token){ TOKEN_STRING, text, 0, "" };
	lexer->at = from + 1;
}

static int sign_length(const char *text)
{
	static const char *const signs[] = { "<<=", ">>=", "..", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
					     "+=", "-=", "*=", "/=", "&=", "|=", "^=" };

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (strncmp(text, signs[i], strlen(signs[i])) == 0)
			return (int)strlen(signs[i]);
	return 1;
}

void lexer_next(struct lexer *lexer)
{
	bool is_new_line = lexer->token.kind == TOKEN_NEWLINE, is_number;
	int blanks = (int)strspn(lexer->at, " \t\r");
	const char *text;

	lexer->line += is_new_line;
	if (is_new_line)
		lexer->indent = blanks;
	lexer->at += blanks;
	text = lexer->at;
	is_number = isdigit((unsigned char)text[0]) || (text[0] == '.' && isdigit((unsigned char)text[1]));
	if (!*text)
		lexer->token = (struct token){ TOKEN_END, "", 0, "" };
	else if (*text == '\n')
		take(lexer, TOKEN_NEWLINE, 1);
	else if (name_length(text))
		take(lexer, TOKEN_NAME, name_length(text));
	else if (is_number && float_length(text))
		take(lexer, TOKEN_FLOAT, float_length(text));
	else if (is_number)
		take_int(lexer);
	else if (*text == '"')
		take_string(lexer);
	else
		take(lexer, TOKEN_SIGN, sign_length(text));
}

void lexer_init(struct lexer *lexer, struct arena *arena, const char *text, struct diag *diag)
{
	*lexer = (struct lexer){ .arena = arena, .diag = diag, .at = text, .line = 1 };
	lexer_next(lexer);
}

bool lexer_is(const struct lexer *lexer, const char *text)
{
	return (lexer->token.kind == TOKEN_NAME || lexer->token.kind == TOKEN_SIGN) &&
	       strcmp(lexer->token.text, text) == 0;
}

bool lexer_accept(struct lexer *lexer, const char *text)
{
	if (!lexer_is(lexer, text))
		return false;
	lexer_next(lexer);
	return true;
}

/* Fail over the token at hand. */
static void expected(struct lexer *lexer, const char *what)
{
	if (lexer->token.kind == TOKEN_NEWLINE || lexer->token.kind == TOKEN_END)
		lexer_fail(lexer, "%s expected at the end of the line", what);
	else
		lexer_fail(lexer, "%s expected before '%.40s'", what, lexer->token.text);
}

void lexer_expect(struct lexer *lexer, const char *text)
{
	if (!lexer_accept(lexer, text))
		expected(lexer, arena_printf(lexer->arena, "'%s'", text));
}

const char *lexer_name(struct lexer *lexer)
{
	const char *name = lexer->token.text;

	if (lexer->token.kind != TOKEN_NAME) {
		expected(lexer, "a name");
		return "";
	}
	lexer_next(lexer);
	return name;
}

const char *lexer_string(struct lexer *lexer)
{
	const char *string = lexer->token.text;

	if (lexer->token.kind != TOKEN_STRING) {
		expected(lexer, "a quoted string");
		return "";
	}
	lexer_next(lexer);
	return string;
}

int64_t lexer_int(struct lexer *lexer, int64_t max)
{
	uint64_t value = lexer->token.magnitude;

	if (lexer->token.kind != TOKEN_INT || value > (uint64_t)max || *lexer->token.suffix) {
		expected(lexer, "a smaller integer");
		return 0;
	}
	lexer_next(lexer);
	return (int64_t)value;
}

void lexer_end_line(struct lexer *lexer)
{
	if (lexer->token.kind == TOKEN_NEWLINE)
		lexer_next(lexer);
	else if (lexer->token.kind != TOKEN_END)
		expected(lexer, "the end of the line");
}

void lexer_skip_line(struct lexer *lexer)
{
	while (lexer->token.kind != TOKEN_NEWLINE && lexer->token.kind != TOKEN_END)
		lexer_next(lexer);
	lexer_end_line(lexer);
}
