#!/usr/bin/env bash
# Whole programs before and after strop, interleaved in one run:
#   programs.sh STROP --list FILE [--fp MODE] [--budget N] [--runs N] [--compiler 'gcc -O3'] [--printed]
# Each line of FILE names one program; fields are separated by '|':
#   name | folder (copied; everything is built in the copy) | sources | compile flags | link flags | arguments | check flags
# With --printed a program's time is the number on the last line of its standard output, else its wall time. Built with the
# check flags (and -ffp-contract=off in mode ordered), both must print the same bytes.
set -euo pipefail
strop=$(realpath "$1")
shift
list= fp=ordered budget=16 runs=5 compiler='gcc -O3 -march=native' printed=
while [ $# -gt 0 ]; do
	case "$1" in
	--printed) printed=1; shift; continue ;;
	--list) list=$(realpath "$2") ;;
	--fp) fp=$2 ;;
	--budget) budget=$2 ;;
	--runs) runs=$2 ;;
	--compiler) compiler=$2 ;;
	*) echo "programs: unknown word '$1'" >&2; exit 2 ;;
	esac
	shift 2
done
[ -n "$list" ] || { echo "programs: --list FILE is needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trim() { sed 's/^[[:space:]]*//; s/[[:space:]]*$//' <<<"$1"; }

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# Build in the current folder: build OUTPUT EXTRA-FLAGS
build() { eval "$compiler $flags $2 -o $1 $sources $link -lm" 2>>build.log; }

time_once() {
	local start=$EPOCHREALTIME end
	eval "$1 $arguments" >"$1.out" 2>"$1.err"
	end=$EPOCHREALTIME
	if [ -n "$printed" ]; then
		tail -1 "$1.out" >>"$1.times"
	else
		echo "$start $end" | awk '{ print $2 - $1 }' >>"$1.times"
	fi
}

one_program() {
	local contract= i same
	[ "$fp" = ordered ] && contract=-ffp-contract=off
	contract="$contract $check"
	cp -r "$folder" "$work/$name"
	cd "$work/$name"
	build ./before '' || { echo "$name: does not build"; return; }
	build ./before_off "$contract"
	eval "\"$strop\" tune --apply --no-diff --fp $fp --budget $budget $sources -- $compiler $flags" >tune.out 2>tune.err ||
		{ echo "$name: tune failed: $(tail -1 tune.err)"; return; }
	build ./after '' || { echo "$name: the rewritten program does not build"; return; }
	build ./after_off "$contract"
	for i in $(seq "$runs"); do time_once ./before; time_once ./after; done
	eval "./before_off $arguments" >before.txt 2>before.txt2
	eval "./after_off $arguments" >after.txt 2>after.txt2
	same='same output'
	cmp -s before.txt after.txt && cmp -s before.txt2 after.txt2 || same='OUTPUT DIFFERS'
	paste <(median <before.times) <(median <after.times) | awk -v n="$name" -v s="$same" -v r="$(grep -c 'x  \[' tune.out || true)" \
		'{ printf "%-18s %9.4f s %9.4f s  %6.2fx  %s, %d regions rewritten\n", n, $1, $2, $1 / $2, s, r }'
	[ -n "${STROP_BENCH_KEEP:-}" ] && { mkdir -p "$STROP_BENCH_KEEP/$name"; cp tune.out strop.lock "$STROP_BENCH_KEEP/$name/" 2>/dev/null || true; }
	cd /
	rm -rf "${work:?}/$name"
}

results=$work/results
while IFS='|' read -r name folder sources flags link arguments check; do
	name=$(trim "$name")
	case "$name" in '' | '#'*) continue ;; esac
	folder=$(trim "$folder") sources=$(trim "$sources") flags=$(trim "$flags") link=$(trim "${link:-}") arguments=$(trim "${arguments:-}") check=$(trim "${check:-}")
	(one_program) | tee -a "$results"
done <"$list"
awk '/x  / { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9.]+x$/) { l += log($i); n++ } } END { if (n) printf "geomean over %d programs: %.3fx\n", n, exp(l / n) }' "$results"
