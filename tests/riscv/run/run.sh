#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim riscv` with real programs: bare ones and Linux executables. Skipped without the cross compilers.
here=$(dirname "$(realpath "$0")")
# shellcheck source=../../cli/lib.sh
. "$here/../../cli/lib.sh"

command -v riscv64-unknown-elf-gcc >/dev/null && command -v riscv64-linux-gnu-gcc >/dev/null || exit 77
pgasim riscv-cc -O1 -g "$here/ends.c" -o ends.bare || exit 77
pgasim riscv-cc -O2 "$here/remote.c" -o remote || exit 77
pgasim riscv-cc -O2 -g "$here/faults.c" -lxbgas -o faults || exit 77
pgasim riscv-cc -O2 "$here/../programs/random_atomics.c" -lxbgas -o random_atomics || exit 77
riscv64-linux-gnu-gcc -static -O1 -g "$here/ends.c" -o ends.linux || exit 77

# Ends, and what is said about them. 128 + signal: 4 illegal instruction, 6 abort, 11 access.
for kind in bare linux; do
    expect 0 'ends: well' pgasim riscv -q ends.$kind
    expect 3 'rank 0 .* ended with exit status 3' pgasim riscv -q ends.$kind status
    expect 139 'store .* at 0x123456789000 \(no memory is there\), in poke, ends.c:1[0-9]' \
        pgasim riscv -q ends.$kind wild
    expect 139 "in the program's text and constants.*, in poke, ends.c:1[0-9]" pgasim riscv -q ends.$kind text
    expect 132 'illegal instruction, in main, ends.c:' pgasim riscv -q ends.$kind illegal
    expect 139 'the stack has run out of its memory.*in deep, ends.c:' pgasim riscv -q ends.$kind stack
    expect 3 'deadlock.*' pgasim riscv -q ends.$kind loop
    grep -q 'local loop' out || fail "the deadlock does not say that the core loops: $(cat out)"
    expect 132 '=> *[0-9a-f]+: unimp' pgasim riscv -q ends.$kind illegal
    expect 132 'zero 0000000000000000 *ra ' pgasim riscv -q ends.$kind illegal
done
expect 3 'read from its own empty pipe' pgasim riscv -q ends.linux pipe
expect 134 'ended by signal 6 \(Aborted\)' pgasim riscv -q ends.linux abort

# sum: each of n cores adds (its number + 1) 100 times: 100 n (n + 1) / 2; the least is -(n - 1). Figure 5 of
# paper 002: A goes from 0 to 1, and x31 receives 0.
for n in 1 2 6 33; do
    expect 0 "^sum $((50 * n * (n + 1))) least $((1 - n)) row $((n - 1 + 1000)) A 1 x31 0\$" \
        pgasim riscv -q -np $n remote
done
expect 0 '^sum 2100 least -5 row 1005 A 1 x31 0$' \
    pgasim riscv -q -np 6 --map-by host --platform rae-table1 remote

# Memory does not depend on the network: meshes, a torus, a fat tree; nor on what the card has room for. All
# requests are done, however little room there is.
pgasim platform generate fat-tree --down 4,4 --up 1,2 --cores 1 >tree.xml || fail "a fat tree"
for side in 4 8; do
    n=$((side * side))
    rm -f first
    for on in mesh mesh/retain mesh/mshrs=1 mesh/subentries=1 mesh/cache-size=64,retain,mshrs=2 torus tree; do
        case $on in
        mesh*) platform=rae-mesh:${side}x$side ;;
        torus) platform=torus:2x${side}x$((side / 2)) ;;
        tree) platform=tree.xml ;;
        esac
        read -ra settings < <(sed 's,^[a-z]*/*,,; s/retain/policy=&/; s/,/ /g; s/[a-z-]*=/--set card\/&/g' <<<"$on")
        pgasim riscv -q -np $n --map-by host --platform "$platform" --set rdma/profile=rae "${settings[@]}" \
            random_atomics 3 20 7 >got || fail "$n cores on $platform, $on: status $?"
        [ -f first ] || cp got first
        grep -q "^$n PEs, seed 3: 0 wrong" got || fail "$n cores, $on: $(cat got)"
        cmp -s got first || fail "$n cores, $on: $(cat got), not $(cat first)"
    done
done

