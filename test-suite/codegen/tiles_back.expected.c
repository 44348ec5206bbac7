typedef float f32x16 __attribute__((vector_size(64), aligned(4), may_alias));

/* The loops over o, x, c and k of tiles_back(), for arrays that do not overlap. */
static __attribute__((noinline)) void tiles_back_strop0(float *restrict out, const float *restrict in,
		const float *restrict w, const float *restrict bias, int O, int C, int X)
{
	for (long o_1 = 0; o_1 < O; o_1 += 4) {
		const long o_1_first = o_1 < O - 4 ? o_1 : O - 4;
		for (long x_1 = 0; x_1 < X; x_1 += 32) {
			const long x_1_first = x_1 < X - 32 ? x_1 : X - 32;
			float sum_part[4][32];
			#pragma GCC unroll 4
			for (long o = o_1_first; o < o_1_first + 4; o++) {
				#pragma GCC unroll 2
				for (long x = x_1_first; x < x_1_first + 32; x += 16) {
					*(f32x16 *)&sum_part[o - o_1_first][x - x_1_first] = bias[o] - (f32x16){ 0 };
				}
			}
			for (long c = 0; c < C; c++) {
				for (long k = 0; k < 3; k++) {
					#pragma GCC unroll 4
					for (long o = o_1_first; o < o_1_first + 4; o++) {
						#pragma GCC unroll 2
						for (long x = x_1_first; x < x_1_first + 32; x += 16) {
							*(f32x16 *)&sum_part[o - o_1_first][x - x_1_first] +=
									*(const f32x16 *)&in[c * (X + 2) + x + k] *
									w[3 * (o * C) + 3 * c + k];
						}
					}
				}
			}
			#pragma GCC unroll 4
			for (long o = o_1_first; o < o_1_first + 4; o++) {
				#pragma GCC unroll 2
				for (long x = x_1_first; x < x_1_first + 32; x += 16) {
					*(f32x16 *)&out[o * X + x] =
							*(const f32x16 *)&sum_part[o - o_1_first][x - x_1_first];
				}
			}
		}
	}
}

void tiles_back(void)
{
	if ((out + (long)O * X <= in || in + (long)C * (X + 2) <= out) &&
			(out + (long)O * X <= w || w + 3 * ((long)O * C) <= out) &&
			(out + (long)O * X <= bias || bias + O <= out) && O >= 4 && X >= 32) {
		tiles_back_strop0(out, in, w, bias, O, C, X);
	} else {
		original();
	}
}
