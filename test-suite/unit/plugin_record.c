#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plugin/record.h"
#include "plugin/site.h"
#include "support/file.h"

/* A program of one unit in a scratch folder, with one region between each pair of marks of its text. */
struct program {
	struct arena *arena;
	char *folder;
	struct unit unit;
	struct command_list list;
	struct text output;
};

/* Bind each variable of the nest to the name that it has in the source. */
static struct nest *nest_make(struct arena *arena, const char *printed)
{
	struct diag diag = {0};
	struct nest *const nest = nest_parse(arena, printed, &diag);

	if (!nest)
		fail_msg("%s", diag.message);
	for (int i = 0; i < nest->n_var; i++)
		if (nest->var[i]->kind != VAR_LOCAL && nest->var[i]->kind != VAR_ITER)
			nest->var[i]->source = nest->var[i]->name;
	return nest;
}

/* Put "text" into the folder as "name"; its K-th region, between the K-th pair of marks, is nests[K]. */
static void program_open(struct program *program, const char *name, const char *text, const char *const *nests,
			 int n_flag, char *const *flags)
{
	struct arena *const arena = program->arena = arena_new();
	char *files[] = {NULL};
	const char *at = text;

	program->folder = folder_make_scratch(arena, NULL);
	files[0] = path_join(arena, program->folder, name);
	assert_int_equal(file_write(files[0], text, strlen(text), NULL), STATUS_OK);
	assert_int_equal(command_make(arena, 1, files, n_flag, flags, &program->list, NULL), STATUS_OK);
	program->unit = (struct unit){.arena = arena, .command = program->list.command, .n_file = 1, .has_main = true};
	program->unit.region = ARENA_ARRAY(arena, struct region, 8);
	program->unit.file = ARENA_NEW(arena, struct unit_file);
	*program->unit.file = (struct unit_file){program->unit.command->file, text, strlen(text)};
	for (int k = 0; nests[k]; k++) {
		struct region *const region = &program->unit.region[program->unit.n_region++];

		region->begin = (size_t)(strstr(at, "/*<*/") + 5 - text);
		region->end = (size_t)(strstr(at, "/*>*/") - text);
		at = text + region->end + 1;
		region->file = program->unit.command->file;
		region->id = arena_printf(arena, "%s:f:%d", name, k);
		region->nest = nest_make(arena, nests[k]);
		region->function = "f";
		memset(region->key, 'a' + k, 32);
	}
}

static void program_close(struct program *program)
{
	folder_remove(program->folder);
	text_free(&program->output);
	arena_free(program->arena);
}

/* Build and run; check what it prints. */
static void program_run(struct program *program, const char *expected, int status)
{
	const struct unit *const units[] = {&program->unit};
	const struct record_program run = {.n_unit = 1, .unit = units, .folder = program->folder, .seconds = 60,
					   .output = &program->output, .arguments = (char *[]){"3", NULL}};
	struct process_end end;
	struct diag diag = {0};

	if (record_build_and_run(&run, &end, &diag) != STATUS_OK)
		fail_msg("%s", diag.message);
	assert_int_equal(end.signal, 0);
	assert_int_equal(end.status, status);
	assert_string_equal(text_string(&program->output), expected);
}

static const struct record_value *value_find(const struct record_sample *sample, const char *name)
{
	for (int i = 0; i < sample->n_value; i++)
		if (!strcmp(sample->value[i].name, name))
			return &sample->value[i];
	return NULL;
}

static const char axpy[] =
	"#include <stdio.h>\r\n"
	"#include <stdlib.h>\r\n"
	"#include <assert.h>\r\n"
	"static void f(int n, double a, const double *x, float *y)\r\n"
	"{\r\n"
	"\tint i;\r\n"
	"\tif (n > 0)\r\n"
	"\t\t/*<*/for (i = 0; i < n; i++)\r\n"
	"\t\t\ty[2 * i] += a * x[i];/*>*/\r\n"
	"}\r\n"
	"int main(int argc, char **argv)\r\n"
	"{\r\n"
	"\tdouble x[40]; float y[80]; int k, r;\r\n"
	"\tfor (k = 0; k < 40; k++) x[k] = k;\r\n"
	"\tfor (k = 0; k < 80; k++) y[k] = 1;\r\n"
	"\tr = atoi(argv[argc - 1]);\r\n"
	"\tfor (k = 0; k < 6 * r; k++) f(10 + k % 6, 0.5, x, y);\r\n"
	"\tprintf(\"%g %s:%d\\n\", y[8], __FILE__ + sizeof(__FILE__) - 4, __LINE__);\r\n"
	"\treturn 7;\r\n"
	"}\r\n";
