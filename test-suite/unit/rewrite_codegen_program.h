/* Programs that run variants of a nest beside plain loops of it, on random data of several sizes. */
#ifndef STROP_TEST_REWRITE_CODEGEN_PROGRAM_H
#define STROP_TEST_REWRITE_CODEGEN_PROGRAM_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/codegen.h"
#include "support/file.h"
#include "support/process.h"

static struct nest *load(struct arena *arena, const char *name, const char *suffix)
{
	struct text text = { 0 };
	struct diag diag = { 0 };
	struct nest *nest = NULL;

	if (file_read(arena_printf(arena, "%s/codegen/%s%s", TEST_SUITE, name, suffix), &text, &diag) == STATUS_OK)
		nest = nest_parse(arena, text_string(&text), &diag);
	if (!nest)
		fail_msg("%s%s: %s", name, suffix, diag.message);
	text_free(&text);
	return nest;
}

static struct variant generate(struct arena *arena, const struct nest *original, const struct nest *rewritten,
			       const char *function, int number, const char *text, enum compiler compiler,
			       int vector_bytes, enum fp_mode mode)
{
	struct site site = { .function = function, .number = number, .original = text, .indent = "\t" };
	struct target target = { .compiler = compiler, .vector_bytes = vector_bytes, .has_fma = true, .mode = mode };
	struct variant variant = { 0 };
	struct diag why = { 0 };

	if (codegen_c(arena, original, rewritten, &site, &target, &variant, &why) != STATUS_OK)
		fail_msg("%s: %s", function, why.message);
	return variant;
}

/* The start of each program: random numbers, and arrays kept three times: as they begin, as the plain loops leave them, and
 * as the variant does. */
static const char prologue[] =
	"#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
	"static int fell_back;\n"
	"static unsigned long state = 88172645463325252ul;\n"
	"static double draw(void)\n{\n"
	"\tstate ^= state << 13;\n\tstate ^= state >> 7;\n\tstate ^= state << 17;\n"
	"\treturn (double)(state >> 11) / 9007199254740992.0;\n}\n"
	"#define FILL(data, n, expression) \\\n"
	"\tfor (long e = 0; e < (n); e++) (data)[e] = (expression)\n"
	"#define COMPARE(number, name, a, b, n, tolerance) \\\n"
	"\tfor (long e = 0; e < (n); e++) { \\\n"
	"\t\tdouble p = (double)(a)[e], q = (double)(b)[e]; \\\n"
	"\t\tif (memcmp(&(a)[e], &(b)[e], sizeof((a)[e])) != 0 && !(fabs(p - q) <= tolerance * (1 + fabs(p)))) { \\\n"
	"\t\t\tprintf(\"%d: %s[%ld]: %.9g, not %.9g, at size %d\\n\", number, name, e, q, p, size); \\\n"
	"\t\t\treturn 1; \\\n\t\t} \\\n\t}\n";

static const char *c_type(const struct var *var)
{
	return var->ctype ? var->ctype : type_c_name(var->type);
}

static bool is_array(const struct var *var)
{
	return var->kind == VAR_ARRAY;
}

static bool is_scalar(const struct var *var)
{
	return var->kind == VAR_SCALAR;
}

/* The number of elements of an array as C text. */
static const char *count_text(struct arena *arena, const struct var *var)
{
	struct text text = { 0 };
	const char *result;

	for (int d = 0; d < var->rank; d++) {
		text_append(&text, d ? " * (long)(" : "(long)(");
		expr_print(var->extent[d], &text);
		text_append_char(&text, ')');
	}
	result = arena_strdup(arena, text_string(&text));
	text_free(&text);
	return result;
}

/* A random value of an element or scalar; integers stay good subscripts. */
static const char *value_text(struct arena *arena, const struct var *var)
{
	if (type_is_float(var->type))
		return "draw() * 4 - 2";
	return arena_printf(arena, "(%s)(draw() * %s)", type_c_name(var->type), type_size(var->type) == 1 ? "256" : "smallest");
}

