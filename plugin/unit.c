#include "unit_internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/file.h"
#include "support/memory.h"

#include "command_internal.h"

static const char *error_name(enum CXErrorCode error)
{
	switch (error) {
	case CXError_Crashed:
		return "libclang crashed on it";
	case CXError_InvalidArguments:
		return "libclang does not take its flags";
	case CXError_ASTReadError:
		return "libclang could not read a saved tree";
	default:
		return "libclang could not parse it";
	}
}

/* Say the first error of "unit" in "diag"; STATUS_OK when there is none. */
static enum status errors_report(CXTranslationUnit unit, const char *path, struct diag *diag)
{
	const unsigned n = clang_getNumDiagnostics(unit);
	struct arena *const arena = arena_new();
	const char *first = NULL;
	enum status status = STATUS_OK;
	int n_error = 0;

	for (unsigned i = 0; i < n; i++) {
		CXDiagnostic item = clang_getDiagnostic(unit, i);

		if (clang_getDiagnosticSeverity(item) >= CXDiagnostic_Error && n_error++ == 0) {
			CXFile file = NULL;
			unsigned line = 0;

			clang_getExpansionLocation(clang_getDiagnosticLocation(item), &file, &line, NULL, NULL);
			first = parsed_string(arena, clang_getDiagnosticSpelling(item));
			if (file)
				first = arena_printf(arena, "%s:%u: %s",
						     parsed_string(arena, clang_getFileName(file)), line, first);
			else
				first = arena_printf(arena, "%s: %s", path, first);
		}
		clang_disposeDiagnostic(item);
	}
	if (n_error > 1)
		status = diag_set(diag, EXIT_INPUT, "%s (and %d more error%s)", first, n_error - 1,
				  n_error > 2 ? "s" : "");
	else if (n_error)
		status = diag_set(diag, EXIT_INPUT, "%s", first);
	arena_free(arena);
	return status;
}

/* Parse into "parsed"; the unit's file is "path". */
static enum status parse(struct parsed *parsed, const char *path, const struct arguments *list, struct diag *diag)
{
	enum CXErrorCode error;

	if (access(path, R_OK) != 0)
		return diag_set(diag, EXIT_INPUT, "%s: cannot be read", path);
	parsed->index = clang_createIndex(0, 0);
	error = clang_parseTranslationUnit2FullArgv(parsed->index, NULL, list->argv, list->argc, NULL, 0,
						    CXTranslationUnit_None, &parsed->unit);
	if (error != CXError_Success)
		return diag_set(diag, EXIT_INPUT, "%s: %s", path, error_name(error));
	if (errors_report(parsed->unit, path, diag) != STATUS_OK)
		return STATUS_FAILED;
	parsed->file = clang_getFile(parsed->unit, path);
	if (!parsed->file)
		return diag_set(diag, EXIT_INPUT, "%s: libclang did not read it", path);
	return STATUS_OK;
}

struct parsed *parsed_open(const struct command *command, struct diag *diag)
{
	struct arguments list = {.arena = arena_new()};
	struct parsed *parsed = memory_alloc(sizeof(*parsed));

	parsed->command = command;
	if (libclang_load(diag) == STATUS_OK) {
		command_parse_arguments(command, libclang_resource_dir(), &list);
		if (parse(parsed, list.argv[list.argc - 1], &list, diag) == STATUS_OK)
			goto done;
	}
	parsed = parsed_close(parsed);
done:
	arena_free(list.arena);
	return parsed;
}

struct parsed *parsed_close(struct parsed *parsed)
{
	if (!parsed)
		return NULL;
	if (parsed->unit)
		clang_disposeTranslationUnit(parsed->unit);
	if (parsed->index)
		clang_disposeIndex(parsed->index);
	free(parsed);
	return NULL;
}

const char *parsed_text(const struct parsed *parsed, CXFile file, size_t *size)
{
	return clang_getFileContents(parsed->unit, file, size);
}

const char *parsed_path(const struct parsed *parsed, struct arena *arena, CXFile file)
{
	const char *const name = parsed_string(arena, clang_getFileName(file));

	return path_resolve(arena, path_join(arena, parsed->command->directory, name));
}

struct unit_file parsed_copy_file(const struct parsed *parsed, struct arena *arena, CXFile file)
{
	struct unit_file copy = {.path = parsed_path(parsed, arena, file)};
	const char *const text = parsed_text(parsed, file, &copy.size);

	copy.text = text ? arena_strndup(arena, text, copy.size) : "";
	return copy;
}

const char *parsed_string(struct arena *arena, CXString string)
{
	const char *const text = clang_getCString(string);
	const char *const copy = text ? arena_strdup(arena, text) : "";

	clang_disposeString(string);
	return copy;
}

bool parsed_place(CXSourceLocation location, CXFile *file, unsigned *line, size_t *offset)
{
	unsigned at = 0;

	clang_getFileLocation(location, file, line, NULL, &at);
	*offset = at;
	return *file != NULL;
}
