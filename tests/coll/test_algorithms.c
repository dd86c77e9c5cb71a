/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every algorithm of every collective against a serial computation: random groups, sizes, strides, roots,
 * entry times and message times (PGASIM_TEST_SEED repeats a run), bytes around the results untouched, and the
 * number of messages that the algorithm's comment promises.
 */
#include "coll/messages.h"
#include "coll/seeds.h"

/* --- the serial computation --------------------------------------------------------------------- */

static size_t at(size_t k, size_t element, size_t stride)
{
    return k * (stride ? stride : element);
}

static void serial_alltoall(const struct trial *t, uint32_t me, const unsigned char *const *source,
                            unsigned char *dest)
{
    for (uint32_t p = 0; p < t->group.size; p++)
        for (size_t k = 0; k < t->elements; k++)
            memcpy(dest + at(p * t->elements + k, t->element, t->dest_gap),
                   source[p] + at(me * t->elements + k, t->element, t->source_gap), t->element);
}

static void add(const struct trial *t, unsigned char *sums, const unsigned char *terms, size_t k)
{
    float f, g;
    uint64_t a, b;
    if (t->floats) {
        memcpy(&f, sums + 4 * k, 4);
        memcpy(&g, terms + 4 * k, 4);
        f += g;
        memcpy(sums + 4 * k, &f, 4);
    } else {
        memcpy(&a, sums + 8 * k, 8);
        memcpy(&b, terms + 8 * k, 8);
        a += b;
        memcpy(sums + 8 * k, &a, 8);
    }
}

static void serial_reduce(const struct trial *t, uint32_t places, const unsigned char *const *source,
                          unsigned char *dest)
{
    size_t m = part_bytes(t, 0);
    if (places)
        memmove(dest, source[0], m);
    else
        memset(dest, 0, m);
    for (uint32_t p = 1; p < places; p++)
        for (size_t k = 0; k < t->elements; k++)
            add(t, dest, source[p], k);
}

static void serial(const struct trial *t, uint32_t me, const unsigned char *const *source,
                   unsigned char *dest)
{
    size_t m = part_bytes(t, me);
    if (t->op == COLL_BROADCAST && !root_keeps_dest(t, me))
        memcpy(dest, source[t->root], m);
    if (t->op == COLL_COLLECT || t->op == COLL_FCOLLECT)
        for (uint32_t p = 0; p < t->group.size; p++)
            memcpy(dest + sum_parts(t, p), source[p], part_bytes(t, p));
    if (t->op == COLL_ALLTOALL)
        serial_alltoall(t, me, source, dest);
    if (reduces_op(t->op))
        serial_reduce(t, t->op == COLL_REDUCE ? t->group.size : me + (t->op == COLL_INSCAN), source, dest);
}

/* --- comparing ---------------------------------------------------------------------------------- */

static void explain(const struct trial *t, uint32_t place, unsigned call, size_t byte, uint64_t seed)
{
    fail_msg("seed %llu: %s/%s, %u members from %u by %u%s on %u hosts, root %u, %zu elements of %zu, gaps "
             "%zu and %zu%s: "
             "call %u at place %u: byte %zu (source at %zu, dest at %zu) differs from the serial result",
             (unsigned long long)seed, coll_op_name(t->op), t->name, t->group.size, t->group.first,
             t->group.stride, t->group.list ? " (listed)" : "", t->hosts, t->root, t->elements, t->element,
             t->dest_gap, t->source_gap, t->in_place ? ", in place" : "", call, place, byte,
             source_offset(t, call), dest_offset(t, call));
}

/* Sums of floats differ from the serial ones in the last bits, but not from member to member. */
static bool close_enough(const unsigned char *got, const unsigned char *expected, size_t elements)
{
    for (size_t k = 0; k < elements; k++) {
        float a, b;
        memcpy(&a, got + 4 * k, 4);
        memcpy(&b, expected + 4 * k, 4);
        if (!(a - b < 0.5F && b - a < 0.5F))
            return false;
    }
    return true;
}

static void compare(struct net *n, const struct trial *t, unsigned char **before, uint64_t seed)
{
    const unsigned char *source[PLACES];
    for (unsigned call = 0; call < CALLS; call++) {
        unsigned char *first_dest = rank_of(n, t, 0)->memory + dest_offset(t, call);
        for (uint32_t p = 0; p < t->group.size; p++)
            source[p] = before[p] + source_offset(t, call);
        for (uint32_t p = 0; p < t->group.size; p++) {
            unsigned char *expected = base_alloc(t->call_bytes, "test");
            unsigned char *got = rank_of(n, t, p)->memory + call * t->call_bytes;
            size_t dest = dest_offset(t, call) - call * t->call_bytes;
            memcpy(expected, before[p] + call * t->call_bytes, t->call_bytes);
            serial(t, p, source, expected + dest);
            if (reduces_op(t->op) && t->floats) {
                if (!close_enough(got + dest, expected + dest, t->elements) ||
                    (t->op == COLL_REDUCE && memcmp(got + dest, first_dest, t->dest_bytes)))
                    explain(t, p, call, 0, seed);
                memcpy(expected + dest, got + dest, t->dest_bytes);
            }
            for (size_t k = 0; k < t->call_bytes; k++)
                if (expected[k] != got[k])
                    explain(t, p, call, k, seed);
            free(expected);
        }
    }
}

