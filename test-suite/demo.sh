#!/usr/bin/env bash
# Tune the example programs in fp modes ordered and reassoc, show what was gained and what was left alone, and check that the
# rewritten programs print the same and are faster as a whole. Called as demo.sh STROP [EXAMPLE...].
# STROP_DEMO_BUDGET is the number of candidates for each region.
set -euo pipefail
strop=$(realpath "$1")
shift
examples=$(realpath "$(dirname "$0")/examples")
work=$PWD/build/demo
flags=(gcc -O3 -march=native)
budget=${STROP_DEMO_BUDGET:-12}
shown=15
status=0
[ $# -gt 0 ] || set -- $(cd "$examples" && ls ./*.c | sed 's|^\./||; s|\.c$||')

heading() {
	printf '\n%s\n%s\n' "$1" "${1//?/=}"
}

# The regions that became faster, from the table that tune prints.
show_faster() {
	printf '\n  speed-up  interval          region\n'
	awk '$1 ~ /x$/ && $2 ~ /^\[/ { printf "  %7s   %-16s  %s\n", $1, $2 " " $3, $4 }
	     $2 == "geomean" { last = $0 }
	     END { sub(/^ */, "", last); sub(/,/, " found,", last); printf "\n  %s; a region left alone counts 1.00x\n", last }' "$1"
}

# What was left alone, the reasons that say most first: losers, then loops that were not lifted, then what is cold.
show_left() {
	local count
	awk '/^ +1\.00x +left alone/ { sub(/^ +1\.00x +left alone +/, ""); print (/ cold: / ? 3 : 1) "\t" $0 }
	     /^ +not lifted/ { sub(/^ +not lifted +/, ""); print 2 "\t" $0 }' "$1" |
		sort -s -k1,1n | cut -f2 >"$1.left"
	count=$(wc -l <"$1.left")
	[ "$count" -gt 0 ] || return 0
	printf '\n  left alone, and why:\n'
	head -n "$shown" "$1.left" | sed -E 's/^([^ ]+): ([a-z-]+): (.*)$/\1\t\3/' |
		awk -F '\t' '{ text = $2; if (length(text) > 76) text = substr(text, 1, 73) "..."; printf "    %-36s  %s\n", $1, text }'
	[ "$count" -le "$shown" ] || printf '    and %d more (strop explain says all)\n' $((count - shown))
}

# The seconds that a run of program "$1" takes.
time_program() {
	local start=$EPOCHREALTIME end
	"$1" >/dev/null 2>&1
	end=$EPOCHREALTIME
	echo "$start $end" | awk '{ printf "%.4f\n", $2 - $1 }'
}

# One line on "$1.before" and "$1.after": whether both print the same, and medians of five runs taken in turns.
compare_programs() {
	local before=./$1.before after=./$1.after i
	"$before" >"$before.out" 2>/dev/null
	"$after" >"$after.out" 2>/dev/null || true
	if ! cmp -s "$before.out" "$after.out"; then
		printf '    %-12s  PRINTS SOMETHING ELSE\n' "$1"
		diff "$before.out" "$after.out" | sed 's/^/      /' || true
		status=1
		return
	fi
	: >"$before.times"
	: >"$after.times"
	for i in 1 2 3 4 5; do
		time_program "$before" >>"$before.times"
		time_program "$after" >>"$after.times"
	done
	paste <(sort -n "$before.times" | sed -n 3p) <(sort -n "$after.times" | sed -n 3p) |
		awk -v name="$1" '{ printf "    %-12s  %6.2f s -> %5.2f s  %6.2fx  prints the same\n", name, $1, $2, $1 / $2 }'
}

for mode in ordered reassoc; do
	folder=$work/$mode
	rm -rf "$folder"
	mkdir -p "$folder/original"
	cd "$folder"
	heading "fp mode $mode, against ${flags[*]}"
	files=()
	for name; do
		cp "$examples/$name.c" .
		cp "$examples/$name.c" original/
		files+=("$name.c")
	done
	"$strop" tune --apply --no-diff --fp "$mode" --budget "$budget" "${files[@]}" -- "${flags[@]}" >tune.txt
	"$strop" diff >"$mode.diff"
	show_faster tune.txt
	show_left tune.txt
	printf '\n  whole programs, medians of five runs:\n'
	for name; do
		"${flags[@]}" -o "$name.before" "original/$name.c" -lm
		"${flags[@]}" -o "$name.after" "$name.c" -lm
		compare_programs "$name"
	done
	printf '\n  the diff: %s (%s lines)\n' "build/demo/$mode/$mode.diff" "$(wc -l <"$mode.diff")"
done
printf '\n%d:%02d minutes\n' $((SECONDS / 60)) $((SECONDS % 60))
exit "$status"
