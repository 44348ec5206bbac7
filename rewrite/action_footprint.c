#include "action_footprint.h"
#include "isl_apart.h"

#include <string.h>

/* A walk over what is in the loop: the loops from it down to the reference, and whether a condition stands between. Iterators
 * of the "n_kept" loops "kept" count as known outside. */
struct tour {
	struct rewrite *rewrite;
	struct footprint *footprint;
	int n;
	struct node *loop[PATH_MAX_LOOPS];
	bool is_conditional;
	struct node *node;
	bool is_write, is_first_round;
	struct diag undefined;
	int n_kept;
	const struct node *const *kept;
};

/* Whether "sum" changes while the loop runs for another reason than the iterators that "tour" knows. */
static bool is_changing(const struct tour *tour, const struct sum *sum)
{
	const struct nest *nest = tour->rewrite->nest;

	for (int i = 0; i < nest->n_var; i++)
		if (sum_uses(sum, nest->var[i]) && node_writes(tour->footprint->at, nest->var[i]))
			return true;
	return false;
}

static bool is_kept(const struct tour *tour, const struct node *loop)
{
	for (int i = 0; i < tour->n_kept; i++)
		if (tour->kept[i] == loop)
			return true;
	return false;
}

static bool is_multiple(const struct sum *a, const struct sum *b, int64_t step)
{
	struct sum span;
	int64_t constant;

	return sum_add(a, -1, b, &span) && sum_is_constant(&span, &constant) && constant % step == 0;
}

/* Whether the term "hi" of the upper bound of "loop" is a whole number of steps from its start, or from the start of the tile
 * loops that it starts at. */
static bool is_on_lattice(const struct tour *tour, const struct node *loop, const struct sum *hi)
{
	struct path path = nest_find_path(tour->rewrite->nest, loop);
	struct bound lo;
	struct sum base;

	if (!bound_of(loop->lo, false, &lo) || lo.n != 1)
		return false;
	base = lo.term[0];
	for (int i = path.n - 1; i >= 0 && !is_multiple(hi, &base, loop->step); i--) {
		struct sum rest = sum_without(&base, path.loop[i]->iter);

		if (sum_factor(&base, path.loop[i]->iter) == 1 && path.loop[i]->step % loop->step == 0 &&
		    (!bound_of(path.loop[i]->lo, false, &lo) || lo.n != 1 || !sum_add(&rest, 1, &lo.term[0], &base)))
			return false;
	}
	return is_multiple(hi, &base, loop->step);
}

/* How far below the term "hi" of the upper bound of "loop" its last iterator lies at least. */
static int64_t distance_below(const struct tour *tour, const struct node *loop, const struct sum *hi)
{
	return loop->step > 1 && is_on_lattice(tour, loop, hi) ? loop->step : 1;
}

/* Add to "bound" what is left of "term" once the iterators of loops 0 .. n-1 of the tour are replaced by their bounds: the
 * extreme values that the term can have. */
static bool add_extremes(const struct tour *tour, int n, const struct sum *term, bool is_upper, struct bound *bound)
{
	int64_t factor = 0;
	struct bound side;
	struct sum rest;

	while (n > 0 && (is_kept(tour, tour->loop[n - 1]) || !sum_uses(term, tour->loop[n - 1]->iter)))
		n--;
	if (n == 0) {
		if (is_changing(tour, term) || bound->n == BOUND_TERMS)
			return false;
		bound->term[bound->n++] = *term;
		return true;
	}
	factor = sum_factor(term, tour->loop[n - 1]->iter);
	rest = sum_without(term, tour->loop[n - 1]->iter);
	if (sum_uses(&rest, tour->loop[n - 1]->iter))
		return false;
	if (!bound_of((factor > 0) == is_upper ? tour->loop[n - 1]->hi : tour->loop[n - 1]->lo, (factor > 0) == is_upper, &side))
		return false;
	for (int i = 0; i < side.n; i++) {
		struct sum sum;

		if ((factor > 0) == is_upper)
			side.term[i].constant -= distance_below(tour, tour->loop[n - 1], &side.term[i]);
		if (!sum_add(&rest, factor, &side.term[i], &sum) || !add_extremes(tour, n - 1, &sum, is_upper, bound))
			return false;
	}
	return true;
}

