/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal: what the rooms of mpi/ share: a rank's part, calls, handles, errors.
 *
 * A public function is generated (shims/): it opens a call, hands its arguments to mpi_<its name> of a room
 * (calls.h), and closes the call. The rooms, lowest first (tools/layers/house.py says who sees whom):
 *
 *   .         this: ranks' and jobs' parts, handles, errors
 *   attr/     attributes and their keys      info/   info objects
 *   type/     datatypes                      comm/   groups, communicators, topologies
 *   message/  messages, requests             coll/   collectives, reduction operations
 *   tool/     the tool information interface
 *   win/      windows, one-sided communication
 *   file/     files
 *   env/      start and end, sessions, errors' names, memory, handles as integers
 *
 * Handles. A predefined handle has the value that the standard's ABI gives it, below 4096. Any other one is a
 * number of 31 bits in disguise, so that it is its own integer form (c2f, toint):
 *
 *      bits    30..27         26..24                   23..0
 *              enum mpi_kind  counts the place's uses  place in the rank's table of that kind
 *
 * Invariants
 *  M1  A live handle names one object; a handle whose object was freed is recognized for seven more uses of
 *      its place.
 *  M2  Objects belong to one rank; what ranks share (struct mpi_space) is reached through them.
 *  M3  An object is freed when nothing refers to it: its handle is one reference, until the program frees it.
 */
#ifndef PGASIM_MPI_INTERNAL_H
#define PGASIM_MPI_INTERNAL_H

#include <mpi.h>

#include "base/table.h"
#include "coll/coll.h"
#include "coll/p2p/p2p.h"
#include "mpi/mpi_front.h"
#include "p2p/p2p.h"
#include "rank/rank.h"
#include "types/types.h"

/* --- objects and handles (handle.c) ---------------------------------------------------------------- */

enum mpi_kind {
    MPI_KIND_NONE,
    MPI_KIND_COMM,
    MPI_KIND_GROUP,
    MPI_KIND_TYPE,
    MPI_KIND_OP,
    MPI_KIND_REQUEST,
    MPI_KIND_MESSAGE,
    MPI_KIND_ERRHANDLER,
    MPI_KIND_INFO,
    MPI_KIND_SESSION,
    MPI_KIND_WIN,
    MPI_KIND_FILE,
    MPI_KIND_KEYVAL,
    MPI_KIND_TOOL, /* handles and sessions of MPI_T */
    MPI_KINDS
};
enum { MPI_PLACES = 1 << 24 };

/* What every object begins with. */
struct mpi_object {
    uint32_t handle; /* 0: it has none, or none any more */
    uint32_t references;
};

/* A rank's objects of one kind. at[]: an object, or, odd, a free place. */
struct mpi_table {
    uint32_t n, cap, free, live;
    uintptr_t *at;
};

struct mpi_rank;
/* Gives an object, which has one reference now, a handle. */
uint32_t mpi_handle_make(struct mpi_rank *self, enum mpi_kind kind, struct mpi_object *o);
/* Takes the handle back; the reference stays. */
void mpi_handle_drop(struct mpi_rank *self, struct mpi_object *o);
/* Calls fn for each object of a kind, in the order of places. */
void mpi_handle_each(const struct mpi_rank *self, enum mpi_kind kind, void (*fn)(void *arg, void *object),
                     void *arg);

enum mpi_kind mpi_handle_kind(uint32_t handle);

/* --- objects that are not freed (leak.c) ----------------------------------------------------------- */

struct mpi_job;
struct mpi_leaks;
void mpi_leaks_open(struct mpi_job *job); /* makes job->leaks if --leaks or --check was given */
void mpi_leak_made(struct mpi_rank *self, const struct mpi_object *o);
void mpi_leak_freed(struct mpi_rank *self, uint32_t handle); /* or one that need not be */
void mpi_leaks_note(struct mpi_rank *self);                  /* the library closes for the rank */
void mpi_leaks_print(struct mpi_job *job);
/* ", made by MPI_Isend in main, a.c:12"; "" if that is not known. */
char *mpi_leak_text(const struct mpi_rank *self, uint32_t handle, char *buf, size_t size);

/* --- errors (error.c) ------------------------------------------------------------------------------ */

/* What an error is about. */
enum mpi_about {
    MPI_ABOUT_COMM,
    MPI_ABOUT_SESSION,
    MPI_ABOUT_WIN,
    MPI_ABOUT_FILE,
    MPI_ABOUTS,
    MPI_ABOUT_NOTHING = MPI_ABOUTS /* a function of MPI_T, which calls no handler */
};

