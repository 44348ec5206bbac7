#include "fuzz_program.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/file.h"
#include "support/process.h"

#include "fuzz_nest.h"
#include "fuzz_plain.h"
#include "fuzz_runtime.h"

enum { FLAGS_MAX = 32, COMPILE_SECONDS = 180, RUN_SECONDS = 300 };

/* ---- the text ---- */

/* Declare what the generated body names, with the values of the slots. */
/* A table of pointers to the rows of slot "s". */
static void rows_print(const struct var *var, int s, struct text *text)
{
	const char *const type = type_c_name(var->type);

	text_printf(text, "\tlong %s_rows = ", var->name);
	expr_print(var->extent[0], text);
	text_printf(text, ", %s_size = ", var->name);
	expr_print(var->extent[1], text);
	text_printf(text, ";\n\t%s *%s_row[%s_rows > 0 ? %s_rows : 1], **%s = %s_row;\n", type, var->name, var->name, var->name, var->name,
		    var->name);
	text_printf(text, "\tfor (long r = 0; r < %s_rows; r++)\n\t\t%s_row[r] = (%s *)v[%d] + r * %s_size;\n", var->name, var->name, type, s,
		    var->name);
}

static void openings_print(int n, const struct var *const *slot, struct text *text)
{
	for (int pass = 0; pass < 2; pass++)
		for (int s = 0; s < n; s++) {
			const struct var *var = slot[s];
			const char *type = type_c_name(var->type);

			if ((var->kind == VAR_ARRAY) != pass)
				continue;
			if (!pass) {
				text_printf(text, "\t%s %s = *(%s *)v[%d];\n", type, var->name, type, s);
				continue;
			}
			if (var->is_rows) {
				rows_print(var, s, text);
				continue;
			}
			text_printf(text, var->is_native && var->rank > 1 ? "\t%s (*%s)" : "\t%s *%s", type, var->name);
			for (int d = 1; d < var->rank && var->is_native; d++) {
				text_append_char(text, '[');
				expr_print(var->extent[d], text);
				text_append_char(text, ']');
			}
			text_printf(text, " = v[%d];\n", s);
		}
}

static void variant_print(const struct fuzz_trial *trial, int number, int n, const struct var *const *slot, struct text *text)
{
	text_printf(text, "%sstatic void variant%d(void *const *v)\n{\n\tint fell_back = 0;\n", trial->variant.helpers, number);
	openings_print(n, slot, text);
	text_printf(text, "\t%s\n\tif (fell_back) {\n\t\tfuzz_fell_back++;\n\t\tplain%d(v);\n\t\treturn;\n\t}\n", trial->variant.body,
		    number);
	for (int s = 0; s < n; s++)
		if (slot[s]->kind == VAR_SCALAR)
			text_printf(text, "\t*(%s *)v[%d] = %s;\n", type_c_name(slot[s]->type), s, slot[s]->name);
	text_append(text, "}\n");
}

static int sizes_for(const struct nest *nest)
{
	static const int sizes[] = { 130, 130, 70, 33, 13, 9 };
	int depth = fuzz_nest_depth(nest);

	return depth > 5 ? 5 : sizes[depth];
}

static bool calls_extremes(const struct nest *nest)
{
	struct text text = { 0 };
	bool result;

	nest_print(nest, &text);
	result = strstr(text_string(&text), "fmin") || strstr(text_string(&text), "fmax");
	text_free(&text);
	return result;
}

void fuzz_trial_print(struct arena *arena, const struct fuzz_trial *trial, int number, struct text *text)
{
	const struct var *slot[FUZZ_SLOTS];
	int n = fuzz_slots(trial->nest, slot, FUZZ_SLOTS);
	const struct fuzz_plain plain = { false, false }, wide = { true, false }, shuffled = { false, true };
	bool is_wide = trial->mode == FP_REASSOC;

	text_printf(text, "/* %s\n", trial->plan);
	fuzz_case_print(trial, text);
	text_append(text, "*/\n");
	fuzz_count_print(text, arena_printf(arena, "count%d", number), trial->nest);
	fuzz_plain_print(text, arena_printf(arena, "plain%d", number), trial->nest, trial->nest, plain);
	if (is_wide)
		fuzz_plain_print(text, arena_printf(arena, "wide%d", number), trial->nest, trial->nest, wide);
	fuzz_plain_print(text, arena_printf(arena, "nest%d", number), trial->rewritten, trial->nest, shuffled);
	variant_print(trial, number, n, slot, text);
	text_printf(text, "static const struct fuzz_slot slots%d[] = {\n", number);
	for (int s = 0; s < n; s++)
		text_printf(text, "\t{ \"%s\", '%c', %d, %d, %d, %d },\n", slot[s]->name,
			    slot[s]->kind == VAR_PARAM ? 'p' : slot[s]->kind == VAR_SCALAR ? 's' : 'a', slot[s]->type,
			    strncmp(slot[s]->name, "index", 5) == 0, calls_extremes(trial->nest), slot[s]->is_written);
	text_printf(text, "};\nstatic const struct fuzz_case case%d = { %d, %d, slots%d, count%d, plain%d, %s, nest%d, variant%d, %d, %luul };\n",
		    number, number, n, number, number, number, is_wide ? arena_printf(arena, "wide%d", number) : "0", number, number,
		    sizes_for(trial->nest), (unsigned long)trial->seed);
}

