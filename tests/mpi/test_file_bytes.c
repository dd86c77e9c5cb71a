/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins bytes of files of MPI: representations of the program's, transfers that are long or scattered, places that no file has;
 * what opening costs; what is left of files at the end of a job.
 */
#include "mpi/file_stage.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

static const int create = MPI_MODE_CREATE | MPI_MODE_RDWR;

/* --- representations ---------------------------------------------------------------------------------------------- */

static MPI_Count converted, failing;

/* An int has three bytes more there, which say what it is in tens. */
static int extent(MPI_Datatype t, MPI_Aint *size, void *extra)
{
    assert_ptr_equal(extra, &converted);
    *size = t == MPI_INT ? 7 : t == MPI_CHAR ? 1 : t == MPI_SHORT ? -1 : 16;
    return t == MPI_FLOAT ? MPI_ERR_TYPE : MPI_SUCCESS;
}

static int to_file(void *user, MPI_Datatype t, MPI_Count count, void *file, MPI_Offset at, void *extra)
{
    assert_true(t == MPI_INT && at == 0 && extra == &converted);
    for (MPI_Count k = 0; k < count; k++) {
        memcpy((char *)file + 7 * k, (int *)user + k, 4);
        memset((char *)file + 7 * k + 4, 10 * ((int *)user)[k], 3);
    }
    converted += count;
    return failing ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int from_file(void *user, MPI_Datatype t, MPI_Count count, void *file, MPI_Offset at, void *extra)
{
    assert_true(t == MPI_INT && at == 0 && extra == &converted);
    for (MPI_Count k = 0; k < count; k++)
        memcpy((int *)user + k, (char *)file + 7 * k, 4);
    converted += count;
    return failing ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int told;
static void tell_extent(struct mpi_call *c, const char *name, MPI_Datatype type, int64_t bytes)
{
    (void)c;
    assert_string_equal(name, "sevens");
    assert_true((type == MPI_INT && bytes == 7) || (type == MPI_CHAR && bytes == 1));
    told++;
}

static void read_back(MPI_File f, int items, MPI_Offset end)
{
    int back[5] = {-1, -1, -1, -1, -1}, count;
    MPI_Status status;
    MPI_File_set_size(f, end);
    converted = 0;
    files_fails("a read", MPI_File_read_at(f, 0, back, 5, MPI_INT, &status), MPI_SUCCESS);
    MPI_Get_count(&status, MPI_INT, &count);
    assert_int_equal(count, items);
    assert_int_equal(converted, items);
    for (int k = 0; k < 5; k++)
        assert_int_equal(back[k], k < items ? k + 1 : -1);
}

static void convert(struct rank *r)
{
    static const int out[] = {1, 2, 3, 4, 5};
    char long_name[MPI_MAX_DATAREP_STRING + 1] = "", bytes[35];
    MPI_Aint size;
    MPI_Status status;
    int count;
    memset(long_name, 'x', MPI_MAX_DATAREP_STRING);
    files_fails("a long name", MPI_Register_datarep_c(long_name, from_file, to_file, extent, NULL),
                MPI_ERR_ARG);
    files_fails("an empty name", MPI_Register_datarep_c("", from_file, to_file, extent, NULL), MPI_ERR_ARG);
    files_fails("no name", MPI_Register_datarep_c(NULL, from_file, to_file, extent, NULL), MPI_ERR_ARG);
    files_fails("no extents", MPI_Register_datarep_c("x", from_file, to_file, NULL, NULL), MPI_ERR_ARG);
    long_name[MPI_MAX_DATAREP_STRING - 1] = 0;
    files_fails("the longest name", MPI_Register_datarep_c(long_name, from_file, to_file, extent, &converted),
                MPI_SUCCESS);
    files_fails("sevens", MPI_Register_datarep_c("sevens", from_file, to_file, extent, &converted),
                MPI_SUCCESS);
    files_fails("again", MPI_Register_datarep_c(long_name, from_file, to_file, extent, &converted),
                MPI_ERR_DUP_DATAREP);
    assert_false(mpi_play_extent(r, "nothing", (intptr_t)MPI_INT, 7));
    assert_false(mpi_play_extent(r, "native", (intptr_t)MPI_INT, 7));
    MPI_File f = files_open(MPI_COMM_SELF, create, NULL);
    told = 0;
    mpi_file_tell_extents(tell_extent);
    files_fails("a view", MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "sevens", MPI_INFO_NULL), MPI_SUCCESS);
    files_fails("an extent", MPI_File_get_type_extent(f, MPI_INT, &size), MPI_SUCCESS);
    assert_int_equal(size, 7);
    files_fails("an extent", MPI_File_get_type_extent(f, MPI_CHAR, &size), MPI_SUCCESS);
    assert_int_equal(size, 1);
    assert_int_equal(told, 2); /* once for each */
    mpi_file_tell_extents(NULL);
    files_fails("an extent below 0", MPI_File_get_type_extent(f, MPI_SHORT, &size), MPI_ERR_CONVERSION);
    files_fails("an extent that fails", MPI_File_get_type_extent(f, MPI_FLOAT, &size), MPI_ERR_CONVERSION);
    converted = 0;
    files_fails("a write", MPI_File_write_at(f, 0, out, 5, MPI_INT, &status), MPI_SUCCESS);
    MPI_Get_count(&status, MPI_INT, &count);
    assert_true(count == 5 && converted == 5);
    read_back(f, 5, 35);
    read_back(f, 4, 34);
    read_back(f, 1, 7);
    read_back(f, 0, 6);
    failing = 1;
    files_fails("a conversion", MPI_File_write_at(f, 0, out, 2, MPI_INT, &status), MPI_ERR_CONVERSION);
    MPI_File_set_size(f, 35);
    files_fails("a conversion", MPI_File_read_at(f, 0, bytes, 2, MPI_INT, &status), MPI_ERR_CONVERSION);
    failing = 0;
    MPI_File_close(&f);
}

/* Without functions that convert, data are as in memory, in their extents. */
static void convert_nothing(struct rank *r)
{
    static const int out[] = {1, 2, 3, 4, 5};
    int back[5] = {0}, count;
    MPI_Status status;
    (void)r;
    files_fails(
        "registering",
        MPI_Register_datarep("same", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent, &converted),
        MPI_SUCCESS);
    MPI_File f = files_open(MPI_COMM_SELF, create, NULL);
    files_fails("a view", MPI_File_set_view(f, 0, MPI_CHAR, MPI_CHAR, "same", MPI_INFO_NULL), MPI_SUCCESS);
    files_fails("a write", MPI_File_write_at(f, 2, out, 5, MPI_CHAR, &status), MPI_SUCCESS);
    files_fails("a read", MPI_File_read_at(f, 2, back, 9, MPI_CHAR, &status), MPI_SUCCESS);
    MPI_Get_count(&status, MPI_CHAR, &count);
    assert_true(count == 5 && back[0] == 1 && back[1] == 2);
    MPI_File_close(&f);
}

static void representations(void **state)
{
    (void)state;
    files_begin(1, "");
    files_play(convert);
    files_begin(1, "");
    files_play(convert_nothing);
}

/* --- names and bytes ----------------------------------------------------------------------------------------------- */

/* The first member makes the file, the other one looks it up; then both do. */
static void open_twice(struct rank *r)
{
    for (int turn = 0; turn < 2; turn++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = engine_now(r->engine), wanted = turn == 0 && r->id == 0 ? 20 : 10;
        MPI_File f = files_open(MPI_COMM_WORLD, create, NULL);
        if (fabs(engine_now(r->engine) - begin - wanted) > 0.1)
            fail_msg("turn %d: rank %u opens it in %.3f s, expected %.3f s", turn, r->id,
                     engine_now(r->engine) - begin, wanted);
        MPI_File_close(&f);
    }
}

/* More than goes through one buffer, with gaps in memory. */
static void scatter(struct rank *r)
{
    enum { ITEMS = 400000 };
    int *out = base_alloc(2 * ITEMS * sizeof *out, "test"), *in = base_zalloc(2 * ITEMS * sizeof *in, "test"),
        count;
    MPI_Datatype apart;
    MPI_Status status;
    MPI_File f = files_open(MPI_COMM_SELF, create, NULL);
    (void)r;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &apart);
    MPI_Type_commit(&apart);
    for (int k = 0; k < 2 * ITEMS; k++)
        out[k] = k;
    files_fails("a write", MPI_File_write_at(f, 8, out, ITEMS, apart, &status), MPI_SUCCESS);
    MPI_Get_count(&status, apart, &count);
    assert_int_equal(count, ITEMS);
    files_fails("a read", MPI_File_read_at(f, 8, in, ITEMS, apart, &status), MPI_SUCCESS);
    MPI_Get_count(&status, apart, &count);
    assert_int_equal(count, ITEMS);
    for (int k = 0; k < 2 * ITEMS; k++)
        assert_int_equal(in[k], k % 2 ? 0 : k);
    MPI_File_set_size(f, 8 + 4 * (ITEMS - 1)); /* the last one is not there */
    files_fails("a read", MPI_File_read_at(f, 8, in, ITEMS, apart, &status), MPI_SUCCESS);
    MPI_Get_count(&status, apart, &count);
    assert_int_equal(count, ITEMS - 1);
    MPI_Type_free(&apart);
    MPI_File_close(&f);
    free(out);
    free(in);
}

