/* SPDX-License-Identifier: BSD-3-Clause */
/* What matching costs: looking for one of 10 000 takes about as long as for one of 10, and nothing is
 * allocated. */
#include "p2p/match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

struct receive {
    struct p2p_item item; /* first */
};
struct message {
    struct p2p_item item; /* first */
};
static struct p2p_bins bins;
static struct p2p_queue receives, messages;

static int begin(void **state)
{
    (void)state;
    p2p_bins_init(&bins);
    receives = (struct p2p_queue){.number = 0};
    messages = (struct p2p_queue){.number = 1, .messages = true};
    return 0;
}

static int end(void **state)
{
    (void)state;
    p2p_bins_release(&bins);
    return 0;
}

enum { OUTSTANDING = 10000 };
static struct receive many[OUTSTANDING + 1];
static struct message many_messages[OUTSTANDING + 1];

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct p2p_envelope exact(int k)
{
    return (struct p2p_envelope){0, (uint32_t)k % 100, k / 100};
}
static struct p2p_envelope with(unsigned class, int k)
{
    struct p2p_envelope e = exact(k);
    e.source = class & P2P_WITH_ANY_SOURCE ? P2P_ANY_SOURCE : e.source;
    e.tag = class & P2P_WITH_ANY_TAG ? P2P_ANY_TAG : e.tag;
    return e;
}

/* Seconds of a message that finds its receive among n, and of the receive's being posted again; in the worst
 * order. */
static double receives_cost(int n, unsigned class, int rounds)
{
    struct p2p_queue *q = &receives;
    for (int k = 0; k < n; k++) {
        many[k].item.envelope = class == P2P_EXACT || k % 2 ? exact(k) : with(class, k);
        p2p_queue_add(&bins, q, &many[k].item);
    }
    double from = seconds();
    for (int k = 0; k < rounds; k++) {
        struct p2p_envelope m = exact(n - 1 - k % n);
        struct p2p_item *found = p2p_queue_receive(&bins, q, &m);
        assert_non_null(found);
        p2p_queue_remove(&bins, q, found);
        p2p_queue_add(&bins, q, found);
    }
    double took = (seconds() - from) / rounds;
    while (q->n)
        p2p_queue_remove(&bins, q, q->head);
    return took;
}

static double messages_cost(int n, unsigned class, int rounds)
{
    struct p2p_queue *q = &messages;
    for (int k = 0; k < n; k++) {
        many_messages[k].item.envelope = exact(k);
        p2p_queue_add(&bins, q, &many_messages[k].item);
    }
    double from = seconds();
    for (int k = 0; k < rounds; k++) {
        struct p2p_envelope wanted = with(class, n - 1 - k % n);
        struct p2p_item *found = p2p_queue_message(&bins, q, &wanted);
        assert_non_null(found);
        p2p_queue_remove(&bins, q, found);
        p2p_queue_add(&bins, q, found);
    }
    double took = (seconds() - from) / rounds;
    while (q->n)
        p2p_queue_remove(&bins, q, q->head);
    return took;
}

/* Looking at each of 10 000 takes 10 us and more; the bound is far from both this and the actual 0.1 us. */
static void cost_does_not_grow_with_the_number(void **state)
{
    (void)state;
    for (unsigned class = 0; class < P2P_CLASSES; class ++) {
        double receive = receives_cost(OUTSTANDING, class, 50000),
               message = messages_cost(OUTSTANDING, class, 50000);
        print_message("class %u: %.0f ns among %d receives (%.0f among 10), %.0f among messages (%.0f)\n",
                      class, 1e9 * receive, OUTSTANDING, 1e9 * receives_cost(10, class, 50000), 1e9 * message,
                      1e9 * messages_cost(10, class, 50000));
        assert_true(receive < 3e-6);
        assert_true(message < 3e-6);
    }
}

/* Once warm, nothing is allocated. */
static void nothing_is_allocated(void **state)
{
    (void)state;
    messages_cost(OUTSTANDING, P2P_WITH_ANY_TAG, 1000);
    messages_cost(OUTSTANDING, P2P_WITH_ANY_SOURCE, 1000);
    receives_cost(OUTSTANDING, P2P_WITH_ANY_SOURCE, 1000);
    base_alloc_fail_at(1);
    messages_cost(OUTSTANDING, P2P_WITH_ANY_TAG, 1000);
    messages_cost(OUTSTANDING, P2P_WITH_ANY_SOURCE, 1000);
    receives_cost(OUTSTANDING, P2P_WITH_ANY_SOURCE, 1000);
    base_alloc_fail_at(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cost_does_not_grow_with_the_number, begin, end),
        cmocka_unit_test_setup_teardown(nothing_is_allocated, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
