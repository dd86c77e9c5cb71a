/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts: what the files of race/ share.
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
    uint32_t next;                    /* of the open ends of the context; of the free ones */
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

struct race {
    struct rank_job *job;
    struct engine *engine;
    struct shadow shadow;
    uintptr_t static_low, static_high; /* addresses that mean other memory at each rank */
    uintptr_t static_page;             /* of the lowest */
    struct clock_nodes *nodes;
    const struct rank *quick; /* whose loads and stores may take the shortest way; never NULL (plain.c) */
    BASE_ARRAY(struct race_pin) exchanged; /* addresses at which each thread has bytes of its own */
    uint64_t quick_own;                    /* key of its own memory, less the address */
    struct race_strand *now;               /* NULL: to be looked up */
    uint64_t era;                          /* of `now`: who it is, and its count, which is not 0; 0: none */
    struct race_strand *first;             /* of each rank */
    struct base_table others;              /* rank, thread -> struct race_strand * */
    struct base_table by_id;               /* of these -> struct race_strand * */
    struct base_pool strands;
    uint32_t ids; /* given to strands and lanes */
    BASE_ARRAY(struct race_moment) moments;
    uint32_t free_moment, moments_live;
    BASE_ARRAY(struct race_place) places;
    struct base_table place_numbers, stacks; /* by their bytes; (above, address) -> number */
    BASE_ARRAY(uint64_t) stack_of;           /* pairs: above, address */
    BASE_ARRAY(struct race_access) accesses;
    bool traced;              /* the run's trace has races */
    BASE_ARRAY(double) times; /* of the accesses, if it has: own times of ranks */
    BASE_ARRAY(struct race_end) ends;
    BASE_ARRAY(uint32_t) unwaited; /* ends that were open when the API ended */
    uint32_t free_end;
    BASE_ARRAY(struct race_knower) knowers;
    uint32_t free_knower;
    struct base_table contexts, lanes, operations, requests, words, fetches;
    struct base_table parts, deliveries; /* part.c */
    struct base_table declared, atomics; /* key -> rank_moment: object.c */
    BASE_ARRAY(struct race_node) states;
    struct base_table state_numbers;   /* item, rest -> number: equal lists have one */
    BASE_ARRAY(struct race_kept) kept; /* while a state is judged */
    struct {
        uint32_t state, item, next;
    } memo[RACE_MEMO];
    struct race_recent recent[2][RACE_RECENT];
    uint64_t stored; /* stores of `now` to memory that is followed */
    bool lent;       /* what the running thread loads and stores is a call's (rank_order_lend) */
    uint64_t where;  /* the cell that is being judged */
    uint64_t upto;   /* the end of the access that is being judged */
    uint32_t wanted; /* bit k: enum finding_kind k is reported */
    bool blind;      /* some of the program's code is not instrumented */
    uint64_t ignored[FINDING_KINDS];
    struct race_value value;                  /* of the write that is being judged */
    struct base_table values;                 /* of operations: end -> struct race_value */
    BASE_ARRAY(struct race_suspect) suspects; /* stores that may write what is there already */
    uint64_t unsure;                          /* judgements that hold for these values only */
    BASE_ARRAY(struct race_copies) copies;    /* windows of two copies */
    struct base_table hints;                  /* place of a call -> struct race_hint */
    struct finding_log *log;
    /* race_report and race_sweep_if_due: what judges accesses does not depend on the files that name places, or
     * that know who refers to what. */
    void (*report)(struct race *d, enum finding_kind kind, uint32_t earlier, uint32_t later);
    void (*sweep_if_due)(struct race *d);
    struct base_table pairs;              /* of lines that race -> number of the finding + 1 */
    BASE_ARRAY(struct rank_source) lines; /* of places */
    struct base_table variants;   /* of what rules may tell apart -> number of the rule + 1; 0: none */
    struct base_table suppressed; /* (pair of lines, rule) */
    size_t sweep_at;
    struct race_counts counts;
};

/* Whether findings of this kind are reported. What instrumentation does not see may have given memory its value. */
static inline bool race_wants(const struct race *d, enum finding_kind k)
{
    return d->wanted >> k & 1 && !(d->blind && k == FINDING_UNINITIALISED);
}

/* The detector of this process: instrumented code passes none. */
extern struct race *race_checked;

/* Whether ranks have memory of their own at an address. */
static inline bool race_is_own(const struct race *d, uintptr_t address)
{
    return address - d->static_low < d->static_high - d->static_low;
}
static inline uint64_t race_key(const struct race *d, const struct rank *r, uintptr_t address)
{
    return BASE_UNLIKELY(race_is_own(d, address)) ? shadow_key(r->id + 1, address - d->static_page) : address;
}

