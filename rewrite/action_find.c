#include "action_internal.h"

#include <stdlib.h>
#include <string.h>

/* What a walk over a list looks for, and what it found. */
struct search {
	const char *name;
	int label;
	const struct var *var;
	const struct node *node;
	struct node *found;
	int depth;
	int n_original, n_made;
	struct node *original, *made;
	struct text *text;
};

int label_parse(const char *name)
{
	char *end;
	long number;

	if (name[0] != 'S' || name[1] < '0' || name[1] > '9')
		return -1;
	number = strtol(name + 1, &end, 10);
	return *end || number > INT32_MAX ? -1 : (int)number;
}

static bool visit_label(struct node *node, void *context)
{
	struct search *search = context;

	if (node->kind != NODE_STMT || node->label != search->label)
		return true;
	search->found = node;
	return false;
}

/* Find the deepest copy of the statement "search->label" below "list", around which "depth" loops stand. */
static void find_deepest(const struct list *list, int depth, struct search *search)
{
	for (int i = 0; i < list->n; i++) {
		struct node *node = list->node[i];

		if (node->kind == NODE_STMT && node->label == search->label && depth > search->depth) {
			search->depth = depth;
			search->found = node;
		}
		find_deepest(&node->body, depth + (node->kind == NODE_LOOP), search);
		find_deepest(&node->orelse, depth, search);
	}
}

struct node *nest_find_statement(const struct nest *nest, int label)
{
	struct search search = { .label = label, .depth = -1 };

	find_deepest(&nest->body, 0, &search);
	return search.found;
}

static bool visit_node(struct node *node, void *context)
{
	struct search *search = context;

	if (node != search->node)
		return true;
	search->found = node;
	return false;
}

bool list_holds(const struct list *list, const struct node *inner)
{
	struct search search = { .node = inner };

	return !list_walk(list, visit_node, &search);
}

bool node_holds(const struct node *node, const struct node *inner)
{
	return node == inner || list_holds(&node->body, inner) || list_holds(&node->orelse, inner);
}

static bool visit_made(struct node *node, void *context)
{
	(void)context;
	return node->kind != NODE_STMT || !node->origin;
}

bool node_has_origin(const struct node *node)
{
	return (node->kind == NODE_STMT && node->origin) || !list_walk(&node->body, visit_made, NULL) ||
	       !list_walk(&node->orelse, visit_made, NULL);
}

static bool visit_statement(struct node *node, void *context)
{
	struct search *search = context;

	if (node->kind != NODE_STMT)
		return true;
	search->found = node;
	return false;
}

struct node *first_statement(struct node *node)
{
	struct search search = { .found = NULL };

	if (node->kind == NODE_STMT)
		return node;
	if (list_walk(&node->body, visit_statement, &search))
		list_walk(&node->orelse, visit_statement, &search);
	return search.found;
}

static bool spot_below(struct node *parent, struct list *list, const struct node *node, struct spot *spot)
{
	for (int i = 0; i < list->n; i++) {
		struct node *child = list->node[i];

		if (child == node) {
			*spot = (struct spot){ parent, list, i };
			return true;
		}
		if (spot_below(child, &child->body, node, spot) || spot_below(child, &child->orelse, node, spot))
			return true;
	}
	return false;
}

struct spot nest_find_spot(struct nest *nest, const struct node *node)
{
	struct spot spot = { 0 };

	spot_below(NULL, &nest->body, node, &spot);
	return spot;
}

struct path nest_find_path(const struct nest *nest, const struct node *node)
{
	struct path path = { 0 };
	int n = nest_path(nest, node, path.loop, PATH_MAX_LOOPS);

	path.n = n < 0 ? 0 : n;
	return path;
}

/* Count the loops named "name" (around statement "label" when it is not negative). */
static bool visit_loop(struct node *node, void *context)
{
	struct search *search = context;
	struct search inner = { .label = search->label };

	if (node->kind != NODE_LOOP || strcmp(node->iter->name, search->name) != 0)
		return true;
	if (search->label >= 0 && list_walk(&node->body, visit_label, &inner))
		return true;
	if (node_has_origin(node)) {
		search->n_original++;
		search->original = node;
	} else {
		search->n_made++;
		search->made = node;
	}
	return true;
}

/* Append the names of the loops, each once, with commas. */
static bool visit_loop_names(struct node *node, void *context)
{
	struct text *text = ((struct search *)context)->text;
	size_t size;
	const char *seen;

	if (node->kind != NODE_LOOP)
		return true;
	size = strlen(node->iter->name);
	for (seen = text_string(text); (seen = strstr(seen, node->iter->name)); seen++)
		if ((seen == text_string(text) || seen[-1] == ' ') && (!seen[size] || seen[size] == ','))
			return true;
	text_printf(text, "%s%s", text->size ? ", " : "", node->iter->name);
	return true;
}

