# Bad input: one clear line, the right exit code, nothing lost.
source "$TEST_SUITE/support/cli.sh"
write_kernel k.c

expect 2 "$strop"
expect 2 "$strop" nonsense; says "no command 'nonsense'"; one_line
expect 0 "$strop" --help
expect 0 "$strop" tune --help; shows "example:"
expect 2 "$strop" scan --no-such; says "no option"; one_line
expect 2 "$strop" scan missing.c -- gcc; says "missing.c"; one_line
expect 2 "$strop" scan -p nowhere; says "nowhere"; one_line
mkdir -p broken && echo '[{' >broken/compile_commands.json
expect 2 "$strop" scan -p broken; says "compile_commands.json"; one_line
mkdir -p empty && echo '[]' >empty/compile_commands.json
expect 2 "$strop" scan -p empty; says "compile_commands.json"; one_line
echo 'int f( {' >syntax.c
expect 2 "$strop" scan syntax.c -- gcc; says "syntax.c:1"; one_line
expect 2 "$strop" tune k.c --fp sloppy -- gcc; says "fp mode"; one_line
expect 2 "$strop" tune k.c --budget 0 -- gcc; says "budget"; one_line
expect 2 "$strop" tune k.c --policy none -- gcc; says "policy"; one_line
expect 2 "$strop" tune k.c --sizes n -- gcc -O2; says "sizes"; one_line
expect 2 "$strop" apply; says "run strop tune first"; one_line

printf 'version: 99\ndecisions: []\n' >strop.lock
expect 2 "$strop" tune k.c -- gcc -O2; says "newer strop"; one_line
grep -q 'version: 99' strop.lock || die "the newer lock was changed"
printf 'version: [\n' >strop.lock
expect 2 "$strop" tune k.c -- gcc -O2; one_line
grep -q 'version: \[' strop.lock || die "the broken lock was changed"
rm strop.lock

printf 'fp: ordered\nspeed: high\n' >.strop.yaml
expect 2 "$strop" tune k.c -- gcc -O2; says "unknown key 'speed'"; one_line
rm .strop.yaml

write_kernel again.c
cmp k.c again.c || die "a source was changed"
expect 0 "$strop" actions; shows "^tile"
expect 0 "$strop" actions --json; shows '"name": "tile"'
