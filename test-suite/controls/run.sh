#!/usr/bin/env bash
# Versions that cheat, and in honest/ versions that do not, each held against the original: run.sh STROP [BASE...]
# A version says in its second line the fp mode, the flags, and the verdicts that are right. Prints a line for each, then
# "controls N of M caught" and "legitimate N of M accepted"; exit code 1 when one verdict was wrong. SEED fixes the inputs.
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
			[ "$wanted" = equal ] && echo "${file%.c}: accepted" || echo "${file%.c}: $got, caught"
		elif [ "$wanted" = equal ]; then
			echo "${file%.c}: BLOCKED: $(sed -n "s|^.*/$file: ||p" "$work/out")"
		else
			echo "${file%.c}: ${got:-no verdict}, MISSED (expected $wanted)"
		fi
	done
}

for base in "${@:-*/}"; do
	for base in $base; do
		base=${base%/}
		for file in "$base"/*.c "$base"/honest/*.c; do
			[ "$file" = "$base/original.c" ] || echo "$(field "$file" fp)|$(field "$file" flags)"
		done | sort -u | while read -r setting; do
			files=()
			for file in "$base"/*.c "$base"/honest/*.c; do
				[ "$file" != "$base/original.c" ] && [ "$(field "$file" fp)|$(field "$file" flags)" = "$setting" ] && files+=("$file")
			done
			judge "$base" "$setting" "${files[@]}"
		done
	done
done | tee "$work/lines"
count() { grep -cE "$1" "$work/lines"; }
echo "controls $(count ', caught$') of $(count ', (caught$|MISSED)') caught"
echo "legitimate $(count ': accepted$') of $(count ': (accepted$|BLOCKED)') accepted"
[ "$(count 'MISSED|BLOCKED')" -eq 0 ] && [ "$(count 'caught$|accepted$')" -gt 0 ] && ! ls strop-left-behind "$work"/strop-left-behind >/dev/null 2>&1
