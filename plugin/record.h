/* Capture: what a real run of a program does in each region. A copy of the source with a recorder around each region is
 * built and run; sizes, calls, time and a few inputs come back. docs/verification.md says what they are used for.
 *
 * The recorder is text inside the copied source: it needs no library, changes no result, and stays silent unless
 * STROP_RECORD_DIR names a folder. In there it leaves, for each region,
 *   KEY.PID.UNIT.json  counts of one process: {"version", "id", "calls", "nanoseconds", "program_nanoseconds", "sizes":
 *                      names of the integer params, "tuples": [{"values", "calls", "nanoseconds", "fastest"}]}; times are
 *                      CPU time, but for calls below 20 us
 *   KEY.K.sample       one recorded call, K in 0..2: a line of JSON {"version", "sizes", "values": [{"name", "bytes"}]},
 *                      then the bytes of the values in this order
 * where KEY is a hash over file, function, number and nest of the region, and UNIT one over the main file's path. */
#ifndef STROP_PLUGIN_RECORD_H
#define STROP_PLUGIN_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/arena.h"
#include "support/diag.h"
#include "support/process.h"
#include "support/text.h"

#include "region.h"

/* The calls in which the integer params had these values (in the order of "size_name"), and their time in all; both are
 * estimated, from one call in 61, once a process has made 65536 calls. "fastest" is the time of the fastest call seen. */
struct record_tuple {
	const int64_t *value;
	int64_t calls;
	double seconds, fastest;
};

/* One recorded call: its integer params by name, and the bytes that params, scalars and arrays of the nest held at entry,
 * by var->name; what was not recorded is not listed. The same shape as struct sample of verifier/job.h. */
struct record_size { const char *name; int64_t value; };
struct record_value { const char *name; size_t bytes; void *data; };
struct record_sample {
	int n_size;
	struct record_size *size;
	int n_value;
	struct record_value *value;
};

/* What was seen of a region over all processes of the run. "seconds" sums over threads and leaves the recorder's own work
 * out; "program_seconds" is the CPU time of the processes. "tuple" is sorted by seconds, longest first; the calls beyond 64
 * different tuples of a process are in "calls" and "seconds" only. */
struct record {
	int64_t calls;
	double seconds, program_seconds;
	int n_size;
	const char **size_name;
	int n_tuple;
	struct record_tuple *tuple;
	int n_sample;
	struct record_sample *sample;
};

/* Append the text of the unit's main file, which calls itself "name" (__FILE__), with a recorder around each region that was
 * lifted from it, and from headers that one directive of the unit's files includes: their copies go to "folder". Return
 * how many regions have a recorder; 0 (and nothing appended) when there is none. */
int record_instrument(const struct unit *unit, const char *name, const char *folder, struct text *out);

/* What a run left in "folder" about "region"; NULL when its code was not part of any program that ran. */
struct record *record_load(struct arena *arena, const char *folder, const struct region *region);

/* Build one program from the units, of which one has main, each with its own command (plus -lm), in "folder", which
 * exists and also receives the records; run it with "arguments" (NULL-terminated, without the program's name; may be
 * NULL) in "directory" (NULL: that of the unit with main) for at most "seconds" (0: no limit). Its output goes to "output", or
 * nowhere when that is NULL. */
struct record_program {
	int n_unit;
	const struct unit *const *unit;
	const char *folder;
	const char *directory;
	char *const *arguments;
	double seconds;
	struct text *output;
};
/* Fails when it does not build or cannot be started; how it ended (exit status, signal, time) is in "end". */
enum status record_build_and_run(const struct record_program *program, struct process_end *end, struct diag *diag);

/* Run the user's "command" (NULL-terminated), which builds and runs what it likes, with compilers that put recorders into
 * what they compile; output is inherited. "strop" is the absolute path of the strop program, whose subcommand
 * "cc-record" must call record_shim(). */
enum status record_command(const char *strop, char *const *command, const char *folder, double seconds,
			   struct process_end *end, struct diag *diag);

/* Be the compiler: "argv" is the real compiler and its arguments. Sources that can be are compiled with recorders; on any
 * doubt and failure, and outside of record_command(), the compiler runs unchanged. Return its exit status. */
int record_shim(int argc, char **argv);

#endif
