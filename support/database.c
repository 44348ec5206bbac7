#include "database.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <sqlite3.h>

#include "memory.h"

struct database {
	sqlite3 *handle;
	sqlite3_stmt *find, *set;
};

static bool prepare(struct database *database)
{
	static const char create[] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
				     "CREATE TABLE IF NOT EXISTS entry(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;";

	sqlite3_busy_timeout(database->handle, 10000);
	return sqlite3_exec(database->handle, create, NULL, NULL, NULL) == SQLITE_OK &&
	       sqlite3_prepare_v2(database->handle, "SELECT value FROM entry WHERE key = ?", -1, &database->find, NULL) ==
		       SQLITE_OK &&
	       sqlite3_prepare_v2(database->handle, "REPLACE INTO entry VALUES (?, ?)", -1, &database->set, NULL) ==
		       SQLITE_OK;
}

static struct database *open_once(const char *path)
{
	struct database *database = memory_alloc(sizeof(*database));

	if (sqlite3_open(path, &database->handle) == SQLITE_OK && prepare(database))
		return database;
	return database_close(database);
}

static void move_aside(const char *path)
{
	static const char *const suffix[] = { "", "-wal", "-shm" };
	char from[4096], to[4096];
	int i;

	for (i = 0; i < 3; i++) {
		snprintf(from, sizeof(from), "%s%s", path, suffix[i]);
		snprintf(to, sizeof(to), "%s.damaged%s", path, suffix[i]);
		rename(from, to);
	}
}

struct database *database_open(const char *path, struct diag *diag)
{
	struct database *database = open_once(path);

	if (!database) {
		move_aside(path);
		database = open_once(path);
	}
	if (!database)
		diag_set(diag, EXIT_MACHINE, "%s: cannot open or create this database", path);
	return database;
}

struct database *database_close(struct database *database)
{
	if (!database)
		return NULL;
	sqlite3_finalize(database->find);
	sqlite3_finalize(database->set);
	sqlite3_close(database->handle);
	free(database);
	return NULL;
}

const char *database_find(struct database *database, struct arena *arena, const char *key)
{
	const char *value = NULL;

	sqlite3_bind_text(database->find, 1, key, -1, SQLITE_STATIC);
	if (sqlite3_step(database->find) == SQLITE_ROW && sqlite3_column_text(database->find, 0))
		value = arena_strdup(arena, (const char *)sqlite3_column_text(database->find, 0));
	sqlite3_reset(database->find);
	return value;
}

void database_set(struct database *database, const char *key, const char *value)
{
	sqlite3_bind_text(database->set, 1, key, -1, SQLITE_STATIC);
	sqlite3_bind_text(database->set, 2, value, -1, SQLITE_STATIC);
	sqlite3_step(database->set);
	sqlite3_reset(database->set);
}
