/* Random plans on the nests of test-suite/rewrite/: whatever the actions accept computes what the original does.
 *
 * Nests are run by an interpreter that checks each subscript, on arrays of small integers, for which sums are exact in any
 * order; locals start out poisoned. A failure prints the plan and the seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/plan.h"
#include "rewrite/validate.h"
#include "support/memory.h"

enum { VARS_MAX = 256, PLANS = 400, ACTIONS_MAX = 7, NAMES_MAX = 128, ELEMENTS_MAX = 1 << 16 };

/* ---- the interpreter ---- */

/* A machine that runs a nest: for each variable its elements, of which a scalar has one; integers are held as doubles, which is
 * exact for those that occur. "stores" counts writes, "is_broken" tells of a subscript out of bounds. */
struct machine {
	const struct nest *nest;
	double *element[VARS_MAX];
	int64_t count[VARS_MAX];
	int64_t steps;
	bool is_broken;
	char fault[256];
};

static int index_of(const struct machine *machine, const struct var *var)
{
	for (int i = 0; i < machine->nest->n_var; i++)
		if (machine->nest->var[i] == var)
			return i;
	fail_msg("%s is not of the nest", var->name);
	return -1;
}

static double evaluate(struct machine *machine, const struct expr *expr);

static int64_t extent(struct machine *machine, const struct var *var, int dim)
{
	return var->extent[dim] ? (int64_t)evaluate(machine, var->extent[dim]) : 64;
}

/* The element that "ref" names; that of a subscript out of bounds is the first. */
static double *locate(struct machine *machine, const struct expr *ref)
{
	int var = index_of(machine, ref->var);
	int64_t offset = 0;

	for (int d = 0; d < ref->n; d++) {
		int64_t subscript = (int64_t)evaluate(machine, ref->arg[d]), size = extent(machine, ref->var, d);

		if (subscript < 0 || subscript >= size) {
			if (!machine->is_broken)
				snprintf(machine->fault, sizeof(machine->fault), "subscript %d of %s is %lld of %lld", d, ref->var->name,
					 (long long)subscript, (long long)size);
			machine->is_broken = true;
			return machine->element[var];
		}
		offset = offset * size + subscript;
	}
	return machine->element[var] + offset;
}

static double round_to(enum type type, double value)
{
	return type == TYPE_F32 ? (double)(float)value : type_is_integer(type) ? trunc(value) : value;
}

static double operate(enum op op, enum type type, double a, double b)
{
	switch (op) {
	case OP_ADD: return a + b;
	case OP_SUB: return a - b;
	case OP_MUL: return a * b;
	case OP_DIV: return type_is_integer(type) ? trunc(a / b) : a / b;
	case OP_MOD: return fmod(a, b);
	case OP_FLOORDIV: return floor(a / b);
	case OP_MIN: return a < b ? a : b;
	case OP_MAX: return a > b ? a : b;
	case OP_LT: return a < b;
	case OP_LE: return a <= b;
	case OP_GT: return a > b;
	case OP_GE: return a >= b;
	case OP_EQ: return a == b;
	case OP_NE: return a != b;
	case OP_LAND: return a != 0 && b != 0;
	case OP_LOR: return a != 0 || b != 0;
	case OP_AND: return (double)((int64_t)a & (int64_t)b);
	case OP_OR: return (double)((int64_t)a | (int64_t)b);
	case OP_XOR: return (double)((int64_t)a ^ (int64_t)b);
	default: return NAN;
	}
}

static double call(struct machine *machine, const struct expr *expr)
{
	static const struct {
		const char *name;
		double (*one)(double);
		double (*two)(double, double);
	} known[] = {
		{ "exp", exp, NULL }, { "log", log, NULL }, { "sqrt", sqrt, NULL }, { "tanh", tanh, NULL }, { "cosh", cosh, NULL },
		{ "fabs", fabs, NULL }, { "pow", NULL, pow }, { "fmax", NULL, fmax }, { "fmin", NULL, fmin },
	};
	double a = evaluate(machine, expr->arg[0]), b = expr->n > 1 ? evaluate(machine, expr->arg[1]) : 0;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		size_t length = strlen(known[i].name);

		if (strncmp(expr->name, known[i].name, length) == 0 && (!expr->name[length] || expr->name[length] == 'f'))
			return known[i].one ? known[i].one(a) : known[i].two(a, b);
	}
	return NAN;
}

static double evaluate_op(struct machine *machine, const struct expr *expr)
{
	double a = evaluate(machine, expr->arg[0]);

	if (expr->n == 2)
		return operate(expr->op, expr->type, a, evaluate(machine, expr->arg[1]));
	return expr->op == OP_NEG ? -a : expr->op == OP_NOT ? a == 0 : (double)~(int64_t)a;
}

