#include "region_internal.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lift_internal.h"
#include "signature_internal.h"

/* The names found so far, each with its declaration's cursor and offset. */
struct names {
	struct arena *arena;
	const struct lift_input *input;
	int n, max;
	struct name {
		CXCursor decl;
		unsigned offset;
		const char *pointee;
		bool is_pointer;
	} *name;
};

static unsigned offset_of(CXSourceLocation location)
{
	unsigned at = 0;

	clang_getFileLocation(location, NULL, NULL, NULL, &at);
	return at;
}

/* Whether "decl" is a parameter or local of the enclosing function, declared before the region. */
static bool is_local(const struct names *names, CXCursor decl)
{
	const enum CXCursorKind kind = clang_getCursorKind(decl);
	const unsigned at = offset_of(clang_getCursorLocation(decl));
	const unsigned begin = offset_of(clang_getRangeStart(clang_getCursorExtent(names->input->stmt[0])));

	if (kind != CXCursor_ParmDecl && kind != CXCursor_VarDecl)
		return false;
	if (clang_getCursorKind(clang_getCursorSemanticParent(decl)) == CXCursor_TranslationUnit)
		return false;
	return at < begin;
}

static enum CXChildVisitResult find_names(CXCursor cursor, CXCursor parent, CXClientData data);

/* The names in the dimensions of a declaration. */
static void find_sizes(struct names *names, CXCursor decl)
{
	const CXCursor initializer = clang_Cursor_getVarDeclInitializer(decl);
	int n;
	CXCursor *const child = cursor_children(names->arena, decl, &n);

	for (int i = 0; i < n; i++) {
		if (!clang_isExpression(clang_getCursorKind(child[i])) || clang_equalCursors(child[i], initializer))
			continue;
		find_names(child[i], decl, names);
		clang_visitChildren(child[i], find_names, names);
	}
}

static struct name *names_add(struct names *names, CXCursor decl)
{
	struct name *grown;

	for (int i = 0; i < names->n; i++)
		if (clang_equalCursors(names->name[i].decl, decl))
			return &names->name[i];
	find_sizes(names, decl);
	for (int i = 0; i < names->n; i++)
		if (clang_equalCursors(names->name[i].decl, decl))
			return &names->name[i];
	if (names->n == names->max) {
		names->max = 2 * names->max + 16;
		grown = ARENA_ARRAY(names->arena, struct name, names->max);
		if (names->n)
			memcpy(grown, names->name, sizeof(*grown) * (size_t)names->n);
		names->name = grown;
	}
	names->name[names->n] = (struct name){.decl = decl, .offset = offset_of(clang_getCursorLocation(decl))};
	return &names->name[names->n++];
}

/* Set what "decl" points to, or is, if that is a record. */
static void note_record(struct arena *arena, CXCursor decl, const char **pointee, bool *is_pointer)
{
	CXType type = clang_getCursorType(decl);

	if (!type_is_record(type) && !type_points_to_record(type))
		return;
	*is_pointer = type_is_pointer(type);
	if (*is_pointer)
		type = clang_getPointeeType(clang_getCanonicalType(type));
	if (clang_Type_getSizeOf(type) > 0)
		*pointee = parsed_string(arena, clang_getTypeSpelling(clang_getUnqualifiedType(type)));
}

/* A local that the region uses; what it points to if that is a record. */
static void note_name(struct names *names, CXCursor decl)
{
	struct name *const name = names_add(names, decl);

	note_record(names->arena, decl, &name->pointee, &name->is_pointer);
}

static enum CXChildVisitResult find_names(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct names *const names = data;

	(void)parent;
	if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr && is_local(names, clang_getCursorReferenced(cursor)))
		note_name(names, clang_getCursorReferenced(cursor));
	return CXChildVisit_Recurse;
}

/* "type" with "name" put where C wants it. */
static const char *declare(struct arena *arena, const char *type, const char *name)
{
	const char *at = strstr(type, "(*");
	size_t before;

	if (at) {
		before = (size_t)(at - type) + 2;
		return arena_printf(arena, "%.*s%s%s%s", (int)before, type, isalpha((unsigned char)type[before]) ? " " : "", name,
				    type + before);
	}
	at = strchr(type, '[');
	if (at)
		return arena_printf(arena, "%.*s %s%s", (int)(at - type), type, name, at);
	return arena_printf(arena, "%s%s%s", type, type[strlen(type) - 1] == '*' ? "" : " ", name);
}

