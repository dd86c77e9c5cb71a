/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts: what the files of win/ share.
 *
 * A window is two records: struct mpi_window, which all members share, with a pane for each member: its
 * memory, and the state that others change; and each member's own struct mpi_win, behind the handle. Data
 * moves by operations of rma/, in a context per window and member. Synchronization is control messages
 * (control.c): one-sided, too, carried out by the target's network card (or its CPU, with the fabric's
 * profile `software`), so that no target has to call anything.
 *
 * Invariants M50 A window lives until all members have freed it and no control message is under way. M51 A
 * lock's holders are compatible, and the first of its queue is not compatible with them. M52 Between calls,
 * `access` and `exposure` are states of the table in epoch.c.
 */
#ifndef PGASIM_MPI_WIN_PARTS_H
#define PGASIM_MPI_WIN_PARTS_H

#include "mpi/calls.h"
#include "mpi/comm/comm.h"
#include "mpi/info/info.h"
#include "mpi/message/message.h"
#include "mpi/win/win.h"
#include "rma/rma.h"

struct mpi_control;
struct mpi_regions;

/* --- windows (window.c) ------------------------------------------------------------------------------ */

/* Who holds a lock, and who waits for it, in order of arrival. */
struct mpi_lock {
    uint32_t shared, exclusive; /* holders */
    uint32_t leaving;           /* of them: their release is under way */
    uint32_t holder;            /* the last member that was granted it exclusively */
    bool many;                  /* the window's: exclusive ones exclude only shared ones */
    struct mpi_control *first, *last;
    rank_moment after_exclusive, after_shared; /* after all holders so far: for a checker */
};

/* A member's part of the window. */
struct mpi_pane {
    uintptr_t base;
    uint64_t size;
    int64_t unit;
    unsigned char *public_copy; /* separate model (separate.c); NULL: the memory itself */
    unsigned char *known;
    struct mpi_regions *regions; /* attached memory of a dynamic window; NULL: none */
    struct mpi_lock lock;
    struct base_table *posts;    /* MPI_Win_post calls to it that no start has used: mpi_posts, by member */
    uint32_t completed;          /* MPI_Win_complete calls to it that no wait has used, */
    rank_moment order;           /* and what came before them */
    bool exposed;                /* between MPI_Win_post and _wait */
    uint32_t posted;             /* where: its rank's `caller` */
    struct engine_actor *starts; /* waits in MPI_Win_start for a post */
    struct engine_actor *waits;  /* waits in MPI_Win_wait */
    uint64_t sent_below;         /* for listeners: its operations before its last MPI_Win_complete, */
    uint32_t sent_by;            /* in this context; 0: none */
};
struct mpi_posts {
    uint32_t n;
    rank_moment order; /* what came before them */
};

struct mpi_window {
    uint32_t references; /* members that have it */
    uint32_t under_way;  /* control messages */
    uint16_t flavor;     /* MPI_WIN_FLAVOR_... */
    bool contiguous;     /* shared memory in the order of members, without gaps */
    bool separate;       /* the separate memory model */
    bool over;           /* freed by all */
    struct mpi_job *job;
    uint32_t n;
    uint32_t exposures;      /* panes that are exposed */
    struct coll_group group; /* a reference */
    unsigned char *memory;   /* of all members, which the window allocated; NULL: none */
    uint64_t bytes;
    struct mpi_lock all;             /* MPI_Win_lock_all, and whoever holds exclusive locks; at member 0 */
    struct mpi_window *next, **link; /* of the job's */
    struct mpi_pane pane[];
};

