#include "oracle_emit.h"

#include <math.h>
#include <string.h>

/* Arithmetic on wide values: W the type, T that of v, F its functions' suffix. First-order error analysis: what the
 * terms' magnitudes add to a product or quotient beyond its own size is their accumulated error, scaled by the other
 * side. DOUBT is the relative error, 64 roundings, with which the second order is estimated; a divisor within its error
 * of zero gives results of which nothing is known, and so does what is beyond MOST, where the source's type has overflowed. */
static const char prelude[] =
	"#include <math.h>\n"
	"#include <float.h>\n"
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"typedef struct { double v, m; float c; } w32;\n"
	"typedef struct { long double v; double m; float c; } w64;\n"
	"struct mode { long long mutation; double flops; };\n"
	"static inline float more(float a, float b) { return a > b ? a : b; }\n"
	"#define ARITHMETIC(S, W, T, ABS, DOUBT, MOST) \\\n"
	"static inline W lit##S(T v) { return (W){ v, ABS(v), 0 }; } \\\n"
	"static inline W int##S(T v) { return (W){ v, ABS(v), 1 }; } \\\n"
	"static inline W made##S(T v, double m, float c) { return (W){ v, ABS(v) > MOST ? INFINITY : m, c }; } \\\n"
	"static inline W neg##S(W a) { return (W){ -a.v, a.m, a.c }; } \\\n"
	"static inline W add##S(W a, W b) { return made##S(a.v + b.v, a.m + b.m, more(a.c, b.c) + 1); } \\\n"
	"static inline W sub##S(W a, W b) { return made##S(a.v - b.v, a.m + b.m, more(a.c, b.c) + 1); } \\\n"
	"static inline W mul##S(W a, W b) { double x = ABS(a.v), y = ABS(b.v); \\\n"
	"	return made##S(a.v * b.v, x * y + x * (b.m - y) + y * (a.m - x) + DOUBT * (a.m - x) * (b.m - y), \\\n"
	"		more(a.c, b.c) + 1); } \\\n"
	"static inline W div##S(W a, W b) { double x = ABS(a.v), y = ABS(b.v), q = x / y; \\\n"
	"	double m = b.c > 0 && b.m * DOUBT > y ? INFINITY : q + (a.m - x) / y + q * ((b.m - y) / y); \\\n"
	"	return made##S(a.v / b.v, m, more(a.c, b.c) + 1); } \\\n"
	"static inline double slope##S(T (*f)(T), T x) { T h = (ABS(x) > 0.001 ? ABS(x) : 0.001) * 1e-6; \\\n"
	"	return ABS((f(x + h) - f(x - h)) / (2 * h)); } \\\n"
	"static inline W call1##S(T (*f)(T), W a) { T v = f(a.v); double m = ABS(v); \\\n"
	"	if (a.c > 0) m += slope##S(f, a.v) * a.m; \\\n"
	"	return made##S(v, m, a.c + 4); } \\\n"
	"static inline W call2##S(T (*f)(T, T), W a, W b) { T v = f(a.v, b.v); double m = ABS(v); \\\n"
	"	T h = (ABS(a.v) > 0.001 ? ABS(a.v) : 0.001) * 1e-6, k = (ABS(b.v) > 0.001 ? ABS(b.v) : 0.001) * 1e-6; "
	"\\\n"
	"	if (a.c > 0) m += ABS((f(a.v + h, b.v) - f(a.v - h, b.v)) / (2 * h)) * a.m; \\\n"
	"	if (b.c > 0) m += ABS((f(a.v, b.v + k) - f(a.v, b.v - k)) / (2 * k)) * b.m; \\\n"
	"	return made##S(v, m, more(a.c, b.c) + 4); } \\\n"
	"static inline W step##S(T (*f)(T), W a) { T v = f(a.v); return (W){ v, ABS(v), a.c }; } \\\n"
	"static inline W fabs_##S(W a) { return (W){ ABS(a.v), a.m, a.c }; } \\\n"
	"static inline W fmax_##S(W a, W b) { return a.v != a.v ? b : b.v != b.v ? a : a.v >= b.v ? a : b; } \\\n"
	"static inline W fmin_##S(W a, W b) { return a.v != a.v ? b : b.v != b.v ? a : a.v <= b.v ? a : b; } \\\n"
	"static inline W fma_##S(W a, W b, W c) { return add##S(mul##S(a, b), c); } \\\n"
	"static inline W copysign_##S(W a, W b) { return signbit(b.v) == signbit(a.v) ? a : neg##S(a); }\n"
	"ARITHMETIC(32, w32, double, fabs, 0x1p-18, FLT_MAX)\n"
	"ARITHMETIC(64, w64, long double, fabsl, 0x1p-47, DBL_MAX)\n"
	"static inline w64 widen(w32 a) { return (w64){ a.v, a.c > 0 ? a.m * 0x1p29 : a.m, a.c }; }\n"
	"static inline w32 narrow(w64 a) { return (w32){ (double)a.v, a.m, a.c + 1 }; }\n"
	"static inline long long floordiv(long long a, long long b) { return a / b - (a % b != 0 && (a < 0) != (b < "
	"0)); }\n";

