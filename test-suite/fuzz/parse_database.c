/* support/database.c: the cache's file, which may be damaged: it is read, or put aside. */
#include "parse.h"

#include <string.h>
#include <unistd.h>

#include "support/database.h"
#include "support/file.h"

static void remove_files(struct arena *arena)
{
	static const char *const names[] = { "db", "db-wal", "db-shm", "db-journal", "db.damaged", "db.damaged-wal",
					     "db.damaged-shm" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(path_join(arena, parse_folder(), names[i]));
}

static void read_database(struct arena *arena, const char *bytes, size_t size)
{
	struct diag diag = { 0 };
	const char *path = parse_file(arena, "db", bytes, size), *value;
	struct database *database = database_open(path, &diag);

	parse_require(database != NULL, "a damaged database is in the way");
	value = database_find(database, arena, "key");
	parse_require(!value || strlen(value) <= size, "a value comes from nowhere");
	database_set(database, "key", "value");
	database_close(database);
	remove_files(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_alone(data, size, read_database);
	return 0;
}
