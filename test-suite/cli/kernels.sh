# Versions that do not cheat are accepted, all of them, under one seed.
source "$TEST_SUITE/support/cli.sh"
SEED=1 bash "$TEST_SUITE/kernels/run.sh" "$strop" >out 2>&1 || { grep -v ': accepted' out; die "a version was blocked"; }
shows "^legitimate \([0-9]*\) of \1 accepted"
