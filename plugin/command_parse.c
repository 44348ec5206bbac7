#include "command_internal.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/file.h"

/* How a flag of the real command is treated; anything that no rule names is dropped alone.
 *   KEEP         the word as it is
 *   KEEP_PREFIX  any word that starts so
 *   KEEP_VALUE   with its value, which is joined to it or follows as a word of its own
 *   DROP_VALUE   dropped with the word that follows, when it stands alone
 *   HOST         nvcc: its value holds flags for the host's compiler, separated by commas */
enum treatment { DROP, KEEP, KEEP_PREFIX, KEEP_VALUE, DROP_VALUE, HOST };

struct rule {
	const char *name;
	enum treatment treatment;
	const char *as; /* the spelling that clang takes, if it is another */
};

static const struct rule common_rule[] = {
	{"-D", KEEP_VALUE, NULL}, {"-U", KEEP_VALUE, NULL}, {"-I", KEEP_VALUE, NULL},
	{"-isystem", KEEP_VALUE, NULL}, {"-iquote", KEEP_VALUE, NULL}, {"-idirafter", KEEP_VALUE, NULL},
	{"-include", KEEP_VALUE, NULL}, {"-imacros", KEEP_VALUE, NULL}, {"-isysroot", KEEP_VALUE, NULL},
	{"-iprefix", KEEP_VALUE, NULL}, {"-iwithprefixbefore", KEEP_VALUE, NULL}, {"-iwithprefix", KEEP_VALUE, NULL},
	{"-target", KEEP_VALUE, NULL}, {"--sysroot=", KEEP_PREFIX, NULL}, {"--sysroot", KEEP_VALUE, NULL},
	{"--target=", KEEP_PREFIX, NULL}, {"-std=", KEEP_PREFIX, NULL}, {"-ansi", KEEP, NULL},
	{"-O", KEEP_PREFIX, NULL}, {"-nostdinc", KEEP_PREFIX, NULL}, {"-undef", KEEP, NULL},
	{"-pthread", KEEP, NULL}, {"-trigraphs", KEEP, NULL},
	{"-ffast-math", KEEP, NULL}, {"-fno-fast-math", KEEP, NULL}, {"-ffinite-math-only", KEEP, NULL},
	{"-fsigned-char", KEEP, NULL}, {"-funsigned-char", KEEP, NULL}, {"-fno-signed-char", KEEP, NULL},
	{"-fno-unsigned-char", KEEP, NULL}, {"-fshort-enums", KEEP, NULL}, {"-fno-short-enums", KEEP, NULL},
	{"-fshort-wchar", KEEP, NULL}, {"-fwrapv", KEEP, NULL}, {"-fgnu89-inline", KEEP, NULL},
	{"-fms-extensions", KEEP, NULL}, {"-fPIC", KEEP, NULL}, {"-fpic", KEEP, NULL}, {"-fPIE", KEEP, NULL},
	{"-fpie", KEEP, NULL}, {"-ffreestanding", KEEP, NULL}, {"-fno-builtin", KEEP_PREFIX, NULL},
	{"-fno-exceptions", KEEP, NULL}, {"-fno-rtti", KEEP, NULL}, {"-fpermissive", KEEP, NULL},
	{"-m32", KEEP, NULL}, {"-m64", KEEP, NULL}, {"-mx32", KEEP, NULL}, {"-march=", KEEP_PREFIX, NULL},
	{"-mcpu=", KEEP_PREFIX, NULL}, {"-mavx", KEEP_PREFIX, NULL}, {"-mno-avx", KEEP_PREFIX, NULL},
	{"-msse", KEEP_PREFIX, NULL}, {"-mno-sse", KEEP_PREFIX, NULL}, {"-mfma", KEEP, NULL}, {"-mno-fma", KEEP, NULL},
	{"-mf16c", KEEP, NULL}, {"-mbmi", KEEP_PREFIX, NULL}, {"-mpopcnt", KEEP, NULL}, {"-mlzcnt", KEEP, NULL},
	{"-mfpu=", KEEP_PREFIX, NULL}, {"-mfloat-abi=", KEEP_PREFIX, NULL}, {"-mabi=", KEEP_PREFIX, NULL},
	{"-o", DROP_VALUE, NULL}, {"-MF", DROP_VALUE, NULL}, {"-MT", DROP_VALUE, NULL}, {"-MQ", DROP_VALUE, NULL},
	{"-Xlinker", DROP_VALUE, NULL}, {"-Xassembler", DROP_VALUE, NULL}, {"-L", DROP_VALUE, NULL},
	{"-l", DROP_VALUE, NULL}, {"-u", DROP_VALUE, NULL}, {"-T", DROP_VALUE, NULL}, {"-z", DROP_VALUE, NULL},
	{"-e", DROP_VALUE, NULL}, {"-aux-info", DROP_VALUE, NULL}, {"--param", DROP_VALUE, NULL},
	{"-dumpbase", DROP_VALUE, NULL}, {"-dumpbase-ext", DROP_VALUE, NULL}, {"-dumpdir", DROP_VALUE, NULL},
	{"-Xclang", DROP_VALUE, NULL}, {"-mllvm", DROP_VALUE, NULL}, {"-x", DROP_VALUE, NULL}, {"-B", DROP_VALUE, NULL},
	{"-Xpreprocessor", DROP_VALUE, NULL},
};

