# The example programs, tuned and rewritten: they build without warnings, print the same, and come back byte for byte.
source "$TEST_SUITE/support/cli.sh"
flags=(gcc -O3 -march=native)
for example in "$TEST_SUITE"/examples/*.c; do
	name=$(basename "$example" .c)
	cp "$example" .
	"${flags[@]}" -o "$name.before" "$name.c" -lm
	"./$name.before" >"$name.expected" 2>/dev/null
done
expect 0 "$strop" tune --apply --budget 2 --fp reassoc ./*.c -- "${flags[@]}"
grep -q '[1-9][0-9]* rewritten' out || { cat out; die "nothing was rewritten"; }
for example in "$TEST_SUITE"/examples/*.c; do
	name=$(basename "$example" .c)
	"${flags[@]}" -Wall -Wextra -Werror -o "$name.after" "$name.c" -lm || die "$name.c has warnings now"
	"./$name.after" >"$name.printed" 2>/dev/null || die "$name fails its own checks now"
	cmp "$name.expected" "$name.printed" || die "$name prints something else now"
done
expect 0 "$strop" revert
for example in "$TEST_SUITE"/examples/*.c; do
	cmp "$example" "$(basename "$example")" || die "revert did not restore $(basename "$example")"
done
