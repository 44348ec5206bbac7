#!/usr/bin/env bash
# Whole programs under several compilers and after strop, interleaved in one run:
#   programs.sh STROP --list FILE [--fp MODE] [--budget N] [--runs N] [--threads N] [--printed]
#               [--compiler 'gcc -O3 -march=native'] [--against NAME='COMMAND']...
# Each line of FILE names one program; fields are separated by '|':
#   name | folder (copied; everything is built in the copy) | sources | compile flags | link flags | arguments | check flags
# strop tunes for --compiler, the base; --against adds columns (by default clang, and clang with Polly where it is there) that
# are only timed. With --threads N strop tunes a second copy with -fopenmp, timed with N threads. With --printed a program's time
# is the number on the last line of its standard output, else its wall time. Built with the check flags (and
# -ffp-contract=off in mode ordered), the base's program and strop's must print the same bytes.
set -euo pipefail
strop=$(realpath "$1")
shift
list= fp=ordered budget=16 runs=5 compiler='gcc -O3 -march=native' printed= threads=
names=() commands=()
while [ $# -gt 0 ]; do
	case "$1" in
	--printed) printed=1; shift; continue ;;
	--list) list=$(realpath "$2") ;;
	--fp) fp=$2 ;;
	--budget) budget=$2 ;;
	--runs) runs=$2 ;;
	--threads) threads=$2 ;;
	--compiler) compiler=$2 ;;
	--against) names+=("${2%%=*}") commands+=("${2#*=}") ;;
	*) echo "programs: unknown word '$1'" >&2; exit 2 ;;
	esac
	shift 2
