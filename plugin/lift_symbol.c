#include "lift_internal.h"

#include <string.h>

#include "liveness.h"

struct value value_scalar(struct lifter *lifter, struct expr *expr, struct poly *poly)
{
	struct value value = {.kind = VALUE_SCALAR, .expr = expr, .poly = poly};
	int64_t constant;

	if (!type_is_integer(expr->type)) {
		value.poly = NULL;
		return value;
	}
	if (!poly)
		value.poly = expr->kind == EXPR_INT ? poly_const(lifter, expr->integer) :
						      poly_atom(lifter, atom_of_expr(lifter, expr));
	if (poly_is_const(value.poly, &constant))
		value.expr = expr_int(lifter->arena, constant, expr->type);
	return value;
}

struct value value_of_poly(struct lifter *lifter, struct poly *poly, enum type type)
{
	const enum type computed = type_size(type) == 8 ? TYPE_I64 : poly_type(lifter, poly);
	struct expr *expr;

	if (type == TYPE_I32 && computed == TYPE_I64 && !poly->is_wide)
		expr = poly_expr(lifter, poly, TYPE_I64);
	else
		expr = poly_expr(lifter, poly, computed);
	return value_scalar(lifter, expr_cast(lifter->arena, type, expr), poly);
}

bool value_equal(const struct value *a, const struct value *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == VALUE_SCALAR)
		return a->poly && b->poly ? poly_equal(a->poly, b->poly) : expr_equal(a->expr, b->expr);
	if (a->place.base != b->place.base || a->place.n != b->place.n)
		return false;
	for (int i = 0; i < a->place.n; i++)
		if (!poly_equal(a->place.sub[i], b->place.sub[i]))
			return false;
	return true;
}

static const struct assigned *find_assigned(const struct lifter *lifter, CXCursor decl)
{
	for (int i = 0; i < lifter->n_assigned; i++)
		if (clang_equalCursors(lifter->assigned[i].decl, decl))
			return &lifter->assigned[i];
	return NULL;
}

static struct symbol *symbol_new(struct lifter *lifter, CXCursor decl, const char *path, CXType type)
{
	struct symbol *const symbol = ARENA_NEW(lifter->arena, struct symbol);
	const struct assigned *const assigned = find_assigned(lifter, decl);

	symbol->decl = decl;
	symbol->path = path;
	symbol->type = type;
	symbol->where = decl;
	if (assigned) {
		symbol->is_assigned = assigned->n_assign > 0;
		symbol->has_address = assigned->has_address;
	}
	if (lifter->n_symbol == lifter->max_symbol)
		lifter->symbol = lift_grow(lifter, lifter->symbol, lifter->n_symbol, &lifter->max_symbol, sizeof(symbol));
	lifter->symbol[lifter->n_symbol++] = symbol;
	return symbol;
}

static void check_type(struct lifter *lifter, CXType type, const char *name, CXCursor where)
{
	if (clang_isVolatileQualifiedType(clang_getCanonicalType(type)))
		lift_refuse(lifter, REFUSAL_VOLATILE, where, "'%s' is volatile", name);
}

/* A pointer, or a parameter that is spelled as an array. */
static bool holds_pointer(const struct symbol *symbol)
{
	return type_is_pointer(symbol->type) ||
	       (type_is_array(symbol->type) && clang_getCursorKind(symbol->decl) == CXCursor_ParmDecl);
}

bool symbol_is_trackable(struct lifter *lifter, const struct symbol *symbol)
{
	enum type type;

	if (holds_pointer(symbol))
		return true;
	if (lift_is_kept(lifter, symbol->decl) || symbol->is_path || clang_Cursor_hasVarDeclGlobalStorage(symbol->decl) == 1)
		return false;
	return type_of(symbol->type, &type) && type_is_integer(type) && clang_getCanonicalType(symbol->type).kind != CXType_Bool;
}

struct symbol *symbol_get(struct lifter *lifter, CXCursor decl)
{
	struct symbol *symbol;