static void names_and_bytes(void **state)
{
    (void)state;
    files_begin(
        2,
        "<prop id='storage/pfs/lookup_time' value='10s'/><prop id='storage/pfs/change_time' value='20s'/>");
    files_play(open_twice);
    files_begin(1, "");
    files_play(scatter);
}

/* The system moves at most 2 GiB at a time. */
static void whole_transfers(void **state)
{
    const uint64_t bytes = 3ull << 30;
    void *at = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int nowhere = open("/dev/null", O_WRONLY);
    (void)state;
    assert_true(at != MAP_FAILED && nowhere >= 0);
    assert_int_equal(mpi_host_move(nowhere, true, at, bytes, 0), bytes);
    assert_int_equal(mpi_host_move(nowhere, false, at, 10, 0), 0); /* which it is not open for */
    assert_int_equal(errno, EBADF);
    close(nowhere);
    munmap(at, bytes);
}

/* Views end where offsets do; no byte is moved, and none is asked for. */
static void go_too_far(struct rank *r)
{
    char data[200];
    MPI_Offset at;
    MPI_File f = files_open(MPI_COMM_SELF, create, NULL);
    (void)r;
    files_fails("a view", MPI_File_set_view(f, INT64_MAX - 100, MPI_INT, MPI_INT, "native", MPI_INFO_NULL),
                MPI_SUCCESS);
    files_fails("the last place", MPI_File_read_at(f, 20, data, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
    files_fails("its offset", MPI_File_get_byte_offset(f, 20, &at), MPI_SUCCESS);
    assert_int_equal(at, INT64_MAX - 20);
    static const MPI_Offset places[] = {-1,       26, 30, INT64_MAX / 4, INT64_MAX / 4 + 1, INT64_MAX / 2,
                                        INT64_MAX};
    for (size_t k = 0; k < BASE_LENGTH(places); k++) {
        files_fails("a read", MPI_File_read_at(f, places[k], data, 1, MPI_INT, MPI_STATUS_IGNORE),
                    MPI_ERR_ARG);
        files_fails("a write", MPI_File_write_at(f, places[k], data, 1, MPI_INT, MPI_STATUS_IGNORE),
                    MPI_ERR_ARG);
        files_fails("its offset", MPI_File_get_byte_offset(f, places[k], &at), MPI_ERR_ARG);
    }
    files_fails("a long read", MPI_File_read_at(f, 20, data, 10, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    files_fails("nothing there", MPI_File_read_at(f, 30, data, 0, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
    MPI_File_close(&f);
    files_fails("a setting",
                MPI_File_open(MPI_COMM_SELF, "/proc/self/oom_score_adj", MPI_MODE_WRONLY, MPI_INFO_NULL, &f),
                MPI_SUCCESS);
    files_fails("what it refuses", MPI_File_write(f, "much", 4, MPI_BYTE, MPI_STATUS_IGNORE),
                MPI_ERR_BAD_FILE);
    MPI_File_close(&f);
}

static void too_far(void **state)
{
    (void)state;
    files_begin(1, "");
    files_play(go_too_far);
}

/* --- the end -------------------------------------------------------------------------------------------------------- */

enum { MANY = 4000 };

/* Files that are open, accesses of all kinds under way, and what they have of the program. */
static void leave_all(struct rank *r)
{
    static char data[4][MANY];
    static const char *const hints[] = {"romio_cb_write", "enable", NULL};
    MPI_Request q;
    MPI_Datatype pair;
    MPI_File f = files_open(MPI_COMM_WORLD, create, hints), g = files_open(MPI_COMM_SELF, create, NULL);
    MPI_Type_vector(100, 2, 3, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_File_set_view(f, 0, MPI_INT, pair, "native", MPI_INFO_NULL);
    MPI_File_write_all(f, data[0], 100, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at_all(f, 1000 * r->id, data[1], 1000, MPI_INT, &q);
    MPI_File_write_all_begin(f, data[2], 1000, MPI_INT);
    MPI_File_iread(g, data[3], MANY, MPI_BYTE, &q);
    MPI_File_iwrite_shared(f, data[3], 4, MPI_INT, &q);
    MPI_Register_datarep("left", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent, &converted);
}

static void left(void **state)
{
    (void)state;
    files_begin(4, "");
    files_body = leave_all;
    stage.all = files_rank;
    ranks_run(&stage);
    assert_int_equal(stage.status, 0);
    ranks_end(&stage); /* which says so if anything is left */
    unlink(files_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(representations),
        cmocka_unit_test(names_and_bytes),
        cmocka_unit_test(whole_transfers),
        cmocka_unit_test(too_far),
        cmocka_unit_test(left),
    };
    return files_main(tests, BASE_LENGTH(tests));
}
