#include <string.h>

#include "effects.h"
#include "function_internal.h"
#include "lift_internal.h"
#include "region_internal.h"
#include "signature_internal.h"

static const char result_name[] = "strop_result";

/* Reading under way. */
struct whole {
	struct arena *arena;
	CXCursor decl;
	struct function *function;
	struct diag *diag;
};

static enum status inconclusive(struct whole *whole, const char *why)
{
	return diag_set(whole->diag, EXIT_INCONCLUSIVE, "%s: %s", whole->function->name, why);
}

/* The type of what "type", a pointer or an array of arrays, leads to. */
static CXType element_of(CXType type)
{
	type = clang_getCanonicalType(type);
	type = type_is_pointer(type) ? clang_getPointeeType(type) : clang_getArrayElementType(type);
	while (type_is_array(type))
		type = clang_getArrayElementType(clang_getCanonicalType(type));
	return type;
}

static struct var *add_var(struct whole *whole, enum var_kind kind, enum type type, const char *name, int rank, CXType ctype)
{
	struct nest *const nest = whole->function->nest;
	struct expr **const extent = ARENA_ARRAY(nest->arena, struct expr *, 1);
	struct var *const var = nest_add_var(nest, kind, type, name, rank, rank ? extent : NULL);

	var->source = name;
	var->ctype = type_spelling(whole->arena, ctype);
	var->is_read = true;
	return var;
}

/* A number, or memory that begins where a pointer leads. */
static enum status add_param(struct whole *whole, CXCursor param, const char *name)
{
	CXType type = clang_getCursorType(param);
	struct var *var;
	enum type scalar;

	if (type_of(type, &scalar)) {
		add_var(whole, VAR_PARAM, scalar, name, 0, type);
		return STATUS_OK;
	}
	if (!type_is_pointer(type) && !type_is_array(type))
		return inconclusive(whole, arena_printf(whole->arena, "its parameter '%s' is neither a number nor a pointer", name));
	type = element_of(type);
	if (!type_of(type, &scalar) || clang_isVolatileQualifiedType(type))
		return inconclusive(whole, arena_printf(whole->arena, "its parameter '%s' does not point to numbers", name));
	var = add_var(whole, VAR_ARRAY, scalar, name, 1, type);
	var->is_const = clang_isConstQualifiedType(type);
	var->is_written = !var->is_const;
	return STATUS_OK;
}

static enum status add_params(struct whole *whole)
{
	struct signature *const signature = whole->function->signature;
	const int n = clang_Cursor_getNumArguments(whole->decl);
	const char *call = arena_printf(whole->arena, "%s(", whole->function->name);

	signature->function = whole->function->name;
	signature->local = ARENA_ARRAY(whole->arena, struct local, n + 1);
	for (int i = 0; i < n; i++) {
		const CXCursor param = clang_Cursor_getArgument(whole->decl, (unsigned)i);
		struct local *const local = &signature->local[signature->n_local++];

		*local = signature_local(whole->arena, param);
		if (!*local->name)
			return inconclusive(whole, "a parameter has no name");
		if (add_param(whole, param, local->name) != STATUS_OK)
			return STATUS_FAILED;
		call = arena_printf(whole->arena, "%s%s%s", call, i ? ", " : "", local->name);
	}
	whole->function->call = arena_printf(whole->arena, "%s)", call);
	return STATUS_OK;
}

static enum status add_result(struct whole *whole)
{
	const CXType type = clang_getCursorResultType(whole->decl);
	struct signature *const signature = whole->function->signature;
	struct var *var;
	enum type scalar;

	if (clang_getCanonicalType(type).kind == CXType_Void)
		return STATUS_OK;
	if (!type_of(type, &scalar))
		return inconclusive(whole, "what it returns is not a number");
	var = add_var(whole, VAR_SCALAR, scalar, result_name, 0, type);
	var->is_read = false;
	var->is_written = var->is_live_out = true;
	signature->local[signature->n_local++] = (struct local){
		.name = result_name, .declaration = arena_printf(whole->arena, "%s %s", var->ctype, result_name),
	};
	whole->function->call = arena_printf(whole->arena, "%s = %s", result_name, whole->function->call);
	return STATUS_OK;
}

/* What pragmas within the function say of its inputs, its mode and its sizes. */
static void read_hints(struct whole *whole, const struct unit *unit)
{
	for (int i = 0; i < unit->n_region; i++) {
		const struct region *const region = &unit->region[i];

		if (strcmp(region->function, whole->function->name) != 0 || strcmp(region->file, unit->command->file) != 0)
			continue;
		if (region->inputs)
			signature_add_inputs(whole->arena, whole->function->signature, whole->function->nest, region->inputs);
		whole->function->mode = whole->function->mode ? whole->function->mode : region->mode;
		whole->function->sizes = whole->function->sizes ? whole->function->sizes : region->sizes;
	}
}

enum status function_read_whole(struct arena *arena, const struct unit *unit, CXCursor decl, struct function *function,
				struct diag *diag)
{
	struct whole whole = {arena, decl, function, diag};
	const char *why;

	if (clang_Cursor_isVariadic(decl))
		return inconclusive(&whole, "it takes a variable number of arguments");
	why = effects_find(arena, decl);
	if (why)
		return inconclusive(&whole, why);
	function->nest = nest_new(arena, function->name);
	function->signature = ARENA_NEW(arena, struct signature);
	function->mode = function->sizes = NULL;
	if (add_params(&whole) != STATUS_OK || add_result(&whole) != STATUS_OK)
		return STATUS_FAILED;
	read_hints(&whole, unit);
	return STATUS_OK;
}
