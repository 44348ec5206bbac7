/* Audio-like signal processing: filters, correlation, spectra, a transform codec.
 *
 * usage: signal [repeats]
 * Results go to stdout, times to stderr. The exit status is 1 when a check fails. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PI 3.14159265358979323846

struct buffer {
	float *samples;
	int length;
	int rate; /* Hz */
};

struct fir {
	float *taps;
	int n_taps;
};

/* A second-order section for many channels at once. */
struct biquad {
	float b0, b1, b2, a1, a2;
	float *z1, *z2; /* state of each channel */
};

/* Row k of the tables holds frequency k, "size" samples long; spectra show the lower half of them, "bins". */
struct basis {
	int size, bins;
	float *cosine, *sine;
	float *dct;
};

static int failures;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

static void *need(size_t size)
{
	void *memory = calloc(1, size);

	if (!memory) {
		fprintf(stderr, "out of memory\n");
		exit(2);
	}
	return memory;
}

static struct buffer buffer_new(int length, int rate)
{
	struct buffer b = { need(sizeof(float) * length), length, rate };

	return b;
}

/* A chord of three tones with some noise. */
static void synthesize(struct buffer *b, float pitch)
{
	uint32_t noise = 22222;

	for (int i = 0; i < b->length; i++) {
		float t = (float)i / b->rate;
		float v = sinf(2 * (float)PI * pitch * t) + 0.5f * sinf(2 * (float)PI * pitch * 1.25f * t) +
			  0.25f * sinf(2 * (float)PI * pitch * 1.5f * t);

		noise = noise * 196314165u + 907633515u;
		b->samples[i] = 0.3f * v + 0.05f * ((float)(noise >> 16) / 32768.0f - 1.0f);
	}
}

/* A low-pass filter: sinc under a Hamming window. */
static struct fir fir_lowpass(int n_taps, float cutoff)
{
	struct fir f = { need(sizeof(float) * n_taps), n_taps };
	float *taps = f.taps, sum = 0.0f;

	for (int i = 0; i < n_taps; i++) {
		float x = i - (n_taps - 1) / 2.0f;
		float w = 0.54f - 0.46f * cosf(2 * (float)PI * i / (n_taps - 1));

		taps[i] = (fabsf(x) < 1e-6f ? 2 * cutoff : sinf(2 * (float)PI * cutoff * x) / ((float)PI * x)) * w;
		sum += taps[i];
	}
	for (int i = 0; i < n_taps; i++)
		taps[i] /= sum;
	return f;
}

static struct basis basis_new(int size)
{
	struct basis b = { size, size / 2, need(sizeof(float) * size * size), need(sizeof(float) * size * size),
			   need(sizeof(float) * size * size) };

	for (int k = 0; k < size; k++)
		for (int i = 0; i < size; i++) {
			b.cosine[k * size + i] = (float)cos(2 * PI * k * i / size);
			b.sine[k * size + i] = (float)sin(2 * PI * k * i / size);
			b.dct[k * size + i] = (float)(sqrt((k ? 2.0 : 1.0) / size) * cos(PI * k * (i + 0.5) / size));
		}
	return b;
}

/* Filter "in"; out[i] needs in[i] and what came before, so "out" is n_taps - 1 shorter. */
static void fir_process(const struct fir *f, struct buffer *out, const struct buffer *in)
{
	for (int i = 0; i <= in->length - f->n_taps; i++) {
		const float *w = in->samples + i;
		float acc = 0.0f;

		for (int k = 0; k < f->n_taps; k++)
			acc += f->taps[k] * w[f->n_taps - 1 - k];
		out->samples[i] = acc;
	}
}

/* Filter and keep one sample of "factor". */
static void decimate(float *out, int n_out, const float *in, const float *taps, int n_taps, int factor)
{
	for (int i = 0; i < n_out; i++) {
		float acc = 0.0f;

		for (int k = 0; k < n_taps; k++)
			acc += taps[k] * in[i * factor + k];
		out[i] = acc;
	}
}

static void moving_average(struct buffer *out, const struct buffer *in, int width)
{
	for (int i = 0; i <= in->length - width; i++) {
		float sum = 0.0f;

		for (int j = 0; j < width; j++)
			sum += in->samples[i + j];
		out->samples[i] = sum / width;
	}
}

