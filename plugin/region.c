#include "region.h"

#include <stdlib.h>
#include <string.h>

#include "ir/localize.h"
#include "ir/unwrap.h"
#include "support/file.h"
#include "support/hash.h"
#include "support/memory.h"

#include "lift_internal.h"
#include "region_internal.h"

static const char *const names[REFUSAL_COUNT] = {
#define REFUSAL(name, spelling, sentence) [REFUSAL_##name] = spelling,
#include "refusals.def"
#undef REFUSAL
};

static const char *const sentences[REFUSAL_COUNT] = {
#define REFUSAL(name, spelling, sentence) [REFUSAL_##name] = sentence,
#include "refusals.def"
#undef REFUSAL
};

const char *refusal_name(enum refusal refusal)
{
	return refusal == REFUSAL_NONE ? "none" : names[refusal];
}

const char *refusal_sentence(enum refusal refusal)
{
	return refusal == REFUSAL_NONE ? "it was lifted" : sentences[refusal];
}

static void *grow(struct scanner *scanner, void *old, int n, int *max, size_t size)
{
	void *grown;

	if (n < *max)
		return old;
	*max = 2 * *max + 16;
	grown = arena_alloc(scanner->arena, (size_t)*max * size);
	if (n)
		memcpy(grown, old, (size_t)n * size);
	return grown;
}

static struct region *region_add(struct scanner *scanner)
{
	struct unit *const unit = scanner->unit;

	unit->region = grow(scanner, unit->region, unit->n_region, &scanner->max_region, sizeof(struct region));
	return &unit->region[unit->n_region++];
}

/* The file's path as people know it: relative to the working directory, if below it. */
static const char *short_path(const struct scanner *scanner)
{
	return path_relative(scanner->path, path_absolute(scanner->arena, NULL, "."));
}

static void set_anchor(struct scanner *scanner, struct region *region)
{
	const size_t size = region->end - region->begin;
	const char *const head = arena_printf(scanner->arena, "%s\n%s\n", scanner->short_path, scanner->name);
	const size_t n = strlen(head);
	char *const bytes = ARENA_ARRAY(scanner->arena, char, n + size + 1);

	memcpy(bytes, head, n);
	memcpy(bytes + n, scanner->text + region->begin, size);
	hash_bytes(bytes, n + size, region->anchor);
}

/* What is common to regions and to loops left alone. */
static struct region *region_start(struct scanner *scanner, size_t begin, size_t end)
{
	struct region *const region = region_add(scanner);

	region->file = scanner->path;
	region->function = scanner->name;
	region->begin = begin;
	region->end = end;
	region->function_begin = scanner->function_begin;
	region->line = text_line(scanner, begin);
	region->end_line = text_line(scanner, end);
	region->indent = text_indent(scanner, begin);
	region->id = arena_printf(scanner->arena, "%s:%s:%d", scanner->short_path, scanner->name, scanner->index++);
	set_anchor(scanner, region);
	return region;
}

struct refused {
	enum refusal refusal;
	const char *detail;
	int line;
	int at;
};

static void add_refused(struct scanner *scanner, CXCursor loop, const struct refused *refused)
{
	struct region *region;
	CXFile file = NULL;
	size_t begin = 0, end = 0;
	unsigned line;

	if (!text_range(scanner, loop, loop, &begin, &end)) {
		parsed_place(clang_getRangeStart(clang_getCursorExtent(loop)), &file, &line, &begin);
		end = begin < scanner->size ? begin + 1 : begin;
	}
	region = region_start(scanner, begin, end);
	region->refusal = refused->refusal;
	region->detail = refused->detail;
	region->refusal_line = refused->line ? refused->line : region->line;
	region->is_off = refused->refusal == REFUSAL_OFF;
}

/* The gap before statement "at" of "stmt": from the end of what stands before it. */
static struct hints hints_before(const struct scanner *scanner, const CXCursor *stmt, int at)
{
	const CXCursor around = scanner->n_parent ? scanner->parent[scanner->n_parent - 1] : scanner->function;
	const CXSourceRange range = clang_getCursorExtent(at > 0 ? stmt[at - 1] : around);
	CXFile file = NULL, end_file = NULL;
	size_t from = 0, to = 0;
	unsigned line;