static const char *program_text(struct arena *arena, int n, const struct fuzz_trial *const *trial, const bool *is_left_out)
{
	struct text text = { 0 };
	int count = 0;
	const char *result;

	text_append(&text, "#include <math.h>\n#include \"fuzz_runtime.h\"\n");
	for (int i = 0; i < n; i++)
		if (!is_left_out[i])
			fuzz_trial_print(arena, trial[i], i, &text);
	text_append(&text, "const struct fuzz_case *const fuzz_cases[] = {");
	for (int i = 0; i < n; i++)
		if (!is_left_out[i])
			text_printf(&text, "%s&case%d", count++ ? ", " : " ", i);
	text_printf(&text, " };\nconst int fuzz_n = %d;\n", count);
	result = arena_strdup(arena, text_string(&text));
	text_free(&text);
	return result;
}

/* ---- compiling ---- */

/* Run "compiler" with "flags" (may be NULL) and "last" at the end of its arguments; its messages in "messages". */
static enum status compile(const char *compiler, const char *const *flags, const char *const *last, struct text *messages,
			   bool *is_good, struct diag *diag)
{
	const char *argv[FLAGS_MAX] = { compiler, "-std=gnu17", "-w", "-I" TEST_SUITE "/fuzz" };
	struct process process = { .argv = argv, .seconds = COMPILE_SECONDS, .output = messages, .errors = messages };
	struct process_end end = { 0 };
	int n = 4;

	for (; flags && *flags && n < FLAGS_MAX - 1; flags++)
		argv[n++] = *flags;
	for (; *last && n < FLAGS_MAX - 1; last++)
		argv[n++] = *last;
	if (process_run(&process, &end, diag) != STATUS_OK)
		return STATUS_FAILED;
	*is_good = end.status == 0 && end.signal == 0 && !end.timed_out;
	return STATUS_OK;
}

enum status fuzz_runtime_build(struct arena *arena, const struct fuzz_builder *builder, struct diag *diag)
{
	struct text messages = { 0 };
	bool is_good = false;
	const char *object = path_join(arena, builder->folder, "runtime.o");
	const char *const last[] = { "-O2", "-c", TEST_SUITE "/fuzz/fuzz_runtime.c", "-o", object, NULL };
	enum status status = compile(builder->compiler, NULL, last, &messages, &is_good, diag);

	if (status == STATUS_OK && !is_good)
		status = diag_set(diag, EXIT_MACHINE, "%s does not compile fuzz_runtime.c: %s", builder->compiler, text_string(&messages));
	text_free(&messages);
	return status;
}

static enum status compile_program(struct arena *arena, const struct fuzz_builder *builder, const char *name, const char *text,
				   bool is_whole, struct text *messages, bool *is_good, struct diag *diag)
{
	const char *source = path_join(arena, builder->folder, arena_printf(arena, "%s.c", name));
	const char *const whole[] = { source, path_join(arena, builder->folder, "runtime.o"), "-o",
				      path_join(arena, builder->folder, name), "-lm", NULL };
	const char *const check[] = { "-fsyntax-only", source, NULL };

	if (file_write(source, text, strlen(text), diag) != STATUS_OK)
		return STATUS_FAILED;
	return compile(builder->compiler, builder->flags, is_whole ? whole : check, messages, is_good, diag);
}