/* Interleaved channels, transposed direct form II. */
static void biquad_channels(struct biquad *q, float *samples, int frames, int channels)
{
	const float b0 = q->b0, b1 = q->b1, b2 = q->b2, a1 = q->a1, a2 = q->a2;
	float *z1 = q->z1, *z2 = q->z2;

	for (int i = 0; i < frames; i++) {
		float *frame = samples + i * channels;

		for (int c = 0; c < channels; c++) {
			float x = frame[c];
			float y = b0 * x + z1[c];

			z1[c] = b1 * x - a1 * y + z2[c];
			z2[c] = b2 * x - a2 * y;
			frame[c] = y;
		}
	}
}

/* r[lag] is the mean product of samples "lag" apart. */
static void autocorrelation(double *r, int lags, const struct buffer *b)
{
	for (int lag = 0; lag < lags; lag++) {
		double sum = 0.0;

		for (int i = 0; i < b->length - lag; i++)
			sum += b->samples[i] * b->samples[i + lag];
		r[lag] = sum / (b->length - lag);
	}
}

/* How well "pattern" matches at each offset: the sum of squared differences. */
static void match(float *score, const float *x, int n, const float *pattern, int size)
{
	for (int i = 0; i <= n - size; i++) {
		float sum = 0.0f;

		for (int j = 0; j < size; j++) {
			float d = x[i + j] - pattern[j];

			sum += d * d;
		}
		score[i] = sum;
	}
}

static void convolve(float *out, const float *a, int na, const float *b, int nb)
{
	for (int i = 0; i < na + nb - 1; i++)
		out[i] = 0.0f;
	for (int i = 0; i < na; i++)
		for (int j = 0; j < nb; j++)
			out[i + j] += a[i] * b[j];
}

/* The power spectrum of each frame, by the definition of the Fourier transform. */
static void spectrogram(float *power, const float *x, const struct basis *b, int frames)
{
	int n = b->size, bins = b->bins;

	for (int f = 0; f < frames; f++) {
		const float *frame = x + f * n;

		for (int k = 0; k < bins; k++) {
			float re = 0.0f, im = 0.0f;

			for (int t = 0; t < n; t++) {
				re += frame[t] * b->cosine[k * n + t];
				im -= frame[t] * b->sine[k * n + t];
			}
			power[f * bins + k] = re * re + im * im;
		}
	}
}

/* The cosine transform that codecs use, a matrix times each frame of "n" samples. */
static void dct_frames(float *out, const float *in, const float *basis, int frames, int n)
{
	for (int f = 0; f < frames; f++) {
		const float *x = &in[f * n];
		float *y = &out[f * n];

		for (int k = 0; k < n; k++) {
			y[k] = 0.0f;
			for (int i = 0; i < n; i++)
				y[k] += basis[k * n + i] * x[i];
		}
	}
}

/* And back, with the transposed matrix. */
static void idct_frames(float *out, const float *in, const float *basis, int frames, int n)
{
	for (int f = 0; f < frames; f++) {
		for (int i = 0; i < n; i++) {
			float sum = 0.0f;

			for (int k = 0; k < n; k++)
				sum += basis[k * n + i] * in[f * n + k];
			out[f * n + i] = sum;
		}
	}
}

/* The largest magnitude of x - y. */
static float peak_difference(const float *x, const float *y, int n)
{
	float top = 0.0f;

	for (int i = 0; i < n; i++) {
		float a = fabsf(x[i] - y[i]);

		if (a > top)
			top = a;
	}
	return top;
}

static void expect(int good, const char *what)
{
	printf("%-28s %s\n", what, good ? "ok" : "FAILED");
	failures += !good;
}

/* All that the program works on. */
struct session {
	struct buffer input, smooth, average, lower, wet, wide, decoded;
	struct fir lowpass, echo;
	struct biquad tone;
	struct basis basis;
	float *coded, *power, *score, *silence;
	double *lags;
	int n_lags, pattern, channels, frames;
};

static void session_init(struct session *s, int length, int rate)
{
	int size = 64, channels = 64;

	*s = (struct session){ .n_lags = 80, .pattern = 100, .channels = channels, .frames = length / size };
	s->input = buffer_new(length, rate);
	s->smooth = buffer_new(length, rate);
	s->average = buffer_new(length, rate);
	s->lower = buffer_new(length / 2, rate / 2);
	s->wide = buffer_new(length, rate);
	s->decoded = buffer_new(length, rate);
	synthesize(&s->input, 750.0f);
	s->lowpass = fir_lowpass(95, 0.05f);
	s->echo = fir_lowpass(201, 0.01f);
	s->wet = buffer_new(length / 2 + s->echo.n_taps, rate);
	s->tone = (struct biquad){ 0.0675f, 0.1349f, 0.0675f, -1.143f, 0.4128f, need(sizeof(float) * channels),
				   need(sizeof(float) * channels) };
	s->basis = basis_new(size);
	s->coded = need(sizeof(float) * length);
	s->power = need(sizeof(float) * length);
	s->score = need(sizeof(float) * length);
	s->silence = need(sizeof(float) * length);
	s->lags = need(sizeof(double) * s->n_lags);
}

