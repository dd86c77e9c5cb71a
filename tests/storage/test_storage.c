/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins storage: times of disks, file systems, name servers, locks and caches, by hand; room; mount points; what is
 * said of wrong properties and settings; extents and stripes against naive ones (PGASIM_TEST_SEED=n plays one seed).
 */
#include "stage.h"

#include <unistd.h>

/* --- disks -------------------------------------------------------------------------------------------------- */

static void writes_and_reads(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/data/x", 0);
    assert_string_equal(storage_file_volume(f), "d");
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 100000000), 0);
    TIME_IS(2);
    assert_int_equal(storage_io(f, STORAGE_READ, 0, 100000000), 0);
    TIME_IS(3);
    assert_int_equal(storage_io(f, STORAGE_READ, 0, 0), 0);
    assert_int_equal(storage_sync(f), 0);
    assert_int_equal(storage_metadata(r, "/data/x", STORAGE_CHANGE), 0);
    TIME_IS(3);
    storage_file_close(f);
    struct storage_disk_totals t = storage_disk_totals(storage_of(r->job), 0);
    assert_string_equal(t.host, "c0");
    assert_true(t.bytes[STORAGE_READ] == 1e8 && t.bytes[STORAGE_WRITE] == 1e8 && t.busy == 3);
    struct storage_volume_totals v = storage_volume_totals(storage_of(r->job), 0);
    assert_true(v.used == 100000000 && v.waited == 3 && v.longest_rank == 0);
}

static void a_disk(void **state)
{
    (void)state;
    begin(1, HEAD HOSTS(DISK) TAIL, "");
    play(writes_and_reads);
}

/* Two writers have 25 MB/s each, a reader the other 50 MB/s of the 100 that both kinds have together. */
static void shares(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, r->id ? "/y" : "/x", 0);
    assert_int_equal(storage_io(f, r->id == 2 ? STORAGE_READ : STORAGE_WRITE, 0, 50000000), 0);
    TIME_IS(r->id == 2 ? 1.0 : 2.0);
    storage_file_close(f);
}

static void a_shared_disk(void **state)
{
    (void)state;
    begin(3, HEAD HOSTS(DISK) TAIL, "");
    play(shares);
}

static void without_a_disk(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/x", 0);
    assert_int_equal(f != NULL, r->id == 0);
    if (r->id)
        assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 100), 0);
    if (r->id)
        TIME_IS(0);
    storage_file_close(f);
}

static void without_storage(struct rank *r)
{
    assert_null(storage_of(r->job));
    assert_null(storage_file_open(r, "/x", 0));
    assert_int_equal(storage_metadata(r, "/x", STORAGE_CHANGE), 0);
    assert_false(storage_apart(r, "/x", "/y"));
    storage_removed(r, "/x", true);
    storage_renamed(r, "/x", "/y", false);
    storage_linked(r, "/x", "/y", 1);
    assert_int_equal(storage_truncated(r, "/x", 1, 2), 0);
    TIME_IS(0);
}

static void no_disk(void **state)
{
    (void)state;
    begin(2, HEAD HOSTS(DISK) TAIL, "");
    play(without_a_disk);
    begin(2, HEAD HOSTS("") TAIL, "");
    play(without_storage);
}

/* --- a file system ------------------------------------------------------------------------------------------ */

static void goes_over_the_network(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 4000000), 0);
    TIME_IS(2.002); /* latency, 2 MB to each server, answer */
    assert_int_equal(storage_io(f, STORAGE_READ, 0, 4000000), 0);
    TIME_IS(4.004); /* request, latency, 2 MB from each server */
    assert_int_equal(storage_io(f, STORAGE_WRITE, 1000000, 1000000), 0);
    TIME_IS(5.006);
    assert_true(storage_disk_totals(storage_of(r->job), 1).bytes[STORAGE_WRITE] == 3e6);
    storage_file_close(f);
}

static void a_file_system(void **state)
{
    (void)state;
    begin(1, HEAD SYSTEM HOSTS("") TAIL, "");
    play(goes_over_the_network);
}

static void asks_for_names(struct rank *r)
{
    assert_int_equal(storage_metadata(r, "/pfs/x", STORAGE_LOOKUP), 0);
    TIME_IS(r->id ? 0.022 : 0.012); /* one after the other */
    if (!r->id)
        return;
    assert_int_equal(storage_metadata(r, "/pfs/x", STORAGE_CHANGE), 0);
    TIME_IS(0.044);
}

static void a_name_server(void **state)
{
    (void)state;
    begin(2, HEAD SYSTEM HOSTS("") TAIL, "");
    play(asks_for_names);
}

