/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * steps: a schedule, one member's part of a collective, written as data. This is all that an algorithm, a function
 * that appends the steps of one round, sees. A round is built when all steps of the previous one are done,
 * so a schedule takes the memory of its largest round, and later rounds may depend on what earlier ones
 * received. Within a round all steps start at once, except those that coll_order holds back.
 *
 * Memory is named by places: an offset in the member's source, its dest, or its temporary memory. Offsets
 * count bytes of data; where buffers have layouts, the executor turns them into addresses (buffer.h).
 *
 * Invariants (C1-C3 in coll.h)
 *  C4  In a round receives come first and ascend by (peer, tag), unless the schedule says `unsorted`.
 *  C5  A step that overwrites a place is ordered after, or in a later round than, the sends from that place.
 *  C6  A place in temporary memory lies in what coll_temp gave; only dest and temporary memory are reduced
 *      into.
 *  C10 A schedule is of a group of at least one, and at most 2^COLL_PLACE_BITS.
 *  C15 In a buffer whose parts have counts, the high COLL_PART_BITS of an offset are the part's number, the
 *      others count from its beginning. No step is longer than COLL_MOST_BYTES.
 */
#ifndef PGASIM_COLL_SCHEDULE_STEPS_H
#define PGASIM_COLL_SCHEDULE_STEPS_H

#include "coll/coll.h"

enum { COLL_FIRST_STEPS = 2, COLL_WINDOW = 32 };

enum { COLL_PART_BITS = 22, COLL_BYTES_BITS = 40, COLL_PLACE_BITS = 24, COLL_TAG_BITS = 24 };
#define COLL_MOST_BYTES ((UINT64_C(1) << COLL_BYTES_BITS) - 1)

enum coll_base { COLL_SOURCE, COLL_DEST, COLL_TEMP };
typedef uint64_t coll_place; /* base in the two high bits */
static inline coll_place coll_at(enum coll_base base, uint64_t offset)
{
    return (uint64_t)base << 62 | offset;
}
static inline enum coll_base coll_place_base(coll_place p)
{
    return (enum coll_base)(p >> 62);
}
static inline uint64_t coll_place_offset(coll_place p)
{
    return p & (UINT64_MAX >> 2);
}

enum coll_step_kind {
    COLL_STEP_SEND,
    COLL_STEP_RECEIVE,
    COLL_STEP_RECEIVE_PLACED, /* of unknown size, to the same place as it had at the sender */
    COLL_STEP_REDUCE,         /* receive, then reduce into `at` */
    COLL_STEP_COPY,
    COLL_STEP_COMBINE, /* local: to = at op to */
    COLL_STEP_JOIN,    /* nothing: others wait for all that it waits for */
};
/* HELD: a receive that is not posted before it starts; other receives are when their round begins. */
enum coll_step_state { COLL_WAITING, COLL_HELD, COLL_STARTED, COLL_DONE };

/* A step. It starts after `needs` more steps are done, a join after `peer` more. When done, it decrements that
 * number of the `releases` steps from index `then` on. */
struct coll_step {
    coll_place at; /* sent, received or copied from here */
    union {
        coll_place to;                /* copy, combine */
        struct coll_message *message; /* receive: it arrived before the step started */
        uint64_t next;                /* send: the next one that waits for the member's CPU */
    };
    uint64_t bytes : COLL_BYTES_BITS, peer : COLL_PLACE_BITS; /* a place; join: how many steps it waits for */
    /* What changes while a round is carried out has a byte to itself. */
    uint64_t tag : COLL_TAG_BITS, releases : 8, then : 24, kind : 3, state : 2, needs : 3;
};
_Static_assert(sizeof(struct coll_step) == 32, "half a cache line");