/* The values of the iterator of loop "depth" of the tour, as seen from outside. */
static bool range_of(const struct tour *tour, int depth, struct bound *lo, struct bound *hi)
{
	const struct node *loop = tour->loop[depth];
	struct bound low, high;

	lo->n = hi->n = 0;
	if (!bound_of(loop->lo, false, &low) || !bound_of(loop->hi, true, &high))
		return false;
	for (int i = 0; i < low.n; i++)
		if (!add_extremes(tour, depth, &low.term[i], false, lo))
			return false;
	for (int i = 0; i < high.n; i++)
		if (!add_extremes(tour, depth, &high.term[i], true, hi))
			return false;
	bound_prune(lo, false);
	bound_prune(hi, true);
	return true;
}

/* The least constant distance between the ends of a range, and the lower end that it is counted from; -1 when none is. */
static int64_t range_trip(const struct bound *lo, const struct bound *hi, struct sum *base)
{
	int64_t least = -1;

	for (int i = 0; i < hi->n; i++) {
		for (int j = 0; j < lo->n; j++) {
			struct sum span;
			int64_t constant;

			if (!sum_add(&hi->term[i], -1, &lo->term[j], &span) || !sum_is_constant(&span, &constant) ||
			    (least >= 0 && constant >= least))
				continue;
			least = constant > 0 ? constant : 0;
			*base = lo->term[j];
		}
	}
	return least;
}

int64_t loop_extent(struct rewrite *rewrite, struct node *at, struct node *loop, int n_kept, const struct node *const *kept,
		    struct bound *lo, struct bound *hi, struct sum *base)
{
	struct footprint footprint = { .at = at };
	struct tour tour = { .rewrite = rewrite, .footprint = &footprint, .n_kept = n_kept, .kept = kept };
	struct path path = nest_find_path(rewrite->nest, loop);
	int64_t span;

	for (int i = 0; i < path.n; i++)
		if (node_holds(at, path.loop[i]))
			tour.loop[tour.n++] = path.loop[i];
	tour.loop[tour.n++] = loop;
	if (tour.n > PATH_MAX_LOOPS || !range_of(&tour, tour.n - 1, lo, hi))
		return -1;
	span = range_trip(lo, hi, base);
	return span < 0 ? -1 : (span + loop->step - 1) / loop->step;
}

/* Describe the subscript "expr" as an axis, without its ranges. */
static enum status axis_of(struct tour *tour, struct expr *expr, struct axis *axis)
{
	const char *name = tour->footprint->var->name;
	struct sum sum;

	if (!sum_of(expr, &sum))
		return refuse(tour->rewrite, "a subscript of %s is too long", name);
	axis->rest = sum;
	axis->subscript_type = expr->type;
	for (int i = 0; i < tour->n; i++) {
		struct node *loop = tour->loop[i];
		int64_t factor = sum_factor(&axis->rest, loop->iter);

		if (factor == 0)
			continue;
		if (factor != 1 || loop->step != 1 || axis->n == AXIS_LOOPS_MAX)
			return refuse(tour->rewrite, "%s is not read element by element along %s", name, loop->iter->name);
		axis->loop[axis->n] = loop;
		if (!range_of(tour, i, &axis->lo[axis->n], &axis->hi[axis->n]))
			return refuse(tour->rewrite, "the range of %s is not known outside %s", loop->iter->name,
				      tour->footprint->at->iter->name);
		axis->trip[axis->n] = range_trip(&axis->lo[axis->n], &axis->hi[axis->n], &axis->base[axis->n]);
		if (axis->trip[axis->n] < 0)
			return refuse(tour->rewrite, "%s runs over no constant number of elements of %s; tile(%s:16) would help",
				      loop->iter->name, name, loop->iter->name);
		axis->n++;
		axis->rest = sum_without(&axis->rest, loop->iter);
	}
	for (int i = 0; i < tour->n; i++)
		if (sum_uses(&axis->rest, tour->loop[i]->iter))
			return refuse(tour->rewrite, "a subscript of %s is no sum of iterators", name);
	if (is_changing(tour, &axis->rest))
		return refuse(tour->rewrite, "a subscript of %s changes while %s runs", name, tour->footprint->at->iter->name);
	axis->low = axis->high = axis->rest.constant;
	axis->rest.constant = 0;
	return STATUS_OK;
}

static bool same_bounds(const struct bound *a, const struct bound *b)
{
	if (a->n != b->n)
		return false;
	for (int i = 0; i < a->n; i++)
		if (!sum_equal(&a->term[i], &b->term[i]))
			return false;
	return true;
}

/* Whether the iterators of two axes have the same ranges. */
static bool same_ranges(const struct axis *a, const struct axis *b)
{
	if (a->n != b->n)
		return false;
	for (int i = 0; i < a->n; i++)
		if (a->loop[i]->iter != b->loop[i]->iter || !same_bounds(&a->lo[i], &b->lo[i]) || !same_bounds(&a->hi[i], &b->hi[i]))
			return false;
	return true;
}

