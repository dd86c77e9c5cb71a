/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view: memory at one address for all ranks, whose bytes and protection are each rank's own (pgasim.h,
 * docs/views.md, decision 0025). Each rank's bytes are a part of one file in memory, mapped twice: `inside`,
 * an address of the rank's own, always accessible, and `at`, the address that all ranks use. There, the bytes
 * of at most one rank are mapped, and its protection is put in place piece by piece as the rank touches it:
 * the protection of the mapping is a cache of `access`, emptied when another rank runs.
 *
 * Invariants
 *  D13 Nothing is accessible at `at` but what `access` of the rank that runs allows, if that rank has a view.
 *  D14 `mapped` is the rank whose bytes are mapped at `at`, or NULL. `open` only if some of them are
 *      accessible.
 */
#ifndef PGASIM_FOLD_VIEW_H
#define PGASIM_FOLD_VIEW_H

#include <signal.h>

#include "fold/internal.h"

/* A rank's. */
struct view {
    char *inside;
    unsigned char *access; /* of each page: enum pgasim_access */
    int (*fault)(void *address, int store);
    const struct rank_memory *beneath; /* for all other addresses */
};

/* The job's. */
struct views {
    char *at;
    size_t bytes, page;
    int file;
    const struct rank *mapped;
    bool open;
    bool leaves;          /* between VIEW_LEAVES and the second fault */
    stack_t signal_stack; /* the thread's */
};

/* Before `to`, which has a view, runs. */
void view_enter(struct views *v, const struct rank *to);
static inline void view_switch(const struct rank *to)
{
    struct views *v = fold_of(to)->views;
    if (v->open && v->mapped != to)
        view_enter(v, to);
}
void view_release(struct rank *r); /* it has ended */
void views_end(struct fold_job *job);

/* Makes what the rank may do with the page accessible. */
void view_open(const struct rank *r, size_t page);
void view_protect(const struct rank *r, size_t page, size_t n, unsigned char access);

/* A fault of the rank that runs, in the handler of SIGSEGV: whose it is, and what to do. VIEW_LEAVES: as
 * VIEW_RETRY, but the instruction faults once more and is then handled on the rank's stack, where the program
 * may wait. VIEW_NO_ROOM: the stack is too full for that. */
enum view_fault { VIEW_NOT_HERE, VIEW_RETRY, VIEW_LEAVES, VIEW_NO_ROOM };
void view_signals_begin(struct views *v); /* when the first view is made */
enum view_fault view_fault(struct rank *r, const siginfo_t *info, void *context);
/* "4096 bytes into the view, which it may not access now"; false: not there. */
bool view_explain(const struct rank *r, uintptr_t address, char *buf, size_t size);

#endif
