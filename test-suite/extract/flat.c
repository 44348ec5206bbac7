/* Subscripts that flatten several dimensions, and row pointers. */
void gemm_nt(int M, int N, int K, float ALPHA, float *A, int lda, float *B, int ldb, float *C, int ldc)
{
	int i, j, k;

	for (i = 0; i < M; ++i) {
		for (j = 0; j < N; ++j) {
			register float sum = 0;

			for (k = 0; k < K; ++k)
				sum += ALPHA * A[i * lda + k] * B[j * ldb + k];
			C[i * ldc + j] += sum;
		}
	}
}

void bias_rows(float *out, const float *inp, const float *bias, int B, int T, int C)
{
	for (int b = 0; b < B; b++) {
		for (int t = 0; t < T; t++) {
			float *o = out + b * T * C + t * C;
			const float *x = &inp[(b * T + t) * C];

			for (int i = 0; i < C; i++)
				o[i] = x[i] + bias[i];
		}
	}
}

void blocks(float *out, const float *in, int n, int c)
{
	int c3 = c * 3;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < c; j++)
			out[i * c + j] = in[i * c3 + j] + in[i * c3 + j + c] + in[i * c3 + j + 2 * c];
}

void stencil(float *out, const float *in, int h, int w)
{
	for (int y = 1; y < h - 1; y++)
		for (int x = 1; x < w - 1; x++)
			out[y * w + x] = in[(y - 1) * w + x] + in[y * w + x - 1] + in[y * w + x + 1] + in[(y + 1) * w + x];
}

void convolution(float *out, const float *in, const float *k, int oh, int ow, int w, int s, int stride)
{
	for (int y = 0; y < oh; y++) {
		for (int x = 0; x < ow; x++) {
			float sum = 0;

			for (int dy = 0; dy < s; dy++)
				for (int dx = 0; dx < s; dx++)
					sum += in[(y * stride + dy) * w + x * stride + dx] * k[dy * s + dx];
			out[y * ow + x] = sum;
		}
	}
}
