/* Everyday image processing on 8-bit and float images: conversions, blurs, filters, matching.
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

static double plane_mean(const struct plane *p)
{
	double sum = 0.0;

	for (int i = 0; i < p->w * p->h; i++)
		sum += p->data[i];
	return sum / ((double)p->w * p->h);
}

/* The mean of an image; "work" has its size. */
static double image_mean(const struct image *im, struct plane *work)
{
	to_plane(work, im);
	return 255.0 * plane_mean(work);
}

static void expect(int good, const char *what)
{
	printf("%-24s %s\n", what, good ? "ok" : "FAILED");
	failures += !good;
}

enum { FILTERS = 16, SIDE = 5 };

/* All that the program works on. */
struct desk {
	struct image *rgb, *gray, *sharp, *grown;
	struct plane plane, box, gauss, tmp, turned;
	struct plane small, patch, score;
	struct plane layers; /* FILTERS planes, one below the other */
	int radius;          /* of all blurs; the Gaussian's is twice that */
	float *kernel, *weights;
};

static void desk_init(struct desk *d, int w, int h, int radius)
{
	d->rgb = image_new(w, h, 3);
	d->gray = image_new(w, h, 1);
	d->sharp = image_new(w, h, 1);
	d->grown = image_new(w, h, 1);
	d->plane = plane_new(w, h);
	d->box = plane_new(w, h);
	d->gauss = plane_new(w, h);
	d->tmp = plane_new(w, h);
	d->turned = plane_new(h, w);
	d->small = plane_new(w / 2, h / 2);
	d->patch = plane_new(12, 12);
	d->score = plane_new(w / 2, h / 2);
	d->layers = plane_new(w / 2 - SIDE + 1, FILTERS * (h / 2 - SIDE + 1));
	d->radius = radius;
	d->kernel = need(sizeof(float) * (4 * radius + 1));
	d->weights = need(sizeof(float) * FILTERS * SIDE * SIDE);
	draw(d->rgb);
	gaussian_kernel(d->kernel, 2 * radius, 0.75f * radius);
}

static void desk_free(struct desk *d)
{
	image_free(d->rgb);
	image_free(d->gray);
	image_free(d->sharp);
	image_free(d->grown);
	free(d->plane.data);
	free(d->box.data);
	free(d->gauss.data);
	free(d->tmp.data);
	free(d->turned.data);
	free(d->small.data);
	free(d->patch.data);
	free(d->score.data);
	free(d->layers.data);
	free(d->kernel);
	free(d->weights);
}

/* Copy what "out" has room for out of "in", the corner at (x, y). */
static void crop(struct plane *out, const struct plane *in, int x, int y)
{
	for (int row = 0; row < out->h; row++)
		memcpy(out->data + row * out->w, in->data + (y + row) * in->w + x, sizeof(float) * out->w);
}

/* Filters that look like small pieces of the picture. */
static void choose_filters(struct desk *d)
{
	for (int i = 0; i < FILTERS; i++) {
		struct plane piece = { d->weights + i * SIDE * SIDE, SIDE, SIDE };

		crop(&piece, &d->plane, 20 * i, 10 * i);
	}
}

static void work(struct desk *d)
{
	static const int sharpen[3][3] = { { 0, -1, 0 }, { -1, 8, -1 }, { 0, -1, 0 } };
	int w = d->small.w, h = d->small.h;

	rgb_to_gray(d->gray, d->rgb);
	convolve_u8(d->sharp, d->gray, sharpen, 2);
	dilate(d->grown, d->sharp, d->radius);
	to_plane(&d->plane, d->gray);
	transpose(&d->turned, &d->plane);
	box_blur(&d->box, &d->plane, d->radius);
	gaussian_blur(&d->gauss, &d->tmp, &d->plane, d->kernel, 2 * d->radius);
	crop(&d->small, &d->plane, w / 2, h / 2);
	crop(&d->patch, &d->small, w / 3, h / 2);
	match(&d->score, &d->small, &d->patch);
	choose_filters(d);
	filter_bank(d->layers.data, d->small.data, d->weights, FILTERS, 1, w, h, SIDE);
}

static void check(struct desk *d)
{
	int w = d->small.w, h = d->small.h;
	const float *s = &d->score.data[h / 2 * w + w / 3];

	printf("%-24s %.3f\n", "mean of gray", image_mean(d->gray, &d->tmp));
	printf("%-24s %.3f\n", "mean of sharpened", image_mean(d->sharp, &d->tmp));
	printf("%-24s %.3f\n", "mean of dilated", image_mean(d->grown, &d->tmp));
	printf("%-24s %.4f\n", "mean of box blur", plane_mean(&d->box));
	printf("%-24s %.4f\n", "mean of gaussian", plane_mean(&d->gauss));
	printf("%-24s %.4f\n", "mean of the middle", plane_mean(&d->small));
	printf("%-24s %.3f\n", "mean of filtered", plane_mean(&d->layers));
	printf("%-24s %.3f\n", "mean of match", plane_mean(&d->score));
	expect(*s < 1e-6f && s[1] > 0.01f, "patch found");
	expect(at(&d->turned, 7, 9) == at(&d->plane, 9, 7), "transposed");
	expect(fabs(plane_mean(&d->turned) - plane_mean(&d->plane)) < 1e-6, "means agree");
}

int main(int argc, char **argv)
{
	int repeats = argc > 1 ? atoi(argv[1]) : 40;
	struct desk d;
	double start;

	if (repeats < 1)
		repeats = 1;
	desk_init(&d, 480, 320, 2);
	start = now();
	for (int r = 0; r < repeats; r++)
		work(&d);
	fprintf(stderr, "%.3f s\n", now() - start);
	check(&d);
	desk_free(&d);
	return failures ? 1 : 0;
}
