/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins where files lie: which disks the stripes of random files are on, byte by byte against a naive rule; disks that
 * servers and file systems have; what a part of a request takes on its server, elsewhere, and when a host has failed.
 */
#include "stage.h"

enum { MB = 1000000 };
#define QUICK(servers, more)                                                                                 \
    PROP("servers", servers) PROP("mount", "/pfs") PROP("read_bw", "1GBps") PROP("write_bw", "500MBps") more

/* --- stripes ------------------------------------------------------------------------------------------------ */

enum { DISKS = 5, LONGEST = 4000, FILES = 30 };
static struct base_random random_numbers;
static uint64_t seed;

static uint64_t below(uint64_t n)
{
    return base_random_below(&random_numbers, n);
}

/* One access, and what it adds to each disk. */
static void access_is(struct storage_file *f, const uint32_t *first, struct storage_stripes stripes)
{
    struct storage *s = storage_of(rank_current->job);
    enum storage_access how = below(2) ? STORAGE_READ : STORAGE_WRITE;
    uint64_t low = below(LONGEST), bytes = 1 + below(LONGEST - low), want[DISKS] = {0};
    double before[DISKS];
    for (uint64_t k = low; k < low + bytes; k++)
        want[(*first + k / stripes.size % stripes.count) % DISKS]++;
    for (uint32_t d = 0; d < DISKS; d++)
        before[d] = storage_disk_totals(s, d).bytes[how];
    assert_int_equal(storage_io(f, how, low, bytes), 0);
    for (uint32_t d = 0; d < DISKS; d++)
        if (storage_disk_totals(s, d).bytes[how] - before[d] != (double)want[d])
            fail_msg("seed %lu: [%lu, %lu) of a file of %u stripes of %lu from disk %u on: disk %u has %g "
                     "bytes, expected %lu",
                     seed, low, low + bytes, stripes.count, stripes.size, *first, d,
                     storage_disk_totals(s, d).bytes[how] - before[d], want[d]);
}

/* New files begin on the next disk, one disk further for each of the volume's stripes. */
static void finds_its_bytes(struct rank *r)
{
    struct storage_volume *v = storage_of(r->job)->volumes.at[0];
    uint32_t next = 0;
    assert_int_equal(v->targets.n, DISKS);
    for (int k = 0; k < FILES; k++) {
        char path[20];
        struct storage_stripes stripes = {1 + below(300), 1 + (uint32_t)below(DISKS)};
        snprintf(path, sizeof path, "/pfs/%d", k);
        struct storage_file *f = storage_file_open(r, path, 0);
        assert_true(storage_file_stripe(f, stripes));
        access_is(f, &next, stripes);
        storage_file_close(f);
        f = storage_file_open(r, path, 7); /* again */
        access_is(f, &next, stripes);
        assert_true(storage_file_size(f) <= LONGEST);
        storage_file_close(f);
        next = (next + v->stripes) % DISKS;
    }
}

static void every_byte(void **state)
{
    (void)state;
    static const char *const counts[] = {
        HEAD QUICK("s0", PROP("disks", "5") PROP("stripe_count", "1")) HOSTS("") TAIL,
        HEAD QUICK("s0", PROP("disks", "5") PROP("stripe_count", "3")) HOSTS("") TAIL,
        HEAD QUICK("s0", PROP("disks", "5") PROP("stripe_count", "0")) HOSTS("") TAIL,
    };
    for (size_t k = 0; k < BASE_LENGTH(counts); k++) {
        seed = seed_of_test(1 + k);
        base_random_seed(&random_numbers, seed, 0);
        begin(1, counts[k], "");
        play(finds_its_bytes);
    }
}