/* Set "*offset" to what "subscript" is more than the sum of the axis' iterators and its rest, when that is constant. */
static bool axis_offset(const struct axis *axis, struct expr *subscript, int64_t *offset)
{
	struct sum sum;

	if (!sum_of(subscript, &sum) || !sum_add(&sum, -1, &axis->rest, &sum))
		return false;
	for (int i = 0; i < axis->n; i++) {
		if (sum_factor(&sum, axis->loop[i]->iter) != 1)
			return false;
		sum = sum_without(&sum, axis->loop[i]->iter);
	}
	return sum_is_constant(&sum, offset);
}

bool footprint_takes(const struct footprint *footprint, const struct expr *reference)
{
	int64_t offset;

	for (int d = 0; d < reference->n; d++)
		if (!axis_offset(&footprint->axis[d], reference->arg[d], &offset))
			return false;
	return true;
}

/* The extreme values of "expr", which stands where the tour is, as seen from outside. */
static bool extremes_of(const struct tour *tour, struct expr *expr, struct bound *lo, struct bound *hi)
{
	struct sum sum;

	lo->n = hi->n = 0;
	return sum_of(expr, &sum) && add_extremes(tour, tour->n, &sum, false, lo) && add_extremes(tour, tour->n, &sum, true, hi);
}

/* Whether one of the terms of "low" is surely larger than one of "high", given the loops around. */
static bool is_above(const struct tour *tour, const struct bound *low, const struct bound *high)
{
	struct path outer = nest_find_path(tour->rewrite->nest, tour->footprint->at);

	for (int i = 0; i < low->n; i++) {
		for (int j = 0; j < high->n; j++) {
			struct sum gap;

			if (sum_add(&low->term[i], -1, &high->term[j], &gap) && sum_is_positive(&gap, outer.n, outer.loop))
				return true;
		}
	}
	return false;
}

/* Whether the reference touches no element of the box: in some dimension its subscript is always below or above it, or isl says
 * so, which sees what conditions around tell. */
static bool is_apart(const struct tour *tour, const struct expr *reference)
{
	const struct footprint *footprint = tour->footprint;
	const struct rewrite *rewrite = tour->rewrite;
	const struct site_of_ref here = { tour->node, reference };
	struct subscript_box box;

	for (int d = 0; d < reference->n; d++) {
		struct bound lo, hi;

		if (extremes_of(tour, reference->arg[d], &lo, &hi) &&
		    (is_above(tour, &lo, &footprint->most[d]) || is_above(tour, &footprint->least[d], &hi)))
			return true;
	}
	if (tour->node->kind != NODE_STMT)
		return false;
	for (int d = 0; d < reference->n; d++) {
		box.least[d] = bound_expr(rewrite->arena, &footprint->least[d], false, reference->arg[d]->type);
		box.most[d] = bound_expr(rewrite->arena, &footprint->most[d], true, reference->arg[d]->type);
	}
	return reference_leaves_box(rewrite->workspace->dependences, rewrite->nest,
				    nest_find_path(rewrite->nest, footprint->at).n, &box, &here);
}

/* Whether the loops of the tour below the first all have an iteration each time they are reached. */
static bool is_reached(const struct tour *tour)
{
	struct path outer = nest_find_path(tour->rewrite->nest, tour->footprint->at);

	if (tour->is_conditional)
		return false;
	for (int i = 0; i < tour->n; i++) {
		if (i > 0 && !loop_is_entered(tour->loop[i], outer.n, outer.loop))
			return false;
		if (outer.n == PATH_MAX_LOOPS)
			return false;
		outer.loop[outer.n++] = tour->loop[i];
	}
	return true;
}

/* Let "reference" decide which subscripts the footprint is about, if it can; the reason why not goes to the tour's own diag, for
 * another may yet decide. */
static void define_axes(struct tour *tour, const struct expr *reference)
{
	struct footprint *footprint = tour->footprint;
	struct rewrite quiet = *tour->rewrite, *loud = tour->rewrite;
	bool is_fine = true;

	diag_clear(&tour->undefined);
	quiet.why = &tour->undefined;
	tour->rewrite = &quiet;
	for (int d = 0; d < reference->n && is_fine; d++) {
		footprint->axis[d] = (struct axis){ 0 };
		is_fine = axis_of(tour, reference->arg[d], &footprint->axis[d]) == STATUS_OK;
		if (is_fine && !extremes_of(tour, reference->arg[d], &footprint->least[d], &footprint->most[d]))
			is_fine = refuse(&quiet, "the range of a subscript of %s is not known", footprint->var->name) == STATUS_OK;
	}
	tour->rewrite = loud;
	footprint->is_defined = is_fine;
	footprint->is_written = tour->is_write;
}

