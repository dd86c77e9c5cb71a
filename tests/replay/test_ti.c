/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of time-independent traces: what each shape becomes, and what is said of wrong ones. */
#include "replay/ti/line.h"

#include "coll/coll.h"
#include "p2p/p2p.h"
#include "rank/rank.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 3 };

static struct replay_ti_reader reader;

static int begin(void **state)
{
    (void)state;
    replay_ti_reader_init(&reader, (struct replay_ti_ranks){RANKS, RANKS}, false);
    return 0;
}

/* These start one more. */
static int begin_starting(void **state)
{
    (void)state;
    replay_ti_reader_init(&reader, (struct replay_ti_ranks){RANKS, RANKS + 1}, false);
    return 0;
}

static int begin_old(void **state)
{
    (void)state;
    replay_ti_reader_init(&reader, (struct replay_ti_ranks){RANKS, RANKS}, true);
    return 0;
}

static int end(void **state)
{
    (void)state;
    replay_ti_reader_release(&reader);
    return 0;
}

static const struct replay_action *read_line(const char *line)
{
    struct base_status st = {""};
    static char copy[256]; /* the action points there */
    snprintf(copy, sizeof copy, "%s", line);
    int rc = replay_ti_line(&reader, copy, &st);
    if (rc != 1)
        fail_msg("%s: %d, %s", line, rc, st.text);
    return &reader.action;
}

static void refuses(const char *line, const char *why)
{
    struct base_status st = {""};
    char copy[256];
    snprintf(copy, sizeof copy, "%s", line);
    assert_int_equal(replay_ti_line(&reader, copy, &st), -1);
    assert_string_equal(st.text, why);
}

static void assert_counts(const int64_t *counts, uint32_t n, int64_t a, int64_t b, int64_t c)
{
    assert_int_equal(n, RANKS);
    assert_int_equal(counts[0], a);
    assert_int_equal(counts[1], b);
    assert_int_equal(counts[2], c);
}

/* Of the rank that is started: calls of MPI, and others may name it; what is of all ranks is of those of the beginning. */
static void test_started(void **state)
{
    uint32_t first = 0, n = 0;
    (void)state;
    const struct replay_action *a = read_line("0 MPI_Comm_spawn 1 MPI_INFO_NULL 0 MPI_COMM_WORLD c0 3 [1]");
    assert_true(replay_starts_of(a->number, a->counts, a->n, &first, &n));
    assert_int_equal(first, 3);
    assert_int_equal(n, 1);
    a = read_line("1 MPI_Comm_spawn 0 MPI_INFO_NULL 0 MPI_COMM_WORLD c0 -1 null");
    assert_false(replay_starts_of(a->number, a->counts, a->n, &first, &n));
    a = read_line("1 MPI_Comm_spawn 1 MPI_INFO_NULL 0 MPI_COMM_WORLD c0 3 [-1]");
    assert_false(replay_starts_of(a->number, a->counts, a->n, &first, &n));
    assert_int_equal(read_line("3 MPI_Barrier c0")->kind, REPLAY_CALL);
    assert_int_equal(read_line("0 pstate 1 3")->peer, 3);
    refuses("3 barrier",
            "barrier: rank 3 is started by others: expected a call of MPI, which names its communicator");
    refuses("3 shmem_barrier_all", "shmem_barrier_all: rank 3 is started by others: expected calls of MPI");
    refuses("0 bcast 10 3", "bcast 3: expected a root below 3, the number of ranks");
    refuses("4 MPI_Init", "rank 4: expected one below 4, the number of ranks");
}

/* Nobody has counted them. */
static void test_not_started(void **state)
{
    (void)state;
    refuses(
        "0 MPI_Comm_spawn 1 MPI_INFO_NULL 0 MPI_COMM_WORLD c0 3 [1]",
        "MPI_Comm_spawn: ranks from 3 on are started: expected one file with the lines of all ranks, and no "
        "number of ranks");
}

static void test_nothing(void **state)
{
    char lines[][20] = {"", "   \t ", "# 0 init", "  #"};
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(lines); k++)
        assert_int_equal(replay_ti_line(&reader, lines[k], NULL), 0);
}