/* Stripes are chosen for files that are new, of file systems. */
static void chooses(struct rank *r)
{
    const struct storage_stripes wanted = {1000, 1}, count = {0, 1}, size = {500, 0}, many = {500, 9};
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0), *own = storage_file_open(r, "/x", 0);
    assert_int_equal(storage_file_stripes(f).size, MB);
    assert_int_equal(storage_file_stripes(f).count, 2);
    assert_false(storage_file_stripe(NULL, wanted));
    assert_int_equal(storage_file_stripes(NULL).count, 0);
    assert_false(storage_file_stripe(own, wanted));
    assert_int_equal(storage_file_stripes(own).count, 1);
    assert_true(storage_file_stripe(f, count));
    assert_true(storage_file_stripes(f).size == MB && storage_file_stripes(f).count == 1);
    assert_true(storage_file_stripe(f, size));
    assert_true(storage_file_stripes(f).size == 500 && storage_file_stripes(f).count == 2);
    assert_true(storage_file_stripe(f, many));
    assert_int_equal(storage_file_stripes(f).count, 2);
    assert_int_equal(storage_io(f, STORAGE_READ, 0, 1), 0); /* which locks a stripe */
    assert_false(storage_file_stripe(f, wanted));
    assert_int_equal(storage_file_stripes(f).size, 500);
    storage_file_close(f);
    f = storage_file_open(r, "/pfs/y", 1); /* it has a byte */
    assert_false(storage_file_stripe(f, wanted));
    storage_file_close(f);
    storage_file_close(own);
}

static void chosen(void **state)
{
    (void)state;
    begin(1, HEAD SYSTEM PROP("lock_time", "1ms") HOSTS(DISK) TAIL, "");
    play(chooses);
}

/* --- disks of servers -------------------------------------------------------------------------------------------- */

/* The last volume's disks are of these hosts. */
static const uint32_t *wanted;
static size_t n_wanted;
static void has_servers(struct rank *r)
{
    const struct storage *s = storage_of(r->job);
    const struct storage_volume *v = s->volumes.at[s->volumes.n - 1];
    if (v->targets.n != n_wanted)
        fail_msg("%zu disks, expected %zu", v->targets.n, n_wanted);
    for (size_t k = 0; k < n_wanted; k++)
        if (s->disks.at[v->targets.at[k]].host != wanted[k])
            fail_msg("disk %zu is of host %u, expected %u", k, s->disks.at[v->targets.at[k]].host, wanted[k]);
    assert_int_equal(v->name_server, wanted[0]);
}
#define SERVERS_ARE(platform, ...)                                                                           \
    do {                                                                                                     \
        static const uint32_t hosts[] = {__VA_ARGS__};                                                       \
        wanted = hosts;                                                                                      \
        n_wanted = BASE_LENGTH(hosts);                                                                       \
        begin(1, platform, "");                                                                              \
        play(has_servers);                                                                                   \
    } while (0)

static void of_servers(void **state)
{
    (void)state;
    SERVERS_ARE(HEAD QUICK("s1", "") HOSTS(DISK) TAIL, S1);
    SERVERS_ARE(HEAD QUICK("s1 ,s0", PROP("disks", "2")) HOSTS("") TAIL, S1, S1, S0, S0);
    SERVERS_ARE(HEAD QUICK("z", "") HOSTS("") TAIL, C0, C1, S0, S1);
    SERVERS_ARE(HEAD PROP("servers", "c0") HOSTS(DISK "<disk id='e' read_bw='1MBps' write_bw='1MBps'/>") TAIL,
                C0, C0);
}

static void has_defaults(struct rank *r)
{
    const struct storage_volume *v = storage_of(r->job)->volumes.at[0];
    assert_true(v->stripe == 1 << 20 && v->stripes == 1 && v->threads == 16);
    assert_true(v->size == UINT64_MAX && v->quota == UINT64_MAX && v->cache == 0 && !(v->lock > 0));
    assert_true(v->host == STORAGE_NONE && v->used == 0);
}

static void has_what_is_said(struct rank *r)
{
    const struct storage_volume *v = storage_of(r->job)->volumes.at[0];
    assert_true(v->stripes == 2 && v->name_server == C1 && v->size == 5000 && v->quota == 4000);
    assert_int_equal(storage_disk_find(storage_of(r->job), S0, NULL), STORAGE_NONE); /* none of its own */
}

