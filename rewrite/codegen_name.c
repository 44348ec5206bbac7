#include "codegen_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const keywords[] = {
	"auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
	"for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof",
	"static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "asm", "typeof", "bool",
	"true", "false", "class", "new", "delete", "this", "template", "private", "public", "try", "catch", "throw",
};

static bool is_keyword(const char *name)
{
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (strcmp(keywords[i], name) == 0)
			return true;
	return false;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether "name" stands in "text" as a whole word. */
static bool text_mentions(const char *text, const char *name)
{
	size_t size = strlen(name);

	for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
		if ((at == text || !is_word(at[-1])) && !is_word(at[size]))
			return true;
	return false;
}

static bool is_taken(const struct codegen *cg, const char *name)
{
	for (int i = 0; i < cg->n_name; i++)
		if (strcmp(cg->name[i].text, name) == 0)
			return true;
	return is_keyword(name);
}

static const char *add_name(struct codegen *cg, const struct var *var, const char *text)
{
	struct name *grown = ARENA_ARRAY(cg->arena, struct name, cg->n_name + 1);

	if (cg->n_name)
		memcpy(grown, cg->name, sizeof(*grown) * (size_t)cg->n_name);
	grown[cg->n_name++] = (struct name){ var, text };
	cg->name = grown;
	return text;
}

/* What the last part of a derived variable's name stands for, as a word: "size" bytes of "name" are before it. */
static const char *part_word(const struct codegen *cg, const char *name, size_t size, const char *part)
{
	const struct var *base = nest_find_var(cg->nest, arena_strndup(cg->arena, name, size));
	const char *word = part[0] == 'r' ? "tile" : base && base->kind == VAR_ARRAY ? "packed" : "part";
	size_t digits = part[0] ? strspn(part + 1, "0123456789") : 0;

	if ((part[0] != 'r' && part[0] != 'p') || part[1 + digits])
		return part;
	return arena_printf(cg->arena, "%s%s", word, part + 1);
}

/* "base" with dots as underscores and words for what was derived from what: C.r is C_tile, s.p.p is s_part. */
static char *flat_name(struct codegen *cg, const char *base)
{
	const char *dot = strchr(base, '.'), *last = "";
	char *name = arena_strndup(cg->arena, base, dot ? (size_t)(dot - base) : strlen(base));

	while (dot) {
		size_t size = strcspn(dot + 1, ".");
		const char *part = arena_strndup(cg->arena, dot + 1, size);
		const char *word = part_word(cg, base, (size_t)(dot - base), part);

		if (*last && !isdigit((unsigned char)*word) && strncmp(word, last, strlen(last)) == 0)
			name = arena_printf(cg->arena, "%s%s", name, word + strlen(last));
		else
			name = arena_printf(cg->arena, "%s_%s", name, word);
		last = word;
		dot = strchr(dot + 1, '.');
	}
	for (char *c = name; *c; c++)
		if (!is_word(*c))
			*c = '_';
	return name;
}

/* Names that we invent stay clear of every word of the region's text, which may be a macro or a function. */
static const char *invent(struct codegen *cg, const char *base)
{
	const char *name = flat_name(cg, base);

	for (int i = 0; is_taken(cg, name) || text_mentions(cg->site->original, name); i++)
		name = arena_printf(cg->arena, "%s_%d", flat_name(cg, base), i);
	return name;
}

const char *codegen_fresh_name(struct codegen *cg, const char *base)
{
	return add_name(cg, NULL, invent(cg, base));
}

const char *codegen_name(struct codegen *cg, const struct var *var)
{
	bool is_from_source = !strchr(var->name, '.') && nest_find_var(cg->nest, var->name) == var;

	for (int i = 0; i < cg->n_name; i++)
		if (cg->name[i].var == var)
			return cg->name[i].text;
	if (is_from_source && !is_taken(cg, var->name))
		return add_name(cg, var, var->name);
	return add_name(cg, var, invent(cg, var->name));
}

const char *codegen_vector_type(struct codegen *cg, enum type type, int lanes)
{
	cg->used[type] |= (unsigned)lanes;
	return arena_printf(cg->arena, "%sx%d", type_name(type), lanes);
}

void codegen_vector_types(struct codegen *cg, struct text *text)
{
	for (int type = 0; type < TYPE_COUNT; type++)
		for (int lanes = 2; lanes <= 64; lanes *= 2)
			if (cg->used[type] & (unsigned)lanes)
				text_printf(text, "typedef %s %sx%d __attribute__((vector_size(%d), aligned(%d), may_alias));\n",
					    type_c_name(type), type_name(type), lanes, lanes * type_size(type),
					    type_size(type));
}

const char *var_c_type(const struct var *var)
{
	return var->ctype ? var->ctype : type_c_name(var->type);
}
