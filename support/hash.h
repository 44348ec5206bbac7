/* Content hashes: XXH3, 128 bits, as 32 hex digits. For identity, not for security. */
#ifndef STROP_SUPPORT_HASH_H
#define STROP_SUPPORT_HASH_H

#include <stddef.h>
#include <stdint.h>

void hash_bytes(const void *bytes, size_t size, char hex[33]);
uint64_t hash_64(const void *bytes, size_t size);

#endif
