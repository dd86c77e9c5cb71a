/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective calls on files that are refused to one member end at all members. What is each member's own is done by the
 * others; what is one thing for all is not done, and all are told. Sizes count on the disk of each host, and only if
 * the system gives them.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// run: -np 4 -- $W/file
// stdout: done
// run: -np 4 -platform $DIR/mpi_file_time.xml --map-by host -- $W/file
// stdout: done
// run: -np 2 -platform $DIR/mpi_file_time.xml -host b:1,a:1 -- $W/file sizes
// stdout: done
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { SIZE = 1000, MB = 1000 * 1000 };
static int me, odd; /* odd: the member to whom a call is refused */
static char data[SIZE];
static MPI_File f;

static void is(const char *what, long long got, long long wanted)
{
    if (got == wanted)
        return;
    printf("rank %d, refused: rank %d: %s is %lld, expected %lld\n", me, odd, what, got, wanted);
    exit(1);
}

static void fails(const char *what, int rc, int wanted)
{
    int class = MPI_SUCCESS;
    if (rc)
        MPI_Error_class(rc, &class);
    is(what, class, wanted);
}

static int if_odd(int class)
{
    return me == odd ? class : MPI_SUCCESS;
}

/* --- opening and closing ------------------------------------------------------------------------------------ */

static void opening(const char *path)
{
    const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR, both = MPI_MODE_RDONLY | MPI_MODE_WRONLY;
    MPI_File g = f;
    fails("a mode", MPI_File_open(MPI_COMM_WORLD, path, me == odd ? both : mode, MPI_INFO_NULL, &g),
          MPI_ERR_AMODE);
    is("it is MPI_FILE_NULL", g == MPI_FILE_NULL, 1);
    fails("no name", MPI_File_open(MPI_COMM_WORLD, me == odd ? NULL : path, mode, MPI_INFO_NULL, &g),
          MPI_ERR_BAD_FILE);
    fails("no place", MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, me == odd ? NULL : &g),
          MPI_ERR_ARG);
    MPI_Info freed, gone;
    MPI_Info_create(&freed);
    gone = freed;
    MPI_Info_free(&freed);
    fails("an info", MPI_File_open(MPI_COMM_WORLD, path, mode, me == odd ? gone : MPI_INFO_NULL, &g),
          MPI_ERR_INFO);
    fails("the file", MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &g),
          MPI_ERR_NO_SUCH_FILE);
    fails("open", MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &f), MPI_SUCCESS);
    fails("the info of hints", MPI_File_set_info(f, me == odd ? gone : MPI_INFO_NULL), if_odd(MPI_ERR_INFO));
}

static void closing(void)
{
    MPI_File g = f;
    fails("a split write", MPI_File_write_all_begin(f, data, SIZE, MPI_BYTE), MPI_SUCCESS);
    if (me != odd)
        fails("its end", MPI_File_write_all_end(f, data, MPI_STATUS_IGNORE), MPI_SUCCESS);
    fails("closing it", MPI_File_close(&g), MPI_ERR_OTHER);
    is("it is still open", g == f, 1);
    fails("a write beside it",
          MPI_File_write_at_all(f, (MPI_Offset)me * SIZE, data, SIZE, MPI_BYTE, MPI_STATUS_IGNORE),
          if_odd(MPI_ERR_OTHER));
    if (me == odd)
        fails("its end", MPI_File_write_all_end(f, data, MPI_STATUS_IGNORE), MPI_SUCCESS);
    fails("closing", MPI_File_close(&f), MPI_SUCCESS);
}

/* --- what is each member's own ------------------------------------------------------------------------------- */

