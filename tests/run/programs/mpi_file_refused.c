/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What files refuse: calls on handles that are no open file, places that no file has, sizes and writes beyond a quota or
 * the system's limit, files that may not be written. What this machine cannot write ends the run, however it is written.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// run: -np 3 -- closed $W/file
// stdout: done
// run: -np 2 -- far $W/file
// stdout: done
// run: -np 3 -- sizes $W/file
// stdout: done
// run: -np 2 -platform $DIR/mpi_file_time.xml -host a:2 -- quota $W/file
// stdout: done
// run: -np 2 -- denied
// stdout: done
// shell: for way in at at_all i_at all_begin shared ordered external scattered pieces; do $RUN --quiet -np 2 $EXE full $way 2> $W/error.$way; echo $way $?; done; cat $W/error.* | grep -c 'error: rank [01].* MPI_File_[a-z_]* cannot write /dev/full: No space left on device'
// stdout: at 4
// stdout: at_all 4
// stdout: i_at 4
// stdout: all_begin 4
// stdout: shared 4
// stdout: ordered 4
// stdout: external 4
// stdout: scattered 4
// stdout: pieces 4
// stdout: 9
// run: -np 1 -- limit $W/limited
// status: 4
// stderr-match: error: rank 0.* MPI_File_write_at cannot write .*/limited: File too large
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int me, n;
static MPI_Status status;
static char data[20000];

static void fails(const char *what, int rc, int wanted)
{
    int class = MPI_SUCCESS;
    if (rc)
        MPI_Error_class(rc, &class);
    if (class == wanted)
        return;
    printf("rank %d: %s gives class %d, expected %d\n", me, what, class, wanted);
    exit(1);
}

static MPI_File open_file(MPI_Comm comm, const char *path)
{
    MPI_File f;
    fails("open", MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f), MPI_SUCCESS);
    return f;
}

/* --- handles ------------------------------------------------------------------------------------------------ */

static void closed(const char *path)
{
    MPI_Offset offset;
    MPI_Aint extent;
    MPI_Datatype e, t;
    MPI_Request r;
    MPI_Info info;
    MPI_Group group;
    int x = 0;
    char name[MPI_MAX_DATAREP_STRING];
    MPI_File f = open_file(MPI_COMM_WORLD, path), handles[] = {f, MPI_FILE_NULL};
    MPI_File_close(&f);
    for (int k = 0; k < 2; k++) {
        f = handles[k];
        const int results[] = {MPI_File_close(&f),
                               MPI_File_get_amode(f, &x),
                               MPI_File_get_atomicity(f, &x),
                               MPI_File_get_byte_offset(f, 0, &offset),
                               MPI_File_get_group(f, &group),
                               MPI_File_get_info(f, &info),
                               MPI_File_get_position(f, &offset),
                               MPI_File_get_position_shared(f, &offset),
                               MPI_File_get_size(f, &offset),
                               MPI_File_get_type_extent(f, MPI_INT, &extent),
                               MPI_File_get_view(f, &offset, &e, &t, name),
                               MPI_File_iread(f, &x, 1, MPI_INT, &r),
                               MPI_File_iwrite_at_all(f, 0, &x, 1, MPI_INT, &r),
                               MPI_File_preallocate(f, 1),
                               MPI_File_read_all_begin(f, &x, 1, MPI_INT),
                               MPI_File_read_all_end(f, &x, &status),
                               MPI_File_read_shared(f, &x, 1, MPI_INT, &status),
                               MPI_File_seek(f, 0, MPI_SEEK_SET),
                               MPI_File_seek_shared(f, 0, MPI_SEEK_SET),
                               MPI_File_set_atomicity(f, 1),
                               MPI_File_set_info(f, MPI_INFO_NULL),
                               MPI_File_set_size(f, 1),
                               MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL),
                               MPI_File_sync(f),
                               MPI_File_write_ordered(f, &x, 1, MPI_INT, &status)};
        for (size_t at = 0; at < sizeof results / sizeof *results; at++) {
            snprintf(name, sizeof name, "call %zu", at);
            fails(name, results[at], MPI_ERR_FILE);
        }
    }
}

/* --- places --------------------------------------------------------------------------------------------------- */

