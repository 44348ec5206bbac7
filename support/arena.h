/* Memory that lives as long as one piece of work (a region, a unit): allocated singly, freed all at once.
 *
 * Running out of memory ends the process with a sentence (see memory.h); callers need not check for NULL. */
#ifndef STROP_SUPPORT_ARENA_H
#define STROP_SUPPORT_ARENA_H

#include <stddef.h>
#include <stdarg.h>

struct arena;

struct arena *arena_new(void);
/* Free "arena" and everything in it; NULL is fine. Return NULL. */
struct arena *arena_free(struct arena *arena);

/* Return "size" zeroed bytes, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t size);
#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, n) ((type *)arena_alloc((arena), sizeof(type) * (size_t)(n)))

char *arena_strdup(struct arena *arena, const char *string);
char *arena_strndup(struct arena *arena, const char *bytes, size_t size);
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list args);

#endif