static double evaluate(struct machine *machine, const struct expr *expr)
{
	switch (expr->kind) {
	case EXPR_INT: return (double)expr->integer;
	case EXPR_FLOAT: return expr->real;
	case EXPR_REF: return *locate(machine, expr);
	case EXPR_OP: return round_to(expr->type, evaluate_op(machine, expr));
	case EXPR_SELECT: return evaluate(machine, expr->arg[evaluate(machine, expr->arg[0]) != 0 ? 1 : 2]);
	case EXPR_CAST: return round_to(expr->type, evaluate(machine, expr->arg[0]));
	case EXPR_CALL: return round_to(expr->type, call(machine, expr));
	}
	return 0;
}

static void poison(struct machine *machine, int var)
{
	for (int64_t i = 0; i < machine->count[var]; i++)
		machine->element[var][i] = 1e6 + (double)i;
}

static void run_list(struct machine *machine, const struct list *list);

static void run_statement(struct machine *machine, const struct node *node)
{
	double value, *target;

	if (node->declares)
		poison(machine, index_of(machine, node->target->var));
	if (!node->value)
		return;
	value = evaluate(machine, node->value);
	target = node->declares ? machine->element[index_of(machine, node->target->var)] : locate(machine, node->target);
	*target = round_to(node->target->type, node->op ? operate(node->op, node->target->type, *target, value) : value);
	machine->steps++;
}

/* Run the iterations in order; backwards where a mark says that the order does not matter. */
static void run_loop(struct machine *machine, const struct node *node)
{
	bool is_free = node->marks.parallel || node->marks.vector;
	double *iter = machine->element[index_of(machine, node->iter)];
	int64_t lo = (int64_t)evaluate(machine, node->lo), hi = (int64_t)evaluate(machine, node->hi);
	int64_t trip = hi > lo ? (hi - lo + node->step - 1) / node->step : 0;

	for (int64_t i = 0; i < trip && !machine->is_broken; i++) {
		*iter = (double)(lo + (is_free ? trip - 1 - i : i) * node->step);
		run_list(machine, &node->body);
	}
}

static void run_node(struct machine *machine, const struct node *node)
{
	switch (node->kind) {
	case NODE_LOOP:
		run_loop(machine, node);
		break;
	case NODE_IF:
		run_list(machine, evaluate(machine, node->cond) != 0 ? &node->body : &node->orelse);
		break;
	case NODE_STMT:
		run_statement(machine, node);
		break;
	}
}

static void run_list(struct machine *machine, const struct list *list)
{
	for (int i = 0; i < list->n && !machine->is_broken; i++)
		run_node(machine, list->node[i]);
}

/* A small deterministic generator (xorshift). */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static int below(uint64_t *state, int n)
{
	return (int)(next_random(state) % (uint64_t)n);
}

/* Give params sizes, and all memory its contents, by "seed" and name alone, so that two nests get the same. */
static void machine_start(struct machine *machine, const struct nest *nest, uint64_t seed)
{
	*machine = (struct machine){ .nest = nest };
	assert_true(nest->n_var <= VARS_MAX);
	for (int i = 0; i < nest->n_var; i++) {
		uint64_t state = seed * 7919 + 1;

		for (const char *c = nest->var[i]->name; *c; c++)
			state = state * 131 + (unsigned char)*c;
		machine->count[i] = 1;
		machine->element[i] = memory_alloc(sizeof(double));
		next_random(&state);
		if (nest->var[i]->kind == VAR_PARAM)
			*machine->element[i] = type_is_integer(nest->var[i]->type) ? below(&state, 12) : below(&state, 5) + 1;
		else
			*machine->element[i] = below(&state, 7) - 3;
	}
	for (int i = 0; i < nest->n_var; i++) {
		uint64_t state = seed * 104729 + (uint64_t)strlen(nest->var[i]->name);

		if (nest->var[i]->rank == 0)
			continue;
		for (int d = 0; d < nest->var[i]->rank; d++) {
			int64_t size = extent(machine, nest->var[i], d);

			machine->count[i] *= size > 0 ? size : 1;
		}
		assert_true(machine->count[i] <= ELEMENTS_MAX * 64);
		machine->element[i] = memory_resize(machine->element[i], sizeof(double) * (size_t)machine->count[i]);
		for (int64_t j = 0; j < machine->count[i]; j++)
			machine->element[i][j] = below(&state, 7) - 3;
	}
}

static void machine_stop(struct machine *machine)
{
	for (int i = 0; i < machine->nest->n_var; i++)
		free(machine->element[i]);
}

static bool is_outer(const struct var *var)
{
	return var->kind == VAR_ARRAY || (var->kind == VAR_SCALAR && var->is_live_out);
}

