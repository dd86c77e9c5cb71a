# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# For the scripts beside it: as tests/cli/lib.sh, and what they compile and look for. `plain.c`, `objects.cpp`
# and `teams.c` make the mistake that their first argument names at the PE that the second one names; without
# arguments they are right.
folder=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
# shellcheck source=tests/cli/lib.sh
. "$folder/../cli/lib.sh"
unset ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS LD_PRELOAD
# shellcheck disable=SC2034 # the scripts use it
ways=(dlopen swap)

# needs OPTION...: skips the test if the compiler cannot link with these.
needs() {
    echo 'int main(void) { return 0; }' >needs.c
    "${CC:-cc}" "$@" -o needs needs.c 2>/dev/null && return
    echo "skipped: the compiler has no $*"
    exit 77
}

# line FILE TEXT: the number of the line with the comment /* TEXT */.
line() {
    grep -n "/\* $2 \*/" "$folder/$1" | cut -d: -f1
}

# wrong STATUS RANKS WAY PROGRAM MISTAKE WHO PATTERN...: the run ends with the status, and each pattern is in
# the file `out`. No other rank is named.
wrong() {
    local status=$1 ranks=$2 way=$3 program=$4 mistake=$5 who=$6 pattern
    shift 6
    timeout 200 pgasim run -q -np "$ranks" --compute off --privatize "$way" "./$program" "$mistake" "$who" \
        >out 2>&1 </dev/null
    local got=$?
    [ $got -eq "$status" ] || fail "$program $mistake, $way: status $got, not $status: $(cat out)"
    for pattern in "$@"; do
        grep -qE -e "$pattern" out || fail "$program $mistake, $way: no '$pattern' in: $(cat out)"
    done
    if grep -E '^pgasim: error: rank' out | grep -qvE "rank ${who}[ ,:]"; then
        fail "$program $mistake, $way: another rank is named: $(cat out)"
    fi
}

# right RANKS WAY PROGRAM OUTPUT: the run ends well and prints that line, and nothing else.
right() {
    timeout 200 pgasim run -q -np "$1" --compute off --privatize "$2" "./$3" >out 2>&1 </dev/null ||
        fail "$3 on $1, $2: status $?: $(cat out)"
    [ "$(cat out)" = "$4" ] || fail "$3 on $1, $2: not just '$4': $(cat out)"
}
