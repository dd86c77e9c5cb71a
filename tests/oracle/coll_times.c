/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simulated times of one collective, from a common start. Compiled by pgasim's mpicc; by smpicc with
 * -DUNDER_SMPI; and with -DREAL_LIBRARY for a real MPI, to see what it does (library_choices.py).
 *
 *   coll_times OPERATION ALGORITHM,... ROOT BYTES...
 *
 * All ranks start each call at one instant, a whole second, and print a line for it:
 *
 *   ALGORITHM BYTES CALL RANK SECONDS WRONG
 *
 * where WRONG is the number of elements that should have another value. Each algorithm is called twice for
 * each size: in the first call it may also build what it keeps for later ones. Under SMPI the algorithms are
 * chosen here, one after the other; "selector=NAME" lets a selector choose. Other libraries are told by their
 * options; ALGORITHM is then only the name that is printed. What BYTES count is said in coll_operations.h.
 */
#define _GNU_SOURCE
#include "coll_operations.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef UNDER_SMPI
#include <simgrid/actor.h>
#include <xbt/config.h>
/* What SMPI calls at its start: reads the options that name algorithms. */
extern void choose_again(void) __asm__("_ZN7simgrid4smpi5colls15set_collectivesEv");
#endif

enum { CALLS = 2 };
#define SELECTOR "selector="

/* In a real library time is real, and a call starts whenever it does. */
static void sleep_until(double at)
{
#ifdef UNDER_SMPI
    sg_actor_sleep_until(at);
#elif defined(REAL_LIBRARY)
    (void)at;
#else
    struct timespec t = {(time_t)at, (long)((at - (double)(time_t)at) * 1e9)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
#endif
}

/* Called by one rank, half a slot before the call. */
static void choose(const char *operation, const char *algorithm, int bytes)
{
#ifdef UNDER_SMPI
    char option[64];
    bool selector = !strncmp(algorithm, SELECTOR, strlen(SELECTOR));
    snprintf(option, sizeof option, "smpi/%s", operation);
    sg_cfg_set_string(option, selector ? "" : algorithm);
    sg_cfg_set_string("smpi/coll-selector", selector ? algorithm + strlen(SELECTOR) : "default");
    choose_again();
#elif defined(REAL_LIBRARY)
    fprintf(stderr, "call %s %d\n", operation, bytes);
#endif
    (void)operation;
    (void)algorithm;
    (void)bytes;
}

/* Seconds from one call to the next. Some all-to-alls send all of everybody's data to everybody. */
static double slot_of(const struct run *r, int bytes)
{
    return (double)r->n * r->n * bytes > 2e8 ? 4 : 1;
}

static void stop_if_late(const char *algorithm, double start, double slot)
{
#ifndef REAL_LIBRARY
    if (MPI_Wtime() <= start - slot / 2)
        return;
    fprintf(stderr, "coll_times: %s: a call takes longer than %g s\n", algorithm, slot / 2);
    MPI_Abort(MPI_COMM_WORLD, 1);
#endif
    (void)algorithm;
    (void)start;
    (void)slot;
}

static void *memory(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    if (!p) {
        fprintf(stderr, "coll_times: no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return p;
}

/* `start`: of the last call; then of this one. */
static void measure(struct run *r, const struct operation *op, const char *algorithm, int bytes,
                    double *start)
{
    double slot = slot_of(r, bytes);
    const char *watched = getenv("WATCHED_RANK");
    r->elements = bytes / (int)sizeof(int);
    r->source = memory(operation_source(r, op));
    r->dest = memory(operation_dest(r, op));
    op->prepare(r);
    operation_fill(r, op);
    for (int call = 0; call < CALLS; call++) {
        *start += slot;
        stop_if_late(algorithm, *start, slot);
        memset(r->dest, 0xff, operation_dest(r, op));
        if (r->me == (watched ? atoi(watched) : 0)) {
            sleep_until(*start - slot / 2);
            choose(op->name, algorithm, bytes);
        }
        sleep_until(*start);
        double before = MPI_Wtime();
        op->call(r);
        double took = MPI_Wtime() - before;
        printf("%s %d %d %d %.12g %d\n", algorithm, bytes, call, r->me, took, operation_wrong(r, op));
        fflush(stdout); /* the next call may end the program */
    }
    free(r->source);
    free(r->dest);
}

int main(int argc, char **argv)
{
    struct run r = {0};
    double start = 0;
    char *rest = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r.me);
    MPI_Comm_size(MPI_COMM_WORLD, &r.n);
    const struct operation *op = argc > 4 ? operation_named(argv[1]) : NULL;
    if (!op) {
        fprintf(stderr, "usage: coll_times OPERATION ALGORITHM,... ROOT BYTES...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    r.root = atoi(argv[3]) % r.n;
    r.send_counts = memory(4 * (size_t)r.n * sizeof(int));
    r.send_at = r.send_counts + r.n;
    r.counts = r.send_at + r.n;
    r.at = r.counts + r.n;
    for (char *name = strtok_r(argv[2], ",", &rest); name; name = strtok_r(NULL, ",", &rest))
        for (int k = 4; k < argc; k++)
            measure(&r, op, name, atoi(argv[k]), &start);
    free(r.send_counts);
    MPI_Finalize();
    return 0;
}
