#!/usr/bin/env bash
# Subtle faults in versions that are right: run.sh STROP [EVERY [FIRST]]
# Makes the mutants of each original and honest version of ../controls, takes every EVERY-th (1) from FIRST (0) on, and judges
# them. Those that do not compile do not count; those listed in equivalent.txt do what the original does. Prints the survivors
# and "mutants R of M rejected (E equivalent)"; exit code 1 when more than one in two hundred
# survives.
set -uo pipefail
strop=$(realpath "$1")
every=${2:-1} first=${3:-0}
here=$(cd "$(dirname "$0")" && pwd)
controls=$here/../controls
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export STROP_CACHE_DIR=$work/cache
export strop every first controls work
cc -O1 -o "$work/mutate" "$here/mutate.c" || exit 2
field() { sed -n "2s/.*$2: \([^;*]*[^;* ]\).*/\1/p" "$1"; }

# Judge the mutants of a version: judge BASE FILE
judge() {
	local base=$1 file=$2 mode flags name own files=()
	name=${file#"$controls"/}
	name=${name%.c}
	mode=$(field "$file" fp) flags=$(field "$file" flags)
	own=$(mktemp -d -p "$work")
	"$work/mutate" "$file" "$own" >"$own/list"
	while read -r number rest; do
		[ $(((number + first) % every)) -eq 0 ] && files+=("$own/$number.c")
	done <"$own/list"
	[ ${#files[@]} -gt 0 ] || return
	(cd "$own" && "$strop" verify "$controls/$base/original.c" "${files[@]}" --function f --fp "${mode:-ordered}" ${SEED:+--seed $SEED} \
		-- gcc ${flags:--O2 -march=native}) 2>"$own/err" | sed -n "s|^$own/\([0-9]*\).c: \([a-z-]*\).*|\1 \2|p" |
		while read -r number verdict; do
			echo "$verdict $name $(grep -m1 "^$number " "$own/list" | cut -d' ' -f2-)"
		done
	[ -s "$own/err" ] && sed "s|^|$name: |" "$own/err" >&2
	rm -rf "$own"
}
export -f field judge

for base in "$controls"/*/; do
	base=$(basename "$base")
	for file in "$controls/$base"/original.c "$controls/$base"/honest/*.c; do
		[ -e "$file" ] && echo "$base $file"
	done
done | xargs -P "$(nproc)" -n 2 bash -c 'judge "$@"' judge | sort >"$work/verdicts"
grep -v '^no-compile ' "$work/verdicts" >"$work/counted"
grep '^equal ' "$work/counted" | cut -d' ' -f2- >"$work/survivors"
grep -Fxf <(grep -v '^#' "$here/equivalent.txt" | sed 's/ | .*//') "$work/survivors" >"$work/known"
grep -Fxvf "$work/known" "$work/survivors" >"$work/alive"
cat "$work/alive"
all=$(wc -l <"$work/counted") known=$(wc -l <"$work/known") alive=$(wc -l <"$work/alive")
echo "mutants $((all - known - alive)) of $((all - known)) rejected ($known equivalent)"
[ $((200 * alive)) -le "$((all - known))" ] && [ "$all" -gt 0 ]
