/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * otf2: traces as OTF2 archives, which Vampir, Scalasca and otf2-print read. A rank is a process, its threads
 * are locations; states are regions. A one-sided operation is an RMA record of its origin's location, with
 * the remote completion when it takes effect at the target (put delivered, get read, atomic executed) and the
 * local one when its answer is back. Reads and writes of files are I/O operations. The messages of collectives are puts in a window of their own. Leaves
 * definitions, which are written at the close, to otf2_definitions.c, and files to otf2_archive.c.
 */
#include "trace/foreign/otf2.h"

#include <stdlib.h>
#include <string.h>

struct otf2 {
    struct otf2_archive archive;
    struct otf2_facts facts;
};

static struct otf2 *of(const struct trace_foreign *f)
{
    return f->ctx;
}

static const struct otf2_library *lib(const struct trace_foreign *f)
{
    return of(f)->archive.lib;
}

static bool failed(const struct trace_foreign *f)
{
    return of(f)->archive.failed;
}

/* --- lanes and states ----------------------------------------------------------------------------------- */

static void otf2_begin(struct trace_foreign *f)
{
    of(f)->facts.first = f->now;
    otf2_archive_begin(&of(f)->archive, f->about);
}

static void otf2_named(struct trace_foreign *f, uint32_t name)
{
    struct otf2_facts *facts = &of(f)->facts;
    enum trace_name_kind kind = f->names.name.at[name].kind;
    bool path = kind == TRACE_NAME_PATH;
    BASE_ARRAY_PUSH(&facts->region, (uint32_t)(path ? facts->file.n : facts->name.n));
    if (path)
        BASE_ARRAY_PUSH(&facts->file, name);
    else if (kind != TRACE_NAME_MARK && kind != TRACE_NAME_OPERATION && kind != TRACE_NAME_RACE)
        BASE_ARRAY_PUSH(&facts->name, name);
}

static void otf2_lane(struct trace_foreign *f, struct trace_lane *l)
{
    if (failed(f))
        return;
    l->number = otf2_location(l->rank, l->thread);
    l->of = lib(f)->Archive_GetEvtWriter(of(f)->archive.archive, l->number);
    of(f)->archive.failed |= !l->of;
}

static OTF2_RegionRef region_of(const struct trace_foreign *f, const struct trace_frame *frame)
{
    return of(f)->facts.region.at[frame->name];
}

static void otf2_push(struct trace_foreign *f, struct trace_lane *l, const struct trace_frame *frame,
                      bool again)
{
    if (failed(f))
        return;
    lib(f)->EvtWriter_Enter(l->of, NULL, f->now, region_of(f, frame));
    if (frame->kind == TRACE_NAME_COLLECTIVE && !again)
        lib(f)->EvtWriter_RmaCollectiveBegin(l->of, NULL, f->now);
}

