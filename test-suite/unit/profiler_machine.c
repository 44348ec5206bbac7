/* The machine model: what is measured is plausible, is cached, and leads to a sentence about what bounds a region. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "profiler/machine.h"

static const struct machine example = {
	.name = "example", .cores = 2, .vector_bytes = 32, .flops_f64 = 50e9, .flops_f32 = 100e9, .bandwidth_l1 = 200e9,
	.bandwidth_l2 = 80e9, .bandwidth_l3 = 30e9, .bandwidth_memory = 10e9, .l1 = 32 << 10, .l2 = 1 << 20, .l3 = 32 << 20,
};

static void second_answer_comes_from_the_cache(void **state)
{
	char folder[] = "/tmp/strop-machine-XXXXXX", path[64];
	struct machine first, second;
	struct diag diag = { 0 };
	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(machine_get(folder, &first, &diag), STATUS_OK);
	assert_true(first.flops_f64 > 1e8 && first.flops_f32 > first.flops_f64);
	assert_true(first.bandwidth_memory > 0 && first.l1 > 0 && first.cores > 0);
	snprintf(path, sizeof path, "%s/machine.txt", folder);
	assert_int_equal(access(path, R_OK), 0);
	assert_int_equal(machine_get(folder, &second, &diag), STATUS_OK);
	assert_string_equal(first.name, second.name);
	assert_true(second.flops_f64 > 0.999 * first.flops_f64 && second.flops_f64 < 1.001 * first.flops_f64);
	unlink(path);
	rmdir(folder);
}

static void broken_cache_is_measured_afresh(void **state)
{
	char folder[] = "/tmp/strop-machine-XXXXXX", path[64];
	struct machine machine;
	struct diag diag = { 0 };
	FILE *file;
	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/machine.txt", folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("version 1\nname another machine\ncores 1\n", file);
	fclose(file);
	assert_int_equal(machine_get(folder, &machine, &diag), STATUS_OK);
	assert_true(machine.flops_f64 > 1e8);
	unlink(path);
	rmdir(folder);
}

static void bound_names_the_scarcer_resource(void **state)
{
	char sentence[128];
	(void)state;
	machine_bound(&example, 20e9, 1e6, 1, 8, sentence, sizeof sentence);
	assert_string_equal(sentence, "compute: 40 % of 50 GF/s");
	machine_bound(&example, 1e9, 5e9, 1, 8, sentence, sizeof sentence);
	assert_string_equal(sentence, "memory: 50 % of 10 GB/s");
	machine_bound(&example, 1e9, 1e6, 1, 4, sentence, sizeof sentence);
	assert_non_null(strstr(sentence, "latency"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(second_answer_comes_from_the_cache),
		cmocka_unit_test(broken_cache_is_measured_afresh),
		cmocka_unit_test(bound_names_the_scarcer_resource),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