/* --- tests -------------------------------------------------------------------------------------- */

/* Hosts of equal quarter are near, or those that are equal modulo three. */
static double in_blocks(uint32_t a, uint32_t b)
{
    return a / 4 == b / 4 ? 0.5 : 1;
}

static double in_turn(uint32_t a, uint32_t b)
{
    return a % 3 == b % 3 ? 0.5 : 1;
}

static void find_islands(struct net *n, struct trial *t, const struct coll_algorithm_info *info)
{
    struct coll_group_record *g = coll_group_find(&n->exec, NULL, &t->calls[0][0]);
    if (info->traits & COLL_ISLANDS && g->islands)
        t->islands = g->islands->count;
}

static void run_trial(const struct coll_algorithm_info *info, uint64_t seed)
{
    struct trial t;
    struct net probe = {0};
    base_random_seed(&probe.random, seed, 1);
    choose(&probe, &t, info);
    struct net n = {.latency = 1, .jitter = below(&probe, 4), .issue = 0.25 * (double)below(&probe, 3)};
    n.receive = 0.125 * (double)below(&probe, 3);
    n.ack = (double)below(&probe, 2);
    n.limit = (uint64_t[]){0, 40, 1 << 20}[below(&probe, 3)];
    n.pieces = below(&probe, 3) == 0;
    n.check = t.elements < 100 && seed % 4 == 0; /* it looks at all steps */
    n.radix = t.radix;
    n.segment = t.segment;
    n.apart = seed % 4 == 1 ? NULL : seed % 4 == 3 ? in_turn : in_blocks;
    net_init(&n, RANKS, seed);
    for (uint32_t p = 0; p < t.group.size; p++)
        rank_of(&n, &t, p)->rank->host = t.host[p];
    net_choose(&n, t.op, t.name);
    unsigned char *before[PLACES];
    double latest = (double)(below(&probe, 3) * 20);
    for (uint32_t p = 0; p < t.group.size; p++) {
        uint32_t id = rank_of(&n, &t, p)->rank->id;
        unsigned char *memory = net_give_memory(&n, id, CALLS * t.call_bytes);
        fill(&n, &t, memory);
        before[p] = base_alloc(CALLS * t.call_bytes, "test");
        memcpy(before[p], memory, CALLS * t.call_bytes);
        for (unsigned call = 0; call < CALLS; call++)
            make_call(&t, p, call, &t.calls[p][call]);
        net_script(&n, id, t.calls[p], CALLS, latest * base_random_unit(&n.random));
    }
    net_run(&n);
    net_expect_over(&n);
    compare(&n, &t, before, seed);
    find_islands(&n, &t, info);
    uint64_t messages = expected_messages(&t);
    const struct coll_hosts *hosts =
        t.hosts == t.group.size ? NULL : coll_group_hosts(coll_group_find(&n.exec, NULL, &t.calls[0][0]));
    bool runs = !coll_select_lacks(info->traits, &t.calls[0][0], hosts);
    if (runs && messages != UNKNOWN_MESSAGES && n.exec.counts.messages != CALLS * messages)
        fail_msg("seed %llu: %s/%s with %u members on %u hosts: %llu messages a call, expected %llu",
                 (unsigned long long)seed, coll_op_name(t.op), t.name, t.group.size, t.hosts,
                 (unsigned long long)n.exec.counts.messages / CALLS, (unsigned long long)messages);
    for (uint32_t p = 0; p < t.group.size; p++)
        free(before[p]);
    net_release(&n);
    trial_release(&t);
}

static bool is_played(const struct coll_algorithm_info *info)
{
    return info->op <= COLL_EXSCAN && algorithm_is_played(coll_op_name(info->op), info->name);
}

static void test_every_algorithm(void **state)
{
    (void)state;
    const struct seeds seeds = seeds_to_play(30);
    size_t count;
    const struct coll_algorithm_info *info = coll_algorithms(&count);
    for (size_t k = 0; k < count; k++)
        for (uint64_t seed = seeds.first; is_played(&info[k]) && seed <= seeds.last; seed++)
            run_trial(&info[k], seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_algorithm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
