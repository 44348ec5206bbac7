# Judging other versions of a function: verdicts, exit codes, what cannot be judged.
source "$TEST_SUITE/support/cli.sh"
flags=(gcc -O2 -march=native)

cat >old.c <<'C'
#include <math.h>
struct image { int w, h; float *data; };
float dot(const float *x, const float *y, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s += x[i] * y[i];
	return s;
}
void scale(int n, float *out, const float *in, float a)
{
	for (int i = 0; i < n; i++)
		out[i] = a * in[i];
}
void darken(struct image *im, float by)
{
	for (int i = 0; i < im->w * im->h; i++)
		im->data[i] -= by;
}
#pragma strop inputs(index(at, 0, m))
int gather(int *out, const int *table, const int *at, int n, int m)
{
	int top = -2147483647;
	for (int i = 0; i < n; i++) {
		out[i] = table[at[i]] * 3;
		if (out[i] > top)
			top = out[i];
	}
	return top;
}
int count(const char *s) { int n = 0; while (*s++) n++; return n; }
float mean(const float *x, int n) { float s = 0; for (int i = 0; i < n; i++) s += x[i]; return s / n; }
int calls;
float tally(const float *x, int n) { calls++; return mean(x, n); }
int elsewhere(int n);
int relay(int n) { return elsewhere(n) + 1; }
float rows(float **row, int n) { return row[0][n] + row[1][n]; }
C
version() { sed "$2" old.c >"$1"; cmp -s old.c "$1" && die "$1: the edit changed nothing" || true; }

version restrict.c 's/float \*out, const float \*in, float a/float *restrict out, const float *restrict in, float a/'
version short.c '0,/i < n/s//i < n - 1/'
version beyond.c 's/a \* in\[i\]/a * in[i] + 0 * in[i + 1]/'
version writes.c 's/out\[i\] = a \* in\[i\];/{ out[i] = a * in[i]; ((float *)in)[i] = 0; }/'
version broken.c 's/return s;/return s/'
version renamed.c 's/float dot/float dot_product/'
version lanes.c 's/s += x\[i\] \* y\[i\];/s += x[n - 1 - i] * y[n - 1 - i];/'
version field.c 's/im->data\[i\] -= by/im->data[i] = im->data[i] - by/'
version doubled.c 's/table\[at\[i\]\] \* 3/table[at[i]] + 2 * table[at[i]]/'
version later.c 's/if (out\[i\] > top)/if (i \&\& out[i] > top)/'

expect 0 "$strop" verify old.c old.c field.c --function darken -- "${flags[@]}"
shows "old.c: equal"; shows "field.c: equal"
expect 1 "$strop" verify old.c short.c --function dot -- "${flags[@]}"
shows "short.c: different: s is"
expect 1 "$strop" verify old.c lanes.c --function dot --fp ordered -- "${flags[@]}"
expect 0 "$strop" verify old.c lanes.c --function dot --fp reassoc -- "${flags[@]}"
expect 1 "$strop" verify old.c restrict.c beyond.c writes.c --function scale -- "${flags[@]}"
shows "beyond.c: out-of-bounds: it touched in"
shows "writes.c: input-changed"
version stack.c 's/out\[i\] = a \* in\[i\];/{ float t[2]; t[0] = in[i]; out[i] = a * t[0]; if (i == 5) (void)*(volatile float *)(t + 2); }/'
expect 1 "$strop" verify old.c stack.c --function scale -- "${flags[@]}"
shows "stack.c: undefined: "
version added.c 's/float s = 0;/float s = 0, t = 0;/; 0,/for (int i/s//\n#pragma omp parallel num_threads(2) firstprivate(t)\n{\n#pragma omp for nowait\nfor (int i/; 0,/s += x\[i\] \* y\[i\];/s//t += x[i] * y[i];\n#pragma omp critical\ns += t;\n}/'
version raced.c 's/float s = 0;/float s = 0, t = 0;/; 0,/for (int i/s//\n#pragma omp parallel num_threads(2) firstprivate(t)\n{\n#pragma omp for nowait\nfor (int i/; 0,/s += x\[i\] \* y\[i\];/s//t += x[i] * y[i];\ns += t;\n}/'
expect 0 "$strop" verify old.c added.c --function dot --fp reassoc --json -- "${flags[@]}" -fopenmp
grep -Eq '"races": "(none found|not run: )' out || die "no word of races"
if ! grep -q '"races": "not run' out; then
	expect 1 "$strop" verify old.c raced.c --function dot --fp reassoc -- "${flags[@]}" -fopenmp
	shows "raced.c: \(different: s is\|nondeterministic\|undefined: data race: [a-z]* of size 4, another thread's [a-z]* of size 4, of a variable on a stack\)"
fi
expect 1 "$strop" verify old.c broken.c --function dot -- "${flags[@]}"
shows "broken.c: no-compile"
expect 0 "$strop" verify old.c doubled.c --function gather --time -- "${flags[@]}"
shows "pairs"
grep -q "the original has an end without a word" out && die "the original left its memory where arrays share some"
expect 1 "$strop" verify old.c later.c --function gather --json -- "${flags[@]}"
shows '"verdict": "different"'
expect 2 "$strop" verify old.c old.c --function nowhere -- "${flags[@]}"; one_line; says "no function 'nowhere'"
expect 2 "$strop" verify old.c renamed.c --function gaather -- "${flags[@]}"; one_line
expect 2 "$strop" verify old.c --function dot; one_line; says "needs an old and a new file"
expect 2 "$strop" verify old.c missing.c --function dot -- "${flags[@]}"; one_line
version behind.c 's/while (\*s++) n++;/while (s[n]) n += 2;/'
expect 1 "$strop" verify old.c old.c behind.c --function count -- "${flags[@]}"
shows "old.c: equal"; shows "behind.c: "
version reversed.c 's/float mean.*s += x\[i\]/float mean(const float *x, int n) { float s = 0; for (int i = 0; i < n; i++) s += x[n - 1 - i]/'
expect 1 "$strop" verify old.c reversed.c --function mean --fp ordered -- "${flags[@]}"
shows "reversed.c: different: strop_result is"
expect 0 "$strop" verify old.c reversed.c --function mean --fp reassoc -- "${flags[@]}"
expect 3 "$strop" verify old.c old.c --function tally -- "${flags[@]}"; one_line; says "'calls' outlives its calls"
expect 3 "$strop" verify old.c old.c --function relay -- "${flags[@]}"; one_line; says "calls 'elsewhere'"
expect 3 "$strop" verify old.c old.c --function rows -- "${flags[@]}"; one_line; says "'row' does not point to numbers"
expect 1 "$strop" verify old.c short.c --function dot --seed 7 -- "${flags[@]}"; mv out first
expect 1 "$strop" verify old.c short.c --function dot --seed 7 -- "${flags[@]}"
cmp out first || die "one seed gave two answers"