static const struct rule nvcc_rule[] = {
	{"-Xcompiler", HOST, NULL}, {"--compiler-options", HOST, NULL},
	{"--include-path", KEEP_VALUE, "-I"}, {"--system-include", KEEP_VALUE, "-isystem"},
	{"--define-macro", KEEP_VALUE, "-D"}, {"--undefine-macro", KEEP_VALUE, "-U"},
	{"--pre-include", KEEP_VALUE, "-include"}, {"--std=", KEEP_PREFIX, NULL}, {"--std", KEEP_VALUE, "-std="},
	{"-gencode", DROP_VALUE, NULL}, {"--generate-code", DROP_VALUE, NULL}, {"-arch", DROP_VALUE, NULL},
	{"--gpu-architecture", DROP_VALUE, NULL}, {"-code", DROP_VALUE, NULL}, {"--gpu-code", DROP_VALUE, NULL},
	{"-ccbin", DROP_VALUE, NULL}, {"--compiler-bindir", DROP_VALUE, NULL}, {"-Xptxas", DROP_VALUE, NULL},
	{"--ptxas-options", DROP_VALUE, NULL}, {"-Xnvlink", DROP_VALUE, NULL}, {"--nvlink-options", DROP_VALUE, NULL},
	{"-Xfatbin", DROP_VALUE, NULL}, {"-Xarchive", DROP_VALUE, NULL}, {"-maxrregcount", DROP_VALUE, NULL},
	{"--maxrregcount", DROP_VALUE, NULL}, {"--output-file", DROP_VALUE, NULL}, {"-odir", DROP_VALUE, NULL},
	{"--threads", DROP_VALUE, NULL}, {"-t", DROP_VALUE, NULL}, {"--options-file", DROP_VALUE, NULL},
	{"-optf", DROP_VALUE, NULL}, {"-diag-suppress", DROP_VALUE, NULL}, {"--diag-suppress", DROP_VALUE, NULL},
};

/* What gcc only warns of but clang refuses, in C that real programs still hold. */
static const char *const tolerated[] = {
	"-Wno-implicit-function-declaration", "-Wno-implicit-int", "-Wno-int-conversion",
	"-Wno-incompatible-function-pointer-types", "-Wno-incompatible-pointer-types", "-Wno-return-type",
};

enum language language_find(const char *path)
{
	static const struct { const char *ending; enum language language; } table[] = {
		{".c", LANGUAGE_C}, {".cc", LANGUAGE_CXX}, {".cpp", LANGUAGE_CXX}, {".cxx", LANGUAGE_CXX},
		{".c++", LANGUAGE_CXX}, {".C", LANGUAGE_CXX}, {".cp", LANGUAGE_CXX}, {".cu", LANGUAGE_CUDA},
	};
	const char *const dot = strrchr(path_base(path), '.');

	for (size_t i = 0; dot && i < sizeof(table) / sizeof(*table); i++)
		if (!strcmp(dot, table[i].ending))
			return table[i].language;
	return LANGUAGE_NONE;
}

/* Does "rule" speak of "word"? A value may be joined to the short flags, and by '=' to the long ones. */
static bool rule_matches(const struct rule *rule, const char *word)
{
	const size_t n = strlen(rule->name);

	if (strncmp(word, rule->name, n))
		return false;
	if (!word[n] || rule->treatment == KEEP_PREFIX)
		return true;
	if (rule->treatment == KEEP)
		return false;
	if (rule->name[1] == '-' || n > 2)
		return word[n] == '=' || (rule->treatment == KEEP_VALUE && rule->name[1] == 'i');
	return true;
}

static const struct rule *rule_find(const char *word, bool is_cuda)
{
	const size_t n_nvcc = is_cuda ? sizeof(nvcc_rule) / sizeof(*nvcc_rule) : 0;

	for (size_t i = 0; i < n_nvcc; i++)
		if (rule_matches(&nvcc_rule[i], word))
			return &nvcc_rule[i];
	for (size_t i = 0; i < sizeof(common_rule) / sizeof(*common_rule); i++)
		if (rule_matches(&common_rule[i], word))
			return &common_rule[i];
	return NULL;
}

static void flags_add(const struct command *command, int argc, const char *const *argv, struct arguments *list);

/* Add the flags in "value", separated by commas. */
static void host_flags_add(const struct command *command, const char *value, struct arguments *list)
{
	struct arguments words = {.arena = list->arena};

	for (;;) {
		const size_t n = strcspn(value, ",");

		if (n)
			arguments_add(&words, arena_strndup(list->arena, value, n));
		if (!value[n])
			break;
		value += n + 1;
	}
	if (words.argc)
		flags_add(command, words.argc, words.argv, list);
}