static void test_work(void **state)
{
    (void)state;
    const struct replay_action *a = read_line("2 compute 1.5e9");
    assert_int_equal(a->kind, REPLAY_COMPUTE);
    assert_true(a->amount == 1.5e9);
    assert_int_equal(reader.rank, 2);
    a = read_line("  0\tsleep   0.25 ");
    assert_int_equal(a->kind, REPLAY_SLEEP);
    assert_true(a->amount == 0.25);
    a = read_line("1 seconds 0.125 @-5+17 ");
    assert_int_equal(a->kind, REPLAY_SECONDS);
    assert_true(a->amount == 0.125);
    assert_true(reader.times.known && reader.times.begin == -5 && reader.times.duration == 17);
    a = read_line("0 location \"main.c\" 17");
    assert_string_equal(a->text, "\"main.c\"");
    assert_int_equal(a->number, 17);
}

static void test_messages(void **state)
{
    (void)state;
    const struct replay_action *a = read_line("0 send 1 7 1e3");
    assert_int_equal(a->kind, REPLAY_SEND);
    assert_int_equal(a->peer, 1);
    assert_int_equal(a->tag, 7);
    assert_int_equal(a->bytes, 1000);
    assert_int_equal(a->number, P2P_STANDARD);
    a = read_line("0 ISsend 1 7 10 14"); /* long double */
    assert_int_equal(a->kind, REPLAY_ISEND);
    assert_int_equal(a->number, P2P_SYNCHRONOUS);
    assert_int_equal(a->bytes, 160);
    assert_int_equal(read_line("0 send 1 7 10 -1")->bytes, 0); /* a type of the program's */
    a = read_line("0 irecv -555 -444 -1 0");
    assert_int_equal(a->kind, REPLAY_IRECV);
    assert_int_equal(a->peer, REPLAY_ANY);
    assert_int_equal(a->tag, REPLAY_ANY_TAG);
    assert_true(a->bytes == REPLAY_UNKNOWN_SIZE);
    a = read_line("0 sendRecv 4 1 5 2 1 0");
    assert_int_equal(a->peer, 1);
    assert_int_equal(a->peer2, 2);
    assert_int_equal(a->bytes, 16);
    assert_int_equal(a->bytes2, 40);
    a = read_line("0 wait 1 0 7");
    assert_int_equal(a->kind, REPLAY_WAIT);
    assert_int_equal(a->peer, 1);
    assert_int_equal(a->peer2, 0);
    assert_int_equal(read_line("0 waitall 4")->kind, REPLAY_WAITALL);
}

/* What the tracer writes and SMPI's replayer does not know. */
static void test_others(void **state)
{
    (void)state;
    const struct replay_action *a = read_line("0 Put 1 0 4");
    assert_int_equal(a->kind, REPLAY_SKIP);
    assert_int_equal(a->number, 1);
    assert_string_equal(a->text, "Put");
    assert_int_equal(read_line("0 Win_fence")->kind, REPLAY_SKIP);
    assert_string_equal(read_line("0 IO - read 100")->text, "IO");
    a = read_line("0 Start 1 4 10 1");
    assert_int_equal(a->kind, REPLAY_ISEND);
    assert_int_equal(a->number, P2P_STANDARD);
    assert_int_equal(a->bytes, 40);
    a = read_line("0 Start 0 4 10 1");
    assert_int_equal(a->kind, REPLAY_IRECV);
    assert_int_equal(a->peer, REPLAY_ANY);
    assert_int_equal(a->tag, 4);
}

/* The first action's argument makes it double, of that rank alone. */
static void test_default_type(void **state)
{
    (void)state;
    assert_int_equal(read_line("1 init 1")->kind, REPLAY_INIT);
    read_line("0 init");
    assert_int_equal(read_line("1 send 0 0 10")->bytes, 80);
    assert_int_equal(read_line("0 send 1 0 10")->bytes, 10);
}

