/* SPDX-License-Identifier: BSD-3-Clause */
/* An archive as Score-P writes one, written here by OTF2's library: messages, requests, a communicator with another order
 * of ranks, sizes of collectives from what members have sent and received, computation between calls. */
#include <stddef.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "replay/otf2/otf2.h"

#ifdef PGASIM_OTF2
#include <otf2/otf2.h>

#include "coll/coll.h"

enum { RANKS = 3, TICKS = 1000000000 };
enum { LOCATIONS, WORLD_RANKS, OTHER_RANKS }; /* groups */
enum { WORLD, OTHER };                        /* communicators: ranks 0 1 2; ranks 2 0 */

static char folder[] = "/tmp/pgasim-otf2-XXXXXX";

static OTF2_FlushType before_flush(void *ctx, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                                   bool final)
{
    (void)ctx, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp after_flush(void *ctx, OTF2_FileType type, OTF2_LocationRef location)
{
    (void)ctx, (void)type, (void)location;
    return 0;
}

/* --- definitions --------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    OTF2_Paradigm paradigm;
} regions[] = {{"main", OTF2_PARADIGM_COMPILER},    {"MPI_Init", OTF2_PARADIGM_MPI},
               {"MPI_Isend", OTF2_PARADIGM_MPI},    {"MPI_Irecv", OTF2_PARADIGM_MPI},
               {"MPI_Waitall", OTF2_PARADIGM_MPI},  {"MPI_Allreduce", OTF2_PARADIGM_MPI},
               {"MPI_Gatherv", OTF2_PARADIGM_MPI},  {"MPI_Alltoallv", OTF2_PARADIGM_MPI},
               {"MPI_Sendrecv", OTF2_PARADIGM_MPI}, {"MPI_Ibcast", OTF2_PARADIGM_MPI},
               {"MPI_Finalize", OTF2_PARADIGM_MPI}, {"MPI_Put", OTF2_PARADIGM_MPI}};
enum { MAIN, INIT, ISEND, IRECV, WAITALL, ALLREDUCE, GATHERV, ALLTOALLV, SENDRECV, IBCAST, FINALIZE, PUT };

static void define_group(OTF2_GlobalDefWriter *w, OTF2_GroupRef group, OTF2_GroupType type, uint32_t n,
                         const uint64_t *member)
{
    OTF2_GlobalDefWriter_WriteGroup(w, group, 0, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n, member);
}

static void define(OTF2_Archive *archive, const uint64_t *events)
{
    static const uint64_t all[] = {0, 1, 2}, other[] = {2, 0};
    OTF2_GlobalDefWriter *w = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_GlobalDefWriter_WriteClockProperties(w, TICKS, 0, 1000000, OTF2_UNDEFINED_TIMESTAMP);
    OTF2_GlobalDefWriter_WriteString(w, 0, "");
    for (uint32_t k = 0; k < BASE_LENGTH(regions); k++) {
        OTF2_GlobalDefWriter_WriteString(w, k + 1, regions[k].name);
        OTF2_GlobalDefWriter_WriteRegion(w, k, k + 1, k + 1, 0, OTF2_REGION_ROLE_FUNCTION,
                                         regions[k].paradigm, OTF2_REGION_FLAG_NONE, 0, 0, 0);
    }
    OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (uint32_t k = 0; k < RANKS; k++) {
        OTF2_GlobalDefWriter_WriteLocationGroup(w, k, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(w, k, 0, OTF2_LOCATION_TYPE_CPU_THREAD, events[k], k);
    }
    define_group(w, LOCATIONS, OTF2_GROUP_TYPE_COMM_LOCATIONS, RANKS, all);
    define_group(w, WORLD_RANKS, OTF2_GROUP_TYPE_COMM_GROUP, RANKS, all);
    define_group(w, OTHER_RANKS, OTF2_GROUP_TYPE_COMM_GROUP, 2, other);
    OTF2_GlobalDefWriter_WriteComm(w, WORLD, 0, WORLD_RANKS, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteComm(w, OTHER, 0, OTHER_RANKS, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteRmaWin(w, 0, 0, WORLD, OTF2_RMA_WIN_FLAG_NONE);
}

/* --- events ---------------------------------------------------------------------------------------------------- */

static OTF2_EvtWriter *out;
static OTF2_TimeStamp now;

static void enter(OTF2_RegionRef region)
{
    OTF2_EvtWriter_Enter(out, NULL, now, region);
}

static void leave(OTF2_RegionRef region)
{
    OTF2_EvtWriter_Leave(out, NULL, ++now, region);
}

static void collective(OTF2_RegionRef region, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root,
                       uint64_t sent, uint64_t received)
{
    enter(region);
    OTF2_EvtWriter_MpiCollectiveBegin(out, NULL, now);
    OTF2_EvtWriter_MpiCollectiveEnd(out, NULL, ++now, op, comm, root, sent, received);
    leave(region);
}

/* Rank 0 sends to rank 1, from which it gets two messages in the other order than it asked for them; all take part in
 * collectives. */
static void messages(uint32_t rank)
{
    if (rank == 2)
        return;
    enter(ISEND);
    OTF2_EvtWriter_MpiIsend(out, NULL, now, !rank, WORLD, 7 + rank, 100 + rank, 11);
    leave(ISEND);
    for (uint64_t request = 12; request < 14; request++) {
        enter(IRECV);
        OTF2_EvtWriter_MpiIrecvRequest(out, NULL, now, request);
        leave(IRECV);
    }
    now += 500;
    enter(WAITALL);
    OTF2_EvtWriter_MpiIsendComplete(out, NULL, ++now, 11);
    OTF2_EvtWriter_MpiIrecv(out, NULL, ++now, !rank, WORLD, 8 - rank, 101 - rank, 13);
    OTF2_EvtWriter_MpiRequestCancelled(out, NULL, ++now, 12);
    leave(WAITALL);
}

static void collectives(uint32_t rank)
{
    static const uint64_t sent[RANKS] = {60, 0, 30}, received[RANKS] = {30, 60, 0};
    collective(ALLREDUCE, OTF2_COLLECTIVE_OP_ALLREDUCE, WORLD, OTF2_COLLECTIVE_ROOT_NONE, RANKS * 80,
               RANKS * 80);
    if (rank != 1)
        collective(GATHERV, OTF2_COLLECTIVE_OP_GATHERV, OTHER, 0, rank ? 24 : 40, rank ? 64 : 0);
    collective(ALLTOALLV, OTF2_COLLECTIVE_OP_ALLTOALLV, WORLD, OTF2_COLLECTIVE_ROOT_NONE, sent[rank],
               received[rank]);
    enter(IBCAST);
    OTF2_EvtWriter_NonBlockingCollectiveRequest(out, NULL, now, 20);
    leave(IBCAST);
    enter(WAITALL);
    OTF2_EvtWriter_NonBlockingCollectiveComplete(out, NULL, ++now, OTF2_COLLECTIVE_OP_BCAST, WORLD, 1,
                                                 rank == 1 ? 3 * 16 : 0, 16, 20);
    leave(WAITALL);
}

/* In the communicator whose ranks are 2 and 0. */
static void exchange(uint32_t rank)
{
    if (rank == 1)
        return;
    uint32_t other = rank ? 1 : 0;
    enter(SENDRECV);
    OTF2_EvtWriter_MpiSend(out, NULL, ++now, other, OTHER, 3, 5);
    OTF2_EvtWriter_MpiRecv(out, NULL, ++now, other, OTHER, 3, 5);
    leave(SENDRECV);
}

/* From rank 0 to rank 2, whose receive does not say from whom. */
static void from_nobody(uint32_t rank)
{
    if (rank == 1)
        return;
    enter(WAITALL);
    if (rank)
        OTF2_EvtWriter_MpiRecv(out, NULL, ++now, OTF2_UNDEFINED_UINT32, WORLD, 9, 4);
    else
        OTF2_EvtWriter_MpiSend(out, NULL, ++now, 2, WORLD, 9, 4);
    leave(WAITALL);
}

static void write_rank(OTF2_Archive *archive, uint32_t rank, uint64_t *events)
{
    out = OTF2_Archive_GetEvtWriter(archive, rank);
    now = 1000;
    enter(MAIN);
    now = 3000;
    enter(INIT);
    leave(INIT);
    messages(rank);
    collectives(rank);
    exchange(rank);
    from_nobody(rank);
    enter(PUT);
    OTF2_EvtWriter_RmaPut(out, NULL, now, 0, 1, 10, 1);
    leave(PUT);
    enter(FINALIZE);
    leave(FINALIZE);
    now += 249;
    leave(MAIN);
    OTF2_EvtWriter_GetNumberOfEvents(out, events);
    OTF2_Archive_CloseEvtWriter(archive, out);
}

static void write_archive(void)
{
    static const OTF2_FlushCallbacks flush = {before_flush, after_flush};
    uint64_t events[RANKS];
    OTF2_Archive *a = OTF2_Archive_Open(folder, "a", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN,
                                        OTF2_CHUNK_SIZE_MIN, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    assert_non_null(a);
    OTF2_Archive_SetFlushCallbacks(a, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(a);
    OTF2_Archive_SetCreator(a, "Score-P 8.4");
    OTF2_Archive_OpenEvtFiles(a);
    for (uint32_t rank = 0; rank < RANKS; rank++)
        write_rank(a, rank, &events[rank]);
    OTF2_Archive_CloseEvtFiles(a);
    OTF2_Archive_OpenDefFiles(a);
    for (uint32_t rank = 0; rank < RANKS; rank++)
        OTF2_Archive_CloseDefWriter(a, OTF2_Archive_GetDefWriter(a, rank));
    OTF2_Archive_CloseDefFiles(a);
    define(a, events);
    OTF2_Archive_Close(a);
}

/* --- what it should become --------------------------------------------------------------------------------------- */

static struct replay_tape *tape;
static struct replay_cursor cursor;

/* The next action that is no computation; *computed: seconds before it. */
static struct replay_action next(double *computed)
{
    struct replay_action a = {0};
    *computed = 0;
    while (replay_cursor_next(tape, &cursor, &a) && a.kind == REPLAY_SECONDS)
        *computed += a.amount;
    return a;
}

static struct replay_action expect(enum replay_kind kind, double computed)
{
    double seconds;
    struct replay_action a = next(&seconds);
    if (a.kind != kind || seconds - computed > 1e-15 || computed - seconds > 1e-15)
        fail_msg("%s after %g s, expected %s after %g s", replay_kind_name(a.kind), seconds,
                 replay_kind_name(kind), computed);
    return a;
}

static void expect_message(enum replay_kind kind, double computed, uint32_t peer, int32_t tag, uint64_t bytes)
{
    struct replay_action a = expect(kind, computed);
    assert_int_equal(a.peer, peer);
    assert_int_equal(a.tag, tag);
    assert_int_equal(a.bytes, bytes);
}

static void expect_wait(uint32_t from, uint32_t to, int32_t tag)
{
    struct replay_action a = expect(REPLAY_WAIT, 0);
    assert_int_equal(a.peer, from);
    assert_int_equal(a.peer2, to);
    assert_int_equal(a.tag, tag);
}

static struct replay_action expect_collective(enum replay_kind kind, enum coll_op op, uint64_t bytes)
{
    struct replay_action a = expect(kind, 0);
    assert_int_equal(a.number, op);
    assert_int_equal(a.bytes, bytes);
    return a;
}

static void expect_counts(const int64_t *counts, int64_t a, int64_t b, int64_t c)
{
    assert_int_equal(counts[0], a);
    assert_int_equal(counts[1], b);
    assert_int_equal(counts[2], c);
}

/* What is sent to the others in proportion to what they receive, of 90 bytes in all. */
static void expect_exchange(uint32_t rank)
{
    struct replay_action a = expect_collective(REPLAY_COLLECTIVE, COLL_ALLTOALLV, 0);
    assert_int_equal(a.n, RANKS);
    assert_int_equal(a.n2, RANKS);
    switch (rank) {
    case 0:
        expect_counts(a.counts, 20, 40, 0);
        expect_counts(a.counts2, 20, 0, 10);
        break;
    case 1:
        expect_counts(a.counts, 0, 0, 0);
        expect_counts(a.counts2, 40, 0, 20);
        break;
    default:
        expect_counts(a.counts, 10, 20, 0);
        expect_counts(a.counts2, 0, 0, 0);
    }
}

static void expect_gather(uint32_t rank)
{
    struct replay_action a = expect_collective(REPLAY_COLLECTIVE, COLL_GATHERV, rank ? 24 : 40);
    const struct replay_group *g = replay_tape_group_at(tape, a.group);
    assert_int_equal(g->n, 2);
    assert_int_equal(g->rank[0], 2);
    assert_int_equal(g->rank[1], 0);
    assert_int_equal(a.peer, 0);
    assert_int_equal(a.n, 2);
    assert_int_equal(a.counts[0], 24);
    assert_int_equal(a.counts[1], 40);
}

static void check_messages(uint32_t rank)
{
    expect_message(REPLAY_ISEND, 0, !rank, 7 + (int32_t)rank, 100 + rank);
    assert_string_equal(expect(REPLAY_SKIP, 0).text, "a cancelled request");
    expect_message(REPLAY_IRECV, 0, !rank, 8 - (int32_t)rank, 101 - rank);
    struct replay_action a = expect(REPLAY_WAIT, 500e-9);
    assert_int_equal(a.peer, rank);
    assert_int_equal(a.peer2, !rank);
    expect_wait(!rank, rank, 8 - (int32_t)rank);
}

static void check_rank(uint32_t rank)
{
    replay_cursor_begin(tape, rank, &cursor);
    expect(REPLAY_INIT, 2e-6);
    if (rank != 2)
        check_messages(rank);
    assert_int_equal(expect_collective(REPLAY_COLLECTIVE, COLL_REDUCE, 80).group, 0);
    if (rank != 1)
        expect_gather(rank);
    expect_exchange(rank);
    assert_int_equal(expect_collective(REPLAY_ICOLLECTIVE, COLL_BROADCAST, 16).peer, 1);
    expect_wait(REPLAY_ANY, rank, REPLAY_ANY_TAG);
    if (rank != 1) {
        expect_message(REPLAY_ISEND, 0, 2 - rank, 3, 5);
        expect_message(REPLAY_RECV, 0, 2 - rank, 3, 5);
        expect_wait(rank, 2 - rank, 3);
    }
    if (rank == 0)
        expect_message(REPLAY_SEND, 0, 2, 9, 4);
    if (rank == 2)
        expect_message(REPLAY_RECV, 0, REPLAY_ANY, 9, 4);
    assert_string_equal(expect(REPLAY_SKIP, 0).text, "RmaPut");
    expect(REPLAY_FINALIZE, 0);
    double last;
    assert_int_equal(next(&last).kind, REPLAY_SECONDS);
    if (last < 250e-9 - 1e-15 || last > 250e-9 + 1e-15)
        fail_msg("%g s at the end", last);
    replay_cursor_end(&cursor);
}

static void remove_archive(void)
{
    static const char *const files[] = {"a/0.evt", "a/1.evt", "a/2.evt", "a/0.def",
                                        "a/1.def", "a/2.def", "a.def",   "a.otf2"};
    char path[128];
    for (size_t k = 0; k < BASE_LENGTH(files); k++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[k]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/a", folder);
    rmdir(path);
    rmdir(folder);
}

static void count_assumption(void *arg, const char *key, const char *text, uint64_t count)
{
    (void)text, (void)count;
    *(unsigned *)arg += !strcmp(key, "replay/otf2-source") || !strcmp(key, "replay/otf2-alltoallv");
}

static void test_archive(void **state)
{
    char path[64];
    struct base_status st;
    unsigned assumptions = 0;
    (void)state;
    assert_non_null(mkdtemp(folder));
    write_archive();
    snprintf(path, sizeof path, "%s/a.otf2", folder);
    assert_null(replay_otf2_read(path, 2, &st));
    assert_non_null(strstr(st.text, "the archive has 3 ranks; expected 2"));
    tape = replay_otf2_read(path, 0, &st);
    if (!tape)
        fail_msg("%s", st.text);
    assert_int_equal(replay_tape_ranks(tape), RANKS);
    base_notices_each(count_assumption, &assumptions);
    assert_int_equal(assumptions, 2);
    for (uint32_t rank = 0; rank < RANKS; rank++)
        check_rank(rank);
    replay_tape_destroy(tape);
    snprintf(path, sizeof path, "%s/a/1.evt", folder); /* an archive with a file that is cut off */
    assert_int_equal(truncate(path, 20), 0);
    snprintf(path, sizeof path, "%s/a.otf2", folder);
    assert_null(replay_otf2_read(path, 0, &st));
    assert_true(strlen(st.text) > 0);
    remove_archive();
}
#else
static void test_archive(void **state)
{
    struct base_status st;
    (void)state;
    assert_null(replay_otf2_read("a.otf2", 0, &st));
    assert_non_null(strstr(st.text, "built without OTF2"));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_archive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
