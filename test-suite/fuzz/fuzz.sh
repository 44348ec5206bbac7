#!/usr/bin/env bash
# Fuzz for SECONDS: half of the time random nests under random plans, half all parsers, each as long as the others.
# usage: fuzz.sh FUZZ_PLANS PARSERS SECONDS [SEED]: the program of the first, the folder with the parse_NAME of the second.
# What libFuzzer learns stays in PARSERS/corpus for the next time, what it finds in PARSERS/found.
set -euo pipefail
plans=$1 parsers=$(realpath "$2") seconds=$3 seed=${4:-}
seeds=$(realpath "$(dirname "$0")/corpus")
status=0

"$plans" $(((seconds + 1) / 2)) $seed || status=1

programs=("$parsers"/parse_*)
share=$((seconds / 2 / ${#programs[@]}))
[ $share -ge 1 ] || share=1
mkdir -p "$parsers/found"
for program in "${programs[@]}"; do
	name=${program##*/parse_}
	log=$parsers/found/$name.log
	options=(-max_total_time=$share -timeout=20 -rss_limit_mb=2048 -print_final_stats=1
		"-artifact_prefix=$parsers/found/$name-")
	[ -z "$seed" ] || options+=("-seed=$seed")
	[ ! -e "$seeds/$name.dict" ] || options+=("-dict=$seeds/$name.dict")
	mkdir -p "$parsers/corpus/$name"
	if "$program" "${options[@]}" "$parsers/corpus/$name" "$seeds/$name" >"$log" 2>&1; then
		printf '%-9s %9d inputs\n' "$name" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
	else
		printf '%-9s failed:\n' "$name"
		grep -aE '^(parse|message): |ERROR: |runtime error: ' "$log" || true
		echo "  see $log; to try again: $program $(sed -n 's/.*Test unit written to //p' "$log")"
		status=1
	fi
done
exit $status
