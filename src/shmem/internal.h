/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal: what the files of shmem/ share.
 *
 *   api_*.c     typed shims, expanded from the lists (*.def): a constant form and one call
 *   transfer.c  put and get; atomic.c, wait.c (wait and test), collective.c: the untyped functions behind the
 *               shims, with their argument checks
 *   ctx.c       contexts; session.c sessions; thread.c thread levels
 *   setup.c     init, finalize, what the job and each PE keep; world.c worlds of PEs; query.c queries
 *   memory.c    the functions of the symmetric heap, over heap.c (which block) and region.c (where)
 *   order.c     fence, quiet, barrier; lock.c locks; team.c teams
 *
 * Every public function runs between shmem_enter and shmem_leave.
 *
 * Invariants
 *  P1  A rank's shmem_slot holds its PE while the library is initialized there, else NULL.
 *  P2  A PE is in at most one meeting.
 *  P6  A rank is in one world at most while it plays.
 *  P5  PE numbers are places in the world. The run's ranks are only in struct rank and in groups of coll/.
 */
#ifndef PGASIM_SHMEM_INTERNAL_H
#define PGASIM_SHMEM_INTERNAL_H

#define PGASIM_SHMEM_NO_GENERICS
#include <shmem.h>

#include "shmem/heap.h"
#include "shmem/shmem_front.h"

/* What a shim knows at compile time. */
struct shmem_form {
    const char *call; /* the function's name, literal */
    uint32_t size;    /* bytes of an element */
    uint8_t kind;     /* enum rma_mode, rma_atomic or coll_op, by family */
    bool sign;        /* wait, test: the type is signed */
    uint8_t type;     /* atomics: enum types_element */
};
struct shmem_word128 { /* an element of the 128-bit forms */
    uint64_t word[2];
};

/* A meeting of all PEs, free in simulated time: start and end of the library. */
struct shmem_meeting {
    struct engine_reason why; /* of all that wait: the call's name, and who is missing */
    uint32_t here;            /* have come */
    uint32_t leaving;         /* have come and not left; counted for a checker */
    rank_moment order;        /* after all who have come */
};

/* The PEs to whose memory a PE has pointers (shmem_ptr). */
struct shmem_peers {
    uint32_t n, cap;
    uint32_t at[];
};

/* One PE: a rank that has called an initialization routine at least once. */
struct shmem_pe {
    struct shmem_job *job;
    struct rank *rank;
    struct rma_ctx *ctx;       /* the default context; NULL: not used so far */
    struct shmem_peers *peers; /* NULL: none */
    uintptr_t heap;            /* base of its symmetric heap */
    struct rank_span span;     /* of its static data: the last one looked up, and */
    uint32_t span_number;
    uint32_t me;
    uint32_t depth;  /* initializations not yet finalized */
    uint32_t inside; /* threads in calls; counted at SHMEM_THREAD_SERIALIZED when there are several */
    uint8_t level;   /* SHMEM_THREAD_SINGLE to _MULTIPLE */
    bool implicit;   /* by start_pes: finalized at exit */
    bool finalized;  /* at least once */
    bool session;    /* of the default context */
    struct shmem_contexts *contexts; /* NULL: none were made */
    struct shmem_locks *locks;       /* NULL: it never held one */
    uint64_t heap_calls;             /* made so far */
    uint64_t folded_calls;           /* likewise, on folded symmetric memory */
    size_t any_next;                 /* where the next wait_until_any starts, so that none starves */
    const struct engine_actor *main; /* the thread that initialized */
    struct engine_actor *meeting;    /* blocked in a meeting; NULL: none */
    uint32_t contexts_made;
};

/* A world: PEs that are a job of OpenSHMEM together. Usually there is one, of all ranks; players of a list of jobs have
 * one for each of these (shmem_world_begin). Opened by the first initialization. */
