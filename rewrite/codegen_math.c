#include "codegen_internal.h"

#include <string.h>

/* Vector forms of functions of the math library, within two units in the last place; "V" stands for the vector type, "I" for
 * integers as wide, "NAME" for the function and "EXP" for the exponential. Methods and coefficients are those of Cephes
 * (expf.c, tanhf.c; Moshier 1992). */
static const struct {
	const char *name, *body;
	bool uses_exp;
} functions[] = {
	{ "expf",
	  "	const I high = (I)(x > 88.8f), low = (I)(x < -104.0f);\n"
	  "	const V c = (V)((~(high | low) & (I)x) | (high & (I)(88.8f - (V){ 0 })) | (low & (I)(-104.0f - (V){ 0 })));\n"
	  "	const V z = c * 1.44269504f;\n"
	  "	const V half = (V)(((I)z & (int)0x80000000) | (I)(0.5f - (V){ 0 }));\n"
	  "	const I n = __builtin_convertvector(z + half, I), n_half = n >> 1;\n"
	  "	const V m = __builtin_convertvector(n, V);\n"
	  "	const V r = c - m * 0.693359375f - m * -2.12194440e-4f;\n"
	  "	V p = r * 1.9875691500e-4f + 1.3981999507e-3f;\n"
	  "\n"
	  "	p = p * r + 8.3334519073e-3f;\n"
	  "	p = p * r + 4.1665795894e-2f;\n"
	  "	p = p * r + 1.6666665459e-1f;\n"
	  "	p = p * r + 5.0000001201e-1f;\n"
	  "	p = p * (r * r) + r + 1.0f;\n"
	  "	return (V)((I)p + (n_half << 23)) * (V)((n - n_half + 127) << 23);\n",
	  false },
	{ "tanhf",
	  "	const I sign = (I)x & (int)0x80000000;\n"
	  "	const V a = (V)((I)x & 0x7fffffff), z = x * x;\n"
	  "	const I small = (I)(a < 0.625f);\n"
	  "	const V large = 1.0f - 2.0f / (EXP(a + a) + 1.0f);\n"
	  "	V p = z * -5.70498872745e-3f + 2.06390887954e-2f;\n"
	  "\n"
	  "	p = p * z - 5.37397155531e-2f;\n"
	  "	p = p * z + 1.33314422036e-1f;\n"
	  "	p = p * z - 3.33332819422e-1f;\n"
	  "	p = p * (z * x) + x;\n"
	  "	return (V)((small & (I)p) | (~small & (sign | (I)large)));\n",
	  true },
};
enum { EXP = 0, FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

static int find_function(const char *name)
{
	for (int i = 0; i < FUNCTIONS; i++)
		if (strcmp(functions[i].name, name) == 0)
			return i;
	return -1;
}

bool math_has_vector_form(const struct codegen *cg, const struct expr *call)
{
	return cg->target->mode == FP_REASSOC && call->type == TYPE_F32 && call->n == 1 && find_function(call->name) >= 0 &&
	       cg->lanes * type_size(call->type) <= cg->target->vector_bytes;
}

static const char *function_name(const struct codegen *cg, int function, int lanes)
{
	return arena_printf(cg->arena, "%s_%s%dx%d", cg->site->function, functions[function].name, cg->site->number, lanes);
}

const char *math_vector_name(struct codegen *cg, const struct expr *call)
{
	int function = find_function(call->name);

	cg->used_math[function] |= (unsigned)cg->lanes;
	if (functions[function].uses_exp)
		cg->used_math[EXP] |= (unsigned)cg->lanes;
	codegen_vector_type(cg, TYPE_F32, cg->lanes);
	codegen_vector_type(cg, TYPE_I32, cg->lanes);
	return function_name(cg, function, cg->lanes);
}

/* Append "body" with its placeholders filled in and its tabs as the source indents. */
static void body_write(struct codegen *cg, struct text *text, const char *body, int lanes)
{
	for (const char *c = body; *c; c++) {
		bool is_word_start = c == body || !name_length((const char[]){ c[-1], '\0' });

		if (is_word_start && *c == 'V' && !name_length(c + 1)) {
			text_append(text, codegen_vector_type(cg, TYPE_F32, lanes));
		} else if (is_word_start && *c == 'I' && !name_length(c + 1)) {
			text_append(text, codegen_vector_type(cg, TYPE_I32, lanes));
		} else if (strncmp(c, "EXP", 3) == 0) {
			text_append(text, function_name(cg, EXP, lanes));
			c += 2;
		} else if (*c == '\t') {
			text_append(text, cg->unit);
		} else {
			text_append_char(text, *c);
		}
	}
}

void math_functions_write(struct codegen *cg, struct text *text)
{
	for (int i = 0; i < FUNCTIONS; i++)
		for (int lanes = 2; lanes <= 64; lanes *= 2) {
			const char *type = arena_printf(cg->arena, "f32x%d", lanes);

			if (!(cg->used_math[i] & (unsigned)lanes))
				continue;
			text_printf(text, "/* %s in all lanes, within two units in the last place. */\n", functions[i].name);
			text_printf(text, "static inline %s %s(%s x)\n{\n", type, function_name(cg, i, lanes), type);
			body_write(cg, text, functions[i].body, lanes);
			text_append(text, "}\n\n");
		}
}
