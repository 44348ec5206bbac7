/* tools/lock.c: strop.lock, which people merge and edit. */
#include "parse.h"

#include "tools/lock.h"

static bool reprint_lock(struct arena *arena, const char *bytes, size_t size, struct text *out, struct diag *diag)
{
	struct lock *lock = lock_load(parse_file(arena, "strop.lock", bytes, size), diag);

	if (!lock)
		return false;
	for (int i = 0; i < lock->n; i++) {
		parse_require(lock_find(lock, lock->decision[i].id) == &lock->decision[i], "a decision is not found");
		parse_require(lock_file_path(lock, &lock->decision[i])[0] == '/', "a decision's file is nowhere");
	}
	parse_require(lock_save(lock, diag) == STATUS_OK, diag->message);
	lock_free(lock);
	parse_read_back(arena, "strop.lock", out);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_round_trip(data, size, reprint_lock);
	return 0;
}
