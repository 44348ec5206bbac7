struct image {
	int w, h, c;
	float *data;
};
void f(struct image *im, float scale, float offset)
{
	for (int i = 0; i < im->w * im->h * im->c; i++)
		im->data[i] = im->data[i] * scale + offset;
}
