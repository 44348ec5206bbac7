#include "trial.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

static bool is_array(const struct binding *binding)
{
	return binding->var->kind == VAR_ARRAY;
}

static const struct box *box_of(const struct trial *trial, int k)
{
	return &trial->sized->box[nest_var_index(trial->setting->job->nest, trial->setting->outline->binding[k].var)];
}

/* The elements between two rows of binding "k"; 1 for arrays that are no tables of rows. */
static int64_t row_pitch(const struct trial *trial, int k)
{
	const struct var *var = trial->setting->outline->binding[k].var;
	int64_t pitch = 1;

	if (var->is_rows)
		extent_pitch(trial->setting->job->nest, &trial->sized->shape, var, 1, &pitch);
	return pitch;
}

/* The elements of an array object as its extents tell, 0 when they do not. */
static int64_t count_object(const struct trial *trial, const struct var *var)
{
	int64_t count = 1, extent;
	int d;

	for (d = 0; d < var->rank; d++) {
		if (!var->extent[d] ||
		    !extent_evaluate(trial->setting->job->nest, &trial->sized->shape, var->extent[d], &extent))
			return 0;
		count *= extent;
	}
	return count;
}

/* Small array objects are compared as a whole, so that what is written beside the touched part shows. */
static void grow_object(const struct trial *trial, int k, struct part *part)
{
	const struct binding *binding = &trial->setting->outline->binding[k];
	const int64_t whole = 16384;
	int64_t count, end = part->first + part->count;

	if (binding->kind != BIND_COPY && binding->kind != BIND_OBJECT)
		return;
	count = count_object(trial, binding->var);
	part->first = 0;
	part->count = binding->kind == BIND_COPY || (count > end && count <= whole) ? count : end;
	if (part->count < end)
		part->count = end;
}

/* Where the elements of binding "k" lie, flat. Rows in another order may need other parts of the memory than theirs: they are whole. */
static struct box memory_of(const struct trial *trial, int k)
{
	const struct var *var = trial->setting->outline->binding[k].var;
	const int64_t pitch = row_pitch(trial, k);
	struct box box = *box_of(trial, k);
	int64_t columns;

	if (!var->is_rows || trial->order == ORDER_UP || box.hi < box.lo ||
	    !extent_evaluate(trial->setting->job->nest, &trial->sized->shape, var->extent[1], &columns))
		return box;
	return (struct box){box.lo / pitch * pitch, box.hi / pitch * pitch + columns - 1};
}

static void add_array(struct trial *trial, int k)
{
	const struct box box = memory_of(trial, k);
	struct part *part = &trial->part[trial->n_part];

	*part = (struct part){.kind = BLOCK_ARRAY, .binding = k, .first = box.lo, .count = box.hi - box.lo + 1};
	part->is_written = trial->setting->outline->binding[k].var->is_written;
	grow_object(trial, k, part);
	trial->part_of[k] = trial->n_part++;
}

/* Widen the host's part so that the guest's elements lie in it too. */
static void add_guest(struct trial *trial)
{
	const struct overlap *overlap = &trial->overlap;
	const struct box box = memory_of(trial, overlap->guest);
	struct part *part = &trial->part[trial->part_of[overlap->host]];
	int64_t lo = box.lo + overlap->shift, hi = box.hi + overlap->shift, last = part->first + part->count - 1;

	trial->part_of[overlap->guest] = trial->part_of[overlap->host];
	part->is_written |= trial->setting->outline->binding[overlap->guest].var->is_written;
	if (box.hi < box.lo)
		return;
	part->first = lo < part->first || part->count == 0 ? lo : part->first;
	part->count = (hi > last ? hi : last) - part->first + 1;
}

/* Rows up to the last one that is touched. */
static void add_table(struct trial *trial, int k)
{
	const struct box *box = box_of(trial, k);
	int64_t pitch = row_pitch(trial, k);

	trial->part[trial->n_part] = (struct part){.kind = BLOCK_TABLE, .binding = k, .count = box->hi < box->lo ? 0 : box->hi / pitch + 1};
	trial->table_of[k] = trial->n_part++;
}