done
[ -n "$list" ] || { echo "programs: --list FILE is needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trim() { sed 's/^[[:space:]]*//; s/[[:space:]]*$//' <<<"$1"; }
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

newest_clang() { compgen -c clang | grep -E '^clang(-[0-9]+)?$' | sort -t- -k2 -n | tail -1; }
if [ ${#names[@]} -eq 0 ] && clang=$(newest_clang) && [ -n "$clang" ]; then
	names+=(clang) commands+=("$clang -O3 -march=native")
	echo 'int main(void) { return 0; }' >"$work/polly.c"
	"$clang" -O3 -mllvm -polly "$work/polly.c" -o "$work/polly" 2>/dev/null &&
		names+=(polly) commands+=("$clang -O3 -march=native -mllvm -polly")
fi

# Build in the current folder: build COMMAND OUTPUT EXTRA-FLAGS
build() { eval "$1 $flags $3 -o $2 $sources $link -lm" 2>>build.log; }

# Run a program of the current folder, and note its time in PROGRAM.times.
time_once() {
	local start=$EPOCHREALTIME end
	eval "./$1 $arguments" >"$1.out" 2>"$1.err"
	end=$EPOCHREALTIME
	if [ -n "$printed" ]; then
		tail -1 "$1.out" >>"$1.times"
	else
		echo "$start $end" | awk '{ print $2 - $1 }' >>"$1.times"
	fi
}

# Tune and build a copy: rewrite COPY COMMAND
rewrite() {
	cp -r "$folder" "$work/$name/$1"
	cd "$work/$name/$1"
	eval "\"$strop\" tune --apply --no-diff --fp $fp --budget $budget $sources -- $2 $flags" >tune.out 2>tune.err ||
		{ echo "$name: tune failed: $(tail -1 tune.err)"; return 1; }
	build "$2" "../$1.program" '' && build "$2" "../$1.checked" "$contract" ||
		{ echo "$name: the rewritten program does not build"; return 1; }
	if [ -n "${STROP_BENCH_KEEP:-}" ]; then
		mkdir -p "$STROP_BENCH_KEEP/$name.$1"
		cp tune.out strop.lock "$STROP_BENCH_KEEP/$name.$1/" 2>/dev/null || true
	fi
	cd "$work/$name"
}

# One line of results: the name; the medians of the base, the other columns, strop, strop with threads; what was compared.
one_program() {
	local contract=$check i k same='same output' programs=(base)
	[ "$fp" = ordered ] && contract="-ffp-contract=off $check"
	mkdir "$work/$name"
	cp -r "$folder" "$work/$name/base"
	cd "$work/$name/base"
	build "$compiler" ../base.program '' && build "$compiler" ../base.checked "$contract" || { echo "$name: does not build"; return; }
	for i in "${!names[@]}"; do
		build "${commands[i]}" "../other$i.program" '' || { echo "$name: does not build by ${commands[i]}"; return; }
		programs+=("other$i")
	done
	rewrite strop "$compiler" || return 0
	programs+=(strop)
	[ -n "$threads" ] && { rewrite parallel "$compiler -fopenmp" || return 0; programs+=(parallel); }
	for k in $(seq "$runs"); do
		for i in "${programs[@]}"; do OMP_NUM_THREADS=${threads:-1} time_once "$i.program"; done
	done
	eval "./base.checked $arguments" >base.1 2>base.2
	for i in strop ${threads:+parallel}; do
		OMP_NUM_THREADS=${threads:-1} eval "./$i.checked $arguments" >"$i.1" 2>"$i.2"
		cmp -s base.1 "$i.1" && cmp -s base.2 "$i.2" || same='OUTPUT DIFFERS'
	done
	{
		printf '%s|' "$name"
		for i in "${programs[@]}"; do printf '%s|' "$(median <"$i.program.times")"; done
		printf '%s, %s of %s regions rewritten\n' "$same" "$(grep -c 'x  \[' strop/tune.out || true)" "$(grep -cE '^ *[0-9.]+x +(\[|left)' strop/tune.out || true)"
	}
	cd /
	rm -rf "${work:?}/$name"
}

# Rows of results on standard input, as a table; with "summary" what they come to instead.
table() {
	awk -F'|' -v columns="${names[*]}" -v threads="$threads" -v what="$1" '
	BEGIN {
		n = split(columns, name, " ")
		if (what == "header") {
			printf "%-16s %10s", "program", "base, s"
			for (i = 1; i <= n; i++) printf " %10s", name[i]
			printf " %10s", "strop"
			if (threads) printf " %10s", threads " threads"
			printf " %9s %9s\n", "over base", "over best"
		}
	}
	NF < 3 { if (what == "row") print; failed++; next }
	{
		best = $2
		for (i = 1; i <= n; i++) if ($(2 + i) < best) best = $(2 + i)
		strop = $(3 + n)
		base_logs += log($2 / strop); best_logs += log(best / strop); ahead += strop < best; rows++
		if (threads) thread_logs += log($2 / $(4 + n))
		if (what != "row") next
		printf "%-16s", $1
		for (i = 2; i < NF; i++) printf " %10.4f", $i
		printf " %8.2fx %8.2fx  %s\n", $2 / strop, best / strop, $NF
	}
	END {
		if (what != "summary") exit 0
		if (!rows) exit 1
		printf "geomean over %d programs: %.3fx over the base, %.3fx over the best of all columns, ahead in %d", rows,
			exp(base_logs / rows), exp(best_logs / rows), ahead
		if (threads) printf "; with %d threads %.3fx over the base", threads, exp(thread_logs / rows)
		printf "\n"
		if (failed) { printf "%d programs failed\n", failed; exit 1 }
	}'
}

: >"$work/rows"
table header </dev/null
while IFS='|' read -r name folder sources flags link arguments check; do
	name=$(trim "$name")
	case "$name" in '' | '#'*) continue ;; esac
	folder=$(trim "$folder") sources=$(trim "$sources") flags=$(trim "$flags") link=$(trim "${link:-}") arguments=$(trim "${arguments:-}") check=$(trim "${check:-}")
	row=$(one_program </dev/null)
	echo "$row" >>"$work/rows"
	table row <<<"$row"
done <"$list"
table summary <"$work/rows"
