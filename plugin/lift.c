#include "lift_internal.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

enum { MAX_RESTARTS = 200 };

void lift_refuse(struct lifter *lifter, enum refusal refusal, CXCursor culprit, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	lifter->detail = arena_vprintf(lifter->arena, format, args);
	va_end(args);
	lifter->refusal = refusal;
	lifter->culprit = culprit;
	longjmp(lifter->escape, 1);
}

void lift_restart_keeping(struct lifter *lifter, struct symbol *symbol)
{
	const bool is_full = lifter->n_kept == (int)(sizeof(lifter->kept) / sizeof(lifter->kept[0]));

	if (is_full || lift_is_kept(lifter, symbol->decl))
		lift_refuse(lifter, REFUSAL_LOOP_COUNTER, symbol->where, "the value of '%s' cannot be followed", symbol->path);
	lifter->kept[lifter->n_kept++] = symbol->decl;
	lifter->must_restart = true;
	longjmp(lifter->escape, 1);
}

bool lift_is_kept(const struct lifter *lifter, CXCursor decl)
{
	for (int i = 0; i < lifter->n_kept; i++)
		if (clang_equalCursors(lifter->kept[i], decl))
			return true;
	return false;
}

void *lift_grow(struct lifter *lifter, void *old, int n, int *max, size_t size)
{
	void *grown;

	if (n < *max)
		return old;
	*max = 2 * *max + 16;
	grown = arena_alloc(lifter->arena, (size_t)*max * size);
	if (n)
		memcpy(grown, old, (size_t)n * size);
	return grown;
}

static void note(struct lifter *lifter, CXCursor target, bool is_address)
{
	struct assigned *entry = NULL;
	CXCursor decl;

	if (!cursor_variable(lifter->arena, target, &decl))
		return;
	for (int i = 0; i < lifter->n_assigned && !entry; i++)
		if (clang_equalCursors(lifter->assigned[i].decl, decl))
			entry = &lifter->assigned[i];
	if (!entry) {
		lifter->assigned = lift_grow(lifter, lifter->assigned, lifter->n_assigned, &lifter->max_assigned, sizeof(*entry));
		entry = &lifter->assigned[lifter->n_assigned++];
		*entry = (struct assigned){.decl = decl};
	}
	if (is_address)
		entry->has_address = true;
	else
		entry->n_assign++;
}

static enum CXChildVisitResult scan_assignments(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct lifter *const lifter = data;
	const enum CXCursorKind kind = clang_getCursorKind(cursor);
	bool is_address = false, is_assignment = kind == CXCursor_CompoundAssignOperator;
	CXCursor *child;
	int n;

	(void)parent;
	if (kind == CXCursor_BinaryOperator)
		is_assignment = clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign;
	if (kind == CXCursor_UnaryOperator) {
		const enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(cursor);

		is_address = op == CXUnaryOperator_AddrOf;
		is_assignment = op == CXUnaryOperator_PostInc || op == CXUnaryOperator_PostDec ||
				op == CXUnaryOperator_PreInc || op == CXUnaryOperator_PreDec;
	}
	if (is_address || is_assignment) {
		child = cursor_children(lifter->arena, cursor, &n);
		if (n)
			note(lifter, child[0], is_address);
	}
	return CXChildVisit_Recurse;
}

void scan_assigned(struct lifter *lifter, CXCursor cursor)
{
	scan_assignments(cursor, cursor, lifter);
	clang_visitChildren(cursor, scan_assignments, lifter);
}

static bool node_writes(struct node *node, void *context)
{
	bool *const found = context;

	if (node->kind == NODE_STMT && node->target->var->kind == VAR_ARRAY)
		*found = true;
	if (node->kind == NODE_STMT && node->target->var->kind == VAR_SCALAR && node->target->var->is_live_out)
		*found = true;
	return true;
}

/* Number the statements in text order. */
static bool number(struct node *node, void *context)
{
	int *const next = context;

	if (node->kind == NODE_STMT)
		node->label = (*next)++;
	return true;
}

static void lift_all(struct lifter *lifter)
{
	struct diag diag = {0};
	bool writes = false;
	int n_label = 0;

	stmts_lift(lifter, lifter->input->stmt, lifter->input->n);
	symbols_finish(lifter);
	accesses_finish(lifter);
	range_drop_implied(lifter);
	list_walk(&lifter->nest->body, number, &n_label);
	list_walk(&lifter->nest->body, node_writes, &writes);
	if (!writes)
		lift_refuse(lifter, REFUSAL_NO_WRITE, lifter->input->stmt[0], "nothing that it writes is used afterwards");
	nest_set_origins(lifter->nest);
	if (!nest_check(lifter->nest, &diag))
		lift_refuse(lifter, REFUSAL_INTERNAL, lifter->input->stmt[0], "%s", diag.message);
	facts_infer(lifter);
}

static struct lifter *lifter_new(struct arena *arena, const struct lift_input *input, const struct lifter *before)
{
	struct lifter *const lifter = ARENA_NEW(arena, struct lifter);

	lifter->arena = arena;
	lifter->parsed = input->parsed;
	lifter->input = input;
	lifter->nest = nest_new(arena, input->function_name);
	lifter->out = &lifter->nest->body;
	if (before) {
		lifter->n_kept = before->n_kept;
		memcpy(lifter->kept, before->kept, sizeof(lifter->kept));
		lifter->n_assigned = before->n_assigned;
		lifter->max_assigned = before->max_assigned;
		lifter->assigned = before->assigned;
	} else {
		for (int i = 0; i < input->n; i++)
			scan_assigned(lifter, input->stmt[i]);
	}
	return lifter;
}

/* The index of the region's statement that holds "culprit". */
static int statement_of(const struct lift_input *input, CXCursor culprit)
{
	unsigned at = 0, begin = 0;
	int index = 0;

	clang_getFileLocation(clang_getCursorLocation(culprit), NULL, NULL, NULL, &at);
	for (int i = 0; i < input->n; i++) {
		clang_getFileLocation(clang_getRangeStart(clang_getCursorExtent(input->stmt[i])), NULL, NULL, NULL, &begin);
		if (begin <= at)
			index = i;
	}
	return index;
}

static void lift_protected(struct lifter *lifter)
{
	if (setjmp(lifter->escape) == 0)
		lift_all(lifter);
}

struct lift_result lift_run(struct arena *arena, const struct lift_input *input)
{
	struct lift_result result = {0};
	struct lifter *lifter = NULL;

	for (int i = 0; i < MAX_RESTARTS; i++) {
		lifter = lifter_new(arena, input, lifter);
		lift_protected(lifter);
		if (!lifter->must_restart)
			break;
	}
	result.refusal = lifter->must_restart ? REFUSAL_TOO_LARGE : lifter->refusal;
	if (result.refusal == REFUSAL_NONE) {
		result.nest = lifter->nest;
		result.n_fact = lifter->n_fact;
		result.fact = ARENA_ARRAY(arena, struct fact, lifter->n_fact + 1);
		memcpy(result.fact, lifter->fact, sizeof(struct fact) * (size_t)lifter->n_fact);
		return result;
	}
	result.detail = lifter->detail ? lifter->detail : "it has too many variables";
	result.line = cursor_line(lifter->culprit);
	result.at = statement_of(input, lifter->culprit);
	return result;
}
