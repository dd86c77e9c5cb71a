/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events: the events of a location as actions. What lies between two regions of the communication library is computation.
 * An event that starts a receive does not say from whom: its action waits in a queue for the event that completes it. So
 * receives from any source are from whom they were, or, where the archive leaves it open, from whoever comes first.
 */
#include "replay/otf2/reader.h"

#include "coll/coll.h"
#include "p2p/p2p.h"

#include <stdlib.h>

struct state {
    struct replay_otf2 *x;
    struct replay_otf2_queue queue;
    uint32_t rank, depth; /* of the library's regions */
    bool other;           /* another thread of the rank */
    bool begun;
    OTF2_TimeStamp last, latest;           /* the end of the last call, or the first event; of any event */
    enum replay_otf2_region region;        /* the outermost one of the library, while depth > 0 */
    uint32_t mode;                         /* enum p2p_sending of sends in it */
    BASE_ARRAY(struct replay_action) sent; /* of an exchange: waited for when its region is left */
};

static void put(struct state *s, const struct replay_action *a)
{
    replay_otf2_put_action(&s->queue, a);
}

static void put_skip(struct state *s, const char *what)
{
    const struct replay_action a = {.kind = REPLAY_SKIP, .text = what, .number = 1};
    put(s, &a);
}

/* The rank has computed up to this moment, from the last call on. */
static void compute(struct state *s, OTF2_TimeStamp time)
{
    const struct replay_action a = {.kind = REPLAY_SECONDS,
                                    .amount = (double)(time - s->last) / s->x->second};
    if (s->begun && time > s->last && !s->other)
        put(s, &a);
    s->begun = true;
    s->last = time;
}

static void see(struct state *s, OTF2_TimeStamp time)
{
    if (!s->begun)
        s->last = time;
    s->begun = true;
    s->latest = time;
}

/* false: what the event says is not played. Outside the library's regions its moment is all that is known of a call. */
static bool enter_event(struct state *s, OTF2_TimeStamp time)
{
    see(s, time);
    if (!s->depth)
        compute(s, time);
    if (s->other)
        put_skip(s, "a call of another thread");
    return !s->other;
}

/* --- regions ------------------------------------------------------------------------------------------------ */

static enum replay_otf2_region region_of(const struct state *s, OTF2_RegionRef region)
{
    const uint64_t *known = base_table_find(&s->x->regions, region);
    return known ? (enum replay_otf2_region)(*known & ((1 << REPLAY_OTF2_MODE) - 1)) : REPLAY_OTF2_CODE;
}

static uint32_t mode_of(const struct state *s, OTF2_RegionRef region)
{
    const uint64_t *known = base_table_find(&s->x->regions, region);
    return known ? (uint32_t)(*known >> REPLAY_OTF2_MODE) : P2P_STANDARD;
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                  void *arg, OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    struct state *s = arg;
    enum replay_otf2_region r = region_of(s, region);
    (void)location, (void)position, (void)attributes;
    see(s, time);
    if (r == REPLAY_OTF2_CODE || s->depth++)
        return OTF2_CALLBACK_SUCCESS;
    compute(s, time);
    s->region = r;
    s->mode = mode_of(s, region);
    if (r == REPLAY_OTF2_INIT && !s->other)
        put(s, &(struct replay_action){.kind = REPLAY_INIT});
    if (r == REPLAY_OTF2_FINALIZE && !s->other)
        put(s, &(struct replay_action){.kind = REPLAY_FINALIZE});
    return OTF2_CALLBACK_SUCCESS;
}

static void wait_for(struct state *s, const struct replay_action *started)
{
    struct replay_action a = {
        .kind = REPLAY_WAIT, .peer = REPLAY_ANY, .peer2 = s->rank, .tag = REPLAY_ANY_TAG};
    if (started->kind == REPLAY_ISEND)
        a = (struct replay_action){
            .kind = REPLAY_WAIT, .peer = s->rank, .peer2 = started->peer, .tag = started->tag};
    if (started->kind == REPLAY_IRECV)
        a = (struct replay_action){
            .kind = REPLAY_WAIT, .peer = started->peer, .peer2 = s->rank, .tag = started->tag};
    put(s, &a);
}

static OTF2_CallbackCode on_leave(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                  void *arg, OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    struct state *s = arg;
    (void)location, (void)position, (void)attributes;
    see(s, time);
    if (region_of(s, region) == REPLAY_OTF2_CODE || !s->depth || --s->depth)
        return OTF2_CALLBACK_SUCCESS;
    for (size_t k = 0; k < s->sent.n; k++)
        wait_for(s, &s->sent.at[k]);
    s->sent.n = 0;
    s->last = time;
    return OTF2_CALLBACK_SUCCESS;
}

/* --- messages ------------------------------------------------------------------------------------------------- */