static OTF2_CollectiveOp collective_of(enum trace_kind kind)
{
    static const struct {
        bool known;
        OTF2_CollectiveOp op;
    } ops[TRACE_KINDS] = {
        [TRACE_KIND_BROADCAST] = {true, OTF2_COLLECTIVE_OP_BCAST},
        [TRACE_KIND_GATHER] = {true, OTF2_COLLECTIVE_OP_GATHER},
        [TRACE_KIND_GATHERV] = {true, OTF2_COLLECTIVE_OP_GATHERV},
        [TRACE_KIND_SCATTER] = {true, OTF2_COLLECTIVE_OP_SCATTER},
        [TRACE_KIND_SCATTERV] = {true, OTF2_COLLECTIVE_OP_SCATTERV},
        [TRACE_KIND_ALLGATHER] = {true, OTF2_COLLECTIVE_OP_ALLGATHER},
        [TRACE_KIND_ALLGATHERV] = {true, OTF2_COLLECTIVE_OP_ALLGATHERV},
        [TRACE_KIND_ALLTOALL] = {true, OTF2_COLLECTIVE_OP_ALLTOALL},
        [TRACE_KIND_ALLTOALLV] = {true, OTF2_COLLECTIVE_OP_ALLTOALLV},
        [TRACE_KIND_ALLTOALLW] = {true, OTF2_COLLECTIVE_OP_ALLTOALLW},
        [TRACE_KIND_REDUCE] = {true, OTF2_COLLECTIVE_OP_REDUCE},
        [TRACE_KIND_ALLREDUCE] = {true, OTF2_COLLECTIVE_OP_ALLREDUCE},
        [TRACE_KIND_REDUCE_SCATTER] = {true, OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
        [TRACE_KIND_SCAN] = {true, OTF2_COLLECTIVE_OP_SCAN},
        [TRACE_KIND_EXSCAN] = {true, OTF2_COLLECTIVE_OP_EXSCAN},
    };
    return ops[kind].known ? ops[kind].op : OTF2_COLLECTIVE_OP_BARRIER;
}

static void otf2_pop(struct trace_foreign *f, struct trace_lane *l, const struct trace_frame *frame,
                     bool again)
{
    if (failed(f))
        return;
    if (frame->kind == TRACE_NAME_COLLECTIVE && !again)
        lib(f)->EvtWriter_RmaCollectiveEnd(l->of, NULL, f->now,
                                           collective_of(f->names.name.at[frame->name].stands_for),
                                           OTF2_RMA_SYNC_LEVEL_PROCESS, OTF2_WIN_MEMORY,
                                           OTF2_COLLECTIVE_ROOT_NONE, frame->bytes, frame->bytes);
    lib(f)->EvtWriter_Leave(l->of, NULL, f->now, region_of(f, frame));
}

static void otf2_mark(struct trace_foreign *f, struct trace_lane *l, uint32_t name,
                      const struct trace_event *user)
{
    (void)user; /* without its values */
    if (!failed(f))
        lib(f)->EvtWriter_ParameterString(l->of, NULL, f->now, OTF2_PARAMETER_MARK, name);
}

/* A location's records are in order of time, so both ends are at the moment when the race was found; their texts
 * say when they were. */
static void otf2_race(struct trace_foreign *f, const struct trace_race *race)
{
    for (unsigned k = 0; k < 2 && !failed(f); k++)
        lib(f)->EvtWriter_ParameterString(race->end[k].lane->of, NULL, f->now, OTF2_PARAMETER_RACE,
                                          race->end[k].name);
}

/* --- operations ----------------------------------------------------------------------------------------- */

static OTF2_RmaAtomicType atomic_of(enum trace_kind kind)
{
    switch (kind) {
    case TRACE_KIND_ATOMIC_COMPARE_SWAP:
        return OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP;
    case TRACE_KIND_ATOMIC_SWAP:
        return OTF2_RMA_ATOMIC_TYPE_SWAP;
    case TRACE_KIND_ATOMIC_FETCH_INCREMENT:
        return OTF2_RMA_ATOMIC_TYPE_FETCH_AND_INCREMENT;
    case TRACE_KIND_ATOMIC_FETCH_ADD:
        return OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ADD;
    case TRACE_KIND_ATOMIC_FETCH:
    case TRACE_KIND_ATOMIC_FETCH_UPDATE:
        return OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE;
    case TRACE_KIND_ATOMIC_INCREMENT:
        return OTF2_RMA_ATOMIC_TYPE_INCREMENT;
    default:
        return OTF2_RMA_ATOMIC_TYPE_ACCUMULATE;
    }
}

static void issue(struct trace_foreign *f, const struct trace_flight *flight, OTF2_EvtWriter *w)
{
    switch (flight->kind) {
    case TRACE_FLIGHT_PUT:
        lib(f)->EvtWriter_RmaPut(w, NULL, f->now, OTF2_WIN_MEMORY, flight->peer, flight->bytes, flight->op);
        break;
    case TRACE_FLIGHT_MESSAGE:
        lib(f)->EvtWriter_RmaPut(w, NULL, f->now, OTF2_WIN_MESSAGES, flight->peer, flight->bytes, flight->op);
        break;
    case TRACE_FLIGHT_SEND:
        lib(f)->EvtWriter_MpiSend(w, NULL, f->now, flight->peer, OTF2_COMM_WORLD, (uint32_t)flight->tag,
                                  flight->bytes);
        break;
    case TRACE_FLIGHT_GET:
        lib(f)->EvtWriter_RmaGet(w, NULL, f->now, OTF2_WIN_MEMORY, flight->peer, flight->bytes, flight->op);
        break;
    case TRACE_FLIGHT_ATOMIC:
        lib(f)->EvtWriter_RmaAtomic(w, NULL, f->now, OTF2_WIN_MEMORY, flight->peer, atomic_of(flight->does),
                                    flight->bytes, flight->answered ? flight->bytes : 0, flight->op);
        break;
    case TRACE_FLIGHT_KINDS:
        break;
    }
}

static void end(struct trace_foreign *f, const struct trace_flight *flight, const struct trace_lane *at,
                const struct trace_lane *other)
{
    switch (flight->kind) {
    case TRACE_FLIGHT_SEND:
        lib(f)->EvtWriter_MpiRecv(at->of, NULL, f->now, flight->rank, OTF2_COMM_WORLD, (uint32_t)flight->tag,
                                  flight->bytes);
        break;
    case TRACE_FLIGHT_PUT:
        lib(f)->EvtWriter_RmaOpCompleteRemote(other->of, NULL, f->now, OTF2_WIN_MEMORY, flight->op);
        break;
    case TRACE_FLIGHT_MESSAGE:
        lib(f)->EvtWriter_RmaOpCompleteRemote(other->of, NULL, f->now, OTF2_WIN_MESSAGES, flight->op);
        break;
    default:
        lib(f)->EvtWriter_RmaOpCompleteNonBlocking(at->of, NULL, f->now, OTF2_WIN_MEMORY, flight->op);
        break;
    }
}

static void otf2_step(struct trace_foreign *f, enum trace_step step, const struct trace_flight *flight,
                      struct trace_lane *at, struct trace_lane *other)
{
    if (failed(f))
        return;
    switch (step) {
    case TRACE_STEP_ISSUED:
        issue(f, flight, at->of);
        break;
    case TRACE_STEP_REACHED:
        lib(f)->EvtWriter_RmaOpCompleteRemote(other->of, NULL, f->now, OTF2_WIN_MEMORY, flight->op);
        break;
    case TRACE_STEP_ENDED:
        end(f, flight, at, other);
        break;
    case TRACE_STEP_KEPT:
        lib(f)->EvtWriter_ParameterUnsignedInt(at->of, NULL, f->now, OTF2_PARAMETER_KEPT, flight->op);
        break;
    case TRACE_STEP_SIGNALED:
        lib(f)->EvtWriter_ParameterUnsignedInt(at->of, NULL, f->now, OTF2_PARAMETER_SIGNAL, flight->op);
        break;
    case TRACE_STEP_CUT: /* the format allows incomplete operations at the end */
        break;
    }
}

/* --- loads ---------------------------------------------------------------------------------------------- */

/* The metric instance of a thing (struct otf2_facts). */
static OTF2_MetricRef instance_of(struct otf2_facts *facts, uint32_t thing)
{
    if (!facts->instance_of[thing]) {
        BASE_ARRAY_PUSH(&facts->instance, thing);
        facts->instance_of[thing] = (uint32_t)facts->instance.n;
    }
    return OTF2_METRIC_INSTANCES + facts->instance_of[thing] - 1;
}

static void tell(struct trace_foreign *f, uint32_t thing, uint64_t value)
{
    struct otf2 *o = of(f);
    const OTF2_Type type = OTF2_TYPE_UINT64;
    const OTF2_MetricValue number = {.unsigned_int = value};
    if (failed(f))
        return;
    if (!o->facts.loads)
        o->facts.loads =
            lib(f)->Archive_GetEvtWriter(o->archive.archive, otf2_location(trace_about_room(f->about), 0));
    if (o->facts.loads)
        lib(f)->EvtWriter_Metric(o->facts.loads, NULL, f->now, instance_of(&o->facts, thing), 1, &type,
                                 &number);
}

static void otf2_link(struct trace_foreign *f, uint32_t link, uint64_t bytes)
{
    tell(f, link, bytes);
}

static void otf2_host(struct trace_foreign *f, uint32_t host, uint64_t threads)
{
    tell(f, f->about->links + host, threads);
}

static void otf2_energy(struct trace_foreign *f, uint32_t host, uint64_t nanojoules)
{
    tell(f, f->about->links + f->about->hosts + host, nanojoules);
}

static void otf2_served(struct trace_foreign *f, const struct trace_event *ev, uint64_t bytes)
{
    tell(f, f->about->links + 2 * f->about->hosts + (uint32_t)ev->context, bytes);
}

/* --- files ---------------------------------------------------------------------------------------------- */

/* Reads and writes; other operations are states alone. */
static void otf2_file(struct trace_foreign *f, struct trace_lane *l, const struct trace_event *ev,
                      uint32_t path)
{
    bool writes = ev->kind == TRACE_KIND_WRITE, starts = ev->tag & TRACE_IO_STARTED;
    OTF2_IoHandleRef handle = of(f)->facts.region.at[path];
    if (failed(f) || (!writes && ev->kind != TRACE_KIND_READ))
        return;
    if (ev->type == TRACE_IO_END) {
        lib(f)->EvtWriter_IoOperationComplete(l->of, NULL, f->now, handle, ev->bytes, ev->op);
        return;
    }
    lib(f)->EvtWriter_IoOperationBegin(
        l->of, NULL, f->now, handle, writes ? OTF2_IO_OPERATION_MODE_WRITE : OTF2_IO_OPERATION_MODE_READ,
        starts ? OTF2_IO_OPERATION_FLAG_NON_BLOCKING : OTF2_IO_OPERATION_FLAG_NONE, ev->bytes, ev->op);
    if (starts)
        lib(f)->EvtWriter_IoOperationIssued(l->of, NULL, f->now, handle, ev->op);
}

/* --- life ----------------------------------------------------------------------------------------------- */

static int otf2_close(struct trace_foreign *f, bool empty)
{
    struct otf2 *o = of(f);
    o->facts.last = f->now;
    if (!empty && !o->archive.failed)
        otf2_definitions_write(&o->archive, f, &o->facts);
    int status = otf2_archive_close(&o->archive);
    free(o->facts.region.at);
    free(o->facts.name.at);
    free(o->facts.file.at);
    free(o->facts.instance.at);
    free(o->facts.instance_of);
    free(o);
    return status;
}

int trace_otf2_open(struct trace_sink *out, const char *path, const struct trace_about *about,
                    struct base_status *st)
{
    static const struct trace_form form = {otf2_begin, otf2_named,  otf2_lane, otf2_push,   otf2_pop,
                                           otf2_step,  otf2_mark,   otf2_race, NULL,        otf2_link,
                                           otf2_host,  otf2_energy, otf2_file, otf2_served, otf2_close};
    struct otf2_archive archive;
    if (otf2_archive_open(&archive, path, st))
        return -1;
    struct otf2 *o = base_zalloc(sizeof *o, "a trace's writer");
    o->archive = archive;
    o->facts.instance_of =
        base_zalloc(((size_t)about->links + 3 * (size_t)about->hosts + 1) * sizeof *o->facts.instance_of,
                    "loads in a trace");
    *out = trace_foreign_sink(&form, about, o);
    return 0;
}