static void add_parts(struct trial *trial)
{
	const struct outline *outline = trial->setting->outline;
	int cells = 0, k, r;

	for (k = 0; k < outline->n_binding; k++) {
		trial->cell_of[k] = is_array(&outline->binding[k]) ? -1 : cells++;
		trial->part_of[k] = trial->table_of[k] = 0;
	}
	trial->part[trial->n_part++] = (struct part){.kind = BLOCK_SCALARS, .count = cells, .is_written = true};
	for (k = 0; k < outline->n_binding; k++)
		if (is_array(&outline->binding[k]) && k != trial->overlap.guest)
			add_array(trial, k);
	if (trial->overlap.guest >= 0)
		add_guest(trial);
	for (k = 0; k < outline->n_binding; k++)
		if (outline->binding[k].var->is_rows)
			add_table(trial, k);
	for (r = 0; r < outline->n_record; r++)
		trial->part[trial->n_part++] = (struct part){.kind = BLOCK_RECORD,
							     .record = r,
							     .count = (int64_t)trial->setting->size[r],
							     .is_written = true};
}

static size_t element_bytes(const struct trial *trial, const struct part *part)
{
	if (part->kind == BLOCK_SCALARS)
		return cell_bytes;
	if (part->kind == BLOCK_RECORD)
		return 1;
	if (part->kind == BLOCK_TABLE)
		return sizeof(uint64_t);
	return (size_t)type_size(trial->setting->outline->binding[part->binding].var->type);
}

/* Which of the rows from "first" up to n of memory is the "row"-th of an array. */
static int64_t find_row(const struct trial *trial, int64_t row, int64_t first, int64_t n)
{
	const int64_t at = row - first;

	if (at < 0)
		return row;
	switch (trial->order) {
	case ORDER_DOWN:
		return n - 1 - at;
	case ORDER_MIXED:
		return at % 2 ? first + at / 2 : n - 1 - at / 2;
	case ORDER_SHARED:
		return at > 0 && at == (n - first) / 2 ? row - 1 : row;
	default:
		return row;
	}
}

int64_t trial_row_at(const struct trial *trial, int k, int64_t place)
{
	const int64_t first = box_of(trial, k)->lo / row_pitch(trial, k), n = trial->part[trial->table_of[k]].count;
	int64_t row;

	for (row = first; row < n; row++)
		if (find_row(trial, row, first, n) == place)
			return row;
	return place;
}

/* Let a table in "image" point to its rows. */
static void set_table(const struct trial *trial, struct image *image, int k, size_t element)
{
	const int p = trial->table_of[k];
	uint64_t *const table = image_data(image, p);
	const int64_t pitch = row_pitch(trial, k), first = box_of(trial, k)->lo / pitch, n = trial->part[p].count;
	int64_t row;

	for (row = 0; row < n; row++)
		table[row] = image->slot[k] + (uint64_t)(find_row(trial, row, first, n) * pitch * (int64_t)element);
	image->slot[k] = image_address(image, p);
}

void trial_set_slots(const struct trial *trial, struct image *image, const size_t *element)
{
	const struct outline *outline = trial->setting->outline;
	int k, p;

	for (k = 0; k < outline->n_binding; k++) {
		int at = trial->part_of[k];
		int64_t shift = trial->overlap.guest == k ? trial->overlap.shift : 0;
		int64_t index = trial->cell_of[k] >= 0 ? trial->cell_of[k] : shift - trial->part[at].first;

		image->slot[k] = image_address(image, at) + (uint64_t)(index * (int64_t)element[at]);
		if (trial->table_of[k])
			set_table(trial, image, k, element[at]);
		if (outline->binding[k].var == trial->sized->null)
			image->slot[k] = 0;
	}
	for (p = 0; p < trial->n_part; p++)
		if (trial->part[p].kind == BLOCK_RECORD && outline->n_binding + trial->part[p].record < image->n_slot)
			image->slot[outline->n_binding + trial->part[p].record] = image_address(image, p);
}

/* Arrays of which the first elements are not touched, as those of a stencil, likely have as many behind the last one: conditions on
 * overlap count these in. */
static enum status make_image(struct trial *trial, bool has_canary, struct diag *diag)
{
	const struct outline *outline = trial->setting->outline;
	size_t *bytes = memory_alloc(sizeof(*bytes) * (size_t)trial->n_part);
	size_t *element = memory_alloc(sizeof(*element) * (size_t)trial->n_part);
	size_t *slack = memory_alloc(sizeof(*slack) * (size_t)trial->n_part);
	int sizes = outline->n_record, k, p;

	for (k = 0; k < outline->n_binding; k++)
		sizes += outline->binding[k].kind == BIND_OBJECT;
	for (p = 0; p < trial->n_part; p++) {
		element[p] = element_bytes(trial, &trial->part[p]);
		bytes[p] = element[p] * (size_t)trial->part[p].count;
		slack[p] = trial->part[p].first > 0 ? element[p] * (size_t)trial->part[p].first : 0;
	}
	trial->image =
		image_new(trial->n_part, bytes, element, slack, trial->fence, outline_slots(outline), sizes, has_canary, diag);
	if (trial->image) {
		trial->image->base = trial->setting->base;
		trial_set_slots(trial, trial->image, element);
	}
	for (k = 0; trial->image && k < outline->n_binding; k++)
		if (outline_object(outline, k) >= 0)
			trial->image->size[outline_object(outline, k)] = bytes[trial->part_of[k]];
	free(bytes);
	free(element);
	free(slack);
	return trial->image ? STATUS_OK : STATUS_FAILED;
}

