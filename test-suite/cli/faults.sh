# Faults in the commands that touch files, thinned out: sources and lock stay as before or become as after.
source "$TEST_SUITE/support/cli.sh"
bash "$TEST_SUITE/faults/run.sh" "$strop" 6 >out 2>err || { grep -v Killed out err >&2; die "a fault lost something"; }
grep -Eq '^faults ([1-9][0-9]*) of \1 kept$' out || die "no faults were made"
