/* libclang, loaded at run time, so that one strop works with whichever of versions 19 to 22 is installed.
 *
 * Include this instead of clang-c/Index.h and call clang_x(...) as usual, after libclang_load() succeeded. Only files
 * of plugin/ may: libclang's types appear in no public header. */
#ifndef STROP_PLUGIN_LIBCLANG_INTERNAL_H
#define STROP_PLUGIN_LIBCLANG_INTERNAL_H

#include <clang-c/CXCompilationDatabase.h>
#include <clang-c/Index.h>

#include "support/diag.h"

/* One pointer per function of libclang.def, typed by its declaration. */
struct libclang {
#define FUNCTION(name) __typeof__(clang_##name) *name;
#include "libclang.def"
#undef FUNCTION
};
extern struct libclang libclang;

#include "libclang_names.h"

/* Load the library that $STROP_LIBCLANG names, else the newest of the versions that strop knows; once per process, later
 * calls repeat the first answer. Fails with EXIT_MACHINE and a sentence. */
enum status libclang_load(struct diag *diag);
/* The folder with the builtin headers (stddef.h, immintrin.h) that belong to the library loaded, for -resource-dir;
 * NULL if it is not where distributions put it. */
const char *libclang_resource_dir(void);

#endif
