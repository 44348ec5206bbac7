#include "lift_internal.h"

#include "ir/type.h"

struct node *emit(struct lifter *lifter, struct expr *target, enum op op, struct expr *value, CXCursor where)
{
	struct node *node;

	if (lifter->conditional)
		lift_refuse(lifter, REFUSAL_SIDE_EFFECT, where, "'%s' is evaluated only sometimes", cursor_text(lifter, where));
	node = node_stmt(lifter->arena, lifter->nest->n_label++, target, op, value);
	node->line = cursor_line(where);
	list_add(lifter->arena, lifter->out, node);
	return node;
}

void flush_effects(struct lifter *lifter)
{
	for (int i = 0; i < lifter->after.n; i++)
		list_add(lifter->arena, lifter->out, lifter->after.node[i]);
	lifter->after.n = 0;
}

void refuse_effects(struct lifter *lifter, CXCursor where)
{
	if (lifter->after.n)
		lift_refuse(lifter, REFUSAL_SIDE_EFFECT, where, "'%s' changes a variable", cursor_text(lifter, where));
}

static enum op compound_op(enum CXBinaryOperatorKind kind)
{
	switch (kind) {
	case CXBinaryOperator_MulAssign:
		return OP_MUL;
	case CXBinaryOperator_DivAssign:
		return OP_DIV;
	case CXBinaryOperator_RemAssign:
		return OP_MOD;
	case CXBinaryOperator_AddAssign:
		return OP_ADD;
	case CXBinaryOperator_SubAssign:
		return OP_SUB;
	case CXBinaryOperator_ShlAssign:
		return OP_SHL;
	case CXBinaryOperator_ShrAssign:
		return OP_SHR;
	case CXBinaryOperator_AndAssign:
		return OP_AND;
	case CXBinaryOperator_OrAssign:
		return OP_OR;
	case CXBinaryOperator_XorAssign:
		return OP_XOR;
	default:
		return OP_NONE;
	}
}

/* The operation, and the right-hand side: the second child, or the constant 1 of ++ and --. */
struct assignment {
	CXCursor target, value;
	enum op op;
	bool is_step;
};

static struct assignment assignment_of(struct lifter *lifter, CXCursor cursor)
{
	struct assignment result = {.op = OP_NONE};
	int n;
	CXCursor *const child = cursor_children(lifter->arena, cursor, &n);

	if (n < 1)
		lift_refuse(lifter, REFUSAL_STATEMENT, cursor, "'%s'", cursor_text(lifter, cursor));
	result.target = child[0];
	result.value = child[n - 1];
	if (clang_getCursorKind(cursor) == CXCursor_UnaryOperator) {
		const enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);

		result.is_step = true;
		result.op = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PreInc ? OP_ADD : OP_SUB;
	} else {
		result.op = compound_op(clang_getCursorBinaryOperatorKind(cursor));
	}
	return result;
}

static struct value right_side(struct lifter *lifter, const struct assignment *assignment)
{
	if (assignment->is_step)
		return value_scalar(lifter, expr_int(lifter->arena, 1, TYPE_I32), NULL);
	return expr_lift(lifter, assignment->value);
}

/* p += n, p++, p = q */
static void assign_pointer(struct lifter *lifter, struct symbol *symbol, const struct assignment *assignment, CXCursor where)
{
	struct value value;

	if (assignment->op == OP_NONE) {
		symbol_write(lifter, symbol, expr_lift(lifter, assignment->value), where);
		return;
	}
	value = symbol_read(lifter, symbol, where);
	value.place.sub[value.place.n - 1] = poly_add(lifter, value.place.sub[value.place.n - 1],
						      right_side(lifter, assignment).poly, assignment->op == OP_ADD ? 1 : -1);
	value.place.moved = value.place.n > 1;
	symbol_write(lifter, symbol, value, where);
}

