/* Audio-like signal processing: filters, correlation, spectra, mixing.
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
	float *history; /* n_taps - 1 samples that came before */
};

struct biquad {
	float b0, b1, b2, a1, a2;
	float x1, x2, y1, y2;
};

struct spectrum {
	double *re, *im;
	int bins;
};

struct track {
	const struct buffer *buffer;
	float gain, pan;
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

static struct buffer *buffer_new(int length, int rate)
{
	struct buffer *b = need(sizeof(*b));

	b->samples = need(sizeof(float) * length);
	b->length = length;
	b->rate = rate;
	return b;
}

static void buffer_free(struct buffer *b)
{
	free(b->samples);
	free(b);
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
static struct fir *fir_lowpass(int n_taps, float cutoff)
{
	struct fir *f = need(sizeof(*f));
	float sum = 0.0f;

	f->n_taps = n_taps;
	f->taps = need(sizeof(float) * n_taps);
	f->history = need(sizeof(float) * (n_taps - 1));
	for (int i = 0; i < n_taps; i++) {
		float x = i - (n_taps - 1) / 2.0f;
		float w = 0.54f - 0.46f * cosf(2 * (float)PI * i / (n_taps - 1));

		f->taps[i] = (fabsf(x) < 1e-6f ? 2 * cutoff : sinf(2 * (float)PI * cutoff * x) / ((float)PI * x)) * w;
		sum += f->taps[i];
	}
	for (int i = 0; i < n_taps; i++)
		f->taps[i] /= sum;
	return f;
}

static void fir_free(struct fir *f)
{
	free(f->taps);
	free(f->history);
	free(f);
}

/* Filter a block; "out" has the length of "in". The block is put behind the history first. */
static void fir_process(struct fir *f, float *out, const float *in, int n, float *work)
{
	int before = f->n_taps - 1;

	for (int i = 0; i < before; i++)
		work[i] = f->history[i];
	for (int i = 0; i < n; i++)
		work[before + i] = in[i];
	for (int i = 0; i < n; i++) {
		const float *w = work + i;
		float acc = 0.0f;

		for (int k = 0; k < f->n_taps; k++)
			acc += f->taps[k] * w[f->n_taps - 1 - k];
		out[i] = acc;
	}
	for (int i = 0; i < before; i++)
		f->history[i] = work[n + i];
}

static void biquad_process(struct biquad *q, float *samples, int n)
{
	for (int i = 0; i < n; i++) {
		float x = samples[i];
		float y = q->b0 * x + q->b1 * q->x1 + q->b2 * q->x2 - q->a1 * q->y1 - q->a2 * q->y2;

		q->x2 = q->x1;
		q->x1 = x;
		q->y2 = q->y1;
		q->y1 = y;
		samples[i] = y;
	}
}

/* The same filter on many channels at once, interleaved. */
static void biquad_channels(const struct biquad *q, float *samples, float *state, int n, int channels)
{
	for (int i = 0; i < n; i++) {
		float *frame = samples + i * channels;

		for (int c = 0; c < channels; c++) {
			float *s = state + c * 2;
			float x = frame[c];
			float y = q->b0 * x + s[0];

			s[0] = q->b1 * x - q->a1 * y + s[1];
			s[1] = q->b2 * x - q->a2 * y;
			frame[c] = y;
		}
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

static void autocorrelation(double *r, int lags, const struct buffer *b)
{
	for (int lag = 0; lag < lags; lag++) {
		double sum = 0.0;

		for (int i = 0; i < b->length - lag; i++)
			sum += b->samples[i] * b->samples[i + lag];
		r[lag] = sum / (b->length - lag);
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

/* The discrete Fourier transform by its definition, with a table of one turn. */
static void dft(struct spectrum *s, const float *x, int n, const double *cosine, const double *sine)
{
	for (int k = 0; k < s->bins; k++) {
		double re = 0.0, im = 0.0;

		for (int t = 0; t < n; t++) {
			int phase = k * t % n;

			re += x[t] * cosine[phase];
			im -= x[t] * sine[phase];
		}
		s->re[k] = re;
		s->im[k] = im;
	}
}

static double power(const struct spectrum *s, double *out)
{
	double total = 0.0;

	for (int k = 0; k < s->bins; k++) {
		out[k] = s->re[k] * s->re[k] + s->im[k] * s->im[k];
		total += out[k];
	}
	return total;
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

static float peak(const float *x, int n)
{
	float top = 0.0f;

	for (int i = 0; i < n; i++) {
		float a = fabsf(x[i]);

		if (a > top)
			top = a;
	}
	return top;
}

static void normalise(struct buffer *b, float level)
{
	float top = peak(b->samples, b->length);
	float gain = top > 0.0f ? level / top : 1.0f;

	for (int i = 0; i < b->length; i++)
		b->samples[i] *= gain;
}

/* Mix tracks to interleaved stereo. */
static void mix(float *stereo, int frames, const struct track *tracks, int n_tracks)
{
	memset(stereo, 0, sizeof(float) * 2 * frames);
	for (int t = 0; t < n_tracks; t++) {
		const float *s = tracks[t].buffer->samples;
		float left = tracks[t].gain * (1.0f - tracks[t].pan), right = tracks[t].gain * tracks[t].pan;
		float *o = stereo;

		for (int i = 0; i < frames; i++) {
			*o++ += left * *s;
			*o++ += right * *s++;
		}
	}
}

static void to_int16(int16_t *out, const float *in, int n)
{
	for (int i = 0; i < n; i++) {
		float v = in[i] * 32767.0f;

		if (v > 32767.0f)
			v = 32767.0f;
		if (v < -32768.0f)
			v = -32768.0f;
		out[i] = (int16_t)v;
	}
}

static void fade(int16_t *x, int n)
{
	for (int i = 0; i < n; i++)
		x[i] = (int16_t)(x[i] * i / n);
}

/* Energy of frames of "size" samples, "hop" apart. */
static int frame_energy(float *energy, const struct buffer *b, int size, int hop)
{
	int frames = (b->length - size) / hop + 1;

	for (int f = 0; f < frames; f++) {
		const float *p = b->samples + f * hop;
		float e = 0.0f;

		for (int i = 0; i < size; i++)
			e += p[i] * p[i];
		energy[f] = e / size;
	}
	return frames;
}

static void resample_half(float *out, const float *in, int n)
{
	for (int i = 1; i < n / 2 - 1; i++)
		out[i] = 0.25f * in[2 * i - 1] + 0.5f * in[2 * i] + 0.25f * in[2 * i + 1];
}

static void expect(int good, const char *what)
{
	printf("%-28s %s\n", what, good ? "ok" : "FAILED");
	failures += !good;
}

static void filters(const struct buffer *input, int repeats)
{
	int n = input->length, channels = 8;
	struct fir *f = fir_lowpass(63, 0.05f);
	struct biquad q = { .b0 = 0.0675f, .b1 = 0.1349f, .b2 = 0.0675f, .a1 = -1.143f, .a2 = 0.4128f };
	struct buffer *smooth = buffer_new(n, input->rate), *tail = buffer_new(n, input->rate);
	float *work = need(sizeof(float) * (n + f->n_taps)), *wide = need(sizeof(float) * n), state[16];
	double mean = 0.0, direct = 0.0, error = 0.0;

	for (int r = 0; r < repeats; r++) {
		memset(f->history, 0, sizeof(float) * (f->n_taps - 1));
		fir_process(f, smooth->samples, input->samples, n, work);
		moving_average(tail, smooth, 25);
		memcpy(wide, input->samples, sizeof(float) * n);
		memset(state, 0, sizeof(state));
		biquad_channels(&q, wide, state, n / channels, channels);
		memcpy(tail->samples, input->samples, sizeof(float) * n);
		q.x1 = q.x2 = q.y1 = q.y2 = 0.0f;
		biquad_process(&q, tail->samples, n);
	}
	for (int k = 0; k < f->n_taps; k++)
		direct += (double)f->taps[k] * input->samples[1000 - k];
	expect(fabs(direct - smooth->samples[1000]) < 1e-5, "fir at one sample");
	q.x1 = q.x2 = q.y1 = q.y2 = 0.0f;
	for (int i = 0; i < n / channels; i++)
		work[i] = input->samples[i * channels + 3];
	biquad_process(&q, work, n / channels);
	for (int i = 0; i < n / channels; i++)
		error = fmax(error, fabs(work[i] - wide[i * channels + 3]));
	expect(error < 1e-4, "biquad on one of many");
	for (int i = 0; i < n; i++)
		mean += fabs(smooth->samples[i]);
	printf("%-28s %.4f\n", "level after lowpass", mean / n);
	printf("%-28s %.3f\n", "peak after biquad", peak(tail->samples, n));
	fir_free(f);
	buffer_free(smooth);
	buffer_free(tail);
	free(work);
	free(wide);
}

static void analysis(const struct buffer *input, int repeats)
{
	int n = 512, lags = 200, best = 40, strongest = 1;
	struct spectrum s = { need(sizeof(double) * n / 2), need(sizeof(double) * n / 2), n / 2 };
	double *cosine = need(sizeof(double) * n), *sine = need(sizeof(double) * n), *p = need(sizeof(double) * n / 2);
	double *r = need(sizeof(double) * lags), total = 0.0;
	float *energy = need(sizeof(float) * input->length), lowest = 1e9f, sum = 0.0f;
	int frames = 0;

	for (int i = 0; i < n; i++) {
		cosine[i] = cos(2 * PI * i / n);
		sine[i] = sin(2 * PI * i / n);
	}
	for (int k = 0; k < repeats; k++) {
		autocorrelation(r, lags, input);
		dft(&s, input->samples, n, cosine, sine);
		total = power(&s, p);
		frames = frame_energy(energy, input, 256, 64);
	}
	for (int i = 41; i < 200; i++)
		if (r[i] > r[best])
			best = i;
	for (int k = 2; k < s.bins; k++)
		if (p[k] > p[strongest])
			strongest = k;
	for (int i = 0; i < frames; i++) {
		lowest = energy[i] < lowest ? energy[i] : lowest;
		sum += energy[i];
	}
	printf("%-28s %d\n", "period", best);
	printf("%-28s %d\n", "strongest bin", strongest);
	printf("%-28s %.0f\n", "power", total / 10);
	printf("%-28s %.3f\n", "mean energy", sum / frames);
	expect(abs(strongest * input->rate / n - 440) < 2 * input->rate / n, "the tone is where it should be");
	expect(lowest > 0.0f, "no frame is silent");
	free(s.re);
	free(s.im);
	free(cosine);
	free(sine);
	free(p);
	free(r);
	free(energy);
}

static void codec(const struct buffer *input, int repeats)
{
	int n = 64, frames = input->length / n;
	float *basis = need(sizeof(float) * n * n), *coded = need(sizeof(float) * frames * n);
	float *decoded = need(sizeof(float) * frames * n);
	float *echo = need(sizeof(float) * 300), *wet = need(sizeof(float) * (8000 + 300)), error = 0.0f;

	for (int k = 0; k < n; k++)
		for (int i = 0; i < n; i++)
			basis[k * n + i] = (float)(sqrt((k ? 2.0 : 1.0) / n) * cos(PI * k * (i + 0.5) / n));
	for (int i = 0; i < 300; i++)
		echo[i] = expf(-0.02f * i) * (i % 3 == 0 ? 1.0f : -0.3f);
	for (int r = 0; r < repeats; r++) {
		dct_frames(coded, input->samples, basis, frames, n);
		idct_frames(decoded, coded, basis, frames, n);
		convolve(wet, input->samples, 8000, echo, 300);
	}
	for (int i = 0; i < frames * n; i++)
		error = fmaxf(error, fabsf(decoded[i] - input->samples[i]));
	expect(error < 1e-5f, "transform and back");
	printf("%-28s %.3f\n", "peak with echo", peak(wet, 8300));
	free(basis);
	free(coded);
	free(decoded);
	free(echo);
	free(wet);
}

static void mixing(const struct buffer *input, int repeats)
{
	struct buffer *second = buffer_new(input->length, input->rate), *third = buffer_new(input->length, input->rate);
	struct track tracks[3] = { { input, 0.8f, 0.5f }, { second, 0.6f, 0.1f }, { third, 0.6f, 0.9f } };
	struct buffer *stereo = buffer_new(2 * input->length, input->rate);
	int16_t *pcm = need(sizeof(int16_t) * 2 * input->length);
	float *half = need(sizeof(float) * input->length);
	long long sum = 0;
	int top = 0;

	synthesize(second, 660.0f);
	synthesize(third, 220.0f);
	for (int r = 0; r < repeats; r++) {
		mix(stereo->samples, input->length, tracks, 3);
		normalise(stereo, 0.9f);
		to_int16(pcm, stereo->samples, stereo->length);
		fade(pcm, stereo->length / 4);
		resample_half(half, stereo->samples, stereo->length);
	}
	for (int i = 0; i < stereo->length; i++) {
		sum += abs(pcm[i]);
		top = abs(pcm[i]) > top ? abs(pcm[i]) : top;
	}
	printf("%-28s %lld\n", "mean loudness", sum / stereo->length / 10);
	expect(top >= 29489 && top <= 29491, "peak level");
	expect(pcm[0] == 0, "faded in");
	buffer_free(second);
	buffer_free(third);
	buffer_free(stereo);
	free(pcm);
	free(half);
}

int main(int argc, char **argv)
{
	int repeats = argc > 1 ? atoi(argv[1]) : 50;
	struct buffer *input = buffer_new(96000, 48000);
	double start;

	if (repeats < 1)
		repeats = 1;
	synthesize(input, 440.0f);
	start = now();
	filters(input, repeats);
	fprintf(stderr, "filters %.3f s\n", now() - start);
	start = now();
	analysis(input, repeats);
	fprintf(stderr, "analysis %.3f s\n", now() - start);
	start = now();
	codec(input, repeats);
	fprintf(stderr, "codec %.3f s\n", now() - start);
	start = now();
	mixing(input, repeats);
	fprintf(stderr, "mixing %.3f s\n", now() - start);
	buffer_free(input);
	return failures ? 1 : 0;
}
