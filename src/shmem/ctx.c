/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctx: communication contexts (OpenSHMEM 1.6 section 9.5): what a handle stands for, creation, destruction
 * and what the options of a context forbid. Order and completion within a context are rma's.
 *
 * SHMEM_CTX_NOSTORE has no effect here: the program's own stores are visible at once. Using a context from
 * the wrong thread (PRIVATE) or two at once (SERIALIZED) works, with a warning; so does using one that was
 * destroyed, as in Open MPI, which keeps them.
 */
#include "shmem/ctx.h"
#include "shmem/recorded.h"
#include "shmem/symmetric.h"
#include "shmem/team.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PLACE_BITS = 16, NUMBER_BITS = 18, PE_BITS = 22, MARK = 0xc7, FIRST_PLACES = 4 };
enum { OPTIONS = SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE };

static uintptr_t handle_of(const struct shmem_pe *self, uint32_t place, uint32_t number)
{
    uintptr_t mark_and_pe = (uintptr_t)MARK << PE_BITS | self->me;
    return (mark_and_pe << NUMBER_BITS | (number & ((1u << NUMBER_BITS) - 1))) << PLACE_BITS | place;
}

static uint32_t place_of(uintptr_t handle)
{
    return handle & ((1u << PLACE_BITS) - 1);
}

/* --- which context a handle is ------------------------------------------------------------------ */

static _Noreturn void bad_context(const struct shmem_pe *self, uintptr_t handle, const char *call)
{
    uint32_t pe = handle >> (PLACE_BITS + NUMBER_BITS) & ((1u << PE_BITS) - 1);
    if (!handle)
        rank_program_error(self->rank, call, "the context is SHMEM_CTX_INVALID");
    if (handle >> (PLACE_BITS + NUMBER_BITS + PE_BITS) != MARK)
        rank_program_error(self->rank, call, "%#" PRIxPTR " is not the handle of a context", handle);
    if (pe != self->me)
        rank_program_error(self->rank, call, "the context is PE %" PRIu32 "'s", pe);
    rank_program_error(self->rank, call, "the context was destroyed");
}

/* The default context takes the place of one that was destroyed. The members of another team than the world
 * may not be known any more. */
static struct shmem_ctx *destroyed_context(const struct shmem_pe *self, uintptr_t handle, const char *call)
{
    struct shmem_contexts *all = self->contexts;
    struct shmem_ctx *c = all && place_of(handle) < all->n ? &all->at[place_of(handle)] : NULL;
    bool world = c && handle && !c->handle && c->was == handle && c->team == SHMEM_TEAM_WORLD;
    if (!world)
        bad_context(self, handle, call);
    base_warn("misuse/ctx-destroyed", "%s: the context was destroyed; the default one takes its place", call);
    c->rma = shmem_default(self);
    return c;
}

struct shmem_ctx *shmem_ctx_find(const struct shmem_pe *self, shmem_ctx_t ctx, const char *call)
{
    struct shmem_contexts *all = self->contexts;
    uintptr_t handle = (uintptr_t)ctx;
    uint32_t place = place_of(handle);
    if (BASE_UNLIKELY(!all || place >= all->n || all->at[place].handle != handle || !handle))
        return destroyed_context(self, handle, call);
    return &all->at[place];
}

/* What SERIALIZED and PRIVATE forbid. */
static void check_thread(const struct shmem_pe *self, struct shmem_ctx *c, const char *call)
{
    const struct engine_actor *thread = engine_current(self->rank->engine);
    if (c->options & SHMEM_CTX_PRIVATE && c->owner != thread)
        base_warn(
            "misuse/ctx-private",
            "%s: a context with SHMEM_CTX_PRIVATE is used by a thread other than the one that created it",
            call);
    if (c->options & SHMEM_CTX_SERIALIZED && c->user && c->user != thread)
        base_warn("misuse/ctx-serialized",
                  "%s: a context with SHMEM_CTX_SERIALIZED is used by two threads at once", call);
    c->user = thread;
}

