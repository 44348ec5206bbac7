/* A table made on each call.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <stdint.h>
uint32_t f(const uint8_t *p, int n)
{
	uint32_t table[256], c = 0xffffffffu;
	for (uint32_t b = 0; b < 256; b++) {
		uint32_t t = b;
		for (int k = 0; k < 8; k++)
			t = t & 1 ? (t >> 1) ^ 0xedb88320u : t >> 1;
		table[b] = t;
	}
	for (int i = 0; i < n; i++)
		c = table[(c ^ p[i]) & 255] ^ (c >> 8);
	return ~c;
}
