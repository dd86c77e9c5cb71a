/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pgasim check on a put that is read back after a local flush: found, shrunk to one decision, repeated; and the same
 * report twice, by one process and by three. With an argument, the program is right. With "print", it writes the wrong
 * value instead of failing; with "spin", it does not end.
 */
// build: $MPICC -g "$SRC" -o $EXE
// shell: cd $W; $PGASIM check --shrink --parallel 1 -np 2 $EXE > one 2>&1; echo $?; $PGASIM check --shrink --parallel 3 -np 2 $EXE > two 2>&1; cmp one two && grep -c 'to repeat it: pgasim check --replay' one; grep -A 1 'fails if and only if (1 of' one | tail -n 1; grep -o 'confirmed by seed [0-9]*: status 134' one | sort -u | wc -l; ls *.check | wc -l
// stdout: 7
// stdout: 1
// stdout:     MPI_Put by rank 0 (main, mpi_explore.c:65): kept back until it is needed [race 1]
// stdout: 1
// stdout: 1
// shell: cd $W; $PGASIM check --shrink -o found.check --trace-pair pair --json found.json -np 2 $EXE > log 2>&1; python3 -c 'import json; o = json.load(open("found.json")); print([x["failure"] for x in o["outcomes"]], [len(x["least"]) for x in o["outcomes"] if x["failure"]], o["races"][0]["bites"], o["status"])'; $PGASIM diff pair-passes.pgt pair-fails.pgt | grep -c '^B takes'; $PGASIM check --replay found.check > again 2>&1; echo $?; grep -c 'the same outcome: status 134: .*Assertion' again; $PGASIM check --replay found.check $EXE right > again 2>&1; echo $?; grep -c 'another outcome: as in the plain run' again
// stdout: [False, True] [1] confirmed 7
// stdout: 1
// stdout: 7
// stdout: 1
// stdout: 0
// stdout: 1
// shell: cd $W; $PGASIM check --seeds 10 -np 2 $EXE right 2>&1 | grep -v 'one run for races\|^pgasim: races\|not instrumented\|to repeat it'
// stdout: done
// stdout: pgasim: check: how 10 adversarial runs ended, seeds 1 to 10
// stdout:       10  as in the plain run
// stdout: pgasim: check: no error was found
// stdout: pgasim: check: checked: 10 adversarial runs, whose ends and outputs were compared
// stdout: pgasim: check: not checked: code that was not run, and what libraries of the system do but for the calls that are known (docs/check.md)
// shell: cd $W; $PGASIM check --stop --seeds 10 -np 2 $EXE print > log 2>&1; grep -o 'other output.*' log; $PGASIM check --same-output --stop --seeds 10 -np 2 $EXE print 2>&1 | grep -o 'stopped at the first failure'
// stdout-match: other output than the plain run's \(first: seed [0-9]+\): it writes "got 0"
// stdout-match: stopped at the first failure
// shell: cd $W; $PGASIM check --systematic -o all.check -np 2 $EXE > log 2>&1; echo $?; grep -o 'complete: all.*' log; grep -A 1 'if and only if' log | tail -n 1; $PGASIM check --replay all.check > again 2>&1; echo $?; $PGASIM check --systematic --parallel 3 -np 2 $EXE right 2>&1 | grep -o 'complete: all.*\|no error was found\|not complete'; $PGASIM check --systematic --seeds 3 -np 2 $EXE right 2>&1 | grep -o 'not complete'
// stdout: 7
// stdout: complete: all 8 orders of the operations that may be kept back
// stdout:     MPI_Put by rank 0 (main, mpi_explore.c:65): kept back until it is needed [race 1]
// stdout: 7
// stdout: no error was found
// stdout: complete: all 6 orders of the operations that may be kept back
// stdout: not complete
// shell: cd $W; $PGASIM check -np 2 $EXE spin > log 2>&1 & pid=$!; sleep 1; kill -TERM $pid; wait $pid; echo $?; $PGASIM check --limit 1 --seeds 2 -np 2 $EXE spin > log 2>&1; grep -o '2  did not end (first: seed 1)' log || cat log
// times: 1
// privatize: dlopen
// stdout: 143
// stdout: 2  did not end (first: seed 1)
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int me;
    long *mine, value = 7, got = -1;
    const char *how = argc > 1 ? argv[1] : "";
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (!strcmp(how, "spin")) /* no poll: what it looks at cannot end it */
        for (;;)
            ;
    MPI_Win_allocate(sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    *mine = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) {
        MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
        if (!strcmp(how, "right"))
            MPI_Win_flush(1, win);
        else
            MPI_Win_flush_local(1, win);
        MPI_Get(&got, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
        MPI_Win_flush(1, win);
        assert(got == 7 || !strcmp(how, "print"));
        if (!strcmp(how, "print"))
            printf("got %ld\n", got);
        else
            puts("done");
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