/* What the settings or a selector's rule tune. 0: each algorithm's own value. */
struct coll_schedule;
struct coll_part;
struct coll_leaf;
struct coll_select;
typedef bool (*coll_build_fn)(struct coll_schedule *s, uint32_t round);
/* Who carries out a part: all members, those of one host, or the leaders of hosts. */
enum coll_level { COLL_LEVEL_ALL, COLL_LEVEL_WITHIN, COLL_LEVEL_BETWEEN };
struct coll_tuning {
    uint32_t radix;   /* k of trees, exchanges, chains; >= 2 */
    uint32_t window;  /* messages that a member has outstanding at a time */
    uint64_t segment; /* bytes of a segment of pipelines */
    bool leave_folded;
    /* The algorithm of a part of a larger one: of operation op, for n members with this many bytes each. Where
     * a leaf chooses it, the part gets the leaf's tuning; it may be NULL. */
    coll_build_fn (*choose)(const struct coll_schedule *s, struct coll_part *p, enum coll_level level,
                            enum coll_op op, uint64_t bytes, uint32_t n);
    /* Whether a selector's leaf says which algorithm this level has. */
    bool (*says)(const struct coll_schedule *s, enum coll_level level);
    /* For both: the leaf that chose the whole, or NULL, and the selector. */
    const struct coll_leaf *leaf;
    struct coll_select *select;
};

/* Which members share hosts (hosts.c), stored once for the group. Hosts are numbered from 0 in order of
 * their first member's place; members of host h, in order of place, are member[first[h]] to member[first[h +
 * 1] - 1], and the first is its leader. */
struct coll_hosts {
    uint32_t count;
    uint32_t each;    /* members of every host, if they are as many on each; else 0 */
    bool in_order;    /* each host's members are neighbours: member[k] == k */
    bool worth;       /* a message within a host takes less than half the time of one between two */
    uint64_t serial;  /* tells these hosts from all others of the job */
    uint32_t *host;   /* of a place */
    uint32_t *index;  /* of a place among its host's members */
    uint32_t *first;  /* count + 1 of them */
    uint32_t *member; /* places */
};

/* What is known of the network between a group's members (network.c). */
struct coll_network {
    uint64_t pipe;     /* bytes that it takes between two hosts while a message is on its way */
    uint64_t burst;    /* messages that a member issues in that time */
    uint32_t topology; /* enum coll_topology */
};

/* Which hosts of a group are close to each other (islands.c): those of a cabinet, or of a leaf switch. Stored once
 * for the group. Hosts are those of struct coll_hosts, or, where no two members share one, the members.
 * Islands are numbered from 0 in order of their first host; those of island i, in order, are host[first[i]] to
 * host[first[i + 1] - 1]. */
struct coll_islands {
    uint32_t count;
    uint32_t each;    /* hosts of every island, if they are as many on each; else 0 */
    bool in_order;    /* each host's members, and each island's hosts, are neighbours */
    uint32_t *island; /* of a host */
    uint32_t *index;  /* of a host among its island's */
    uint32_t *first;  /* count + 1 of them */
    uint32_t *host;
};

/* The stage that an algorithm has reached, and the round in which it began. */
enum { COLL_STAGE_DEPTH = 3 };
struct coll_stage {
    uint32_t number, from;
};

/* One member's schedule: the steps of the current round and state kept across rounds. What every round
 * touches comes first. */
struct coll_schedule {
    uint32_t me, size;
    struct coll_step *steps; /* `first` until a round needs more */
    uint32_t n, receives, cap;
    uint32_t place; /* mine in the group, even while `me` is a place in a part of it */
    struct coll_step first[COLL_FIRST_STEPS];
    const struct coll_call *call; /* the collective's: what its members have in common */
    uint64_t bytes;               /* my call's */
    void *dest;
    const void *source;
    const struct coll_local *local;
    coll_place last_at; /* the last placed receive */
    uint64_t last_bytes;
    uint64_t placed_bytes; /* all placed receives so far */
    unsigned char *temp;
    size_t temp_bytes;
    size_t learned; /* so many bytes of `temp` are moved in any case */
    struct base_buffers *buffers;
    const struct coll_plan *plan;       /* whose steps and temporary memory these are, or NULL */
    const struct coll_hosts *hosts;     /* NULL: no two members share one */
    const struct coll_network *network; /* NULL: unknown */
    const struct coll_islands *islands; /* of algorithms that ask for them; NULL: there are none */
    const struct coll_tuning *tuning;
    const struct coll_part *part; /* whose rounds are being built (part.h); NULL: the whole group's */
    const uint32_t *bounds;       /* among leaders: the place at which each one's block begins, or NULL */
    uint32_t root;                /* of rooted operations: the call's; others: 0 */
    struct coll_stage stage[COLL_STAGE_DEPTH]; /* of algorithms made of others (part.h) */
    uint32_t depth;
    bool regular; /* parts are of `bytes` each, whatever `local` says */
    bool unmoved; /* steps take their time, but move nothing, except in `learned` */
    bool apart; /* and none stands for several, so that times are those of steps that move, to the last bit */
    bool in_place; /* the call's */
    bool has_dest;
    bool unsorted; /* the round's receives do not ascend, because a part's members do not */
};

