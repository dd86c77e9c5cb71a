/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests: hooks, persistent ones, waiting for all and for one, looking, cancelling, truncation, layouts at both ends,
 * being destroyed early, deadlock reports; and nothing is allocated for a message once the pools are warm.
 */
#include "world.h"

static int setup(void **state)
{
    (void)state;
    world_prepare(2);
    world_begin();
    return 0;
}
static int teardown(void **state)
{
    (void)state;
    world_end();
    return 0;
}
static void play(ranks_body_fn a, ranks_body_fn b)
{
    world.body[0] = a;
    world.body[1] = b;
    if (ranks_run(&world) != ENGINE_ALL_DONE)
        fail_msg("%s", world.report);
    none_left();
}
static const struct p2p_envelope anything = {0, P2P_ANY_SOURCE, P2P_ANY_TAG};

/* --- completion hooks ----------------------------------------------------------------------------------------- */

/* A receive that starts itself again from its hook, without a rank that runs: ten messages, then the rank is told. */
enum { TIMES = 10 };
static struct {
    int left;
    double at[TIMES];
    struct engine_actor *actor;
} hook;
static void again(struct p2p_request *q, void *arg)
{
    struct rank *r = arg;
    assert_false(p2p_active(q));
    assert_int_equal(p2p_status(q)->bytes, 800);
    assert_int_equal(p2p_status(q)->tag, TIMES - hook.left);
    assert_true(p2p_status(q)->time == engine_now(r->engine));
    hook.at[TIMES - hook.left] = p2p_status(q)->time;
    if (--hook.left)
        p2p_start(q, engine_now(r->engine));
    else
        engine_wake(r->engine, hook.actor);
}
static void hooked(struct rank *r)
{
    struct p2p_buffer b = heap_bytes(r, 0, 800);
    struct p2p_request *q = p2p_receive_create(r, &anything, &b, "hooked");
    hook.left = TIMES;
    hook.actor = r->actor;
    p2p_request_tell(q, again, r);
    p2p_start(q, engine_now(r->engine));
    struct engine_reason why = {.what = "hooked"};
    while (hook.left)
        engine_block(r->engine, &why);
    for (int k = 0; k < TIMES; k++)
        IS(hook.at[k], 10 * (k + 1) + 2.4 + 1.8);
    p2p_request_destroy(q);
}
static void ten_sends(struct rank *r)
{
    for (int k = 0; k < TIMES; k++) {
        sleep_until(r, 10 * (k + 1));
        send_to(r, 1, k, 0, 800, P2P_STANDARD);
    }
}
static void a_hook_starts_its_request_again(void **state)
{
    (void)state;
    play(ten_sends, hooked);
}

/* A request that its hook starts again while its rank waits for it and another one counts once. */
static void once_more(struct p2p_request *q, void *arg)
{
    int *left = arg;
    if (--*left)
        p2p_start(q, p2p_status(q)->time);
}
static void waits_for_both(struct rank *r)
{
    struct p2p_buffer b[2] = {heap_bytes(r, 0, 800), heap_bytes(r, 1000, 800)};
    struct p2p_request *q[2];
    int left = 2;
    for (int k = 0; k < 2; k++)
        q[k] = p2p_receive_create(r, &(struct p2p_envelope){0, 0, k}, &b[k], "receive");
    p2p_request_tell(q[0], once_more, &left);
    p2p_issue(q[0]);
    p2p_issue(q[1]);
    p2p_wait_all(r, q, 2, "waitall");
    assert_false(p2p_active(q[1]));
    assert_int_equal(left, 0);
    for (int k = 0; k < 2; k++)
        p2p_request_destroy(q[k]);
}
static void sends_three_with_tags(struct rank *r)
{
    for (int k = 0; k < 3; k++) {
        sleep_until(r, 20 * (k + 1));
        send_to(r, 1, k == 2, 0, 800, P2P_STANDARD);
    }
}
static void a_request_that_starts_again_counts_once(void **state)
{
    (void)state;
    play(sends_three_with_tags, waits_for_both);
}

