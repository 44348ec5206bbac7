/* Heap memory that is there or the process ends with one sentence: strop replaces files atomically, so dying
 * loses nothing, and no caller carries an error path that is never taken. */
#ifndef STROP_SUPPORT_MEMORY_H
#define STROP_SUPPORT_MEMORY_H

#include <stddef.h>

/* Return "size" zeroed bytes. */
void *memory_alloc(size_t size);
/* Resize "old" (or NULL) to "size" bytes; what is new is not zeroed. */
void *memory_resize(void *old, size_t size);
char *memory_strdup(const char *string);

#endif