static void test_collectives(void **state)
{
    (void)state;
    const struct replay_action *a = read_line("0 bcast 10 2 1");
    assert_int_equal(a->kind, REPLAY_COLLECTIVE);
    assert_int_equal(a->number, COLL_BROADCAST);
    assert_int_equal(a->peer, 2);
    assert_int_equal(a->bytes, 40);
    a = read_line("0 ireduce 10 1e6 1 0");
    assert_int_equal(a->kind, REPLAY_ICOLLECTIVE);
    assert_int_equal(a->number, COLL_REDUCE_ROOT);
    assert_int_equal(a->peer, 1);
    assert_int_equal(a->bytes, 80);
    assert_int_equal(a->bytes2, 8);
    assert_true(a->amount == 1e6);
    a = read_line("0 allReduce 3 0");
    assert_int_equal(a->number, COLL_REDUCE);
    assert_int_equal(a->bytes, 3);
    a = read_line("0 scatter 5 6 1 1 1");
    assert_int_equal(a->bytes, 24); /* what is received */
    a = read_line("0 gather 0 6 1 1 1");
    assert_int_equal(a->bytes, 24); /* in place */
    a = read_line("0 gatherv 9 1 2 3 1 1 2");
    assert_int_equal(a->bytes, 36);
    assert_int_equal(a->peer, 1);
    assert_counts(a->counts, a->n, 1, 2, 3);
    a = read_line("0 scatterv 1 2 3 9 2 1 0");
    assert_int_equal(a->bytes, 72);
    assert_int_equal(a->peer, 2);
    assert_counts(a->counts, a->n, 4, 8, 12);
    a = read_line("0 allgatherv 9 1 2 3 1 1 0 1 3"); /* types, then displacements */
    assert_counts(a->counts, a->n, 4, 8, 12);
    a = read_line("0 allgatherv 9 1 2 3 0 1 3"); /* displacements alone */
    assert_counts(a->counts, a->n, 1, 2, 3);
    a = read_line("0 alltoallv 6 1 2 3 60 4 5 6 3 1");
    assert_counts(a->counts, a->n, 2, 4, 6);
    assert_counts(a->counts2, a->n2, 16, 20, 24);
    a = read_line("0 reducescatter 1 2 3 500 0");
    assert_counts(a->counts, a->n, 8, 16, 24);
    assert_true(a->amount == 500);
    a = read_line("0 allgatherv 2 1 2 1 1"); /* of two ranks */
    assert_int_equal(a->n, 2);
    assert_int_equal(a->counts[1], 8);
    a = read_line("0 reducescatter 2 500 0"); /* of one */
    assert_int_equal(a->n, 1);
    assert_int_equal(a->counts[0], 16);
}

/* Before 3.20. */
static void test_old(void **state)
{
    (void)state;
    const struct replay_action *a = read_line("0 Isend 1 1e6");
    assert_int_equal(a->kind, REPLAY_ISEND);
    assert_int_equal(a->tag, 0);
    assert_int_equal(a->bytes, 1000000);
    assert_int_equal(read_line("0 send 1 10 0")->bytes, 80);
    assert_true(read_line("0 Irecv 1")->bytes == REPLAY_UNKNOWN_SIZE);
    assert_int_equal(read_line("0 wait")->kind, REPLAY_WAIT_LAST);
    assert_int_equal(replay_ti_version_of("0 wait"), REPLAY_TI_OLD);
    assert_int_equal(replay_ti_version_of("0 wait 0 1 0"), REPLAY_TI_NEW);
    assert_int_equal(replay_ti_version_of("0 send 1 1e6"), REPLAY_TI_OLD);
    assert_int_equal(replay_ti_version_of("0 send 1 0 1e6"), REPLAY_TI_EITHER);
    assert_int_equal(replay_ti_version_of("0 allReduce 1 2"), REPLAY_TI_OLD);
}

static void test_wrong(void **state)
{
    (void)state;
    refuses("x init", "x: expected a rank, or RANK.THREAD");
    refuses("3 init", "rank 3: expected one below 3, the number of ranks");
    refuses("0", "rank 0: the action is missing");
    refuses("0 sned 1 0 4", "sned: no action of a time-independent trace");
    refuses("0 compute", "compute: an amount of flops is missing");
    refuses("0 compute -1", "compute -1: expected an amount of flops of 0 or more");
    refuses("0 seconds -1", "seconds -1: expected a number of seconds of 0 or more");
    refuses("0 seconds 1 @5", "@5: expected @BEGIN+DURATION, in whole nanoseconds");
    refuses("0 seconds 1 @5+x", "@5+x: expected @BEGIN+DURATION, in whole nanoseconds");
    refuses("0 seconds 1 @+5", "@+5: expected @BEGIN+DURATION, in whole nanoseconds");
    refuses("0 seconds 1 @1+99999999999999999999",
            "@1+99999999999999999999: expected @BEGIN+DURATION, in whole nanoseconds");
    refuses("0 repeat", "repeat: a number of times is missing");
    refuses("0 repeat 0", "repeat 0: expected a number of times from 1 to 4294967295");
    refuses("0 compute nan", "compute nan: expected an amount of flops");
    refuses("0 send 3 0 4", "send 3: expected a destination below 3, the number of ranks");
    refuses("0 send -1 0 4", "send -1: expected a destination from 0 to 4294967294");
    refuses("0 send 1 -4 4", "send -4: expected a tag of 0 or more");
    refuses("0 send 1 0 -4", "send -4: expected a count from 0 to 9007199254740992");
    refuses("0 send 1 0 4 60", "send 60: expected a type's number from -1 to 59");
    refuses("0 bcast 4 4x", "bcast 4x: expected a root");
    refuses("0 gatherv 6 1 2 x 60 4 5", "gatherv x: expected a count");
    refuses("0 gatherv 6 1", "gatherv: expected counts of 3 ranks, found 1");
}