/* An error handler: a predefined one, or a function of the program. */
enum mpi_reaction { MPI_REACT_FATAL, MPI_REACT_ABORT, MPI_REACT_RETURN, MPI_REACT_CALL };
struct mpi_errhandler {
    struct mpi_object object;
    uint8_t reaction; /* enum mpi_reaction */
    uint8_t about;    /* CALL: enum mpi_about */
    uint32_t handles; /* CALL: that the program has been given and has not freed; each is a reference */
    void (*fn)(void); /* CALL: one of the four MPI_..._errhandler_function */
    void (*call)(void (*fn)(void), uint32_t handle, int code); /* calls it; NULL: as C functions are called */
};
extern struct mpi_errhandler mpi_errors_are_fatal, mpi_errors_abort, mpi_errors_return;
struct mpi_errhandler *mpi_errhandler_retain(struct mpi_errhandler *h);
void mpi_errhandler_release(struct mpi_errhandler *h);

/* What communicators, sessions, windows and files begin with. */
struct mpi_guarded {
    struct mpi_object object;
    struct mpi_errhandler *errhandler; /* a reference */
    uint8_t about;                     /* enum mpi_about */
};

/* --- ranks and jobs (rank.c) ------------------------------------------------------------------------ */

struct mpi_comm;
struct mpi_space;
struct mpi_win;      /* win/ */
struct mpi_value;    /* attr/ */
struct mpi_info;     /* info/ */
struct mpi_block;    /* env/: memory of MPI_Alloc_mem */
struct mpi_codes;    /* env/: error classes and codes that the program added */
struct mpi_bsends;   /* message/: buffers for buffered sends */
struct mpi_tools;    /* tool/ */
struct mpi_unpaired; /* message/ */
struct mpi_types;    /* type/: what a rank has of predefined datatypes */
struct mpi_draft;    /* collective/: one under way */
struct mpi_colls;    /* collective/ */
struct mpi_windows;  /* win/ */
struct mpi_files;    /* file/ */
struct mpi_datarep;  /* file/: data representations that the program registered */
struct mpi_link;     /* comm/: worlds that are connected */
struct mpi_ports;    /* process/ */

enum mpi_state { MPI_STATE_NONE, MPI_STATE_OPEN, MPI_STATE_FINALIZED };

/* A rank that has called a function of MPI. */
struct mpi_rank {
    struct rank *rank;
    struct mpi_job *job;
    struct mpi_comm *world, *self; /* NULL: not used so far (comm/) */
    struct mpi_comm *parent;       /* to those that have started it; NULL: nobody has, or it is gone */
    struct mpi_win *last_win;      /* win/: the one that was used last; NULL: none */
    struct mpi_win *later_win;     /* win/: whose lock is still to be acquired (mpi_lock_now); NULL: none */
    uint8_t state;                 /* enum mpi_state, of the world model */
    bool open;                     /* MPI_Init or MPI_Session_init was called, and not all are at their end */
    bool told_absent;
    bool news;         /* tool/: there are events to be delivered when a call ends */
    uint16_t sessions; /* open ones */
    uint32_t begun;    /* where it called MPI_Init: a rank's `caller` */
    int level;         /* MPI_THREAD_SINGLE to _MULTIPLE: the highest that was granted */
    int world_level;   /* that of the world */
    uint32_t inside;   /* calls of threads that have not returned; counted below MPI_THREAD_MULTIPLE */
    const struct engine_actor *main;     /* the thread that initialized */
    const struct engine_actor *caller;   /* `inside` is not 0: who was the first to call */
    struct mpi_table *tables[MPI_KINDS]; /* NULL: no object so far */
    struct mpi_guarded *unguarded;     /* stands for objects that an error is not about; NULL: none so far */
    struct mpi_codes *codes;           /* NULL: none */
    struct mpi_bsends *bsends;         /* NULL: none */
    struct mpi_bsends *session_bsends; /* of its sessions; NULL: none */
    struct mpi_unpaired *unpaired;     /* message/: partitioned messages to it whose other side is to come */
    struct mpi_block *blocks;          /* env/: of MPI_Alloc_mem */
    struct base_table *made;           /* leak.c: where its objects were made, by handle; NULL: nowhere */
    struct mpi_use *uses;              /* message/: buffers of requests under way, with mpi/check-buffers */
    struct mpi_tools *tools;           /* NULL: none */
    struct mpi_types *types;           /* NULL: none */
    struct mpi_draft *chains;          /* collective/: under way on inter-communicators, in order */
    bool unguarded_is_world;           /* that is MPI_COMM_WORLD, not MPI_COMM_SELF */
    char *const *argv;                 /* what MPI_Init was given; NULL: nothing */
    struct mpi_info *environment;      /* info/: MPI_INFO_ENV; NULL: nobody asked */
    struct mpi_guarded *file;          /* stands for MPI_FILE_NULL; NULL: nobody asked */
    struct mpi_datarep *datareps;      /* NULL: none */
    int last_used_code;                /* of errors, by env/; 0: MPI_ERR_LASTCODE */
    struct mpi_value *own_values;      /* comm/: of predefined attributes, see there; NULL: nobody asked */
    struct mpi_world *home;            /* whose MPI_COMM_WORLD it has */
    bool started; /* by MPI_Comm_spawn(_multiple); `command`: by which of its commands, from 0 */
    uint32_t command;
    struct mpi_rank *before; /* the next in mpi_job.before */
};

