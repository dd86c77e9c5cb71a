/* SPDX-License-Identifier: BSD-3-Clause */
/* rank: the parts of ranks and jobs, and calls outside the life of the library. */
#include "mpi/internal.h"

#include <stdlib.h>
#include <string.h>

struct rank_slot mpi_slot;

enum { KEEPERS = 12 };
static const struct mpi_keeper *keepers[KEEPERS];
static size_t n_keepers;

void mpi_keeper_register(const struct mpi_keeper *k)
{
    for (size_t i = 0; i < n_keepers; i++)
        if (keepers[i] == k)
            return;
    BASE_ASSERT("there is room for all keepers", n_keepers < KEEPERS);
    keepers[n_keepers++] = k;
}

static void (*deliver_news)(struct mpi_call *c);

void mpi_on_news(void (*deliver)(struct mpi_call *c))
{
    deliver_news = deliver;
}

void mpi_tell_news(struct mpi_call *c)
{
    deliver_news(c);
}

/* A check of MPI's own: by its setting, or because errors are looked for. */
static bool is_on(const struct rank_job *ranks, const char *key)
{
    const struct base_settings *s = rank_settings(ranks);
    bool given = !base_settings_is_default(s, key);
    return given ? base_settings_flag(s, key) : rank_job_config(ranks)->checked;
}

static struct mpi_job *job_create(struct rank_job *ranks)
{
    struct mpi_job *job = base_zalloc(sizeof *job, "MPI's part of a job");
    job->job = ranks;
    job->everyone.members = (struct coll_group){.stride = 1, .size = rank_job_config(ranks)->ranks};
    job->contexts = MPI_FIRST_CONTEXT;
    base_pool_init(&job->ranks, sizeof(struct mpi_rank), "MPI's ranks");
    base_pool_init(&job->requests, MPI_REQUEST_SIZE, "MPI's requests");
    job->unbuffered = !strcmp(base_settings_text(rank_settings(ranks), "mpi/buffering"), "none");
    job->messages = coll_p2p_create(ranks);
    job->checks_types = is_on(ranks, "mpi/check-types");
    if (job->checks_types)
        p2p_check_types(ranks);
    job->checks_buffers = is_on(ranks, "mpi/check-buffers");
    job->transport = coll_p2p_transport(job->messages);
    rank_set_part(ranks, &mpi_slot, job);
    mpi_leaks_open(job);
    return job;
}

static struct mpi_job *job_of(struct rank_job *ranks)
{
    struct mpi_job *job = rank_part(ranks, &mpi_slot);
    return job ? job : job_create(ranks);
}

static struct mpi_rank *create_in(struct mpi_job *job, struct mpi_world *home, struct rank *r)
{
    struct mpi_rank *self = base_pool_get(&job->ranks);
    *self = (struct mpi_rank){.rank = r, .job = job, .home = home};
    rank_keep(r, &mpi_slot, self);
    return self;
}

struct mpi_rank *mpi_rank_create(struct rank *r)
{
    struct mpi_job *job = job_of(r->job);
    return create_in(job, &job->everyone, r);
}

/* Others may still refer to what it has. */
static void put_aside(struct mpi_rank *self)
{
    if (self->open)
        rank_api_closed(self->rank);
    self->open = false;
    self->before = self->job->before;
    self->job->before = self;
}

void mpi_world_make(struct mpi_job *job, const struct coll_group *members)
{
    struct mpi_world *w = base_zalloc(sizeof *w, "worlds of MPI");
    *w = (struct mpi_world){.next = job->worlds, .link = &job->worlds, .members = coll_group_retain(members)};
    if (w->next)
        w->next->link = &w->next;
    job->worlds = w;
    for (uint32_t k = 0; k < members->size; k++) {
        struct rank *r = rank_at(job->job, coll_group_rank(members, k));
        struct mpi_rank *self = rank_kept(r, &mpi_slot);
        if (self)
            put_aside(self);
        create_in(job, w, r);
    }
}

void mpi_world_begin(struct rank_job *ranks, const struct coll_group *members)
{
    mpi_world_make(job_of(ranks), members);
}

static void release_worlds(struct mpi_job *job)
{
    for (struct mpi_world *w = job->worlds, *next; w; w = next) {
        next = w->next;
        coll_group_release(&w->members);
        free(w);
    }
}

static void rank_release(struct mpi_rank *self)
{
    for (size_t k = 0; k < MPI_KINDS; k++)
        if (self->tables[k]) {
            free(self->tables[k]->at);
            free(self->tables[k]);
        }
}