# Accesses to other cores that cannot be.
none='of object 99 \(unknown: object k is core k - 1, and k goes from 1 to 2\), in xbgas_'
for how in load store add.d add.w cas.d cas.w; do
    expect 139 "rank 0 .* was ended by a trap: (load outside of memory|store outside of writable memory) at .* $none" \
        pgasim riscv -q -np 2 faults "$how-object"
    [ "$(grep -c 'pgasim: error' out)" -eq 1 ] || fail "more than one report: $(cat out)"
    expect 139 'at 0x123456789000 of object 2 \(core 1 has no memory there that may be (read|written)\), in xbgas_' \
        pgasim riscv -q -np 2 faults "$how-outside"
done
for how in load store; do
    expect 139 'at 0x803ffffc of object 2 \(core 1 has no memory' pgasim riscv -q -np 2 faults "$how-edge"
done
for how in add.d add.w cas.d cas.w; do
    expect 135 'misaligned store or atomic at .* of object 2 \(core 1; an atomic.s address is a multiple of its size\)' \
        pgasim riscv -q -np 2 faults "$how-byte"
    expect 135 'misaligned store or atomic at .* \(in word' pgasim riscv -q -np 2 faults "$how-local-byte"
done
expect 135 'misaligned store or atomic' pgasim riscv -q -np 2 faults cas.d-odd
for how in add.w-odd load-byte load-text; do
    pgasim riscv -q -np 2 faults $how || fail "$how: status $?"
done
expect 139 'at .* of object 2 \(core 1 has no memory there that may be written\)' pgasim riscv -q -np 2 faults store-text
expect 139 'of object 99 \(unknown: the only one is object 1, core 0\)' pgasim riscv -q -np 1 faults load-object
expect 0 '^10 of 10 trapped, causes 5776666576, word 0$' pgasim riscv -q -np 2 faults count

# The same bytes and times in two runs, and whatever the quantum is the same results.
for k in 1 2; do
    pgasim riscv -np 6 --json $k.json --trace $k.paje remote >$k.out 2>/dev/null || fail "run $k: status $?"
    sed -i '/wall_seconds\|cpu_seconds\|host_mips\|peak_memory\|\.paje"/d' $k.json
done
{ cmp 1.out 2.out && cmp 1.json 2.json; } || fail "two runs differ"
cmp 1.paje 2.paje || fail "two traces differ"
expect 0 '^sum 2100 least -5 row 1005 A 1 x31 0$' pgasim riscv -q -np 6 --set riscv/quantum=7 remote
grep -q '"atomics": 607,' 1.json || fail "not 6 x 101 atomics and one more: $(grep -A5 remote 1.json)"

# A communication library: the 601 additions have its instructions, and so has the core's counter.
expect 0 '"library_instructions": 601000,' pgasim riscv -q -np 6 --json - --set software/add=1000 remote
grep -q '"origin_instructions": 601000,' out || fail "no library in the summary: $(grep -A9 '"library"' out)"
expect 0 'library oshmem: .* instructions at origins, [1-9].* at targets' pgasim riscv -np 6 --map-by host \
    --set software/library=oshmem --set rdma/profile=software remote
expect 2 'software/library: .shmem.; expected off, oshmem,' pgasim riscv --set software/library=shmem ends.bare
expect 2 'software/cas: .-1.; expected library, or 0 to' pgasim riscv --set software/cas=-1 ends.bare

# A core that waits in a loop costs nothing here, and has counted its instructions.
expect 0 'skipped_instructions": [1-9]' pgasim riscv -q -np 6 --json - remote
grep -q '"waited_cycles": [1-9]' out || fail "no core has waited"

# Caches and memory behind the cores: DDR4-2400 as in tests/node, a cycle is 0.5 ns. A load that misses: L1 2, L2 20,
# directory 2 cycles, and 37.492, 51.652 or 65.812 ns: 99, 128 or 156 cycles for a row that is open, closed, or in the
# way of another one. 160 pages from the fourth frame on: 80 rows are opened, of which the first 30 find banks without a
# row (the other two have those of the program); the other pages are in the open row.
pgasim riscv-cc -O2 "$here/caches.c" -lxbgas -o caches || exit 77
expect 0 '^pages: 30 closed, 80 open, 50 conflicts$' pgasim riscv -q --set riscv/cache=data caches
grep -qx "last row's next line: 99" out || fail "the row is open: $(cat out)"
grep -qx 'again: 2, its neighbour 2, a store 2' out || fail "hits of the L1: $(cat out)"
grep -qx 'left the L1: 22' out || fail "a hit of the L2: $(cat out)"
grep -qx 'across two lines of the L1: 4' out || fail "two lines: $(cat out)"
# The card writes the line back when it drains, and the core's next load finds the row open; or it keeps the line, and
# gives it from its cache: L1, L2, directory, 2 cycles.
for policy in drain-invalidate=99 retain=26; do
    expect 0 "^hit 2, behind the card's atomic ${policy#*=}, then 2; the word is 5\$" \
        pgasim riscv -q --platform rae-table1 --set riscv/cache=data --set card/policy="${policy%=*}" -np 2 caches card
