void f(int h, int w, float *restrict out, const float *restrict in)
{
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++) {
			float most = in[2 * y * (2 * w) + 2 * x];
			for (int i = 0; i < 2; i++)
				for (int j = 0; j < 2; j++)
					if (in[(2 * y + i) * (2 * w) + 2 * x + j] > most)
						most = in[(2 * y + i) * (2 * w) + 2 * x + j];
			out[y * w + x] = most;
		}
}