/* false: it is of ranks or of a communicator that are not known, or, by its tag, of a collective. */
static bool address(struct state *s, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                    struct replay_action *a)
{
    const struct replay_otf2_comm *c = replay_otf2_comm(s->x, comm);
    if (tag > INT32_MAX)
        return false;
    if (!c || (!c->self && peer >= c->n)) {
        put_skip(s, "a message in a communicator that is not defined");
        return false;
    }
    a->peer = c->self ? s->rank : c->rank[peer];
    a->tag = (int32_t)tag;
    a->bytes = bytes;
    a->number = s->depth ? s->mode : P2P_STANDARD;
    return true;
}

/* The same of who has sent, whom an archive may leave open. */
static bool address_from(struct state *s, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                         struct replay_action *a)
{
    bool unknown = sender == OTF2_UNDEFINED_UINT32;
    if (!address(s, unknown ? 0 : sender, comm, tag, bytes, a))
        return false;
    if (!unknown)
        return true;
    a->peer = REPLAY_ANY;
    base_notice("replay/otf2-source",
                "%s: the archive does not say of some receives whose message they got: taken to be that of "
                "whoever comes first",
                s->x->path);
    return true;
}

static OTF2_CallbackCode on_send(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *arg,
                                 OTF2_AttributeList *attributes, uint32_t receiver, OTF2_CommRef comm,
                                 uint32_t tag, uint64_t length)
{
    struct state *s = arg;
    bool later = s->depth && (s->region == REPLAY_OTF2_EXCHANGE || s->region == REPLAY_OTF2_STARTS);
    struct replay_action a = {.kind = later ? REPLAY_ISEND : REPLAY_SEND};
    (void)location, (void)position, (void)attributes;
    if (!enter_event(s, time) || !address(s, receiver, comm, tag, length, &a))
        return OTF2_CALLBACK_SUCCESS;
    put(s, &a);
    if (later && s->region == REPLAY_OTF2_EXCHANGE)
        BASE_ARRAY_PUSH(&s->sent, a);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_receive(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                    void *arg, OTF2_AttributeList *attributes, uint32_t sender,
                                    OTF2_CommRef comm, uint32_t tag, uint64_t length)
{
    struct state *s = arg;
    struct replay_action a = {.kind = REPLAY_RECV};
    (void)location, (void)position, (void)attributes;
    if (enter_event(s, time) && address_from(s, sender, comm, tag, length, &a))
        put(s, &a);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_start_send(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                       void *arg, OTF2_AttributeList *attributes, uint32_t receiver,
                                       OTF2_CommRef comm, uint32_t tag, uint64_t length, uint64_t request)
{
    struct state *s = arg;
    struct replay_action a = {.kind = REPLAY_ISEND};
    (void)location, (void)position, (void)attributes;
    if (enter_event(s, time) && address(s, receiver, comm, tag, length, &a))
        replay_otf2_put_send(&s->queue, request, &a);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_sent(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *arg,
                                 OTF2_AttributeList *attributes, uint64_t request)
{
    struct state *s = arg;
    struct replay_action started;
    (void)location, (void)position, (void)attributes;
    if (enter_event(s, time) && replay_otf2_take_send(&s->queue, request, &started))
        wait_for(s, &started);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_start(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                  void *arg, OTF2_AttributeList *attributes, uint64_t request)
{
    struct state *s = arg;
    (void)location, (void)position, (void)attributes;
    if (enter_event(s, time))
        replay_otf2_put_request(&s->queue, request, &(struct replay_otf2_item){.open = true});
    return OTF2_CALLBACK_SUCCESS;
}

/* The request is now known. Without it what it was came before the trace begins. */
static void complete(struct state *s, uint64_t request, const struct replay_otf2_item *item)
{
    struct replay_otf2_item *started = replay_otf2_requested(&s->queue, request);
    if (!started) {
        put_skip(s, "a request that was never started");
        return;
    }
    *started = *item;
    started->open = true; /* until it is closed */
    replay_otf2_close(&s->queue, request);
    wait_for(s, &item->action);
}

static OTF2_CallbackCode on_received(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                     void *arg, OTF2_AttributeList *attributes, uint32_t sender,
                                     OTF2_CommRef comm, uint32_t tag, uint64_t length, uint64_t request)
{
    struct state *s = arg;
    struct replay_otf2_item item = {.action = {.kind = REPLAY_IRECV}};
    (void)location, (void)position, (void)attributes;
    if (enter_event(s, time) && address_from(s, sender, comm, tag, length, &item.action))
        complete(s, request, &item);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_cancelled(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                      void *arg, OTF2_AttributeList *attributes, uint64_t request)
{
    struct state *s = arg;
    (void)location, (void)position, (void)attributes;
    if (!enter_event(s, time))
        return OTF2_CALLBACK_SUCCESS;
    struct replay_otf2_item *started = replay_otf2_requested(&s->queue, request);
    if (started) {
        started->action =
            (struct replay_action){.kind = REPLAY_SKIP, .text = "a cancelled request", .number = 1};
        replay_otf2_close(&s->queue, request);
    }
    return OTF2_CALLBACK_SUCCESS;
}

/* --- collectives ------------------------------------------------------------------------------------------------ */

/* false: it is none that is played. In MPI_Init and MPI_Finalize communicators come and go by themselves. */
static bool collective(struct state *s, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root,
                       struct replay_otf2_volume v, struct replay_otf2_item *out)
{
    const struct replay_otf2_comm *c = replay_otf2_comm(s->x, comm);
    int played = replay_otf2_operation(op);
    bool inner = s->depth && (s->region == REPLAY_OTF2_INIT || s->region == REPLAY_OTF2_FINALIZE);
    if (played < 0 || inner || (c && (c->self || c->n == 1)))
        return false;
    if (!c || replay_otf2_place(c, s->rank) == c->n) {
        put_skip(s, "a collective in a communicator of others, or none that is defined");
        return false;
    }
    *out = (struct replay_otf2_item){.action = {.number = (uint32_t)played}, .volume = v};
    out->comm = (uint32_t)(c - s->x->comm.at);
    if (!coll_op_is_rooted((enum coll_op)played))
        return true;
    if (root >= c->n)
        base_warn("replay/otf2-root",
                  "%s: the archive does not say the root of some collectives: taken to be the first "
                  "member",
                  s->x->path);
    out->action.peer = root < c->n ? root : 0;
    return true;
}

static OTF2_CallbackCode on_collective(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                       void *arg, OTF2_AttributeList *attributes, OTF2_CollectiveOp op,
                                       OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received)
{
    struct state *s = arg;
    struct replay_otf2_item item;
    (void)location, (void)position, (void)attributes;
    if (!enter_event(s, time) ||
        !collective(s, op, comm, root, (struct replay_otf2_volume){sent, received}, &item))
        return OTF2_CALLBACK_SUCCESS;
    item.action.kind = REPLAY_COLLECTIVE;
    replay_otf2_put(&s->queue, &item);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_collective_done(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                            void *arg, OTF2_AttributeList *attributes, OTF2_CollectiveOp op,
                                            OTF2_CommRef comm, uint32_t root, uint64_t sent,
                                            uint64_t received, uint64_t request)
{
    struct state *s = arg;
    struct replay_otf2_item item;
    (void)location, (void)position, (void)attributes;
    if (!enter_event(s, time))
        return OTF2_CALLBACK_SUCCESS;
    if (!collective(s, op, comm, root, (struct replay_otf2_volume){sent, received}, &item)) {
        struct replay_otf2_item *started = replay_otf2_requested(&s->queue, request);
        if (started)
            started->action = (struct replay_action){.kind = REPLAY_SKIP, .text = "", .number = 0};
        replay_otf2_close(&s->queue, request);
        return OTF2_CALLBACK_SUCCESS;
    }
    item.action.kind = REPLAY_ICOLLECTIVE;
    complete(s, request, &item);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_window_collective(OTF2_LocationRef location, OTF2_TimeStamp time,
                                              uint64_t position, void *arg, OTF2_AttributeList *attributes,
                                              OTF2_CollectiveOp op, OTF2_RmaSyncLevel level,
                                              OTF2_RmaWinRef win, uint32_t root, uint64_t sent,
                                              uint64_t received)
{
    struct state *s = arg;
    const struct replay_otf2_win *w = base_table_find(&s->x->wins, win);
    (void)level;
    return on_collective(location, time, position, arg, attributes, op, w ? w->comm : OTF2_UNDEFINED_COMM,
                         root, sent, received);
}

/* --- one-sided operations ---------------------------------------------------------------------------------------- */

static OTF2_CallbackCode not_played(struct state *s, OTF2_TimeStamp time, OTF2_RmaWinRef win,
                                    const char *what)
{
    const struct replay_otf2_win *w = base_table_find(&s->x->wins, win);
    if ((!w || !w->inner) && enter_event(s, time))
        put_skip(s, what);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_put(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *arg,
                                OTF2_AttributeList *attributes, OTF2_RmaWinRef win, uint32_t remote,
                                uint64_t bytes, uint64_t match)
{
    (void)location, (void)position, (void)attributes, (void)remote, (void)bytes, (void)match;
    return not_played(arg, time, win, "RmaPut");
}

static OTF2_CallbackCode on_get(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *arg,
                                OTF2_AttributeList *attributes, OTF2_RmaWinRef win, uint32_t remote,
                                uint64_t bytes, uint64_t match)
{
    (void)location, (void)position, (void)attributes, (void)remote, (void)bytes, (void)match;
    return not_played(arg, time, win, "RmaGet");
}

static OTF2_CallbackCode on_atomic(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                   void *arg, OTF2_AttributeList *attributes, OTF2_RmaWinRef win,
                                   uint32_t remote, OTF2_RmaAtomicType type, uint64_t sent, uint64_t received,
                                   uint64_t match)
{
    (void)location, (void)position, (void)attributes, (void)remote, (void)type, (void)sent, (void)received,
        (void)match;
    return not_played(arg, time, win, "RmaAtomic");
}

static OTF2_CallbackCode on_group_sync(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                       void *arg, OTF2_AttributeList *attributes, OTF2_RmaSyncLevel level,
                                       OTF2_RmaWinRef win, OTF2_GroupRef group)
{
    (void)location, (void)position, (void)attributes, (void)level, (void)group;
    return not_played(arg, time, win, "RmaGroupSync");
}

static OTF2_CallbackCode on_lock(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *arg,
                                 OTF2_AttributeList *attributes, OTF2_RmaWinRef win, uint32_t remote,
                                 uint64_t lock, OTF2_LockType type)
{
    (void)location, (void)position, (void)attributes, (void)remote, (void)lock, (void)type;
    return not_played(arg, time, win, "RmaAcquireLock");
}

static OTF2_CallbackCode on_change(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                   void *arg, OTF2_AttributeList *attributes, OTF2_RmaWinRef win)
{
    (void)location, (void)position, (void)attributes;
    return not_played(arg, time, win, "RmaWaitChange");
}

/* --- a location --------------------------------------------------------------------------------------------------- */

static OTF2_EvtReaderCallbacks *callbacks(const struct replay_otf2_library *lib)
{
    OTF2_EvtReaderCallbacks *c = lib->EvtReaderCallbacks_New();
    lib->EvtReaderCallbacks_SetEnterCallback(c, on_enter);
    lib->EvtReaderCallbacks_SetLeaveCallback(c, on_leave);
    lib->EvtReaderCallbacks_SetMpiSendCallback(c, on_send);
    lib->EvtReaderCallbacks_SetMpiRecvCallback(c, on_receive);
    lib->EvtReaderCallbacks_SetMpiIsendCallback(c, on_start_send);
    lib->EvtReaderCallbacks_SetMpiIsendCompleteCallback(c, on_sent);
    lib->EvtReaderCallbacks_SetMpiIrecvRequestCallback(c, on_start);
    lib->EvtReaderCallbacks_SetMpiIrecvCallback(c, on_received);
    lib->EvtReaderCallbacks_SetMpiRequestCancelledCallback(c, on_cancelled);
    lib->EvtReaderCallbacks_SetMpiCollectiveEndCallback(c, on_collective);
    lib->EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(c, on_start);
    lib->EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(c, on_collective_done);
    lib->EvtReaderCallbacks_SetRmaCollectiveEndCallback(c, on_window_collective);
    lib->EvtReaderCallbacks_SetRmaPutCallback(c, on_put);
    lib->EvtReaderCallbacks_SetRmaGetCallback(c, on_get);
    lib->EvtReaderCallbacks_SetRmaAtomicCallback(c, on_atomic);
    lib->EvtReaderCallbacks_SetRmaGroupSyncCallback(c, on_group_sync);
    lib->EvtReaderCallbacks_SetRmaAcquireLockCallback(c, on_lock);
    lib->EvtReaderCallbacks_SetRmaWaitChangeCallback(c, on_change);
    return c;
}

int replay_otf2_events(struct replay_otf2 *x, OTF2_LocationRef location, uint32_t rank, bool other)
{
    struct state s = {.x = x, .rank = rank, .other = other};
    uint64_t n;
    OTF2_EvtReader *reader = x->lib->Reader_GetEvtReader(x->reader, location);
    if (!reader)
        return x->failed ? -1
                         : base_fail(x->st, "%s: the events of location %llu cannot be read", x->path,
                                     (unsigned long long)location);
    replay_otf2_queue_begin(&s.queue, x, rank);
    x->lib->EvtReader_ApplyMappingTables(reader, true);
    OTF2_EvtReaderCallbacks *c = callbacks(x->lib);
    x->lib->Reader_RegisterEvtCallbacks(x->reader, reader, c, &s);
    x->lib->EvtReaderCallbacks_Delete(c);
    OTF2_ErrorCode rc = x->lib->Reader_ReadAllLocalEvents(x->reader, reader, &n);
    x->lib->Reader_CloseEvtReader(x->reader, reader);
    if (s.begun && !s.depth)
        compute(&s, s.latest);
    replay_otf2_queue_end(&s.queue);
    free(s.sent.at);
    return rc == OTF2_SUCCESS ? 0 : -1;
}
