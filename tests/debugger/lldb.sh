#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# lldb: a breakpoint by line with a condition, variables of the rank that runs, the list of ranks, the stack
# of a rank that waits, and going on to the right end.
# shellcheck disable=SC2016 # values of lldb
if ! command -v lldb >/dev/null; then
    echo "skipped: there is no lldb"
    exit 77
fi
# Debian's lldb 14 looks for its own Python modules in another folder than they are in.
for folder in /usr/lib/llvm-*/lib/python3*/dist-packages; do
    [ -e "$folder/lldb/embedded_interpreter.py" ] && export PYTHONPATH=$folder
done
if ! lldb -b -o 'script print(1 + 1)' </dev/null 2>&1 | grep -qx 2; then
    echo "skipped: lldb has no Python"
    exit 77
fi
. "$(dirname "$0")/lib.sh"
way=lldb
cat >commands <<L
target create $bin/pgasim
settings set -- target.run-args run -q --privatize=swap --stop-at report -np 4 --compute=off ./relay
command script import $build/lib/pgasim/debugger/pgasim_lldb.py
breakpoint set -f relay.c -l $(grep -n 'relay_elsewhere += ' "$folder/relay.c" | cut -d: -f1) -c "me == 2"
run
frame variable
p here_static
pgasim ranks
pgasim rank 0
pgasim messages
bt
breakpoint disable
continue
quit
L
timeout 100 lldb -s commands >out 2>&1 </dev/null || [ $? -ne 124 ] || fail "lldb hangs"
has 'relay_work\(me=2, ranks=4\) at relay\.c' '^\(int\) local = 20' '\$0 = 4$' '^4 ranks, at 442\.' \
    '^  ranks 0, 3: waits: shmem_barrier_all' \
    '^  rank 2: runs' 'shmem_barrier_all at order\.c' 'relay`main at relay\.c' \
        '^  shmem_long_put of 8 bytes, rank 1 -> rank 2: flying' \
    '^result 1, inbox 103, 1000' 'exited with status = 0'
grep -q 'frame #0:.*leave\|frame #0:.*engine_switch' out || fail "rank 0's stack: $(cat out)"
finish
