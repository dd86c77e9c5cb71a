#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# noise.sh BUILD: noise that is known here alone is measured as runtime/calibrate does, and fitted from that file by pgasim
# calibrate. Intervals of 20 seeds with the fitted noise must hold at least 90% of runs with the true one, of other seeds.
set -eu
build=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export PATH=$build/bin:$PATH ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
fail() {
    echo "FAIL: $*"
    exit 1
}
cat >hosts.xml <<'XML'
<?xml version='1.0'?>
<platform version='4.1'>
<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="1.25GBps" lat="2us"/>
</platform>
XML
"$build/bin/wrappers/mpicc" -O1 -I"$top/runtime/calibrate" -I"$top/include" -o measured "$top/tests/calibrate/noise_measured.c" \
    "$top/runtime/calibrate/measure.c" -lm
"$build/bin/wrappers/mpicc" -O1 -I"$top/include" -o program "$top/tests/cli/noise_program.c"
run=(pgasim run --quiet --compute=off --platform hosts.xml --map-by host -np 4)
# times SEED... -- OPTION...: the simulated seconds of runs with these seeds
times() {
    local seeds=() seed
    while [ "$1" != -- ]; do
        seeds+=("$1")
        shift
    done
    shift
    for seed in "${seeds[@]}"; do
        "${run[@]}" "$@" --set noise/seed="$seed" --json one.json ./program "$steps" || fail "seed $seed"
        python3 -c 'import json; print(repr(json.load(open("one.json"))["simulated_seconds"]))'
    done
}
hidden=("noise/compute=exponential:2ms/gamma:2:30us noise/latency=quantiles:0.8=0,0.9=1us,1=8us"
    "noise/compute=constant:1ms/constant:5us;exponential:20ms/lognormal:200us:0.6"
    "noise/compute=gamma:3:5ms/pareto:40us:2.5 noise/latency=quantiles:0.98=0,1=100us")
: >covered
for one in "${hidden[@]}"; do
    true_noise=()
    for setting in $one; do true_noise+=(--set "$setting"); done
    "${run[@]}" "${true_noise[@]}" --set noise/seed=1000 ./measured machine.jsonl || fail "$one: measuring"
    pgasim calibrate --quiet --noise noise.options machine.jsonl >out 2>&1 || fail "$one: $(cat out)"
    read -r -a fitted <<<"$(tr '\n' ' ' <noise.options)"
    [ ${#fitted[@]} -gt 0 ] || fail "$one: nothing was fitted"
    for steps in 10 40; do
        times {1..20} -- "${fitted[@]}" | sort -g >interval
        times {101..120} -- "${true_noise[@]}" >held
        python3 - "$one, $steps steps" <<'PY' | tee -a covered
import sys
t = [float(x) for x in open("interval")]
held = [float(x) for x in open("held")]
print(sum(t[0] <= x <= t[-1] for x in held), "of", len(held), "within", t[0], "to", t[-1], "with", sys.argv[1])
PY
    done
done
awk '{ in_it += $1; all += $3 } END { printf "%d of %d runs are in the intervals\n", in_it, all; exit all != 120 || in_it < 0.9 * all }' \
    covered || fail "expected 90%"
