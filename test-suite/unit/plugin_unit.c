#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plugin/command.h"
#include "plugin/region.h"
#include "support/file.h"

/* Scan "text" as FOLDER/a.c with "flags". */
static struct unit *scan(struct arena *arena, const char *folder, const char *text, int n_flag, char *const *flags,
			 struct diag *diag)
{
	char *const files[] = {path_join(arena, folder, "a.c")};
	struct command_list list;

	assert_int_equal(file_write(files[0], text, strlen(text), NULL), STATUS_OK);
	assert_int_equal(command_make(arena, 1, files, n_flag, flags, &list, diag), STATUS_OK);
	return unit_scan(&list.command[0], diag);
}

static void check_parses(const char *text, int n_flag, char *const *flags)
{
	struct arena *const arena = arena_new();
	char *const folder = folder_make_scratch(arena, NULL);
	struct diag diag = {0};
	struct unit *unit = scan(arena, folder, text, n_flag, flags, &diag);
	const struct unit_file *file;

	if (!unit)
		fail_msg("%s", diag.message);
	file = unit_find_file(unit, path_join(arena, folder, "a.c"));
	assert_non_null(file);
	assert_int_equal(file->size, strlen(text));
	assert_memory_equal(file->text, text, file->size);
	unit_free(unit);
	folder_remove(folder);
	arena_free(arena);
}
#define FLAGS(...) (int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)), (char *[]){__VA_ARGS__}

static void flags_of_gcc_are_understood(void **state)
{
	(void)state;
	check_parses("#include <stddef.h>\n#include <immintrin.h>\n__m256 v;\nsize_t n;\n",
		     FLAGS("gcc", "-O3", "-march=native", "-mavx2", "-fno-tree-vectorize", "-fprofile-use", "-flto=auto",
			   "-mveclibabi=svml", "-Wno-maybe-uninitialized", "--param", "max-unroll-times=2", "-fopt-info-vec",
			   "-Wl,--as-needed", "-Wp,-D_A=1,-D_B", "-MMD", "-MF", "x.d", "-fanalyzer", "-o", "x.o"));
	check_parses("#include <omp.h>\n#ifndef _OPENMP\n#error\n#endif\nint n(void) { return omp_get_max_threads(); }\n",
		     FLAGS("gcc", "-fopenmp"));
	check_parses("int *f(int x) { return x; }\nlong g(int *p) { return p; }\n", FLAGS("gcc"));
	check_parses("#if A != 1 || !defined B\n#error\n#endif\n", FLAGS("gcc", "-D", "A=1", "-Wp,-DB"));
	check_parses("int main(void) { undeclared(1); return 0; }\n", FLAGS("gcc", "-std=gnu89"));
	check_parses("int main(void) { undeclared(1); return 0; }\n", FLAGS("gcc"));
}

static void texts_are_byte_exact(void **state)
{
	(void)state;
	check_parses("\xef\xbb\xbfint a;\r\nint b;\r\n", FLAGS("gcc"));
	check_parses("int a;\n#line 7 \"other.c\"\nint b;\\\n\n// \xc3\xbc", FLAGS("gcc"));
}

static void errors_name_the_place(void **state)
{
	struct arena *const arena = arena_new();
	char *const folder = folder_make_scratch(arena, NULL);
	struct diag diag = {0};

	(void)state;
	assert_null(scan(arena, folder, "int a;\nint b = c;\nint d = e;\n", FLAGS("gcc"), &diag));
	assert_int_equal(diag.code, EXIT_INPUT);
	assert_non_null(strstr(diag.message, "a.c:2: use of undeclared identifier 'c' (and 1 more error)"));
	diag_clear(&diag);
	assert_null(scan(arena, folder, "#include \"missing.h\"\n", FLAGS("gcc"), &diag));
	assert_non_null(strstr(diag.message, "a.c:1: 'missing.h' file not found"));
	folder_remove(folder);
	arena_free(arena);
}

static void a_libclang_is_found(void **state)
{
	struct diag diag = {0};
	const char *const version = libclang_version(&diag);

	(void)state;
	if (!version)
		fail_msg("%s", diag.message);
	assert_true(atoi(version) >= 19);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flags_of_gcc_are_understood),
		cmocka_unit_test(texts_are_byte_exact),
		cmocka_unit_test(errors_name_the_place),
		cmocka_unit_test(a_libclang_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