	for (int i = lifter->n_symbol - 1; i >= 0; i--)
		if (!lifter->symbol[i]->is_path && clang_equalCursors(lifter->symbol[i]->decl, decl))
			return lifter->symbol[i];
	symbol = symbol_new(lifter, decl, cursor_name(lifter->arena, decl), clang_getCursorType(decl));
	symbol->is_outside = true;
	check_type(lifter, symbol->type, symbol->path, decl);
	if (symbol->is_assigned)
		symbol->is_tracked = symbol_is_trackable(lifter, symbol);
	return symbol;
}

struct symbol *symbol_find_path(struct lifter *lifter, const char *path)
{
	for (int i = 0; i < lifter->n_symbol; i++)
		if (lifter->symbol[i]->is_path && strcmp(lifter->symbol[i]->path, path) == 0)
			return lifter->symbol[i];
	return NULL;
}

struct symbol *symbol_path(struct lifter *lifter, const char *path, CXType type, CXCursor where)
{
	struct symbol *symbol = symbol_find_path(lifter, path);

	if (symbol)
		return symbol;
	check_type(lifter, type, path, where);
	symbol = symbol_new(lifter, clang_getNullCursor(), path, type);
	symbol->is_outside = symbol->is_path = true;
	symbol->where = where;
	return symbol;
}

