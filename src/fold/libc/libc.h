/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libc: the process-wide libc state that each rank has for itself, and the libc functions that mean something
 * else in a rank. How interposition works: the loader writes the addresses of the functions of libc.def
 * (interposers.c) into the relocated references of the application's own objects, but not of the system's
 * libraries or the simulator. So the simulator and libc call the real functions, whatever the order of
 * libraries. A rank's state is made at its first use, so a million ranks that use none cost a pointer each.
 *
 * There are two kinds of state. State that only interposed functions see (random generators, strtok, exit
 * handlers) lies in the rank's struct fold_libc. State that libc, other libraries or the application access
 * directly (errno, environ, optind, C++'s exception globals, the working directory) has one live copy, which
 * is exchanged at switches.
 *
 * Invariants
 *  L1  Between ranks the live copies have their first values; a rank whose values differ has `kept` set.
 *  L2  The routed streams hold bytes of the current rank only.
 */
#ifndef PGASIM_FOLD_LIBC_H
#define PGASIM_FOLD_LIBC_H

#include "fold/internal.h"

#include <getopt.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <threads.h>
#include <time.h>

/* Something to do when the rank ends. */
struct libc_exit {
    union {
        void (*plain)(void *arg);
        void (*with_code)(int code, void *arg); /* on_exit */
    } fn;
    void *arg;
    void *object; /* __dso_handle of the object that registered it */
    bool wants_code;
};
struct libc_exits {
    struct libc_exit *at;
    size_t n, cap;
};

/* The values that are exchanged at switches. */
struct libc_live {
    int error; /* errno */
    int option_index, option_errors, option_char;
    char *option_argument;
    char **environment;
};

/* getopt's memory between calls. */
struct libc_getopt {
    char *rest;      /* of a group of short options */
    int first, last; /* [first, last): non-option arguments, skipped */
    int left_at;     /* optind as the last call left it */
    bool started;
};

/* Results that libc keeps in static memory. */
struct libc_times {
    struct tm tm;
    char text[128];
};
struct libc_input;   /* stdio.c */
struct libc_random;  /* random.c */
struct libc_cxx;     /* cxx.c */
struct libc_signals; /* signal.c */

/* A rank's private libc state, made at its first use. */
struct fold_libc {
    bool kept; /* live differs from the first values */
    struct libc_live live;
    struct libc_cxx *cxx; /* part of `kept`, too; NULL: first values */
    char *folder;         /* NULL: the job's */
    mode_t mask;          /* for new files */
    bool masks;           /* it has one of its own */
    char **environment;   /* the rank's own list; NULL: it has none */
    size_t environment_room;
    struct libc_getopt getopt;
    struct libc_exits at_exit, at_quick_exit, at_thread_exit;
    jmp_buf *exit_again;    /* while exit handlers run: where a further exit() continues */
    const void *exit_frame; /* the stack of the call of exit begins here, for leak checks; NULL: none */
    int exit_code;
    char *token; /* strtok's */
    struct libc_random *random;
    struct libc_signals *signals;
    struct libc_times *times;
    struct libc_input *input; /* that stdin has read ahead; NULL: none yet */
};

/* The process-wide part: where the live copies are, the routed streams. There is one, because there is one
 * libc. */
struct libc_process {
    struct fold_job *job;
    const struct rank *released;   /* the last rank that ended: its values are not kept */
    int *error;                    /* errno's address; a dummy when ranks run ahead */
    char **environment;            /* the ranks' initial one */
    char **own_environment;        /* the simulator's */
    char *own_name;                /* the simulator's, in libc's messages */
    char *folder;                  /* the job's */
    const char *folder_live;       /* the rank's now in effect; NULL: the job's */
    mode_t mask;                   /* for new files: the job's */
    bool masks_live;               /* a rank's is in effect */
    FILE *routed[3], *original[3]; /* stdin, stdout, stderr */
    uint32_t until_flush;          /* switches */
    double poll_cost;              /* seconds that reading a clock takes */
    /* io/'s; NULL: none. Reads a number of the current rank; waits for the job's standard input; tells that
     * something happened to a file, or (LIBC_SIGNALS) that a signal was sent. */
    ssize_t (*read_number)(int number, void *bytes, size_t size);
    void (*await_input)(struct rank *r);
    void (*changed)(uint64_t place);
};
extern struct libc_process libc_process;

/* The rank's state, made when it has none. */
struct fold_libc *libc_of(struct rank *r);

/* The calling rank, even when ahead of its turn: for functions that touch only the rank's own state. */
static inline struct rank *libc_self(void)
{
    struct rank *r = rank_current;
    return BASE_LIKELY(r != NULL) ? r : rank_ahead;
}

/* Opens and closes an interposed call that takes simulated time. */
static inline void libc_enter(struct rank *r)
{
    if (BASE_UNLIKELY(r->measured_from >= 0))
        rank_compute_stop(r);
    rank_catch_up(r);
    rank_look_again(r);
}
static inline void libc_leave(struct rank *r)
{
    if (BASE_UNLIKELY(r->measured_from >= 0))
        rank_compute_start(r);
}

/* Before any program object is loaded: replaces stdout and stderr by streams that hand whole writes to
 * rank_output of the current rank, and stdin by one that only rank 0 can read. */
void fold_libc_begin(struct fold_job *job);
void fold_libc_end(struct fold_job *job); /* puts them back; flushes */

/* At each switch between ranks (either may be NULL): errno, environ, getopt's variables, the C++ exception
 * globals, working directory, mask for new files. Cheap when neither rank changed any. */
void fold_libc_switch(struct rank *from, struct rank *to);
void fold_libc_release(struct rank *r); /* the rank has ended */
/* Simulated seconds at which `clock` shows t; NAN when t is not a valid time. */
double libc_until(clockid_t clock, const struct timespec *t);

/* signal.c: is asked first when the process gets a SIGTRAP; true: it was not the program's. NULL: nobody */
extern bool (*libc_trap_first)(const siginfo_t *info, void *context);
/* stdio.c */
void libc_streams_begin(struct libc_process *p);
void libc_streams_end(struct libc_process *p);
void libc_streams_flush(struct libc_process *p);
void libc_streams_keep_input(struct libc_process *p, struct rank *from);
int libc_stream_number(const FILE *f); /* 0, 1 or 2 for a routed stream, -1 for another */
/* Reads standard input for a rank that has the job's: what was read ahead comes first. */
ssize_t libc_input_read(struct rank *r, void *text, size_t size);
bool libc_input_waits(const struct rank *r); /* something was read ahead */
void libc_input_forget(struct rank *r);
void libc_input_release(struct fold_libc *l);
/* time.c: lets simulated time pass, at least that of a look at the clock. */
void libc_sleep(struct rank *r, double seconds);
/* state.c */
void libc_folder_enter(struct libc_process *p, const struct rank *to);
void libc_folder_forget(struct libc_process *p, struct fold_libc *l);
void libc_mask_enter(struct libc_process *p, const struct rank *to);
/* cxx.c: `put_back` of NULL, or of a rank without such state, restores the first values */
void libc_cxx_begin(const struct libc_process *p);
bool libc_cxx_changed(void);
uint64_t *libc_cxx_exception(void);      /* the live __cxa_eh_globals; NULL without C++ */
void libc_cxx_ahead_begin(void);         /* from now on exceptions are not exchanged at switches */
uint64_t *libc_cxx_exception_here(void); /* this thread's __cxa_eh_globals */
void libc_ahead_begin(void);             /* process.c */
void libc_cxx_keep(struct fold_libc *l);
void libc_cxx_put_back(const struct fold_libc *l);
/* signal.c */
enum { LIBC_SIGNALS = 2 };                           /* the place of changes, for libc_process.changed */
uint64_t libc_signals_handled(const struct rank *r); /* how often a handler of the rank was called */
void libc_signals_deliver(const struct rank *r); /* calls the handlers of those that came for it meanwhile */
/* random.c */
void libc_random_forget(struct fold_libc *l);

#define FOLD_LIBC(type, name, params)            type in_rank_##name params;
#define FOLD_LIBC_AS(symbol, type, name, params) type in_rank_##name params;
#include "fold/libc/libc.def"
#undef FOLD_LIBC
#undef FOLD_LIBC_AS

#endif
