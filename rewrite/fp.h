/* Floating-point modes: what a rewrite may do to the order and the rounding of operations. */
#ifndef STROP_REWRITE_FP_H
#define STROP_REWRITE_FP_H

#include <stdbool.h>

enum fp_mode {
	FP_ORDERED,  /* no reassociation: bit-identical with contraction off on both sides */
	FP_REASSOC,  /* reductions may be reordered; judged against a wider oracle */
	FP_EXACT,    /* bit-identical as built */
	FP_MODE_COUNT
};
const char *fp_mode_name(enum fp_mode mode);
bool fp_mode_find(const char *name, enum fp_mode *mode);

#endif