static const struct sample_value *find_value(const struct sample *sample, const char *name)
{
	int i;

	for (i = 0; sample && i < sample->n_value; i++)
		if (!strcmp(sample->value[i].name, name) && sample->value[i].data)
			return &sample->value[i];
	return NULL;
}

/* Overwrite what was drawn by what was recorded, as far as that goes; both begin at flat offset 0. */
static void replay(const struct trial *trial, const struct var *var, unsigned char *data, int64_t first, int64_t n)
{
	const struct sample_value *value = find_value(trial->sample, var->name);
	int64_t size = type_size(var->type), have = value ? (int64_t)value->bytes / size : 0;
	int64_t from = first > 0 ? first : 0, to = first + n < have ? first + n : have;

	if (to > from)
		memcpy(data + (from - first) * size, (unsigned char *)value->data + from * size,
		       (size_t)((to - from) * size));
}

static void fill_binding(struct trial *trial, int k, struct rng *rng, unsigned char *data, int64_t first, int64_t n)
{
	const struct var *var = trial->setting->outline->binding[k].var;

	inputs_fill(trial->setting->job, trial->sized, var, trial->distribution, rng, first, n, data);
	replay(trial, var, data, first, n);
}

static void fill_cell(struct trial *trial, int k, struct rng *rng)
{
	const struct var *var = trial->setting->outline->binding[k].var;
	unsigned char *cell = (unsigned char *)image_data(trial->image, 0) + cell_bytes * trial->cell_of[k];
	int v = nest_var_index(trial->setting->job->nest, var);

	memset(cell, 0, cell_bytes);
	if (trial->sized->shape.is_known[v])
		memcpy(cell, &trial->sized->shape.value[v], (size_t)type_size(var->type));
	else
		fill_binding(trial, k, rng, cell, 0, 1);
}

/* Fill the array of binding "k": its own elements within the part that holds it. */
static void fill_array(struct trial *trial, int k, struct rng *rng)
{
	const struct part *part = &trial->part[trial->part_of[k]];
	const struct box box = memory_of(trial, k);
	int64_t size = (int64_t)element_bytes(trial, part), first = part->first, n = part->count;
	unsigned char *data = image_data(trial->image, trial->part_of[k]);

	if (k == trial->overlap.guest) {
		first = box.lo;
		n = box.hi - box.lo + 1;
		data += (box.lo + trial->overlap.shift - part->first) * size;
	}
	if (n > 0)
		fill_binding(trial, k, rng, data, first, n);
	if (n > 0 && trial->sized->has_mark[nest_var_index(trial->setting->job->nest, trial->setting->outline->binding[k].var)])
		memset(data + (n - 1) * size, 0, (size_t)size);
}

static bool has_fact(const struct job *job, const struct var *var)
{
	int i;

	for (i = 0; i < job->signature->n_fact; i++)
		if (job->signature->fact[i].var == var)
			return true;
	return false;
}

/* Let an eighth of the elements of array "a", and as often as not the last one, hold what the integer param "k" holds: a byte
 * that is searched for is hardly met by chance. */
static void sow(struct trial *trial, int k, int a, struct rng *rng)
{
	const struct binding *param = &trial->setting->outline->binding[k], *array = &trial->setting->outline->binding[a];
	const struct part *part = &trial->part[trial->part_of[a]];
	size_t size = (size_t)type_size(array->var->type);
	unsigned char *data = image_data(trial->image, trial->part_of[a]);
	int64_t i;

	if (array->var->kind != VAR_ARRAY || array->var->type != param->var->type || !array->var->is_read ||
	    part->binding != a || has_fact(trial->setting->job, array->var))
		return;
	for (i = 0; i < part->count; i++)
		if (rng_below(rng, i + 1 == part->count ? 2 : 8) == 0)
			memcpy(data + (size_t)i * size, (char *)image_data(trial->image, 0) + cell_bytes * trial->cell_of[k], size);
}

