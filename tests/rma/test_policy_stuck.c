/* SPDX-License-Identifier: BSD-3-Clause */
/* Which operations a wait for memory may let go: those that touch its bytes, whatever there is besides. */
#include "rma/policy_by_hand.h"

enum { KEPT = 400, WAITS = 150, HEAP = 32768 };
struct kept {
    uint64_t operation;
    uintptr_t low, high;
};
static struct kept kept[KEPT];
static size_t n, waits_met;
static uintptr_t wanted_low, wanted_high;

static struct rma_verdict keeps(void *arg, const struct rma_question *q)
{
    (void)arg;
    if (q->released)
        return rma_verdict_now(q);
    kept[n++] = (struct kept){q->operation, q->address, q->address + q->bytes};
    return keep;
}

static bool is_wanted(const struct kept *k)
{
    return k->low < wanted_high && k->high > wanted_low;
}

static int by_operation(const void *a, const void *b)
{
    const struct kept *x = a, *y = b;
    return (x->operation > y->operation) - (x->operation < y->operation);
}

static size_t compares(void *arg, const struct rma_demand *d, uint64_t *operations, size_t count)
{
    size_t found = 0, left = 0;
    (void)arg;
    if (d->reason != RMA_FOR_MEMORY)
        return count;
    qsort(kept, n, sizeof *kept, by_operation);
    for (size_t k = 0; k < n; k++)
        if (!is_wanted(&kept[k])) {
            kept[left++] = kept[k];
        } else {
            assert_true(found < count);
            assert_int_equal(operations[found++], kept[k].operation);
        }
    assert_int_equal(found, count);
    n = left;
    waits_met++;
    return count;
}
static const struct rma_policy comparing = {keeps, compares, false, NULL};

static void issues(struct rank *r)
{
    static const unsigned char bytes[HEAP];
    struct base_random random;
    base_random_seed(&random, 1, 0);
    ctx = stage_ctx(r);
    for (int k = 0; k < KEPT; k++) {
        size_t most = (size_t)1 << base_random_below(&random, 14),
               size = 1 + base_random_below(&random, most);
        rma_put(ctx, at(1, base_random_below(&random, HEAP - size)), bytes, size, RMA_NONBLOCKING, "put");
    }
    until(20000);
}

static bool second_time(struct rank *r, void *arg)
{
    (void)r;
    return ++*(int *)arg > 1;
}

static void waits(struct rank *r)
{
    struct engine_reason why = {.what = "wait_until"};
    struct base_random random;
    base_random_seed(&random, 2, 0);
    until(10000);
    assert_int_equal(n, KEPT);
    for (int k = 0; k < WAITS && n; k++) {
        int asked = 0;
        until(10000 + 20 * (k + 1)); /* what went for the last wait has arrived */
        const struct kept *some = &kept[base_random_below(&random, n)];
        wanted_low = some->low + base_random_below(&random, some->high - some->low);
        wanted_high = wanted_low + 1 + base_random_below(&random, k % 10 ? 8 : 20000);
        rma_wait(r, &(struct rma_condition){second_time, &asked, wanted_low, wanted_high}, &why);
    }
}

static void police(struct rank_job *job)
{
    rma_police(job, &comparing, NULL);
}

static void waits_name_what_touches_their_bytes(void **state)
{
    (void)state;
    n = waits_met = 0;
    stage.body[1] = waits;
    stage_at_begin = police;
    stage_run_rank0(issues);
    assert_true(waits_met > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {STAGE_TEST(waits_name_what_touches_their_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