enum { SHMEM_APART = 128 };
struct shmem_job {
    struct rank_job *job;
    struct coll_group world; /* whose ranks the PEs are */
    struct shmem_pe *pes;    /* reserved: one per PE, touched when used; NULL: not open */
    uintptr_t *bases;     /* likewise: where each PE's copy of one span lies; 0: not asked so far */
    uint32_t based;       /* that span's number + 1; 0: none so far */
    void *reservation;    /* the symmetric heaps: bytes reserved, then */
    size_t reserved;
    uintptr_t dense;        /* the heaps' first bytes, side by side (region.c); the slots follow */
    size_t dense_slot;      /* of each rank, in bytes; 0: all lies in the slots */
    size_t dense_end;       /* bytes of the heap at offsets below this lie there */
    uintptr_t region;       /* aligned: a slot per rank */
    size_t slot;            /* bytes */
    size_t heaps;           /* bytes from `dense` to the last slot's end */
    size_t alignment;       /* of each slot: the largest that shmem_align grants */
    uint32_t n;             /* PEs */
    uint32_t gone;          /* ranks that ended without shmem_finalize */
    uint32_t sharing;       /* PEs with `peers` */
    uint32_t with_contexts; /* PEs with `contexts` */
    uint32_t with_locks;    /* PEs with `locks` */
    struct shmem_heap heap;
    struct shmem_heap_log log;
    struct rank_object object;   /* the last static object found; size 0: none */
    struct shmem_folded *folded; /* folded.c; NULL: none so far */
    uintptr_t folded_base;       /* of its area, and its blocks; NULL: none */
    struct shmem_heap *folded_heap;
    struct shmem_layouts *layouts; /* strides.c; NULL: none so far */
    struct shmem_teams *teams;     /* team.h: of the run, and */
    struct shmem_predefined *predefined;
    struct base_table *psyncs;     /* collective_psync.c; NULL: none so far */
    struct base_table *released;   /* checked.c; NULL: none so far */
    struct base_pool apart;        /* SHMEM_APART bytes per waiting PE: others can't read its stack */
    struct shmem_meeting init, finalize;
    struct coll_put *puts; /* the run's */
};

/* A run's part. */
struct shmem_run {
    struct shmem_job *job; /* NULL: each rank's is in */
    struct shmem_job **of; /* by rank; NULL: it is in no world */
    struct shmem_teams *teams;
    struct coll_put *puts; /* coll/put: how collectives' messages go */
};

/* slot.c: a rank's: struct shmem_pe *; the run's: struct shmem_run */
extern struct rank_slot shmem_slot;
/* The world that a rank is in; NULL: it has not begun. */
static inline struct shmem_job *shmem_job_of(const struct rank *r)
{
    const struct shmem_run *run = rank_part(r->job, &shmem_slot);
    return !run ? NULL : BASE_LIKELY(!run->of) ? run->job : run->of[r->id];
}
/* From a PE number to the run's rank, and the other way round (COLL_NOBODY: the rank is in another world). */
static inline struct rank *shmem_rank(const struct shmem_job *job, uint32_t pe)
{
    return rank_at(job->job, coll_group_rank(&job->world, pe));
}
static inline uint32_t shmem_number(const struct shmem_job *job, uint32_t rank)
{
    return coll_group_place(&job->world, rank);
}
/* A rank's record, initialized or not; NULL: its world is not open. */
static inline struct shmem_pe *shmem_pe_known(const struct rank *r)
{
    const struct shmem_job *job = shmem_job_of(r);
    uint32_t pe = job && job->pes ? shmem_number(job, r->id) : COLL_NOBODY;
    return pe != COLL_NOBODY ? &job->pes[pe] : NULL;
}
/* world.c */
struct shmem_job *shmem_job_opened(struct rank *r); /* its world, which is opened now at the latest */
void shmem_leave_early(struct shmem_pe *self);      /* setup.c */
void shmem_run_end(struct rank_job *ranks);
void shmem_roots(struct rank_job *ranks, rank_root_fn root);
_Noreturn void shmem_not_initialized(struct rank *r, const char *call); /* check.c */
/* Makes waiting peers look again at what this PE stored through shmem_ptr pointers (query.c). */
void shmem_peers_touch(const struct shmem_pe *self);
void shmem_peers_drop(struct shmem_pe *self);

/* told.c: traces that a symmetric heap block (NULL: none) was made or freed, or that a context's operations
 * to `target` (or TRACE_ANY) are ordered or complete. Only for traces that want these. */
void shmem_told_block(const struct shmem_pe *self, enum trace_type type, const char *call, const void *block,
                      size_t bytes);