	if (!parsed_place(at > 0 ? clang_getRangeEnd(range) : clang_getRangeStart(range), &file, &line, &from) ||
	    !parsed_place(clang_getRangeStart(clang_getCursorExtent(stmt[at])), &end_file, &line, &to) ||
	    !clang_File_isEqual(file, scanner->file) || !clang_File_isEqual(end_file, scanner->file) || from > to ||
	    to > scanner->size)
		return (struct hints){0};
	return text_hints(scanner, from, to);
}

static struct refused refuse(enum refusal refusal, int at, const char *detail)
{
	return (struct refused){.refusal = refusal, .at = at, .detail = detail};
}

/* Lift statements [0, n) of "stmt" as one region and add it; else say why not and at which of them. */
static bool lift_range(struct scanner *scanner, const CXCursor *stmt, int n, const struct hints *hints, struct refused *refused)
{
	const struct lift_input input = {
		.parsed = scanner->parsed, .function = scanner->function, .function_name = scanner->name,
		.n_parent = scanner->n_parent, .parent = scanner->parent, .n = n, .stmt = stmt,
	};
	struct lift_result result;
	struct signature *signature;
	struct region *region;
	const char *culprit = NULL;
	size_t begin = 0, end = 0;

	for (int i = 0; i < n; i++) {
		enum refusal bad = REFUSAL_MACRO;

		if (!text_in_macro(stmt[i]) && text_range(scanner, stmt[i], stmt[i], &begin, &end))
			bad = text_check(scanner, begin, end);
		if (bad) {
			*refused = refuse(bad, i, refusal_sentence(bad));
			return false;
		}
	}
	text_range(scanner, stmt[0], stmt[n - 1], &begin, &end);
	result = lift_run(scanner->arena, &input);
	if (result.refusal) {
		*refused = (struct refused){result.refusal, result.detail, result.line, result.at};
		return false;
	}
	result.nest = nest_localize(nest_unwrap(result.nest));
	signature = signature_make(scanner->arena, &input, &result, &culprit);
	if (!signature) {
		*refused = refuse(REFUSAL_DECLARATION, 0, arena_printf(scanner->arena, "the type of '%s' has no name outside", culprit));
		return false;
	}
	if (hints->inputs)
		signature_add_inputs(scanner->arena, signature, result.nest, hints->inputs);
	region = region_start(scanner, begin, end);
	region->nest = result.nest;
	region->signature = signature;
	region->mode = hints->mode;
	region->sizes = hints->sizes;
	region->inputs = hints->inputs;
	region->is_openmp = hints->is_openmp;
	nest_key(result.nest, "", region->key);
	return true;
}

static bool is_loop(CXCursor cursor)
{
	const enum CXCursorKind kind = clang_getCursorKind(cursor);

	return kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt;
}

/* A loop that may be lifted. */
static bool is_counted(CXCursor cursor)
{
	return clang_getCursorKind(cursor) == CXCursor_ForStmt || clang_getCursorKind(cursor) == CXCursor_WhileStmt;
}

/* What may stand between the loops of a region. */
static bool is_simple(CXCursor cursor)
{
	const enum CXCursorKind kind = clang_getCursorKind(cursor);

	return is_counted(cursor) || kind == CXCursor_DeclStmt || kind == CXCursor_IfStmt || kind == CXCursor_NullStmt ||
	       kind == CXCursor_BinaryOperator || kind == CXCursor_CompoundAssignOperator || kind == CXCursor_UnaryOperator;
}

/* Whether a variable that "decl_stmt" declares is named by one of the statements [from, n). */
static bool is_used_later(struct scanner *scanner, CXCursor decl_stmt, const CXCursor *stmt, int from, int n)
{
	int n_decl;
	CXCursor *const decl = cursor_children(scanner->arena, decl_stmt, &n_decl);

	for (int i = 0; i < n_decl; i++)
		for (int j = from; j < n; j++)
			if (liveness_mentions(stmt[j], decl[i]))
				return true;
	return false;
}

/* The number of statements from stmt[0] on, a loop, that may form a region: up to the last loop before something that may
 * not, or before a declaration whose variable is used after it. */
