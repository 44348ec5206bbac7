#!/usr/bin/env bash
# Versions that cheat, each held against the honest original beside it: run.sh STROP [BASE...]
# A control says in its second line the fp mode, the flags, and the verdicts that catch it. Prints a line for each and
# "controls N of M caught"; exit code 1 when one was missed.
set -uo pipefail
strop=$(realpath "$1")
shift
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export STROP_CACHE_DIR=$work/cache

field() { sed -n "2s/.*$2: \([^;*]*[^;* ]\).*/\1/p" "$1"; }

# Judge the controls of one base that share mode and flags: judge BASE "MODE|FLAGS" FILE...
judge() {
	local base=$1 mode=${2%%|*} flags=${2#*|}
	shift 2
	(cd "$work" && "$strop" verify ${SEED:+--seed $SEED} "$OLDPWD/$base/original.c" "${@/#/$OLDPWD/}" --function f --fp "$mode" -- gcc $flags) >"$work/out" 2>"$work/err"
	[ -s "$work/err" ] && sed "s|^|$base: |" "$work/err"
	for file in "$@"; do
		local got wanted
		got=$(sed -n "s|^.*/$file: \([a-z-]*\).*|\1|p" "$work/out")
		wanted=$(field "$file" verdict)
		if [[ "|$wanted|" == *"|${got:-nothing}|"* ]]; then
			echo "${file%.c}: $got, caught"
		else
			echo "${file%.c}: ${got:-no verdict}, MISSED (expected $wanted)"
		fi
	done
}

for base in "${@:-*/}"; do
	for base in $base; do
		base=${base%/}
		for file in "$base"/*.c; do
			[ "$file" = "$base/original.c" ] || echo "$(field "$file" fp)|$(field "$file" flags)"
		done | sort -u | while read -r setting; do
			files=()
			for file in "$base"/*.c; do
				[ "$file" != "$base/original.c" ] && [ "$(field "$file" fp)|$(field "$file" flags)" = "$setting" ] && files+=("$file")
			done
			judge "$base" "$setting" "${files[@]}"
		done
	done
done | tee "$work/lines"
all=$(grep -cE ', (caught|MISSED)' "$work/lines") missed=$(grep -c ', MISSED' "$work/lines")
echo "controls $((all - missed)) of $all caught"
[ "$missed" -eq 0 ] && [ "$all" -gt 0 ] && ! ls strop-left-behind "$work"/strop-left-behind >/dev/null 2>&1