/* What completes from the start tells so within the start, with the time of the start, which may be ahead. */
static int told;
static void tell(struct p2p_request *q, void *arg)
{
    assert_false(p2p_active(q));
    assert_true(p2p_status(q)->time == *(double *)arg);
    told++;
}
static void early_teller(struct rank *r)
{
    double when = 5 * US;
    struct p2p_buffer b = heap_bytes(r, 0, 800);
    struct p2p_request *q = p2p_send_create(r, 1, 0, 1, &b, P2P_STANDARD, "send");
    p2p_request_tell(q, tell, &when);
    fill(r, 0, 800, 1);
    told = 0;
    p2p_start(q, when);
    assert_int_equal(told, 1);
    fill(r, 0, 800, 2); /* the buffer is free */
    sleep_until(r, 100);
    p2p_request_destroy(q);
}
static void gets_it(struct rank *r)
{
    struct p2p_status st = receive_from(r, 0, 1, 0, 800);
    assert_true(fabs(st.time - (5 + 1.8) * US) < 1e-15);
    has(r, 0, 800, 1);
}
static void a_start_ahead_of_the_clock(void **state)
{
    (void)state;
    play(early_teller, gets_it);
}

/* Two receives for one instant, of which the first was started ahead of it, and the rank goes on at that very instant before the
 * engine comes to it: they stay in order. Then nothing is ahead, and a start finds its message at once. */
static struct engine_actor *at_ten;
static void wakes_at_ten(void *arg)
{
    struct rank *r = arg;
    engine_sleep_until(r->engine, 10 * US);
    engine_wake(r->engine, at_ten);
}
static void starts_two(struct rank *r)
{
    struct engine_reason why = {.what = "ten"};
    struct p2p_buffer b[2] = {heap_bytes(r, 0, 800), heap_bytes(r, 1000, 800)};
    struct p2p_request *q[2];
    for (int k = 0; k < 2; k++)
        q[k] = p2p_receive_create(r, &anything, &b[k], "receive");
    at_ten = r->actor;
    engine_actor_spawn(r->engine, wakes_at_ten, r, NULL);
    engine_yield(r->engine); /* it sleeps until 10 before the first one is started for then */
    p2p_start(q[0], 10 * US);
    engine_block(r->engine, &why);
    assert_true(engine_now(r->engine) == 10 * US);
    p2p_start(q[1], 10 * US);
    assert_int_equal(wait_for(r, q[0]).tag, 1);
    assert_int_equal(wait_for(r, q[1]).tag, 2);
    has(r, 0, 800, 1);
    has(r, 1000, 800, 2);
    sleep_until(r, 300);
    q[0] = ireceive_from(r, 0, 3, 0, 800);
    assert_false(p2p_active(q[0]));
    wait_for(r, q[0]);
    sleep_until(r, 400);
    struct p2p_request *own = ireceive_from(r, 1, 4, 2000, 800);
    struct p2p_request *out = isend_to(r, 1, 4, 0, 800, P2P_STANDARD);
    wait_for(r, own);
    wait_for(r, out);
}
static void sends_three(struct rank *r)
{
    for (int k = 1; k <= 3; k++) {
        fill(r, 0, 800, (uint64_t)k);
        sleep_until(r, 50 * k);
        send_to(r, 1, k, 0, 800, P2P_STANDARD);
    }
}
static void starts_at_one_instant_stay_in_order(void **state)
{
    (void)state;
    play(sends_three, starts_two);
}

/* Once the sends that were ahead are sent, bytes go straight to a receive that is there. */
static void sends_ahead_then_beside(struct rank *r)
{
    r->issuing = true;
    send_to(r, 1, 1, 0, 800, P2P_STANDARD);
    sleep_until(r, 100);
    r->issuing = false;
    send_to(r, 1, 2, 0, 800, P2P_STANDARD);
}
static void posts_both(struct rank *r)
{
    struct p2p_request *q[2] = {ireceive_from(r, 0, 1, 0, 800), ireceive_from(r, 0, 2, 1000, 800)};
    wait_for(r, q[0]);
    wait_for(r, q[1]);
}
static void one_copy_again_when_nothing_is_ahead(void **state)
{
    (void)state;
    play(sends_ahead_then_beside, posts_both);
    assert_int_equal(world_counts.copies, 3);
}

/* --- persistent ones, waits, looks ------------------------------------------------------------------------------- */

