/* Making a failing case smaller: fewer actions, statements, loops and operations, as long as it fails in the same way. */
#ifndef STROP_FUZZ_SHRINK_H
#define STROP_FUZZ_SHRINK_H

#include "fuzz_program.h"

/* The smallest case found; "result" (of "trial" at first) becomes its result. Cases are interpreted when "builder" is NULL. */
struct fuzz_trial fuzz_shrink(struct arena *arena, const struct fuzz_builder *builder, const struct fuzz_trial *trial,
			      struct fuzz_result *result);

#endif
