/* Everyday image processing on 8-bit and float images: conversions, blurs, edges, resizing, histograms.
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

static void *need(void *memory)
{
	if (!memory) {
		fputs("out of memory\n", stderr);
		exit(2);
	}
	return memory;
}

static struct image *image_new(int width, int height, int channels)
{
	struct image *im = need(malloc(sizeof(*im)));

	im->width = width;
	im->height = height;
	im->channels = channels;
	im->stride = (width * channels + 15) / 16 * 16;
	im->pixels = need(calloc((size_t)im->stride * height, 1));
	return im;
}

static void image_free(struct image *im)
{
	free(im->pixels);
	free(im);
}

static struct plane plane_new(int w, int h)
{
	struct plane p = { need(calloc((size_t)w * h, sizeof(float))), w, h };

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

/* Brightness and contrast; contrast is in 1/256. */
static void adjust(struct image *im, int brightness, int contrast)
{
	for (int y = 0; y < im->height; y++) {
		uint8_t *row = im->pixels + y * im->stride;

		for (int i = 0; i < im->width * im->channels; i++) {
			int v = (((row[i] - 128) * contrast) >> 8) + 128 + brightness;

			if (v < 0)
				v = 0;
			if (v > 255)
				v = 255;
			row[i] = (uint8_t)v;
		}
	}
}

static void saturate(struct image *im, int percent)
{
	for (int y = 0; y < im->height; y++) {
		for (int x = 0; x < im->width; x++) {
			uint8_t *p = im->pixels + y * im->stride + x * im->channels;
			int gray = (p[0] + p[1] + p[2]) / 3;

			for (int c = 0; c < 3; c++)
				p[c] = clamp_u8(gray + (p[c] - gray) * percent / 100);
		}
	}
}

static void blend(struct image *dst, const struct image *src, unsigned alpha)
{
	int n = dst->stride * dst->height;
	uint8_t *d = dst->pixels;
	const uint8_t *s = src->pixels;

	while (n--) {
		*d = (uint8_t)((*s * alpha + *d * (255 - alpha) + 127) / 255);
		d++;
		s++;
	}
}

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
			int gx = above[x + 1] - above[x - 1] + 2 * (here[x + 1] - here[x - 1]) + below[x + 1] - below[x - 1];
			int gy = below[x - 1] - above[x - 1] + 2 * (below[x] - above[x]) + below[x + 1] - above[x + 1];
			int mag = abs(gx) + abs(gy);

			o[x] = mag > 255 ? 255 : mag;
		}
	}
}

static void histogram(unsigned hist[256], const struct image *im)
{
	for (int i = 0; i < 256; i++)
		hist[i] = 0;
	for (int y = 0; y < im->height; y++)
		for (int x = 0; x < im->width; x++)
			hist[im->pixels[y * im->stride + x]]++;
}

/* Spread the gray levels evenly. */
static void equalise(struct image *im)
{
	unsigned hist[256], total = (unsigned)im->width * im->height, sum = 0;
	uint8_t table[256];

	histogram(hist, im);
	for (int i = 0; i < 256; i++) {
		sum += hist[i];
		table[i] = (uint8_t)((255ull * sum + total / 2) / total);
	}
	for (int y = 0; y < im->height; y++) {
		uint8_t *row = &im->pixels[y * im->stride];

		for (int x = 0; x < im->width; x++)
			row[x] = table[row[x]];
	}
}

static void halve(struct image *out, const struct image *in)
{
	for (int y = 0; y < out->height; y++) {
		const uint8_t *a = in->pixels + 2 * y * in->stride, *b = a + in->stride;
		uint8_t *o = out->pixels + y * out->stride;

		for (int x = 0; x < out->width; x++)
			o[x] = (uint8_t)((a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1] + 2) / 4);
	}
}

static void resize_bilinear(struct image *out, const struct image *in)
{
	float sx = (float)(in->width - 1) / (out->width - 1);
	float sy = (float)(in->height - 1) / (out->height - 1);

	for (int y = 0; y < out->height; y++) {
		for (int x = 0; x < out->width; x++) {
			float fx = x * sx, fy = y * sy;
			int x0 = (int)fx, y0 = (int)fy;
			int x1 = x0 + 1 < in->width ? x0 + 1 : x0;
			int y1 = y0 + 1 < in->height ? y0 + 1 : y0;
			float ax = fx - x0, ay = fy - y0;
			float top = (1 - ax) * in->pixels[y0 * in->stride + x0] + ax * in->pixels[y0 * in->stride + x1];
			float bottom = (1 - ax) * in->pixels[y1 * in->stride + x0] + ax * in->pixels[y1 * in->stride + x1];

			out->pixels[y * out->stride + x] = (uint8_t)((1 - ay) * top + ay * bottom + 0.5f);
		}
	}
}