static bool is_close(double a, double b)
{
	return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-4 * (fabs(a) + fabs(b));
}

/* Whether running "rewritten" leaves what running "original" does; a reason in "fault" otherwise. */
static bool agrees(const struct nest *original, const struct nest *rewritten, uint64_t seed, char *fault, size_t size)
{
	static struct machine a, b;
	bool is_same = true;

	machine_start(&a, original, seed);
	machine_start(&b, rewritten, seed);
	run_list(&a, &original->body);
	run_list(&b, &rewritten->body);
	if (!a.is_broken && b.is_broken) {
		snprintf(fault, size, "%s", b.fault);
		is_same = false;
	}
	for (int i = 0; i < original->n_var && is_same && !a.is_broken; i++) {
		int other = is_outer(original->var[i]) ? index_of(&b, original->var[i]) : -1;

		for (int64_t j = 0; other >= 0 && j < a.count[i] && is_same; j++) {
			is_same = is_close(a.element[i][j], b.element[other][j]);
			if (!is_same)
				snprintf(fault, size, "element %lld of %s is %g, not %g", (long long)j, original->var[i]->name,
					 b.element[other][j], a.element[i][j]);
		}
	}
	machine_stop(&a);
	machine_stop(&b);
	return is_same;
}

/* ---- random plans ---- */

/* The names of the loops, arrays and locals of a nest, as plans may spell them. */
struct names {
	struct arena *arena;
	int n_loop, n_array, n_local;
	const char *loop[NAMES_MAX], *array[NAMES_MAX], *local[NAMES_MAX];
};

static bool visit_first(struct node *node, void *context)
{
	if (node->kind != NODE_STMT || node->label < 0)
		return true;
	*(int *)context = node->label;
	return false;
}

static bool visit_names(struct node *node, void *context)
{
	struct names *names = context;
	int label = -1;

	if (node->kind == NODE_STMT && node->declares && names->n_local < NAMES_MAX)
		names->local[names->n_local++] = node->target->var->name;
	if (node->kind != NODE_LOOP || names->n_loop == NAMES_MAX)
		return true;
	list_walk(&node->body, visit_first, &label);
	names->loop[names->n_loop++] = label < 0 ? node->iter->name :
		arena_printf(names->arena, "%s@S%d", node->iter->name, label);
	return true;
}

static struct names names_of(struct arena *arena, const struct nest *nest)
{
	struct names names = { .arena = arena };

	list_walk(&nest->body, visit_names, &names);
	for (int i = 0; i < nest->n_var && names.n_array < NAMES_MAX; i++)
		if (nest->var[i]->kind == VAR_ARRAY)
			names.array[names.n_array++] = nest->var[i]->name;
	return names;
}

static const char *pick(uint64_t *state, const char *const *from, int n)
{
	return n ? from[below(state, n)] : "none";
}

/* Two to four different loops, as text. */
static const char *pick_loops(uint64_t *state, const struct names *names)
{
	int n = 2 + below(state, 3), start = below(state, names->n_loop);
	struct text text = { 0 };
	const char *copy;

	for (int i = 0; i < n && i < names->n_loop; i++)
		text_printf(&text, "%s%s", i ? ", " : "", names->loop[(start + (below(state, 2) ? i : names->n_loop - i)) % names->n_loop]);
	copy = arena_strdup(names->arena, text_string(&text));
	text_free(&text);
	return copy;
}

static const char *random_action(uint64_t *state, const struct names *names)
{
	const char *loop = pick(state, names->loop, names->n_loop);
	struct arena *arena = names->arena;
	int size = 2 + below(state, 4);

	switch (below(state, 16)) {
	case 15: return arena_printf(arena, "skew(%d)", size);
	case 14: return arena_printf(arena, "tile_band(%d, %d)", size, 2 + below(state, 4));
	case 0:
	case 1: return arena_printf(arena, "tile(%s:%d)", loop, size);
	case 2:
	case 3: return arena_printf(arena, "order(%s)", pick_loops(state, names));
	case 4: return arena_printf(arena, "distribute(%s)", loop);
	case 5: return arena_printf(arena, "fuse(%s, %s)", loop, pick(state, names->loop, names->n_loop));
	case 6: return arena_printf(arena, "jam(%s:%d)", loop, size);
	case 7: return arena_printf(arena, "split_reduction(%s:%d)", loop, size);
	case 8: return arena_printf(arena, "promote(%s, %s)", pick(state, names->array, names->n_array), loop);
	case 9: return arena_printf(arena, "pack(%s, %s)", pick(state, names->array, names->n_array), loop);
	case 10: return arena_printf(arena, "privatize(%s)", pick(state, names->local, names->n_local));
	case 11: return arena_printf(arena, "vectorize(%s:4)", loop);
	case 12: return arena_printf(arena, "parallel(%s)", loop);
	default: return arena_printf(arena, "unroll(%s)", loop);
	}
}

