/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts: what the files of file/ share.
 *
 * An open file is two records: struct mpi_opened, which all members share (the descriptor of the real file, the
 * shared pointer), and each member's own struct mpi_file, behind the handle (its view, its pointer, its hints).
 *
 * An access has two parts. The bytes go from the rank's memory to the real file, or back, within the call of the
 * rank (data.c), which may not be ahead of the clock. Then its time passes (access.c): the call, or the request,
 * ends when the devices and the messages of the access would be done (spend.c, phase.c).
 *
 * Invariants
 *  M60 An open file lives until all members have closed it and none of its accesses is under way.
 *  M61 Bytes of accesses reach the file in the order of the calls' simulated times.
 *  M62 A member has at most one split collective access under way.
 */
#ifndef PGASIM_MPI_FILE_PARTS_H
#define PGASIM_MPI_FILE_PARTS_H

#include "mpi/calls.h"
#include "mpi/comm/comm.h"
#include "mpi/file/file.h"
#include "mpi/info/info.h"
#include "mpi/message/message.h"
#include "mpi/type/type.h"
#include "rank/opened.h"
#include "storage/storage.h"

/* --- data representations (datarep.c) ---------------------------------------------------------------- */

enum mpi_data_form { MPI_DATA_NATIVE, MPI_DATA_EXTERNAL, MPI_DATA_REGISTERED };
struct mpi_datarep {
    struct mpi_datarep *next; /* of a rank's registered ones */
    const char *name;
    enum mpi_data_form form;
    /* Registered: functions of the program. NULL: data lie as in memory. */
    void (*read)(void), (*write)(void);
    bool wide; /* those take counts of MPI_Count */
    MPI_Datarep_extent_function *extent;
    void *extra;
    void *owned; /* memory that goes with it; NULL: none */
    struct mpi_extents
        *known; /* what its function has said, or a player's trace says; NULL: it is predefined */
};
/* NULL: there is none of that name. */
const struct mpi_datarep *mpi_datarep_find(const struct mpi_rank *self, const char *name);
void mpi_datareps_release(struct mpi_rank *self);
/* extents.c: a player's; -1: its trace has not said it. And a recorder is told, the first time. */
struct mpi_extents *mpi_extents_create(void);
void mpi_extents_release(struct mpi_extents *x);
int64_t mpi_extent_played(const struct mpi_datarep *rep, MPI_Datatype type);
void mpi_extent_tell(struct mpi_call *c, const struct mpi_datarep *rep, MPI_Datatype type, int64_t bytes);
/* How items of a datatype lie in a file; a reference. NULL: *rc is the error. */
const struct types_layout *mpi_datarep_layout(struct mpi_call *c, struct mpi_guarded *on,
                                              const struct mpi_datarep *rep, const struct mpi_type *t,
                                              int *rc);

/* --- files (file.c, open.c) --------------------------------------------------------------------------- */

struct mpi_turn;
struct mpi_phases;

struct mpi_opened {
    uint32_t references; /* members that have it */
    uint32_t n;
    struct coll_group members; /* a reference */
    struct mpi_job *job;
    char *path; /* absolute, and without links once it is open */
    int descriptor;
    int amode;
    bool played;     /* no file of this machine: its members are players */
    int64_t found;   /* its bytes when it was opened, or as struct mpi_beside has it */
    int64_t size;    /* of a played one */
    uint64_t number; /* of all that the job has opened; from 1 on */
    int error;       /* it could not be opened: an error class, and what it was */
    char text[200];
    int64_t pointer;                 /* the shared one, in etypes */
    double keeper_free;              /* when its keeper has served all requests so far */
    uint32_t *leaders, hosts;        /* the first member on each host, in order */
    struct mpi_turn *turns;          /* collective calls under way, the oldest first */
    BASE_ARRAY(uint32_t) apart;      /* numbers of groups that no turn has now */
    struct mpi_opened *next, **link; /* of the job's */
};

/* What a member sees of the file: tiles of a filetype from a displacement on. */
struct mpi_view {
    int64_t displacement;
    struct mpi_type *etype, *filetype;         /* references */
    const struct types_layout *element, *tile; /* the same in the file; references */
    uint64_t unit, room;                       /* bytes of data in each */
    int64_t extent;                            /* of a tile */
    bool single; /* a second tile would begin before the first one ends: there is none */
    const struct mpi_datarep *rep;
};

