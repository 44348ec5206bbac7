/* strop doctor: what this machine offers, and what it lacks. */
#include <stdio.h>
#include <string.h>

#include "plugin/region.h"
#include "profiler/counters.h"
#include "profiler/machine.h"
#include "support/file.h"
#include "support/options.h"
#include "support/process.h"
#include "verifier/sandbox.h"

#include "folders.h"
#include "inputs.h"
#include "tools.h"

/* Print the first line that "program --version" gives; return whether it runs. */
static bool report_program(const char *program)
{
	const char *const argv[] = { program, "--version", NULL };
	struct text output = { 0 };
	const struct process process = { .argv = argv, .seconds = 10, .output = &output };
	struct process_end end;
	struct diag diag = { 0 };
	bool runs = process_run(&process, &end, &diag) == STATUS_OK && end.status == 0 && output.size;

	if (runs)
		printf("%-10s %.*s\n", program, (int)strcspn(text_string(&output), "\n"), text_string(&output));
	else
		printf("%-10s missing\n", program);
	text_free(&output);
	return runs;
}

static void report_machine(const struct machine *machine)
{
	char counters[256];

	printf("machine    %s, %d cores, %d-byte vectors\n", machine->name, machine->cores, machine->vector_bytes);
	printf("peaks      %.1f GF/s double, %.1f GF/s float per core\n", machine->flops_f64 * 1e-9,
	       machine->flops_f32 * 1e-9);
	printf("bandwidth  %.1f GB/s L1, %.1f L2, %.1f L3, %.1f memory (one core)\n", machine->bandwidth_l1 * 1e-9,
	       machine->bandwidth_l2 * 1e-9, machine->bandwidth_l3 * 1e-9, machine->bandwidth_memory * 1e-9);
	counters_describe(counters, sizeof counters);
	printf("counters   %s\n", counters);
	printf("caches     %zu KiB L1, %zu KiB L2, %zu KiB L3\n", machine->l1 >> 10, machine->l2 >> 10, machine->l3 >> 10);
}

static void report_sandbox(void)
{
	for (enum sandbox_layer layer = 0; layer < LAYER_COUNT; layer++)
		printf("sandbox    %-18s %s%s\n", sandbox_layer_name(layer), sandbox_has(layer) ? "" : "NOT AVAILABLE: ",
		       sandbox_layer_sentence(layer));
}

static int examine(void)
{
	struct arena *arena = arena_new();
	const char *cache = folders_cache(arena), *version;
	struct machine machine;
	struct diag diag = { 0 };
	bool gcc, clang;
	int code = EXIT_FINE;

	version = libclang_version(&diag);
	printf("%-10s %s\n", "libclang", version ? version : diag.message);
	gcc = report_program("gcc");
	clang = report_program("clang");
	if (!version || (!gcc && !clang))
		code = EXIT_MACHINE;
	diag_clear(&diag);
	printf("cache      %s%s\n", cache, folder_make(cache, &diag) == STATUS_OK ? "" : " (cannot be written)");
	diag_clear(&diag);
	if (machine_get(cache, &machine, &diag) == STATUS_OK) {
		report_machine(&machine);
	} else {
		printf("machine    %s\n", diag.message);
		code = EXIT_MACHINE;
	}
	report_sandbox();
	printf("%s\n", code == EXIT_FINE ? "all that strop needs is here" : "something that strop needs is missing");
	arena_free(arena);
	return code;
}

int doctor_main(int argc, char **argv)
{
	const struct usage usage = {
		"strop doctor",
		"Say what this machine offers: libclang, compilers, measured peaks of arithmetic and memory, the\n"
		"layers of the sandbox in which candidates run; exit with 5 when something that strop needs is missing.",
		"strop doctor", 0, NULL,
	};
	struct arguments arguments;
	struct diag diag = { 0 };

	if (options_parse(&usage, argc, argv, &arguments, &diag) != STATUS_OK)
		return fail(&diag);
	return arguments.help ? EXIT_FINE : examine();
}