static void session_free(struct session *s)
{
	free(s->input.samples);
	free(s->smooth.samples);
	free(s->average.samples);
	free(s->lower.samples);
	free(s->wet.samples);
	free(s->wide.samples);
	free(s->decoded.samples);
	free(s->lowpass.taps);
	free(s->echo.taps);
	free(s->tone.z1);
	free(s->tone.z2);
	free(s->basis.cosine);
	free(s->basis.sine);
	free(s->basis.dct);
	free(s->coded);
	free(s->power);
	free(s->score);
	free(s->silence);
	free(s->lags);
}

static void filter(struct session *s)
{
	const struct buffer *in = &s->input;

	fir_process(&s->lowpass, &s->smooth, in);
	moving_average(&s->average, &s->smooth, 49);
	decimate(s->lower.samples, s->lower.length - 48, in->samples, s->lowpass.taps, s->lowpass.n_taps, 2);
	convolve(s->wet.samples, s->lower.samples, s->lower.length, s->echo.taps, s->echo.n_taps);
	memcpy(s->wide.samples, in->samples, sizeof(float) * in->length);
	memset(s->tone.z1, 0, sizeof(float) * s->channels);
	memset(s->tone.z2, 0, sizeof(float) * s->channels);
	for (int pass = 0; pass < 40; pass++)
		biquad_channels(&s->tone, s->wide.samples, in->length / s->channels, s->channels);
}

static void analyse(struct session *s)
{
	const struct buffer *in = &s->input;

	autocorrelation(s->lags, s->n_lags, in);
	match(s->score, in->samples, in->length, in->samples + 5000, s->pattern);
	spectrogram(s->power, in->samples, &s->basis, s->frames);
}

static void code(struct session *s)
{
	int n = s->basis.size;

	dct_frames(s->coded, s->input.samples, s->basis.dct, s->frames, n);
	idct_frames(s->decoded.samples, s->coded, s->basis.dct, s->frames, n);
}

static void check(const struct session *s)
{
	const float *in = s->input.samples;
	int n = s->input.length;
	const float *power = s->power + 10 * s->basis.bins;

	printf("%-28s %.3f\n", "peak of input", peak_difference(in, s->silence, n));
	printf("%-28s %.3f\n", "peak after lowpass", peak_difference(s->smooth.samples, s->silence, n));
	printf("%-28s %.3f\n", "peak of moving average", peak_difference(s->average.samples, s->silence, n));
	printf("%-28s %.3f\n", "peak after decimation", peak_difference(s->lower.samples, s->silence, n / 2));
	printf("%-28s %.4f\n", "peak with echo", peak_difference(s->wet.samples, s->silence, n / 2));
	printf("%-28s %.3f\n", "peak after biquad", peak_difference(s->wide.samples, s->silence, n));
	printf("%-28s %.3f\n", "correlation", s->lags[64] / s->lags[0]);
	printf("%-28s %.1f\n", "power at the tone", power[1]);
	expect(peak_difference(in, s->decoded.samples, n) < 1e-4f, "transform and back");
	expect(power[1] > power[3] && power[2] > power[3], "the tone is where it should be");
	expect(s->score[5000] < 1e-6f && s->score[5031] > 1.0f, "pattern found");
	expect(fabsf(s->lower.samples[500] - s->smooth.samples[1000]) < 1e-5f, "decimated is filtered");
}

int main(int argc, char **argv)
{
	int repeats = argc > 1 ? atoi(argv[1]) : 20;
	struct session s;
	double start;

	if (repeats < 1)
		repeats = 1;
	session_init(&s, 64000, 48000);
	start = now();
	for (int r = 0; r < repeats; r++) {
		filter(&s);
		analyse(&s);
		code(&s);
	}
	fprintf(stderr, "%.3f s\n", now() - start);
	check(&s);
	session_free(&s);
	return failures ? 1 : 0;
}
