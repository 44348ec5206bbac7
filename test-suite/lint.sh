#!/usr/bin/env bash
# Warnings of gcc and clang over every source, static analysis where cppcheck is there, and the house rules on text.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0

warn_with() {
	local compiler=$1 folder=build/lint-$1
	command -v "$compiler" >/dev/null || { echo "lint: no $compiler here, skipped"; return; }
	cmake -S . -B "$folder" -G Ninja -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS=-Werror >/dev/null
	cmake --build "$folder" -- --quiet -k 0 || status=1
}

warn_with gcc
for clang in clang clang-22 clang-19; do
	command -v $clang >/dev/null && { warn_with $clang; break; }
done
if command -v cppcheck >/dev/null; then
	cppcheck --quiet --std=c11 --enable=warning,portability --inline-suppr --error-exitcode=1 -I . \
		--suppress=missingInclude --suppress=normalCheckLevelMaxBranches \
		support ir plugin rewrite verifier profiler policy tools || status=1
fi
if git grep -nIE '[[:blank:]]+$' -- '*.c' '*.h' '*.def' '*.sh' run; then
	echo "lint: white space at the end of a line"
	status=1
fi
exit $status