static void writes_one_stripe(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 1000000), 0);
    TIME_IS(r->id ? 1.002 + 0.5 + 1.002 : 1.002);
    if (r->id)
        assert_int_equal(storage_volume_totals(storage_of(r->job), 0).conflicts, 1);
    storage_file_close(f);
}

static void writes_its_own_stripe(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    assert_int_equal(storage_io(f, STORAGE_WRITE, r->id * 1000000, 1000000), 0);
    TIME_IS(1.002);
    assert_int_equal(storage_io(f, STORAGE_WRITE, r->id * 1000000, 1000000), 0);
    TIME_IS(2.004);
    storage_file_close(f);
}

/* Both wait for the writer, take its lock, and share it. */
static void reads_what_one_writes(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    bool writes = r->id == 0;
    assert_int_equal(storage_io(f, writes ? STORAGE_WRITE : STORAGE_READ, 0, 1000000), 0);
    TIME_IS(writes ? 1.002 : 2.504);
    storage_file_close(f);
}

static void locks(void **state)
{
    static const ranks_body_fn bodies[] = {writes_one_stripe, writes_its_own_stripe, reads_what_one_writes};
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(bodies); k++) {
        begin(2, HEAD SYSTEM PROP("lock_time", "500ms") HOSTS("") TAIL, "");
        play(bodies[k]);
    }
}

/* Several clients write overlapping ranges in all orders: nobody is left waiting. */
static void writes_at_random(struct rank *r)
{
    struct base_random random;
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    base_random_seed(&random, seed_of_test(1), r->id);
    for (int k = 0; k < 40; k++) {
        uint64_t low = base_random_below(&random, 12000000), bytes = 1 + base_random_below(&random, 4000000);
        assert_int_equal(
            storage_io(f, base_random_below(&random, 3) ? STORAGE_WRITE : STORAGE_READ, low, bytes), 0);
    }
    assert_int_equal(storage_sync(f), 0);
    storage_file_close(f);
}

static void nobody_waits_for_ever(void **state)
{
    (void)state;
    begin(4, HEAD SYSTEM PROP("lock_time", "1ms") HOSTS("") TAIL, "");
    play(writes_at_random);
    begin(4,
          HEAD SYSTEM PROP("lock_time", "1ms") PROP("cache", "5MB") PROP("cache_bw", "100MBps") HOSTS("")
              TAIL,
          "");
    play(writes_at_random);
}

/* --- caches ------------------------------------------------------------------------------------------------- */

static void uses_its_cache(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 4000000), 0);
    TIME_IS(0.04);
    assert_int_equal(storage_io(f, STORAGE_READ, 1000000, 2000000), 0);
    TIME_IS(0.06);
    assert_int_equal(storage_sync(f), 0);
    TIME_IS(2.002);
    assert_int_equal(storage_file_resize(f, 3000000), 0); /* the last MB is not there any more */
    assert_int_equal(storage_io(f, STORAGE_READ, 2000000, 2000000), 0);
    TIME_IS(2.002 + 1.002);
    assert_int_equal(storage_volume_totals(storage_of(r->job), 0).hits, 3000000);
    storage_file_close(f);
}

static void is_too_small(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 4000000), 0);
    TIME_IS(2.002);
    assert_int_equal(storage_io(f, STORAGE_READ, 0, 1000000), 0); /* gone */
    TIME_IS(3.004);
    storage_file_close(f);
}

static void caches(void **state)
{
    (void)state;
    begin(1, HEAD SYSTEM PROP("cache", "10MB") PROP("cache_bw", "100MBps") HOSTS("") TAIL, "");
    play(uses_its_cache);
    begin(1, HEAD SYSTEM PROP("cache", "3MB") PROP("cache_bw", "100MBps") HOSTS("") TAIL, "");
    play(is_too_small);
}

/* --- room --------------------------------------------------------------------------------------------------- */

static void fills_it(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/x", 0), *g = storage_file_open(r, "/old", 1000000);
    int full = stage.bytes == 1 ? EDQUOT : ENOSPC;
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 3000000), 0);
    assert_int_equal(storage_room(f, 3000000, 2000001), full);
    assert_int_equal(storage_room(f, UINT64_MAX - 1, 100), full);
    assert_int_equal(storage_io(f, STORAGE_WRITE, 3000000, 2000001), full);
    assert_int_equal(storage_io(g, STORAGE_WRITE, 0, 1000000), 0); /* it does not grow */
    assert_int_equal(storage_io(f, STORAGE_WRITE, 3000000, 2000000), 0);
    assert_int_equal(storage_file_resize(f, 1000000), 0);
    assert_int_equal(storage_io(g, STORAGE_WRITE, 1000000, 4000000), 0);
    storage_removed(r, "/x", true);
    assert_int_equal(storage_volume_totals(storage_of(r->job), 0).used, 4000000);
    assert_true(storage_file_size(f) == 0);
    storage_file_close(f);
    storage_file_close(g);
}