/* Add a flag that has a value, in clang's spelling. */
static void valued_add(const struct rule *rule, const char *value, struct arguments *list)
{
	const char *const name = rule->as ? rule->as : rule->name;

	if (name[strlen(name) - 1] == '=') {
		arguments_add(list, arena_printf(list->arena, "%s%s", name, value));
	} else {
		arguments_add(list, name);
		arguments_add(list, value);
	}
}

/* Treat argv[at]; return how many words it took. */
static int flag_add(const struct command *command, int at, int argc, const char *const *argv, struct arguments *list)
{
	const char *const word = argv[at];
	const struct rule *const rule = rule_find(word, command->is_cuda);
	const size_t n = rule ? strlen(rule->name) : 0;
	const bool is_alone = rule && !word[n];
	const char *value = NULL;

	if (!strncmp(word, "-Wp,", 4))
		host_flags_add(command, word + 4, list);
	if (!rule)
		return 1;
	if (rule->treatment == KEEP || rule->treatment == KEEP_PREFIX) {
		arguments_add(list, word);
		return 1;
	}
	if (is_alone)
		value = at + 1 < argc ? argv[at + 1] : NULL;
	else
		value = word + n + (n > 2 && word[n] == '=');
	if (value && rule->treatment == KEEP_VALUE)
		valued_add(rule, value, list);
	if (value && rule->treatment == HOST)
		host_flags_add(command, value, list);
	return is_alone ? 2 : 1;
}

static void flags_add(const struct command *command, int argc, const char *const *argv, struct arguments *list)
{
	for (int i = 0; i < argc;)
		i += argv[i][0] == '-' ? flag_add(command, i, argc, argv, list) : 1;
}

/* The language of "command" in clang's words: what the last -x before the source says, else NULL. */
static const char *language_chosen(const struct command *command)
{
	const char *language = NULL;

	for (int i = 1; i < command->source; i++) {
		if (!strcmp(command->argv[i], "-x") && i + 1 < command->source)
			language = command->argv[i + 1];
		else if (!strncmp(command->argv[i], "-x", 2) && command->argv[i][2])
			language = command->argv[i] + 2;
	}
	return language && strcmp(language, "none") ? language : NULL;
}

static bool has_flag(const struct command *command, const char *flag)
{
	for (int i = 1; i < command->argc; i++)
		if (!strcmp(command->argv[i], flag))
			return true;
	return false;
}

/* Make gcc's omp.h reachable, behind all other folders. */
static void openmp_add(struct arguments *list)
{
	glob_t found;

	arguments_add(list, "-D_OPENMP=201511");
	if (glob("/usr/lib/gcc/*/*/include/omp.h", 0, NULL, &found) == 0 && found.gl_pathc) {
		const char *const last = found.gl_pathv[found.gl_pathc - 1];

		arguments_add(list, "-idirafter");
		arguments_add(list, path_folder(list->arena, last));
	}
	globfree(&found);
}

/* The folder of the CUDA toolkit: that of the nvcc used, $CUDA_HOME, or the usual place. */
static const char *cuda_find(struct arena *arena, const struct command *command)
{
	const char *const home = getenv("CUDA_HOME");

	if (strchr(command->argv[0], '/') && !strcmp(path_base(command->argv[0]), "nvcc"))
		return path_resolve(arena, arena_printf(arena, "%s/..", path_folder(arena, command->argv[0])));
	return home && *home ? home : "/usr/local/cuda";
}

/* The host's view of a CUDA source; needs all of these, see docs/ARCHITECTURE.md. */
static void cuda_add(const struct command *command, struct arguments *list)
{
	const char *const cuda = cuda_find(list->arena, command);

	arguments_add(list, "-x");
	arguments_add(list, "cuda");
	arguments_add(list, "-std=c++17");
	arguments_add(list, arena_printf(list->arena, "--cuda-path=%s", cuda));
	arguments_add(list, "-nocudalib");
	arguments_add(list, "--cuda-host-only");
	arguments_add(list, "-Wno-unknown-cuda-version");
	arguments_add(list, arena_printf(list->arena, "-I%s/include/cccl", cuda));
}

void command_parse_arguments(const struct command *command, const char *resource_dir, struct arguments *list)
{
	const char *const language = language_chosen(command);

	arguments_add(list, "clang");
	if (command->is_cuda) {
		cuda_add(command, list);
	} else if (language) {
		arguments_add(list, "-x");
		arguments_add(list, language);
	}
	flags_add(command, command->argc - 1, command->argv + 1, list);
	if (has_flag(command, "-fopenmp") || has_flag(command, "-qopenmp"))
		openmp_add(list);
	arguments_add(list, "-w");
	for (size_t i = 0; i < sizeof(tolerated) / sizeof(*tolerated); i++)
		arguments_add(list, tolerated[i]);
	if (resource_dir) {
		arguments_add(list, "-resource-dir");
		arguments_add(list, resource_dir);
	}
	arguments_add(list, arena_printf(list->arena, "-working-directory=%s", command->directory));
	arguments_add(list, path_join(list->arena, command->directory, command->argv[command->source]));
}