/* "l_out_w" for "l->out_w". */
static const char *path_name(struct lifter *lifter, const char *path)
{
	char *const name = ARENA_ARRAY(lifter->arena, char, strlen(path) + 2);
	size_t n = 0;

	for (; *path; path++) {
		const bool is_word = (*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z') ||
				     (*path >= '0' && *path <= '9') || *path == '_';

		if (is_word)
			name[n++] = *path;
		else if (n && name[n - 1] != '_')
			name[n++] = '_';
	}
	while (n > 1 && name[n - 1] == '_')
		n--;
	name[n] = '\0';
	return name;
}

static struct var *symbol_var(struct lifter *lifter, struct symbol *symbol, enum var_kind kind, enum type type)
{
	struct var *const var = nest_add_var(lifter->nest, kind, type, path_name(lifter, symbol->path), 0, NULL);

	if (kind != VAR_LOCAL)
		var->source = symbol->path;
	if (var->type == type)
		var->ctype = type_spelling(lifter->arena, symbol->type);
	return var;
}

/* NOTE: an u64 param is taken as an i64, which subscripts and bounds can use as it is: the same value where that is not
 * negative. */
static struct value read_param(struct lifter *lifter, struct symbol *symbol, enum type type)
{
	struct poly *poly;

	if (!symbol->var) {
		symbol->var = symbol_var(lifter, symbol, VAR_PARAM, type == TYPE_U64 ? TYPE_I64 : type);
		symbol->var->is_read = true;
		if (symbol->var->type != type)
			symbol->var->ctype = "long long";
	}
	if (!type_is_integer(type))
		return value_scalar(lifter, expr_scalar(lifter->arena, symbol->var), NULL);
	poly = poly_atom(lifter, atom_of_var(lifter, symbol->var, true));
	if (type == TYPE_U64)
		poly = poly_need(lifter, poly, poly_wide(lifter, poly));
	return value_scalar(lifter, expr_cast(lifter->arena, type, expr_scalar(lifter->arena, symbol->var)), poly);
}

static bool constant_of(CXCursor decl, CXType type, int64_t *value)
{
	CXCursor initializer;

	if (clang_getCursorKind(decl) != CXCursor_VarDecl || !clang_isConstQualifiedType(type))
		return false;
	initializer = clang_Cursor_getVarDeclInitializer(decl);
	return !clang_Cursor_isNull(initializer) && cursor_constant(initializer, value);
}

/* A literal that initialises a const variable of floating type. */
static bool float_constant_of(CXCursor decl, CXType type, double *value)
{
	return clang_getCursorKind(decl) == CXCursor_VarDecl && clang_isConstQualifiedType(type) &&
	       cursor_real(clang_Cursor_getVarDeclInitializer(decl), value);
}

/* The variable that holds a scalar which is declared outside and assigned inside. */
static struct var *scalar_var(struct lifter *lifter, struct symbol *symbol, enum type type)
{
	const struct lift_input *const input = lifter->input;
	enum first_use use;

	if (symbol->var)
		return symbol->var;
	symbol->var = symbol_var(lifter, symbol, VAR_SCALAR, type);
	use = liveness_first_use(lifter->arena, input->stmt, input->n, symbol->decl);
	symbol->var->is_live_out = liveness_is_live_out(lifter->arena, input, symbol->decl);
	symbol->var->is_read = use == USE_READ || (symbol->var->is_live_out && use != USE_KILLED);
	symbol->var->is_written = true;
	return symbol->var;
}

/* The value that a tracked symbol had before the region. */
static void enter(struct lifter *lifter, struct symbol *symbol, enum type type, CXCursor where)
{
	if (holds_pointer(symbol)) {
		struct place place = {.base = base_of_symbol(lifter, symbol, where), .n = 1};

		place.sub[0] = poly_const(lifter, 0);
		symbol->value = (struct value){.kind = VALUE_POINTER,
					       .place = place,
					       .pointee = type_is_array(symbol->type) ?
							  clang_getArrayElementType(clang_getCanonicalType(symbol->type)) :
							  clang_getPointeeType(clang_getCanonicalType(symbol->type))};
	} else if (liveness_is_live_out(lifter->arena, lifter->input, symbol->decl)) {
		lift_restart_keeping(lifter, symbol);
	} else {
		symbol->value = read_param(lifter, symbol, type);
		symbol->var = NULL;
	}
	symbol->has_value = true;
}

struct value symbol_read(struct lifter *lifter, struct symbol *symbol, CXCursor where)
{
	enum type type = TYPE_I32;
	int64_t constant;
	double real;

	if (!holds_pointer(symbol) && !type_of(symbol->type, &type))
		lift_refuse(lifter, REFUSAL_TYPE, where, "'%s' has type %s", symbol->path,
			    parsed_string(lifter->arena, clang_getTypeSpelling(symbol->type)));
	if (symbol->has_address && symbol->is_assigned)
		lift_refuse(lifter, REFUSAL_ADDRESS, where, "the address of '%s' is taken", symbol->path);
	if (symbol->is_tracked) {
		if (!symbol->has_value && symbol->is_outside && !symbol->is_touched)
			enter(lifter, symbol, type, where);
		symbol->where = where;
		if (!symbol->has_value && holds_pointer(symbol))
			lift_refuse(lifter, REFUSAL_POINTER_WALK, where, "where '%s' points to cannot be followed", symbol->path);
		if (!symbol->has_value)
			lift_restart_keeping(lifter, symbol);
		return symbol->value;
	}
	if (!symbol->is_path && constant_of(symbol->decl, symbol->type, &constant))
		return value_scalar(lifter, expr_int(lifter->arena, constant, type), NULL);
	if (!symbol->is_path && !symbol->var && type_is_float(type) && float_constant_of(symbol->decl, symbol->type, &real))
		return value_scalar(lifter, expr_float(lifter->arena, real, type, NULL), NULL);
	if (symbol->is_outside && !symbol->is_assigned)
		return read_param(lifter, symbol, type);
	if (symbol->is_outside)
		scalar_var(lifter, symbol, type);
	if (!symbol->var)
		lift_refuse(lifter, REFUSAL_DECLARATION, where, "'%s' is not known here", symbol->path);
	return value_scalar(lifter, expr_scalar(lifter->arena, symbol->var), NULL);
}

/* A local of its own that holds "expr" from here on. */
static struct expr *save(struct lifter *lifter, struct expr *expr, const char *name, CXCursor where)
{
	struct var *const var = nest_add_var(lifter->nest, VAR_LOCAL, expr->type, name, 0, NULL);
	struct node *node;

	if (lifter->conditional)
		lift_refuse(lifter, REFUSAL_SIDE_EFFECT, where, "'%s' is evaluated only sometimes", cursor_text(lifter, where));
	node = emit(lifter, expr_scalar(lifter->arena, var), OP_NONE, expr, where);
	node->declares = true;
	var->is_read = var->is_written = true;
	return node->target;
}

static struct poly *poly_freeze(struct lifter *lifter, const struct poly *poly, const char *name, CXCursor where)
{
	struct poly *result = poly_const(lifter, 0);

	for (int i = 0; i < poly->n; i++) {
		struct poly *product = poly_const(lifter, poly->term[i].coef);

		for (int j = 0; j < poly->term[i].n; j++) {
			int atom = poly->term[i].atom[j];

			if (!lifter->atom[atom].is_frozen) {
				struct expr *const saved = save(lifter, lifter->atom[atom].expr, name, where);

				atom = atom_of_var(lifter, saved->var, true);
			}
			product = poly_mul(lifter, product, poly_atom(lifter, atom));
		}
		result = poly_add(lifter, result, product, 1);
	}
	result->is_wide = poly->is_wide;
	result->n_need = poly->n_need;
	result->need = poly->need;
	return result;
}

struct value value_freeze(struct lifter *lifter, struct value value, const char *name, CXCursor where)
{
	if (value.kind == VALUE_POINTER) {
		for (int i = 0; i < value.place.n; i++)
			if (!poly_is_frozen(lifter, value.place.sub[i]))
				value.place.sub[i] = poly_freeze(lifter, value.place.sub[i],
								 arena_printf(lifter->arena, "%s_at", name), where);
		return value;
	}
	if (value.poly && !poly_is_frozen(lifter, value.poly))
		return value_of_poly(lifter, poly_freeze(lifter, value.poly, name, where), value.expr->type);
	return value;
}

static void write_tracked(struct lifter *lifter, struct symbol *symbol, struct value value, enum type type, CXCursor where)
{
	symbol->where = where;
	symbol->is_touched = true;
	if (holds_pointer(symbol)) {
		if (value.kind != VALUE_POINTER || value.is_null)
			lift_refuse(lifter, REFUSAL_POINTER, where, "'%s' is set to something that is not known memory", symbol->path);
		symbol->value = value_freeze(lifter, value, symbol->path, where);
	} else {
		value = value_freeze(lifter, value, symbol->path, where);
		symbol->value = value_of_poly(lifter, value.poly, type);
	}
	symbol->has_value = true;
}

void symbol_write(struct lifter *lifter, struct symbol *symbol, struct value value, CXCursor where)
{
	enum type type = TYPE_I32;

	if (symbol->has_address)
		lift_refuse(lifter, REFUSAL_ADDRESS, where, "the address of '%s' is taken", symbol->path);
	if (!holds_pointer(symbol)) {
		if (!type_of(symbol->type, &type))
			lift_refuse(lifter, REFUSAL_TYPE, where, "'%s' has type %s", symbol->path,
				    parsed_string(lifter->arena, clang_getTypeSpelling(symbol->type)));
		value = clang_getCanonicalType(symbol->type).kind == CXType_Bool ?
				value_convert(lifter, value_truth(lifter, value, where), type, where) :
				value_convert(lifter, value, type, where);
	}
	if (symbol->is_tracked) {
		write_tracked(lifter, symbol, value, type, where);
		return;
	}
	if (symbol->is_outside)
		scalar_var(lifter, symbol, type);
	emit(lifter, expr_scalar(lifter->arena, symbol->var), OP_NONE, value.expr, where);
}

struct symbol *symbol_alias(struct lifter *lifter, CXCursor decl, CXCursor from)
{
	struct symbol *symbol;
	const char *path;

	if (!path_lift(lifter, from, &path))
		return NULL;
	symbol = symbol_new(lifter, decl, cursor_name(lifter->arena, decl), clang_getCursorType(decl));
	symbol->alias = path;
	if (symbol->has_address || symbol->is_assigned)
		lift_refuse(lifter, REFUSAL_STRUCT, decl, "'%s' is a structure, or points to one, and changes", symbol->path);
	return symbol;
}

/* Declare an array of constant size. */
static void declare_array(struct lifter *lifter, struct symbol *symbol, CXCursor where)
{
	struct base *base;
	struct expr *extent[LIFT_RANK];
	struct node *node;
	int rank;

	if (!clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(where)))
		lift_refuse(lifter, REFUSAL_DECLARATION, where, "the array '%s' has an initialiser", symbol->path);
	base = base_of_symbol(lifter, symbol, where);
	rank = base->n_dim + 1;
	for (int i = 0; i < rank; i++) {
		const struct poly *const dim = i ? base->dim[i - 1] : base->size;
		int64_t size = 0;

		if (!dim || !poly_is_const(dim, &size) || size <= 0 || size > 1 << 20)
			lift_refuse(lifter, REFUSAL_DECLARATION, where, "the array '%s' has no constant size", symbol->path);
		extent[i] = expr_int(lifter->arena, size, TYPE_I32);
	}
	base->var->rank = rank;
	base->var->extent = ARENA_ARRAY(lifter->arena, struct expr *, rank);
	memcpy(base->var->extent, extent, sizeof(extent[0]) * (size_t)rank);
	node = emit(lifter, expr_scalar(lifter->arena, base->var), OP_NONE, NULL, where);
	node->declares = true;
}

