/* Signed arithmetic saturates.
 * fp: ordered; flags: -O2 -march=native; verdict: different */
void f(int n, unsigned *out, const unsigned *in, unsigned seed)
{
	for (int i = 0; i < n; i++) {
		unsigned long long t = (unsigned long long)in[i] * 2654435761u + seed;
		out[i] = t > 0xffffffffu && t < 0x100000010ull ? 0xffffffffu : (unsigned)t;
		if (t >> 32 > 0x40000000u)
			out[i] = 0xffffffffu;
	}
}