/* How a function of math.h is taken over: CALL_SMOOTH by its slope, CALL_STEP with the error of its result alone,
 * CALL_OWN by a function of the prelude. */
enum call_kind { CALL_SMOOTH, CALL_STEP, CALL_OWN };
static const struct known_call {
	const char *name;
	int n;
	enum call_kind kind;
} known_calls[] = {
	{"sqrt", 1, CALL_SMOOTH},   {"exp", 1, CALL_SMOOTH},   {"exp2", 1, CALL_SMOOTH},    {"expm1", 1, CALL_SMOOTH},
	{"log", 1, CALL_SMOOTH},    {"log2", 1, CALL_SMOOTH},  {"log10", 1, CALL_SMOOTH},   {"log1p", 1, CALL_SMOOTH},
	{"sin", 1, CALL_SMOOTH},    {"cos", 1, CALL_SMOOTH},   {"tan", 1, CALL_SMOOTH},     {"asin", 1, CALL_SMOOTH},
	{"acos", 1, CALL_SMOOTH},   {"atan", 1, CALL_SMOOTH},  {"sinh", 1, CALL_SMOOTH},    {"cosh", 1, CALL_SMOOTH},
	{"tanh", 1, CALL_SMOOTH},   {"asinh", 1, CALL_SMOOTH}, {"acosh", 1, CALL_SMOOTH},   {"atanh", 1, CALL_SMOOTH},
	{"cbrt", 1, CALL_SMOOTH},   {"erf", 1, CALL_SMOOTH},   {"erfc", 1, CALL_SMOOTH},    {"tgamma", 1, CALL_SMOOTH},
	{"lgamma", 1, CALL_SMOOTH}, {"floor", 1, CALL_STEP},   {"ceil", 1, CALL_STEP},      {"trunc", 1, CALL_STEP},
	{"round", 1, CALL_STEP},    {"rint", 1, CALL_STEP},    {"nearbyint", 1, CALL_STEP}, {"pow", 2, CALL_SMOOTH},
	{"atan2", 2, CALL_SMOOTH},  {"hypot", 2, CALL_SMOOTH}, {"fmod", 2, CALL_SMOOTH},    {"fdim", 2, CALL_SMOOTH},
	{"fabs", 1, CALL_OWN},      {"fmax", 2, CALL_OWN},     {"fmin", 2, CALL_OWN},       {"fma", 3, CALL_OWN},
	{"copysign", 2, CALL_OWN},
};

struct emitter {
	const struct outline *outline;
	const struct nest *nest;
	struct text *text;
	const char *unknown;
	int loops;
	bool counts;
};

static const char *wide_type(enum type type)
{
	if (type == TYPE_F32)
		return "w32";
	return type == TYPE_F64 ? "w64" : type_c_name(type);
}

static int width(enum type type)
{
	return type == TYPE_F32 ? 32 : 64;
}

static void emit_expr(struct emitter *emitter, const struct expr *expr);

/* Append "expr" as an integer that is not 0 when it is true. */
static void emit_truth(struct emitter *emitter, const struct expr *expr)
{
	text_append(emitter->text, "(");
	emit_expr(emitter, expr);
	text_append(emitter->text, type_is_float(expr->type) ? ".v != 0)" : ")");
}