static int run_length(struct scanner *scanner, const CXCursor *stmt, int at, int n)
{
	int end = at + 1, limit = n;

	for (int changed = 1; changed;) {
		changed = 0;
		end = at + 1;
		for (int i = at + 1; i < limit && is_simple(stmt[i]); i++) {
			if (hints_before(scanner, stmt, i).has_directive || hints_before(scanner, stmt, i).is_off)
				break;
			if (is_counted(stmt[i]))
				end = i + 1;
		}
		for (int i = at + 1; i < end && !changed; i++) {
			if (clang_getCursorKind(stmt[i]) == CXCursor_DeclStmt && is_used_later(scanner, stmt[i], stmt, end, n)) {
				limit = i;
				changed = 1;
			}
		}
	}
	return end - at;
}

/* A literal, perhaps negated or converted. */
static bool is_literal(struct scanner *scanner, CXCursor cursor)
{
	int n;
	CXCursor *child;

	cursor = cursor_peel(scanner->arena, cursor, true);
	child = cursor_children(scanner->arena, cursor, &n);
	if (clang_getCursorKind(cursor) == CXCursor_UnaryOperator)
		return n == 1 && clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_Minus && is_literal(scanner, child[0]);
	return clang_getCursorKind(cursor) == CXCursor_IntegerLiteral || clang_getCursorKind(cursor) == CXCursor_FloatingLiteral;
}

/* Whether "cursor" only sets a scalar to a literal. */
static bool is_initialisation(struct scanner *scanner, CXCursor cursor)
{
	enum type type;
	CXCursor *child, decl;
	int n;

	child = cursor_children(scanner->arena, cursor, &n);
	if (clang_getCursorKind(cursor) == CXCursor_BinaryOperator)
		return is_assignment(cursor) && cursor_variable(scanner->arena, child[0], &decl) &&
		       type_of(clang_getCursorType(decl), &type) && is_literal(scanner, child[1]);
	if (clang_getCursorKind(cursor) != CXCursor_DeclStmt)
		return false;
	for (int i = 0; i < n; i++) {
		const CXCursor init = clang_Cursor_getVarDeclInitializer(child[i]);

		if (clang_getCursorKind(child[i]) != CXCursor_VarDecl || !type_of(clang_getCursorType(child[i]), &type) ||
		    clang_Cursor_hasVarDeclGlobalStorage(child[i]) == 1 || clang_isConstQualifiedType(clang_getCursorType(child[i])) ||
		    clang_Cursor_isNull(init) || !is_literal(scanner, init))
			return false;
	}
	return n > 0;
}

/* The first of the statements before stmt[at], from "first" on, that set scalars for the loops [at, end) and for nothing
 * after them. */
static int run_start(struct scanner *scanner, const CXCursor *stmt, int first, int at, int end, int n)
{
	int start = at;

	while (start > first && is_initialisation(scanner, stmt[start - 1]) &&
	       !hints_before(scanner, stmt, start).has_directive && !hints_before(scanner, stmt, start).is_off &&
	       (clang_getCursorKind(stmt[start - 1]) != CXCursor_DeclStmt ||
		!is_used_later(scanner, stmt[start - 1], stmt, end, n)))
		start--;
	return start;
}

static void scan_list(struct scanner *scanner, const CXCursor *stmt, int n);

static void scan_statement(struct scanner *scanner, CXCursor cursor)
{
	int n;
	CXCursor *const child = cursor_children(scanner->arena, cursor, &n);
	const enum CXCursorKind kind = clang_getCursorKind(cursor);

	if (scanner->n_parent == SCAN_DEPTH || clang_isExpression(kind) || kind == CXCursor_DeclStmt)
		return;
	scanner->parent[scanner->n_parent++] = cursor;
	if (kind == CXCursor_CompoundStmt) {
		scan_list(scanner, child, n);
	} else {
		for (int i = 0; i < n; i++) {
			if (is_counted(child[i]))
				scan_list(scanner, &child[i], 1);
			else
				scan_statement(scanner, child[i]);
		}
	}
	scanner->n_parent--;
}