void shmem_told_order(const struct shmem_pe *self, enum trace_type type, const char *call,
                      const struct rma_ctx *c, uint32_t target);
/* checked.c: what checkers are told. A PE's memory can be reached, or no longer; a wait or test has seen these
 * bytes, due to operation `cause`, if known; a lock is taken, or about to be let go; a PE comes to a meeting,
 * and leaves it; OpenSHMEM is about to end for it. */
void shmem_checked_areas(const struct shmem_pe *self, bool there);
void shmem_checked_saw(const struct shmem_pe *self, const void *address, size_t bytes, uint64_t cause,
                       const char *call);
void shmem_checked_end(const struct shmem_pe *self, const char *call);
void shmem_checked_lock(const struct shmem_pe *self, const void *lock);
void shmem_checked_unlock(const struct shmem_pe *self, const void *lock);
void shmem_checked_come(const struct shmem_pe *self, struct shmem_meeting *m);
void shmem_checked_go(const struct shmem_pe *self, struct shmem_meeting *m);
void shmem_checked_release(struct shmem_job *job);
/* tell.c */
void shmem_tell_start(const struct shmem_pe *self);
void shmem_tell_end(const struct shmem_pe *self);
/* thread.c */
void shmem_thread_enter(struct shmem_pe *self, const char *call);
void shmem_thread_finalize(const struct shmem_pe *self, const char *call);

static inline struct shmem_pe *shmem_pe_of(struct rank *r, const char *call)
{
    struct shmem_pe *self = rank_kept(r, &shmem_slot);
    if (BASE_UNLIKELY(!self))
        shmem_not_initialized(r, call);
    if (BASE_UNLIKELY(self->peers != NULL))
        shmem_peers_touch(self);
    if (BASE_UNLIKELY(r->threads > 1 && self->level != SHMEM_THREAD_MULTIPLE))
        shmem_thread_enter(self, call);
    return self;
}
static inline __attribute__((always_inline)) struct shmem_pe *shmem_enter(const char *call)
{
    return shmem_pe_of(rank_enter(call), call);
}
/* For calls that only issue operations, only query constants, or leave waiting to rma: the PE may be ahead of
 * the clock. */
static inline __attribute__((always_inline)) struct shmem_pe *shmem_enter_issue(const char *call)
{
    return shmem_pe_of(rank_enter_issue(call), call);
}
/* The same in a function that API functions call; `caller`: where they return to. */
static inline __attribute__((always_inline)) struct shmem_pe *shmem_enter_from(const char *call,
                                                                               const void *caller)
{
    struct shmem_pe *self = shmem_enter(call);
    rank_called_from(self->rank, caller);
    return self;
}
static inline void shmem_leave(struct shmem_pe *self, const char *call)
{
    if (BASE_UNLIKELY(self->inside))
        self->inside--;
    rank_leave(self->rank, call);
}

/* ctx.c: for contexts other than the default one. */
struct shmem_contexts;
struct rma_ctx *shmem_ctx_target(const struct shmem_pe *self, shmem_ctx_t ctx, int pe, const char *call,
                                 int64_t *world);
struct rma_ctx *shmem_ctx_stream(const struct shmem_pe *self, shmem_ctx_t ctx, const char *call);
void shmem_ctx_done(const struct shmem_pe *self, shmem_ctx_t ctx);

/* The default context is made when it is first used: a PE that only takes part in collectives needs none. */
struct rma_ctx *shmem_default_make(const struct shmem_pe *self); /* setup.c */
static inline struct rma_ctx *shmem_default(const struct shmem_pe *self)
{
    struct rma_ctx *c = self->ctx;
    return BASE_LIKELY(c != NULL) ? c : shmem_default_make(self);
}
static inline void shmem_default_quiet(const struct shmem_pe *self, const char *call)
{
    if (self->ctx)
        rma_quiet(self->ctx, call);
}
/* Returns the context's stream of operations and the PE number of `pe` in the world. Reports an invalid context. In the
 * default context `pe` is checked later, by shmem_symmetric. shmem_leave_ctx ends the call. */