/* Append "i@S0, i@S2" for the loops named "name". */
static bool visit_choices(struct node *node, void *context)
{
	struct search *search = context;
	const struct node *first;

	if (node->kind != NODE_LOOP || strcmp(node->iter->name, search->name) != 0 || !node_has_origin(node))
		return true;
	first = first_statement(node);
	text_printf(search->text, "%s%s@S%d", search->text->size ? ", " : "", search->name, first->label);
	return true;
}

static struct node *refuse_loop(struct rewrite *rewrite, const struct arg *arg, bool is_ambiguous)
{
	struct text text = { 0 };
	struct search search = { .name = arg->name, .text = &text };

	if (is_ambiguous) {
		list_walk(&rewrite->nest->body, visit_choices, &search);
		refuse(rewrite, "there are several loops %s; say which: %s", arg->name, text_string(&text));
	} else {
		list_walk(&rewrite->nest->body, visit_loop_names, &search);
		if (arg->label >= 0)
			refuse(rewrite, "%s is not a loop around S%d; loops here: %s", arg->name, arg->label,
			       text_string(&text));
		else
			refuse(rewrite, "%s is not a loop; loops here: %s", arg->name, text_string(&text));
	}
	text_free(&text);
	return NULL;
}

struct node *rewrite_find_loop(struct rewrite *rewrite, const struct arg *arg)
{
	struct search search = { .name = arg->name, .label = arg->label };

	if (arg->kind != ARG_NAME) {
		refuse(rewrite, "an argument is not the name of a loop");
		return NULL;
	}
	if (arg->label >= 0 && !nest_find_statement(rewrite->nest, arg->label)) {
		refuse(rewrite, "there is no statement S%d", arg->label);
		return NULL;
	}
	list_walk(&rewrite->nest->body, visit_loop, &search);
	if (search.n_original == 1)
		return search.original;
	if (search.n_original == 0 && search.n_made == 1)
		return search.made;
	return refuse_loop(rewrite, arg, search.n_original + search.n_made > 1);
}

const char *node_name(struct rewrite *rewrite, struct node *node)
{
	const struct node *first = first_statement(node);

	if (node->kind == NODE_STMT)
		return arena_printf(rewrite->arena, "S%d", node->label);
	if (!first)
		return node->kind == NODE_LOOP ? node->iter->name : "an empty condition";
	if (node->kind == NODE_LOOP)
		return arena_printf(rewrite->arena, "%s@S%d", node->iter->name, first->label);
	return arena_printf(rewrite->arena, "the condition above S%d", first->label);
}

static bool expr_mentions(struct expr *expr, void *context)
{
	return !expr_uses(expr, ((struct search *)context)->var);
}

static bool visit_mention(struct node *node, void *context)
{
	return node_exprs(node, expr_mentions, context);
}

bool node_mentions(struct node *node, const struct var *var)
{
	struct search search = { .var = var };

	return !visit_mention(node, &search) || !list_walk(&node->body, visit_mention, &search) ||
	       !list_walk(&node->orelse, visit_mention, &search);
}

static bool visit_write(struct node *node, void *context)
{
	return node->kind != NODE_STMT || node->target->var != ((struct search *)context)->var;
}

bool node_writes(struct node *node, const struct var *var)
{
	struct search search = { .var = var };

	return !visit_write(node, &search) || !list_walk(&node->body, visit_write, &search) ||
	       !list_walk(&node->orelse, visit_write, &search);
}

/* A count of nodes in text order: down from the number of one, or up to a node. */
struct count {
	const struct node *node;
	struct node *found;
	int n;
};

static bool count_to_node(struct node *node, void *context)
{
	struct count *count = context;

	return node != count->node && ++count->n;
}

static bool count_down(struct node *node, void *context)
{
	struct count *count = context;

	count->found = node;
	return count->n-- > 0;
}

struct node *nest_find_copy(const struct nest *nest, const struct node *node, const struct nest *copy)
{
	struct count count = { .node = node };

	list_walk(&nest->body, count_to_node, &count);
	list_walk(&copy->body, count_down, &count);
	return count.found;
}

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

bool rewrite_is_fresh(const struct rewrite *rewrite)
{
	return is_same_text(rewrite->nest, rewrite->workspace->original);
}
