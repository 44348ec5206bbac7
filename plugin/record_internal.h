/* What the parts of capture share. */
#ifndef STROP_PLUGIN_RECORD_INTERNAL_H
#define STROP_PLUGIN_RECORD_INTERNAL_H

#include "arguments_internal.h"
#include "record.h"

/* Parameters whose values make a tuple; more are not told apart. Tuples kept for each region of a process. */
#define RECORD_PARAMS 16
#define RECORD_TUPLES 64
/* Sampled calls per region, and their bytes in all. */
#define RECORD_SAMPLES 3
#define RECORD_BYTES (64 << 20)
/* From so many calls on, a process looks at one call in RECORD_SKIP (a prime, so as not to beat with the program's own
 * patterns) and counts it so often, lest short regions be slowed down much. */
#define RECORD_OFTEN 65536
#define RECORD_SKIP 61

/* C text, on one line but for directives, that is put in front of an instrumented file: types and functions whose names
 * start with "strop__". It includes nothing that the file could notice, and is valid in C89 to C23 and in C++. It must be
 * followed by the tables that record_instrument() writes. */
extern const char record_head[];
/* What follows the tables. */
extern const char record_body[];

/* The name under which a region's records are filed: a hash over its file, function, number in it and nest, but not over the
 * folder that the compiler ran in, which differs between a build and a later look at one file. */
void record_key(const struct region *region, char key[33]);

/* Print a C expression for the bytes of "array", from its base to the last element that the nest may touch, to be evaluated
 * where the region stands; it is 0 when an extent is not positive. False when the nest does not tell. */
bool record_bytes_print(const struct nest *nest, const struct var *array, struct text *out);

/* Copies of headers stand in this folder below that of their main file's copy, under their absolute paths. */
#define RECORD_ROOT "root"

/* Append to "list" the flags that make the copies find what the originals include from beside them. */
void record_quote_flags(const struct unit *unit, struct arguments *list);

/* Append to "list" the words of "command" that compile its text, but for the source: without -c, -o, dependency output and
 * anything that makes a warning an error. */
void record_compile_flags(const struct command *command, struct arguments *list);

#endif
