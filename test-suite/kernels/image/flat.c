/* The fields in locals, the pixels in vectors.
 * fp: ordered; flags: -O2 -march=native; verdict: equal */
struct image {
	int w, h, c;
	float *data;
};
void f(struct image *im, float scale, float offset)
{
	const int n = im->w * im->h * im->c;
	float *data = im->data;
	int i = 0;
	for (; i < n - 3; i += 4)
		for (int l = 0; l < 4; l++)
			data[i + l] = data[i + l] * scale + offset;
	for (; i < n; i++)
		data[i] = data[i] * scale + offset;
}