/* Sizes differ from each other and from size to size, so that confusing two of them shows. */
static void params_write(struct text *out, const struct nest *nest)
{
	int n = 0;

	text_append(out, "\t\tint smallest = size;\n\t\t(void)smallest;\n");
	for (int i = 0; i < nest->n_var; i++) {
		const struct var *var = nest->var[i];

		if (var->kind != VAR_PARAM)
			continue;
		if (type_is_float(var->type))
			text_printf(out, "\t\t%s %s = draw() + 0.5;\n", c_type(var), var->name);
		else
			text_printf(out, "\t\t%s %s = size + %d * (size > 0);\n", c_type(var), var->name, 5 * n++);
	}
}

/* Declare a table of pointers to rows that lie one behind another. */
static void rows_write(struct text *out, const struct var *var)
{
	text_printf(out, "\t\tlong %s_rows = ", var->name);
	expr_print(var->extent[0], out);
	text_printf(out, ", %s_size = ", var->name);
	expr_print(var->extent[1], out);
	text_printf(out, ";\n\t\t%s **%s = calloc((size_t)%s_rows + 1, sizeof(*%s));\n", c_type(var), var->name, var->name, var->name);
	text_printf(out, "\t\tfor (long r = 0; r < %s_rows; r++)\n\t\t\t%s[r] = %s_data + r * %s_size;\n", var->name, var->name, var->name,
		    var->name);
}

/* Declare each array's three copies and a pointer of the array's own name and type, and each scalar likewise. */
static void storage_write(struct arena *arena, struct text *out, const struct nest *nest)
{
	for (int i = 0; i < nest->n_var; i++) {
		const struct var *var = nest->var[i];
		const char *type = c_type(var), *count = is_array(var) ? count_text(arena, var) : "1";

		if (!is_array(var) && !is_scalar(var))
			continue;
		for (int copy = 0; copy < 3; copy++)
			text_printf(out, "\t\t%s *%s_%s = calloc((size_t)(%s + 2), sizeof(%s));\n", type, var->name,
				    (const char *[]){ "start", "plain", "data" }[copy], count, type);
		text_printf(out, "\t\tFILL(%s_start, %s, %s);\n", var->name, count, value_text(arena, var));
		if (var->is_rows) {
			rows_write(out, var);
			continue;
		}
		text_printf(out, is_array(var) && var->is_native && var->rank > 1 ? "\t\t%s (*%s)" : "\t\t%s *%s", type,
			    is_array(var) ? var->name : arena_printf(arena, "%s_unused", var->name));
		for (int d = 1; d < var->rank && var->is_native; d++) {
			text_append_char(out, '[');
			expr_print(var->extent[d], out);
			text_append_char(out, ']');
		}
		text_printf(out, " = (void *)%s_data;\n", var->name);
		if (is_scalar(var))
			text_printf(out, "\t\t%s %s;\n\t\t(void)%s_unused;\n", type, var->name, var->name);
	}
}

/* Set the arrays and scalars to their beginning, run "body", and keep what it left as "copy" when that is not NULL. */
static void run_write(struct arena *arena, struct text *out, const struct nest *nest, const char *body, bool is_plain)
{
	for (int i = 0; i < nest->n_var; i++) {
		const struct var *var = nest->var[i];

		if (is_array(var))
			text_printf(out, "\t\tmemcpy(%s_data, %s_start, sizeof(*%s_data) * (size_t)(%s));\n", var->name,
				    var->name, var->name, count_text(arena, var));
		else if (is_scalar(var))
			text_printf(out, "\t\t%s = *%s_start;\n", var->name, var->name);
	}
	text_printf(out, "\t%s\n", body);
	for (int i = 0; i < nest->n_var; i++) {
		const struct var *var = nest->var[i];

		if (is_scalar(var))
			text_printf(out, "\t\t*%s_data = %s;\n", var->name, var->is_live_out ? var->name : "0");
		if (is_plain && is_array(var))
			text_printf(out, "\t\tmemcpy(%s_plain, %s_data, sizeof(*%s_data) * (size_t)(%s));\n", var->name,
				    var->name, var->name, count_text(arena, var));
		else if (is_plain && is_scalar(var))
			text_printf(out, "\t\t*%s_plain = *%s_data;\n", var->name, var->name);
	}
}

static void compare_write(struct arena *arena, struct text *out, const struct nest *nest, const char *tolerance, int number)
{
	for (int i = 0; i < nest->n_var; i++) {
		const struct var *var = nest->var[i];

		if (is_array(var) || is_scalar(var))
			text_printf(out, "\t\tCOMPARE(%d, \"%s\", %s_plain, %s_data, %s, %s)\n", number, var->name, var->name, var->name,
				    is_array(var) ? count_text(arena, var) : "1", tolerance);
	}
}