static const char axpy_nest[] = "region f(f32 y[?], f64 x[n] in; i32 n; f64 a)\n"
				"for i in 0..n\n"
				"  S0: y[2 * i] = f32(f64(y[2 * i]) + a * x[i])\n";

static void check_axpy(const char *text, const char *name, int n_flag, char *const *flags)
{
	struct program program = {0};
	const struct record *record;
	const struct record_value *value;

	program_open(&program, name, text, (const char *const[]){axpy_nest, NULL}, n_flag, flags);
	program_run(&program, strstr(name, "cpp") ? "37 cpp:18\n" : "37 a.c:18\n", 7);
	record = record_load(program.arena, program.folder, &program.unit.region[0]);
	assert_non_null(record);
	assert_int_equal(record->calls, 18);
	assert_int_equal(record->n_size, 1);
	assert_string_equal(record->size_name[0], "n");
	assert_int_equal(record->n_tuple, 6);
	for (int i = 0; i < 6; i++)
		assert_int_equal(record->tuple[i].calls, 3);
	assert_true(record->seconds > 0 && record->program_seconds > record->seconds);
	assert_int_equal(record->n_sample, 3);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(record->sample[i].size[0].value, 10 + i);
		value = value_find(&record->sample[i], "x");
		assert_int_equal(value->bytes, 8 * (10 + i));
		assert_true(((double *)value->data)[9] == 9.0);
		value = value_find(&record->sample[i], "y");
		assert_int_equal(value->bytes, 4 * (2 * (9 + i) + 1));
		assert_true(((float *)value->data)[8] == 1.0f + (float)i * 2);
		value = value_find(&record->sample[i], "a");
		assert_int_equal(value->bytes, 8);
		assert_true(*(double *)value->data == 0.5);
	}
	program_close(&program);
}
#define FLAGS(...) (int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)), (char *[]){__VA_ARGS__}

static void calls_sizes_and_inputs_are_recorded(void **state)
{
	(void)state;
	check_axpy(axpy, "a.c", FLAGS("gcc", "-O2"));
	check_axpy(axpy, "a.c", FLAGS("gcc", "-std=c89", "-pedantic-errors", "-Werror", "-Wall", "-Wextra"));
	check_axpy(axpy, "a.c", FLAGS("gcc", "-fsanitize=address,undefined", "-fno-sanitize-recover"));
	check_axpy(axpy, "a.cpp", FLAGS("g++", "-std=c++11"));
}

static const char feature[] =
	"\xef\xbb\xbf#define _GNU_SOURCE\n"
	"#include <stdio.h>\n"
	"#include <time.h>\n"
	"#ifndef __USE_GNU\n"
	"#error the recorder included something first\n"
	"#endif\n"
	"static int open, read, write, getenv, strop;\n"
	"static double s[2000], huge[9 << 20];\n"
	"static void f(int n, int m, double *p)\n"
	"{\n"
	"\tint i, j;\n"
	"#pragma GCC ivdep\n"
	"\t/*<*/for (i = 0; i < n; i++)\n"
	"\t\ts[i] = i;/*>*/\n"
	"\tfor (j = 0; j < m; j++)\n"
	"#ifdef NEVER\n"
	"#pragma GCC ivdep\n"
	"#endif\n"
	"\t\t/*<*/for (i = 0; i < n; i++)\n"
	"\t\t\tp[i] += s[i];/*>*/\n"
	"}\n"
	"int main(void)\n"
	"{\n"
	"\tf(0, 1, s);\n"
	"\tf(1000, 2, s + 1000);\n"
	"\tf(9 << 20, 0, 0);\n"
	"\tprintf(\"%g %d %d\\n\", s[1999], __LINE__, open + read + write + getenv + strop);\n"
	"\treturn 0;\n"
	"}\n";

