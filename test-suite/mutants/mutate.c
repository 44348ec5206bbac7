/* Subtle faults in C functions: mutate FILE FOLDER writes each mutant of the function bodies in FILE as FOLDER/NUMBER.c, one token,
 * statement or directive changed, and a line "NUMBER LINE what" for each on standard output.
 *
 * Only tokens are looked at: what does not compile is told from what does by the compiler. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS_MAX = 1 << 16 };

/* A token: "text" of "size" bytes at offset "at"; "depth" braces and "nesting" brackets stand around it. */
struct token {
	size_t at, size;
	int line, depth, nesting;
};

static char *source;
static struct token token[TOKENS_MAX];
static int n_token, n_mutant;
static const char *folder;

static bool is(int t, const char *word)
{
	return t >= 0 && t < n_token && strlen(word) == token[t].size && !memcmp(source + token[t].at, word, token[t].size);
}

static bool is_name(int t)
{
	return t >= 0 && t < n_token && (isalpha((unsigned char)source[token[t].at]) || source[token[t].at] == '_');
}

static size_t token_size(const char *at)
{
	static const char *const longer[] = { "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
					      "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=" };
	size_t n = 0;

	if (isalpha((unsigned char)*at) || *at == '_') {
		while (isalnum((unsigned char)at[n]) || at[n] == '_')
			n++;
		return n;
	}
	if (isdigit((unsigned char)*at)) {
		while (isalnum((unsigned char)at[n]) || at[n] == '.' || ((at[n] == '-' || at[n] == '+') && tolower((unsigned char)at[n - 1]) == 'e'))
			n++;
		return n;
	}
	for (size_t i = 0; i < sizeof(longer) / sizeof(*longer); i++)
		if (!strncmp(at, longer[i], strlen(longer[i])))
			return strlen(longer[i]);
	return 1;
}

/* Split the source into tokens; comments, strings and lines of the preprocessor are skipped. */
static void read_tokens(void)
{
	int line = 1, depth = 0, nesting = 0;

	for (size_t at = 0; source[at] && n_token < TOKENS_MAX;) {
		const char *here = source + at;
		size_t size;

		if (*here == '\n')
			line++;
		if (isspace((unsigned char)*here)) {
			at++;
		} else if (*here == '#' || !strncmp(here, "//", 2)) {
			at += strcspn(here, "\n");
		} else if (!strncmp(here, "/*", 2)) {
			const char *end = strstr(here, "*/");

			for (; here != end; here++, at++)
				line += *here == '\n';
			at += 2;
		} else if (*here == '"' || *here == '\'') {
			for (at++; source[at] && source[at] != *here; at++)
				at += source[at] == '\\';
			at++;
		} else {
			size = token_size(here);
			depth -= *here == '}';
			nesting -= *here == ']' || *here == ')';
			token[n_token++] = (struct token){ at, size, line, depth, nesting };
			depth += *here == '{';
			nesting += *here == '[' || *here == '(';
			at += size;
		}
	}
}

/* Write the source with bytes [from, to) replaced by "by". */
static void write_mutant(size_t from, size_t to, const char *by, int line)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%d.c", folder, n_mutant);
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		exit(2);
	}
	fwrite(source, 1, from, file);
	fputs(by, file);
	fputs(source + to, file);
	fclose(file);
	printf("%d %d ", n_mutant++, line);
	for (size_t at = from; at < to; at++)
		if (!isspace((unsigned char)source[at]) || !isspace((unsigned char)source[at - 1]))
			putchar(isspace((unsigned char)source[at]) ? ' ' : source[at]);
	printf(" -> %s\n", *by ? by : "nothing");
}

static void replace(int t, const char *by)
{
	write_mutant(token[t].at, token[t].at + token[t].size, by, token[t].line);
}

/* Operators, and what they are taken for. */
static void mutate_operator(int t)
{
	static const char *const pair[][2] = {
		{ "<", "<=" }, { "<=", "<" }, { ">", ">=" }, { ">=", ">" }, { "==", "!=" }, { "!=", "==" }, { "+=", "-=" }, { "-=", "+=" },
		{ "*=", "+=" }, { "/=", "*=" }, { "<<", ">>" }, { ">>", "<<" }, { "&&", "||" }, { "||", "&&" }, { "&", "|" }, { "|", "&" },
		{ "<", ">" }, { "%", "/" }, { "/", "*" },
	};
	const bool is_binary = t > 0 && (is_name(t - 1) || isdigit((unsigned char)source[token[t - 1].at]) || is(t - 1, ")") || is(t - 1, "]"));

	for (size_t i = 0; i < sizeof(pair) / sizeof(*pair); i++)
		if (is(t, pair[i][0]) && is_binary)
			replace(t, pair[i][1]);
	if (is(t, "+") && is_binary)
		replace(t, "-");
	if (is(t, "-") && is_binary)
		replace(t, "+");
	if (is(t, "*") && is_binary && !is(t - 1, "float") && !is(t - 1, "double") && !is(t - 1, "int") && !is(t - 1, "char"))
		replace(t, "+");
}

static void mutate_number(int t)
{
	char text[64], by[80];
	char *end;
	long value;

	if (!isdigit((unsigned char)source[token[t].at]) || token[t].size >= sizeof(text))
		return;
	snprintf(text, sizeof(text), "%.*s", (int)token[t].size, source + token[t].at);
	value = strtol(text, &end, 10);
	if (*end && *end != 'u' && *end != 'l')
		return;
	snprintf(by, sizeof(by), "%ld%s", value + 1, end);
	replace(t, by);
	if (value > 0) {
		snprintf(by, sizeof(by), "%ld%s", value - 1, end);
		replace(t, by);
	}
}

