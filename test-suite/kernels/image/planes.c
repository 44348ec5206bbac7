/* Planes, rows, columns.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
struct image {
	int w, h, c;
	float *data;
};
void f(struct image *im, float scale, float offset)
{
	float *at = im->data;
	if (im->w < 0 || im->h < 0 || im->c < 0) {
		for (int i = 0; i < im->w * im->h * im->c; i++)
			im->data[i] = im->data[i] * scale + offset;
		return;
	}
	for (int c = 0; c < im->c; c++)
		for (int y = 0; y < im->h; y++)
			for (int x = 0; x < im->w; x++, at++)
				*at = *at * scale + offset;
}
