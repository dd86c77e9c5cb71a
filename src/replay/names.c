/* SPDX-License-Identifier: BSD-3-Clause */
/* names: the MPI calls that actions stand for, in traces and reports. */
#include "replay/player.h"

const struct trace_call replay_calls[] = {
    {REPLAY_VAIN_CALL, TRACE_KIND_TEST_REQUEST, 0}, {REPLAY_TRAFFIC_CALL, TRACE_KIND_SLEEP, 0},
    {REPLAY_REST_CALL, TRACE_KIND_THREAD, 0},       {REPLAY_WAIT_CALL, TRACE_KIND_SLEEP, 0},
    {REPLAY_WAKE_CALL, TRACE_KIND_THREAD, 0},       {REPLAY_END_CALL, TRACE_KIND_THREAD, 0},
};
const size_t replay_calls_count = BASE_LENGTH(replay_calls);

static const char *collective(enum coll_op op, bool later)
{
    static const char *const names[COLL_OPS][2] = {
        [COLL_BARRIER] = {"MPI_Barrier", "MPI_Ibarrier"},
        [COLL_BROADCAST] = {"MPI_Bcast", "MPI_Ibcast"},
        [COLL_FCOLLECT] = {"MPI_Allgather", "MPI_Iallgather"},
        [COLL_ALLTOALL] = {"MPI_Alltoall", "MPI_Ialltoall"},
        [COLL_REDUCE] = {"MPI_Allreduce", "MPI_Iallreduce"},
        [COLL_INSCAN] = {"MPI_Scan", "MPI_Iscan"},
        [COLL_EXSCAN] = {"MPI_Exscan", "MPI_Iexscan"},
        [COLL_GATHER] = {"MPI_Gather", "MPI_Igather"},
        [COLL_GATHERV] = {"MPI_Gatherv", "MPI_Igatherv"},
        [COLL_SCATTER] = {"MPI_Scatter", "MPI_Iscatter"},
        [COLL_SCATTERV] = {"MPI_Scatterv", "MPI_Iscatterv"},
        [COLL_ALLGATHERV] = {"MPI_Allgatherv", "MPI_Iallgatherv"},
        [COLL_ALLTOALLV] = {"MPI_Alltoallv", "MPI_Ialltoallv"},
        [COLL_REDUCE_ROOT] = {"MPI_Reduce", "MPI_Ireduce"},
        [COLL_REDUCE_SCATTER] = {"MPI_Reduce_scatter", "MPI_Ireduce_scatter"},
    };
    return names[op][later];
}

static const char *send(enum p2p_sending how, bool later)
{
    static const char *const names[][2] = {[P2P_STANDARD] = {"MPI_Send", "MPI_Isend"},
                                           [P2P_SYNCHRONOUS] = {"MPI_Ssend", "MPI_Issend"},
                                           [P2P_BUFFERED] = {"MPI_Bsend", "MPI_Ibsend"}};
    return names[how][later];
}

const char *replay_call_name(enum replay_kind kind, uint32_t number)
{
    static const char *const names[REPLAY_KINDS] = {
        [REPLAY_COMPUTE] = "computation",   [REPLAY_SLEEP] = "sleep",
        [REPLAY_INIT] = "MPI_Init",         [REPLAY_FINALIZE] = "MPI_Finalize",
        [REPLAY_RECV] = "MPI_Recv",         [REPLAY_IRECV] = "MPI_Irecv",
        [REPLAY_SENDRECV] = "MPI_Sendrecv", [REPLAY_WAIT] = "MPI_Wait",
        [REPLAY_WAIT_LAST] = "MPI_Wait",    [REPLAY_TEST] = "MPI_Test",
        [REPLAY_WAITALL] = "MPI_Waitall",   [REPLAY_WAITANY] = "MPI_Waitany",
        [REPLAY_TESTALL] = "MPI_Testall",   [REPLAY_TESTANY] = "MPI_Testany",
        [REPLAY_SECONDS] = "computation",   [REPLAY_TIMES] = "times",
        [REPLAY_SOURCE] = "source",         [REPLAY_LOOP] = "repeat",
        [REPLAY_LOOP_END] = "end",          [REPLAY_LOCATION] = "location",
        [REPLAY_SKIP] = "no time",           [REPLAY_MOVES] = "moves",
        [REPLAY_PSTATE] = "pstate"};
    switch (kind) {
    case REPLAY_CALL:
        return record_function_of(number)->name;
    case REPLAY_SEND:
    case REPLAY_ISEND:
        return send((enum p2p_sending)number, kind == REPLAY_ISEND);
    case REPLAY_COLLECTIVE:
    case REPLAY_ICOLLECTIVE:
        return collective((enum coll_op)number, kind == REPLAY_ICOLLECTIVE);
    default:
        return names[kind] ? names[kind] : replay_kind_name(kind);
    }
}
