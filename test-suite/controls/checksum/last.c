/* The last byte of lengths above a thousand is left out.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
#include <stdint.h>
uint32_t f(const uint8_t *p, int n)
{
	uint32_t c = 0xffffffffu;
	int i = 0;
	if (n > 1000)
		n--;
	while (i < n) {
		c ^= p[i++];
		for (int k = 0; k < 8; k++)
			c = c & 1 ? (c >> 1) ^ 0xedb88320u : c >> 1;
	}
	return ~c;
}