struct rma_ctx *shmem_ctx_target(const struct shmem_pe *self, shmem_ctx_t ctx, int pe, const char *call,
                                 int64_t *world)
{
    struct shmem_ctx *c = shmem_ctx_find(self, ctx, call);
    if (BASE_UNLIKELY(c->options & (SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE)))
        check_thread(self, c, call);
    if (BASE_UNLIKELY(pe < 0 || (uint32_t)pe >= c->group.size))
        rank_program_error(self->rank, call, "PE %d is not in the context's team: PEs are 0 to %" PRIu32, pe,
                           c->group.size - 1);
    *world = shmem_number(self->job, coll_group_rank(&c->group, (uint32_t)pe));
    return c->rma;
}

struct rma_ctx *shmem_ctx_stream(const struct shmem_pe *self, shmem_ctx_t ctx, const char *call)
{
    struct shmem_ctx *c = shmem_ctx_find(self, ctx, call);
    if (c->options & (SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE))
        check_thread(self, c, call);
    return c->rma;
}

/* The calling thread's call with the context is over. The call may have destroyed the context. */
void shmem_ctx_done(const struct shmem_pe *self, shmem_ctx_t ctx)
{
    uint32_t place = place_of((uintptr_t)ctx);
    if (self->contexts && place < self->contexts->n && self->contexts->at[place].handle == (uintptr_t)ctx)
        self->contexts->at[place].user = NULL;
}

/* --- creation ----------------------------------------------------------------------------------- */

/* A place from the free list, or a new one; NULL: all are in use. */
static struct shmem_ctx *take_place(struct shmem_pe *self)
{
    struct shmem_contexts *all = self->contexts;
    if (all && all->free != SHMEM_CTX_PLACES) {
        struct shmem_ctx *c = &all->at[all->free];
        all->free = c->next;
        return c;
    }
    uint32_t n = all ? all->n : 0, cap = all ? all->cap : 0;
    if (n == SHMEM_CTX_PLACES)
        return NULL;
    if (n == cap) {
        self->job->with_contexts += !all;
        cap = cap ? 2 * cap : FIRST_PLACES;
        self->contexts = base_realloc(all, sizeof *all + cap * sizeof all->at[0], "contexts");
        self->contexts->cap = cap;
        self->contexts->free = SHMEM_CTX_PLACES;
    }
    all = self->contexts;
    all->n = n + 1;
    all->at[n] = (struct shmem_ctx){0};
    return &all->at[n];
}

/* Returns what the functions return: 0, or 1 when there are too many. */
static int create(struct shmem_pe *self, shmem_team_t team, const struct coll_group *group, long options,
                  shmem_ctx_t *out, const char *call)
{
    if (options & ~(long)OPTIONS)
        base_warn("misuse/ctx-options", "%s: options %#lx contain unknown bits, which are ignored", call,
                  options);
    struct shmem_ctx *c = take_place(self);
    if (!c) {
        *out = SHMEM_CTX_INVALID;
        return 1;
    }
    uint32_t place = (uint32_t)(c - self->contexts->at);
    BASE_ASSERT("K1", !c->handle);
    *c = (struct shmem_ctx){.handle = handle_of(self, place, self->contexts_made++),
                            .rma = rma_ctx_create(self->rank, &shmem_rma_names),
                            .group = *group,
                            .team = team,
                            .owner = engine_current(self->rank->engine),
                            .options = (uint8_t)(options & OPTIONS)};
    rma_ctx_describe(c->rma, &(struct rma_stream){.about = SHMEM_STREAM_MADE | c->options,
                                                  .domain = shmem_team_domain(self, team),
                                                  .nostore = options & SHMEM_CTX_NOSTORE});
    *out = (shmem_ctx_t)c->handle;
    return 0;
}

BASE_PUBLIC int shmem_ctx_create(long options, shmem_ctx_t *ctx)
{
    static const char call[] = "shmem_ctx_create";
    struct shmem_pe *self = shmem_enter(call);
    int failed = create(self, SHMEM_TEAM_WORLD, &self->job->world, options, ctx, call);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_call(self, RECORD_SHMEM_CTX_CREATE,
                          (const struct record_value[]){{.i = options}, {.p = ctx}});
    shmem_leave(self, call);
    return failed;
}

