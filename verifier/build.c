#include "build.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/file.h"
#include "support/process.h"

#include "races_internal.h"
#include "sandbox.h"

#if defined(__x86_64__)
static const bool is_x86 = true;
#else
static const bool is_x86 = false;
#endif

/* What a compiler may take: a candidate may be a text that makes it run on, eat memory, or fill the disk. */
static const double compile_seconds = 120;
static const size_t compile_memory = (size_t)4 << 30, compile_file_size = (size_t)256 << 20;

/* Flags that say what to make, where, or with which extras; none of them changes the code of the region, or all hinder.
 * A trailing '=' or '*' means "with anything after it"; "takes" tells that a separate argument follows. */
static const struct dropped {
	const char *flag;
	bool takes;
} dropped[] = {
	{"-c", false},
	{"-S", false},
	{"-E", false},
	{"-o", true},
	{"-MF", true},
	{"-MT", true},
	{"-MQ", true},
	{"-MJ", true},
	{"-M", false},
	{"-MM", false},
	{"-MD", false},
	{"-MMD", false},
	{"-MP", false},
	{"-MG", false},
	{"-g", false},
	{"-ggdb", false},
	{"-g1", false},
	{"-g2", false},
	{"-g3", false},
	{"-gdwarf*", false},
	{"-ggdb*", false},
	{"-gsplit-dwarf", false},
	{"-gz*", false},
	{"-pg", false},
	{"--coverage", false},
	{"-coverage", false},
	{"-fprofile-arcs", false},
	{"-ftest-coverage", false},
	{"-Werror", false},
	{"-Werror=*", false},
	{"-pedantic-errors", false},
	{"-save-temps*", false},
	{"-flto*", false},
	{"-fwhole-program", false},
	{"-static", false},
	{"-shared", false},
	{"-pie", false},
	{"-no-pie", false},
	{"-fPIE", false},
	{"-fpie", false},
	{"-fno-pie", false},
	{"-fno-PIE", false},
	{"-fno-pic", false},
	{"-fno-PIC", false},
	{"-ftime-report", false},
	{"-fdump-*", false},
	{"-fopt-info*", false},
	{"-fsyntax-only", false},
	{"-Winvalid-pch", false},
};

static bool flag_matches(const char *pattern, const char *flag)
{
	size_t size = strlen(pattern);

	if (pattern[size - 1] == '*')
		return !strncmp(pattern, flag, size - 1);
	return !strcmp(pattern, flag);
}

static const struct dropped *find_dropped(const char *flag)
{
	size_t i;

	for (i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++)
		if (flag_matches(dropped[i].flag, flag))
			return &dropped[i];
	if (!strncmp(flag, "-MF", 3) || !strncmp(flag, "-MT", 3) || !strncmp(flag, "-MQ", 3) || !strncmp(flag, "-o", 2))
		return &dropped[0];
	return NULL;
}

/* A growing command line. */
struct line {
	const char **argv;
	int n;
};

static void line_add(struct line *line, const char *arg)
{
	line->argv[line->n++] = arg;
}

static bool has_clang(const struct job *job)
{
	return strstr(path_base(job->argv[0]), "clang") != NULL;
}

/* Add the user's flags, but those that are dropped and the source. */
static void add_user_flags(const struct job *job, struct line *line)
{
	int i;

	for (i = 1; i < job->argc; i++) {
		const struct dropped *drop = i == job->source ? &dropped[0] : find_dropped(job->argv[i]);

		if (!drop)
			line_add(line, job->argv[i]);
		else
			i += drop->takes;
	}
}

/* Reordering without what changes the process (flush-to-zero) or what NaN and infinities mean. */
static const char *const free_flags[] = {"-O3",           "-ffp-contract=fast", "-fassociative-math", "-fno-signed-zeros",
					 "-fno-trapping-math", "-fno-math-errno",    "-freciprocal-math",  NULL};
/* Misaligned access is no arithmetic, and means on the machines at hand what it says. */
static const char *const trapping_flags[] = {"-fsanitize=undefined,float-cast-overflow", "-fno-sanitize=alignment,object-size",
					     "-fsanitize-undefined-trap-on-error", NULL};

/* NOTE: what a thread has of a library that is loaded late is memory that the loader takes and gives back behind the sanitizer's back,
 * which then sees races of threads that have nothing in common but that memory. */
static const char static_tls[] = "-ftls-model=initial-exec";

const char *const build_wrapped[] = {"malloc", "calloc", "realloc", "aligned_alloc", "memalign", "valloc", "posix_memalign", NULL};

