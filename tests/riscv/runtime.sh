#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The runtime of <xbgas_rt.h> and the examples, on simulated cores: right results, the same ones in every run.
. "$(dirname "$0")/../cli/lib.sh"
export PATH=$bin/wrappers:$PATH

# compiled NAME OPTIONS...: a program; nothing is said.
compiled() {
    local name=$1
    shift
    xbgas-cc "$@" -lxbgas -o "$name" >out 2>&1 || fail "$*: $(cat out)"
    [ -s out ] && fail "$*: said $(cat out)"
}

# prints LINE OPTIONS... PROGRAM: on all runs.
prints() {
    local line=$1
    shift
    for run in 1 2; do
        timeout 100 pgasim riscv --json "figures.$run" "$@" >got 2>err || fail "$*: status $?: $(cat err)"
        [ "$(cat got)" = "$line" ] || fail "$*: printed $(cat got), expected $line"
        grep -o '"simulated[^,]*' "figures.$run" >"time.$run"
    done
    [ -s time.1 ] || fail "no simulated time in $(cat figures.1)"
    cmp time.1 time.2 || fail "$*: two runs differ"
}

systems=("")
if command -v riscv64-linux-gnu-gcc >/dev/null; then
    systems+=(--linux)
fi
for system in "${systems[@]}"; do
    # shellcheck disable=SC2086 # no word, or one
    compiled runtime $system -O2 "$top/tests/riscv/programs/runtime.c"
    for n in 1 2 3 4 6 9; do
        prints "$n PEs, 0 wrong" -np $n runtime
    done
    # shellcheck disable=SC2086
    compiled hello $system -O1 "$top/examples/riscv/hello.c"
    prints "64 cores, their numbers add up to 2016" -np 64 hello
done
compiled runtime -O0 -march=rv64imac -mabi=lp64 "$top/tests/riscv/programs/runtime.c"
prints "5 PEs, 0 wrong" -np 5 runtime
compiled runtime --xbgas-map=2020 "$top/tests/riscv/programs/runtime.c"
prints "5 PEs, 0 wrong" --xbgas-map 2020 -np 5 runtime

# Both ways to count; hot bins. The fullest bin: by a model in another language.
for size in "64 10" "2 114"; do
    read -r bins fullest <<<"$size"
    for way in CARD LOCK; do
        compiled histogram -O2 "-D$way" "-DBINS=$bins" "$top/examples/riscv/histogram.c"
        prints "6 cores counted 1200 numbers in $((6 * bins)) bins; the fullest has $fullest" -np 6 histogram
    done
done

# A heap that is too small, and a block that never fits.
cat >full.c <<'C'
#include <stdio.h>
#include <xbgas_rt.h>
int main(void)
{
    xbgas_init();
    int blocks = 0;
    while (xbgas_malloc(1000))
        blocks++;
    if (xbgas_my_pe() == 1)
        printf("%d\n", blocks > 500 && blocks < 1100);
    xbgas_finalize();
    return 0;
}
C
compiled full full.c
prints 1 -np 2 full
finish