static void to_plane(struct plane *p, const struct image *im)
{
	float *out = p->data;

	for (int y = 0; y < im->height; y++)
		for (int x = 0; x < im->width; x++)
			*out++ = im->pixels[y * im->stride + x] / 255.0f;
}

static void from_plane(struct image *im, const struct plane *p)
{
	for (int y = 0; y < p->h; y++)
		for (int x = 0; x < p->w; x++) {
			float v = at(p, x, y);

			if (v < 0.0f)
				v = 0.0f;
			if (v > 1.0f)
				v = 1.0f;
			im->pixels[y * im->stride + x] = (uint8_t)(v * 255.0f + 0.5f);
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

/* Horizontal box blur with a running sum. */
static void box_blur_rows(struct plane *out, const struct plane *in, int r)
{
	for (int y = 0; y < in->h; y++) {
		const float *src = in->data + y * in->w;
		float *dst = out->data + y * out->w;
		float sum = 0.0f;

		for (int x = 0; x < 2 * r + 1; x++)
			sum += src[x];
		for (int x = r; x < in->w - r - 1; x++) {
			dst[x] = sum / (2 * r + 1);
			sum += src[x + r + 1] - src[x - r];
		}
		dst[in->w - r - 1] = sum / (2 * r + 1);
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

static void convolve3(struct plane *out, const struct plane *in, const float *kernel)
{
	for (int y = 1; y < in->h - 1; y++)
		for (int x = 1; x < in->w - 1; x++) {
			float sum = 0.0f;

			for (int ky = 0; ky < 3; ky++)
				for (int kx = 0; kx < 3; kx++)
					sum += kernel[ky * 3 + kx] * at(in, x + kx - 1, y + ky - 1);
			put(out, x, y, sum);
		}
}

/* A bank of small filters, as the first layer of a network applies it to the three channels of a picture. */
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
	if (hi <= lo)
		return;
	for (int i = 0; i < n; i++)
		p->data[i] = (p->data[i] - lo) / (hi - lo);
}

static void gamma_correct(struct plane *p, float gamma)
{
	for (int i = 0; i < p->w * p->h; i++)
		p->data[i] = powf(p->data[i], gamma);
}

static uint32_t checksum(const struct image *im)
{
	uint32_t hash = 2166136261u;

	for (int y = 0; y < im->height; y++)
		for (int x = 0; x < im->width * im->channels; x++)
			hash = (hash ^ im->pixels[y * im->stride + x]) * 16777619u;
	return hash;
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

static void work_on_bytes(struct image *rgb, struct image *gray, struct image *edges, int repeats)
{
	static const int sharpen[3][3] = { { 0, -1, 0 }, { -1, 8, -1 }, { 0, -1, 0 } };
	struct image *copy = image_new(rgb->width, rgb->height, 3), *small = image_new(gray->width / 2, gray->height / 2, 1);
	struct image *large = image_new(gray->width * 3 / 2, gray->height * 3 / 2, 1);
	struct image *sharp = image_new(gray->width, gray->height, 1);
	unsigned hist[256] = { 0 }, total = 0;

	for (int n = 0; n < repeats; n++) {
		draw(rgb);
		memcpy(copy->pixels, rgb->pixels, (size_t)rgb->stride * rgb->height);
		adjust(rgb, 10, 300);
		saturate(rgb, 130);
		blend(rgb, copy, 100);
		rgb_to_gray(gray, rgb);
		convolve_u8(sharp, gray, sharpen, 2);
		sobel(edges, gray);
		histogram(hist, gray);
		halve(small, gray);
		resize_bilinear(large, small);
		equalise(small);
	}
	for (int i = 0; i < 256; i++)
		total += hist[i];
	printf("%-24s %08x\n", "rgb", checksum(rgb));
	printf("%-24s %08x\n", "gray", checksum(gray));
	printf("%-24s %08x\n", "sharpened", checksum(sharp));
	printf("%-24s %08x\n", "edges", checksum(edges));
	printf("%-24s %08x\n", "half size, equalised", checksum(small));
	expect(total == (unsigned)(gray->width * gray->height), "histogram counts all");
	expect(large->pixels[0] > 0 && large->pixels[(large->height - 1) * large->stride + large->width - 1] > 0,
	       "resized to the corners");
	image_free(copy);
	image_free(small);
	image_free(large);
	image_free(sharp);
}

static void work_on_floats(const struct image *gray, int repeats)
{
	static const float laplace[9] = { 0, 1, 0, 1, -4, 1, 0, 1, 0 };
	int w = gray->width, h = gray->height;
	struct plane p = plane_new(w, h), box = plane_new(w, h), rows = plane_new(w, h), tmp = plane_new(w, h);
	struct plane gauss = plane_new(w, h), edge = plane_new(w, h), turned = plane_new(h, w), back = plane_new(w, h);
	struct image *result = image_new(w, h, 1);
	float kernel[9];
	double worst = 0.0, sum = 0.0;
	int same;

	gaussian_kernel(kernel, 4, 1.5f);
	for (int n = 0; n < repeats; n++) {
		to_plane(&p, gray);
		box_blur(&box, &p, 2);
		box_blur_rows(&rows, &p, 2);
		gaussian_blur(&gauss, &tmp, &p, kernel, 4);
		convolve3(&edge, &gauss, laplace);
		normalize(&edge);
		gamma_correct(&edge, 0.8f);
		from_plane(result, &edge);
		transpose(&turned, &p);
		transpose(&back, &turned);
	}
	for (int y = 2; y < h - 2; y++) {
		double mean = 0.0;

		for (int dy = -2; dy <= 2; dy++)
			mean += at(&rows, w / 2, y + dy);
		if (fabs(mean / 5 - at(&box, w / 2, y)) > worst)
			worst = fabs(mean / 5 - at(&box, w / 2, y));
	}
	same = memcmp(p.data, back.data, sizeof(float) * w * h) == 0;
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			sum += result->pixels[y * result->stride + x];
	printf("%-24s %.4f\n", "mean", plane_mean(&p));
	printf("%-24s %.4f\n", "mean of box blur", plane_mean(&box));
	printf("%-24s %.4f\n", "mean of gaussian", plane_mean(&gauss));
	printf("%-24s %.1f\n", "mean of edges", sum / ((double)w * h));
	expect(worst < 1e-4, "two box blurs agree");
	expect(same, "transposed twice");
	free(p.data);
	free(box.data);
	free(rows.data);
	free(tmp.data);
	free(gauss.data);
	free(edge.data);
	free(turned.data);
	free(back.data);
	image_free(result);
}

static void work_on_filters(const struct image *rgb, int repeats)
{
	int w = 160, h = 120, n_out = 16, k = 5;
	float *in = need(malloc(sizeof(float) * 3 * w * h)), *weights = need(malloc(sizeof(float) * n_out * 3 * k * k));
	float *out = need(malloc(sizeof(float) * n_out * (w - k + 1) * (h - k + 1)));
	double sum = 0.0, direct = 0.0;

	for (int c = 0; c < 3; c++)
		for (int y = 0; y < h; y++)
			for (int x = 0; x < w; x++)
				in[(c * h + y) * w + x] = rgb->pixels[y * rgb->stride + x * 3 + c] / 127.5f - 1.0f;
	for (int i = 0; i < n_out * 3 * k * k; i++)
		weights[i] = (float)((i * 2654435761u >> 16) % 201) / 100.0f - 1.0f;
	for (int n = 0; n < repeats; n++)
		filter_bank(out, in, weights, n_out, 3, w, h, k);
	for (int i = 0; i < n_out * (w - k + 1) * (h - k + 1); i++)
		sum += out[i];
	for (int c = 0; c < 3; c++)
		for (int ky = 0; ky < k; ky++)
			for (int kx = 0; kx < k; kx++)
				direct += (double)in[(c * h + 7 + ky) * w + 9 + kx] * weights[(c * k + ky) * k + kx];
	printf("%-24s %.0f\n", "sum of filtered", sum / 100.0);
	expect(fabs(fmax(direct, 0.0) - out[7 * (w - k + 1) + 9]) < 1e-4, "one filter by hand");
	free(in);
	free(weights);
	free(out);
}

int main(int argc, char **argv)
{
	int repeats = argc > 1 ? atoi(argv[1]) : 30;
	struct image *rgb = image_new(1000, 700, 3), *gray = image_new(1000, 700, 1), *edges = image_new(1000, 700, 1);
	double start, bytes, floats, filters;

	if (repeats < 1)
		repeats = 1;
	start = now();
	work_on_bytes(rgb, gray, edges, repeats);
	bytes = now();
	work_on_floats(gray, repeats);
	floats = now();
	work_on_filters(rgb, repeats);
	filters = now();
	fprintf(stderr, "bytes %.3f s, floats %.3f s, filters %.3f s\n", bytes - start, floats - bytes, filters - floats);
	image_free(rgb);
	image_free(gray);
	image_free(edges);
	return failures ? 1 : 0;
}