/* Find the trials that do not compile by themselves, and leave them out. */
static enum status leave_out(struct arena *arena, const struct fuzz_builder *builder, int n, const struct fuzz_trial *const *trial,
			     struct fuzz_result *result, bool *is_left_out, struct diag *diag)
{
	for (int i = 0; i < n; i++) {
		bool all_but_one[FUZZ_BATCH], is_good = false;
		struct text messages = { 0 };
		enum status status;

		for (int j = 0; j < n; j++)
			all_but_one[j] = i != j;
		status = compile_program(arena, builder, "single", program_text(arena, n, trial, all_but_one), false, &messages,
					 &is_good, diag);
		if (status == STATUS_OK && !is_good) {
			is_left_out[i] = true;
			result[i] = (struct fuzz_result){ END_NO_COMPILE, arena_strdup(arena, text_string(&messages)), 0, 0 };
		}
		text_free(&messages);
		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

/* ---- running ---- */

/* Read the lines of a run into "result"; return the case that was begun and did not end, -1 for none. */
static int read_results(struct arena *arena, const char *output, int n, struct fuzz_result *result, const char **last)
{
	int open = -1;

	for (const char *line = output; *line;) {
		const char *end = strchr(line, '\n');
		int number, at = 0, runs, fallbacks;

		if (!end)
			break;
		if (sscanf(line, "%d %n", &number, &at) == 1 && number >= 0 && number < n) {
			*last = arena_strndup(arena, line + at, (size_t)(end - line - at));
			if (strncmp(*last, "start", 5) == 0)
				open = number;
			else if (strncmp(*last, "FAIL ", 5) == 0)
				result[number] = (struct fuzz_result){ END_DIFFERENT, *last + 5, 0, 0 }, open = -1;
			else if (sscanf(*last, "ok %d %d", &runs, &fallbacks) == 2)
				result[number] = (struct fuzz_result){ END_EQUAL, "", runs, fallbacks }, open = -1;
		}
		line = end + 1;
	}
	return open;
}

/* Run the program from the "first" of its cases; set "*next" to the first of those that it did not come to. */
static enum status run_from(struct arena *arena, const struct fuzz_builder *builder, int first, int n, const bool *is_left_out,
			    struct fuzz_result *result, int *next, struct diag *diag)
{
	const char *program = path_join(arena, builder->folder, "program"), *from = arena_printf(arena, "%d", first), *last = "";
	const char *const argv[] = { builder->emulator ? builder->emulator : program, builder->emulator ? program : from,
				     builder->emulator ? from : NULL, NULL };
	const char *const environment[] = { "OMP_NUM_THREADS=3", "UBSAN_OPTIONS=print_stacktrace=0", NULL };
	struct text output = { 0 }, errors = { 0 };
	struct process process = { .argv = argv, .environment = environment, .seconds = RUN_SECONDS, .output = &output,
				   .errors = &errors };
	struct process_end end = { 0 };
	int open, at = 0;

	if (process_run(&process, &end, diag) != STATUS_OK)
		return STATUS_FAILED;
	open = read_results(arena, text_string(&output), n, result, &last);
	*next = n;
	if (open >= 0) {
		bool is_slow = end.timed_out || end.signal == SIGALRM;

		result[open] = (struct fuzz_result){ is_slow ? END_TIMEOUT : END_CRASH,
			arena_printf(arena, "%s: signal %d, status %d %s", last, end.signal, end.status, text_string(&errors)), 0, 0 };
		for (int i = 0; i <= open; i++)
			at += !is_left_out[i];
		*next = at;
	}
	text_free(&output);
	text_free(&errors);
	return STATUS_OK;
}

enum status fuzz_run(struct arena *arena, const struct fuzz_builder *builder, int n, const struct fuzz_trial *const *trial,
		     struct fuzz_result *result, struct diag *diag)
{
	bool is_left_out[FUZZ_BATCH] = { false }, is_good = false;
	struct text messages = { 0 };
	enum status status;

	for (int i = 0; i < n; i++)
		result[i] = (struct fuzz_result){ END_CRASH, "did not run", 0, 0 };
	status = compile_program(arena, builder, "program", program_text(arena, n, trial, is_left_out), true, &messages, &is_good, diag);
	if (status == STATUS_OK && !is_good) {
		status = leave_out(arena, builder, n, trial, result, is_left_out, diag);
		text_clear(&messages);
		if (status == STATUS_OK)
			status = compile_program(arena, builder, "program", program_text(arena, n, trial, is_left_out), true, &messages,
						 &is_good, diag);
		if (status == STATUS_OK && !is_good)
			status = diag_set(diag, EXIT_MACHINE, "gcc fails on the whole only: %.800s", text_string(&messages));
	}
	for (int at = 0; status == STATUS_OK && at < n;)
		status = run_from(arena, builder, at, n, is_left_out, result, &at, diag);
	text_free(&messages);
	return status;
}
