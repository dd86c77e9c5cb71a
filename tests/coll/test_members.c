/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups: strided up and down, listed, parts of groups, against plain arrays of ranks; two groups compared
 * and translated; when lists and records go, also with a collective under way (PGASIM_TEST_SEED repeats a
 * run).
 */
#include "coll/seeds.h"
#include "coll/stage.h"
#include "coll/waiter.h"

enum { MOST = 60, RANKS = 200 };

/* A group, and its ranks by place. */
struct sample {
    struct coll_group group;
    uint32_t rank[MOST], n;
};

static uint64_t below(struct base_random *random, uint64_t limit)
{
    return base_random_below(random, limit);
}

/* Equal distances up or down, ascending, descending, or any order. */
static void make(struct base_random *random, struct sample *s)
{
    uint32_t kind = (uint32_t)below(random, 5), step = 1 + (uint32_t)below(random, 3);
    bool used[RANKS] = {false};
    s->n = (uint32_t)below(random, MOST + 1);
    for (uint32_t k = 0; k < s->n; k++) {
        uint32_t rank = 5 + k * step;
        if (kind > 1)
            do
                rank = (uint32_t)below(random, RANKS);
            while (used[rank]);
        used[rank] = true;
        s->rank[kind == 1 ? s->n - 1 - k : k] = rank;
    }
    for (uint32_t rank = 0, at = 0; kind > 1 && kind < 4 && rank < RANKS; rank++)
        if (used[rank]) {
            s->rank[kind == 2 ? at : s->n - 1 - at] = rank;
            at++;
        }
    s->group = coll_group_of(7, s->rank, s->n);
    if (kind < 2)
        assert_null(s->group.list);
}

static uint32_t place_in(const struct sample *s, uint32_t rank)
{
    for (uint32_t p = 0; p < s->n; p++)
        if (s->rank[p] == rank)
            return p;
    return COLL_NOBODY;
}

static void expect_group(const struct sample *s, uint64_t seed)
{
    assert_int_equal(s->group.size, s->n);
    for (uint32_t p = 0; p < s->n; p++)
        if (coll_group_rank(&s->group, p) != s->rank[p])
            fail_msg("seed %llu: place %u has rank %u, expected %u", (unsigned long long)seed, p,
                     coll_group_rank(&s->group, p), s->rank[p]);
    for (uint32_t rank = 0; rank < RANKS + 20; rank++)
        if (coll_group_place(&s->group, rank) != place_in(s, rank))
            fail_msg("seed %llu: rank %u is at place %u, expected %u", (unsigned long long)seed, rank,
                     coll_group_place(&s->group, rank), place_in(s, rank));
}

/* Some of its places, at equal distances. */
static void expect_part(struct base_random *random, const struct sample *s, uint64_t seed)
{
    struct sample part = {.n = 1 + (uint32_t)below(random, s->n)};
    uint32_t room = (s->n - 1) / part.n + 1, step = 1 + (uint32_t)below(random, room > 1 ? room - 1 : 1);
    bool down = below(random, 2);
    uint32_t low = (uint32_t)below(random, s->n - (part.n - 1) * step), high = low + (part.n - 1) * step;
    for (uint32_t k = 0; k < part.n; k++)
        part.rank[k] = s->rank[down ? high - k * step : low + k * step];
    part.group =
        coll_group_part(&s->group, 9, down ? high : low, down ? -(int32_t)step : (int32_t)step, part.n);
    assert_int_equal(part.group.id, 9);
    expect_group(&part, seed);
    coll_group_release(&part.group);
}

static enum coll_relation relation(const struct sample *a, const struct sample *b)
{
    bool same = a->n == b->n, alike = same;
    for (uint32_t p = 0; same && p < a->n; p++)
        same = a->rank[p] == b->rank[p];
    for (uint32_t p = 0; alike && p < a->n; p++)
        alike = place_in(b, a->rank[p]) != COLL_NOBODY;
    return same ? COLL_IDENTICAL : alike ? COLL_SIMILAR : COLL_UNEQUAL;
}

/* The same ranks, perhaps two of them exchanged, or one for another. */
static void make_close(struct base_random *random, const struct sample *s, struct sample *other)
{
    uint32_t a = (uint32_t)below(random, s->n), b = (uint32_t)below(random, s->n);
    *other = *s;
    other->rank[a] = s->rank[b];
    other->rank[b] = s->rank[a];
    if (below(random, 4) == 0)
        other->rank[a] = RANKS + 3;
    other->group = coll_group_of(8, other->rank, other->n);
}

