/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective: collectives behind the typed shims (OpenSHMEM 1.6 section 9.10). Finds the members and the
 * caller's place among them, checks that the arguments are symmetric and long enough, and calls coll. An
 * active set's pSync and pWrk are checked but not used: coll has its own memory. Misuse that the collective
 * survives is checked in collective_check.c and collective_psync.c.
 */
#include "shmem/collective.h"
#include "shmem/recorded.h"
#include "shmem/team.h"

/* --- members ------------------------------------------------------------------------------------ */

/* As Open MPI has it: a set ends at the last PE that exists; and for a PE outside of the set the call does
 * nothing (the group has no members). */
static void active_set(const struct shmem_pe *self, const struct shmem_who *w, struct shmem_team_view *out,
                       const char *call)
{
    int64_t stride = w->log_stride >= 0 && w->log_stride < 31 ? (int64_t)1 << w->log_stride : 0;
    int64_t size = w->size, n = self->job->n, place = stride ? ((int64_t)self->me - w->start) / stride : 0;
    if (!stride || w->start < 0 || size < 0)
        rank_program_error(self->rank, call,
                           "PE_start %d, logPE_stride %d, PE_size %d do not form an active set of %u PEs",
                           w->start, w->log_stride, w->size, self->job->n);
    if (BASE_UNLIKELY(w->start + (size - 1) * stride >= n)) {
        base_warn("misuse/active-set-size",
                  "%s: PE_start %d, logPE_stride %d, PE_size %d do not form an active set of %u PEs", call,
                  w->start, w->log_stride, w->size, self->job->n);
        size = w->start < n ? (n - 1 - w->start) / stride + 1 : 0;
    }
    if ((int64_t)self->me < w->start || place >= size || w->start + place * stride != self->me) {
        base_warn("misuse/active-set",
                  "%s: PE %u is not in the active set (PE_start %d, logPE_stride %d, PE_size %d): nothing is "
                  "done",
                  call, self->me, w->start, w->log_stride, w->size);
        *out = (struct shmem_team_view){0};
        return;
    }
    shmem_check_symmetric(self, w->psync, sizeof *w->psync, call);
    out->group = shmem_set_group(self, (uint32_t)w->start, (uint32_t)stride, (uint32_t)size);
    out->me = (uint32_t)place;
}

static struct shmem_team_view members(const struct shmem_pe *self, const struct shmem_who *w,
                                      const char *call)
{
    struct shmem_team_view v;
    if (w->set)
        active_set(self, w, &v, call);
    else
        shmem_team_find(self, w->team, &v, call);
    return v;
}

/* The part of a call that says who takes part, and with how much. */
static struct coll_call begin(const struct shmem_pe *self, const struct shmem_who *w,
                              const struct shmem_form *f, enum coll_op op, size_t nelems)
{
    struct shmem_team_view v = members(self, w, f->call);
    return (struct coll_call){.name = f->call,
                              .op = op,
                              .group = v.group,
                              .me = v.me,
                              .bytes = shmem_bytes(self, nelems, f->size, f->call),
                              .element = f->size};
}

/* Bytes of `n` members' parts of `bytes` each. */
static size_t of_all(const struct shmem_pe *self, const struct coll_call *c, size_t bytes)
{
    return shmem_bytes(self, c->group.size, bytes, c->name);
}

/* --- running one -------------------------------------------------------------------------------- */

/* A collective that its PE has entered: two words, returned in registers. Calls are built in functions of
 * their own, named enter, which are not inlined: a PE that waits has no call in its frames. */
struct entered {
    struct coll_member *member;    /* NULL: it is outside the active set */
    struct shmem_psync_use *psync; /* active sets; NULL: none is used */
};
#define ENTERS static __attribute__((noinline)) struct entered

static struct entered enter(const struct shmem_pe *self, const struct shmem_who *who, struct coll_call *c)
{
    struct entered e = {0};
    c->names = &shmem_coll_names;
    c->transport = coll_put_transport(self->job->puts);
    if (BASE_UNLIKELY(who->set)) {
        if (!c->group.size)
            return e;
        e.psync = shmem_psync_enter(self, who, c);
    }
    e.member = coll_enter(self->rank, c);
    return e;
}

static void await(const struct shmem_pe *self, struct entered e)
{
    if (BASE_LIKELY(!e.psync)) {
        if (BASE_UNLIKELY(!e.member))
            return;
        coll_await(e.member); /* the last call: where nothing follows, no frame of the caller's is left */
        return;
    }
    coll_await(e.member);
    shmem_psync_leave(self->job, e.psync);
}