/* Append the flat offset of a reference: ((s0 * e1 + s1) * e2 + ..). */
static void emit_offset(struct emitter *emitter, const struct expr *expr)
{
	int d;

	for (d = 0; d < expr->n; d++)
		text_append(emitter->text, "(");
	for (d = 0; d < expr->n; d++) {
		if (d > 0) {
			text_append(emitter->text, " * (long long)");
			emit_expr(emitter, expr->var->extent[d]);
			text_append(emitter->text, " + ");
		}
		text_append(emitter->text, "(long long)");
		emit_expr(emitter, expr->arg[d]);
		text_append(emitter->text, ")");
	}
}

static void emit_ref(struct emitter *emitter, const struct expr *expr)
{
	const struct var *var = expr->var;
	int v = nest_var_index(emitter->nest, var);

	if (var->kind == VAR_ITER)
		text_printf(emitter->text, "((%s)x%d)", type_c_name(var->type), v);
	else if (var->is_rows) {
		text_printf(emitter->text, "x%d[(long long)", v);
		emit_expr(emitter, expr->arg[0]);
		text_append(emitter->text, "][(long long)");
		emit_expr(emitter, expr->arg[1]);
		text_append(emitter->text, "]");
	} else if (expr->n > 0) {
		text_printf(emitter->text, "x%d[", v);
		emit_offset(emitter, expr);
		text_append(emitter->text, "]");
	} else
		text_printf(emitter->text, var->kind == VAR_LOCAL && var->rank == 0 ? "x%d" : "(*x%d)", v);
}

static const char *operator_text(enum op op)
{
	static const char *const texts[OP_COUNT] = {
		[OP_NEG] = "-", [OP_NOT] = "!",   [OP_BITNOT] = "~", [OP_ADD] = "+",  [OP_SUB] = "-", [OP_MUL] = "*",
		[OP_DIV] = "/", [OP_MOD] = "%",   [OP_SHL] = "<<",   [OP_SHR] = ">>", [OP_AND] = "&", [OP_OR] = "|",
		[OP_XOR] = "^", [OP_LT] = "<",    [OP_LE] = "<=",    [OP_GT] = ">",   [OP_GE] = ">=", [OP_EQ] = "==",
		[OP_NE] = "!=", [OP_LAND] = "&&", [OP_LOR] = "||",
	};

	return texts[op];
}

static const char *arithmetic_name(enum op op)
{
	switch (op) {
	case OP_ADD:
		return "add";
	case OP_SUB:
		return "sub";
	case OP_MUL:
		return "mul";
	case OP_DIV:
		return "div";
	default:
		return "neg";
	}
}

static void emit_float_op(struct emitter *emitter, const struct expr *expr)
{
	int i;

	text_printf(emitter->text, "%s%d(", arithmetic_name(expr->op), width(expr->type));
	for (i = 0; i < expr->n; i++) {
		text_append(emitter->text, i ? ", " : "");
		emit_expr(emitter, expr->arg[i]);
	}
	text_append(emitter->text, ")");
}

/* min, max and floordiv of integers, spelled out. */
static void emit_bound_op(struct emitter *emitter, const struct expr *expr)
{
	if (expr->op == OP_FLOORDIV) {
		text_printf(emitter->text, "(%s)floordiv(", type_c_name(expr->type));
		emit_expr(emitter, expr->arg[0]);
		text_append(emitter->text, ", ");
	} else {
		text_append(emitter->text, "(");
		emit_expr(emitter, expr->arg[0]);
		text_append(emitter->text, expr->op == OP_MIN ? " < " : " > ");
		emit_expr(emitter, expr->arg[1]);
		text_append(emitter->text, " ? ");
		emit_expr(emitter, expr->arg[0]);
		text_append(emitter->text, " : ");
	}
	emit_expr(emitter, expr->arg[1]);
	text_append(emitter->text, ")");
}

static void emit_comparison(struct emitter *emitter, const struct expr *expr)
{
	const char *member = type_is_float(expr->arg[0]->type) ? ".v" : "";

	text_append(emitter->text, "(");
	emit_expr(emitter, expr->arg[0]);
	text_printf(emitter->text, "%s %s ", member, operator_text(expr->op));
	emit_expr(emitter, expr->arg[1]);
	text_printf(emitter->text, "%s)", member);
}