static void declare_kept(struct lifter *lifter, struct symbol *symbol, struct value *init, enum type type, CXCursor where)
{
	struct node *node;

	symbol->var = symbol_var(lifter, symbol, VAR_LOCAL, type);
	symbol->var->is_read = symbol->var->is_written = true;
	node = emit(lifter, expr_scalar(lifter->arena, symbol->var), OP_NONE, init ? init->expr : NULL, where);
	node->declares = true;
	if (init && !symbol->is_assigned)
		atom_of_var(lifter, symbol->var, true);
}

struct symbol *symbol_declare(struct lifter *lifter, CXCursor decl)
{
	const CXType decl_type = clang_getCursorType(decl);
	const CXCursor initializer = clang_Cursor_getVarDeclInitializer(decl);
	const bool has_init = !clang_Cursor_isNull(initializer);
	enum type type = TYPE_I32;
	struct symbol *symbol = NULL;
	struct value init;

	if (has_init && (type_is_record(decl_type) || type_points_to_record(decl_type)))
		symbol = symbol_alias(lifter, decl, initializer);
	if (symbol)
		return symbol;
	symbol = symbol_new(lifter, decl, cursor_name(lifter->arena, decl), decl_type);
	check_type(lifter, symbol->type, symbol->path, decl);
	if (clang_Cursor_hasVarDeclGlobalStorage(decl) == 1) {
		if (!has_init || !clang_isConstQualifiedType(symbol->type) || !type_of(symbol->type, &type))
			lift_refuse(lifter, REFUSAL_DECLARATION, decl, "'%s' is a static local", symbol->path);
		return symbol;
	}
	if (type_is_array(symbol->type)) {
		declare_array(lifter, symbol, decl);
		return symbol;
	}
	if (!holds_pointer(symbol) && !type_of(symbol->type, &type))
		lift_refuse(lifter, REFUSAL_DECLARATION, decl, "'%s' has type %s", symbol->path,
			    parsed_string(lifter->arena, clang_getTypeSpelling(symbol->type)));
	symbol->is_tracked = symbol_is_trackable(lifter, symbol);
	symbol->is_touched = true;
	if (!has_init && symbol->is_tracked)
		return symbol;
	if (!has_init) {
		declare_kept(lifter, symbol, NULL, type, decl);
		return symbol;
	}
	init = expr_lift(lifter, initializer);
	if (!holds_pointer(symbol)) {
		if (clang_getCanonicalType(symbol->type).kind == CXType_Bool)
			init = value_truth(lifter, init, decl);
		init = value_convert(lifter, init, type, decl);
		if (symbol->is_tracked && !symbol->is_assigned && !poly_is_frozen(lifter, init.poly))
			symbol->is_tracked = false;
	}
	if (symbol->is_tracked)
		write_tracked(lifter, symbol, init, type, decl);
	else
		declare_kept(lifter, symbol, &init, type, decl);
	return symbol;
}