static void add_wraps(struct arena *arena, struct line *line)
{
	size_t i;

	for (i = 0; build_wrapped[i]; i++)
		line_add(line, arena_printf(arena, "-Wl,--wrap=%s", build_wrapped[i]));
}

static void add_flags(struct line *line, const char *const *flag)
{
	for (; *flag; flag++)
		line_add(line, *flag);
}

static void add_our_flags(struct arena *arena, const struct job *job, enum build_kind kind, struct line *line)
{
	static const char *const flags[] = {"-w",
					    "-g0",
					    "-fPIC",
					    "-shared",
					    "-fvisibility=hidden",
					    "-Dmain=strop_main",
					    "-Wl,-z,lazy",
					    "-Wl,--unresolved-symbols=ignore-all",
					    "-pipe"};
	const char *main_file = job->main_file ? job->main_file : job->file;
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		line_add(line, flags[i]);
	line_add(line, has_clang(job) ? "-ferror-limit=20" : "-fmax-errors=20");
	if (!has_clang(job))
		line_add(line, "-fwhole-program");
	if (kind == BUILD_SANITIZED) {
		line_add(line, "-fsanitize=address,undefined");
		line_add(line, "-fno-sanitize-recover=all");
	}
	if (kind == BUILD_RACES) {
		line_add(line, "-fsanitize=thread");
		line_add(line, "-fsanitize-coverage=trace-pc");
		line_add(line, "-U__SANITIZE_THREAD__");
		line_add(line, static_tls);
	}
	if (kind == BUILD_FREE)
		add_flags(line, free_flags);
	if (kind == BUILD_TRAPPING)
		add_flags(line, trapping_flags);
	if (kind == BUILD_PATTERN)
		line_add(line, "-ftrivial-auto-var-init=pattern");
	if (kind == BUILD_STARVED)
		add_wraps(arena, line);
	if ((kind == BUILD_JUDGED || kind == BUILD_PATTERN || kind == BUILD_STARVED) && job->strictness == STRICT_ORDERED)
		line_add(line, "-ffp-contract=off");
	line_add(line, "-iquote");
	line_add(line, path_folder(arena, main_file));
}

/* The first line of the compiler's output that tells an error; it quotes the candidate. */
static const char *first_error(struct arena *arena, const char *output)
{
	const char *at = strstr(output, "error:"), *begin, *end;
	size_t most = 400;
	char *line;

	if (!at)
		at = strstr(output, "undefined");
	if (!at)
		at = output;
	for (begin = at; begin > output && begin[-1] != '\n'; begin--)
		;
	end = begin + strcspn(begin, "\n");
	if (end == begin)
		return "the compiler failed without a word";
	line = arena_strndup(arena, begin, (size_t)(end - begin) < most ? (size_t)(end - begin) : most);
	string_make_printable(line);
	return line;
}

/* What a compiler may read and write, apart from the system's own files. */
struct reach {
	const char **readable;
	int n, most;
	const char *writable;
};

static void reach_add(struct reach *reach, const char *path)
{
	if (path && *path && reach->n + 1 < reach->most)
		reach->readable[reach->n++] = path;
}

static void reach_add_list(struct arena *arena, struct reach *reach, const char *list)
{
	size_t size;

	for (; list && *list; list += size + (list[size] == ':')) {
		size = strcspn(list, ":");
		reach_add(reach, arena_strndup(arena, list, size));
	}
}

/* The paths that an argument of the user's may name: all of it, what follows an option's letters, and what begins with '/'. */
static void reach_add_argument(struct reach *reach, const char *argument)
{
	static const char *const options[] = {"-I", "-L", "-B", "-isystem", "-iquote", "-idirafter", "-include", "@"};
	size_t i;

	if (*argument != '-')
		reach_add(reach, argument);
	reach_add(reach, strchr(argument, '/'));
	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (!strncmp(argument, options[i], strlen(options[i])))
			reach_add(reach, argument + strlen(options[i]));
}

/* The folders around the compiler, as found on PATH, in which it may have its own headers. */
static void reach_add_compiler(struct arena *arena, struct reach *reach, const char *name)
{
	const char *list = strchr(name, '/') ? "" : getenv("PATH"), *real = NULL;
	size_t size;
	char *found;

	for (; list && !real; list += size + (list[size] == ':')) {
		size = strcspn(list, ":");
		found = realpath(size ? path_join(arena, arena_strndup(arena, list, size), name) : name, NULL);
		if (found)
			real = arena_strdup(arena, found);
		free(found);
		if (!list[size])
			break;
	}
	if (real)
		reach_add(reach, path_folder(arena, path_folder(arena, real)));
}