/* What came of the random plans. */
struct tally {
	int tried[ACTION_COUNT], accepted[ACTION_COUNT];
	int validated, refused;
};

/* Apply random actions to "nest" and compare after each. */
static void try_plan(const struct nest *nest, const char *file, enum fp_mode mode, uint64_t seed, struct tally *tally)
{
	struct arena *arena = arena_new();
	struct diag diag = { 0 };
	struct workspace *workspace = workspace_new(arena, nest, mode, &diag);
	const struct nest *now = workspace_nest(workspace);
	uint64_t state = seed * 2654435761u + 1;
	struct text text = { 0 };

	for (int i = 0; i < ACTIONS_MAX * 3; i++) {
		struct names names = names_of(arena, now);
		const char *word = random_action(&state, &names);
		struct plan *plan = plan_parse(arena, word, &diag);
		struct diag why = { 0 };
		struct nest *next;
		char fault[256] = "";

		assert_non_null(plan);
		tally->tried[plan->action[0].kind]++;
		if (getenv("STROP_VERBOSE"))
			fprintf(stderr, "%s: %s; %s\n", file, text_string(&text), word);
		next = action_apply(workspace, now, &plan->action[0], &why);
		assert_int_equal(action_may_apply(workspace, now, &plan->action[0]), next != NULL);
		if (!next) {
			assert_true(why.message[0]);
			continue;
		}
		tally->accepted[plan->action[0].kind]++;
		text_printf(&text, "%s%s", text.size ? "; " : "", word);
		if (!nest_check(next, &why))
			fail_msg("%s, seed %llu: %s: %s", file, (unsigned long long)seed, text_string(&text), why.message);
		for (uint64_t data = 1; data <= 3; data++)
			if (!agrees(nest, next, data * 17 + seed, fault, sizeof(fault)))
				fail_msg("%s, mode %s, seed %llu, data %llu: %s: %s", file, fp_mode_name(mode), (unsigned long long)seed,
					 (unsigned long long)(data * 17 + seed), text_string(&text), fault);
		now = next;
	}
	if (text.size) {
		struct plan *plan = plan_parse(arena, text_string(&text), &diag);
		struct diag why = { 0 };
		bool is_valid = plan_apply(workspace, plan, &why) != NULL;

		tally->validated += is_valid;
		tally->refused += !is_valid;
		if (!is_valid && getenv("STROP_VERBOSE"))
			printf("%s %s: %s -> %s\n", file, fp_mode_name(mode), text_string(&text), why.message);
	}
	text_free(&text);
	workspace_free(workspace);
	arena_free(arena);
}

static struct nest *load(struct arena *arena, const char *path)
{
	FILE *file = fopen(path, "rb");
	struct text text = { 0 };
	struct diag diag = { 0 };
	char line[4096];
	struct nest *nest;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file) && strncmp(line, "=== ", 4) != 0)
		text_append(&text, line);
	fclose(file);
	nest = nest_parse(arena, text_string(&text), &diag);
	if (!nest)
		fail_msg("%s: %s", path, diag.message);
	text_free(&text);
	return nest;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void test_random(void **state)
{
	int plans = getenv("STROP_PLANS") ? atoi(getenv("STROP_PLANS")) : PLANS;
	DIR *folder = opendir(TEST_SUITE "/rewrite");
	struct arena *arena = arena_new();
	struct tally tally = { 0 };
	struct dirent *entry;
	char *name[NAMES_MAX];
	int n = 0;

	(void)state;
	assert_non_null(folder);
	while ((entry = readdir(folder)) && n < NAMES_MAX)
		if (strstr(entry->d_name, ".plans"))
			name[n++] = arena_strdup(arena, entry->d_name);
	closedir(folder);
	qsort(name, (size_t)n, sizeof(*name), compare_names);
	for (int i = 0; i < plans; i++) {
		const char *file = name[i % n];
		struct nest *nest = load(arena, arena_printf(arena, "%s/rewrite/%s", TEST_SUITE, file));

		try_plan(nest, file, i / n % 2 ? FP_REASSOC : FP_ORDERED, (uint64_t)i + 1, &tally);
	}
	for (int i = 0; i < ACTION_COUNT; i++)
		printf("%-16s accepted %d of %d\n", action_info((enum action_kind)i)->name, tally.accepted[i], tally.tried[i]);
	printf("validated %d, refused %d\n", tally.validated, tally.refused);
	assert_true(tally.validated > tally.refused);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_random) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
