/* What the targets of libFuzzer share: one target per parser of outside text, parse_NAME.c, with its seeds in corpus/NAME.
 *
 * A target feeds its parser the bytes as they are. What is accepted must print, and the print must parse and print
 * again to the same text; what is refused must be refused with one sentence. The sanitizers see the rest. */
#ifndef STROP_FUZZ_PARSE_H
#define STROP_FUZZ_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/arena.h"
#include "support/diag.h"
#include "support/text.h"

/* The function that libFuzzer calls, and parse_main.c. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Parse the "size" bytes (a 0 stands behind them) and append what they mean to "out"; false and a sentence when they are
 * refused. */
typedef bool (*reprint)(struct arena *arena, const char *bytes, size_t size, struct text *out, struct diag *diag);
/* Require of "data" what is said above. */
void parse_round_trip(const uint8_t *data, size_t size, reprint reprint);

/* For parsers of what is never printed again: "read" requires what there is to require. */
void parse_alone(const uint8_t *data, size_t size, void (*read)(struct arena *arena, const char *bytes, size_t size));

/* End the process with "what" unless it holds. */
void parse_require(bool holds, const char *what);
/* Require that "diag" holds one line without control characters. */
void parse_require_sentence(const struct diag *diag);

/* A scratch folder of this process, in memory where there is /dev/shm; removed when the process ends well. */
const char *parse_folder(void);
/* Write "bytes" to the file "name" in it; the path, in "arena". */
const char *parse_file(struct arena *arena, const char *name, const char *bytes, size_t size);
/* Append the file "name" in it to "out". */
void parse_read_back(struct arena *arena, const char *name, struct text *out);
/* Inputs that stand for two files have a line "====" between them. The parts are copies in "arena" with a 0 behind them; the
 * second is NULL when there is none. */
struct parse_part {
	const char *bytes;
	size_t size;
};
void parse_split(struct arena *arena, const char *bytes, size_t size, struct parse_part part[2]);

#endif
