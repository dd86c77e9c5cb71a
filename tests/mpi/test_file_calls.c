/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what calls on files of MPI refuse and answer: places for results, modes, names, hints in effect, sizes and room.
 */
#include "mpi/file_stage.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments),
        cmocka_unit_test(modes),
        cmocka_unit_test(hints),
        cmocka_unit_test(sizes),
    };
    return files_main(tests, BASE_LENGTH(tests));
}
