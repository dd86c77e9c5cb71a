/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts: what the detector's memory is made of.
 *
 *   strand   a thread of a rank: its clock, its count of releases, the calls that it is in (strand.c)
 *   moment   what a strand knew when it released; carried by messages, locks, collectives (moment.c)
 *   place    where in the program something was done: call, code address, calls above (place.c)
 *   end      when operations that are completed together are over, at the origin and at the target (end.c)
 *   access   what one strand does to memory, between two releases, from one place, with one end (access.c)
 *   state    the accesses that still matter to a cell of memory: a list, shared by all such cells (state.c)
 *   word     what an atomic or a wait learns from the last updates of a word (word.c)
 *
 * Access a comes before access b if a's end lies in what the strand of b knew when b began: its clock. The end
 * of a load or store is its own strand's count; that of an operation is the count of the strand that completed
 * it, at that moment; none as long as nobody did.
 *
 * Invariants
 *  A1  A strand's count rises with each release, so that what it does later is not taken for earlier.
 *  A2  Each pair of accesses to a cell is judged once, when the second one begins.
 *  A3  A state never changes; state 0 has no accesses.
 */
#ifndef PGASIM_CHECK_RACE_PARTS_H
#define PGASIM_CHECK_RACE_PARTS_H

#include "check/clock/clock.h"
#include "check/finding/finding.h"
#include "check/race/race.h"
#include "check/shadow/shadow.h"
#include "rma/rma.h"

/* A call in which a strand released something, as the rank has it. */
struct race_release {
    uint32_t count; /* the strand's */
    int32_t call;
    uint32_t caller;
};
enum { RACE_RELEASES = 8 };

struct race_strand {
    uint32_t id, count;
    struct rank *rank;
    uint32_t thread;
    uint32_t stack;    /* the calls that it is in: a number of place.c */
    uint32_t released; /* its count at its last release; 0: none */
    bool learned;      /* it has learned something since */
    uint32_t caller;   /* the rank's, while another thread runs */
    int32_t call;
    uint64_t stored;                 /* stores to memory that is followed, until it was `now` last */
    rank_moment got;                 /* what the value tells that its blocking atomic fetches */
    rank_moment relaxed, fence;      /* object.c */
    rank_moment base;                /* its clock, as long as it learns nothing; 0: not made yet */
    BASE_ARRAY(const void *) frames; /* of the calls in `stack` */
    uintptr_t held_low, held_high; /* the part of its stack that operations may use; high 0: none (frame.c) */
    struct clock clock;
    struct race_release calls[RACE_RELEASES]; /* the last ones: a ring */
    uint32_t called;
};

struct race_moment {
    struct clock clock;
    struct clock_seen seen;
    uint32_t refs;
    uint32_t free; /* the next free one */
};

/* What an update of a word tells: a moment of which many updates tell, and what this one has beside. */
struct race_told {
    rank_moment moment; /* held; 0: nothing */
    uint32_t strand, count;
    uint32_t lane; /* 0: none */
    uint32_t fences;
};

struct race_place {
    const char *call; /* NULL: a load or a store */
    struct rank *rank;
    uint64_t code;          /* a return address; 0: not known */
    uint32_t stack;         /* the calls above; 0: not known */
    bool low;               /* `code` is its low 32 bits */
    bool asked, ours;       /* it is not in the program's code, as far as asked */
    struct rank_code found; /* instead of `code`, if it has an object */
    uint32_t line;          /* number of its name (report.c); 0: not asked for */
};

enum race_kind {
    RACE_READ,
    RACE_WRITE,
    RACE_FETCH, /* atomic, and so is the next */
    RACE_UPDATE,
    RACE_UNSET, /* memory was allocated, and has no value yet */
};
static inline bool race_writes(enum race_kind k)
{
    return k & 1;
}
static inline bool race_is_atomic(enum race_kind k)
{
    return k & 2;
}

struct race_access {
    uint32_t strand, count; /* when it began */
    uint32_t place;
    uint32_t end;  /* 0: at once */
    uint32_t unit; /* of an atomic: those of another unit are not atomic towards it */
    uint8_t kind;  /* enum race_kind */
    uint8_t op;    /* of an atomic that may meet only its own kind: its operator + 1; 0: any other */
    bool in_turn;  /* as an operation's (struct rma_issue) */
    bool remote;   /* over when its operation is complete at the target, not at the origin */
    bool sets;     /* of an update: whatever the old value was */
    bool seen;     /* somebody may see that it was done, and of no other of this end and count */
};

/* The moment at which something is over; count 0: not yet. */
struct race_over {
    uint32_t strand, count, place;
};
struct race_pin {
    uint64_t low, high;
};
/* A strand that has learned of a delivery from memory; of the first RACE_KNOWERS. */
struct race_knower {
    uint32_t strand, count, next; /* next: 0: the last one */
};
enum { RACE_KNOWERS = 64, RACE_SOME = UINT32_MAX - 1, RACE_NOBODY = UINT32_MAX };
struct race_end {
    struct race_over local, remote;
    uint32_t knowers;                 /* a list; 0: none */
    uint32_t strand, count;           /* who issued them, and when */
    uint32_t place;                   /* of a call's buffers, or of the first operation */
    uint32_t origin, context, target; /* of one-sided operations; origin RACE_NOBODY: of a call */
    uint64_t fences;
    uint64_t operation;               /* the first one's number */
    bool ordered;                     /* fences order their deliveries */
    bool alone;                       /* it serves one operation, and no other may join it */
    uint32_t served;                  /* operations, without those of which somebody has learned (race_see) */
    bool sent;                        /* the target will learn of its delivery (RMA_SYNC_SENT) */
    bool last;                        /* only the end of the API completes it */
    uint32_t handle;                  /* of an access to a file (file.c); 0: to memory */
    uint32_t also;                    /* the end of the access to a file that the call makes; 0: none */
    uint32_t next;                    /* of the open ends of the context, or the handle; of the free ones */
    rank_moment got;                  /* what fetched values tell */
    uint32_t access[RMA_AREAS];       /* of the operations' areas; 0: none, or of several kinds */
    BASE_ARRAY(struct race_pin) pins; /* of private memory, until it is locally over */
};

/* State RACE_ONE | a is access a alone, to all bytes of the cell: most states are of this kind, and have no node. */
enum { RACE_ALL = 15 };
#define RACE_ONE (UINT32_C(1) << 31)
struct race_node {
    uint32_t item; /* access << 4 | bytes of the cell */
    uint32_t rest; /* the state without it */
    uint32_t skip; /* the first part of `rest` of another sort */
};

struct race_kept {
    uint32_t item, left; /* the bytes that still matter */
};

/* The last accesses of instrumented code, by place. */
struct race_recent {
    const void *pc;
    uint64_t era;
    uint32_t stack;
    uint32_t access, from, to;
};
enum { RACE_RECENT = 1024, RACE_MEMO = 1 << 15 };

/* What a write writes: value.c. */
struct race_value {
    struct rank *rank;
    uintptr_t address;
    uint64_t bytes; /* 0: not known */
    uint64_t hash;
    bool known; /* the hash is */
};
struct race_suspect {
    uint32_t earlier, later;
    uint64_t where;
    struct race_value value;
    uint64_t hash; /* of what the earlier one wrote */
};

#endif