/* strand.c */
struct race_strand *race_strand_look_up(struct race *d);
struct race_strand *race_strand_of(struct race *d, struct rank *r, const struct engine_actor *a);
static inline struct race_strand *race_strand_now(struct race *d)
{
    return BASE_LIKELY(d->now != NULL) ? d->now : race_strand_look_up(d);
}
static inline void race_strand_forget(struct race *d)
{
    if (d->now)
        d->now->stored += d->stored;
    d->stored = 0;
    d->now = NULL;
    d->quick = (const void *)d;
    d->era = 0;
}
void race_strands_init(struct race *d);
void race_strands_release(struct race *d);
void race_strand_end(struct race *d, struct race_strand *s);
void race_strand_raise(struct race *d, struct race_strand *s);
const struct race_strand *race_strand_find(const struct race *d, uint32_t id);
static inline bool race_knows(const struct race_strand *s, uint32_t strand, uint32_t count)
{
    return strand == s->id || clock_get(&s->clock, strand) >= count;
}

/* moment.c */
extern const struct rank_checker race_checker;
rank_moment race_release(struct race *d, struct race_strand *s);
/* The same within a call of an API, which reports may name. */
rank_moment race_release_in_call(struct race *d, struct race_strand *s);
void race_acquire(struct race *d, struct race_strand *s, rank_moment m);
/* The same without a moment of its own; nothing is in it but what race_told_... below understand. */
struct race_told race_release_in_update(struct race *d, struct race_strand *s);
void race_told_acquire(struct race *d, struct race_strand *s, const struct race_told *t);
rank_moment race_told_moment(struct race *d, struct race_told *t); /* a copy */
void race_told_raise(struct race *d, struct race_told *t, uint32_t id, uint32_t count);
rank_moment race_moment_join(struct race *d, rank_moment a, rank_moment b);
rank_moment race_moment_copy(struct race *d, rank_moment m);
void race_moment_forget(struct race *d, rank_moment m);
bool race_moment_knows(const struct race *d, rank_moment m, uint32_t strand, uint32_t count);
void race_moments_release(struct race *d);

/* place.c */
uint32_t race_place(struct race *d, const struct race_place *p);
uint32_t race_place_of_call(struct race *d, struct rank *r, const char *call);
uint32_t race_stack_enter(struct race *d, uint32_t above, const void *pc);
uint32_t race_stack_above(const struct race *d, uint32_t stack);
void race_place_source(const struct race *d, uint32_t place, struct rank_source *out);

/* frame.c */
void race_frame_hold(struct race *d, const struct rank *r, uint64_t low, uint64_t high);
void race_frame_ends(struct race *d, struct race_strand *s, const void *pc, const void *frame);

/* end.c */
uint32_t race_end_create(struct race *d, const struct race_end *e);
void race_end_local(struct race *d, uint32_t end, const struct race_strand *s, uint32_t place);
void race_end_remote(struct race *d, uint32_t end, const struct race_strand *s, uint32_t place);
/* The strand knows that it is over at the target. */
void race_end_known(struct race *d, uint32_t end, const struct race_strand *s);
void race_end_free(struct race *d, uint32_t end);
void race_end_pin(struct race *d, uint32_t end, const struct rank *r, uint64_t low, uint64_t high);
/* An end like another, of one of its operations. */
uint32_t race_end_split(struct race *d, uint32_t end);
void race_ends_release(struct race *d);

/* access.c */
uint32_t race_access_add(struct race *d, const struct race_access *a);
/* Access `id` to bytes of a rank's memory. */
struct race_bytes {
    struct rank *rank;
    uintptr_t address;
    size_t bytes;
};
void race_apply(struct race *d, uint32_t id, const struct race_bytes *b);

/* The cells of bytes in [low, high), by key; `follow`: also if they are no memory. */
void race_apply_key(struct race *d, uint32_t id, uint64_t low, uint64_t high, bool follow);

/* plain.c */
void race_plain(struct race *d, uintptr_t address, size_t bytes, enum race_kind kind, const void *pc,
                const char *call);

