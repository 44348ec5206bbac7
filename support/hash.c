#include "hash.h"

#include <stdio.h>

#include <xxhash.h>

void hash_bytes(const void *bytes, size_t size, char hex[33])
{
	XXH128_hash_t hash = XXH3_128bits(bytes, size);

	snprintf(hex, 33, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

uint64_t hash_64(const void *bytes, size_t size)
{
	return XXH3_64bits(bytes, size);
}
