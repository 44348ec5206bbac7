#include "action_internal.h"

#include <string.h>

struct workspace *workspace_new(struct arena *arena, const struct nest *original, enum fp_mode mode, struct diag *diag)
{
	struct workspace *workspace = ARENA_NEW(arena, struct workspace);

	workspace->arena = arena;
	workspace->original = nest_copy_whole(arena, original);
	workspace->mode = mode;
	workspace->dependences = dependences_new(workspace->original, mode, diag);
	if (!workspace->dependences)
		return NULL;
	workspace->n_vector = dependences_vectors(workspace->dependences, &workspace->vector);
	return workspace;
}

struct workspace *workspace_free(struct workspace *workspace)
{
	if (workspace) {
		for (struct workspace *restated = workspace->restated; restated; restated = restated->next)
			dependences_free(restated->dependences);
		dependences_free(workspace->dependences);
	}
	return NULL;
}

struct workspace *workspace_of(struct workspace *workspace, const struct nest *nest)
{
	for (struct workspace *restated = workspace->restated; restated; restated = restated->next)
		if (restated->original->original == nest->original)
			return restated;
	return workspace;
}

static const char *text_of(struct arena *arena, const struct nest *nest)
{
	struct text text = { 0 };
	const char *copy;

	nest_print(nest, &text);
	copy = arena_strdup(arena, text_string(&text));
	text_free(&text);
	return copy;
}

struct nest *workspace_restate(struct workspace *workspace, const struct nest *nest, struct diag *why)
{
	struct arena *arena = workspace->arena;
	const char *text = text_of(arena, nest);
	struct nest *original;
	struct workspace *made;

	for (struct workspace *restated = workspace->restated; restated; restated = restated->next)
		if (strcmp(text_of(arena, restated->original), text) == 0)
			return nest_copy_whole(arena, restated->original);
	original = nest_copy_whole(arena, nest);
	original->original = original;
	made = workspace_new(arena, original, workspace->mode, why);
	if (!made)
		return NULL;
	made->next = workspace->restated;
	workspace->restated = made;
	return nest_copy_whole(arena, original);
}

const struct nest *workspace_nest(const struct workspace *workspace)
{
	return workspace->original;
}

/* Put "action 3, tile(i:4): " before the reason in "reason". */
static void explain(struct arena *arena, const struct plan *plan, int at, const struct diag *reason, struct diag *why)
{
	struct plan single = { 1, &plan->action[at] };
	struct text text = { 0 };

	plan_print(&single, &text);
	diag_set(why, reason->code, "action %d, %s: %s", at + 1, arena_strdup(arena, text_string(&text)), reason->message);
	text_free(&text);
}

struct nest *plan_apply(struct workspace *workspace, const struct plan *plan, struct diag *why)
{
	struct nest *nest = nest_copy(workspace->original);

	for (int i = 0; i < plan->n; i++) {
		struct diag reason = { 0 };

		nest = action_apply(workspace, nest, &plan->action[i], &reason);
		if (!nest) {
			explain(workspace->arena, plan, i, &reason, why);
			return NULL;
		}
	}
	return validate(workspace_of(workspace, nest)->dependences, nest, why) ? nest : NULL;
}