enum { ROUNDS = 20, WIDTH = 8 };
static void persistent_sender(struct rank *r)
{
    struct p2p_request *q[WIDTH];
    for (int k = 0; k < WIDTH; k++) {
        struct p2p_buffer b = heap_bytes(r, 40000 * (size_t)k, 5000 * (uint64_t)k);
        q[k] = p2p_send_create(r, 1, 3, k, &b, k % 2 ? P2P_SYNCHRONOUS : P2P_STANDARD, "start");
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < WIDTH; k++) {
            fill(r, 40000 * (size_t)k, 5000 * (uint64_t)k, (uint64_t)(round * WIDTH + k));
            p2p_issue(q[k]);
        }
        p2p_wait_all(r, q, WIDTH, "waitall");
    }
    for (int k = 0; k < WIDTH; k++)
        p2p_request_destroy(q[k]);
}
static void persistent_receiver(struct rank *r)
{
    struct p2p_request *q[WIDTH + 1] = {NULL}; /* one is null */
    for (int k = 0; k < WIDTH; k++) {
        struct p2p_buffer b = heap_bytes(r, 50000 * (size_t)k, 50000);
        q[k] = p2p_receive_create(r, &(struct p2p_envelope){3, 0, k}, &b, "start");
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < WIDTH; k++)
            p2p_issue(q[k]);
        if (round % 2) {
            p2p_wait_all(r, q, WIDTH + 1, "waitall");
        } else {
            unsigned seen = 0;
            for (size_t one; (one = p2p_wait_any(r, q, WIDTH + 1, "waitany")) <= WIDTH;) {
                assert_false(seen >> one & 1);
                seen |= 1u << one;
            }
            assert_int_equal(seen, (1u << WIDTH) - 1);
        }
        for (int k = 0; k < WIDTH; k++) {
            assert_int_equal(p2p_status(q[k])->bytes, 5000 * k);
            has(r, 50000 * (size_t)k, 5000 * (uint64_t)k, (uint64_t)(round * WIDTH + k));
        }
    }
    for (int k = 0; k < WIDTH; k++)
        p2p_request_destroy(q[k]);
}
static void persistent_requests(void **state)
{
    (void)state;
    play(persistent_sender, persistent_receiver);
}

/* Each failed look takes one time of smpi/test more. */
static void tester(struct rank *r)
{
    struct p2p_request *q[2] = {ireceive_from(r, 0, 1, 0, 800), ireceive_from(r, 0, 2, 1000, 800)};
    assert_int_equal(p2p_test_any(r, q, 2), 2);
    NOW_IS(r, 100);
    assert_false(p2p_test_all(r, q, 2));
    NOW_IS(r, 300);
    assert_int_equal(p2p_test_any(r, q, 2), 1);
    NOW_IS(r, 600 + 3.8);
    assert_false(p2p_test_all(r, q, 2));
    NOW_IS(r, 703.8);
    sleep_until(r, 1000);
    assert_true(p2p_test_all(r, q, 2));
    NOW_IS(r, 1200 + 3.8);
    assert_true(p2p_test_all(r, q, 2)); /* both were seen: nothing to pay but the look */
    NOW_IS(r, 1303.8);
    assert_int_equal(p2p_wait_any(r, q, 2, "waitany"), 2);
    p2p_request_destroy(q[0]);
    p2p_request_destroy(q[1]);
}
static void two_late_sends(struct rank *r)
{
    sleep_until(r, 400);
    send_to(r, 1, 2, 0, 800, P2P_STANDARD);
    sleep_until(r, 800);
    send_to(r, 1, 1, 0, 800, P2P_STANDARD);
}
static void looks_take_their_time(void **state)
{
    (void)state;
    play(two_late_sends, tester);
}

/* --- cancelling --------------------------------------------------------------------------------------------------- */

static void canceller(struct rank *r)
{
    struct p2p_request *gone = ireceive_from(r, 0, 1, 0, 100), *kept = ireceive_from(r, 0, 1, 1000, 100);
    assert_true(p2p_cancel(gone));
    assert_false(p2p_active(gone));
    assert_int_equal(wait_for(r, gone).outcome, P2P_CANCELLED);
    sleep_until(r, 100);
    assert_false(p2p_cancel(kept)); /* it has its message */
    struct p2p_status st = wait_for(r, kept);
    assert_int_equal(st.outcome, P2P_OK);
    assert_int_equal(st.bytes, 50);
    has(r, 1000, 50, 4);
    sleep_until(r, 500); /* the other one has taken back its second send by now */
    assert_int_equal(receive_from(r, 0, 2, 0, 100).bytes, 7);
}
static void takes_back_a_send(struct rank *r)
{
    fill(r, 0, 50, 4);
    sleep_until(r, 50);
    send_to(r, 1, 1, 0, 50, P2P_STANDARD);
    struct p2p_request *q = isend_to(r, 1, 2, 0, 100, P2P_SYNCHRONOUS);
    assert_true(p2p_cancel(q));
    assert_int_equal(wait_for(r, q).outcome, P2P_CANCELLED);
    q = isend_to(r, 1, 2, 0, 7, P2P_STANDARD);
    assert_false(p2p_cancel(q)); /* complete: its bytes are on their way */
    assert_int_equal(wait_for(r, q).outcome, P2P_OK);
}
static void cancelling(void **state)
{
    (void)state;
    play(takes_back_a_send, canceller);
}

