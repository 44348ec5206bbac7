#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "plugin/record.h"
#include "support/file.h"

static char self[4096];

/* A small project whose build and run are recorded: see files[]. */
struct project {
	struct arena *arena;
	char *folder, *records;
};

static const struct { const char *name, *text; } files[] = {
	{"src/kernel.c", "#include \"kernel.h\"\n"
			 "static double s[SIZE];\n"
			 "double kernel(int n)\n"
			 "{\n"
			 "\tint i;\n"
			 "\t/*<*/for (i = 0; i < n; i++)\n"
			 "\t\ts[i] = s[i] + i;/*>*/\n"
			 "\treturn s[n - 1];\n"
			 "}\n"},
	{"src/kernel.h", "#define SIZE 1000\ndouble kernel(int n);\n"},
	{"src/main.c", "#include \"kernel.h\"\n"
		       "int main(void) { kernel(10); return kernel(100) != 99; }\n"},
	{"src/broken.c", "int main(void) { return f(; }\n"},
	{"flags.rsp", "-O1 -Wall"},
	{"Makefile", "CC = gcc\n"
		     "app: kernel.o main.o\n"
		     "\t$(CC) kernel.o main.o -o app\n"
		     "%.o: src/%.c\n"
		     "\t$(CC) @flags.rsp -Werror -MMD -MF $*.dep -c $< -o $@\n"},
};

static void project_open(struct project *project)
{
	project->arena = arena_new();
	project->folder = folder_make_scratch(project->arena, NULL);
	project->records = path_join(project->arena, project->folder, "rec ords");
	assert_int_equal(folder_make(project->records, NULL), STATUS_OK);
	assert_int_equal(folder_make(path_join(project->arena, project->folder, "src"), NULL), STATUS_OK);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		assert_int_equal(file_write(path_join(project->arena, project->folder, files[i].name), files[i].text,
					    strlen(files[i].text), NULL), STATUS_OK);
}

static void project_close(struct project *project)
{
	folder_remove(project->folder);
	arena_free(project->arena);
}

/* Run "script" in the project's folder under record_command(); return its exit status. */
static int record(const struct project *project, const char *script)
{
	char *const command[] = {"sh", "-c", arena_printf(project->arena, "cd '%s' && { %s; }", project->folder, script),
				 NULL};
	struct process_end end;
	struct diag diag = {0};

	if (record_command(self, command, project->records, 60, &end, &diag) != STATUS_OK)
		fail_msg("%s", diag.message);
	return end.status;
}

/* The calls and the largest "n" that the records tell of kernel()'s loop. */
static void check_kernel(const struct project *project, int64_t calls, int64_t n)
{
	char *const paths[] = {path_join(project->arena, project->folder, "src/kernel.c")};
	struct command_list list;
	struct unit *unit;
	const struct record *record;
	int64_t most = 0;

	assert_int_equal(command_make(project->arena, 1, paths, 0, NULL, &list, NULL), STATUS_OK);
	unit = unit_scan(list.command, NULL);
	assert_non_null(unit);
	assert_int_equal(unit->n_region, 1);
	assert_non_null(unit->region[0].nest);
	record = record_load(project->arena, project->records, &unit->region[0]);
	assert_non_null(record);
	assert_int_equal(record->calls, calls);
	for (int i = 0; i < record->n_tuple; i++)
		most = record->tuple[i].value[0] > most ? record->tuple[i].value[0] : most;
	assert_int_equal(most, n);
	assert_int_equal(record->n_sample, 2);
	unit_free(unit);
}

static void a_build_by_make_is_recorded(void **state)
{
	struct project project;
	struct text text = {0};

	(void)state;
	project_open(&project);
	assert_int_equal(record(&project, "make -s app >log 2>&1 && ./app && ./app"), 0);
	check_kernel(&project, 4, 100);
	assert_int_equal(file_read(path_join(project.arena, project.folder, "kernel.dep"), &text, NULL), STATUS_OK);
	assert_string_equal(text_string(&text), "kernel.o: src/kernel.c src/kernel.h\n");
	text_free(&text);
	project_close(&project);
}

static void one_step_builds_and_other_compilers_are_recorded(void **state)
{
	struct project project;

	(void)state;
	project_open(&project);
	assert_int_equal(record(&project, "cc -O2 src/main.c src/kernel.c -o app && ./app"), 0);
	check_kernel(&project, 2, 100);
	project_close(&project);
	project_open(&project);
	setenv("CC", "gcc -DX", 1);
	assert_int_equal(record(&project, "$CC -c src/main.c src/kernel.c && $CC main.o kernel.o -o app && ./app"), 0);
	unsetenv("CC");
	check_kernel(&project, 2, 100);
	project_close(&project);
}

static void compilers_fail_as_they_do_alone(void **state)
{
	struct project project;

	(void)state;
	project_open(&project);
	assert_int_equal(record(&project, "cc -c src/broken.c -o broken.o 2>log"), 1);
	assert_int_equal(record(&project, "grep -q 'src/broken.c:1' log"), 0);
	assert_int_equal(record(&project, "gcc --version >/dev/null && gcc -E src/kernel.c | grep -q strop"), 1);
	assert_int_equal(record(&project, "exit 9"), 9);
	project_close(&project);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_build_by_make_is_recorded),
		cmocka_unit_test(one_step_builds_and_other_compilers_are_recorded),
		cmocka_unit_test(compilers_fail_as_they_do_alone),
	};

	if (argc > 1 && !strcmp(argv[1], "cc-record"))
		return record_shim(argc - 2, argv + 2);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
