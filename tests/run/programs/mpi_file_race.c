/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conflicting accesses to a file that nothing orders: what is said of each way to get it wrong, in text, JSON, SARIF and
 * a profile; and ways to get it right, by which nothing is found. The corpus of check/ has more of both.
 */
// build: $MPICC --check -g "$SRC" -o $EXE
// shell: cd $W; $RUN -q --check=races --json f.json --sarif f.sarif --trace f.pgt -np 2 $EXE - > log 2>&1; echo $?; grep -v 'races:' log | sed "s,$(pwd -P)/,,"; python3 -c 'import json; r = json.load(open("f.json"))["races"]; s = json.load(open("f.sarif"))["runs"][0]["results"]; print(len(r), r[0]["kind"], r[0]["bytes"], "owner" in r[0], [a["rank"] for a in r[0]["accesses"]], s[0]["ruleId"])'; $PGASIM profile f.pgt | grep -A 1 'Races' | sed "s,$(pwd -P)/,,"
// stdout: 7
// stdout: pgasim: race: file race.dat+0x18, 8 bytes
// stdout:     written by MPI_File_write_at of rank 0 in first, mpi_file_race.c:78
// stdout:         called in main, mpi_file_race.c:158
// stdout:     read by MPI_File_read_at of rank 1 in second, mpi_file_race.c:83
// stdout:         called in main, mpi_file_race.c:162
// stdout:     nothing orders MPI_File_write_at before MPI_File_read_at
// stdout:     fix: MPI_File_sync, MPI_Barrier and again MPI_File_sync between the two, or MPI_Barrier and atomic mode (MPI_File_set_atomicity)
// stdout: 1 file 8 False [0, 1] file
// stdout: Races (--check=races): accesses that nothing orders
// stdout:   file race.dat+0x18
// shell: cd $W; for how in b s sb bs split overlap; do $RUN -q --check=races -np 2 $EXE $how > log 2>&1; echo "$how: $?"; grep -v 'called\|races:\|race:' log; done
// stdout: b: 7
// stdout:     written by MPI_File_write_at of rank 0 in first, mpi_file_race.c:78
// stdout:     read by MPI_File_read_at of rank 1 in second, mpi_file_race.c:83
// stdout:     the ranks synchronize in between, but rank 0 does not call MPI_File_sync or MPI_File_close before that
// stdout:     fix: MPI_File_sync, MPI_Barrier and again MPI_File_sync between the two, or MPI_Barrier and atomic mode (MPI_File_set_atomicity)
// stdout: s: 7
// stdout:     written by MPI_File_write_at of rank 0 in first, mpi_file_race.c:78
// stdout:     read by MPI_File_read_at of rank 1 in second, mpi_file_race.c:83
// stdout:     MPI_File_sync in between, mpi_file_race.c:95 comes after MPI_File_write_at, but nothing orders it before the last MPI_File_sync of rank 1
// stdout:     fix: call MPI_Barrier and again MPI_File_sync after MPI_File_sync in between, mpi_file_race.c:95
// stdout: sb: 7
// stdout:     written by MPI_File_write_at of rank 0 in first, mpi_file_race.c:78
// stdout:     read by MPI_File_read_at of rank 1 in second, mpi_file_race.c:83
// stdout:     MPI_File_sync in between, mpi_file_race.c:95 comes after MPI_File_write_at, but rank 1 does not call MPI_File_sync or MPI_File_open after that
// stdout:     fix: call MPI_File_sync again before MPI_File_read_at
// stdout: bs: 7
// stdout:     written by MPI_File_write_at of rank 0 in first, mpi_file_race.c:78
// stdout:     read by MPI_File_read_at of rank 1 in second, mpi_file_race.c:83
// stdout:     MPI_File_sync in between, mpi_file_race.c:95 comes after MPI_File_write_at, but nothing orders it before the last MPI_File_sync of rank 1
// stdout:     fix: call MPI_Barrier and again MPI_File_sync after MPI_File_sync in between, mpi_file_race.c:95
// stdout: split: 7
// stdout:     written by MPI_File_write_at_all_begin of rank 1 in split, mpi_file_race.c:120
// stdout:     read by MPI_File_read_at of rank 1 in split, mpi_file_race.c:124
// stdout:     MPI_File_write_at_all_begin was not complete when MPI_File_read_at began
// stdout:     fix: call MPI_File_write_at_all_end before MPI_File_read_at
// stdout: overlap: 7
// stdout:     written by MPI_File_write_all of rank 0 in strided, mpi_file_race.c:112
// stdout:     written by MPI_File_write_all of rank 1 in strided, mpi_file_race.c:112
// stdout:     nothing orders MPI_File_write_all before MPI_File_write_all
// stdout:     fix: MPI_File_sync, MPI_Barrier and again MPI_File_sync between the two, or MPI_Barrier and atomic mode (MPI_File_set_atomicity)
// shell: cd $W; for how in sbs ssbs co cbo Ab As strided ended own; do $RUN -q --check=races -np 2 $EXE $how > log 2>&1; echo "$how: $? $(grep -c 'race:' log)"; done
// stdout: sbs: 0 0
// stdout: ssbs: 0 0
// stdout: co: 0 0
// stdout: cbo: 0 0
// stdout: Ab: 0 0
// stdout: As: 0 0
// stdout: strided: 0 0
// stdout: ended: 0 0
// stdout: own: 0 0
// shell: cd $W; $RUN -q --check=races --set check/file-sync=no -np 2 $EXE b 2>&1; echo $?
// stdout-match: 0 found among .* 2 accesses to files,
// stdout-match: not reported: 1 pairs of accesses, by check/file-sync=no
// shell: cd $W; $PGASIM check --seeds 2 -np 2 $EXE b > log 2>&1; echo $?; grep 'check: file-sync\|errors were' log | sed "s,$(pwd -P)/,,"
// stdout: 7
// stdout: pgasim: check: file-sync 1, file race.dat+0x18: MPI_File_write_at of rank 0 in first, mpi_file_race.c:78 and MPI_File_read_at of rank 1 in second, mpi_file_race.c:83: not seen to bite in 2 seeds
// stdout: pgasim: check: errors were found: 1 race, 0 kinds of failure
#include <mpi.h>
#include <string.h>
#include <unistd.h>

