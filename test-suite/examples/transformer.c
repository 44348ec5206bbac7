/* A small transformer in plain C: one block of a decoder run over a batch, its feed-forward part trained for a few steps,
 * and a generation loop with a key/value cache.
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
	Param qkv, attn_out;
	Param ffn_up, ffn_up_bias, ffn_down;
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
	float *projected;
	float *residual;
	float *up;       /* (B, T, hidden) */
	float *act;      /* (B, T, hidden) */
	float *down;     /* (B, T, C) */
	float *out;      /* (B, T, C) */
	float *logits;   /* (B, T, V) */
	float *probs;
	float *losses;   /* (B, T) */
} Acts;

typedef struct {
	float *logits, *out, *act, *up, *residual, *normed;
} Grads;

static unsigned int rng_state = 1;

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

static Param param_new(int rows, int cols, float scale)
{
	Param p = { rows, cols, floats((size_t)rows * cols), floats((size_t)rows * cols),
		    floats((size_t)rows * cols), floats((size_t)rows * cols) };

	for (int i = 0; i < rows * cols; i++)
		p.w[i] = scale * random_float();
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
			float val = bias != NULL ? bias[o] : 0.0f;

			for (int i = 0; i < C; i++)
				val += x[i] * wrow[i];
			y[o] = val;
		}
	}
}

static void matmul_backward(float *dinp, float *dweight, const float *dout, const float *inp, const float *weight,
			    int rows, int C, int OC)
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
	for (int o = 0; o < OC; o++) {
		float *dwrow = dweight + o * C;

		for (int r = 0; r < rows; r++) {
			const float *x = inp + r * C;
			float d = dout[r * OC + o];

			for (int i = 0; i < C; i++)
				dwrow[i] += x[i] * d;
		}
	}
}

