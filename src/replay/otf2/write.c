/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write: the events of ranks as records of OTF2. A rank is a location; messages and collectives are those of MPI. A
 * collective's record has what its member gives and gets as one part, as pgasim's archives have them.
 */
#include "replay/otf2/write.h"

#include "coll/coll.h"

#include <stdlib.h>
#include <string.h>

struct replay_otf2_writer *replay_otf2_writer_create(const char *path, const struct replay_tape *groups,
                                                     struct base_status *st)
{
    const struct replay_otf2_library *lib = replay_otf2_library(st);
    const struct trace_about about = {.program = "a trace",
                                      .arguments = "",
                                      .platform = "a real machine",
                                      .version = pgasim_version,
                                      .ranks = replay_tape_ranks(groups)};
    struct trace_otf2_archive *files;
    void *archive;
    if (!lib)
        return NULL;
    if (trace_otf2_archive_open(&files, path, &about, &archive, st))
        return NULL;
    struct replay_otf2_writer *x = base_zalloc(sizeof *x, "an archive of a trace");
    x->lib = lib;
    x->files = files;
    x->archive = archive;
    x->path = base_strdup(path);
    x->groups = groups;
    x->ranks = about.ranks;
    x->count = base_zalloc((x->ranks + (size_t)1) * sizeof *x->count, "an archive of a trace");
    base_table_init(&x->named, BASE_BYTES, sizeof(uint32_t), "regions of a trace");
    return x;
}

static void close_events(struct replay_otf2_writer *x)
{
    if (!x->events)
        return;
    x->lib->EvtWriter_GetNumberOfEvents(x->events, &x->count[x->rank]);
    x->lib->Archive_CloseEvtWriter(x->archive, x->events);
    x->events = NULL;
}

void replay_otf2_writer_rank(struct replay_otf2_writer *x, uint32_t rank)
{
    close_events(x);
    x->rank = rank;
    x->inside.n = 0;
    x->events = x->lib->Archive_GetEvtWriter(x->archive, rank);
}

int replay_otf2_writer_close(struct replay_otf2_writer *x, struct base_status *st)
{
    close_events(x);
    x->lib->Archive_CloseEvtFiles(x->archive);
    replay_otf2_write_definitions(x);
    int rc = trace_otf2_archive_close(x->files);
    if (rc)
        base_fail(st, "%s: not written whole", x->path);
    base_table_release(&x->named);
    free(x->regions.at);
    free(x->inside.at);
    free(x->count);
    free(x->path);
    free(x);
    return rc;
}

/* --- events --------------------------------------------------------------------------------------------- */

static void enter(struct replay_otf2_writer *x, const struct replay_otf2_event *e)
{
    bool fresh;
    uint32_t *number = base_table_add_bytes(&x->named, e->name, strlen(e->name), &fresh);
    if (fresh) {
        const struct replay_otf2_place place = {e->name, e->kind == REPLAY_OTF2_ENTER_CODE};
        *number = (uint32_t)x->regions.n;
        BASE_ARRAY_PUSH(&x->regions, place);
    }
    OTF2_RegionRef region = *number;
    BASE_ARRAY_PUSH(&x->inside, region);
    x->lib->EvtWriter_Enter(x->events, NULL, e->time, region);
}

static void leave(struct replay_otf2_writer *x, uint64_t time)
{
    if (x->inside.n)
        x->lib->EvtWriter_Leave(x->events, NULL, time, x->inside.at[--x->inside.n]);
}

static void send(struct replay_otf2_writer *x, const struct replay_otf2_event *e)
{
    const struct replay_action *a = e->action;
    if (e->request)
        x->lib->EvtWriter_MpiIsend(x->events, NULL, e->time, a->peer, 0, (uint32_t)a->tag, a->bytes,
                                   e->request);
    else
        x->lib->EvtWriter_MpiSend(x->events, NULL, e->time, a->peer, 0, (uint32_t)a->tag, a->bytes);
}

static void receive(struct replay_otf2_writer *x, const struct replay_otf2_event *e)
{
    const struct replay_action *a = e->action;
    if (e->request)
        x->lib->EvtWriter_MpiIrecv(x->events, NULL, e->time, a->peer, 0, (uint32_t)a->tag, a->bytes,
                                   e->request);
    else
        x->lib->EvtWriter_MpiRecv(x->events, NULL, e->time, a->peer, 0, (uint32_t)a->tag, a->bytes);
}