static inline struct rma_ctx *shmem_target(const struct shmem_pe *self, shmem_ctx_t ctx, int pe,
                                           const char *call, int64_t *world)
{
    if (BASE_UNLIKELY(ctx != SHMEM_CTX_DEFAULT))
        return shmem_ctx_target(self, ctx, pe, call, world);
    *world = pe;
    return shmem_default(self);
}
/* The same for calls without a PE. */
static inline struct rma_ctx *shmem_context(const struct shmem_pe *self, shmem_ctx_t ctx, const char *call)
{
    if (BASE_UNLIKELY(ctx != SHMEM_CTX_DEFAULT))
        return shmem_ctx_stream(self, ctx, call);
    return shmem_default(self);
}
static inline void shmem_leave_ctx(struct shmem_pe *self, shmem_ctx_t ctx, const char *call)
{
    if (BASE_UNLIKELY(ctx != SHMEM_CTX_DEFAULT))
        shmem_ctx_done(self, ctx);
    shmem_leave(self, call);
}

/* region.c: where the symmetric heaps lie; sizes and reserves them. */
void shmem_region_reserve(struct shmem_job *job);
/* As shmem_heap_alloc and _resize; no block lies partly among the heaps' first bytes. */
size_t shmem_region_alloc(struct shmem_job *job, size_t size, size_t alignment);
bool shmem_region_resize(struct shmem_job *job, size_t offset, size_t size);
/* Whose heap contains the address, and at which offset; false: none. */
bool shmem_heap_owner(const struct shmem_job *job, uintptr_t address, uint32_t *pe, size_t *offset);
/* An address in the PE's own heap as an offset, or SHMEM_HEAP_NONE; and an offset as an address. */
static inline size_t shmem_heap_offset(const struct shmem_pe *self, uintptr_t address)
{
    const struct shmem_job *job = self->job;
    size_t at = address - self->heap;
    if (BASE_LIKELY(at - job->dense_end < job->heap.size - job->dense_end))
        return at;
    at = address - (job->dense + self->me * job->dense_slot);
    return at < job->dense_end ? at : SHMEM_HEAP_NONE;
}
static inline uintptr_t shmem_heap_address(const struct shmem_job *job, uint32_t pe, size_t offset)
{
    return offset + (BASE_UNLIKELY(offset < job->dense_end) ? job->dense + pe * job->dense_slot
                                                            : job->region + pe * job->slot);
}

/* check.c: for questions that real libraries answer at any time. Returns the PE also after its last
 * shmem_finalize, with a notice; NULL before the library was initialized, with a warning: the caller then
 * answers as Sandia OpenSHMEM does. */
struct shmem_pe *shmem_pe_asked(struct rank *r, const char *call);
static inline void shmem_leave_asked(struct rank *r, struct shmem_pe *self, const char *call)
{
    if (BASE_LIKELY(self != NULL))
        shmem_leave(self, call);
    else
        rank_leave(r, call);
}

/* check.c: each ends the job with a report if the argument is wrong, unless it says otherwise. */
_Noreturn void shmem_too_many(const struct shmem_pe *self, size_t nelems, size_t size, const char *call);
static inline size_t shmem_bytes(const struct shmem_pe *self, size_t nelems, size_t size, const char *call)
{
    size_t bytes;
    if (BASE_UNLIKELY(__builtin_mul_overflow(nelems, size, &bytes) || bytes > PTRDIFF_MAX))
        shmem_too_many(self, nelems, size, call);
    return bytes;
}
/* Warns of an atomic's word, a signal or a lock that is not aligned: network cards refuse it, processors do
 * not. */
void shmem_misaligned(const struct shmem_pe *self, const void *object, size_t size, const char *call);
void shmem_check_pe(const struct shmem_pe *self, int pe, const char *call);
/* Checks that [address, address + bytes) is symmetric memory of this PE. Does nothing if bytes is 0. */
void shmem_check_symmetric(const struct shmem_pe *self, const void *address, size_t bytes, const char *call);
/* The local buffer of an operation on [remote, remote + bytes) of PE `world` (addresses of this process):
 * [local, local + bytes). It must be the caller's memory and must not overlap the remote one (section 4.3).
 * Slow checks run only if a quick one fails. bytes > 0. */
