#include "fuzz_plain.h"

#include <math.h>
#include <string.h>

struct printer {
	struct text *text;
	const struct nest *nest, *original;
	struct fuzz_plain how;
	int n_loop;
};

static bool is_outside(const struct var *var)
{
	return var->kind == VAR_PARAM || var->kind == VAR_SCALAR || var->kind == VAR_ARRAY;
}

int fuzz_slots(const struct nest *nest, const struct var **slot, int max)
{
	int n = 0;

	for (int i = 0; i < nest->n_var && n < max; i++)
		if (is_outside(nest->var[i]))
			slot[n++] = nest->var[i];
	return n;
}

static int slot_of(const struct nest *original, const char *name)
{
	int n = 0;

	for (int i = 0; i < original->n_var; i++) {
		if (!is_outside(original->var[i]))
			continue;
		if (strcmp(original->var[i]->name, name) == 0)
			return n;
		n++;
	}
	return -1;
}

static int number_of(const struct printer *p, const struct var *var)
{
	int v = 0;

	while (p->nest->var[v] != var)
		v++;
	return v;
}

static const char *type_text(const struct printer *p, enum type type)
{
	if (p->how.is_wide && type_is_float(type))
		return type == TYPE_F32 ? "double" : "long double";
	return type_c_name(type);
}

static void expr_text(struct printer *p, const struct expr *expr);

static void offset_text(struct printer *p, const struct expr *ref)
{
	for (int d = 0; d < ref->n; d++)
		text_append(p->text, "(");
	for (int d = 0; d < ref->n; d++) {
		if (d) {
			text_append(p->text, " * (long long)");
			expr_text(p, ref->var->extent[d]);
			text_append(p->text, " + ");
		}
		text_append(p->text, "(long long)");
		expr_text(p, ref->arg[d]);
		text_append(p->text, ")");
	}
}

static void ref_text(struct printer *p, const struct expr *expr)
{
	const struct var *var = expr->var;
	int v = number_of(p, var);

	if (var->kind == VAR_ITER) {
		text_printf(p->text, "((%s)x%d)", type_c_name(var->type), v);
	} else if (expr->n) {
		text_printf(p->text, "x%d[", v);
		offset_text(p, expr);
		text_append(p->text, "]");
	} else {
		text_printf(p->text, var->kind == VAR_LOCAL ? "x%d" : "(*x%d)", v);
	}
}

static const char *sign_of(enum op op)
{
	static const char *const signs[OP_COUNT] = {
		[OP_NEG] = "-", [OP_NOT] = "!", [OP_BITNOT] = "~", [OP_ADD] = "+", [OP_SUB] = "-", [OP_MUL] = "*",
		[OP_DIV] = "/", [OP_MOD] = "%", [OP_SHL] = "<<", [OP_SHR] = ">>", [OP_AND] = "&", [OP_OR] = "|",
		[OP_XOR] = "^", [OP_LT] = "<", [OP_LE] = "<=", [OP_GT] = ">", [OP_GE] = ">=", [OP_EQ] = "==",
		[OP_NE] = "!=", [OP_LAND] = "&&", [OP_LOR] = "||",
	};

	return signs[op];
}

static void between_text(struct printer *p, const struct expr *expr, const char *before, const char *between, const char *after)
{
	text_append(p->text, before);
	expr_text(p, expr->arg[0]);
	text_append(p->text, between);
	expr_text(p, expr->arg[1]);
	text_append(p->text, after);
}

static void op_text(struct printer *p, const struct expr *expr)
{
	const char *type = type_text(p, expr->type);

	if (expr->op == OP_FLOORDIV) {
		text_printf(p->text, "((%s)fuzz_floordiv", type);
		between_text(p, expr, "(", ", ", "))");
	} else if (expr->op == OP_MIN || expr->op == OP_MAX) {
		between_text(p, expr, "(", expr->op == OP_MIN ? " < " : " > ", " ? ");
		expr_text(p, expr->arg[0]);
		text_append(p->text, " : ");
		expr_text(p, expr->arg[1]);
		text_append(p->text, ")");
	} else if (expr->n == 1) {
		text_printf(p->text, "((%s)(%s", type, sign_of(expr->op));
		expr_text(p, expr->arg[0]);
		text_append(p->text, "))");
	} else {
		text_printf(p->text, "((%s)(", type);
		expr_text(p, expr->arg[0]);
		text_printf(p->text, " %s ", sign_of(expr->op));
		expr_text(p, expr->arg[1]);
		text_append(p->text, "))");
	}
}

