/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io: what a rank does with open files. Functions of io.def and shims.def stand for libc's: they take the
 * rank's own numbers (files/), and a call that would have to wait waits in the simulation.
 *
 * How a call waits: it asks without waiting. If there is no answer yet, the rank is blocked like one that
 * waits for a message, and asked again when another rank or thread has done something that may be the answer
 * (io_changed). When nothing else can happen in the simulation, and somebody outside could answer, the
 * process really waits (io_wait.c). What only others outside can answer is waited for at once, so that no
 * simulated time depends on how fast they are.
 *
 * Invariants
 *  W1  A record is in the list of waits exactly while its rank is blocked in io_wait.
 *  W2  Waits are asked, and woken, in the order in which they began.
 */
#ifndef PGASIM_FOLD_IO_H
#define PGASIM_FOLD_IO_H

#include "fold/files/files.h"
#include "fold/libc/libc.h"

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <mqueue.h>
#include <sys/ioctl.h>
#include <termios.h>

/* --- numbers (number.c) ----------------------------------------------------------------------------- */

struct files_table *io_table(struct rank *r); /* made when there is none */
/* The entry of the current rank's number; NULL with errno. */
static inline const struct files_entry *io_entry(const struct rank *r, int number)
{
    return files_find(fold_part(r)->files, number);
}
/* The descriptor behind a number of the current rank, for functions that never wait: -1 if it is not open.
 * Without a rank, and for AT_FDCWD, the number itself. */
int io_descriptor(int number);
int io_descriptor_of(const struct rank *r, const struct files_entry *e);
bool io_full(struct rank *r); /* there is no free number: errno EMFILE */
/* Gives a fresh descriptor a number. -1 with errno: it is closed. -1 is passed on. */
int io_install(struct rank *r, int descriptor, enum files_nature nature, bool on_exec);
void io_before_change(int number); /* of 0, 1 or 2: what was printed before goes where it led until now */
int io_close(struct rank *r, int number);

/* A name of an open file, /proc/self/fd/N or the like, as one that leads to the current rank's; any other
 * stays. `room` is for the result. */
enum { IO_PATH_ROOM = 4200 };
const char *io_path(const char *path, char room[IO_PATH_ROOM]);
int io_path_number(const char *path); /* that it names; -1: none */

/* --- waiting (wait.c) ------------------------------------------------------------------------------- */

/* Places of changes that are not a file's. */
enum {
    IO_ANY = 0,
    IO_SIGNALS = LIBC_SIGNALS,
    IO_CHILDREN = 4,
    IO_QUEUES = 6,
    IO_LOCKS = 8,
    IO_FIFOS = 10,
    IO_ALL = 12 /* a change that may concern anybody */
};

/* What a call waits for: one of the descriptors is ready; or, without any, a change there, after which the
 * caller asks for itself. */
struct io_wait_for {
    const char *call;
    struct pollfd *fds; /* descriptors; their results are filled in */
    nfds_t n;
    uint64_t place; /* changes elsewhere are none; IO_ANY: not known */
    bool outside;   /* the answer may come from outside of the job; */
    bool inherited; /* only from who has inherited the descriptor; */
    bool alone;     /* and from nowhere else */
    uint8_t nature; /* of the one file */
    double seconds; /* of simulated time; INFINITY: until there is an answer */
    double begun;   /* host time, set by the first of several waits */
    bool told;      /* a warning was given; likewise */
};
/* false: the time is over. */
bool io_wait(struct rank *r, struct io_wait_for *f);
/* A call found nothing and does not wait: a little time passes, so that a loop of such calls lets others
 * run. */
void io_nothing(struct rank *r);
/* The current rank did something that may let others go on. */
void io_changed_at(uint64_t place);
void io_time_came(uint64_t place); /* nobody did it: a timer expired */
extern uint32_t io_waits;          /* how many there are */
static inline void io_changed(uint64_t place)
{
    if (BASE_UNLIKELY(io_waits))
        io_changed_at(place);
}
void io_forked(void); /* others outside have descriptors of the job from now on */

/* Waits until a file is ready, unless it is not to wait (O_NONBLOCK). */
void io_await(struct rank *r, const char *call, const struct files_entry *e, short events);
/* Who can answer who waits for this file: fills in `outside`, `alone` and `place`. */
void io_ask_whom(struct io_wait_for *f, const struct files_entry *e, short events);
bool io_patient(const struct files_entry *e); /* calls wait: not O_NONBLOCK */

/* timer.c: reads a timer's entry; a number of it was closed; the rank's timers go with its files. */
ssize_t io_timer_read(struct rank *r, const struct files_entry *e, void *bytes, size_t size);
void io_timer_closed(uint64_t place);
void io_timers_forget(const struct rank *r);

/* socket.c: sends as the call of that name does, waiting in the simulation; ENOTSOCK: it is no socket. */
ssize_t io_send(struct rank *r, const char *call, const struct files_entry *e, const void *bytes, size_t size,
                int flags);
/* lock.c: a lock on a part of a file, as fcntl sets it. */
int io_lock(struct rank *r, int number, int command, struct flock *lock);

/* A system call by its number. false: it is none of open files. */
bool io_syscall(long number, const long a[6], long *result);

/* --- life ------------------------------------------------------------------------------------------- */

void io_begin(struct fold_job *job);
void io_end(struct fold_job *job);
bool io_is_child(void);          /* this is a process that a rank has forked */
void io_release(struct rank *r); /* closes what the rank left open */
void io_drop(struct rank *r);    /* the same for one that ends at once: nothing is written */
void io_children_forget(const struct rank *r);

#define FOLD_LIBC(type, name, params)            type in_rank_##name params;
#define FOLD_LIBC_AS(symbol, type, name, params) type in_rank_##name params;
#define FOLD_SHIM(type, name, params, call)      type in_rank_##name params;
#include "fold/io/io.def"
#include "fold/io/shims.def"
#undef FOLD_LIBC
#undef FOLD_LIBC_AS
#undef FOLD_SHIM

#endif