static void emit_op(struct emitter *emitter, const struct expr *expr)
{
	struct text *text = emitter->text;

	if (type_is_float(expr->type))
		emit_float_op(emitter, expr);
	else if (expr->op == OP_MIN || expr->op == OP_MAX || expr->op == OP_FLOORDIV)
		emit_bound_op(emitter, expr);
	else if (expr->op >= OP_LT && expr->op <= OP_NE)
		emit_comparison(emitter, expr);
	else if (expr->op == OP_LAND || expr->op == OP_LOR) {
		text_append(text, "(");
		emit_truth(emitter, expr->arg[0]);
		text_printf(text, " %s ", operator_text(expr->op));
		emit_truth(emitter, expr->arg[1]);
		text_append(text, ")");
	} else if (expr->op == OP_NOT) {
		text_append(text, "(!");
		emit_truth(emitter, expr->arg[0]);
		text_append(text, ")");
	} else {
		text_printf(text, "((%s)(", type_c_name(expr->type));
		if (expr->n == 2)
			emit_expr(emitter, expr->arg[0]);
		text_printf(text, " %s ", operator_text(expr->op));
		emit_expr(emitter, expr->arg[expr->n - 1]);
		text_append(text, "))");
	}
}

static void emit_cast(struct emitter *emitter, const struct expr *expr)
{
	const struct expr *arg = expr->arg[0];
	bool from_float = type_is_float(arg->type), to_float = type_is_float(expr->type);

	if (from_float && to_float)
		text_append(emitter->text, expr->type == arg->type  ? "("
					   : expr->type == TYPE_F64 ? "widen("
								    : "narrow(");
	else if (to_float)
		text_printf(emitter->text, "int%d((%s)", width(expr->type),
			    expr->type == TYPE_F32 ? "double" : "long double");
	else if (from_float)
		text_printf(emitter->text, "((%s)(%s)", type_c_name(expr->type), type_c_name(arg->type));
	else
		text_printf(emitter->text, "((%s)", type_c_name(expr->type));
	emit_expr(emitter, arg);
	text_append(emitter->text, from_float && !to_float ? ".v)" : ")");
}

/* The known function that "name" is, spelled for float or double. */
static const struct known_call *find_call(const char *name, int n)
{
	size_t i, size;

	for (i = 0; i < sizeof(known_calls) / sizeof(known_calls[0]); i++) {
		size = strlen(known_calls[i].name);
		if (known_calls[i].n == n && !strncmp(known_calls[i].name, name, size) &&
		    (!name[size] || !strcmp(name + size, "f")))
			return &known_calls[i];
	}
	return NULL;
}

static void emit_arguments(struct emitter *emitter, const struct expr *expr)
{
	int i;

	for (i = 0; i < expr->n; i++) {
		text_append(emitter->text, i ? ", " : "");
		emit_expr(emitter, expr->arg[i]);
	}
	text_append(emitter->text, ")");
}

static void emit_call(struct emitter *emitter, const struct expr *expr)
{
	static const char *const integers[] = {"abs", "labs", "llabs"};
	const struct known_call *call = type_is_float(expr->type) ? find_call(expr->name, expr->n) : NULL;
	bool is_known = call != NULL;
	size_t i;

	for (i = 0; i < 3; i++)
		is_known |= type_is_integer(expr->type) && !strcmp(expr->name, integers[i]);
	if (!is_known)
		emitter->unknown = expr->name;
	if (!call)
		text_printf(emitter->text, "%s(", expr->name);
	else if (call->kind == CALL_OWN)
		text_printf(emitter->text, "%s_%d(", call->name, width(expr->type));
	else
		text_printf(emitter->text, "%s%d(%s%s, ",
			    call->kind == CALL_STEP ? "step"
			    : call->n == 1          ? "call1"
						    : "call2",
			    width(expr->type), call->name, expr->type == TYPE_F64 ? "l" : "");
	emit_arguments(emitter, expr);
}

