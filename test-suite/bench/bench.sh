#!/usr/bin/env bash
# Measure strop itself: bench.sh STROP [speed | scan | ops | blas | programs --list FILE | all]. Figures go to standard output.
set -euo pipefail
strop=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
what=${2:-all}
shift $(($# > 1 ? 2 : 1))
printf 'machine: %s; %s; %s\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)" "$(gcc --version | head -1)" "$(date +%F)"

# Candidates judged and timed a second on the small kernels of the examples.
bench_speed() {
	local folder start end n
	folder=$(mktemp -d)
	cp "$here"/small/*.c "$folder"
	cd "$folder"
	start=$EPOCHREALTIME
	STROP_CACHE_DIR=$folder/cache "$strop" tune --no-diff --budget 24 --journal journal.jsonl ./*.c -- gcc -O3 -march=native >tune.out
	end=$EPOCHREALTIME
	n=$(grep -c '"kind":"\(candidate\|winner\)"\|"kind": "\(candidate\|winner\)"' journal.jsonl)
	echo "$n $start $end" | awk '{ printf "speed: %d candidates judged and timed in %.1f s: %.2f a second\n", $1, $3 - $2, $1 / ($3 - $2) }'
	rm -rf "$folder"
}

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

seconds_of() {
	local start=$EPOCHREALTIME end
	"$@" >/dev/null 2>&1 || true
	end=$EPOCHREALTIME
	echo "$start $end" | awk '{ print $2 - $1 }'
}

# strop scan against clang -fsyntax-only, in turns, on the examples; and a tree of 100 files with one core and with all.
bench_scan() {
	local clang file i times
	times=$(mktemp -d)
	clang=$(command -v clang-22 || command -v clang-19 || command -v clang || true)
	[ -n "$clang" ] || { echo "scan: no clang here to compare with, skipped"; return; }
	for file in "$here"/../examples/*.c; do
		: >"$times/a"; : >"$times/b"
		for i in 1 2 3 4 5 6 7; do
			seconds_of "$clang" -fsyntax-only -O3 -march=native "$file" >>"$times/a"
			seconds_of "$strop" scan "$file" -- gcc -O3 -march=native >>"$times/b"
		done
		paste <(median <"$times/a") <(median <"$times/b") |
			awk -v f="$(basename "$file")" '{ printf "scan: %-16s clang -fsyntax-only %.3f s, strop scan %.3f s: %.2fx\n", f, $1, $2, $2 / $1 }'
	done
	rm -rf "$times"
}

bench_scan_tree() {
	local folder i one all
	folder=$(mktemp -d)
	for i in $(seq 1 25); do
		for file in "$here"/../examples/*.c; do
			cp "$file" "$folder/$i-$(basename "$file")"
		done
	done
	cd "$folder"
	one=$(seconds_of taskset -c 0 "$strop" scan ./*.c -- gcc -O3 -march=native)
	all=$(seconds_of "$strop" scan ./*.c -- gcc -O3 -march=native)
	echo "$one $all" | awk -v n="$(ls ./*.c | wc -l)" '{ printf "scan: a tree of %d files: %.2f s on one core, %.2f s on all: %.2fx\n", n, $1, $2, $1 / $2 }'
	rm -rf "$folder"
}

# Programs of ops/ as programs.sh times programs: run_ops 'NAME..' OPTION...
run_ops() {
	local list name
	list=$(mktemp)
	for name in $1; do
		echo "$name | $here/ops | $name.c | | | | -DCHECK=1" >>"$list"
	done
	"$here/programs.sh" "$strop" --list "$list" --printed "${@:2}"
	rm -f "$list"
}

# Operators of neural networks, in mode reassoc.
bench_ops() { run_ops 'matmul conv2d softmax gelu layernorm' --fp reassoc "$@"; }

# Products of matrices in double precision, in mode ordered, beside OpenBLAS.
bench_blas() {
	local blas='gcc -O3 -march=native -DBLAS -Wl,--no-as-needed -lopenblas'
	echo 'int main(void) { return 0; }' | gcc -x c - -lopenblas -o /dev/null 2>/dev/null || {
		echo "blas: no OpenBLAS here to compare with, skipped"
		return
	}
	OPENBLAS_NUM_THREADS=1 run_ops 'gemm 2mm syrk' --fp ordered --against "openblas=$blas" "$@"
}

case "$what" in
speed)    bench_speed ;;
scan)     bench_scan; bench_scan_tree ;;
ops)      bench_ops "$@" ;;
blas)     bench_blas "$@" ;;
programs) exec "$here/programs.sh" "$strop" "$@" ;;
all)      bench_speed; (bench_scan; bench_scan_tree) ;;
*) echo "bench: there is no '$what': speed, scan, ops, blas, programs --list FILE, all" >&2; exit 2 ;;
esac