/* Ranks that have MPI_COMM_WORLD in common. */
struct mpi_world {
    struct mpi_world *next, **link; /* in mpi_job.worlds; NULL: the one of all ranks */
    struct coll_group members;      /* with a reference */
    struct mpi_space *space;        /* comm/; NULL: not used so far */
    struct mpi_world *starter;      /* whose ranks have started these; NULL: nobody's */
    bool starts;                    /* it is a starter */
    bool reached;                   /* comm/worlds.c, while it looks */
};

struct mpi_job {
    struct rank_job *job;
    struct base_pool ranks;
    struct base_pool requests;    /* message/ */
    bool unbuffered;              /* message/: standard sends wait for their receives */
    bool checks_buffers;          /* message/: mpi/check-buffers */
    bool moves_nothing;           /* a trial: only the time of collectives between groups counts */
    bool checks_types;            /* mpi/check-types */
    struct mpi_world everyone;    /* which ranks have that are in no other world */
    struct mpi_world *worlds;     /* the others */
    struct mpi_link *links;       /* comm/worlds.c: which of them are connected */
    struct mpi_ports *ports;      /* process/; NULL: none so far */
    struct mpi_rank *before;      /* what ranks were in earlier worlds; NULL: nothing */
    struct mpi_meeting *meetings; /* comm/: calls of groups that make communicators, under way */
    uint32_t contexts;            /* given so far */
    uint32_t parts;               /* message/: numbers of partitioned messages, given so far */
    struct coll_p2p *messages;    /* how collectives' messages go */
    const struct coll_transport *transport;
    struct mpi_colls *colls; /* NULL: no collective so far that needs a record */
    bool told_absent;
    struct mpi_windows *windows; /* win/; NULL: none so far */
    struct mpi_files *files;     /* file/; likewise */
    struct mpi_leaks *leaks;     /* NULL: nobody asks */
};

extern struct rank_slot mpi_slot; /* a rank's: struct mpi_rank *; the job's: struct mpi_job */
enum { MPI_REQUEST_SIZE = 96 };   /* room for message/'s record */
struct mpi_rank *mpi_rank_create(struct rank *r);
/* Ranks, which have called nothing of MPI, that have a MPI_COMM_WORLD of their own. */
void mpi_world_make(struct mpi_job *job, const struct coll_group *members);
static inline struct mpi_rank *mpi_rank_of(struct rank *r)
{
    struct mpi_rank *self = rank_kept(r, &mpi_slot);
    return BASE_LIKELY(self != NULL) ? self : mpi_rank_create(r);
}
/* A number for a communicator: its context in p2p/ and its group's id in coll/, unique in the job. Contexts
 * of other front ends' groups lie below. */
enum { MPI_FIRST_CONTEXT = 0x40000000 };
uint32_t mpi_context_make(struct mpi_job *job);
void mpi_core_register(void); /* env/ calls it, and then registers the other rooms */
/* Rooms that keep something of ranks or a job. At the job's end, the room registered last is the first to let
 * go: of what it keeps of each rank, then of the job. Registered at start-up. */
struct mpi_keeper {
    void (*leave)(struct mpi_rank *self);
    void (*end)(struct mpi_job *job);
};
void mpi_keeper_register(const struct mpi_keeper *k);

/* --- calls ------------------------------------------------------------------------------------------ */

/* What a recorder is told of a call beside its arguments, and a player tells. */
struct mpi_beside {
    int64_t size; /* of a file that is opened (file/file.h) */
    int64_t
        place; /* where a seek has led, in etypes, or a socket: a rank; -1: nowhere. Or the first new process */
    uint32_t *
        started; /* to a recorder, which frees it: how many processes each of n commands has started; NULL: none */
    uint32_t n;
    char *
        path; /* to a recorder, which frees it: the absolute path of a file without links, or the name of an open port. NULL:
                      the call came to none */
    bool fails; /* from a player: it failed in the recorded run, so that an error is none */
};
struct mpi_call {
    struct mpi_rank *self;
    struct rank *rank;
    const char *name;        /* "MPI_Send", literal */
    bool answered;           /* a handler of the program has changed the code of its error: */
    int answer;              /* what the program is given */
    bool effect;             /* it has done something, so that it is recorded even if it fails */
    bool empty;              /* its data did not get anywhere: it is recorded with a count that is refused */
    struct mpi_beside *told; /* for a recorder, or from a player; NULL: nobody asks */
};