#define DISK_WITH(key, value)                                                                                \
    "<disk id='d' read_bw='100MBps' write_bw='50MBps'><prop id='" key "' value='" value "'/></disk>"

static void room(void **state)
{
    (void)state;
    begin(1, HEAD HOSTS(DISK_WITH("size", "5MB")) TAIL, "");
    play(fills_it);
    begin(1, HEAD HOSTS(DISK_WITH("quota", "5MB")) TAIL, "");
    stage.bytes = 1;
    play(fills_it);
}

/* --- where ---------------------------------------------------------------------------------------------------- */

static void volume_is(struct rank *r, const char *path, const char *want)
{
    struct storage_file *f = storage_file_open(r, path, 0);
    const char *got = storage_file_volume(f);
    if (want ? !got || strcmp(got, want) != 0 : got != NULL)
        fail_msg("%s is on %s, expected %s", path, got ? got : "nothing", want ? want : "nothing");
    storage_file_close(f);
}

static void looks_where(struct rank *r)
{
    volume_is(r, "/pfs/x", "pfs");
    volume_is(r, "/pfs", "pfs");
    volume_is(r, "/pfsx", "d");
    volume_is(r, "/tmp/x", "t");
    volume_is(r, "/pfs/fast/x", "f");
    volume_is(r, "/home/x", "pfs");
    volume_is(r, "/home/x/y", "pfs");
    volume_is(r, "/usr/lib", NULL);
    volume_is(r, "/pfs/local/a", "d");
}

static void mount_points(void **state)
{
#define WITH(id, where)                                                                                      \
    "<disk id='" id "' read_bw='1MBps' write_bw='1MBps'><prop id='mount' value='" where "'/></disk>"
    (void)state;
    begin(1, HEAD SYSTEM HOSTS(DISK WITH("t", "/tmp/") WITH("f", "/pfs/fast")) TAIL,
          "/home=pfs,/usr=none,/pfs/local=disk");
    play(looks_where);
}

static void stripes_by_hint(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    assert_true(storage_file_stripe(f, (struct storage_stripes){500000, 1}));
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 1000000), 0);
    TIME_IS(1.002);
    assert_true(storage_file_stripes(f).count == 1 && storage_file_stripes(f).size == 500000);
    assert_false(storage_file_stripe(f, (struct storage_stripes){0, 2}));
    storage_file_close(f);
}

/* '.' is the folder in which the run was started. */
static void looks_here(struct rank *r)
{
    char *here = getcwd(NULL, 0), *path = base_strfmt("%s/sub/x", here), *beside = base_strfmt("%s/x", here);
    volume_is(r, path, stage.bytes == 1 ? "d" : "pfs");
    volume_is(r, beside, "pfs");
    free(here);
    free(path);
    free(beside);
}

static void folder_of_the_start(void **state)
{
    (void)state;
    begin(1, HEAD SYSTEM HOSTS(DISK) TAIL, ".=pfs");
    play(looks_here);
    begin(1, HEAD SYSTEM HOSTS(DISK) TAIL, "./sub=disk,.=pfs");
    stage.bytes = 1;
    play(looks_here);
}

static void hints(void **state)
{
    (void)state;
    begin(1, HEAD SYSTEM HOSTS("") TAIL, "");
    play(stripes_by_hint);
}

/* --- what is wrong --------------------------------------------------------------------------------------------- */

static void refuses(const char *platform, const char *mounts, const char *words)
{
    struct storage *s = NULL;
    struct base_status st = {""};
    begin(1, HEAD "<host id='x' speed='1f'/>" TAIL, "");
    struct base_settings *settings = stage.settings;
    struct platform *p;
    if (platform_load_text(&p, platform, strlen(platform), "p.xml", NULL, &st))
        fail_msg("%s", st.text);
    struct fluid *fluid = fluid_create(stage.engine);
    struct fabric *fabric = fabric_create(stage.engine, fluid, p, settings);
    ranks_setting(&stage, "storage/mounts", mounts);
    int rc = storage_create(&s, fabric, settings, &st);
    if (!rc)
        storage_destroy(s);
    fabric_destroy(fabric);
    fluid_destroy(fluid);
    platform_destroy(p);
    ranks_end(&stage);
    if (!rc || !strstr(st.text, words))
        fail_msg("expected '%s', got %d: %s", words, rc, st.text);
}

