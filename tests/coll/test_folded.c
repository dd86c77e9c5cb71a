/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives between folded blocks whose bytes are left where they are (coll/leave-folded): every algorithm
 * ends when it does with moved bytes, and touches no memory.
 */
#include "coll/net.h"

#include <math.h>

static const double EPSILON = 1e-9;
/* An allgatherv of UNEVEN bytes has parts of different sizes. */
enum { MOST = 33, MOST_PART = 200, UNEVEN = 96 };

/* Parts of different sizes, some empty; none overlap. */
static int counts[2][MOST][MOST], places[2][MOST][MOST];
static struct coll_local locals[MOST];

static void make_parts(enum coll_op op, uint32_t n)
{
    for (uint32_t from = 0; from < n; from++)
        for (uint32_t to = 0; to < n; to++) {
            uint32_t which = op == COLL_ALLGATHERV ? from : from * n + to;
            int bytes = base_hash(which + 77) % 5 ? (int)(base_hash(which) % MOST_PART) : 0;
            counts[0][from][to] = counts[1][to][from] = bytes;
            places[0][from][to] = (int)to * MOST_PART;
            places[1][to][from] = (int)from * MOST_PART;
        }
    for (uint32_t p = 0; p < n; p++)
        locals[p] = (struct coll_local){.source = {.counts = counts[0][p], .at = places[0][p]},
                                        .dest = {.counts = counts[1][p], .at = places[1][p]}};
    for (uint32_t p = 0; op == COLL_ALLGATHERV && p < n; p++)
        locals[p].source = (struct coll_side){0};
}

/* All enter at 0; returns when the last one goes on. Bytes are moved, or left where they are: then no
 * memory may change. */
static double time_of_folded(const struct coll_call *like, const char *name, uint64_t limit, bool leave)
{
    const uint32_t size = like->group.size;
    struct net n = {.latency = 10, .issue = 3, .receive = 0.5, .limit = limit, .ack = 2, .check = true};
    struct coll_call *calls = base_zalloc(size * sizeof *calls, "test");
    const size_t bytes = 4096 + size * (like->bytes > 4096 ? like->bytes : 4096);
    bool uneven = like->op == COLL_ALLTOALLV || (like->op == COLL_ALLGATHERV && like->bytes == UNEVEN);
    if (uneven)
        make_parts(like->op, size);
    double end = 0;
    net_init(&n, size, 1);
    net_choose(&n, like->op, name);
    n.exec.select.tuning.leave_folded = leave;
    n.transport.copy_byte = 0.01;
    for (uint32_t k = 0; k < size; k++) {
        memset(net_give_memory(&n, k, bytes), (int)k + 1, bytes);
        calls[k] = *like;
        calls[k].me = k;
        calls[k].local = uneven ? &locals[k] : NULL;
        if (uneven && like->op == COLL_ALLGATHERV)
            calls[k].bytes = (uint64_t)counts[1][k][k];
        net_script(&n, k, &calls[k], 1, 0);
    }
    net_run(&n);
    net_expect_over(&n);
    for (uint32_t k = 0; k < size; k++) {
        const unsigned char *m = n.ranks[k].memory;
        if (leave && memcmp(m, m + 1, bytes - 1) != 0)
            fail_msg("%s: %s of %u members changed the memory of %u", coll_op_name(like->op), name, size, k);
        if (n.ranks[k].returned > end)
            end = n.ranks[k].returned;
    }
    net_release(&n);
    free(calls);
    return end;
}

static void compare_folded(enum coll_op op, const char *name)
{
    static const uint32_t sizes[] = {1, 2, 3, 8, 13, 33};
    static const size_t bytes[] = {0, 8, 96};
    for (size_t k = 0; k < BASE_LENGTH(sizes); k++)
        for (size_t b = 0; b < BASE_LENGTH(bytes); b++)
            for (uint64_t limit = 16; limit <= 1 << 20; limit <<= 16) {
                struct coll_call c = net_call(op, 0, sizes[k], bytes[b]);
                c.folded = true;
                double left = time_of_folded(&c, name, limit, true),
                       moved = time_of_folded(&c, name, limit, false);
                if (fabs(left - moved) > EPSILON)
                    fail_msg(
                        "%s: %s, %u members, %zu bytes, limit %llu: ends at %.9g, with moved bytes at %.9g",
                        coll_op_name(op), name, sizes[k], bytes[b], (unsigned long long)limit, left, moved);
            }
}

static void test_folded(void **state)
{
    (void)state;
    size_t count;
    const struct coll_algorithm_info *a = coll_algorithms(&count);
    for (size_t k = 0; k < count; k++)
        if (a[k].op == COLL_ALLTOALL || a[k].op == COLL_FCOLLECT || a[k].op == COLL_BROADCAST ||
            a[k].op == COLL_ALLGATHERV || a[k].op == COLL_ALLTOALLV)
            compare_folded(a[k].op, a[k].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_folded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