static void finds_disks(struct rank *r)
{
    assert_int_equal(storage_disk_find(storage_of(r->job), C0, NULL), 0);
    assert_int_equal(storage_disk_find(storage_of(r->job), C0, "d"), 1);
    assert_int_equal(storage_disk_find(storage_of(r->job), C0, "f"), STORAGE_NONE);
    assert_int_equal(storage_disk_find(storage_of(r->job), C1, NULL), STORAGE_NONE);
}

static void properties(void **state)
{
    (void)state;
    begin(1, HEAD QUICK("s0,s1", "") HOSTS("") TAIL, "");
    play(has_defaults);
    begin(1,
          HEAD QUICK("s0,s1", PROP("stripe_count", "7") PROP("metadata", "c1") PROP("size", "5kB")
                                  PROP("quota", "4kB")) HOSTS("") TAIL,
          "");
    play(has_what_is_said);
    begin(1, HEAD HOSTS("<disk id='e' read_bw='1MBps' write_bw='1MBps'/>" DISK) TAIL, "");
    play(finds_disks);
}

/* --- times of disks ------------------------------------------------------------------------------------------------ */

/* 1 GB/s to read and 500 MB/s to write; together as much as the larger one, or as is said. */
static void reads_and_writes(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    double reads = stage.bytes == 1 ? 1.0 : 0.5;
    if (r->id == 0)
        assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 250 * MB), 0);
    else
        assert_int_equal(storage_io(f, STORAGE_READ, 0, 250 * MB), 0);
    TIME_IS((r->id ? reads : stage.bytes == 1 ? 1.0 : 0.5) + 0.1);
    struct storage_disk_totals t = storage_disk_totals(storage_of(r->job), 0);
    assert_true(t.accesses[STORAGE_READ] <= 1 && t.accesses[STORAGE_WRITE] <= 1);
    sleep_until(r, 5);
    assert_int_equal(storage_io(f, STORAGE_READ, 0, 0), 0);
    t = storage_disk_totals(storage_of(r->job), 0);
    assert_true(t.accesses[STORAGE_READ] == 1 && t.accesses[STORAGE_WRITE] == 1);
    assert_string_equal(t.volume, "pfs");
    assert_int_equal(t.host_id, S0);
    if (fabs(t.busy - reads) > 1e-9 || fabs(t.shared - 2 * reads) > 1e-9)
        fail_msg("busy for %.9f s, accesses took %.9f s", t.busy, t.shared);
    storage_file_close(f);
}

static void together(void **state)
{
    static const uint32_t hosts[] = {S0, S0};
    (void)state;
    begin_at(2, hosts, HEAD QUICK("s0", PROP("latency", "100ms")) HOSTS("") TAIL, "");
    play(reads_and_writes);
    begin_at(2, hosts,
             HEAD QUICK("s0", PROP("latency", "100ms") PROP("readwrite_bw", "500MBps")) HOSTS("") TAIL, "");
    stage.bytes = 1;
    play(reads_and_writes);
}

static uint32_t ended;
static void note_end(void *arg, int error)
{
    assert_int_equal(error, 0);
    *(double *)arg = engine_now(stage.engine);
    ended++;
}

/* Accesses without bytes take the latency alone; the second one's count as busy while they overlap. */
static void disks_alone(struct rank *r)
{
    struct storage *s = storage_of(r->job);
    double end[3];
    ended = 0;
    storage_disk_start(s, 0, STORAGE_READ, 0, note_end, &end[0]);
    storage_disk_start(s, 0, STORAGE_WRITE, 50e6, note_end, &end[1]);
    sleep_until(r, 0.6);
    assert_true(ended == 1 &&
                fabs(storage_disk_totals(s, 0).busy - 0.5) < 1e-12); /* of what is under way, too */
    storage_disk_start(s, 0, STORAGE_READ, 50e6, note_end, &end[2]);
    sleep_until(r, 9);
    assert_true(ended == 3 && end[0] == 0.1);
    struct storage_disk_totals t = storage_disk_totals(s, 0);
    if (fabs(end[1] - 1.1) > 1e-9 || fabs(end[2] - 1.4) > 1e-9 || fabs(t.busy - 1.3) > 1e-9)
        fail_msg("they end at %.9f s and %.9f s, busy for %.9f s", end[1], end[2], t.busy);
    assert_true(t.bytes[STORAGE_READ] == 50e6 && t.bytes[STORAGE_WRITE] == 50e6 && !t.volume);
}