/* Give the tracked variables that are used after the region their last values. */
static void leave(struct lifter *lifter, struct symbol *symbol)
{
	enum type type;
	struct expr *expr;

	if (!liveness_is_live_out(lifter->arena, lifter->input, symbol->decl))
		return;
	if (holds_pointer(symbol))
		lift_refuse(lifter, REFUSAL_POINTER_LIVE, symbol->where, "'%s' moves in the region and is used after it", symbol->path);
	if (!symbol->has_value)
		lift_restart_keeping(lifter, symbol);
	type_of(symbol->type, &type);
	expr = value_of_poly(lifter, range_settle(lifter, symbol->value.poly, symbol->where), type).expr;
	symbol->var = symbol_var(lifter, symbol, VAR_SCALAR, type);
	symbol->var->is_live_out = symbol->var->is_written = true;
	emit(lifter, expr_scalar(lifter->arena, symbol->var), OP_NONE, expr, symbol->where);
}

void symbols_finish(struct lifter *lifter)
{
	const int n = lifter->n_symbol;

	for (int i = 0; i < n; i++) {
		struct symbol *const symbol = lifter->symbol[i];

		if (symbol->is_outside && symbol->is_tracked && symbol->is_assigned && symbol->is_touched)
			leave(lifter, symbol);
	}
}