/* Whether "target op= value" can be computed in the target's own type; sets "*value" to that type. */
static bool fits_compound(struct lifter *lifter, enum op op, enum type type, struct value *value, CXCursor where)
{
	enum type common;

	if (op == OP_MOD)
		return false;
	if (op == OP_SHL || op == OP_SHR)
		common = type_promote(type);
	else
		common = type_common(type, value->expr->type);
	if (common != type)
		return false;
	*value = value_convert(lifter, *value, type, where);
	return true;
}

/* Emit the assignment; return the place that it went to. */
static struct place assign_element(struct lifter *lifter, const struct assignment *assignment, CXCursor where)
{
	struct value value = right_side(lifter, assignment);
	const struct place place = place_lift(lifter, assignment->target);
	struct expr *const target = place_access(lifter, place, true, where);

	if (assignment->op != OP_NONE && fits_compound(lifter, assignment->op, target->type, &value, where)) {
		emit(lifter, target, assignment->op, value.expr, where);
		return place;
	}
	if (assignment->op != OP_NONE)
		value = value_binary(lifter, assignment->op,
				     value_scalar(lifter, place_access(lifter, place, false, where), NULL), value, where);
	if (clang_getCanonicalType(clang_getCursorType(assignment->target)).kind == CXType_Bool)
		value = value_truth(lifter, value, where);
	value = value_convert(lifter, value, target->type, where);
	emit(lifter, target, OP_NONE, value.expr, where);
	return place;
}

static void assign_scalar(struct lifter *lifter, struct symbol *symbol, const struct assignment *assignment, CXCursor where)
{
	struct value value = right_side(lifter, assignment), old;
	enum type type;

	if (assignment->op == OP_NONE) {
		symbol_write(lifter, symbol, value, where);
		return;
	}
	old = symbol_read(lifter, symbol, where);
	type = old.expr->type;
	if (!symbol->is_tracked && clang_getCanonicalType(symbol->type).kind != CXType_Bool &&
	    fits_compound(lifter, assignment->op, type, &value, where)) {
		emit(lifter, old.expr, assignment->op, value.expr, where);
		return;
	}
	symbol_write(lifter, symbol, value_binary(lifter, assignment->op, old, value, where), where);
}

struct value assign_lift(struct lifter *lifter, CXCursor cursor, bool is_used)
{
	const struct assignment assignment = assignment_of(lifter, cursor);
	struct place place;
	CXCursor decl;

	if (lifter->conditional)
		lift_refuse(lifter, REFUSAL_SIDE_EFFECT, cursor, "'%s'", cursor_text(lifter, cursor));
	if (cursor_variable(lifter->arena, assignment.target, &decl)) {
		struct symbol *const symbol = symbol_get(lifter, decl);

		if (type_is_pointer(symbol->type) || type_is_array(symbol->type))
			assign_pointer(lifter, symbol, &assignment, cursor);
		else
			assign_scalar(lifter, symbol, &assignment, cursor);
		return is_used ? symbol_read(lifter, symbol, cursor) : (struct value){.kind = VALUE_VOID};
	}
	if (type_is_pointer(clang_getCursorType(assignment.target)))
		lift_refuse(lifter, REFUSAL_POINTER, cursor, "'%s' stores a pointer", cursor_text(lifter, cursor));
	place = assign_element(lifter, &assignment, cursor);
	if (!is_used)
		return (struct value){.kind = VALUE_VOID};
	return value_scalar(lifter, place_access(lifter, place, false, cursor), NULL);
}

bool is_assignment(CXCursor cursor)
{
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_CompoundAssignOperator:
		return true;
	case CXCursor_BinaryOperator:
		return clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign;
	case CXCursor_UnaryOperator: {
		const enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);

		return kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec || kind == CXUnaryOperator_PreInc ||
		       kind == CXUnaryOperator_PreDec;
	}
	default:
		return false;
	}
}

/* Where the tracked variables stood before a branch. */
struct snapshot {
	int n;
	struct symbol *state;
};

