# Sourced by the tests in cli/: $strop is the program, the working directory a fresh scratch folder of the test.
set -euo pipefail
strop=$(realpath "$1")
rm -rf "$2"
mkdir -p "$2"
cd "$2"
export STROP_CACHE_DIR=$PWD/cache NO_COLOR=1

die() { echo "FAILED: $*" >&2; exit 1; }

# expect CODE COMMAND...: the command ends with CODE; its output is in out and err, err has at most one line per failure.
expect() {
	local code=$1 got=0
	shift
	"$@" >out 2>err || got=$?
	[ "$got" -eq "$code" ] || { cat out err >&2; die "'$*' ended with $got, not $code"; }
}

says() { grep -qe "$1" err || { cat err >&2; die "the message does not say '$1'"; }; }
shows() { grep -qe "$1" out || { cat out >&2; die "the output does not show '$1'"; }; }
one_line() { [ "$(wc -l <err)" -eq 1 ] || { cat err >&2; die "more than one line on standard error"; }; }

# A kernel that any policy makes faster: the inner loop walks down a column.
write_kernel() {
	cat >"$1" <<'C'
void add_columns(int n, float *restrict sum, const float *a)
{
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++)
			sum[j] += a[i * n + j];
}
C
}