/* A function of math.h for the wider type: fabsf becomes fabs, fabs becomes fabsl. */
static void call_text(struct printer *p, const struct expr *expr)
{
	size_t size = strlen(expr->name);

	if (p->how.is_wide && expr->type == TYPE_F32)
		text_append_bytes(p->text, expr->name, size - 1);
	else
		text_append(p->text, expr->name);
	text_append(p->text, p->how.is_wide && expr->type == TYPE_F64 ? "l(" : "(");
	for (int i = 0; i < expr->n; i++) {
		text_append(p->text, i ? ", " : "");
		expr_text(p, expr->arg[i]);
	}
	text_append(p->text, ")");
}

static void float_text(struct printer *p, const struct expr *expr)
{
	if (isnan(expr->real) || isinf(expr->real))
		text_printf(p->text, "(%s)%s", type_text(p, expr->type),
			    isnan(expr->real) ? "NAN" : expr->real < 0 ? "-INFINITY" : "INFINITY");
	else
		text_printf(p->text, "((%s)%a%s)", type_text(p, expr->type), expr->real, expr->type == TYPE_F32 ? "f" : "");
}

static void expr_text(struct printer *p, const struct expr *expr)
{
	switch (expr->kind) {
	case EXPR_INT:
		text_printf(p->text, "((%s)%lldLL)", type_c_name(expr->type), (long long)expr->integer);
		break;
	case EXPR_FLOAT: float_text(p, expr); break;
	case EXPR_REF: ref_text(p, expr); break;
	case EXPR_OP: op_text(p, expr); break;
	case EXPR_CALL: call_text(p, expr); break;
	case EXPR_CAST:
		text_printf(p->text, "((%s)", type_text(p, expr->type));
		expr_text(p, expr->arg[0]);
		text_append(p->text, ")");
		break;
	case EXPR_SELECT:
		between_text(p, expr, "(", " ? ", " : ");
		expr_text(p, expr->arg[2]);
		text_append(p->text, ")");
	}
}

/* What "stmt" assigns, operator included. */
static void assigned_text(struct printer *p, const struct node *stmt)
{
	struct expr *arg[2] = { stmt->target, stmt->value };
	struct expr update = { .kind = EXPR_OP, .type = stmt->target->type, .op = stmt->op, .n = 2, .arg = arg };

	expr_text(p, stmt->op == OP_NONE ? stmt->value : &update);
}

static void stmt_text(struct printer *p, const struct node *stmt)
{
	if (!stmt->value)
		return;
	expr_text(p, stmt->target);
	text_append(p->text, " = ");
	assigned_text(p, stmt);
	text_append(p->text, ";\n");
}

static void list_text(struct printer *p, const struct list *list);

static bool is_straight(const struct node *loop)
{
	for (int i = 0; i < loop->body.n; i++)
		if (loop->body.node[i]->kind != NODE_STMT || loop->body.node[i]->target->var->kind == VAR_LOCAL)
			return false;
	return true;
}

/* Whether lanes may meet in the target: a reduction, whose lanes are folded into it one by one. */
static bool is_folding(const struct node *stmt)
{
	return stmt->op != OP_NONE || (stmt->value && expr_uses(stmt->value, stmt->target->var));
}

/* Vector steps: of each statement all lanes are computed before any is stored. */
static void vector_text(struct printer *p, const struct node *loop, int n)
{
	int v = number_of(p, loop->iter);

	text_printf(p->text, "for (long long g%d = lo%d; g%d < hi%d; g%d += %lld) {\n", n, n, n, n, n,
		    (long long)loop->step * loop->marks.vector);
	for (int i = 0; i < loop->body.n; i++) {
		const struct node *stmt = loop->body.node[i];

		if (is_folding(stmt)) {
			text_printf(p->text, "for (int l = 0; l < %d; l++) {\nlong long x%d = g%d + l * %lldLL;\nif (x%d < hi%d) ",
				    loop->marks.vector, v, n, (long long)loop->step, v, n);
			stmt_text(p, stmt);
			text_append(p->text, "}\n");
			continue;
		}
		text_printf(p->text, "{\n%s t[%d];\nfor (int l = 0; l < %d; l++) {\nlong long x%d = g%d + l * %lldLL;\n"
			    "if (x%d < hi%d) t[l] = ", type_text(p, stmt->target->type), loop->marks.vector, loop->marks.vector, v, n,
			    (long long)loop->step, v, n);
		assigned_text(p, stmt);
		text_printf(p->text, ";\n}\nfor (int l = 0; l < %d; l++) {\nlong long x%d = g%d + l * %lldLL;\nif (x%d < hi%d) ",
			    loop->marks.vector, v, n, (long long)loop->step, v, n);
		expr_text(p, stmt->target);
		text_append(p->text, " = t[l];\n}\n}\n");
	}
	text_append(p->text, "}\n");
}