static void odd_places_and_names_are_survived(void **state)
{
	static const char *const nests[] = {"region f(f64 s[?] out; i32 n)\nfor i in 0..n\n  S0: s[i] = f64(i)\n",
					    "region g(f64 p[n], f64 s[n] in; i32 n)\nfor i in 0..n\n  S0: p[i] += s[i]\n", NULL};
	struct program program = {0};
	const struct record *record;
	char *const text = strdup(feature), *const last = strstr(text, "f(9 << 20");

	(void)state;
	memcpy(last, "f(-3, 4, 0)", 11);
	last[11] = ';';
	memset(last + 12, ' ', strchr(last, '\n') - last - 12);
	program_open(&program, "a.c", text, nests, FLAGS("gcc", "-O0"));
	program_run(&program, "1998 27 0\n", 0);
	record = record_load(program.arena, program.folder, &program.unit.region[0]);
	assert_int_equal(record->calls, 3);
	assert_int_equal(record->n_sample, 3);
	assert_null(value_find(&record->sample[0], "s"));
	assert_int_equal(value_find(&record->sample[1], "s")->bytes, 8000);
	assert_null(value_find(&record->sample[2], "s"));
	assert_int_equal(*(int *)value_find(&record->sample[2], "n")->data, -3);
	record = record_load(program.arena, program.folder, &program.unit.region[1]);
	assert_int_equal(record->calls, 1 + 2 + 4);
	assert_null(value_find(&record->sample[2], "p"));
	memset(program.unit.region[1].key, 'z', 32);
	assert_null(record_load(program.arena, program.folder, &program.unit.region[1]));
	program_close(&program);
	free(text);
}

static const char threads[] =
	"#include <stdio.h>\n"
	"static double s[64][512], unmapped;\n"
	"int main(void)\n"
	"{\n"
	"\tdouble *wild = (double *)8;\n"
	"\tint t, i, n = 512;\n"
	"#pragma omp parallel for private(i)\n"
	"\tfor (t = 0; t < 64; t++) {\n"
	"\t\t/*<*/for (i = 0; i < n; i++)\n"
	"\t\t\ts[t][i] = i;/*>*/\n"
	"\t}\n"
	"\t/*<*/for (i = 0; i < n; i++)\n"
	"\t\tif (i < unmapped) s[0][i] = wild[i];/*>*/\n"
	"\tprintf(\"%g\\n\", s[63][511]);\n"
	"\treturn 0;\n"
	"}\n";

static void threads_and_wild_pointers_are_survived(void **state)
{
	static const char *const nests[] = {"region f(f64 s[64,512] out; i32 n, t)\nfor i in 0..n\n  S0: s[t,i] = f64(i)\n",
					    "region g(f64 s[64,512] out, f64 wild[n] in; i32 n)\n"
					    "for i in 0..n\n  S0: s[0,i] = wild[i]\n", NULL};
	struct program program = {0};
	const struct record *record;

	(void)state;
	program_open(&program, "a.c", threads, nests, FLAGS("gcc", "-O2", "-fopenmp"));
	program_run(&program, "511\n", 0);
	record = record_load(program.arena, program.folder, &program.unit.region[0]);
	assert_int_equal(record->calls, 64);
	assert_int_equal(record->n_tuple, 64);
	assert_int_equal(value_find(&record->sample[0], "s")->bytes, 64 * 512 * 8);
	record = record_load(program.arena, program.folder, &program.unit.region[1]);
	assert_int_equal(record->n_sample, 1);
	assert_null(value_find(&record->sample[0], "wild"));
	assert_non_null(value_find(&record->sample[0], "s"));
	program_close(&program);
}

static const char header[] =
	"#include \"other.h\"\n"
	"static void f(int n)\n"
	"{\n"
	"\tint i;\n"
	"\t/*<*/for (i = 0; i < n; i++)\n"
	"\t\ts[i] = LINE;/*>*/\n"
	"}\n";

static void headers_of_the_project_are_recorded(void **state)
{
	static const char *const nests[] = {"region f(f64 s[?] out; i32 n)\nfor i in 0..n\n  S0: s[i] = 6.0\n", NULL};
	struct program program = {0};
	struct unit_file files[3];
	const struct record *record;

	(void)state;
	program_open(&program, "a.c", header, nests, FLAGS("gcc"));
	files[0] = program.unit.file[0];
	files[1] = (struct unit_file){path_join(program.arena, program.folder, "lib/k.h"), header, sizeof(header) - 1};
	files[0].text = "#include <stdio.h>\n/*\n#include \"k.h\"\n*/ # include \"lib/mid.h\" // k.h\n"
			"int main(void) { f(9); printf(\"%g\\n\", s[8]); return 0; }\n";
	files[0].size = strlen(files[0].text);
	program.unit.file = files;
	files[2] = (struct unit_file){path_join(program.arena, program.folder, "lib/mid.h"), "#include \"k.h\"\n", 15};
	program.unit.n_file = 3;
	program.unit.region[0].file = files[1].path;
	assert_int_equal(folder_make(path_join(program.arena, program.folder, "lib"), NULL), STATUS_OK);
	assert_int_equal(file_write(path_join(program.arena, program.folder, "lib/other.h"),
				    "#define LINE __LINE__\nstatic double s[9];\n", 43, NULL), STATUS_OK);
	program_run(&program, "6\n", 0);
	record = record_load(program.arena, program.folder, &program.unit.region[0]);
	assert_int_equal(record->calls, 1);
	assert_int_equal(record->n_sample, 1);
	assert_int_equal(record->tuple[0].value[0], 9);
	program_close(&program);
}