/* Where a compiler finds all that the user's own build finds: beside the sources and where the command and environment say. */
static struct reach *find_reach(struct arena *arena, const struct job *job)
{
	static const char *const lists[] = {"PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH"};
	const int most = 3 * job->argc + 400;
	struct reach *reach = ARENA_NEW(arena, struct reach);
	size_t l;
	int i;

	*reach = (struct reach){ARENA_ARRAY(arena, const char *, most), 0, most, path_absolute(arena, NULL, job->scratch)};
	reach_add(reach, job->directory ? job->directory : ".");
	reach_add(reach, path_folder(arena, job->file));
	reach_add(reach, path_folder(arena, job->main_file ? job->main_file : job->file));
	reach_add_compiler(arena, reach, job->argv[0]);
	for (i = 1; i < job->argc; i++)
		reach_add_argument(reach, job->argv[i]);
	for (l = 0; l < sizeof(lists) / sizeof(lists[0]); l++)
		reach_add_list(arena, reach, getenv(lists[l]));
	reach->readable[reach->n] = NULL;
	return reach;
}

static bool confine(const void *context)
{
	const struct reach *reach = context;

	return sandbox_confine(reach->readable, reach->writable);
}

static enum status run_compiler(struct arena *arena, const struct job *job, const struct line *line,
				struct program **program, const char *path, const char **error, struct diag *diag)
{
	struct text output = {0};
	const char *const environment[] = {"LC_ALL=C", "CCACHE_DISABLE=1",
					   arena_printf(arena, "TMPDIR=%s", path_absolute(arena, NULL, job->scratch)), NULL};
	struct process process = {.argv = line->argv,
				  .directory = job->directory,
				  .environment = environment,
				  .seconds = compile_seconds,
				  .memory = compile_memory,
				  .file_size = compile_file_size,
				  .output = &output,
				  .errors = &output,
				  .confine = job->is_compiler_free ? NULL : confine,
				  .context = find_reach(arena, job)};
	struct process_end end;
	enum status status = process_run(&process, &end, diag);

	*program = NULL;
	if (status == STATUS_OK && end.status == 127)
		status = diag_set(diag, EXIT_MACHINE, "%s: the compiler cannot be run", line->argv[0]);
	if (status == STATUS_OK && end.timed_out)
		*error = "the compiler took too long";
	else if (status == STATUS_OK && (end.status != 0 || end.signal != 0))
		*error = first_error(arena, text_string(&output));
	else if (status == STATUS_OK) {
		*program = ARENA_NEW(arena, struct program);
		(*program)->path = path;
	}
	text_free(&output);
	return status;
}

static const char *source_suffix(const struct job *job)
{
	const char *main_file = job->main_file ? job->main_file : job->file;
	const char *dot = strrchr(path_base(main_file), '.');

	return dot ? dot : ".c";
}

static const char *write_source(struct arena *arena, const struct job *job, const char *name, const char *suffix,
				const char *text, size_t size, struct diag *diag)
{
	const char *source = path_join(arena, job->scratch, arena_printf(arena, "%s%s", name, suffix));

	source = path_absolute(arena, NULL, source);
	return file_write(source, text, size, diag) == STATUS_OK ? source : NULL;
}

/* Compile what stands in for OpenMP's runtime library in BUILD_RACES programs, unless it is there already; "*object" is its path,
 * NULL with the compiler's "*error" where it does not compile. */
static enum status compile_shim(struct arena *arena, const struct job *job, const char **object, const char **error,
				struct diag *diag)
{
	const char *path = path_absolute(arena, NULL, path_join(arena, job->scratch, "races-shim.o")), *source;
	struct program *built = NULL;
	struct text text = {0};
	int i;

	*object = path;
	if (file_exists(path))
		return STATUS_OK;
	for (i = 0; races_shim[i]; i++)
		text_printf(&text, "%s\n", races_shim[i]);
	source = write_source(arena, job, "races-shim", ".c", text_string(&text), text.size, diag);
	text_free(&text);
	if (source) {
		const char *argv[] = {job->argv[0], "-x", "c",  "-std=gnu17", "-O1",  "-w",   "-fPIC", "-fvisibility=hidden",
				      "-pthread",   static_tls, "-c", "-o", path, source, NULL};
		struct line line = {argv, 0};

		if (run_compiler(arena, job, &line, &built, path, error, diag) != STATUS_OK)
			return STATUS_FAILED;
	}
	if (!built)
		*object = NULL;
	return source ? STATUS_OK : STATUS_FAILED;
}

