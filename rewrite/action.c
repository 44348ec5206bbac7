#include "action_internal.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

typedef enum status action_function(struct rewrite *rewrite, const struct action *action);

static action_function *const functions[] = {
#define ACTION(name, arguments, targets, sentence) action_##name,
#include "actions.def"
#undef ACTION
};

enum status refuse(struct rewrite *rewrite, const char *format, ...)
{
	char sentence[sizeof(rewrite->why->message)];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	return diag_set(rewrite->why, EXIT_INPUT, "%s", sentence);
}

/* Number the statements of the original that have no label (declarations), so that plans can turn them into assignments.
 * Their labels follow the others in text order. */
static bool label_statement(struct node *node, void *context)
{
	struct nest *nest = context;

	if (node->kind == NODE_STMT && node->origin && node->label < 0)
		node->label = nest->n_label++;
	return true;
}

struct nest *nest_copy_whole(struct arena *arena, const struct nest *nest)
{
	struct nest moved = *nest;
	struct nest *copy;

	moved.arena = arena;
	copy = nest_copy(&moved);
	for (int i = 0; i < copy->body.n; i++)
		copy->body.node[i] = node_copy_deep(arena, copy->body.node[i]);
	list_walk(&copy->body, label_statement, copy);
	return copy;
}

struct rewrite rewrite_fork(const struct rewrite *rewrite, struct diag *why)
{
	return (struct rewrite){ rewrite->workspace, rewrite->arena, nest_copy_whole(rewrite->arena, rewrite->nest), why };
}

/* Whether what an action made is a nest; in debug builds the reason goes to stderr when it is not. */
__attribute__((unused)) static bool is_sound(const struct nest *nest)
{
	struct diag broken = { 0 };
	bool result = nest_check(nest, &broken);

	if (!result)
		fprintf(stderr, "an action broke the nest: %s\n", broken.message);
	return result;
}

/* The most loops that nest below "list". */
static int depth_of(const struct list *list)
{
	int most = 0;

	for (int i = 0; i < list->n; i++) {
		const struct node *node = list->node[i];
		int body = depth_of(&node->body), orelse = depth_of(&node->orelse);
		int depth = (body > orelse ? body : orelse) + (node->kind == NODE_LOOP);

		most = depth > most ? depth : most;
	}
	return most;
}

/* The result of "action" on a copy of "nest" made in "arena"; NULL and the reason. */
static struct nest *apply(const struct workspace *workspace, struct arena *arena, const struct nest *nest,
			  const struct action *action, struct diag *why)
{
	struct rewrite rewrite = { workspace, arena, nest_copy_whole(arena, nest), why };

	if (functions[action->kind](&rewrite, action) != STATUS_OK)
		return NULL;
	if (depth_of(&rewrite.nest->body) >= PATH_MAX_LOOPS) {
		refuse(&rewrite, "more than %d loops would nest", PATH_MAX_LOOPS - 1);
		return NULL;
	}
	assert(is_sound(rewrite.nest));
	return rewrite.nest;
}

struct nest *action_apply(struct workspace *workspace, const struct nest *nest, const struct action *action,
			  struct diag *why)
{
	struct diag reason = { 0 };
	struct nest *result = apply(workspace_of(workspace, nest), workspace->arena, nest, action, &reason);

	if (result && action->kind == ACTION_load)
		result = workspace_restate(workspace, result, &reason);
	if (!result)
		diag_set(why, reason.code, "%s", reason.message);
	return result;
}

bool action_may_apply(struct workspace *workspace, const struct nest *nest, const struct action *action)
{
	struct arena *scratch = arena_new();
	struct diag reason = { 0 };
	bool result = apply(workspace_of(workspace, nest), scratch, nest, action, &reason) != NULL;

	arena_free(scratch);
	return result;
}