done
expect 0 '"lost": [1-9]' pgasim riscv -q --platform rae-table1 --cache -np 2 --json - caches card
expect 0 '"accesses": 0' pgasim riscv -q --platform rae-table1 --set riscv/cache=off -np 2 --json - caches card
# A core on the same host, or a card without caches, changes the line past the core's caches, too.
for where in '--map-by core' '--map-by host'; do
    # shellcheck disable=SC2086
    expect 0 "^hit 2, behind the card's atomic [0-9]{2,}, then 2; the word is 5\$" \
        pgasim riscv -q $where --cache -np 2 caches card
done
expect 2 "riscv/cache: 'some'; expected off, on or data" pgasim riscv --set riscv/cache=some caches

# Caches change no results and no counts of instructions, and runs with them are the same, bytes and times.
expect 0 'ends: well' pgasim riscv -q --cache ends.bare
for cores in 6 128; do
    on="--cache --map-by core" # several cores of a host
    [ $cores = 6 ] && on="--cache --platform rae-table1"
    for k in 1 2; do
        # shellcheck disable=SC2086
        pgasim riscv -q $on -np $cores --json $k.json remote >$k.out || fail "cached run $k of $cores: status $?"
        sed -i '/wall_seconds\|cpu_seconds\|host_mips\|peak_memory/d' $k.json
    done
    { cmp 1.out 2.out && cmp 1.json 2.json; } || fail "two runs of $cores cores with caches differ"
    expect 0 "^sum $((50 * cores * (cores + 1))) least $((1 - cores)) row $((cores - 1 + 1000)) A 1 x31 0\$" cat 1.out
done

# Counts by instruction add up to those of the cores, also where quanta cut blocks and loops that wait are not executed.
for quantum in 1000 13; do
    expect 0 'instructions by function' pgasim riscv -np 6 --set riscv/quantum=$quantum --stats --profile \
        --callgrind counts --json stats.json remote
    all=$(sed -n 's/^ *"instructions": \([0-9]*\),$/\1/p' stats.json | head -n 1)
    grep -qx "totals: $all" counts || fail "of $all instructions, callgrind's file has $(tail -n 1 counts)"
    sum=$(awk '/^0x/ { n += $3 } END { print n }' counts)
    [ "$sum" = "$all" ] || fail "callgrind's lines add up to $sum, not to $all"
    cores=$(sed -n 's/^ *"instructions": \([0-9]*\),$/\1/p' stats.json | awk 'NR > 1 { n += $1 } END { print n }')
    [ "$cores" = "$all" ] || fail "the cores' instructions add up to $cores, not to $all"
done
grep -qE '^pgasim: +[0-9.]+ % +[0-9]+ +6  main$' out || fail "six cores enter main once each: $(grep main out)"
if command -v callgrind_annotate >/dev/null; then
    expect 0 "$(printf "%s" "$all" | sed ':a;s/\B[0-9]\{3\}\>/,&/;ta') \(100.0%\)  PROGRAM TOTALS" callgrind_annotate counts
    grep -q WARNING out && fail "callgrind_annotate warns: $(cat out)"
fi
expect 2 '--callgrind /nowhere/file: No such file' pgasim riscv --callgrind /nowhere/file remote

# Parts with other programs, folders and variables.
expect 3 'ends: well' pgasim riscv -q -np 1 ends.linux : -np 1 ends.bare status
expect 2 'expected one for RISC-V' pgasim riscv /bin/sh
expect 2 'is linked dynamically|no such|No such' pgasim riscv ./missing
expect 2 '--leaks is an option for native programs' pgasim riscv --leaks ends.bare
expect 2 '--cas both: expected zacas or symmetric' pgasim riscv --cas both ends.bare
finish