static struct snapshot snapshot_take(struct lifter *lifter)
{
	struct snapshot snapshot = {.n = lifter->n_symbol};

	snapshot.state = ARENA_ARRAY(lifter->arena, struct symbol, snapshot.n + 1);
	for (int i = 0; i < snapshot.n; i++)
		snapshot.state[i] = *lifter->symbol[i];
	return snapshot;
}

static void snapshot_restore(struct lifter *lifter, const struct snapshot *to)
{
	for (int i = 0; i < to->n; i++) {
		struct symbol *const symbol = lifter->symbol[i];

		symbol->has_value = to->state[i].has_value;
		symbol->value = to->state[i].value;
		symbol->is_touched = to->state[i].is_touched;
	}
}

static bool same_value(const struct symbol *a, const struct symbol *b)
{
	if (a->has_value != b->has_value || a->is_touched != b->is_touched)
		return false;
	if (!a->has_value)
		return true;
	return value_equal(&a->value, &b->value);
}

/* What two branches left differently is no longer known. */
static void merge(struct lifter *lifter, const struct snapshot *other)
{
	for (int i = 0; i < other->n; i++) {
		struct symbol *const symbol = lifter->symbol[i];

		if (!symbol->is_tracked || same_value(symbol, &other->state[i]))
			continue;
		if (!symbol->is_touched && !other->state[i].is_touched && symbol->has_value != other->state[i].has_value) {
			if (!symbol->has_value)
				symbol->value = other->state[i].value;
			symbol->has_value = true;
			continue;
		}
		symbol->has_value = false;
		symbol->is_touched = true;
	}
}

static void lift_branch(struct lifter *lifter, CXCursor cursor, struct list *list)
{
	struct list *const out = lifter->out;

	lifter->out = list;
	lifter->branch++;
	stmt_lift(lifter, cursor);
	lifter->branch--;
	lifter->out = out;
}

static void lift_if(struct lifter *lifter, CXCursor cursor)
{
	struct snapshot before, yes;
	struct value cond;
	struct node *node;
	CXCursor *child;
	int n, n_known;

	child = cursor_children(lifter->arena, cursor, &n);
	if (n < 2)
		lift_refuse(lifter, REFUSAL_STATEMENT, cursor, "'%s'", cursor_text(lifter, cursor));
	cond = value_truth(lifter, expr_lift(lifter, child[0]), child[0]);
	refuse_effects(lifter, child[0]);
	if (cond.expr->kind == EXPR_INT) {
		if (cond.expr->integer)
			stmt_lift(lifter, child[1]);
		else if (n > 2)
			stmt_lift(lifter, child[2]);
		return;
	}
	node = node_if(lifter->arena, cond.expr);
	node->line = cursor_line(cursor);
	before = snapshot_take(lifter);
	n_known = known_push(lifter, &cond, true);
	lift_branch(lifter, child[1], &node->body);
	known_forget(lifter, n_known);
	yes = snapshot_take(lifter);
	yes.n = before.n;
	snapshot_restore(lifter, &before);
	known_push(lifter, &cond, false);
	if (n > 2)
		lift_branch(lifter, child[2], &node->orelse);
	known_forget(lifter, n_known);
	merge(lifter, &yes);
	list_add(lifter->arena, lifter->out, node);
}

void unless_lift(struct lifter *lifter, const struct value *cond, const CXCursor *stmt, int n, CXCursor where)
{
	struct node *const node = node_if(lifter->arena, expr_unary(lifter->arena, OP_NOT, cond->expr));
	struct list *const out = lifter->out;
	const int n_known = known_push(lifter, cond, false);
	struct snapshot skipped;

	node->line = cursor_line(where);
	skipped = snapshot_take(lifter);
	lifter->out = &node->body;
	lifter->branch++;
	stmts_lift(lifter, stmt, n);
	lifter->branch--;
	lifter->out = out;
	known_forget(lifter, n_known);
	merge(lifter, &skipped);
	list_add(lifter->arena, lifter->out, node);
}

