/* A trial: one shape, one distribution and one placement of buffers, with the inputs, and what the original left
 * behind.
 *
 * The expected answers are held here, in the judge's memory; the image that a runner's process sees holds inputs and
 * whatever the last program left. */
#ifndef STROP_VERIFIER_TRIAL_H
#define STROP_VERIFIER_TRIAL_H

#include "support/arena.h"
#include "support/diag.h"

#include "image.h"
#include "inputs.h"
#include "outline.h"
#include "shape.h"

/* What is the same for all trials of a job: "size" are the answers of strop_layout; "keeps_memory" tells that the original leaves
 * memory behind each time; "base" is where processes map images. */
struct setting {
	const struct job *job;
	const struct outline *outline;
	uint64_t size[WIRE_SIZES];
	bool keeps_memory;
	uint64_t base;
};

/* How two arrays share memory: binding "guest" begins "shift" elements behind where "host" begins; none when guest <
 * 0. */
struct overlap {
	int guest, host;
	int64_t shift;
};

/* One block of an image. BLOCK_SCALARS: cells of 16 bytes, one per param and scalar, in the order of the bindings;
 * BLOCK_ARRAY: "count" elements of bindings host (and guest), the first at flat offset "first" of host; BLOCK_RECORD:
 * storage of record "record"; BLOCK_TABLE: "count" addresses of rows of binding. "most" is the largest finite magnitude among the expected answers of a floating-point
 * array, "is_finite" whether all are finite. */
enum block_kind { BLOCK_SCALARS, BLOCK_ARRAY, BLOCK_RECORD, BLOCK_TABLE };
struct part {
	enum block_kind kind;
	int binding, record;
	int64_t first, count;
	bool is_written, is_finite;
	double most;
	unsigned char *initial, *expected;
};

/* How the rows that tables point to lie in memory: each behind the one before it, each before it, neither, or behind but for one that
 * is the same as another. */
enum order { ORDER_UP, ORDER_DOWN, ORDER_MIXED, ORDER_SHARED };

struct trial {
	const struct setting *setting;
	const struct sized *sized;
	enum distribution distribution;
	enum fence fence;
	struct overlap overlap;
	enum order order;
	const struct sample *sample;
	uint64_t seed;
	int n_part;
	struct part *part;
	int *part_of; /* by binding: its array's part, or 0 */
	int *cell_of; /* by binding: its scalar's cell, or -1 */
	int *table_of; /* by binding: the part that holds addresses of its rows, or 0 */
	struct image *image;
	double seconds;        /* what the original took */
	double found_seconds;  /* what the last program took */
	int fault_binding;     /* the array that the last program touched where it has no elements, or -1 */
	int64_t fault_offset;  /* and where, in elements */
	struct answer *answer; /* of the oracle, or NULL */
	double *drift;         /* by part: how far the original's other build is off (answer_note_drift), or NULL */
	bool is_chaotic;       /* the original's two builds have nothing in common here */
	bool is_changed;       /* one element of each input is another than the seed gives */
};

enum { cell_bytes = 16 };

/* Make the image and its inputs; "sample" (may be NULL) gives recorded ones. NULL and a sentence when memory is
 * short. */
struct trial *trial_new(const struct setting *setting, const struct sized *sized, enum distribution distribution,
			enum fence fence, const struct overlap *overlap, const struct sample *sample, uint64_t seed,
			struct diag *diag);
struct trial *trial_free(struct trial *trial);
/* Let one element of each array that is read, neither the first nor the last one, hold the value of another: programs that know
 * inputs by some of their elements are wrong then. Arrays of which more is known than ranges stay as they are. */
void trial_change(struct trial *trial, struct rng *rng);
/* Which row of binding "k" lies where row "place" would if its rows lay in order. */
int64_t trial_row_at(const struct trial *trial, int k, int64_t place);
/* Put the inputs back as they were before any program ran. */
void trial_reset(struct trial *trial);
/* Whether results that share memory with inputs grew beyond all measure, so that how they were rounded on the way decides what they
 * are: such a trial tells nothing of a version that may round otherwise. */
bool trial_blows_up(const struct trial *trial);
/* Keep what the image holds now as the expected answers. */
void trial_keep(struct trial *trial);
/* "n=7 m=5, seed 12ab, normal values[, how buffers are placed]". */
const char *trial_print(struct arena *arena, const struct trial *trial);
/* Set the slot addresses of "image", whose parts are the trial's, with elements of element[part] bytes, and the addresses of rows in it. */
void trial_set_slots(const struct trial *trial, struct image *image, const size_t *element);

#endif