/* A coll_build_fn appends round `round` (0, 1, ...) of the schedule, which may be empty. False, and nothing
 * appended, when the schedule has no such round. Depends on nothing but its arguments and the member's own
 * memory. */

/* Each returns the step's index in the round. The tag tells apart messages of one sender to one receiver in
 * one collective; algorithms use the round's number. */
uint32_t coll_add_send(struct coll_schedule *s, uint32_t peer, uint32_t tag, coll_place from, uint64_t bytes);
uint32_t coll_add_receive(struct coll_schedule *s, uint32_t peer, uint32_t tag, coll_place into,
                          uint64_t bytes);
/* One way or the other: `sends`, or else receives. */
static inline uint32_t coll_add_message(struct coll_schedule *s, bool sends, uint32_t peer, uint32_t tag,
                                        coll_place at, uint64_t bytes)
{
    return sends ? coll_add_send(s, peer, tag, at, bytes) : coll_add_receive(s, peer, tag, at, bytes);
}
uint32_t coll_add_receive_placed(struct coll_schedule *s, uint32_t peer, uint32_t tag);
/* The operand of the lower place stands left of the operator, so both members of an exchange get the same. */
uint32_t coll_add_reduce(struct coll_schedule *s, uint32_t peer, uint32_t tag, coll_place into,
                         uint64_t bytes);
uint32_t coll_add_copy(struct coll_schedule *s, coll_place from, coll_place to, uint64_t bytes);
/* Reduces what is at `from` into `into`; the operand `from` stands left. */
uint32_t coll_add_combine(struct coll_schedule *s, coll_place from, coll_place into, uint64_t bytes);
/* Reduces all others' operands, which they send with tag 1, into `at`, which has the member's own: first those
 * of lower places, each as the left operand, then those of higher places. */
void coll_add_reduce_from_all(struct coll_schedule *s, coll_place at, uint64_t bytes);
/* Step `after` starts when `before` is done. The steps that one step holds back must be adjacent. */
void coll_order(struct coll_schedule *s, uint32_t before, uint32_t after);
/* Copies bytes of source to `offset` of dest unless they are the same memory. */
void coll_add_own(struct coll_schedule *s, uint64_t source_offset, uint64_t dest_offset, uint64_t bytes);
/* A step that waits for those that coll_order names. */
uint32_t coll_add_join(struct coll_schedule *s);
/* The member's temporary memory, at least this large; keeps its contents. NULL where nothing is moved. */
void *coll_temp(struct coll_schedule *s, size_t bytes);
/* The same for what the algorithm itself writes and reads: it is there even where nothing is moved. */
void *coll_state(struct coll_schedule *s, size_t bytes);
/* The same for what members tell each other, such as sizes: steps move it in any case. */
void *coll_learned(struct coll_schedule *s, size_t bytes);
/* Whether a step that reads or writes so many bytes of a place moves them. */
static inline bool coll_moves(const struct coll_schedule *s, coll_place at, uint64_t bytes)
{
    return BASE_LIKELY(!s->unmoved) ||
           (coll_place_base(at) == COLL_TEMP && coll_place_offset(at) + bytes <= s->learned);
}
/* Parameters: the setting or the rule, or else the algorithm's own value. */
static inline uint32_t coll_radix(const struct coll_schedule *s, uint32_t own)
{
    return s->tuning->radix ? s->tuning->radix : own;
}
static inline uint64_t coll_segment(const struct coll_schedule *s, uint64_t own)
{
    return s->tuning->segment ? s->tuning->segment : own;
}
static inline uint32_t coll_outstanding(const struct coll_schedule *s, uint32_t own)
{
    return s->tuning->window ? s->tuning->window : own;
}
/* A level's algorithm: what the selector's leaf says of it, or else the algorithm's own. */
static inline coll_build_fn coll_level_choice(const struct coll_schedule *s, struct coll_part *p,
                                              enum coll_level level, enum coll_op op, uint64_t bytes,
                                              uint32_t n, coll_build_fn own)
{
    bool says = s->tuning->says && s->tuning->says(s, level);
    return says ? s->tuning->choose(s, p, level, op, bytes, n) : own;
}
/* The size of a reduction's items: what is never split. */
static inline uint64_t coll_item(const struct coll_schedule *s)
{
    return s->call->element ? s->call->element : 1;
}

