/* Everyday image processing on 8-bit and float images: conversions, blurs, edges, resizing, matching.
 *
 * usage: image [repeats]
 * Results go to stdout, times to stderr. The exit status is 1 when a check fails. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* 8-bit pixels, "channels" interleaved; a row is "stride" bytes. */
struct image {
	uint8_t *pixels;
	int width, height;
	int channels;
	int stride;
};

/* One plane of floats. */
struct plane {
	float *data;
	int w, h;
};

static int failures;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void *need(size_t size)
{
	void *memory = calloc(size, 1);

	if (!memory) {
		fputs("out of memory\n", stderr);
		exit(2);
	}
	return memory;
}

static struct image *image_new(int width, int height, int channels)
{
	struct image *im = need(sizeof(*im));

	im->width = width;
	im->height = height;
	im->channels = channels;
	im->stride = (width * channels + 15) / 16 * 16;
	im->pixels = need((size_t)im->stride * height);
	return im;
}

static void image_free(struct image *im)
{
	free(im->pixels);
	free(im);
}

static struct plane plane_new(int w, int h)
{
	struct plane p = { need(sizeof(float) * w * h), w, h };

	return p;
}

static inline float at(const struct plane *p, int x, int y)
{
	return p->data[y * p->w + x];
}

static inline void put(struct plane *p, int x, int y, float v)
{
	p->data[y * p->w + x] = v;
}

static inline uint8_t clamp_u8(int v)
{
	return v < 0 ? 0 : v > 255 ? 255 : (uint8_t)v;
}

/* A picture of rings, stripes and noise. */
static void draw(struct image *im)
{
	uint32_t seed = 12345;

	for (int y = 0; y < im->height; y++) {
		uint8_t *row = im->pixels + y * im->stride;

		for (int x = 0; x < im->width; x++) {
			int dx = x - im->width / 2, dy = y - im->height / 2;

			seed = seed * 1103515245u + 12345u;
			row[x * 3 + 0] = (uint8_t)((dx * dx + dy * dy) >> 7);
			row[x * 3 + 1] = (uint8_t)(x * 2 + y);
			row[x * 3 + 2] = (uint8_t)((seed >> 24) / 2 + 64);
		}
	}
}

static void rgb_to_gray(struct image *out, const struct image *in)
{
	for (int y = 0; y < in->height; y++) {
		const uint8_t *s = in->pixels + y * in->stride;
		uint8_t *d = out->pixels + y * out->stride;

		for (int x = 0; x < in->width; x++) {
			*d++ = (uint8_t)((77 * s[0] + 150 * s[1] + 29 * s[2] + 128) >> 8);
			s += 3;
		}
	}
}

static void to_plane(struct plane *p, const struct image *im)
{
	for (int y = 0; y < im->height; y++)
		for (int x = 0; x < im->width; x++)
			put(p, x, y, im->pixels[y * im->stride + x] / 255.0f);
}

/* Sharpen, emboss and the like: a small integer kernel, scaled down by a shift. */
static void convolve_u8(struct image *out, const struct image *in, const int kernel[3][3], int shift)
{
	for (int y = 1; y < in->height - 1; y++) {
		for (int x = 1; x < in->width - 1; x++) {
			int sum = 0;

			for (int ky = 0; ky < 3; ky++)
				for (int kx = 0; kx < 3; kx++)
					sum += kernel[ky][kx] * in->pixels[(y + ky - 1) * in->stride + x + kx - 1];
			out->pixels[y * out->stride + x] = clamp_u8(sum >> shift);
		}
	}
}

