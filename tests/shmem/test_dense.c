/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heaps whose first bytes lie side by side. Random calls on the symmetric heap give the same offsets as with
 * ordinary heaps. Blocks are aligned, keep their bytes, do not overlap between PEs, and can be reached from
 * other PEs; calloc gives zeros. PGASIM_TEST_SEED repeats a run.
 */
#include "rank/ranks.h"
#include "shmem/internal.h"
#include "seed.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 4, BLOCKS = 12, STEPS = 300, SLOT = 4096 };
static struct ranks stage;
static const char platform[] =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
    "<platform version='4.1'><zone id='z' routing='Full'>\n"
    "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>\n"
    "<link id='l' bandwidth='1GBps' latency='1us'/>\n"
    "<route src='a' dst='b'><link_ctn id='l'/></route>\n</zone></platform>\n";
static uint64_t seed;
static size_t offsets[2][STEPS]; /* of each step's block: ordinary heaps, dense heaps */
static unsigned variant, in_dense, behind, outgrown;

struct block {
    unsigned char *at;
    size_t size;
};
static struct block blocks[RANKS][BLOCKS];

static unsigned char fill_of(uint32_t rank, unsigned block)
{
    return (unsigned char)(rank * BLOCKS + block + 1);
}

static void check(uint32_t rank, const struct block *b, size_t bytes, unsigned char fill)
{
    for (size_t k = 0; k < bytes; k++)
        if (b->at[k] != fill)
            fail_msg("seed %llu: PE %u's block of %zu bytes has %u at %zu, expected %u",
                     (unsigned long long)seed, rank, b->size, b->at[k], k, fill);
}

static const struct shmem_pe *pe(uint32_t k)
{
    struct shmem_job *job = shmem_job_of(rank_at(stage.job, k));
    return &job->pes[k];
}

/* Makes, resizes or frees a block, as the numbers say, which are the same at all PEs. */
static void change(struct rank *r, struct block *b, unsigned number, struct base_random *random)
{
    static const size_t most[] = {64, 500, 5000};
    size_t size = 1 + base_random_below(random, most[base_random_below(random, 3)]);
    size_t alignment = (size_t)64 << base_random_below(random, 7); /* up to the slot */
    unsigned how = (unsigned)base_random_below(random, 8);
    if (b->at && how < 4) {
        unsigned char *old = b->at;
        size_t kept = b->size < size ? b->size : size, offset = shmem_heap_offset(pe(r->id), (uintptr_t)old);
        *b = (struct block){shmem_realloc(old, size), size};
        check(r->id, b, kept, fill_of(r->id, number));
        outgrown += b->at != old && shmem_heap_offset(pe(r->id), (uintptr_t)b->at) == offset;
    } else if (b->at) {
        shmem_free(b->at);
        *b = (struct block){0};
        return;
    } else if (how == 0) {
        *b = (struct block){shmem_align(alignment, size), size};
        assert_int_equal((uintptr_t)b->at % alignment, 0);
    } else if (how < 3) {
        *b = (struct block){shmem_calloc(1, size), size};
        check(r->id, b, size, 0);
    } else {
        *b = (struct block){shmem_malloc(size), size};
    }
    assert_non_null(b->at);
    assert_int_equal((uintptr_t)b->at % 64, 0);
    memset(b->at, fill_of(r->id, number), size);
}

/* All blocks of this PE's, from here, and of the next one's by a get. */
static void look(struct rank *r)
{
    uint32_t next = (r->id + 1) % RANKS, owner;
    unsigned char bytes[5000];
    size_t offset;
    for (unsigned i = 0; i < BLOCKS; i++) {
        const struct block *b = &blocks[r->id][i];
        if (!b->at)
            continue;
        check(r->id, b, b->size, fill_of(r->id, i));
        shmem_getmem(bytes, b->at, b->size, (int)next);
        check(next, &(struct block){bytes, b->size}, b->size, fill_of(next, i));
        assert_true(shmem_heap_owner(pe(0)->job, (uintptr_t)b->at + b->size - 1, &owner, &offset));
        assert_int_equal(owner, r->id);
    }
}