/* --- truncation ----------------------------------------------------------------------------------------------------- */

static const uint64_t sent_bytes[] = {1, 64, 65, 900, 5000, 50000};
static void sends_much(struct rank *r)
{
    for (size_t k = 0; k < BASE_LENGTH(sent_bytes); k++)
        for (int late = 0; late < 2; late++) {
            fill(r, 0, sent_bytes[k], k);
            sleep_until(r, 1000 * (2 * (double)k + late) + 500);
            send_to(r, 1, 1, 0, sent_bytes[k], P2P_STANDARD);
        }
}
static void has_little_room(struct rank *r)
{
    for (size_t k = 0; k < BASE_LENGTH(sent_bytes); k++)
        for (int late = 0; late < 2; late++) {
            uint64_t room = sent_bytes[k] / 2;
            unsigned char *p = ranks_bytes(r, ranks_heap_at(1, 0), sent_bytes[k] + 1);
            memset(p, 0, sent_bytes[k] + 1);
            sleep_until(r, 1000 * (2 * (double)k + late) + (late ? 900 : 0));
            struct p2p_status st = receive_from(r, 0, 1, 0, room);
            assert_int_equal(st.outcome, P2P_TRUNCATED);
            assert_int_equal(st.bytes, sent_bytes[k]);
            has(r, 0, room, k);
            assert_int_equal(p[room], 0);
        }
}
static void truncation(void **state)
{
    (void)state;
    play(sends_much, has_little_room);
}

/* --- layouts ----------------------------------------------------------------------------------------------------------- */

/* Columns of a matrix of 64 x 64 doubles become rows, and the other way round; in every mode. */
enum { SIDE = 64 };
static const struct types_layout *column(int64_t rows)
{
    struct base_status st;
    struct types_layout *l = types_layout_vector(rows, 1, SIDE, types_layout_of(TYPES_DOUBLE), &st), *one;
    assert_non_null(l);
    one = types_layout_resized(l, 0, sizeof(double), &st);
    types_layout_release(l);
    assert_non_null(one);
    return one;
}
static double *matrix(struct rank *r)
{
    return (double *)(void *)ranks_bytes(r, ranks_heap_at(r->id, 0), SIDE * SIDE * sizeof(double));
}
static void sends_columns(struct rank *r)
{
    const struct types_layout *l = column(SIDE);
    struct p2p_status st;
    for (int k = 0; k < SIDE * SIDE; k++)
        matrix(r)[k] = k;
    for (uint64_t n = 1; n <= SIDE; n = n < 3 ? n + 1 : 4 * n) { /* 512 bytes to 32 KiB */
        struct p2p_buffer b = {ranks_heap_at(0, 0), n, l};
        sleep_until(r, 1000 * (double)n);
        p2p_send(r, 1, 0, (int32_t)n, &b, P2P_STANDARD, "send", &st);
    }
    types_layout_release(l);
}
static void gets_rows(struct rank *r)
{
    for (uint64_t n = 1; n <= SIDE; n = n < 3 ? n + 1 : 4 * n) {
        struct p2p_buffer b = {ranks_heap_at(1, 0), n * SIDE, types_layout_of(TYPES_DOUBLE)};
        struct p2p_status st;
        sleep_until(r, 1000 * (double)n + (n % 2 ? 0 : 500));
        p2p_receive(r, &anything, &b, "receive", &st);
        assert_int_equal(st.bytes, n * SIDE * sizeof(double));
        for (int k = 0; k < (int)n * SIDE; k++)
            assert_true(matrix(r)[k] == k % SIDE * SIDE + k / SIDE);
    }
    const struct types_layout *l = column(SIDE); /* and transposed by both ends: as it was */
    for (int later = 0; later < 2; later++) {
        struct p2p_buffer b = {ranks_heap_at(1, 0), SIDE, l};
        struct p2p_request *out = p2p_send_create(
            r, 1, 1, 1, &(struct p2p_buffer){ranks_heap_at(1, 100000), SIDE, l}, P2P_STANDARD, "send");
        struct p2p_request *in = p2p_receive_create(r, &(struct p2p_envelope){1, 1, 1}, &b, "receive");
        memcpy((char *)matrix(r) + 100000, matrix(r), SIDE * SIDE * sizeof(double));
        memset(matrix(r), 0, SIDE * SIDE * sizeof(double));
        p2p_issue(later ? out : in);
        p2p_issue(later ? in : out);
        wait_for(r, in);
        wait_for(r, out);
        assert_memory_equal(matrix(r), (char *)matrix(r) + 100000, SIDE * SIDE * sizeof(double));
    }
    types_layout_release(l);
}
static void layouts(void **state)
{
    (void)state;
    play(sends_columns, gets_rows);
    world_end();
    world_prepare(2); /* and run by run, where nothing lies in one piece */
    world.exchanged = true;
    world_begin();
    play(sends_columns, gets_rows);
}