static void sobel(struct image *out, const struct image *in)
{
	int w = in->width, h = in->height;

	for (int y = 1; y < h - 1; y++) {
		const uint8_t *above = in->pixels + (y - 1) * in->stride;
		const uint8_t *here = in->pixels + y * in->stride;
		const uint8_t *below = in->pixels + (y + 1) * in->stride;
		uint8_t *o = out->pixels + y * out->stride;

		for (int x = 1; x < w - 1; x++) {
			int gx = above[x + 1] - above[x - 1] + 2 * (here[x + 1] - here[x - 1]) + below[x + 1] -
				 below[x - 1];
			int gy = below[x - 1] - above[x - 1] + 2 * (below[x] - above[x]) + below[x + 1] - above[x + 1];
			int mag = abs(gx) + abs(gy);

			o[x] = mag > 255 ? 255 : mag;
		}
	}
}

/* The brightest pixel of the square around. */
static void dilate(struct image *out, const struct image *in, int r)
{
	for (int y = r; y < in->height - r; y++)
		for (int x = r; x < in->width - r; x++) {
			uint8_t top = 0;

			for (int dy = -r; dy <= r; dy++)
				for (int dx = -r; dx <= r; dx++) {
					uint8_t v = in->pixels[(y + dy) * in->stride + x + dx];

					if (v > top)
						top = v;
				}
			out->pixels[y * out->stride + x] = top;
		}
}

static void histogram(unsigned hist[256], const struct image *im)
{
	memset(hist, 0, sizeof(unsigned) * 256);
	for (int y = 0; y < im->height; y++)
		for (int x = 0; x < im->width; x++)
			hist[im->pixels[y * im->stride + x]]++;
}

static void resize_bilinear(struct plane *out, const struct plane *in)
{
	float sx = (float)(in->w - 1) / out->w;
	float sy = (float)(in->h - 1) / out->h;

	for (int y = 0; y < out->h; y++) {
		for (int x = 0; x < out->w; x++) {
			float fx = x * sx, fy = y * sy;
			int x0 = (int)fx, y0 = (int)fy;
			float ax = fx - x0, ay = fy - y0;
			const float *p = in->data + y0 * in->w + x0, *q = p + in->w;
			float top = (1 - ax) * p[0] + ax * p[1];
			float bottom = (1 - ax) * q[0] + ax * q[1];

			out->data[y * out->w + x] = (1 - ay) * top + ay * bottom;
		}
	}
}

/* The mean of the (2r+1)^2 pixels around, straight from the definition. */
static void box_blur(struct plane *out, const struct plane *in, int r)
{
	float scale = 1.0f / ((2 * r + 1) * (2 * r + 1));

	for (int y = r; y < in->h - r; y++)
		for (int x = r; x < in->w - r; x++) {
			float sum = 0.0f;

			for (int dy = -r; dy <= r; dy++)
				for (int dx = -r; dx <= r; dx++)
					sum += at(in, x + dx, y + dy);
			put(out, x, y, sum * scale);
		}
}

static void gaussian_kernel(float *k, int radius, float sigma)
{
	float total = 0.0f;

	for (int i = -radius; i <= radius; i++) {
		k[i + radius] = expf(-(float)(i * i) / (2.0f * sigma * sigma));
		total += k[i + radius];
	}
	for (int i = 0; i <= 2 * radius; i++)
		k[i] /= total;
}

/* Blur the rows into "tmp", then its columns into "out". */
static void gaussian_blur(struct plane *out, struct plane *tmp, const struct plane *in, const float *k, int radius)
{
	int w = in->w, h = in->h;

	for (int y = 0; y < h; y++)
		for (int x = radius; x < w - radius; x++) {
			float acc = 0.0f;

			for (int i = -radius; i <= radius; i++)
				acc += k[i + radius] * in->data[y * w + x + i];
			tmp->data[y * w + x] = acc;
		}
	for (int y = radius; y < h - radius; y++)
		for (int x = radius; x < w - radius; x++) {
			float acc = 0.0f;

			for (int i = -radius; i <= radius; i++)
				acc += k[i + radius] * tmp->data[(y + i) * w + x];
			out->data[y * w + x] = acc;
		}
}