/* A member's record. What operations touch comes first, in two lines of the cache. */
struct mpi_win {
    struct mpi_guarded guarded; /* first */
    struct mpi_window *window;  /* a reference */
    struct rma_ctx *ctx;        /* NULL: no operation so far */
    uint32_t me;
    uint32_t only;             /* the one rank that operations which are not complete go to, */
    bool several;              /* or they go to several */
    uint8_t access;            /* enum mpi_access */
    bool used;                 /* an operation was issued in the epoch that a fence opened */
    bool nocheck;              /* MPI_Win_lock_all was asserted MPI_MODE_NOCHECK */
    bool no_locks, unordered;  /* hints */
    bool starts_later;         /* MPI_Win_start has not waited for all posts yet (active.c) */
    uint32_t later;            /* the member whose lock is still to be acquired (lock.c), + 1; 0: none */
    struct base_table *locks;  /* struct mpi_held, by member; NULL: none so far */
    struct rma_page page;      /* of the last word that was updated */
    struct coll_group targets; /* of MPI_Win_start */
    struct mpi_rank *owner;
    struct mpi_comm *comm; /* the duplicate on which it was built, without a handle */
    struct mpi_pane *mine;
    uint32_t opened;             /* where the epoch began: a rank's `caller` */
    const char *opener;          /* the call that did; literal */
    struct coll_group origins;   /* of MPI_Win_post */
    uint32_t started;            /* of the targets: whose posts have been used */
    uint32_t locked, exclusives; /* locks that it holds, exclusive ones */
    char *name;                  /* NULL: none was set */
    struct mpi_info *info;       /* hints; NULL: none */
    struct mpi_attributes *attributes;
    struct mpi_value predefined[5]; /* of MPI_WIN_BASE and its like; programs keep pointers to them */
    MPI_Aint size;                  /* the attribute */
};
enum { MPI_WIN_ROOM = (sizeof(struct mpi_win) + 63) / 64 * 64 };

/* A lock that a member holds. */
struct mpi_held {
    bool exclusive, unchecked;
};

/* What a member brings to a new window. */
struct mpi_share {
    uintptr_t base;
    uint64_t size;
    int64_t unit;
    uint64_t align;
    uint16_t flavor;
    bool apart; /* alloc_shared_noncontig */
};

struct mpi_windows; /* a job's */
struct mpi_windows *mpi_windows_of(struct mpi_job *job);

/* hints.c */
void mpi_win_hint(struct mpi_call *c, struct mpi_win *w, MPI_Info info);
/* A window's handle, or fails with MPI_ERR_WIN, which *rc then is. The rank's last one is found at once. */
struct mpi_win *mpi_win_look(struct mpi_call *c, MPI_Win win, int *rc);
static inline struct mpi_win *mpi_win_of(struct mpi_call *c, MPI_Win win, int *rc)
{
    struct mpi_win *last = c->self->last_win;
    return BASE_LIKELY(last && last->guarded.object.handle == (uintptr_t)win) ? last
                                                                              : mpi_win_look(c, win, rc);
}
/* Collective: the member's record of a new window; NULL: *rc is the error. */
struct mpi_win *mpi_win_build(struct mpi_call *c, MPI_Comm comm, struct mpi_share *mine, MPI_Info info,
                              int *rc);
void mpi_win_release(struct mpi_win *w);
void mpi_window_release(struct mpi_window *v); /* a reference, or a control message that is over */
static inline struct rank *mpi_win_member(const struct mpi_window *v, uint32_t member)
{
    return rank_at(v->job->job, coll_group_rank(&v->group, member));
}
/* "window 'halo' of 4 ranks (MPI_Win_create)": for reports. Returns buf. */
char *mpi_win_text(const struct mpi_win *w, char *buf, size_t size);
extern const struct rma_names mpi_win_names;
/* Its context, made when first needed, for an operation on a rank's memory. */
struct rma_ctx *mpi_win_ctx_make(struct mpi_win *w);
static inline struct rma_ctx *mpi_win_ctx(struct mpi_win *w, const struct rank *to)
{
    struct rma_ctx *x = BASE_LIKELY(w->ctx != NULL) ? w->ctx : mpi_win_ctx_make(w);
    if (w->only == to->id)
        return x;
    w->several = !rma_ctx_idle(x);
    w->only = to->id;
    return x;
}

