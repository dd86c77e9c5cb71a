/* SPDX-License-Identifier: BSD-3-Clause */
/* player: what the files that play share (private to replay/). */
#ifndef PGASIM_REPLAY_PLAYER_H
#define PGASIM_REPLAY_PLAYER_H

#include "coll/coll.h"
#include "mpi/mpi_front.h"
#include "p2p/p2p.h"
#include "replay/handles.h"
#include "replay/replay.h"
#include "replay/tape/tape.h"
#include "replay/trace.h"
#include "replay/sources/sources.h"

/* A request that a rank has started and not waited for. */
struct replay_open {
    struct p2p_request *q; /* NULL: a test has completed it */
    uint32_t from, to;     /* ranks; REPLAY_ANY: any, or a collective's */
    int32_t tag;
};

struct replay_crew;
struct replay_player {
    struct replay_cursor cursor;
    struct replay_open *open;       /* in the order of their starts */
    struct replay_handles *handles; /* of calls; NULL: none so far; of a rank's first thread */
    struct replay_sources *sources; /* whom its calls receive from that take any; NULL: whoever comes first */
    struct replay_crew *crew;       /* NULL: the rank has had one thread so far; likewise */
    struct coll_member *member;     /* in the collective in which it waits; NULL: in none */
    struct replay_sides *sides;     /* that one's */
    double flops;                   /* likewise: what follows it */
    uint32_t n, cap;
    uint32_t world;  /* which one it plays in */
    uint32_t line;   /* of the action that is played */
    uint32_t starts; /* the number in the trace of the first rank that its call starts; 0: it starts none */
    uint16_t number;
    bool started; /* by another one */
    bool repeats; /* a test, until it succeeds */
    bool begun;   /* it has come to its first action */
    bool exits;   /* it ends its rank, and is not its first thread */
    uint8_t kind; /* REPLAY_KINDS: the trace's end, where it waits for its open requests */
};

/* Addresses of the static data of a world's ranks (statics.c): piece k of a rank is `at[k]` bytes behind its first one. */
struct replay_statics {
    uintptr_t base;
    uint64_t each, bytes; /* of one rank, of all */
    uint64_t size[RECORD_AREAS], at[RECORD_AREAS];
    uint32_t n;
};

struct replay_traffic;
struct replay_goal_play;
struct replay_started;
/* Ranks that play one trace, in which they are numbered from 0, or that make background traffic. Worlds share hosts,
 * links and the clock, and know nothing of one another. */
struct replay_world {
    const char *name;                     /* of a list's job; NULL: the only one */
    struct replay_tape *tape;             /* NULL: one of the next three */
    struct replay_goal *goal;             /* NULL: none */
    const struct replay_traffic *traffic; /* NULL: none */
    double seconds;                       /* its ranks only sleep */
    const char *path;
    double compute_scale;
    double
        recorded_speed; /* flop/s of the hosts whose seconds the trace has; 0: as those of its ranks here */
    double instructions_per_flop; /* 0: counts of instructions are not used */
    uint32_t ranks, first;
    uint32_t *rank;                /* whom its ranks are, by their numbers; NULL: first and those behind it */
    struct coll_group *group;      /* by the tape's numbers; [0] is all; NULL: nobody has begun */
    struct replay_goal_play *play; /* of schedules, while they are played */
    struct replay_statics *statics; /* NULL: nobody has said how much */
    uint32_t left;                  /* ranks that have not come to its end */
    struct replay_started *started; /* NULL: its ranks start no others */
    struct rank_slots slots;        /* for these; n 0: the run's */
};

/* Numbers of players' groups lie between those of OpenSHMEM's teams and MPI's communicators. */
enum { REPLAY_FIRST_GROUP = 0x20000000 };
struct replay_schedule;
struct replay_background;
struct replay_job {
    struct rank_job *ranks;
    struct replay_player *player; /* of each rank */
    struct replay_action action;  /* the one that is played, until its rank waits */
    struct fabric_traffic moves;  /* what the next computation moves in memory, likewise */
    struct replay_world *world;
    uint32_t worlds;
    uint32_t groups;                      /* the last one's number, by which they are told apart */
    struct replay_schedule *schedule;     /* NULL: there is one world, of all ranks */
    struct replay_background *background; /* NULL: none has begun */
    struct coll_p2p *messages;
    const struct coll_transport *transport;
    unsigned char *memory; /* of collectives whose data is moved; all ranks share it */
    size_t memory_bytes;
    bool recorded_sources;    /* receives from any source receive from whom they did in the recorded run */
    struct replay_last *last; /* threads that go on after all else of this time */
    uint32_t repeating;       /* threads that repeat a test until it succeeds */
    double end;               /* without a schedule: when its last rank came to the end */
    /* From where the player's cursor is until the end. */
    void (*play)(struct replay_job *j, struct rank *r, struct replay_tape *tape, struct replay_player *p);
    struct {
        double create, wake, call;
    } thread_costs;
    struct replay_counts counts;
};
extern const struct rank_memory replay_nowhere; /* nowhere.c */
extern struct rank_slot replay_slot;            /* slot.c */
struct replay_job *replay_job_of(const struct rank *r);
struct replay_job *replay_job_make(struct rank_job *job, uint32_t worlds); /* whose worlds are to be filled */
/* threads.c: of the rank's thread that runs. */
struct replay_player *replay_thread_player(const struct rank *r, struct replay_player *first);
static inline struct replay_player *replay_player_of(const struct replay_job *j, const struct rank *r)
{
    struct replay_player *first = &j->player[r->id];
    return BASE_LIKELY(!first->crew) ? first : replay_thread_player(r, first);
}
static inline struct replay_handles **replay_handles_at(const struct replay_job *j, const struct rank *r)
{
    return &j->player[r->id].handles;
}

