# The main job on one file: tune, diff, apply, revert, resume, replay, interrupt, two at once.
source "$TEST_SUITE/support/cli.sh"
flags=(gcc -O3 -march=native)
write_kernel k.c
cp k.c original.c

expect 0 "$strop" scan --nests k.c -- "${flags[@]}"
shows "add_columns:0"
shows "for j in 0..n"
expect 0 "$strop" tune k.c --budget 6 --sizes n=256 --journal j1 -- "${flags[@]}"
shows "geomean over 1 region"
grep -q 'outcome: accept' strop.lock || { cat out; die "a column walk was not made faster"; }
cmp k.c original.c || die "tune without --apply changed the source"

cp strop.lock first.lock
expect 0 "$strop" tune k.c --budget 6 --sizes n=256 -- "${flags[@]}"
cmp strop.lock first.lock || die "a second run changed the lock"

mv strop.lock kept.lock
expect 0 "$strop" tune k.c --replay j1 -- "${flags[@]}"
cmp strop.lock first.lock || { diff strop.lock first.lock; die "the replay made another lock"; }

expect 0 "$strop" diff
cp out patch
mkdir -p copy && cp original.c copy/k.c
(cd copy && patch -s -p1 <../patch) || die "patch does not take the diff"
git init -q g && cp original.c g/k.c && (cd g && git apply ../patch) || die "git apply does not take the diff"
expect 0 "$strop" apply; shows "1 rewrite in place"
cmp k.c copy/k.c || die "apply and the diff disagree"
expect 0 "$strop" apply
cmp k.c copy/k.c || die "a second apply changed the source"
"${flags[@]}" -Wall -Werror -c k.c || die "the rewritten source has warnings"
expect 0 "$strop" tune k.c --budget 6 --sizes n=256 -- "${flags[@]}"
cmp strop.lock first.lock || die "tuning the rewritten source changed the lock"
expect 0 "$strop" explain add_columns; shows "accepted: faster"
expect 0 "$strop" revert; shows "1 rewrite taken out"
cmp k.c original.c || die "revert did not restore the bytes"

sed 's/sum\[j\] +=/sum[j] -=/' original.c >k.c
expect 0 "$strop" apply; says "left out"
grep -q strop k.c && die "a stale rewrite was applied"
cp original.c k.c

# The user's own test, failing with the rewrites in: they are taken out, exit 4.
expect 4 "$strop" tune k.c --apply --check '! grep -q strop k.c' --budget 6 --sizes n=256 -- "${flags[@]}"
cmp k.c original.c || die "a failed check left the rewrites in"

# Ctrl-C, whatever it cuts short: exit 130, sources and lock whole, and what was cut short is not kept as what came of it.
for seconds in 0.3 0.6 0.9 1.2 1.5 1.8 2.1 2.4; do
	rm -rf strop.lock cache
	"$strop" tune k.c --budget 4000 --sizes n=256 --policy random --journal cut -- "${flags[@]}" >out 2>err &
	sleep $seconds
	kill -INT $!
	code=0
	wait $! || code=$?
	[ $code -eq 130 ] || { cat err; die "Ctrl-C after $seconds s ended with $code"; }
	cmp k.c original.c || die "Ctrl-C changed the source"
	[ ! -e strop.lock ] || "$strop" explain >/dev/null || die "Ctrl-C left a broken lock"
	[ ! -e cut ] || ! grep -E '"verdict_name": ?"(timeout|crash)"' cut || die "Ctrl-C was taken for a fault of a candidate"
done

# Two at once: the second says so.
"$strop" tune k.c --budget 4000 --sizes n=256 --policy random -- "${flags[@]}" >/dev/null 2>&1 &
sleep 1.5
expect 2 "$strop" tune k.c --budget 4 -- "${flags[@]}"; says "another strop"
kill -INT %1
wait %1 || true
