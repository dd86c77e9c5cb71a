#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# .ci/failed shows what failed in a run of CTest: the names, and the last 40 lines of each; without such a run, the part's
# own last lines.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "WRONG: $*"
    exit 1
}
cat >CTestTestfile.cmake <<'END'
add_test(good sh -c "echo fine")
add_test(first.long sh -c "seq 1 100; exit 1")
add_test(second sh -c "echo of the second; exit 3")
add_test(first sh -c "echo another name")
END
touch -d '1 minute ago' begun
touch -d '1 hour' later
ctest --output-on-failure >log 2>&1 && fail "ctest did not fail"

"$top/.ci/failed" check log "$work" begun >out
{
    echo "== check: first.long failed; the end of its output:"
    seq 61 100
    echo "== check: second failed; the end of its output:"
    echo "of the second"
    echo "== check: failed tests: first.long second"
} >wanted
diff wanted out || fail "what is shown of failed tests"

# Not this run's failures: the build failed, or the part has no tests.
for args in "$work later" ""; do
    # shellcheck disable=SC2086 # two words, or none
    "$top/.ci/failed" lint log $args >out
    { echo "== lint: the end of its output:" && tail -n 40 log; } | diff - out || fail "the end of a part: '$args'"
done
