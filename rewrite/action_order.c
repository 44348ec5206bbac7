#include "action_band.h"
#include "isl_apart.h"

static enum status refuse_band(struct rewrite *rewrite, struct node *loop)
{
	const char *name = loop->iter->name;

	for (int i = 0; i < loop->body.n; i++) {
		const struct node *child = loop->body.node[i];

		if (child->kind == NODE_STMT && child->declares)
			return refuse(rewrite, "%s does not nest perfectly, for it declares %s; privatize(%s), then distribute(%s), would help",
				      name, child->target->var->name, child->target->var->name, node_name(rewrite, loop));
	}
	return refuse(rewrite, "%s does not nest perfectly around the next loop; distribute(%s) would help", name,
		      node_name(rewrite, loop));
}

/* Take the declarations that stand before the last child of "node" as floating; false when other things stand there. */
static bool collect_declarations(const struct node *node, struct band *band)
{
	for (int i = 0; i + 1 < node->body.n; i++) {
		struct node *child = node->body.node[i];

		if (child->kind != NODE_STMT || !child->declares || !child->value || !child->origin || band->n_floating == BAND_MAX)
			return false;
		band->floating[band->n_floating++] = child;
	}
	return true;
}

/* Collect the band from "top" down to "bottom". */
static enum status band_collect(struct rewrite *rewrite, struct node *top, const struct node *bottom, struct band *band)
{
	struct node *node = top;

	for (;;) {
		if (band->n == BAND_MAX || band->n_floating == BAND_MAX)
			return refuse(rewrite, "more than %d loops nest here", BAND_MAX);
		if (node->kind == NODE_LOOP)
			band->loop[band->n++] = node;
		else
			band->floating[band->n_floating++] = node;
		if (node == bottom)
			break;
		if (node->body.n == 0 || node->orelse.n || !collect_declarations(node, band) ||
		    node->body.node[node->body.n - 1]->kind == NODE_STMT)
			return refuse_band(rewrite, band->loop[band->n - 1]);
		node = node->body.node[node->body.n - 1];
	}
	band->body = node->body;
	return STATUS_OK;
}

/* Append the loops that the arguments name; order([i, j]) is order(i, j). */
static enum status named_loops(struct rewrite *rewrite, const struct action *action, int *n, struct node **loop)
{
	const bool is_list = action->n == 1 && action->arg[0].kind == ARG_LIST;
	const struct arg *arg = is_list ? action->arg[0].item : action->arg;

	*n = is_list ? action->arg[0].n : action->n;
	if (*n < 2 || *n > BAND_MAX)
		return refuse(rewrite, "order needs two or more loops, as in order(i, k, j)");
	for (int i = 0; i < *n; i++) {
		loop[i] = rewrite_find_loop(rewrite, &arg[i]);
		if (!loop[i])
			return STATUS_FAILED;
		for (int j = 0; j < i; j++)
			if (loop[j] == loop[i])
				return refuse(rewrite, "%s is named twice", arg[i].name);
	}
	return STATUS_OK;
}

/* Set "*top" and "*bottom" to the outermost and innermost of the loops; they must stand inside each other. */
static enum status find_ends(struct rewrite *rewrite, int n, struct node *const *loop, struct node **top, struct node **bottom)
{
	*top = *bottom = loop[0];
	for (int i = 1; i < n; i++) {
		if (node_holds(loop[i], *top))
			*top = loop[i];
		if (node_holds(*bottom, loop[i]))
			*bottom = loop[i];
	}
	for (int i = 0; i < n; i++)
		if (!node_holds(*top, loop[i]) || !node_holds(loop[i], *bottom))
			return refuse(rewrite, "%s and %s do not stand inside each other", loop[i]->iter->name,
				      (*top)->iter->name);
	return STATUS_OK;
}

/* Fill band->wanted: the places of the named loops take them in the named order, other loops stay. */
static void band_arrange(struct band *band, int n, struct node *const *named)
{
	int next = 0;

	for (int i = 0; i < band->n; i++) {
		bool is_named = false;

		for (int j = 0; j < n; j++)
			is_named |= named[j] == band->loop[i];
		band->wanted[i] = i;
		if (!is_named)
			continue;
		for (int j = 0; j < band->n; j++)
			if (band->loop[j] == named[next])
				band->wanted[i] = j;
		next++;
	}
}

/* What the walk for assignments to a declared constant looks for. */
struct definition {
	const struct node *declaration;
};

static bool visit_assignment(struct node *node, void *context)
{
	const struct definition *definition = context;

	return node->kind != NODE_STMT || node == definition->declaration ||
	       node->target->var != definition->declaration->target->var;
}

/* A walk over the references to "var" in a condition, and over the statements of "band" that write it; "reader" is a statement that runs
 * under the condition. */
struct clash {
	const struct rewrite *rewrite;
	const struct band *band;
	const struct var *var;
	const struct node *reader;
	const struct expr *reference;
};

static bool visit_clashing_write(struct node *node, void *context)
{
	const struct clash *clash = context;
	const struct site_of_ref read = { clash->reader, clash->reference }, write = { node, node->target };
	const int depth = nest_find_path(clash->rewrite->nest, clash->band->loop[0]).n;

	return node->kind != NODE_STMT || node->target->var != clash->var ||
	       references_are_apart(clash->rewrite->workspace->dependences, clash->rewrite->nest, depth, &read, &write);
}