static inline struct replay_world *replay_world_of(const struct replay_job *j, const struct rank *r)
{
    return &j->world[replay_player_of(j, r)->world];
}

/* The rank plays one trace, on one thread so far, so it needs nothing of its stack from one action to the next (rank_rest);
 * and its frames would be kept aside. */
static inline bool replay_may_rest(const struct replay_job *j, const struct rank *r)
{
    return !j->schedule && !j->player[r->id].crew && rank_stacks_shared(r->job);
}

/* world.c: the groups of a world, made when its first rank begins and released when its last one has ended. */
void replay_world_open(struct replay_job *j, struct replay_world *w);
void replay_world_close(struct replay_job *j, struct replay_world *w);
/* What other modules keep for those ranks: from when the world's first rank begins, and the run has begun. Each rank leaves at
 * its end, on its actor. */
void replay_world_begin(struct replay_job *j, struct replay_world *w);
void replay_world_leave(struct rank *r);
void replay_world_end(struct replay_job *j, struct replay_world *w);
/* Who and what causes of waits name, by turns, from the world's numbers to the run's. */
void replay_world_causes(const struct replay_job *j, const struct replay_world *w, int64_t *causes,
                         int64_t n);
uint32_t replay_world_place(const struct replay_world *w, uint32_t rank); /* the number of a rank in it */
uint32_t replay_world_rank(const struct replay_world *w, uint32_t place); /* and the other way round */
/* Whom an action means, from numbers in the world to ranks. */
void replay_world_translate(const struct replay_world *w, struct replay_action *a);
/* start.c: ranks that others start: made with their world, until the job ends. */
void replay_started_create(struct replay_world *w);
void replay_started_destroy(struct replay_started *s); /* NULL is allowed */
bool replay_started_place(const struct replay_world *w, uint32_t rank,
                          uint32_t *place); /* false: it is none */
uint32_t replay_started_rank(const struct replay_world *w, uint32_t place);
/* The rank's next call starts ranks, which have these numbers in the trace. */
void replay_starts(const struct replay_job *j, const struct rank *by, uint32_t from, uint32_t n);
/* Of struct rank_life. */
int replay_start(struct rank *by, const struct rank_start *start, size_t n, uint32_t first,
                 struct base_status *st);
const struct rank_slots *replay_slots(const struct rank *by); /* rank_slots_for */
/* "rank 3", "job lu, rank 3" */
char *replay_world_says(const struct replay_world *w, uint32_t rank, char *buf, size_t size);

/* goal_player.c: schedules that a world's ranks play with messages of p2p/. */
struct replay_goal_play *replay_goal_play_create(struct replay_job *j, const struct replay_world *w);
void replay_goal_play_destroy(struct replay_goal_play *x); /* NULL is allowed */
/* The rank's part, on its actor, up to its end (false), or until it has to wait: until *until, or, if that is negative,
 * until it is woken. Then call this again. */
bool replay_goal_play_on(struct replay_goal_play *x, struct rank *r, double *until);
extern const struct engine_reason replay_goal_waits;
uint32_t replay_goal_left(const struct replay_goal_play *x,
                          uint32_t place); /* operations that have not ended */

/* schedule.c: waits until the rank is to play in a world, which is then its own; false: there are no more. */
bool replay_schedule_enter(struct replay_job *j, struct rank *r);
void replay_schedule_join(struct replay_job *j, struct rank *r); /* it was started by one of its world */
void replay_schedule_leave(struct replay_job *j, struct rank *r);
void replay_schedule_begin(struct replay_job *j); /* before the ranks begin */
void replay_schedule_release(struct replay_job *j);
/* background.c: the rank makes its world's traffic until it is stopped. */
void replay_background_run(struct replay_job *j, struct rank *r);
void replay_background_stop(struct replay_job *j);
void replay_background_release(struct replay_job *j); /* NULL is allowed */