/* --- memory (memory.c) ------------------------------------------------------------------------------- */

/* Lays the members' memory out and maps it, for windows that allocate it. false: the machine has not
 * enough. */
bool mpi_win_allocate_all(struct mpi_window *v, struct mpi_told *told);
void mpi_win_unmap(struct mpi_window *v);
/* Dynamic windows (dynamic.c): whether [address, address + bytes) is attached. */
void mpi_regions_told(const struct mpi_regions *r, struct rank *of, bool there); /* to a checker */
bool mpi_regions_hold(const struct mpi_regions *r, uintptr_t address, uint64_t bytes);
void mpi_regions_forget(const struct mpi_regions *r, struct rank *of); /* their frames */
void mpi_regions_release(struct mpi_regions *r);

/* separate.c: makes public copies; and carries the member's own changes to its copy (publish), or others'
 * changes of the copy to the member (refresh). */
void mpi_win_separate(struct mpi_window *v);
void mpi_win_publish(const struct mpi_win *w);
void mpi_win_refresh(const struct mpi_win *w);

/* --- epochs (epoch.c) -------------------------------------------------------------------------------- */

enum mpi_access {
    MPI_ACCESS_NONE,
    MPI_ACCESS_FENCED,
    MPI_ACCESS_STARTED,
    MPI_ACCESS_LOCKED,
    MPI_ACCESS_ALL,
    MPI_ACCESSES
};
enum mpi_step { /* calls that open or close epochs, or need one */
                MPI_STEP_FENCE,
                MPI_STEP_START,
                MPI_STEP_COMPLETE,
                MPI_STEP_POST,
                MPI_STEP_WAIT,
                MPI_STEP_LOCK,
                MPI_STEP_UNLOCK,
                MPI_STEP_LOCK_ALL,
                MPI_STEP_UNLOCK_ALL,
                MPI_STEP_FLUSH,
                MPI_STEP_FREE,
                MPI_STEPS
};
/* MPI_SUCCESS if the call is allowed now, or fails with MPI_ERR_RMA_SYNC. */
int mpi_epoch_check(struct mpi_call *c, struct mpi_win *w, enum mpi_step step);
/* Opens an access epoch. */
void mpi_epoch_open(struct mpi_call *c, struct mpi_win *w, enum mpi_access access);
void mpi_epoch_close(struct mpi_win *w);
/* An operation on a member's memory is issued: the same for MPI_ERR_RMA_SYNC. */
int mpi_epoch_access(struct mpi_call *c, struct mpi_win *w, uint32_t member);

/* --- where operations go (reach.c) -------------------------------------------------------------------- */

/* count items of a datatype at a displacement of a member's memory. */
struct mpi_place {
    struct rma_target target; /* rank NULL: MPI_PROC_NULL */
    struct rma_items items;
    uint64_t bytes; /* of data */
    uintptr_t own;  /* the target's address in its own terms; another one than the operation's if it has a
                     * public copy */
};
int mpi_reach(struct mpi_call *c, struct mpi_win *w, int rank, MPI_Aint disp, MPI_Count count,
              MPI_Datatype datatype, struct mpi_place *out);
/* A member's number, or fails with MPI_ERR_RANK. */
int mpi_win_rank(struct mpi_call *c, struct mpi_win *w, int rank);

/* --- requests (request.c) ----------------------------------------------------------------------------- */

/* The next operation of the window completes a new request. */
int mpi_win_request(struct mpi_call *c, struct mpi_win *w, MPI_Request *request);

/* --- control messages (control.c) and locks (lock.c) ------------------------------------------------- */