static void no_files(void **state)
{
    (void)state;
    begin(1,
          HEAD HOSTS("<disk id='d' read_bw='100MBps' write_bw='50MBps'><prop id='latency' value='100ms'/>"
                     "</disk>") TAIL,
          "");
    play(disks_alone);
}

/* --- parts --------------------------------------------------------------------------------------------------------- */

/* On a server: its own disk, and another one over the network. Servers take 0.1 s for each part. */
static void asks_its_own_disk(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, MB), 0);
    TIME_IS(0.6);
    assert_int_equal(storage_io(f, STORAGE_READ, 0, MB), 0);
    TIME_IS(1.2);
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 2 * MB), 0);
    TIME_IS(1.2 + 1.002); /* the other server's time passes meanwhile */
    assert_int_equal(storage_io(f, STORAGE_READ, 0, 2 * MB), 0);
    TIME_IS(2.202 + 0.1 + 1.002);
    storage_file_close(f);
}

/* The disk is slower than the network. */
static void waits_for_the_disk(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, MB), 0);
    TIME_IS(0.001 + 0.1 + 2 + 0.001);
    assert_int_equal(storage_io(f, STORAGE_READ, 0, MB), 0);
    TIME_IS(2.102 + 0.001 + 0.1 + 4);
    storage_file_close(f);
}

/* A server fails while it receives, and before it is asked. */
static void meets_a_failure(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    if (r->id) {
        sleep_until(r, 0.2);
        fabric_host_fails(stage.fabric, S0);
        return;
    }
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, MB), EIO);
    TIME_IS(0.501); /* the disk goes on; nobody answers */
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, MB), EIO);
    assert_int_equal(storage_io(f, STORAGE_READ, 0, MB), EIO);
    assert_int_equal(storage_metadata(r, "/pfs/x", STORAGE_LOOKUP), EIO);
    assert_int_equal(storage_io(f, STORAGE_WRITE, MB, MB), 0); /* on the other one */
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 2 * MB), EIO);
    fabric_host_returns(stage.fabric, S0);
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, 2 * MB), 0);
    assert_int_equal(storage_metadata(r, "/pfs/x", STORAGE_LOOKUP), 0);
    storage_file_close(f);
}

/* Requests and answers have the latency of messages without bytes, and data that of theirs, which is three times as long. */
static void has_short_messages(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    assert_int_equal(storage_metadata(r, "/pfs/x", STORAGE_LOOKUP), 0);
    TIME_IS(0.001 + 0.010 + 0.001);
    assert_int_equal(storage_io(f, STORAGE_WRITE, 0, MB), 0);
    TIME_IS(0.012 + 0.003 + 1 + 0.001);
    assert_int_equal(storage_io(f, STORAGE_READ, 0, MB), 0);
    TIME_IS(1.016 + 0.001 + 0.003 + 1);
    storage_file_close(f);
}

static void parts(void **state)
{
    static const uint32_t server[] = {S0};
    (void)state;
    begin_at(1, server, HEAD SYSTEM PROP("request_time", "100ms") HOSTS("") TAIL, "");
    play(asks_its_own_disk);
    begin(1,
          HEAD PROP("servers", "s0") PROP("mount", "/pfs") PROP("read_bw", "250kBps")
              PROP("write_bw", "500kBps") PROP("request_time", "100ms") HOSTS("") TAIL,
          "");
    play(waits_for_the_disk);
    begin(2, HEAD SYSTEM HOSTS("") TAIL, "");
    play(meets_a_failure);
    latency_factor = "0:1;0.5:3";
    begin(1, HEAD SYSTEM HOSTS("") TAIL, "");
    play(has_short_messages);
    latency_factor = "model";
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte), cmocka_unit_test(chosen),   cmocka_unit_test(of_servers),
        cmocka_unit_test(properties), cmocka_unit_test(together), cmocka_unit_test(no_files),
        cmocka_unit_test(parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
