/* Saturating instructions, after a look at where out begins.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
#include <emmintrin.h>
static void plain(int n, unsigned char *out, const unsigned char *in, int by)
{
	for (int i = 0; i < n; i++) {
		int v = in[i] + by;
		out[i] = v < 0 ? 0 : v > 255 ? 255 : v;
	}
}
void f(int n, unsigned char *out, const unsigned char *in, int by)
{
	const int amount = by > 255 ? 255 : by < -255 ? -255 : by;
	const __m128i up = _mm_set1_epi8((char)(amount > 0 ? amount : 0)), down = _mm_set1_epi8((char)(amount < 0 ? -amount : 0));
	int i = 0;
	if (out <= in || out >= in + n)
		for (; i + 16 <= n; i += 16) {
			__m128i v = _mm_loadu_si128((const __m128i *)(in + i));
			_mm_storeu_si128((__m128i *)(out + i), _mm_subs_epu8(_mm_adds_epu8(v, up), down));
		}
	plain(n - i, out + i, in + i, by);
}
