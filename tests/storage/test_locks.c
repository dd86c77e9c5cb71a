/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins locks of stripes (docs/storage.md): who waits for whom, who pays for taking a lock, whose copies are taken; each time
 * by hand. A stripe of 1 MB takes 1.002 s to be written, or to be read; a lock of others costs 0.5 s.
 */
#include "stage.h"

enum { MB = 1000000 };
#define LOCKED SYSTEM PROP("lock_time", "500ms")

/* The rank, at a time, accesses a range, which ends at another time. */
struct step {
    uint32_t rank;
    double at;
    enum storage_access how;
    uint64_t low, bytes;
    double end;
};
static const struct step *steps;
static size_t n_steps;
static uint64_t conflicts;

static void takes_steps(struct rank *r)
{
    struct storage_file *f = storage_file_open(r, "/pfs/x", 0);
    for (size_t k = 0; k < n_steps; k++) {
        const struct step *s = &steps[k];
        if (s->rank != r->id)
            continue;
        sleep_until(r, s->at);
        assert_int_equal(storage_io(f, s->how, s->low, s->bytes), 0);
        if (fabs(engine_now(r->engine) - s->end) > 1e-9)
            fail_msg("step %zu, of rank %u: it ends at %.9f s, expected %.9f s", k, r->id,
                     engine_now(r->engine), s->end);
    }
    sleep_until(r, 100);
    if (totals_of(r).conflicts != conflicts)
        fail_msg("%lu requests took locks from others, expected %lu", totals_of(r).conflicts, conflicts);
    storage_file_close(f);
}

/* Ranks 0 and 2 are one client, ranks 1 and 3 the other. */
static void scene(const char *platform, uint64_t conflict, const struct step *all, size_t n)
{
    steps = all;
    n_steps = n;
    conflicts = conflict;
    begin(4, platform, "");
    play(takes_steps);
}
#define SCENE(platform, conflicts, ...)                                                                      \
    scene(platform, conflicts, (const struct step[]){__VA_ARGS__},                                           \
          BASE_LENGTH(((const struct step[]){__VA_ARGS__})))
#define R STORAGE_READ
#define W STORAGE_WRITE

/* Both clients read. A writer of one of them waits for both; a reader behind it waits for it, though readers still have
 * the lock when it comes. */
static void readers_share(void **state)
{
    (void)state;
    SCENE(HEAD LOCKED HOSTS("") TAIL, 2, {0, 0, R, 0, MB, 1.002}, {1, 0, R, 0, MB, 1.002},
          {2, 0.5, W, 0, MB, 2.504}, {3, 0.6, R, 0, MB, 4.006});
}

/* Two clients have read; the one that ended first writes, and waits for the other one. */
static void readers_end(void **state)
{
    (void)state;
    SCENE(HEAD LOCKED HOSTS("") TAIL, 1, {0, 0, R, 0, MB / 2, 0.502}, {1, 0.1, R, 0, MB / 2, 0.602},
          {0, 0.55, W, 0, MB, 2.104});
}

/* A client keeps what it has: to write, and so to read, at no cost; from what several have, one pays to write. */
static void a_client_keeps_it(void **state)
{
    (void)state;
    SCENE(HEAD LOCKED HOSTS("") TAIL, 2, {0, 0, W, 0, MB, 1.002}, {2, 0.1, R, 0, MB, 1.102},
          {1, 1.5, R, 0, MB, 3.002}, {3, 4, R, 0, MB, 5.002}, {1, 6, W, 0, MB, 7.502},
          {3, 8, R, 0, MB, 9.002}, {3, 10, W, 0, MB, 11.002});
}

/* A client that has read and written alone: the other one pays to read. */
static void one_reads_what_one_wrote(void **state)
{
    (void)state;
    SCENE(HEAD LOCKED HOSTS("") TAIL, 2, {0, 0, R, 0, MB, 1.002}, {0, 2, W, 0, MB, 3.002},
          {1, 4, R, 0, MB, 5.502}, {0, 6, R, 0, MB, 7.002}, {0, 8, W, 0, MB, 9.502});
}

/* Rank 1 waits for stripe 1, has not locked stripe 2 until then, which rank 2 gets, and waits for that, too. It pays once. */
static void stripes_in_order(void **state)
{
    (void)state;
    SCENE(HEAD LOCKED HOSTS("") TAIL, 1, {0, 0, W, 0, 2 * MB, 1.002}, {1, 0.1, W, MB, 2 * MB, 2.704},
          {2, 0.2, W, 2 * MB, MB, 1.202});
}

/* A range that ends at a stripe's end locks no more. */
static void ends_of_stripes(void **state)
{
    (void)state;
    SCENE(HEAD LOCKED HOSTS("") TAIL, 0, {0, 0, W, 0, MB, 1.002}, {1, 0, W, MB, MB, 1.002},
          {0, 2, W, 10 * MB - 1, 1, 2.002001}, {1, 2, W, 10 * MB, 1, 2.002001});
}

/* All that wait for a writer and allow each other go on at its end; only the first one pays. */
static void readers_go_on_together(void **state)
{
    (void)state;
    SCENE(HEAD LOCKED HOSTS("") TAIL, 1, {0, 0, W, 0, MB, 1.002}, {1, 0.1, R, 0, MB, 2.504},
          {3, 0.2, R, 0, MB, 2.004}, {2, 0.9, R, 0, 1, 1.004001});
}

/* The writer takes the other client's copy of its stripe, and of no other one. What it writes is copied, and the lock is held
 * until it is written out. */
static void copies_go(void **state)
{
    (void)state;
    SCENE(HEAD LOCKED PROP("cache", "10MB") PROP("cache_bw", "100MBps") HOSTS("") TAIL, 2,
          {0, 0, R, 0, 2 * MB, 1.002}, {1, 2, W, MB, MB / 2, 2.505}, {0, 2.9, R, 0, 2 * MB, 4.504},
          {2, 6, R, 0, 2 * MB, 6.02}, {1, 7, R, MB, MB / 2, 7.005});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_share),          cmocka_unit_test(readers_end),
        cmocka_unit_test(a_client_keeps_it),      cmocka_unit_test(one_reads_what_one_wrote),
        cmocka_unit_test(stripes_in_order),       cmocka_unit_test(ends_of_stripes),
        cmocka_unit_test(readers_go_on_together), cmocka_unit_test(copies_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