/* names.c: waits that are none of MPI's; the MPI function that an action stands for. */
#define REPLAY_TRAFFIC_CALL "background traffic"
#define REPLAY_WAIT_CALL    "wait for a job"
#define REPLAY_WAKE_CALL    "wait for a thread"
#define REPLAY_END_CALL     "wait for the end of a thread"
#define REPLAY_VAIN_CALL    "a test that had succeeded in the recorded run, and never does here"
#define REPLAY_REST_CALL    "the end of the rank, after all that the trace has of this thread"
extern const struct trace_call replay_calls[];
extern const size_t replay_calls_count;
const char *replay_call_name(enum replay_kind kind, uint32_t number);

/* Each plays the action in j->action, of the current rank. message.c */
void replay_send(struct replay_job *j, struct rank *r);
void replay_receive(struct replay_job *j, struct rank *r);
void replay_exchange(struct replay_job *j, struct rank *r);
/* requests.c */
void replay_keep_open(struct replay_player *p, struct p2p_request *q, uint32_t from, uint32_t to,
                      int32_t tag);
void replay_wait(struct replay_job *j, struct rank *r);
void replay_wait_last(struct replay_job *j, struct rank *r);
void replay_wait_all(struct replay_job *j, struct rank *r);
void replay_wait_any(struct replay_job *j, struct rank *r);
void replay_test(struct replay_job *j, struct rank *r);
void replay_test_all(struct replay_job *j, struct rank *r);
void replay_test_any(struct replay_job *j, struct rank *r);
/* repeat.c: a test is repeated until it succeeds. `again`: it has failed once more; does not return if it always will. */
struct replay_repeat {
    uint64_t n, next;
    uint32_t alone;
};
void replay_repeat_begin(struct replay_job *j, struct rank *r, struct replay_repeat *x);
void replay_repeat_again(struct replay_job *j, struct rank *r, struct replay_repeat *x);
void replay_repeat_end(struct replay_job *j, struct replay_player *p); /* also of one that did not begin */
/* last.c: actors of the rank, but for one, are dropped. */
void replay_thread_last(struct replay_job *j, struct rank *r);
void replay_last_drop(struct replay_job *j, const struct rank *r, const struct engine_actor *but);
/* threads.c */
void replay_thread_create(struct replay_job *j, struct rank *r);
void replay_thread_join(struct replay_job *j, struct rank *r);
void replay_thread_end(struct replay_job *j, struct rank *r); /* does not return */
void replay_thread_exit(struct replay_job *j, struct rank *r);
void replay_thread_calls(struct replay_job *j, struct rank *r);
void replay_thread_wake(struct replay_job *j, struct rank *r);
void replay_thread_wait(struct replay_job *j, struct rank *r);
void replay_thread_timeout(struct replay_job *j, struct rank *r);
uint32_t replay_thread_slot(const void *local);
/* The first thread is at its end: waits for the others, and drops those that do not end. Does not return if another one
 * ends the rank. */
void replay_crew_finish(struct replay_job *j, struct rank *r);
void replay_crew_drop(struct replay_job *j, struct rank *r); /* all threads but the one that runs */
void replay_rank_release(struct rank *r);                    /* of struct rank_life, as the next */
void replay_rank_drop(struct rank *r);
void replay_crew_release(struct replay_job *j, const struct rank *r);
size_t replay_crew_says(const struct replay_player *first, char *text,
                        size_t size); /* where each of them is */
/* call.c */
void replay_call(struct replay_job *j, struct rank *r);
bool replay_next_source(struct mpi_source *out); /* mpi_next_source_fn */
/* shmem_call.c */
void replay_shmem_call(struct replay_job *j, struct rank *r);
/* polled.c: the causes of what the rank saw in these words, as words of a call; false: nobody knows any. And the same played:
 * returns whether there is something to wait for. */
bool replay_polled_causes(struct rank *r, const uintptr_t *word, size_t n, struct record_words *out);
bool replay_polled(struct rank *r, const char *call, const struct record_value *causes);
/* posix_call.c */
void replay_posix_call(struct replay_job *j, struct rank *r);
void replay_posix_end(
    struct replay_handles
        *h); /* at the end of the rank's trace: what it has open is closed; NULL is allowed */
/* core_call.c */
void replay_core_call(struct replay_job *j, struct rank *r);
/* statics.c: size and place in a page of each piece, n numbers in all, as the first rank says. */
void replay_statics_open(struct replay_world *w, const int64_t *pieces, int64_t n);
void replay_statics_close(struct replay_world *w);
extern const struct rank_names replay_names;
/* collective.c */
void replay_collective(struct replay_job *j, struct rank *r);
void replay_collective_rested(struct replay_job *j, struct rank *r); /* the rank has rested until its end */
void replay_icollective(struct replay_job *j, struct rank *r);
/* work.c */
void replay_compute(struct replay_job *j, struct rank *r);
void replay_flops(struct replay_job *j, struct rank *r, double flops);
void replay_seconds(struct replay_job *j, struct rank *r);
void replay_sleep(struct replay_job *j, struct rank *r);
void replay_moves(struct replay_job *j, struct rank *r);
void replay_pstate(struct replay_job *j, struct rank *r);

#endif
