# Sources that nobody here wrote (from the distribution): scan lifts loops in them and gives a reason for each other loop.
source "$TEST_SUITE/support/cli.sh"
[ -e /usr/include/stb/stb_image_resize.h ] || { echo "stb is not installed, skipped"; exit 0; }
printf '#define STB_IMAGE_RESIZE_IMPLEMENTATION\n#include <stb/stb_image_resize.h>\n' >resize.c
printf '#define STB_IMAGE_WRITE_IMPLEMENTATION\n#include <stb/stb_image_write.h>\n' >write.c
expect 0 "$strop" scan resize.c write.c -- gcc -O2
grep -q 'stb_image_resize.h' out && die "system headers are not the user's to rewrite"
cp /usr/include/stb/stb_image_resize.h /usr/include/stb/stb_image_write.h .
sed -i 's|<stb/\(.*\)>|"\1"|' resize.c write.c
expect 0 "$strop" scan --json resize.c write.c -- gcc -O2
lifted=$(grep -c '"lifted": true' out)
[ "$lifted" -ge 20 ] || die "only $lifted loops of stb lift"
[ "$(grep -c '"lifted": false' out)" -eq "$(grep -c '"sentence": "' out)" ] || die "a loop was left alone without a sentence"