static int me;
static MPI_File fh;
static int value[4] = {1, 2, 3, 4};

/* Bytes 16 to 31, and 24 to 31: 8 bytes are those of both. */
static void first(void)
{
    MPI_File_write_at(fh, 4 * sizeof *value, value, 4, MPI_INT, MPI_STATUS_IGNORE);
}

static void second(void)
{
    MPI_File_read_at(fh, 6 * sizeof *value, value, 2, MPI_INT, MPI_STATUS_IGNORE);
}

static void open_file(void)
{
    MPI_File_open(MPI_COMM_WORLD, "race.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh);
}

static void between(const char *how)
{
    for (; *how; how++) {
        if (*how == 's')
            MPI_File_sync(fh);
        if (*how == 'b')
            MPI_Barrier(MPI_COMM_WORLD);
        if (*how == 'c')
            MPI_File_close(&fh);
        if (*how == 'o')
            open_file();
    }
}

/* Each rank writes each second int; with `overlap` rank 1 begins one earlier, and so writes those of rank 0. */
static void strided(int overlap)
{
    MPI_Datatype type;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(fh, (MPI_Offset)sizeof(int) * (me && !overlap), MPI_INT, type, "native", MPI_INFO_NULL);
    MPI_File_write_all(fh, value, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
}

/* A split access, and one to the same bytes before its end; with `ended`, after it. */
static void split(int ended)
{
    MPI_Offset at = (MPI_Offset)sizeof value * me;
    MPI_File_write_at_all_begin(fh, at, value, 4, MPI_INT);
    if (ended)
        MPI_File_write_at_all_end(fh, value, MPI_STATUS_IGNORE);
    int got[4];
    MPI_File_read_at(fh, at, got, 4, MPI_INT, MPI_STATUS_IGNORE);
    if (!ended)
        MPI_File_write_at_all_end(fh, value, MPI_STATUS_IGNORE);
}

/* Ranks use one name for a file of their own each, one after the other. */
static void one_by_one(void)
{
    MPI_File own;
    if (me == 1)
        sleep(1);
    MPI_File_open(MPI_COMM_SELF, "own.dat",
                  MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &own);
    MPI_File_write(own, value, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&own);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    open_file();
    if (!strcmp(what, "strided") || !strcmp(what, "overlap"))
        strided(*what == 'o');
    else if (!strcmp(what, "split") || !strcmp(what, "ended"))
        split(*what == 'e');
    else if (!strcmp(what, "own"))
        one_by_one();
    else {
        if (*what == 'A')
            MPI_File_set_atomicity(fh, 1);
        if (me == 0)
            first();
        between(what);
        if (me == 1) {
            usleep(1000);
            second();
        }
    }
    MPI_File_close(&fh);
    MPI_Finalize();
    return 0;
}
