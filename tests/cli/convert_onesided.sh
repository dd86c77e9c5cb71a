#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim convert` of one-sided operations to GOAL: their messages and bytes, counted by hand, and who waits for whom.
. "$(dirname "$0")/lib.sh"

# replay FILE: messages, bytes and the end in whole seconds
replay() {
    pgasim convert --quiet "$1" x.goal >out 2>&1 || fail "convert $1: $(cat out)"
    pgasim replay --quiet --map-by host --json x.json x.goal >out 2>&1 || fail "replay of $1: $(cat out)"
    python3 -c 'import json
j = json.load(open("x.json")); o = j["operations"]
print(o["messages"], o["message_bytes"], int(j["simulated_seconds"]))'
}
# window LINE...: a window of two ranks, fences around these lines
window() {
    printf '%s\n' '# pgasim trace of calls 1, ranks: 2'
    printf '%d MPI_Win_create - 4096 1 MPI_INFO_NULL MPI_COMM_WORLD w0\n%d MPI_Win_fence 0 w0\n' 0 0 1 1
    printf '%s\n' "$@"
    printf '%d MPI_Win_fence 0 w0\n' 0 1
}
# adds MESSAGES BYTES SECONDS LINE...: what the lines add to the window's fences
adds() {
    local wanted="$1 $2 $3" got
    shift 3
    window "$@" >lines.calls
    got=$(echo "$(replay lines.calls) $fences" | awk '{print $1 - $4, $2 - $5, $3 - $6}')
    [ "$got" = "$wanted" ] || fail "$*: adds messages, bytes and seconds $got, expected $wanted"
}
window >fences.calls
fences=$(replay fences.calls)
adds 2 32 0 '0 MPI_Put - 4 MPI_DOUBLE 1 0 4 MPI_DOUBLE w0'
adds 0 0 0 '0 MPI_Put - 4 MPI_DOUBLE 0 0 4 MPI_DOUBLE w0'
adds 2 12 0 '1 MPI_Get - 3 MPI_INT 0 0 3 MPI_INT w0'
adds 2 8 0 '1 MPI_Accumulate - 1 MPI_DOUBLE 0 0 1 MPI_DOUBLE MPI_SUM w0'
adds 2 28 0 '1 MPI_Get_accumulate - 1 MPI_INT - 6 MPI_INT 0 0 6 MPI_INT MPI_SUM w0'
adds 2 16 0 '1 MPI_Fetch_and_op - - MPI_DOUBLE 0 0 MPI_SUM w0'
adds 2 12 0 '1 MPI_Compare_and_swap - - - MPI_INT 0 0 w0'
adds 2 4 0 '0 MPI_Rput - 1 MPI_INT 1 0 1 MPI_INT w0 r0' '0 MPI_Wait r0'
adds 4 4 0 '0 MPI_Win_lock 1 1 0 w0' '0 MPI_Put - 1 MPI_INT 1 0 1 MPI_INT w0' '0 MPI_Win_unlock 1 w0'
adds 4 4 0 '0 MPI_Comm_group MPI_COMM_WORLD g0' '1 MPI_Comm_group MPI_COMM_WORLD g0' '0 MPI_Group_incl g0 1 [1] g1' \
    '1 MPI_Group_incl g0 1 [0] g1' '0 MPI_Win_start g1 0 w0' '1 MPI_Win_post g1 0 w0' \
    '0 MPI_Put - 1 MPI_INT 1 0 1 MPI_INT w0' '0 MPI_Win_complete w0' '1 MPI_Win_wait w0'
# Who waits: each for both at a fence, of two messages; so seconds on both sides of one add.
adds 0 0 1 '0 seconds 1' '1 seconds 1'
adds 4 8 2 '0 seconds 1' '0 MPI_Put - 1 MPI_DOUBLE 1 0 1 MPI_DOUBLE w0' '0 MPI_Win_fence 0 w0' '1 MPI_Win_fence 0 w0' '1 seconds 1'

# --- OpenSHMEM
head='# pgasim trace of calls 1, ranks: 2'
printf '%s\n' "$head" '0 shmem_putmem SHMEM_CTX_DEFAULT heap:0 - 24 1' '0 shmem_getmem SHMEM_CTX_DEFAULT - heap:0 40 1' \
    '0 shmem_putmem SHMEM_CTX_DEFAULT heap:0 - 0 1' '0 shmem_atomic_fetch_add SHMEM_CTX_DEFAULT heap:0 8 1' \
    '0 shmem_quiet SHMEM_CTX_DEFAULT' '1 seconds 1' '1 shmem_signal_set SHMEM_CTX_DEFAULT heap:8 0' \
    '0 shmem_wait_until heap:8 8 [1,2]' '0 seconds 1' >shmem.calls
[ "$(replay shmem.calls)" = "8 88 2" ] || fail "shmem: $(replay shmem.calls)"
# Without the wait there is nothing that keeps rank 0.
grep -v wait_until shmem.calls >free.calls
[ "$(replay free.calls)" = "8 88 1" ] || fail "free: $(replay free.calls)"
# Its second operation, which has no number if it moves nothing, is the third line.
printf '%s\n' "$head" '1 shmem_putmem SHMEM_CTX_DEFAULT heap:0 - 8 0' '1 shmem_putmem SHMEM_CTX_DEFAULT heap:0 - 0 0' \
    '1 seconds 1' '1 shmem_putmem SHMEM_CTX_DEFAULT heap:0 - 8 0' '0 shmem_wait_until heap:0 8 [1,4]' '0 seconds 1' >number.calls
[ "$(replay number.calls)" = "4 16 2" ] || fail "number: $(replay number.calls)"

# --- what a list of messages cannot say is counted
pgasim convert shmem.calls shmem.ti 2>unsaid || fail "convert: $(cat unsaid)"
for what in 'shmem_putmem: 1 times, left out' 'shmem_getmem: 1 times, left out' 'shmem_wait_until: 1 times, left out'; do
    grep -qF "$what" unsaid || fail "'$what' is not in: $(cat unsaid)"
done
finish