/* A bank of small filters over the planes of a picture, as the first layer of a network applies it. */
static void filter_bank(float *out, const float *in, const float *weights, int n_out, int n_in, int w, int h, int k)
{
	int ow = w - k + 1, oh = h - k + 1;

	for (int o = 0; o < n_out; o++)
		for (int y = 0; y < oh; y++)
			for (int x = 0; x < ow; x++) {
				float sum = 0.0f;

				for (int c = 0; c < n_in; c++)
					for (int ky = 0; ky < k; ky++)
						for (int kx = 0; kx < k; kx++)
							sum += in[(c * h + y + ky) * w + x + kx] *
							       weights[((o * n_in + c) * k + ky) * k + kx];
				out[(o * oh + y) * ow + x] = sum > 0.0f ? sum : 0.0f;
			}
}

/* How well "patch" fits at each place: the sum of squared differences. */
static void match(struct plane *score, const struct plane *in, const struct plane *patch)
{
	for (int y = 0; y <= in->h - patch->h; y++)
		for (int x = 0; x <= in->w - patch->w; x++) {
			float sum = 0.0f;

			for (int py = 0; py < patch->h; py++) {
				const float *a = in->data + (y + py) * in->w + x;
				const float *b = patch->data + py * patch->w;

				for (int px = 0; px < patch->w; px++)
					sum += (a[px] - b[px]) * (a[px] - b[px]);
			}
			score->data[y * score->w + x] = sum;
		}
}

static void transpose(struct plane *out, const struct plane *in)
{
	for (int y = 0; y < in->h; y++)
		for (int x = 0; x < in->w; x++)
			out->data[x * in->h + y] = in->data[y * in->w + x];
}

/* Bring the values to [0, 1]. */
static void normalize(struct plane *p)
{
	float lo = p->data[0], hi = p->data[0];
	int n = p->w * p->h;

	for (int i = 1; i < n; i++) {
		lo = fminf(lo, p->data[i]);
		hi = fmaxf(hi, p->data[i]);
	}
	for (int i = 0; i < n; i++)
		p->data[i] = (p->data[i] - lo) / (hi - lo + 1e-6f);
}

static double image_mean(const struct image *im)
{
	double sum = 0.0;

	for (int y = 0; y < im->height; y++)
		for (int x = 0; x < im->width * im->channels; x++)
			sum += im->pixels[y * im->stride + x];
	return sum / ((double)im->width * im->channels * im->height);
}

static double plane_mean(const struct plane *p)
{
	double sum = 0.0;

	for (int i = 0; i < p->w * p->h; i++)
		sum += p->data[i];
	return sum / ((double)p->w * p->h);
}

static void expect(int good, const char *what)
{
	printf("%-24s %s\n", what, good ? "ok" : "FAILED");
	failures += !good;
}

enum { RADIUS = 4, FILTERS = 16, SIDE = 5 };

/* All that the program works on. */
struct desk {
	struct image *rgb, *gray, *sharp, *edges, *grown;
	struct plane plane, box, gauss, tmp, large, turned, patch, score;
	struct plane layers; /* FILTERS planes, one below the other */
	float kernel[2 * RADIUS + 1];
	float *weights;
	unsigned hist[256];
};

static void desk_init(struct desk *d, int w, int h)
{
	d->rgb = image_new(w, h, 3);
	d->gray = image_new(w, h, 1);
	d->sharp = image_new(w, h, 1);
	d->edges = image_new(w, h, 1);
	d->grown = image_new(w, h, 1);
	d->plane = plane_new(w, h);
	d->box = plane_new(w, h);
	d->gauss = plane_new(w, h);
	d->tmp = plane_new(w, h);
	d->large = plane_new(w * 3 / 2, h * 3 / 2);
	d->turned = plane_new(h, w);
	d->patch = plane_new(12, 12);
	d->score = plane_new(w, h);
	d->layers = plane_new(w - SIDE + 1, FILTERS * (h - SIDE + 1));
	d->weights = need(sizeof(float) * FILTERS * SIDE * SIDE);
	draw(d->rgb);
	gaussian_kernel(d->kernel, RADIUS, 1.5f);
	for (int i = 0; i < FILTERS * SIDE * SIDE; i++)
		d->weights[i] = (float)((i * 2654435761u >> 16) % 201) / 100.0f - 1.0f;
}

