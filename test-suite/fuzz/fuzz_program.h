/* Many cases in one C file, compiled and run together. */
#ifndef STROP_FUZZ_PROGRAM_H
#define STROP_FUZZ_PROGRAM_H

#include "fuzz_case.h"

enum { FUZZ_BATCH = 64 };

/* How a case ended; "detail" is a sentence, unless it was equal. */
enum fuzz_end { END_EQUAL, END_DIFFERENT, END_CRASH, END_TIMEOUT, END_NO_COMPILE };
struct fuzz_result {
	enum fuzz_end end;
	const char *detail;
	int runs, fallbacks;
};

/* Where programs are made, and with what: "folder" holds the compiled runtime. "flags" ends with NULL. "emulator" runs the programs that
 * "compiler" makes; NULL where the machine itself does. */
struct fuzz_builder {
	const char *folder, *compiler, *emulator;
	const char *const *flags;
};

/* Compile the runtime into the builder's folder. */
enum status fuzz_runtime_build(struct arena *arena, const struct fuzz_builder *builder, struct diag *diag);
/* The generated part of a trial's program. */
void fuzz_trial_print(struct arena *arena, const struct fuzz_trial *trial, int number, struct text *text);
/* Build and run all of trial[0..n-1], n <= FUZZ_BATCH, into result[0..n-1]. */
enum status fuzz_run(struct arena *arena, const struct fuzz_builder *builder, int n, const struct fuzz_trial *const *trial,
		     struct fuzz_result *result, struct diag *diag);

#endif
