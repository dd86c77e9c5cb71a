/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what calls on files of MPI refuse and answer: places for results, modes, names, hints in effect, representations of the
 * program's, sizes and room; errors of devices, at all members; what is left of files at the end of a job.
 */
#include "mpi/file_stage.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

static const int create = MPI_MODE_CREATE | MPI_MODE_RDWR;

/* --- arguments ------------------------------------------------------------------------------------------------ */

static void pass_nothing(struct rank *r)
{
    MPI_Offset at;
    MPI_Datatype type;
    char name[MPI_MAX_DATAREP_STRING];
    MPI_File f = files_open(MPI_COMM_SELF, create, NULL), g;
    (void)r;
    const int results[] = {MPI_File_get_amode(f, NULL),
                           MPI_File_get_group(f, NULL),
                           MPI_File_get_size(f, NULL),
                           MPI_File_get_atomicity(f, NULL),
                           MPI_File_get_byte_offset(f, 0, NULL),
                           MPI_File_get_position(f, NULL),
                           MPI_File_get_position_shared(f, NULL),
                           MPI_File_get_info(f, NULL),
                           MPI_File_get_view(f, NULL, &type, &type, name),
                           MPI_File_get_view(f, &at, NULL, &type, name),
                           MPI_File_get_view(f, &at, &type, NULL, name),
                           MPI_File_get_view(f, &at, &type, &type, NULL),
                           MPI_File_get_type_extent(f, MPI_INT, NULL),
                           MPI_File_seek(f, 0, 99),
                           MPI_File_get_byte_offset(f, -1, &at),
                           MPI_File_close(NULL)};
    for (size_t k = 0; k < BASE_LENGTH(results); k++) {
        snprintf(name, sizeof name, "call %zu", k);
        files_fails(name, results[k], MPI_ERR_ARG);
    }
    files_fails("no representation", MPI_File_set_view(f, 0, MPI_INT, MPI_INT, NULL, MPI_INFO_NULL),
                MPI_ERR_UNSUPPORTED_DATAREP);
    files_fails("no type", MPI_File_get_type_extent(f, MPI_DATATYPE_NULL, &(MPI_Aint){0}), MPI_ERR_TYPE);
    files_fails("no name", MPI_File_delete(NULL, MPI_INFO_NULL), MPI_ERR_BAD_FILE);
    files_fails("no communicator", MPI_File_open(MPI_COMM_NULL, files_path, create, MPI_INFO_NULL, &g),
                MPI_ERR_COMM);
    files_fails("closing", MPI_File_close(&f), MPI_SUCCESS);
}

static void arguments(void **state)
{
    (void)state;
    files_begin(1, "");
    files_play(pass_nothing);
}

/* --- modes ------------------------------------------------------------------------------------------------------ */

static void at_is(MPI_File f, MPI_Offset wanted)
{
    MPI_Offset own, shared;
    MPI_File_get_position(f, &own);
    MPI_File_get_position_shared(f, &shared);
    if (own != wanted || shared != wanted)
        fail_msg("pointers at %lld and %lld, expected %lld", (long long)own, (long long)shared,
                 (long long)wanted);
}