/* `call` is the member's; `shared`, which lives longer than the schedule, has what is the same for all. */
void coll_schedule_init(struct coll_schedule *s, const struct coll_call *call, const struct coll_call *shared,
                        struct base_buffers *buffers, const struct coll_hosts *hosts,
                        const struct coll_tuning *tuning);
/* Of a rank without data: none is moved, but by what learns sizes from what it receives. */
void coll_schedule_nowhere(struct coll_schedule *s);
void coll_schedule_release(struct coll_schedule *s);
bool coll_schedule_ascends(const struct coll_schedule *s); /* as C4 says */
/* Builds a round; false: there is none. */
static inline bool coll_schedule_round(struct coll_schedule *s, coll_build_fn build, uint32_t round)
{
    s->n = s->receives = 0;
    s->unsorted = false;
    if (!build(s, round))
        return false;
    BASE_ASSERT("C4", s->receives < 2 || s->unsorted || coll_schedule_ascends(s));
    return true;
}
/* The step of the round that receives (peer, tag), or UINT32_MAX. */
uint32_t coll_schedule_receiver(const struct coll_schedule *s, uint32_t peer, uint32_t tag);

/* Powers of two that algorithms share: the largest at most n (n > 0), and the smallest k with 2^k >= n. */
static inline uint32_t coll_power_below(uint32_t n)
{
    return UINT32_C(1) << (31 - __builtin_clz(n));
}
static inline uint32_t coll_log2_above(uint32_t n)
{
    return n < 2 ? 0 : 32 - (uint32_t)__builtin_clz(n - 1);
}
/* The place `distance` after (before) `me`, around the group; distance < size. */
static inline uint32_t coll_after(const struct coll_schedule *s, uint32_t distance)
{
    uint64_t p = (uint64_t)s->me + distance;
    return (uint32_t)(p >= s->size ? p - s->size : p);
}
static inline uint32_t coll_before(const struct coll_schedule *s, uint32_t distance)
{
    return s->me >= distance ? s->me - distance : s->me + (s->size - distance);
}

/* A window of distances [from, end) for linear algorithms: the one of round `round`, COLL_WINDOW wide at
 * most; empty (from == end) in the round after the last, false from there on. */
struct coll_window {
    uint32_t from, end;
};
bool coll_window_of(const struct coll_schedule *s, uint32_t round, struct coll_window *w);
/* The k-th of the members at these distances before me, in ascending order of place. */
static inline uint32_t coll_window_before(const struct coll_schedule *s, const struct coll_window *w,
                                          uint32_t k)
{
    uint32_t near_end = w->end <= s->me + 1 ? w->end : s->me + 1; /* from there on around the group */
    uint32_t near = near_end > w->from ? near_end - w->from : 0;
    return k < near ? s->me - (near_end - 1 - k) : s->me + s->size - (w->end - 1 - (k - near));
}

#endif
