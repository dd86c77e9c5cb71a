# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# For the other scripts of this folder: sets bin, top and work (a new folder, made the current one), and
# counts failures.
set -u
build=$(realpath "${1:-.}")
# shellcheck disable=SC2034 # the scripts use it
top=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
bin=$build/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export PATH=$bin:$PATH ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 LC_ALL=C
wrong=0

fail() {
    echo "WRONG: $*"
    wrong=$((wrong + 1))
}

# expect STATUS PATTERN COMMAND...: the command must exit so, and its output (both streams) match the pattern.
expect() {
    local status=$1 pattern=$2 got
    shift 2
    "$@" >out 2>&1 </dev/null
    got=$?
    [ $got -eq "$status" ] || fail "$*: status $got, expected $status: $(cat out)"
    grep -qE -e "$pattern" out || fail "$*: '$pattern' is not in: $(cat out)"
}

# in_share: whether this case is played, of many alike: one in TEST_SHARE (tests/seed.h).
cases_alike=0
in_share() {
    cases_alike=$((cases_alike + 1))
    [ $((cases_alike % ${TEST_SHARE:-1})) -eq 0 ]
}

finish() {
    echo "$wrong wrong"
    exit $((wrong > 0))
}
