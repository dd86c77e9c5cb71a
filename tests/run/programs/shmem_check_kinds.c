/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kinds of findings that can be switched: writes of the same value, atomics of different types, memory without a
 * value, calls with nothing to do; and a swap that fails, which tells nobody of what came before it. The second
 * argument is "wrong" where the first one leaves something to be found.
 */
// build: $OSHCC --check -g -O0 "$SRC" -o $EXE
// shell: show() { o=$1; shift; $RUN --check=races $o -np 2 -ppn 2 $EXE "$@" 2>&1 | grep -o '^pgasim: race:\|^pgasim: uninit[a-z]*\|not reported.*\|hint: .*'; echo "$1 $2"; }; for w in puts stores both late array loop; do show "--set check/same-value=no" $w right; show "--set check/same-value=no" $w wrong; show "" $w right; done
// stdout: not reported: 1 pairs of accesses, by check/same-value=no
// stdout: puts right
// stdout: pgasim: race:
// stdout: puts wrong
// stdout: pgasim: race:
// stdout: puts right
// stdout: not reported: 1 pairs of accesses, by check/same-value=no
// stdout: stores right
// stdout: pgasim: race:
// stdout: stores wrong
// stdout: pgasim: race:
// stdout: stores right
// stdout: not reported: 1 pairs of accesses, by check/same-value=no
// stdout: both right
// stdout: pgasim: race:
// stdout: both wrong
// stdout: pgasim: race:
// stdout: both right
// stdout: not reported: 1 pairs of accesses, by check/same-value=no
// stdout: late right
// stdout: pgasim: race:
// stdout: late wrong
// stdout: pgasim: race:
// stdout: late right
// stdout: not reported: 1 pairs of accesses, by check/same-value=no
// stdout: array right
// stdout: pgasim: race:
// stdout: array wrong
// stdout: pgasim: race:
// stdout: array right
// stdout: not reported: 8 pairs of accesses, by check/same-value=no
// stdout: loop right
// stdout: pgasim: race:
// stdout: not reported: 7 pairs of accesses, by check/same-value=no
// stdout: loop wrong
// stdout: pgasim: race:
// stdout: loop right
// privatize: dlopen
// shell: show() { o=$1; shift; $RUN --check=races $o -np 2 $EXE "$@" 2>&1 | grep -o '^pgasim: race:\|not reported.*'; echo "$1 $2"; }; show "" types right; show "" types wrong; show "--set check/mixed-atomics=no" types wrong; show "" swap right; show "" swap wrong
// stdout: types right
// stdout: pgasim: race:
// stdout: types wrong
// stdout: not reported: 1 pairs of accesses, by check/mixed-atomics=no
// stdout: types wrong
// stdout: swap right
// stdout: pgasim: race:
// stdout: swap wrong
// shell: show() { $RUN --check=races --set check/uninitialised=yes -np 2 $EXE "$@" 2>&1 | grep -A 4 '^pgasim: uninit' | grep -o 'pgasim.*\|allocated.*\|updated.*\|read.*'; echo "$1 $2"; }; show value right; show value wrong; show set right; show put right
// stdout: value right
// stdout: pgasim: uninitialised: symmetric heap+0x0 of rank 0
// stdout: allocated by shmem_malloc of rank 0 in value, shmem_check_kinds.c:128
// stdout: updated atomically by shmem_long_atomic_inc of rank 0 in value, shmem_check_kinds.c:136
// stdout: pgasim: uninitialised: symmetric heap+0x0 of rank 1
// stdout: allocated by shmem_malloc of rank 1 in value, shmem_check_kinds.c:128
// stdout: read by a load of rank 1 in value, shmem_check_kinds.c:138
// stdout: value wrong
// stdout: set right
// stdout: put right
// shell: $RUN --check=races --set check/redundant=yes -np 2 $EXE idle right 2>&1 | grep -o "hint.*\|[0-9]* found"; $RUN --check=races --set check/redundant=yes -np 2 $EXE idle wrong 2>&1 | grep 'hint'
// stdout: 0 found
// stdout: pgasim: hint: shmem_quiet in idle, shmem_check_kinds.c:150 has nothing to do: nothing was issued since shmem_quiet in idle, shmem_check_kinds.c:148 (all 6 times)
// stdout: pgasim: hint: shmem_quiet in idle, shmem_check_kinds.c:154 has nothing to do: what follows at once does the same: shmem_barrier_all in idle, shmem_check_kinds.c:155 (all 6 times)
// times: 1
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long flag, cells[8], word, data;
static int me, wrong;

