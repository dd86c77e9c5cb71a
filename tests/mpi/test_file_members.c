/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what members of a file of MPI have of each other: the shared pointer and its keeper, refusals, values that must be alike,
 * turns, errors of devices.
 */
#include "mpi/file_stage.h"

static const int create = MPI_MODE_CREATE | MPI_MODE_RDWR;

/* --- the shared pointer ------------------------------------------------------------------------------------------- */

/* Rank 0's host keeps it, and serves for 10 ms, one after the other; the others have 1 ms to go. */
static void ask_the_keeper(struct rank *r)
{
    static const double ends[] = {1.010, 1.021, 1.031};
    MPI_Offset at;
    MPI_File f = files_open(MPI_COMM_WORLD, create, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    engine_sleep(r->engine, 1 + 1e-4 * r->id - engine_now(r->engine));
    MPI_File_get_position_shared(f, &at);
    if (fabs(engine_now(r->engine) - ends[r->id]) > 1e-6)
        fail_msg("rank %u is told at %.9f s, expected %.9f s", r->id, engine_now(r->engine), ends[r->id]);
    MPI_File_close(&f);
}

static void keeper(void **state)
{
    (void)state;
    files_begin(3, "");
    ranks_setting(&stage, "mpi/shared-pointer", "10ms");
    files_play(ask_the_keeper);
}

/* --- devices that fail -------------------------------------------------------------------------------------------- */

enum { N4 = 4, MANY = 4000 };

static void server_is(struct rank *r, bool on)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (r->id == 0)
        (on ? fabric_host_returns : fabric_host_fails)(stage.fabric, N4);
    MPI_Barrier(MPI_COMM_WORLD);
}

static int handled[2]; /* by rank */
static void count_error(MPI_File *f, int *code, ...)
{
    (void)f;
    (void)code;
    handled[rank_current->id]++;
}

static void write_in_vain(struct rank *r)
{
    static char data[MANY];
    static const char *const hints[] = {"romio_cb_write", "enable", "romio_cb_read", "enable", NULL};
    MPI_Request q;
    MPI_Status status;
    MPI_Errhandler handler;
    MPI_File f = files_open(MPI_COMM_WORLD, create, hints), g;
    MPI_Offset mine = 1000 * r->id;
    files_fails("a write", MPI_File_write_at_all(f, mine, data, 1000, MPI_BYTE, MPI_STATUS_IGNORE),
                MPI_SUCCESS);
    MPI_File_create_errhandler(count_error, &handler);
    MPI_File_set_errhandler(f, handler);
    MPI_Errhandler_free(&handler);
    server_is(r, false);
    /* It has the first one of two stripes. */
    int class = r->id ? MPI_SUCCESS : MPI_ERR_IO;
    handled[r->id] = 0;
    files_fails("a write alone", MPI_File_write_at(f, mine, data, 1000, MPI_BYTE, MPI_STATUS_IGNORE), class);
    files_fails("a read alone", MPI_File_read_at(f, mine, data, 1000, MPI_BYTE, MPI_STATUS_IGNORE), class);
    assert_int_equal(handled[r->id], r->id ? 0 : 2);
    files_fails("starting a write", MPI_File_iwrite_at(f, mine, data, 1000, MPI_BYTE, &q), MPI_SUCCESS);
    // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): it knows no calls on files
    files_fails("its end", MPI_Wait(&q, &status), class);
    files_fails("writing together", MPI_File_write_at_all(f, mine, data, 1000, MPI_BYTE, MPI_STATUS_IGNORE),
                MPI_ERR_IO); /* all are told */
    files_fails("reading together", MPI_File_read_at_all(f, mine, data, 1000, MPI_BYTE, MPI_STATUS_IGNORE),
                class);
    files_fails("another file", MPI_File_open(MPI_COMM_SELF, "/dev/null", create, MPI_INFO_NULL, &g),
                MPI_ERR_IO);
    assert_true(g == MPI_FILE_NULL);
    server_is(r, true);
    files_fails("writing together", MPI_File_write_at_all(f, mine, data, 1000, MPI_BYTE, MPI_STATUS_IGNORE),
                MPI_SUCCESS);
    MPI_File_close(&f);
}

