#!/usr/bin/env bash
# Tune the example programs in fp modes ordered and reassoc, show what was gained and what was left alone, and check that the
# rewritten programs print the same and are faster as a whole. Called as demo.sh STROP [EXAMPLE...].
set -euo pipefail
strop=$(realpath "$1")
shift
examples=$(realpath "$(dirname "$0")/examples")
work=$PWD/build/demo
flags=(gcc -O3 -march=native)
budget=${STROP_DEMO_BUDGET:-16}
[ $# -gt 0 ] || set -- $(cd "$examples" && ls ./*.c | sed 's|^\./||; s|\.c$||')

# Median of five runs of each program, taken in turns; also the check that both print the same.
compare_programs() {
	local before=$1 after=$2 i t
	"$before" >"$before.out" 2>/dev/null
	"$after" >"$after.out" 2>/dev/null
	cmp -s "$before.out" "$after.out" || { echo "prints something else"; return 1; }
	: >"$before.times"
	: >"$after.times"
	for i in 1 2 3 4 5; do
		for t in "$before" "$after"; do
			local start=$EPOCHREALTIME end
			"$t" >/dev/null 2>&1
			end=$EPOCHREALTIME
			echo "$start $end" | awk '{ printf "%.4f\n", $2 - $1 }' >>"$t.times"
		done
	done
	paste <(sort -n "$before.times" | sed -n 3p) <(sort -n "$after.times" | sed -n 3p) |
		awk '{ printf "prints the same; %.2f s before, %.2f s after: %.2fx as a whole\n", $1, $2, $1 / $2 }'
}

for mode in ordered reassoc; do
	folder=$work/$mode
	rm -rf "$folder"
	mkdir -p "$folder/original"
	cd "$folder"
	printf '\n== fp mode %s, against %s ==\n' "$mode" "${flags[*]}"
	files=()
	for name; do
		cp "$examples/$name.c" .
		cp "$examples/$name.c" original/
		files+=("$name.c")
	done
	"$strop" tune --apply --fp "$mode" --budget "$budget" "${files[@]}" -- "${flags[@]}"
	"$strop" diff >"$mode.diff"
	printf '\nwhole programs:\n'
	for name; do
		"${flags[@]}" -o "$name.before" "original/$name.c" -lm
		"${flags[@]}" -o "$name.after" "$name.c" -lm
		printf '  %-12s ' "$name"
		compare_programs "./$name.before" "./$name.after"
	done
	printf '\nthe diff: %s (%s lines)\n' "build/demo/$mode/$mode.diff" "$(wc -l <"$mode.diff")"
done