static OTF2_CollectiveOp operation_of(enum coll_op op)
{
    static const OTF2_CollectiveOp ops[COLL_OPS] = {[COLL_BARRIER] = OTF2_COLLECTIVE_OP_BARRIER,
                                                    [COLL_BROADCAST] = OTF2_COLLECTIVE_OP_BCAST,
                                                    [COLL_REDUCE_ROOT] = OTF2_COLLECTIVE_OP_REDUCE,
                                                    [COLL_REDUCE] = OTF2_COLLECTIVE_OP_ALLREDUCE,
                                                    [COLL_INSCAN] = OTF2_COLLECTIVE_OP_SCAN,
                                                    [COLL_EXSCAN] = OTF2_COLLECTIVE_OP_EXSCAN,
                                                    [COLL_GATHER] = OTF2_COLLECTIVE_OP_GATHER,
                                                    [COLL_SCATTER] = OTF2_COLLECTIVE_OP_SCATTER,
                                                    [COLL_FCOLLECT] = OTF2_COLLECTIVE_OP_ALLGATHER,
                                                    [COLL_ALLTOALL] = OTF2_COLLECTIVE_OP_ALLTOALL,
                                                    [COLL_GATHERV] = OTF2_COLLECTIVE_OP_GATHERV,
                                                    [COLL_SCATTERV] = OTF2_COLLECTIVE_OP_SCATTERV,
                                                    [COLL_ALLGATHERV] = OTF2_COLLECTIVE_OP_ALLGATHERV,
                                                    [COLL_ALLTOALLV] = OTF2_COLLECTIVE_OP_ALLTOALLV,
                                                    [COLL_REDUCE_SCATTER] =
                                                        OTF2_COLLECTIVE_OP_REDUCE_SCATTER};
    return ops[op];
}

static void collective(struct replay_otf2_writer *x, const struct replay_otf2_event *e)
{
    const struct replay_action *a = e->action;
    OTF2_CollectiveOp op = operation_of((enum coll_op)a->number);
    uint32_t root = coll_op_is_rooted((enum coll_op)a->number) ? a->peer : OTF2_COLLECTIVE_ROOT_NONE;
    if (e->request)
        x->lib->EvtWriter_NonBlockingCollectiveComplete(x->events, NULL, e->time, op, a->group, root, e->sent,
                                                        e->received, e->request);
    else
        x->lib->EvtWriter_MpiCollectiveEnd(x->events, NULL, e->time, op, a->group, root, e->sent,
                                           e->received);
}

static void start(struct replay_otf2_writer *x, const struct replay_otf2_event *e)
{
    if (e->action->kind == REPLAY_ICOLLECTIVE)
        x->lib->EvtWriter_NonBlockingCollectiveRequest(x->events, NULL, e->time, e->request);
    else
        x->lib->EvtWriter_MpiIrecvRequest(x->events, NULL, e->time, e->request);
}

void replay_otf2_writer_put(struct replay_otf2_writer *x, const struct replay_otf2_event *e)
{
    x->last = e->time > x->last ? e->time : x->last;
    if (!x->events)
        return;
    switch (e->kind) {
    case REPLAY_OTF2_ENTER_CODE:
    case REPLAY_OTF2_ENTER_CALL:
        enter(x, e);
        return;
    case REPLAY_OTF2_LEAVE:
        leave(x, e->time);
        return;
    case REPLAY_OTF2_SEND:
        send(x, e);
        return;
    case REPLAY_OTF2_SENT:
        x->lib->EvtWriter_MpiIsendComplete(x->events, NULL, e->time, e->request);
        return;
    case REPLAY_OTF2_RECEIVE:
        receive(x, e);
        return;
    case REPLAY_OTF2_START:
        start(x, e);
        return;
    case REPLAY_OTF2_TEST:
        x->lib->EvtWriter_MpiRequestTest(x->events, NULL, e->time, e->request);
        return;
    case REPLAY_OTF2_MEET:
        x->lib->EvtWriter_MpiCollectiveBegin(x->events, NULL, e->time);
        return;
    case REPLAY_OTF2_COLLECTIVE:
        collective(x, e);
        return;
    }
}
