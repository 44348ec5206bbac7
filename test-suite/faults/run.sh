#!/usr/bin/env bash
# Faults in each step of the commands that touch files: run.sh STROP [SHARE]
# Every call that can fail is made to, one at a time (of allocations and the like every few), by shim.c; the process is killed and
# interrupted; locks, caches and compilers are broken. After each fault sources and lock must be as before or as after, the exit code and
# the message those of the documents, and the next run must work. Prints what was not kept, and "faults N of M kept"; exit code 1
# when one was not. SHARE thins the sweep out: 4 takes a quarter.
set -uo pipefail
strop=$(realpath "$1")
share=${2:-1}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export STROP_CACHE_DIR=$work/cache NO_COLOR=1
gcc -O1 -fPIC -shared -o shim.so "$here/shim.c" -ldl || exit 2
flags=(gcc -O3 -march=native)
tune=(tune k.c m.c --budget 2 --sizes n=192 --apply)
kept=0 all=0

write_sources() {
	cat >k.c <<-'C'
	void add_columns(int n, float *restrict sum, const float *a)
	{
		for (int j = 0; j < n; j++)
			for (int i = 0; i < n; i++)
				sum[j] += a[i * n + j];
	}
	C
	cat >m.c <<-'C'
	void weigh_columns(int n, double *restrict sum, const double *a, const double *w)
	{
		for (int j = 0; j < n; j++)
			for (int i = 0; i < n; i++)
				sum[j] += w[i] * a[i * n + j];
	}
	C
}

# The states: "before" as written, "after" with all rewrites in; locks before (none) and after.
mkdir before after tree
(cd before && write_sources)
(cd after && write_sources && "$strop" "${tune[@]}" -- "${flags[@]}" >out 2>err) || { cat after/err >&2; exit 2; }
cmp -s before/k.c after/k.c && { echo "faults: nothing was made faster" >&2; exit 2; }
cmp -s before/m.c after/m.c && { echo "faults: nothing was made faster" >&2; exit 2; }

# Put the tree into a state: set_tree before|after LOCK
set_tree() {
	rm -rf tree
	mkdir tree
	cp "$1"/[km].c tree
	[ -z "$2" ] || cp after/strop.lock tree
}

complain() { echo "$1: $2"; sed 's/^/    /' tree/err | head -3; }

# Each source as before or as after.
is_source_whole() {
	local file
	for file in k.c m.c; do
		cmp -s tree/$file before/$file || cmp -s tree/$file after/$file || return 1
	done
}

# The same, or another whole rewrite that the lock describes; the lock whole or not there.
is_whole() {
	local file
	for file in k.c m.c; do
		cmp -s tree/$file before/$file || cmp -s tree/$file after/$file || gcc -fsyntax-only tree/$file 2>>tree/err || return 1
	done
	[ ! -e tree/strop.lock ] || (cd tree && "$strop" explain >/dev/null 2>>err)
}

