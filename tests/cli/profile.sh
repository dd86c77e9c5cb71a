#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim profile` and `pgasim diff` on traces of the examples: the path is as long as the run, counts agree
# with the run's summary, doubling a link gains what was foreseen, and damaged files are read up to the
# damage.
. "$(dirname "$0")/lib.sh"

cc=$bin/wrappers/oshcc
for e in hello heat isort whatif; do
    "$cc" -O1 "$top/examples/$e/$e.c" -o "$e" -lm 2>log || fail "$e: $(cat log)"
done
"$cc" -O1 -o halves "$top/tests/cli/profile_halves.c" 2>log || fail "halves: $(cat log)"
check() { python3 "$top/tests/cli/profile_check.py" "$@" || wrong=$((wrong + 1)); }

# traced NAME NP PROGRAM...: run NAME.pgt and NAME.json, and compare the profile with the run's summary.
traced() {
    local name=$1 np=$2
    shift 2
    pgasim run --quiet --compute=off -np "$np" --trace "$name.pgt" --json "$name.json" "$@" >log 2>&1 ||
        fail "$name: status $?: $(cat log)"
    pgasim profile --json "$name.pgt" >"$name.profile" 2>log || fail "profile $name: status $?: $(cat log)"
    expect 0 '^Critical path$' pgasim profile "$name.pgt"
    check run "$name.json" "$name.profile"
}
traced hello 8 ./hello
traced heat 12 ./heat -n 60 -i 40
traced heat_wide 70 ./heat -n 60 -i 10
traced isort 16 ./isort
traced whatif 8 ./whatif
traced halves 2 --platform "$top/tests/cli/profile_halves.xml" ./halves

# Twice the bandwidth of the link that the profile names first.
sed 's/bandwidth="1GBps"/bandwidth="2GBps"/' "$top/tests/cli/profile_halves.xml" >doubled.xml
traced doubled 2 --platform doubled.xml ./halves
check link halves.profile doubled.profile wire 0.05
traced isort_wire 4 --map-by host --platform "$top/tests/cli/profile_halves.xml" ./isort
traced isort_doubled 4 --map-by host --platform doubled.xml ./isort
check link isort_wire.profile isort_doubled.profile wire 0.1

expect 0 '^B takes -' pgasim diff halves.pgt doubled.pgt
expect 0 'Critical path, by the link' pgasim diff halves.pgt doubled.pgt
expect 0 'The numbers of ranks differ' pgasim diff heat.pgt heat_wide.pgt
pgasim diff --json halves.pgt doubled.pgt >diff.json || fail "diff --json: status $?"
check diff halves.profile doubled.profile diff.json
pgasim diff --json heat.pgt heat.pgt >diff.json || fail "diff --json: status $?"
check diff heat.profile heat.profile diff.json

# Damage: the readable part, a message, status 2.
head -c $(($(stat -c %s heat.pgt) / 2)) heat.pgt >half.pgt
expect 2 'half.pgt' pgasim profile half.pgt
expect 2 'half.pgt' pgasim diff half.pgt heat.pgt
: >empty.pgt
expect 2 'empty.pgt' pgasim profile empty.pgt
expect 2 'heat:' pgasim profile heat
expect 2 'missing.pgt: No such file' pgasim profile missing.pgt
expect 2 'missing.pgt: No such file' pgasim diff heat.pgt missing.pgt
expect 2 'no trace was named' pgasim profile
expect 2 'two traces were expected' pgasim diff heat.pgt
expect 2 '\-\-top' pgasim profile --top=x heat.pgt
[ "$(pgasim profile --top 1 heat.pgt | sed -n '/^Calls/,/^$/p' | grep -c '  shmem_')" = 1 ] ||
    fail "--top 1: more lines"
pgasim profile heat.pgt >one
pgasim profile heat.pgt >two
cmp one two || fail "two profiles differ"
pgasim profile heat.pgt >/dev/full 2>err
status=$?
[ $status -eq 4 ] || fail "profile to a full device: status $status"
finish