/* --- destroyed before they are complete --------------------------------------------------------------------------------- */

static void leaves(struct rank *r)
{
    fill(r, 0, 80000, 3);
    p2p_request_destroy(isend_to(r, 1, 1, 0, 80000, P2P_SYNCHRONOUS));
    p2p_request_destroy(ireceive_from(r, 1, 2, 100000, 10));
    sleep_until(r, 1000);
    has(r, 100000, 10, 4);
}
static void stays(struct rank *r)
{
    sleep_until(r, 100);
    fill(r, 200000, 10, 4);
    assert_int_equal(receive_from(r, 0, 1, 0, 80000).bytes, 80000);
    has(r, 0, 80000, 3);
    send_to(r, 0, 2, 200000, 10, P2P_STANDARD);
}
static void destroyed_requests_end_by_themselves(void **state)
{
    (void)state;
    play(leaves, stays);
}

/* --- deadlock -------------------------------------------------------------------------------------------------------------- */

static void waits_for_nothing(struct rank *r)
{
    receive_from(r, P2P_ANY_SOURCE, 12, 0, 10);
}
static void waits_for_two(struct rank *r)
{
    struct p2p_request *q[2] = {isend_to(r, 0, 3, 0, 80000, P2P_STANDARD),
                                ireceive_from(r, 0, P2P_ANY_TAG, 0, 1)};
    p2p_wait_all(r, q, 2, "waitall");
}
static void a_deadlock_is_told(void **state)
{
    (void)state;
    world.body[0] = waits_for_nothing;
    world.body[1] = waits_for_two;
    assert_int_equal(ranks_run(&world), ENGINE_DEADLOCK);
    if (!strstr(world.report, "a message from any rank, tag 12, context 0") ||
        !strstr(world.report, "2 of 2 requests: 80000 bytes to be received by rank 0, tag 3, context 0, ..."))
        fail_msg("%s", world.report);
}

/* --- allocation --------------------------------------------------------------------------------------------------------------- */

/* Each mode, posted and unexpected, wildcards, probes, again and again: once warm, an allocation would end the process. */
enum { WARM = 3000, STEADY = 20000 };
static void exchange(struct rank *r, int k)
{
    uint32_t other = 1 - r->id;
    static const uint64_t sizes[] = {0, 11000, 40, 999, 5000};
    uint64_t n = sizes[k % 5];
    struct p2p_request *q[4];
    for (int i = 0; i < 2; i++)
        q[i] = ireceive_from(r, i ? P2P_ANY_SOURCE : other, k % 50 + i, 20000 * (size_t)i, 20000);
    for (int i = 0; i < 2; i++)
        q[2 + i] = isend_to(r, other, k % 50 + i, 100000, n, i ? P2P_SYNCHRONOUS : P2P_STANDARD);
    p2p_wait_all(r, q, 4, "waitall");
    for (int i = 0; i < 4; i++)
        p2p_request_destroy(q[i]);
    send_to(r, other, 99, 0, n % 900, P2P_STANDARD);
    struct p2p_status st;
    struct p2p_buffer b = heap_bytes(r, 0, 900);
    p2p_receive_matched(r, p2p_match(r, &(struct p2p_envelope){0, other, 99}, "mprobe", &st), &b, "mrecv",
                        &st);
}
static void steady(struct rank *r)
{
    for (int k = 0; k < STEADY; k++) {
        if (k == WARM && r->id == 0)
            base_alloc_fail_at(1);
        exchange(r, k);
    }
    base_alloc_fail_at(0);
}
static void nothing_is_allocated_per_message(void **state)
{
    (void)state;
    play(steady, steady);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(a_hook_starts_its_request_again),
        CASE(a_request_that_starts_again_counts_once),
        CASE(a_start_ahead_of_the_clock),
        CASE(starts_at_one_instant_stay_in_order),
        CASE(one_copy_again_when_nothing_is_ahead),
        CASE(persistent_requests),
        CASE(looks_take_their_time),
        CASE(cancelling),
        CASE(truncation),
        CASE(layouts),
        CASE(destroyed_requests_end_by_themselves),
        CASE(a_deadlock_is_told),
        CASE(nothing_is_allocated_per_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