BASE_PUBLIC int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx)
{
    static const char call[] = "shmem_team_create_ctx";
    struct shmem_pe *self = shmem_enter(call);
    int failed = 1;
    *ctx = SHMEM_CTX_INVALID;
    if (team != SHMEM_TEAM_INVALID)
        failed = create(self, team, shmem_team_group(self, team, call), options, ctx, call);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_call(
            self, RECORD_SHMEM_TEAM_CREATE_CTX,
            (const struct record_value[]){{.i = (int64_t)(uintptr_t)team}, {.i = options}, {.p = ctx}});
    shmem_leave(self, call);
    return failed;
}

BASE_PUBLIC int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team)
{
    static const char call[] = "shmem_ctx_get_team";
    struct shmem_pe *self = shmem_enter(call);
    if (ctx == SHMEM_CTX_INVALID)
        *team = SHMEM_TEAM_INVALID;
    else
        *team = ctx == SHMEM_CTX_DEFAULT ? SHMEM_TEAM_WORLD : shmem_ctx_find(self, ctx, call)->team;
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_question(self->rank, RECORD_SHMEM_CTX_GET_TEAM);
    shmem_leave(self, call);
    return ctx == SHMEM_CTX_INVALID;
}

/* --- destruction -------------------------------------------------------------------------------- */

/* Waits for its operations first; meanwhile nobody else can use it. */
static void destroy(struct shmem_pe *self, struct shmem_ctx *c, const char *call)
{
    uint32_t place = (uint32_t)(c - self->contexts->at);
    struct rma_ctx *rma = c->rma;
    if (c->session)
        shmem_session_left(call);
    c->was = c->handle;
    c->handle = 0;
    rma_ctx_destroy(rma);
    c = &self->contexts->at[place]; /* other threads may have made contexts meanwhile */
    c->rma = NULL;
    c->user = NULL;
    c->next = self->contexts->free;
    self->contexts->free = place;
}

BASE_PUBLIC void shmem_ctx_destroy(shmem_ctx_t ctx)
{
    static const char call[] = "shmem_ctx_destroy";
    struct shmem_pe *self = shmem_enter(call);
    if (ctx == SHMEM_CTX_DEFAULT) {
        base_warn("misuse/ctx-default", "%s: the default context cannot be destroyed", call);
        shmem_default_quiet(self, call);
    } else if (ctx != SHMEM_CTX_INVALID) {
        struct shmem_ctx *c = shmem_ctx_find(self, ctx, call);
        if (c->handle && c->options & (SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE))
            check_thread(self, c, call);
        if (c->handle)
            destroy(self, c, call);
    }
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_ctx(self, RECORD_SHMEM_CTX_DESTROY, ctx);
    shmem_leave(self, call);
}

/* Private contexts are for their thread to destroy. */
static void destroy_left(struct shmem_pe *self, struct shmem_ctx *c, const char *call)
{
    if (c->options & SHMEM_CTX_PRIVATE)
        base_warn("misuse/ctx-left",
                  "%s: a context with SHMEM_CTX_PRIVATE was not destroyed before this call", call);
    destroy(self, c, call);
}

void shmem_ctx_team_destroyed(struct shmem_pe *self, shmem_team_t team, const char *call)
{
    for (uint32_t i = 0; self->contexts && i < self->contexts->n; i++)
        if (self->contexts->at[i].handle && self->contexts->at[i].team == team)
            destroy_left(self, &self->contexts->at[i], call);
}

void shmem_contexts_drop(struct shmem_pe *self)
{
    self->job->with_contexts -= self->contexts != NULL;
    free(self->contexts);
    self->contexts = NULL;
}

void shmem_contexts_release(struct shmem_pe *self, const char *call)
{
    if (self->session)
        shmem_session_left(call);
    self->session = false;
    for (uint32_t i = 0; self->contexts && i < self->contexts->n; i++)
        if (self->contexts->at[i].handle)
            destroy_left(self, &self->contexts->at[i], call);
    shmem_contexts_drop(self);
}
