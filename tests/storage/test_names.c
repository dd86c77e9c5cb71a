/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins names of files: how long operations on them take at name servers and on disks; what a file that is renamed, linked,
 * removed or truncated keeps and gives back, in random order against a naive model (PGASIM_TEST_SEED=n plays one seed).
 */
#include "stage.h"

enum { MB = 1000000 };

/* --- time ---------------------------------------------------------------------------------------------------- */

#define NAMES(more)                                                                                          \
    PROP("servers", "s0")                                                                                    \
    PROP("mount", "/pfs")                                                                                    \
    PROP("read_bw", "1GBps")                                                                                 \
    PROP("write_bw", "1GBps") PROP("lookup_time", "10ms") PROP("change_time", "20ms") more

/* Two are served at a time, in the order of their arrival: ranks 0 and 1 have 1 ms to go, the others are there. */
static void two_at_a_time(struct rank *r)
{
    static const double ends[] = {0.021, 0.031, 0.010, 0.0205};
    if (r->id == 3)
        sleep_until(r, 0.0005);
    assert_int_equal(storage_metadata(r, "/pfs/x", r->id == 3 ? STORAGE_CHANGE : STORAGE_LOOKUP), 0);
    if (fabs(engine_now(r->engine) - ends[r->id]) > 1e-9)
        fail_msg("rank %u ends at %.9f s, expected %.9f s", r->id, engine_now(r->engine), ends[r->id]);
    sleep_until(r, 1);
    assert_int_equal(totals_of(r).names, 4);
}

/* Of a host's own disk: all at once. What takes no time there waits for nobody. */
static void on_its_disk(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/x", 0);
    assert_int_equal(storage_metadata(r, "/x", STORAGE_LOOKUP), 0);
    TIME_IS(0);
    assert_int_equal(storage_metadata(r, "/x", STORAGE_CHANGE), 0);
    TIME_IS(0.007);
    assert_int_equal(storage_sync(f), 0);
    TIME_IS(0.010);
    sleep_until(r, 1 + r->id);
    struct storage_volume_totals t = totals_of(r);
    if (r->id == 0)
        assert_true(t.names == 3 && fabs(t.waited - 0.030) < 1e-12 && fabs(t.longest - 0.010) < 1e-12);
    for (uint32_t k = 0; k < (r->id == 2 ? 2 : 1); k++)
        assert_int_equal(storage_metadata(r, "/x", STORAGE_CHANGE), 0);
    t = totals_of(r);
    if (r->id != 1) /* which has waited as long as rank 0 */
        assert_int_equal(t.longest_rank, r->id);
    assert_true(fabs(t.longest - (r->id == 2 ? 0.024 : 0.017)) < 1e-12);
    storage_file_close(f);
}

static void served(void **state)
{
    static const uint32_t hosts[] = {C0, C1, S1, S1};
    (void)state;
    begin_at(4, hosts, HEAD NAMES(PROP("metadata_threads", "2") PROP("metadata", "s1")) HOSTS("") TAIL, "");
    play(two_at_a_time);
    begin(3,
          HEAD HOSTS("<disk id='d' read_bw='1GBps' write_bw='1GBps'><prop id='change_time' value='7ms'/>"
                     "<prop id='sync_time' value='3ms'/></disk>") TAIL,
          "");
    play(on_its_disk);
}

/* --- room ------------------------------------------------------------------------------------------------------- */

/* A volume with a size and a quota: the smaller one counts, and says so. What files had before the run is not theirs. */
static void has_two_limits(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/x", 300), *old = storage_file_open(r, "/old", 2000);
    int full = stage.bytes == 1 ? EDQUOT : ENOSPC;
    assert_int_equal(storage_room(f, 0, 1300), 0);
    assert_int_equal(storage_room(f, 0, 1301), full);
    assert_int_equal(storage_room(f, 1301, 0), 0); /* nothing is written */
    assert_int_equal(storage_room(NULL, 0, 5000), 0);
    assert_int_equal(storage_file_resize(old, 1500), 0); /* frees nothing */
    assert_int_equal(totals_of(r).used, 0);
    assert_int_equal(storage_file_resize(old, 2100), 0); /* grows by 600 */
    assert_int_equal(totals_of(r).used, 600);
    assert_int_equal(storage_room(f, 700, 0), 0);
    assert_int_equal(storage_room(f, 300, 401), full);
    assert_int_equal(storage_file_resize(f, 701), full);
    assert_int_equal(storage_file_size(f), 300);
    assert_int_equal(storage_file_resize(f, 700), 0);
    assert_int_equal(storage_room(f, 700, 1), full);
    assert_int_equal(storage_room(f, 0, 700), 0);
    assert_int_equal(storage_file_resize(old, 1000), 0); /* gives back its 600 */
    assert_int_equal(totals_of(r).used, 400);
    assert_int_equal(storage_truncated(r, "/old", 0, 1001), 0);
    assert_int_equal(totals_of(r).used, 401);
    assert_int_equal(storage_truncated(r, "/new", 10, 600), 0); /* one that is not known has had 10 */
    assert_int_equal(totals_of(r).used, 991);
    assert_int_equal(storage_truncated(r, "/new", 10, 610), full);
    assert_int_equal(storage_file_size(f), 700);
    assert_true(storage_file_size(NULL) == 0 && !storage_file_path(NULL) && !storage_file_volume(NULL));
    assert_string_equal(storage_file_path(old), "/old");
    storage_file_close(f);
    storage_file_close(old);
}

