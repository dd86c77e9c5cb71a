/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deliver: events on their way to a tool (MPI-5.0 section 15.3.8). What happens to a rank's messages is noted
 * when it does, with its time, and told to the registrations when the rank's present call ends, or its next
 * one: callbacks run on the rank's own actor, where every function of MPI may be called, so any promise of
 * safety will do. A rank that makes no call for long loses the events that do not fit, and is told how many.
 */
#include "mpi/tool/tool.h"

#include <stdlib.h>

enum { MOST = 1024 };
struct mpi_news {
    uint32_t n;
    struct mpi_seen seen[MOST];
};

/* --- noting -------------------------------------------------------------------------------------------- */

static void note(struct rank *r, const struct p2p_news *in, const struct rank *peer)
{
    struct mpi_rank *self = rank_kept(r, &mpi_slot);
    if (!self || !self->tools || !(self->tools->wanted & 1U << in->what))
        return;
    struct mpi_tools *t = self->tools;
    self->news = true;
    if (!t->news)
        t->news = base_zalloc(sizeof *t->news, "events of MPI_T");
    if (t->news->n < MOST) {
        t->news->seen[t->news->n++] =
            (struct mpi_seen){in->at, in->bytes, (int32_t)peer->id, in->tag, (uint8_t)in->what};
        return;
    }
    for (struct mpi_tool *w = t->watches; w; w = w->next)
        w->dropped += w->index == (int)in->what;
}

static void listener(const struct p2p_news *in)
{
    if (in->what == P2P_SENT)
        note(in->from, in, in->to);
    else
        note(in->to, in, in->from);
}

void mpi_tool_listen(struct mpi_rank *self)
{
    p2p_listen(self->job->job, listener);
}

void mpi_tool_news_release(struct mpi_tools *t)
{
    free(t->news);
    t->news = NULL;
}

/* --- telling ------------------------------------------------------------------------------------------- */

static const MPI_T_cb_safety safeties[MPI_TOOL_SAFETIES] = {
    MPI_T_CB_REQUIRE_NONE, MPI_T_CB_REQUIRE_MPI_RESTRICTED, MPI_T_CB_REQUIRE_THREAD_SAFE,
    MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE};

struct mpi_tool_callback *mpi_tool_callback(struct mpi_tool *watch, MPI_T_cb_safety safety)
{
    for (size_t k = 0; k < MPI_TOOL_SAFETIES; k++)
        if (safeties[k] == safety)
            return &watch->callbacks[k];
    return NULL;
}

struct telling {
    struct mpi_rank *self;
    struct mpi_tool *watch;
    const struct mpi_seen *seen; /* NULL: of dropped events */
};

/* The callback that promises least is enough. */
static void call(void *arg)
{
    const struct telling *t = arg;
    MPI_T_event_registration watch = MPI_HANDLE(MPI_T_event_registration, t->watch->object.handle);
    size_t k = 0;
    while (k < MPI_TOOL_SAFETIES && !t->watch->callbacks[k].fn)
        k++;
    if (!t->seen) {
        uint64_t n = t->watch->dropped;
        t->watch->dropped = 0;
        t->watch->dropped_fn((MPI_Count)n, watch, 0, MPI_T_CB_REQUIRE_NONE,
                             k < MPI_TOOL_SAFETIES ? t->watch->callbacks[k].data : NULL);
        return;
    }
    if (k == MPI_TOOL_SAFETIES)
        return;
    struct mpi_tool *event = mpi_tool_create(t->self, MPI_TOOL_EVENT, t->seen->type);
    uint32_t handle = event->object.handle;
    event->seen = t->seen;
    t->watch->callbacks[k].fn(MPI_HANDLE(MPI_T_event_instance, handle), watch, MPI_T_CB_REQUIRE_NONE,
                              t->watch->callbacks[k].data);
    event = mpi_find(t->self, MPI_KIND_TOOL, MPI_HANDLE(void *, handle));
    if (event)
        mpi_tool_destroy(t->self, event);
}

/* A callback may free its registration, make others, or finalize MPI_T. */
static void tell_all(struct mpi_call *c, const struct mpi_seen *seen, int type)
{
    struct mpi_rank *self = c->self;
    for (struct mpi_tool *w = self->tools ? self->tools->watches : NULL, *next; w; w = next) {
        uint32_t after;
        next = w->next;
        after = next ? next->object.handle : 0;
        if (w->index != type || (!seen && !(w->dropped && w->dropped_fn)))
            continue;
        rank_call_back(c->rank, call, &(struct telling){self, w, seen});
        if (next && !(self->tools && mpi_find(self, MPI_KIND_TOOL, MPI_HANDLE(void *, after)) == next))
            return;
    }
}

/* Callbacks that call MPI may cause events, which are told when the next call ends. */
static void deliver(struct mpi_call *c)
{
    struct mpi_rank *self = c->self;
    struct mpi_tools *t = self->tools;
    if (!t || t->delivering)
        return;
    struct mpi_news *news = t->news;
    t->news = NULL;
    t->delivering = true;
    self->news = false;
    for (uint32_t k = 0; news && k < news->n; k++)
        tell_all(c, &news->seen[k], news->seen[k].type);
    for (int type = 0; type < MPI_TOOL_EVENTS; type++)
        tell_all(c, NULL, type);
    free(news);
    if (self->tools)
        self->tools->delivering = false;
}

struct freed {
    MPI_T_event_free_cb_function *fn;
    MPI_T_event_registration registration;
    void *data;
};

static void call_freed(void *arg)
{
    const struct freed *f = arg;
    f->fn(f->registration, MPI_T_CB_REQUIRE_NONE, f->data);
}

void mpi_tool_freed(const struct mpi_call *c, MPI_T_event_free_cb_function *fn,
                    MPI_T_event_registration registration, void *data)
{
    rank_call_back(c->rank, call_freed, &(struct freed){fn, registration, data});
}

void mpi_tool_deliver_register(void)
{
    mpi_on_news(deliver);
}
