#include "draft.h"

#include <string.h>

struct draft draft_new(struct arena *arena, const struct task *task)
{
	struct draft draft = { .arena = arena, .task = task, .nest = task->nest, .text = "" };
	draft.shape = shape_new(arena, task->nest, task->n_size, task->size);
	return draft;
}

bool draft_try(struct draft *draft, const char *format, ...)
{
	const struct nest *nest = draft->nest;
	struct diag why = { 0 };
	struct plan *plan;
	const char *text;
	va_list args;
	va_start(args, format);
	text = arena_vprintf(draft->arena, format, args);
	va_end(args);
	plan = plan_parse(draft->arena, text, &why);
	for (int i = 0; plan && nest && i < plan->n; i++)
		nest = action_apply(draft->task->workspace, nest, &plan->action[i], &why);
	if (!plan || !nest)
		return false;
	draft->nest = nest;
	draft->shape = shape_new(draft->arena, nest, draft->task->n_size, draft->task->size);
	draft->text = *draft->text ? arena_printf(draft->arena, "%s; %s", draft->text, text) : text;
	return true;
}

const char *plan_canonical(struct arena *arena, const char *text)
{
	struct diag why = { 0 };
	struct text printed = { 0 };
	struct plan *plan = plan_parse(arena, text, &why);
	const char *canonical;
	if (!plan)
		return NULL;
	plan_print(plan, &printed);
	canonical = arena_strdup(arena, text_string(&printed));
	text_free(&printed);
	return canonical;
}

const char *draft_plan(const struct draft *draft)
{
	return plan_canonical(draft->arena, draft->text);
}

const char *draft_loop(const struct draft *draft, const char *iter, int label)
{
	const struct shape *shape = draft->shape;
	int s = shape_find_stmt(shape, label);
	for (int d = s < 0 ? -1 : shape->stmt[s].depth - 1; d >= 0; d--) {
		const struct loop_shape *loop = &shape->loop[shape->stmt[s].loop[d]];
		if (strcmp(loop->node->iter->name, iter) == 0)
			return loop->name;
	}
	return NULL;
}

const char *draft_add_loop(const struct draft *draft, const char *loops, const char *iter, int label)
{
	const char *name = iter ? draft_loop(draft, iter, label) : NULL;
	if (!name)
		return loops;
	return *loops ? arena_printf(draft->arena, "%s, %s", loops, name) : name;
}

const char *draft_parent(const struct draft *draft, const char *iter, int label)
{
	const struct shape *shape = draft->shape;
	const struct stmt_shape *stmt = &shape->stmt[shape_find_stmt(shape, label)];
	for (int d = 1; d < stmt->depth; d++)
		if (strcmp(shape->loop[stmt->loop[d]].node->iter->name, iter) == 0)
			return shape->loop[stmt->loop[d - 1]].node->iter->name;
	return NULL;
}