# One fault is over: CODE must be among those allowed, and nothing lost: judge NAME CODE ALLOWED
judge() {
	local name=$1 code=$2 allowed=$3
	all=$((all + 1))
	if [[ " $allowed " != *" $code "* ]]; then complain "$name" "exit code $code"; return; fi
	if grep -qE 'Assertion|AddressSanitizer|runtime error' tree/err; then complain "$name" 'a bug of ours'; return; fi
	if [ "$code" -ne 0 ] && [ "$code" -lt 130 ] && ! grep -q . tree/err; then complain "$name" 'no message'; return; fi
	if [ "$code" -ne 137 ] && ls tree/*.strop-* >/dev/null 2>&1; then complain "$name" 'temporary files stay'; return; fi
	if ! is_whole; then complain "$name" 'sources or lock are broken'; return; fi
	if ! (cd tree && rm -f err && "$strop" revert >out 2>err && cmp -s k.c ../before/k.c && cmp -s m.c ../before/m.c) &&
		! { [ ! -e tree/strop.lock ] && cmp -s tree/k.c before/k.c && cmp -s tree/m.c before/m.c; }; then
		complain "$name" 'cannot be taken back'
		return
	fi
	kept=$((kept + 1))
}

# Run a command under a fault: faulty KIND:N COMMAND...
faulty() {
	local fault=$1
	shift
	(cd tree && timeout 120 env STROP_FAULT="$fault" LD_PRELOAD="$work/shim.so" "$strop" "$@" >out 2>err)
}

# Sweep a kind of fault over a command: sweep STATE LOCK KIND ALLOWED STEP COMMAND...
sweep() {
	local state=$1 lock=$2 kind=$3 allowed=$4 step=$5 n
	shift 5
	n=$(sed -n "s/^$kind //p" counts)
	step=$((step * share))
	for ((i = 1; i <= n; i += step)); do
		set_tree "$state" "$lock"
		faulty "$kind:$i" "$@"
		judge "$1 $kind:$i" $? "$allowed"
	done
}

# How many calls of each kind a command makes.
count() {
	set_tree "$1" "$2"
	shift 2
	STROP_FAULT_COUNT=$work/counts faulty count "$@" || { cat tree/err >&2; exit 2; }
}

few() { local n; n=$(sed -n "s/^$1 //p" counts); echo $((n / $2 + 1)); }

# Commands that write sources: every file operation, one in some allocations.
for command in apply revert; do
	[ $command = apply ] && state=before || state=after
	count $state lock $command
	for kind in create write fsync rename; do sweep $state lock $kind '0 2 5' 1 $command; done
	sweep $state lock short '0' 1 $command
	for kind in kill-write kill-fsync kill-rename killed-rename; do sweep $state lock $kind 137 1 $command; done
	sweep $state lock alloc '0 2 5 134 139' "$(few alloc 40)" $command
done

# The main job, thinned out: it takes seconds.
count before '' "${tune[@]}" -- "${flags[@]}"
for kind in create write fsync rename fork spawn; do
	sweep before '' $kind '0 2 5' "$(few $kind 6)" "${tune[@]}" -- "${flags[@]}"
done
for kind in kill-write kill-fsync kill-rename killed-rename; do
	sweep before '' $kind '137 0' "$(few $kind 4)" "${tune[@]}" -- "${flags[@]}"
done
sweep before '' short 0 "$(few short 3)" "${tune[@]}" -- "${flags[@]}"
sweep before '' clock '0' "$(few clock 4)" "${tune[@]}" -- "${flags[@]}"
sweep before '' alloc '0 2 5 134 139' "$(few alloc 12)" "${tune[@]}" -- "${flags[@]}"

# Interrupted and killed at any time: after SECONDS by SIGNAL, the exit code.
while read -r seconds signal code; do
	set_tree before ''
	(cd tree && exec "$strop" "${tune[@]}" -- "${flags[@]}" >out 2>err) &
	sleep "$seconds"
	kill -"$signal" $! 2>/dev/null
	wait $!
	judge "tune $signal after $seconds s" $? "$code 0"
done <<-LIST
0.05 INT 130
0.4 INT 130
1.1 TERM 130
1.7 INT 130
0.7 KILL 137
2.3 TERM 130
LIST

# A compiler that is killed, fails, or hangs at its n-th call.
mkdir bin
cat >bin/flaky-gcc <<-'SH'
	#!/bin/sh
	n=$(cat "$FLAKY_COUNT" 2>/dev/null || echo 0)
	echo $((n + 1)) >"$FLAKY_COUNT"
	[ $((n % FLAKY_EVERY)) -ne $((FLAKY_EVERY - 1)) ] || kill -KILL $$
	exec gcc "$@"
SH
chmod +x bin/flaky-gcc
for every in 1 2 3 5; do
	set_tree before ''
	(cd tree && PATH=$work/bin:$PATH FLAKY_COUNT=$work/n$every FLAKY_EVERY=$every timeout 120 "$strop" "${tune[@]}" -- flaky-gcc -O3 -march=native >out 2>err)
	judge "tune with every ${every}. compiler killed" $? '0 2 3 5'
done

# Runners that are killed.
set_tree before ''
(cd tree && exec "$strop" "${tune[@]}" -- "${flags[@]}" >out 2>err) &
job=$!
while kill -0 $job 2>/dev/null; do
	pkill -KILL -P $job -f '^/proc/self/exe runner' 2>/dev/null
	sleep 0.05
done
wait $job
judge 'tune with its runners killed' $? '0 3'

# Locks that are torn at some byte: one line, and the file stays as it is.
size=$(stat -c %s after/strop.lock)
for at in 0 1 40 $((size / 4)) $((size / 2)) $((size - 40)) $((size - 2)); do
	for command in apply revert diff; do
		set_tree before lock
		head -c "$at" after/strop.lock >tree/strop.lock
		cp tree/strop.lock torn
		(cd tree && "$strop" $command >out 2>err)
		code=$?
		all=$((all + 1))
		if { [ $code -eq 2 ] || [ $code -eq 0 ]; } && cmp -s tree/strop.lock torn && [ "$(wc -l <tree/err)" -le 1 ] &&
			{ [ $code -eq 0 ] || grep -q . tree/err; } && is_source_whole; then
			kept=$((kept + 1))
		else
			complain "$command with a lock torn at $at of $size" "exit code $code"
		fi
	done
done

# Caches that are torn, foreign, read-only or gone.
cp -r cache kept-cache
for what in torn foreign read-only gone; do
	rm -rf cache
	cp -r kept-cache cache
	find cache -type f | while read -r file; do
		case $what in
		torn) head -c 1000 "$file" >cut && cat cut >"$file" ;;
		foreign) head -c 20000 /dev/urandom >"$file" ;;
		read-only) chmod a-w "$file" ;;
		gone) rm -f "$file" ;;
		esac
	done
	set_tree before ''
	(cd tree && timeout 120 "$strop" "${tune[@]}" -- "${flags[@]}" >out 2>err)
	judge "tune with a cache that is $what" $? '0 5'
done
echo "faults $kept of $all kept"
[ "$kept" -eq "$all" ] && [ "$all" -gt 0 ]
