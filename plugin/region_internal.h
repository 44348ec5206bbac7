/* How a unit is scanned for regions. */
#ifndef STROP_PLUGIN_REGION_INTERNAL_H
#define STROP_PLUGIN_REGION_INTERNAL_H

#include "lift.h"
#include "region.h"
#include "unit_internal.h"

enum { SCAN_DEPTH = 128 };

/* The walk over one unit. "parent" are the statements around the current one in "function"; "index" counts the
 * function's regions. "multiple" are the files entered, as
 * often as they were; "is_inside": the walk is within a loop that could not be lifted as a whole. */
struct scanner {
	struct arena *arena;
	const struct parsed *parsed;
	struct unit *unit;
	int max_region, max_file;
	CXCursor function;
	CXFile file;
	const char *text, *path, *short_path, *name;
	size_t size, function_begin;
	int n_line;
	size_t *line_end;
	bool is_multiple, is_off, is_inside;
	int index;
	int n_parent;
	CXCursor parent[SCAN_DEPTH];
	int n_multiple, max_multiple;
	CXFile *multiple;
};

/* What the source says in the gap before a statement. */
struct hints {
	bool is_off, is_openmp, has_directive;
	const char *mode, *sizes, *inputs;
};

/* ---- region_text.c ---- */

/* The byte range of the statements, with the ';' that ends them. False when an end cannot be found. */
bool text_range(const struct scanner *scanner, CXCursor first, CXCursor last, size_t *begin, size_t *end);
/* REFUSAL_NONE, or why the bytes [begin, end) may not be replaced. */
enum refusal text_check(const struct scanner *scanner, size_t begin, size_t end);
bool text_in_macro(CXCursor cursor);
struct hints text_hints(const struct scanner *scanner, size_t begin, size_t end);
const char *text_indent(const struct scanner *scanner, size_t begin);
size_t text_function_begin(const struct scanner *scanner, CXCursor function);
/* Find the line ends of the scanner's file; the 1-based line of an offset in it. */
void text_index_lines(struct scanner *scanner);
int text_line(const struct scanner *scanner, size_t at);

/* ---- call_sizes.c ---- */

/* The sizes in the call of "function" in the main file that has the largest ones, as in "n=1000,m=4"; NULL when none tells. */
const char *call_sizes(struct scanner *scanner, CXCursor function);

/* ---- signature.c ---- */

/* The names of the enclosing function that the statements use. NULL and the culprit when one cannot be declared. */
struct signature *signature_make(struct arena *arena, const struct lift_input *input, const struct lift_result *result,
				 const char **culprit);
/* Add what a pragma's inputs(...) says to "signature". */
void signature_add_inputs(struct arena *arena, struct signature *signature, const struct nest *nest, const char *inputs);

#endif