static void far(const char *path)
{
    MPI_Offset at;
    MPI_File f = open_file(MPI_COMM_WORLD, path);
    fails("a view", MPI_File_set_view(f, INT64_MAX - 100, MPI_INT, MPI_INT, "native", MPI_INFO_NULL),
          MPI_SUCCESS);
    fails("a read behind the last byte", MPI_File_read_at(f, 30, data, 1, MPI_INT, &status), MPI_ERR_ARG);
    fails("a write that ends there", MPI_File_write_at(f, 20, data, 9, MPI_INT, &status), MPI_ERR_ARG);
    fails("an offset", MPI_File_write_at_all(f, INT64_MAX / 2, data, 1, MPI_INT, &status), MPI_ERR_ARG);
    fails("its byte", MPI_File_get_byte_offset(f, INT64_MAX, &at), MPI_ERR_ARG);
    fails("a read at the end", MPI_File_read_at(f, 20, data, 1, MPI_INT, &status), MPI_SUCCESS);
    fails("a seek", MPI_File_seek(f, INT64_MAX, MPI_SEEK_SET), MPI_SUCCESS);
    fails("a seek from there", MPI_File_seek(f, 1, MPI_SEEK_CUR), MPI_ERR_ARG);
    fails("a read there", MPI_File_read(f, data, 1, MPI_INT, &status), MPI_ERR_ARG);
    MPI_File_get_position(f, &at);
    fails("the pointer has moved", at != INT64_MAX, MPI_SUCCESS);
    fails("a seek by all", MPI_File_seek_shared(f, -1, MPI_SEEK_CUR), MPI_ERR_ARG);
    fails("a seek from nowhere", MPI_File_seek_shared(f, 0, 77), MPI_ERR_ARG);
    fails("the size", (MPI_File_get_size(f, &at), at != 0), MPI_SUCCESS);
    MPI_File_close(&f);
}

/* --- sizes ------------------------------------------------------------------------------------------------------ */

static void limit_files(rlim_t bytes)
{
    struct rlimit r;
    getrlimit(RLIMIT_FSIZE, &r);
    r.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &r);
}

/* All members are told what one of them cannot do. */
static void sizes(const char *path)
{
    MPI_Offset size;
    MPI_File f = open_file(MPI_COMM_WORLD, path);
    fails("a size", MPI_File_set_size(f, 3000), MPI_SUCCESS);
    fails("less than nothing", MPI_File_set_size(f, -1), MPI_ERR_ARG);
    limit_files(4096);
    MPI_Barrier(MPI_COMM_WORLD);
    fails("a size beyond the limit", MPI_File_set_size(f, 10000), MPI_ERR_NO_SPACE);
    fails("space beyond the limit", MPI_File_preallocate(f, 10000), MPI_ERR_NO_SPACE);
    MPI_Barrier(MPI_COMM_WORLD);
    limit_files(RLIM_INFINITY);
    MPI_File_get_size(f, &size);
    fails("the size is another one", size != 3000, MPI_SUCCESS);
    MPI_File_close(&f);
}

/* Of 100 MB, on the first rank's host. The file is not really so long. */
static void quota(const char *path)
{
    enum { MB = 1000 * 1000 };
    MPI_Offset size;
    MPI_File f = open_file(MPI_COMM_WORLD, path);
    fails("a size within the quota", MPI_File_set_size(f, 99 * MB), MPI_SUCCESS);
    fails("a size", MPI_File_set_size(f, 101 * MB), MPI_ERR_QUOTA);
    fails("space", MPI_File_preallocate(f, 101 * MB), MPI_ERR_QUOTA);
    MPI_File_get_size(f, &size);
    fails("the size is another one", size != 99 * MB, MPI_SUCCESS);
    fails("less", MPI_File_set_size(f, 0), MPI_SUCCESS);
    MPI_File_close(&f);
}

/* --- files that may not be written -------------------------------------------------------------------------------- */

static int try_open(const char *name, int amode)
{
    MPI_File f = MPI_FILE_NULL;
    int rc = MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, &f);
    if (!rc)
        MPI_File_close(&f);
    return rc;
}