#define DISK_WITH(size, quota)                                                                               \
    "<disk id='d' read_bw='1GBps' write_bw='1GBps'><prop id='size' value='" size "'/>"                       \
    "<prop id='quota' value='" quota "'/></disk>"

static void limits(void **state)
{
    (void)state;
    begin(1, HEAD HOSTS(DISK_WITH("1000B", "2000B")) TAIL, "");
    play(has_two_limits);
    begin(1, HEAD HOSTS(DISK_WITH("2000B", "1000B")) TAIL, "");
    stage.bytes = 1;
    play(has_two_limits);
}

/* --- names of files ------------------------------------------------------------------------------------------------ */

enum { PATHS = 9, STEPS = 120 };
/* Below two folders, which are renamed into each other, and others whose names begin alike. */
static const char *const paths[PATHS] = {"/a/x",   "/a/y",  "/a/b/x", "/c/x", "/c/y",
                                         "/c/b/x", "/ab/x", "/x",     "/cc"};
static const char *const folders[] = {"/a", "/c"};
static struct base_random random_numbers;

static uint64_t below(uint64_t n)
{
    return base_random_below(&random_numbers, n);
}

/* A file has a size and names; number -1: no file is known under the name. */
struct model {
    uint64_t size[STEPS + PATHS];
    uint32_t names[STEPS + PATHS];
    int of[PATHS], files;
};

static int index_of(const char *path)
{
    for (int k = 0; k < PATHS; k++)
        if (!strcmp(paths[k], path))
            return k;
    return -1;
}

static void unname(struct model *m, int path)
{
    int file = m->of[path];
    m->of[path] = -1;
    if (file >= 0 && --m->names[file] == 0)
        m->size[file] = 0;
}

static void name(struct model *m, int path, int file)
{
    m->of[path] = file;
    m->names[file]++;
}

static int made(struct model *m, int path)
{
    if (m->of[path] < 0)
        name(m, path, m->files++);
    return m->of[path];
}

static void resize_one(struct model *m, struct rank *r, int path)
{
    struct storage_file *f = storage_file_open(r, paths[path], 0);
    int file = made(m, path);
    m->size[file] = below(1000);
    assert_int_equal(storage_file_resize(f, m->size[file]), 0);
    storage_file_close(f);
}

/* Its other names, if any, may have been removed by somebody else. Under the name of a file that is gone another one is made
 * in its place. */
static void remove_one(struct model *m, struct rank *r, int path)
{
    int file = m->of[path];
    bool last = file < 0 || m->names[file] == 1 || below(4) == 0;
    storage_removed(r, paths[path], last);
    if (file < 0)
        return;
    if (last)
        m->size[file] = 0;
    if (m->names[file] > 1)
        unname(m, path);
}

static void rename_path(struct model *m, int from, int to)
{
    int file = m->of[from];
    if (from == to || (file >= 0 && m->of[to] == file))
        return;
    unname(m, to);
    if (file < 0)
        return;
    name(m, to, file);
    unname(m, from);
}

static void link_one(struct model *m, struct rank *r, int from, int to)
{
    if (from == to || (m->of[to] >= 0 && m->size[m->of[to]])) /* a link replaces no file */
        return;
    storage_linked(r, paths[from], paths[to], 0);
    int file = made(m, from);
    if (m->of[to] != file) {
        unname(m, to);
        name(m, to, file);
    }
}

/* All that is known below a folder; what it replaces is known there. */
static void rename_folder(struct model *m, struct rank *r, int from)
{
    size_t n = strlen(folders[from]);
    storage_renamed(r, folders[from], folders[1 - from], true);
    for (int k = 0; k < PATHS; k++) {
        char to[40];
        if (strncmp(paths[k], folders[from], n) != 0 || paths[k][n] != '/' || m->of[k] < 0)
            continue;
        snprintf(to, sizeof to, "%s%s", folders[1 - from], paths[k] + n);
        rename_path(m, k, index_of(to));
    }
}

