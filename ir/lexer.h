/* Tokens of the printed nest, one at a time, from text that may be anything at all. */
#ifndef STROP_IR_LEXER_H
#define STROP_IR_LEXER_H

#include <stdbool.h>
#include <stdint.h>

#include "support/arena.h"
#include "support/diag.h"

enum token_kind { TOKEN_END, TOKEN_NEWLINE, TOKEN_NAME, TOKEN_INT, TOKEN_FLOAT, TOKEN_STRING, TOKEN_SIGN };

/* "text" is the token's spelling, for a TOKEN_STRING what it stands for. For a TOKEN_INT "magnitude" is its value and
 * "suffix" the type name behind it or "". */
struct token {
	enum token_kind kind;
	const char *text;
	uint64_t magnitude;
	const char *suffix;
};

/* "at" stands behind "token", the token that is looked at; "line" is its line, from 1, and "indent" the number of blanks
 * that this line starts with. Once "failed", only TOKEN_END follows. */
struct lexer {
	struct arena *arena;
	struct diag *diag;
	const char *at;
	int line, indent;
	bool failed;
	struct token token;
};

void lexer_init(struct lexer *lexer, struct arena *arena, const char *text, struct diag *diag);
/* Go to the next token. */
void lexer_next(struct lexer *lexer);
/* Whether the token is the sign or name "text". */
bool lexer_is(const struct lexer *lexer, const char *text);
/* Take the sign or name "text"; false, and nothing taken, if the token is another. */
bool lexer_accept(struct lexer *lexer, const char *text);
/* Take the sign or name "text", or fail. */
void lexer_expect(struct lexer *lexer, const char *text);
/* Take a name, or fail and return "". */
const char *lexer_name(struct lexer *lexer);
/* Take a string, or fail and return "". */
const char *lexer_string(struct lexer *lexer);
/* Take an integer from 0 to "max", or fail and return 0. */
int64_t lexer_int(struct lexer *lexer, int64_t max);
/* Take the end of a line, or fail. */
void lexer_end_line(struct lexer *lexer);
/* Go to the start of the next line. */
void lexer_skip_line(struct lexer *lexer);
/* Fail with a sentence about the line; the first failure stays. */
void lexer_fail(struct lexer *lexer, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