/* A parameter of array type is a pointer to its rows. */
static const char *declare_parameter(struct arena *arena, CXType type, const char *name)
{
	const CXType element = clang_getArrayElementType(clang_getCanonicalType(type));
	const char *spelling = parsed_string(arena, clang_getTypeSpelling(clang_getArrayElementType(type).kind != CXType_Invalid ?
									  clang_getArrayElementType(type) : element));
	const char *const at = strchr(spelling, '[');

	if (at)
		return arena_printf(arena, "%.*s (*%s)%s", (int)(at - spelling), spelling, name, at);
	return declare(arena, arena_printf(arena, "%s *", spelling), name);
}

/* "name" as an integer constant, good for the size of an array where an enumeration, which is an int, can stand for it. */
static const char *declare_integer(struct arena *arena, CXType type, const char *name, int64_t value)
{
	if (clang_getCanonicalType(type).kind == CXType_Int)
		return arena_printf(arena, "enum { %s = %lld }", name, (long long)value);
	return arena_printf(arena, "%s %s = %lld", parsed_string(arena, clang_getTypeSpelling(type)), name, (long long)value);
}

/* "name" as a constant of floating type: the nest has its value in the place of the name, and no param gives it one. */
static const char *declare_real(struct arena *arena, CXType type, const char *name, double value)
{
	const char *const spelling = parsed_string(arena, clang_getTypeSpelling(type));

	if (isnan(value))
		return arena_printf(arena, "%s %s = __builtin_nan(\"\")", spelling, name);
	if (isinf(value))
		return arena_printf(arena, "%s %s = %s__builtin_inf()", spelling, name, value < 0 ? "-" : "");
	return arena_printf(arena, "%s %s = %a", spelling, name, value);
}

static const char *declaration(struct arena *arena, CXCursor decl)
{
	const CXType type = clang_getCursorType(decl);
	const char *const name = parsed_string(arena, clang_getCursorSpelling(decl));
	CXCursor initializer;
	enum type scalar;
	int64_t value;
	double real;

	if (clang_getCursorKind(decl) == CXCursor_ParmDecl && type_is_array(type))
		return declare_parameter(arena, type, name);
	if (clang_getCursorKind(decl) == CXCursor_VarDecl && clang_isConstQualifiedType(type)) {
		initializer = clang_Cursor_getVarDeclInitializer(decl);
		if (!clang_Cursor_isNull(initializer) && cursor_constant(initializer, &value))
			return declare_integer(arena, type, name, value);
		if (type_of(type, &scalar) && type_is_float(scalar) && cursor_real(initializer, &real))
			return declare_real(arena, type, name, real);
	}
	return declare(arena, parsed_string(arena, clang_getTypeSpelling(clang_getUnqualifiedType(type))),
		       clang_isRestrictQualifiedType(type) ? arena_printf(arena, "__restrict %s", name) : name);
}

static int by_offset(const void *a, const void *b)
{
	const struct name *const left = a, *const right = b;

	return (left->offset > right->offset) - (left->offset < right->offset);
}

/* Whether the type of "decl" has a name at file scope. */
static bool has_global_type(CXCursor decl)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(decl));
	CXCursor record;

	while (type_is_array(type) || type.kind == CXType_Pointer)
		type = clang_getCanonicalType(type.kind == CXType_Pointer ? clang_getPointeeType(type) :
									     clang_getArrayElementType(type));
	record = clang_getTypeDeclaration(type);
	if (clang_getCursorKind(record) == CXCursor_NoDeclFound)
		return true;
	return clang_getCursorKind(clang_getCursorSemanticParent(record)) == CXCursor_TranslationUnit;
}

struct local signature_local(struct arena *arena, CXCursor decl)
{
	struct local local = {
		.name = parsed_string(arena, clang_getCursorSpelling(decl)),
		.declaration = declaration(arena, decl),
	};

	note_record(arena, decl, &local.pointee, &local.is_pointer);
	return local;
}

