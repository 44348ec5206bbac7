# Programs that attack the judge, the machine and the compiler get nothing out, and the next one is judged. A sample: one for each way;
# test-suite/hostile/run.sh without names runs all of them.
source "$TEST_SUITE/support/cli.sh"
sample=(write_file truncate_file openat2 ring read_secret read_judge old_gate_kill exec_from_memory fork_bomb kill_judge stop_judge
	signal_groups owned_socket limit_judge trace_judge connect skip_closing resolver init_array take_over shrink_buffers
	grow_buffers forge_message fill_socket overwrite_runner silent_fault large_object embed_secret include_secret)
TMPDIR=$PWD bash "$TEST_SUITE/hostile/run.sh" "$strop" "${sample[@]}" >out 2>&1 || { grep -v ', contained$' out; die "something got out"; }
shows "^hostile \([0-9]*\) of \1 contained"
