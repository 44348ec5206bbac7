/* Eight bytes at a time, by tricks with carries.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <string.h>
int f(const unsigned char *text, int n, unsigned char byte)
{
	const unsigned long ones = 0x0101010101010101ul, low = 0x7f7f7f7f7f7f7f7ful;
	int count = 0, i = 0;
	for (; i + 8 <= n; i += 8) {
		unsigned long word;
		memcpy(&word, text + i, 8);
		word ^= ones * byte;
		word = ~(((word & low) + low) | word | low);
		count += __builtin_popcountl(word);
	}
	for (; i < n; i++)
		count += text[i] == byte;
	return count;
}
