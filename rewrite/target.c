#include "codegen.h"

#include <stdlib.h>
#include <string.h>

#include "support/process.h"
#include "support/text.h"

/* Flags whose argument is the next word and which a probe must not see. */
static const char *const dropped_pairs[] = { "-o", "-MF", "-MT", "-MQ", "-Xlinker", "-L", "-l", "-T", "-u" };
/* Flags that a probe must not see: they choose another job, write files, or ask for warnings. */
static const char *const dropped[] = { "-c", "-S", "-E", "-MD", "-MMD", "-M", "-MM", "-MP", "-MG", "-Werror",
				       "-save-temps", "-v", "-pipe", "-fsyntax-only" };

static bool is_among(const char *word, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(word, words[i]) == 0)
			return true;
	return false;
}

/* Flags of a compilation keep their meaning in a probe when they choose the language, the machine, optimisation or macros;
 * files and where they go do not matter. Flags whose argument stands apart are kept together. */
static bool takes_argument(const char *flag)
{
	static const char *const flags[] = { "-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-imacros",
					     "-isysroot", "--sysroot", "-x", "-Xclang", "-mllvm", "-target", "--param" };

	return is_among(flag, flags, sizeof(flags) / sizeof(flags[0]));
}

/* The command that prints the compiler's macros under the flags of "argv", NULL-terminated. */
static const char **probe_command(int argc, const char *const *argv)
{
	static const char *const tail[] = { "-dM", "-E", "-x", "c", "/dev/null", NULL };
	const char **command = calloc((size_t)argc + 8, sizeof(*command));
	int n = 0;

	if (!command)
		return NULL;
	command[n++] = argv[0];
	for (int i = 1; i < argc; i++) {
		if (is_among(argv[i], dropped_pairs, sizeof(dropped_pairs) / sizeof(dropped_pairs[0]))) {
			i++;
		} else if (strcmp(argv[i], "-include") == 0 || strcmp(argv[i], "-x") == 0) {
			i++;
		} else if (takes_argument(argv[i]) && i + 1 < argc) {
			command[n++] = argv[i++];
			command[n++] = argv[i];
		} else if (argv[i][0] == '-' && argv[i][1] && strncmp(argv[i], "-o", 2) != 0 &&
			   strncmp(argv[i], "-Wp,", 4) != 0 && strncmp(argv[i], "-Wl,", 4) != 0 &&
			   !is_among(argv[i], dropped, sizeof(dropped) / sizeof(dropped[0]))) {
			command[n++] = argv[i];
		}
	}
	memcpy(command + n, tail, sizeof(tail));
	return command;
}

/* Whether "macros" holds "#define NAME ". */
static bool defines(const char *macros, const char *name)
{
	size_t size = strlen(name);

	for (const char *at = strstr(macros, name); at; at = strstr(at + 1, name))
		if (at >= macros + 8 && memcmp(at - 8, "#define ", 8) == 0 && (at[size] == ' ' || at[size] == '\n'))
			return true;
	return false;
}

static int vector_bytes(const char *macros)
{
	if (defines(macros, "__AVX512F__"))
		return 64;
	if (defines(macros, "__AVX__"))
		return 32;
	return defines(macros, "__SSE2__") || defines(macros, "__ARM_NEON") ? 16 : 0;
}

enum status target_probe(const char *directory, int argc, const char *const *argv, struct target *target,
			 bool *is_fast_math, struct diag *diag)
{
	const char **command = probe_command(argc, argv);
	struct text output = { 0 }, errors = { 0 };
	struct process process = { .argv = command, .directory = directory, .seconds = 20, .output = &output,
				   .errors = &errors };
	struct process_end end = { 0 };
	enum status status = command ? process_run(&process, &end, diag) : diag_set(diag, EXIT_MACHINE, "out of memory");

	if (status == STATUS_OK && (end.status || end.signal || end.timed_out))
		status = diag_set(diag, EXIT_INPUT, "%s does not say what it compiles for: %.*s", argv[0],
				  (int)strcspn(text_string(&errors), "\n"), text_string(&errors));
	if (status == STATUS_OK) {
		const char *macros = text_string(&output);

		*target = (struct target){
			.compiler = defines(macros, "__clang__") ? COMPILER_CLANG : COMPILER_GCC,
			.vector_bytes = vector_bytes(macros),
			.has_fma = defines(macros, "__FMA__"),
			.has_openmp = defines(macros, "_OPENMP"),
			.mode = defines(macros, "__FAST_MATH__") ? FP_REASSOC : FP_ORDERED,
		};
		*is_fast_math = defines(macros, "__FAST_MATH__");
	}
	text_free(&output);
	text_free(&errors);
	free(command);
	return status;
}
