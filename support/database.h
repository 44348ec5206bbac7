/* A persistent map from text keys to text values in one file (through SQLite), safe for several processes. */
#ifndef STROP_SUPPORT_DATABASE_H
#define STROP_SUPPORT_DATABASE_H

#include "arena.h"
#include "diag.h"

struct database;

/* Open or create "path"; a file that is no database or is damaged is moved aside and a new one begun. */
struct database *database_open(const char *path, struct diag *diag);
struct database *database_close(struct database *database);
/* The value of "key" in "arena", or NULL. */
const char *database_find(struct database *database, struct arena *arena, const char *key);
/* Store "value" under "key", replacing what was there; a full disk loses the entry, nothing else. */
void database_set(struct database *database, const char *key, const char *value);

#endif