/* Checks that the array is symmetric. Returns its address at PE 0, on which members must agree; 0 if none. */
static uintptr_t at_first(const struct shmem_pe *self, const void *array, size_t bytes, const char *call)
{
    uintptr_t there = bytes ? shmem_symmetric_try(self, array, bytes, 0) : 0;
    if (BASE_LIKELY(there || !bytes))
        return there;
    shmem_check_symmetric(self, array, bytes, call);
    return shmem_symmetric_known(self, array, 0);
}

/* Folded data may come from any PE: all share one copy. */
static bool is_folded(const struct shmem_pe *self, enum coll_op op, const struct shmem_buffers *b)
{
    return (op == COLL_ALLTOALL || op == COLL_FCOLLECT || op == COLL_BROADCAST) &&
           shmem_folded_contains(self->job, b->dest) && shmem_folded_contains(self->job, b->source);
}

/* Checks that the arrays are symmetric and do not overlap, and enters the collective. */
static struct entered enter_on(const struct shmem_pe *self, const struct shmem_who *who, struct coll_call *c,
                               const struct shmem_buffers *b)
{
    c->same_dest = at_first(self, b->dest, b->dest_bytes, c->name);
    c->same_source = at_first(self, b->source, b->source_bytes, c->name);
    shmem_check_overlap(self, b, c->name);
    if (BASE_UNLIKELY(self->job->folded))
        c->folded = is_folded(self, c->op, b);
    return enter(self, who, c);
}

/* --- data --------------------------------------------------------------------------------------- */

ENTERS enter_alltoall(const struct shmem_pe *self, const struct shmem_form *f, const struct shmem_who *who,
                      void *dest, const void *source, size_t nelems)
{
    struct coll_call c = begin(self, who, f, COLL_ALLTOALL, nelems);
    size_t all = of_all(self, &c, c.bytes);
    c.dest = dest;
    c.source = source;
    return enter_on(self, who, &c, &(struct shmem_buffers){dest, source, all, all, false});
}

void shmem_core_alltoall(const struct shmem_form *f, const struct shmem_who *who, void *dest,
                         const void *source, size_t nelems)
{
    struct shmem_pe *self = shmem_enter_from(f->call, who->caller);
    await(self, enter_alltoall(self, f, who, dest, source, nelems));
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_exchange(self, f, RECORD_SHMEM_ALLTOALL, who, dest, source, nelems, 0);
    shmem_leave(self, f->call);
}

/* Checks the memory from the first to the last of n elements `stride` apart. Strides below 1 are forbidden;
 * real libraries go from element to element. */
static void check_elements(const struct shmem_pe *self, const struct shmem_form *f, const void *array,
                           size_t n, ptrdiff_t stride)
{
    size_t apart = stride < 0 ? -(size_t)stride : (size_t)stride, elements;
    if (stride < 1)
        base_warn("misuse/stride", "%s: stride %td: must be at least 1", f->call, stride);
    if (!n)
        return;
    if (__builtin_mul_overflow(n - 1, apart, &elements))
        elements = SIZE_MAX - 1;
    size_t bytes = shmem_bytes(self, elements + 1, f->size, f->call);
    uintptr_t first = (uintptr_t)array - (stride < 0 ? bytes - f->size : 0);
    shmem_check_symmetric(self, (const void *)first, bytes, f->call);
}

_Static_assert(sizeof(struct coll_local) <= SHMEM_APART, "there is room for it");

/* Elements of `size` bytes, `stride` of them apart. Other PEs' calls may push it out of the cache. */
static const struct types_layout *hold(const struct shmem_pe *self, size_t size, ptrdiff_t stride)
{
    return types_layout_retain(shmem_layout(self->job, size, stride * (ptrdiff_t)size));
}

/* Elements of two arrays may alternate, so extents that overlap say nothing. */
ENTERS enter_alltoalls(const struct shmem_pe *self, const struct shmem_form *f, const struct shmem_who *who,
                       void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                       struct coll_local *local)
{
    struct coll_call c = begin(self, who, f, COLL_ALLTOALL, nelems);
    size_t elements = of_all(self, &c, nelems), size = nelems ? f->size : 0;
    check_elements(self, f, dest, elements, dst);
    check_elements(self, f, source, elements, sst);
    c.dest = dest;
    c.source = source;
    c.same_strides[0] = (size_t)dst * f->size;
    c.same_strides[1] = (size_t)sst * f->size;
    *local = (struct coll_local){.dest.layout = hold(self, f->size, elements > 1 ? dst : 1),
                                 .source.layout = hold(self, f->size, elements > 1 ? sst : 1)};
    c.local = local;
    return enter_on(self, who, &c, &(struct shmem_buffers){dest, source, size, size, false});
}

