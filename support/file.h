/* Files and paths: whole reads, atomic writes, folders. */
#ifndef STROP_SUPPORT_FILE_H
#define STROP_SUPPORT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "diag.h"
#include "text.h"

/* Append the whole of "path" to "text". */
enum status file_read(const char *path, struct text *text, struct diag *diag);
/* Replace "path" by "bytes" atomically: a temporary file beside it, synced, then renamed; mode and owner of an existing
 * file are kept, a symbolic link is followed. On failure "path" is as it was. */
enum status file_replace(const char *path, const void *bytes, size_t size, struct diag *diag);
/* Write "path" plainly (scratch files of our own). */
enum status file_write(const char *path, const void *bytes, size_t size, struct diag *diag);
bool file_exists(const char *path);
bool file_is_folder(const char *path);

/* Create "path" and the folders above it. */
enum status folder_make(const char *path, struct diag *diag);
/* A fresh private folder "$TMPDIR/strop-XXXXXX" in "arena", NULL on failure. */
char *folder_make_scratch(struct arena *arena, struct diag *diag);
/* Remove "path" and all below it; never follows links; errors are ignored. */
void folder_remove(const char *path);

/* "a/b", unless b is absolute. */
char *path_join(struct arena *arena, const char *a, const char *b);
/* "path" made absolute from "directory" (or the working directory when NULL), "." and ".." and double slashes removed
 * textually. */
char *path_absolute(struct arena *arena, const char *directory, const char *path);
/* The part after the last slash; the part before it ("." when there is none). */
const char *path_base(const char *path);
char *path_folder(struct arena *arena, const char *path);
/* "path" relative to "from" when below it, else "path" itself. */
const char *path_relative(const char *path, const char *from);

#endif