/* Begin a command line with the compiler and all flags, with room for a few words more. */
static struct line begin_line(struct arena *arena, const struct job *job, enum build_kind kind)
{
	struct line line = {ARENA_ARRAY(arena, const char *, job->argc + 48), 0};

	line_add(&line, job->argv[0]);
	add_user_flags(job, &line);
	add_our_flags(arena, job, kind, &line);
	return line;
}

/* Compile "source" to "NAME.so" in the scratch folder. */
static enum status compile(struct arena *arena, const struct job *job, const char *name, const char *source,
			   enum build_kind kind, struct program **program, const char **error, struct diag *diag)
{
	const char *path = path_join(arena, job->scratch, arena_printf(arena, "%s.so", name)), *shim = NULL;
	struct line line = begin_line(arena, job, kind);

	*program = NULL;
	if (kind == BUILD_RACES && compile_shim(arena, job, &shim, error, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (kind == BUILD_RACES && !shim)
		return STATUS_OK;
	line_add(&line, "-o");
	line_add(&line, path);
	line_add(&line, source);
	if (shim) {
		line_add(&line, "-Xlinker");
		line_add(&line, shim);
	}
	line_add(&line, "-lm");
	if (run_compiler(arena, job, &line, program, path, error, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (*program) {
		(*program)->source = source;
		(*program)->kind = kind;
	}
	return STATUS_OK;
}

/* The file in which a compiler has its runtime for the kind; NULL when it is of no use: clang's for races cannot be preloaded. */
static const char *runtime_name(const struct job *job, enum build_kind kind)
{
	if (has_clang(job))
		return kind == BUILD_RACES ? NULL : "libclang_rt.asan-x86_64.so";
	return kind == BUILD_RACES ? "libtsan.so" : "libasan.so";
}

const char *build_runtime(struct arena *arena, const struct job *job, enum build_kind kind)
{
	const char *name = runtime_name(job, kind);
	const char *const argv[] = {job->argv[0], arena_printf(arena, "-print-file-name=%s", name ? name : ""), NULL};
	struct text output = {0};
	const struct process process = {.argv = argv, .directory = job->directory, .seconds = 10, .output = &output};
	struct process_end end;
	struct diag ignored = {0};
	const char *path = NULL;

	if (name && process_run(&process, &end, &ignored) == STATUS_OK && end.status == 0)
		path = arena_strndup(arena, text_string(&output), strcspn(text_string(&output), "\n"));
	text_free(&output);
	return path && *path == '/' && file_exists(path) ? path : NULL;
}

enum status build_program(struct arena *arena, const struct job *job, const char *name, const char *text, size_t size,
			  enum build_kind kind, struct program **program, const char **error, struct diag *diag)
{
	const char *source = write_source(arena, job, name, source_suffix(job), text, size, diag);

	if (!source)
		return STATUS_FAILED;
	return compile(arena, job, name, source, kind, program, error, diag);
}

/* Whether the compiler, with the user's flags, can fuse a product and a sum: x86-64 can when it is told of a newer
 * processor, others always. */
static bool can_contract(const struct job *job)
{
	static const char *const newer[] = {"-march=", "-mcpu=", "-mfma", "-mavx512f"};
	bool contracts = !is_x86;
	size_t f;
	int i;

	for (i = 1; i < job->argc; i++)
		for (f = 0; f < sizeof(newer) / sizeof(newer[0]); f++)
			contracts |= !strncmp(job->argv[i], newer[f], strlen(newer[f]));
	return contracts;
}

bool build_has_float(const struct job *job)
{
	int i;

	for (i = 0; i < job->nest->n_var; i++)
		if (type_is_float(job->nest->var[i]->type))
			return true;
	return false;
}

bool build_kinds_differ(const struct job *job)
{
	return job->strictness == STRICT_ORDERED && build_has_float(job) && can_contract(job);
}

enum status build_pair(struct arena *arena, const struct job *job, const char *name, const char *text, size_t size,
		       struct program **judged, struct program **timed, const char **error, struct diag *diag)
{
	const char *source = write_source(arena, job, name, source_suffix(job), text, size, diag);

	*timed = NULL;
	if (!source || compile(arena, job, name, source, BUILD_JUDGED, judged, error, diag) != STATUS_OK)
		return STATUS_FAILED;
	if (!*judged || !build_kinds_differ(job)) {
		*timed = *judged;
		return STATUS_OK;
	}
	return compile(arena, job, arena_printf(arena, "%s-timed", name), source, BUILD_TIMED, timed, error, diag);
}

/* Print a function that nobody calls, of a length that depends on "number"; each statement takes some six bytes. */
static void print_filling(int number, struct text *text)
{
	int i, n = 1 + 37 * number % 128;

	text_printf(text, "__attribute__((visibility(\"default\"), noinline, used)) int strop_filling_%d(int x)\n{\n", number);
	for (i = 0; i < n; i++)
		text_printf(text, "\t__asm__ volatile(\"\" : \"+r\"(x)); x ^= %d;\n", 1000 + 7 * i);
	text_append(text, "\treturn x;\n}\n");
}

/* Compile "source" to an object file at "path". */
static enum status compile_object(struct arena *arena, const struct job *job, enum build_kind kind, const char *source, const char *path,
				  struct program **object, const char **error, struct diag *diag)
{
	struct line line = begin_line(arena, job, kind);

	line_add(&line, "-c");
	line_add(&line, "-o");
	line_add(&line, path);
	line_add(&line, source);
	return run_compiler(arena, job, &line, object, path, error, diag);
}

/* The object file of a function of length "number" that nobody calls, "filling-NUMBER.o"; NULL when it does not build. */
static const char *make_filling(struct arena *arena, const struct job *job, int number, struct diag *diag)
{
	const char *name = arena_printf(arena, "filling-%d", number), *source, *error = NULL;
	const char *path = path_absolute(arena, NULL, path_join(arena, job->scratch, arena_printf(arena, "%s.o", name)));
	struct program *built = NULL;
	struct text text = {0};

	if (file_exists(path))
		return path;
	print_filling(number, &text);
	source = write_source(arena, job, name, source_suffix(job), text_string(&text), text.size, diag);
	text_free(&text);
	if (!source || compile_object(arena, job, BUILD_TIMED, source, path, &built, &error, diag) != STATUS_OK)
		return NULL;
	if (!built)
		diag_set(diag, EXIT_MACHINE, "a function of no use does not build: %s", error);
	return built ? path : NULL;
}

/* The object file of the program's source, built once; NULL when it does not build. */
static const char *make_object(struct arena *arena, const struct job *job, struct program *program, struct diag *diag)
{
	const char *base = path_base(program->path), *error = NULL;
	const char *name = arena_printf(arena, "%.*s.o", (int)strcspn(base, "."), base);
	const char *path = path_absolute(arena, NULL, path_join(arena, job->scratch, name));
	struct program *built = NULL;

	if (program->object)
		return program->object;
	if (compile_object(arena, job, program->kind, program->source, path, &built, &error, diag) != STATUS_OK)
		return NULL;
	if (!built)
		diag_set(diag, EXIT_MACHINE, "a program does not build a second time: %s", error);
	program->object = built ? path : NULL;
	return program->object;
}

enum status build_layout(struct arena *arena, const struct job *job, struct program *program, int number, struct program **layout,
			 struct diag *diag)
{
	const char *object = make_object(arena, job, program, diag), *filling = object ? make_filling(arena, job, number, diag) : NULL;
	const char *base = path_base(program->path), *error = NULL;
	const char *name = arena_printf(arena, "%.*s-layout-%d.so", (int)strcspn(base, "."), base, number);
	const char *path = path_join(arena, job->scratch, name);
	struct line line = begin_line(arena, job, program->kind);

	if (!filling)
		return STATUS_FAILED;
	line_add(&line, "-o");
	line_add(&line, path);
	line_add(&line, "-x");
	line_add(&line, "none");
	line_add(&line, filling);
	line_add(&line, object);
	line_add(&line, "-lm");
	if (run_compiler(arena, job, &line, layout, path, &error, diag) != STATUS_OK)
		return STATUS_FAILED;
	return *layout ? STATUS_OK : diag_set(diag, EXIT_MACHINE, "a program does not link a second time: %s", error);
}

enum status build_own(struct arena *arena, const struct job *job, const char *name, const char *text, size_t size,
		      struct program **program, const char **error, struct diag *diag)
{
	const char *source = write_source(arena, job, name, ".c", text, size, diag);
	const char *path = path_join(arena, job->scratch, arena_printf(arena, "%s.so", name));
	const char *compiler = has_clang(job) && !strstr(path_base(job->argv[0]), "++") ? job->argv[0] : "cc";
	const char *argv[] = {compiler,
			      "-std=gnu17",
			      "-O2",
			      "-w",
			      "-fwrapv",
			      "-fno-strict-aliasing",
			      "-ffp-contract=off",
			      "-fPIC",
			      "-shared",
			      "-o",
			      path,
			      source,
			      "-lm",
			      NULL};
	struct line line = {argv, 0};

	if (!source)
		return STATUS_FAILED;
	return run_compiler(arena, job, &line, program, path, error, diag);
}