static void test_threads(void **state)
{
    (void)state;
    const struct replay_action *a = read_line("2.3 compute 5");
    assert_int_equal(reader.rank, 2);
    assert_int_equal(reader.thread, 3);
    assert_int_equal(a->kind, REPLAY_COMPUTE);
    a = read_line("2 thread_create 3");
    assert_int_equal(reader.thread, 1);
    assert_int_equal(a->kind, REPLAY_THREAD_CREATE);
    assert_int_equal(a->number, 3);
    assert_int_equal(read_line("2 thread_create")->number, 0);
    assert_int_equal(read_line("2 thread_join 1")->number, 1);
    assert_int_equal(read_line("2.2 thread_end")->kind, REPLAY_THREAD_END);
    assert_int_equal(read_line("2.2 thread_exit")->kind, REPLAY_THREAD_EXIT);
    assert_int_equal(read_line("0 thread_calls 64")->number, 64);
    assert_true(read_line("0 thread_timeout 0.25")->amount == 0.25);
    a = read_line("1.2 thread_wake 1");
    assert_true(a->peer == 1 && a->number == 1 && a->tag == 0);
    a = read_line("1 thread_wake 2.4 early");
    assert_true(a->peer == 2 && a->number == 4 && a->tag == 1);
    a = read_line("1 thread_wait 0.1");
    assert_true(a->peer == 0 && a->number == 1 && a->tag == RANK_WAKING_PARKED);
    assert_int_equal(read_line("1 thread_wait 3 cancelled")->tag, RANK_WAKING_AT_ONCE);
    assert_int_equal(read_line("1 thread_wait 3 file")->tag, RANK_WAKING_FILE);
    assert_int_equal(read_line("1 thread_wait 3 poll")->tag, RANK_WAKING_POLL);
    refuses("0.0 init", "0.0: expected a rank, or RANK.THREAD");
    refuses("0. init", "0.: expected a rank, or RANK.THREAD");
    refuses("0.2x init", "0.2x: expected a rank, or RANK.THREAD");
    refuses("0.99999999999999999999 init", "0.99999999999999999999: expected a rank, or RANK.THREAD");
    refuses("0 thread_create 1", "thread_create 1: expected a thread from 2 to 16777216");
    refuses("0 thread_join", "thread_join: a thread is missing");
    refuses("0 thread_end", "thread_end: expected a line of a further thread, RANK.THREAD");
    refuses("0 thread_exit", "thread_exit: expected a line of a further thread, RANK.THREAD");
    refuses("0 thread_wake", "thread_wake: expected a thread, from 1, or RANK.THREAD");
    refuses("0 thread_wake 0", "thread_wake 0: expected a thread from 1 to 16777216");
    refuses("0 thread_wake 3.1", "thread_wake: rank 3: expected one below 3, the number of ranks");
    refuses("0 thread_wake 1 late", "thread_wake: late: expected early, or nothing");
    refuses("0 thread_wait 1 early", "thread_wait: early: expected cancelled, file, poll, or nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nothing, begin, end),
        cmocka_unit_test_setup_teardown(test_work, begin, end),
        cmocka_unit_test_setup_teardown(test_messages, begin, end),
        cmocka_unit_test_setup_teardown(test_others, begin, end),
        cmocka_unit_test_setup_teardown(test_default_type, begin, end),
        cmocka_unit_test_setup_teardown(test_collectives, begin, end),
        cmocka_unit_test_setup_teardown(test_old, begin_old, end),
        cmocka_unit_test_setup_teardown(test_wrong, begin, end),
        cmocka_unit_test_setup_teardown(test_threads, begin, end),
        cmocka_unit_test_setup_teardown(test_started, begin_starting, end),
        cmocka_unit_test_setup_teardown(test_not_started, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