enum mpi_control_kind {
    MPI_CONTROL_LOCK,
    MPI_CONTROL_UNLOCK,
    MPI_CONTROL_POST,
    MPI_CONTROL_COMPLETE,
    MPI_CONTROLS
};
/* One on its way, or a request that waits for its lock. */
struct mpi_control {
    struct fabric_op op; /* first */
    struct mpi_window *window;
    uint32_t from, to; /* members */
    uint8_t kind;      /* enum mpi_control_kind */
    bool exclusive;
    bool all; /* about the lock `all` of the window, not a member's */
    bool granted;
    uint32_t caller;   /* where it was sent: its rank's */
    rank_moment order; /* what came before it: its sender's past, or that of a lock's holders */
    struct engine_actor *waits;
    struct mpi_control *next; /* in a lock's queue */
    uint64_t number;          /* of the message in the trace, a grant having its own; 0: none */
    const char *call;         /* which sent it; literal */
};
/* Sends one, whose kind, member and flags are given. Returns the record of a request for a lock. */
struct mpi_control *mpi_control_send(struct mpi_call *c, struct mpi_win *w, struct mpi_control what);
/* Waits until the lock is granted; the record is gone then. */
void mpi_control_await(struct mpi_call *c, struct mpi_control *k);
/* What happens at the target, in an event; registered at start-up. A request stays until it is granted. */
typedef void (*mpi_control_fn)(struct mpi_control *k);
void mpi_control_on(enum mpi_control_kind kind, mpi_control_fn fn);
void mpi_control_grant(struct mpi_control *k);
void mpi_controls_open(struct mpi_windows *ws);
void mpi_active_register(void); /* at start-up */
void mpi_lock_register(void);
/* MPI_Win_lock and MPI_Win_start need not wait themselves (sections 12.5.2, 12.5.3): what they have put off is
 * done now. */
void mpi_lock_now(struct mpi_call *c, struct mpi_win *w);
void mpi_start_now(struct mpi_call *c, struct mpi_win *w);
void mpi_control_register(void);

/* misuse.c: memory that is locked and exposed by MPI_Win_post at a time is a mistake (12.5.3), whichever comes
 * first; so are buffers of one call that overlap. */
void mpi_window_expose(struct mpi_call *c, struct mpi_win *w);
void mpi_window_cover(struct mpi_win *w);
void mpi_misuse_free(const struct mpi_call *c, const struct mpi_win *w); /* the window is freed */
void mpi_misuse_locked(const struct mpi_control *k); /* a request for a lock has arrived */
void mpi_misuse_overlap(const struct mpi_call *c, const char *a, const void *x, const char *b, const void *y,
                        uint64_t bytes);

/* checked.c: what checkers are told. Memory of a member can be reached by others, or no longer; what the
 * window's context is; a lock is granted, a release has arrived; MPI_Win_complete, MPI_Win_wait and
 * MPI_Win_sync are over. */
void mpi_checked_pane(const struct mpi_window *v, uint32_t member, bool there);
void mpi_checked_area(struct rank *r, uintptr_t base, uint64_t size, bool there);
void mpi_checked_stream(const struct mpi_win *w);
void mpi_checked_granted(struct mpi_control *k, const struct mpi_lock *l);
void mpi_checked_released(struct mpi_control *k, struct mpi_lock *l);
void mpi_checked_lock_forget(const struct mpi_lock *l);
void mpi_checked_complete(const struct mpi_win *w);
void mpi_checked_exposed(const struct mpi_call *c, const struct mpi_win *w);
void mpi_checked_copies(const struct mpi_win *w);

/* What a job keeps. */
struct mpi_windows {
    struct mpi_job *job;
    struct base_pool controls, wins;
    struct mpi_window *first;
    struct fabric_handler handler;
};

/* --- synchronization ---------------------------------------------------------------------------------- */

/* Waits until the member's operations are complete, at all targets or at one (flush.c). The second
 * only promises that they are locally complete. */
void mpi_win_complete_all(struct mpi_call *c, struct mpi_win *w);
void mpi_win_drain(struct mpi_call *c, struct mpi_win *w);
void mpi_win_complete_at(struct mpi_call *c, struct mpi_win *w, uint32_t member);
/* All members are here (active.c). */
void mpi_win_barrier(struct mpi_call *c, struct mpi_win *w);

#endif
