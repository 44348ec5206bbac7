/* Regions: the contiguous ranges of statements that strop may rewrite, found in a unit and lifted to nests. */
#ifndef STROP_PLUGIN_REGION_H
#define STROP_PLUGIN_REGION_H

#include <stdbool.h>
#include <stddef.h>

#include "ir/nest.h"
#include "ir/signature.h"
#include "support/arena.h"
#include "support/diag.h"

#include "command.h"

/* Why a loop was not lifted, one line each in refusals.def: REFUSAL(NAME, "name", "sentence for people"). */
enum refusal {
	REFUSAL_NONE,
#define REFUSAL(name, spelling, sentence) REFUSAL_##name,
#include "refusals.def"
#undef REFUSAL
	REFUSAL_COUNT
};
const char *refusal_name(enum refusal refusal);     /* "call", "while-loop" ... as printed and in JSON */
const char *refusal_sentence(enum refusal refusal);

/* One region, or one top-level loop that was left alone.
 *   id             "FILE:FUNCTION:K", K counting the regions of the function in text order from 0; FILE as given or relative
 *   file           absolute path of the file that holds the bytes (the source, or a header)
 *   begin, end     byte offsets in that file: from the first statement's first byte to just past the last ';' or '}'
 *   line, end_line 1-based
 *   function_begin byte offset of the first byte of the enclosing function's definition, at the start of its line: where a
 *                  static helper can be inserted
 *   indent         the white space before the first statement on its line
 *   nest, signature  NULL when "refusal" says why not; "detail" is then the sentence for this place, naming the culprit
 *   refusal_line   line of the culprit
 *   mode           fp mode demanded by a pragma, or NULL; "is_off" when the source says "strop: off"
 *   sizes          "N=1024,M=8" from a pragma, or NULL
 *   call_sizes     the same from a call in the unit, or NULL
 *   inputs         what a pragma says of the inputs, or NULL
 *   is_openmp      the region stands under an OpenMP pragma of the user's
 *   in_macro etc. are refusals, never regions with a nest
 *   anchor         32 hex digits over path, function and region bytes (the lock finds the place with it) */
struct region {
	const char *id;
	const char *file;
	const char *function;
	size_t begin, end, function_begin;
	int line, end_line;
	const char *indent;
	struct nest *nest;
	struct signature *signature;
	enum refusal refusal;
	const char *detail;
	int refusal_line;
	const char *mode;
	const char *sizes, *call_sizes, *inputs;
	bool is_off, is_openmp;
	char anchor[33];
	char key[33]; /* nest_key(nest, "") */
};

/* What a unit holds, in text order: main file first, then headers of the user's project (never system headers).
 * "text" of a file is what libclang parsed. "has_main": the unit defines main. */
struct unit_file {
	const char *path;
	const char *text;
	size_t size;
};
struct unit {
	struct arena *arena;
	const struct command *command;
	int n_region;
	struct region *region;
	int n_file;
	struct unit_file *file;
	bool has_main;
};

/* Parse the unit of "command" and lift its regions. NULL and a sentence when it does not parse. Free with unit_free(). */
struct unit *unit_scan(const struct command *command, struct diag *diag);
struct unit *unit_free(struct unit *unit);
const struct unit_file *unit_find_file(const struct unit *unit, const char *path);

/* The version of the libclang in use, e.g. "22.1.8", or NULL and a sentence when none can be loaded. */
const char *libclang_version(struct diag *diag);

#endif