/* state.c */
/* Access a is over, as far as whoever makes b knows. */
bool race_is_over(struct race *d, const struct race_access *a, const struct race_access *b);
uint32_t race_state_judge(struct race *d, uint32_t state, uint32_t item);
uint32_t race_state_put(struct race *d, uint32_t item, uint32_t rest); /* the list of both */
static inline struct race_node race_node_of(const struct race *d, uint32_t state)
{
    return state & RACE_ONE ? (struct race_node){(state & ~RACE_ONE) << 4 | RACE_ALL, 0, 0}
                            : d->states.at[state];
}
static inline uint32_t race_state_next(struct race *d, uint32_t state, uint32_t item)
{
    if (!state && (item & RACE_ALL) == RACE_ALL)
        return RACE_ONE | item >> 4;
    size_t at = (state * UINT32_C(2654435761) ^ item * UINT32_C(2246822519)) >> 17;
    if (BASE_LIKELY(d->memo[at].item == item && d->memo[at].state == state))
        return d->memo[at].next;
    uint64_t unsure = d->unsure;
    uint32_t next = race_state_judge(d, state, item);
    if (BASE_UNLIKELY(d->unsure != unsure))
        return next;
    d->memo[at].state = state;
    d->memo[at].item = item;
    d->memo[at].next = next;
    return next;
}

/* context.c: the open ends of contexts */
struct race_sync {
    uint32_t place; /* 0: none */
    uint32_t strand, count;
    uint64_t issued, stored; /* operations of the context, and stores of the strand, before it */
    uint32_t target;         /* RACE_NOBODY: all; RACE_SOME: several */
    uint8_t kind;            /* enum rma_sync_kind */
    bool asked;              /* by a call that does nothing else */
};
enum { RACE_PAST = 64 };
struct race_past {
    uint32_t strand, count;
    uint32_t target;  /* RACE_NOBODY: all */
    uint32_t end;     /* that it completes; 0: all */
    uint8_t kind;     /* enum rma_sync_kind */
    uint64_t fences;  /* of a fence: how many the context has now */
    rank_moment knew; /* what the thread knew */
};
struct race_context {
    uint32_t open;         /* a list of ends, the latest first */
    uint64_t issued;       /* operations so far */
    struct race_sync last; /* the widest completion since the last of them */
    BASE_ARRAY(uint32_t)
    past;               /* ends that were sent, then completed by a later call before the target knew */
    const char *closer; /* what completes its operations at their targets, in its epoch; NULL: none yet */
    bool delivers;      /* targets learn of its deliveries themselves */
    struct race_past *calls; /* of ranks with threads: past.c */
    uint32_t called;
    uint64_t fences_taken; /* those up to this one order all before them, whoever made them */
    uint64_t fences;       /* told of so far; of the last one: */
    uint32_t fence_place, fence_strand, fence_count;
};
struct race_context *race_context_of(struct race *d, uint32_t origin, uint32_t context);
void race_contexts_release(struct race *d);
void race_contexts_mark(const struct race *d, bool *end); /* the ends that contexts refer to */
void race_contexts_drop(struct race *d); /* ends that are over leave the lists of open ones */
/* The number under which clocks count the fences before deliveries; 0: none was made. */
uint32_t race_lane_of(struct race *d, uint32_t origin, uint32_t context, uint32_t target, bool make);

/* sync.c */
void race_synchronized(void *arg, const struct rma_sync *s);

/* past.c */
void race_past_note(struct race *d, struct race_context *c, const struct rma_sync *s);
/* One operation's, at its origin, or at its target, too. */
void race_past_note_one(struct race *d, uint32_t end, bool remote);
/* For whoever runs: a call has completed the operations of an end, at their target, too; one of the first `upto` fences
 * has put them before what follows it; an update that was seen came after such a fence. */
bool race_past_completed(struct race *d, const struct race_end *e, bool remote);
bool race_past_fenced(struct race *d, const struct race_end *e, uint64_t upto);
bool race_past_delivered(struct race *d, const struct race_end *e);
/* Of an operation's issue: whoever knows of it knows of the deliveries before the fences that its thread knows of. */
void race_past_tell(struct race *d, const struct rma_issue *i, struct race_told *t);
void race_past_release(struct race *d, struct race_context *c);

/* part.c */
void race_part_issued(struct race *d, const struct rma_issue *i, const struct rma_area *a, uint32_t end);
void race_part_touched(struct race *d, const struct rma_touch *t);
void race_part_completed(struct race *d, uint64_t operation);
/* What an operation that was issued at this count, with this end, has done to these bytes at its target gets an end
 * of its own, which is returned; 0: there is nothing left of it. */
uint32_t race_see(struct race *d, uint32_t end, uint32_t count, uint64_t low, uint64_t high);
void race_part_seen(struct race *d, struct race_strand *s, uint64_t low, uint64_t high);
void race_parts_mark(const struct race *d, bool *end);
void race_parts_init(struct race *d);
void race_parts_release(struct race *d);

/* unwaited.c */
void race_unwaited_note(struct race *d, const struct rma_sync *s);
void race_unwaited_mark(const struct race *d, bool *end);
void race_unwaited_release(struct race *d);

/* operation.c */
extern const struct rma_listener race_listener;