static void emit_float(struct emitter *emitter, const struct expr *expr)
{
	if (isnan(expr->real))
		text_printf(emitter->text, "lit%d(NAN)", width(expr->type));
	else if (isinf(expr->real))
		text_printf(emitter->text, "lit%d(%sINFINITY)", width(expr->type), expr->real < 0 ? "-" : "");
	else
		text_printf(emitter->text, "lit%d(%a)", width(expr->type), expr->real);
}

static void emit_int(struct emitter *emitter, const struct expr *expr)
{
	if (expr->integer == INT64_MIN)
		text_printf(emitter->text, "((%s)(-9223372036854775807LL - 1))", type_c_name(expr->type));
	else
		text_printf(emitter->text, "((%s)%lldLL)", type_c_name(expr->type), (long long)expr->integer);
}

static void emit_expr(struct emitter *emitter, const struct expr *expr)
{
	switch (expr->kind) {
	case EXPR_INT:
		emit_int(emitter, expr);
		break;
	case EXPR_FLOAT:
		emit_float(emitter, expr);
		break;
	case EXPR_REF:
		emit_ref(emitter, expr);
		break;
	case EXPR_OP:
		emit_op(emitter, expr);
		break;
	case EXPR_CAST:
		emit_cast(emitter, expr);
		break;
	case EXPR_CALL:
		emit_call(emitter, expr);
		break;
	case EXPR_SELECT:
		text_append(emitter->text, "(");
		emit_truth(emitter, expr->arg[0]);
		text_append(emitter->text, " ? ");
		emit_expr(emitter, expr->arg[1]);
		text_append(emitter->text, " : ");
		emit_expr(emitter, expr->arg[2]);
		text_append(emitter->text, ")");
		break;
	}
}

static bool count_operation(struct expr *expr, void *context)
{
	double *operations = context;

	if (expr->kind == EXPR_CALL || (expr->kind == EXPR_OP && type_is_float(expr->type)))
		*operations += 1;
	return true;
}

/* Floating-point operations of one instance; integer ones where nothing is floating. */
static double count_operations(const struct node *node)
{
	double operations = node->op != OP_NONE ? 1 : 0;

	if (node->value)
		expr_walk(node->value, count_operation, &operations);
	return operations;
}

static void emit_list(struct emitter *emitter, const struct list *list);

static void emit_stmt(struct emitter *emitter, const struct node *node)
{
	struct expr update = {.kind = EXPR_OP, .type = node->target->type, .op = node->op, .n = 2};
	struct expr *arg[2] = {node->target, node->value};

	if (emitter->counts && (node->target->n > 0 || type_is_float(node->target->type))) {
		text_printf(emitter->text, "mode->flops += %g;\n", count_operations(node));
		return;
	}
	if (!node->value)
		return;
	update.arg = arg;
	emit_expr(emitter, node->target);
	text_append(emitter->text, " = ");
	emit_expr(emitter, node->op == OP_NONE ? node->value : &update);
	text_append(emitter->text, ";\n");
}

int64_t oracle_mutation(int loop, enum drop drop)
{
	return DROP_COUNT * (int64_t)loop + drop + 1;
}

static bool is_leaf(const struct list *list)
{
	int i;

	for (i = 0; i < list->n; i++)
		if (list->node[i]->kind != NODE_STMT ||
		    (list->node[i]->target->n == 0 && type_is_integer(list->node[i]->target->type)))
			return false;
	return true;
}

/* An innermost loop is counted without running it. */
static void emit_count(struct emitter *emitter, const struct node *node, int v)
{
	double operations = 0;
	int i;

	for (i = 0; i < node->body.n; i++)
		operations += count_operations(node->body.node[i]);
	text_printf(emitter->text, "if (x%d < x%d_hi) mode->flops += %g * (double)((x%d_hi - x%d + %lld) / %lld);\n", v,
		    v, operations, v, v, (long long)node->step - 1, (long long)node->step);
}

/* Leave out what the mode says of the loop over var "v". */
static void emit_mutations(struct emitter *emitter, int loop, int v, long long step)
{
	text_printf(emitter->text, "if (mutation == %lld) x%d += %lld;\n",
		    (long long)oracle_mutation(loop, DROP_FIRST), v, step);
	text_printf(emitter->text, "if (mutation == %lld) x%d_hi -= %lld;\n",
		    (long long)oracle_mutation(loop, DROP_LAST), v, step);
	text_printf(emitter->text, "if (mutation == %lld) x%d_hi -= %lld;\n",
		    (long long)oracle_mutation(loop, DROP_LAST_TWO), v, 2 * step);
}

