/* The layers of a small transformer in plain C, forward and partly backward, each checked and timed by itself.
 *
 * usage: transformer [repeats]
 * Results go to stdout, times to stderr. The exit status is 1 when a check fails. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
	int batch;    /* sequences */
	int seq_len;  /* tokens of a sequence */
	int channels; /* width of a token's vector */
	int hidden;   /* width of the feed-forward layer */
	int heads;
	int vocab;
} Config;

/* A matrix of weights with its gradient and the two moments of Adam. */
typedef struct {
	int rows, cols;
	float *w, *grad, *m, *v;
} Param;

typedef struct {
	Param ln_gain, ln_bias;
	Param qkv, qkv_bias;
	Param up, up_bias;
	Param head;
} Model;

typedef struct {
	float *x;        /* (B, T, C) input of the block */
	float *normed;   /* (B, T, C) */
	float *mean;     /* (B, T) */
	float *rstd;     /* (B, T) */
	float *qkv;      /* (B, T, 3C) */
	float *scores;   /* (B, H, T, T) */
	float *attended; /* (B, T, C) */
	float *up;       /* (B, T, hidden) */
	float *act;      /* (B, T, hidden) */
	float *logits;   /* (B, T, V) */
	float *probs;    /* (B, T, V) */
	float *token;    /* (V) logits of one token */
} Acts;

typedef struct {
	float *x, *normed, *up;
} Grads;

static unsigned int rng_state = 1;
static int failures;

static float random_float(void)
{
	rng_state = rng_state * 1664525u + 1013904223u;
	return (float)(rng_state >> 8) / 8388608.0f - 1.0f;
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + 1e-9 * ts.tv_nsec;
}

static float *floats(size_t n)
{
	float *p = calloc(n, sizeof(float));

	if (!p) {
		fprintf(stderr, "out of memory\n");
		exit(2);
	}
	return p;
}

/* Random numbers around "middle". */
static float *random_floats(size_t n, float middle, float scale)
{
	float *p = floats(n);

	for (size_t i = 0; i < n; i++)
		p[i] = middle + scale * random_float();
	return p;
}

static Param param_new(int rows, int cols, float middle, float scale)
{
	size_t n = (size_t)rows * cols;
	Param p = { rows, cols, random_floats(n, middle, scale), floats(n), floats(n), floats(n) };

	return p;
}

static void param_free(Param *p)
{
	free(p->w);
	free(p->grad);
	free(p->m);
	free(p->v);
}

/* ---- layers ---- */

static void layernorm_forward(float *out, float *mean, float *rstd, const float *inp, const float *gain,
			      const float *bias, int B, int T, int C)
{
	const float eps = 1e-5f;

	for (int b = 0; b < B; b++) {
		for (int t = 0; t < T; t++) {
			const float *x = inp + b * T * C + t * C;
			float *o = out + b * T * C + t * C;
			float m = 0.0f;
			float v = 0.0f;

			for (int i = 0; i < C; i++)
				m += x[i];
			m /= C;
			for (int i = 0; i < C; i++) {
				float d = x[i] - m;
				v += d * d;
			}
			v /= C;
			float s = 1.0f / sqrtf(v + eps);
			for (int i = 0; i < C; i++)
				o[i] = (x[i] - m) * s * gain[i] + bias[i];
			mean[b * T + t] = m;
			rstd[b * T + t] = s;
		}
	}
}

static void layernorm_backward(float *dinp, float *dgain, float *dbias, const float *dout, const float *inp,
			       const float *gain, const float *mean, const float *rstd, int rows, int C)
{
	for (int r = 0; r < rows; r++) {
		const float *dy = dout + r * C;
		const float *x = inp + r * C;
		float *dx = dinp + r * C;
		float mu = mean[r], s = rstd[r];
		float sum = 0.0f, dot = 0.0f;

		for (int i = 0; i < C; i++) {
			float n = (x[i] - mu) * s;
			float dn = gain[i] * dy[i];
			sum += dn;
			dot += dn * n;
		}
		sum = sum / C;
		dot = dot / C;
		for (int i = 0; i < C; i++) {
			float n = (x[i] - mu) * s;
			float dn = gain[i] * dy[i];
			dbias[i] += dy[i];
			dgain[i] += n * dy[i];
			dx[i] += (dn - sum - n * dot) * s;
		}
	}
}

