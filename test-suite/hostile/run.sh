#!/usr/bin/env bash
# Hostile programs, each judged by `strop verify` with an honest one behind it: run.sh STROP [PROGRAM...]
# A program says in its second line the verdicts that are right, and the layer of the sandbox that it needs, if one alone holds it: it is
# passed over where the system lacks that. It is contained when the verdict is one of
# these, the honest one is accepted behind it, and the witness saw nothing get out: no file created, changed or read outside, no
# connection, no signal, no process left behind, no judge that was killed or hung, no flood of memory, disk or output.
# Prints a line for each, then "hostile N of M contained"; exit code 1 when one was not.
set -uo pipefail
strop=$(realpath "$1")
shift
cd "$(dirname "$0")"
suite=$PWD
work=$(mktemp -d "${TMPDIR:-/tmp}/hostile-XXXXXX")
trap 'rm -rf "$work"' EXIT
export STROP_CACHE_DIR=$work/cache
cc -O1 -o "$work/witness" witness.c || exit 2

"$strop" doctor >"$work/doctor" 2>&1

field() { sed -n "2s/.*$2: \([^;*]*[^;* ]\).*/\1/p" "$1"; }
outside() { (cd "$work/outside" && find . -printf '%p %m %s %u %T@ %l\n' | sort && cat precious); }

# What got out of the run of program $1, a word or two for each thing; nothing where nothing did.
findings() {
	local wanted got name value
	wanted=$(field "$1" verdict)
	got=$(sed -n "s|^.*/$1: \([a-z-]*\).*|\1|p" "$work/out" | head -1)
	[[ "|$wanted|" == *"|${got:-nothing}|"* ]] || echo "verdict ${got:-none} instead of $wanted"
	grep -q "/unrolled.c: equal" "$work/out" || echo "the next one was not accepted"
	[ "$(outside)" = "$before" ] || echo "something outside changed"
	grep -qr "$secret" "$work/out" "$work/err" "$work/tmp" && echo "the secret is out"
	[ -z "$(ls -A "$work/tmp")" ] || echo "files were left in the scratch folder"
	LC_ALL=C grep -q '[^[:print:][:space:]]' "$work/out" && echo "control characters"
	[ "$(stat -c %s "$work/out")" -lt 20000 ] || echo "a flood of output"
	while read -r name value; do
		case $name in
		ended) [ "$value" = itself ] || echo "the judge was $value" ;;
		connected | signals | leftovers) [ "$value" -eq 0 ] || echo "$name" ;;
		megabytes) [ "$value" -lt 10000 ] || echo "it took $value MiB" ;;
		esac
	done <"$work/report"
	[ -s "$work/report" ] || echo "the witness died"
}

judge() {
	local file=$1 found needs
	needs=$(field "$file" needs)
	if [ -n "$needs" ] && grep -q "^sandbox  *$needs .*NOT AVAILABLE" "$work/doctor"; then
		echo "$(basename "$file" .c): passed over, the system has no $needs"
		return
	fi
	rm -rf "$work/outside" "$work/tmp" "$work/report"
	mkdir "$work/outside" "$work/tmp"
	secret=secret$RANDOM$RANDOM$RANDOM
	echo "$secret leak;" >"$work/outside/secret"
	echo "int $secret(void) { return $secret; }" >"$work/outside/secret.c"
	echo precious >"$work/outside/precious"
	before=$(outside)
	(cd "$work/tmp" && TMPDIR=$work/tmp HOSTILE_SECRET=$secret "$work/witness" 170 "$work/report" "$strop" verify "$suite/original.c" \
		"$suite/$file" "$suite/honest/unrolled.c" --function f -- gcc -O2 "-I$suite/../../verifier" \
		"-DOUTSIDE=\"$work/outside\"" -DPORT=STROP_HOSTILE_PORT \
		"-DSECRET=\"$work/outside/secret\"" "-DSECRET_SOURCE=\"$work/outside/secret.c\"") >"$work/out" 2>"$work/err"
	found=$(findings "$file")
	if [ -z "$found" ]; then
		echo "$(basename "$file" .c): $(sed -n "s|^.*/$file: \([a-z-]*\).*|\1|p" "$work/out"), contained"
	else
		echo "$(basename "$file" .c): NOT CONTAINED: $(paste -sd ';' <<<"$found")"
		sed 's/^/    /' "$work/out" "$work/err" | head -c 1500
	fi
}

if [ $# -eq 0 ]; then
	set -- programs/*.c
fi
for file in "$@"; do
	judge "programs/$(basename "$file" .c).c"
done | tee "$work/lines"
count() { grep -cE "$1" "$work/lines"; }
echo "hostile $(count ', contained$') of $(count ', contained$|: NOT CONTAINED') contained"
[ "$(count ': NOT CONTAINED')" -eq 0 ] && [ "$(count ', contained$')" -gt 0 ]