/* Whether the reference is about the wanted loops: all of its iterators are theirs. */
static bool is_wanted(const struct tour *tour, const struct expr *reference)
{
	const struct footprint *footprint = tour->footprint;

	for (int i = 0; footprint->n_wanted && i < tour->n; i++) {
		bool is_found = false;

		for (int j = 0; j < footprint->n_wanted; j++)
			is_found |= footprint->wanted[j] == tour->loop[i];
		for (int d = 0; !is_found && d < reference->n; d++)
			if (expr_uses(reference->arg[d], tour->loop[i]->iter))
				return false;
	}
	return true;
}

/* Widen the axes so that they hold the reference. */
static enum status widen(struct tour *tour, const struct expr *reference)
{
	struct footprint *footprint = tour->footprint;

	for (int d = 0; d < reference->n; d++) {
		struct axis *axis = &footprint->axis[d], other = { 0 };
		int64_t offset;

		if (axis_of(tour, reference->arg[d], &other) != STATUS_OK)
			return STATUS_FAILED;
		if (!same_ranges(axis, &other))
			return refuse(tour->rewrite, "references to %s inside %s run over different ranges", footprint->var->name,
				      footprint->at->iter->name);
		if (!axis_offset(axis, reference->arg[d], &offset))
			continue;
		axis->low = offset < axis->low ? offset : axis->low;
		axis->high = offset > axis->high ? offset : axis->high;
	}
	return STATUS_OK;
}

/* Take the reference into the footprint: in the first round to find the one that decides its subscripts (the first written
 * one, or when none is, the first), in the second all that have these subscripts. */
static enum status add_reference(struct tour *tour, struct expr *expr)
{
	struct footprint *footprint = tour->footprint;
	bool is_compound = tour->is_write && tour->node->op != OP_NONE;

	if (tour->is_first_round) {
		if (is_wanted(tour, expr) && !footprint->is_written && (!footprint->is_defined || tour->is_write))
			define_axes(tour, expr);
		return STATUS_OK;
	}
	if (!footprint_takes(footprint, expr)) {
		if (!footprint->is_written || is_apart(tour, expr))
			return STATUS_OK;
		return refuse(tour->rewrite, "references to %s inside %s may touch the same elements by different subscripts",
			      footprint->var->name, footprint->at->iter->name);
	}
	if (widen(tour, expr) != STATUS_OK)
		return STATUS_FAILED;
	footprint->is_read |= !tour->is_write || is_compound;
	footprint->is_sure |= is_reached(tour);
	footprint->is_overwritten = footprint->n_ref++ == 0 && tour->is_write && !is_compound && is_reached(tour);
	return STATUS_OK;
}

/* Take each reference in "expr" into the footprint; those within its subscripts are read. */
static enum status add_expr(struct tour *tour, struct expr *expr)
{
	if (!expr || !expr_uses(expr, tour->footprint->var))
		return STATUS_OK;
	if (expr->kind == EXPR_REF && expr->var == tour->footprint->var && add_reference(tour, expr) != STATUS_OK)
		return STATUS_FAILED;
	tour->is_write = false;
	for (int i = 0; i < expr->n; i++) {
		if (expr->kind == EXPR_REF && expr->var == tour->footprint->var && expr_uses(expr->arg[i], expr->var))
			return refuse(tour->rewrite, "%s is subscripted by elements of itself", expr->var->name);
		if (add_expr(tour, expr->arg[i]) != STATUS_OK)
			return STATUS_FAILED;
	}
	return STATUS_OK;
}

static enum status tour_list(struct tour *tour, const struct list *list);

static enum status tour_node(struct tour *tour, struct node *node)
{
	bool was_conditional = tour->is_conditional;
	enum status status;

