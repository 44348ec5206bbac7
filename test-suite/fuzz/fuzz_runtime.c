#include "fuzz_runtime.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { I8, U8, I16, U16, I32, U32, I64, U64, F32, F64 };
enum { PAGE = 4096, RUNS = 14, ALIAS_RUNS = 3, SECONDS = 20 };
enum { CANARY = 0xa5 };

int fuzz_fell_back;

long fuzz_floordiv(long long a, long long b)
{
	return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* ---- memory ---- */

static const int size_of[] = { 1, 1, 2, 2, 4, 4, 8, 8, 4, 8 };

/* "size" bytes with a guard page on either side, at the right end of the pages or at the left one. */
struct block {
	char *base, *data;
	size_t size, pages;
};

static struct block block_new(size_t size, int is_right)
{
	struct block block = { .size = size, .pages = (size + PAGE - 1) / PAGE * PAGE };

	block.base = mmap(NULL, block.pages + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (block.base == MAP_FAILED)
		_exit(9);
	if (block.pages)
		mprotect(block.base + PAGE, block.pages, PROT_READ | PROT_WRITE);
	block.data = block.base + PAGE + (is_right ? block.pages - size : 0);
	memset(block.base + PAGE, CANARY, block.pages);
	return block;
}

static void block_free(struct block *block)
{
	munmap(block->base, block->pages + 2 * PAGE);
}

/* Whether the bytes beside the data are as they were. */
static int block_is_whole(const struct block *block)
{
	for (const char *at = block->base + PAGE; at < block->base + PAGE + block->pages; at++)
		if ((at < block->data || at >= block->data + block->size) && (unsigned char)*at != CANARY)
			return 0;
	return 1;
}

/* ---- data ---- */

static uint64_t state;

static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dull >> 8;
}

/* How the floats of a run look: any, small whole numbers (sums of which are exact), or with zeros of both signs. */
enum look { LOOK_ANY, LOOK_WHOLE, LOOK_ZEROS, LOOKS };

static double draw_float(enum look look)
{
	double any = ((double)(draw() % 4000001) - 2e6) / 1e6;

	if (look == LOOK_WHOLE)
		return (double)(draw() % 7) - 3;
	if (look == LOOK_ZEROS && draw() % 3 == 0)
		return draw() % 2 ? 0.0 : -0.0;
	return any;
}

static void put(char *at, int type, enum look look, long least, int is_index)
{
	int64_t integer = (int64_t)(draw() % 2001) - 1000;
	uint64_t bits = draw();

	if (is_index)
		integer = least > 0 ? (int64_t)(draw() % (uint64_t)least) : 0;
	switch (type) {
	case F32: *(float *)at = (float)draw_float(look); break;
	case F64: *(double *)at = draw_float(look); break;
	case I32: *(int32_t *)at = (int32_t)integer; break;
	case I64: *(int64_t *)at = integer; break;
	default: memcpy(at, &bits, (size_t)size_of[type]);
	}
}

/* ---- a run ---- */

/* alias[s] >= 0: the array lies in that of another slot, "shift" elements further. */
struct run {
	const struct fuzz_case *test;
	int number;
	enum look look;
	long count[FUZZ_SLOTS];
	int alias[FUZZ_SLOTS];
	long shift[FUZZ_SLOTS];
	struct block work[FUZZ_SLOTS];
	char *start[FUZZ_SLOTS], *expected[FUZZ_SLOTS];
	void *v[FUZZ_SLOTS];
	char params[256];
};

static const int menu[] = { -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 23, 24, 29, 31, 32, 33, 34,
			    40, 47, 48, 53, 63, 64, 65, 66, 67, 70, 79, 80, 96, 97, 100, 127, 128, 129, 130 };

/* The first runs have small sizes, the later ones any. */
static int64_t draw_size(const struct run *run)
{
	int n = 0;

	if (run->number < 3)
		return run->number == 0 ? 0 : run->number == 1 ? 1 : (int64_t)(draw() % 4) - 1;
	while (n < (int)(sizeof(menu) / sizeof(menu[0])) && menu[n] <= run->test->sizes)
		n++;
	if (run->number < RUNS / 2)
		n = n / 2 + 1;
	return menu[draw() % (uint64_t)n];
}

static void start_scalars(struct run *run)
{
	for (int s = 0; s < run->test->n_slot; s++) {
		const struct fuzz_slot *slot = &run->test->slot[s];
		int64_t size;

		if (slot->kind == 'a')
			continue;
		run->count[s] = 1;
		run->start[s] = calloc(1, 16);
		run->expected[s] = calloc(1, 16);
		run->work[s] = block_new(8, 0);
		run->v[s] = run->work[s].data;
		put(run->start[s], slot->type, run->look, 4, 1);
		if (slot->type >= F32)
			put(run->start[s], slot->type, run->look, 4, 0);
		if (slot->kind == 'p' && slot->type < F32) {
			size = draw_size(run);
			memcpy(run->start[s], &size, 8);
			snprintf(run->params + strlen(run->params), sizeof(run->params) - strlen(run->params), " %s=%lld",
				 slot->name, (long long)size);
		}
		memcpy(run->work[s].data, run->start[s], (size_t)size_of[(int)slot->type]);
	}
}

/* Pick two arrays of one type, one of them written, to overlap: the same, or one or two elements apart. */
static void pick_alias(struct run *run)
{
	const struct fuzz_case *test = run->test;
	int first = (int)(draw() % (uint64_t)test->n_slot);

	for (int k = 0; k < test->n_slot; k++)
		for (int s = 0; s < test->n_slot; s++) {
			int a = (first + k) % test->n_slot;

			if (s == a || test->slot[a].kind != 'a' || test->slot[s].kind != 'a' || test->slot[a].type != test->slot[s].type ||
			    !(test->slot[a].is_written || test->slot[s].is_written) || test->slot[a].is_index || test->slot[s].is_index)
				continue;
			run->alias[s] = a;
			run->shift[s] = run->number == RUNS ? 0 : 1 + (long)(draw() % (uint64_t)(2 + run->count[a]));
			if (run->shift[s] + run->count[s] > run->count[a])
				run->count[a] = run->shift[s] + run->count[s];
			snprintf(run->params + strlen(run->params), sizeof(run->params) - strlen(run->params), " %s=%s+%ld",
				 test->slot[s].name, test->slot[a].name, run->shift[s]);
			return;
		}
}

static void start_arrays(struct run *run)
{
	const struct fuzz_case *test = run->test;
	long least = test->count(run->v, run->count);

	for (int s = 0; s < test->n_slot; s++)
		run->alias[s] = -1;
	if (run->number >= RUNS)
		pick_alias(run);
	for (int s = 0; s < test->n_slot; s++) {
		int size = size_of[(int)test->slot[s].type];

		if (test->slot[s].kind != 'a' || run->alias[s] >= 0)
			continue;
		if (run->count[s] < 0)
			run->count[s] = 0;
		run->start[s] = malloc((size_t)(run->count[s] * size) + 8);
		run->expected[s] = malloc((size_t)(run->count[s] * size) + 8);
		run->work[s] = block_new((size_t)(run->count[s] * size), run->number % 2);
		run->v[s] = run->work[s].data;
		for (long e = 0; e < run->count[s]; e++)
			put(run->start[s] + e * size, test->slot[s].type, run->look, least, test->slot[s].is_index);
	}
	for (int s = 0; s < test->n_slot; s++)
		if (run->alias[s] >= 0)
			run->v[s] = run->work[run->alias[s]].data + run->shift[s] * size_of[(int)test->slot[s].type];
}

static int is_owner(const struct run *run, int s)
{
	return run->test->slot[s].kind != 'a' || run->alias[s] < 0;
}

static size_t bytes_of(const struct run *run, int s)
{
	return (size_t)run->count[s] * (size_t)size_of[(int)run->test->slot[s].type];
}

static void reset(struct run *run)
{
	for (int s = 0; s < run->test->n_slot; s++)
		if (is_owner(run, s))
			memcpy(run->work[s].data, run->start[s], bytes_of(run, s));
}

static void run_free(struct run *run)
{
	for (int s = 0; s < run->test->n_slot; s++)
		if (is_owner(run, s)) {
			free(run->start[s]);
			free(run->expected[s]);
			block_free(&run->work[s]);
		}
}

/* ---- comparing ---- */

static double real_at(const char *data, int type, long e)
{
	return type == F32 ? (double)((const float *)data)[e] : ((const double *)data)[e];
}

/* "tolerance" < 0: bit for bit, but for what a NaN holds. */
static int is_same(const char *a, const char *b, const struct fuzz_slot *slot, long e, double tolerance)
{
	int type = slot->type, size = size_of[type];
	double p, q;

	if (memcmp(a + e * size, b + e * size, (size_t)size) == 0)
		return 1;
	if (type < F32)
		return 0;
	p = real_at(a, type, e);
	q = real_at(b, type, e);
	if ((isnan(p) && isnan(q)) || (slot->any_zero && p == 0 && q == 0))
		return 1;
	if (tolerance < 0)
		return 0;
	return !isfinite(p) || !isfinite(q) || fabs(p - q) <= tolerance;
}

static void value_print(char *text, size_t size, const char *data, int type, long e)
{
	uint64_t bits = 0;

	memcpy(&bits, data + e * size_of[type], (size_t)size_of[type]);
	if (type >= F32)
		snprintf(text, size, "%.9g", real_at(data, type, e));
	else
		snprintf(text, size, "%llx", (unsigned long long)bits);
}

static int report(const struct run *run, const char *what, int s, long e)
{
	const struct fuzz_slot *slot = &run->test->slot[s];
	char got[40], want[40];

	value_print(got, sizeof(got), run->work[s].data, slot->type, e);
	value_print(want, sizeof(want), run->expected[s], slot->type, e);
	printf("%d FAIL %s run %d%s look %d: %s[%ld] is %s, not %s\n", run->test->number, what, run->number, run->params, run->look,
	       slot->name, e, got, want);
	return 0;
}

static int compare(const struct run *run, const char *what, const double *tolerance)
{
	for (int s = 0; s < run->test->n_slot; s++) {
		const struct fuzz_slot *slot = &run->test->slot[s];

		if (!is_owner(run, s))
			continue;
		for (long e = 0; e < run->count[s]; e++)
			if (!is_same(run->work[s].data, run->expected[s], slot, e, tolerance ? tolerance[s] : -1))
				return report(run, what, s, e);
		if (!block_is_whole(&run->work[s])) {
			printf("%d FAIL %s run %d%s: wrote beside %s\n", run->test->number, what, run->number, run->params, slot->name);
			return 0;
		}
	}
	return 1;
}

/* ---- how much reordering may change ---- */

static int wide_size(int type)
{
	return type == F32 ? 8 : type == F64 ? 16 : size_of[type];
}

static void widen(char *to, const char *from, int type, long n)
{
	for (long e = 0; e < n; e++)
		if (type == F32)
			((double *)to)[e] = ((const float *)from)[e];
		else if (type == F64)
			((long double *)to)[e] = ((const double *)from)[e];
		else
			memcpy(to + e * size_of[type], from + e * size_of[type], (size_t)size_of[type]);
}

/* The tolerance for slot "s" from what the plain run left and what the wide one did: a multiple of the worst difference, and
 * some units in the last place of the largest value. -2 when integers differ, so that the run says nothing. */
static double tolerance_of(const struct run *run, int s, const char *wide)
{
	int type = run->test->slot[s].type;
	double worst = 0, largest = 0, a, b;

	if (type < F32)
		return memcmp(run->expected[s], wide, bytes_of(run, s)) == 0 ? -1 : -2;
	for (long e = 0; e < run->count[s]; e++) {
		a = real_at(run->expected[s], type, e);
		b = type == F32 ? ((const double *)wide)[e] : (double)((const long double *)wide)[e];
		if (!isfinite(a) || !isfinite(b))
			continue;
		worst = fabs(a - b) > worst ? fabs(a - b) : worst;
		largest = fabs(a) > largest ? fabs(a) : largest;
	}
	return 32 * worst + largest * (type == F32 ? 1e-5 : 1e-13) + 1e-30;
}

/* Set the tolerance per slot; 0 when the run says nothing. */
static int tolerances(const struct run *run, double *tolerance)
{
	const struct fuzz_case *test = run->test;
	char *wide[FUZZ_SLOTS] = { 0 };
	void *v[FUZZ_SLOTS];
	int is_telling = 1;

	for (int s = 0; s < test->n_slot; s++)
		if (is_owner(run, s)) {
			wide[s] = malloc((size_t)(run->count[s] + 2) * 16);
			widen(wide[s], run->start[s], test->slot[s].type, run->count[s]);
		}
	for (int s = 0; s < test->n_slot; s++)
		v[s] = is_owner(run, s) ? wide[s] : wide[run->alias[s]] + run->shift[s] * wide_size(test->slot[s].type);
	test->wide(v);
	for (int s = 0; s < test->n_slot; s++) {
		tolerance[s] = is_owner(run, s) ? tolerance_of(run, s, wide[s]) : -1;
		if (tolerance[s] == -2)
			is_telling = 0;
	}
	for (int s = 0; s < test->n_slot; s++)
		free(wide[s]);
	return is_telling;
}

/* ---- cases ---- */

/* 1: equal; 0: reported as different. */
static int run_once(struct run *run, int *fallbacks)
{
	const struct fuzz_case *test = run->test;
	double tolerance[FUZZ_SLOTS], *allowed = NULL;
	int is_equal = 1;

	reset(run);
	test->plain(run->v);
	for (int s = 0; s < test->n_slot; s++)
		if (is_owner(run, s))
			memcpy(run->expected[s], run->work[s].data, bytes_of(run, s));
	if (test->wide) {
		allowed = tolerance;
		if (!tolerances(run, tolerance))
			return 1;
	}
	if (run->number < RUNS) {
		reset(run);
		printf("%d run nest %d%s\n", test->number, run->number, run->params);
		test->nest(run->v);
		is_equal = compare(run, "nest", allowed);
	}
	if (is_equal) {
		reset(run);
		fuzz_fell_back = 0;
		printf("%d run variant %d%s\n", test->number, run->number, run->params);
		test->variant(run->v);
		*fallbacks += fuzz_fell_back;
		is_equal = compare(run, run->number < RUNS ? "variant" : "guard", allowed);
	}
	return is_equal;
}

static void run_case(const struct fuzz_case *test)
{
	int fallbacks = 0, is_equal = 1, r;

	state = test->seed * 0x9e3779b97f4a7c15ull + 88172645463325252ull;
	alarm(SECONDS);
	printf("%d start\n", test->number);
	for (r = 0; r < RUNS + ALIAS_RUNS && is_equal; r++) {
		struct run run = { .test = test, .number = r, .look = r % LOOKS };

		start_scalars(&run);
		start_arrays(&run);
		is_equal = run_once(&run, &fallbacks);
		run_free(&run);
	}
	if (is_equal)
		printf("%d ok %d %d\n", test->number, r, fallbacks);
	alarm(0);
}

/* argv[1]: the first case to run. */
int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = argc > 1 ? atoi(argv[1]) : 0; i < fuzz_n; i++)
		run_case(fuzz_cases[i]);
	return 0;
}
