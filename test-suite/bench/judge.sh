#!/usr/bin/env bash
# What judge and stopwatch are worth, in one table: judge.sh STROP BUILD [--quick] [--trials N] [--only ROW]... [--out FILE]
# BUILD holds bench_stopwatch. --quick takes few trials and mutants and writes no file; else the table goes to FILE
# (docs/results/DATE-judge.md). Exit code 1 when a row misses its mark or cannot be made.
set -uo pipefail
strop=$(realpath "$1") trials_of=$(realpath "$2")/bench_stopwatch
shift 2
here=$(realpath "$(dirname "$0")")
suite=$(dirname "$here")
quick='' trials=1000 out=$suite/../docs/results/$(date +%F)-judge.md rows=()
all_rows=(controls mutants kernels hostile identity speedup outside speed)
while [ $# -gt 0 ]; do
	case "$1" in
	--quick) quick=1 trials=16; shift ;;
	--trials) trials=$2; shift 2 ;;
	--only) rows+=("$2"); shift 2 ;;
	--out) out=$(realpath -m "$2"); shift 2 ;;
	*) echo "bench judge: unknown word '$1'" >&2; exit 2 ;;
	esac
done
[ ${#rows[@]} -gt 0 ] || rows=("${all_rows[@]}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export STROP_CACHE_DIR=$work/cache
flags=(gcc -O3 -march=native)
failed=0

say() { printf '%s\n' "$*" >&2; }

# Add a line to the table: row WHAT WANTED FOUND COMMAND HOLDS, where HOLDS is 0 when the mark is reached.
row() {
	local mark=yes
	[ "$5" -eq 0 ] || { mark='**no**'; failed=1; }
	printf '| %s | %s | %s | %s | `%s` |\n' "$1" "$2" "$3" "$mark" "$4" | tee -a "$work/table" >&2
}

# Run another script of the suite once for each word, a few at a time, since some of the programs use all cores: suite_run SCRIPT WORD...
suite_run() {
	local script=$1
	shift
	say "$script ..."
	printf '%s\0' "$@" | xargs -0 -P "$(($(nproc) > 8 ? $(nproc) / 4 : 2))" -n 1 "$suite/$script" "$strop" >"$work/suite" 2>"$work/suite.err"
	suite_code=$?
	grep -E 'MISSED|BLOCKED|NOT CONTAINED' "$work/suite" >&2
	[ "$script" != mutants/run.sh ] || grep -v '^mutants' "$work/suite" >&2
}

# A row from all lines "NAME N of M ..." that the script has printed: suite_row WHAT WANTED LEAST-SHARE NAME COMMAND
suite_row() {
	local found n m
	found=$(sed -n "s/^$4 \([0-9]*\) of \([0-9]*\).*/\1 \2/p" "$work/suite" | awk '{ n += $1; m += $2 } END { print n + 0, m + 0 }')
	read -r n m <<<"$found"
	awk -v n="$n" -v m="$m" -v s="$3" 'BEGIN { exit !(m > 0 && n >= s * m) }'
	row "$1" "$2" "$n of $m" "$5" $(($? || suite_code))
}

# Trials of the stopwatch in a process for each core, spread over the regions of FILE, or over seeds where cores are more than these:
# run_trials KIND FILE REGIONS TRIALS; sets accepted and done.
run_trials() {
	local kind=$1 file=$2 n=$4 part parts seed seeds jobs=()
	parts=$(($(nproc) < $3 ? $(nproc) : $3))
	seeds=$(($(nproc) / parts))
	for seed in $(seq "$seeds"); do
		for part in $(seq "$parts"); do
			"$trials_of" "$kind" $((n * seed / seeds - n * (seed - 1) / seeds)) "$seed" "$part/$parts" "$file" -- "${flags[@]}" \
				>"$work/$kind.$seed.$part" 2>"$work/$kind.$seed.$part.err" &
			jobs+=($!)
		done
	done
	wait "${jobs[@]}"
	cat "$work/$kind".*.err >&2
	read -r accepted done < <(sed -n "s/^$kind: \([0-9]*\) of \([0-9]*\) accepted/\1 \2/p" "$work/$kind".* |
		awk '{ a += $1; d += $2 } END { print a + 0, d + 0 }')
}

trials_command() { echo "bench_stopwatch $1 $3 1 1/1 test-suite/bench/$2 -- ${flags[*]}"; }

identity_row() {
	say "identity, $trials trials ..."
	local start=$SECONDS missed
	run_trials identity "$here/identity.c" 8 "$trials"
	awk -v a="$accepted" -v d="$done" -v n="$trials" 'BEGIN { exit !(d == n && 100 * a < d) }'
	missed=$?
	row 'identity, the best of 64 layouts, accepted as faster' 'under 1 %' "$accepted of $done ($((SECONDS - start)) s)" \
		"$(trials_command identity identity.c "$trials")" "$missed"
}

speedup_row() {
	local n=$((quick ? 16 : trials < 200 ? trials : 200)) start=$SECONDS missed
	say "speed-ups of 8 %, $n trials ..."
	run_trials speedup "$here/eight.c" 4 "$n"
	awk -v a="$accepted" -v d="$done" -v n="$n" 'BEGIN { exit !(d == n && a >= 0.9 * d) }'
	missed=$?
	row 'true speed-ups of 8 % accepted' 'at least 90 %' "$accepted of $done ($((SECONDS - start)) s)" "$(trials_command speedup eight.c "$n")" "$missed"
}

# The median of the numbers on standard input.
median() { sort -g | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }

# The least wall time of a program over hyperfine's runs: least_time PROGRAM
least_time() {
	hyperfine -N --style none --runs $((quick ? 2 : 4)) --export-json "$work/times.json" "$1" >/dev/null 2>&1 || return 1
	sed -n '/"times"/,/]/p' "$work/times.json" | grep -oE '[0-9]+\.[0-9]+(e-?[0-9]+)?' | sort -g | head -1
}

# The ratio before/after of a whole program by hyperfine, its code at place number LAYOUT: outside_ratio NAME LAYOUT
outside_ratio() {
	local side times=()
	for side in before after; do
		"${flags[@]}" "-DLAYOUT=$2" -o "$work/$1.$side" "$here/outside/$1.$side.c" -lm || return 1
		times+=("$(least_time "$work/$1.$side")")
	done
	awk -v b="${times[0]}" -v a="${times[1]}" 'BEGIN { print b / a }'
}

# The same function's ratio by strop: inside_ratio NAME SIZES SEED
inside_ratio() {
	"$strop" verify "$here/outside/$1.before.c" "$here/outside/$1.after.c" --function f --time --json --seed "$3" --sizes "$2" -- "${flags[@]}" |
		sed -n 's/.*"speedup": *\([0-9.e+-]*\).*/\1/p'
}

# Both in turns, in files "outside" and "inside": take_ratios NAME SIZES
take_ratios() {
	local layout
	: >"$work/outside"
	: >"$work/inside"
	for layout in $(seq $((quick ? 3 : 12))); do
		outside_ratio "$1" "$layout" >>"$work/outside"
		[ $((layout % 3)) -ne 0 ] || inside_ratio "$1" "$2" "$layout" >>"$work/inside"
	done
}

outside_row() {
	local found='' worst=0 name sizes inside outside differ
	if ! command -v hyperfine >/dev/null; then
		row 'agreement with an outside timer' 'within 2 %' 'skipped: hyperfine is not installed' 'hyperfine -N' 1
		return
	fi
	say 'outside timer ...'
	while read -r name sizes; do
		take_ratios "$name" "$sizes"
		outside=$(median <"$work/outside") inside=$(median <"$work/inside")
		if ! awk -v i="$inside" -v o="$outside" 'BEGIN { exit !(i > 0 && o > 0) }'; then
			row 'agreement with an outside timer' 'within 2 %' "$name: no ratio" 'hyperfine -N' 1
			return
		fi
		differ=$(awk -v i="$inside" -v o="$outside" 'BEGIN { d = 100 * (i / o - 1); print (d < 0 ? -d : d) }')
		found+=$(printf '%s%s %.3f by hyperfine, %.3f by strop' "${found:+; }" "$name" "$outside" "$inside")
		worst=$(awk -v a="$worst" -v b="$differ" 'BEGIN { printf "%.2f", (a > b ? a : b) }')
	done <<-LIST
	product n=64
	roots n=24,m=40
	chain n=64
	LIST
	awk -v w="$worst" 'BEGIN { exit !(w <= 2) }'
	row 'agreement with an outside timer on whole programs' 'within 2 %' "$found: $worst % at most" 'hyperfine -N --runs 4 BEFORE in 12 layouts; strop verify BEFORE AFTER --function f --time with 4 seeds' $?
}

speed_row() {
	say 'candidates a second ...'
	local line
	line=$("$here/bench.sh" "$strop" speed | tail -1)
	[[ "$line" =~ ([0-9.]+)\ a\ second ]]
	awk -v r="${BASH_REMATCH[1]:-0}" 'BEGIN { exit !(r >= 4) }'
	row 'candidates judged and timed a second, on one core' '4' "${line#speed: }" './run bench speed' $?
}

for name in "${rows[@]}"; do
	case "$name" in
	controls)
		suite_run controls/run.sh $(cd "$suite/controls" && ls -d */)
		suite_row 'controls caught' 'all' 1 controls 'test-suite/controls/run.sh STROP'
		suite_row 'legitimate versions of the same functions accepted' 'all' 1 legitimate 'test-suite/controls/run.sh STROP'
		;;
	mutants)
		suite_run mutants/run.sh $((quick ? 40 : 1))
		suite_row 'mutants rejected' '99.5 %' 0.995 mutants 'test-suite/mutants/run.sh STROP'
		;;
	kernels)
		suite_run kernels/run.sh $(cd "$suite/kernels" && ls -d */)
		suite_row 'legitimate versions of more functions accepted' 'all' 1 legitimate 'test-suite/kernels/run.sh STROP'
		;;
	hostile)
		suite_run hostile/run.sh $(cd "$suite/hostile" && ls programs/*.c)
		suite_row 'hostile programs contained' 'all' 1 hostile 'test-suite/hostile/run.sh STROP'
		;;
	identity) identity_row ;;
	speedup) speedup_row ;;
	outside) outside_row ;;
	speed) speed_row ;;
	*) say "bench judge: there is no row '$name': ${all_rows[*]}"; exit 2 ;;
	esac
done
[ -n "$quick" ] && out=$work/report
{
	printf '# Judge and stopwatch\n\n'
	printf 'Machine: %s, %s cores; %s; %s. Date: %s. Commit %s.\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)" "$(nproc)" \
		"$(uname -sr)" "$(gcc --version | head -1)" "$(date +%F)" "$(git -C "$suite" rev-parse --short HEAD 2>/dev/null || echo unknown)"
	printf 'Load while it ran: %s. Made by `./run bench judge%s`.\n\n' "$(cut -d' ' -f1-3 /proc/loadavg)" "$([ "$trials" = 1000 ] || echo " --trials $trials")"
	printf '| what | wanted | found | reached | command |\n|---|---|---|---|---|\n'
	cat "$work/table"
} >"$out"
cat "$out"
exit "$failed"