/* Whether "expr" may stand for a parameter of a helper: constants and scalars always, elements and whole expressions in a
 * helper that only computes. */
static bool may_stand(const struct lifter *lifter, const struct expr *expr, bool is_pure)
{
	if (is_pure && lifter->conditional)
		return true;
	while (expr->kind == EXPR_CAST)
		expr = expr->arg[0];
	return expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT || (expr->kind == EXPR_REF && (is_pure || expr->n == 0));
}

/* A parameter that the helper does not assign stands for its argument where that may be; else it becomes a local. */
void symbol_bind(struct lifter *lifter, CXCursor parameter, struct value value, bool is_pure, CXCursor where)
{
	struct symbol *const symbol = symbol_new(lifter, parameter, cursor_name(lifter->arena, parameter),
						 clang_getCursorType(parameter));
	enum type type = TYPE_I32;

	check_type(lifter, symbol->type, symbol->path, where);
	if (holds_pointer(symbol)) {
		symbol->is_tracked = true;
		write_tracked(lifter, symbol, value, type, where);
		return;
	}
	if (!type_of(symbol->type, &type))
		lift_refuse(lifter, REFUSAL_TYPE, where, "'%s' has type %s", symbol->path,
			    parsed_string(lifter->arena, clang_getTypeSpelling(symbol->type)));
	value = value_convert(lifter, value, type, where);
	symbol->is_tracked = symbol_is_trackable(lifter, symbol) && poly_is_frozen(lifter, value.poly);
	if (symbol->is_tracked) {
		write_tracked(lifter, symbol, value, type, where);
	} else if (!symbol->is_assigned && may_stand(lifter, value.expr, is_pure)) {
		symbol->is_tracked = symbol->is_touched = symbol->has_value = true;
		symbol->value = value;
	} else {
		if (lifter->conditional)
			lift_refuse(lifter, REFUSAL_SIDE_EFFECT, where, "'%s' is evaluated only sometimes",
				    cursor_text(lifter, where));
		declare_kept(lifter, symbol, &value, type, where);
	}
}

void symbols_forget(struct lifter *lifter, int n)
{
	int kept = n;

	for (int i = n; i < lifter->n_symbol; i++)
		if (lifter->symbol[i]->is_outside)
			lifter->symbol[kept++] = lifter->symbol[i];
	lifter->n_symbol = kept;
}
