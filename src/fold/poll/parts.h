/* SPDX-License-Identifier: BSD-3-Clause */
/* parts: what the files of fold/poll/ share (private to it). */
#ifndef PGASIM_FOLD_POLL_PARTS_H
#define PGASIM_FOLD_POLL_PARTS_H

#include "fold/poll/poll.h"
#include "fold/poll/turn.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

/* --- what a thread of the machine keeps ------------------------------------------------------------ */

/* Why a rank is to be put aside, from the handler that found it to the one that does it. */
struct poll_finding {
    enum poll_verdict verdict;
    uintptr_t pc;
    bool sampled;    /* found without single steps: what it loads is not known */
    bool endless;    /* proven, and no branch looks at memory */
    uintptr_t jump;  /* where a breakpoint would find it again; 0: nowhere */
    uint32_t length; /* steps of a turn */
};

/* Register states of a rank in its own code, by place, to recognise one that goes in circles (sample.c). */
enum { POLL_SAMPLES = 8 };
struct poll_samples {
    struct {
        uintptr_t pc;
        uint64_t general[32];
    } at[POLL_SAMPLES];
    unsigned n, same;
};

struct poll_here {
    timer_t timer;
    /* the rank that the last ticks found in its own code, and the state of the engine then */
    const struct rank *rank;
    const struct engine_actor *actor;
    uint64_t events, switches;
    unsigned age;         /* ticks for which it has been so */
    double since;         /* seconds of this thread's CPU time when it was first so */
    bool stepping, asked; /* asked: it is about to be put aside */
    struct poll_finding found;
    /* single steps (step.c) */
    struct poll_turn turn;
    uintptr_t head, head_stack, stack_low, stack_high;
    uintptr_t from_break; /* where a breakpoint began them; 0: a tick did */
    uint32_t budget, arrivals;
    double until;    /* seconds of CPU time */
    uint32_t seeks;  /* steps left until the program's own code must be there; 0: it is */
    unsigned missed; /* times in a row that no poll was found */
    uint32_t seen;   /* steps at the last tick */
    bool settles;    /* an unproven loop will do */
    enum poll_verdict best;
    struct poll_samples samples;
};
extern RANK_THREAD struct poll_here *poll_here;

/* The job, and what never changes while it runs. */
struct poll_job {
    struct fold_job *job;
    double slice;    /* CPU seconds between two looks at who runs */
    double patience; /* CPU seconds for which unproven loops go on when nothing else happens */
    int process;     /* a child of fork is not ours */
    bool steps;      /* single steps are possible */
    bool broken;     /* they were tried, and no trap came */
};
extern struct poll_job poll_job;

static inline int poll_slice_signal(void)
{
    return SIGRTMAX - 5;
}
static inline int poll_aside_signal(void)
{
    return SIGRTMAX - 6;
}
/* The rank whose code this thread runs, in its turn or ahead of it; its actor. */
struct rank *poll_rank(void);
struct engine_actor *poll_actor(const struct rank *r);
bool poll_own_code(const struct rank *r, uintptr_t pc); /* the program's, or a library's of its own */
uintptr_t poll_stack_pointer(const ucontext_t *u);
/* Whether there is room for a handler's frame, and what it calls, below the stack pointer, which must be on
 * the actor's stack. `*low`, `*high`: of the stack. */
bool poll_stack_room(const struct rank *r, uintptr_t sp, uintptr_t *low, uintptr_t *high);
/* Has the rank put aside as soon as the handler that calls this returns. */
void poll_ask_aside(const struct poll_finding *f);

/* --- steps (step.c, decode.c, breaks.c: x86-64; elsewhere.c: none) --------------------------------- */

bool poll_steps_possible(void); /* loads what decodes instructions */
void poll_steps_begin(void);    /* takes SIGTRAP */
void poll_steps_end(void);
/* Follows the interrupted rank for some time (`seconds` of the CPU). `settles`: if the loop is not proven,
 * an unproven one will do. */
void poll_step_start(ucontext_t *u, double seconds, bool settles);
void poll_step_stop(ucontext_t *u);
void poll_registers_read(struct poll_registers *out, const ucontext_t *u);
/* Copies memory of this process that may not be there. */
bool poll_peek(uintptr_t address, void *out, size_t size);

/* A jump back in a proven loop gets a breakpoint, so that the next one who comes by is found at once. */
uintptr_t poll_break_place(const struct rank *r,
                           const struct poll_turn *t);                   /* where it would be; 0: nowhere */
void poll_break_add(const struct rank *r, const struct poll_finding *f); /* in r's turn */
uint32_t poll_break_budget(const struct rank *r, uintptr_t pc); /* steps that are worth taking there */
/* If a breakpoint of ours is at `pc` in r's code: where the jump there goes; 0: none. `*back`: is it taken? */
uintptr_t poll_break_follow(const struct rank *r, uintptr_t pc, const ucontext_t *u, bool *back,
                            struct poll_step *s);
void poll_break_missed(const struct rank *r, uintptr_t pc); /* it led to no poll: too often, and it goes */
void poll_break_met(const struct rank *r, uintptr_t pc);    /* it led to one */
void poll_breaks_end(void);

/* --- samples (sample.c) ---------------------------------------------------------------------------- */

/* Where there are no single steps: whether the rank goes in circles, as far as ticks show. */
bool poll_sample(struct poll_samples *s, const ucontext_t *u);

/* --- waiting (aside.c) ----------------------------------------------------------------------------- */

/* Waits, on the current actor's stack, until memory of the rank changes. */
void poll_aside(const struct poll_finding *f, const struct poll_turn *t, double spun);
bool poll_idle(void *arg); /* nothing else can happen */
void poll_waiters_begin(void);
void poll_waiters_end(void);
void poll_on_changed(struct rank *r, uintptr_t low, uintptr_t high);
void poll_on_stored(struct rank *r);

#endif