static void bias_backward(float *dbias, const float *dout, int rows, int OC)
{
	for (int r = 0; r < rows; r++)
		for (int o = 0; o < OC; o++)
			dbias[o] += dout[r * OC + o];
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

static void residual_forward(float *out, const float *a, const float *b, int n)
{
	for (int i = 0; i < n; i++)
		out[i] = a[i] + b[i];
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

static void gelu_backward(float *dinp, const float *inp, const float *dout, int n)
{
	for (int i = 0; i < n; i++) {
		float x = inp[i];
		float t = tanhf(GELU_SCALE * (x + 0.044715f * x * x * x));
		float slope = GELU_SCALE * (1.0f + 3.0f * 0.044715f * x * x);

		dinp[i] += (0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * slope) * dout[i];
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

static float crossentropy_forward(float *losses, const float *probs, const int *targets, int rows, int V)
{
	float mean = 0.0f;

	for (int r = 0; r < rows; r++) {
		losses[r] = -logf(probs[r * V + targets[r]]);
		mean += losses[r];
	}
	return mean / rows;
}

static void crossentropy_backward(float *dlogits, const float *probs, const int *targets, int rows, int V)
{
	float scale = 1.0f / rows;

	for (int r = 0; r < rows; r++)
		for (int i = 0; i < V; i++) {
			float hit = i == targets[r] ? 1.0f : 0.0f;

			dlogits[r * V + i] = (probs[r * V + i] - hit) * scale;
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

/* ---- training ---- */

static float forward(const Config *cfg, Model *model, Acts *a, const int *targets)
{
	int rows = cfg->batch * cfg->seq_len, C = cfg->channels;

	layernorm_forward(a->normed, a->mean, a->rstd, a->residual, model->ln_gain.w, model->ln_bias.w, cfg->batch,
			  cfg->seq_len, C);
	matmul_forward(a->up, a->normed, model->ffn_up.w, model->ffn_up_bias.w, rows, C, cfg->hidden);
	gelu_forward(a->act, a->up, rows * cfg->hidden);
	matmul_forward(a->down, a->act, model->ffn_down.w, NULL, rows, cfg->hidden, C);
	residual_forward(a->out, a->residual, a->down, rows * C);
	matmul_forward(a->logits, a->out, model->head.w, NULL, rows, C, cfg->vocab);
	softmax_rows(a->probs, a->logits, rows, cfg->vocab);
	return crossentropy_forward(a->losses, a->probs, targets, rows, cfg->vocab);
}

static void backward(const Config *cfg, Model *model, Acts *a, Grads *g, const int *targets)
{
	int rows = cfg->batch * cfg->seq_len, C = cfg->channels;

	memset(g->out, 0, sizeof(float) * rows * C);
	memset(g->normed, 0, sizeof(float) * rows * C);
	memset(g->act, 0, sizeof(float) * rows * cfg->hidden);
	memset(g->up, 0, sizeof(float) * rows * cfg->hidden);
	crossentropy_backward(g->logits, a->probs, targets, rows, cfg->vocab);
	matmul_backward(g->out, model->head.grad, g->logits, a->out, model->head.w, rows, C, cfg->vocab);
	memcpy(g->residual, g->out, sizeof(float) * rows * C);
	matmul_backward(g->act, model->ffn_down.grad, g->out, a->act, model->ffn_down.w, rows, cfg->hidden, C);
	gelu_backward(g->up, a->up, g->act, rows * cfg->hidden);
	matmul_backward(g->normed, model->ffn_up.grad, g->up, a->normed, model->ffn_up.w, rows, C, cfg->hidden);
	bias_backward(model->ffn_up_bias.grad, g->up, rows, cfg->hidden);
	layernorm_backward(g->residual, model->ln_gain.grad, model->ln_bias.grad, g->normed, a->residual,
			   model->ln_gain.w, a->mean, a->rstd, rows, C);
}

static void update(Model *model, int step)
{
	Param *params[] = { &model->ln_gain, &model->ln_bias, &model->ffn_up, &model->ffn_up_bias,
			    &model->ffn_down, &model->head };

	for (int i = 0; i < 6; i++)
		adamw_update(params[i], 1e-3f, 0.9f, 0.999f, 0.01f, step);
}

/* Compare a few entries of a gradient with differences of the loss. */
static double gradient_error(const Config *cfg, Model *model, Acts *a, Param *p, const int *targets)
{
	double worst = 0.0;

	for (int k = 0; k < 4; k++) {
		int at = (int)((k * 7919L + 13) % ((long)p->rows * p->cols));
		float keep = p->w[at], h = 0.02f;
		double above, below, slope;

		p->w[at] = keep + h;
		above = forward(cfg, model, a, targets);
		p->w[at] = keep - h;
		below = forward(cfg, model, a, targets);
		p->w[at] = keep;
		slope = (above - below) / (2.0 * h);
		if (fabs(slope - p->grad[at]) > worst)
			worst = fabs(slope - p->grad[at]);
	}
	return worst;
}

/* ---- generation: one token at a time ---- */

typedef struct {
	int dim, hidden_dim, n_heads, max_len;
	float *x, *mix, *merged;      /* (dim) */
	float *q, *k, *v;         /* (dim) */
	float *gate, *lift;          /* (hidden_dim) */
	float *att;               /* (n_heads, max_len) */
	float *keys;         /* (max_len, dim) */
	float *values;       /* (max_len, dim) */
	float *wq, *wk, *wv, *wo; /* (dim, dim) */
	float *w1, *w3;           /* (hidden_dim, dim) */
	float *w2;                /* (dim, hidden_dim) */
	float *rms;               /* (dim) */
} Decoder;

static void rmsnorm(float *o, const float *x, const float *weight, int size)
{
	float ss = 0.0f;

	for (int j = 0; j < size; j++)
		ss += x[j] * x[j];
	ss = 1.0f / sqrtf(ss / size + 1e-5f);
	for (int j = 0; j < size; j++)
		o[j] = weight[j] * (ss * x[j]);
}

static void softmax(float *x, int size)
{
	float max_val = x[0];
	float sum = 0.0f;

	for (int i = 1; i < size; i++)
		if (x[i] > max_val)
			max_val = x[i];
	for (int i = 0; i < size; i++) {
		x[i] = expf(x[i] - max_val);
		sum += x[i];
	}
	for (int i = 0; i < size; i++)
		x[i] /= sum;
}

/* y (d) = w (d, n) * x (n) */
static void matvec(float *y, const float *x, const float *w, int n, int d)
{
	for (int i = 0; i < d; i++) {
		float val = 0.0f;

		for (int j = 0; j < n; j++)
			val += w[i * n + j] * x[j];
		y[i] = val;
	}
}

static void rotate(float *vec, int dim, int head_size, int pos)
{
	for (int i = 0; i < dim; i += 2) {
		float freq = 1.0f / powf(10000.0f, (float)(i % head_size) / (float)head_size);
		float c = cosf(pos * freq), s = sinf(pos * freq);
		float v0 = vec[i], v1 = vec[i + 1];

		vec[i] = v0 * c - v1 * s;
		vec[i + 1] = v0 * s + v1 * c;
	}
}

static void decode(Decoder *d, int pos)
{
	int dim = d->dim, head_size = d->dim / d->n_heads;

	rmsnorm(d->mix, d->x, d->rms, dim);
	matvec(d->q, d->mix, d->wq, dim, dim);
	matvec(d->k, d->mix, d->wk, dim, dim);
	matvec(d->v, d->mix, d->wv, dim, dim);
	rotate(d->q, dim, head_size, pos);
	rotate(d->k, dim, head_size, pos);
	for (int i = 0; i < dim; i++) {
		d->keys[pos * dim + i] = d->k[i];
		d->values[pos * dim + i] = d->v[i];
	}
	for (int h = 0; h < d->n_heads; h++) {
		float *q = d->q + h * head_size;
		float *att = d->att + h * d->max_len;
		float *mix = d->mix + h * head_size;

		for (int t = 0; t <= pos; t++) {
			float *k = d->keys + t * dim + h * head_size;
			float score = 0.0f;

			for (int i = 0; i < head_size; i++)
				score += q[i] * k[i];
			att[t] = score / sqrtf((float)head_size);
		}
		softmax(att, pos + 1);
		memset(mix, 0, head_size * sizeof(float));
		for (int t = 0; t <= pos; t++) {
			float *v = d->values + t * dim + h * head_size;
			float a = att[t];

			for (int i = 0; i < head_size; i++)
				mix[i] += a * v[i];
		}
	}
	matvec(d->merged, d->mix, d->wo, dim, dim);
	for (int i = 0; i < dim; i++)
		d->x[i] += d->merged[i];
	rmsnorm(d->mix, d->x, d->rms, dim);
	matvec(d->gate, d->mix, d->w1, dim, d->hidden_dim);
	matvec(d->lift, d->mix, d->w3, dim, d->hidden_dim);
	for (int i = 0; i < d->hidden_dim; i++) {
		float val = d->gate[i];

		val *= 1.0f / (1.0f + expf(-val));
		d->gate[i] = val * d->lift[i];
	}
	matvec(d->mix, d->gate, d->w2, d->hidden_dim, dim);
	for (int i = 0; i < dim; i++)
		d->x[i] += d->mix[i];
}

static float *random_floats(size_t n, float scale)
{
	float *p = floats(n);

	for (size_t i = 0; i < n; i++)
		p[i] = scale * random_float();
	return p;
}

static Decoder decoder_new(int dim, int hidden_dim, int n_heads, int max_len)
{
	float scale = 1.0f / sqrtf((float)dim);
	Decoder d = { .dim = dim, .hidden_dim = hidden_dim, .n_heads = n_heads, .max_len = max_len };

	d.x = random_floats(dim, 1.0f);
	d.mix = floats(dim);
	d.merged = floats(dim);
	d.q = floats(dim);
	d.k = floats(dim);
	d.v = floats(dim);
	d.gate = floats(hidden_dim);
	d.lift = floats(hidden_dim);
	d.att = floats((size_t)n_heads * max_len);
	d.keys = floats((size_t)max_len * dim);
	d.values = floats((size_t)max_len * dim);
	d.wq = random_floats((size_t)dim * dim, scale);
	d.wk = random_floats((size_t)dim * dim, scale);
	d.wv = random_floats((size_t)dim * dim, scale);
	d.wo = random_floats((size_t)dim * dim, scale);
	d.w1 = random_floats((size_t)hidden_dim * dim, scale);
	d.w2 = random_floats((size_t)hidden_dim * dim, scale);
	d.w3 = random_floats((size_t)hidden_dim * dim, scale);
	d.rms = floats(dim);
	for (int i = 0; i < dim; i++)
		d.rms[i] = 1.0f;
	return d;
}

static void decoder_free(Decoder *d)
{
	float *all[] = { d->x, d->mix, d->merged, d->q, d->k, d->v, d->gate, d->lift, d->att, d->keys, d->values,
			 d->wq, d->wk, d->wv, d->wo, d->w1, d->w2, d->w3, d->rms };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		free(all[i]);
}

/* ---- main ---- */

static int failures;

static void expect(int good, const char *what)
{
	printf("%-28s %s\n", what, good ? "ok" : "FAILED");
	if (!good)
		failures++;
}

static double norm(const float *x, int n)
{
	double sum = 0.0;

	for (int i = 0; i < n; i++)
		sum += (double)x[i] * x[i];
	return sqrt(sum);
}

static void train(int repeats)
{
	Config cfg = { .batch = 4, .seq_len = 64, .channels = 96, .hidden = 384, .heads = 4, .vocab = 256 };
	int rows = cfg.batch * cfg.seq_len, C = cfg.channels;
	Model model = {
		param_new(1, C, 0.0f), param_new(1, C, 0.0f), param_new(3 * C, C, 0.1f), param_new(C, C, 0.1f),
		param_new(cfg.hidden, C, 0.1f), param_new(1, cfg.hidden, 0.0f), param_new(C, cfg.hidden, 0.05f),
		param_new(cfg.vocab, C, 0.1f),
	};
	Param *params[] = { &model.ln_gain, &model.ln_bias, &model.qkv, &model.attn_out,
			    &model.ffn_up, &model.ffn_up_bias, &model.ffn_down, &model.head };
	Acts a = {
		random_floats((size_t)rows * C, 1.0f), floats((size_t)rows * C), floats(rows), floats(rows),
		floats((size_t)rows * 3 * C), floats((size_t)cfg.batch * cfg.heads * cfg.seq_len * cfg.seq_len),
		floats((size_t)rows * C), floats((size_t)rows * C), floats((size_t)rows * C),
		floats((size_t)rows * cfg.hidden), floats((size_t)rows * cfg.hidden), floats((size_t)rows * C),
		floats((size_t)rows * C), floats((size_t)rows * cfg.vocab), floats((size_t)rows * cfg.vocab), floats(rows),
	};
	Grads g = { floats((size_t)rows * cfg.vocab), floats((size_t)rows * C), floats((size_t)rows * cfg.hidden),
		    floats((size_t)rows * cfg.hidden), floats((size_t)rows * C), floats((size_t)rows * C) };
	int *targets = malloc(sizeof(int) * rows);
	float first = 0.0f, loss = 0.0f, worst = 0.0f;

	for (int i = 0; i < C; i++)
		model.ln_gain.w[i] = 1.0f;
	for (int r = 0; r < rows; r++)
		targets[r] = (r * 37 + 11) % cfg.vocab;
	for (int n = 0; n < repeats; n++) {
		layernorm_forward(a.normed, a.mean, a.rstd, a.x, model.ln_gain.w, model.ln_bias.w, cfg.batch,
				  cfg.seq_len, C);
		matmul_forward(a.qkv, a.normed, model.qkv.w, NULL, rows, C, 3 * C);
		attention_forward(a.attended, a.scores, a.qkv, &cfg);
		matmul_forward(a.projected, a.attended, model.attn_out.w, NULL, rows, C, C);
		residual_forward(a.residual, a.x, a.projected, rows * C);
	}
	for (int t = 0; t < cfg.seq_len; t++) {
		float sum = 0.0f;

		for (int s = 0; s <= t; s++)
			sum += a.scores[t * cfg.seq_len + s];
		if (fabsf(sum - 1.0f) > worst)
			worst = fabsf(sum - 1.0f);
	}
	expect(worst < 1e-5f, "attention sums to one");
	printf("%-28s %.3f\n", "norm after attention", norm(a.residual, rows * C));

	first = forward(&cfg, &model, &a, targets);
	backward(&cfg, &model, &a, &g, targets);
	expect(gradient_error(&cfg, &model, &a, &model.ffn_up, targets) < 2e-4, "gradient of ffn_up");
	expect(gradient_error(&cfg, &model, &a, &model.ln_gain, targets) < 2e-4, "gradient of ln_gain");
	expect(gradient_error(&cfg, &model, &a, &model.head, targets) < 2e-4, "gradient of head");
	for (int i = 0; i < 8; i++)
		memset(params[i]->grad, 0, sizeof(float) * params[i]->rows * params[i]->cols);
	for (int step = 1; step <= 5 * repeats; step++) {
		loss = forward(&cfg, &model, &a, targets);
		backward(&cfg, &model, &a, &g, targets);
		update(&model, step);
	}
	printf("%-28s %.3f\n", "loss before", first);
	printf("%-28s %.2f\n", "loss after", loss);
	expect(loss < first, "loss went down");

	for (int i = 0; i < 8; i++)
		param_free(params[i]);
	float *all[] = { a.x, a.normed, a.mean, a.rstd, a.qkv, a.scores, a.attended, a.projected, a.residual, a.up,
			 a.act, a.down, a.out, a.logits, a.probs, a.losses, g.logits, g.out, g.act, g.up, g.residual,
			 g.normed };
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		free(all[i]);
	free(targets);
}

static void generate(int repeats)
{
	Decoder d = decoder_new(192, 512, 6, 96);
	float *start = floats(d.dim);

	memcpy(start, d.x, sizeof(float) * d.dim);
	for (int n = 0; n < repeats; n++) {
		memcpy(d.x, start, sizeof(float) * d.dim);
		for (int pos = 0; pos < d.max_len; pos++) {
			decode(&d, pos);
			rmsnorm(d.x, d.x, d.rms, d.dim);
		}
	}
	printf("%-28s %.4f\n", "norm of the last token", norm(d.x, d.dim));
	printf("%-28s %.1f\n", "norm of the cache", norm(d.keys, d.max_len * d.dim));
	expect(isfinite(norm(d.x, d.dim)) && fabs(norm(d.x, d.dim) - sqrt(d.dim)) < 0.1, "last token is normalised");
	free(start);
	decoder_free(&d);
}

int main(int argc, char **argv)
{
	int repeats = argc > 1 ? atoi(argv[1]) : 4;
	double start = seconds(), middle;

	if (repeats < 1)
		repeats = 1;
	train(repeats);
	middle = seconds();
	generate(repeats);
	fprintf(stderr, "training %.3f s, generation %.3f s\n", middle - start, seconds() - middle);
	return failures ? 1 : 0;
}