struct shmem_local {
    const void *local;
    uintptr_t remote;
    size_t bytes;
    int64_t world;
};
void shmem_check_closer(const struct shmem_pe *self, const struct shmem_local *l, const char *call);
static inline void shmem_check_local(const struct shmem_pe *self, const void *local, uintptr_t remote,
                                     size_t bytes, int64_t world, const char *call)
{
    const struct shmem_job *job = self->job;
    uintptr_t at = (uintptr_t)local;
    size_t offset = shmem_heap_offset(self, at);
    if (BASE_LIKELY(at && at - remote >= bytes && remote - at >= bytes) &&
        (offset != SHMEM_HEAP_NONE ? shmem_heap_holds(&job->heap, offset, bytes)
                                   : at - job->dense >= job->heaps))
        return;
    shmem_check_closer(self, &(struct shmem_local){local, remote, bytes, world}, call);
}
/* The same for n blocks of `size` bytes, their strides in bytes. */
struct shmem_rows {
    size_t size, n;
    ptrdiff_t remote_stride, local_stride;
};
void shmem_check_strided(const struct shmem_pe *self, const struct shmem_local *l, const struct shmem_rows *s,
                         const char *call);

/* memory_log.c: registers this PE's call on the symmetric heap; reports if the PEs make different ones. */
void shmem_heap_enter_log(struct shmem_pe *self, const struct shmem_heap_call *call);

/* lock_held.c */
void shmem_locks_check(const struct shmem_pe *self,
                       const char *call); /* warns of locks that it still holds */
void shmem_locks_drop(struct shmem_pe *self);

/* origin.c: symmetric objects in words, for reports. */
#define SHMEM_NAME_SIZE 320
/* "heap block+16 of 800 bytes (shmem_malloc in build_mesh, mesh.c:41)", "grid+16 (800 bytes, mesh.c:12)". */
void shmem_object_name(const struct shmem_pe *self, uintptr_t address, char *buf, size_t size);
/* The same for any rank and address, if it is in a symmetric heap (rank_on_address). */
bool shmem_address_explain(struct rank *r, uintptr_t address, char *buf, size_t size);
void shmem_heap_describe(struct rank *r, size_t offset, size_t bytes, char *buf, size_t size);
/* " (in build_mesh, mesh.c:41)", or "" if unknown. */
#define SHMEM_PLACE_SIZE 200
char *shmem_place_name(const struct shmem_job *job, struct rank_code code, char *buf, size_t size);
/* "shmem_malloc in build_mesh, mesh.c:41". */
char *shmem_origin_name(const struct shmem_job *job, const struct shmem_heap_origin *o, char *buf,
                        size_t size);

/* folded.c: symmetric blocks of which all PEs have one copy. */
static inline bool shmem_folded_contains(const struct shmem_job *job, const void *p)
{
    return job->folded_heap && (uintptr_t)p - job->folded_base < job->folded_heap->size;
}
void shmem_folded_free(struct shmem_pe *self, const char *name, const void *p); /* p is contained */
void shmem_folded_begin_anew(struct shmem_job *job);
void shmem_folded_release(struct shmem_job *job);

/* transfer.c: dst and sst in elements; block: elements of a block. */
struct shmem_strides {
    ptrdiff_t dst, sst;
    size_t block, count;
    const void *caller; /* where the API function returns to */
};
void shmem_core_put(const struct shmem_form *f, shmem_ctx_t ctx, void *dest, const void *source,
                    size_t nelems, int pe);
void shmem_core_get(const struct shmem_form *f, shmem_ctx_t ctx, void *dest, const void *source,
                    size_t nelems, int pe);
/* The same for one element; `caller`: where the API function returns to. */
void shmem_core_put_value(const struct shmem_form *f, shmem_ctx_t ctx, void *dest, const void *value, int pe,
                          const void *caller);
void shmem_core_get_value(const struct shmem_form *f, shmem_ctx_t ctx, void *value, const void *source,
                          int pe, const void *caller);
void shmem_core_put_strided(const struct shmem_form *f, shmem_ctx_t ctx, void *dest, const void *source,
                            const struct shmem_strides *s, int pe);
void shmem_core_get_strided(const struct shmem_form *f, shmem_ctx_t ctx, void *dest, const void *source,
                            const struct shmem_strides *s, int pe);

