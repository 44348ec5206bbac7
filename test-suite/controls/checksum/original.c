/* A recurrence that does not lift: judged as a whole. */
#include <stdint.h>
uint32_t f(const uint8_t *p, int n)
{
	uint32_t c = 0xffffffffu;
	int i = 0;
	while (i < n) {
		c ^= p[i++];
		for (int k = 0; k < 8; k++)
			c = c & 1 ? (c >> 1) ^ 0xedb88320u : c >> 1;
	}
	return ~c;
}
