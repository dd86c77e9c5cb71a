/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins caches of clients: what is put into them, dropped and crowded out, against naive ones that know each byte
 * (PGASIM_TEST_SEED=n plays one seed); and who waits for room, for write-outs, and for whose errors.
 */
#include "stage.h"

/* --- against naive ones ------------------------------------------------------------------------------------- */

enum { FILES = 2, CLIENTS = 3, BYTES = 700, STEPS = 200 };

struct naive {
    struct storage_client *client;
    bool has[FILES][BYTES];
    struct {
        int file;
        uint64_t low, high;
    } piece[STEPS]; /* oldest first */
    size_t first, pieces;
    uint64_t bytes;
};

static void naive_drop(struct naive *n, int file, uint64_t low, uint64_t high)
{
    for (uint64_t k = low; k < high && k < BYTES; k++) {
        n->bytes -= n->has[file][k];
        n->has[file][k] = false;
    }
}

static void naive_put(struct naive *n, uint64_t cache, int file, uint64_t low, uint64_t high)
{
    uint64_t before = n->bytes;
    low = high - low > cache ? high - cache : low;
    for (uint64_t k = low; k < high; k++) {
        n->bytes += !n->has[file][k];
        n->has[file][k] = true;
    }
    if (n->bytes == before)
        return;
    size_t last = n->first + n->pieces - 1;
    if (n->pieces && n->piece[last].file == file && n->piece[last].high == low &&
        low - n->piece[last].low < cache / 64) {
        n->piece[last].high = high;
    } else {
        n->piece[last + 1].file = file;
        n->piece[last + 1].low = low;
        n->piece[last + 1].high = high;
        n->pieces++;
    }
    for (; n->bytes > cache && n->pieces; n->first++, n->pieces--)
        naive_drop(n, n->piece[n->first].file, n->piece[n->first].low, n->piece[n->first].high);
}

/* What a client lacks of a range, one gap after the other, and how much it has of it. */
static void compare(const struct naive *n, const struct storage_inode *i, int file, uint64_t low,
                    uint64_t high, const char *where)
{
    bool lacks[BYTES] = {0};
    uint64_t has = 0, at = low, end = low;
    struct storage_extent gap;
    while (storage_cache_lacks(n->client, i, &at, high, &gap)) {
        if (gap.low < end || gap.high <= gap.low || gap.high > high || at != gap.high)
            fail_msg("%s: a gap [%lu, %lu) after %lu, then at %lu", where, gap.low, gap.high, end, at);
        for (end = gap.low; end < gap.high; end++)
            lacks[end] = true;
    }
    for (uint64_t k = low; k < high; k++) {
        has += n->has[file][k];
        if (lacks[k] == n->has[file][k])
            fail_msg("%s: byte %lu of file %d: lacking: %d", where, k, file, lacks[k]);
    }
    if (storage_cache_has(n->client, i, low, high) != has)
        fail_msg("%s: it has %lu bytes of [%lu, %lu) of file %d, expected %lu", where,
                 storage_cache_has(n->client, i, low, high), low, high, file, has);
    if (n->client->bytes != n->bytes || n->client->pieces != n->pieces)
        fail_msg("%s: %lu bytes in %zu pieces, expected %lu in %zu", where, n->client->bytes,
                 n->client->pieces, n->bytes, n->pieces);
}

/* What follows the last range, or any; of most bytes or few. */
static void choose(struct base_random *random, uint64_t *low, uint64_t *high)
{
    static const uint64_t most[] = {4, 30, BYTES};
    uint64_t bytes = 1 + base_random_below(random, most[base_random_below(random, 3)]);
    *low = base_random_below(random, 2) && *high < BYTES ? *high : base_random_below(random, BYTES);
    *high = *low + bytes < BYTES ? *low + bytes : BYTES;
}

static uint64_t seed;
static void play_caches(struct base_random *random)
{
    struct storage *s = storage_of(stage.job);
    struct storage_volume *v = s->volumes.at[0];
    struct storage_inode *inode[] = {storage_inode_of(s, v, "/pfs/x", 0),
                                     storage_inode_of(s, v, "/pfs/y", 0)};
    struct naive *all = base_zalloc(CLIENTS * sizeof *all, "test");
    uint64_t low = 0, high = 0;
    char where[80];
    v->cache = 1 + base_random_below(random, 500);
    for (uint32_t k = 0; k < CLIENTS; k++)
        all[k].client = storage_client_of(v, k);
    assert_ptr_equal(storage_client_of(v, 1), all[1].client);
    for (int step = 0; step < STEPS; step++) {
        uint32_t k = (uint32_t)base_random_below(random, CLIENTS);
        int file = (int)base_random_below(random, FILES);
        choose(random, &low, &high);
        snprintf(where, sizeof where, "seed %lu, step %d, client %u", seed, step, k);
        switch (base_random_below(random, 12)) {
        case 0:
            storage_cache_drop(all[k].client, inode[file], low, high);
            naive_drop(&all[k], file, low, high);
            break;
        case 1:
            storage_caches_drop(inode[file], k, low, high);
            for (uint32_t other = 0; other < CLIENTS; other++)
                if (other != k)
                    naive_drop(&all[other], file, low, high);
            break;
        default:
            storage_cache_put(all[k].client, inode[file], low, high);
            naive_put(&all[k], v->cache, file, low, high);
        }
        for (uint32_t other = 0; other < CLIENTS; other++)
            compare(&all[other], inode[file], file, low, high, where);
        compare(&all[k], inode[1 - file], 1 - file, 0, BYTES, where);
    }
    free(all);
}