	switch (node->kind) {
	case NODE_LOOP:
		if (tour->n == PATH_MAX_LOOPS)
			return refuse(tour->rewrite, "more than %d loops nest here", PATH_MAX_LOOPS);
		tour->loop[tour->n++] = node;
		status = tour_list(tour, &node->body);
		tour->n--;
		return status;
	case NODE_IF:
		tour->node = node;
		tour->is_write = false;
		if (add_expr(tour, node->cond) != STATUS_OK)
			return STATUS_FAILED;
		tour->is_conditional = true;
		status = tour_list(tour, &node->body);
		if (status == STATUS_OK)
			status = tour_list(tour, &node->orelse);
		tour->is_conditional = was_conditional;
		return status;
	case NODE_STMT:
		tour->node = node;
		tour->is_write = false;
		if (add_expr(tour, node->value) != STATUS_OK)
			return STATUS_FAILED;
		tour->is_write = true;
		return add_expr(tour, node->target);
	}
	return STATUS_OK;
}

static enum status tour_list(struct tour *tour, const struct list *list)
{
	for (int i = 0; i < list->n; i++)
		if (tour_node(tour, list->node[i]) != STATUS_OK)
			return STATUS_FAILED;
	return STATUS_OK;
}

bool axis_is_fixed(const struct axis *axis)
{
	return axis->n == 0 && axis->low == axis->high;
}

bool footprint_is_bound(const struct footprint *footprint)
{
	for (int d = 0; d < footprint->var->rank; d++)
		for (int i = 0; i < footprint->axis[d].n; i++)
			if (footprint->axis[d].loop[i] == footprint->at)
				return true;
	return false;
}

/* Whether an iterator subscripts two dimensions, so that not all elements of the box are touched. */
static bool is_diagonal(const struct footprint *footprint)
{
	for (int d = 0; d < footprint->var->rank; d++)
		for (int e = 0; e < d; e++)
			for (int i = 0; i < footprint->axis[d].n; i++)
				for (int j = 0; j < footprint->axis[e].n; j++)
					if (footprint->axis[d].loop[i] == footprint->axis[e].loop[j])
						return true;
	return false;
}

/* Compute the extents once all references are in. */
static enum status measure(struct rewrite *rewrite, struct footprint *footprint)
{
	for (int d = 0; d < footprint->var->rank; d++) {
		struct axis *axis = &footprint->axis[d];

		axis->extent = 1 + axis->high - axis->low;
		for (int i = 0; i < axis->n; i++)
			axis->extent += axis->trip[i] - 1;
		if (footprint->is_written && axis->low != axis->high)
			return refuse(rewrite, "%s is written and touched at different offsets inside %s", footprint->var->name,
				      node_name(rewrite, footprint->at));
	}
	return STATUS_OK;
}

enum status footprint_of(struct rewrite *rewrite, const struct var *var, struct node *at, int n_wanted,
			 struct node *const *wanted, struct footprint *footprint)
{
	struct tour tour = { .rewrite = rewrite, .footprint = footprint, .is_first_round = true };

	*footprint = (struct footprint){ .var = var, .at = at, .n_wanted = n_wanted, .wanted = wanted };
	if (var->rank > AXES_MAX)
		return refuse(rewrite, "%s has more than %d dimensions", var->name, AXES_MAX);
	if (tour_node(&tour, at) != STATUS_OK)
		return STATUS_FAILED;
	if (!footprint->is_defined && tour.undefined.message[0])
		return refuse(rewrite, "%s", tour.undefined.message);
	if (!footprint->is_defined)
		return refuse(rewrite, "%s is not used inside %s%s", var->name, node_name(rewrite, at),
			      n_wanted ? " with subscripts of these loops" : "");
	tour.is_first_round = false;
	if (tour_node(&tour, at) != STATUS_OK)
		return STATUS_FAILED;
	if (!footprint->is_sure)
		return refuse(rewrite, "%s may not be used in each run of %s", var->name, node_name(rewrite, at));
	footprint->is_overwritten &= !is_diagonal(footprint);
	return measure(rewrite, footprint);
}

/* rest + low + the bases of the iterators */
static struct sum base_sum(const struct axis *axis)
{
	struct sum sum = axis->rest;

	sum.constant += axis->low;
	for (int i = 0; i < axis->n; i++)
		sum_add(&sum, 1, &axis->base[i], &sum);
	return sum;
}

struct expr *axis_base(struct rewrite *rewrite, const struct axis *axis, enum type type)
{
	struct sum base = base_sum(axis);

	return sum_expr(rewrite->arena, &base, type);
}

struct expr *axis_place(struct rewrite *rewrite, const struct axis *axis, struct expr *subscript)
{
	struct sum base = base_sum(axis), sum;

	if (!sum_of(subscript, &sum) || !sum_add(&sum, -1, &base, &sum))
		return expr_binary(rewrite->arena, OP_SUB, subscript, axis_base(rewrite, axis, subscript->type));
	return sum_expr(rewrite->arena, &sum, subscript->type);
}
