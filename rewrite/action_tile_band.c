#include <string.h>

#include "action_internal.h"
#include "isl_ast.h"
#include "isl_band.h"
#include "isl_skew.h"

enum { SIZES_MAX = 8, SIZE_MAX_BAND = 1 << 12 };

/* Whether isl sees all that the nest does: no condition on data, no local that lives in a loop. */
static enum status check_plain(struct rewrite *rewrite, const struct tree *tree)
{
	for (int i = 0; i < tree->n; i++) {
		if (tree->placed[i].n_guard)
			return refuse(rewrite, "S%d depends on a condition or bound that is not linear", tree->placed[i].node->label);
		if (tree->placed[i].node->declares)
			return refuse(rewrite, "%s lives inside a loop", tree->placed[i].node->target->var->name);
	}
	return STATUS_OK;
}

/* Whether the nest is the original still, and one that can be ordered anew as a whole. */
static enum status check_whole(struct rewrite *rewrite, const struct action *action)
{
	if (!rewrite_is_fresh(rewrite))
		return refuse(rewrite, "%s orders the whole nest anew, and must come first", action_info(action->kind)->name);
	return check_plain(rewrite, rewrite->workspace->dependences->tree);
}

static enum status read_sizes(struct rewrite *rewrite, const struct action *action, int64_t size[SIZES_MAX])
{
	if (action->n < 1 || action->n > SIZES_MAX)
		return refuse(rewrite, "%s needs sizes, as in %s(32)", action_info(action->kind)->name, action_info(action->kind)->name);
	for (int i = 0; i < action->n; i++) {
		if (action->arg[i].kind != ARG_INT || action->arg[i].size < 2 || action->arg[i].size > SIZE_MAX_BAND)
			return refuse(rewrite, "the sizes of %s go from 2 to %d", action_info(action->kind)->name, SIZE_MAX_BAND);
		size[i] = action->arg[i].size;
	}
	return STATUS_OK;
}

enum status action_tile_band(struct rewrite *rewrite, const struct action *action)
{
	const struct dependences *dependences = rewrite->workspace->dependences;
	int64_t size[SIZES_MAX];
	struct ast_bands bands = { 0 };
	isl_ast_node *ast;
	enum status status;

	if (read_sizes(rewrite, action, size) != STATUS_OK || check_whole(rewrite, action) != STATUS_OK)
		return STATUS_FAILED;
	ast = band_ast(dependences, action->n, size, &bands.n, &bands.first, rewrite->why);
	if (!ast)
		return STATUS_FAILED;
	status = ast_to_nest(rewrite, dependences, ast, &bands);
	isl_ast_node_free(ast);
	return status == STATUS_OK ? scope_check(rewrite) : STATUS_FAILED;
}

enum status action_skew(struct rewrite *rewrite, const struct action *action)
{
	const struct dependences *dependences = rewrite->workspace->dependences;
	const bool by_column = action->n == 2 && action->arg[1].kind == ARG_NAME && !strcmp(action->arg[1].name, "columns");
	const struct ast_bands bands = { .n = 1, .first = 0, .apart = by_column ? 2 : 1 };
	const struct action sized = { .kind = action->kind, .n = by_column ? 1 : action->n, .arg = action->arg };
	int64_t size[SIZES_MAX];
	isl_ast_node *ast;
	enum status status;

	if (read_sizes(rewrite, &sized, size) != STATUS_OK || check_whole(rewrite, action) != STATUS_OK)
		return STATUS_FAILED;
	if (sized.n > 1)
		return refuse(rewrite, "skew takes one size, and perhaps the word columns");
	ast = skew_ast(dependences, size[0], by_column, rewrite->why);
	if (!ast)
		return STATUS_FAILED;
	status = ast_to_nest(rewrite, dependences, ast, &bands);
	isl_ast_node_free(ast);
	return status == STATUS_OK ? scope_check(rewrite) : STATUS_FAILED;
}
