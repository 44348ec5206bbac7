/* Helpers that take structures, or pointers to them; locals that stand for such. */
#include <stddef.h>

struct plane {
	int w, h, stride;
	float *data;
};

struct desk {
	struct plane in, out;
	const struct plane *mask;
};

static inline float at(const struct plane *p, int x, int y)
{
	return p->data[y * p->stride + x];
}

static inline void put(struct plane *p, int x, int y, float value)
{
	if (x < p->w && y < p->h)
		p->data[y * p->stride + x] = value;
}

static float clamped(const struct plane *p, int x, int y)
{
	x = x < 0 ? 0 : x >= p->w ? p->w - 1 : x;
	return at(p, x, y);
}

static float *row(struct plane p, int y)
{
	return p.data + y * p.stride;
}

static int area(const struct plane *p)
{
	return p->w * p->h;
}

void blur(struct plane *out, const struct plane *in, int r)
{
	for (int y = r; y < in->h - r; y++)
		for (int x = r; x < in->w - r; x++) {
			float sum = 0.0f;

			for (int dy = -r; dy <= r; dy++)
				for (int dx = -r; dx <= r; dx++)
					sum += at(in, x + dx, y + dy);
			put(out, x, y, sum / area(in));
		}
}

void edges(struct plane *out, const struct plane *in)
{
	for (int y = 0; y < in->h; y++)
		for (int x = 0; x < in->w; x++)
			put(out, x, y, at(in, x, y) - clamped(in, x - 1, y));
}

void rows(struct desk *d)
{
	for (int y = 0; y < d->in.h; y++) {
		const float *from = row(d->in, y);

		for (int x = 0; x < d->in.w; x++)
			d->out.data[y * d->out.stride + x] = from[x] * at(d->mask, x, y);
	}
}

void addresses(struct desk *d, struct plane *planes, int k)
{
	for (int y = 0; y < d->in.h; y++) {
		const struct plane *in = &d->in, mask = *d->mask;
		struct plane *other = &planes[k];

		for (int x = 0; x < in->w; x++)
			put(&d->out, x, y, at(in, x, y) * mask.data[y * mask.stride + x] + at(other, x, y));
	}
}

void each(float *sums, const struct plane *planes, int n)
{
	for (int k = 0; k < n; k++)
		sums[k] = at(&planes[k], 0, 0);
}

static float shift(struct plane *p, int x)
{
	p++;
	return p->data[x];
}

void moved(float *to, struct plane *planes, int n)
{
	for (int x = 0; x < n; x++)
		to[x] = shift(planes, x);
}