static void wrong_input(void **state)
{
    (void)state;
    refuses(HEAD PROP("severs", "s0") HOSTS("") TAIL, "",
            "p.xml:4: <prop id=\"storage/pfs/severs\">: 'severs' is no");
    refuses(HEAD "<prop id='storage/pfs' value='1'/>" HOSTS("") TAIL, "", "expected storage/NAME/KEY");
    refuses(HEAD PROP("mount", "/x") HOSTS("") TAIL, "", "file system pfs has no servers");
    refuses(HEAD PROP("servers", "s9") HOSTS("") TAIL, "", "no host or zone with hosts is called 's9'");
    refuses(HEAD PROP("servers", "s0") HOSTS("") TAIL, "", "its server s0 has no <disk>");
    refuses(HEAD PROP("servers", "s0") PROP("read_bw", "1MBps") HOSTS("") TAIL, "",
            "both read_bw and write_bw");
    refuses(HEAD SYSTEM PROP("cache", "1MB") HOSTS("") TAIL, "", "expected cache_bw");
    refuses(HEAD SYSTEM PROP("metadata", "m") HOSTS("") TAIL, "", "no host is called 'm'");
    refuses(HEAD SYSTEM PROP("lock_time", "-1s") HOSTS("") TAIL, "", "storage/pfs/lock_time\">: '-1s'");
    refuses(HEAD HOSTS(DISK_WITH("size", "0")) TAIL, "",
            "<disk id=\"d\"> of host c0: <prop id=\"size\">: '0'");
    refuses(HEAD HOSTS(DISK_WITH("mount", "tmp")) TAIL, "", "expected a folder that begins with /");
    refuses(HEAD HOSTS(DISK) TAIL, "/x=pfs", "the platform has no file system 'pfs'");
    refuses(HEAD HOSTS(DISK) TAIL, "/x", "'/x'; expected FOLDER=NAME");
    refuses(HEAD HOSTS(DISK) TAIL, "x=disk", "'x'; expected a folder that begins with /");
}

/* --- against naive ones ------------------------------------------------------------------------------------------ */

enum { BYTES = 200 };

static void extents_play(struct base_random *random, uint64_t seed)
{
    struct storage_extents x = {0};
    bool has[BYTES] = {0};
    for (int step = 0; step < 60; step++) {
        uint64_t low = base_random_below(random, BYTES),
                 high = low + base_random_below(random, BYTES - low + 1);
        bool adds = base_random_below(random, 2);
        uint64_t changed = 0,
                 got = adds ? storage_extents_add(&x, low, high) : storage_extents_cut(&x, low, high);
        for (uint64_t k = low; k < high; k++) {
            changed += has[k] != adds;
            has[k] = adds;
        }
        if (got != changed)
            fail_msg("seed %lu, step %d: %lu bytes changed, expected %lu", seed, step, got, changed);
        for (size_t k = 0, at = 0; at < BYTES; at++) {
            while (k < x.n && x.at[k].high <= at)
                k++;
            if ((k < x.n && x.at[k].low <= at) != has[at])
                fail_msg("seed %lu, step %d: byte %zu", seed, step, at);
        }
        for (size_t k = 1; k < x.n; k++)
            assert_true(x.at[k - 1].high < x.at[k].low);
    }
    free(x.at);
}

static void stripes_play(struct base_random *random, uint64_t seed)
{
    struct storage_inode i = {.stripe = 1 + base_random_below(random, 9),
                              .stripes = 1 + (uint32_t)base_random_below(random, 5)};
    uint64_t low = base_random_below(random, BYTES), high = low + base_random_below(random, BYTES - low + 1);
    for (uint32_t k = 0; k < i.stripes; k++) {
        uint64_t want = 0, got = storage_inode_share(&i, k, low, high);
        for (uint64_t at = low; at < high; at++)
            want += at / i.stripe % i.stripes == k;
        if (got != want)
            fail_msg("seed %lu: disk %u of %u has %lu of [%lu, %lu), expected %lu", seed, k, i.stripes, got,
                     low, high, want);
    }
}

static void naive(void **state)
{
    (void)state;
    uint64_t first = seed_of_test(1);
    for (uint64_t seed = first; seed < first + 500; seed++) {
        struct base_random random;
        base_random_seed(&random, seed, 0);
        extents_play(&random, seed);
        stripes_play(&random, seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disk),        cmocka_unit_test(a_shared_disk),
        cmocka_unit_test(no_disk),       cmocka_unit_test(a_file_system),
        cmocka_unit_test(a_name_server), cmocka_unit_test(locks),
        cmocka_unit_test(caches),        cmocka_unit_test(nobody_waits_for_ever),
        cmocka_unit_test(room),          cmocka_unit_test(mount_points),
        cmocka_unit_test(hints),         cmocka_unit_test(wrong_input),
        cmocka_unit_test(naive),         cmocka_unit_test(folder_of_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