static void body(struct rank *r)
{
    struct base_random random;
    base_random_seed(&random, seed, 7);
    shmem_init();
    for (unsigned step = 0; step < STEPS; step++) {
        unsigned i = (unsigned)base_random_below(&random, BLOCKS);
        struct block *b = &blocks[r->id][i];
        change(r, b, i, &random);
        shmem_barrier_all();
        look(r);
        shmem_barrier_all();
        size_t offset = shmem_heap_offset(pe(r->id), (uintptr_t)b->at);
        if (r->id == 0)
            offsets[variant][step] = b->at ? offset : 1;
        if (b->at) {
            in_dense += offset < pe(0)->job->dense_end;
            behind += offset >= pe(0)->job->dense_end && offset < SLOT;
        }
    }
    shmem_finalize();
}

/* Dense slots are not aligned to more than their size: a block that is goes behind the blocks there, or into
 * the ordinary slot if there are none. */
static void body_aligned(struct rank *r)
{
    shmem_init();
    const struct shmem_pe *self = pe(r->id);
    unsigned char *a = shmem_malloc(64), *b = shmem_malloc(64);
    shmem_free(a);
    unsigned char *c = shmem_align(2 * SLOT, 64);
    assert_int_equal((uintptr_t)c % (2 * SLOT), 0);
    assert_int_equal(shmem_heap_offset(self, (uintptr_t)c), 2 * SLOT);
    assert_int_equal(shmem_heap_offset(self, (uintptr_t)b), 64);
    assert_int_equal(self->job->dense_end, SLOT);
    shmem_free(b);
    shmem_free(c);
    c = shmem_align(2 * SLOT, self->job->heap.size);
    assert_int_equal((uintptr_t)c % (2 * SLOT), 0);
    assert_int_equal(shmem_heap_offset(self, (uintptr_t)c), 0);
    assert_int_equal(self->job->dense_end, 0);
    shmem_finalize();
    shmem_init();
    assert_int_equal(pe(r->id)->job->dense_end, SLOT);
    shmem_finalize();
}

static void run(const char *dense_ranks, ranks_body_fn fn)
{
    memset(blocks, 0, sizeof blocks);
    ranks_prepare(&stage, RANKS, 4096);
    base_settings_declare(stage.settings, coll_settings, coll_settings_count);
    base_settings_declare(stage.settings, shmem_settings, shmem_settings_count);
    ranks_setting(&stage, "shmem/symmetric-size", "1MiB");
    ranks_setting(&stage, "shmem/dense-ranks", dense_ranks);
    ranks_begin(&stage, ranks_platform(&stage, platform), NULL);
    stage.all = fn;
    if (ranks_run(&stage) != ENGINE_ALL_DONE)
        fail_msg("the job did not end as it should: %s", stage.report);
    ranks_end(&stage);
}

static void blocks_are_where_they_would_be(void **state)
{
    (void)state;
    uint64_t first = seed_of_test(5);
    for (seed = first; seed < first + (seed_is_given() ? 1 : 8); seed++) {
        print_message("seed %llu\n", (unsigned long long)seed);
        const unsigned before = in_dense;
        variant = 0;
        run("5", body);
        assert_int_equal(in_dense, before);
        variant = 1;
        run("4", body);
        assert_memory_equal(offsets[0], offsets[1], sizeof offsets[0]);
    }
    if (!seed_is_given())
        assert_true(in_dense && behind && outgrown);
}

static void large_alignments_are_kept(void **state)
{
    (void)state;
    run("1", body_aligned);
}

int main(void)
{
    rma_register();
    coll_register();
    shmem_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_where_they_would_be),
        cmocka_unit_test(large_alignments_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