void shmem_core_alltoalls(const struct shmem_form *f, const struct shmem_who *who, void *dest,
                          const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{
    struct shmem_pe *self = shmem_enter_from(f->call, who->caller);
    struct coll_local *local = base_pool_get(&self->job->apart);
    await(self, enter_alltoalls(self, f, who, dest, source, dst, sst, nelems, local));
    types_layout_release(local->dest.layout);
    types_layout_release(local->source.layout);
    base_pool_put(&self->job->apart, local);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_alltoalls(self, f, who, dest, source, dst, sst, nelems);
    shmem_leave(self, f->call);
}

/* A team's root gets the data in dest, too; an active set's root does not. Programs also broadcast in place,
 * which the standard forbids; that works here. */
ENTERS enter_broadcast(const struct shmem_pe *self, const struct shmem_form *f, const struct shmem_who *who,
                       void *dest, const void *source, size_t nelems, int root)
{
    struct coll_call c = begin(self, who, f, COLL_BROADCAST, nelems);
    if (c.group.size && (root < 0 || (uint32_t)root >= c.group.size))
        rank_program_error(self->rank, f->call, "PE_root %d: members are 0 to %u", root, c.group.size - 1);
    c.root = (uint32_t)root;
    c.dest = who->set && c.me == c.root ? NULL : dest;
    c.source = source;
    return enter_on(self, who, &c, &(struct shmem_buffers){dest, source, c.bytes, c.bytes, true});
}

void shmem_core_broadcast(const struct shmem_form *f, const struct shmem_who *who, void *dest,
                          const void *source, size_t nelems, int root)
{
    struct shmem_pe *self = shmem_enter_from(f->call, who->caller);
    await(self, enter_broadcast(self, f, who, dest, source, nelems, root));
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_exchange(self, f, RECORD_SHMEM_BROADCAST, who, dest, source, nelems, root);
    shmem_leave(self, f->call);
}

/* The total size is known only at the end, so coll checks it. */
ENTERS enter_collect(const struct shmem_pe *self, const struct shmem_form *f, const struct shmem_who *who,
                     void *dest, const void *source, size_t nelems)
{
    struct coll_call c = begin(self, who, f, (enum coll_op)f->kind, nelems);
    size_t all = c.op == COLL_FCOLLECT ? of_all(self, &c, c.bytes) : c.bytes;
    c.dest = dest;
    c.source = source;
    return enter_on(self, who, &c, &(struct shmem_buffers){dest, source, all, c.bytes, false});
}

void shmem_core_collect(const struct shmem_form *f, const struct shmem_who *who, void *dest,
                        const void *source, size_t nelems)
{
    struct shmem_pe *self = shmem_enter_from(f->call, who->caller);
    await(self, enter_collect(self, f, who, dest, source, nelems));
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_exchange(self, f,
                              f->kind == COLL_FCOLLECT ? RECORD_SHMEM_FCOLLECT : RECORD_SHMEM_COLLECT, who,
                              dest, source, nelems, 0);
    shmem_leave(self, f->call);
}

ENTERS enter_reduce(const struct shmem_pe *self, const struct shmem_form *f, const struct shmem_who *who,
                    void *dest, const void *source, size_t nelems, const void *work, struct coll_operator op)
{
    struct coll_call c = begin(self, who, f, (enum coll_op)f->kind, nelems);
    c.dest = dest;
    c.source = source;
    c.operator= op;
    if (who->set && c.bytes && !shmem_symmetric_known(self, work, self->me))
        base_notice("misuse/pwrk", "%s: pWrk is not symmetric memory", f->call);
    return enter_on(self, who, &c, &(struct shmem_buffers){dest, source, c.bytes, c.bytes, true});
}

void shmem_core_reduce(const struct shmem_form *f, const struct shmem_who *who, void *dest,
                       const void *source, size_t nelems, const void *work, struct coll_operator op)
{
    struct shmem_pe *self = shmem_enter_from(f->call, who->caller);
    await(self, enter_reduce(self, f, who, dest, source, nelems, work, op));
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_reduce(self, f, who, dest, source, nelems, op);
    shmem_leave(self, f->call);
}

/* --- barriers ----------------------------------------------------------------------------------- */

ENTERS enter_sync(const struct shmem_pe *self, const struct shmem_who *who, const char *call)
{
    struct shmem_team_view v = members(self, who, call);
    struct coll_call c = {
        .name = call, .op = COLL_BARRIER, .group = v.group, .me = v.me, .last = who->last && !who->set};
    return enter(self, who, &c);
}

void shmem_core_sync(struct shmem_pe *self, const struct shmem_who *who, const char *call)
{
    await(self, enter_sync(self, who, call));
}

void shmem_barrier_in(struct shmem_pe *self, const char *call)
{
    static const struct shmem_who world = {.team = SHMEM_TEAM_WORLD};
    shmem_default_quiet(self, call);
    shmem_core_sync(self, &world, call);
}