/* In subscripts: an index for another one, one further on, and a neighbour. */
static void mutate_index(int t)
{
	static const char *const indices[] = { "i", "j", "k", "x", "y", "r", "n", "m", "l", "w" };
	char by[64];

	if (!is_name(t) || token[t].nesting == 0 || token[t].size > 1)
		return;
	for (int b = t; b > 0 && token[b].nesting > 0; b--) {
		if (!is(b, "[") || token[b].nesting != token[t].nesting - 1)
			continue;
		for (size_t i = 0; i < sizeof(indices) / sizeof(*indices); i++)
			if (!is(t, indices[i]))
				replace(t, indices[i]);
		snprintf(by, sizeof(by), "(%.*s + 1)", (int)token[t].size, source + token[t].at);
		replace(t, by);
		return;
	}
}

static void mutate_type(int t)
{
	if (is(t, "double"))
		replace(t, "float");
	if (is(t, "float"))
		replace(t, "_Float16");
	if (is(t, "int") && !is(t + 2, "=") && token[t].nesting == 0)
		replace(t, "signed char");
	if (is(t, "unsigned") && token[t].nesting == 0)
		replace(t, "unsigned short");
	if (is(t, "unsigned"))
		replace(t, "int");
}

/* A statement left out, and a variable that starts from anything. */
static void mutate_statement(int t)
{
	int begin = t;

	if (!is(t, ";") || token[t].nesting > 0)
		return;
	while (begin > 0 && !is(begin - 1, ";") && !is(begin - 1, "{") && !is(begin - 1, "}") &&
	       !(is(begin - 1, ")") && is_name(begin) && !is(begin, "break")) && !is(begin - 1, "else") && !is(begin - 1, "do"))
		begin--;
	if (begin == t || is(begin, "return") || is(begin, "case") || is(begin, "goto"))
		return;
	if (!is(begin, "int") && !is(begin, "float") && !is(begin, "double") && !is(begin, "const") && !is(begin, "unsigned"))
		write_mutant(token[begin].at, token[t].at, "", token[begin].line);
	if ((is(begin, "float") || is(begin, "double") || is(begin, "int")) && is(begin + 2, "=") && is(begin + 4, ";"))
		write_mutant(token[begin + 2].at, token[begin + 4].at, "", token[begin].line);
}

static void mutate_step(int t)
{
	if (is(t, "++") && is(t + 1, ")") && is_name(t - 1))
		replace(t, " += 2");
	if (is(t, "?"))
		write_mutant(token[t].at, token[t].at + 1, "? 0 * ", token[t].line);
}

/* Whether the directive at "at" begins with "word". */
static bool directs(const char *at, const char *word)
{
	return !strncmp(at, word, strlen(word)) && !isalnum((unsigned char)at[strlen(word)]);
}

/* Leave the clause "name(...)" out of the directive of "size" bytes at "at". */
static void mutate_clause(const char *at, size_t size, const char *name, int line)
{
	const char *const clause = memmem(at, size, name, strlen(name));

	if (clause && clause[-1] == ' ')
		write_mutant((size_t)(clause - source), (size_t)(clause - source) + strcspn(clause, ")\n") + 1, "", line);
}

/* What orders threads left out of OpenMP's directives: whole ones, clauses, and the barrier behind a loop or a single thread's part. */
static void mutate_directives(void)
{
	static const char mark[] = "#pragma omp ";
	static const char *const ordering[] = { "critical", "atomic", "ordered", "barrier", "taskwait", "single", "master" };
	static const char *const clause[] = { "reduction(", "private(", "firstprivate(", "copyprivate(", "depend(" };
	int line = 1;

	for (char *at = source; *at; at += strcspn(at, "\n"), at += *at == '\n', line++) {
		const size_t size = strcspn(at, "\n");
		const char *const directive = at + sizeof(mark) - 1;

		if (strncmp(at, mark, sizeof(mark) - 1) != 0 || directs(directive, "simd"))
			continue;
		for (size_t i = 0; i < sizeof(ordering) / sizeof(*ordering); i++)
			if (directs(directive, ordering[i]))
				write_mutant((size_t)(at - source), (size_t)(at - source) + size, "", line);
		for (size_t i = 0; i < sizeof(clause) / sizeof(*clause); i++)
			mutate_clause(at, size, clause[i], line);
		if ((directs(directive, "for") || directs(directive, "single")) && !memmem(at, size, "nowait", 6) && !memmem(at, size, "copyprivate", 11))
			write_mutant((size_t)(at - source) + size, (size_t)(at - source) + size, " nowait", line);
	}
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 1 << 20);

	if (!file || !text || fread(text, 1, (1 << 20) - 1, file) == 0) {
		perror(path);
		exit(2);
	}
	fclose(file);
	return text;
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: mutate FILE FOLDER\n");
		return 2;
	}
	source = read_file(argv[1]);
	folder = argv[2];
	read_tokens();
	for (int t = 0; t < n_token; t++) {
		if (token[t].depth == 0)
			continue;
		mutate_operator(t);
		mutate_number(t);
		mutate_index(t);
		mutate_type(t);
		mutate_statement(t);
		mutate_step(t);
	}
	mutate_directives();
	free(source);
	return 0;
}