/* An array of counts or displacements, in the width that the caller used. */
struct mpi_numbers {
    const void *at; /* of int, or of int64_t */
    bool wide;
};
static inline int64_t mpi_number(struct mpi_numbers a, size_t i)
{
    return a.wide ? ((const int64_t *)a.at)[i] : ((const int *)a.at)[i];
}

_Noreturn void mpi_not_open(const struct mpi_rank *self, const char *call);
void mpi_thread_check(struct mpi_rank *self, const char *call);

static inline __attribute__((always_inline)) struct mpi_call mpi_open(struct rank *r, const char *name,
                                                                      bool anytime)
{
    struct mpi_rank *self = mpi_rank_of(r);
    if (BASE_UNLIKELY(!self->open) && !anytime)
        mpi_not_open(self, name);
    if (BASE_UNLIKELY(r->threads > 1) && self->level != MPI_THREAD_MULTIPLE)
        mpi_thread_check(self, name);
    return (struct mpi_call){.self = self, .rank = r, .name = name};
}
#define MPI_ENTER_FULL(name)          mpi_open(rank_enter(name), name, false)
#define MPI_ENTER_FULL_ANYTIME(name)  mpi_open(rank_enter(name), name, true)
#define MPI_ENTER_ISSUE(name)         mpi_open(rank_enter_issue(name), name, false)
#define MPI_ENTER_ISSUE_ANYTIME(name) mpi_open(rank_enter_issue(name), name, true)
void mpi_on_news(void (*deliver)(struct mpi_call *c)); /* at start-up */
void mpi_tell_news(struct mpi_call *c);
static inline int mpi_leave(struct mpi_call *c, int rc)
{
    if (BASE_UNLIKELY(c->self->news))
        mpi_tell_news(c);
    if (BASE_UNLIKELY(c->self->inside))
        c->self->inside--;
    rank_leave(c->rank, c->name);
    return BASE_UNLIKELY(rc != MPI_SUCCESS) && c->answered ? c->answer : rc;
}
/* Writes a count to where the caller wants an int: MPI_UNDEFINED if it does not fit. Not if the call has
 * failed. */
static inline void mpi_narrow(int rc, int *to, MPI_Count value)
{
    if (rc == MPI_SUCCESS && to)
        *to = value > INT32_MAX || value < INT32_MIN ? MPI_UNDEFINED : (int)value;
}

/* Looks a handle up. NULL: it is no live handle of this kind. */
static inline void *mpi_find(const struct mpi_rank *self, enum mpi_kind kind, const void *handle)
{
    const struct mpi_table *t = self->tables[kind];
    uintptr_t value = (uintptr_t)handle;
    uint32_t place = (uint32_t)value & (MPI_PLACES - 1);
    if (BASE_UNLIKELY(!t || place >= t->n || t->at[place] & 1))
        return NULL;
    struct mpi_object *o = (struct mpi_object *)t->at[place]; // NOLINT(performance-no-int-to-ptr)
    return BASE_LIKELY(o->handle == value) ? o : NULL;
}
#define MPI_HANDLE(type, number) ((type)(uintptr_t)(number)) // NOLINT(performance-no-int-to-ptr)

/* --- failing ----------------------------------------------------------------------------------------- */

/* An error of a call: `code` is an error class, or a code of the program's; the text says what was expected.
 * Does what the error handler of `on` says, and returns `code`, unless the job ends. NULL: it is about no
 * object, so MPI_COMM_SELF's handler is taken (MPI-5.0 section 9.3), or MPI_COMM_WORLD's if only that one was
 * changed. */
int mpi_fail(struct mpi_call *c, struct mpi_guarded *on, int code, const char *fmt, ...) BASE_PRINTF(4, 5);
#ifdef __clang_analyzer__ /* it sees one file at a time, and would treat every failure as a success, too */
#define mpi_fail(...)                                                                                        \
    ({                                                                                                       \
        (mpi_fail)(__VA_ARGS__);                                                                             \
        MPI_ERR_OTHER;                                                                                       \
    })
#endif
/* The handler alone: its text was given before. */
int mpi_raise(struct mpi_call *c, struct mpi_guarded *on, int code);
/* MPI_FILE_NULL stands for files that could not be opened: its handler is the default of all files. */
struct mpi_guarded *mpi_file_null(struct mpi_rank *self);
/* Fails with MPI_ERR_UNSUPPORTED_OPERATION; says so once in a job. */
int mpi_absent(struct mpi_call *c, enum mpi_about about);
const char *mpi_class_name(int class); /* "MPI_ERR_RANK"; NULL: it is not the standard's */
/* What the standard's classes mean, in words. */
const char *mpi_class_text(int class);

#endif
