# Versions that cheat are caught, and those that do not are accepted, all of them, under one seed.
source "$TEST_SUITE/support/cli.sh"
SEED=1 bash "$TEST_SUITE/controls/run.sh" "$strop" >out 2>&1 || { grep -v ', caught' out; die "a verdict was wrong"; }
shows "^controls \([0-9]*\) of \1 caught"
shows "^legitimate \([0-9]*\) of \1 accepted"
