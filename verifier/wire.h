/* What the judge and a runner's process say to each other over a socket: fixed records, machine-local. */
#ifndef STROP_VERIFIER_WIRE_H
#define STROP_VERIFIER_WIRE_H

#include <stdint.h>

/* WIRE_LAYOUT: call strop_layout. WIRE_TEST: map the image that comes along as shared memory, bind, run "repeats" times, unbind.
 * WIRE_LOAD: copy the image into private memory and bind. WIRE_TIME: run "repeats" times on what was loaded. WIRE_DERIVE: map
 * the image that comes along, bind, and call strop_derive. WIRE_SHOW:
 * unbind and copy what was loaded back to the image that comes along. */
enum wire_op { WIRE_LAYOUT, WIRE_DERIVE, WIRE_TEST, WIRE_LOAD, WIRE_TIME, WIRE_SHOW };

/* A command: followed by n_slot addresses, n_size sizes, n_guard ranges (offset and bytes within the image) that must not be
 * touched, and n_restore ranges (likewise) that each timed run must find as they were loaded. "base" is where the image
 * goes in the process's memory, "bytes" its size. For WIRE_LOAD, "repeats" tells whether each timed run needs its inputs
 * restored and bound again. For WIRE_TIME, "is_cold" asks that each run finds its arrays in no cache. */
struct wire_command {
	uint32_t op, repeats;
	uint64_t base, bytes;
	uint32_t n_slot, n_size, n_guard, n_restore;
	uint32_t is_cold, unused;
};
struct wire_range { uint64_t offset, bytes; };

/* WIRE_FAULT: it touched "address" within the image's fences. WIRE_SIGNAL: signal "number". WIRE_SYSCALL: it made a forbidden
 * system call. WIRE_CHANGED: it left threads, descriptors, another floating-point environment, other environment variables,
 * signal handlers, or more memory than a run on the same inputs before it left behind; "number" tells which (enum wire_change). WIRE_BROKEN: the program cannot be loaded or mapped. */
enum wire_status { WIRE_DONE, WIRE_FAULT, WIRE_SIGNAL, WIRE_SYSCALL, WIRE_CHANGED, WIRE_BROKEN };
enum wire_change {
	CHANGE_THREADS = 1,
	CHANGE_DESCRIPTORS = 2,
	CHANGE_ROUNDING = 4,
	CHANGE_ENVIRONMENT = 8,
	CHANGE_SIGNALS = 16,
	CHANGE_MEMORY = 32,
};

/* "seconds" is what one run took, in CPU time of its thread, or wall time when it used several threads; "size" the answer of
 * WIRE_LAYOUT or WIRE_DERIVE. */
enum { WIRE_SIZES = 64, WIRE_SLOTS = 256, WIRE_RANGES = 512 };
struct wire_reply {
	uint32_t status, number;
	uint64_t address;
	double seconds;
	uint64_t size[WIRE_SIZES];
	char message[160];
};

#endif