/* out = inp * weight^T + bias, for each of the rows of inp; weight is (OC, C). */
static void matmul_forward(float *out, const float *inp, const float *weight, const float *bias, int rows, int C, int OC)
{
	for (int r = 0; r < rows; r++) {
		float *y = out + r * OC;
		const float *x = inp + r * C;

		for (int o = 0; o < OC; o++) {
			const float *wrow = weight + o * C;
			float val = bias[o];

			for (int i = 0; i < C; i++)
				val += x[i] * wrow[i];
			y[o] = val;
		}
	}
}

static void matmul_backward_input(float *dinp, const float *dout, const float *weight, int rows, int C, int OC)
{
	for (int r = 0; r < rows; r++) {
		const float *dy = dout + r * OC;
		float *dx = dinp + r * C;

		for (int o = 0; o < OC; o++) {
			const float *wrow = weight + o * C;
			float d = dy[o];

			for (int i = 0; i < C; i++)
				dx[i] += wrow[i] * d;
		}
	}
}

static void matmul_backward_weight(float *dweight, float *dbias, const float *dout, const float *inp, int rows, int C,
				   int OC)
{
	for (int o = 0; o < OC; o++) {
		float *dwrow = dweight + o * C;

		for (int r = 0; r < rows; r++) {
			const float *x = inp + r * C;
			float d = dout[r * OC + o];

			dbias[o] += d;
			for (int i = 0; i < C; i++)
				dwrow[i] += x[i] * d;
		}
	}
}

/* Causal self-attention; qkv holds query, key and value of each token one after the other. */
static void attention_forward(float *out, float *scores, const float *qkv, const Config *cfg)
{
	int T = cfg->seq_len, C = cfg->channels, H = cfg->heads;
	int hs = C / H;
	float scale = 1.0f / sqrtf((float)hs);

	for (int b = 0; b < cfg->batch; b++) {
		for (int h = 0; h < H; h++) {
			for (int t = 0; t < T; t++) {
				const float *q = qkv + (b * T + t) * 3 * C + h * hs;
				float *att = scores + ((b * H + h) * T + t) * T;
				float *o = out + (b * T + t) * C + h * hs;
				float maxval = -1e30f;
				float sum = 0.0f;

				for (int s = 0; s <= t; s++) {
					const float *k = qkv + (b * T + s) * 3 * C + C + h * hs;
					float dot = 0.0f;

					for (int i = 0; i < hs; i++)
						dot += q[i] * k[i];
					dot *= scale;
					if (dot > maxval)
						maxval = dot;
					att[s] = dot;
				}
				for (int s = 0; s <= t; s++) {
					att[s] = expf(att[s] - maxval);
					sum += att[s];
				}
				for (int s = 0; s <= t; s++)
					att[s] /= sum;
				for (int i = 0; i < hs; i++)
					o[i] = 0.0f;
				for (int s = 0; s <= t; s++) {
					const float *v = qkv + (b * T + s) * 3 * C + 2 * C + h * hs;

					for (int i = 0; i < hs; i++)
						o[i] += att[s] * v[i];
				}
			}
		}
	}
}

#define GELU_SCALE 0.7978845608f

static void gelu_forward(float *out, const float *inp, int n)
{
	for (int i = 0; i < n; i++) {
		float x = inp[i];
		float cube = 0.044715f * x * x * x;

		out[i] = 0.5f * x * (1.0f + tanhf(GELU_SCALE * (x + cube)));
	}
}

static void softmax_rows(float *probs, const float *logits, int rows, int V)
{
	for (int r = 0; r < rows; r++) {
		const float *l = &logits[r * V];
		float *p = &probs[r * V];
		float top = l[0];
		float total = 0.0f;

		for (int i = 1; i < V; i++)
			top = l[i] > top ? l[i] : top;
		for (int i = 0; i < V; i++) {
			p[i] = expf(l[i] - top);
			total += p[i];
		}
		for (int i = 0; i < V; i++)
			p[i] *= 1.0f / total;
	}
}