/* Hints that are acted upon (hints.c). */
enum mpi_choice { MPI_CHOICE_AUTOMATIC, MPI_CHOICE_ENABLE, MPI_CHOICE_DISABLE };
struct mpi_file_hints {
    uint32_t aggregators;                    /* cb_nodes */
    uint64_t buffer;                         /* cb_buffer_size */
    uint64_t sieve_read, sieve_write;        /* ind_rd_buffer_size, ind_wr_buffer_size */
    enum mpi_choice collective[2], sieve[2]; /* romio_cb_read and _write, romio_ds_read and _write */
};

struct mpi_io;
struct mpi_file {
    struct mpi_guarded guarded; /* first */
    struct mpi_opened *opened;  /* a reference */
    struct mpi_rank *owner;
    struct mpi_comm *comm; /* the duplicate on which it was opened, without a handle */
    struct mpi_view view;
    int64_t pointer;   /* its own, in etypes */
    uint32_t turns;    /* collective calls that it has begun */
    uint32_t accesses; /* under way */
    uint32_t left;     /* of them, those that nobody waits for */
    struct mpi_io *under_way;
    struct mpi_file *next, **link; /* of the job's */
    bool atomic, closed;
    uint32_t checked;           /* its number with a checker; 0: none */
    struct storage_file *store; /* what it costs to reach the file's device; NULL: no time */
    struct mpi_io *split;       /* a split collective access under way; NULL: none */
    const char *splitter;       /* the call that began it; literal */
    struct mpi_file_hints hints;
    struct mpi_info *info;
};

struct mpi_files { /* a job's */
    struct base_pool files, accesses;
    uint64_t openings; /* so far */
    struct mpi_opened *first;
    struct mpi_file *members; /* the records of all members of all files */
};
struct mpi_files *mpi_files_of(struct mpi_job *job);

/* NULL: fails with MPI_ERR_FILE. */
struct mpi_file *mpi_file_of(struct mpi_call *c, MPI_File fh, int *rc);
void mpi_file_release(struct mpi_file *f);
void mpi_opened_release(struct mpi_opened *o);
/* All members are here. */
void mpi_file_barrier(struct mpi_call *c, const struct mpi_file *f);
void mpi_file_hint(struct mpi_call *c, struct mpi_file *f, MPI_Info info); /* hints.c */

/* --- the real file (host.c) --------------------------------------------------------------------------- */

/* What a call of the system that failed with `number` (errno) is to MPI: an error class. */
int mpi_host_class(int number);
/* Whole transfers. Returns the bytes moved: fewer when the file ends, or with errno set to what went wrong, else
 * 0. */
int64_t mpi_host_move(int descriptor, bool write, void *at, uint64_t bytes, int64_t offset);
int64_t mpi_host_size(const struct mpi_opened *o);
/* Return errno. */
int mpi_host_resize(struct mpi_opened *o, int64_t size);
int mpi_host_allocate(struct mpi_opened *o, int64_t size);
bool mpi_host_is_played(const struct rank *r);
/* A call of the system has failed, as errno says: fails with its class. */
int mpi_host_failed(struct mpi_call *c, struct mpi_file *f, const char *what);

/* --- views (view.c) ----------------------------------------------------------------------------------- */

/* The view of a file that was just opened: bytes. */
void mpi_view_open(struct mpi_view *v, int64_t displacement);
void mpi_view_release(struct mpi_view *v);
/* Where the data at a position, in bytes of data, lie in the file; -1: further than a file can be. */
int64_t mpi_view_offset(const struct mpi_view *v, uint64_t position);
/* How many etypes of the view begin before a byte of the file. */
int64_t mpi_view_elements_before(const struct mpi_view *v, int64_t offset);
/* Calls fn for the runs of bytes of the file in which [position, position + bytes) of the view's data lie, in order,
 * until it returns false. */
typedef bool (*mpi_run_fn)(void *arg, int64_t offset, uint64_t bytes);
void mpi_view_each(const struct mpi_view *v, uint64_t position, uint64_t bytes, mpi_run_fn fn, void *arg);
/* Whether [position, position + bytes) of the view's data can be reached: all offsets fit in 63 bits. */
bool mpi_view_fits(const struct mpi_view *v, uint64_t position, uint64_t bytes);

/* --- data (data.c) ------------------------------------------------------------------------------------ */

/* Items of a datatype in the memory of the rank that calls. */
struct mpi_data {
    void *at;
    uint64_t count;
    const struct types_layout *layout;
    /* Those of the program: they differ from the ones before if it passed a section with gaps of an array of Fortran's. */
    MPI_Datatype datatype;
    uint64_t items;
    bool section;
    uint64_t bytes; /* of data in memory */
    uint64_t there; /* in the file */
};
/* Moves data from or to position `position`, in bytes of the view's data. *moved: bytes of data in memory. Returns
 * MPI_SUCCESS, or has failed by the file's handler. */