/* Let a written array overlap another in part: the variant must leave the work to the original. */
static void overlap_write(struct text *out, const struct nest *nest, const char *body)
{
	const struct var *written = NULL, *other = NULL;

	for (int i = 0; i < nest->n_var; i++)
		if (is_array(nest->var[i]) && nest->var[i]->is_written && !written)
			written = nest->var[i];
	for (int i = 0; i < nest->n_var; i++)
		if (is_array(nest->var[i]) && nest->var[i] != written && !other)
			other = nest->var[i];
	if (!written || !other)
		return;
	text_printf(out, "\t\tif (size > 1) {\n\t\t\t%s%s = (void *)(%s_data + 1);\n\t\t%s\n"
		    "\t\t\tif (fell_back != 1) {\n\t\t\t\tputs(\"overlap of %s and %s was not seen\");\n"
		    "\t\t\t\treturn 1;\n\t\t\t}\n\t\t\tfell_back = 0;\n\t\t}\n",
		    other->name, other->is_rows ? "[0]" : "", written->name, body, written->name, other->name);
}

/* A program that fails, saying where, when one of the "n" variants leaves other values behind than "plain" does, takes the
 * original's path when it need not (variant i from size least[i] on), or does not take it when arrays overlap. */
static const char *program_text(struct arena *arena, const struct nest *nest, const struct variant *plain, int n,
				const struct variant *variant, const char *tolerance, const int *least)
{
	struct text out = { 0 };
	const char *result;

	text_printf(&out, "%s%s", prologue, plain->helpers);
	for (int i = 0; i < n; i++)
		text_append(&out, variant[i].helpers);
	text_append(&out, "int main(void)\n{\n\tstatic const int sizes[] = { 0, 1, 2, 7, 16, 31, 32, 48, 67 };\n"
			  "\tfor (int s = 0; s < 9; s++) {\n\t\tint size = sizes[s];\n");
	params_write(&out, nest);
	storage_write(arena, &out, nest);
	run_write(arena, &out, nest, plain->body, true);
	for (int i = 0; i < n; i++) {
		run_write(arena, &out, nest, variant[i].body, false);
		text_append(&out, "\t\tif (!fell_back) {\n");
		compare_write(arena, &out, nest, tolerance, i);
		text_printf(&out, "\t\t} else if (size >= %d) {\n\t\t\tprintf(\"%d fell back at size %%d\\n\", size);\n"
				  "\t\t\treturn 1;\n\t\t}\n\t\tfell_back = 0;\n", least[i], i);
	}
	overlap_write(&out, nest, variant[0].body);
	text_append(&out, "\t}\n\treturn 0;\n}\n");
	result = arena_strdup(arena, text_string(&out));
	text_free(&out);
	return result;
}

static void check_command(const char *name, const char *const *argv)
{
	struct text output = { 0 };
	struct process process = { .argv = argv, .seconds = 60, .output = &output, .errors = &output };
	struct process_end end = { 0 };

	assert_int_equal(process_run(&process, &end, NULL), STATUS_OK);
	if (end.status || end.signal || output.size)
		fail_msg("%s: %s: status %d, signal %d: %s", name, argv[0], end.status, end.signal, text_string(&output));
	text_free(&output);
}

/* Compile "text" as folder/name.c, without a warning when "is_strict", and run it. */
static void check_program(struct arena *arena, const char *compiler, const char *folder, const char *name, bool is_strict,
			  const char *text)
{
	const char *source = arena_printf(arena, "%s/%s.c", folder, name);
	const char *program = arena_printf(arena, "%s/%s", folder, name);

	assert_int_equal(file_write(source, text, strlen(text), NULL), STATUS_OK);
	check_command(name, (const char *const[]){ compiler, "-std=gnu11", "-O2", "-march=native", "-ffp-contract=off",
						   is_strict ? "-Wall" : "-w", "-Wextra", "-Wno-psabi", "-Werror", source, "-o",
						   program, "-lm", NULL });
	check_command(name, (const char *const[]){ program, NULL });
}

#endif
