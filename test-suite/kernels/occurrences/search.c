/* From one find to the next.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <string.h>
int f(const unsigned char *text, int n, unsigned char byte)
{
	const unsigned char *at = text, *end = text + (n > 0 ? n : 0);
	int count = 0;
	while (at < end && (at = memchr(at, byte, end - at))) {
		count++;
		at++;
	}
	return count;
}