/* y (d) = w (d, n) * x (n), as generation does for each token */
static void matvec(float *y, const float *x, const float *w, int n, int d)
{
	for (int i = 0; i < d; i++) {
		float val = 0.0f;

		for (int j = 0; j < n; j++)
			val += w[i * n + j] * x[j];
		y[i] = val;
	}
}

static void adamw_update(Param *p, float lr, float beta1, float beta2, float decay, int step)
{
	float correct1 = 1.0f - powf(beta1, (float)step);
	float correct2 = 1.0f - powf(beta2, (float)step);
	int n = p->rows * p->cols;

	for (int i = 0; i < n; i++) {
		float g = p->grad[i];
		float m = beta1 * p->m[i] + (1.0f - beta1) * g;
		float v = beta2 * p->v[i] + (1.0f - beta2) * g * g;

		p->m[i] = m;
		p->v[i] = v;
		p->w[i] -= lr * ((m / correct1) / (sqrtf(v / correct2) + 1e-8f) + decay * p->w[i]);
		p->grad[i] = 0.0f;
	}
}

/* ---- the layers at work ---- */

enum { TOKENS = 500 };

static Config cfg = { .batch = 4, .seq_len = 64, .channels = 96, .hidden = 256, .heads = 4, .vocab = 256 };
static Model model;
static Acts acts;
static Grads grads;

static void run_layernorm(int step)
{
	int rows = cfg.batch * cfg.seq_len;

	(void)step;
	layernorm_forward(acts.normed, acts.mean, acts.rstd, acts.x, model.ln_gain.w, model.ln_bias.w, cfg.batch,
			  cfg.seq_len, cfg.channels);
	layernorm_backward(grads.x, model.ln_gain.grad, model.ln_bias.grad, grads.normed, acts.x, model.ln_gain.w,
			   acts.mean, acts.rstd, rows, cfg.channels);
}

static void run_attention(int step)
{
	(void)step;
	attention_forward(acts.attended, acts.scores, acts.qkv, &cfg);
}

static void run_linear(int step)
{
	int rows = cfg.batch * cfg.seq_len, C = cfg.channels;

	(void)step;
	matmul_forward(acts.qkv, acts.normed, model.qkv.w, model.qkv_bias.w, rows, C, 3 * C);
	matmul_forward(acts.up, acts.normed, model.up.w, model.up_bias.w, rows, C, cfg.hidden);
}

static void run_linear_backward(int step)
{
	int rows = cfg.batch * cfg.seq_len, C = cfg.channels;

	(void)step;
	memset(grads.normed, 0, sizeof(float) * rows * C);
	matmul_backward_input(grads.normed, grads.up, model.up.w, rows, C, cfg.hidden);
	matmul_backward_weight(model.up.grad, model.up_bias.grad, grads.up, acts.normed, rows, C, cfg.hidden);
}

static void run_gelu(int step)
{
	(void)step;
	gelu_forward(acts.act, acts.up, cfg.batch * cfg.seq_len * cfg.hidden);
}

static void run_softmax(int step)
{
	(void)step;
	softmax_rows(acts.probs, acts.logits, cfg.batch * cfg.seq_len, cfg.vocab);
}

static void run_token(int step)
{
	matvec(acts.token, acts.normed + step % cfg.seq_len * cfg.channels, model.head.w, cfg.channels, cfg.vocab);
}

static void run_update(int step)
{
	adamw_update(&model.up, 1e-3f, 0.9f, 0.999f, 0.01f, step + 1);
}

static const struct {
	const char *name;
	void (*run)(int step);
	int times; /* for each of the program's repeats */
} layers[] = {
	{ "layernorm", run_layernorm, 60 }, { "linear", run_linear, 4 }, { "attention", run_attention, 12 },
	{ "linear backward", run_linear_backward, 12 }, { "gelu", run_gelu, 4 }, { "softmax", run_softmax, 12 },
	{ "token", run_token, TOKENS }, { "update", run_update, 60 },
};

