# A sample of the mutants of versions that are right: those that are not known to be equivalent are rejected.
source "$TEST_SUITE/support/cli.sh"
SEED=1 bash "$TEST_SUITE/mutants/run.sh" "$strop" 97 >out 2>err || { cat out err >&2; die "a mutant survives"; }
grep -Eq '^mutants [1-9][0-9]+ of [1-9][0-9]+ rejected' out || die "too few mutants were made"