/* strides.c: an item is `block` bytes; the next begins `stride` bytes after its start. */
const struct types_layout *shmem_layout(struct shmem_job *job, size_t block, ptrdiff_t stride);
void shmem_layouts_release(struct shmem_job *job);

/* atomic.c: values by their bits in the low bytes. */
uint64_t shmem_core_fetch(const struct shmem_form *f, shmem_ctx_t ctx, const void *object, uint64_t operand,
                          uint64_t compare, int pe, const void *caller);
void shmem_core_fetch_nbi(const struct shmem_form *f, shmem_ctx_t ctx, void *fetched, const void *object,
                          uint64_t operand, uint64_t compare, int pe, const void *caller);
void shmem_core_post(const struct shmem_form *f, shmem_ctx_t ctx, void *object, uint64_t operand, int pe,
                     const void *caller);

/* signal.c */
struct shmem_signal {
    uint64_t *sig_addr;
    uint64_t value;
    int op; /* SHMEM_SIGNAL_SET, SHMEM_SIGNAL_ADD */
    const void *caller;
};
void shmem_core_put_signal(const struct shmem_form *f, shmem_ctx_t ctx, void *dest, const void *source,
                           size_t nelems, const struct shmem_signal *s, int pe);
void shmem_core_signal(const char *call, shmem_ctx_t ctx, const struct shmem_signal *s, int pe);
uint64_t shmem_core_signal_fetch(const char *call, const uint64_t *sig_addr);

/* wait.c: an array of variables and the values to compare them with, sign-extended. */
enum shmem_need { SHMEM_ALL, SHMEM_ANY, SHMEM_SOME };
struct shmem_ivars {
    const void *ivars;
    size_t n;
    const int *status; /* nonzero: left out; NULL: none is */
    int cmp;
    uint64_t value;     /* for all of them, unless */
    const void *values; /* one for each is given here */
};
/* Returns the value that satisfied the condition. */
uint64_t shmem_core_wait(const struct shmem_form *f, const void *ivar, int cmp, uint64_t value);
int shmem_core_test(const struct shmem_form *f, const void *ivar, int cmp, uint64_t value);
/* Returns ALL: 1 (test: 0 if one does not hold); ANY: an index or SIZE_MAX; SOME: how many, listed in
 * `indices`. */
size_t shmem_core_wait_many(const struct shmem_form *f, const struct shmem_ivars *set, enum shmem_need need,
                            size_t *indices);
size_t shmem_core_test_many(const struct shmem_form *f, const struct shmem_ivars *set, enum shmem_need need,
                            size_t *indices);

/* collective.c: who takes part: a team, or an active set with its pSync. */
struct shmem_who {
    shmem_team_t team;
    bool set;
    int start, log_stride, size;
    const long *psync;
    bool last; /* the collective is the last step of the call */
    const void *caller;
};
void shmem_core_alltoall(const struct shmem_form *f, const struct shmem_who *who, void *dest,
                         const void *source, size_t nelems);
void shmem_core_alltoalls(const struct shmem_form *f, const struct shmem_who *who, void *dest,
                          const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
void shmem_core_broadcast(const struct shmem_form *f, const struct shmem_who *who, void *dest,
                          const void *source, size_t nelems, int root);
void shmem_core_collect(const struct shmem_form *f, const struct shmem_who *who, void *dest,
                        const void *source, size_t nelems);
/* `work`: the active set's pWrk, else NULL. */
void shmem_core_reduce(const struct shmem_form *f, const struct shmem_who *who, void *dest,
                       const void *source, size_t nelems, const void *work, struct coll_operator op);
/* A barrier without quiet, under the name that the other members use, too. */
void shmem_core_sync(struct shmem_pe *self, const struct shmem_who *who, const char *call);
/* What shmem_barrier_all does, for the functions that imply it. */
void shmem_barrier_in(struct shmem_pe *self, const char *call);

/* team.c */
struct shmem_team_view { /* a team as its member sees it */
    struct coll_group group;
    uint32_t me;
};
void shmem_team_find(const struct shmem_pe *self, shmem_team_t team, struct shmem_team_view *out,
                     const char *call);

#include "shmem/symmetric.h"

#endif
