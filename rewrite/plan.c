#include "plan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Where the parser stands in "text". */
struct reader {
	struct arena *arena;
	const char *text, *at;
	struct diag *diag;
};

enum { LIST_DEPTH_MAX = 1, ITEM_MAX = 64, ACTION_MAX = 1000 };

static const struct action_info infos[] = {
#define ACTION(name, arguments, targets, sentence) { #name, arguments, targets, sentence },
#include "actions.def"
#undef ACTION
};

const struct action_info *action_info(enum action_kind kind)
{
	return &infos[kind];
}

static bool action_find(const char *name, enum action_kind *kind)
{
	for (int i = 0; i < ACTION_COUNT; i++) {
		if (strcmp(infos[i].name, name) == 0) {
			*kind = (enum action_kind)i;
			return true;
		}
	}
	return false;
}

static void skip_space(struct reader *reader)
{
	while (isspace((unsigned char)*reader->at))
		reader->at++;
}

/* Record "what" is wrong here; false. */
static bool complain(struct reader *reader, const char *what)
{
	size_t column = (size_t)(reader->at - reader->text) + 1;

	if (*reader->at)
		diag_set(reader->diag, EXIT_INPUT, "plan, column %zu: %s before \"%.20s\"", column, what, reader->at);
	else
		diag_set(reader->diag, EXIT_INPUT, "plan, column %zu: %s at the end", column, what);
	return false;
}