/* word.c: operations that change or fetch words. */
struct race_update {
    struct race_told told;
    uint32_t end, strand;
    uint64_t key; /* of its first word */
    uint32_t element, elements;
    enum rma_step step;
    bool sets, fetches, blocks;
};
void race_update_touched(struct race *d, const struct race_update *u, bool failed);
void race_word_seen(struct race *d, struct race_strand *s, uint64_t low, uint64_t high);
void race_fetch_over(struct race *d, struct race_strand *s, uint32_t end);
void race_words_mark(const struct race *d, bool *end); /* the ends that words refer to */
void race_words_init(struct race *d);
void race_words_release(struct race *d);

/* sweep.c: call where no number of a state or an access is in hand. */
void race_sweep_if_due(struct race *d);

/* object.c */
void race_object_release(struct race *d, const struct rank *r, uintptr_t address);
void race_object_acquire(struct race *d, const struct rank *r, uintptr_t address);
void race_atomic_made(struct race *d, const struct race_atomic *a);
void race_objects_release(struct race *d);

/* traced.c */
void race_trace_access(struct race *d); /* one was added: it is made now */
/* Found now: the finding of that number. `earlier`, `later`: as race_report's. */
void race_traced(struct race *d, uint32_t earlier, uint32_t later, const struct finding *f, uint64_t number);

/* copies.c: windows of two copies. An access to key d->where is over; whether what it changed is seen from the
 * other side, too. */
bool race_copied(const struct race *d, const struct race_access *a, const struct race_access *b);
struct rank *race_copies_owner(const struct race *d, uint64_t key); /* whose whole window it is; NULL: none */
bool race_copies_apart(const struct race_access *a); /* it stands for a change anywhere in a window */
void race_copies_area(struct race *d, struct rank *r, const struct rank_area *a, bool there);
/* Where the owner has what an operation reaches at an address. */
uintptr_t race_copies_home(const struct race *d, uintptr_t address);
void race_copies_united(struct race *d, struct race_strand *s, uint64_t low);
void race_copies_changed(struct race *d, uint32_t id, const struct race_bytes *b);
void race_copies_renumbered(struct race *d);
void race_copies_release(struct race *d);

/* value.c, with check/same-value=no. First say what is being written. */
static inline bool race_values_matter(const struct race *d)
{
    return !race_wants(d, FINDING_SAME_VALUE);
}
enum race_same { RACE_DIFFERENT, RACE_SAME, RACE_LATER /* that is reported once it is known */ };
void race_value_of_put(struct race *d, const struct rma_issue *i, const struct rma_area *to);
void race_value_of_store(struct race *d, uintptr_t address, size_t bytes);
void race_value_note(struct race *d, uint32_t end);
enum race_same race_same_value(struct race *d, uint32_t earlier, uint32_t later);
void race_suspects_judge(struct race *d);
static inline void race_suspects_settle(struct race *d) /* call where the program has gone on */
{
    if (BASE_UNLIKELY(d->suspects.n))
        race_suspects_judge(d);
}
void race_values_release(struct race *d);

/* fault.c: two accesses that may be a fault of some kind. */
void race_found(struct race *d, uint32_t earlier, uint32_t later);
void race_configure(struct race *d, const struct base_settings *s);
void race_faults_begin(struct race *d);
void race_ignored_note(const struct race *d, struct finding_summary *s);

/* hint.c */
struct race_hint {
    uint64_t made, idle; /* calls; those of them that had nothing to do */
    uint32_t by;         /* the place of the call that does it, for one of these */
    bool before;         /* it comes before */
};
void race_hint_completed(struct race *d, struct race_context *c, const struct rma_sync *s);
void race_hints_report(struct race *d);

/* report.c: two accesses that are a finding. */
void race_report(struct race *d, enum finding_kind kind, uint32_t earlier, uint32_t later);
size_t race_tell(struct race *d, const struct finding *f); /* of any finding; its number */

/* describe.c */
uint32_t race_line_of(struct race *d, uint32_t place); /* its number; 1 or more */
/* "main, a.c:12"; "". Returns buf. */
char *race_name_of(struct race *d, uint32_t place, char *buf, size_t size);
const char *race_what(const struct race *d, const struct race_access *a); /* "MPI_Put", "a load" */
void race_describe(struct race *d, struct finding *f, uint32_t earlier, uint32_t later);
void race_describe_call(struct race *d, struct finding *f, uint32_t place);
struct race_access race_shown(const struct race *d, uint32_t access);
void race_report_release(struct race *d);

/* explain.c, fix.c: what is missing, and the smallest repair */
void race_explain(struct race *d, struct finding *f, const struct race_access *a,
                  const struct race_access *b);
void race_fix(struct race *d, struct finding *f, const struct race_access *a, const struct race_access *b);

#endif