int mpi_data_move(struct mpi_call *c, struct mpi_file *f, bool write, uint64_t position,
                  const struct mpi_data *d, uint64_t *moved);

/* datarep.c: the bytes that the items have in the file; the items as they look there; and back, n bytes of them, which
 * are *moved bytes here. */
uint64_t mpi_datarep_bytes(struct mpi_call *c, struct mpi_file *f, const struct mpi_data *d, int *rc);
int mpi_datarep_encode(struct mpi_call *c, struct mpi_file *f, const struct mpi_data *d, void *there);
int mpi_datarep_decode(struct mpi_call *c, struct mpi_file *f, const struct mpi_data *d, void *there,
                       uint64_t n, uint64_t *moved);

/* --- accesses (access.c, forms.c) --------------------------------------------------------------------- */

enum mpi_pointer { MPI_POINTER_GIVEN, MPI_POINTER_OWN, MPI_POINTER_SHARED, MPI_POINTER_ORDERED };
struct mpi_access {
    bool write, all; /* all: collective */
    enum mpi_pointer pointer;
    bool unasked; /* a nonblocking one without a place for its request: it is refused */
};

/* What an access does at the file's device, one piece after the other. */
struct mpi_piece {
    uint64_t offset, bytes;
    bool write;
};
struct mpi_spending {
    struct storage_file *store; /* NULL: it takes no time */
    BASE_ARRAY(struct mpi_piece) pieces;
    size_t at;
    int error; /* of the device: an error class */
    void (*done)(void *arg);
    void *arg;
};

/* One whose bytes are moved, and whose time passes. */
struct mpi_io {
    struct mpi_file *file;
    struct mpi_io *next, **link; /* of the file's */
    struct mpi_access access;
    struct mpi_view view;     /* when it began; a reference to `tile` alone */
    uint64_t position, bytes; /* of the view's data */
    int64_t low, high;        /* they lie in [low, high) of the file */
    uint64_t moved;           /* of data in memory */
    const char *call;
    bool done, left;             /* left: nobody waits for it */
    int error;                   /* of the device: an error class */
    uint64_t action;             /* of a checker; 0: none */
    struct mpi_request *request; /* NULL: none */
    struct engine_actor *waits;  /* NULL: nobody waits for it now */
    struct engine_reason reason;
    struct engine_event answered; /* where the shared pointer is (pointer.c) */
    struct mpi_spending spending;
    struct mpi_phases *phases; /* collective, in two phases; NULL: not, or over */
    struct storage_told told;
};
/* Moves the bytes of an access. NULL: *rc is the error. Of a member whose part of a collective access fails, *rc is the
 * error, too, but its time, of an access without data, passes all the same: the others wait for it. */
struct mpi_io *mpi_io_begin(struct mpi_call *c, MPI_File fh, struct mpi_access a, MPI_Offset offset,
                            const void *buf, MPI_Count count, MPI_Datatype datatype, int *rc);
void mpi_io_spend(struct mpi_io *io); /* begins its time, */
void mpi_io_leave(struct mpi_io *io); /* for which nobody waits, */
int mpi_io_await(struct mpi_call *c, struct mpi_io *io, MPI_Status *status);
void mpi_io_request(struct mpi_call *c, struct mpi_io *io, MPI_Request *request);
void mpi_io_done(struct mpi_io *io);   /* it has passed */
void mpi_io_forget(struct mpi_io *io); /* at the job's end: it will not pass */

/* --- checkers (checked.c) ------------------------------------------------------------------------------ */

void mpi_file_checked_open(struct mpi_file *f);
/* An access begins. Returns the number of its action; 0: nobody asks. */
uint64_t mpi_file_checked_access(struct mpi_call *c, const struct mpi_io *io, const struct mpi_data *d);

/* What traces are told (traced.c): the access begins; a step of two phases begins or ends. */
struct mpi_step {
    const char *name;
    enum trace_kind kind;
};
void mpi_io_tell(struct mpi_io *io);
void mpi_step_tell(const struct mpi_io *io, bool begins, const struct mpi_step *step, uint32_t round,
                   uint64_t bytes);

/* --- turns: collective calls, in the order of each member's (turn.c) ---------------------------------- */

