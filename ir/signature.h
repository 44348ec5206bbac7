/* What the judge must build around a region's verbatim text so that it compiles and runs on its own.
 *
 * Made by plugin/ from the source, consumed by verifier/ through a job; it speaks C text, not libclang. */
#ifndef STROP_IR_SIGNATURE_H
#define STROP_IR_SIGNATURE_H

#include <stdbool.h>

#include "nest.h"

/* A name that the region's text uses and that is declared in the enclosing function (a parameter or local). Names at
 * file scope are visible to the outlined text as they are and are not listed.
 *   name         "l", "out", "i"
 *   declaration  a complete C declaration without ';' that is good at block scope and gives the name the type it has there,
 *                parameters of array type decayed: "layer *l", "double (*A)[1100]", "int i"; without initialiser but for
 *                a constant, which the nest has by value: "enum { W = 8 }", "const float eps = 0x1p-17"
 *   pointee      for a pointer to (or an object of) a struct or union through which the region reads fields: the C spelling
 *                of the record type ("layer", "struct image"), for which the judge provides poisoned storage; else NULL
 *   is_pointer   the name is a pointer to "pointee" (else it is the record itself) */
struct local {
	const char *name;
	const char *declaration;
	const char *pointee;
	bool is_pointer;
};

/* What is known of the contents of an array, from #pragma strop inputs(...) or inferred by the lifter, so that the judge
 * makes meaningful inputs. "lo", "hi" (FACT_INDEX, FACT_RANGE) are expressions over params: lo <= element < hi. */
enum fact_kind {
	FACT_INDEX,     /* integers that subscript another array: lo <= x < hi */
	FACT_RANGE,     /* values within lo <= x < hi */
	FACT_NONZERO,   /* divisors: bounded away from zero */
	FACT_POSITIVE,  /* arguments of sqrt and log */
	FACT_SPD,       /* a symmetric positive definite matrix */
	FACT_DOMINANT,  /* a diagonally dominant matrix: triangular solves and LU stay bounded */
};
struct fact {
	enum fact_kind kind;
	struct var *var; /* an array, or a param or scalar */
	struct expr *lo, *hi;
	bool is_inferred;
};

/* The signature of a region. Each param, scalar and array of the nest is bound by its var->source: the judge assigns
 * "source = value" for params, scalars and pointers, and copies into array objects (var->is_object). Order the
 * assignments so that "l = &storage" precedes "l->output = buffer".
 *   function   name of the enclosing function
 *   fact       what is known of the inputs */
struct signature {
	const char *function;
	int n_local;
	struct local *local;
	int n_fact;
	struct fact *fact;
};

#endif
