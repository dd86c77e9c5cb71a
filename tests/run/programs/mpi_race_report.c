/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What becomes of a race that is found: its text, lines of JSON that a crash does not lose, the figures, SARIF; rules
 * that suppress it, and files of rules with a mistake.
 */
// build: $MPICC --check -g "$SRC" -o $EXE
// shell: cd $W; $RUN -q --check=races --gen-suppressions --json f.json --sarif f.sarif -np 2 $EXE > log 2>&1; echo $?; grep -v 'fix\|^pgasim: races' log; python3 -c 'import json; r = json.load(open("f.json"))["races"]; s = json.load(open("f.sarif"))["runs"][0]; print(len(r), r[0]["bytes"], r[0]["count"], [[f["line"] for f in a["stack"]] for a in r[0]["accesses"]], r[0]["fix"] in s["results"][0]["message"]["text"], s["results"][0]["locations"][0]["physicalLocation"]["region"], s["invocations"][0]["exitCode"])'
// stdout: 7
// stdout: pgasim: race: window+0x8 of rank 1
// stdout:     written by MPI_Put of rank 0 in put, mpi_race_report.c:54
// stdout:         called in main, mpi_race_report.c:72
// stdout:     read by MPI_Get of rank 0 in get, mpi_race_report.c:59
// stdout:         called in main, mpi_race_report.c:74
// stdout:     MPI_Put was completed at its origin by MPI_Win_flush_local in main, mpi_race_report.c:73, but not at its target
// stdout:     {
// stdout:        race of put, mpi_race_report.c:54 and get, mpi_race_report.c:59
// stdout:        race
// stdout:        call:MPI_Put
// stdout:        fun:put
// stdout:        fun:main
// stdout:        call:MPI_Get
// stdout:        fun:get
// stdout:        fun:main
// stdout:     }
// stdout: 1 16 2 [[72], [74]] True {'startLine': 54} 7
// shell: cd $W; $RUN -q --check=races --gen-suppressions -np 2 $EXE > log 2>&1; sed -n '/^    {/,/^    }/p' log > rules; printf '{\n  never\n  race\n  obj:heap*\n}\n' > more; $RUN -q --check=races --suppressions more --suppressions rules -v -np 2 $EXE > log 2>&1; echo $?; grep 'suppressed\|race: \|races: 0' log; $PGASIM check --suppressions rules --seeds 2 -np 2 $EXE > log 2>&1; echo $?; grep -c 'check: suppressed: 1 by race of put' log
// stdout: 0
// stdout: pgasim: races: 0 found among 4 one-sided operations, 2 buffers of other calls, 20 loads and 0 stores
// stdout: pgasim: suppressed: none by never (more:1)
// stdout: pgasim: suppressed: 1 by race of put, mpi_race_report.c:54 and get, mpi_race_report.c:59 (rules:1)
// stdout: 0
// stdout: 1
// shell: cd $W; printf '{\n  name\n  race\n  fin:x\n}\n' > rules; $RUN --check=races --suppressions rules -np 2 $EXE 2>&1; echo $?; $RUN --check=races --suppressions none -np 2 $EXE 2>&1; echo $?
// stdout: pgasim: error: rules:4: expected obj:, call:, fun:, src:, ... or }
// stdout: 2
// stdout: pgasim: error: none: No such file or directory
// stdout: 2
// shell: cd $W; $RUN -q --check=races --set check/findings=lines --json f.json --sarif f.sarif -np 2 $EXE crash > log 2>&1; echo $?; python3 -c 'import json; lines = [json.loads(l) for l in open("lines")]; print(len(lines), lines[1]["kind"], lines[1]["owner"], len(json.load(open("f.json"))["races"]), len(json.load(open("f.sarif"))["runs"][0]["results"]))'
// stdout: 139
// stdout: 2 race 1 1 1
// shell: cd $W; $PGASIM check --shrink -o c.check --sarif c.sarif -np 2 $EXE assert > log 2>&1; echo $?; python3 -c 'import json; r = json.load(open("c.sarif"))["runs"][0]["results"]; print([(x["ruleId"], x["level"], len(x["locations"])) for x in r], "confirmed by seed" in r[0]["message"]["text"], "if and only if: MPI_Put by rank 0" in r[1]["message"]["text"], r[1]["message"]["text"].split("; ")[-1])'
// stdout: 7
// stdout: [('race', 'error', 1), ('failure', 'error', 1)] True True to repeat it: pgasim check --replay c.check.
#include <assert.h>
#include <mpi.h>
#include <signal.h>
#include <string.h>

static long value[2] = {7, 8}, got[2];
static MPI_Win win;

static void put(void)
{
    MPI_Put(value, 2, MPI_LONG, 1, 1, 2, MPI_LONG, win);
}

static void get(void)
{
    MPI_Get(got, 2, MPI_LONG, 1, 1, 2, MPI_LONG, win);
}

int main(int argc, char **argv)
{
    int me;
    long *mine;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(4 * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; me == 0 && k < 2; k++) {
        put();
        MPI_Win_flush_local(1, win);
        get();
        MPI_Win_flush(1, win);
        if (argc > 1 && !strcmp(argv[1], "crash"))
            raise(SIGSEGV);
        assert(argc == 1 || got[0] == 7);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