static void lift_declarations(struct lifter *lifter, CXCursor cursor)
{
	int n;
	CXCursor *const child = cursor_children(lifter->arena, cursor, &n);

	for (int i = 0; i < n; i++) {
		if (clang_getCursorKind(child[i]) == CXCursor_VarDecl) {
			symbol_declare(lifter, child[i]);
			flush_effects(lifter);
		} else if (clang_isDeclaration(clang_getCursorKind(child[i])))
			lift_refuse(lifter, REFUSAL_DECLARATION, child[i], "'%s'", cursor_text(lifter, child[i]));
	}
}

void stmts_lift(struct lifter *lifter, const CXCursor *cursor, int n)
{
	for (int i = 0; i < n; i++)
		stmt_lift(lifter, cursor[i]);
}

static _Noreturn void refuse_statement(struct lifter *lifter, CXCursor cursor)
{
	const char *const text = cursor_text(lifter, cursor);

	switch (clang_getCursorKind(cursor)) {
	case CXCursor_DoStmt:
		lift_refuse(lifter, REFUSAL_WHILE, cursor, "'%s'", text);
	case CXCursor_BreakStmt:
	case CXCursor_ContinueStmt:
	case CXCursor_GotoStmt:
	case CXCursor_IndirectGotoStmt:
	case CXCursor_LabelStmt:
	case CXCursor_ReturnStmt:
		lift_refuse(lifter, REFUSAL_BREAK, cursor, "'%s'", text);
	case CXCursor_SwitchStmt:
	case CXCursor_CaseStmt:
	case CXCursor_DefaultStmt:
		lift_refuse(lifter, REFUSAL_SWITCH, cursor, "'%s'", text);
	case CXCursor_GCCAsmStmt:
	case CXCursor_MSAsmStmt:
		lift_refuse(lifter, REFUSAL_ASM, cursor, "'%s'", text);
	default:
		lift_refuse(lifter, REFUSAL_STATEMENT, cursor, "'%s'", text);
	}
}

/* Execute an expression whose value is not used. */
void expr_lift_effects(struct lifter *lifter, CXCursor cursor)
{
	int n;
	CXCursor *child;

	cursor = cursor_peel(lifter->arena, cursor, false);
	child = cursor_children(lifter->arena, cursor, &n);
	if (is_assignment(cursor)) {
		assign_lift(lifter, cursor, false);
	} else if (clang_getCursorKind(cursor) == CXCursor_BinaryOperator &&
		   clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Comma) {
		expr_lift_effects(lifter, child[0]);
		expr_lift_effects(lifter, child[1]);
	} else {
		expr_lift(lifter, cursor);
	}
	flush_effects(lifter);
}

void stmt_lift(struct lifter *lifter, CXCursor cursor)
{
	const enum CXCursorKind kind = clang_getCursorKind(cursor);
	CXCursor *child;
	int n, n_symbol;

	if (lifter->nest->n_label > 2000)
		lift_refuse(lifter, REFUSAL_TOO_LARGE, cursor, "more than 2000 statements");
	switch (kind) {
	case CXCursor_CompoundStmt:
		child = cursor_children(lifter->arena, cursor, &n);
		n_symbol = lifter->n_symbol;
		stmts_lift(lifter, child, n);
		symbols_forget(lifter, n_symbol);
		return;
	case CXCursor_NullStmt:
		return;
	case CXCursor_DeclStmt:
		lift_declarations(lifter, cursor);
		break;
	case CXCursor_ForStmt:
	case CXCursor_WhileStmt:
		loop_lift(lifter, cursor);
		return;
	case CXCursor_IfStmt:
		lift_if(lifter, cursor);
		return;
	default:
		if (!clang_isExpression(kind))
			refuse_statement(lifter, cursor);
		expr_lift_effects(lifter, cursor);
	}
	flush_effects(lifter);
}