static void expect_two(struct base_random *random, const struct sample *a, const struct sample *b,
                       uint64_t seed)
{
    uint32_t in[MOST], out[MOST], n = (uint32_t)below(random, MOST);
    for (uint32_t k = 0; k < n; k++)
        in[k] = !a->n || below(random, 9) == 0 ? COLL_NOBODY : (uint32_t)below(random, a->n);
    coll_group_translate(&a->group, in, n, &b->group, out);
    for (uint32_t k = 0; k < n; k++)
        if (out[k] != (in[k] == COLL_NOBODY ? COLL_NOBODY : place_in(b, a->rank[in[k]])))
            fail_msg("seed %llu: place %u is translated to %u", (unsigned long long)seed, in[k], out[k]);
    if (coll_group_compare(&a->group, &b->group) != relation(a, b))
        fail_msg("seed %llu: compared as %d, expected %d", (unsigned long long)seed,
                 coll_group_compare(&a->group, &b->group), relation(a, b));
}

static void test_random_groups(void **state)
{
    (void)state;
    const struct seeds seeds = seeds_to_play(400);
    for (uint64_t seed = seeds.first; seed <= seeds.last; seed++) {
        struct base_random random;
        struct sample a, b, close;
        base_random_seed(&random, seed, 41);
        make(&random, &a);
        make(&random, &b);
        expect_group(&a, seed);
        expect_two(&random, &a, &b, seed);
        if (a.n) {
            expect_part(&random, &a, seed);
            make_close(&random, &a, &close);
            expect_group(&close, seed);
            expect_two(&random, &a, &close, seed);
            coll_group_release(&close.group);
        }
        coll_group_release(&a.group);
        coll_group_release(&b.group);
    }
}

static void test_references(void **state)
{
    (void)state;
    static const uint32_t ranks[] = {4, 1, 9};
    struct coll_group a = coll_group_of(5, ranks, 3), b = coll_group_retain(&a);
    assert_ptr_equal(a.list, b.list);
    assert_int_equal(a.list->references, 2);
    assert_int_equal(coll_group_compare(&a, &b), COLL_IDENTICAL);
    coll_group_release(&a);
    assert_int_equal(a.size, 0);
    assert_int_equal(coll_group_rank(&b, 2), 9);
    coll_group_release(&b);
}

/* --- lifetime in a job ---------------------------------------------------------------------------- */

enum { MEMBERS = 5, ROUNDS = 50 };
static const uint32_t members[MEMBERS] = {3, 0, 4, 1, 2};
static struct coll_group group; /* of all rounds in turn */
static uint32_t uses;           /* members that are done with it */

static struct coll_call barrier_of(const struct rank *r)
{
    return (struct coll_call){
        .name = "barrier", .op = COLL_BARRIER, .group = group, .me = coll_group_place(&group, r->id)};
}

/* In each round a group of its own is made, used, and given up by its last member while a barrier that was
 * started there still runs; the list lives as long as the barrier. */
static void make_and_forget(struct rank *r)
{
    static const struct coll_group all = {0, 1, MEMBERS, 0, NULL};
    for (uint32_t k = 0; k < ROUNDS; k++) {
        struct waiter w = {0};
        struct coll_call together = {.name = "meet", .op = COLL_BARRIER, .group = all, .me = r->id};
        if (r->id == 0)
            group = coll_group_of(100 + k, members, MEMBERS);
        stage_call(r, &together);
        struct coll_call call = barrier_of(r);
        stage_call(r, &call);
        call = barrier_of(r);
        start_by(r, &call, coll_put_transport(stage_puts), &w);
        if (++uses % MEMBERS == 0) {
            struct coll_group given_up = group;
            coll_forget(r->job, &given_up);
            coll_group_release(&group);
        }
        await(r, &w);
        stage_call(r, &together);
    }
}

static void test_forgotten(void **state)
{
    (void)state;
    stage_prepare(MEMBERS, 64);
    stage_begin(platform_default(MEMBERS), 1);
    uses = 0;
    assert_int_equal(stage_run(make_and_forget), ENGINE_ALL_DONE);
    assert_int_equal(uses, ROUNDS * MEMBERS);
    assert_int_equal(stage_counts.groups, 1); /* that of all */
    ranks_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_groups),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