static void denied(void)
{
    char name[5000];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = 0;
    fails("a program that runs", try_open("/proc/self/exe", MPI_MODE_RDWR), MPI_ERR_FILE_IN_USE);
    fails("a file as a folder", try_open("/dev/null/file", MPI_MODE_CREATE | MPI_MODE_RDWR),
          MPI_ERR_BAD_FILE);
    fails("a long name", try_open(name, MPI_MODE_RDWR), MPI_ERR_BAD_FILE);
    fails("no folder to delete from", MPI_File_delete("/no/such/file", MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
    fails("a folder to delete", MPI_File_delete("/dev", MPI_INFO_NULL), MPI_ERR_BAD_FILE);
    MPI_Barrier(MPI_COMM_WORLD);
    uid_t user = geteuid();
    if (user == 0 && seteuid(65534)) /* root may write every file; all ranks change together, and back */
        fails("seteuid", MPI_ERR_OTHER, MPI_SUCCESS);
    fails("a file of root's", try_open("/etc/passwd", MPI_MODE_RDWR), MPI_ERR_ACCESS);
    fails("a new file there", try_open("/etc/pgasim-denied", MPI_MODE_CREATE | MPI_MODE_WRONLY),
          MPI_ERR_ACCESS);
    fails("a read of it", try_open("/etc/passwd", MPI_MODE_RDONLY), MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    if (user == 0 && seteuid(user))
        fails("seteuid", MPI_ERR_OTHER, MPI_SUCCESS);
}

/* --- writes that fail ----------------------------------------------------------------------------------------------- */

static int write_by(MPI_File f, const char *way)
{
    MPI_Request r;
    MPI_Datatype apart;
    MPI_Type_create_resized(MPI_INT, 0, 12, &apart);
    MPI_Type_commit(&apart);
    if (!strcmp(way, "at"))
        return MPI_File_write_at(f, 0, data, 10, MPI_INT, &status);
    if (!strcmp(way, "at_all"))
        return MPI_File_write_at_all(f, 0, data, 10, MPI_INT, &status);
    if (!strcmp(way, "i_at"))
        return MPI_File_iwrite_at(f, 0, data, 10, MPI_INT, &r) || MPI_Wait(&r, &status);
    if (!strcmp(way, "all_begin"))
        return MPI_File_write_all_begin(f, data, 10, MPI_INT) || MPI_File_write_all_end(f, data, &status);
    if (!strcmp(way, "shared"))
        return MPI_File_write_shared(f, data, 10, MPI_INT, &status);
    if (!strcmp(way, "ordered"))
        return MPI_File_write_ordered(f, data, 10, MPI_INT, &status);
    if (!strcmp(way, "scattered"))
        return MPI_File_write_at(f, 0, data, 10, apart, &status);
    MPI_File_set_view(f, 0, MPI_INT, !strcmp(way, "pieces") ? apart : MPI_INT,
                      !strcmp(way, "external") ? "external32" : "native", MPI_INFO_NULL);
    return MPI_File_write_at(f, 0, data, 10, MPI_INT, &status);
}

static void full(const char *way)
{
    MPI_File f = open_file(MPI_COMM_WORLD, "/dev/full");
    write_by(f, way); /* whose result this program does not look at */
    MPI_File_close(&f);
}

static void limit(const char *path)
{
    MPI_File f = open_file(MPI_COMM_SELF, path);
    limit_files(8192);
    fails("a write within the limit", MPI_File_write_at(f, 0, data, 8192, MPI_BYTE, &status), MPI_SUCCESS);
    fails("a write beyond it", MPI_File_write_at(f, 4096, data, 8192, MPI_BYTE, &status), MPI_ERR_NO_SPACE);
    MPI_File_close(&f);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    const char *what = argv[1], *path = argc > 2 ? argv[2] : "";
    if (!strcmp(what, "closed"))
        closed(path);
    else if (!strcmp(what, "far"))
        far(path);
    else if (!strcmp(what, "sizes"))
        sizes(path);
    else if (!strcmp(what, "quota"))
        quota(path);
    else if (!strcmp(what, "denied"))
        denied();
    else if (!strcmp(what, "full"))
        full(path);
    else
        limit(path);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