static void desk_free(struct desk *d)
{
	image_free(d->rgb);
	image_free(d->gray);
	image_free(d->sharp);
	image_free(d->edges);
	image_free(d->grown);
	free(d->plane.data);
	free(d->box.data);
	free(d->gauss.data);
	free(d->tmp.data);
	free(d->large.data);
	free(d->turned.data);
	free(d->patch.data);
	free(d->score.data);
	free(d->layers.data);
	free(d->weights);
}

/* Cut the patch out of the plane, its corner at (x, y). */
static void cut(struct plane *patch, const struct plane *from, int x, int y)
{
	for (int py = 0; py < patch->h; py++)
		memcpy(patch->data + py * patch->w, from->data + (y + py) * from->w + x, sizeof(float) * patch->w);
}

static void work(struct desk *d)
{
	static const int sharpen[3][3] = { { 0, -1, 0 }, { -1, 8, -1 }, { 0, -1, 0 } };
	int w = d->plane.w, h = d->plane.h;

	rgb_to_gray(d->gray, d->rgb);
	convolve_u8(d->sharp, d->gray, sharpen, 2);
	sobel(d->edges, d->sharp);
	dilate(d->grown, d->edges, 2);
	histogram(d->hist, d->grown);
	to_plane(&d->plane, d->gray);
	box_blur(&d->box, &d->plane, 2);
	gaussian_blur(&d->gauss, &d->tmp, &d->box, d->kernel, RADIUS);
	normalize(&d->gauss);
	resize_bilinear(&d->large, &d->gauss);
	transpose(&d->turned, &d->plane);
	cut(&d->patch, &d->plane, w / 3, h / 2);
	match(&d->score, &d->plane, &d->patch);
	filter_bank(d->layers.data, d->plane.data, d->weights, FILTERS, 1, w, h, SIDE);
}

static void check(const struct desk *d)
{
	int w = d->plane.w, h = d->plane.h;
	const float *s = &d->score.data[h / 2 * w + w / 3];

	printf("%-24s %.3f\n", "mean of gray", image_mean(d->gray));
	printf("%-24s %.3f\n", "mean of sharpened", image_mean(d->sharp));
	printf("%-24s %.3f\n", "mean of edges", image_mean(d->edges));
	printf("%-24s %.3f\n", "mean of dilated", image_mean(d->grown));
	printf("%-24s %.4f\n", "mean of box blur", plane_mean(&d->box));
	printf("%-24s %.4f\n", "mean of gaussian", plane_mean(&d->gauss));
	printf("%-24s %.4f\n", "mean of enlarged", plane_mean(&d->large));
	printf("%-24s %.4f\n", "mean of filtered", plane_mean(&d->layers));
	printf("%-24s %.4f\n", "mean of match", plane_mean(&d->score) / 100.0);
	printf("%-24s %u\n", "white pixels", d->hist[255]);
	expect(*s < 1e-6f && s[1] > 0.1f, "patch found");
	expect(at(&d->turned, 7, 9) == at(&d->plane, 9, 7), "transposed");
	expect(fabs(plane_mean(&d->turned) - plane_mean(&d->plane)) < 1e-6, "means agree");
}

int main(int argc, char **argv)
{
	int repeats = argc > 1 ? atoi(argv[1]) : 20;
	struct desk d;
	double start;

	if (repeats < 1)
		repeats = 1;
	desk_init(&d, 480, 320);
	start = now();
	for (int r = 0; r < repeats; r++)
		work(&d);
	fprintf(stderr, "%.3f s\n", now() - start);
	check(&d);
	desk_free(&d);
	return failures ? 1 : 0;
}