struct signature *signature_make(struct arena *arena, const struct lift_input *input, const struct lift_result *result,
				 const char **culprit)
{
	struct signature *const signature = ARENA_NEW(arena, struct signature);
	struct names names = {.arena = arena, .input = input};

	for (int i = 0; i < input->n; i++)
		clang_visitChildren(input->stmt[i], find_names, &names);
	if (names.n)
		qsort(names.name, (size_t)names.n, sizeof(*names.name), by_offset);
	signature->function = input->function_name;
	signature->local = ARENA_ARRAY(arena, struct local, names.n + 1);
	for (int i = 0; i < names.n; i++) {
		struct local *const local = &signature->local[signature->n_local++];

		local->name = parsed_string(arena, clang_getCursorSpelling(names.name[i].decl));
		local->declaration = declaration(arena, names.name[i].decl);
		local->pointee = names.name[i].pointee;
		local->is_pointer = names.name[i].is_pointer;
		if (!has_global_type(names.name[i].decl) || strstr(local->declaration, "unnamed")) {
			*culprit = local->name;
			return NULL;
		}
	}
	signature->n_fact = result->n_fact;
	signature->fact = result->fact;
	return signature;
}

static struct var *find_source(const struct nest *nest, const char *source)
{
	for (int i = 0; i < nest->n_var; i++)
		if ((nest->var[i]->source && strcmp(nest->var[i]->source, source) == 0) ||
		    strcmp(nest->var[i]->name, source) == 0)
			return nest->var[i];
	return NULL;
}

/* An integer of 64 bits or the name of a param; NULL otherwise. */
static struct expr *parse_bound(struct arena *arena, const struct nest *nest, const char *text)
{
	struct var *const var = find_source(nest, text);
	char *end;
	long long value;

	errno = 0;
	value = strtoll(text, &end, 10);

	if (var && var->kind == VAR_PARAM && type_is_integer(var->type))
		return expr_scalar(arena, var);
	if (errno || end == text || *end)
		return NULL;
	return expr_int(arena, value, value == (int32_t)value ? TYPE_I32 : TYPE_I64);
}

/* The next piece of "text" up to one of "stops" or its end, without white space; "*text" is moved past it. */
static char *next_piece(struct arena *arena, const char **text, const char *stops)
{
	char *const piece = arena_strndup(arena, *text, strcspn(*text, stops));
	size_t n = 0;

	*text += strlen(piece);
	for (const char *from = piece; *from; from++)
		if (!isspace((unsigned char)*from))
			piece[n++] = *from;
	piece[n] = '\0';
	return piece;
}

static bool find_kind(const char *word, enum fact_kind *kind)
{
	static const struct { const char *word; enum fact_kind kind; } words[] = {
		{"index", FACT_INDEX}, {"range", FACT_RANGE}, {"nonzero", FACT_NONZERO},
		{"positive", FACT_POSITIVE}, {"spd", FACT_SPD}, {"dominant", FACT_DOMINANT},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(word, words[i].word) == 0) {
			*kind = words[i].kind;
			return true;
		}
	}
	return false;
}

/* Add "fact", or let it take the place of one of its kind. */
static void add_fact(struct arena *arena, struct signature *signature, struct fact fact)
{
	struct fact *const grown = ARENA_ARRAY(arena, struct fact, signature->n_fact + 1);

	for (int i = 0; i < signature->n_fact; i++) {
		if (signature->fact[i].kind == fact.kind && signature->fact[i].var == fact.var) {
			signature->fact[i] = fact;
			return;
		}
	}
	if (signature->n_fact)
		memcpy(grown, signature->fact, sizeof(fact) * (size_t)signature->n_fact);
	grown[signature->n_fact++] = fact;
	signature->fact = grown;
}

void signature_add_inputs(struct arena *arena, struct signature *signature, const struct nest *nest, const char *inputs)
{
	while (*inputs) {
		struct fact fact = {0};
		const char *const word = next_piece(arena, &inputs, "(");
		const char *piece[3] = {0};
		int n = 0;

		while (*inputs && *inputs != ')' && n < 3) {
			inputs++;
			piece[n++] = next_piece(arena, &inputs, ",)");
		}
		while (*inputs == ')' || *inputs == ',' || isspace((unsigned char)*inputs))
			inputs++;
		if (!n || !find_kind(word, &fact.kind) || !(fact.var = find_source(nest, piece[0])))
			continue;
		if (n == 3) {
			fact.lo = parse_bound(arena, nest, piece[1]);
			fact.hi = parse_bound(arena, nest, piece[2]);
		}
		if ((fact.kind == FACT_INDEX || fact.kind == FACT_RANGE) && (!fact.lo || !fact.hi))
			continue;
		add_fact(arena, signature, fact);
	}
}