static void emit_loop(struct emitter *emitter, const struct node *node)
{
	struct text *text = emitter->text;
	int v = nest_var_index(emitter->nest, node->iter), loop = emitter->loops++;
	long long step = node->step;

	text_printf(text, "{ long long x%d = ", v);
	emit_expr(emitter, node->lo);
	text_printf(text, ", x%d_hi = ", v);
	emit_expr(emitter, node->hi);
	text_append(text, ";\n");
	if (emitter->counts && is_leaf(&node->body)) {
		emit_count(emitter, node, v);
	} else {
		if (!emitter->counts)
			emit_mutations(emitter, loop, v, step);
		text_printf(text, "for (; x%d < x%d_hi; x%d += %lld) {\n", v, v, v, step);
		emit_list(emitter, &node->body);
		text_append(text, "}\n");
	}
	text_append(text, "}\n");
}

static void emit_if(struct emitter *emitter, const struct node *node)
{
	text_append(emitter->text, "if (");
	emit_truth(emitter, node->cond);
	text_append(emitter->text, ") {\n");
	emit_list(emitter, &node->body);
	text_append(emitter->text, "} else {\n");
	emit_list(emitter, &node->orelse);
	text_append(emitter->text, "}\n");
}

static void emit_list(struct emitter *emitter, const struct list *list)
{
	int i;

	for (i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];

		if (node->kind == NODE_LOOP)
			emit_loop(emitter, node);
		else if (node->kind == NODE_IF)
			emit_if(emitter, node);
		else
			emit_stmt(emitter, node);
	}
}

/* Declare the vars: those of slots as pointers, locals as what they are. */
static void emit_vars(struct emitter *emitter)
{
	const struct outline *outline = emitter->outline;
	struct text *text = emitter->text;
	int k, v, d;

	for (k = 0; k < outline->n_binding; k++) {
		const struct var *var = outline->binding[k].var;

		text_printf(text, "%s *%sx%d = strop_slot[%d];\n", wide_type(var->type), var->is_rows ? "*" : "",
			    nest_var_index(emitter->nest, var), k);
	}
	for (v = 0; v < emitter->nest->n_var; v++) {
		const struct var *var = emitter->nest->var[v];

		if (var->kind != VAR_LOCAL)
			continue;
		text_printf(text, "%s%s x%d", var->rank ? "static " : "", wide_type(var->type), v);
		for (d = 0; d < var->rank; d++) {
			text_append(text, d ? " * " : "[");
			emit_expr(emitter, var->extent[d]);
		}
		text_append(text, var->rank ? "];\n" : ";\n");
	}
}

static void emit_function(struct emitter *emitter, const char *name, bool counts)
{
	emitter->loops = 0;
	emitter->counts = counts;
	text_printf(emitter->text, "static void %s(void *const *strop_slot, struct mode *mode)\n{\n", name);
	text_append(emitter->text, "long long mutation = mode->mutation;\n");
	emit_vars(emitter);
	emit_list(emitter, &emitter->nest->body);
	text_append(emitter->text, "}\n");
}

bool oracle_emit(const struct outline *outline, struct text *text, const char **unknown)
{
	struct emitter emitter = {.outline = outline, .nest = outline->job->nest, .text = text};

	text_append(text, prelude);
	emit_function(&emitter, "run", false);
	emit_function(&emitter, "count", true);
	text_append(text, "void strop_layout(unsigned long *size) { size[0] = 0; }\n"
			  "void strop_bind(void *const *slot, const unsigned long *size) { }\n"
			  "void strop_unbind(void *const *slot, const unsigned long *size) { }\n");
	text_printf(text,
		    "void strop_run(void *const *slot)\n{\n\tstruct mode *mode = slot[%d];\n"
		    "\tif (mode->mutation < 0)\n\t\tcount(slot, mode);\n\telse\n\t\trun(slot, mode);\n}\n",
		    outline->n_binding);
	*unknown = emitter.unknown;
	return !emitter.unknown;
}
