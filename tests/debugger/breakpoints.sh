#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program started by gdb: breakpoints by function and by line in every rank, the rank's variables, its stack
# to the end, finish and up; in both ways of private globals, with stacks of their own and a shared one.
. "$(dirname "$0")/lib.sh"
line=$(grep -n 'return local + next' "$folder/relay.c" | cut -d: -f1)
for way in "${ways[@]}"; do
    debug 4 ./relay "$way" <<G
break relay_work
break relay.c:$line
commands 1
    silent
    printf "enters %d\n", me
    continue
end
commands 2
    silent
    printf "leaves %d: static %d, thread %d, local %d\n", me, here_static, here_thread, local
    continue
end
run
G
    for rank in 0 1 2 3; do
        has "^enters $rank\$" \
        "^leaves $rank: static $((2 * rank)), thread $((3 * rank)), local $((10 * rank))\$"
    done
    has '^result 1, inbox 103, 1000$' 'exited normally'
    debug 4 ./relay "$way" <<G
break relay_work if me == 2
run
backtrace
up
info locals
down
finish
G
    has '^#0 +relay_work \(me=2, ranks=4\) at .*relay\.c' '^#1 +0x[0-9a-f]+ in main \(\) at .*relay\.c' \
        'me = 2' \
        'Value returned'
    # Where ranks share code and stack, gdb takes another rank's return for this one's.
    [ "$way" = "${ways[3]}" ] || has 'Value returned is .* = 23'
    grep -q 'previous frame\|corrupt' out && fail "$way: a stack does not end: $(cat out)"
    grep -B1 '#' out | grep -q '?? ()' && fail "$way: a stack ends nowhere: $(cat out)"
done
way=1000
debug 1000 ./relay --privatize=dlopen <<G
break relay_work if me == 700
run
backtrace
printf "rank 700 has %d\n", here_static
G
has 'relay_work \(me=700, ranks=1000\)' 'rank 700 has 0'
finish