static const char often[] =
	"#include <stdio.h>\n"
	"static double s[4];\n"
	"int main(void)\n"
	"{\n"
	"\tint t, i, n;\n"
	"\tfor (t = 0; t < 1000000; t++) {\n"
	"\t\tn = t % 2 ? 4 : 1;\n"
	"\t\t/*<*/for (i = 0; i < n; i++)\n"
	"\t\t\ts[i] += i;/*>*/\n"
	"\t}\n"
	"\tprintf(\"%g\\n\", s[3]);\n"
	"\treturn 0;\n"
	"}\n";

static void frequent_calls_are_estimated(void **state)
{
	static const char *const nests[] = {"region f(f64 s[4]; i32 n)\nfor i in 0..n\n  S0: s[i] += f64(i)\n", NULL};
	struct program program = {0};
	const struct record *record;

	(void)state;
	program_open(&program, "a.c", often, nests, FLAGS("gcc", "-O2"));
	program_run(&program, "1.5e+06\n", 0);
	record = record_load(program.arena, program.folder, &program.unit.region[0]);
	assert_int_equal(record->calls, 1000000);
	assert_int_equal(record->n_tuple, 2);
	for (int i = 0; i < 2; i++)
		assert_in_range(record->tuple[i].calls, 490000, 510000);
	program_close(&program);
}

static void programs_that_do_not_link_are_told(void **state)
{
	struct program program = {0};
	struct process_end end;
	struct diag diag = {0};
	const struct unit *const units[] = {&program.unit};
	struct record_program run = {.n_unit = 1, .unit = units};

	(void)state;
	program_open(&program, "a.c", "int f(void);\nint main(void) { return f(); }\n", (const char *const[]){NULL},
		     FLAGS("gcc"));
	run.folder = program.folder;
	assert_int_equal(record_build_and_run(&run, &end, &diag), STATUS_FAILED);
	assert_non_null(strstr(diag.message, "link"));
	program.unit.has_main = false;
	diag_clear(&diag);
	assert_int_equal(record_build_and_run(&run, &end, &diag), STATUS_FAILED);
	assert_non_null(strstr(diag.message, "main"));
	program_close(&program);
}

static void check_site(const char *text, const char *before, bool has_pragma, bool is_substatement)
{
	const size_t begin = (size_t)(strstr(text, "for") - text);
	const struct site site = site_find(text, 0, begin);

	assert_int_equal(site.begin, before ? (size_t)(strstr(text, before) - text) : begin);
	assert_int_equal(site.has_pragma, has_pragma);
	assert_int_equal(site.is_substatement, is_substatement);
}

static void sites_are_seen(void **state)
{
	(void)state;
	check_site("{ for", NULL, false, false);
	check_site("if (x) /* ) */ for", NULL, false, true);
	check_site("if (x) y; else\n// ;\nfor", NULL, false, true);
	check_site("melse; for", NULL, false, false);
	check_site("case 'x': for", NULL, false, false);
	check_site("a(\")\");\n# pragma omp simd \\\n collapse(2)\n  for", "# pragma", true, false);
	check_site("else\n#pragma A\n#pragma B\n// c\nfor", "#pragma A", true, true);
	check_site("x;\n#if 1\n#pragma A\n#endif\nfor", "#if 1", true, false);
	check_site("x;\n#if 1\ny;\n#endif\n#pragma A\nfor", "#pragma A", true, false);
	check_site("x;\n#pragma A\ny;\n  for", NULL, false, false);
	assert_int_equal(line_of("a\nb\nc", 0), 1);
	assert_int_equal(line_of("a\nb\nc", 4), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_sizes_and_inputs_are_recorded),
		cmocka_unit_test(odd_places_and_names_are_survived),
		cmocka_unit_test(threads_and_wild_pointers_are_survived),
		cmocka_unit_test(headers_of_the_project_are_recorded),
		cmocka_unit_test(frequent_calls_are_estimated),
		cmocka_unit_test(programs_that_do_not_link_are_told),
		cmocka_unit_test(sites_are_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