static bool visit_clashing_read(struct expr *expr, void *context)
{
	struct clash *clash = context;

	clash->reference = expr;
	return expr->kind != EXPR_REF || expr->var != clash->var || list_walk(&clash->band->loop[0]->body, visit_clashing_write, clash);
}

static bool visit_statement(struct node *node, void *context)
{
	const struct node **found = context;

	*found = node->kind == NODE_STMT ? node : NULL;
	return !*found;
}

/* Whether the condition reads elements of the array only that no statement of the band writes. */
static bool condition_is_apart(const struct rewrite *rewrite, const struct band *band, const struct node *node, const struct var *var)
{
	struct clash clash = { .rewrite = rewrite, .band = band, .var = var };

	return node->kind == NODE_IF && var->kind == VAR_ARRAY && !list_walk(&node->body, visit_statement, &clash.reader) &&
	       expr_walk(node->cond, visit_clashing_read, &clash);
}

/* What floats reads the same wherever it ends up: nothing in the band writes what it reads, or a declared constant anew. */
static enum status check_floating(struct rewrite *rewrite, const struct band *band)
{
	for (int i = 0; i < band->n_floating; i++) {
		struct node *node = band->floating[i];
		const struct expr *expr = node->kind == NODE_IF ? node->cond : node->value;
		struct definition definition = { node };

		if (node->kind == NODE_STMT && !list_walk(&band->loop[0]->body, visit_assignment, &definition))
			return refuse_band(rewrite, nest_find_path(rewrite->nest, node).loop[nest_find_path(rewrite->nest, node).n - 1]);
		for (int j = 0; j < rewrite->nest->n_var; j++) {
			const struct var *var = rewrite->nest->var[j];
			bool is_constant = false;

			for (int k = 0; k < i; k++)
				is_constant |= band->floating[k]->kind == NODE_STMT && band->floating[k]->target->var == var;
			if (!is_constant && expr_uses(expr, var) && node_writes(band->loop[0], var) &&
			    !condition_is_apart(rewrite, band, node, var))
				return refuse(rewrite, "%s reads %s, which the loops write", node_name(rewrite, node), var->name);
		}
	}
	return STATUS_OK;
}

static bool floating_uses(const struct node *node, const struct var *var)
{
	if (expr_uses(node->cond, var) || expr_uses(node->value, var))
		return true;
	for (int i = 0; node->kind == NODE_STMT && i < node->n_origin; i++)
		if (expr_uses(node->origin[i], var))
			return true;
	return false;
}

/* Find where each floating node goes: inside the loops and after the declarations that it uses. */
static void settle(struct band *band)
{
	for (int i = 0; i < band->n_floating; i++) {
		band->settled[i] = 0;
		for (int depth = 0; depth < band->n; depth++)
			if (floating_uses(band->floating[i], band_at(band, depth)->iter))
				band->settled[i] = depth;
		for (int j = 0; j < i; j++)
			if (band->floating[j]->kind == NODE_STMT && band->settled[j] > band->settled[i] &&
			    floating_uses(band->floating[i], band->floating[j]->target->var))
				band->settled[i] = band->settled[j];
	}
}

/* Put the loops of the band into each other in the wanted order, what floats where it settled, and the body innermost. */
static void band_rebuild(struct rewrite *rewrite, struct spot spot, const struct band *band)
{
	struct list body = band->body;

	for (int depth = band->n - 1; depth >= 0; depth--) {
		struct list single = { 0 };

		for (int i = band->n_floating - 1; i >= 0; i--) {
			struct list wrapped = { 0 };

			if (band->settled[i] != depth)
				continue;
			if (band->floating[i]->kind == NODE_STMT) {
				list_insert(rewrite->arena, &body, 0, band->floating[i]);
				continue;
			}
			band->floating[i]->body = body;
			list_add(rewrite->arena, &wrapped, band->floating[i]);
			body = wrapped;
		}
		band_at(band, depth)->body = body;
		list_add(rewrite->arena, &single, band_at(band, depth));
		body = single;
	}
	spot.list->node[spot.at] = body.node[0];
}

enum status action_order(struct rewrite *rewrite, const struct action *action)
{
	struct node *named[BAND_MAX] = { NULL }, *top, *bottom;
	struct band band = { 0 };
	struct spot spot;
	int n;

	if (named_loops(rewrite, action, &n, named) != STATUS_OK || find_ends(rewrite, n, named, &top, &bottom) != STATUS_OK ||
	    band_collect(rewrite, top, bottom, &band) != STATUS_OK)
		return STATUS_FAILED;
	spot = nest_find_spot(rewrite->nest, top);
	band_arrange(&band, n, named);
	if (band_check_tiles(rewrite, &band) != STATUS_OK || check_floating(rewrite, &band) != STATUS_OK ||
	    band_exchange_bounds(rewrite, &band) != STATUS_OK)
		return STATUS_FAILED;
	settle(&band);
	band_rebuild(rewrite, spot, &band);
	return scope_check(rewrite) == STATUS_OK ? legal_check(rewrite, spot.list->node[spot.at]) : STATUS_FAILED;
}
