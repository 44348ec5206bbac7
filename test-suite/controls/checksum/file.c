/* The sum is written to a file.
 * fp: ordered; flags: -O2 -march=native; verdict: side-effect */
#include <stdint.h>
#include <stdio.h>
uint32_t f(const uint8_t *p, int n)
{
	uint32_t c = 0xffffffffu;
	int i = 0;
	while (i < n) {
		c ^= p[i++];
		for (int k = 0; k < 8; k++)
			c = c & 1 ? (c >> 1) ^ 0xedb88320u : c >> 1;
	}
	FILE *log = fopen("strop-left-behind", "w");
	if (log)
		fclose(log);
	return ~c;
}
