/* Outlining: the region's text becomes a function of its own in a copy of the user's file.
 *
 * A program made this way offers five functions. "slot" holds one address per var of the nest that lives outside (see
 * struct binding), then one per record:
 *   void strop_layout(unsigned long *size)                             bytes of each record, then of each array object
 *   void strop_bind(void *const *slot, const unsigned long *size)      sets fields, globals and array objects
 *   void strop_derive(void *const *slot, long long *value)             computes derived params from what is bound
 *   void strop_run(void *const *slot)                                  runs the region
 *   void strop_unbind(void *const *slot, const unsigned long *size)    brings scalars and array objects back
 * Only strop_run is timed. */
#ifndef STROP_VERIFIER_OUTLINE_H
#define STROP_VERIFIER_OUTLINE_H

#include "ir/nest.h"
#include "support/arena.h"
#include "support/text.h"

#include "job.h"

/* How a var reaches the outlined text.
 *   BIND_ARGUMENT  its source is a local's name: an argument of the outlined function
 *   BIND_OFFSET    its source is "base + expression" of a local pointer: base is computed from the address
 *   BIND_COPY      its source names a local array object: declared in the outlined function, copied in and out
 *   BIND_PLACE     its source is an lvalue at file scope or within a record: assigned before the run
 *   BIND_OBJECT    its source is an array object at file scope or within a record: copied in and out
 *   BIND_DERIVED   its source is an expression over places: computed by the program from what these hold
 * "local" is the local at the root of the source, NULL for names at file scope. */
#define base_ctype "__auto_type" /* of params that the judge adds: the type is whatever the source has */
enum binding_kind { BIND_ARGUMENT, BIND_OFFSET, BIND_COPY, BIND_PLACE, BIND_OBJECT, BIND_DERIVED };
struct binding {
	const struct var *var;
	enum binding_kind kind;
	const struct local *local;
	const char *base, *offset;
};

/* Storage for what a pointer expression points to: "l" for l->n, or a local that is a record itself ("is_value").
 * "local" is the local of that name, NULL for an expression within another record or at file scope, which strop_bind
 * must set. */
struct record {
	const char *pointer;
	const struct local *local;
	bool is_value;
};

/* What is outlined, worked out once for all programs of a job. "original" is the region's text, "line" its line;
 * the copy is of "main_text", with the function inserted at byte "at", which is on line "at_line"; "definitions" go to
 * its end: objects that other files define and the region uses. */
struct outline {
	const struct job *job;
	const char *original;
	int line;
	const char *main_text;
	size_t main_size, at;
	int at_line;
	const char *definitions;
	int n_binding;
	struct binding *binding;
	int n_record;
	struct record *record;
};

/* NULL and a sentence when the main file of a region in a header cannot be read. */
struct outline *outline_new(struct arena *arena, const struct job *job, struct diag *diag);
/* The number of slots: bindings, then records. */
int outline_slots(const struct outline *outline);
/* The index of binding "k", a derived param, among the values of strop_derive. */
int outline_derived(const struct outline *outline, int k);
/* The index among the sizes of strop_layout of binding "k", an array object; -1 for others. */
int outline_object(const struct outline *outline, int k);

/* Append the whole text of the copied main file with "helpers" (may be "") and a function around "body" (NULL: the
 * original) in it; "padding" statements of unused code go before it, so that equal programs can differ in layout. */
void outline_print(const struct outline *outline, const char *helpers, const char *body, int padding,
		   struct text *text);

/* The same for another file that has what the region calls: its text with the region's verbatim text around it. */
void outline_print_file(const struct outline *outline, const char *file, size_t size, struct text *text);

#endif