static void prepare(void)
{
	int rows = cfg.batch * cfg.seq_len, C = cfg.channels;

	model = (Model){
		param_new(1, C, 1.0f, 0.1f), param_new(1, C, 0.0f, 0.1f), param_new(3 * C, C, 0.0f, 0.1f),
		param_new(1, 3 * C, 0.0f, 0.1f), param_new(cfg.hidden, C, 0.0f, 0.1f),
		param_new(1, cfg.hidden, 0.0f, 0.1f), param_new(cfg.vocab, C, 0.0f, 0.1f),
	};
	acts = (Acts){
		random_floats((size_t)rows * C, 0.0f, 1.0f), floats((size_t)rows * C), floats(rows), floats(rows),
		floats((size_t)rows * 3 * C), floats((size_t)cfg.batch * cfg.heads * cfg.seq_len * cfg.seq_len),
		floats((size_t)rows * C), floats((size_t)rows * cfg.hidden), floats((size_t)rows * cfg.hidden),
		random_floats((size_t)rows * cfg.vocab, 0.0f, 4.0f), floats((size_t)rows * cfg.vocab),
		floats(cfg.vocab),
	};
	grads = (Grads){ floats((size_t)rows * C), random_floats((size_t)rows * C, 0.0f, 1.0f),
			 random_floats((size_t)rows * cfg.hidden, 0.0f, 1.0f) };
}

static void clean_up(void)
{
	float *all[] = { acts.x, acts.normed, acts.mean, acts.rstd, acts.qkv, acts.scores, acts.attended, acts.up,
			 acts.act, acts.logits, acts.probs, acts.token, grads.x, grads.normed, grads.up };
	Param *params[] = { &model.ln_gain, &model.ln_bias, &model.qkv, &model.qkv_bias,
			    &model.up, &model.up_bias, &model.head };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		free(all[i]);
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		param_free(params[i]);
}

/* The sum of x[i] * y[i * stride]. */
static double dot(const float *x, const float *y, int stride, int n)
{
	double sum = 0.0;

	for (int i = 0; i < n; i++)
		sum += (double)x[i] * y[i * stride];
	return sum;
}

static void expect(double got, double wanted, const char *what)
{
	int good = fabs(got - wanted) <= 1e-4 * (1.0 + fabs(wanted));

	printf("%-28s %s\n", what, good ? "ok" : "FAILED");
	failures += !good;
}

/* "last_step" is the step that the last token was made in. */
static void check(int last_step)
{
	static const float one[1] = { 1.0f };
	int rows = cfg.batch * cfg.seq_len, C = cfg.channels, T = cfg.seq_len;
	const float *normed = acts.normed + 100 * C, *last = acts.normed + last_step % T * C;

	printf("%-28s %.3f\n", "norm after layernorm", sqrt(dot(acts.normed, acts.normed, 1, rows * C)));
	printf("%-28s %.3f\n", "norm after attention", sqrt(dot(acts.attended, acts.attended, 1, rows * C)));
	printf("%-28s %.3f\n", "norm after gelu", sqrt(dot(acts.act, acts.act, 1, rows * cfg.hidden)));
	printf("%-28s %.4f\n", "norm of probabilities", sqrt(dot(acts.probs, acts.probs, 1, rows * cfg.vocab)));
	printf("%-28s %.2f\n", "norm of input's gradient", sqrt(dot(grads.normed, grads.normed, 1, rows * C)));
	printf("%-28s %.3f\n", "norm of trained weights", sqrt(dot(model.up.w, model.up.w, 1, cfg.hidden * C)));
	expect(dot(acts.scores + 7 * T, one, 0, 8), 1.0, "attention sums to one");
	expect(dot(acts.probs + 5 * cfg.vocab, one, 0, cfg.vocab), 1.0, "softmax sums to one");
	expect(acts.qkv[100 * 3 * C + 7], dot(normed, model.qkv.w + 7 * C, 1, C) + model.qkv_bias.w[7], "matmul forward");
	expect(acts.token[9], dot(last, model.head.w + 9 * C, 1, C), "token");
}

int main(int argc, char **argv)
{
	int repeats = argc > 1 ? atoi(argv[1]) : 6;

	if (repeats < 1)
		repeats = 1;
	prepare();
	for (size_t k = 0; k < sizeof(layers) / sizeof(layers[0]); k++) {
		double start = seconds();

		for (int step = 0; step < repeats * layers[k].times; step++)
			layers[k].run(step);
		fprintf(stderr, "%-16s %.3f s\n", layers[k].name, seconds() - start);
	}
	check(repeats * TOKENS - 1);
	clean_up();
	return failures ? 1 : 0;
}