static void check(const struct model *m, struct rank *r, uint64_t seed, int step)
{
    const struct storage *s = storage_of(r->job);
    uint64_t used = 0;
    for (int k = 0; k < m->files; k++)
        used += m->size[k];
    if (totals_of(r).used != used)
        fail_msg("seed %lu, step %d: %lu bytes are used, expected %lu", seed, step, totals_of(r).used, used);
    for (int k = 0; k < PATHS; k++) {
        const struct storage_name *n = storage_name_find(s, s->volumes.at[0], paths[k]);
        if ((n != NULL) != (m->of[k] >= 0))
            fail_msg("seed %lu, step %d: %s is %sknown", seed, step, paths[k], n ? "" : "not ");
        if (n && (n->inode->size != m->size[m->of[k]] || n->inode->names != m->names[m->of[k]]))
            fail_msg("seed %lu, step %d: %s has %lu bytes and %u names, expected %lu and %u", seed, step,
                     paths[k], n->inode->size, n->inode->names, m->size[m->of[k]], m->names[m->of[k]]);
    }
}

static uint64_t playing;
static void changes_names(struct rank *r)
{
    struct model m = {.files = 0};
    for (int k = 0; k < PATHS; k++)
        m.of[k] = -1;
    base_random_seed(&random_numbers, playing, 0);
    for (int step = 0; step < STEPS; step++) {
        int from = (int)below(PATHS), to = (int)below(PATHS);
        switch (below(6)) {
        case 0:
        case 1:
            resize_one(&m, r, from);
            break;
        case 2:
            remove_one(&m, r, from);
            break;
        case 3:
            storage_renamed(r, paths[from], paths[to], false);
            rename_path(&m, from, to);
            break;
        case 4:
            link_one(&m, r, from, to);
            break;
        default:
            rename_folder(&m, r, from % 2);
        }
        check(&m, r, playing, step);
    }
}

static void random_names(void **state)
{
    (void)state;
    uint64_t first = seed_of_test(1), seeds = seed_is_given() ? 1 : seed_share(60);
    for (playing = first; playing < first + seeds; playing++) {
        begin(1, HEAD HOSTS(DISK) TAIL, "");
        play(changes_names);
    }
}

/* --- two volumes, and none ------------------------------------------------------------------------------------------- */

static void crosses(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/x", 0);
    assert_int_equal(storage_file_resize(f, 100), 0);
    assert_true(storage_apart(r, "/x", "/pfs/x") && storage_apart(r, "/pfs/x", "/x"));
    assert_false(storage_apart(r, "/x", "/y") || storage_apart(r, "/pfs/x", "/pfs/y"));
    assert_false(storage_apart(r, "/x", "/none/x") || storage_apart(r, "/none/x", "/x"));
    storage_renamed(r, "/x", "/pfs/x", false); /* not one that a system would do */
    storage_renamed(r, "/x", "/none/x", false);
    storage_linked(r, "/x", "/pfs/x", 100);
    storage_removed(r, "/none/x", true);
    assert_int_equal(storage_truncated(r, "/none/x", 0, 100), 0);
    const struct storage *s = storage_of(r->job);
    assert_int_equal(storage_name_find(s, s->volumes.at[0], "/x")->inode->names, 1);
    assert_null(storage_name_find(s, s->volumes.at[1], "/pfs/x"));
    assert_int_equal(storage_file_size(f), 100);
    storage_file_close(f);
}

static void between_volumes(void **state)
{
    (void)state;
    begin(1, HEAD SYSTEM HOSTS(DISK) TAIL, "/none=none");
    play(crosses);
}

/* --- recorders ------------------------------------------------------------------------------------------------------- */

static int notes;
static void note(void *arg, struct rank *r, const struct storage_noted *t)
{
    assert_ptr_equal(arg, &notes);
    assert_int_equal(t->bytes, 100 + notes++);
    assert_int_equal(r->id, 0);
}

static void is_noted(struct rank *r)
{
    assert_false(storage_is_noted());
    storage_note(r, &(struct storage_noted){.bytes = 7});
    storage_on_noted(note, &notes);
    assert_true(storage_is_noted());
    storage_note(r, &(struct storage_noted){.bytes = 100});
    storage_note(r, &(struct storage_noted){.bytes = 101});
    storage_on_noted(NULL, NULL);
    storage_note(r, &(struct storage_noted){.bytes = 7});
    assert_int_equal(notes, 2);
}

static void noted(void **state)
{
    (void)state;
    begin(1, HEAD HOSTS(DISK) TAIL, "");
    play(is_noted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(served),          cmocka_unit_test(limits), cmocka_unit_test(random_names),
        cmocka_unit_test(between_volumes), cmocka_unit_test(noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
