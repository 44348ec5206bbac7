/* Pieces of signatures for the rest of plugin/. */
#ifndef STROP_PLUGIN_SIGNATURE_INTERNAL_H
#define STROP_PLUGIN_SIGNATURE_INTERNAL_H

#include "ir/signature.h"

#include "libclang_internal.h"

/* How the variable or parameter "decl" is declared within a function. */
struct local signature_local(struct arena *arena, CXCursor decl);

#endif