static void sow_params(struct trial *trial)
{
	const struct outline *outline = trial->setting->outline;
	struct rng rng;
	int k, a;

	rng_seed(&rng, rng_derive(trial->seed, "sow"));
	for (k = 0; k < outline->n_binding && !trial->sample; k++) {
		const struct var *var = outline->binding[k].var;

		if (var->kind != VAR_PARAM || !type_is_integer(var->type) ||
		    shape_is_size(trial->setting->job->nest, var))
			continue;
		for (a = 0; a < outline->n_binding; a++)
			sow(trial, k, a, &rng);
	}
}

static void fill(struct trial *trial)
{
	const struct outline *outline = trial->setting->outline;
	int k, p;

	for (k = 0; k < outline->n_binding; k++) {
		const char *name = outline->binding[k].var->name;
		struct rng rng;

		rng_seed(&rng, rng_derive(trial->seed, name));
		if (trial->cell_of[k] >= 0)
			fill_cell(trial, k, &rng);
		else
			fill_array(trial, k, &rng);
	}
	sow_params(trial);
	for (p = 0; p < trial->n_part; p++)
		if (trial->part[p].kind == BLOCK_RECORD)
			memset(image_data(trial->image, p), 0xa5, trial->image->block[p].bytes);
}

/* Remember the inputs, and which blocks a timed run must find unchanged. */
static void remember(struct trial *trial)
{
	const struct outline *outline = trial->setting->outline;
	int p, k;

	for (p = 0; p < trial->n_part; p++) {
		size_t bytes = trial->image->block[p].bytes;
		struct part *part = &trial->part[p];

		part->initial = memory_alloc(bytes + 1);
		memcpy(part->initial, image_data(trial->image, p), bytes);
	}
	for (k = 0; k < outline->n_binding; k++) {
		const struct var *var = outline->binding[k].var;
		bool changes = var->is_written && var->is_read;

		trial->image->must_restore |= changes;
		if (changes)
			trial->image->is_restored[trial->part_of[k]] = true;
	}
}

/* Half of all trials have rows in order; so have those whose arrays lie as allocators place them, which are timed. */
static enum order draw_order(uint64_t seed, enum fence fence)
{
	struct rng rng;

	rng_seed(&rng, rng_derive(seed, "order"));
	if (fence == FENCE_ALIGNED || fence == FENCE_HEAP || rng_below(&rng, 2))
		return ORDER_UP;
	return ORDER_DOWN + (enum order)rng_below(&rng, ORDER_SHARED - ORDER_DOWN + 1);
}

struct trial *trial_new(const struct setting *setting, const struct sized *sized, enum distribution distribution,
			enum fence fence, const struct overlap *overlap, const struct sample *sample, uint64_t seed,
			struct diag *diag)
{
	const struct outline *outline = setting->outline;
	struct trial *trial = memory_alloc(sizeof(*trial));
	size_t n = (size_t)outline->n_binding + 1;

	trial->setting = setting;
	trial->sized = sized;
	trial->distribution = distribution;
	trial->fence = fence;
	trial->overlap = overlap ? *overlap : (struct overlap){-1, -1, 0};
	trial->sample = sample;
	trial->seed = seed;
	trial->order = draw_order(seed, fence);
	trial->part = memory_alloc(sizeof(*trial->part) * (2 * n + (size_t)outline->n_record));
	trial->table_of = memory_alloc(sizeof(int) * n);
	trial->part_of = memory_alloc(sizeof(int) * n);
	trial->cell_of = memory_alloc(sizeof(int) * n);
	add_parts(trial);
	if (make_image(trial, sized->bytes < (size_t)64 << 20, diag) != STATUS_OK)
		return trial_free(trial);
	fill(trial);
	remember(trial);
	return trial;
}

/* Whether the elements of an array hang together, as in a matrix that can be factorised. */
static bool is_structured(const struct job *job, const struct var *var)
{
	int i;

	for (i = 0; i < job->signature->n_fact; i++) {
		const struct fact *fact = &job->signature->fact[i];

		if (fact->var == var && (fact->kind == FACT_SPD || fact->kind == FACT_DOMINANT))
			return true;
	}
	return false;
}

void trial_change(struct trial *trial, struct rng *rng)
{
	const struct outline *outline = trial->setting->outline;
	int p;

	trial->is_changed = true;
	for (p = 0; p < trial->n_part; p++) {
		const struct part *part = &trial->part[p];
		const struct var *var = part->kind == BLOCK_ARRAY ? outline->binding[part->binding].var : NULL;
		size_t size, to, from;

		if (!var || !var->is_read || part->count < 3 || is_structured(trial->setting->job, var))
			continue;
		size = element_bytes(trial, part);
		to = size * (size_t)(1 + rng_below(rng, (uint64_t)part->count - 2));
		from = size * (size_t)rng_below(rng, (uint64_t)part->count);
		memcpy(part->initial + to, part->initial + from, size);
		memcpy((char *)image_data(trial->image, p) + to, part->initial + to, size);
	}
}