static int count_lifted(const struct unit *unit, int from)
{
	int n = 0;

	for (int i = from; i < unit->n_region; i++)
		n += unit->region[i].nest != NULL;
	return n;
}

/* A loop that is no region: look for regions inside, and note it when there is none or no loop around it. */
static void scan_inside(struct scanner *scanner, CXCursor loop, const struct refused *refused)
{
	const int n_region = scanner->unit->n_region, index = scanner->index;
	const bool was_inside = scanner->is_inside;
	struct refused partly = *refused;

	partly.detail = arena_printf(scanner->arena, "only loops inside it were lifted: %s", refused->detail);
	scanner->is_inside = true;
	if (refused->refusal != REFUSAL_OFF)
		scan_statement(scanner, loop);
	scanner->is_inside = was_inside;
	if (count_lifted(scanner->unit, n_region)) {
		if (!scanner->is_inside)
			add_refused(scanner, loop, &partly);
		return;
	}
	scanner->unit->n_region = n_region;
	scanner->index = index;
	add_refused(scanner, loop, refused);
}

/* Lift as much as goes of the run of "length" statements at "stmt"; return how many were dealt with. */
static int scan_run(struct scanner *scanner, const CXCursor *stmt, int length, const struct hints *hints)
{
	struct refused refused;

	while (!lift_range(scanner, stmt, length, hints, &refused)) {
		if (refused.at == 0 || length == 1) {
			scan_inside(scanner, stmt[0], &refused);
			return 1;
		}
		length = refused.at;
		while (length > 1 && !is_counted(stmt[length - 1]))
			length--;
	}
	return length;
}

static void scan_list(struct scanner *scanner, const CXCursor *stmt, int n)
{
	int first = 0;

	for (int i = 0; i < n;) {
		struct refused unused;
		struct hints hints;
		int length, start;

		if (!is_counted(stmt[i])) {
			const struct refused refused = refuse(REFUSAL_WHILE, 0, refusal_sentence(REFUSAL_WHILE));

			if (is_loop(stmt[i]))
				scan_inside(scanner, stmt[i], &refused);
			else
				scan_statement(scanner, stmt[i]);
			i++;
			continue;
		}
		hints = hints_before(scanner, stmt, i);
		if (hints.is_off || scanner->is_off) {
			const struct refused refused = refuse(REFUSAL_OFF, 0, refusal_sentence(REFUSAL_OFF));

			scan_inside(scanner, stmt[i++], &refused);
			continue;
		}
		length = run_length(scanner, stmt, i, n);
		start = run_start(scanner, stmt, first, i, i + length, n);
		if (start < i)
			hints = hints_before(scanner, stmt, start);
		if (start < i && !hints.is_off && lift_range(scanner, &stmt[start], i + length - start, &hints, &unused)) {
			i += length;
		} else {
			hints = hints_before(scanner, stmt, i);
			i += scan_run(scanner, &stmt[i], length, &hints);
		}
		first = i;
	}
}

/* ---- the unit ---- */

static bool is_multiple(const struct scanner *scanner, CXFile file)
{
	int n = 0;

	for (int i = 0; i < scanner->n_multiple; i++)
		n += clang_File_isEqual(scanner->multiple[i], file) != 0;
	return n > 1;
}

static void count_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	struct scanner *const scanner = data;

	(void)stack;
	(void)depth;
	scanner->multiple = grow(scanner, scanner->multiple, scanner->n_multiple, &scanner->max_multiple, sizeof(CXFile));
	scanner->multiple[scanner->n_multiple++] = file;
}

static void enter_file(struct scanner *scanner, CXFile file)
{
	struct unit *const unit = scanner->unit;
	const struct unit_file *known;
	const char *path;

	if (scanner->file && clang_File_isEqual(file, scanner->file))
		return;
	path = parsed_path(scanner->parsed, scanner->arena, file);
	known = unit_find_file(unit, path);
	if (!known) {
		unit->file = grow(scanner, unit->file, unit->n_file, &scanner->max_file, sizeof(struct unit_file));
		unit->file[unit->n_file] = parsed_copy_file(scanner->parsed, scanner->arena, file);
		known = &unit->file[unit->n_file++];
	}
	scanner->file = file;
	scanner->path = known->path;
	scanner->short_path = short_path(scanner);
	scanner->text = known->text;
	scanner->size = known->size;
	text_index_lines(scanner);
	scanner->is_multiple = is_multiple(scanner, file);
}

