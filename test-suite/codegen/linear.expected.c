typedef float f32x16 __attribute__((vector_size(64), aligned(4), may_alias));

/* The loops over r, o and i of linear(), for arrays that do not overlap. */
static __attribute__((noinline)) void linear_strop0(float *restrict out, const float *restrict x,
		const float *restrict w, const float *restrict b, int rows, int C, int OC)
{
	for (long r_1 = 0; r_1 < rows; r_1 += 2) {
		for (long o_1 = 0; o_1 < OC; o_1 += 2) {
			if (r_1 + 2 <= rows && o_1 + 2 <= OC) {
				/* a full tile */
				float val_part_0_0 = b[o_1];
				float val_part_0_1 = b[o_1 + 1];
				float val_part_1_0 = b[o_1];
				float val_part_1_1 = b[o_1 + 1];
				if (0 < C) {
					f32x16 val_part_0_0_0 = (f32x16){ 0 };
					f32x16 val_part_0_1_0 = (f32x16){ 0 };
					f32x16 val_part_1_0_0 = (f32x16){ 0 };
					f32x16 val_part_1_1_0 = (f32x16){ 0 };
					const long i_1_full = C - C % 16;
					for (long i_1 = 0; i_1 < i_1_full; i_1 += 16) {
						val_part_0_0_0 += *(const f32x16 *)&x[r_1 * C + i_1] *
								*(const f32x16 *)&w[o_1 * C + i_1];
						val_part_0_1_0 += *(const f32x16 *)&x[r_1 * C + i_1] *
								*(const f32x16 *)&w[(o_1 + 1) * C + i_1];
						val_part_1_0_0 += *(const f32x16 *)&x[(r_1 + 1) * C + i_1] *
								*(const f32x16 *)&w[o_1 * C + i_1];
						val_part_1_1_0 += *(const f32x16 *)&x[(r_1 + 1) * C + i_1] *
								*(const f32x16 *)&w[(o_1 + 1) * C + i_1];
					}
					float val_part_lanes[2][2][16];
					*(f32x16 *)&val_part_lanes[0][0][0] = val_part_0_0_0;
					*(f32x16 *)&val_part_lanes[0][1][0] = val_part_0_1_0;
					*(f32x16 *)&val_part_lanes[1][0][0] = val_part_1_0_0;
					*(f32x16 *)&val_part_lanes[1][1][0] = val_part_1_1_0;
					if (i_1_full < C) {
						/* what is left of the last tile */
						for (long i = i_1_full; i < C; i++) {
							val_part_lanes[0][0][i - i_1_full] += x[r_1 * C + i] *
									w[o_1 * C + i];
							val_part_lanes[0][1][i - i_1_full] += x[r_1 * C + i] *
									w[(o_1 + 1) * C + i];
							val_part_lanes[1][0][i - i_1_full] += x[(r_1 + 1) * C + i] *
									w[o_1 * C + i];
							val_part_lanes[1][1][i - i_1_full] += x[(r_1 + 1) * C + i] *
									w[(o_1 + 1) * C + i];
						}
					}
					for (long val_part_l = 0; val_part_l < 16; val_part_l++) {
						val_part_0_0 += val_part_lanes[0][0][val_part_l];
					}
					for (long val_part_l = 0; val_part_l < 16; val_part_l++) {
						val_part_0_1 += val_part_lanes[0][1][val_part_l];
					}
					for (long val_part_l = 0; val_part_l < 16; val_part_l++) {
						val_part_1_0 += val_part_lanes[1][0][val_part_l];
					}
					for (long val_part_l = 0; val_part_l < 16; val_part_l++) {
						val_part_1_1 += val_part_lanes[1][1][val_part_l];
					}
				}
				out[r_1 * OC + o_1] = val_part_0_0;
				out[r_1 * OC + o_1 + 1] = val_part_0_1;
				out[(r_1 + 1) * OC + o_1] = val_part_1_0;
				out[(r_1 + 1) * OC + o_1 + 1] = val_part_1_1;
			} else {
				/* a tile that is cut short */
				const long r_end = r_1 + 2 < rows ? r_1 + 2 : rows;
				const long o_end = o_1 + 2 < OC ? o_1 + 2 : OC;
				float val_part0[2][2];
				for (long r = r_1; r < r_end; r++) {
					for (long o = o_1; o < o_end; o++) {
						val_part0[r - r_1][o - o_1] = b[o];
					}
				}
				if (0 < C) {
					float val_part0_0[2][2][16];
					for (long r = r_1; r < r_end; r++) {
						for (long o = o_1; o < o_end; o++) {
							*(f32x16 *)&val_part0_0[r - r_1][o - o_1][0] = (f32x16){ 0 };
						}
					}
					for (long i_1 = 0; i_1 < C; i_1 += 16) {
						const long i_end0 = i_1 + 16 < C ? i_1 + 16 : C;
						const long i_full = i_end0 - (i_end0 - i_1) % 16;
						for (long i = i_1; i < i_full; i += 16) {
							for (long r = r_1; r < r_end; r++) {
								for (long o = o_1; o < o_end; o++) {
									*(f32x16 *)&val_part0_0[r - r_1][o - o_1][i - i_1] +=
											*(const f32x16 *)&x[r * C + i] *
											*(const f32x16 *)&w[o * C + i];
								}
							}
						}
						for (long i = i_full; i < i_end0; i++) {
							for (long r = r_1; r < r_end; r++) {
								for (long o = o_1; o < o_end; o++) {
									val_part0_0[r - r_1][o - o_1][i - i_1] +=
											x[r * C + i] * w[o * C + i];
								}
							}
						}
					}
					for (long r = r_1; r < r_end; r++) {
						for (long o = o_1; o < o_end; o++) {
							for (long val_part_l = 0; val_part_l < 16; val_part_l++) {
								val_part0[r - r_1][o - o_1] +=
										val_part0_0[r - r_1][o - o_1][val_part_l];
							}
						}
					}
				}
				for (long r = r_1; r < r_end; r++) {
					for (long o = o_1; o < o_end; o++) {
						out[r * OC + o] = val_part0[r - r_1][o - o_1];
					}
				}
			}
		}
	}
}

void linear(void)
{
	if ((out + (long)rows * OC <= x || x + (long)rows * C <= out) &&
			(out + (long)rows * OC <= w || w + (long)OC * C <= out) &&
			(out + (long)rows * OC <= b || b + OC <= out)) {
		linear_strop0(out, x, w, b, rows, C, OC);
	} else {
		original();
	}
}