static void loop_text(struct printer *p, const struct node *loop)
{
	int v = number_of(p, loop->iter), n = p->n_loop++;
	long long step = loop->step;

	text_printf(p->text, "{\nconst long long lo%d = ", n);
	expr_text(p, loop->lo);
	text_printf(p->text, ", hi%d = ", n);
	expr_text(p, loop->hi);
	text_append(p->text, ";\n");
	if (p->how.is_shuffled && loop->marks.vector > 1 && is_straight(loop)) {
		vector_text(p, loop, n);
	} else {
		if (p->how.is_shuffled && loop->marks.parallel)
			text_printf(p->text, "if (lo%d < hi%d) for (long long x%d = lo%d + (hi%d - 1 - lo%d) / %lld * %lld; x%d >= lo%d; "
				    "x%d -= %lld) {\n", n, n, v, n, n, n, step, step, v, n, v, step);
		else
			text_printf(p->text, "for (long long x%d = lo%d; x%d < hi%d; x%d += %lld) {\n", v, n, v, n, v, step);
		list_text(p, &loop->body);
		text_append(p->text, "}\n");
	}
	text_append(p->text, "}\n");
}

static void if_text(struct printer *p, const struct node *node)
{
	text_append(p->text, "if (");
	expr_text(p, node->cond);
	text_append(p->text, ") {\n");
	list_text(p, &node->body);
	text_append(p->text, "} else {\n");
	list_text(p, &node->orelse);
	text_append(p->text, "}\n");
}

static void list_text(struct printer *p, const struct list *list)
{
	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];

		if (node->kind == NODE_LOOP)
			loop_text(p, node);
		else if (node->kind == NODE_IF)
			if_text(p, node);
		else
			stmt_text(p, node);
	}
}

static void slots_text(struct printer *p)
{
	for (int i = 0; i < p->nest->n_var; i++) {
		const struct var *var = p->nest->var[i];

		if (is_outside(var))
			text_printf(p->text, "%s *x%d = v[%d];\n", type_text(p, var->type), i, slot_of(p->original, var->name));
	}
}

static void locals_text(struct printer *p)
{
	for (int i = 0; i < p->nest->n_var; i++) {
		const struct var *var = p->nest->var[i];

		if (var->kind != VAR_LOCAL)
			continue;
		text_printf(p->text, "%s%s x%d", var->rank ? "static " : "", type_text(p, var->type), i);
		for (int d = 0; d < var->rank; d++) {
			text_append(p->text, d ? " * " : "[");
			expr_text(p, var->extent[d]);
		}
		text_append(p->text, var->rank ? "];\n" : ";\n");
	}
}

void fuzz_plain_print(struct text *text, const char *name, const struct nest *nest, const struct nest *original,
		      struct fuzz_plain how)
{
	struct printer p = { text, nest, original, how, 0 };

	text_printf(text, "static void %s(void *const *v)\n{\n", name);
	slots_text(&p);
	locals_text(&p);
	list_text(&p, &nest->body);
	text_append(text, "}\n");
}

void fuzz_count_print(struct text *text, const char *name, const struct nest *original)
{
	struct printer p = { text, original, original, { false, false }, 0 };

	text_printf(text, "static long %s(void *const *v, long *count)\n{\nlong least = 1 << 30, extent;\n", name);
	slots_text(&p);
	for (int i = 0; i < original->n_var; i++) {
		const struct var *var = original->var[i];
		int slot = slot_of(original, var->name);

		if (var->kind != VAR_ARRAY)
			continue;
		text_printf(text, "count[%d] = 1;\n", slot);
		for (int d = 0; d < var->rank; d++) {
			text_append(text, "extent = ");
			expr_text(&p, var->extent[d]);
			text_printf(text, ";\nleast = extent < least ? extent : least;\ncount[%d] *= extent;\n", slot);
		}
	}
	text_append(text, "return least;\n}\n");
}