struct trial *trial_free(struct trial *trial)
{
	int p;

	if (!trial)
		return NULL;
	for (p = 0; p < trial->n_part; p++) {
		free(trial->part[p].initial);
		free(trial->part[p].expected);
	}
	image_free(trial->image);
	free(trial->part);
	free(trial->drift);
	free(trial->part_of);
	free(trial->cell_of);
	free(trial->table_of);
	free(trial);
	return NULL;
}

void trial_reset(struct trial *trial)
{
	int p;

	for (p = 0; p < trial->n_part; p++)
		memcpy(image_data(trial->image, p), trial->part[p].initial, trial->image->block[p].bytes);
}

/* The largest finite magnitude; "*is_finite" tells whether all are finite. */
static double largest(enum type type, const unsigned char *data, int64_t count, bool *is_finite)
{
	double most = 0;
	int64_t i;

	*is_finite = true;
	for (i = 0; i < count; i++) {
		double value = type == TYPE_F32 ? fabs(((const float *)data)[i]) : fabs(((const double *)data)[i]);

		*is_finite &= isfinite(value) != 0;
		most = value > most && isfinite(value) ? value : most;
	}
	return most;
}

/* The largest magnitude of a part's expected answers; 0 where they are no floating-point array. */
static double find_most(const struct trial *trial, const struct part *part, bool *is_finite)
{
	enum type type;

	*is_finite = true;
	if (part->kind != BLOCK_ARRAY)
		return 0;
	type = trial->setting->outline->binding[part->binding].var->type;
	return type_is_float(type) ? largest(type, part->expected, part->count, is_finite) : 0;
}

void trial_keep(struct trial *trial)
{
	int p;

	for (p = 0; p < trial->n_part; p++) {
		size_t bytes = trial->image->block[p].bytes;
		struct part *part = &trial->part[p];

		if (!part->is_written)
			continue;
		if (!part->expected)
			part->expected = memory_alloc(bytes + 1);
		memcpy(part->expected, image_data(trial->image, p), bytes);
		part->most = find_most(trial, part, &part->is_finite);
	}
}

bool trial_blows_up(const struct trial *trial)
{
	int p;

	for (p = 0; trial->overlap.guest >= 0 && p < trial->n_part; p++) {
		const struct part *part = &trial->part[p];
		const struct var *var = part->kind == BLOCK_ARRAY ? trial->setting->outline->binding[part->binding].var : NULL;
		double huge = !var || !type_is_float(var->type) ? INFINITY : var->type == TYPE_F32 ? FLT_MAX : DBL_MAX;

		if (var && part->expected && (!part->is_finite || part->most > huge / 1024))
			return true;
	}
	return false;
}

static bool has_tables(const struct trial *trial)
{
	int p;

	for (p = 0; p < trial->n_part; p++)
		if (trial->part[p].kind == BLOCK_TABLE)
			return true;
	return false;
}

static const char *print_placement(struct arena *arena, const struct trial *trial)
{
	static const char *const fences[] = {"", ", buffers fenced in front", ", buffers aligned",
					     ", buffers misaligned", ", buffers as in a heap"};
	static const char *const orders[] = {"", ", rows in falling order", ", rows in no order", ", two rows the same"};
	const struct overlap *overlap = &trial->overlap;
	const struct binding *binding = trial->setting->outline->binding;

	const char *order = has_tables(trial) ? orders[trial->order] : "";

	if (trial->sized->null)
		return arena_printf(arena, ", %s is NULL", trial->sized->null->name);
	if (overlap->guest < 0)
		return arena_printf(arena, "%s%s", fences[trial->fence], order);
	if (overlap->shift == 0)
		return arena_printf(arena, ", %s is %s%s", binding[overlap->guest].var->name, binding[overlap->host].var->name, order);
	return arena_printf(arena, ", %s overlaps %s at %+lld elements%s", binding[overlap->guest].var->name,
			    binding[overlap->host].var->name, (long long)overlap->shift, order);
}

const char *trial_print(struct arena *arena, const struct trial *trial)
{
	return arena_printf(
		arena, "%s, seed %llx, %s values%s%s",
		shape_print(arena, trial->setting->job->nest, &trial->sized->shape), (unsigned long long)trial->seed,
		trial->sample ? "recorded" : distribution_name(trial->distribution),
		trial->is_changed ? ", one changed" : "", print_placement(arena, trial));
}