static void scan_function(struct scanner *scanner, CXCursor function, CXCursor body)
{
	CXFile file = NULL;
	size_t begin;
	unsigned line;
	struct hints hints;
	int first;

	if (!parsed_place(clang_getCursorLocation(function), &file, &line, &begin))
		return;
	enter_file(scanner, file);
	scanner->function = function;
	scanner->name = cursor_name(scanner->arena, function);
	scanner->function_begin = text_function_begin(scanner, function);
	scanner->index = 0;
	scanner->n_parent = 0;
	for (int i = scanner->unit->n_region - 1; i >= 0; i--)
		if (strcmp(scanner->unit->region[i].function, scanner->name) == 0 &&
		    strcmp(scanner->unit->region[i].file, scanner->path) == 0)
			scanner->index++;
	begin = scanner->function_begin;
	while (begin > 0 && scanner->text[begin - 1] != ';' && scanner->text[begin - 1] != '}')
		begin--;
	hints = text_hints(scanner, begin, scanner->function_begin);
	scanner->is_off = hints.is_off;
	first = scanner->unit->n_region;
	scan_statement(scanner, body);
	if (count_lifted(scanner->unit, first)) {
		const char *const sizes = call_sizes(scanner, function);

		for (int i = first; i < scanner->unit->n_region; i++)
			scanner->unit->region[i].call_sizes = sizes;
	}
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct scanner *const scanner = data;
	CXCursor *child;
	int n;

	(void)parent;
	if (clang_getCursorKind(cursor) == CXCursor_LinkageSpec || clang_getCursorKind(cursor) == CXCursor_Namespace)
		return CXChildVisit_Recurse;
	if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl || !clang_isCursorDefinition(cursor))
		return CXChildVisit_Continue;
	if (clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
		return CXChildVisit_Continue;
	if (strcmp(cursor_name(scanner->arena, cursor), "main") == 0)
		scanner->unit->has_main = true;
	child = cursor_children(scanner->arena, cursor, &n);
	if (n && clang_getCursorKind(child[n - 1]) == CXCursor_CompoundStmt)
		scan_function(scanner, cursor, child[n - 1]);
	return CXChildVisit_Continue;
}

/* The main file's regions come first, those of headers after it. */
static void order_regions(struct scanner *scanner)
{
	struct unit *const unit = scanner->unit;
	const char *const main_path = parsed_path(scanner->parsed, scanner->arena, scanner->parsed->file);
	struct region *const sorted = ARENA_ARRAY(scanner->arena, struct region, unit->n_region + 1);
	int n = 0;

	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < unit->n_region; i++)
			if ((strcmp(unit->region[i].file, main_path) != 0) == pass)
				sorted[n++] = unit->region[i];
	unit->region = sorted;
}

struct unit *unit_scan(const struct command *command, struct diag *diag)
{
	struct parsed *const parsed = parsed_open(command, diag);
	struct scanner scanner = {.parsed = parsed};

	if (!parsed)
		return NULL;
	scanner.arena = arena_new();
	scanner.unit = memory_alloc(sizeof(*scanner.unit));
	scanner.unit->arena = scanner.arena;
	scanner.unit->command = command;
	clang_getInclusions(parsed->unit, count_inclusion, &scanner);
	enter_file(&scanner, parsed->file);
	clang_visitChildren(clang_getTranslationUnitCursor(parsed->unit), visit_top, &scanner);
	order_regions(&scanner);
	parsed_close(parsed);
	return scanner.unit;
}

struct unit *unit_free(struct unit *unit)
{
	if (unit) {
		arena_free(unit->arena);
		free(unit);
	}
	return NULL;
}

const struct unit_file *unit_find_file(const struct unit *unit, const char *path)
{
	for (int i = 0; i < unit->n_file; i++)
		if (strcmp(unit->file[i].path, path) == 0)
			return &unit->file[i];
	return NULL;
}