static void view_is(MPI_Offset wanted)
{
    MPI_Offset at;
    MPI_Datatype etype, filetype;
    char name[MPI_MAX_DATAREP_STRING];
    fails("asking for the view", MPI_File_get_view(f, &at, &etype, &filetype, name), MPI_SUCCESS);
    is("the displacement", at, wanted);
    fails("asking for the shared pointer", MPI_File_get_position_shared(f, &at), MPI_SUCCESS);
    is("the shared pointer", at, 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void views(void)
{
    MPI_Datatype raw, pair;
    MPI_Type_contiguous(2, MPI_INT, &raw);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    fails("the first view", MPI_File_set_view(f, 8, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL),
          MPI_SUCCESS);
    fails("a seek", MPI_File_seek_shared(f, 5, MPI_SEEK_SET), MPI_SUCCESS);
    fails("a type that is not committed",
          MPI_File_set_view(f, 16, MPI_INT, me == odd ? raw : pair, "native", MPI_INFO_NULL),
          if_odd(MPI_ERR_TYPE));
    view_is(me == odd ? 8 : 16);
    fails("a representation",
          MPI_File_set_view(f, 24, MPI_INT, pair, me == odd ? "nothing" : "native", MPI_INFO_NULL),
          if_odd(MPI_ERR_UNSUPPORTED_DATAREP));
    view_is(me == odd ? 8 : 24);
    fails("a displacement", MPI_File_set_view(f, me == odd ? -1 : 32, MPI_INT, pair, "native", MPI_INFO_NULL),
          if_odd(MPI_ERR_ARG));
    view_is(me == odd ? 8 : 32);
    fails("an etype",
          MPI_File_set_view(f, 40, me == odd ? MPI_LONG : MPI_INT, MPI_INT, "native", MPI_INFO_NULL),
          if_odd(MPI_ERR_ARG));
    view_is(me == odd ? 8 : 40);
    fails("bytes", MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), MPI_SUCCESS);
    MPI_Type_free(&raw);
    MPI_Type_free(&pair);
}

/* A nonblocking access without a place for its request. */
static void requests(void)
{
    char back[SIZE];
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Offset mine = (MPI_Offset)me * SIZE;
    for (int k = 0; k < SIZE; k++)
        data[k] = (char)(k * 7 + me + odd);
    fails("a nonblocking write", MPI_File_iwrite_at_all(f, mine, data, SIZE, MPI_BYTE, me == odd ? NULL : &r),
          if_odd(MPI_ERR_ARG));
    fails("its end", MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    if (me == odd)
        return;
    fails("a read", MPI_File_read_at(f, mine, back, SIZE, MPI_BYTE, MPI_STATUS_IGNORE), MPI_SUCCESS);
    for (int k = 0; k < SIZE; k++)
        is("a byte", back[k], data[k]);
}

/* Two accesses overlap, and not at all members: at one of them the first has ended before the second begins. */
static void overlapping(void)
{
    static int first[SIZE], second[SIZE], back[2 * SIZE];
    MPI_Datatype every, apart;
    MPI_Request r[2];
    MPI_Type_vector(SIZE, 1, 4, MPI_INT, &every);
    MPI_Type_create_resized(every, 0, 16 * SIZE, &apart);
    MPI_Type_commit(&apart);
    for (int k = 0; k < SIZE; k++) {
        first[k] = 4 * k + me;
        second[k] = -first[k];
    }
    fails("a view", MPI_File_set_view(f, 4 * (MPI_Offset)me, MPI_INT, apart, "native", MPI_INFO_NULL),
          MPI_SUCCESS);
    fails("one write", MPI_File_iwrite_all(f, first, SIZE, MPI_INT, &r[0]), MPI_SUCCESS);
    if (me == odd)
        fails("its end", MPI_Wait(&r[0], MPI_STATUS_IGNORE), MPI_SUCCESS);
    fails("another", MPI_File_iwrite_all(f, second, SIZE, MPI_INT, &r[1]), MPI_SUCCESS);
    fails("both", MPI_Waitall(2, r, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    fails("a read", MPI_File_read_at_all(f, 0, back, 2 * SIZE, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
    for (int k = 0; k < SIZE; k++) {
        is("an integer", back[k], first[k]);
        is("one of the second write", back[SIZE + k], second[k]);
    }
    fails("bytes", MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), MPI_SUCCESS);
    MPI_Type_free(&every);
    MPI_Type_free(&apart);
}

/* --- one thing for all ---------------------------------------------------------------------------------------- */

static void size_is(MPI_Offset wanted)
{
    MPI_Offset size;
    fails("asking for the size", MPI_File_get_size(f, &size), MPI_SUCCESS);
    is("the size", size, wanted);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void for_all(void)
{
    MPI_Offset at;
    fails("a size", MPI_File_set_size(f, 5 * SIZE), MPI_SUCCESS);
    fails("a size below 0", MPI_File_set_size(f, me == odd ? -1 : SIZE), MPI_ERR_ARG);
    size_is(5 * SIZE);
    fails("space below 0", MPI_File_preallocate(f, me == odd ? -1 : 9 * SIZE), MPI_ERR_ARG);
    size_is(5 * SIZE);
    fails("a seek", MPI_File_seek_shared(f, 7, MPI_SEEK_SET), MPI_SUCCESS);
    fails("a seek from nowhere", MPI_File_seek_shared(f, 9, me == odd ? 77 : MPI_SEEK_SET), MPI_ERR_ARG);
    fails("asking for the shared pointer", MPI_File_get_position_shared(f, &at), MPI_SUCCESS);
    is("the shared pointer", at, 7);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* --- sizes on disks --------------------------------------------------------------------------------------------- */

static void limit_files(rlim_t bytes)
{
    struct rlimit r;
    getrlimit(RLIMIT_FSIZE, &r);
    r.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &r);
}

/* The second member's host alone has a quota, of 100 MB. The file is not really so long. */
static void sizes(const char *path)
{
    MPI_File own;
    char name[1000];
    snprintf(name, sizeof name, "%s.own", path);
    fails("open", MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f),
          MPI_SUCCESS);
    fails("open",
          MPI_File_open(MPI_COMM_SELF, me ? name : "/dev/null", MPI_MODE_CREATE | MPI_MODE_RDWR,
                        MPI_INFO_NULL, &own),
          MPI_SUCCESS);
    fails("more than the quota", MPI_File_set_size(f, 101 * MB), MPI_ERR_QUOTA);
    fails("space for more", MPI_File_preallocate(f, 101 * MB), MPI_ERR_QUOTA);
    size_is(0);
    limit_files(50 * MB);
    MPI_Barrier(MPI_COMM_WORLD);
    fails("more than the system gives", MPI_File_set_size(f, 90 * MB), MPI_ERR_NO_SPACE);
    fails("space for it", MPI_File_preallocate(f, 90 * MB), MPI_ERR_NO_SPACE);
    MPI_Barrier(MPI_COMM_WORLD);
    limit_files(RLIM_INFINITY);
    fails("most of the quota", MPI_File_set_size(f, 90 * MB), MPI_SUCCESS); /* nothing of it was taken */
    if (me) {
        fails("more than the rest", MPI_File_set_size(own, 11 * MB), MPI_ERR_QUOTA);
        fails("the rest", MPI_File_set_size(own, 10 * MB), MPI_SUCCESS);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    fails("less", MPI_File_set_size(f, SIZE), MPI_SUCCESS);
    if (me)
        fails("what it gave back", MPI_File_set_size(own, 100 * MB - SIZE), MPI_SUCCESS);
    MPI_File_close(&own);
    MPI_File_close(&f);
    MPI_File_delete(me ? name : path, MPI_INFO_NULL);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    const char *path = argv[1];
    for (odd = 0; odd < 3 && argc < 3; odd++) {
        opening(path);
        views();
        requests();
        overlapping();
        for_all();
        closing();
        if (!me)
            MPI_File_delete(path, MPI_INFO_NULL);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (argc > 2)
        sizes(path);
    if (!me)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
