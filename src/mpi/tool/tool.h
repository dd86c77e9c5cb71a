/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tool: the tool information interface, MPI_T (MPI-5.0 section 15.3). Its functions return codes and call no
 * error handler. Control variables are the simulator's settings, under their keys; performance variables are
 * what is counted of each rank; a category has the settings of one prefix, or the performance variables.
 */
#ifndef PGASIM_MPI_TOOL_H
#define PGASIM_MPI_TOOL_H

#include "mpi/internal.h"

struct mpi_news; /* deliver.c */
struct mpi_tools {
    uint32_t opened;          /* by MPI_T_init_thread, and not finalized */
    uint32_t wanted;          /* event types for which there are registrations: one bit each */
    struct mpi_news *news;    /* events that were not delivered so far; NULL: none so far */
    struct mpi_tool *watches; /* registrations, in order of their making */
    bool delivering;          /* a callback runs, or will */
};

enum mpi_tool_what { MPI_TOOL_CVAR, MPI_TOOL_SESSION, MPI_TOOL_PVAR, MPI_TOOL_WATCH, MPI_TOOL_EVENT };
/* A function that a registration calls, for each level of safety that it promises. */
enum { MPI_TOOL_SAFETIES = 4 };
struct mpi_tool_callback {
    MPI_T_event_cb_function *fn; /* NULL: none */
    void *data;
};
/* A handle of a variable, or a session. */
struct mpi_tool {
    struct mpi_object object;
    uint8_t what;          /* enum mpi_tool_what */
    bool started;          /* PVAR */
    int index;             /* of the variable */
    uint32_t owner;        /* PVAR: its session's handle */
    uint64_t before;       /* PVAR, a counter: while it was started earlier */
    uint64_t from;         /* PVAR, a counter: the rank's value when it was started last */
    struct mpi_tool *next; /* WATCH */
    struct mpi_tool_callback callbacks[MPI_TOOL_SAFETIES]; /* WATCH */
    MPI_T_event_dropped_cb_function *dropped_fn;           /* WATCH; or NULL */
    uint64_t dropped;                                      /* WATCH: events that were not delivered */
    const struct mpi_seen *seen;                           /* EVENT: what happened */
};

void mpi_tool_register(void); /* at start-up */
bool mpi_tool_open(const struct mpi_call *c);
struct mpi_tool *mpi_tool_create(struct mpi_rank *self, enum mpi_tool_what what, int index);
void mpi_tool_destroy(struct mpi_rank *self, struct mpi_tool *t);
struct mpi_tool *mpi_tool_find(const struct mpi_call *c, enum mpi_tool_what what, const void *handle);
/* Texts as section 15.3.3 returns them. Either pointer may be NULL. */
void mpi_tool_text(const char *text, char *to, int *length);
static inline void mpi_tool_put(int *to, int value)
{
    if (to)
        *to = value;
}

/* cvar.c: the settings, sorted by key. NULL: no such index. */
int mpi_tool_cvars(const struct mpi_call *c);
const struct base_setting *mpi_tool_cvar(const struct mpi_call *c, int index);
extern const MPI_T_enum mpi_tool_switch; /* no or yes */
/* pvar.c */
int mpi_tool_pvars(void);
/* deliver.c: what happens at a rank, until its call ends, and is then told to its registrations. */
enum { MPI_TOOL_EVENTS = 4 }; /* types, in the order of enum p2p_instant */
struct mpi_seen {
    double at; /* seconds */
    uint64_t bytes;
    int32_t peer, tag; /* rank of the job */
    uint8_t type;
};
void mpi_tool_listen(struct mpi_rank *self);
void mpi_tool_deliver_register(void); /* at start-up */
void mpi_tool_news_release(struct mpi_tools *t);
/* Calls the function that a tool gave for the end of a registration. */
void mpi_tool_freed(const struct mpi_call *c, MPI_T_event_free_cb_function *fn,
                    MPI_T_event_registration registration, void *data);
/* The callback for a level of safety, or NULL: there is no such level. */
struct mpi_tool_callback *mpi_tool_callback(struct mpi_tool *watch, MPI_T_cb_safety safety);

#endif