static void use_modes(struct rank *r)
{
    static const int wrong[] = {0, MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_MODE_RDONLY | MPI_MODE_EXCL,
                                1 << 20 | create, MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL};
    static const int right[] = {MPI_MODE_RDONLY, MPI_MODE_WRONLY, MPI_MODE_RDWR | MPI_MODE_UNIQUE_OPEN,
                                MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL | MPI_MODE_APPEND | MPI_MODE_CREATE};
    char text[20] = "0123456789", prefixed[100];
    struct stat s;
    int amode;
    MPI_File f = files_open(MPI_COMM_SELF, create | MPI_MODE_EXCL, NULL);
    at_is(f, 0);
    assert_int_equal(stat(files_path, &s), 0);
    MPI_File_write(f, text, 10, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
    for (size_t k = 0; k < BASE_LENGTH(wrong); k++)
        files_fails("a mode", MPI_File_open(MPI_COMM_SELF, files_path, wrong[k], MPI_INFO_NULL, &f),
                    MPI_ERR_AMODE);
    for (size_t k = 0; k < BASE_LENGTH(right); k++) {
        f = files_open(MPI_COMM_SELF, right[k], NULL);
        MPI_File_get_amode(f, &amode);
        assert_int_equal(amode, right[k]);
        MPI_File_close(&f);
    }
    f = files_open(MPI_COMM_SELF, create | MPI_MODE_APPEND, NULL); /* what is there stays */
    at_is(f, 10);
    MPI_File_set_view(f, 2, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    at_is(f, 0);
    MPI_File_close(&f);
    f = files_open(MPI_COMM_SELF, MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL, NULL);
    files_fails("a size", MPI_File_set_size(f, 1), MPI_ERR_UNSUPPORTED_OPERATION);
    files_fails("space", MPI_File_preallocate(f, 1), MPI_ERR_UNSUPPORTED_OPERATION);
    files_fails("a place", MPI_File_write_at(f, 0, text, 1, MPI_BYTE, MPI_STATUS_IGNORE),
                MPI_ERR_UNSUPPORTED_OPERATION);
    MPI_File_close(&f);
    snprintf(prefixed, sizeof prefixed, "ufs:%s", files_path);
    files_fails("a prefix", MPI_File_open(MPI_COMM_SELF, prefixed, MPI_MODE_RDONLY, MPI_INFO_NULL, &f),
                MPI_SUCCESS);
    files_fails("space", MPI_File_preallocate(f, 1), MPI_ERR_READ_ONLY);
    MPI_File_close(&f);
    assert_int_equal(files_used(r), 10);
    files_fails("deleting it", MPI_File_delete(prefixed, MPI_INFO_NULL), MPI_SUCCESS);
    assert_int_equal(files_used(r), 0);
    assert_int_equal(stat(files_path, &s), -1);
}

/* The first member's mask counts for new files. */
static void make_with_mask(struct rank *r)
{
    struct stat s;
    mode_t was = umask(r->id ? 0 : 027);
    MPI_File f = files_open(MPI_COMM_WORLD, create | MPI_MODE_DELETE_ON_CLOSE, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    umask(was);
    assert_int_equal(stat(files_path, &s), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_write_at(f, 100 * r->id, "x", 1, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
    MPI_Barrier(MPI_COMM_WORLD);
    assert_int_equal(stat(files_path, &s), -1);
    assert_int_equal(files_used(r), 0);
}

static int handled[2]; /* by rank */
static void count_error(MPI_File *f, int *code, ...)
{
    (void)f;
    (void)code;
    handled[rank_current->id]++;
}

/* A file has a reference to its handler; and a view with more loops in it than a cursor has room for lets go of them. */
static void let_go(struct rank *r)
{
    MPI_Errhandler handler;
    MPI_Datatype loops = MPI_BYTE;
    MPI_File f = files_open(MPI_COMM_SELF, create, NULL);
    MPI_File_create_errhandler(count_error, &handler);
    const struct mpi_errhandler *h = mpi_find(mpi_rank_of(r), MPI_KIND_ERRHANDLER, handler);
    uint32_t before = h->object.references;
    MPI_File_set_errhandler(f, handler);
    assert_int_equal(h->object.references, before + 1);
    for (int depth = 0; depth < 20; depth++) {
        MPI_Datatype inner = loops;
        MPI_Aint extent, lower;
        MPI_Type_get_extent(inner, &lower, &extent);
        MPI_Type_create_hvector(2, 1, 2 * extent + 1, inner, &loops);
        if (depth)
            MPI_Type_free(&inner);
    }
    MPI_Type_commit(&loops);
    files_fails("a deep view", MPI_File_set_view(f, 0, MPI_BYTE, loops, "native", MPI_INFO_NULL),
                MPI_SUCCESS);
    files_fails("a write", MPI_File_write(f, "xxxxxxxxx", 9, MPI_BYTE, MPI_STATUS_IGNORE), MPI_SUCCESS);
    MPI_Type_free(&loops);
    MPI_File_close(&f);
    assert_int_equal(h->object.references, before);
    MPI_Errhandler_free(&handler);
}

static void modes(void **state)
{
    (void)state;
    files_begin(1, "");
    files_play(use_modes);
    files_begin(2, "");
    files_play(make_with_mask);
    files_begin(1, "");
    files_play(let_go);
}

/* --- hints -------------------------------------------------------------------------------------------------------- */

static void hint_is(MPI_File f, const char *key, const char *wanted)
{
    MPI_Info info;
    char value[80] = "";
    int flag;
    MPI_File_get_info(f, &info);
    MPI_Info_get(info, key, sizeof value - 1, value, &flag);
    if (flag ? !wanted || strcmp(value, wanted) != 0 : wanted != NULL)
        fail_msg("%s is %s, expected %s", key, flag ? value : "not there", wanted ? wanted : "none");
    MPI_Info_free(&info);
}

static void change_hint(MPI_File f, const char *key, const char *value)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    files_fails("hints", MPI_File_set_info(f, info), MPI_SUCCESS);
    MPI_Info_free(&info);
}

static void give_hints(struct rank *r)
{
    static const char *const stripes[] = {"striping_unit", "500", "striping_factor", "1", "mine",
                                          "kept",          NULL};
    static const char *const wrong[] = {"cb_nodes",
                                        "0",
                                        "cb_buffer_size",
                                        "much",
                                        "striping_unit",
                                        "-1",
                                        "striping_factor",
                                        "5000000000",
                                        "romio_cb_write",
                                        "Enable",
                                        "ind_rd_buffer_size",
                                        "x",
                                        NULL};
    MPI_File f = files_open(MPI_COMM_WORLD, create, stripes);
    const struct mpi_file_hints *h = &files_of(r, f)->hints;
    hint_is(f, "striping_unit", "500");
    hint_is(f, "striping_factor", "1");
    hint_is(f, "mine", "kept");
    hint_is(f, "cb_nodes", "6");
    hint_is(f, "cb_buffer_size", "16777216");
    hint_is(f, "ind_rd_buffer_size", "4194304");
    hint_is(f, "ind_wr_buffer_size", "524288");
    hint_is(f, "romio_ds_read", "automatic");
    hint_is(f, "nobodys", NULL);
    assert_true(h->aggregators == 6 && h->buffer == 16777216 && h->sieve_read == 4194304 &&
                h->sieve_write == 524288);
    for (int k = 0; k < 2; k++)
        assert_true(h->collective[k] == MPI_CHOICE_AUTOMATIC && h->sieve[k] == MPI_CHOICE_AUTOMATIC);
    change_hint(f, "cb_nodes", "2");
    hint_is(f, "cb_nodes", "2");
    hint_is(f, "mine", "kept");
    change_hint(f, "cb_nodes", "99");
    hint_is(f, "cb_nodes", "6");
    change_hint(f, "cb_buffer_size", "5000000000");
    change_hint(f, "romio_cb_read", "enable");
    change_hint(f, "romio_cb_write", "disable");
    change_hint(f, "romio_ds_read", "disable");
    change_hint(f, "romio_ds_write", "enable");
    change_hint(f, "ind_rd_buffer_size", "77");
    change_hint(f, "striping_unit", "700"); /* too late */
    hint_is(f, "striping_unit", "500");
    assert_true(h->aggregators == 6 && h->buffer == 5000000000 && h->sieve_read == 77);
    assert_true(h->collective[0] == MPI_CHOICE_ENABLE && h->collective[1] == MPI_CHOICE_DISABLE);
    assert_true(h->sieve[0] == MPI_CHOICE_DISABLE && h->sieve[1] == MPI_CHOICE_ENABLE);
    MPI_File_write_at(f, r->id, "x", 1, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
    f = files_open(MPI_COMM_WORLD, create, wrong);
    hint_is(f, "cb_nodes", "6");
    hint_is(f, "cb_buffer_size", "16777216");
    hint_is(f, "striping_unit", "500");
    hint_is(f, "striping_factor", "1");
    hint_is(f, "romio_cb_write", "automatic");
    hint_is(f, "ind_rd_buffer_size", "4194304");
    MPI_File_close(&f);
}

static void hints(void **state)
{
    (void)state;
    files_begin(8, ""); /* on six hosts */
    files_play(give_hints);
}

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

/* --- sizes -------------------------------------------------------------------------------------------------------- */

static void size_is(MPI_File f, struct rank *r, MPI_Offset wanted, uint64_t used)
{
    MPI_Offset size;
    files_fails("a size", MPI_File_get_size(f, &size), MPI_SUCCESS);
    if (size != wanted || files_used(r) != used)
        fail_msg("%lld bytes, and %lu are used; expected %lld and %lu", (long long)size, files_used(r),
                 (long long)wanted, used);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void change_sizes(struct rank *r)
{
    int flag = 7;
    MPI_File f = files_open(MPI_COMM_WORLD, create, NULL);
    files_fails("a size", MPI_File_set_size(f, 5000), MPI_SUCCESS);
    size_is(f, r, 5000, 5000);
    files_fails("no space", MPI_File_preallocate(f, 0), MPI_SUCCESS);
    files_fails("less space", MPI_File_preallocate(f, 4000), MPI_SUCCESS);
    size_is(f, r, 5000, 5000);
    files_fails("space", MPI_File_preallocate(f, 6000), MPI_SUCCESS);
    size_is(f, r, 6000, 6000);
    files_fails("more than there is", MPI_File_preallocate(f, 10001), MPI_ERR_NO_SPACE);
    files_fails("more than there is", MPI_File_set_size(f, 10001), MPI_ERR_NO_SPACE);
    size_is(f, r, 6000, 6000);
    files_fails("a size", MPI_File_set_size(f, 10), MPI_SUCCESS);
    size_is(f, r, 10, 10);
    files_fails("none", MPI_File_set_size(f, 0), MPI_SUCCESS);
    size_is(f, r, 0, 0);
    MPI_File_get_atomicity(f, &flag);
    assert_int_equal(flag, 0);
    MPI_File_set_atomicity(f, 5);
    MPI_File_get_atomicity(f, &flag);
    assert_int_equal(flag, 1);
    MPI_File_set_atomicity(f, 0);
    MPI_File_get_atomicity(f, &flag);
    assert_int_equal(flag, 0);
    MPI_File_close(&f);
}

static void sizes(void **state)
{
    (void)state;
    files_begin(4, "<prop id='storage/pfs/size' value='10kB'/>");
    files_play(change_sizes);
}

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

/* --- devices that fail -------------------------------------------------------------------------------------------- */

enum { N4 = 4, MANY = 4000 };

static void server_is(struct rank *r, bool on)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (r->id == 0)
        (on ? fabric_host_returns : fabric_host_fails)(stage.fabric, N4);
    MPI_Barrier(MPI_COMM_WORLD);
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
    files_fails("sizes", MPI_File_set_size(f, 100 + r->id % 2), MPI_SUCCESS);
    MPI_File_get_size(f, &size);
    assert_int_equal(size, 100);
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
        !strstr(stage.report, "rank 1 passes 101, rank 2 passed 100"))
        fail_msg("not said: rank 1 passes 101, rank 2 passed 100; but: %s", stage.report);
    ranks_end(&stage);
    unlink(files_path);
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
        cmocka_unit_test(arguments),       cmocka_unit_test(modes),   cmocka_unit_test(hints),
        cmocka_unit_test(representations), cmocka_unit_test(sizes),   cmocka_unit_test(keeper),
        cmocka_unit_test(failing_devices), cmocka_unit_test(left),    cmocka_unit_test(refusals),
        cmocka_unit_test(members),         cmocka_unit_test(too_far), cmocka_unit_test(names_and_bytes),
        cmocka_unit_test(whole_transfers),
    };
    return files_main(tests, BASE_LENGTH(tests));
}
