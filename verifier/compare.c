#include "compare.h"

#include <math.h>
#include <string.h>

bool element_equal(enum type type, const void *a, const void *b)
{
	if (!memcmp(a, b, (size_t)type_size(type)))
		return true;
	return type_is_float(type) && isnan(element_real(type, a)) && isnan(element_real(type, b));
}

static int64_t element_integer(enum type type, const void *element)
{
	switch (type) {
	case TYPE_I8:
		return *(const int8_t *)element;
	case TYPE_U8:
		return *(const uint8_t *)element;
	case TYPE_I16:
		return *(const int16_t *)element;
	case TYPE_U16:
		return *(const uint16_t *)element;
	case TYPE_I32:
		return *(const int32_t *)element;
	case TYPE_U32:
		return *(const uint32_t *)element;
	default:
		return *(const int64_t *)element;
	}
}

double element_real(enum type type, const void *element)
{
	if (type == TYPE_F32)
		return *(const float *)element;
	if (type == TYPE_F64)
		return *(const double *)element;
	return (double)element_integer(type, element);
}

const char *element_print(struct arena *arena, enum type type, const void *element)
{
	if (type == TYPE_F32)
		return arena_printf(arena, "%.9g", element_real(type, element));
	if (type == TYPE_F64)
		return arena_printf(arena, "%.17g", element_real(type, element));
	if (type == TYPE_U64)
		return arena_printf(arena, "%llu", (unsigned long long)element_integer(type, element));
	return arena_printf(arena, "%lld", (long long)element_integer(type, element));
}

const char *element_name(struct arena *arena, const struct trial *trial, int binding, int64_t offset)
{
	const struct setting *setting = trial->setting;
	const struct var *var = setting->outline->binding[binding].var;
	const char *subscripts = "";
	int d;

	if (var->kind != VAR_ARRAY)
		return var->name;
	for (d = var->rank - 1; d > 0; d--) {
		int64_t extent = 0;

		if (!extent_pitch(setting->job->nest, &trial->sized->shape, var, d, &extent) || extent <= 0)
			break;
		subscripts = arena_printf(arena, ",%lld%s", (long long)(offset % extent), subscripts);
		offset /= extent;
	}
	if (var->is_rows)
		offset = trial_row_at(trial, binding, offset);
	return arena_printf(arena, "%s[%lld%s]", var->name, (long long)offset, subscripts);
}

/* One comparison under way. */
struct comparison {
	struct arena *arena;
	const struct trial *trial;
	element_accept *accept;
	bool changed_input;
	const char *witness;
};

static bool tell(struct comparison *comparison, int binding, int64_t offset, enum type type, const void *expected,
		 const void *found, bool is_input)
{
	struct arena *arena = comparison->arena;
	const char *name = element_name(arena, comparison->trial, binding, offset);

	comparison->changed_input = is_input;
	comparison->witness = arena_printf(arena, "%s%s is %s instead of %s", is_input ? "input " : "", name,
					   element_print(arena, type, found), element_print(arena, type, expected));
	return false;
}

static bool accepts(const struct comparison *comparison, int p, int64_t index, enum type type, const void *expected,
		    const void *found)
{
	if (element_equal(type, expected, found))
		return true;
	return comparison->accept && comparison->accept(comparison->trial, p, index, type, expected, found);
}

static bool compare_array(struct comparison *comparison, int p)
{
	const struct trial *trial = comparison->trial;
	const struct part *part = &trial->part[p];
	enum type type = trial->setting->outline->binding[part->binding].var->type;
	const unsigned char *found = image_data(trial->image, p);
	const unsigned char *expected = part->is_written ? part->expected : part->initial;
	int64_t size = type_size(type), i;

	if (!memcmp(found, expected, (size_t)(part->count * size)))
		return true;
	for (i = 0; i < part->count; i++) {
		const unsigned char *a = expected + i * size, *b = found + i * size;

		if (part->is_written ? !accepts(comparison, p, i, type, a, b) : memcmp(a, b, (size_t)size) != 0)
			return tell(comparison, part->binding, part->first + i, type, a, b, !part->is_written);
	}
	return true;
}

static bool compare_arrays(struct comparison *comparison, bool is_written)
{
	const struct trial *trial = comparison->trial;
	int p;

	for (p = 1; p < trial->n_part; p++)
		if (trial->part[p].kind == BLOCK_ARRAY && trial->part[p].is_written == is_written &&
		    !compare_array(comparison, p))
			return false;
	return true;
}

static bool compare_cells(struct comparison *comparison)
{
	const struct trial *trial = comparison->trial;
	const struct outline *outline = trial->setting->outline;
	const unsigned char *found = image_data(trial->image, 0);
	int k;

	for (k = 0; k < outline->n_binding; k++) {
		const struct var *var = outline->binding[k].var;
		bool is_output = var->kind == VAR_SCALAR;
		const unsigned char *before = is_output ? trial->part[0].expected : trial->part[0].initial;
		int cell = trial->cell_of[k];
		size_t at = (size_t)cell * cell_bytes;

		if (cell < 0 || (is_output && !var->is_live_out))
			continue;
		if (!accepts(comparison, 0, cell, var->type, before + at, found + at))
			return tell(comparison, k, 0, var->type, before + at, found + at, !is_output);
	}
	return true;
}

/* Records hold fields that are read and poison; all of it must be as the original left it. Where results may differ in
 * their last bits, those within records are compared through their cells alone. */
static bool compare_record(struct comparison *comparison, int p)
{
	const struct trial *trial = comparison->trial;
	const struct part *part = &trial->part[p];

	if (comparison->accept || !memcmp(image_data(trial->image, p), part->expected, (size_t)part->count))
		return true;
	comparison->changed_input = true;
	comparison->witness = arena_printf(comparison->arena, "a field of *%s changed",
					   trial->setting->outline->record[part->record].pointer);
	return false;
}

static bool compare_table(struct comparison *comparison, int p)
{
	const struct trial *trial = comparison->trial;
	const struct part *part = &trial->part[p];

	if (!memcmp(image_data(trial->image, p), part->initial, (size_t)part->count * sizeof(uint64_t)))
		return true;
	comparison->changed_input = true;
	comparison->witness = arena_printf(comparison->arena, "a row pointer of %s changed",
					   trial->setting->outline->binding[part->binding].var->name);
	return false;
}

struct verdict trial_compare(struct arena *arena, const struct trial *trial, element_accept *accept)
{
	struct comparison comparison = {.arena = arena, .trial = trial, .accept = accept};
	bool equal =
		compare_arrays(&comparison, false) && compare_cells(&comparison) && compare_arrays(&comparison, true);
	int p;

	for (p = 1; p < trial->n_part && equal; p++) {
		if (trial->part[p].kind == BLOCK_RECORD)
			equal = compare_record(&comparison, p);
		if (trial->part[p].kind == BLOCK_TABLE)
			equal = compare_table(&comparison, p);
	}
	if (equal)
		return (struct verdict){VERDICT_EQUAL, ""};
	return (struct verdict){comparison.changed_input ? VERDICT_INPUT_CHANGED : VERDICT_DIFFERENT, comparison.witness};
}
