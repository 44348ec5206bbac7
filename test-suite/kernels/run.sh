#!/usr/bin/env bash
# Honest versions of more functions, each held against the original in its folder, in the format of ../controls: run.sh STROP [BASE...]
# Prints a line for each, then "legitimate N of M accepted"; exit code 1 when one was not. SEED fixes the inputs.
set -o pipefail
strop=$(realpath -e "$1") || exit 2
shift
cd "$(dirname "$0")"
bases=("$@")
[ $# -gt 0 ] || bases=(*/)
bash -O nullglob ../controls/run.sh "$strop" "${bases[@]/#/../kernels/}" | grep -v '^controls 0 of 0' | sed 's|^../kernels/||'