static bool accept(struct reader *reader, char c)
{
	skip_space(reader);
	if (*reader->at != c)
		return false;
	reader->at++;
	return true;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* An identifier, or NULL. */
static const char *read_word(struct reader *reader)
{
	const char *begin = reader->at;

	if (!isalpha((unsigned char)*begin) && *begin != '_')
		return NULL;
	while (is_word(*reader->at))
		reader->at++;
	return arena_strndup(reader->arena, begin, (size_t)(reader->at - begin));
}

/* An identifier with its ".1" and ".p" endings, or NULL. */
static const char *read_name(struct reader *reader)
{
	const char *begin = reader->at;

	if (!read_word(reader))
		return NULL;
	while (*reader->at == '.' && is_word(reader->at[1])) {
		reader->at++;
		while (is_word(*reader->at))
			reader->at++;
	}
	return arena_strndup(reader->arena, begin, (size_t)(reader->at - begin));
}

static bool read_number(struct reader *reader, int64_t *number)
{
	skip_space(reader);
	if (!isdigit((unsigned char)*reader->at))
		return complain(reader, "a number is missing");
	*number = 0;
	while (isdigit((unsigned char)*reader->at)) {
		*number = *number * 10 + (*reader->at++ - '0');
		if (*number > INT32_MAX)
			return complain(reader, "a number is too large");
	}
	return true;
}

/* The label after "@", as in S12. */
static bool read_label(struct reader *reader, int *label)
{
	int64_t number;

	skip_space(reader);
	if (*reader->at != 'S')
		return complain(reader, "a label such as S0 is missing");
	reader->at++;
	if (!read_number(reader, &number))
		return false;
	*label = (int)number;
	return true;
}

static bool read_name_arg(struct reader *reader, struct arg *arg)
{
	arg->kind = ARG_NAME;
	arg->name = read_name(reader);
	if (!arg->name)
		return complain(reader, "a name, a number or a list is missing");
	if (accept(reader, '@') && !read_label(reader, &arg->label))
		return false;
	return !accept(reader, ':') || read_number(reader, &arg->size);
}

static bool read_args(struct reader *reader, char end, int depth, int *n, struct arg **args);

static bool read_arg(struct reader *reader, int depth, struct arg *arg)
{
	*arg = (struct arg){ .label = -1, .size = -1 };
	skip_space(reader);
	if (*reader->at == '[') {
		if (depth == LIST_DEPTH_MAX)
			return complain(reader, "a list within a list");
		reader->at++;
		arg->kind = ARG_LIST;
		return read_args(reader, ']', depth + 1, &arg->n, &arg->item);
	}
	if (isdigit((unsigned char)*reader->at)) {
		arg->kind = ARG_INT;
		return read_number(reader, &arg->size);
	}
	return read_name_arg(reader, arg);
}

/* Arguments up to and including "end". */
static bool read_args(struct reader *reader, char end, int depth, int *n, struct arg **args)
{
	struct arg found[ITEM_MAX];
	int count = 0;

	if (!accept(reader, end)) {
		do {
			if (count == ITEM_MAX)
				return complain(reader, "too many arguments");
			if (!read_arg(reader, depth, &found[count++]))
				return false;
		} while (accept(reader, ','));
		if (!accept(reader, end))
			return complain(reader, end == ')' ? "',' or ')' is missing" : "',' or ']' is missing");
	}
	*n = count;
	*args = ARENA_ARRAY(reader->arena, struct arg, count);
	if (count)
		memcpy(*args, found, sizeof(*found) * (size_t)count);
	return true;
}

static bool read_action(struct reader *reader, struct action *action)
{
	const char *begin, *word;

	skip_space(reader);
	begin = reader->at;
	word = read_word(reader);
	if (!word)
		return complain(reader, "an action is missing");
	if (!action_find(word, &action->kind)) {
		reader->at = begin;
		diag_set(reader->diag, EXIT_INPUT, "plan, column %zu: there is no action \"%s\"",
			 (size_t)(begin - reader->text) + 1, word);
		return false;
	}
	if (!accept(reader, '('))
		return complain(reader, "'(' is missing");
	return read_args(reader, ')', 0, &action->n, &action->arg);
}

static void plan_add(struct arena *arena, struct plan *plan, const struct action *action)
{
	struct action *grown = ARENA_ARRAY(arena, struct action, plan->n + 1);

	if (plan->n)
		memcpy(grown, plan->action, sizeof(*grown) * (size_t)plan->n);
	grown[plan->n++] = *action;
	plan->action = grown;
}

struct plan *plan_parse(struct arena *arena, const char *text, struct diag *diag)
{
	struct reader reader = { arena, text, text, diag };
	struct plan *plan = ARENA_NEW(arena, struct plan);
	struct action action;

	for (;;) {
		skip_space(&reader);
		if (!*reader.at)
			return plan;
		if (plan->n == ACTION_MAX) {
			complain(&reader, "too many actions");
			return NULL;
		}
		if (!read_action(&reader, &action))
			return NULL;
		plan_add(arena, plan, &action);
		skip_space(&reader);
		if (*reader.at && !accept(&reader, ';')) {
			complain(&reader, "';' is missing");
			return NULL;
		}
	}
}

static void print_args(int n, const struct arg *args, struct text *text);

static void print_arg(const struct arg *arg, struct text *text)
{
	switch (arg->kind) {
	case ARG_INT:
		text_printf(text, "%lld", (long long)arg->size);
		return;
	case ARG_LIST:
		text_append_char(text, '[');
		print_args(arg->n, arg->item, text);
		text_append_char(text, ']');
		return;
	case ARG_NAME:
		text_append(text, arg->name);
		if (arg->label >= 0)
			text_printf(text, "@S%d", arg->label);
		if (arg->size >= 0)
			text_printf(text, ":%lld", (long long)arg->size);
		return;
	}
}

static void print_args(int n, const struct arg *args, struct text *text)
{
	for (int i = 0; i < n; i++) {
		if (i)
			text_append(text, ", ");
		print_arg(&args[i], text);
	}
}

/* order([i, j]) is order(i, j). */
static void print_action(const struct action *action, struct text *text)
{
	bool is_wrapped = action->kind == ACTION_order && action->n == 1 && action->arg[0].kind == ARG_LIST;

	text_printf(text, "%s(", infos[action->kind].name);
	if (is_wrapped)
		print_args(action->arg[0].n, action->arg[0].item, text);
	else
		print_args(action->n, action->arg, text);
	text_append_char(text, ')');
}

/* Marks touch nothing but the mark that they set, so that they commute with each other. */
static bool is_mark(const struct action *action)
{
	return action->kind == ACTION_vectorize || action->kind == ACTION_unroll || action->kind == ACTION_parallel ||
	       action->kind == ACTION_edge;
}

/* Marks in canonical order: by loop name and label, then by kind; two that set the same mark of the same loop are equal. */
static int compare_marks(const struct action *a, const struct action *b)
{
	int order;

	if (!a->n || !b->n || a->arg[0].kind != ARG_NAME || b->arg[0].kind != ARG_NAME)
		return 0;
	order = strcmp(a->arg[0].name, b->arg[0].name);
	if (!order)
		order = (a->arg[0].label > b->arg[0].label) - (a->arg[0].label < b->arg[0].label);
	return order ? order : ((int)a->kind > (int)b->kind) - ((int)a->kind < (int)b->kind);
}

/* Sort order[0..n) of marks by insertion, which is stable. */
static void sort_marks(const struct action **order, int n)
{
	for (int i = 1; i < n; i++) {
		const struct action *moved = order[i];
		int j = i;

		for (; j > 0 && compare_marks(order[j - 1], moved) > 0; j--)
			order[j] = order[j - 1];
		order[j] = moved;
	}
}

/* "order" becomes the actions of "plan" with each run of marks sorted. */
static void order_canonically(const struct plan *plan, const struct action **order)
{
	int begin = 0;

	for (int i = 0; i < plan->n; i++) {
		order[i] = &plan->action[i];
		if (!is_mark(order[i])) {
			sort_marks(order + begin, i - begin);
			begin = i + 1;
		}
	}
	sort_marks(order + begin, plan->n - begin);
}

void plan_print(const struct plan *plan, struct text *text)
{
	struct arena *arena = arena_new();
	const struct action **order = ARENA_ARRAY(arena, const struct action *, plan->n);

	order_canonically(plan, order);
	for (int i = 0; i < plan->n; i++) {
		if (i)
			text_append(text, "; ");
		print_action(order[i], text);
	}
	arena_free(arena);
}