/* What all members of a call must pass alike, and what reports call it. */
enum { MPI_ALIKE = 2 };
struct mpi_alike {
    const char *what[MPI_ALIKE]; /* "sizes"; NULL: no more */
    int64_t value[MPI_ALIKE];
};
/* What a member leaves for the others. */
struct mpi_plan;
struct mpi_seat_of_file {
    const struct mpi_file *file; /* of a member that has met the others */
    int64_t number;              /* etypes that it is to access */
    int64_t place;               /* where they are */
    struct mpi_alike alike;
    struct mpi_io *io;
    int64_t low, high; /* of its access: [low, high) holds all of it */
};
struct mpi_turn {
    struct mpi_turn *next;
    uint32_t number, gone;
    bool solved;
    int error;             /* of what was done for all; 0: it went well */
    int refusal;           /* with which the call of a member has failed before; 0: none has */
    uint32_t refuser;      /* that member */
    uint32_t passed;       /* so many have passed what must be alike, */
    uint32_t first;        /* this one before all others: what it has passed holds */
    struct mpi_plan *plan; /* of two-phase accesses; NULL: each is on its own */
    /* A number of the members' group that no other turn has: accesses that overlap may end in another order at each
     * member, and collectives of one group are matched in the order of their starts. 0: none was needed. */
    uint32_t apart;
    uint64_t *scratch; /* for what members are told in collectives, but know here; NULL: not used */
    struct mpi_seat_of_file seat[];
};
/* Comes to the member's next collective call. */
struct mpi_turn *mpi_turn_enter(struct mpi_file *f);
void mpi_turn_leave(struct mpi_file *f, struct mpi_turn *t); /* the last one releases it */
void mpi_turn_release(struct mpi_opened *o, struct mpi_turn *t);
/* Comes to the next one, and waits until all members are here. `refused`: the error class with which this member's call
 * has failed already; 0: it has not, and `alike` (NULL: nothing) is compared with what others have passed. */
struct mpi_turn *mpi_turn_meet(struct mpi_call *c, struct mpi_file *f, int refused,
                               const struct mpi_alike *alike);
/* Leaves one of which nothing is done if a member is refused. Returns `mine`, what this member's call has failed with, or
 * fails as the other one has. */
int mpi_turn_agree(struct mpi_call *c, struct mpi_file *f, struct mpi_turn *t, int mine);
/* Waits until all members are here. Returns where, in etypes, this one's access is: behind those of the members
 * before it, from the shared pointer on, which then is behind all of them. */
int64_t mpi_turn_order(struct mpi_call *c, struct mpi_file *f, int64_t number);

/* --- time (spend.c, plan.c, phase.c) ------------------------------------------------------------------- */

/* A piece, which may adjoin the one before. */
void mpi_spend_add(struct mpi_spending *s, bool write, uint64_t offset, uint64_t bytes);
/* Calls done when the device has done all pieces; it may be before this returns. */
void mpi_spend_start(struct mpi_spending *s);
/* Starts the time of an access, which ends with mpi_io_done: by the rank itself, or with the others. */
void mpi_spend_alone(struct mpi_io *io);
void mpi_spend_together(struct mpi_io *io);
void mpi_pointer_ask(struct mpi_io *io); /* the same, alone, when the shared pointer's keeper has answered */
/* Waits until the names of the file's volume are looked up or changed. MPI_SUCCESS, or an error class. */
int mpi_spend_name(struct mpi_call *c, const char *path, enum storage_naming how);

/* Two phases: what each member sends to, or gets from, each aggregator, and what those do with the file, in rounds. */
struct mpi_share_of_cell {
    uint32_t member;
    uint64_t bytes;
};
struct mpi_cell { /* of an aggregator in a round */
    int64_t low, high;
    uint64_t bytes;                              /* of data in [low, high) */
    BASE_ARRAY(struct mpi_share_of_cell) shares; /* by member */
};
struct mpi_plan {
    uint32_t aggregators, rounds;
    const uint32_t *member;  /* of each aggregator */
    int64_t low;             /* of the first domain */
    uint64_t domain, window; /* bytes of an aggregator's domain; that it handles in a round */
    struct mpi_cell *cell;   /* aggregator by aggregator */
};
/* NULL: no member has data, or their accesses do not interleave and hints leave the choice. */
struct mpi_plan *mpi_plan_make(const struct mpi_opened *o, const struct mpi_turn *t);
void mpi_plan_release(struct mpi_plan *p);
/* Bytes between a member and an aggregator in a round. */
uint64_t mpi_plan_bytes(const struct mpi_cell *cell, uint32_t member);

#endif