/* Nothing of MPI can happen to it any more. */
static bool is_at_rest(const struct mpi_rank *self)
{
    const struct mpi_table *q = self->tables[MPI_KIND_REQUEST], *w = self->tables[MPI_KIND_WIN];
    return !self->open && !(q && q->live) && !(w && w->live) && !self->unpaired && !self->uses &&
           !self->chains && !self->bsends && !self->session_bsends && !self->tools && !self->job->leaks;
}

static bool all_at_rest(struct rank_job *ranks, const struct coll_group *members)
{
    for (uint32_t k = 0; k < members->size; k++) {
        const struct mpi_rank *self = rank_kept(rank_at(ranks, coll_group_rank(members, k)), &mpi_slot);
        if (!self || !self->home->link || !is_at_rest(self))
            return false;
    }
    return true;
}

void mpi_world_end(struct rank_job *ranks, const struct coll_group *members)
{
    struct mpi_job *job = rank_part(ranks, &mpi_slot);
    if (!job || job->links || job->ports || job->files || !all_at_rest(ranks, members))
        return;
    struct mpi_world *w = mpi_rank_of(rank_at(ranks, coll_group_rank(members, 0)))->home;
    if (w->starts)
        return;
    for (size_t i = n_keepers; i-- > 0;)
        for (uint32_t k = 0; keepers[i]->leave && k < members->size; k++)
            keepers[i]->leave(mpi_rank_of(rank_at(ranks, coll_group_rank(members, k))));
    for (uint32_t k = 0; k < members->size; k++) {
        struct rank *r = rank_at(ranks, coll_group_rank(members, k));
        rank_release(rank_kept(r, &mpi_slot));
        base_pool_put(&job->ranks, rank_kept(r, &mpi_slot));
        rank_keep(r, &mpi_slot, NULL);
    }
    *w->link = w->next;
    if (w->next)
        w->next->link = w->link;
    coll_group_release(&w->members);
    free(w);
}

static void each_rank(struct rank_job *ranks, void (*fn)(struct mpi_rank *self))
{
    const struct mpi_job *job = rank_part(ranks, &mpi_slot);
    for (uint32_t k = 0; fn && k < rank_count(ranks); k++) {
        struct mpi_rank *self = rank_kept(rank_at(ranks, k), &mpi_slot);
        if (self)
            fn(self);
    }
    for (struct mpi_rank *self = job->before; fn && self; self = self->before)
        fn(self);
}

static void job_end(struct rank_job *ranks)
{
    struct mpi_job *job = rank_part(ranks, &mpi_slot);
    if (!job)
        return;
    each_rank(ranks, mpi_leaks_note);
    mpi_leaks_print(job);
    for (size_t k = n_keepers; k-- > 0;) {
        each_rank(ranks, keepers[k]->leave);
        if (keepers[k]->end)
            keepers[k]->end(job);
    }
    each_rank(ranks, rank_release);
    coll_p2p_destroy(job->messages);
    release_worlds(job);
    base_pool_release(&job->requests);
    base_pool_release(&job->ranks);
    free(job);
    rank_set_part(ranks, &mpi_slot, NULL);
}

uint32_t mpi_context_make(struct mpi_job *job)
{
    if (job->contexts >= P2P_INNER_CONTEXTS)
        base_fatal(BASE_EXIT_PROGRAM, "the job has made 2^30 communicators: more are not possible");
    return job->contexts++;
}

_Noreturn void mpi_not_open(const struct mpi_rank *self, const char *call)
{
    rank_program_error(self->rank, call, "called %s",
                       self->state == MPI_STATE_FINALIZED ? "after MPI_Finalize" : "before MPI_Init");
}

/* Several threads call, which was not asked for (MPI-5.0 section 11.6). */
void mpi_thread_check(struct mpi_rank *self, const char *call)
{
    static const char key[] = "misuse/thread-level";
    const struct engine_actor *me = engine_current(self->rank->engine);
    if (!self->inside++)
        self->caller = me;
    if (!self->open)
        return;
    if (self->level == MPI_THREAD_SERIALIZED && self->caller != me)
        base_warn(key, "%s: called while another thread is in a call, at level MPI_THREAD_SERIALIZED", call);
    else if (self->level != MPI_THREAD_SERIALIZED && me != self->main)
        base_warn(key, "%s: called by a thread that is not the main one, at level %s", call,
                  self->level == MPI_THREAD_SINGLE ? "MPI_THREAD_SINGLE" : "MPI_THREAD_FUNNELED");
}

void mpi_core_register(void)
{
    static const struct rank_front front = {.name = "mpi", .job_end = job_end};
    rank_slot_register(&mpi_slot, sizeof(struct mpi_rank *));
    trace_calls_register(mpi_calls, mpi_calls_count);
    rank_front_register(&front);
}