/* Written out of a cache: the next sync tells of it. */
static void sync_in_vain(struct rank *r)
{
    static char data[MANY];
    MPI_File f = files_open(MPI_COMM_WORLD, create, NULL);
    server_is(r, false);
    files_fails("a write", MPI_File_write_at(f, 2000 * r->id, data, 1000, MPI_BYTE, MPI_STATUS_IGNORE),
                MPI_SUCCESS);
    files_fails("a sync", MPI_File_sync(f), MPI_ERR_IO);
    server_is(r, true);
    files_fails("a sync", MPI_File_sync(f), MPI_SUCCESS);
    MPI_File_close(&f);
    f = files_open(MPI_COMM_WORLD, MPI_MODE_RDONLY, NULL);
    files_fails("a sync of what is read", MPI_File_sync(f), MPI_SUCCESS);
    MPI_File_close(&f);
}

static void failing_devices(void **state)
{
    (void)state;
    files_begin(2, "");
    files_play(write_in_vain);
    files_begin(2,
                "<prop id='storage/pfs/cache' value='1MB'/><prop id='storage/pfs/cache_bw' value='1GBps'/>");
    files_play(sync_in_vain);
}

/* --- members that are refused ------------------------------------------------------------------------------------- */

/* Nothing is left of collective calls that are over. */
static void no_turn(struct rank *r, MPI_File f)
{
    MPI_Barrier(MPI_COMM_WORLD);
    assert_null(files_of(r, f)->opened->turns);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void pointer_is(struct rank *r, MPI_File f, MPI_Offset wanted)
{
    MPI_Offset at;
    no_turn(r, f);
    MPI_File_get_position_shared(f, &at);
    if (at != wanted)
        fail_msg("rank %u: the shared pointer is at %lld, expected %lld", r->id, (long long)at,
                 (long long)wanted);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 1 passes what is wrong. */
static void refuse_one(struct rank *r)
{
    char data[100] = {1};
    MPI_Request q = MPI_REQUEST_NULL;
    MPI_Info info, gone;
    MPI_File f = files_open(MPI_COMM_WORLD, create, NULL);
    int n = r->id == 1 ? -1 : 10, class = r->id == 1 ? MPI_ERR_COUNT : MPI_SUCCESS;
    files_fails("alone", MPI_File_write_at(f, 0, data, n, MPI_BYTE, MPI_STATUS_IGNORE), class);
    files_fails("starting alone", MPI_File_iwrite_at(f, 0, data, n, MPI_BYTE, &q), class);
    MPI_Waitall(1, &q, MPI_STATUSES_IGNORE); // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): as above
    files_fails("together", MPI_File_write_at_all(f, 20 * r->id, data, n, MPI_BYTE, MPI_STATUS_IGNORE),
                class);
    no_turn(r, f);
    files_fails("in order", MPI_File_write_ordered(f, data, n, MPI_BYTE, MPI_STATUS_IGNORE), class);
    pointer_is(r, f, 20);
    files_fails("a seek", MPI_File_seek_shared(f, 5, MPI_SEEK_CUR), MPI_SUCCESS);
    pointer_is(r, f, 25);
    files_fails("a seek", MPI_File_seek_shared(f, 0, r->id == 1 ? 99 : MPI_SEEK_SET), MPI_ERR_ARG);
    pointer_is(r, f, 25);
    files_fails("a seek", MPI_File_seek_shared(f, -30, MPI_SEEK_CUR), MPI_ERR_ARG);
    files_fails("a seek", MPI_File_seek_shared(f, -1, MPI_SEEK_END), MPI_SUCCESS);
    pointer_is(r, f, 49);
    MPI_Info_create(&info);
    gone = info;
    MPI_Info_free(&info);
    files_fails("hints", MPI_File_set_info(f, r->id == 1 ? gone : MPI_INFO_NULL),
                r->id == 1 ? MPI_ERR_INFO : MPI_SUCCESS);
    files_fails(
        "a view",
        MPI_File_set_view(f, 0, MPI_BYTE, r->id == 1 ? MPI_DATATYPE_NULL : MPI_BYTE, "native", MPI_INFO_NULL),
        r->id == 1 ? MPI_ERR_TYPE : MPI_SUCCESS);
    pointer_is(r, f, 0);
    files_fails("a size", MPI_File_set_size(f, r->id == 1 ? -1 : 5), MPI_ERR_ARG);
    no_turn(r, f);
    assert_int_equal(files_of(r, f)->accesses, 0);
    files_fails("closing", MPI_File_close(&f), MPI_SUCCESS);
}

static void refusals(void **state)
{
    (void)state;
    files_begin(3, "");
    files_play(refuse_one);
}

/* Each member's bytes are where its view, its pointer or its turn says. */
static void place_bytes(struct rank *r)
{
    const char data[] = {(char)(r->id + 1), (char)(r->id + 1), (char)(r->id + 1)};
    char bytes[40] = {0};
    MPI_Offset at;
    MPI_File f = files_open(MPI_COMM_WORLD, create, NULL);
    files_fails("a view", MPI_File_set_view(f, 7, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), MPI_SUCCESS);
    files_fails("in order", MPI_File_write_ordered(f, data, (int)r->id + 1, MPI_BYTE, MPI_STATUS_IGNORE),
                MPI_SUCCESS);
    pointer_is(r, f, 6);
    files_fails("a seek", MPI_File_seek(f, 6 + 2 * r->id, MPI_SEEK_SET), MPI_SUCCESS);
    for (int k = 0; k < 2; k++)
        files_fails("at its pointer", MPI_File_write(f, data, 1, MPI_BYTE, MPI_STATUS_IGNORE), MPI_SUCCESS);
    MPI_File_get_position(f, &at);
    assert_int_equal(at, 8 + 2 * r->id);
    MPI_Barrier(MPI_COMM_WORLD);
    FILE *real = fopen(files_path, "rb");
    assert_int_equal(fread(bytes, 1, sizeof bytes, real), 7 + 12);
    fclose(real);
    assert_memory_equal(bytes, "\0\0\0\0\0\0\0\1\2\2\3\3\3\1\1\2\2\3\3", 19);
    MPI_File_close(&f);
}

/* Rank 2 comes first, and what it passes holds; the first one that differs is told. */
static void differ(struct rank *r)
{
    MPI_Offset size;
    MPI_File f = files_open(MPI_COMM_WORLD, create, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    engine_sleep(r->engine, 3 - r->id);
    files_fails("sizes", MPI_File_set_size(f, 100 + r->id), MPI_SUCCESS);
    MPI_File_get_size(f, &size);
    assert_int_equal(size, 102);
    engine_sleep(r->engine, 3 - r->id);
    files_fails("offsets", MPI_File_seek_shared(f, 10 * r->id, MPI_SEEK_SET), MPI_SUCCESS);
    pointer_is(r, f, 20);
    MPI_File_close(&f);
}

static void members(void **state)
{
    (void)state;
    files_begin(3, "");
    files_play(place_bytes);
    files_begin(3, "");
    stage.all = files_rank;
    files_body = differ;
    assert_int_equal(ranks_run(&stage), ENGINE_ALL_DONE);
    if (!strstr(stage.report, "the members' sizes differ") ||
        !strstr(stage.report, "rank 1 passes 101, rank 2 passed 102"))
        fail_msg("not said: rank 1 passes 101, rank 2 passed 102; but: %s", stage.report);
    ranks_end(&stage);
    unlink(files_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeper),
        cmocka_unit_test(failing_devices),
        cmocka_unit_test(refusals),
        cmocka_unit_test(members),
    };
    return files_main(tests, BASE_LENGTH(tests));
}