static void plays_caches(struct rank *r)
{
    struct base_random random;
    (void)r;
    base_random_seed(&random, seed, 0);
    play_caches(&random);
}

static void naive_caches(void **state)
{
    (void)state;
    uint64_t first = seed_of_test(1), seeds = seed_is_given() ? 1 : seed_share(60);
    for (seed = first; seed < first + seeds; seed++) {
        begin(1, HEAD SYSTEM HOSTS("") TAIL, "");
        play(plays_caches);
    }
}

static void without_a_cache(void **state)
{
    uint64_t at = 3;
    struct storage_extent gap;
    (void)state;
    assert_true(storage_cache_lacks(NULL, NULL, &at, 9, &gap));
    assert_true(gap.low == 3 && gap.high == 9 && at == 9);
    assert_false(storage_cache_lacks(NULL, NULL, &at, 9, &gap));
}

/* --- write-outs ------------------------------------------------------------------------------------------------ */

/* Disks that are fast beside the network: a write of 2 MB takes a second, and 2 ms. */
#define FAST(cache)                                                                                          \
    PROP("servers", "s0,s1")                                                                                 \
    PROP("mount", "/pfs")                                                                                    \
    PROP("read_bw", "1GBps")                                                                                 \
    PROP("write_bw", "1GBps")                                                                                \
    PROP("stripe_size", "1MB")                                                                               \
    PROP("stripe_count", "0") PROP("cache", cache) PROP("cache_bw", "100MBps") PROP("sync_time", "30ms")
enum { MB = 1000000 };

/* Rank 1's write, and rank 2's, leave more than 3 MB to be written out, so both wait until rank 0's and rank 1's are. */
static void waits_for_room(struct rank *r)
{
    static const double ends[] = {0.02, 1.102, 1.102};
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    sleep_until(r, 0.1 * r->id);
    assert_int_equal(storage_io(f, STORAGE_WRITE, 2 * MB * r->id, 2 * MB), 0);
    TIME_IS(ends[r->id]);
    assert_int_equal(storage_sync(f), 0);
    TIME_IS(1.202 + 0.03);
    storage_file_close(f);
}

/* Syncs wait for what the client wrote of their file, all of it and nothing else. */
static void syncs(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0), *g = storage_file_open(r, "/pfs/y", 0);
    if (r->id == 0) {
        assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 4 * MB), 0);
        TIME_IS(0.04);
    }
    sleep_until(r, 0.05 + 0.01 * r->id);
    assert_int_equal(storage_sync(g), 0);
    TIME_IS(0.08 + 0.01 * r->id);
    assert_int_equal(storage_sync(f), 0);
    TIME_IS(r->id == 3 ? 0.11 + 0.03 : 2.032); /* rank 3 is another client */
    assert_int_equal(storage_sync(f), 0);
    storage_file_close(f);
    storage_file_close(g);
}

/* A server fails: the write-out's error is told by the next sync, once; then there is nothing to be written. */
static void tells_of_errors(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 4 * MB), 0);
    sleep_until(r, 0.1);
    fabric_host_fails(stage.fabric, S1);
    assert_int_equal(storage_sync(f), EIO);
    fabric_host_returns(stage.fabric, S1);
    assert_int_equal(storage_sync(f), 0);
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 4 * MB), 0);
    sleep_until(r, 10);
    fabric_host_fails(stage.fabric, S1);
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 4 * MB), 0);
    sleep_until(r, 20); /* long after its end */
    fabric_host_returns(stage.fabric, S1);
    assert_int_equal(storage_sync(f), EIO);
    assert_int_equal(storage_sync(f), 0);
    storage_file_close(f);
}

static void write_outs(void **state)
{
    static const uint32_t hosts[] = {C0, C0, C0, C1};
    (void)state;
    begin(3, HEAD FAST("3MB") HOSTS("") TAIL, "");
    play(waits_for_room);
    begin_at(4, hosts, HEAD FAST("10MB") HOSTS("") TAIL, "");
    play(syncs);
    begin(1, HEAD FAST("10MB") HOSTS("") TAIL, "");
    play(tells_of_errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(naive_caches),
        cmocka_unit_test(without_a_cache),
        cmocka_unit_test(write_outs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
