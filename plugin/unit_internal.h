/* A parsed translation unit, and what libclang knows of its files. */
#ifndef STROP_PLUGIN_UNIT_INTERNAL_H
#define STROP_PLUGIN_UNIT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "support/arena.h"
#include "support/diag.h"

#include "command.h"
#include "libclang_internal.h"
#include "region.h"

/* "unit" was parsed from "command" by "index"; "file" is its main file. Function bodies are in it, a record of
 * macro expansions is not. */
struct parsed {
	const struct command *command;
	CXIndex index;
	CXTranslationUnit unit;
	CXFile file;
};

/* Parse the unit of "command" ("GIVE": free with parsed_close). NULL and a sentence "FILE:LINE: message" (the first
 * error, and how many more) when it does not parse. */
struct parsed *parsed_open(const struct command *command, struct diag *diag);
/* Free; NULL is fine. Return NULL. */
struct parsed *parsed_close(struct parsed *parsed);

/* The bytes of "file" as libclang parsed them: exact offsets, BOM and CRLF included. Valid until parsed_close(). NULL if
 * the file is unknown. */
const char *parsed_text(const struct parsed *parsed, CXFile file, size_t *size);
/* The absolute, canonical path of "file" (its spelling made absolute when it cannot be resolved), in "arena". */
const char *parsed_path(const struct parsed *parsed, struct arena *arena, CXFile file);
/* Copy "file" into "unit_file" (path and text in "arena"). */
struct unit_file parsed_copy_file(const struct parsed *parsed, struct arena *arena, CXFile file);

/* A CXString as an arena string ("" for NULL); disposes of "string". */
const char *parsed_string(struct arena *arena, CXString string);
/* The file, 1-based line and byte offset where "location" stands in the text of a file, macro expansions seen from where
 * they are written. False when it is in no file. */
bool parsed_place(CXSourceLocation location, CXFile *file, unsigned *line, size_t *offset);

#endif
