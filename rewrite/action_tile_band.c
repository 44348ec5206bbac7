#include <string.h>

#include "action_internal.h"
#include "isl_ast.h"
#include "isl_band.h"

enum { SIZES_MAX = 8, SIZE_MAX_BAND = 1 << 12 };

static bool is_same_text(const struct nest *a, const struct nest *b)
{
	struct text left = { 0 }, right = { 0 };
	bool is_same;

	nest_print(a, &left);
	nest_print(b, &right);
	is_same = strcmp(text_string(&left), text_string(&right)) == 0;
	text_free(&left);
	text_free(&right);
	return is_same;
}

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

static enum status read_sizes(struct rewrite *rewrite, const struct action *action, int64_t size[SIZES_MAX])
{
	if (action->n < 1 || action->n > SIZES_MAX)
		return refuse(rewrite, "tile_band needs sizes, as in tile_band(32) or tile_band(32, 64)");
	for (int i = 0; i < action->n; i++) {
		if (action->arg[i].kind != ARG_INT || action->arg[i].size < 2 || action->arg[i].size > SIZE_MAX_BAND)
			return refuse(rewrite, "the sizes of tile_band go from 2 to %d", SIZE_MAX_BAND);
		size[i] = action->arg[i].size;
	}
	return STATUS_OK;
}

enum status action_tile_band(struct rewrite *rewrite, const struct action *action)
{
	const struct dependences *dependences = rewrite->workspace->dependences;
	int64_t size[SIZES_MAX];
	struct ast_bands bands;
	isl_ast_node *ast;
	enum status status;

	if (read_sizes(rewrite, action, size) != STATUS_OK)
		return STATUS_FAILED;
	if (!is_same_text(rewrite->nest, rewrite->workspace->original))
		return refuse(rewrite, "tile_band orders the whole nest anew, and must come first");
	if (check_plain(rewrite, dependences->tree) != STATUS_OK)
		return STATUS_FAILED;
	ast = band_ast(dependences, action->n, size, &bands.n, &bands.first, rewrite->why);
	if (!ast)
		return STATUS_FAILED;
	status = ast_to_nest(rewrite, dependences, ast, &bands);
	isl_ast_node_free(ast);
	return status == STATUS_OK ? scope_check(rewrite) : STATUS_FAILED;
}