static void writes(const char *how)
{
    long *there = shmem_ptr(&flag, 0), value = wrong ? me + 1 : 7, all[8];
    if (!strcmp(how, "puts"))
        shmem_long_p(&flag, value, 0);
    if (!strcmp(how, "stores"))
        *there = value;
    if (!strcmp(how, "both") || !strcmp(how, "late")) {
        if (me) {
            shmem_long_p(&flag, value, 0);
        } else {
            for (int k = 0; k < 10 * !strcmp(how, "late"); k++)
                (void)shmem_long_g(&cells[7], 1);
            flag = 7;
        }
    }
    for (int k = 0; k < 8; k++)
        all[k] = wrong ? k + me * (k == 5) : k;
    if (!strcmp(how, "array"))
        shmem_long_put(cells, all, 8, 0);
    there = shmem_ptr(cells, 0);
    for (int k = 0; k < 8 * !strcmp(how, "loop"); k++)
        there[k] = all[k];
}

static void types(void)
{
    if (me || !wrong)
        shmem_long_atomic_add(&word, 1, 0);
    else
        shmem_int_atomic_add((int *)&word, 1, 0);
}

/* Who sees the word changed knows what came before the change. A swap that fails is none. */
static void swap(void)
{
    if (me) {
        data = 5;
        (void)shmem_long_atomic_compare_swap(&word, wrong ? 99 : 0, 1, 0);
        return;
    }
    for (int k = 0; k < 200 && !shmem_long_atomic_fetch(&word, 0); k++) {
    }
    (void)shmem_long_g(&data, 1);
}

static void value(const char *how)
{
    long *p = shmem_malloc(8 * sizeof *p), *q = shmem_calloc(8, sizeof *q), zero = 0;
    if (!strcmp(how, "set"))
        shmem_long_atomic_set(p, 0, me);
    else if (!strcmp(how, "put"))
        shmem_long_put(p, &zero, 1, me);
    else if (!wrong)
        p[0] = 0;
    shmem_barrier_all();
    shmem_long_atomic_inc(p, 0);
    shmem_barrier_all();
    printf("%ld %ld\n", p[0], q[1]);
    shmem_barrier_all();
}

static void idle(void)
{
    for (int k = 0; k < 3; k++) {
        shmem_long_p(&cells[me], 1, 0);
        shmem_barrier_all();
        shmem_long_p(&cells[me], k, 1 - me);
        shmem_quiet();
        if (wrong)
            shmem_quiet();
        shmem_long_atomic_inc(&word, 0);
        shmem_long_p(&cells[me + 2], k, 1 - me);
        if (wrong)
            shmem_quiet();
        shmem_barrier_all();
    }
}

int main(int argc, char **argv)
{
    shmem_init();
    me = shmem_my_pe();
    wrong = argc > 2 && !strcmp(argv[2], "wrong");
    if (!strcmp(argv[1], "types"))
        types();
    else if (!strcmp(argv[1], "swap"))
        swap();
    else if (!strcmp(argv[1], "idle"))
        idle();
    else if (!strcmp(argv[1], "value") || !strcmp(argv[1], "set") || !strcmp(argv[1], "put"))
        value(argv[1]);
    else
        writes(argv[1]);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
